"""The metadata log of the quorum: batches of records, of which the committed ones are safe and may be seen."""

from __future__ import annotations

from collections.abc import Sequence

from fencepost.reference.simulator import Cells

from .records import Record


class MetadataLog:
    """The log: what one operation of the controller changes is one batch, at one offset.

    `committed` is the offset of the last batch that a majority has, `next_offset` that of the batch to come. Offset 0
    holds the partitions that the cluster begins with. A new controller with the longest log keeps the batches that are
    not committed yet, and commits them; `truncate` is for one whose log lacks them. Batches up to `snapshot` are no
    longer there one by one: who has not got so far gets what has become of them.
    """

    def __init__(self, cells: Cells, first: Sequence[Record]) -> None:
        self.committed = cells.cell("committed", 0)
        self.next_offset = cells.cell("next_offset", 1)
        self.snapshot = -1
        self._batches: list[tuple[Record, ...]] = [tuple(first)]

    @property
    def last_offset(self) -> int:
        """The offset of the last batch, committed or not."""
        return self.next_offset.value - 1

    @property
    def has_tail(self) -> bool:
        """Whether there are batches that are not committed."""
        return self.committed.value < self.last_offset

    def append(self, records: Sequence[Record]) -> int:
        """Append a batch, not committed yet; returns its offset."""
        offset = self.next_offset.value
        self._batches.append(tuple(records))
        self.next_offset.value = offset + 1
        return offset

    def truncate(self) -> None:
        """Remove the batches that are not committed."""
        self.next_offset.value = self.committed.value + 1
        del self._batches[self.next_offset.value :]

    def read(self, after: int, to: int) -> list[Record]:
        """Return the records of the batches after an offset, up to and including another one."""
        return [record for batch in self._batches[after + 1 : to + 1] for record in batch]
