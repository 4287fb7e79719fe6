"""A log in memory that a controller writes to as if Raft were behind it; no other node has it."""

from collections.abc import Sequence

from fencepost.reference.kraft.errors import NotLeaderError
from fencepost.reference.kraft.raft.client import CommittedBatch
from fencepost.reference.kraft.records import Message


class MemoryLog:
    """What a controller asks of Raft; `committed` of the batches in `log` are. `appended` is for whoever inherits."""

    def __init__(self, epoch: int) -> None:
        self.epoch = epoch
        self.log: list[CommittedBatch] = []
        self.prepared: CommittedBatch | None = None
        self.committed = 0
        self.resigned = 0

    def appended(self) -> None:
        """Do nothing after an append."""

    def commit_next(self, batches: int | None = None) -> list[CommittedBatch]:
        """Count some of the batches as committed that were not, all by default, and return them."""
        end = len(self.log) if batches is None else self.committed + batches
        new, self.committed = self.log[self.committed : end], end
        return new

    # -- Raft's client ---------------------------------------------------------------------------------------------
    def prepare_append(self, epoch: int, records: Sequence[Message]) -> int:
        """Stage a batch."""
        if epoch != self.epoch:
            raise NotLeaderError(f"epoch {epoch}")
        base = self.log_end_offset()
        self.prepared = CommittedBatch(base, base + len(records) - 1, epoch, 0, tuple(records))
        return self.prepared.last_offset

    def schedule_prepared_append(self) -> None:
        """Append what was staged."""
        assert self.prepared is not None
        self.log.append(self.prepared)
        self.appended()

    def resign(self, epoch: int) -> None:
        """Note the resignation."""
        self.resigned += 1

    def deliver_again(self, offset: int) -> None:
        """Deliver nothing again: a test that needs it does it by hand."""

    def log_end_offset(self) -> int:
        """Return the end of the log."""
        return self.log[-1].last_offset + 1 if self.log else 0

    def create_snapshot(self, end_offset: int, epoch: int, messages: Sequence[Message]) -> None:
        """Keep nothing."""
