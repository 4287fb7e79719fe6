"""Units explained by printed rows as long as every cell of a log's state is known, and all entities are few."""

from __future__ import annotations

from collections.abc import Sequence
from weakref import WeakKeyDictionary

from fencepost.checkers.conformance.matching.parsing import Parse
from fencepost.checkers.conformance.plans.plans import Plans
from fencepost.checkers.conformance.records.wire import BoundRecord
from fencepost.checkers.conformance.state.printed_states import States
from fencepost.checkers.conformance.state.properties import Properties
from fencepost.checkers.conformance.state.replay import HardState, Layout

from .bindings import RowPrinter
from .claims import AskedClaims
from .matching import PrintedMatcher

printers: WeakKeyDictionary[Layout, RowPrinter] = WeakKeyDictionary()
"""What prints rows, by the layout."""


def printer_of(layout: Layout) -> RowPrinter:
    """Return what prints the rows over a layout, the same for all logs that have it."""
    found = printers.get(layout)
    if found is None:
        found = printers[layout] = RowPrinter(layout)
    return found


class PrintedUnits:
    """Explains one log's units, one after the other; its caller makes the changes of each in the log's state."""

    def __init__(self, state: HardState, plans: Plans, properties: Properties) -> None:
        self.state, self.plans = state, plans
        printer = printer_of(state.layout)
        self.states = States(printer.printer, state)
        self.matcher = PrintedMatcher(self.states, plans, printer)
        self.asked = AskedClaims(self.states, printer, properties)
        self._writes = state.writes

    def parse(self, records: Sequence[BoundRecord | None], offsets: Sequence[int]) -> Parse | None:
        """Return a unit parsed, None where the simple matcher has to parse it."""
        if any(record is not None and record.problems for record in records):
            return None
        if self.states.is_known and self.state.writes != self._writes:
            self.states.begin()
        if not self.states.is_known:
            return None
        found = self.matcher.parse(records, offsets)
        # What the unit changes is made in the log's state record by record: anything else is a change from outside.
        self._writes = self.state.writes + (0 if found is None else len(records))
        return found
