"""Makes snapshots of a controller's state when enough was written since the last (S3:314)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fencepost.reference.kraft.controller.offset_control import NONE
from fencepost.reference.kraft.controller.quorum_controller import QuorumController
from fencepost.reference.kraft.controller.snapshots import snapshot_messages
from fencepost.reference.kraft.raft import CommittedBatch, RaftNode

MILLISECOND = 1_000_000
SOON_NS = 10 * MILLISECOND
"""A snapshot is tried this long after the batch that made it due, when the controller has applied that."""


class SnapshotGenerator:
    """Counts the bytes that are committed; on every node, as in Kafka, so that no node waits for another.

    A snapshot is due after `metadata.log.max.record.bytes.between.snapshots`, or after
    `metadata.log.max.snapshot.interval.ms` if anything was written, which 0 turns off; while a transaction is open it
    waits.
    """

    def __init__(
        self, controller: QuorumController, raft: RaftNode, after: Callable[[int, Callable[[], None]], object]
    ) -> None:
        self._controller, self._raft, self._after = controller, raft, after
        self._bytes = 0
        self._last_ns = raft.now_ns
        self._trying = False

    def committed(self, batches: Sequence[CommittedBatch]) -> None:
        """Count what is committed."""
        settings = self._controller.settings
        self._bytes += sum(batch.size for batch in batches)
        interval_ns = settings.metadata_log_max_snapshot_interval_ms * MILLISECOND
        is_late = interval_ns > 0 and self._raft.now_ns >= self._last_ns + interval_ns
        is_due = is_late or self._bytes >= settings.metadata_log_max_record_bytes_between_snapshots
        if is_due and not self._trying:
            self._trying = True
            self._after(SOON_NS, self._try)

    def loaded(self) -> None:
        """Begin to count anew after a snapshot that came from another node."""
        self._bytes, self._last_ns = 0, self._raft.now_ns

    def _try(self) -> None:
        """Snapshot the stable state; if that is not possible now, the next batch asks again."""
        self._trying = False
        controller, offsets = self._controller, self._controller.offsets
        stable = offsets.last_stable_offset
        if stable < 0:
            return
        ready = not controller.dead and offsets.transaction_start_offset == NONE and controller.registry.has(stable)
        if not ready or stable + 1 > self._raft.high_watermark or controller.managers.features.metadata_version is None:
            return
        epoch = self._raft.disk.log.epoch_before(stable + 1)
        self._raft.create_snapshot(stable + 1, epoch, snapshot_messages(controller.managers, stable))
        controller.observer.snapshot_made(controller, stable + 1)
        self._bytes, self._last_ns = 0, self._raft.now_ns
