"""Bugs of topics, partitions, elections and eligible leader replicas."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from fencepost.reference.kraft import messages as m
from fencepost.reference.kraft.controller.quorum_controller import QuorumController
from fencepost.reference.kraft.errors import Errors
from fencepost.reference.kraft.levels import MINIMUM
from fencepost.reference.kraft.records import Message
from fencepost.reference.kraft.results import ControllerResult

from .bug import Bug, Operation, each_builder, while_running, wrap_operation, wrap_replay


def _keep_the_partition_epoch(controller: QuorumController) -> None:
    partitions = controller.managers.replication.partitions

    def make(replay: Callable[[Message, int], None]) -> Callable[[Message, int], None]:
        def kept(message: Message, offset: int) -> None:
            replay(message, offset)
            key = message.data["topicId"], message.data["partitionId"]
            after = partitions[key]
            partitions[key] = dataclasses.replace(after, partition_epoch=after.partition_epoch - 1)

        return kept

    wrap_replay(controller, "PARTITION_CHANGE_RECORD", make)


def _leave_the_index(controller: QuorumController) -> None:
    isrs = controller.managers.replication.indexes.isrs
    isrs.remove_topic = lambda topic_id, broker: None  # type: ignore[method-assign]


def _registered_is_enough(request: type) -> Callable[[QuorumController], None]:
    """Take every registered broker for active while one kind of request is dealt with."""

    def install(controller: QuorumController) -> None:
        cluster = controller.managers.cluster
        while_running(controller, request, cluster, "is_active", lambda broker: broker in cluster.registrations)

    return install


def _configs_of_failed_topics(controller: QuorumController) -> None:
    configurations = controller.managers.configurations

    def make(create: Operation) -> Operation:
        def created(request: m.CreateTopicsRequest) -> ControllerResult[Any]:
            result = create(request)
            failed = {one.name for one in result.response if one.error is not Errors.NONE}
            stray = [
                record
                for topic in request.topics
                if topic.name in failed and topic.name not in controller.managers.replication.topic_ids
                for record in configurations.for_new_topic(topic.name, topic.configs)
            ]
            return dataclasses.replace(result, records=(*stray, *result.records))

        return created

    wrap_operation(controller, m.CreateTopicsRequest, make)


def _bump_at_every_shrink(controller: QuorumController) -> None:
    def change(builder: Any) -> None:
        level, bump = builder._level, builder._bump_leader_epoch_for_isr_shrink

        def always() -> None:
            builder._level = MINIMUM
            bump()
            builder._level = level

        builder._bump_leader_epoch_for_isr_shrink = always

    each_builder(controller, change)


def _wait_for_the_whole_target(controller: QuorumController) -> None:
    def change(builder: Any) -> None:
        complete = builder._complete_reassignment_if_needed

        def when_all_are_in_sync() -> None:
            kept = set(builder.target_replicas) - set(builder.target_removing)
            if kept <= set(builder.target_isr):
                complete()

        builder._complete_reassignment_if_needed = when_all_are_in_sync

    each_builder(controller, change)


def _bump_without_a_change(controller: QuorumController) -> None:
    def change(builder: Any) -> None:
        def bump() -> None:
            shrinks = not set(builder._old.isr) <= set(builder.target_isr)
            if "leader" not in builder._record and shrinks:
                builder._record["leader"] = builder._old.leader

        if builder._level < 12:
            builder._bump_leader_epoch_for_isr_shrink = bump

    each_builder(controller, change)


def _clear_everything(controller: QuorumController) -> None:
    replication = controller.managers.replication

    def make(replay: Callable[[Message, int], None]) -> Callable[[Message, int], None]:
        def cleared(message: Message, offset: int) -> None:
            topic_id = replication.topic_ids.get(message.data["topicName"])
            for key, partition in list(replication.partitions.items()):
                if (topic_id is None or key[0] == topic_id) and not (partition.elr or partition.last_known_elr):
                    replication.partitions[key] = partition.without_elr()
            replay(message, offset)

        return cleared

    wrap_replay(controller, "CLEAR_ELR_RECORD", make)


def _clear_nothing(controller: QuorumController) -> None:
    controller.managers.configurations._forgetting = lambda records: []  # type: ignore[method-assign]


def _anybody_who_led_last(controller: QuorumController) -> None:
    def change(builder: Any) -> None:
        def can() -> bool:
            alone = len(builder._old.last_known_elr) == 1
            return alone and builder._elr_enabled and not builder._target_elr and not builder.target_isr

        builder._can_elect_last_known_leader = can

    each_builder(controller, change)


def _without_elr(controller: QuorumController) -> None:
    state = controller.managers.replication.state
    build = state.builder

    def builder(*arguments: Any, **more: Any) -> Any:
        one = build(*arguments, **more)
        one._elr_enabled = False
        return one

    while_running(controller, m.AssignReplicasToDirsRequest, state, "builder", builder)


def _any_partition_epoch(controller: QuorumController) -> None:
    partitions = controller.managers.replication.partitions

    def make(alter: Operation) -> Operation:
        def altered(request: m.AlterPartitionRequest) -> ControllerResult[Any]:
            asked = []
            for one in request.partitions:
                known = partitions.get((one.topic_id, one.partition))
                epoch = one.partition_epoch if known is None else max(one.partition_epoch, known.partition_epoch)
                asked.append(dataclasses.replace(one, partition_epoch=epoch))
            return alter(dataclasses.replace(request, partitions=tuple(asked)))

        return altered

    wrap_operation(controller, m.AlterPartitionRequest, make)


BUGS = (
    Bug("J1", "KAFKA-12367", "a change of a partition leaves its partition epoch as it was", _keep_the_partition_epoch),
    Bug("J2", "PR 10184", "a deleted topic stays in the index of the ISRs", _leave_the_index),
    Bug("J3", "KAFKA-13083", "a new partition has fenced brokers in its ISR", _registered_is_enough(m.CreateTopicsRequest)),
    Bug("J8", "KAFKA-13916", "a fenced broker, or one that shuts down, may be proposed for an ISR", _registered_is_enough(m.AlterPartitionRequest), {"faults": "isolate,partition,loss,slow,controller-busy,broker-shutdown"}, seeds=20),
    Bug("J18", "KAFKA-14612", "the configurations of a topic that cannot be created are written", _configs_of_failed_topics, seeds=10),
    Bug("J20", "KAFKA-15021", "every shrink of an ISR begins a leader epoch, as before 3.6", _bump_at_every_shrink),
    Bug("J26", "KAFKA-15665", "a reassignment waits until the whole target is in sync, as in 3.8 to 4.2", _wait_for_the_whole_target),
    Bug("J28", "KAFKA-16624", "a shrink that is not made begins a leader epoch all the same", _bump_without_a_change, {"release": "3.5-IV2"}, seeds=10),
    Bug("E3", "KAFKA-18649", "clearing raises the epochs of partitions that have nothing to clear", _clear_everything),
    Bug("E5", "KAFKA-16540", "eligible leader replicas outlive a change of min.insync.replicas", _clear_nothing),
    Bug("E7", "KAFKA-19522", "the last known leader is elected though it is fenced", _anybody_who_led_last, seeds=10),
    Bug("E8", "PR 20716", "assigning a directory forgets the eligible leader replicas", _without_elr, seeds=12),
    Bug("stale-isr", "ReplicationControlManager.alterPartition", "an ISR proposed for an older partition epoch is accepted", _any_partition_epoch),
)  # fmt: skip
