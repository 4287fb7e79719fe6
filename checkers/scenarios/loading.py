"""A scenario that begins with the state of a metadata log: hard state as the log says it, the rest is assumed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from fencepost.checkers.conformance.records.old_forms import is_read_over
from fencepost.checkers.operations.moments import When, iso
from fencepost.checkers.verdicts import ExitCode, Refusal
from fencepost.model.kraft.protocol import KRAFT
from fencepost.model.language import Protocol
from fencepost.reference.kraft.controller.indexes import TopicPartition
from fencepost.reference.kraft.controller.managers import Managers
from fencepost.reference.kraft.controller.partitions import PartitionRegistration
from fencepost.reference.kraft.raft.client import CommittedBatch, LoadedSnapshot
from fencepost.reference.kraft.records import Message
from fencepost.reference.kraft.settings import Settings
from fencepost.traces import (
    Batch,
    ControlRecord,
    LogSource,
    Quarantined,
    Record,
    Snapshot,
    Undecodable,
    iterate_log,
    parse_snapshot_name,
    read_snapshot,
)
from fencepost.traces.record_types import LEADER_CHANGE
from fencepost.traces.storage import base_name

from .machine import NODE, Machine
from .running import Scenario

MANY = 2000
"""From so many partitions on, the tables evaluate one of each class of equal partitions."""

IDLE = Message("NO_OP_RECORD", 0, {})
"""In place of a record that a controller of today reads over."""

_TRANSACTIONS = ("BEGIN_TRANSACTION_RECORD", "END_TRANSACTION_RECORD", "ABORT_TRANSACTION_RECORD")


@dataclass(slots=True)
class _Read:
    """The part of a log that was read: the snapshot that it begins after, batches, where it ends, who leads."""

    snapshot: Snapshot | None = None
    batches: list[Batch] = field(default_factory=list)
    last_offset: int = -1
    last_time: int = 0
    epoch: int = 0
    node: int = NODE
    notes: list[str] = field(default_factory=list)


def load(
    source: LogSource,
    asked: When,
    static: Mapping[str, str],
    dead: Collection[int] = (),
    behind: Collection[int] = (),
    protocol: Protocol = KRAFT,
) -> Scenario:
    """Return a scenario that begins with the state of a log at a moment; `static` are settings by Kafka's names.

    Another controller becomes active at that moment. Unfenced brokers in `dead` do not run, replicas of those in
    `behind` that are outside an ISR have not caught up; `protocol` has the tables. Raises Refusal where the log has no
    such moment, no such broker, or its state there is not known, TraceError where it cannot be read.
    """
    read = _read(source, asked)
    settings = Settings(metadata_max_idle_interval_ms=0).with_kafka(static)
    machine = Machine(settings, (), max(read.last_time, 0), node=read.node, protocol=protocol)
    _replay(machine, read, source)
    machine.lead()
    registrations = machine.controller.managers.cluster.registrations
    alive = sorted(one.id for one in registrations.values() if not one.fenced)
    down = sorted(one.id for one in registrations.values() if one.fenced)
    for word, brokers in (("--dead", dead), ("--behind", behind)):
        _refuse_others(word, brokers, alive, down, read.last_offset)
    runs = [one for one in alive if one not in dead]
    assumed = [
        f"unfenced brokers ({_listed(runs)}) run, have read the whole log, and have their directories; "
        f"fenced ones ({_listed(down)}) do not run",
        "their sessions begin now, with a controller that has just become active: no log shows heartbeats",
    ]
    if dead:
        seconds = settings.broker_session_timeout_ms / 1000
        assumed.append(f"as --dead says, {_listed(sorted(dead))} sent the last heartbeat now: fenced in {seconds:g} s")
    if behind:
        assumed.append(f"as --behind says, no replica of {_listed(sorted(behind))} joins an ISR but by a step")
    begins = {
        "path": source.path,
        "offset": read.last_offset,
        "time": iso(read.last_time if read.last_time > 0 else None),
        "brokers": len(registrations),
        "partitions": len(machine.controller.managers.replication.partitions),
    }
    return Scenario(machine, begins, [*read.notes, *assumed], dead, behind, protocol)


def _refuse_others(word: str, brokers: Collection[int], alive: Sequence[int], down: Sequence[int], offset: int) -> None:
    """Refuse brokers that are not unfenced in the state of a log."""
    for one in brokers:
        if one in down:
            raise Refusal(f"{word} {one}: broker {one} is fenced at offset {offset}, and does not run; leave it out")
        if one not in alive:
            raise Refusal(f"{word} {one}: there is no broker {one} at offset {offset}; unfenced are {_listed(alive)}")


def _listed(brokers: Sequence[int], most: int = 12) -> str:
    more = f" and {len(brokers) - most} more" if len(brokers) > most else ""
    return f"{', '.join(map(str, brokers[:most]))}{more}" if brokers else "none"


def begin(machine: Machine, messages: tuple[Message, ...], end: int, epoch: int) -> None:
    """Bring controller and tables to the state of some records, which count as a snapshot that ends below an offset."""
    machine.controller.handle_load_snapshot(LoadedSnapshot(end, epoch, messages))
    machine.run()
    records = [Record(end - 1, 0, one.type, one.version, dict(one.data)) for one in messages]
    machine.tables.load(machine.node, epoch, records, end - 1)
    machine.raft.end, machine.raft.epoch = end, epoch


# -- reading -----------------------------------------------------------------------------------------------------------
def _read(source: LogSource, asked: When) -> _Read:
    found = _Read()
    expected = 0
    damage: Quarantined | None = None
    for item in iterate_log(source):
        if isinstance(item, Quarantined):
            damage = item
        if not isinstance(item, Batch):
            continue
        if asked.is_over(item.base_offset, item.base_timestamp):
            damage = None
            break
        if damage is not None:
            raise _damaged(source, damage)
        if item.base_offset != expected:
            if found.batches or item.last_offset < expected:
                raise _unknown(source, f"the records at offsets {expected} to {item.base_offset - 1} are missing")
            _begin(source, found, item.base_offset)
        expected = item.last_offset + 1
        if not _take(found, item, asked):
            break
    is_there = asked.offset is not None and found.last_offset >= asked.offset
    if damage is not None and not is_there:
        if damage.kind != "torn":
            raise _damaged(source, damage)
        # The end of a log that was copied while it was written.
        found.notes.append(f"{damage.segment} ends inside a batch: what is in front of it counts")
    if not found.batches:
        _begin_with_newest(source, found, asked)
    if asked.offset is not None and found.last_offset < asked.offset:
        last = found.last_offset
        raise Refusal(
            f"{source.path}: offset {asked.offset} is behind the log's end; its last record is at offset {last}"
        )
    return found


def _damaged(source: LogSource, damage: Quarantined) -> Refusal:
    return _unknown(source, f"{damage.segment}, bytes {damage.start} to {damage.end}, cannot be read ({damage.reason})")


def _take(found: _Read, batch: Batch, asked: When) -> bool:
    """Add the records of a batch that count; return whether all of it does."""
    is_whole = not asked.is_over(batch.last_offset, batch.max_timestamp)
    if is_whole and not batch.is_control and batch.records:
        # The records of a large batch are decoded when they are replayed.
        found.batches.append(batch)
        found.last_offset, found.last_time, found.epoch = batch.last_offset, batch.max_timestamp, batch.epoch
        return True
    kept = []
    for record in batch.records:
        if asked.is_over(record.offset, record.timestamp):
            break
        if isinstance(record, ControlRecord) and record.type == LEADER_CHANGE:
            found.node = int(record.data.get("leaderId", NODE))
        kept.append(record)
    if kept:
        found.batches.append(batch)
        found.last_offset, found.last_time, found.epoch = kept[-1].offset, kept[-1].timestamp, batch.epoch
    return len(kept) == len(batch.records)


def _begin(source: LogSource, found: _Read, offset: int) -> None:
    """Begin with the snapshot that ends where the log begins."""
    found.snapshot = next((one for one in _snapshots(source) if one.end_offset == offset), None)
    if found.snapshot is None:
        raise _unknown(source, f"the log begins at offset {offset}, and no snapshot beside it ends there")
    found.notes.append(f"the state up to offset {offset - 1} is that of the snapshot {found.snapshot.segment}")


def _begin_with_newest(source: LogSource, found: _Read, asked: When) -> None:
    newest = max(_snapshots(source), key=lambda one: one.end_offset, default=None)
    if newest is None or (asked.offset is not None and asked.offset < newest.end_offset - 1):
        raise Refusal(f"{source.path}: there is no record up to {asked.text}; ask for a later moment")
    found.snapshot, found.last_offset, found.epoch = newest, newest.end_offset - 1, newest.epoch
    found.last_time = newest.batches[0].max_timestamp if newest.batches else 0
    found.notes.append(f"the state is that of the snapshot {newest.segment}")


def _snapshots(source: LogSource) -> Iterator[Snapshot]:
    for path in source.snapshots:
        named = parse_snapshot_name(base_name(path).removesuffix(".gz"))
        if named is not None and named.end_offset > 0:
            yield read_snapshot(path)


def _unknown(source: LogSource, why: str) -> Refusal:
    return Refusal(
        f"{source.path}: the state is not known: {why}; give the whole log, or --at a moment before that",
        ExitCode.INCONCLUSIVE,
    )


# -- replaying ---------------------------------------------------------------------------------------------------------
def _replay(machine: Machine, read: _Read, source: LogSource) -> None:
    """Bring controller and tables to the state of what was read."""
    controller = machine.controller
    if read.snapshot is not None:
        records = tuple(_known(machine, one) for one in read.snapshot.records)
        controller.handle_load_snapshot(LoadedSnapshot(read.snapshot.end_offset, read.snapshot.epoch, records))
        machine.run()
    for batch in read.batches:
        messages = []
        for record in batch.records:
            if record.offset > read.last_offset:
                break
            if isinstance(record, Undecodable):
                raise _unknown(source, f"the record at offset {record.offset} cannot be read ({record.reason})")
            if isinstance(record, Record):
                messages.append(_known(machine, record))
        if messages:
            last = batch.base_offset + len(messages) - 1
            controller.handle_commit([CommittedBatch(batch.base_offset, last, batch.epoch, 0, tuple(messages))])
            machine.run()
    snapshot = -1 if read.snapshot is None else read.snapshot.end_offset - 1
    classes = classes_of(controller.managers) if machine.protocol is KRAFT else ()
    machine.tables.load(read.node, controller.offsets.last_committed_epoch, _replayed(read), snapshot, classes)
    machine.raft.end, machine.raft.epoch = read.last_offset + 1, read.epoch
    if controller.managers.features.metadata_version is None:
        raise Refusal(f"{source.path}: the log says no metadata.version up to there; ask for a later moment")


def classes_of(managers: Managers) -> list[list[TopicPartition]]:
    """Return the partitions of a topic that are in equal states, in classes; none where there are fewer than `MANY`.

    Partition 0 of a topic is in none: indexes name it in place of others (D6). Where the index of eligible leader
    replicas is not what the partitions say (D6), there are no classes at all.
    """
    partitions = managers.replication.partitions
    if len(partitions) < MANY:
        return []
    elrs = managers.replication.indexes.elrs
    listed = [(key, broker) for broker in elrs.brokers() for key in elrs.of(broker)]
    eligible = {(key, broker) for key, partition in partitions.items() for broker in partition.elr}
    if len(listed) != len(eligible) or set(listed) != eligible:
        return []
    found: dict[tuple[str, PartitionRegistration], list[TopicPartition]] = {}
    for key, partition in partitions.items():
        if key[1] > 0:
            found.setdefault((key[0], partition), []).append(key)
    return list(found.values())


def _known(machine: Machine, record: Record) -> Message:
    """Return a record as a controller replays it; what one of today reads over is an idle record."""
    is_known = record.type in machine.controller.managers.replays or record.type in _TRANSACTIONS
    return Message(record.type, record.version, record.data) if is_known and not is_read_over(record) else IDLE


def _replayed(read: _Read) -> Iterable[Record]:
    """Yield the records that the tables replay; those of a snapshot count as at its end."""
    if read.snapshot is not None:
        yield from read.snapshot.records
    for batch in read.batches:
        for record in batch.records:
            if isinstance(record, Record) and record.offset <= read.last_offset and not is_read_over(record):
                yield record
