"""Units explained by printed rows: which rows wrote the records from each place on, and what every record changes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, Final

from fencepost.checkers.conformance.classes.changes import Change
from fencepost.checkers.conformance.classes.frames import values
from fencepost.checkers.conformance.matching import matching
from fencepost.checkers.conformance.matching.matching import MOST_SOLUTIONS, Edge
from fencepost.checkers.conformance.matching.parsing import Parse, blocks_of
from fencepost.checkers.conformance.plans.plans import Demand, Plans
from fencepost.checkers.conformance.records.wire import BoundRecord
from fencepost.checkers.conformance.state.printed_states import AHEAD, States
from fencepost.checkers.conformance.state.record_fields import Said, fields_of
from fencepost.checkers.conformance.state.replay import HardState
from fencepost.checkers.printing.unknown import UNKNOWN
from fencepost.model.language import Record, Var
from fencepost.model.language.kinds import EntityKind

from .bindings import Call, CannotTell, Env, PrintedRow, RowPrinter, Shape

MOST_ASKED: Final = 1_000_000
"""The number of comparisons of one unit's records with rows before the simple matcher, which counts, takes the unit."""

MOST_PARTS: Final = 50
"""The number of places of a unit for which further parts of requests are evaluated in the state there."""

_NOT_ASKED: Final = object()
_Found = tuple[int, tuple[str, ...], Env, "list[dict[Any, None]]"]
"""The place behind a stage, the fields that could not be compared, the values of the row's variables, and the bindings
that were found, by write."""


class Asked:
    """A row as evaluated for records, with the functions that are printed of it.

    `reads` are, by stage, what its reading rests on beside the place and the row's variables at `places`; None where
    earlier stages decide, too. Of one that `is_one_stage` a write rests on no other.
    """

    __slots__ = ("calls", "is_one_record", "is_one_stage", "needs", "passed", "places", "reads", "row", "stages")

    def __init__(self, printer: RowPrinter, row: PrintedRow) -> None:
        self.row, self.stages, self.calls = row, row.stages, row.calls
        self.needs, self.passed = row.needs, row.passed
        self.is_one_record = len(row.stages) == 1 and row.stages[0].certain
        self.is_one_stage = len(row.stages) == 1 and not any(
            call.tried or call.preceding or call.demanded for call in self.calls[0]
        )
        self.places = [tuple(place for call in calls for place in call.places) for calls in self.calls]
        self.reads = [
            None
            if any(call.preceding or call.demanded for call in calls)
            else printer.number((tuple(call.write for call in calls), stage.follow, stage.may_end))
            for calls, stage in zip(self.calls, row.stages, strict=True)
        ]


class View:
    """A state as printed functions read it, and what was asked in it since it changed.

    Results about writes that read no other entity's cells of a sort (`PrintedWrite.own_sort`) is kept while
    nothing else than such cells changes: `moved` are the entities whose cells have.
    """

    __slots__ = ("first", "groups", "kept", "moved", "names", "sort", "sure", "times")

    def __init__(self, names: Mapping[str, Any]) -> None:
        self.names = names
        self.groups: dict[Any, list[_Found]] = {}
        self.first: dict[Any, Any] = {}
        self.forget("")

    def forget(self, sort: str) -> None:
        """Keep nothing of what was asked; from here on cells of entities of a sort may change."""
        self.sort = sort
        self.kept: dict[Any, Any] = {}
        self.sure: dict[Any, tuple[dict[Any, None], list[int]]] = {}
        self.moved: list[Any] = []
        self.times: dict[Any, int] = {}

    def has_moved(self, sort: str, entity: Any) -> None:
        """Note that cells of one entity of a sort have changed, and no others."""
        if sort != self.sort:
            self.forget(sort)
        self.moved.append(entity)
        self.times[entity] = self.times.get(entity, 0) + 1


class PrintedMatcher:
    """Explains units of one log whose state is known, each by itself; a row is printed when it is first asked about."""

    def __init__(self, states: States, plans: Plans, printer: RowPrinter) -> None:
        self.states, self.plans, self.printer = states, plans, printer
        self.state: HardState = states.state
        self._rows: dict[Record, tuple[list[Asked], list[Asked]]] = {}
        layout = self.state.layout
        self._sorts = [str(one.keys[0]) if one.keys else "" for one in layout.states]

    # -- a unit ------------------------------------------------------------------------------------------------------
    def parse(self, records: Sequence[BoundRecord | None], offsets: Sequence[int]) -> Parse | None:
        """Return a unit parsed, and leave the state that is ahead behind it; None where rows do not explain all of it,
        or what explains it is not known: then that state is as it was."""
        said = [self._said(record) for record in records]
        made: list[tuple[Change, ...]] = []
        try:
            for shorter in (False, True):
                self._begin(said, shorter)
                edges = self._edges(said, offsets, made)
                blocks = blocks_of(edges, len(said))
                if blocks is not None:
                    return Parse(blocks, made, [])
                self.states.undo(made)
                made = []
                if not self._could_be_shorter:
                    break
        except CannotTell:
            self.states.undo(made)
        return None

    def _said(self, record: BoundRecord | None) -> Said:
        if record is None:
            return Said(None, (), None)
        return Said(record.record, fields_of(record), record.wire.version)

    def _begin(self, said: Sequence[Said], shorter: bool) -> None:
        self.said, self.count, self.shorter = said, len(said), shorter
        self._could_be_shorter = False
        self._asked = 0
        self.view = View(self.states.names)
        self._past: dict[int, View] = {}
        # By place, the events that may follow there as further parts of requests, by the places of their first parts.
        self._parts: dict[int, dict[int, set[str]]] = {}
        self.ends = ends = [self.count] * self.count
        for at in range(self.count - 2, -1, -1):
            ends[at] = ends[at + 1] if said[at].record is said[at + 1].record else at + 1

    def _edges(self, said: Sequence[Said], offsets: Sequence[int], made: list[tuple[Change, ...]]) -> list[list[Edge]]:
        """Return the edges from every place that can be reached, and add what every record changes."""
        edges: list[list[Edge]] = [[] for _ in said]
        reached = {0}
        for at, one in enumerate(said):
            self.states.at_offset(offsets[at], AHEAD)
            if at in reached:
                if one.record is None:
                    edges[at] = [Edge(at, at + 1, None)]
                else:
                    self.view.groups = {}
                    edges[at] = list(self._from(one.record, at))
                    self._note(edges[at], at)
                    if at in self._parts:
                        edges[at] += self._further(one.record, at, made, edges[at])
                reached.update([edge.end for edge in edges[at]])
            changes = () if one.record is None else self.changes(one.record, one.fields)
            self.states.write(AHEAD, changes)
            made.append(changes)
            if changes and self.count > 1:
                self._has_moved(one, changes)
        return edges

    def _has_moved(self, one: Said, changes: Iterable[Change]) -> None:
        """Note of which entity alone cells have changed; where others' have, nothing that was asked holds any more."""
        abouts = () if one.record is None else one.record.about
        kind = abouts[0].kind if abouts else None
        entity = one.fields[0] if isinstance(kind, EntityKind) else None
        if isinstance(kind, EntityKind) and all(
            self._sorts[cell[0]] == kind.name and cell[1][0] == entity for cell, _, _ in changes
        ):
            self.view.has_moved(kind.name, entity)
        else:
            self.view.forget("")

    def changes(self, record: Record, fields: tuple[Any, ...]) -> tuple[Change, ...]:
        """Return what replaying a record changes in the state that is ahead."""
        found = self.state.layout.printed_replay(record)(self.states.names, fields)
        if found is None:
            raise CannotTell
        return (*found, *self._left_over(found)) if self.state.leaves_over(found) else found

    def _left_over(self, changes: Iterable[Change]) -> Iterator[Change]:
        return self.state.left_over(changes, lambda cell: self.states.read(AHEAD, cell))

    # -- parts of requests -------------------------------------------------------------------------------------------
    def _note(self, edges: Iterable[Edge], base: int) -> None:
        """Note behind edges which further parts of requests may follow, to be evaluated in the state at a place."""
        for edge in edges:
            if edge.row is not None and edge.end < self.count:
                later = self.plans.later(edge.row)
                if later:
                    self._parts.setdefault(edge.end, {}).setdefault(base, set()).update(later)

    def _further(self, record: Record, at: int, made: Sequence[Sequence[Change]], found: Sequence[Edge]) -> list[Edge]:
        """Return the edges by further parts at a place, those left out whose row and end one of `found` has."""
        there = {(id(edge.row), edge.end) for edge in found}
        more: list[Edge] = []
        for base, events in self._parts[at].items():
            present, self.view = self.view, self._state_at(base, made)
            self.view.groups = {}
            try:
                parts = [edge._replace(is_further=True) for edge in self._from(record, at, events)]
            finally:
                self.view = present
            new = [edge for edge in parts if (id(edge.row), edge.end) not in there]
            more += new
            there.update([(id(edge.row), edge.end) for edge in new])
            self._note(parts, base)
        return more

    def _state_at(self, base: int, made: Sequence[Sequence[Change]]) -> View:
        """Return the state at an earlier place of the unit."""
        found = self._past.get(base)
        if found is None:
            if len(self._past) == MOST_PARTS:
                raise CannotTell
            found = self._past[base] = View(self.states.earlier(made[base:]))
        return found

    # -- one place ---------------------------------------------------------------------------------------------------
    def _from(self, record: Record, at: int, events: Collection[str] | None = None) -> Iterator[Edge]:
        """Yield the edges from a place; with `events` only rows of these are evaluated."""
        rows = self._rows.get(record)
        if rows is None:
            rows = self._rows[record] = self._printed(record)
        said, count, ends, names = self.said, self.count, self.ends, self.view.names
        first = self.view.first = {}
        self._start = at
        # With the last record no row begins that is certain to write another one.
        for row in rows[0] if at + 1 < count else rows[1]:
            if events is not None and row.row.row.event.name not in events:
                continue
            if row.needs is not None:
                # Behind the records that may come before it, a record that the row is certain to write.
                to = at
                while to < count and said[to].record in row.passed:
                    to = ends[to]
                if to >= count or said[to].record is not row.needs:
                    continue
            solutions: dict[int, int] = {}
            for env in row.row.bindings(names, said, at, count, ends, first, matching.MOST_BINDINGS):
                for edge in self._placed(row, at, env):
                    if solutions.get(edge.end, 0) < MOST_SOLUTIONS:
                        solutions[edge.end] = solutions.get(edge.end, 0) + 1
                        yield edge

    def _printed(self, record: Record) -> tuple[list[Asked], list[Asked]]:
        """Return the rows of which a record can be the first, and those that need no other behind it."""
        rows = [self.printer.row(writer, record) for writer in self.plans.by_first.writers(record)]
        asked = [Asked(self.printer, row) for row in rows if row.is_alive]
        return asked, [row for row in asked if row.needs is None or row.needs is record]

    def _placed(self, row: Asked, at: int, env: Env) -> list[Edge]:
        """Return where the records of a row can end under one binding, those that its guard allows."""
        if row.is_one_record:
            found = self._one_record(row, at, env)
        elif self.count == 1 and row.is_one_stage and not self.shorter:
            found = self._alone(row, env)
        else:
            found = self._stages(row, at, 0, at, (), env, [])
        if not found:
            return []
        edges, names, printed = list[Edge](), self.view.names, row.row
        for end, unjudged, more in found:
            if end == at or (more is not env and printed.again is not None and not printed.again(names, *more)):
                continue
            if printed.late is not None and not printed.late(names, *more):
                continue
            binding = {var: value for var, value in zip(printed.variables, more, strict=True) if value is not UNKNOWN}
            edges.append(Edge(at, end, printed.row, binding, unjudged))
        return edges

    def _one_record(self, row: Asked, at: int, env: Env) -> list[tuple[int, tuple[str, ...], Env]]:
        for found in self._shown(row.calls[0][0], at, env):
            more = learn(row.row.variables, env, found[1]) if found[1] else env
            return [] if more is None else [(at + 1, found[0], more)]
        return []

    def _alone(self, row: Asked, env: Env) -> list[tuple[int, tuple[str, ...], Env]]:
        """Return the end of the only stage of a row where a unit's one record is all that it writes."""
        stage, calls, record = row.stages[0], row.calls[0], self.said[0].record
        if not stage.may_end or record not in stage.records:
            return []
        for number, call in enumerate(calls):
            for found in self._shown(call, 0, env) if call.record is record else ():
                more = learn(row.row.variables, env, found[1]) if found[1] else env
                if more is None:
                    continue
                self._could_be_shorter = self._could_be_shorter or found[3]
                return [(1, found[0], more)] if self._is_all(calls, number, found[2], more) else []
        return []

    def _is_all(self, calls: Sequence[Call], number: int, key: tuple[Any, ...], env: Env) -> bool:
        """Whether a stage is sure to write no record but one, of the write with a number under some bindings."""
        for other, call in enumerate(calls):
            if call.certain:
                if other != number:
                    return False
                continue
            if other == number and not call.binders:
                continue
            missing = self._sure_of(call, env)
            if missing and (other != number or len(missing) > 1 or key not in missing):
                return False
        return True

    def _stages(
        self,
        row: Asked,
        start: int,
        number: int,
        at: int,
        unjudged: tuple[str, ...],
        env: Env,
        taken: list[list[dict[Any, None]]],
    ) -> list[tuple[int, tuple[str, ...], Env]]:
        """Return where the stages of a row from one on can end."""
        groups = self._grouped(row, start, number, at, env, taken)
        if number + 1 == len(row.stages):
            return [(end, unjudged + here, more) for end, here, more, _ in groups]
        found = []
        for end, here, more, took in groups:
            found += self._stages(row, start, number + 1, end, unjudged + here, more, [*taken, took])
        return found

    def _grouped(
        self, row: Asked, start: int, number: int, at: int, env: Env, taken: list[list[dict[Any, None]]]
    ) -> list[_Found]:
        """Return the places where a stage can end; rows that write the same under one binding read it once."""
        reads = row.reads[number]
        if self.shorter or reads is None:
            return self._group(row, start, number, at, env, taken)
        key = (reads, at, at == start, *[env[place] for place in row.places[number]])
        found = self.view.groups.get(key)
        if found is None:
            found = self._group(row, start, number, at, env, taken)
            if all(one[2] is env for one in found):
                self.view.groups[key] = found
            return found
        return [(end, unjudged, env, took) for end, unjudged, _, took in found] if found else found

    def _group(
        self, row: Asked, start: int, number: int, at: int, env: Env, taken: list[list[dict[Any, None]]]
    ) -> list[_Found]:
        """Return the places where a stage can end, the longest reading first."""
        stage, calls, said, count = row.stages[number], row.calls[number], self.said, self.count
        took: list[dict[Any, None]] = [{} for _ in calls]
        found: list[_Found] = []
        here, unjudged = at, tuple[str, ...]()
        while True:
            if self.shorter and self._follows(stage, here) and self._is_complete(calls, took, env, taken):
                found.append((here, unjudged, env, [dict(one) for one in took]))
            if here == count or said[here].record not in stage.records:
                break
            more = self._take(row, calls, here, env, took, taken)
            if more is None:
                break
            unjudged, env, here = unjudged + more[0], more[1], here + 1
        if not self.shorter:
            # Unless something of the row was found, it explains nothing but what follows.
            goes_on = self._follows(stage, here) if here > start else here < count and said[here].record in stage.follow
            if goes_on and self._is_complete(calls, took, env, taken):
                found.append((here, unjudged, env, took))
        found.reverse()
        return found

    def _take(
        self,
        row: Asked,
        calls: Sequence[Call],
        at: int,
        env: Env,
        took: list[dict[Any, None]],
        taken: list[list[dict[Any, None]]],
    ) -> tuple[tuple[str, ...], Env] | None:
        """Take one record for a write of a stage; return the fields that could not be compared, and the variables."""
        record = self.said[at].record
        for number, call in enumerate(calls):
            if call.record is not record or (took[number] and not call.binders):
                continue
            self._asked += 1
            if self._asked > MOST_ASKED:
                raise CannotTell
            for found in self._tried(call, at, env) if call.tried else self._shown(call, at, env):
                if found[2] in took[number] or (
                    call.preceding and not self._may_be_first(call, at, env, taken, found[2])
                ):
                    continue
                more = learn(row.row.variables, env, found[1]) if found[1] else env
                if more is None:
                    continue
                took[number][found[2]] = None
                self._could_be_shorter = self._could_be_shorter or found[3]
                return found[0], more
        return None

    def _tried(self, call: Call, at: int, env: Env) -> Iterator[Any]:
        """Yield what a record shows of a write, for each value of the variables that it does not show."""
        if call.shared is None or self._is_shared(call, at):
            one, values = self.said[at], [env[place] for place in call.places]
            for some in product(*[self._values(var) for var in call.tried]):
                found = call.fits(self.view.names, one.fields, one.version, *values, *some)
                if found is not None:
                    yield found

    def _shown(self, call: Call, at: int, env: Env) -> Sequence[Any]:
        """Return what a record shows of a write that may have made it; asked once while only other entities change."""
        values = [env[place] for place in call.places]
        what = (call.number, *values)
        found = self.view.first.get(what, _NOT_ASKED) if at == self._start else _NOT_ASKED
        if found is _NOT_ASKED:
            found = self._kept(what, call, at)
        if found is _NOT_ASKED:
            one = self.said[at]
            is_shared = call.shared is None or self._is_shared(call, at)
            fits = call.fits if UNKNOWN in values else call.fits_known
            found = fits(self.view.names, one.fields, one.version, *values) if is_shared else None
            self._keep(what, call, at, found)
        return () if found is None else (found,)

    def _is_shared(self, call: Call, at: int) -> bool:
        """Whether the record has the fields that many writes share."""
        assert call.shared is not None
        found = self._kept((call.shared,), call, at)
        if found is _NOT_ASKED:
            found = call.shared(self.view.names, self.said[at].fields)
            self._keep((call.shared,), call, at, found)
        return bool(found)

    def _kept(self, what: tuple[Any, ...], call: Call, at: int) -> Any:
        """Return what was found of a record, unless cells that it rests on may have changed."""
        view = self.view
        if self.count == 1 or not view.sort or call.write.own_sort != view.sort:
            return view.kept.get((*what, at), _NOT_ASKED) if not view.moved else _NOT_ASKED
        return view.kept.get((*what, at, view.times.get(self.said[at].fields[0], 0)), _NOT_ASKED)

    def _keep(self, what: tuple[Any, ...], call: Call, at: int, found: Any) -> None:
        view = self.view
        if self.count == 1 or not view.sort or call.write.own_sort != view.sort:
            if not view.moved:
                view.kept[*what, at] = found
        else:
            view.kept[*what, at, view.times.get(self.said[at].fields[0], 0)] = found

    def _values(self, var: Var[Any]) -> Iterable[Any]:
        """Return the values of a variable; one that is not known where they cannot be listed, or there are none."""
        return values(self.state.frame, var.kind) or (UNKNOWN,)

    def _may_be_first(
        self, call: Call, at: int, env: Env, taken: list[list[dict[Any, None]]], key: tuple[Any, ...]
    ) -> bool:
        """Whether hidden cells can be such that a record is written, and none of those missing in front of it."""
        absent = [
            one
            for stage, some in call.plan.preceding
            if not any(key in taken[stage][number] for number in some)
            for one in some.values()
        ]
        if not absent:
            return True
        test = call.write.can_be_first(call.known, absent, True)
        return test(self.view.names, self.said[at].fields, *[env[place] for place in call.places], *key)

    def _follows(self, stage: Shape, here: int) -> bool:
        """Whether the record at an index may follow a stage."""
        return stage.may_end or (here < self.count and self.said[here].record in stage.follow)

    def _is_complete(
        self,
        calls: Sequence[Call],
        took: Sequence[dict[Any, None]],
        env: Env,
        taken: Sequence[Sequence[dict[Any, None]]],
    ) -> bool:
        """Whether no record is missing that a stage is sure to write."""
        for number, call in enumerate(calls):
            if call.certain:
                if not took[number]:
                    return False
                continue
            mine = took[number]
            # A write without a binder is made once: what it took is all that may be missing.
            missing = None if mine and not call.binders else self._sure_of(call, env)
            if missing is not None and (len(missing) > len(mine) or any(key not in mine for key in missing)):
                return False
            for demand in call.plan.demanded if call.demanded else ():
                for key in [*taken, took][demand.stage][demand.number]:
                    if key not in mine and not self._is_free(call, demand, env, key):
                        return False
        return True

    def _is_free(self, call: Call, demand: Demand, env: Env, key: tuple[Any, ...]) -> bool:
        """Whether a record that was found does not demand one of a write under the same binding."""
        row = call.row
        other = row.calls[demand.stage][demand.number].write
        row_variables = call.variables
        known = tuple(call.row_known[row_variables.index(var)] for var in other.arguments)
        test = other.can_be_first(known, (demand.further,), False)
        arguments = [env[row_variables.index(var)] for var in other.arguments]
        return test(self.view.names, (), *arguments, *key)

    def _sure_of(self, call: Call, env: Env) -> dict[Any, None] | None:
        """Return the bindings under which a write is sure to be made, kept as long as only single entities change."""
        sure = call.sure
        if sure is None:
            return None
        view, values = self.view, [env[place] for place in call.places]
        key = (call.write, call.known, *values)
        kept = view.sure.get(key)
        if kept is None or (kept[1][0] < len(view.moved) and call.write.own_sort != view.sort):
            kept = view.sure[key] = dict.fromkeys(sure(view.names, *values)), [len(view.moved)]
        keys, upto = kept
        if upto[0] < len(view.moved):
            test = call.is_sure
            others = list(product(*[self._values(var) for var in call.binders[1:]]))
            for one in dict.fromkeys(view.moved[upto[0] :]):
                for rest in others:
                    binding = (one, *rest) if call.binders else ()
                    if test(view.names, *values, *binding):
                        keys[binding] = None
                    else:
                        keys.pop(binding, None)
            upto[0] = len(view.moved)
        return keys


def learn(variables: Sequence[Var[Any]], env: Env, shown: Any) -> Env | None:
    """Return a row's variables once fields have shown some; None where one has another value already."""
    found = list(env)
    for var, value in shown.items():
        at = variables.index(var)
        if found[at] is UNKNOWN:
            found[at] = value
        elif found[at] != value:
            return None
    return tuple(found)
