"""Counterexamples: runs of rows that the interpreter has replayed, and how they are told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fencepost.model.language import Evaluation, Execution, Protocol, Row, Term, Valuation, Var, World, part, run
from fencepost.model.language.render import value_text

from .verdicts import ReplayFailed


@dataclass(frozen=True)
class Middle:
    """A moment inside the last row: the stages before `stage` are done, and of it the updates of `chosen`."""

    stage: int
    chosen: frozenset[tuple[Any, ...]]


@dataclass(frozen=True)
class Trace:
    """A run that was replayed: its first state, its steps, and the moment in the last step where it ends, if inside it.

    `initial` says that the first state is an initial one; a counterexample to induction starts anywhere.
    """

    protocol: Protocol
    world: World
    start: Valuation
    steps: tuple[Execution, ...]
    middle: Middle | None = None
    initial: bool = True

    @property
    def end(self) -> Valuation:
        """The last state, in the middle of the last row where the trace ends there."""
        if not self.steps:
            return self.start
        last = self.steps[-1]
        if self.middle is None:
            return last.after
        return part(last.row, last.binding, last.before, self.world, self.middle.stage, self.middle.chosen)

    def lines(self) -> list[str]:
        """Return the trace as text: the start, then each step's row with its binding, records, answer and changes."""
        lines = ["start: " + (_state(self.start) or "every variable at its initial value")]
        for number, step in enumerate(self.steps, 1):
            last = number == len(self.steps)
            after = self.end if last else step.after
            lines.append(f"{number}. {step.row.id} {step.row.event.name}({_binding(step.binding)})")
            for group in step.records:
                lines.extend(f"     writes {record}" for record in group)
            lines.extend(f"     {change}" for change in changes(step.before, after))
            if step.answer is not None:
                lines.append(f"     answers {value_text(step.answer)}")
            if last and self.middle is not None:
                lines.append("     (in the middle of this row's records)")
        return lines

    def as_json(self) -> dict[str, Any]:
        """Return the trace as JSON values."""
        return {
            "initial": self.initial,
            "start": _state_json(self.start),
            "steps": [
                {
                    "row": step.row.id,
                    "event": step.row.event.name,
                    "binding": {v.name: value_text(x) for v, x in step.binding.items()},
                    "records": [[str(r) for r in group] for group in step.records],
                    "answer": None if step.answer is None else value_text(step.answer),
                    "state": _state_json(self.end if n == len(self.steps) else step.after),
                }
                for n, step in enumerate(self.steps, 1)
            ],
            "inside_last_row": self.middle is not None,
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
                f"{protocol.name}: the guard of {row.id} is false under {_binding(binding)} in {_state(state)}"
            )
        execution = run(row, binding, state, world)
        done.append(execution)
        state = execution.after
    return Trace(protocol, world, start, tuple(done), middle, initial)


def holds(
    term: Term[bool],
    state: Valuation,
    world: World,
    after: Valuation | None = None,
    binding: Mapping[Var[Any], Any] | None = None,
) -> bool:
    """Return whether a condition holds in a state, or of a step where `after` is given."""
    return bool(Evaluation(world, state, after=after).value(term, binding or {}))


def changes(before: Valuation, after: Valuation) -> list[str]:
    """Return what differs between two states, a line a cell."""
    cells = dict.fromkeys((*before, *after))
    lines = []
    for state, keys in cells:
        old, new = before.read(state, keys), after.read(state, keys)
        if old != new:
            lines.append(f"{_cell(state.name, keys)}: {value_text(old)} → {value_text(new)}")
    return lines


def _cell(name: str, keys: tuple[Any, ...]) -> str:
    return name + (f"[{', '.join(value_text(k) for k in keys)}]" if keys else "")


def _binding(binding: Mapping[Var[Any], Any]) -> str:
    return ", ".join(f"{var.name}={value_text(value)}" for var, value in binding.items())


def _state(state: Valuation) -> str:
    return ", ".join(f"{_cell(s.name, keys)}={value_text(value)}" for (s, keys), value in state.items())


def _state_json(state: Valuation) -> dict[str, str]:
    return {_cell(s.name, keys): value_text(value) for (s, keys), value in state.items()}
