"""The written, committed and stable offsets, and the open transaction (S3:158-164).

The next write offset, the committed and the stable offset and the start of the transaction are plain fields, not part
of the timeline, as in Kafka: with `repaired` D1, D2 or D4 the known defects that follow from it are absent.
"""

from __future__ import annotations

from fencepost.reference.kraft.errors import ReplayError
from fencepost.reference.timeline import SnapshotRegistry

NONE = -1


class OffsetControlManager:
    """The offsets of a controller; creates, deletes and goes back to the snapshots of the timeline."""

    def __init__(self, registry: SnapshotRegistry, repaired: frozenset[str] = frozenset()) -> None:
        self.registry, self.repaired = registry, repaired
        self.last_committed_offset = NONE
        self.last_committed_epoch = NONE
        self.last_stable_offset = NONE
        self.transaction_start_offset = NONE
        self.next_write_offset = NONE
        self._transaction_end_offset = NONE
        self._loading: int | None = None
        registry.create(NONE)

    @property
    def active(self) -> bool:
        """Whether this controller writes."""
        return self.next_write_offset != NONE

    @property
    def open_transaction(self) -> int:
        """Where the transaction began that is open after the last record that was applied, −1 without one."""
        return self.transaction_start_offset if self._transaction_end_offset == NONE else NONE

    def activate(self, next_write_offset: int) -> None:
        """Become active: from now on there is always a snapshot at the stable offset to go back to."""
        if self.active:
            raise RuntimeError("the offsets are active already")
        self.registry.create(self.last_stable_offset)
        self.next_write_offset = next_write_offset

    def deactivate(self) -> None:
        """Become inactive: all state goes back to the stable offset."""
        if not self.active:
            raise RuntimeError("the offsets are not active")
        self.next_write_offset = NONE
        if not self.registry.has(self.last_stable_offset):
            raise RuntimeError(f"there is no snapshot at the stable offset {self.last_stable_offset} to go back to")
        self.registry.revert_to(self.last_stable_offset)
        if "D1" in self.repaired:
            # What is committed beyond the stable offset is reverted with its transaction: it has to be delivered again.
            self.last_committed_offset = self.last_stable_offset
            self.transaction_start_offset = self._transaction_end_offset = NONE
        if self._transaction_end_offset > self.last_committed_offset:
            self._transaction_end_offset = NONE

    def handle_schedule_append(self, last_offset: int) -> None:
        """Note that records up to an offset were replayed and are on their way into the log."""
        self.next_write_offset = last_offset + 1
        self.registry.create(last_offset)

    def handle_commit_batch(self, last_offset: int, epoch: int) -> None:
        """Note that the log is committed up to an offset; the stable offset follows as far as it may."""
        self.last_committed_offset, self.last_committed_epoch = last_offset, epoch
        if NONE < self._transaction_end_offset <= last_offset:
            self.transaction_start_offset = self._transaction_end_offset = NONE
        stable = last_offset
        if self.transaction_start_offset != NONE:
            stable = min(self.transaction_start_offset - 1, last_offset)
        if stable > self.last_stable_offset:
            self.last_stable_offset = stable
            self.registry.delete_up_to(stable)
            if not self.active:
                self.registry.create(stable)

    # -- snapshots of the log --------------------------------------------------------------------------------------
    def begin_load_snapshot(self, end_offset: int) -> None:
        """Forget everything, to load a snapshot of the log that ends below an offset."""
        self._loading = end_offset
        self.registry.reset()
        self.last_committed_offset = self.last_committed_epoch = self.last_stable_offset = NONE
        self.transaction_start_offset = self._transaction_end_offset = self.next_write_offset = NONE

    def end_load_snapshot(self, epoch: int) -> None:
        """Stand at the end of the snapshot that was loaded."""
        if self._loading is None:
            raise RuntimeError("no snapshot is being loaded")
        # The end is exclusive, but Kafka takes it for the last offset contained: the record there is skipped by reads.
        last = self._loading - 1 if "D4" in self.repaired else self._loading
        self.registry.create(last)
        self.last_committed_offset = self.last_stable_offset = last
        self.last_committed_epoch = epoch
        self._loading = None

    # -- transactions ----------------------------------------------------------------------------------------------
    def replay_begin(self, offset: int) -> None:
        """Open a transaction; raises ReplayError inside a snapshot or another transaction."""
        self._refuse_in_snapshot("BeginTransaction", offset)
        if self.transaction_start_offset != NONE and self._transaction_end_offset == NONE:
            raise ReplayError(
                f"BeginTransaction at {offset}: the transaction at {self.transaction_start_offset} was never closed"
            )
        self.registry.create(offset - 1)
        self.transaction_start_offset, self._transaction_end_offset = offset, NONE

    def replay_end(self, offset: int) -> None:
        """Close the transaction; raises ReplayError without one."""
        self._refuse_outside("EndTransaction", offset)
        if "D2" in self.repaired and self.active:
            self._transaction_end_offset = offset
        else:
            self.transaction_start_offset = NONE

    def replay_abort(self, offset: int) -> None:
        """Take back everything since the transaction began; raises ReplayError without one."""
        self._refuse_outside("AbortTransaction", offset)
        self.registry.revert_to(self.transaction_start_offset - 1)
        self.transaction_start_offset = NONE

    def _refuse_outside(self, record: str, offset: int) -> None:
        self._refuse_in_snapshot(record, offset)
        if self.transaction_start_offset == NONE or self._transaction_end_offset != NONE:
            raise ReplayError(f"{record} at {offset}: no transaction is open")

    def _refuse_in_snapshot(self, record: str, offset: int) -> None:
        if self._loading is not None:
            raise ReplayError(f"{record} at {offset}: a snapshot holds no transactions")
