"""How far the files of a recording reach: where a log ends, and what was there before its first line."""

from __future__ import annotations

from fencepost.traces.zk import Entry, Gathered
from fencepost.traces.zk.controller_lines import UpdateMetadataSummary

from .history import History


def begins(entry: Entry) -> bool:
    """Whether a line may be the first of a term: the controller tells all brokers who is live, before anything else."""
    return isinstance(entry.message, UpdateMetadataSummary) and entry.message.partitions == 0


def ends_of(gathered: Gathered) -> dict[str, int]:
    """Return the time of the last line of each file, in milliseconds."""
    found: dict[str, int] = {}
    for entries in (*(epoch.entries for epoch in gathered.epochs), *gathered.brokers.values()):
        for entry in entries:
            found[entry.file] = max(entry.time_ms, found.get(entry.file, 0))
    return found


def reached_by(gathered: Gathered, history: History | None) -> dict[int, int]:
    """Return when a controller epoch is first told by a broker that hears it, or by a write, in milliseconds."""
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
