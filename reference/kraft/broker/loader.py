"""Brings committed metadata into a broker's image: from the log, a transaction only at its end, and from snapshots."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fencepost.reference.kraft.raft.client import CommittedBatch, LoadedSnapshot
from fencepost.reference.kraft.records import Message
from fencepost.traces import record_types as types

from .image import MetadataImage, image_of

_MARKERS = frozenset({types.BEGIN_TRANSACTION_RECORD, types.END_TRANSACTION_RECORD, types.ABORT_TRANSACTION_RECORD})


class MetadataLoader:
    """The listener of a broker's Raft observer: applies what is committed and publishes what has changed.

    `publish()` is called after each load, when `image` is at its new offset; a caller that takes the image's delta sees
    what has changed since it was taken last.
    """

    def __init__(self, publish: Callable[[], None], repaired: frozenset[str] = frozenset()) -> None:
        self.image = MetadataImage(repaired)
        self.leader: int | None = None
        self.leader_epoch = -1
        self._publish = publish
        self._transaction: list[Message] | None = None

    def handle_commit(self, batches: Sequence[CommittedBatch]) -> None:
        """Apply committed batches; inside a transaction nothing is visible before its end (S2:18-20).

        The image's offset stays before a transaction while it is open, and so does what heartbeats report.
        """
        self.image.begin()
        apply = self.image.apply
        for batch in batches:
            for message in batch.records:
                if message.type in _MARKERS:
                    self._mark(message.type)
                elif self._transaction is not None:
                    self._transaction.append(message)
                else:
                    apply(message)
            if self._transaction is None:
                self.image.offset = batch.last_offset
        self._publish()

    def _mark(self, marker: str) -> None:
        """Begin, end or abort a transaction."""
        held, self._transaction = self._transaction, None
        if marker == types.BEGIN_TRANSACTION_RECORD:
            self._transaction = []
        elif marker == types.END_TRANSACTION_RECORD:
            for one in held or ():
                self.image.apply(one)

    def handle_load_snapshot(self, snapshot: LoadedSnapshot) -> None:
        """Replace the image by what a snapshot holds; an open transaction is void."""
        self._transaction = None
        self.image = image_of(snapshot.records, snapshot.end_offset, self.image)
        self._publish()

    def handle_leader_change(self, leader: int | None, epoch: int) -> None:
        """Note which controller leads, as far as the Raft layer knows."""
        self.leader, self.leader_epoch = leader, epoch
