"""The units of a log that are judged in runs, and what is counted of their records."""

from __future__ import annotations

from collections.abc import Sequence

from fencepost.traces import Batch

from .bulk import Bulk
from .run_units import Runs, RunUnit
from .units import Units
from .wire import WireBinding


class ReadingRuns:
    """Judges in runs what can be, for `Units` that judge the rest record by record."""

    def __init__(self, units: Units) -> None:
        self.units = units
        self._runs: Runs | None = None
        self._bulk: Bulk | None = None

    def unit(self, batches: Sequence[Batch], wire: WireBinding, tables: str) -> RunUnit | None:
        """Return the records of batches in runs, under the tables of a name; None where they cannot be judged so."""
        units = self.units
        local = units.local if batches and units.watch is None and not units.replay_only else None
        if local is None or local.classes is not units.state.classes:
            return None
        if self._runs is None or self._runs.wire is not wire:
            self._runs = Runs(wire, tables)
        return self._runs.unit(batches, units.state, local)

    def judge(self, unit: RunUnit) -> bool:
        """Judge a unit; False, with nothing changed, where it has to be judged record by record."""
        local, out = self.units.prepare(), self.units.out
        if local is None or local is not unit.local:
            return False
        if self._bulk is None or self._bulk.local is not local or self._bulk.state is not self.units.state:
            self._bulk = Bulk(self.units, local)
        if not self._bulk.judge(unit):
            return False
        out.records += len(unit)
        for piece in unit.pieces:
            end = piece.offset + piece.end - piece.start
            out.uncommitted += max(0, end - max(piece.offset, out.committed_end))
        return True
