"""One row under one binding against the records from a place on: which it writes, and whether none is missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from fencepost.checkers.conformance.classes.changes import Cell
from fencepost.checkers.conformance.classes.frames import UNKNOWN, Env
from fencepost.checkers.conformance.plans.hidden_cells import can_be_first, content_of
from fencepost.checkers.conformance.plans.plans import RowPlan, StagePlan, WritePlan
from fencepost.checkers.conformance.records.wire import BoundRecord, entity_text, said_by
from fencepost.model.language.walk import conjuncts

from .attempts import UNSAID, Attempt, Kind, cells_read
from .unit_records import Records, type_at

if TYPE_CHECKING:
    from .matching import Matcher

END = -1
"""Represents the end of a unit among the forgiven offsets: nothing is missing there."""

End = tuple[int, tuple[str, ...], Env]


class Taken(Protocol):
    """The bindings under which the records of one write have been found."""

    def __contains__(self, key: tuple[Any, ...], /) -> bool:
        """Whether a record of the binding has been found."""

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        """Yield them."""

    def add(self, key: tuple[Any, ...]) -> None:
        """Note that one was found."""


class Placing:
    """One row under one binding, compared with the records from a place on."""

    def __init__(self, matcher: Matcher, plan: RowPlan, records: Records, start: int, env: Env) -> None:
        self.matcher, self.plan, self.records, self.start, self.env = matcher, plan, records, start, env
        self.frame = matcher.state.frame
        self.taken: list[list[Taken]] = []

    def ends(self) -> list[End]:
        """Return where the row's records can end, each with the fields that could not be checked and the parameters."""
        bound = len(self.env)
        return [
            end
            for end in self._stage(0, self.start, (), self.env)
            if end[0] > self.start
            and (len(end[2]) == bound or self.matcher.allowed(self.plan, end[2], self.start, None))
        ]

    def _stage(self, number: int, at: int, unjudged: tuple[str, ...], env: Env) -> list[End]:
        if number == len(self.plan.stages):
            return [(at, unjudged, env)]
        found: list[End] = []
        before = self.taken
        for end, here, learned in self._group(self.plan.stages[number], at, env):
            found += self._stage(number + 1, end, unjudged + here, learned)
        self.taken = before
        return found

    def _group(self, stage: StagePlan, at: int, env: Env) -> list[End]:
        """Return the places where a stage can end, the longest reading first; notes what it took."""
        found: list[End] = []
        self.env = dict(env)
        here, taken, unjudged = self.whole_group(stage, at, found)
        self.matcher.furthest = max(self.matcher.furthest, here)
        if not self.matcher.shorter and self._goes_on(stage, at, here) and self._complete(stage, taken, here):
            found.append((here, unjudged, self.env))
        self.taken = [*self.taken, taken]
        found.reverse()
        return found

    def whole_group(self, stage: StagePlan, at: int, found: list[End]) -> tuple[int, list[Taken], tuple[str, ...]]:
        """Return the place behind the longest reading of a stage, the records taken and the fields that were not
        checked.

        Rows that write the same under one binding read the same of a unit from one place on: it is read once. With
        shorter readings, which are added to what was found, each row asks by itself what follows.
        """
        matcher, there = self.matcher, (at, self.matcher.state.version)
        kept, name = self.kept(stage, at)
        known: Any = kept.get(name)
        if known is not None and known[0] == there:
            _, here, taken, unjudged, shorter = known
            matcher.could_be_shorter |= shorter
            return here, taken, unjudged
        before, matcher.could_be_shorter = matcher.could_be_shorter, False
        given = dict(self.env)
        here, taken, unjudged = self._taken(stage, at, found)
        if self.env == given:
            # What was read from another place is not asked for again.
            kept[name] = there, here, taken, unjudged, matcher.could_be_shorter
        matcher.could_be_shorter |= before
        return here, taken, unjudged

    def kept(self, stage: StagePlan, at: int) -> tuple[dict[Any, Any], tuple[Any, ...]]:
        """Return where what is read of a stage is kept, and under which name; a new place where it is not kept.

        It is kept as long as the state and the records stay as they are.
        """
        absent = self.shared_by_rows(stage)
        if absent is None:
            return {}, ()
        of, kept = self.frame.memo.get("groups", (None, {}))
        if of is not self.records:
            of, kept = self.frame.memo["groups"] = self.records, {}
        write = stage.writes[0]
        return kept, (at, content_of(write, absent), *self.read_by(write).items())

    def shared_by_rows(self, stage: StagePlan) -> tuple[WritePlan, ...] | None:
        """Return what earlier stages could have written, of which they wrote nothing, of a stage that rows may share.

        None of one that is read for its row alone.
        """
        matcher = self.matcher
        if matcher.shorter or matcher.forgiven or matcher.attempts is not None or len(stage.writes) != 1:
            return None
        return self.absent_of_all(stage.writes[0])

    def new_taken(self) -> Taken:
        """Return a place for the bindings of which records will be found."""
        return set()

    def _taken(self, stage: StagePlan, at: int, found: list[End]) -> tuple[int, list[Taken], tuple[str, ...]]:
        """Take records of a stage from a place on, as many as there are; arguments and what is returned as above."""
        taken, unjudged, here = [self.new_taken() for _ in stage.writes], tuple[str, ...](), at
        while True:
            if self.matcher.shorter and self._follows(stage, here) and self._complete(stage, taken, here):
                found.append((here, unjudged, dict(self.env)))
            first = here
            here, unknown, is_other = self.take_known(stage, taken, here)
            unjudged += unknown
            if here > first and not is_other:
                continue
            more = None if is_other or here == len(self.records) else self._take(stage, taken, here)
            if more is None:
                return here, taken, unjudged
            unjudged += more
            here += 1

    def take_known(self, stage: StagePlan, taken: Sequence[Taken], at: int) -> tuple[int, tuple[str, ...], bool]:
        """Take records that are known to fit a stage's only write; return the first that is not, the fields that could
        not be checked, and whether that record is known not to fit."""
        return at, (), False

    def _goes_on(self, stage: StagePlan, start: int, here: int) -> bool:
        """Whether the record after a stage can be the row's next; evaluated first, since it costs nothing."""
        if here == self.start:
            # Nothing of the row was found yet: unless something comes, it explains nothing.
            return type_at(self.records, here) in stage.follow
        # Where a part of the stage was found, its missing part is worth a report.
        return self._follows(stage, here) or (self.matcher.attempts is not None and here > start)

    def _follows(self, stage: StagePlan, here: int) -> bool:
        """Whether the record at an index may follow a stage."""
        if stage.may_end or (here < len(self.records) and type_at(self.records, here) in stage.follow):
            return True
        return self.matcher.forgives(self.records, here)

    def _take(self, stage: StagePlan, taken: list[Taken], at: int) -> tuple[str, ...] | None:
        type_ = type_at(self.records, at)
        # A record that is written once, and is there already, cannot come next.
        if all(write.record is not type_ or (taken[n] and not write.binders) for n, write in enumerate(stage.writes)):
            return None
        self.matcher.does(1)
        record = self.records[at]
        for number, write in enumerate(stage.writes):
            if write.record is not record.record:
                continue
            for key in self._binders(write, record):
                if key in taken[number]:
                    continue
                judged = self.fits(write, record, at, self._absent(write, key))
                if judged is not None:
                    taken[number].add(key)
                    self.unbind(write)
                    return judged
            self.unbind(write)
        return None

    def _binders(self, write: WritePlan, record: BoundRecord) -> Iterator[tuple[Any, ...]]:
        """Bind the variables of an `every` to what the record is about; those that it does not show are tried."""
        env = self.env
        for name, var in write.of_binders:
            if name in record.values:
                env[var] = record.values[name]
        open_ = tuple([v for v in write.binders if v not in env])
        for _ in self.matcher.state.bindings(open_, env):
            yield tuple([env[v] for v in write.binders])

    def unbind(self, write: WritePlan) -> None:
        """Forget what the variables of an `every`, and hidden ones, were bound to."""
        for var in (*write.binders, *write.hidden):
            self.env.pop(var, None)

    def read_by(self, write: WritePlan) -> Env:
        """Return what the variables are bound to on which a write depends, in an order that is always the same."""
        return {var: self.env[var] for var in write.reads if var in self.env}

    def _absent(self, write: WritePlan, key: tuple[Any, ...]) -> tuple[WritePlan, ...]:
        """Return what earlier stages could have written about some entities, of which they wrote nothing."""
        missing = [some for stage, some in write.preceding if not any(key in self.taken[stage][at] for at in some)]
        return tuple([one for some in missing for one in some.values()])

    def absent_of_all(self, write: WritePlan) -> tuple[WritePlan, ...] | None:
        """Return what `_absent` does, where it is the same whatever it is about, else None."""
        if any(self.taken[stage][at] for stage, some in write.preceding for at in some):
            return None
        return tuple([one for _, some in write.preceding for one in some.values()])

    def fits(
        self, write: WritePlan, record: BoundRecord, at: int, absent: tuple[WritePlan, ...]
    ) -> tuple[str, ...] | None:
        """Return the fields that could not be checked where the row may write this record, None where it does not.

        `absent` are writes of earlier stages about the same, of which no record was found.
        """
        env, frame = self.env, self.frame
        for hidden in write.hidden:
            env.pop(hidden, None)
        for clue in write.clues:
            found = self.matcher.candidates(clue, env, record)
            if len(found) == 1:
                env[clue.var] = found[0]
        for name, var in write.of_hidden:
            if name in record.values:
                env.setdefault(var, record.values[name])
        for name, var, value in write.of_said:
            if record.values.get(name) is not UNKNOWN:
                env.setdefault(var, value if name in record.values else not value)
        forgiven = record.wire.offset in self.matcher.forgiven
        included = write.when(frame, env)
        if included is False:
            self._stopped(at, "other", detail=self._denied(write))
            return () if forgiven and self._about(write, record) else None
        if forgiven and self._about(write, record):
            self.matcher.could_be_shorter |= included is UNKNOWN
            return ()
        unjudged: list[str] = []
        learned: Env = {}
        agreeing = 0
        for plan in write.fields:
            name = plan.field.name
            observed = record.values.get(name, UNSAID)
            said = False if plan.value is None else True if plan.said is None else plan.said(frame, env)
            if said is False or (observed is UNSAID and said is UNKNOWN):
                if observed is UNSAID:
                    agreeing += 1
                    continue
                self._stopped(at, "field", name, UNSAID, observed, agreeing)
                return None
            assert plan.value is not None
            predicted = plan.value(frame, env)
            if plan.already is not None:
                stored = plan.already(frame, said_by(record))
                if observed is UNSAID and (predicted == stored or UNKNOWN in (predicted, stored)):
                    continue
                if observed == stored and predicted == stored:
                    self._stopped(at, "field", name, UNSAID, observed, agreeing)
                    return None
            if observed is UNSAID:
                self._stopped(at, "field", name, predicted, UNSAID, agreeing)
                return None
            if predicted is UNKNOWN and plan.var is not None and observed is not UNKNOWN:
                # A parameter that no earlier record shows: this record does, and every later use must agree with it.
                if learned.setdefault(plan.var, observed) != observed:
                    self._stopped(at, "field", name, learned[plan.var], observed, agreeing)
                    return None
            elif predicted is UNKNOWN or observed is UNKNOWN:
                unjudged.append(f"{record.record.name}.{name}")
            elif predicted != observed:
                self._stopped(at, "field", name, predicted, observed, agreeing)
                return None
            else:
                agreeing += 1
        if write.version is not None and record.wire.version is not None:
            version = write.version(frame, env)
            if version is not UNKNOWN and version != record.wire.version:
                self._stopped(at, "field", "version", version, record.wire.version, agreeing)
                return None
        if absent and not can_be_first(write, absent, self.frame, self.env):
            self._missing(at, absent[0], tuple([env[var] for var in write.binders]))
            return None
        self.matcher.could_be_shorter |= included is UNKNOWN
        env.update(learned)
        return tuple(unjudged)

    def _denied(self, write: WritePlan) -> str:
        """Return the cells that decide that a record is not written, empty where no attempts are collected."""
        if self.matcher.attempts is None:
            return ""
        parts = zip(conjuncts(write.when_term), write.parts, strict=True)
        false = next((term for term, part in parts if part(self.frame, self.env) is False), None)
        return "" if false is None else cells_read(false, self.env, self.matcher.state)

    def _about(self, write: WritePlan, record: BoundRecord) -> bool:
        for plan in write.fields[: len(write.record.about)]:
            predicted = UNKNOWN if plan.value is None else plan.value(self.frame, self.env)
            if predicted is not UNKNOWN and predicted != record.values.get(plan.field.name):
                return False
        return True

    def _complete(self, stage: StagePlan, taken: list[Taken], at: int) -> bool:
        if self.matcher.forgives(self.records, at):
            return True
        for number, write in enumerate(stage.writes):
            missing = self.first_missing(write, [*self.taken, taken], taken[number])
            if missing is not None:
                self._missing(at, write, missing)
                return False
        return True

    def first_missing(self, write: WritePlan, taken: Sequence[Sequence[Taken]], found: Taken) -> tuple[Any, ...] | None:
        """Return the first binding under which a stage is sure to write a record that is not there, None for none.

        `taken` are the bindings found, by stage and write; `found` those of this write.
        """
        missing = next((key for key in self._definite(write) if key not in found), None)
        return self._first_demanded(write, taken, found) if missing is None else missing

    def _definite(self, write: WritePlan) -> tuple[tuple[Any, ...], ...]:
        """Return the bindings under which a stage is sure to write a record."""
        if write.certain:
            return ((),)
        if not write.may_be_sure:
            return ()
        env, frame = self.env, self.frame
        key = ("definite", write.when_term, write.binders, *[env.get(v, UNKNOWN) for v in write.outer])
        found: tuple[tuple[Any, ...], ...] | None = frame.memo.get(key)
        if found is None:
            found = tuple(
                tuple(env[v] for v in write.binders)
                for _ in self.matcher.state.bindings(write.binders, env, write.selects)
                if self.is_sure(write)
            )
            frame.memo[key] = found
        return found

    def _first_demanded(
        self, write: WritePlan, taken: Sequence[Sequence[Taken]], found: Taken
    ) -> tuple[Any, ...] | None:
        """Return the first binding under which a record is missing though another one that was found demands it."""
        for demand in write.demanded:
            for key in taken[demand.stage][demand.number]:
                if key not in found:
                    self.matcher.does(1)
                    self.env.update(zip(write.binders, key, strict=True))
                    is_free = can_be_first(demand.write, (demand.further,), self.frame, self.env)
                    self.unbind(write)
                    if not is_free:
                        return key
        return None

    def is_sure(self, write: WritePlan) -> bool:
        """Whether a stage is sure to write a record under the present binding."""
        # One part that is unknown is enough to know that it is not sure.
        return all(part(self.frame, self.env) is True for part in write.parts)

    def _missing(self, at: int, write: WritePlan, key: tuple[Any, ...]) -> None:
        """Note that the row would write a record here that is not there."""
        if self.matcher.attempts is None or self._differs(at):
            return
        self.env.update(zip(write.binders, key, strict=True))
        about = []
        for plan in write.fields[: len(write.record.about)]:
            value = UNKNOWN if plan.value is None else plan.value(self.frame, self.env)
            about.append((str(plan.field.kind), value))
        self.unbind(write)
        detail = f"{write.record.name}({', '.join(entity_text(value) for _, value in about)})"
        keys = tuple(value for _, value in about)
        cells = tuple((number, keys) for number in self.matcher.state.layout.cells_of(write.record))
        self._stopped(at, "group", detail=detail, missing=tuple(about), cells=() if UNKNOWN in keys else cells)

    def _differs(self, at: int) -> bool:
        """Whether the record at hand was all but the one: which field differs says more than that it is missing."""
        last = self.matcher.attempts[-1] if self.matcher.attempts else None
        return last is not None and (last.row, last.at, last.kind) == (self.plan.row, at, "field")

    def _stopped(
        self,
        at: int,
        kind: Kind,
        field: str = "",
        predicted: Any = None,
        observed: Any = None,
        agreeing: int = 0,
        detail: str = "",
        missing: tuple[tuple[str, Any], ...] = (),
        cells: tuple[Cell, ...] = (),
    ) -> None:
        attempts = self.matcher.attempts
        if attempts is not None:
            attempts.append(
                Attempt(
                    self.plan.row, self.start, at, kind, None, field, predicted, observed, detail, agreeing,
                    self.matcher.whole, missing, cells,
                )
            )  # fmt: skip
