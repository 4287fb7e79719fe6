"""Rows that explain records, found once for all entities of a class."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fencepost.checkers.conformance.classes.changes import Change
from fencepost.checkers.conformance.classes.frames import MISSING, Env
from fencepost.checkers.conformance.classes.questions import Question
from fencepost.checkers.conformance.matching.matching import MOST_SOLUTIONS, Edge, Matcher
from fencepost.checkers.conformance.matching.unit_records import Records, Typed, type_at
from fencepost.checkers.conformance.plans.plans import Plans, RowPlan
from fencepost.checkers.conformance.records.wire import BoundRecord
from fencepost.checkers.conformance.state.replay import HardState
from fencepost.model.language import Record, Row

from .changes_by_class import changes_of
from .local import NOT_LOCAL, Local
from .placing_by_class import OF_RECORD, ClassPlacing
from .run_units import RunUnit
from .tracer import Tracer


class ReadsOn(Exception):
    """A result for one record reads fields of a further record."""


class Window(Typed):
    """Records as they are read by a row from a place on; raises `ReadsOn` where what a further one says is read.

    Of which type they are may be read up to `end`, the first that is of another type than the one at the place.
    """

    __slots__ = ("_end", "_first", "_records", "_start", "_tracer")

    def __init__(
        self, records: Sequence[BoundRecord], start: int, end: int, tracer: Tracer, first: BoundRecord
    ) -> None:
        self._records, self._start, self._end, self._tracer, self._first = records, start, end, tracer, first

    def __getitem__(self, at: int) -> BoundRecord:
        if at != self._start:
            raise ReadsOn
        return self._first

    def __len__(self) -> int:
        return len(self._records)

    def type_at(self, at: int) -> Record:
        """Return the record's type at a place."""
        if at > self._end:
            self._tracer.local = False
        return type_at(self._records, at)

    def after(self, at: int, types: Collection[Record]) -> int:
        """Return the first place from one on whose record is none of some types."""
        if self._start <= at < self._end and type_at(self._records, at) in types:
            at = self._end
        while at < len(self._records) and self.type_at(at) in types:
            at += 1
        return at


@dataclass(frozen=True, slots=True)
class Kept:
    """An edge of one record as it is cached for all equivalent ones: `late` is its row's plan where the part of the
    guard about all entities is still to be evaluated. Of a row that `reads_on` only its plan is cached: each record
    evaluates it."""

    row: Row
    env: tuple[Any, ...] = ()
    unjudged: tuple[str, ...] = ()
    late: RowPlan | None = None
    reads_on: RowPlan | None = None

    def bound_to(self, env: tuple[Any, ...]) -> Kept:
        """Return the same with other values of the row's parameters."""
        return Kept(self.row, env, self.unjudged, self.late, self.reads_on)


class ClassMatcher(Matcher):
    """Finds the rows that explain records, and what these change; `local` has what was evaluated by class.

    Where an earlier state is asked that is not stored by class, each entity is evaluated singly.
    """

    def __init__(self, state: HardState, plans: Plans, local: Local) -> None:
        super().__init__(state, plans)
        self.local, self.is_bounded = local, True
        self._run: tuple[Sequence[BoundRecord], list[int]] = ((), [])

    def active(self) -> Local | None:
        """Return what was evaluated by class, None in a state that is stored otherwise."""
        return self.local if self.state.classes is self.local.classes else None

    def edges(self, records: Sequence[BoundRecord], start: int, events: frozenset[str] | None = None) -> list[Edge]:
        """Return the edges from a place; those of a record by itself are the same for all entities of its class."""
        known = self._known(records, start) if events is None else None
        return super().edges(records, start, events) if known is None else known

    def changes(self, record: BoundRecord) -> tuple[Change, ...]:
        """Return what replaying a record changes in the present state, found once for all entities of a class."""
        return changes_of(self.state, self.local, record)

    def work_of_all(self) -> int:
        """Return what it costs to ask something of all entities."""
        classes = self.state.classes
        return 1 if classes is None else 1 + len(classes.entities) // OF_RECORD * 10

    def placing(self, plan: RowPlan, records: Records, start: int, env: Env) -> ClassPlacing:
        """Return a row under a binding, to be compared with the records from a place on."""
        return ClassPlacing(self, plan, records, start, env)

    def kept(self, records: Sequence[BoundRecord], start: int) -> tuple[tuple[Kept, ...], bool] | None:
        """Return the edges of one record as they are kept for all entities of its class, and whether a group could be
        shorter; None where they are not the same for all."""
        # What stops a row is reported for each entity.
        local = self.active() if self.attempts is None else None
        subject = None if local is None else local.subject(records[start])
        if local is None or subject is None or self.forgives(records, start) or self.forgives(records, start + 1):
            return None
        entity, said = subject
        end = self._run_end(records, start)
        # Rows that write many records read what type the next one is, and what follows those of this type.
        behind = type_at(records, end) if end < len(records) else None
        what: tuple[Any, ...] = ("edges", records[start].record.name, behind, end == start + 1)
        if self.shorter:
            what = (*what, "shorter")
        key = Question(what, local.classes.of(entity), said=said)
        frame, version = self.state.frame, self.state.version
        found = local.known(key, entity, frame, version)
        if found is MISSING:
            self.keep(key, entity, records, start, end)
            found = local.known(key, entity, frame, version)
        return None if found is MISSING or found is NOT_LOCAL else found

    def _known(self, records: Sequence[BoundRecord], start: int) -> list[Edge] | None:
        """Return the edges of one record where they are the same for all entities of its class, None where not."""
        found, local = self.kept(records, start), self.active()
        subject = None if found is None or local is None else local.subject(records[start])
        if found is None or local is None or subject is None:
            return None
        self.could_be_shorter = self.could_be_shorter or found[1]
        edges: list[Edge] = []
        for one in found[0]:
            if one.reads_on is not None:
                edges += self.edges_of(one.reads_on, records, start)
                continue
            edge = Edge(start, start + 1, one.row, local.unbound(one.env, subject[0], self.state.frame), one.unjudged)
            if one.late is None or self.is_late_allowed(one.late, edge.binding):
                edges.append(edge)
        return edges

    def _run_end(self, records: Sequence[BoundRecord], start: int) -> int:
        """Return the first place behind one whose record is of another type."""
        if isinstance(records, RunUnit):
            return records.run_end(start)
        if self._run[0] is not records:
            ends = [len(records)] * len(records)
            for at in range(len(records) - 2, -1, -1):
                ends[at] = ends[at + 1] if records[at].record is records[at + 1].record else at + 1
            self._run = records, ends
        return self._run[1][start]

    def keep(self, key: Question, entity: Any, records: Sequence[BoundRecord], start: int, end: int) -> None:
        """Find the edges of one record for all that are like it, and keep them.

        Rows that read what follows are left for each record to evaluate. So are the parts of a guard about all
        entities, unless their value is the same for all.
        """
        local, before, self.could_be_shorter = self.local, self.could_be_shorter, False
        # Through the window only this record is read, and whether the next place is forgiven: neither is.
        forgiven, self.forgiven = self.forgiven, set()
        window = Window(records, start, end, local.tracer, local.seen(records[start]))
        found: list[tuple[RowPlan, list[Edge] | None]] = []
        with local.tracer.tracing(entity):
            for plan in self.first_of(window, start, None):
                shorter = self.could_be_shorter
                try:
                    found.append((plan, self.spans(plan, window, start)))
                except ReadsOn:
                    found.append((plan, None))
                    self.could_be_shorter = shorter
            mark = local.tracer.mark()
            late = {id(edge): self.is_late_allowed(plan, edge.binding) for plan, some in found for edge in some or ()}
        few = all(some is None or len(some) < MOST_SOLUTIONS for _, some in found) and not self.exhausted
        is_late = few and local.tracer.return_to(mark)
        kept = self._kept(entity, found, None if is_late else late) if few else None
        local.keep(key, NOT_LOCAL if kept is None else (kept, self.could_be_shorter))
        self.could_be_shorter, self.forgiven = before, forgiven

    def _kept(
        self, entity: Any, edges: Sequence[tuple[RowPlan, Sequence[Edge] | None]], late: Mapping[int, bool] | None
    ) -> tuple[Kept, ...] | None:
        """Return what is kept of edges found under the tracer, None where they are the entity's alone.

        Of a row with None for edges its plan is cached. `late` says for which edges, by `id`, the part of the guard
        about all entities is true; None where that is still to be evaluated.
        """
        found: list[Kept] = []
        for plan, some in edges:
            if some is None:
                found.append(Kept(plan.row, reads_on=plan))
            for edge in some or ():
                env = self.local.signed(edge.binding, entity)
                if env is None or edge.end != edge.start + 1:
                    return None
                if late is None or late[id(edge)]:
                    found.append(Kept(plan.row, env, edge.unjudged, plan if late is None and plan.late else None))
        return tuple(found)


def matcher_of(state: HardState, plans: Plans, local: Local | None) -> Matcher:
    """Return what finds rows, by class where something is known so."""
    return Matcher(state, plans) if local is None else ClassMatcher(state, plans, local)
