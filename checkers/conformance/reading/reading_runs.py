"""The units of a log that are checked in runs, and the counts of their records."""

from __future__ import annotations

from collections.abc import Sequence

from fencepost.checkers.conformance.by_class.local import Local
from fencepost.checkers.conformance.by_class.run_units import Runs, RunUnit
from fencepost.checkers.conformance.by_class.transitions import Transitions, Undo
from fencepost.checkers.conformance.classes.changes import Change
from fencepost.checkers.conformance.records.wire import WireBinding
from fencepost.traces import Batch

from .bulk import Bulk
from .units import Units


class ReadingRuns:
    """Checks units in runs where it can, for `Units` that check the rest record by record."""

    def __init__(self, units: Units) -> None:
        self.units = units
        self.of_log: Runs | None = None
        self._bulk: Bulk | None = None
        self._transitions: Transitions | None = None

    def unit(self, batches: Sequence[Batch], wire: WireBinding, tables: str) -> RunUnit | None:
        """Return the records of batches in runs, under the tables of a name; None where they cannot be checked so."""
        units = self.units
        local = units.local if batches and units.watch is None else None
        if local is None or local.classes is not units.state.classes:
            return None
        if self.of_log is None or self.of_log.wire is not wire:
            self.of_log = Runs(wire, tables)
        return self.of_log.unit(batches, units.state, local)

    def judge(self, unit: RunUnit) -> bool:
        """Check a unit; False, with nothing changed, where it has to be checked record by record."""
        local = self.units.prepare()
        if local is None or local is not unit.local:
            return False
        if self.units.replay_only:
            return self._replay(unit, local)
        if self._bulk is None or self._bulk.local is not local or self._bulk.state is not self.units.state:
            self._bulk = Bulk(self.units, local)
        if not self._bulk.judge(unit):
            return False
        self._count(unit)
        return True

    def _replay(self, unit: RunUnit, local: Local) -> bool:
        """Replay a unit by its equivalent records; False, with nothing changed, where a snapshot ends within."""
        units, made = self.units, self._transitions
        if units.stops(*unit.bounds):
            return False
        if made is None or made.local is not local or made.state is not units.state:
            made = self._transitions = Transitions(units.state, local)
        undo: list[Undo | tuple[Change, ...]] = []
        if not made.advance(unit, 0, len(unit), undo):
            made.take_back(undo)
            return False
        units.state.at_offset(unit.offset(len(unit) - 1) + 1)
        self._count(unit)
        return True

    def _count(self, unit: RunUnit) -> None:
        out = self.units.out
        out.records += len(unit)
        for piece in unit.pieces:
            end = piece.offset + piece.end - piece.start
            out.uncommitted += max(0, end - max(piece.offset, out.committed_end))
