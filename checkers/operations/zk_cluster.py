"""The events of a ZooKeeper-era cluster, and its state at a moment, by the history of its znodes.

An offset here is a zxid. Actions of brokers that wrote no znode, and their reasons, are in their state-change.log,
which `fencepost conform` checks.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from fencepost.checkers.verdicts import ExitCode, Refusal
from fencepost.traces.zk import Operation, Transaction, ZkRecording, read_recording, reading_of
from fencepost.traces.zk.values import ReplicaAssignment, TopicPartition
from fencepost.traces.zk.znode_data import (
    BrokerRegistration,
    Controller,
    PartitionState,
    PreferredElection,
    Reading,
    Reassignments,
    TopicAssignment,
    TopicDeletion,
    path_of,
)

from .about import About, some
from .moments import Moment, When, iso, require_order, when_of

SOON = 1000
"""Changes of partitions that follow one another within so many milliseconds are one event."""

NAMED = 4
"""The number of partitions of one event that its sentence lists; more are counted."""

NOBODY = -1
"""The leader of a partition without one."""

ALONE = "(epochs alone)"
"""The text for a partition of which nothing else changes."""

NO_HISTORY = "holds no znode history, which says what changed when; fencepost conform checks its state-change.log"


@dataclass(slots=True)
class Cluster:
    """The znodes of the controller, read: who is controller, which brokers live, topics and partitions, since when."""

    controller: tuple[int, Moment] | None = None
    brokers: dict[int, Moment] = field(default_factory=dict)
    gone: dict[int, Moment] = field(default_factory=dict)
    topics: dict[str, TopicAssignment] = field(default_factory=dict)
    partitions: dict[TopicPartition, tuple[PartitionState, Moment]] = field(default_factory=dict)
    since: dict[tuple[str, TopicPartition], Moment] = field(default_factory=dict)
    ephemerals: dict[str, dict[str, Reading]] = field(default_factory=dict)
    last: Moment | None = None

    def replicas(self, partition: TopicPartition) -> ReplicaAssignment | None:
        """Return the replicas of a partition, None where its topic does not say them."""
        topic = self.topics.get(partition.topic)
        return None if topic is None else topic.partitions.get(partition.partition)


@dataclass(frozen=True, slots=True)
class Change:
    """A znode operation in words; of a partition with `partition`, of a broker with `broker`."""

    at: Moment
    words: str
    writer: int | None
    partition: TopicPartition | None = None
    brokers: frozenset[int] = frozenset()
    topic: str | None = None


def changes(recording: ZkRecording, end: When, cluster: Cluster) -> Iterator[Change]:
    """Yield what each operation of a history changed up to a moment, and keep the cluster as it is after it."""
    for transaction in recording.transactions():
        if end.is_over(transaction.zxid, transaction.time_ms):
            return
        cluster.last = Moment(transaction.zxid, transaction.time_ms)
        if not transaction.happened:
            continue
        at = Moment(transaction.zxid, transaction.time_ms)
        for operation in transaction.operations:
            if operation.op == "closeSession":
                yield from _closed(cluster, transaction, operation, at)
            elif operation.op in ("create", "set", "delete") and operation.path is not None:
                yield from _changed(cluster, transaction, operation, at)


def _closed(cluster: Cluster, transaction: Transaction, operation: Operation, at: Moment) -> Iterator[Change]:
    held = cluster.ephemerals.pop(transaction.session, {})
    for path, reading in held.items():
        if operation.paths is None or path in operation.paths:
            yield from _gone(cluster, reading, at, transaction.writer, "its ZooKeeper session ended")


def _changed(cluster: Cluster, transaction: Transaction, operation: Operation, at: Moment) -> Iterator[Change]:
    path, writer = operation.path or "", transaction.writer
    if operation.op == "delete":
        for mine in cluster.ephemerals.values():
            if path in mine:
                yield from _gone(cluster, mine.pop(path), at, writer, "it gave up its znode")
                return
        yield from _deleted(cluster, path, at, writer)
        return
    reading = reading_of(path, operation.data, transaction.place)
    is_new = operation.op == "create"
    match reading:
        case Controller():
            cluster.ephemerals.setdefault(transaction.session, {})[path] = reading
            cluster.controller = (reading.broker, at)
            words = f"broker {reading.broker} is elected controller"
            yield Change(at, words, writer, brokers=frozenset({reading.broker}))
        case BrokerRegistration() if reading.broker not in cluster.brokers:
            cluster.ephemerals.setdefault(transaction.session, {})[path] = reading
            back = "again" if reading.broker in cluster.gone else "for the first time"
            cluster.brokers[reading.broker] = at
            cluster.gone.pop(reading.broker, None)
            yield Change(at, f"broker {reading.broker} registers {back}", writer, brokers=frozenset({reading.broker}))
        case TopicAssignment():
            yield from _assigned(cluster, reading, at, writer, is_new)
        case PartitionState():
            yield _led(cluster, reading, at, writer)
        case Reassignments() if reading.targets:
            told = ", ".join(f"{one} to [{_list(replicas)}]" for one, replicas in reading.targets[:NAMED])
            more = f" and {len(reading.targets) - NAMED} more" if len(reading.targets) > NAMED else ""
            yield Change(at, f"a reassignment is asked for: {told}{more}", writer)
        case PreferredElection():
            count = len(reading.partitions)
            yield Change(at, f"preferred leaders are asked for, of {count} partition{'s' * (count != 1)}", writer)
        case TopicDeletion():
            yield Change(at, f"topic {reading.topic} is to be deleted", writer, topic=reading.topic)


def _gone(cluster: Cluster, reading: Reading, at: Moment, writer: int | None, why: str) -> Iterator[Change]:
    if isinstance(reading, Controller):
        cluster.controller = None
        yield Change(
            at, f"broker {reading.broker} is controller no longer: {why}", writer, brokers=frozenset({reading.broker})
        )
    elif isinstance(reading, BrokerRegistration):
        cluster.brokers.pop(reading.broker, None)
        cluster.gone[reading.broker] = at
        yield Change(at, f"broker {reading.broker} is gone: {why}", writer, brokers=frozenset({reading.broker}))


def _deleted(cluster: Cluster, path: str, at: Moment, writer: int | None) -> Iterator[Change]:
    for name in [one for one, topic in cluster.topics.items() if path_of(topic) == path]:
        del cluster.topics[name]
        for partition in [one for one in cluster.partitions if one.topic == name]:
            del cluster.partitions[partition]
        yield Change(at, f"topic {name} is deleted", writer, topic=name)


def _assigned(
    cluster: Cluster, reading: TopicAssignment, at: Moment, writer: int | None, new: bool
) -> Iterator[Change]:
    before = cluster.topics.get(reading.topic)
    cluster.topics[reading.topic] = reading
    if new or before is None:
        count = len(reading.partitions)
        words = f"topic {reading.topic} is created: {count} partition{'s' * (count != 1)}"
        yield Change(at, words, writer, topic=reading.topic)
        return
    for number, now in sorted(reading.partitions.items()):
        was = before.partitions.get(number)
        if was == now:
            continue
        partition = TopicPartition(reading.topic, number)
        moves = [f"{word} [{_list(one)}]" for word, one in (("adds", now.adding), ("removes", now.removing)) if one]
        told = f"reassignment under way: {', '.join(moves)}" if moves else f"replicas [{_list(now.replicas)}]"
        concerned = frozenset(now.replicas) | (frozenset() if was is None else frozenset(was.replicas))
        yield Change(at, f"{partition} ({told})", writer, partition, concerned, reading.topic)


def _led(cluster: Cluster, reading: PartitionState, at: Moment, writer: int | None) -> Change:
    partition = reading.partition
    was = cluster.partitions.get(partition)
    cluster.partitions[partition] = (reading, at)
    told = []
    concerned = {reading.leader, *reading.isr} - {NOBODY}
    if was is None:
        told.append(f"{_one(reading.leader)} [{_list(reading.isr)}]")
    else:
        old = was[0]
        concerned = set(old.isr) ^ set(reading.isr)
        concerned |= {old.leader, reading.leader} if old.leader != reading.leader else set()
        if old.leader != reading.leader:
            told.append(f"{_one(old.leader)}→{_one(reading.leader)}")
        if old.isr != reading.isr:
            told.append(f"[{_list(reading.isr)}]")
        if old.leader != reading.leader and reading.leader not in (NOBODY, *old.isr):
            told.append("not from the ISR")
    for condition, holds in _conditions(cluster, reading).items():
        if holds:
            cluster.since.setdefault((condition, partition), at)
        else:
            cluster.since.pop((condition, partition), None)
    words = f"{partition} {' '.join(told) or ALONE}"
    return Change(at, words, writer, partition, frozenset(concerned - {NOBODY}), partition.topic)


def _conditions(cluster: Cluster, reading: PartitionState) -> dict[str, bool]:
    replicas = cluster.replicas(reading.partition)
    size = len(reading.isr if replicas is None else replicas.replicas)
    return {"offline": reading.leader == NOBODY, "under_replicated": len(set(reading.isr)) < size}


def _one(broker: int) -> str:
    return "–" if broker == NOBODY else str(broker)


def _list(brokers: tuple[int, ...]) -> str:
    return " ".join(map(str, brokers))


# -- moments -----------------------------------------------------------------------------------------------------------
def recording_at(path: str) -> ZkRecording:
    """Return the recording at a path; raises `Refusal` where it has no znode history, `TraceError` where its log is not
    one of a ZooKeeper-era cluster."""
    recording = read_recording(path)
    if recording.history is None:
        deque(recording.records(), maxlen=0)  # a KRaft broker's log is refused in its own sentence
        raise Refusal(f"{path}: this recording of a ZooKeeper-era cluster {NO_HISTORY}")
    return recording


def moment(text: str, recording: ZkRecording, option: str) -> When:
    """Return what a text asks of a history: a zxid, a time, or `end`."""

    def span() -> tuple[int, int] | None:
        times = [one.time_ms for one in recording.transactions()]
        return (min(times), max(times)) if times else None

    return when_of(text, recording.path, span, option)


# -- what is asked -----------------------------------------------------------------------------------------------------
def zk_story(path: str, begin: str, end: str, about: About) -> dict[str, Any]:
    """Return what happened in a recording between two moments as a JSON document, as `story` returns it of a log.

    Raises `Refusal` where the recording has no znode history, or says nothing of what is asked about.
    """
    recording = recording_at(path)
    first, last = moment(begin, recording, "--from"), moment(end, recording, "--to")
    require_order(first, last)
    cluster = Cluster()
    events: list[list[Change]] = []
    seen: list[Change] = []
    for change in changes(recording, last, cluster):
        seen.append(change)
        if _is_before(first, change.at) or not _is_about(about, change):
            continue
        if events and _goes_on(events[-1][-1], change):
            events[-1].append(change)
        else:
            events.append([change])
    _require_known(path, about, seen)
    return {
        "path": path,
        "mode": "zookeeper",
        "from": first.text,
        "to": {"asked": last.text, **_moment(cluster.last)},
        "about": about.as_json(),
        "counts": {"changes": sum(map(len, events)), "events": len(events)},
        "events": [_event(one) for one in events],
        "notes": [],
    }


def _is_before(begin: When, at: Moment) -> bool:
    if begin.offset is not None:
        return at.offset < begin.offset
    return begin.time is not None and at.time is not None and at.time < begin.time


def _is_about(about: About, change: Change) -> bool:
    if about.topic is not None and change.topic != about.topic:
        return False
    if about.partition is not None and about.partition != str(change.partition):
        return False
    return about.broker is None or about.broker in change.brokers


def _require_known(path: str, about: About, seen: list[Change]) -> None:
    topics = sorted({one.topic for one in seen if one.topic})
    brokers = sorted({broker for one in seen for broker in one.brokers})
    asked = about.topic or (about.partition or "").rpartition("-")[0]
    if asked and asked not in topics:
        raise Refusal(f"{path}: there is no topic {asked}; the topics are {some(topics)}")
    if about.partition is not None and about.partition not in {str(one.partition) for one in seen}:
        raise Refusal(f"{path}: topic {asked} never had a partition {about.partition}")
    if about.broker is not None and about.broker not in brokers:
        raise Refusal(f"{path}: nothing is said of broker {about.broker}; the brokers are {some(brokers)}")


def _goes_on(before: Change, change: Change) -> bool:
    """Whether a change is printed together with the one in front: partitions that one broker wrote in a row."""
    if before.partition is None or change.partition is None or before.writer != change.writer:
        return False
    return None not in (before.at.time, change.at.time) and change.at.time - before.at.time <= SOON  # type: ignore[operator]


def _event(several: list[Change]) -> dict[str, Any]:
    first, last = several[0], several[-1]
    # A controller's election raises epochs of partitions that stay as they are.
    words = [one.words for one in several if not one.words.endswith(ALONE)] or [several[0].words]
    if len(words) > NAMED:
        words = [*words[:NAMED], f"and {len(words) - NAMED} more changes of partitions"]
    return {
        **_moment(first.at),
        "last_offset": last.at.offset,
        "last_timestamp": last.at.time,
        "writer": first.writer,
        "words": "; ".join(words),
        "partitions": [{"partition": str(one.partition), "words": one.words} for one in several if one.partition],
        "brokers": sorted({broker for one in several for broker in one.brokers}),
    }


def _moment(at: Moment | None) -> dict[str, Any]:
    if at is None:
        return {"offset": None, "timestamp": None, "time": None}
    return {"offset": at.offset, "timestamp": at.time, "time": iso(at.time)}


def zk_health(path: str, at: str) -> dict[str, Any]:
    """Return how a recorded cluster is at a moment as a JSON document: brokers, partitions, reassignments.

    min.insync.replicas of brokers is in no znode, so nothing is said of it. Raises `Refusal` where the recording
    has no znode history, or nothing had happened.
    """
    recording = recording_at(path)
    asked, cluster = moment(at, recording, "--at"), Cluster()
    for _ in changes(recording, asked, cluster):
        pass
    if cluster.last is None:
        raise Refusal(f"{path}: nothing had happened up to {asked.text}; ask for a later moment", ExitCode.USAGE)
    now = cluster.last.time if asked.time is None else asked.time
    lists: dict[str, list[dict[str, Any]]] = {"offline": [], "under_replicated": [], "reassigning": []}
    for partition, (state, since) in sorted(cluster.partitions.items(), key=lambda one: str(one[0])):
        replicas = cluster.replicas(partition)
        told = {
            "partition": str(partition),
            "leader": None if state.leader == NOBODY else state.leader,
            "isr": list(state.isr),
            "replicas": list(replicas.replicas) if replicas else None,
        }
        for name in ("offline", "under_replicated"):
            if _conditions(cluster, state)[name]:
                begun = cluster.since.get((name, partition), since)
                lists[name].append({**told, "since": begun.as_json(now)})
        if replicas is not None and (replicas.adding or replicas.removing):
            lists["reassigning"].append({**told, "adding": list(replicas.adding), "removing": list(replicas.removing)})
    gone = [{"broker": one, "since": since.as_json(now)} for one, since in sorted(cluster.gone.items())]
    is_well = not (gone or lists["under_replicated"] or lists["reassigning"]) and cluster.controller is not None
    status = "unhealthy" if lists["offline"] else "healthy" if is_well else "attention"
    led = cluster.controller
    return {
        "path": path,
        "mode": "zookeeper",
        "status": status,
        "at": {"asked": asked.text, **_moment(cluster.last), "now": now},
        "controller": None if led is None else {"id": led[0], "since": led[1].as_json(now)},
        "counts": {
            "brokers": len(cluster.brokers),
            "topics": len(cluster.topics),
            "partitions": len(cluster.partitions),
            "gone": len(gone),
            **{name: len(one) for name, one in lists.items()},
        },
        "partitions": lists,
        "brokers": {"live": sorted(cluster.brokers), "gone": gone},
        "notes": ["min.insync.replicas of brokers is in no znode: partitions under min ISR are not shown"],
    }
