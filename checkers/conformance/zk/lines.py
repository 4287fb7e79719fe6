"""The lines of a controller in one of its terms as events of the tables, in the order of the file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from fencepost.model.zk.state import Call, PartitionState, ReplicaState, Strategy
from fencepost.traces.storage import base_name
from fencepost.traces.zk import Cause, Entry, EpochLines, TopicPartition
from fencepost.traces.zk.causes import InvalidPartitionTransition
from fencepost.traces.zk.controller_lines import (
    PartitionAssigned,
    PartitionChanged,
    PartitionChangeFailed,
    PartitionElected,
    ReassignmentNotSent,
    ReassignmentSent,
    RemovedFromIsr,
    ReplicaChanged,
    ReplicaChangeFailed,
    ReplicasMarkedOffline,
    ResponseReceived,
    ResponseRefused,
)

from .known import CellValue, Term
from .leaderships import Leadership
from .names import DONE, PARTITION_STATES, REPLICA_STATES, STRATEGIES, outcomes_of, strategy_of
from .observations import Observation, Place


@dataclass(frozen=True, slots=True)
class Unit:
    """A line of the event thread, with the one that belongs to it, as an event.

    `leadership` is what the line says was written or read; `claims` says that it was written, None where the line says
    the same of both. `assigned` are replicas that the line names. A line without an event has its entry only.
    """

    entry: Entry
    observation: Observation | None = None
    partition: TopicPartition | None = None
    leadership: Leadership | None = None
    claims: bool | None = False
    assigned: tuple[int, ...] | None = None
    lone: bool = False

    @property
    def is_new(self) -> bool:
        """Whether the line reports a partition or a replica that becomes new."""
        to = None if self.observation is None else self.observation.params.get("to")
        return to is PartitionState.NEW or to is ReplicaState.NEW


def place_of(entry: Entry) -> Place:
    """Return the place of a line."""
    text = entry.message.text
    return Place(base_name(entry.file), entry.line, entry.line, text if len(text) <= 160 else f"{text[:159]}…")


def is_of_event_thread(entry: Entry) -> bool:
    """Whether a controller's line is written by its event thread, whose order is exact."""
    return not isinstance(entry.message, (ResponseReceived, ResponseRefused))


def units_of(lines: EpochLines, term: Term, traced: bool) -> Iterator[Unit]:
    """Yield the lines of a term's event thread as events; `traced` says that changes of replicas are logged."""
    entries = [entry for entry in lines.entries if is_of_event_thread(entry)]
    at = 0
    while at < len(entries):
        entry, following = entries[at], entries[at + 1] if at + 1 < len(entries) else None
        at += 1
        message = entry.message
        if isinstance(message, RemovedFromIsr):
            change = following.message if following is not None else None
            together = (
                isinstance(change, ReplicaChanged)
                and (change.partition, change.replica) == (message.partition, message.replica)
                and change.target == message.target
            )
            at += together
            # The process may be killed between the two lines: the last line of a log is no gap.
            yield _removed(
                entry,
                message,
                change if isinstance(change, ReplicaChanged) and together else None,
                term,
                traced and following is not None,
            )
        else:
            yield _unit(entry, term)


def _unit(entry: Entry, c: Term) -> Unit:
    message, place = entry.message, place_of(entry)
    match message:
        case PartitionAssigned():
            p = message.partition
            source = PARTITION_STATES[message.source]
            return Unit(
                entry, _partition(c, p, place, source, PartitionState.NEW, Strategy.NONE), p, assigned=message.replicas
            )
        case PartitionElected():
            p, state = message.partition, message.state
            told = Leadership.of(state, recovering=state.recovery != "RECOVERED")
            one = _partition(c, p, place, PARTITION_STATES[message.source], PartitionState.ONLINE, None)
            return Unit(entry, one, p, told, True)
        case PartitionChanged():
            p = message.partition
            source, target = PARTITION_STATES[message.source], PARTITION_STATES[message.target]
            return Unit(entry, _partition(c, p, place, source, target, Strategy.NONE), p)
        case PartitionChangeFailed():
            return Unit(entry, _partition_failed(entry, message, c, place), message.partition)
        case ReplicaChanged():
            old, new = REPLICA_STATES[message.source], REPLICA_STATES[message.target]
            one = _replica(c, message.partition, message.replica, place, old, new)
            return Unit(entry, one, message.partition)
        case ReplicaChangeFailed():
            old, new = REPLICA_STATES[message.source], REPLICA_STATES[message.target]
            one = _replica(c, message.partition, message.replica, place, old, new)
            return Unit(entry, _failed(one, entry.cause), message.partition)
        case ReassignmentSent():
            p, written, moved = message.partition, message.state, message.assignment
            told = Leadership.of(written, written.controller_epoch, written.recovery != "RECOVERED")
            call = Call.BUMP if moved.adding or moved.removing else Call.LEAD
            one = Observation(
                "UpdateLeaderEpoch",
                {"c": c, "p": p},
                place,
                f"partition {p}",
                brought=[("call", (c,), call)],
                about=((c, p), (p,)),
            )
            return Unit(entry, one, p, told, True, moved.replicas)
        case ReassignmentNotSent() | ReplicasMarkedOffline() | _:
            return Unit(entry, None, getattr(message, "partition", None))


def _partition(
    c: Term, p: TopicPartition, place: Place, source: PartitionState, to: PartitionState, how: Strategy | None
) -> Observation:
    return Observation(
        "PartitionState",
        {"c": c, "p": p, "to": to} | ({} if how is None else {"how": how}),
        place,
        f"partition {p}",
        DONE,
        choices={} if how is not None else {"how": STRATEGIES[source]},
        before=[("partition_state", (c, p), source)],
        after=[("partition_state", (c, p), to)],
        about=((c, p),),
    )


def _partition_failed(entry: Entry, message: PartitionChangeFailed, c: Term, place: Place) -> Observation:
    p, cause = message.partition, entry.cause
    source, target = PARTITION_STATES[message.source], PARTITION_STATES[message.target]
    refused = cause is not None and isinstance(cause.meaning, InvalidPartitionTransition)
    if target is PartitionState.NEW and not refused:
        # Where the creation of a state znode fails, Kafka names the state that the partition is in as the target.
        target = PartitionState.ONLINE
    how = Strategy.NONE if target is not PartitionState.ONLINE else strategy_of(cause)
    return _failed(_partition(c, p, place, source, target, how), cause)


def _failed(one: Observation, cause: Cause | None) -> Observation:
    """Return a change as one that failed for a cause, None for an unknown one: the state is as it was."""
    return replace(one, answers=outcomes_of(cause), choices={}, after=one.before)


def _replica(
    c: Term, p: TopicPartition, r: int, place: Place, source: ReplicaState | None, to: ReplicaState
) -> Observation:
    cells: Sequence[CellValue] = () if source is None else [("replica_state", (c, p, r), source)]
    return Observation(
        "ReplicaState",
        {"c": c, "p": p, "r": r, "to": to},
        place,
        f"replica {r} of {p}",
        DONE,
        before=cells,
        after=[("replica_state", (c, p, r), to)],
        about=((c, p, r),),
    )


def _removed(entry: Entry, message: RemovedFromIsr, change: ReplicaChanged | None, c: Term, traced: bool) -> Unit:
    p, state = message.partition, message.state
    told = Leadership.of(state, state.controller_epoch, state.recovery != "RECOVERED")
    source = None if change is None else REPLICA_STATES[change.source]
    one = _replica(c, p, message.replica, place_of(entry), source, REPLICA_STATES[message.target])
    one = replace(one, brought=[("knows", (c, p), True)])
    return Unit(entry, one, p, told, None, lone=traced and change is None)
