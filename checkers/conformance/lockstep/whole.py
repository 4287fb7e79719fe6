"""Rows run whole: a protocol's state of which every cell is known, its rows as compiled functions, one step at a time.

As `compiled` does for a controller whose log has the hard state, this runs rows where steps report the whole state.
Every value is read in the state before the row; the interpreter is its oracle in the tests.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from fencepost.model.language import Protocol, Row, State, Var
from fencepost.model.language.errors import EvaluationError
from fencepost.model.language.kinds import EntityKind, IntKind, Kind
from fencepost.model.language.terms import Lit, Term

from .cells import MISSING, Cells, Change, applied
from .printing import Function, Printer
from .rows import Rows


class Ran(NamedTuple):
    """The outcome of a row in a state: its answer, and the cells that it changes, in order, each with its new value."""

    row: Row
    answer: Any
    changes: Sequence[Change]


class WholeRows(Rows):
    """A protocol with a state: `apply` runs a row of an event, `read` and `put` look at cells and set them.

    `begins` has what cells begin with whose state declares nothing; `listed` are counters of which just the numbers
    matter that were met, as if they were entities.
    """

    def __init__(
        self, protocol: Protocol, begins: Mapping[State[Any], Any] | None = None, listed: frozenset[str] = frozenset()
    ) -> None:
        self.states: tuple[State[Any], ...] = protocol.states
        numbers = {state: number for number, state in enumerate(self.states)}
        said = begins or {}
        initial = [s.initial.value if isinstance(s.initial, Lit) else said.get(s, MISSING) for s in self.states]
        self.initial: tuple[Any, ...] = tuple(initial)
        super().__init__(protocol, numbers, Printer(numbers, self.initial, listed))
        self.domains: dict[str, dict[Any, None]] = {name: {} for name in (*(k.name for k in protocol.sorts), *listed)}
        self.cells = Cells([{} for _ in self.states], self.domains)
        self._first: dict[tuple[str, bool], Function] = {}
        self.running = _Running(self)
        """By event the function of the cells and the event's parameters that `runs_first` returns."""

    # -- cells -----------------------------------------------------------------------------------------------------
    def meet(self, kind: Kind[Any], value: Any) -> None:
        """Add an entity to those that there are, or a number to those of a listed counter."""
        assert isinstance(kind, (EntityKind, IntKind))
        if value not in self.domains[kind.name]:
            self.domains[kind.name][value] = None

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
        applied(self.cells.tables, self.initial, [(self.numbers[state], keys[0] if len(keys) == 1 else keys, value)])

    def value(self, term: Term[Any], binding: Mapping[Var[Any], Any]) -> Any:
        """Return what a term is in the state."""
        params = tuple(sorted(binding, key=lambda var: var.name))
        return self.printer.function(term, params)(self.cells, *[binding[var] for var in params])

    # -- rows ------------------------------------------------------------------------------------------------------
    def applicable(self, event: str, params: Mapping[str, Any], given: bool = True) -> Ran | None:
        """Return what the row that applies makes of the state, None where none does.

        Without `given` the assumption on the event's parameters is not asked.
        """
        found = self._first_of(event, params, given)
        return Ran(*found) if found else None

    def _first_of(self, event: str, params: Mapping[str, Any], given: bool) -> Any:
        first = self._first.get((event, given))
        if first is None:
            first = self._first[event, given] = self.first_of(self.events[event], given)
        return first(self.cells, *[params[name] for name in self.names[event]])

    def runs_first(self, event: str) -> Function:
        """Return the function that runs the row that applies and returns it: `applicable` and `apply` at once."""
        return self.making(self.events[event])

    def apply(self, ran: Ran) -> list[Change]:
        """Make the changes of a row; return those that changed anything, each with the value before it."""
        return applied(self.cells.tables, self.initial, ran.changes)

    def new_value(self, ran: Ran, state: State[Any], *keys: Any) -> Any:
        """Return what a cell is after the row."""
        wanted, key = self.numbers[state], keys[0] if len(keys) == 1 else keys
        for number, at, value in reversed(ran.changes):
            if number == wanted and at == key:
                return value
        return self.read(state, *keys)


class _Running(dict[str, Function]):
    """Functions by event, each printed when it is first needed."""

    def __init__(self, rows: WholeRows) -> None:
        super().__init__()
        self._rows = rows

    def __missing__(self, event: str) -> Function:
        found = self[event] = self._rows.runs_first(event)
        return found
