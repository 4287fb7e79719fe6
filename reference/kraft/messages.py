"""The requests that a controller is sent, and its answers: Kafka's messages by its own names, without the wire.

An error of a whole request is an `ApiError`, raised to the sender; errors of parts are in the answers.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from .errors import Errors

AUTO = -1
"""Where a count or a replication factor is left to the controller."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A listener of a broker or controller."""

    name: str
    host: str
    port: int
    security_protocol: int = 0


@dataclass(frozen=True, slots=True)
class FeatureRange:
    """A feature with the lowest and the highest level that a server supports."""

    name: str
    lowest: int
    highest: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerRegistrationRequest:
    """A broker registers; `log_dirs` are ids, `previous_broker_epoch` is left by a clean shutdown, else −1."""

    broker_id: int
    cluster_id: str
    incarnation_id: str
    listeners: tuple[Endpoint, ...] = ()
    features: tuple[FeatureRange, ...] = ()
    rack: str | None = None
    is_migrating_zk_broker: bool = False
    log_dirs: tuple[str, ...] = ()
    previous_broker_epoch: int = -1
    version: int = 4


@dataclass(frozen=True, slots=True)
class BrokerRegistrationResponse:
    """The broker epoch that was assigned."""

    broker_epoch: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerHeartbeatRequest:
    """A broker's heartbeat; the offset is that of the last record that it applied, directories are ids."""

    broker_id: int
    broker_epoch: int
    current_metadata_offset: int
    want_fence: bool = False
    want_shut_down: bool = False
    offline_log_dirs: tuple[str, ...] = ()
    cordoned_log_dirs: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class BrokerHeartbeatResponse:
    """The controller's answer to a heartbeat; `in_controlled_shutdown` is for the controller itself, not sent."""

    is_caught_up: bool
    is_fenced: bool
    in_controlled_shutdown: bool
    should_shut_down: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class UnregisterBrokerRequest:
    """An administrator takes a broker out of the cluster."""

    broker_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AlterPartitionData:
    """A leader's proposal for one partition; `new_isr` pairs each member with its broker epoch, −1 if not given."""

    topic_id: str
    partition: int
    leader_epoch: int
    partition_epoch: int
    new_isr: tuple[tuple[int, int], ...]
    leader_recovery_state: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class AlterPartitionRequest:
    """A leader proposes ISRs."""

    broker_id: int
    broker_epoch: int
    partitions: tuple[AlterPartitionData, ...]
    version: int = 3


@dataclass(frozen=True, slots=True)
class AlterPartitionAnswer:
    """The answer for one partition; all but the error only with NONE."""

    topic_id: str
    partition: int
    error: Errors
    leader: int = 0
    leader_epoch: int = 0
    isr: tuple[int, ...] = ()
    leader_recovery_state: int = 0
    partition_epoch: int = 0


@dataclass(frozen=True, slots=True)
class TopicRequest:
    """A topic to create: counts, or an assignment (replicas by partition number) with both counts −1."""

    name: str
    num_partitions: int = AUTO
    replication_factor: int = AUTO
    assignments: tuple[tuple[int, tuple[int, ...]], ...] = ()
    configs: tuple[tuple[str, str | None], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateTopicsRequest:
    """Topics to create; with `validate_only` nothing is written."""

    topics: tuple[TopicRequest, ...]
    validate_only: bool = False


@dataclass(frozen=True, slots=True)
class CreateTopicAnswer:
    """The answer for one topic; id, counts only with NONE."""

    name: str
    error: Errors
    message: str = ""
    topic_id: str = ""
    num_partitions: int = 0
    replication_factor: int = 0


@dataclass(frozen=True, slots=True)
class PartitionsRequest:
    """A topic that gets more partitions: how many in all, and the replicas of the added ones where they are given."""

    name: str
    count: int
    assignments: tuple[tuple[int, ...], ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CreatePartitionsRequest:
    """Topics that get more partitions."""

    topics: tuple[PartitionsRequest, ...]
    validate_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteTopicsRequest:
    """Topics to delete, by id."""

    topic_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ElectLeadersRequest:
    """Elections: type 0 PREFERRED or 1 UNCLEAN, of partitions by topic name and number, None for all."""

    election_type: int
    partitions: tuple[tuple[str, int], ...] | None = None


@dataclass(frozen=True, slots=True)
class ReassignablePartition:
    """A partition to reassign; `replicas` None cancels."""

    topic: str
    partition: int
    replicas: tuple[int, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AlterPartitionReassignmentsRequest:
    """Reassignments to start or to cancel."""

    partitions: tuple[ReassignablePartition, ...]
    allow_replication_factor_change: bool = True


@dataclass(frozen=True, slots=True)
class PartitionAnswer:
    """The error of one partition, by topic name, in elections, reassignments and added partitions."""

    topic: str
    partition: int
    error: Errors
    message: str = ""


TOPIC_RESOURCE, BROKER_RESOURCE = 2, 4
"""The types of resources whose configuration the controller keeps."""

SET, DELETE, APPEND, SUBTRACT = 0, 1, 2, 3
"""Operations of an incremental alteration on one key."""


@dataclass(frozen=True, slots=True)
class ConfigResource:
    """A topic (type 2) by name, or a broker (type 4) by id, "" for all brokers."""

    type: int
    name: str


@dataclass(frozen=True, slots=True)
class ConfigChanges:
    """Changes of one resource: (key, operation, value) in order."""

    resource: ConfigResource
    changes: tuple[tuple[str, int, str | None], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class IncrementalAlterConfigsRequest:
    """Configurations to alter, a resource at most once."""

    resources: tuple[ConfigChanges, ...]
    validate_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LegacyAlterConfigsRequest:
    """Configurations to replace: keys of a resource that are not named are deleted."""

    resources: tuple[tuple[ConfigResource, tuple[tuple[str, str], ...]], ...]
    validate_only: bool = False


@dataclass(frozen=True, slots=True)
class ResourceAnswer:
    """The error of one resource."""

    resource: ConfigResource
    error: Errors
    message: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AssignReplicasToDirsRequest:
    """A broker says in which directories its replicas are: (directory id, topic id, partition)."""

    broker_id: int
    broker_epoch: int
    assignments: tuple[tuple[str, str, int], ...]


@dataclass(frozen=True, slots=True)
class DirectoryAnswer:
    """The error of one replica."""

    directory: str
    topic_id: str
    partition: int
    error: Errors


@dataclass(frozen=True, slots=True, kw_only=True)
class AllocateProducerIdsRequest:
    """A broker asks for a block of producer ids."""

    broker_id: int
    broker_epoch: int


@dataclass(frozen=True, slots=True)
class ProducerIdsBlock:
    """The first id of a block and how many there are."""

    first: int
    size: int


UPGRADE, SAFE_DOWNGRADE, UNSAFE_DOWNGRADE = 1, 2, 3
"""The types of feature updates."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateFeaturesRequest:
    """Features to finalize at a level: (name, level, type), each of the types above."""

    updates: tuple[tuple[str, int, int], ...]
    validate_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ControllerRegistrationRequest:
    """A controller registers the features that it supports."""

    controller_id: int
    incarnation_id: str
    listeners: tuple[Endpoint, ...] = ()
    features: tuple[FeatureRange, ...] = field(default=())


@dataclass(frozen=True, slots=True, kw_only=True)
class UnregisterControllerRequest:
    """An administrator takes a controller's registration away."""

    controller_id: int


# -- access control, credentials, tokens, quotas -----------------------------------------------------------------------
ANY, MATCH = 1, 2
"""In a filter: whatever the type; a pattern that is for a name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AclBinding:
    """An access control entry, types by Kafka's codes; as a filter None and ANY match all."""

    resource_type: int
    resource_name: str | None
    pattern_type: int
    principal: str | None
    host: str | None
    operation: int
    permission_type: int


@dataclass(frozen=True, slots=True)
class CreateAclsRequest:
    """Entries that are to be in force; one error each."""

    acls: tuple[AclBinding, ...]


@dataclass(frozen=True, slots=True)
class DeleteAclsRequest:
    """Filters of entries that are to go; one answer each."""

    filters: tuple[AclBinding, ...]


@dataclass(frozen=True, slots=True)
class DeletedAcls:
    """The result of a filter: an error, or the entries that it deleted."""

    error: Errors
    deleted: tuple[AclBinding, ...] = ()


@dataclass(frozen=True, slots=True)
class ScramUpsertion:
    """A credential that is to be there: what the client made of the password."""

    user: str
    mechanism: int
    iterations: int
    salt: bytes
    salted_password: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class AlterUserScramCredentialsRequest:
    """Credentials that are to go, each a user and a mechanism, and others that are to be there; one error a user."""

    deletions: tuple[tuple[str, int], ...] = ()
    upsertions: tuple[ScramUpsertion, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateDelegationTokenRequest:
    """A token for `owner`, or for the requester; a period that is not positive is the controller's setting."""

    by: str
    owner: str | None = None
    renewers: tuple[str, ...] = ()
    max_lifetime_ms: int = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class RenewDelegationTokenRequest:
    """Renew a token, given by its HMAC."""

    by: str
    hmac: bytes
    renew_period_ms: int = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpireDelegationTokenRequest:
    """A token is to end at another time; with a negative period at once."""

    by: str
    hmac: bytes
    expiry_period_ms: int = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class DelegationTokenResponse:
    """The answer to a request about a token: an error, or the token with its times in milliseconds."""

    error: Errors
    token_id: str = ""
    hmac: bytes = b""
    issued_ms: int = 0
    expires_ms: int = 0
    latest_ms: int = 0


@dataclass(frozen=True, slots=True)
class ClientQuotaAlteration:
    """Keys of one entity, which is types with names, None for the default; a key without a value is taken away."""

    entity: tuple[tuple[str, str | None], ...]
    changes: tuple[tuple[str, float | None], ...]


@dataclass(frozen=True, slots=True)
class AlterClientQuotasRequest:
    """Alterations of client quotas; one error an entity."""

    alterations: tuple[ClientQuotaAlteration, ...]
    validate_only: bool = False


@dataclass(frozen=True, slots=True)
class DisklessSeal:
    """Where a sealed log ends, by its leader in an epoch, with the last batch of each producer (Inkless)."""

    topic_id: str
    partition: int
    leader_epoch: int
    offset: int
    producers: tuple[tuple[int, int, int, int, int, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class InitDisklessLogRequest:
    """A leader says where the classic logs of partitions end whose switch to diskless storage has begun (Inkless)."""

    broker_id: int
    broker_epoch: int
    seals: tuple[DisklessSeal, ...]


Request = (
    BrokerRegistrationRequest
    | BrokerHeartbeatRequest
    | UnregisterBrokerRequest
    | AlterPartitionRequest
    | CreateTopicsRequest
    | CreatePartitionsRequest
    | DeleteTopicsRequest
    | ElectLeadersRequest
    | AlterPartitionReassignmentsRequest
    | IncrementalAlterConfigsRequest
    | LegacyAlterConfigsRequest
    | AssignReplicasToDirsRequest
    | AllocateProducerIdsRequest
    | UpdateFeaturesRequest
    | ControllerRegistrationRequest
    | UnregisterControllerRequest
    | CreateAclsRequest
    | DeleteAclsRequest
    | AlterUserScramCredentialsRequest
    | CreateDelegationTokenRequest
    | RenewDelegationTokenRequest
    | ExpireDelegationTokenRequest
    | AlterClientQuotasRequest
    | InitDisklessLogRequest
)
"""Everything that can be asked of a controller."""
