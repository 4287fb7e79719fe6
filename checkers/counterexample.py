"""Counterexamples: runs of rows that the interpreter has replayed, and their text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypedDict

from fencepost.model.language import (
    Always,
    Bound,
    Evaluation,
    EvaluationError,
    Execution,
    Protocol,
    Row,
    Step,
    Term,
    Valuation,
    Var,
    World,
    WrittenTwice,
    part,
    run,
    satisfying,
)
from fencepost.model.language.interpreter import CellKey
from fencepost.model.language.kinds import IntKind
from fencepost.model.language.nodes import Lit
from fencepost.model.language.render import value_text
from fencepost.model.language.walk import bound as bound_by
from fencepost.model.language.walk import nodes
from fencepost.notebook import escaped, grid, headed

from .document import Document
from .failures import Failure, cell_text, failure_of
from .verdicts import ReplayFailed


@dataclass(frozen=True)
class Middle:
    """A moment inside the last row: the stages before `stage` are done, and of it the updates of `chosen`."""

    stage: int
    chosen: frozenset[tuple[Any, ...]]


class RunWorld(TypedDict):
    """The entities of each sort, and the ends of each counter's range."""

    entities: dict[str, list[str]]
    ranges: dict[str, list[int]]


class RunStep(TypedDict):
    """A row with its parameters, the records that it writes, its answer, and the state behind it."""

    row: str
    event: str
    binding: dict[str, str]
    records: list[list[str]]
    answer: str | None
    state: dict[str, str]


class Run(TypedDict):
    """A run: its world, its first state and its steps; of a state the cells that differ from their initial value."""

    initial: bool
    world: RunWorld
    start: dict[str, str]
    steps: list[RunStep]
    inside_last_row: bool
    failure: Failure | None


@dataclass(frozen=True)
class Trace(Document):
    """A run that was replayed: its first state, its steps, and the moment in the last step where it ends, if inside it.

    `initial` says that the first state is an initial one; a counterexample to induction starts anywhere. `failure` says
    why a property is false where the trace ends, None where the trace is no counterexample to one.
    """

    protocol: Protocol
    world: World
    start: Valuation
    steps: tuple[Execution, ...]
    middle: Middle | None = None
    initial: bool = True
    failure: Failure | None = None

    def __repr__(self) -> str:
        return f"<run of {self.protocol.name}: {' '.join(step.row.id for step in self.steps) or 'no row'}>"

    def _repr_html_(self) -> str:
        lines = []
        for number, step in enumerate(self.steps, 1):
            after = self.end if number == len(self.steps) else step.after
            written = ", ".join(str(record) for group in step.records for record in group)
            answer = "" if step.answer is None else value_text(step.answer)
            changed = "; ".join(changes(step.before, after))
            lines.append(
                (number, step.row.id, step.row.event.name, binding_text(step.binding), written, changed, answer)
            )
        names = ("", "row", "event", "parameters", "writes", "changes", "answers")
        why = [] if self.failure is None else [f"<p>{escaped(line)}</p>" for line in self.failure.lines()]
        return headed(repr(self)[1:-1], f"<p>start: {escaped(_state(self.start))}</p>", grid(names, lines), *why)

    @property
    def end(self) -> Valuation:
        """The last state, in the middle of the last row where the trace ends there."""
        if not self.steps:
            return self.start
        last = self.steps[-1]
        if self.middle is None:
            return last.after
        return part(last.row, last.binding, last.before, self.world, self.middle.stage, self.middle.chosen)

    @property
    def begins(self) -> bool:
        """Whether the first state is one from which the protocol may start, so that the trace is a run of it."""
        if any(state.initial is not None for state, _ in self.start):
            return False
        given = (self.protocol.begin, *(one.term for one in self.protocol.assumptions))
        return all(holds(term, self.start, self.world) for term in given)

    def lines(self, whole: bool = False) -> list[str]:
        """Return the trace as text: the start, then each step's row with its binding, records, answer and changes, then
        why it is one.

        Of a counterexample to induction both states are printed, each as the cells that differ or that the property
        reads; `whole` prints all cells of its start. A counterexample that is printed whole is printed without its
        explanation.
        """
        told = None if whole else self._told_cells()
        if told is None:
            lines = ["start: " + (_state(self.start) or "every variable at its initial value")]
        else:
            lines = ["before: " + cells_text(self.start, told)]
        for number, step in enumerate(self.steps, 1):
            last = number == len(self.steps)
            after = self.end if last else step.after
            lines += step_lines(number, step, after if told is None else None)
            if last and self.middle is not None:
                lines.append("     (in the middle of this row's records)")
        if told is not None:
            lines.append("after:  " + cells_text(self.end, told))
        return [*lines, *(self.failure.lines() if self.failure is not None and not whole else ())]

    def _told_cells(self) -> list[CellKey] | None:
        """The cells that tell a counterexample to induction, None for another trace."""
        if self.initial or self.failure is None:
            return None
        differ = {cell for cell in (*self.start, *self.end) if self.start.read(*cell) != self.end.read(*cell)}
        return sorted(differ | self.failure.cells, key=cell_text)

    def because(self, claim: Always | Step, since: Valuation | None = None) -> Trace:
        """Return the trace with why a property is false at its end: of a step, since a state in its last row."""
        if isinstance(claim, Always) or not self.steps:
            return replace(self, failure=failure_of(claim, self.end, self.world))
        last = self.steps[-1]
        binding = last.binding if claim.by_name else None
        since = last.before if since is None else since
        return replace(self, failure=failure_of(claim, since, self.world, self.end, binding))

    def as_json(self) -> Run:  # type: ignore[override]
        """Return the trace as JSON values."""
        return {
            "initial": self.initial,
            "world": world_json(self.world),
            "start": state_json(self.start),
            "steps": [
                {
                    "row": step.row.id,
                    "event": step.row.event.name,
                    "binding": {v.name: value_text(x) for v, x in step.binding.items()},
                    "records": [[str(r) for r in group] for group in step.records],
                    "answer": None if step.answer is None else value_text(step.answer),
                    "state": state_json(self.end if n == len(self.steps) else step.after),
                }
                for n, step in enumerate(self.steps, 1)
            ],
            "inside_last_row": self.middle is not None,
            "failure": None if self.failure is None else self.failure.as_json(),  # type: ignore[typeddict-item]
        }


def replay(
    protocol: Protocol,
    world: World,
    start: Valuation,
    steps: Sequence[tuple[Row, Mapping[Var[Any], Any]]],
    middle: Middle | None = None,
    initial: bool = True,
) -> Trace:
    """Run the rows from a state with the interpreter; raises `ReplayFailed` where a guard does not hold."""
    state, done = start, []
    for row, binding in steps:
        if not Evaluation(world, state).value(protocol.guard(row), binding):
            raise ReplayFailed(
                f"{protocol.name}: the guard of {row.id} is false under {binding_text(binding)} in {_state(state)}"
            )
        execution = run(row, binding, state, world)
        done.append(execution)
        state = execution.after
    return Trace(protocol, world, start, tuple(done), middle, initial)


def step_lines(number: int, step: Execution, after: Valuation | None) -> list[str]:
    """Return one step as text: its row with its binding, records, what it changed up to `after`, its answer."""
    lines = [f"{number}. {step.row.id} {step.row.event.name}({binding_text(step.binding)})"]
    for group in step.records:
        lines.extend(f"     writes {record}" for record in group)
    if after is not None:
        lines.extend(f"     {change}" for change in changes(step.before, after))
    if step.answer is not None:
        lines.append(f"     answers {value_text(step.answer)}")
    return lines


def twice_in_last_state(trace: Trace, row: Row, binding: Mapping[Var[Any], Any]) -> str:
    """Return which cell a row that would be the next of a run writes twice in one stage, with the values.

    Raises `ReplayFailed` where its guard does not hold there, or the interpreter runs it.
    """
    if holds(trace.protocol.assumed_guard(row), trace.end, trace.world, binding=binding):
        try:
            run(row, binding, trace.end, trace.world)
        except WrittenTwice as error:
            return f"{row.id}({binding_text(binding)}) in the last state: {error}"
    raise ReplayFailed(f"{trace.protocol.name}: the interpreter does not find that {row.id} writes a cell twice")


def holds(
    term: Term[bool],
    state: Valuation,
    world: World,
    after: Valuation | None = None,
    binding: Mapping[Var[Any], Any] | None = None,
) -> bool:
    """Return whether a condition holds in a state, or of a step where `after` is given."""
    return bool(Evaluation(world, state, after=after).value(term, binding or {}))


def decided_by_range(trace: Trace, claim: Always | Step, since: Valuation | None = None) -> bool:
    """Return whether the end of a counter's range alone makes a run break a claim.

    A quantifier, a choice or an `every` over a counter has the numbers of the range at a bound, and all numbers in the
    protocol. So the run is repeated, and the claim asked, with numbers beyond the ranges: where a guard is false then,
    or the claim holds, the bound does not decide. `since` is the state from which the step that breaks it begins, None
    for that in front of the last row.
    """
    terms = [claim.term, *_read_by(trace)]
    wider = _beyond(trace.world, terms)
    if wider is None:
        return False
    try:
        again = _again(trace, wider)
        if not isinstance(claim, Step):
            return holds(claim.term, again.end, wider)
        last = again.steps[-1]
        return holds(claim.term, last.before if since is None else since, wider, again.end, last.binding)
    except ReplayFailed:
        return True
    except (EvaluationError, WrittenTwice):
        return False


def deadlock_decided_by_range(trace: Trace, bound: Bound) -> bool:
    """Return whether the end of a counter's range alone makes a run end where no row is enabled.

    So it is where a guard of the run is false with numbers beyond the ranges, or where a row is enabled in its last
    state with a parameter, or a quantifier, that has one of these.
    """
    protocol, run_reads = trace.protocol, _read_by(trace)
    try:
        for row in (one for one in protocol.rows if one.changes):
            guard = protocol.bounded_guard(row, bound)
            wider = _beyond(trace.world, [guard, *run_reads], row.params)
            if wider is not None:
                end = _again(trace, wider).end
                if next(satisfying(guard, row.params, end, wider), None) is not None:
                    return True
    except ReplayFailed:
        return True
    except (EvaluationError, WrittenTwice):
        pass
    return False


def _read_by(trace: Trace) -> list[Term[Any]]:
    """Return the terms of the rows of a run."""
    return [term for row in {step.row for step in trace.steps} for term in row.terms]


def _again(trace: Trace, world: World) -> Trace:
    """Return a run repeated in another world; raises `ReplayFailed` where a guard is false there."""
    moves = [(step.row, step.binding) for step in trace.steps]
    return replay(trace.protocol, world, trace.start, moves, trace.middle, trace.initial)


def _beyond(world: World, terms: Sequence[Term[Any]], params: Sequence[Var[Any]] = ()) -> World | None:
    """Return a world in which counters that terms, or parameters, range over have numbers beyond their ranges too.

    None where terms and parameters range over none.
    """
    found = list(nodes(*terms))
    variables = [*params, *(var for node in found if (var := bound_by(node)) is not None)]
    counters = {var.kind.name for var in variables if isinstance(var.kind, IntKind)}
    if not counters:
        return None
    reach = sum(abs(node.value) for node in found if isinstance(node, Lit) and type(node.value) is int)
    return World(
        world.entities,
        {
            name: (low, high + (high - low + 1 + reach) * (name in counters))
            for name, (low, high) in world.ranges.items()
        },
    )


RANGE_DECIDES = (
    "only where the range of a counter ends: with numbers beyond it this run does not break it, and nothing is "
    "decided; say up to where a quantifier over the counter goes, or take a larger bound"
)
"""The note on a claim that a run violates for no other reason."""

RANGE_ENDS = (
    "only where the range of a counter ends: with numbers beyond it this run does not end there, and nothing is "
    "decided; take a larger bound, or one that assumes where the event ends"
)
"""The note on a state without an enabled row for no other reason."""


def changed(before: Valuation, after: Valuation) -> dict[CellKey, tuple[Any, Any]]:
    """Return the cells in which two states differ, each with its value in both."""
    both = {cell: (before.read(*cell), after.read(*cell)) for cell in dict.fromkeys((*before, *after))}
    return {cell: ends for cell, ends in both.items() if ends[0] != ends[1]}


def changes(before: Valuation, after: Valuation) -> list[str]:
    """Return what differs between two states, a line a cell."""
    return [change_text(cell, *ends) for cell, ends in changed(before, after).items()]


def change_text(cell: CellKey, old: Any, new: Any) -> str:
    """Return the change of a cell as text."""
    return f"{cell_text(cell)}: {value_text(old)} → {value_text(new)}"


def cells_text(state: Valuation, cells: Iterable[CellKey]) -> str:
    """Return some cells of a state as text, each with its value."""
    return ", ".join(f"{cell_text(cell)}={value_text(state.read(*cell))}" for cell in cells)


def binding_text(binding: Mapping[Var[Any], Any]) -> str:
    """Return a row's parameters as text, each with its value."""
    return ", ".join(f"{var.name}={value_text(value)}" for var, value in binding.items())


def _state(state: Valuation) -> str:
    return cells_text(state, state)


def world_json(world: World) -> RunWorld:
    """Return the values of a world as text."""
    return {
        "entities": {name: [value_text(one) for one in values] for name, values in world.entities.items()},
        "ranges": {name: list(ends) for name, ends in world.ranges.items()},
    }


def state_json(state: Valuation) -> dict[str, str]:
    """Return the cells of a state that differ from their initial value, as text."""
    return {cell_text(cell): value_text(value) for cell, value in state.items()}
