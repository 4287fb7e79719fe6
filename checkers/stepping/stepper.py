"""A walk by hand at a bound: a state, the rows enabled there with what they would change, and why another is not."""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from fencepost.checkers.conjuncts import conjuncts
from fencepost.checkers.counterexample import Trace, binding_text, holds, replay
from fencepost.checkers.exploration.columns import condition_function
from fencepost.checkers.exploration.conditions import binding_order, stays
from fencepost.checkers.exploration.engine import bound_of
from fencepost.checkers.exploration.initial import initial_rows
from fencepost.checkers.exploration.layout import Layout, Numbers
from fencepost.checkers.exploration.moments import shown_here
from fencepost.checkers.exploration.reaching import Reached, reach
from fencepost.checkers.failures import Failure, failure_of
from fencepost.checkers.verdicts import Refusal
from fencepost.model.language import (
    AT_RESULT_BOUNDARIES,
    Always,
    Bound,
    Evaluation,
    EvaluationError,
    Execution,
    LeadsTo,
    Property,
    Protocol,
    Row,
    Sometimes,
    Term,
    Valuation,
    Var,
    World,
    WrittenTwice,
    run,
    satisfying,
)
from fencepost.model.language.errors import Place
from fencepost.model.language.fairness import instances

Binding = Mapping[Var[Any], Any]

TRIED = 20_000
"""Bindings of a row that are asked why it is not enabled."""


@dataclass(frozen=True)
class Enabled:
    """A row that is enabled in a state, under a binding; `after` is None where no state of the bound is behind it.

    Then `why` says whether the row would leave a range of the bound, or writes a cell twice in one stage.
    """

    row: Row
    binding: Binding
    after: Valuation | None
    why: str = ""

    def text(self) -> str:
        """Return the row with its parameters."""
        return f"{self.row.id} {self.row.event.name}({binding_text(self.binding)})"


@dataclass(frozen=True)
class Unmet:
    """Why a row is not enabled under a binding: the first conjunct of its guard that is false, with what it reads.

    `false` counts the conjuncts that are, of `all`, and `first` is the place of the first of them.
    """

    binding: Binding
    conjunct: str
    entities: tuple[tuple[str, str], ...]
    values: tuple[tuple[str, str], ...]
    first: int
    false: int
    all: int

    def text(self) -> str:
        """Return the conjunct with the values of what it reads."""
        for_whom = f" for {', '.join(f'{n}={v}' for n, v in self.entities)}" if self.entities else ""
        values = f", where {', '.join(f'{n} = {v}' for n, v in self.values)}" if self.values else ""
        return f"{self.conjunct} is false{for_whom}{values}"


@dataclass(frozen=True)
class Shown:
    """A property in a state: the word for what the state, or the row that led to it, shows of it, and why it is
    false."""

    property: Property
    word: str
    failure: Failure | None = None


def why_not(id: str, guard: Term[bool], state: Valuation, world: World, binding: Binding) -> Unmet | None:
    """Return why a guard is false under a binding; None where it holds."""
    evaluation = Evaluation(world, state)
    parts = conjuncts(guard)
    false = [at for at, part in enumerate(parts) if not _true(evaluation, part, binding)]
    if not false:
        return None
    claim = Always(id, parts[false[0]], AT_RESULT_BOUNDARIES, "", "", "holds", "", False, Place("", 0))
    failure = failure_of(claim, state, world, binding=binding)
    if failure is None:
        return Unmet(binding, str(parts[false[0]]), (), (), false[0], len(false), len(parts))
    return Unmet(binding, failure.conjunct, failure.entities, failure.values, false[0], len(false), len(parts))


def _true(evaluation: Evaluation, part: Term[bool], binding: Binding) -> bool:
    """Return whether a conjunct holds; one that speaks of a cell without a value does not."""
    try:
        return bool(evaluation.value(part, binding))
    except EvaluationError:
        return False


class Stepper:
    """A run that is made row by row at a bound of a protocol, and can be gone back."""

    def __init__(self, protocol: Protocol, bound: str, sizes: Mapping[str, int] | None = None) -> None:
        self.protocol = protocol
        self.bound: Bound
        self.bound_name, self.bound = bound_of(protocol, bound, sizes)
        self.layout = Layout(protocol, self.bound.sizes)
        self.world = self.layout.world
        self.rows = {row.id: row for row in protocol.rows}
        self.guards = {id: protocol.bounded_guard(row, self.bound) for id, row in self.rows.items()}
        self.orders = {
            id: binding_order(row.params, conjuncts(self.guards[id]), self.world) for id, row in self.rows.items()
        }
        self.start = self.first(0)
        self.steps: list[Execution] = []

    # -- where a run begins ----------------------------------------------------------------------------------------
    @cached_property
    def _initial(self) -> Numbers:
        return initial_rows(self.protocol, self.bound, self.layout)

    @property
    def starts(self) -> int:
        """How many initial states there are."""
        return len(self._initial)

    def first(self, number: int) -> Valuation:
        """Return an initial state by its place, counted from 0; raises `Refusal` where there is none."""
        if not 0 <= number < self.starts:
            raise Refusal(f"there is no first state {number + 1}; there are {self.starts:,}")
        return self.layout.valuation(self._initial[number])

    def starting(self, goal: Term[bool]) -> list[int]:
        """Return the places of the initial states that satisfy a condition."""
        columns = np.ascontiguousarray(self._initial.T)
        found: Any = condition_function(self.layout, goal)(columns)
        return [int(at) for at in np.flatnonzero(np.broadcast_to(found, (self.starts,)))]

    def begin(self, number: int) -> None:
        """Begin again at an initial state."""
        self.start, self.steps = self.first(number), []

    # -- the run ---------------------------------------------------------------------------------------------------
    @property
    def state(self) -> Valuation:
        """The state where the run is."""
        return self.steps[-1].after if self.steps else self.start

    @property
    def trace(self) -> Trace:
        """The run, replayed by the interpreter from its first state."""
        moves = [(step.row, step.binding) for step in self.steps]
        return replay(self.protocol, self.world, self.start, moves)

    def enabled(self, row: Row) -> Iterator[Enabled]:
        """Yield the bindings under which a row is enabled here, each with the state after it."""
        for found in satisfying(self.guards[row.id], self.orders[row.id], self.state, self.world):
            binding = {variable: found[variable] for variable in row.params}
            try:
                fired = run(row, binding, self.state, self.world)
            except WrittenTwice as error:
                yield Enabled(row, binding, None, f"has no meaning here: {error}")
                continue
            left = not stays(fired, self.world)
            why = "would leave a range of the bound" if left else ""
            yield Enabled(row, binding, None if left else fired.after, why)

    def moves(self) -> Iterator[Enabled]:
        """Yield the rows with effects that are enabled here, in the order of the tables."""
        for row in self.protocol.rows:
            if row.changes:
                yield from self.enabled(row)

    def still(self) -> list[str]:
        """Return the ids of the rows without effects that are enabled here."""
        return [row.id for row in self.protocol.rows if not row.changes and next(self.enabled(row), None) is not None]

    def take(self, move: Enabled) -> Execution:
        """Go on by a row; raises `Refusal` where the bound has no state after it."""
        if move.after is None:
            raise Refusal(f"{move.text()} {move.why}; take another row, or a larger size by --set")
        step = replay(self.protocol, self.world, self.state, [(move.row, move.binding)]).steps[0]
        self.steps.append(step)
        return step

    def back(self, steps: int = 1) -> None:
        """Go back by so many rows; raises `Refusal` where there are not so many."""
        if steps > len(self.steps):
            raise Refusal(f"there are only {len(self.steps)} steps to go back" if self.steps else "this is the start")
        del self.steps[len(self.steps) - steps :]

    def until(self, goal: Term[bool], max_states: int | None = None) -> Reached:
        """Go on along a shortest run to a state that satisfies a condition; stay where none is found."""
        found = reach(self.protocol, self.bound, self.layout, self.state, goal, max_states)
        for step in found.trace.steps if found.trace is not None else ():
            self.take(Enabled(step.row, step.binding, step.after))
        return found

    # -- what there is to say of a state ---------------------------------------------------------------------------
    def row(self, id: str) -> Row:
        """Return a row by its id; raises `Refusal` for one that there is not."""
        if id not in self.rows:
            close = difflib.get_close_matches(id, list(self.rows), 3)
            hint = f"did you mean {', '.join(close)}?" if close else f"there are {', '.join(self.rows)}"
            raise Refusal(f"{self.protocol.name}: has no row {id!r} at this bound; {hint}")
        return self.rows[id]

    def bindings(self, row: Row, given: Binding) -> Iterator[dict[Var[Any], Any]]:
        """Yield the bindings of a row's parameters with some of them given."""
        values = [(given[v],) if v in given else self.world.values(v.kind) for v in row.params]
        for chosen in itertools.product(*values):
            yield dict(zip(row.params, chosen, strict=True))

    def why(self, row: Row, given: Binding) -> tuple[list[Enabled], list[Unmet], bool]:
        """Return the bindings under which a row is enabled, why it is not under the others, and whether all were asked.

        The nearest come first: those with the fewest false conjuncts, then those whose first false one is last.
        """
        here = [one for one in self.enabled(row) if all(one.binding[v] == value for v, value in given.items())]
        unmet = []
        asked = list(itertools.islice(self.bindings(row, given), TRIED + 1))
        for binding in asked[:TRIED]:
            found = why_not(row.id, self.guards[row.id], self.state, self.world, binding)
            if found is not None:
                unmet.append(found)
        unmet.sort(key=lambda one: (one.false, -one.first))
        return here, unmet, len(asked) <= TRIED

    def shown(self) -> list[Shown]:
        """Return what this state, and the row that led here, show of each property."""
        last = self.steps[-1] if self.steps else None
        found = shown_here(self.protocol, self.world, self.state, last)
        return [self._shown(one, found, last) for one in self.protocol.properties]

    def _shown(self, one: Property, found: Mapping[str, Any], last: Execution | None) -> Shown:
        if isinstance(one, LeadsTo):
            pending = any(
                holds(claim.trigger, self.state, self.world) and not holds(claim.goal, self.state, self.world)
                for claim, _ in instances(one, self.world)
            )
            return Shown(one, "awaited" if pending else "nothing awaited")
        if isinstance(one, Sometimes):
            return Shown(one, "witnessed" if one.id in found else "not witnessed")
        if one.id in found:
            trace = self.trace
            middle = found[one.id]
            if middle is not None:
                moves = [(step.row, step.binding) for step in self.steps]
                trace = replay(self.protocol, self.world, self.start, moves, middle)
            return Shown(one, "violated", trace.because(one).failure)
        if isinstance(one, Always):
            return Shown(one, "holds")
        if last is None or not one.is_of(last.row):
            return Shown(one, "not asked")
        return Shown(one, "holds")
