"""The managers of one active controller without a log around them: what an operation writes is replayed at once."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import Any

from fencepost.reference.kraft import messages as m
from fencepost.reference.kraft.controller.cluster import ClusterControlManager
from fencepost.reference.kraft.controller.configurations import ConfigurationControlManager
from fencepost.reference.kraft.controller.features import FeatureControlManager
from fencepost.reference.kraft.controller.partitions import PartitionRegistration
from fencepost.reference.kraft.controller.replication import ReplicationControlManager
from fencepost.reference.kraft.levels import ELR_VERSION, LATEST_PRODUCTION, METADATA_VERSION, SUPPORTED_FEATURES
from fencepost.reference.kraft.records import Message
from fencepost.reference.kraft.results import ControllerResult
from fencepost.reference.kraft.settings import Settings
from fencepost.reference.timeline import SnapshotRegistry

CLUSTER = "bench"
SECOND = 1_000_000_000
FEATURES = tuple(m.FeatureRange(name, *levels) for name, levels in SUPPORTED_FEATURES.items())


def directory(broker: int, number: int = 0) -> str:
    """A directory id of a broker's own."""
    return f"{broker:05d}{number:05d}AAAAAAAAAAAA"


class Bench:
    """Managers, the offset of the last record, and the records of the last operation."""

    def __init__(
        self,
        level: int = LATEST_PRODUCTION,
        elr: bool = True,
        repaired: Iterable[str] = (),
        seed: int = 0,
        fork: str = "",
    ) -> None:
        self.registry, self.settings = SnapshotRegistry(), Settings(repaired=frozenset(repaired), fork=fork)
        self.features = FeatureControlManager(self.registry, SUPPORTED_FEATURES)
        self.configurations = ConfigurationControlManager(self.registry, self.settings, self.features)
        self.cluster = ClusterControlManager(self.registry, CLUSTER, self.settings, self.features)
        self.replication = ReplicationControlManager(
            self.registry, self.settings, self.features, self.configurations, self.cluster, random.Random(seed)
        )
        self.offset, self.now_ns, self.incarnations = -1, SECOND, 0
        self.records: tuple[Message, ...] = ()
        self.replay(Message("FEATURE_LEVEL_RECORD", 0, {"name": METADATA_VERSION, "featureLevel": level}))
        if elr:
            self.replay(Message("FEATURE_LEVEL_RECORD", 0, {"name": ELR_VERSION, "featureLevel": 1}))
        self.cluster.activate(self.now_ns)

    def replay(self, message: Message) -> None:
        """Apply one record."""
        self.offset += 1
        match message.type:
            case "FEATURE_LEVEL_RECORD":
                self.features.replay(message.data)
            case "CONFIG_RECORD":
                self.configurations.replay(message.data)
            case (
                "TOPIC_RECORD" | "PARTITION_RECORD" | "PARTITION_CHANGE_RECORD" | "REMOVE_TOPIC_RECORD"
                | "CLEAR_ELR_RECORD"
            ):  # fmt: skip
                self.replication.replay(message)
            case _:
                self.cluster.replay(message, self.offset)

    def apply(self, result: ControllerResult[Any]) -> Any:
        """Replay what an operation wrote, and return its response."""
        self.records = result.records
        for record in result.records:
            self.replay(record)
        return result.response

    # -- brokers ---------------------------------------------------------------------------------------------------
    def register(self, broker: int, clean: bool = False, rack: str | None = None, dirs: int = 1) -> None:
        """Let a new process of a broker register."""
        self.incarnations += 1
        known = self.cluster.registrations.get(broker)
        # Its former session is over.
        self.now_ns += 10 * SECOND
        request = m.BrokerRegistrationRequest(
            broker_id=broker,
            cluster_id=CLUSTER,
            incarnation_id=f"incarnation{self.incarnations:011d}",
            features=FEATURES,
            rack=rack,
            log_dirs=tuple(directory(broker, number) for number in range(dirs)),
            previous_broker_epoch=known.epoch if clean and known else -1,
        )
        self.apply(self.cluster.register(request, self.offset + 1, self.now_ns, self.replication.cleanup))

    def heartbeat(self, broker: int, **said: Any) -> m.BrokerHeartbeatResponse:
        """Let a broker beat, caught up unless it says otherwise."""
        request = m.BrokerHeartbeatRequest(
            broker_id=broker,
            broker_epoch=self.cluster.registrations[broker].epoch,
            **{"current_metadata_offset": self.offset, **said},
        )
        registered = self.cluster.registration_offsets[broker]
        self.cluster.track(broker, request.broker_epoch, self.now_ns)
        response: m.BrokerHeartbeatResponse = self.apply(self.replication.process_heartbeat(request, registered))
        if response.in_controlled_shutdown:
            self.cluster.active_heartbeats().begin_controlled_shutdown(broker, self.offset)
        return response

    def start(self, *brokers: int, **said: Any) -> None:
        """Let brokers register and be unfenced."""
        for broker in brokers:
            self.register(broker, **said)
            self.heartbeat(broker)

    def fence(self, *brokers: int) -> None:
        """Let brokers be fenced, as they ask for."""
        for broker in brokers:
            self.heartbeat(broker, want_fence=True)

    # -- topics ----------------------------------------------------------------------------------------------------
    def create(self, name: str, *replicas: Sequence[int], **configs: str) -> str:
        """Create a topic with these replicas, and return its id; `min_isr` and `unclean` are its configuration."""
        keys = {"min_isr": "min.insync.replicas", "unclean": "unclean.leader.election.enable"}
        topic = m.TopicRequest(
            name,
            assignments=tuple((number, tuple(one)) for number, one in enumerate(replicas)),
            configs=tuple((keys[key], value) for key, value in configs.items()),
        )
        [answer] = self.apply(self.replication.create_topics(m.CreateTopicsRequest(topics=(topic,))))
        assert answer.error.name == "NONE", answer
        return str(answer.topic_id)

    def configure(self, name: str, key: str, value: str) -> m.ResourceAnswer:
        """Set a topic's configuration, and return the answer."""
        changes = m.ConfigChanges(m.ConfigResource(m.TOPIC_RESOURCE, name), ((key, m.SET, value),))
        request = m.IncrementalAlterConfigsRequest(resources=(changes,))
        [answer] = self.apply(self.configurations.incremental_alter(request))
        return answer

    def delete(self, *topic_ids: str) -> None:
        """Delete topics."""
        self.apply(self.replication.delete_topics(m.DeleteTopicsRequest(topic_ids=topic_ids)))

    def partition(self, topic_id: str, number: int = 0) -> PartitionRegistration:
        """Return a partition as it is now."""
        return self.replication.partitions[topic_id, number]

    def propose(self, topic_id: str, number: int, isr: Sequence[int], recovery: int = 0) -> m.AlterPartitionAnswer:
        """Let the leader of a partition propose an ISR."""
        now = self.partition(topic_id, number)
        data = m.AlterPartitionData(
            topic_id=topic_id,
            partition=number,
            leader_epoch=now.leader_epoch,
            partition_epoch=now.partition_epoch,
            new_isr=tuple((broker, -1) for broker in isr),
            leader_recovery_state=recovery,
        )
        epoch = self.cluster.registrations[now.leader].epoch
        request = m.AlterPartitionRequest(broker_id=now.leader, broker_epoch=epoch, partitions=(data,))
        [answer] = self.apply(self.replication.alter_partition(request))
        assert isinstance(answer, m.AlterPartitionAnswer)
        return answer

    def reassign(self, name: str, target: Sequence[int] | None, number: int = 0, **more: bool) -> str:
        """Ask for other replicas, None to cancel; return the error's name."""
        wanted = m.ReassignablePartition(name, number, None if target is None else tuple(target))
        request = m.AlterPartitionReassignmentsRequest(partitions=(wanted,), **more)
        [answer] = self.apply(self.replication.alter_partition_reassignments(request))
        return str(answer.error.name)
