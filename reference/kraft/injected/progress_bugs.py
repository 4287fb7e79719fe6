"""Bugs by which nothing wrong is ever done, but something that is due is not: each is one that a single step cannot show."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

from fencepost.reference.kraft import messages as m
from fencepost.reference.kraft.controller.quorum_controller import QuorumController
from fencepost.reference.kraft.controller.write_event import WriteEvent
from fencepost.reference.kraft.raft.client import CommittedBatch
from fencepost.reference.kraft.results import ControllerResult
from fencepost.reference.simulator import SECOND

from .bug import Bug, wrap

LOST = 40
"""One in so many requests is lost."""

LATE_NS = 15 * SECOND
"""So late a loop learns what is committed."""

HANGS_NS = 20 * SECOND
"""So long a loop hangs where it should complete its activation."""


def _loses_requests(controller: QuorumController) -> None:
    count = 0

    def make(append: Callable[..., None]) -> Callable[..., None]:
        def kept(event: Any, deadline_ns: int | None = None) -> None:
            nonlocal count
            if isinstance(event, WriteEvent) and event.request is not None:
                count += 1
                if count % LOST == 0:
                    return
            append(event, deadline_ns)

        return kept

    wrap(controller.queue, "append", make)


def _learns_of_commits_late(controller: QuorumController) -> None:
    held: list[CommittedBatch] = []
    handle = controller.handle_commit

    def learn() -> None:
        batches = held.copy()
        held.clear()
        if batches and not controller.dead:
            handle(batches)

    def hold(batches: Sequence[CommittedBatch]) -> None:
        if not controller.active:
            held.extend(batches)
            learn()
            return
        if not held:
            controller.scheduler.after(LATE_NS, learn)
        held.extend(batches)

    def after(do: Callable[..., None]) -> Callable[..., None]:
        def done(*arguments: Any) -> None:
            learn()
            do(*arguments)

        return done

    wrap(controller, "handle_commit", lambda _: hold)
    wrap(controller, "handle_leader_change", after)
    wrap(controller, "handle_load_snapshot", after)


def _hangs_at_its_activation(controller: QuorumController) -> None:
    queue = controller.queue

    def make(prepend: Callable[[Any], None]) -> Callable[[Any], None]:
        def late(event: Any) -> None:
            queue._busy_until = controller.scheduler.now_ns + HANGS_NS
            prepend(event)

        return late

    wrap(queue, "prepend", make)


def _forgets_a_task(controller: QuorumController) -> None:
    def make(run: Callable[[Any], ControllerResult[bool]]) -> Callable[[Any], ControllerResult[bool]]:
        def once(task: Any) -> ControllerResult[bool]:
            result = run(task)
            if task.name == "electUnclean":
                controller.cancel_task(task.name)
            return result

        return once

    wrap(controller.periodic, "run", make)


def _claims_once(controller: QuorumController) -> None:
    def make(handle: Callable[[int | None, int], None]) -> Callable[[int | None, int], None]:
        def heard(leader: int | None, epoch: int) -> None:
            if leader != controller.node_id or controller.managers.features.metadata_version is None:
                handle(leader, epoch)

        return heard

    wrap(controller, "handle_leader_change", make)


def _does_nothing_in(task: str) -> Callable[[QuorumController], None]:
    def install(controller: QuorumController) -> None:
        periodic = controller.periodic
        periodic.tasks[task] = dataclasses.replace(periodic.tasks[task], operation=lambda: ControllerResult((), False))

    return install


def _reads_the_first_offset(controller: QuorumController) -> None:
    first: dict[tuple[int, int], int] = {}

    def make(process: Callable[..., None]) -> Callable[..., None]:
        def read(request: m.BrokerHeartbeatRequest, *more: Any) -> None:
            known = controller.managers.cluster.registrations.get(request.broker_id)
            if known is not None and not known.fenced:
                told = first.setdefault((request.broker_id, request.broker_epoch), request.current_metadata_offset)
                request = dataclasses.replace(request, current_metadata_offset=told)
            process(request, *more)

        return read

    wrap(controller, "process_broker_heartbeat", make)


def _ignores_added_replicas(controller: QuorumController) -> None:
    def adds(request: m.AlterPartitionRequest) -> bool:
        for one in request.partitions:
            known = controller.managers.replication.partitions.get((one.topic_id, one.partition))
            if known is not None and {member for member, _ in one.new_isr} & set(known.adding_replicas):
                return True
        return False

    def make(submit: Callable[..., None]) -> Callable[..., None]:
        def taken(request: Any, *more: Any) -> None:
            if not (isinstance(request, m.AlterPartitionRequest) and adds(request)):
                submit(request, *more)

        return taken

    wrap(controller, "submit", make)


def _unfences_without_elections(controller: QuorumController) -> None:
    def make(process: Callable[..., ControllerResult[Any]]) -> Callable[..., ControllerResult[Any]]:
        def alone(*arguments: Any) -> ControllerResult[Any]:
            result = process(*arguments)
            if result.response.is_fenced:
                return result
            records = tuple(one for one in result.records if one.type != "PARTITION_CHANGE_RECORD")
            return dataclasses.replace(result, records=records)

        return alone

    wrap(controller.managers.replication, "process_heartbeat", make)


def _leaves_transactions_open(controller: QuorumController) -> None:
    offsets = controller.offsets

    def make(activation: Callable[[], ControllerResult[None]]) -> Callable[[], ControllerResult[None]]:
        def without() -> ControllerResult[None]:
            kept, offsets.transaction_start_offset = offsets.transaction_start_offset, -1
            try:
                return activation()
            finally:
                offsets.transaction_start_offset = kept

        return without

    wrap(controller, "_activation", make)


BUGS = (
    Bug("loses-requests", "S3:83", "now and then a request is neither run nor answered", _loses_requests),
    Bug("learns-of-commits-late", "S3:126", "the loop learns what is committed fifteen seconds later", _learns_of_commits_late),
    Bug("hangs-at-its-activation", "S3:173", "the loop hangs where the activation comes next", _hangs_at_its_activation),
    Bug("forgets-a-task", "S3:274", "a periodic task is not scheduled again", _forgets_a_task, {"unclean.leader.election.interval.ms": "30000"}),
    Bug("claims-once", "S3:171", "who is elected does not claim, unless the log is empty", _claims_once, {"faults": "controllers"}),
    Bug("sees-no-silence", "S3:248", "the task that fences silent brokers finds none", _does_nothing_in("maybeFenceStaleBroker"), {"faults": "brokers"}),
    Bug("reads-the-first-offset", "S3:244", "of an unfenced broker the first metadata offset counts, not the newest", _reads_the_first_offset, {"faults": "broker-shutdown"}),
    Bug("ignores-added-replicas", "S2:91", "an ISR with a replica that is being added is neither refused nor taken", _ignores_added_replicas, {"faults": "broker-kill"}),
    Bug("balances-nothing", "S3:274", "the task that balances leaders finds nothing to do", _does_nothing_in("electPreferred"), {"leader.imbalance.check.interval.seconds": "30"}),
)  # fmt: skip
"""Bugs that faults of a simulation suffice to show."""

NOTICED = {
    "QV4": Bug("leaves-transactions-open", "S3:173", "who claims does not abort the transaction that was open", _leaves_transactions_open),
    "P22": Bug("unfences-without-elections", "S3:244", "a broker is unfenced, and what it could lead gets no leader", _unfences_without_elections),
}  # fmt: skip
"""Bugs that a row of the tables shows at once, by the promise that they also violate."""
