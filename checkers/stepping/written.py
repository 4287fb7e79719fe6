"""Runs as they are written down as JSON, read into values and not executed."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from fencepost.checkers.failures import cell_text
from fencepost.checkers.verdicts import ExitCode, Refusal
from fencepost.model.language import Protocol, Row, State, Valuation, Var, World

from .reading import cell_of, value_of

FORMAT = "fencepost run 1"
"""The format that a document with a run names."""


class Differs(Refusal):
    """A run that the tables do not have as it is written: one sentence says in which step, and what differs."""

    def __init__(self, message: str) -> None:
        super().__init__(message, ExitCode.VIOLATED)


def checked(run: object) -> Mapping[str, Any]:
    """Return a document that is a run; raises `Refusal` for any other."""
    if not isinstance(run, Mapping) or run.get("format") != FORMAT:
        raise Refusal(f'this is no run: it does not say "format": "{FORMAT}"; give what `save` wrote')
    missing = [one for one in ("protocol", "bound", "trace") if one not in run]
    if missing:
        raise Refusal(f"this is no run: it has no {missing[0]!r}; give what `save` wrote")
    return run


@dataclass(frozen=True)
class WrittenStep:
    """A step as it is written: its row with the parameters, and the state that the run says after it."""

    row: Row
    binding: Mapping[Var[Any], Any]
    state: Valuation


@dataclass(frozen=True)
class WrittenRun:
    """A run as it is written, whether or not the tables have it: a world, a first state, steps.

    `initial` says that the first state is an initial one, `inside` that the last state is one inside the last row.
    """

    world: World
    initial: bool
    start: Valuation
    steps: tuple[WrittenStep, ...]
    inside: bool


class Reader:
    """Reads the parts of a run's document as values of a protocol; what is read is not executed."""

    def __init__(self, protocol: Protocol, run: Mapping[str, Any]) -> None:
        self.protocol = protocol
        self.trace: Mapping[str, Any] = run["trace"]
        said = self.trace["world"]
        sorts = {name: tuple(_entity(one) for one in values) for name, values in said["entities"].items()}
        self.world = World(sorts, {name: (int(lo), int(hi)) for name, (lo, hi) in said["ranges"].items()})

    def state(self, said: Mapping[str, str]) -> Valuation:
        """Return a state from its cells as text; raises `Refusal` for a cell or a value that there is not."""
        cells = {}
        for name, value in said.items():
            cell = cell_of(name, self.protocol, self.world)
            cells[cell] = value_of(value, cell[0].kind, self.world)
        return Valuation(cells)

    def move(self, number: int, step: Mapping[str, Any]) -> tuple[Row, dict[Var[Any], Any]]:
        """Return the row of a step with its parameters; raises `Differs` where there is no such row."""
        id, said = step["row"], step["binding"]
        row = next((one for one in self.protocol.rows if one.id == id), None)
        if row is None:
            raise Differs(f"{self.protocol.name}: step {number} is by {id}, and there is no such row")
        names = {one.name for one in row.params}
        if names != set(said):
            told = ", ".join(sorted(names ^ set(said)))
            raise Differs(f"{self.protocol.name}: step {number} ({id}) has other parameters than the row: {told}")
        return row, {one: value_of(said[one.name], one.kind, self.world) for one in row.params}

    def whole(self, complete: bool = True) -> WrittenRun:
        """Return the run as it is written.

        Raises `Refusal`, with the step, for a cell or a value that its world does not have and, where the run has to be
        `complete`, for a cell without a value; `Differs` where a row or a parameter is not one of the tables.
        """
        where, steps = "the first state", []
        try:
            start = self._inside(self.state(self.trace["start"]), complete)
            for number, step in enumerate(self.trace["steps"], 1):
                where = f"step {number} ({step['row']})"
                row, binding = self.move(number, step)
                steps.append(WrittenStep(row, binding, self._inside(self.state(step["state"]), complete)))
        except Differs:
            raise
        except Refusal as error:
            raise Refusal(f"{self.protocol.name}: {where}: {error}", error.code) from error
        return WrittenRun(
            self.world, bool(self.trace["initial"]), start, tuple(steps), bool(self.trace["inside_last_row"])
        )

    def _inside(self, state: Valuation, complete: bool) -> Valuation:
        """Return a state that has no cell outside the world and, where it has to be `complete`, a value in every cell
        inside it."""
        cells = {(one, keys) for one in self.protocol.states for keys in keys_of(one, self.world)}
        for cell in state:
            if cell not in cells:
                raise Refusal(f"{cell_text(cell)} is outside the sizes of the run")
        missing = [cell for cell in cells if complete and cell[0].initial is None and cell not in state]
        if missing:
            raise Refusal(f"{min(map(cell_text, missing))} has no value")
        return state


def keys_of(state: State[Any], world: World) -> Iterator[tuple[Any, ...]]:
    """Yield the keys of a variable's cells."""
    yield from itertools.product(*(world.values(kind) for kind in state.keys))


def written(run: Mapping[str, Any], protocol: Protocol, complete: bool = True) -> WrittenRun:
    """Return the run of a document, for a protocol; raises `Refusal` for a document that is no run, and `Differs`.

    A run that an exploration of few properties found has no values of what only the others read; it is refused where
    it has to be `complete`.
    """
    try:
        return Reader(protocol, checked(run)).whole(complete)
    except FAULTS as error:
        raise no_run(error) from error


FAULTS = (KeyError, TypeError, ValueError, AttributeError)
"""Exceptions that reading a document without a run raises."""


def no_run(error: Exception) -> Refusal:
    """Return the refusal of a document that is no run, for what reading it raised."""
    return Refusal(f"this is no run that fencepost wrote ({type(error).__name__}: {error}); write it again")


def _entity(said: str) -> Any:
    return int(said) if re.fullmatch(r"\d+", said) else said
