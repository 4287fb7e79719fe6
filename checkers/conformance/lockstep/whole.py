"""Rows run whole: a protocol's state of which every cell is known, its rows as compiled functions, one step at a time.

What `compiled` does for a controller whose log says the hard state, this does where steps are told in full.
Every value is read in the state before the row; the interpreter is its judge in the tests.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from fencepost.model.language import Event, Protocol, Row, State, Var
from fencepost.model.language.interpreter import CellKey, EvaluationError
from fencepost.model.language.kinds import EntityKind, IntKind, Kind
from fencepost.model.language.terms import Lit, Named, Term

from .cells import MISSING, Cells, Change, applied
from .changes import changes
from .printing import Function, Printer
from .transitions import Run, transition


@dataclass(frozen=True, slots=True)
class _Whole:
    row: Row
    when: Function
    stages: tuple[Function, ...]
    say: Function | None


@dataclass(frozen=True, slots=True)
class _Run:
    """The rows of one event in one table."""

    given: Function
    rows: tuple[_Whole, ...]


class Ran(NamedTuple):
    """What a row makes of a state: its answer, and the cells that it changes, in order, each with its new value."""

    row: Row
    answer: Any
    changes: tuple[Change, ...]


class WholeRows:
    """A protocol with a state: `apply` runs a row of an event, `read` and `put` look at cells and set them.

    `begins` has what cells begin with whose state declares nothing; `listed` are counters of which just the numbers
    matter that were met, as if they were entities.
    """

    def __init__(
        self,
        protocol: Protocol,
        begins: Mapping[State[Any], Any] | None = None,
        listed: frozenset[str] = frozenset(),
    ) -> None:
        self.protocol = protocol
        self.states: tuple[State[Any], ...] = protocol.states
        self.numbers = {state: number for number, state in enumerate(self.states)}
        said = begins or {}
        initial = [s.initial.value if isinstance(s.initial, Lit) else said.get(s, MISSING) for s in self.states]
        self.initial: tuple[Any, ...] = tuple(initial)
        self.printer = Printer(self.numbers, self.initial, listed)
        self.events: dict[str, Event] = {event.name: event for event in protocol.events}
        self.domains: dict[str, dict[Any, None]] = {name: {} for name in (*(k.name for k in protocol.sorts), *listed)}
        self.cells = Cells([{} for _ in self.states], self.domains)
        self._runs: dict[str, tuple[tuple[str, ...], tuple[_Run, ...]]] = {}
        self.transitions = _Transitions(self)

    # -- cells -----------------------------------------------------------------------------------------------------
    def meet(self, kind: Kind[Any], value: Any) -> None:
        """Add an entity to those that there are, or a number to those of a listed counter."""
        assert isinstance(kind, (EntityKind, IntKind))
        if value not in self.domains[kind.name]:
            self.domains[kind.name][value] = None
            self.cells.memo.clear()

    def read(self, state: State[Any], *keys: Any) -> Any:
        """Return a cell's value; raises `EvaluationError` for one that has none."""
        key = keys[0] if len(keys) == 1 else keys
        number = self.numbers[state]
        found = self.cells.tables[number].get(key, self.initial[number])
        if found is MISSING:
            raise EvaluationError(f"{state.name}{list(keys)} has no value")
        return found

    def put(self, state: State[Any], keys: tuple[Any, ...], value: Any) -> None:
        """Set a cell."""
        self.printer.write(self.cells, self.numbers[state], keys[0] if len(keys) == 1 else keys, value)
        self.cells.memo.clear()

    def value(self, term: Term[Any], binding: Mapping[Var[Any], Any]) -> Any:
        """Return what a term is in the state."""
        params = tuple(sorted(binding, key=lambda var: var.name))
        return self.printer.function(term, params)(self.cells, *[binding[var] for var in params])

    def snapshot(self) -> dict[CellKey, Any]:
        """Return every cell that differs from its initial value, as the interpreter has them."""
        found: dict[CellKey, Any] = {}
        for state, table in zip(self.states, self.cells.tables, strict=True):
            for key, value in table.items():
                found[state, key if len(state.keys) > 1 else () if not state.keys else (key,)] = value
        return found

    # -- rows ------------------------------------------------------------------------------------------------------
    def applicable(self, event: str, params: Mapping[str, Any], given: bool = True) -> Ran | None:
        """Return what the row that applies makes of the state, None where none does.

        Without `given` the assumption on the event's parameters is not asked.
        """
        cells = self.cells
        names, runs = self._runs.get(event) or self._made(event)
        values = [params[name] for name in names]
        for run in runs:
            if given and not run.given(cells, *values):
                continue
            for row in run.rows:
                if row.when(cells, *values):
                    found: list[Change] = []
                    for stage in row.stages:
                        found += stage(cells, *values)
                    return Ran(row.row, None if row.say is None else row.say(cells, *values), tuple(found))
        return None

    def apply(self, ran: Ran) -> list[Change]:
        """Make the changes of a row; return those that changed anything, each with the value before it."""
        changed = applied(self.cells.tables, self.initial, ran.changes)
        if changed:
            self.cells.memo.clear()
        return changed

    def new_value(self, ran: Ran, state: State[Any], *keys: Any) -> Any:
        """Return what a cell is after the row."""
        wanted, key = self.numbers[state], keys[0] if len(keys) == 1 else keys
        for number, at, value in reversed(ran.changes):
            if number == wanted and at == key:
                return value
        return self.read(state, *keys)

    # -- compiling -------------------------------------------------------------------------------------------------
    def _made(self, event: str) -> tuple[tuple[str, ...], tuple[_Run, ...]]:
        found = []
        for table in self.protocol.tables:
            rows = tuple(self._row(row) for row in table.rows if row.event.name == event)
            if rows:
                one = self.events[event]
                given = self.printer.function(_plain(one.given), one.params)
                found.append(_Run(given, rows))
        made = self._runs[event] = tuple(var.name for var in self.events[event].params), tuple(found)
        return made

    def _row(self, row: Row) -> _Whole:
        params = row.event.params
        return _Whole(
            row,
            self.printer.function(row.when, params),
            tuple(changes(self.printer, self.numbers, stage.updates, params) for stage in row.stages),
            None if row.say is None else self.printer.function(row.say, params),
        )


class _Transitions(dict[str, Function]):
    """By event the function that makes the changes of the row that applies in cells, printed when it is first asked."""

    def __init__(self, rows: WholeRows) -> None:
        super().__init__()
        self._rows = rows

    def __missing__(self, event: str) -> Function:
        rows, one = self._rows, self._rows.events[event]
        found = [tuple(row for row in table.rows if row.event.name == event) for table in rows.protocol.tables]
        runs = [Run(_plain(one.given), own) for own in found if own]
        made = self[event] = transition(rows.printer, rows.numbers, one.params, runs)
        return made


def _plain(term: Term[Any]) -> Term[Any]:
    return term.term if isinstance(term, Named) else term
