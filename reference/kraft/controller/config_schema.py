"""The configuration keys that a controller knows: which there are, what they may be, which are lists.

Only the values of topics' keys are validated here, as in Kafka: the configuration of a broker is validated by the
broker that the request was sent to (`ControllerConfigurationValidator`, `LogConfig` of 4.4.0).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from fencepost.reference.kraft.errors import ApiError, Errors
from fencepost.reference.kraft.inkless import DISKLESS_ENABLE, INKLESS
from fencepost.reference.kraft.messages import BROKER_RESOURCE, TOPIC_RESOURCE, ConfigResource

CLIENT_METRICS_RESOURCE, GROUP_RESOURCE = 16, 32
"""Further types of resources whose configurations are in the log."""

MIN_INSYNC_REPLICAS = "min.insync.replicas"
UNCLEAN_LEADER_ELECTION = "unclean.leader.election.enable"
CORDONED_LOG_DIRS = "cordoned.log.dirs"

_LARGEST_INT, _LARGEST_LONG = 2**31 - 1, 2**63 - 1
DECIMAL = re.compile(r"[+-]?\d+")
"""The pattern that Java's `Integer.parseInt` accepts."""
WHITE_SPACE = "".join(map(chr, range(0x21)))
"""The characters that Java's `String.trim` removes."""
_COMMA = re.compile(r"\s*,\s*", re.ASCII)
_DOUBLE = re.compile(r"([+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?)[fFdD]?")
_THROTTLED = re.compile(r"[0-9]+:[0-9]+")
LEGAL_TOPIC_NAME = re.compile(r"[a-zA-Z0-9._-]+")
LONGEST_TOPIC_NAME = 249


@dataclass(frozen=True, slots=True)
class ConfigKey:
    """A key: `refusal` returns why a trimmed text is no value of it, None where it is one."""

    refusal: Callable[[str], str | None]
    default: str | None = None
    is_list: bool = False


def _number(largest: int, lowest: int | None, highest: int | None = None, besides: int | None = None) -> ConfigKey:
    def refusal(text: str) -> str | None:
        if not DECIMAL.fullmatch(text) or not -largest - 1 <= int(text) <= largest:
            return f"Not a number of type {'INT' if largest == _LARGEST_INT else 'LONG'}"
        number = int(text)
        if number == besides:
            return None
        if lowest is not None and number < lowest:
            return f"Value must be at least {lowest}"
        if highest is not None and number > highest:
            return f"Value must be no more than {highest}"
        return None

    return ConfigKey(refusal)


def _int(lowest: int | None, highest: int | None = None, besides: int | None = None) -> ConfigKey:
    return _number(_LARGEST_INT, lowest, highest, besides)


def _long(lowest: int | None) -> ConfigKey:
    return _number(_LARGEST_LONG, lowest)


def _fraction(text: str) -> str | None:
    if text == "NaN":
        # Neither below the lowest value nor above the highest.
        return None
    match = _DOUBLE.fullmatch(text)
    if match is None:
        return "Not a number of type DOUBLE"
    return None if 0 <= float(match[1]) <= 1 else "Value must be between 0 and 1"


def _flag(text: str) -> str | None:
    return None if text.lower() in ("true", "false") else "Expected value to be either true or false"


def _one_of(*values: str) -> ConfigKey:
    allowed = ", ".join(values)
    return ConfigKey(lambda text: None if text in values else f"String must be one of: {allowed}")


def _clean_up(text: str) -> str | None:
    if not text:
        return None
    for part in _COMMA.split(text):
        if part not in ("compact", "delete"):
            return "String must be one of: compact, delete" if part else "values must not be empty"
    return None


def _throttled(text: str) -> str | None:
    parts = [part for part in _COMMA.split(text) if part]
    if parts == ["*"] or all(_THROTTLED.fullmatch(part) for part in parts):
        return None
    return "must be '*' or a list of [partitionId]:[brokerId]"


_FLAG = ConfigKey(_flag)
_REPLICAS = ConfigKey(_throttled, default="", is_list=True)

FORKS: dict[str, dict[str, ConfigKey]] = {INKLESS: {DISKLESS_ENABLE: _FLAG}}
"""The keys of topics that forks have beside Kafka's."""

TOPIC_KEYS: dict[str, ConfigKey] = {
    "cleanup.policy": ConfigKey(_clean_up, default="delete", is_list=True),
    "compression.gzip.level": _int(1, 9, besides=-1),
    "compression.lz4.level": _int(1, 17),
    "compression.type": _one_of("uncompressed", "zstd", "lz4", "snappy", "gzip", "producer"),
    "compression.zstd.level": _int(-131072, 22),
    "delete.retention.ms": _long(0),
    "errors.deadletterqueue.group.enable": _FLAG,
    "file.delete.delay.ms": _long(0),
    "flush.messages": _long(1),
    "flush.ms": _long(0),
    "follower.replication.throttled.replicas": _REPLICAS,
    "index.interval.bytes": _int(0),
    "internal.segment.bytes": _int(None),
    "leader.replication.throttled.replicas": _REPLICAS,
    "local.retention.bytes": _long(-2),
    "local.retention.ms": _long(-2),
    "max.compaction.lag.ms": _long(1),
    "max.decompressed.message.bytes": _int(1, 2147483639),
    "max.message.bytes": _int(0),
    "message.timestamp.after.max.ms": _long(0),
    "message.timestamp.before.max.ms": _long(0),
    "message.timestamp.type": _one_of("CreateTime", "LogAppendTime"),
    "min.cleanable.dirty.ratio": ConfigKey(_fraction),
    "min.compaction.lag.ms": _long(0),
    MIN_INSYNC_REPLICAS: _int(1),
    "preallocate": _FLAG,
    "remote.copy.lag.bytes": _long(-1),
    "remote.copy.lag.ms": _long(-1),
    "remote.log.copy.disable": _FLAG,
    "remote.log.delete.on.disable": _FLAG,
    "remote.storage.enable": _FLAG,
    "retention.bytes": _long(None),
    "retention.ms": _long(-1),
    "segment.bytes": _int(1048576),
    "segment.index.bytes": _int(4),
    "segment.jitter.ms": _long(0),
    "segment.ms": _long(1),
    UNCLEAN_LEADER_ELECTION: _FLAG,
}
"""The keys of topics of 4.4.0."""

_GROUP_KEYS = """
consumer.session.timeout.ms consumer.heartbeat.interval.ms consumer.assignment.interval.ms
consumer.assignor.offload.enable share.session.timeout.ms share.heartbeat.interval.ms share.record.lock.duration.ms
share.delivery.count.limit share.partition.max.record.locks share.auto.offset.reset share.isolation.level
share.renew.acknowledge.enable share.assignment.interval.ms share.assignor.offload.enable streams.session.timeout.ms
streams.heartbeat.interval.ms streams.num.standby.replicas streams.initial.rebalance.delay.ms
streams.assignment.interval.ms streams.assignor.offload.enable streams.task.offset.interval.ms
streams.num.warmup.replicas streams.rack.aware.assignment.tags streams.acceptable.recovery.lag streams.assignor.name
errors.deadletterqueue.topic.name errors.deadletterqueue.copy.record.enable
"""

OTHER_KEYS: dict[int, frozenset[str]] = {
    CLIENT_METRICS_RESOURCE: frozenset(("interval.ms", "match", "metrics")),
    GROUP_RESOURCE: frozenset(_GROUP_KEYS.split()),
}
"""The keys of client metrics and of groups; their values are not validated here, in Kafka they are."""

BROKER_LISTS: dict[str, str | None] = {
    "advertised.listeners": None,
    "config.providers": "",
    "controller.listener.names": None,
    "controller.quorum.bootstrap.servers": "",
    "controller.quorum.voters": "",
    CORDONED_LOG_DIRS: "",
    "early.start.listeners": None,
    "group.consumer.assignors": "uniform,range",
    "group.coordinator.rebalance.protocols": "classic,consumer,streams",
    "group.share.assignors": "simple",
    "group.streams.assignors": "sticky",
    "group.streams.rack.aware.assignment.tags": "",
    "kafka.metrics.reporters": "",
    "listeners": "PLAINTEXT://:9092",
    "log.cleanup.policy": "delete",
    "log.dir": "/tmp/kafka-logs",
    "log.dirs": None,
    "metric.reporters": "org.apache.kafka.common.metrics.JmxReporter",
    "process.roles": None,
    "sasl.enabled.mechanisms": "GSSAPI",
    "sasl.kerberos.principal.to.local.rules": "DEFAULT",
    "sasl.oauthbearer.expected.audience": "",
    "ssl.cipher.suites": "",
    "ssl.enabled.protocols": "TLSv1.2,TLSv1.3",
}
"""The keys of brokers that are lists, with their defaults; None where there is none."""


class ConfigSchema:
    """The controller's validation of keys and values."""

    def is_list(self, resource_type: int, key: str) -> bool:
        """Whether APPEND and SUBTRACT go with a key."""
        if resource_type == TOPIC_RESOURCE:
            return key in TOPIC_KEYS and TOPIC_KEYS[key].is_list
        return resource_type == BROKER_RESOURCE and key in BROKER_LISTS

    def default(self, resource_type: int, key: str) -> str | None:
        """Return the default of a list key."""
        if resource_type == TOPIC_RESOURCE:
            return TOPIC_KEYS[key].default if key in TOPIC_KEYS else None
        return BROKER_LISTS.get(key) if resource_type == BROKER_RESOURCE else None

    def is_known(self, resource_type: int, key: str, more: Mapping[str, ConfigKey] = MappingProxyType({})) -> bool:
        """Whether a record with a key is applied; all are for brokers, whose plugins have keys of their own.

        `more` are keys of topics that a fork has.
        """
        if resource_type == TOPIC_RESOURCE:
            return key in TOPIC_KEYS or key in more
        return key in OTHER_KEYS[resource_type] if resource_type in OTHER_KEYS else True

    def check(
        self, resource: ConfigResource, configs: Mapping[str, str], more: Mapping[str, ConfigKey] = MappingProxyType({})
    ) -> None:
        """Raise an ApiError for a resource that can have no configuration, or the first key that is wrong.

        `more` are keys of topics that a fork has.
        """
        if resource.type == TOPIC_RESOURCE:
            check_topic_name(resource.name)
            _check_topic(configs, {**TOPIC_KEYS, **more})
        elif resource.type == BROKER_RESOURCE:
            _check_broker_name(resource.name)
        elif resource.type in OTHER_KEYS:
            _check_names(configs, OTHER_KEYS[resource.type])
        else:
            raise ApiError(Errors.INVALID_REQUEST, f"Unable to validate a resource of type {resource.type}.")


CONFIG_SCHEMA = ConfigSchema()
"""The schema of Kafka 4.4.0."""


def check_topic_name(name: str) -> None:
    """Raise an ApiError for what is no name of a topic."""
    if not name:
        raise ApiError(Errors.INVALID_REQUEST, "Default topic resources are not allowed.")
    if name in (".", ".."):
        raise ApiError(Errors.INVALID_TOPIC_EXCEPTION, "Topic name cannot be '.' or '..'")
    if len(name) > LONGEST_TOPIC_NAME:
        message = f"the length of '{name}' is longer than the max allowed length {LONGEST_TOPIC_NAME}"
        raise ApiError(Errors.INVALID_TOPIC_EXCEPTION, message)
    if not LEGAL_TOPIC_NAME.fullmatch(name):
        raise ApiError(Errors.INVALID_TOPIC_EXCEPTION, f"'{name}' contains characters other than [a-zA-Z0-9._-]")


def _check_topic(configs: Mapping[str, str], known: Mapping[str, ConfigKey]) -> None:
    _check_names(configs, known)
    for key in known:
        if key in configs:
            reason = known[key].refusal(configs[key].strip(WHITE_SPACE))
            if reason is not None:
                message = f"Invalid value {configs[key]} for configuration {key}: {reason}"
                raise ApiError(Errors.INVALID_CONFIG, message)
    shortest = int(configs.get("min.compaction.lag.ms", 0))
    longest = int(configs.get("max.compaction.lag.ms", _LARGEST_LONG))
    if shortest > longest:
        message = (
            f"conflict topic config setting min.compaction.lag.ms ({shortest}) > max.compaction.lag.ms ({longest})"
        )
        raise ApiError(Errors.INVALID_CONFIG, message)


def _check_names(configs: Mapping[str, str], known: Mapping[str, ConfigKey] | frozenset[str]) -> None:
    for key in configs:
        if key not in known:
            raise ApiError(Errors.INVALID_CONFIG, f"Unknown topic config name: {key}")


def _check_broker_name(name: str) -> None:
    if not name:
        return
    if not DECIMAL.fullmatch(name) or abs(int(name)) > _LARGEST_INT:
        raise ApiError(Errors.INVALID_REQUEST, "Unable to parse broker name as a base 10 number.")
    if int(name) < 0:
        raise ApiError(Errors.INVALID_REQUEST, "Invalid negative broker ID.")
