"""Units explained by printed rows as long as every cell of a log's state is known, and all entities are few."""

from __future__ import annotations

from collections.abc import Sequence
from weakref import WeakKeyDictionary

from fencepost.checkers.conformance.matching.parsing import Parse
from fencepost.checkers.conformance.plans.plans import Plans
from fencepost.checkers.conformance.records.wire import BoundRecord
from fencepost.checkers.conformance.state.printed_states import AHEAD, BEFORE_RECORD, BEFORE_RESULT, States
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


class PrintedRows:
    """Explains units of one log by rows; its caller makes the changes of each in the log's state, and says so."""

    copies: Sequence[str] = (AHEAD,)
    """The states that are kept beside the log's own."""

    def __init__(self, state: HardState, plans: Plans) -> None:
        self.state, self.plans = state, plans
        printer = printer_of(state.layout)
        self.states = States(printer.printer, state, copies=self.copies)
        self.matcher = PrintedMatcher(self.states, plans, printer)
        self.writes: int | None = state.writes

    def parse(
        self, records: Sequence[BoundRecord | None], offsets: Sequence[int], writes: int | None = None
    ) -> Parse | None:
        """Return a unit parsed, None where the simple matcher has to parse it.

        `writes` counts those of the log's state at which the other states are to be as they are, None for its own.
        """
        if any(record is not None and record.problems for record in records):
            return None
        if self.states.is_known and (self.state.writes if writes is None else writes) != self.writes:
            self.states.follow()
        return self.matcher.parse(records, offsets) if self.states.is_known else None


class PrintedUnits(PrintedRows):
    """Explains one log's units, one after the other, and has the claims that are evaluated behind their records."""

    copies = (AHEAD, BEFORE_RECORD, BEFORE_RESULT)

    def __init__(self, state: HardState, plans: Plans, properties: Properties) -> None:
        super().__init__(state, plans)
        self.asked = AskedClaims(self.states, printer_of(state.layout), properties)

    def parse(
        self, records: Sequence[BoundRecord | None], offsets: Sequence[int], writes: int | None = None
    ) -> Parse | None:
        """Return a unit parsed, None where the simple matcher has to parse it."""
        found = super().parse(records, offsets, writes)
        # What the unit changes is made in the log's state record by record: anything else is a change from outside.
        self.writes = self.state.writes + (0 if found is None else len(records))
        return found
