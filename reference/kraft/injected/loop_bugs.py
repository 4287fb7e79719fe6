"""Bugs of the loop around the managers: commit, revert, snapshots of memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from fencepost.reference.kraft.controller.quorum_controller import QuorumController
from fencepost.reference.kraft.raft.client import CommittedBatch

from .bug import Bug, wrap


def _control_batches_count(controller: QuorumController) -> None:
    def make(committed: Callable[[Sequence[CommittedBatch]], None]) -> Callable[[Sequence[CommittedBatch]], None]:
        def counted(batches: Sequence[CommittedBatch]) -> None:
            for batch in batches:
                committed([batch])
                if not batch.records and not controller.dead:
                    controller.offsets.handle_commit_batch(batch.last_offset, batch.epoch)

        return counted

    wrap(controller, "_committed", make)


def _revert_too_much(controller: QuorumController) -> None:
    registry = controller.registry

    def revert_to(epoch: int) -> None:
        index = registry.epochs().index(epoch)
        deltas = registry.snapshots[index:]
        for revertable in list(registry._revertables.values()):
            revertable.revert(deltas, epoch - 1)
        registry.snapshots = registry.snapshots[: index + 1]
        registry.snapshots[-1].deltas.clear()

    registry.revert_to = revert_to  # type: ignore[method-assign]


def _answer_at_once(controller: QuorumController) -> None:
    purgatory = controller.purgatory

    def add(offset: int, event: Any) -> None:
        event.complete(None)

    purgatory.add = add  # type: ignore[method-assign]


def _keep_what_was_not_committed(controller: QuorumController) -> None:
    offsets = controller.offsets

    def deactivate() -> None:
        offsets.next_write_offset = -1

    offsets.deactivate = deactivate  # type: ignore[method-assign]


BUGS = (
    Bug("J4", "KAFKA-13100", "a controller that loses its leadership keeps what was never committed", _keep_what_was_not_committed),
    Bug("J30", "KAFKA-17608", "Raft's own batches move the stable offset to where no snapshot is", _control_batches_count),
    Bug("S-i", "S3:155", "going back drops what was made exactly at the offset to go back to", _revert_too_much, seeds=10),
    Bug("answer-at-once", "S3:126", "writes are answered before they are committed", _answer_at_once),
)  # fmt: skip
