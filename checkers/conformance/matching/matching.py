"""Whether a row writes exactly the records at a place in a log, and under which parameters."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final, NamedTuple

from fencepost.checkers.conformance.classes.changes import Change
from fencepost.checkers.conformance.classes.frames import UNKNOWN, Env, values
from fencepost.checkers.conformance.evaluation.indexes import in_order
from fencepost.checkers.conformance.plans.plans import CluePlan, Conjunct, Plans, RowPlan, WritePlan
from fencepost.checkers.conformance.records.wire import BoundRecord, said_by
from fencepost.checkers.conformance.state.replay import HardState
from fencepost.model.language import Row, Var
from fencepost.model.language.kinds import OptionKind

from .attempts import Attempt, cells_read
from .placing import END, Placing
from .unit_records import Records, after, type_at

MOST_BINDINGS = 20_000
"""The number of bindings of one row that are tried at one place before the log is called undecided there."""

MOST_SOLUTIONS = 8
"""The number of bindings of one row that are kept for one span; more add no row that explains it."""

MOST_WORK = 1_000_000
"""How many records are held against rows in a unit, each by itself, before it is left unparsed: a minute or two."""


NO_BINDING: Final[Env] = {}


class TooMuchWork(Exception):
    """A unit asks more of the matcher than `MOST_WORK`."""


class Edge(NamedTuple):
    """Records [start, end) of a unit explained by a row under a binding; `row` is None for records that no row is
    about.

    `unjudged` names the fields whose predicted value the log does not determine. One that `is_further` is a part of the
    request whose first part is in front of it.
    """

    start: int
    end: int
    row: Row | None
    binding: Env = NO_BINDING
    unjudged: tuple[str, ...] = ()
    is_further: bool = False


class Matcher:
    """Finds the rows that explain records in the present state of a log.

    `forgiven` are records (by offset) that have been reported: they may be what a row says of the same entity, whatever
    their fields, and nothing is missing in front of them. `shorter` also accepts groups that leave out what may belong
    to them; `could_be_shorter` says whether there were any. `attempts`, where not None, collects what stopped each
    row; `furthest` is the last record at which one stopped, `longest` that at which the longest readings of a unit did.
    `work` is what was done for the unit so far: beyond `MOST_WORK` it raises `TooMuchWork` where it `is_bounded`;
    otherwise all is evaluated however long it takes.
    """

    def __init__(self, state: HardState, plans: Plans) -> None:
        self.state, self.plans = state, plans
        self.work, self.is_bounded = 0, False
        self.forgiven: set[int] = set()
        self.shorter = False
        self.attempts: list[Attempt] | None = None
        self.furthest = self.longest = 0
        self.exhausted: set[int] = set()
        self._tried = 0
        self._placed: list[tuple[int, BoundRecord]] = []
        self.whole = True
        self.could_be_shorter = False

    def edges(self, records: Sequence[BoundRecord], start: int, events: frozenset[str] | None = None) -> list[Edge]:
        """Return the edges from a place: every row and binding whose records are those that follow.

        With `events` only rows of these are evaluated.
        """
        return [edge for plan in self.first_of(records, start, events) for edge in self.edges_of(plan, records, start)]

    def changes(self, record: BoundRecord) -> tuple[Change, ...]:
        """Return what replaying a record changes in the present state."""
        return self.state.changes(record)

    def placing(self, plan: RowPlan, records: Records, start: int, env: Env) -> Placing:
        """Return a row under a binding, to be compared with the records from a place on."""
        return Placing(self, plan, records, start, env)

    def does(self, work: int) -> None:
        """Count what is done for a unit; raises `TooMuchWork` where that is more than is to be done."""
        self.work += work
        if self.work > MOST_WORK and self.is_bounded:
            raise TooMuchWork

    def edges_of(self, plan: RowPlan, records: Records, start: int) -> list[Edge]:
        """Return the edges of a row from a place, so many at most for each end."""
        found: list[Edge] = []
        solutions: dict[int, int] = {}
        for edge in self.spans(plan, records, start):
            if self.attempts is None and not self.is_late_allowed(plan, edge.binding):
                continue
            if solutions.get(edge.end, 0) < MOST_SOLUTIONS:
                solutions[edge.end] = solutions.get(edge.end, 0) + 1
                found.append(edge)
        return found

    def first_of(self, records: Records, start: int, events: frozenset[str] | None) -> Iterator[RowPlan]:
        """Yield the rows that the record can be the first one of."""
        for plan in self.plans.by_first.get(records[start].record, ()):
            if events is None or plan.row.event.name in events:
                yield plan

    def spans(self, plan: RowPlan, records: Records, start: int) -> list[Edge]:
        """Return the edges of a row from a place, without the parts of its guard about all entities."""
        found: list[Edge] = []
        self._tried = 0
        for env in self._bindings(plan, records, start):
            self._tried += 1
            if self._tried > MOST_BINDINGS:
                self.exhausted.add(records[start].wire.offset)
                break
            for end, unjudged, learned in self.placing(plan, records, start, env).ends():
                found.append(Edge(start, end, plan.row, learned, unjudged))
        return found

    def parts(self, records: Sequence[BoundRecord], start: int, events: frozenset[str], state: HardState) -> list[Edge]:
        """Return the edges from a place by rows of some events, asked in an earlier state."""
        present, self.state = self.state, state
        try:
            return [edge._replace(is_further=True) for edge in self.edges(records, start, events)]
        finally:
            self.state = present

    # -- parameters ------------------------------------------------------------------------------------------------
    def _bindings(self, plan: RowPlan, records: Records, start: int) -> Iterator[Env]:
        """Yield the parameters that the records allow: read from them, solved from equations, from clues, or tried."""
        env = self._read(plan, records, start)
        if env is None:
            return
        if not self._solve(plan, env, start) or not self.allowed(plan, env, start, None):
            return
        if not all(self.allowed(plan, env, start, var) for var in self._remembered(plan, env)):
            return
        # What the row writes first gives most away; a later record of it does where its place is certain.
        yield from self._clued(plan, env, ((start, records[start]), *self._placed), start, 0)

    def _clued(
        self, plan: RowPlan, env: Env, shown: Sequence[tuple[int, BoundRecord]], start: int, index: int
    ) -> Iterator[Env]:
        if index == len(plan.clues):
            yield from self._split(plan, env, start, 0, shown[0][1])
            return
        clue = plan.clues[index]
        found: list[Any] = []
        at = start
        for place, record in () if clue.var in env else shown:
            if not found:
                found, at = self.candidates(clue, env, record), place
        if not found:
            yield from self._clued(plan, env, shown, start, index + 1)
            return
        for value in found:
            further = {**env, clue.var: value}
            if self._solve(plan, further, start) and self.allowed(plan, further, start, clue.var, at):
                yield from self._clued(plan, further, shown, start, index + 1)

    def candidates(self, clue: CluePlan, env: Env, record: BoundRecord) -> list[Any]:
        """Return the values that a clue gives for its variable where it is about a record.

        A candidate that is none is no value of a variable that is no option.
        """
        said = {**env, **said_by(record)}
        found: list[Any] = []
        for code in clue.candidates:
            value = code(self.state.frame, said)
            if value is None and not isinstance(clue.var.kind, OptionKind):
                continue
            if value is not UNKNOWN and value not in found:
                found.append(value)
        return found

    def _split(self, plan: RowPlan, env: Env, start: int, index: int, first: BoundRecord) -> Iterator[Env]:
        while index < len(plan.split) and plan.split[index] in env:
            index += 1
        if index == len(plan.split):
            yield env
            return
        var = plan.split[index]
        for value in self._tried_of(plan, var, env, first):
            further = {**env, var: value}
            if self._solve(plan, further, start) and self.allowed(plan, further, start, var):
                yield from self._split(plan, further, start, index + 1, first)

    def _tried_of(self, plan: RowPlan, var: Var[Any], env: Env, first: BoundRecord) -> Collection[Any]:
        """Return the values to try for a variable: only those that the row's first record shows, where these are few.

        All are tried where `attempts` collects what stopped the row, and where that record may have any content.
        """
        every = values(self.state.frame, var.kind) or (UNKNOWN,)
        writes = plan.first.get(first.record, ())
        if not writes or len(every) < 2 or self.forgiven or self.attempts is not None:
            return every
        found: set[Any] = set()
        for write, selects in writes:
            told = {one: first.values[name] for name, one in write.of_binders if name in first.values}
            some = selects[var](self.state.frame, {**env, **told}) if var in selects else None
            if some is None:
                return every
            found.update(some)
        return in_order(self.state.frame, var, found) or ()

    def _read(self, plan: RowPlan, records: Records, start: int) -> Env | None:
        """Read parameters off the records whose place in the row is certain; None where such a record is not there."""
        env: Env = {}
        at, exact = start, True
        self.whole = True
        self._placed = []
        passed: set[Any] = set()
        for number, stage in enumerate(plan.stages):
            if not stage.certain:
                if number == 0 and plan.opens_with(records[start].record):
                    unify(stage.writes[0], records[start], env, set(stage.writes[0].binders))
                passed |= stage.records
                exact = False
                continue
            write = stage.writes[0]
            if not exact:
                if write.record in passed:
                    return env
                at = after(records, at, passed)
            if at >= len(records) or type_at(records, at) is not write.record:
                self.whole = False
                return None if self.attempts is None else env
            if not unify(write, records[at], env, set()) and self.attempts is None and not self._forgives(records, at):
                return None
            if not self._forgives(records, at):
                self._placed.append((at, records[at]))
            at, exact, passed = at + 1, True, set()
        return env

    def _remembered(self, plan: RowPlan, env: Env) -> list[Var[Any]]:
        """Bind the cells that no log shows where an earlier record shows them, and return their variables."""
        found = []
        for var, get in plan.cells.items():
            number = self.state.layout.left.get(get.state)
            if number is not None and get.keys[0] in env and var not in env:
                value = self.state.read((number, (env[get.keys[0]],)))
                if value is not UNKNOWN:
                    env[var] = value
                    found.append(var)
        return found

    def _forgives(self, records: Records, at: int) -> bool:
        return at < len(records) and self.forgives(records, at)

    def forgives(self, records: Records, at: int) -> bool:
        """Whether the record at an index has been reported; behind the last record, whether one is missing there."""
        return bool(self.forgiven) and (records[at].wire.offset if at < len(records) else END) in self.forgiven

    def _solve(self, plan: RowPlan, env: Env, start: int) -> bool:
        """Bind parameters that the guard equates with what is known; False where it equates one with nothing."""
        again = True
        while again:
            again = False
            for conjunct in plan.conjuncts:
                for var, code in conjunct.solves:
                    if var in env:
                        continue
                    value = code(self.state.frame, env)
                    if value is None and not isinstance(var.kind, OptionKind):
                        self._refused(plan, conjunct, env, start, read=True)
                        return False
                    if value is not UNKNOWN:
                        env[var] = value
                        again = True
        return True

    def allowed(self, plan: RowPlan, env: Env, start: int, var: Var[Any] | None, at: int | None = None) -> bool:
        """Whether no part of the guard is false; with a variable, only the parts with it are evaluated.

        `at` is the record that shows the variable, where that is a later one than the first.
        """
        for conjunct in plan.conjuncts:
            # The part about all entities is evaluated once the records fit, or where `attempts` collects reasons.
            if conjunct.late and self.attempts is None:
                continue
            if (var is None or var in conjunct.params) and conjunct.code(self.state.frame, env) is False:
                self._refused(plan, conjunct, env, start, read=var is None, at=at)
                return False
        return True

    def is_late_allowed(self, plan: RowPlan, env: Env) -> bool:
        """Whether no part of the guard about all entities is false; evaluated once for all spans of one binding."""
        if not plan.late:
            return True
        frame = self.state.frame
        key = ("late", id(plan), *env, *env.values())
        found: bool | None = frame.memo.get(key)
        if found is None:
            self.does(self.work_of_all())
            found = frame.memo[key] = not any(one.late and one.denied(frame, env) for one in plan.conjuncts)
        return found

    def work_of_all(self) -> int:
        """Return what it costs to ask something of all entities."""
        return 1

    def _refused(
        self, plan: RowPlan, conjunct: Conjunct, env: Env, start: int, read: bool, at: int | None = None
    ) -> None:
        at = start if at is None else at
        self.furthest = max(self.furthest, at)
        if self.attempts is not None:
            detail = cells_read(conjunct.term, env, self.state)
            attempt = Attempt(plan.row, start, at, "guard", conjunct.term, detail=detail, agreeing=int(read))
            attempt.whole = self.whole
            self.attempts.append(attempt)


def unify(write: WritePlan, record: BoundRecord, env: Env, not_these: set[Var[Any]]) -> bool:
    """Bind the variables that a write gives as fields to what the record says; False where two fields disagree."""
    for plan in write.fields:
        var = plan.var
        if var is None or plan.field.name not in record.values or var in not_these or var in write.hidden:
            continue
        value = record.values[plan.field.name]
        if value is UNKNOWN:
            continue
        if env.setdefault(var, value) != value:
            return False
    return True
