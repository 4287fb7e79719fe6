"""The managers of a controller, one a domain of metadata, and which of them replays which record."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from fencepost.reference.kraft import messages as m
from fencepost.reference.kraft.errors import ApiError, Errors, ReplayError
from fencepost.reference.kraft.inkless import supported
from fencepost.reference.kraft.messages import BROKER_RESOURCE, TOPIC_RESOURCE, ConfigResource
from fencepost.reference.kraft.records import Message
from fencepost.reference.kraft.results import ControllerResult
from fencepost.reference.kraft.settings import Settings
from fencepost.reference.timeline import SnapshotRegistry

from .cluster import REPLAYED as BROKERS_AND_CONTROLLERS
from .cluster import ClusterControlManager
from .configurations import ConfigurationControlManager
from .features import FeatureControlManager, KRaftVersionAccessor
from .producer_ids import ProducerIdControlManager
from .replication import ReplicationControlManager
from .security import SecurityManagers

Replay = Callable[[Message, int], Any]
Operation = Callable[[Any], ControllerResult[Any]]


class Managers:
    """All that a controller keeps in memory apart from its offsets, as the records of its log have made it."""

    def __init__(
        self,
        registry: SnapshotRegistry,
        cluster_id: str,
        settings: Settings,
        randomness: random.Random,
        voters: Sequence[int],
        node_id: int = -1,
        kraft_version: KRaftVersionAccessor | int = 0,
    ) -> None:
        self.features = FeatureControlManager(registry, supported(settings.fork), voters, node_id, kraft_version)
        self.configurations = ConfigurationControlManager(registry, settings, self.features, node_id)
        self.cluster = ClusterControlManager(registry, cluster_id, settings, self.features)
        self.producer_ids = ProducerIdControlManager(registry, self.cluster)
        self.replication = ReplicationControlManager(
            registry, settings, self.features, self.configurations, self.cluster, randomness
        )
        self.security = SecurityManagers(registry, self.features, settings, randomness)
        self.configurations.exists = self._check_exists
        self.replays = self._by_type()

    def operations(self) -> dict[type, tuple[str, Operation]]:
        """Return what is done with each request, with Kafka's name of the event.

        Registrations and heartbeats are not among them: they ask for the clock and the offsets, which are the
        controller's.
        """
        configurations, replication = self.configurations, self.replication
        return {
            m.UnregisterBrokerRequest: ("unregisterBroker", replication.unregister_broker),
            m.AlterPartitionRequest: ("alterPartition", replication.alter_partition),
            m.CreateTopicsRequest: ("createTopics", replication.create_topics),
            m.CreatePartitionsRequest: ("createPartitions", replication.create_partitions),
            m.DeleteTopicsRequest: ("deleteTopics", replication.delete_topics),
            m.ElectLeadersRequest: ("electLeaders", replication.elect_leaders),
            m.AlterPartitionReassignmentsRequest: (
                "alterPartitionReassignments",
                replication.alter_partition_reassignments,
            ),
            m.AssignReplicasToDirsRequest: ("assignReplicasToDirs", replication.assign_replicas_to_dirs),
            m.IncrementalAlterConfigsRequest: ("incrementalAlterConfigs", configurations.incremental_alter),
            m.LegacyAlterConfigsRequest: ("legacyAlterConfigs", configurations.legacy_alter),
            m.UpdateFeaturesRequest: (
                "updateFeatures",
                lambda request: self.features.update(request, self.cluster, configurations),
            ),
            m.AllocateProducerIdsRequest: ("allocateProducerIds", self.producer_ids.allocate),
            m.ControllerRegistrationRequest: ("registerController", self.cluster.register_controller),
            m.UnregisterControllerRequest: ("unregisterController", self.cluster.unregister_controller),
            m.CreateAclsRequest: ("createAcls", self.security.acls.create),
            m.DeleteAclsRequest: ("deleteAcls", self.security.acls.delete),
            m.AlterUserScramCredentialsRequest: ("alterUserScramCredentials", self.security.scram.alter),
            m.CreateDelegationTokenRequest: ("createDelegationToken", self.security.tokens.create),
            m.RenewDelegationTokenRequest: ("renewDelegationToken", self.security.tokens.renew),
            m.ExpireDelegationTokenRequest: ("expireDelegationToken", self.security.tokens.expire),
            m.AlterClientQuotasRequest: ("alterClientQuotas", self.security.quotas.alter),
            m.InitDisklessLogRequest: ("initDisklessLog", replication.init_diskless_log),
        }

    def replay(self, message: Message, offset: int) -> None:
        """Hand a record to the manager that it concerns; raises ReplayError for an unknown type."""
        replay = self.replays.get(message.type)
        if replay is None:
            raise ReplayError(f"{message.type} at offset {offset}: this controller does not know records of that type")
        replay(message, offset)

    def _by_type(self) -> dict[str, Replay]:
        handlers: dict[str, Replay] = {
            "FEATURE_LEVEL_RECORD": lambda message, _: self.features.replay(message.data),
            "CONFIG_RECORD": lambda message, _: self.configurations.replay(message.data),
            "PRODUCER_IDS_RECORD": lambda message, _: self.producer_ids.replay(message.data),
            "NO_OP_RECORD": _nothing,
            "ZK_MIGRATION_STATE_RECORD": _nothing,
        }
        handlers |= dict.fromkeys(BROKERS_AND_CONTROLLERS, self.cluster.replay)
        handlers |= dict.fromkeys(
            ("TOPIC_RECORD", "PARTITION_RECORD", "PARTITION_CHANGE_RECORD", "REMOVE_TOPIC_RECORD", "CLEAR_ELR_RECORD"),
            lambda message, _: self.replication.replay(message),
        )
        handlers |= dict.fromkeys(self.security.types, lambda message, _: self.security.replay(message))
        return handlers

    def _check_exists(self, resource: ConfigResource) -> None:
        """Raise an ApiError for a topic or a node that there is not (QuorumController.ConfigResourceExistenceChecker).

        A node is a registered broker, a registered controller, or one that controller.quorum.voters names.
        """
        if resource.type == TOPIC_RESOURCE and resource.name not in self.replication.topic_ids:
            raise ApiError(Errors.UNKNOWN_TOPIC_OR_PARTITION, f"The topic {resource.name!r} does not exist.")
        if resource.type != BROKER_RESOURCE or not resource.name:
            return
        if not resource.name.lstrip("-").isdecimal():
            raise ApiError(Errors.INVALID_REQUEST, f"Invalid broker name {resource.name!r}")
        node = int(resource.name)
        nodes = (self.cluster.registrations, self.cluster.controllers, self.features.voters)
        if not any(node in known for known in nodes):
            raise ApiError(Errors.BROKER_ID_NOT_REGISTERED, f"No node with id {node} found.")


def _nothing(message: Message, offset: int) -> None:
    """Apply a record that only makes the log longer."""
