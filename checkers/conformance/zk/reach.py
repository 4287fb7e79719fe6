"""The extent of a recording's files: the end of a log, and the state before its first line."""

from __future__ import annotations

from dataclasses import replace

from fencepost.traces.zk import Entry, Gathered
from fencepost.traces.zk.controller_lines import PartitionElected, UpdateMetadataSummary

from .history import History
from .known import Term

_COUNTER = 0xFFFFFFFF
"""The part of a zxid that counts; each leader of ZooKeeper begins it again."""


def begins(entry: Entry) -> bool:
    """Whether a line may be a term's first: the controller sends all brokers the live brokers before anything else."""
    return isinstance(entry.message, UpdateMetadataSummary) and entry.message.partitions == 0


def ends_of(gathered: Gathered) -> dict[str, int]:
    """Return the time of the last line of each file, in milliseconds."""
    found: dict[str, int] = {}
    for entries in (*(epoch.entries for epoch in gathered.epochs), *gathered.brokers.values()):
        for entry in entries:
            found[entry.file] = max(entry.time_ms, found.get(entry.file, 0))
    return found


def reached_by(gathered: Gathered, history: History | None) -> dict[int, int]:
    """Return when a controller epoch is first reported by a broker that hears it, or by a write, in milliseconds."""
    found: dict[int, int] = {}
    told = [
        (getattr(entry.message, "controller_epoch", None), entry.time_ms)
        for entries in gathered.brokers.values()
        for entry in entries
    ]
    for write in () if history is None else history.writes.values():
        told.append((None if write.term is None else write.term.epoch, write.transaction.time_ms))
    for epoch, time in told:
        if epoch is not None:
            found[epoch] = min(time, found.get(epoch, time))
    return found


def covered(history: History, gathered: Gathered, notes: list[str]) -> tuple[History | None, Gathered]:
    """Return the history and the lines that can be compared with each other, and note what is left out.

    A history that begins in the middle of a cluster's life does not show the state before: the logs are checked alone.
    One that ends before the logs do says nothing of the lines after its end.
    """
    if not history.transactions:
        return history, gathered
    first, end = history.transactions[0], max(one.time_ms for one in history.transactions)
    if first.zxid & _COUNTER > 1:
        notes.append(
            f"The history begins with zxid {first.zxid}, and the state before it is not known: it is not checked, and "
            "the logs are checked alone."
        )
        return None, gathered
    if _beyond(history, gathered, end) < 2:
        return history, gathered
    epochs = [replace(one, entries=_before(one.entries, end)) for one in gathered.epochs]
    brokers = {broker: _before(entries, end) for broker, entries in gathered.brokers.items()}
    left = sum(len(one.entries) for one in gathered.epochs) - sum(len(one.entries) for one in epochs)
    left += sum(map(len, gathered.brokers.values())) - sum(map(len, brokers.values()))
    notes.append(f"The history ends before the logs do: {left} records after its end are not checked.")
    return history, replace(gathered, epochs=tuple(one for one in epochs if one.entries), brokers=brokers)


def _beyond(history: History, gathered: Gathered, end: int) -> int:
    """Count the lines after the end of a history that report a write or of an election after it."""
    known = {term for found in history.terms.values() for _, term in found}
    found = 0
    for entry in (entry for epoch in gathered.epochs for entry in epoch.entries if entry.time_ms >= end):
        message = entry.message
        if entry.sender.epoch is not None and Term(entry.sender.id, entry.sender.epoch) not in known:
            found += entry.sender.epoch > max((term.epoch for term in known), default=0)
        elif isinstance(message, PartitionElected):
            last = history.leaderships.last(message.partition)
            found += last is None or last.version < message.state.partition_epoch
    return found


def _before(entries: tuple[Entry, ...], end: int) -> tuple[Entry, ...]:
    return tuple(entry for entry in entries if entry.time_ms < end)
