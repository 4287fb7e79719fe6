"""Bugs of the loop around the managers: commit, revert, claim, tasks, futures, snapshots of memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from fencepost.reference.kraft.controller.quorum_controller import QuorumController
from fencepost.reference.kraft.errors import ApiError
from fencepost.reference.kraft.raft import RaftNode
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


def _arms_tasks_at_claim(controller: QuorumController) -> None:
    def make(claim: Callable[[int], None]) -> Callable[[int], None]:
        def armed(epoch: int) -> None:
            claim(epoch)
            controller.periodic.activate()

        return armed

    wrap(controller, "_claim", make)


def _keeps_its_tasks(controller: QuorumController) -> None:
    controller.periodic.deactivate = lambda: None  # type: ignore[method-assign]


def _forgets_who_waits(controller: QuorumController) -> None:
    purgatory = controller.purgatory

    def forget(error: ApiError) -> None:
        purgatory._pending.clear()

    purgatory.fail_all = forget  # type: ignore[method-assign]


def _reverts_too_little(controller: QuorumController) -> None:
    registry, offsets = controller.registry, controller.offsets
    revert_to = registry.revert_to

    def revert(epoch: int) -> None:
        later = [one for one in registry.epochs() if one > epoch]
        revert_to(later[0] if later and not offsets.active else epoch)

    registry.revert_to = revert  # type: ignore[method-assign]


def _keeps_old_snapshots(controller: QuorumController) -> None:
    controller.registry.delete_up_to = lambda epoch: None  # type: ignore[method-assign]


def _claims_before_caught_up(controller: QuorumController) -> None:
    raft = controller.raft
    assert isinstance(raft, RaftNode)

    def make(become: Callable[[tuple[int, ...]], None]) -> Callable[[tuple[int, ...]], None]:
        def leading(granting: tuple[int, ...]) -> None:
            become(granting)
            if raft.is_leader and raft._told != (raft.id, raft.epoch):
                raft._told = raft.id, raft.epoch
                controller.handle_leader_change(raft.id, raft.epoch)

        return leading

    wrap(raft, "become_leader", make)


_LAST_TOLD: WeakKeyDictionary[Any, Sequence[CommittedBatch]] = WeakKeyDictionary()
"""The last batches that a process's Raft client delivered, by process: its next controller receives them once more."""


def _keeps_a_replaced_listener(controller: QuorumController) -> None:
    process = controller.scheduler
    stale = _LAST_TOLD.pop(process, ())

    def make(handle: Callable[[Sequence[CommittedBatch]], None]) -> Callable[[Sequence[CommittedBatch]], None]:
        def told(batches: Sequence[CommittedBatch]) -> None:
            nonlocal stale
            late, stale = stale, ()
            _LAST_TOLD[process] = batches
            if late:
                handle(late)
            handle(batches)

        return told

    wrap(controller, "handle_commit", make)


BUGS = (
    Bug("J4", "KAFKA-13100", "a controller that loses its leadership keeps what was never committed", _keep_what_was_not_committed),
    Bug("J30", "KAFKA-17608", "Raft's own batches move the stable offset to where no snapshot is", _control_batches_count),
    Bug("S-i", "S3:155", "going back drops what was made exactly at the offset to go back to", _revert_too_much, seeds=10),
    Bug("answer-at-once", "S3:126", "writes are answered before they are committed", _answer_at_once),
    Bug("arms-tasks-at-claim", "S3:173", "periodic tasks are scheduled before the activation is complete", _arms_tasks_at_claim),
    Bug("keeps-its-tasks", "S3:171", "who renounces lets its periodic tasks run on", _keeps_its_tasks),
    Bug("forgets-who-waits", "S3:171", "a node that renounces answers no waiting request", _forgets_who_waits, seeds=10),
    Bug("reverts-too-little", "S3:160", "who renounces keeps the first batch that is not stable", _reverts_too_little, seeds=10),
    Bug("keeps-old-snapshots", "S3:160", "snapshots in memory are kept that no reader will need", _keeps_old_snapshots),
    Bug("claims-before-caught-up", "S3:177", "who is elected claims before it has applied what it was elected with", _claims_before_caught_up),
    Bug(
        "keeps-a-replaced-listener", "S3:307", "the last delivery to the former process is made to the next one, too", _keeps_a_replaced_listener, seeds=10,
    ),
)  # fmt: skip
