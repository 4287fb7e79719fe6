"""Records that no controller writes: illegal names of topics, resources of configurations, a set's member twice.

No row says so: the tables have no letters of a name, no number behind it, and sets where a record has lists. Nor have
they the numbers that client quotas are: this module checks them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping

from fencepost.traces import Record
from fencepost.traces.record_types import (
    CLIENT_QUOTA_RECORD,
    CONFIG_RECORD,
    FEATURE_LEVEL_RECORD,
    PARTITION_CHANGE_RECORD,
    PARTITION_RECORD,
    REGISTER_BROKER_RECORD,
    TOPIC_RECORD,
)

from .old_forms import KRAFT_VERSION

TOPIC, BROKER = 2, 4
RESOURCES = {TOPIC: "a topic", BROKER: "a broker or the cluster", 16: "client metrics", 32: "a group"}
"""The types of the resources whose configurations are written (ControllerConfigurationValidator.validate).

The level of a broker's logger (8) is that broker's own, and in no log.
"""

SETS = ("removingReplicas", "addingReplicas", "eligibleLeaderReplicas")
"""Lists that are written of what is a set in PartitionChangeBuilder and PartitionReassignmentReplicas."""

NAME = "name"
"""The variable that holds the names of topics."""

LONGEST = 249
WITH_KRAFT_VERSION = ("3.7", "3.8", "3.9", "4.0")
"""The releases whose UpdateFeatures may write a FeatureLevel of kraft.version: since 4.1 Raft keeps it by itself."""
WITH_ZOOKEEPER, MIGRATING = ("3.7", "3.8", "3.9"), "-migrating"
"""The releases whose controllers take brokers in ZooKeeper mode, and how tables with a migration are called."""

BEFORE_FINITE = ("3.7", "3.8", "3.9", "4.0", "4.1", "4.2", "4.3")
"""The releases that do not ask whether the value of a client quota is a finite number."""

LARGEST = {"producer_byte_rate": 2.0**63, "consumer_byte_rate": 2.0**63, "connection_creation_rate": 2.0**31 - 1}
"""The largest value of each key of client quotas whose values are whole (QuotaConfig)."""

_EPSILON = 1e-6
_LETTERS = re.compile(r"[a-zA-Z0-9._-]+")
_HIGHEST = 2**31 - 1


def never_written(record: Record, tables: str) -> str:
    """Return why no controller writes a record, empty where one may; `tables` is the name of the release's tables."""
    said = _CHECKS.get(record.type)
    return "" if said is None else said(record.data, tables)


def unfit_topic(name: str) -> str:
    """Return why a name is none of a topic, empty where it is one (Topic.validate)."""
    if not name:
        return "it is empty"
    if name in (".", ".."):
        return "it means a folder"
    if len(name) > LONGEST:
        return f"it is longer than {LONGEST} characters"
    return "" if _LETTERS.fullmatch(name) else "it has other characters than letters, digits, '.', '_' and '-'"


def collides(record: Record, names: Iterable[str]) -> str:
    """Return why a new topic looks like another in the names of metrics, where a dot is an underscore; empty if not.

    `names` are those of the topics in front of the record's batch: of two in one request neither is looked at for the
    other (ReplicationControlManager.validateNewTopicNames).
    """
    if record.type != TOPIC_RECORD:
        return ""
    name = str(record.data.get("name"))
    if not set(name) & set("._"):
        return ""
    shown = name.replace(".", "_")
    other = next((one for one in names if one != name and one.replace(".", "_") == shown), None)
    if other is None:
        return ""
    return f"No topic is called {name!r} while there is {other!r}: metrics show both as {shown!r}."


def _topic(data: Mapping[str, object], tables: str) -> str:
    return _called(str(data.get("name")))


def _called(name: str) -> str:
    reason = unfit_topic(name)
    return f"No topic can be called {name!r}: {reason}." if reason else ""


def _config(data: Mapping[str, object], tables: str) -> str:
    kind, name = data.get("resourceType"), str(data.get("resourceName"))
    if kind not in RESOURCES:
        known = ", ".join(f"{number} ({what})" for number, what in RESOURCES.items())
        return f"No configuration of a resource of type {kind} is written; there are {known}."
    if kind == TOPIC:
        return _called(name)
    if kind == BROKER and name and not (name.isdecimal() and int(name) <= _HIGHEST):
        return f"A broker resource is named by a node's id, or not at all for the cluster, and not {name!r}."
    return ""


def _feature(data: Mapping[str, object], tables: str) -> str:
    if data.get("name") != KRAFT_VERSION or tables.endswith(WITH_KRAFT_VERSION):
        return ""
    return f"The level of {KRAFT_VERSION} is kept by Raft: no controller since 4.1 writes a FeatureLevel of it."


def _registration(data: Mapping[str, object], tables: str) -> str:
    if not data.get("isMigratingZkBroker") or MIGRATING in tables or tables.endswith(WITH_ZOOKEEPER):
        return ""
    return "A broker in ZooKeeper mode registers with controllers of 3.4 to 3.9 only."


def _partition(data: Mapping[str, object], tables: str) -> str:
    for name in SETS:
        said = data.get(name)
        if isinstance(said, list) and len(set(said)) < len(said):
            again = next(one for at, one in enumerate(said) if one in said[:at])
            return f"{name} names broker {again} twice: a controller keeps a set, and writes each of its members once."
    return ""


def _quota(data: Mapping[str, object], tables: str) -> str:
    """A quota that is set has a value above 0 (ClientQuotaControlManager.validateQuotaKeyValue)."""
    key, value = str(data.get("key")), data.get("value")
    if data.get("remove") or not isinstance(value, int | float):
        return ""
    # A number that is none is not below 0 either, nor above anything.
    above = math.isnan(value) or (value == math.inf and key not in LARGEST)
    return "" if above and tables.endswith(BEFORE_FINITE) else unfit_quota(key, float(value))


def unfit_quota(key: str, value: float) -> str:
    """Return why a value is none of a key of client quotas, empty where it may be one, whatever the key."""
    if not math.isfinite(value):
        return f"The value of a client quota is a finite number, and not {value}."
    if value <= 0:
        return f"The value of a client quota is above 0, and not {value}: one that is removed says so."
    largest = LARGEST.get(key)
    if largest is not None and (value > largest or abs(value % 1) > _EPSILON):
        return f"The value of {key} is a whole number up to {largest:.0f}, and not {value}."
    return ""


_CHECKS: dict[str, Callable[[Mapping[str, object], str], str]] = {
    TOPIC_RECORD: _topic,
    CLIENT_QUOTA_RECORD: _quota,
    CONFIG_RECORD: _config,
    FEATURE_LEVEL_RECORD: _feature,
    REGISTER_BROKER_RECORD: _registration,
    PARTITION_RECORD: _partition,
    PARTITION_CHANGE_RECORD: _partition,
}
