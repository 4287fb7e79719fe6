"""The tree in which Kafka's metadata shell shows metadata, of a log at an offset: directories, and leaves of text.

Sources: the shell of Kafka 4 (`/image`, `/local`) and KIP-631, S2:195-230 (the short forms beside them). The layout is
data below. Values are those of the replayed state where the tables hold them, and of the newest records where not.
"""

from __future__ import annotations

import json
import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any, TypeAlias

from fencepost.checkers.conformance.classes.frames import UNKNOWN
from fencepost.checkers.conformance.records.voters import Voters
from fencepost.checkers.verdicts import Refusal
from fencepost.model.kraft.levels import NAMES_OF_LEVELS

from .entities import BROKER, PARTITION, TOPIC, Entities, plain
from .history import Past
from .tree_records import Newest
from .tree_texts import (
    CONFIG_TYPES,
    MECHANISMS,
    acl_text,
    controller_text,
    directory_name,
    features_text,
    java,
    listeners_text,
    quota_name,
    rack_text,
    said_text,
    token_text,
)

Node: TypeAlias = "Mapping[str, Node] | str"
"""A directory, or a leaf of text."""

PARTITION_FIELDS = (
    ("replicas", "replicas"),
    ("directories", None),
    ("isr", "isr"),
    ("removingReplicas", "removing"),
    ("addingReplicas", "adding"),
    ("elr", "elr"),
    ("lastKnownElr", "last_known"),
    ("leader", "leader"),
    ("leaderRecoveryState", "recovery"),
    ("leaderEpoch", "leader_epoch"),
    ("partitionEpoch", "partition_epoch"),
)
"""The fields of a partition as Kafka prints them, and the states that hold them; None for what is composed."""

BROKER_FIELDS = (
    ("id", None),
    ("epoch", "epoch"),
    ("incarnationId", "incarnation"),
    ("listeners", None),
    ("supportedFeatures", None),
    ("rack", None),
    ("fenced", "fenced"),
    ("inControlledShutdown", "in_controlled_shutdown"),
    ("isMigratingZkBroker", None),
    ("directories", "directories"),
    ("cordonedDirectories", "cordoned"),
)
"""The fields of a broker's registration, likewise."""

STATES = ("metadata_version", "elr_version", "feature_level", "controller_incarnation", "next_producer_id", "location")
"""The other states of which the tree shows values."""

MIGRATING = "AAAAAAAAAAAAAAAAAAAAAA"
"""The directory that Kafka gives a replica of which no record says one."""


class Tree:
    """The tree of a log at an offset."""

    def __init__(self, past: Past, version: str) -> None:
        """Make the tree; `version` is what `/local/version` says."""
        self.past, self.entities, self.newest = past, Entities(past), Newest(past)
        self.numbers = {one.name: number for number, one in enumerate(past.state.layout.states)}
        self.partitions: dict[Any, list[tuple[Any, str]]] = {}
        for partition in self.entities.there(PARTITION):
            self.partitions.setdefault(partition[0], []).append((partition, str(partition[1])))
        self.root: dict[str, Node] = {
            "image": {
                "provenance": self._provenance(),
                "features": self._features(),
                "cluster": {
                    "brokers": {str(b): self._registration(b) for b in self.entities.there(BROKER)},
                    "controllers": self._controllers(),
                },
                "topics": {
                    "byName": dict(self._topics(lambda topic, name: name)),
                    "byId": dict(self._topics(lambda topic, name: topic)),
                },
                "configs": self._configs(),
                "clientQuotas": self._quotas(),
                "producerIds": {"nextProducerId": self._value("next_producer_id")},
                "acls": {key[0]: acl_text(said.data) for key, said in self.newest.of("ACCESS_CONTROL_ENTRY_RECORD")},
                "scram": self._scram(),
                "delegationToken": {
                    key[0]: token_text(said.data) for key, said in self.newest.of("DELEGATION_TOKEN_RECORD")
                },
            },
            "local": {"version": version},
            **self._short_forms(),
        }

    def add(self, name: str, entries: Mapping[str, Mapping[str, Any]]) -> None:
        """Add a directory with what a fork's own records keep, by its paths; fields are leaves of JSON."""
        top: dict[str, Any] = {}
        for path, value in entries.items():
            here = top
            for part in path.split("/"):
                here = here.setdefault(part, {})
            here |= {field: json.dumps(one, ensure_ascii=False) for field, one in value.items()}
        self.root[name] = top

    # -- looking ---------------------------------------------------------------------------------------------------
    def find(self, path: str) -> list[tuple[str, Node]]:
        """Return the nodes that a path names, each with its own path; `*` and `?` match parts of one name.

        Raises `Refusal` for a path that names nothing, with what there is where it leads nowhere.
        """
        names = [name for name in posixpath.normpath("/" + path.strip()).split("/") if name]
        found: list[tuple[str, Node]] = [("", self.root)]
        for name in names:
            further: list[tuple[str, Node]] = []
            for here, node in found:
                if isinstance(node, str):
                    continue
                for child in children(node):
                    if child == name or (any(sign in name for sign in "*?") and fnmatchcase(child, name)):
                        further.append((f"{here}/{child}", node[child]))
            if not further:
                raise self._nothing(path, name, found)
            found = further
        return [(here or "/", node) for here, node in found]

    def _nothing(self, path: str, name: str, found: list[tuple[str, Node]]) -> Refusal:
        where, node = found[0]
        if isinstance(node, str):
            told = f"{where} is no directory"
        else:
            known = list(children(node))
            listed = ", ".join(known[:12]) + (f" and {len(known) - 12} more" if len(known) > 12 else "")
            told = f"there is no {name} in {where or '/'}, which has {listed or 'nothing'}"
        return Refusal(f"--tree {path}: {told} (at offset {self.past.offset})")

    # -- values ----------------------------------------------------------------------------------------------------
    def _read(self, state: str, *keys: Any) -> Any:
        return self.past.state.read((self.numbers[state], keys))

    def _value(self, state: str, *keys: Any) -> str:
        return java(self._read(state, *keys))

    def _provenance(self) -> str:
        return said_text(self.past.offset, self.newest.epoch, self.newest.timestamp)

    def _levels(self) -> Iterator[tuple[str, int]]:
        """The finalized features by name, metadata.version first."""
        own = (("metadata.version", "metadata_version"), ("eligible.leader.replicas.version", "elr_version"))
        for name, state in own:
            if self._read(state) != 0:
                yield name, self._read(state)
        for keys, value in sorted(self.past.state.frame.tables[self.numbers["feature_level"]].items()):
            if value != 0:
                yield keys[0], value

    def _features(self) -> Node:
        level = self._read("metadata_version")
        others = {name: java(value) for name, value in self._levels() if name != "metadata.version"}
        return {
            "metadataVersion": NAMES_OF_LEVELS.get(level, java(level)),
            **{f"finalized_{name}": value for name, value in others.items()},
        }

    def _fields(
        self, fields: Iterable[tuple[str, str | None]], entity: Any, beside: Mapping[str, Any]
    ) -> dict[str, Any]:
        found = {name: beside[name] if state is None else self._read(state, entity) for name, state in fields}
        # Kafka prints -1 where there is no leader.
        return {name: -1 if name == "leader" and value is None else value for name, value in found.items()}

    def _broker(self, broker: Any) -> dict[str, Any]:
        data = self.newest.fields("REGISTER_BROKER_RECORD", broker)
        beside = {
            "id": broker,
            "listeners": listeners_text(data),
            "supportedFeatures": features_text(data),
            "rack": rack_text(data),
            "isMigratingZkBroker": bool(data.get("isMigratingZkBroker")),
        }
        return self._fields(BROKER_FIELDS, broker, beside)

    def _registration(self, broker: Any) -> str:
        return f"BrokerRegistration({_joined(self._broker(broker))})"

    def _controllers(self) -> dict[str, Node]:
        found: dict[str, Node] = {}
        for key, said in sorted(self.newest.of("REGISTER_CONTROLLER_RECORD"), key=lambda one: one[0]):
            found[str(key[0])] = controller_text(said.data, self._value("controller_incarnation", key[0]))
        return found

    def _partition(self, partition: Any) -> dict[str, Any]:
        replicas = self._read("replicas", partition)
        beside = {
            "directories": UNKNOWN if replicas is UNKNOWN else tuple(self._directory(partition, r) for r in replicas)
        }
        return self._fields(PARTITION_FIELDS, partition, beside)

    def _directory(self, partition: Any, replica: Any) -> Any:
        found = self._read("location", partition, replica)
        return MIGRATING if found is None else found

    def _numbered(self, topic: Any) -> list[tuple[Any, str]]:
        return self.partitions.get(topic, [])

    def _topics(self, named: Callable[[str, str], str]) -> Iterator[tuple[str, Node]]:
        for topic in self.entities.there(TOPIC):
            name = self.entities.called(TOPIC, topic)
            partitions = {
                number: f"PartitionRegistration({_joined(self._partition(p))})" for p, number in self._numbered(topic)
            }
            yield named(topic, name), {"name": name, "id": topic, **partitions}

    def _settings(self) -> Iterator[tuple[int, str, str, str]]:
        """Configurations: type and name of the resource, key, value; those of a topic that is gone left out."""
        created = {
            self.entities.called(TOPIC, topic): self.newest.order("TOPIC_RECORD", topic)
            for topic in self.entities.there(TOPIC)
        }
        for (type_, resource, key), said in sorted(self.newest.of("CONFIG_RECORD"), key=lambda one: one[0]):
            if CONFIG_TYPES.get(type_) != "TOPIC" or said.order > created.get(resource, said.order):
                yield type_, resource, key, str(said.data["value"])

    def _configs(self) -> dict[str, Node]:
        found: dict[str, dict[str, Node]] = {}
        for type_, resource, key, value in self._settings():
            kind = CONFIG_TYPES.get(type_, str(type_))
            found.setdefault(directory_name(f"{kind}:{resource}" if resource else kind), {})[key] = value
        return dict(found)

    def _quotas(self) -> dict[str, Node]:
        found: dict[str, dict[str, Node]] = {}
        for (_, key), said in self.newest.of("CLIENT_QUOTA_RECORD"):
            found.setdefault(quota_name(said.data["entity"]), {})[key] = java(said.data["value"])
        return dict(sorted(found.items()))

    def _scram(self) -> dict[str, Node]:
        found: dict[str, dict[str, Node]] = {name: {} for name in MECHANISMS.values()}
        for (user, mechanism), _ in self.newest.of("USER_SCRAM_CREDENTIAL_RECORD"):
            text = "ScramCredentialData(salt=[redacted], storedKey=[redacted], serverKey=[redacted], "
            found[MECHANISMS.get(mechanism, str(mechanism))][directory_name(user)] = f"{text}iterations=[redacted])"
        return dict(found)

    # -- the short forms of KIP-631 --------------------------------------------------------------------------------
    def _short_forms(self) -> dict[str, Node]:
        topics = dict(self._short_topics())
        configs: dict[str, dict[str, dict[str, Node]]] = {}
        for type_, resource, key, value in self._settings():
            kind = CONFIG_TYPES.get(type_, str(type_)).lower()
            configs.setdefault(kind, {}).setdefault(directory_name(resource or "<default>"), {})[key] = value
        block = self.newest.fields("PRODUCER_IDS_RECORD")
        leader = self.newest.leader
        return {
            "metadataQuorum": {
                "offset": str(self.past.offset),
                **({} if leader is None else {"leader": f"LeaderAndEpoch(leaderId={leader[0]}, epoch={leader[1]})"}),
                **self._quorum(),
            },
            "features": {name: java(level) for name, level in self._levels()},
            "brokers": {str(b): self._short_broker(b) for b in self.entities.there(BROKER)},
            "controllers": self._controllers(),
            "topics": {self.entities.called(TOPIC, topic): node for topic, node in topics.items()},
            "topicIds": topics,
            "configs": configs,
            "producerIds": {
                **({"lastBlockBrokerId": str(block["brokerId"])} if block else {}),
                **({"lastBlockBrokerEpoch": str(block["brokerEpoch"])} if block else {}),
                "nextBlockStartId": self._value("next_producer_id"),
            },
        }

    def _quorum(self) -> dict[str, Node]:
        """The level of kraft.version, the voters, and the controllers that have registered and are no voters."""
        voters = Voters.up_to(self.past.log, self.past.offset, self.past.snapshot)
        registered = {key[0] for key, _ in self.newest.of("REGISTER_CONTROLLER_RECORD")}
        found: dict[str, Node] = {} if voters.level is None else {"kraftVersion": str(voters.level)}
        return {
            **found,
            **({"voters": java(list(voters.ids))} if voters.ids else {}),
            **({"observers": java(sorted(registered - set(voters.ids)))} if voters.ids and registered else {}),
        }

    def _short_broker(self, broker: Any) -> Node:
        return {
            "registration": self._registration(broker),
            "isFenced": self._value("fenced", broker),
            "inControlledShutdown": self._value("in_controlled_shutdown", broker),
        }

    def _short_topics(self) -> Iterator[tuple[str, Node]]:
        for topic in self.entities.there(TOPIC):
            partitions = {number: self._short_partition(p) for p, number in self._numbered(topic)}
            yield topic, {"name": self.entities.called(TOPIC, topic), "id": topic, **partitions}

    def _short_partition(self, partition: Any) -> Node:
        fields = self._partition(partition)
        topic, number = partition
        whole = {"partitionId": number, "topicId": topic, **{name: plain(value) for name, value in fields.items()}}
        return {**{name: java(value) for name, value in fields.items()}, "data": json.dumps(whole)}


def _joined(fields: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={java(value)}" for name, value in fields.items())


def children(node: Node) -> list[str]:
    """Return the names in a directory, numbers in their order; none of a leaf."""
    if isinstance(node, str):
        return []
    return sorted(node, key=lambda name: (not name.isdecimal(), int(name) if name.isdecimal() else 0, name))


def below(path: str, node: Node) -> Iterator[str]:
    """Yield the path of a node and of everything below it, directories with a slash at their end."""
    if isinstance(node, str):
        yield path
        return
    base = path.rstrip("/")
    yield f"{base}/"
    for child in children(node):
        yield from below(f"{base}/{child}", node[child])
