"""One broker's copy of one partition, with what the checkpoints of its directory say of it."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field

from fencepost.traces import Batch, Undecodable
from fencepost.traces.brokers import PartitionDirectory

from .history import PartitionHistory
from .results import DataResult


@dataclass(slots=True)
class Copy:
    """A partition's folder of a broker; offsets are None where no checkpoint has them.

    `lost_tail`: it is known to have lost writes when it last stopped. `is_broken`: a gap or damage was reported, so
    that what follows from it is not reported again.
    """

    broker: int
    partition: PartitionHistory
    folder: PartitionDirectory
    stopped_cleanly: bool
    lost_tail: bool
    high_watermark: int | None
    recovery_point: int | None
    log_start: int
    is_compacted: bool
    is_broken: bool = False
    _values: dict[int, bytes | None] | None = field(default=None, repr=False)

    @property
    def name(self) -> str:
        """Topic and number."""
        return self.partition.name

    @property
    def end_offset(self) -> int:
        """The offset after the last record."""
        return self.folder.end_offset

    def violate(self, result: DataResult, rule: str, offset: int | None, message: str) -> None:
        """Add a violation of this copy."""
        result.violate(rule, self.broker, self.name, offset, message)

    def was_given(self, epoch: int) -> bool:
        """Whether the metadata log gave the partition a leader in an epoch, as far as the log says."""
        return epoch < self.partition.first_epoch or epoch in self.partition.leaders

    def checkpointed(self, offset: int) -> int | None:
        """The epoch that the leader-epoch checkpoint has for an offset, None where it has none."""
        entries = self.folder.epochs or ()
        at = bisect_right([one.start_offset for one in entries], offset)
        return entries[at - 1].epoch if at else None

    def batch_at(self, offset: int) -> Batch | None:
        """The batch that holds an offset."""
        batches = self.folder.batches
        at = bisect_right(batches, offset, key=lambda one: one.base_offset)
        return batches[at - 1] if at and batches[at - 1].last_offset >= offset else None

    def value_at(self, offset: int) -> bytes | None:
        """The value of the record at an offset, None where there is none."""
        if self._values is None:
            self._values = {
                record.offset: record.value
                for batch in self.folder.batches
                for record in batch.records
                if isinstance(record, Undecodable) and not batch.is_control
            }
        return self._values.get(offset)

    def is_packed(self, offset: int) -> bool:
        """Whether the record at an offset is in a compressed batch, which is not unpacked."""
        batch = self.batch_at(offset)
        return batch is not None and batch.count > 0 and not batch.records
