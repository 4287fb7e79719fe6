"""Dynamic configurations of topics, brokers and the cluster (S3:262, ConfigurationControlManager)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from fencepost.reference.kraft.errors import ApiError, Errors
from fencepost.reference.kraft.levels import CORDONED_DIRECTORIES
from fencepost.reference.kraft.messages import (
    APPEND,
    BROKER_RESOURCE,
    DELETE,
    SET,
    SUBTRACT,
    TOPIC_RESOURCE,
    ConfigResource,
    IncrementalAlterConfigsRequest,
    LegacyAlterConfigsRequest,
    ResourceAnswer,
)
from fencepost.reference.kraft.records import Message
from fencepost.reference.kraft.results import MAX_RECORDS_PER_USER_OP, ControllerResult
from fencepost.reference.timeline import TimelineMap
from fencepost.traces.record_types import CLEAR_ELR_RECORD, CONFIG_RECORD

from .config_schema import (
    CONFIG_SCHEMA,
    CORDONED_LOG_DIRS,
    DECIMAL,
    FORKS,
    MIN_INSYNC_REPLICAS,
    UNCLEAN_LEADER_ELECTION,
    WHITE_SPACE,
)
from .hash_tables import java_order, timeline_numbers, timeline_order

if TYPE_CHECKING:
    from fencepost.reference.kraft.settings import Settings
    from fencepost.reference.timeline import SnapshotRegistry

    from .features import FeatureControlManager

CLUSTER_DEFAULT = ConfigResource(BROKER_RESOURCE, "")
"""The resource that holds the defaults of all brokers."""

_LONGEST_VALUE = 32767
_NOTHING: Mapping[str, str] = {}

Change = tuple[str, str | None]
"""A key and its new value, None to delete it."""


class ConfigurationControlManager:
    """The configurations, by resource; the inner maps are replaced whole and never changed.

    `exists` raises an ApiError for a resource that there is not; `policy` is Kafka's `AlterConfigPolicy`: it is given a
    resource and the keys that get a record, and raises an ApiError to refuse. Both are set by the controller. So
    are a fork's rules: `allows` raises an ApiError for what it refuses, `behind` returns what it writes behind. `own`
    is the resource of the node itself, whose values come between those of a topic and of the cluster.
    """

    def __init__(
        self, registry: SnapshotRegistry, settings: Settings, features: FeatureControlManager, node_id: int = -1
    ) -> None:
        self.configs: TimelineMap[ConfigResource, Mapping[str, str]] = TimelineMap(registry)
        self.settings, self.features = settings, features
        self.exists: Callable[[ConfigResource], None] = lambda resource: None
        self.policy: Callable[[ConfigResource, Mapping[str, str | None]], None] = lambda resource, changes: None
        self.allows: Callable[[ConfigResource, Mapping[str, str | None]], None] = lambda resource, changes: None
        self.behind: Callable[[Iterable[Message]], list[Message]] = lambda records: []
        self.own = ConfigResource(BROKER_RESOURCE, str(node_id))

    # -- reading ---------------------------------------------------------------------------------------------------
    def of(self, resource: ConfigResource) -> Mapping[str, str]:
        """Return what is configured for a resource."""
        return self.configs.get(resource, _NOTHING)

    def value(self, resource: ConfigResource, key: str) -> str | None:
        """Return what a resource's key is configured as, None where it is not."""
        return self.of(resource).get(key)

    def effective(self, topic: str, key: str) -> str | None:
        """Return what a topic's key is: its own, else this node's, else the cluster's, else None: the static value.

        A value is checked without the white space around it, and kept with it; with the repair D27 it is read without.
        """
        for resource in (ConfigResource(TOPIC_RESOURCE, topic), self.own, CLUSTER_DEFAULT):
            value = self.value(resource, key)
            if value is not None:
                return value.strip(WHITE_SPACE) if "D27" in self.settings.repaired else value
        return None

    def min_insync_replicas(self, topic: str) -> int:
        """Return the least number of in-sync replicas that a topic asks for, whatever its replication factor.

        Raises ValueError for a text with white space around it, or any other that is no number: a fault, as in Kafka.
        """
        value = self.effective(topic, MIN_INSYNC_REPLICAS)
        if value is None:
            return self.settings.min_insync_replicas
        if not DECIMAL.fullmatch(value):
            raise ValueError(f'For input string: "{value}"')
        return int(value)

    def unclean_leader_election(self, topic: str) -> bool:
        """Whether a topic may elect a leader that may not have all that was acknowledged."""
        value = self.effective(topic, UNCLEAN_LEADER_ELECTION)
        return self.settings.unclean_leader_election_enable if value is None else value.lower() == "true"

    # -- altering --------------------------------------------------------------------------------------------------
    def incremental_alter(
        self, request: IncrementalAlterConfigsRequest, from_broker: bool = True
    ) -> ControllerResult[tuple[ResourceAnswer, ...]]:
        """Alter single keys; a resource that is refused writes nothing (ConfigurationControlManager).

        `from_broker` says that a broker has forwarded the request, so that it knows what it may cordon.
        """
        answers: list[ResourceAnswer] = []
        records: list[Message] = []
        for one in request.resources:
            try:
                changes = list(self._changed(one.resource, one.changes))
                records += self._checked(one.resource, changes, (), new=False, from_broker=from_broker)
                answers.append(ResourceAnswer(one.resource, Errors.NONE))
            except ApiError as refusal:
                answers.append(ResourceAnswer(one.resource, refusal.error, refusal.message))
        return self._result(records, answers, request.validate_only)

    def legacy_alter(
        self, request: LegacyAlterConfigsRequest, from_broker: bool = True
    ) -> ControllerResult[tuple[ResourceAnswer, ...]]:
        """Replace whole configurations: keys that are not named are deleted, after all others."""
        answers: list[ResourceAnswer] = []
        records: list[Message] = []
        for resource, named in request.resources:
            present, wanted = self.of(resource), dict(named)
            changes: list[Change] = [
                (key, wanted[key]) for key in java_order(wanted) if self._needs_record(resource, key, wanted[key])
            ]
            deleted = [key for key in timeline_order(list(present)) if key not in wanted]
            try:
                records += self._checked(resource, changes, deleted, new=False, from_broker=from_broker)
                answers.append(ResourceAnswer(resource, Errors.NONE))
            except ApiError as refusal:
                answers.append(ResourceAnswer(resource, refusal.error, refusal.message))
        return self._result(records, answers, request.validate_only)

    def for_new_topic(self, name: str, configs: Iterable[tuple[str, str | None]]) -> tuple[Message, ...]:
        """Return the records that configure a topic which is being created; raises ApiError where they are refused.

        The records that forget eligible leader replicas come last, as in any other alteration; existence is not asked.
        """
        resource = ConfigResource(TOPIC_RESOURCE, name)
        configs = tuple(configs)
        nulls = [key for key, value in configs if value is None]
        if nulls:
            raise _invalid(f"Null value not supported for topic configs: {','.join(nulls)}")
        changes = list(self._changed(resource, ((key, SET, value) for key, value in configs)))
        records = self._checked(resource, changes, (), new=True, from_broker=True)
        return (*records, *self._forgetting(records))

    def _changed(self, resource: ConfigResource, operations: Iterable[tuple[str, int, str | None]]) -> Iterator[Change]:
        """Yield what operations make of single keys, where it needs a record; of two on one key the last counts.

        Keys come in the order of the hash table that a request is read into.
        """
        last = {key: (operation, value) for key, operation, value in operations}
        for key in java_order(last):
            operation, value = last[key]
            new = self._altered(resource, key, operation, value)
            if self._needs_record(resource, key, new):
                yield key, new

    def _altered(self, resource: ConfigResource, key: str, operation: int, value: str | None) -> str | None:
        if operation == SET:
            return value
        if operation == DELETE:
            return None
        if operation not in (APPEND, SUBTRACT):
            raise ApiError(Errors.INVALID_REQUEST, f"Unknown operation type {operation}.")
        if not CONFIG_SCHEMA.is_list(resource.type, key):
            name = "APPEND" if operation == APPEND else "SUBTRACT"
            raise ApiError(Errors.INVALID_CONFIG, f"Can't {name} to key {key} because its type is not LIST.")
        present = self.value(resource, key)
        if present is None:
            present = CONFIG_SCHEMA.default(resource.type, key) or ""
        members = [member for member in present.split(",") if member]
        for member in java_split(value or ""):
            if operation == APPEND and member not in members:
                members.append(member)
            elif operation == SUBTRACT and member in members:
                members.remove(member)
        return ",".join(members)

    def _needs_record(self, resource: ConfigResource, key: str, new: str | None) -> bool:
        """A broker reloads at every record, so it gets one even where nothing changes (KAFKA-14136)."""
        return resource.type == BROKER_RESOURCE or self.value(resource, key) != new

    # -- checking --------------------------------------------------------------------------------------------------
    def _checked(
        self, resource: ConfigResource, changes: list[Change], deleted: Iterable[str], new: bool, from_broker: bool
    ) -> list[Message]:
        """Return the records of a resource, or raise the first refusal in Kafka's order."""
        deletions: list[Change] = [(key, None) for key in deleted]
        future = dict(self.of(resource))
        for key, value in (*changes, *deletions):
            self._check_change(resource, key, value, from_broker)
            if value is None:
                future.pop(key, None)
            else:
                future[key] = value
        CONFIG_SCHEMA.check(resource, future, FORKS.get(self.settings.fork, {}))
        if not new:
            self.exists(resource)
        self.policy(resource, dict(changes))
        if not new:
            self.allows(resource, dict((*changes, *deletions)))
        return [config_record(resource, key, value) for key, value in (*changes, *deletions)]

    def _check_change(self, resource: ConfigResource, key: str, value: str | None, from_broker: bool) -> None:
        if key == MIN_INSYNC_REPLICAS and resource.type == BROKER_RESOURCE and self.features.elr_enabled:
            if resource.name:
                raise _invalid("Broker-level min.insync.replicas cannot be altered while ELR is enabled.")
            if value is None:
                raise _invalid("Cluster-level min.insync.replicas cannot be removed while ELR is enabled.")
        if key == CORDONED_LOG_DIRS and resource.type == BROKER_RESOURCE:
            if self.features.metadata_version_or_throw() < CORDONED_DIRECTORIES:
                raise _invalid("The cordoned.log.dirs configuration is not supported by this metadata.version.")
            if not from_broker and not _members(value) <= _members(self.value(resource, key)):
                raise _invalid("Sent to a controller, cordoned.log.dirs can only lose members.")
        if value is not None and len(value) > _LONGEST_VALUE:
            raise _invalid(f"The configuration value exceeds the maximum value size of {_LONGEST_VALUE} bytes.")

    def _result(
        self, records: list[Message], answers: list[ResourceAnswer], validate_only: bool
    ) -> ControllerResult[tuple[ResourceAnswer, ...]]:
        written = (*records, *self._forgetting(records), *self.behind(records))
        if len(written) > MAX_RECORDS_PER_USER_OP:
            raise ApiError(Errors.POLICY_VIOLATION, "Unable to perform excessively large batch operation.")
        return ControllerResult(() if validate_only else written, tuple(answers), atomic=True)

    def _forgetting(self, records: Iterable[Message]) -> list[Message]:
        """Return a ClearElr for each new min.insync.replicas, where ELR is on (ConfigurationControlManager)."""
        if not self.features.elr_enabled:
            return []
        clearing: list[Message] = []
        for record in records:
            data = record.data
            if data["name"] != MIN_INSYNC_REPLICAS:
                continue
            resource = ConfigResource(data["resourceType"], data["resourceName"])
            if "D24" in self.settings.repaired and self.value(resource, MIN_INSYNC_REPLICAS) == data["value"]:
                continue
            topic = resource.name if resource.type == TOPIC_RESOURCE else ""
            clearing.append(Message(CLEAR_ELR_RECORD, 0, {"topicName": topic}))
        return clearing

    def elr_safety_records(self) -> list[Message]:
        """Return what fixes min.insync.replicas for the whole cluster before eligible leader replicas are switched on.

        The static value becomes the cluster's where it has none, and every broker's own is deleted, in the order of the
        table of brokers that have configurations (`brokersWithConfigs`).
        """
        records: list[Message] = []
        if self.value(CLUSTER_DEFAULT, MIN_INSYNC_REPLICAS) is None:
            records.append(config_record(CLUSTER_DEFAULT, MIN_INSYNC_REPLICAS, str(self.settings.min_insync_replicas)))
        brokers = {int(one.name): one for one in self.configs if one.type == BROKER_RESOURCE and one.name}
        for resource in map(brokers.__getitem__, timeline_numbers(list(brokers))):
            if self.value(resource, MIN_INSYNC_REPLICAS) is not None:
                records.append(config_record(resource, MIN_INSYNC_REPLICAS, None))
        return records

    # -- replay ----------------------------------------------------------------------------------------------------
    def replay(self, data: Mapping[str, Any]) -> None:
        """Apply a Config record; a key that this software does not know is skipped (ConfigurationControlManager)."""
        resource = ConfigResource(data["resourceType"], data["resourceName"])
        if not CONFIG_SCHEMA.is_known(resource.type, data["name"], FORKS.get(self.settings.fork, {})):
            return
        future = dict(self.of(resource))
        if data["value"] is None:
            future.pop(data["name"], None)
        else:
            future[data["name"]] = data["value"]
        if future:
            self.configs[resource] = future
        else:
            self.configs.pop(resource, None)

    def forget_topic(self, name: str) -> None:
        """Forget what was configured for a topic, as the replay of its removal does."""
        self.configs.pop(ConfigResource(TOPIC_RESOURCE, name), None)


def config_record(resource: ConfigResource, key: str, value: str | None) -> Message:
    """Return the record that sets a key, or deletes it."""
    data = {"resourceType": resource.type, "resourceName": resource.name, "name": key, "value": value}
    return Message(CONFIG_RECORD, 0, data)


def java_split(text: str) -> list[str]:
    """Split at commas as Java's `String.split` does: without empty parts at the end, but one part of an empty text.

    >>> java_split("a,,b,,"), java_split("")
    (['a', '', 'b'], [''])
    """
    if not text:
        return [""]
    parts = text.split(",")
    while parts and not parts[-1]:
        parts.pop()
    return parts


def _members(value: str | None) -> frozenset[str]:
    return frozenset(part.strip() for part in (value or "").split(",") if part.strip())


def _invalid(message: str) -> ApiError:
    return ApiError(Errors.INVALID_CONFIG, message)
