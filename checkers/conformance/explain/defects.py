"""Adds historical defects of Kafka to the tables that check a log, to see whether one explains it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from fencepost.checkers.conformance.plans.plans import Plans
from fencepost.checkers.conformance.reading.monitor import Monitor
from fencepost.model.language import Protocol, Record, TableError
from fencepost.model.museum.entry import Entry
from fencepost.model.museum.kraft import KRAFT_MUSEUM

MOST_ROWS = 30
"""A defect that changes more rows than that is of what all of them do, and no row of its own would be blamed."""

NOT_SHOWN = ("J1", "J20", "J28", "A8-")
"""Defects in epochs of partitions, which are counted up and are in no record: no log shows them."""

_ENTRIES = {entry.name: entry for entry in KRAFT_MUSEUM if not entry.repairs and entry.name not in NOT_SHOWN}


@dataclass(frozen=True)
class Defect:
    """A museum entry with the plans of tables that have it, and the ids of the rows that it changes."""

    entry: Entry
    plans: Plans
    changed: frozenset[str]


def defects_of(monitor: Monitor, record: Record) -> Iterator[Defect]:
    """Yield the defects that change a row which may write a record, put into the tables of a monitor."""
    protocol = monitor.protocol
    for entry in _ENTRIES.values():
        changed = _changed(protocol, entry.name)
        rows = [row for row in protocol.rows if row.id in changed]
        writes = any(one.record is record for row in rows for stage in row.stages for one in stage.written)
        if writes and len(changed) <= MOST_ROWS:
            yield Defect(entry, _plans(monitor, entry), changed)


@lru_cache(maxsize=64)
def _edited(protocol: Protocol, name: str) -> Protocol | None:
    """Return tables with a defect, None where they have no place for it: other releases have other rows."""
    try:
        return _ENTRIES[name].edited(protocol)
    except (TableError, LookupError, ValueError, AssertionError, AttributeError, StopIteration):
        return None


@lru_cache(maxsize=256)
def _changed(protocol: Protocol, name: str) -> frozenset[str]:
    edited = _edited(protocol, name)
    if edited is None:
        return frozenset()
    before = {row.id: row for row in protocol.rows}
    return frozenset(row.id for row in edited.rows if before.get(row.id) != row)


def _plans(monitor: Monitor, entry: Entry) -> Plans:
    """Return the plans of tables with a defect: those of the monitor, but for the events whose rows it changes."""
    edited, changed = _edited(monitor.protocol, entry.name), _changed(monitor.protocol, entry.name)
    assert edited is not None
    events = {row.event.name for row in edited.rows if row.id in changed}
    return monitor.plans.varied(edited, monitor.layout.compiler, events)
