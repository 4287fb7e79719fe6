"""The manager of topics, partitions, ISRs and leaders: the largest of the controller's (S3:196-224).

It is one state and its operations; each operation is a function in the file of its name, so that one can be read
without the others. Operations return records and change nothing; `replay` applies them.
"""

from __future__ import annotations

import random

from fencepost.reference.kraft import messages as m
from fencepost.reference.kraft.errors import Errors
from fencepost.reference.kraft.records import Message
from fencepost.reference.kraft.results import ControllerResult
from fencepost.reference.kraft.settings import Settings
from fencepost.reference.timeline import SnapshotRegistry

from . import alter_partition, broker_lifecycle, directories, diskless, elections, fan_out, reassignments, topics
from .cluster import ClusterControlManager
from .configurations import ConfigurationControlManager
from .features import FeatureControlManager
from .replication_state import ReplicationState


class ReplicationControlManager:
    """Topics and partitions: `topics` by id, `topic_ids` by name, `partitions` by (topic id, number), `indexes`."""

    def __init__(
        self,
        registry: SnapshotRegistry,
        settings: Settings,
        features: FeatureControlManager,
        configurations: ConfigurationControlManager,
        cluster: ClusterControlManager,
        randomness: random.Random,
    ) -> None:
        self.state = ReplicationState(registry, settings, features, configurations, cluster, randomness)
        diskless.install(self.state)
        self.topics, self.topic_ids = self.state.topics, self.state.topic_ids
        self.partitions, self.indexes = self.state.partitions, self.state.indexes

    def replay(self, message: Message) -> None:
        """Apply a Topic, Partition, PartitionChange, RemoveTopic or ClearElr record; raises ReplayError."""
        self.state.replay(message)

    # -- brokers ---------------------------------------------------------------------------------------------------
    def process_heartbeat(
        self, request: m.BrokerHeartbeatRequest, registration_offset: int | None
    ) -> ControllerResult[m.BrokerHeartbeatResponse]:
        """Decide what a broker is from now on; raises STALE_BROKER_EPOCH. The contact was noted on arrival."""
        return broker_lifecycle.process_heartbeat(self.state, request, registration_offset)

    def process_expired_heartbeat(self, request: m.BrokerHeartbeatRequest) -> None:
        """Note a heartbeat that waited too long; raises STALE_BROKER_EPOCH."""
        broker_lifecycle.process_expired_heartbeat(self.state, request)

    def maybe_fence_stale_broker(self, now_ns: int) -> ControllerResult[bool]:
        """Fence one broker that has been silent for too long; true where another look is due at once."""
        return broker_lifecycle.maybe_fence_stale_broker(self.state, now_ns)

    def cleanup(self, broker: int, clean: bool) -> list[Message]:
        """Return what becomes of a broker's partitions when another process of its id registers."""
        return fan_out.broker_shut_down(self.state, broker, clean)

    def unregister_broker(self, request: m.UnregisterBrokerRequest) -> ControllerResult[None]:
        """Take a broker out of the cluster; raises BROKER_ID_NOT_REGISTERED."""
        return broker_lifecycle.unregister_broker(self.state, request)

    # -- leaders and replicas --------------------------------------------------------------------------------------
    def alter_partition(self, request: m.AlterPartitionRequest) -> ControllerResult[tuple[m.AlterPartitionAnswer, ...]]:
        """Accept or refuse the ISRs that a leader proposes; raises STALE_BROKER_EPOCH."""
        return alter_partition.alter_partition(self.state, request)

    def elect_leaders(self, request: m.ElectLeadersRequest) -> ControllerResult[tuple[m.PartitionAnswer, ...]]:
        """Elect leaders of some partitions or of all; raises INVALID_REQUEST, POLICY_VIOLATION."""
        return elections.elect_leaders(self.state, request)

    def maybe_balance_partition_leaders(self) -> ControllerResult[bool]:
        """Give leaderships back to first replicas; true where there may be more to do."""
        return elections.maybe_balance_partition_leaders(self.state)

    def maybe_elect_unclean_leaders(self) -> ControllerResult[bool]:
        """Elect leaders of leaderless partitions whose topic allows unclean ones; true if there may be more."""
        return elections.maybe_elect_unclean_leaders(self.state)

    def alter_partition_reassignments(
        self, request: m.AlterPartitionReassignmentsRequest
    ) -> ControllerResult[tuple[m.PartitionAnswer, ...]]:
        """Begin, override or cancel reassignments."""
        return reassignments.alter_partition_reassignments(self.state, request)

    def assign_replicas_to_dirs(
        self, request: m.AssignReplicasToDirsRequest
    ) -> ControllerResult[tuple[m.DirectoryAnswer, ...]]:
        """Note in which directories a broker has its replicas; raises UNSUPPORTED_VERSION, STALE_BROKER_EPOCH."""
        return directories.assign_replicas_to_dirs(self.state, request)

    def init_diskless_log(self, request: m.InitDisklessLogRequest) -> ControllerResult[tuple[m.PartitionAnswer, ...]]:
        """Commit the seals that a leader proposes (Inkless); raises STALE_BROKER_EPOCH."""
        return diskless.init_diskless_log(self.state, request)

    # -- topics ----------------------------------------------------------------------------------------------------
    def create_topics(self, request: m.CreateTopicsRequest) -> ControllerResult[tuple[m.CreateTopicAnswer, ...]]:
        """Create topics; raises POLICY_VIOLATION for too many partitions."""
        return topics.create_topics(self.state, request)

    def create_partitions(self, request: m.CreatePartitionsRequest) -> ControllerResult[tuple[m.PartitionAnswer, ...]]:
        """Enlarge topics; raises POLICY_VIOLATION for too many partitions."""
        return topics.create_partitions(self.state, request)

    def delete_topics(self, request: m.DeleteTopicsRequest) -> ControllerResult[dict[str, Errors]]:
        """Delete topics."""
        return topics.delete_topics(self.state, request)
