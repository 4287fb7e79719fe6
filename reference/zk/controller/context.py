"""The memory of a controller: the state that it loaded when it was elected, and its changes since.

Nothing of it is written down but what the znodes hold; it is gone when the controller resigns or dies. Every change
goes through a method here, so that each step can tell what it changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from fencepost.reference.zk.names import (
    Leadership,
    PartitionState,
    Replica,
    ReplicaAssignment,
    ReplicaState,
    TopicPartition,
)


class ControllerContext:
    """The controller's memory.

    `live` has the epoch of every registered broker, those shutting down included; `offline_replicas` the partitions in
    failed log directories by broker. `queued` are topics to be deleted, `deletion_started` those of them whose
    partitions are gone, `ineligible` those whose deletion has to wait. `reassigning` keeps its order.
    """

    def __init__(self) -> None:
        self.epoch = -1
        self.epoch_version = -1
        self.live: dict[int, int] = {}
        self.shutting_down: set[int] = set()
        self.offline_replicas: dict[int, set[TopicPartition]] = {}
        self.topics: dict[str, str] = {}
        self.assignments: dict[TopicPartition, ReplicaAssignment] = {}
        self.leadership: dict[TopicPartition, Leadership] = {}
        self.partition_states: dict[TopicPartition, PartitionState] = {}
        self.replica_states: dict[Replica, ReplicaState] = {}
        self.queued: set[str] = set()
        self.deletion_started: set[str] = set()
        self.ineligible: set[str] = set()
        self.reassigning: dict[TopicPartition, None] = {}
        self._changed: dict[str, Any] = {}

    # -- brokers ---------------------------------------------------------------------------------------------------
    def live_brokers(self) -> list[int]:
        """Return the brokers that are registered and not shutting down."""
        return sorted(broker for broker in self.live if broker not in self.shutting_down)

    def live_or_shutting_down(self) -> list[int]:
        """Return all registered brokers."""
        return sorted(self.live)

    def is_online(self, broker: int, partition: TopicPartition, *, or_shutting_down: bool = False) -> bool:
        """Whether the replica of a partition on a broker can be used: broker up, directory in order."""
        up = broker in self.live and (or_shutting_down or broker not in self.shutting_down)
        return up and partition not in self.offline_replicas.get(broker, ())

    def add_live(self, brokers: Mapping[int, int]) -> None:
        """Take brokers for alive, with their epochs."""
        self.live.update(brokers)
        self._brokers_changed()

    def remove_live(self, brokers: Iterable[int]) -> None:
        """Take brokers for dead."""
        for broker in brokers:
            self.live.pop(broker, None)
        self._brokers_changed()

    def set_shutting_down(self, broker: int, value: bool) -> None:
        """Remember that a broker is shutting down, or forget it."""
        (self.shutting_down.add if value else self.shutting_down.discard)(broker)
        self._changed["shutting_down"] = sorted(self.shutting_down)

    def set_offline_replicas(self, broker: int, partitions: Iterable[TopicPartition]) -> None:
        """Remember which replicas of a broker lie in failed directories."""
        self.offline_replicas[broker] = set(partitions)
        if not self.offline_replicas[broker]:
            del self.offline_replicas[broker]
        self._changed["offline_replicas"] = self._offline()

    def _brokers_changed(self) -> None:
        self._changed["live"] = {str(broker): epoch for broker, epoch in sorted(self.live.items())}

    def _offline(self) -> list[list[Any]]:
        replicas = self.offline_replicas.items()
        return [[one.topic, one.partition, broker] for broker, found in sorted(replicas) for one in sorted(found)]

    # -- partitions ------------------------------------------------------------------------------------------------
    def replicas(self, partition: TopicPartition) -> tuple[int, ...]:
        """Return the assigned replicas of a partition, empty for one that is not known."""
        return self.assignment(partition).replicas

    def assignment(self, partition: TopicPartition) -> ReplicaAssignment:
        """Return the assignment of a partition, an empty one if it is not known."""
        return self.assignments.get(partition, ReplicaAssignment(()))

    def set_assignment(self, partition: TopicPartition, assignment: ReplicaAssignment) -> None:
        """Take up an assignment."""
        self.assignments[partition] = assignment
        self._note("assignment", partition, _assignment(assignment))

    def set_leadership(self, partition: TopicPartition, leadership: Leadership | None) -> None:
        """Take up a leadership, or forget it."""
        if leadership is None:
            self.leadership.pop(partition, None)
        else:
            self.leadership[partition] = leadership
        self._note("leadership", partition, _leadership(leadership))

    def state(self, partition: TopicPartition) -> PartitionState:
        """Return the state of a partition; an unknown one does not exist."""
        return self.partition_states.get(partition, PartitionState.NON_EXISTENT)

    def set_state(self, partition: TopicPartition, state: PartitionState) -> None:
        """Let a partition be in a state."""
        self.partition_states[partition] = state
        self._note("partitions", partition, state.value)

    def replica_state(self, replica: Replica) -> ReplicaState:
        """Return the state of a replica; an unknown one does not exist."""
        return self.replica_states.get(replica, ReplicaState.NON_EXISTENT)

    def set_replica_state(self, replica: Replica, state: ReplicaState) -> None:
        """Let a replica be in a state; of one that does not exist nothing is kept."""
        if state is ReplicaState.NON_EXISTENT:
            self.replica_states.pop(replica, None)
        else:
            self.replica_states[replica] = state
        self._changed.setdefault("replicas", {}).setdefault(str(replica.partition), {})[str(replica.broker)] = (
            state.value
        )

    def partitions_of(self, topic: str) -> list[TopicPartition]:
        """Return the partitions of a topic."""
        return [one for one in self.assignments if one.topic == topic]

    def replicas_of(self, partitions: Iterable[TopicPartition]) -> list[Replica]:
        """Return all replicas of partitions."""
        return [Replica(one, broker) for one in partitions for broker in self.replicas(one)]

    def replicas_of_topic(self, topic: str) -> list[Replica]:
        """Return all replicas of a topic's partitions."""
        return self.replicas_of(self.partitions_of(topic))

    def replicas_on(self, brokers: Iterable[int]) -> list[Replica]:
        """Return all replicas on some brokers."""
        return [
            Replica(one, broker)
            for broker in brokers
            for one, found in self.assignments.items()
            if broker in found.replicas
        ]

    def partitions_in(self, *states: PartitionState) -> list[TopicPartition]:
        """Return the partitions that are in one of some states."""
        return [one for one, state in self.partition_states.items() if state in states and one in self.assignments]

    def partitions_with_offline_leader(self) -> list[TopicPartition]:
        """Return the partitions whose leader cannot be used, those of topics being deleted aside."""
        return [
            one
            for one, leadership in self.leadership.items()
            if not self.is_online(leadership.leader, one) and one.topic not in self.queued
        ]

    # -- topics ----------------------------------------------------------------------------------------------------
    def add_topic(self, topic: str, topic_id: str) -> None:
        """Know of a topic."""
        self.topics[topic] = topic_id

    def remove_topic(self, topic: str) -> None:
        """Forget a topic, its partitions and their leadership."""
        for partition in self.partitions_of(topic):
            del self.assignments[partition]
            self._note("assignment", partition, None)
            if partition in self.leadership:
                self.set_leadership(partition, None)
            self.reassigning.pop(partition, None)
            self.partition_states.pop(partition, None)
            self._note("partitions", partition, PartitionState.NON_EXISTENT.value)
        for replica in [one for one in self.replica_states if one.partition.topic == topic]:
            self.set_replica_state(replica, ReplicaState.NON_EXISTENT)
        self.topics.pop(topic, None)
        self.deletion_started.discard(topic)
        for name, topics in (("queued", self.queued), ("ineligible", self.ineligible)):
            if topic in topics:
                topics.discard(topic)
                self._changed[name] = sorted(topics)

    def queue_deletion(self, topics: Iterable[str]) -> None:
        """Remember that topics are to be deleted."""
        self.queued.update(topics)
        self._changed["queued"] = sorted(self.queued)

    def set_ineligible(self, topics: Iterable[str], value: bool) -> None:
        """Let the deletion of topics wait, or go on."""
        (self.ineligible.update if value else self.ineligible.difference_update)(topics)
        self._changed["ineligible"] = sorted(self.ineligible)

    def set_reassigning(self, partition: TopicPartition, value: bool) -> None:
        """Remember that a partition is being reassigned, or that it no longer is."""
        if value:
            self.reassigning[partition] = None
        else:
            self.reassigning.pop(partition, None)
        self._changed["reassigning"] = [str(one) for one in self.reassigning]

    # -- telling ---------------------------------------------------------------------------------------------------
    def changes(self) -> dict[str, Any] | None:
        """Return what changed since the last call, None for nothing."""
        changed, self._changed = self._changed, {}
        return changed or None

    def whole(self) -> dict[str, Any]:
        """Return the whole memory, in the form of the changes, and count nothing as changed."""
        self._changed = {}
        replicas: dict[str, dict[str, str]] = {}
        for replica, state in self.replica_states.items():
            replicas.setdefault(str(replica.partition), {})[str(replica.broker)] = state.value
        self._brokers_changed()
        return {
            **(self.changes() or {}),
            "shutting_down": sorted(self.shutting_down),
            "offline_replicas": self._offline(),
            "partitions": {str(one): state.value for one, state in self.partition_states.items()},
            "replicas": replicas,
            "assignment": {str(one): _assignment(found) for one, found in self.assignments.items()},
            "leadership": {str(one): _leadership(found) for one, found in self.leadership.items()},
            "queued": sorted(self.queued),
            "ineligible": sorted(self.ineligible),
            "reassigning": [str(one) for one in self.reassigning],
        }

    def _note(self, name: str, partition: TopicPartition, value: Any) -> None:
        self._changed.setdefault(name, {})[str(partition)] = value

    def __iter__(self) -> Iterator[TopicPartition]:
        return iter(self.assignments)


def _assignment(assignment: ReplicaAssignment) -> dict[str, list[int]]:
    return {
        "replicas": list(assignment.replicas),
        "adding": list(assignment.adding),
        "removing": list(assignment.removing),
    }


def _leadership(leadership: Leadership | None) -> dict[str, Any] | None:
    if leadership is None:
        return None
    return {
        "leader": leadership.leader,
        "leader_epoch": leadership.leader_epoch,
        "isr": list(leadership.isr),
        "controller_epoch": leadership.controller_epoch,
        "version": leadership.version,
        "recovery": leadership.recovery,
    }
