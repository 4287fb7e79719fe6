"""The logs of a run in the numbers of the tables: a record represents a batch, control records have no offset."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import Any

from fencepost.checkers.conformance.lockstep.cells import Cells
from fencepost.checkers.conformance.lockstep.slices import Differs
from fencepost.checkers.conformance.lockstep.whole import WholeRows
from fencepost.model.kraft_loop import state as s
from fencepost.model.kraft_loop.state import RecordKind


@dataclass(frozen=True, slots=True)
class Record:
    """The batch that a record of the tables represents: Kafka's offsets from `base` to `last`.

    `open` is the transaction that is open after it. `ends` says that an append of the controller ended there.
    """

    base: int
    last: int
    kind: RecordKind
    open: int
    ends: bool


class Logs:
    """The logs of all epochs, as cells of a state where a step needs them.

    Epochs are numbered as they were elected. What is committed is one list; of an epoch's log only what was not
    committed when it began is in cells from the beginning, and the rest is put there where a step is about it.
    """

    def __init__(self, rows: WholeRows, cells: Cells) -> None:
        self._cells = cells
        self._number = {one: rows.numbers[getattr(s, one).state] for one in _LOG}
        self.records: dict[tuple[int, int], Record] = {}
        self.epochs: dict[int, int] = {}
        self.kafka: dict[int, int] = {0: 0}
        self.agreed: dict[int, int] = {0: 0}
        self.by_base: dict[tuple[int, int], int] = {}
        self.by_last: dict[tuple[int, int], int] = {}
        self.committed: list[int] = []
        self._lasts: list[int] = []
        self.landmarks: set[int] = set()
        self._shown: set[tuple[int, int]] = set()
        self._stretch: dict[int, tuple[int, int]] = {}
        self._ends: dict[int, int] = {}

    def value(self, cell: str, key: Any, default: Any = 0) -> Any:
        """Return what a cell of the logs holds."""
        return self._cells.tables[self._number[cell]].get(key, default)

    def begin(self, kafka: int, epoch: int) -> None:
        """Know a new epoch by its number in the tables; all that is committed by now is in its log."""
        self.epochs.setdefault(kafka, epoch)
        self.kafka[epoch] = kafka
        self.agreed[epoch] = len(self.committed)

    def add(self, epoch: int, at: int, record: Record) -> None:
        """Know what the leader of an epoch has written at an offset of the tables."""
        self.records[epoch, at] = record
        self.by_base[epoch, record.base] = self.by_last[epoch, record.last] = at
        if record.kind is not RecordKind.DATA:
            self.landmarks.add(at)

    def written_in(self, epoch: int, at: int) -> int:
        """Return in which epoch the record at an offset of an epoch's log was written, 0 where there is none."""
        if at < self.agreed[epoch]:
            return self.committed[at]
        found: int = self.value("log", (epoch, at))
        return found

    def record(self, epoch: int, at: int) -> Record:
        """Return the record at an offset of an epoch's log."""
        return self.records[self.written_in(epoch, at), at]

    def commit(self, epoch: int, end: int) -> None:
        """Know that all up to an end of an epoch's log is committed."""
        for at in range(len(self.committed), end):
            written = self.written_in(epoch, at)
            self.committed.append(written)
            self._lasts.append(self.records[written, at].last)

    def show(self, epoch: int, low: int, high: int, landmarks: bool) -> None:
        """Put what an epoch's log has between two offsets into cells, and what it has at the landmarks."""
        agreed = self.agreed[epoch]
        low, high = max(low, 0), min(high, agreed)
        begin, end = self._stretch.get(epoch, (0, 0))
        if begin <= low <= end:
            # Steps come in order: what lies below the end of the last window is there already.
            low, self._stretch[epoch] = end, (begin, max(end, high))
        elif low < high:
            self._stretch[epoch] = low, high
        if low >= high and not landmarks:
            return
        log, kinds, ends, opens = (self._cells.tables[self._number[one]] for one in _LOG)
        for at in (*(self.landmarks if landmarks else ()), *range(low, high)):
            if at >= agreed or (epoch, at) in self._shown:
                continue
            self._shown.add((epoch, at))
            written = self.committed[at]
            record = self.records[written, at]
            log[epoch, at] = written
            if record.kind is not RecordKind.DATA:
                kinds[epoch, at] = record.kind
            ends[epoch, at + 1] = True
            if record.open:
                opens[epoch, at + 1] = record.open

    def end_of(self, epoch: int, last: int, most: int) -> int:
        """Return the end, in the tables, of what an epoch's log has up to Kafka's offset of a last record.

        `most` is where that log ends. Raises `Differs` for an offset within a batch.
        """
        at = self.by_last.get((epoch, last))
        if at is not None and at < most:
            return at + 1
        agreed = min(self.agreed[epoch], most)
        if agreed and last < self._lasts[agreed - 1]:
            known = self._ends.get(last)
            if known is not None:
                return known
            found = bisect_right(self._lasts, last, 0, agreed)
            if self.records[self.committed[found], found].base > last:
                self._ends[last] = found
        else:
            found = most
            while found > agreed and self.record(epoch, found - 1).last > last:
                found -= 1
        if found < most and self.record(epoch, found).base <= last:
            raise Differs(f"Offset {last} is within the batch that begins at {self.record(epoch, found).base}.")
        return found


_LOG = ("log", "log_kind", "log_ends", "log_open")
