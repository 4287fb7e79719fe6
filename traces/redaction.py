"""A metadata log without the names that its owner gave: each record says the same in other words, at its place.

Each name is replaced by the same other name everywhere, so that rows and properties find the same equalities. Kept are
numbers, times, ids that Kafka drew at random (topics, directories, incarnations, ACLs: their order is that of records),
and the names that Kafka itself gives.
"""

from __future__ import annotations

import base64
import hashlib
import ipaddress
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from .batches import encode_batch
from .codec import blanked, encode_value, unknown_tags
from .errors import TraceError
from .forks import Fork
from .in_words import is_secret
from .log_writer import placed
from .records import AnyRecord, Batch, ControlRecord, Header, MetadataLog, Record

KEPT_TOPICS = frozenset({"__consumer_offsets", "__transaction_state", "__share_group_state", "__cluster_metadata"})
LISTENERS = frozenset(
    {"PLAINTEXT", "SSL", "SASL", "SASL_PLAINTEXT", "SASL_SSL", "CONTROLLER", "BROKER", "INTERNAL", "EXTERNAL"}
)
FEATURES = frozenset(
    {
        "metadata.version",
        "kraft.version",
        "eligible.leader.replicas.version",
        "group.version",
        "share.version",
        "streams.version",
        "transaction.version",
    }
)
TRANSACTIONS = frozenset({"Bootstrap records", "ZK Migration"})
QUOTA_KINDS = frozenset({"user", "client-id", "ip"})
QUOTA_KEYS = frozenset(
    {
        "producer_byte_rate",
        "consumer_byte_rate",
        "request_percentage",
        "controller_mutation_rate",
        "connection_creation_rate",
    }
)
VALUES = frozenset(
    [
        "true",
        "false",
        "delete",
        "compact",
        "producer",
        "uncompressed",
        "gzip",
        "snappy",
        "lz4",
        "zstd",
        "none",
        "CreateTime",
        "LogAppendTime",
    ]
)
"""The words that a setting may be, alone or in a list, beside numbers."""
LONGEST = 249
_NUMBERS = re.compile(r"\s*|\*|[+-]?\d+|[+-]?\d+\.\d+|\d+:\d+(,\d+:\d+)*")
"""A number, or partitions with their replicas: an address is none."""
_CLUSTER, _EVERYTHING = "kafka-cluster", "*"
_KEPT_NAMES = KEPT_TOPICS | {"", ".", "..", _EVERYTHING}
_TOPIC, _BROKER, _CLIENT_METRICS, _GROUP = 2, 4, 16, 32
_FITTING = re.compile(r"[a-zA-Z0-9._-]+")

OTHER_SETTINGS = frozenset(
    {
        "min.insync.replicas",
        "unclean.leader.election.enable",
        "cordoned.log.dirs",
        "leader.replication.throttled.rate",
        "follower.replication.throttled.rate",
        "replica.alter.log.dirs.io.max.bytes.per.second",
        "num.io.threads",
        "num.network.threads",
        "num.replica.fetchers",
        "log.retention.ms",
        "log.retention.bytes",
        "log.segment.bytes",
        "message.max.bytes",
        "max.connections",
        "advertised.listeners",
        "listeners",
    }
)
"""Names of Kafka's settings that are kept beside those that the controller asks about."""

KEPT = (
    "numbers",
    "times",
    "node ids",
    "ports",
    "ids that Kafka drew (topics, directories, incarnations, ACLs)",
    "names that Kafka gives",
)
"""Names that are kept."""


class Redaction:
    """The other names of one log; `settings` are the names of Kafka's own settings, which stay.

    Records of a `fork` keep their numbers; their strings and bytes are made blank.
    """

    def __init__(self, settings: Collection[str], fork: Fork | None = None) -> None:
        self.fork = fork
        self.settings = frozenset(settings).union(() if fork is None else fork.sign.configs)
        self.features = FEATURES.union(() if fork is None else fork.sign.features)
        self.found: dict[tuple[str, str], str] = {}
        self._taken: set[str] = set()
        self._counts: dict[str, int] = {}
        self._topics: dict[str, str] = {}

    @property
    def counts(self) -> dict[str, int]:
        """How many names of each kind were replaced."""
        kinds = [kind for kind, old in self.found]
        return {kind: kinds.count(kind) for kind in sorted(set(kinds))}

    def log(self, log: MetadataLog) -> MetadataLog:
        """Return a log with other names, its batches encoded anew, snapshots and all.

        Raises TraceError for a log with a part that cannot be read: nothing says what names are in it.
        """
        if log.quarantined:
            one = log.quarantined[0]
            raise TraceError(
                f"{log.path}: bytes {one.start} to {one.end} of {one.segment} cannot be read ({one.reason}), so that "
                "nothing says which names they hold: give the segments or snapshots without this one"
            )
        if log.source != "binary":
            raise TraceError(f"{log.path}: a dump's text has no bytes to write again: give the binary log")
        every = [*log.batches, *(batch for one in log.snapshots for batch in one.batches)]
        self._learn(record for batch in every for record in batch.records)
        snapshots = tuple(
            replace(one, batches=placed(map(self.batch, one.batches), one.segment)) for one in log.snapshots
        )
        return replace(log, batches=tuple(map(self.batch, log.batches)), snapshots=snapshots)

    def batch(self, batch: Batch) -> Batch:
        """Return a batch with other names; its size and checksum are those of its new bytes when it is written."""
        found = replace(batch, records=tuple(map(self.record, batch.records)), raw=None)
        encode_batch(found)
        return found

    def record(self, record: AnyRecord) -> AnyRecord:
        """Return a record with other names; one that cannot be read is left without content, and still cannot be.

        Tagged fields and records that no release known here has keep their tag, or their api key, and hold zeros.
        """
        headers = tuple(Header("header", None) for _ in record.headers)
        if isinstance(record, Record):
            data = _RULES.get(record.type, _same)(self, dict(record.data))
            if self.fork is not None:
                raw = self.fork.blanked_tags(record, data)
            else:
                tags = () if record.raw is None else unknown_tags(record.raw)
                unread = [(one.tag, bytes(one.size)) for one in tags]
                raw = encode_value(record.type, record.version, data, unread) if unread else None
            return replace(record, data=data, headers=headers, raw=raw)
        if isinstance(record, ControlRecord):
            return replace(record, data=self._voters(record.data), headers=headers, raw=None)
        own = None if self.fork is None else self.fork.read(record)
        if self.fork is not None and own is not None:
            return replace(self.fork.blanked(own), headers=headers)
        key, value = (None if one is None else b"" for one in (record.key, record.value))
        if record.value is not None and (zeros := blanked(record.value)) is not None:
            value = zeros
        return replace(record, key=key, value=value, headers=headers, reason="redacted")

    # -- names -----------------------------------------------------------------------------------------------------
    def _learn(self, records: Iterable[AnyRecord]) -> None:
        """Note every text of the log, which no other name may be, and the topics whose metrics' names collide."""
        topics: dict[str, None] = {}
        for record in records:
            if not isinstance(record, (Record, ControlRecord)):
                continue
            self._taken.update(texts_of(record.data))
            data = record.data
            match record.type:
                case "TOPIC_RECORD":
                    topics[data["name"]] = None
                case "CLEAR_ELR_RECORD":
                    topics[data["topicName"]] = None
                case "CONFIG_RECORD" | "ACCESS_CONTROL_ENTRY_RECORD" if data["resourceType"] == _TOPIC:
                    topics[data["resourceName"]] = None
        alike: dict[str, list[str]] = {}
        for one in topics:
            alike.setdefault(one.replace(".", "_"), []).append(one)
        for some in alike.values():
            base = "" if some[0] in _KEPT_NAMES else self.other("topic", some[0], "topic-{}")
            for at, one in enumerate(some):
                self._topics[one] = self._topic_name(base, one, at, len(some))

    def _topic_name(self, base: str, name: str, at: int, size: int) -> str:
        """A topic's other name: as unfit as its own, and it collides with those with which its own collides."""
        if name in _KEPT_NAMES:
            return name
        found = base or "topic-0"
        if size > 1:
            bits = (size - 1).bit_length()
            found += "".join("._"[at >> bit & 1] for bit in range(bits)) + "x"
        if not _FITTING.fullmatch(name):
            found += "!"
        self.found["topic", name] = found
        return found.ljust(LONGEST + 1, "x") if len(name) > LONGEST else found

    def other(self, kind: str, name: str, form: str | Callable[[int], str]) -> str:
        """Return the other name of a name, by its kind; `form` has a place for a number, or makes a name of one."""
        if not name or name == _EVERYTHING:
            return name
        known = self.found.get((kind, name))
        while known is None:
            number = self._counts[kind] = self._counts.get(kind, 0) + 1
            found = form.format(number) if isinstance(form, str) else form(number)
            if found not in self._taken:
                known = self.found[kind, name] = found
        return known

    def topic(self, name: str) -> str:
        """Return the other name of a topic."""
        return self._topics.get(name, name)

    def user(self, name: str) -> str:
        """Return the other name of a user."""
        return self.other("user", name, "user-{}")

    def principal(self, name: str) -> str:
        """Return another principal: its type is kept if it is a user or a group."""
        kind, colon, rest = name.partition(":")
        if not colon:
            return self.user(name)
        kind = kind if kind in ("User", "Group") else self.other("principal type", kind, "Type{}")
        return f"{kind}:{self.user(rest)}"

    def host(self, name: str) -> str:
        """Return another host: an address of the range for benchmarks, or a name that none is called."""
        if not name or name == _EVERYTHING:
            return name
        try:
            is_wide = ipaddress.ip_network(name, strict=False).num_addresses > 1
        except ValueError:
            return self.other("host", name, "host-{}.invalid")
        return self.other("host", name, lambda number: f"{_address(number)}{'/32' if is_wide else ''}")

    def secret(self, kind: str, text: str) -> str:
        """Return other bytes of the same length, in base64, that no secret is the source of."""
        size = len(base64.b64decode(text))
        known = self.found.get((kind, text))
        if known is None:
            number = self._counts[kind] = self._counts.get(kind, 0) + 1
            seed = hashlib.shake_256(f"{kind} {number}".encode()).digest(size)
            known = self.found[kind, text] = base64.b64encode(seed).decode()
        return known

    def value(self, setting: str, value: str | None) -> str | None:
        """Return the value of a setting: numbers and Kafka's own words as they are, anything else by another name."""
        if value is None or (not is_secret(setting) and self._is_plain(value)):
            return value
        return self.other("value", value, "value-{}")

    @staticmethod
    def _is_plain(value: str) -> bool:
        words = {one.strip() for one in value.split(",")}
        return bool(_NUMBERS.fullmatch(value)) or {one.lower() for one in words} <= {one.lower() for one in VALUES}

    # -- records ---------------------------------------------------------------------------------------------------
    def _named(self, kind: str, name: str, own: Collection[str], form: str) -> str:
        return name if name in own else self.other(kind, name, form)

    def _registered(self, data: dict[str, Any]) -> dict[str, Any]:
        data["endPoints"] = [
            {
                **one,
                "name": self._named("listener", one["name"], LISTENERS, "LISTENER{}"),
                "host": self.host(one["host"]),
            }
            for one in data["endPoints"]
        ]
        data["features"] = [
            {**one, "name": self._named("feature", one["name"], self.features, "feature-{}")}
            for one in data["features"]
        ]
        if data.get("rack") is not None:
            data["rack"] = self.other("rack", data["rack"], "rack-{}")
        return data

    def _topic(self, data: dict[str, Any]) -> dict[str, Any]:
        name = "name" if "name" in data else "topicName"
        return {**data, name: self.topic(data[name])}

    def _config(self, data: dict[str, Any]) -> dict[str, Any]:
        return {
            **data,
            "resourceName": self._resource(data["resourceType"], data["resourceName"]),
            "name": self._named("setting", data["name"], self.settings, "setting.{}"),
            "value": self.value(data["name"], data["value"]),
        }

    def _resource(self, kind: int, name: str) -> str:
        if kind == _TOPIC:
            return self.topic(name)
        if kind == _BROKER and (not name or name.isdecimal()):
            return name
        known = {_CLIENT_METRICS: "subscription", _GROUP: "group"}
        return self.other(known.get(kind, "resource"), name, known.get(kind, "resource") + "-{}")

    def _acl(self, data: dict[str, Any]) -> dict[str, Any]:
        name = data["resourceName"]
        if data["resourceType"] == _TOPIC:
            name = self.topic(name)
        elif name != _CLUSTER:
            name = self.other("resource", name, "resource-{}")
        return {
            **data,
            "resourceName": name,
            "principal": self.principal(data["principal"]),
            "host": self.host(data["host"]),
        }

    def _scram(self, data: dict[str, Any]) -> dict[str, Any]:
        secrets: dict[str, Any] = {
            name: self.secret(name, data[name]) for name in ("salt", "storedKey", "serverKey") if name in data
        }
        return {**data, "name": self.user(data["name"]), **secrets}

    def _token(self, data: dict[str, Any]) -> dict[str, Any]:
        people: dict[str, Any] = {name: self.principal(data[name]) for name in ("owner", "requester") if name in data}
        renewers = {"renewers": [self.principal(one) for one in data["renewers"]]} if "renewers" in data else {}
        return {**data, **people, **renewers, "tokenId": self.other("token", data["tokenId"], "token-{}")}

    def _quota(self, data: dict[str, Any]) -> dict[str, Any]:
        return {
            **data,
            "entity": [self._quota_entity(one) for one in data["entity"]],
            "key": self._named("quota", data["key"], QUOTA_KEYS, "quota_{}"),
        }

    def _quota_entity(self, one: Mapping[str, Any]) -> dict[str, Any]:
        kind, name = one["entityType"], one["entityName"]
        if name is not None:
            name = (
                self.user(name)
                if kind == "user"
                else self.host(name)
                if kind == "ip"
                else self.other("client", name, "client-{}")
            )
        return {**one, "entityType": self._named("quota of", kind, QUOTA_KINDS, "kind-{}"), "entityName": name}

    def _transaction(self, data: dict[str, Any]) -> dict[str, Any]:
        for name in ("name", "reason"):
            if data.get(name) is not None:
                data[name] = self._named("transaction", data[name], TRANSACTIONS, "transaction-{}")
        return data

    def _voters(self, data: dict[str, Any]) -> dict[str, Any]:
        voters = data.get("voters")
        if not voters:
            return data
        told = [
            {**one, "endpoints": self._registered({"endPoints": one["endpoints"], "features": []})["endPoints"]}
            if "endpoints" in one
            else one
            for one in voters
        ]
        return {**data, "voters": told}


def _address(number: int) -> str:
    """An address of the range for benchmarks (RFC 2544), which no host has."""
    return f"198.{18 + (number >> 16 & 1)}.{number >> 8 & 255}.{number & 255}"


def _same(redaction: Redaction, data: dict[str, Any]) -> dict[str, Any]:
    return data


def _feature(redaction: Redaction, data: dict[str, Any]) -> dict[str, Any]:
    return {**data, "name": redaction._named("feature", data["name"], redaction.features, "feature-{}")}


_RULES: dict[str, Callable[[Redaction, dict[str, Any]], dict[str, Any]]] = {
    "REGISTER_BROKER_RECORD": Redaction._registered,
    "REGISTER_CONTROLLER_RECORD": Redaction._registered,
    "TOPIC_RECORD": Redaction._topic,
    "CLEAR_ELR_RECORD": Redaction._topic,
    "CONFIG_RECORD": Redaction._config,
    "ACCESS_CONTROL_ENTRY_RECORD": Redaction._acl,
    "USER_SCRAM_CREDENTIAL_RECORD": Redaction._scram,
    "REMOVE_USER_SCRAM_CREDENTIAL_RECORD": Redaction._scram,
    "DELEGATION_TOKEN_RECORD": Redaction._token,
    "REMOVE_DELEGATION_TOKEN_RECORD": Redaction._token,
    "CLIENT_QUOTA_RECORD": Redaction._quota,
    "FEATURE_LEVEL_RECORD": _feature,
    "BEGIN_TRANSACTION_RECORD": Redaction._transaction,
    "ABORT_TRANSACTION_RECORD": Redaction._transaction,
}
"""Redactions by record type; the other types have no name."""


def texts_of(value: Any) -> Iterator[str]:
    """Yield every text in a record's data."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from texts_of(one)
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from texts_of(one)
