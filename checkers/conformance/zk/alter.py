"""Alterations of a recording, by class: what a broken cluster, or a damaged log, would have left behind."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from fencepost.traces.storage import base_name
from fencepost.traces.zk import BrokerState, Entry, Operation, Record, Transaction
from fencepost.traces.zk.broker_lines import LeaderAndIsrReceived, LeaderCached, TransitionStarted
from fencepost.traces.zk.controller_lines import (
    LeaderAndIsrSent,
    PartitionChanged,
    PartitionElected,
    ReassignmentSent,
    RemovedFromIsr,
    ReplicaChanged,
    StopReplicaSent,
)

from .lines import is_of_event_thread

STRANGER = 99
"""A broker that no cluster here has."""


@dataclass(frozen=True, slots=True)
class Altered:
    """An altered recording: its records and transactions, and where it was altered (file; line or zxid)."""

    kind: str
    segment: str
    offset: int
    records: Sequence[Record]
    transactions: Sequence[Transaction] | None


Change = Callable[[Any], Any]


def _state(operation: Operation) -> dict[str, Any] | None:
    is_state = operation.op in ("create", "set") and (operation.path or "").endswith("/state")
    return operation.data if is_state and operation.happened and isinstance(operation.data, dict) else None


def _data(**columns: Callable[[dict[str, Any]], Any]) -> Callable[[Transaction], Transaction]:
    """Return a change of a state znode's data, column by column."""

    def change(transaction: Transaction) -> Transaction:
        return replace(
            transaction,
            operations=tuple(
                one
                if (data := _state(one)) is None
                else replace(one, data={**data, **{n: f(data) for n, f in columns.items()}})
                for one in transaction.operations
            ),
        )

    return change


def _version(transaction: Transaction) -> Transaction:
    return replace(
        transaction,
        operations=tuple(
            one if _state(one) is None else replace(one, version=(one.version or 0) + 1)
            for one in transaction.operations
        ),
    )


def _old_epoch(transaction: Transaction) -> Transaction:
    older = _data(controller_epoch=lambda data: data["controller_epoch"] - 1)(transaction)
    return replace(
        older,
        operations=tuple(
            replace(one, expected_version=(one.expected_version or 0) - 1) if one.op == "check" else one
            for one in older.operations
        ),
    )


def _session(transaction: Transaction) -> Transaction:
    return replace(transaction, session="0x1", writer=STRANGER)


WRITES: dict[str, Callable[[Transaction], Transaction | None]] = {
    "a write by an old epoch": _old_epoch,
    "a write by another session": _session,
    "a write that skips a version": _version,
    "a write with a leader outside the ISR": _data(leader=lambda _: STRANGER),
    "a write with a stranger in the ISR": _data(isr=lambda data: [*data["isr"], STRANGER]),
    "a write whose leader epoch goes back": _data(leader_epoch=lambda data: data["leader_epoch"] - 1),
    "a write with an empty ISR": _data(isr=lambda data: []),
    "a write dropped": lambda _: None,
}
"""Alterations of one write of a state znode; None drops it."""


def _leadership(entry: Entry, **changes: Callable[[Any], Any]) -> Entry | None:
    message: Any = entry.message
    if not isinstance(message, (PartitionElected, RemovedFromIsr, ReassignmentSent)):
        return None
    made = {name: change(message.state) for name, change in changes.items()}
    if isinstance(message, PartitionElected) and "isr" in made:
        made["members"] = tuple(BrokerState(one, -1) for one in made.pop("isr"))
    return replace(entry, message=replace(message, state=replace(message.state, **made)))


def _illegal(entry: Entry) -> Entry | None:
    message = entry.message
    if isinstance(message, ReplicaChanged):
        target = "NewReplica" if message.source != "NonExistentReplica" else "ReplicaDeletionStarted"
        return replace(entry, message=replace(message, target=target))
    if isinstance(message, PartitionChanged) and message.source != "OfflinePartition":
        return replace(entry, message=replace(message, target="NonExistentPartition"))
    return None


def _older_request(entry: Entry) -> Entry | None:
    message = entry.message
    if isinstance(message, (LeaderAndIsrReceived, TransitionStarted)):
        return replace(entry, message=replace(message, controller_epoch=message.controller_epoch - 1))
    return None


def _older_head(entry: Entry) -> Entry | None:
    if entry.sender.epoch is None or not is_of_event_thread(entry):
        return None
    return replace(entry, sender=replace(entry.sender, epoch=entry.sender.epoch - 1))


def _source(entry: Entry) -> Entry | None:
    message = entry.message
    if isinstance(message, ReplicaChanged):
        return replace(entry, message=replace(message, source="ReplicaDeletionStarted"))
    if isinstance(message, (PartitionChanged, PartitionElected)):
        return replace(entry, message=replace(message, source="NonExistentPartition"))
    return None


def _request(entry: Entry) -> Entry | None:
    message = entry.message
    if isinstance(message, (LeaderAndIsrSent, LeaderAndIsrReceived, LeaderCached)) and message.state.leader >= -1:
        state: Any = replace(message.state, leader=STRANGER)
        return replace(entry, message=replace(message, state=state))
    return None


LINES: dict[str, Callable[[Entry], Entry | None]] = {
    "a line with a leader outside the ISR": lambda e: _leadership(e, leader=lambda _: STRANGER),
    "a line with a stranger in the ISR": lambda e: _leadership(e, isr=lambda state: (*state.isr, STRANGER)),
    "a line whose leader epoch goes back": lambda e: _leadership(e, leader_epoch=lambda state: state.leader_epoch - 1),
    "a line that skips a version": lambda e: _leadership(e, partition_epoch=lambda state: state.partition_epoch + 1),
    "a change that no table has": _illegal,
    "a change from another state": _source,
    "a request under an older controller epoch": _older_request,
    "a line of an older controller epoch": _older_head,
    "a request with another leader": _request,
}
"""Alterations of one line."""

_DROPPED = (
    ReplicaChanged,
    PartitionElected,
    PartitionChanged,
    RemovedFromIsr,
    ReassignmentSent,
    LeaderAndIsrSent,
    StopReplicaSent,
    LeaderAndIsrReceived,
    LeaderCached,
)


def altered(records: Sequence[Record], transactions: Sequence[Transaction] | None, each: int) -> Iterator[Altered]:
    """Yield altered recordings: of every class up to `each`, spread evenly over the places where it can be."""
    if transactions is not None:
        yield from _writes(records, transactions, each)
    for kind, line in LINES.items():
        found = [
            (n, made) for n, one in enumerate(records) if isinstance(one, Entry) and (made := line(one)) is not None
        ]
        for place, entry in _spread(found, each):
            yield Altered(kind, base_name(entry.file), entry.line, _with(records, place, entry), transactions)
    dropped = [n for n, one in enumerate(records) if isinstance(one, Entry) and isinstance(one.message, _DROPPED)]
    for place in _spread(dropped, each):
        one = records[place]
        yield Altered("a line dropped", base_name(one.file), one.line, _with(records, place), transactions)
    for place in _spread([n for n in range(len(records) - 1) if _in_order(records[n], records[n + 1])], each):
        one, other = records[place], records[place + 1]
        swapped = [*records[:place], other, one, *records[place + 2 :]]
        yield Altered("a pair of lines swapped", base_name(one.file), one.line, swapped, transactions)


def _writes(records: Sequence[Record], transactions: Sequence[Transaction], each: int) -> Iterator[Altered]:
    places = [
        number
        for number, one in enumerate(transactions)
        if one.happened and any(_state(operation) is not None for operation in one.operations)
    ]
    for kind, write in WRITES.items():
        for place in _spread(places, each):
            one = transactions[place]
            made = write(one)
            changed = [*transactions[:place], *(() if made is None else (made,)), *transactions[place + 1 :]]
            yield Altered(kind, base_name(one.file), one.zxid, records, changed)


def _with(records: Sequence[Record], place: int, *made: Record) -> list[Record]:
    return [*records[:place], *made, *records[place + 1 :]]


def _in_order(one: Record, other: Record) -> bool:
    """Whether two lines are in an order that matters: changes of one entity, or of different times."""
    if not (
        isinstance(one, Entry) and isinstance(other, Entry) and one.file == other.file and one.sender == other.sender
    ):
        return False
    first, second = one.message, other.message
    if one.sender.role != "Controller" or not is_of_event_thread(one) or not is_of_event_thread(other):
        return False
    if isinstance(first, ReplicaChanged) and isinstance(second, ReplicaChanged):
        same = (first.partition, first.replica) == (second.partition, second.replica)
        return one.time != other.time or (same and (first.source, first.target) != (second.source, second.target))
    return one.time != other.time


def _spread(places: Sequence[Any], each: int) -> Sequence[Any]:
    if len(places) <= each:
        return places
    return [places[n * len(places) // each] for n in range(each)]
