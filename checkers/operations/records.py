"""The records of a log that are about what is asked: by type, topic, partition, broker, and between two moments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fencepost.checkers.conformance.records.foreign import kind_of, tags_of
from fencepost.checkers.conformance.records.forks import Reader, reader_of_source
from fencepost.checkers.verdicts import Refusal
from fencepost.traces import (
    CONTROL_TYPES,
    AnyRecord,
    Batch,
    ControlRecord,
    LogSource,
    MetadataLog,
    Record,
    Undecodable,
    iterate_log,
    read_log,
)
from fencepost.traces.codec import frame_of
from fencepost.traces.in_words import DIRECTORIES, is_secret
from fencepost.traces.record_types import CONFIG_RECORD, TOPIC_RECORD

from .about import About, some
from .moments import When, iso

TOPIC, BROKER = 2, 4
"""Resources of configurations by their numbers on the wire."""

HIDDEN = "[hidden]"
SECRETS = frozenset({"salt", "storedKey", "serverKey"})
"""Fields of credentials, which are not shown."""

BROKERS = ("brokerId", "leader")
LISTS_OF_BROKERS = ("replicas", "isr", "addingReplicas", "removingReplicas", "eligibleLeaderReplicas", "lastKnownElr")
"""Fields that name a broker, or several."""

OF_BROKERS = frozenset((
    "REGISTER_BROKER_RECORD", "BROKER_REGISTRATION_CHANGE_RECORD", "FENCE_BROKER_RECORD", "UNFENCE_BROKER_RECORD",
    "UNREGISTER_BROKER_RECORD",
))  # fmt: skip
"""The types of record that say what becomes of a broker."""

OF_BROKERS_BY_ID = ("FENCE_BROKER_RECORD", "UNFENCE_BROKER_RECORD")
"""Records of older releases that name their broker otherwise."""


def records(source: LogSource, begin: When, end: When, about: About) -> dict[str, Any]:
    """Return the records of a log, from one moment to another, that are about something, as a JSON document.

    Topics are those of their ids at that place of the log. Raises `Refusal` where nothing in the log has the topic,
    the partition or the broker, `TraceError` where it cannot be read.
    """
    names, fork = _Names(source), reader_of_source(source)
    found: list[dict[str, Any]] = []
    read = unreadable = 0
    seen, unread = _Seen(), Counter[str]()
    # Those of Raft are listed where a type asks for them.
    of_raft = bool(CONTROL_TYPES.intersection(about.types))
    for item in iterate_log(source):
        if not isinstance(item, Batch):
            unreadable += 1
            continue
        if end.is_over(item.base_offset, item.base_timestamp):
            break
        for record in item.records if of_raft or item.undecodable else item.metadata_records:
            if end.is_over(record.offset, record.timestamp):
                break
            if isinstance(record, ControlRecord) and not of_raft:
                continue
            if isinstance(record, Undecodable) and fork.fork is not None:
                record = fork.fork.read(record) or record
            if isinstance(record, Undecodable):
                if not _is_before(begin, record):
                    unread[kind_of(record)] += 1
                    if about == About():
                        found.append(_unread(record, item.epoch))
                continue
            names.note(record)
            topics = names.of(record)
            brokers = list(_brokers(record, fork))
            seen.note(record, topics, brokers)
            if _is_before(begin, record):
                continue
            read += 1
            if _is_about(about, record, topics, brokers):
                found.append(_as_json(record, item.epoch, topics, fork))
    seen.require(source.path, about)
    return {
        "path": source.path,
        "fork": fork.note or None,
        "from": begin.text,
        "to": end.text,
        "about": about.as_json(),
        "counts": {
            "records": read + unread.total(),
            "shown": len(found),
            "unreadable_ranges": unreadable,
            "unread": dict(sorted(unread.items())),
        },
        "records": found,
    }


def _is_before(begin: When, record: AnyRecord) -> bool:
    if begin.offset is not None:
        return record.offset < begin.offset
    return begin.time is not None and record.timestamp < begin.time


class _Names:
    """The topics' names by their ids, as far as a log was read."""

    def __init__(self, source: LogSource) -> None:
        self.names: dict[str, str] = {}
        if source.snapshots and source.segments:
            log = read_log(source)
            if log.batches and log.batches[0].base_offset > 0:
                self._begin(log)

    def _begin(self, log: MetadataLog) -> None:
        """Take the names of a snapshot: a log that begins later does not tell them."""
        for snapshot in log.snapshots:
            for record in snapshot.records:
                self.note(record)

    def note(self, record: Record | ControlRecord) -> None:
        """Take the name that a record gives to a topic."""
        if record.type == TOPIC_RECORD:
            self.names[record.data["topicId"]] = record.data["name"]

    def of(self, record: Record | ControlRecord) -> tuple[str, ...]:
        """Return the topics that a record is about, by name; an id without a name in any record is printed itself."""
        data = record.data
        if "topicId" in data:
            return (self.names.get(data["topicId"], data["topicId"]),)
        if record.type == CONFIG_RECORD and data["resourceType"] == TOPIC:
            return (data["resourceName"],)
        return (data["topicName"],) if data.get("topicName") else ()


class _Seen:
    """Topics, partitions and brokers of which some record was."""

    def __init__(self) -> None:
        self.topics: set[str] = set()
        self.partitions: set[str] = set()
        self.brokers: set[int] = set()

    def note(self, record: Record | ControlRecord, topics: Sequence[str], brokers: Sequence[int]) -> None:
        """Take what a record is about."""
        self.topics.update(topics)
        if "partitionId" in record.data:
            self.partitions.update(f"{topic}-{record.data['partitionId']}" for topic in topics)
        self.brokers.update(brokers)

    def require(self, path: str, about: About) -> None:
        """Refuse what no record is about."""
        if about.broker is not None and about.broker not in self.brokers:
            raise Refusal(
                f"{path}: nothing is said of broker {about.broker}; the brokers are {some(sorted(self.brokers))}"
            )
        asked = about.topic or (about.partition or "").rpartition("-")[0]
        if asked and asked not in self.topics:
            raise Refusal(f"{path}: there is no topic {asked}; the topics are {some(sorted(self.topics))}")
        if about.partition is not None and about.partition not in self.partitions:
            raise Refusal(f"{path}: topic {asked} never had a partition {about.partition}")


def _brokers(record: Record | ControlRecord, fork: Reader) -> Iterator[int]:
    """The brokers that a record names."""
    data = record.data
    if isinstance(record, Record) and fork.taken is not None and fork.owns(record):
        name = fork.taken.by_name[record.type].broker
        yield from [data[name]] if isinstance(data.get(name), int) else []
        return
    for name in BROKERS:
        if isinstance(data.get(name), int) and data[name] >= 0:
            yield data[name]
    for name in LISTS_OF_BROKERS:
        yield from data.get(name) or ()
    if record.type in OF_BROKERS_BY_ID:
        yield data["id"]
    if record.type == CONFIG_RECORD and data["resourceType"] == BROKER and data["resourceName"].isdecimal():
        yield int(data["resourceName"])


def _is_about(about: About, record: Record | ControlRecord, topics: Sequence[str], brokers: Sequence[int]) -> bool:
    if about.types and record.type not in about.types:
        return False
    if about.topic is not None and about.topic not in topics:
        return False
    if about.partition is not None and about.partition not in (
        f"{topic}-{record.data.get('partitionId')}" for topic in topics
    ):
        return False
    return about.broker is None or about.broker in brokers


def _as_json(record: Record | ControlRecord, epoch: int, topics: Sequence[str], reader: Reader) -> dict[str, Any]:
    partition = f"{topics[0]}-{record.data['partitionId']}" if topics and "partitionId" in record.data else None
    fork = reader.fork if isinstance(record, Record) and record.raw is not None else None
    tags = tags_of(record, fork) if isinstance(record, Record) else ()
    data = shown(record.type, record.data)
    if fork is not None and isinstance(record, Record) and fork.owns(record):
        data = fork.shown(record)
    borne = {} if fork is None or not isinstance(record, Record) else fork.said_by_tags(record)
    return {
        "offset": record.offset,
        "timestamp": record.timestamp,
        "time": iso(record.timestamp),
        "epoch": epoch,
        "type": record.type,
        "version": record.data.get("version", 0) if isinstance(record, ControlRecord) else record.version,
        "topic": topics[0] if topics else None,
        "partition": partition,
        "data": data,
        **({"tags": borne} if borne else {}),
        **({"unread_tags": [{"tag": one.tag, "bytes": one.size} for one in tags]} if tags else {}),
    }


def _unread(record: Undecodable, epoch: int) -> dict[str, Any]:
    """Return a record that is not read: why, and how many bytes it has."""
    frame = None if record.value is None else frame_of(record.value)
    return {
        "offset": record.offset,
        "timestamp": record.timestamp,
        "time": iso(record.timestamp),
        "epoch": epoch,
        "type": kind_of(record),
        "version": None if frame is None else frame[1],
        "topic": None,
        "partition": None,
        "data": {},
        "unread": {"reason": record.reason, "bytes": None if record.value is None else len(record.value)},
    }


def shown(type: str, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record's data as it may be shown: secrets hidden, reserved ids of directories by their meaning."""
    found = {name: HIDDEN if name in SECRETS else _plain(name, value) for name, value in data.items()}
    if type == CONFIG_RECORD and data.get("value") is not None and is_secret(data["name"]):
        found["value"] = HIDDEN
    return found


def _plain(name: str, value: Any) -> Any:
    if name in ("directories", "logDirs", "cordonedLogDirs") and isinstance(value, list):
        return [DIRECTORIES.get(one, one) for one in value]
    return value
