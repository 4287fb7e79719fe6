"""Random walks: runs of a protocol's rows by the interpreter alone, long ones, over sizes that no exploration closes.

A walk looks for the rows that fired least, draws parameters for them, and asks every property along the way. It shows
what it meets and nothing else: a property that no walk breaks is not proved. Nothing is drawn but from the seed.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fencepost.checkers.conjuncts import conjuncts
from fencepost.checkers.counterexample import Middle, Trace, replay, twice_in_last_state
from fencepost.checkers.verdicts import Refusal, ReplayFailed
from fencepost.checkers.written_once import WRITTEN_ONCE
from fencepost.model.language import (
    TRUE,
    Always,
    Bound,
    Evaluation,
    Execution,
    Protocol,
    Row,
    Step,
    Term,
    Valuation,
    Var,
    World,
    WrittenTwice,
    run,
)
from fencepost.model.language.interpreter import CellKey
from fencepost.model.language.kinds import IntKind
from fencepost.model.language.properties import AFTER_EVERY_RECORD
from fencepost.model.language.walk import free, nary

from .conditions import binding_order, instances, solution, speaks_of, stays
from .initial import cells_of
from .moments import Moment, moments
from .traces import Move

TRIES = 4
"""How often parameters of a row are drawn in one state before another row is looked for."""

AGAIN = 0.8
"""How many walks go on from where an earlier one came to something new."""

SETTLED = 3
"""Records that a stage may write in any order before only the states between stages are asked."""


@dataclass(frozen=True)
class Broken:
    """A property that a walk broke, with the shortest run to it that leaving out rows gives.

    A run to a row that writes a cell twice ends in front of the row; `message` names the row, the cell and the values.
    """

    property: str
    trace: Trace
    message: str = ""


@dataclass(frozen=True)
class _Plan:
    """What is drawn for a row: its conditions without parameters, its parameters in order, each with what it
    decides."""

    row: Row
    first: tuple[Term[bool], ...]
    order: tuple[tuple[Var[Any], Term[Any] | None, tuple[Term[bool], ...]], ...]


@dataclass
class Walker:
    """Walks over one protocol at some sizes; `fired` counts the rows over all walks, those without effects too.

    `start` narrows how walks begin and `given` what events may be, as a bound does. What the protocol assumes of states
    and of events holds along every walk.
    """

    protocol: Protocol
    sizes: Mapping[str, int]
    start: Term[bool] = TRUE
    given: Mapping[str, Term[bool]] = field(default_factory=dict)
    fired: Counter[str] = field(default_factory=Counter)
    _fresh: list[tuple[Valuation, Valuation, tuple[Move, ...]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.world = World.of(self.sizes, self.protocol.kinds)
        self._bound = Bound(self.sizes, start=self.start, given=self.given)
        self._plans = tuple(self._plan(row) for row in self.protocol.rows)
        claims = [p for p in self.protocol.properties if isinstance(p, (Always, Step)) and p.expected == "holds"]
        self._states = tuple(p for p in claims if isinstance(p, Always))
        self._steps = tuple(p for p in claims if isinstance(p, Step))
        self._records = any(p.scope == AFTER_EVERY_RECORD for p in claims)

    # -- one walk --------------------------------------------------------------------------------------------------
    def walk(self, seed: int, steps: int) -> Broken | None:
        """Walk so many rows; return the first property that is broken, None where none is.

        It begins at a drawn initial state, or where an earlier walk came to a row that none had fired before.
        """
        draw = random.Random(seed)
        if self._fresh and draw.random() < AGAIN:
            # Of two entries the later one: what was hard to come to is gone on from more often.
            start, state, before = self._fresh[max(draw.randrange(len(self._fresh)) for _ in range(2))]
        else:
            start = state = self._begin(draw)
            before = ()
        done = list(before)
        broken: tuple[str, Middle | None] | str | None = None if before else self._broken_state(state, False)
        for _ in range(steps):
            move = self._next(state, draw) if broken is None else None
            if move is None:
                break
            row, _ = move
            fired = self._fired(move, state)
            self.fired[row.id] += 1
            done.append(move)
            if fired is None:
                broken = WRITTEN_ONCE
                break
            broken = self._broken_step(state, move, fired.after)
            state = fired.after
            if self.fired[row.id] == 1 and row.changes and broken is None:
                self._fresh.append((start, state, tuple(done)))
        return None if broken is None else self._shortest(broken, start, done)

    def _fired(self, move: Move, state: Valuation) -> Execution | None:
        """Return the firing of a row, None where one of its stages writes a cell twice with different values."""
        row, binding = move
        try:
            return run(row, binding, state, self.world)
        except WrittenTwice:
            return None

    def _next(self, state: Valuation, draw: random.Random) -> Move | None:
        """Return a row that is enabled with a binding, those that fired least first."""
        now = Evaluation(self.world, state)
        still: Move | None = None
        for plan in sorted(self._plans, key=lambda one: self.fired[one.row.id] * draw.random() + draw.random()):
            for _ in range(TRIES if plan.order else 1):
                binding = self._binding(plan, now, draw)
                if binding is None:
                    continue
                if not plan.row.changes:
                    if not self.fired[plan.row.id]:
                        return plan.row, binding
                    still = still or (plan.row, binding)
                    break
                fired = self._fired((plan.row, binding), state)
                if fired is None or (stays(fired, self.world) and self._assumed(fired.after)):
                    return plan.row, binding
        return still

    def _binding(self, plan: _Plan, now: Evaluation, draw: random.Random) -> dict[Var[Any], Any] | None:
        """Draw a binding of a row's parameters under which it is enabled; None where the draw ends in none."""
        binding: dict[Var[Any], Any] = {}
        if not all(now.value(one, binding) for one in plan.first):
            return None
        for variable, equal, decided in plan.order:
            values = self._values(variable, equal, binding, now, draw)
            for value in values:
                binding[variable] = value
                if all(now.value(one, binding) for one in decided):
                    break
            else:
                return None
        return binding

    def _values(
        self,
        variable: Var[Any],
        equal: Term[Any] | None,
        binding: dict[Var[Any], Any],
        now: Evaluation,
        draw: random.Random,
    ) -> Sequence[Any]:
        values = self.world.values(variable.kind)
        if equal is not None:
            value = now.value(equal, binding)
            return (value,) if value in values else ()
        return draw.sample(values, min(len(values), 12))

    def _assumed(self, state: Valuation) -> bool:
        here = Evaluation(self.world, state)
        return all(here.value(one.term, {}) for one in self.protocol.assumptions)

    # -- what is asked ---------------------------------------------------------------------------------------------
    def _broken_state(self, state: Valuation, within: bool) -> str | None:
        here = Evaluation(self.world, state)
        for one in self._states:
            if (not within or one.scope == AFTER_EVERY_RECORD) and not here.value(one.term, {}):
                return one.id
        return None

    def _broken_step(self, state: Valuation, move: Move, after: Valuation) -> tuple[str, Middle | None] | str | None:
        row, binding = move
        both = Evaluation(self.world, state, after=after)
        by_record: list[Step] = []
        for one in (p for p in self._steps if p.is_of(row)):
            if one.scope == AFTER_EVERY_RECORD and row.changes:
                by_record.append(one)
            elif not both.value(one.term, binding):
                return one.id
        one_step = all(len(stage.written) <= SETTLED for stage in row.stages)
        for moment in self._moments(row, binding, state):
            one_step = False
            found = self._broken_state(moment.state, True)
            for one in by_record if found is None else ():
                if any(
                    not Evaluation(self.world, earlier, after=moment.state).value(one.term, binding)
                    for earlier in moment.earlier
                ):
                    found = one.id
            if found is not None:
                return found, moment.middle
        for one in by_record if one_step else ():
            if not both.value(one.term, binding):
                return one.id
        return self._broken_state(after, False) if row.changes else None

    def _moments(self, row: Row, binding: Mapping[Var[Any], Any], state: Valuation) -> Iterator[Moment]:
        """Yield the moments of a row; where records may come in very many orders, the rows of which are few."""
        if not self._records or not row.changes:
            return
        if all(len(stage.written) <= SETTLED for stage in row.stages):
            yield from moments(row, binding, state, self.world)

    def broken_along(self, trace: Trace) -> str | None:
        """Return the first property declared to hold that a run of these tables breaks, None where they keep all of
        them.

        What may start anyhow, and the run of a slice does not say, has the first of its values. Raises `ReplayFailed`
        for a run that the tables do not have.
        """
        steps = [(self.protocol.row(one.row.id), one.binding) for one in trace.steps]
        open_ = [c for c in cells_of(self.protocol, self.world) if c[0].initial is None and c not in trace.start]
        drawn = {cell: next(iter(self._drawn(cell, random.Random(0)))) for cell in open_}
        world = self.world if drawn else trace.world
        again = replay(self.protocol, world, trace.start.but(drawn), steps, trace.middle, trace.initial)
        broken: tuple[str, Middle | None] | str | None = self._broken_state(again.start, False)
        for one, move in zip(again.steps, steps, strict=True):
            broken = broken or self._broken_step(one.before, move, one.after)
        return broken if broken is None or isinstance(broken, str) else broken[0]

    def shortest(self, id: str, trace: Trace) -> Trace | None:
        """Return the shortest run that leaving rows out of a run gives, with the property still broken at its end.

        None where the interpreter does not find it broken there: of a row that writes very many records it tries no
        orders. Parameters that a guard decides follow it where rows are left out.
        """
        moves = [(self.protocol.row(one.row.id), one.binding) for one in trace.steps]
        found = self._breaks(id, trace.start, moves)
        return None if found is None else self._shortest(id, trace.start, found[0]).trace

    def in_front_of(self, trace: Trace, move: Move) -> Broken | None:
        """Return the shortest run that leaving rows out gives, in front of a row that writes a cell twice.

        None where the interpreter does not find that the row does so behind the run.
        """
        moves = [*((self.protocol.row(one.row.id), one.binding) for one in trace.steps), move]
        found = self._breaks(WRITTEN_ONCE, trace.start, moves)
        return None if found is None else self._shortest(WRITTEN_ONCE, trace.start, found[0])

    # -- beginning and end -----------------------------------------------------------------------------------------
    def _begin(self, draw: random.Random) -> Valuation:
        """Draw an initial state; raises `Refusal` where none satisfies what is assumed of it."""
        cells = cells_of(self.protocol, self.world)
        assumed = nary("and", (self.protocol.begin, self.start, *(one.term for one in self.protocol.assumptions)))
        waiting = [(speaks_of(one, cells), one) for one in instances(assumed, self.world)]
        known = {i for i, (state, _) in enumerate(cells) if state.initial is not None}
        ready: list[tuple[int | None, list[Term[bool]]]] = [(None, [c for needs, c in waiting if needs <= known])]
        for i, (cell, _) in enumerate(cells):
            if cell.initial is None:
                ready.append((i, [c for needs, c in waiting if i in needs and needs <= known | {i}]))
                known.add(i)

        def extend(at: int, state: Valuation) -> Valuation | None:
            if at == len(ready):
                return state
            cell, conditions = ready[at]
            for value in (None,) if cell is None else self._drawn(cells[cell], draw):
                more = state if cell is None else state.but({cells[cell]: value})
                here = Evaluation(self.world, more)
                if all(here.value(one, {}) for one in conditions):
                    found = extend(at + 1, more)
                    if found is not None:
                        return found
            return None

        found = extend(0, Valuation())
        if found is None:
            raise Refusal(f"{self.protocol.name}: no state satisfies what a walk may begin with; weaken its start")
        return found

    def _drawn(self, cell: CellKey, draw: random.Random) -> Sequence[Any]:
        """Return the values of a cell in a drawn order; of a counter often the greatest, which is the newest, first."""
        values = list(self.world.values(cell[0].kind))
        draw.shuffle(values)
        if isinstance(cell[0].kind, IntKind) and draw.random() < 0.7:
            values.sort(reverse=True)
        return values

    def _shortest(self, broken: tuple[str, Middle | None] | str, start: Valuation, done: list[Move]) -> Broken:
        """Leave rows out of a run for as long as the property stays broken at its end."""
        id = broken if isinstance(broken, str) else broken[0]
        size = max(1, len(done) // 2)
        while size:
            at = 0
            while at < len(done):
                found = self._breaks(id, start, done[:at] + done[at + size :])
                if found is not None:
                    done = found[0]
                else:
                    at += size
            size //= 2
        found = self._breaks(id, start, done)
        if found is None:
            raise ReplayFailed(f"{self.protocol.name}: the run that broke {id} does not break it when it is repeated")
        if id == WRITTEN_ONCE:
            *moves, last = found[0]
            trace = replay(self.protocol, self.world, start, moves)
            return Broken(id, trace, twice_in_last_state(trace, *last))
        return Broken(id, replay(self.protocol, self.world, start, *found))

    def _breaks(self, id: str, start: Valuation, moves: list[Move]) -> tuple[list[Move], Middle | None] | None:
        """Return the run up to where it breaks a property, and inside which moment of the last row; None for one that
        does not.

        Where a row is not enabled any more, the parameters that its guard makes equal to something follow it: offsets
        and epochs are others after fewer rows.
        """
        state, done = start, list[Move]()
        if self._broken_state(state, False) == id:
            return done, None
        for move in moves:
            now = Evaluation(self.world, state)
            enabled = next((one for one in (move, self._followed(move, now)) if self._enabled(one, now)), None)
            if enabled is None:
                return None
            fired = self._fired(enabled, state)
            done.append(enabled)
            if fired is None:
                return (done, None) if id == WRITTEN_ONCE else None
            after = fired.after
            if not stays(fired, self.world):
                return None
            broken = self._broken_step(state, enabled, after)
            if broken is not None:
                name, middle = (broken, None) if isinstance(broken, str) else broken
                return (done, middle) if name == id else None
            state = after
        return None

    def _enabled(self, move: Move, now: Evaluation) -> bool:
        row, binding = move
        return bool(now.value(self.protocol.bounded_guard(row, self._bound), binding))

    def _followed(self, move: Move, now: Evaluation) -> Move:
        """Return a row with the parameters that its guard decides as it decides them now, and the others as before."""
        row, binding = move
        followed = dict[Var[Any], Any]()
        for variable, equal, _ in next(plan for plan in self._plans if plan.row is row).order:
            followed[variable] = binding[variable] if equal is None else now.value(equal, followed)
        return row, followed

    def _plan(self, row: Row) -> _Plan:
        """Return in which order a row's parameters are drawn, and which conditions each of them decides."""
        waiting = list(conjuncts(self.protocol.bounded_guard(row, self._bound)))
        first = tuple(one for one in waiting if not free(one))
        waiting = [one for one in waiting if free(one)]
        known: frozenset[Var[Any]] = frozenset()
        order: list[tuple[Var[Any], Term[Any] | None, tuple[Term[bool], ...]]] = []
        for variable in binding_order(row.params, tuple(waiting), self.world):
            equal = next((e for c in waiting if (e := solution(c, variable, known)) is not None), None)
            known |= {variable}
            decided = tuple(one for one in waiting if free(one) <= known)
            waiting = [one for one in waiting if one not in decided]
            order.append((variable, equal, decided))
        return _Plan(row, first, tuple(order))
