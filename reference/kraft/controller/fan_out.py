"""Changes of partitions that follow a change of a broker (S3:222-224).

`leader_and_isr_updates` goes over the partitions that an index names, and builds a change for each. The functions after
it put the partitions' records and the broker's own in Kafka's order, which differs: a broker that is fenced loses its
partitions first, one that is unfenced is updated first.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fencepost.reference.kraft.records import NO_LEADER, Message

from .indexes import TopicPartition
from .partition_change_builder import Election
from .partitions import without
from .replication_state import ReplicationState

NOBODY = NO_LEADER
"""The id of no broker."""

FENCE, UNFENCE = 1, -1
IN_CONTROLLED_SHUTDOWN = 1


def leader_and_isr_updates(
    state: ReplicationState,
    partitions: Iterable[TopicPartition],
    *,
    remove: int = NOBODY,
    add: int = NOBODY,
    unclean: int = NOBODY,
) -> list[Message]:
    """Return the changes of partitions when a broker goes (`remove`), comes (`add`) or lost what it had (`unclean`).

    A broker that comes may lead although its registration still says fenced; one that goes may not although it does
    not say so yet. Raises RuntimeError where an index names a partition that is gone: no error of the request, so that
    the controller resigns.
    """

    def acceptable(broker: int) -> bool:
        return broker not in (remove, unclean) and (broker == add or state.cluster.is_active(broker))

    records = []
    for topic_id, number in partitions:
        topic = state.topics.get(topic_id)
        if topic is None:
            raise RuntimeError(f"Topic ID {topic_id} existed in isrMembers, but not in the topics map.")
        partition = state.partitions.get((topic_id, number))
        if partition is None:
            raise RuntimeError(f"Partition {topic_id}:{number} existed in isrMembers, but not in the partitions map.")
        builder = state.builder(topic, number, partition, acceptable)
        if state.allows_unclean(topic, partition):
            builder.election = Election.UNCLEAN
        if unclean != NOBODY:
            builder.unclean_shutdown_replicas = (unclean,)
        builder.target_isr = without(partition.isr, remove, unclean)
        record = builder.build()
        if record is not None:
            records.append(record)
    return records


def broker_fenced(state: ReplicationState, broker: int) -> list[Message]:
    """Return the records that fence a broker; raises RuntimeError for one that is not registered."""
    registration = state.cluster.registrations.get(broker)
    if registration is None:
        raise RuntimeError(f"Can't find broker registration for broker {broker}")
    partitions = leader_and_isr_updates(state, state.indexes.isrs.of(broker), remove=broker)
    return [*partitions, registration_change(broker, registration.epoch, 0, fenced=FENCE)]


def broker_unfenced(state: ReplicationState, broker: int, epoch: int) -> list[Message]:
    """Return the records that unfence a broker, which may then lead leaderless partitions."""
    leaderless = state.indexes.leaderships.of(NO_LEADER)
    change = registration_change(broker, epoch, 0, fenced=UNFENCE)
    return [change, *leader_and_isr_updates(state, leaderless, add=broker)]


def broker_in_controlled_shutdown(state: ReplicationState, broker: int, epoch: int) -> list[Message]:
    """Return the records that begin a controlled shutdown: the mark, unless it is there, and the leaders that move."""
    records = []
    if not state.cluster.in_controlled_shutdown(broker):
        records.append(registration_change(broker, epoch, 1, inControlledShutdown=IN_CONTROLLED_SHUTDOWN))
    return [*records, *leader_and_isr_updates(state, state.indexes.isrs.of(broker), remove=broker)]


def broker_shut_down(state: ReplicationState, broker: int, clean: bool) -> list[Message]:
    """Return what becomes of a broker's partitions when another process of its id registers.

    After an unclean shutdown records that it had may be gone: it leaves the eligible leader replicas too.
    """
    if clean or not state.features.elr_enabled:
        return leader_and_isr_updates(state, state.indexes.isrs.of(broker), remove=broker)
    return _lost(state, broker)


def broker_unregistered(state: ReplicationState, broker: int, epoch: int) -> list[Message]:
    """Return the records that unregister a broker.

    Both passes start from the same partitions: the first one makes the broker eligible where the ISR gets too small,
    and the second looks only at partitions that it was eligible for before. Repaired, it is lost for both.
    """
    if "D7" in state.repaired:
        records = _lost(state, broker)
    else:
        records = leader_and_isr_updates(state, state.indexes.isrs.of(broker), remove=broker)
        records += leader_and_isr_updates(state, state.indexes.elrs.of(broker), remove=broker)
    return [*records, Message("UNREGISTER_BROKER_RECORD", 0, {"brokerId": broker, "brokerEpoch": epoch})]


def _lost(state: ReplicationState, broker: int) -> list[Message]:
    in_isr = leader_and_isr_updates(state, state.indexes.isrs.of(broker), unclean=broker)
    return in_isr + leader_and_isr_updates(state, state.indexes.elrs.of(broker), unclean=broker)


def registration_change(broker: int, epoch: int, version: int, **changes: Any) -> Message:
    """Return a BrokerRegistrationChange record; a field that says "no change" is not given."""
    data = {"brokerId": broker, "brokerEpoch": epoch, **changes}
    return Message("BROKER_REGISTRATION_CHANGE_RECORD", version, data)
