"""The terms of a log's leaders, and what the controllers that led said of their release when they registered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from fencepost.traces import Batch, MetadataLog, Record, Snapshot
from fencepost.traces.record_types import (
    FEATURE_LEVEL_RECORD,
    REGISTER_BROKER_RECORD,
    REGISTER_CONTROLLER_RECORD,
    UNREGISTER_CONTROLLER_RECORD,
    ZK_MIGRATION_STATE_RECORD,
)

from .beginning import beginning
from .leaders import leader_of, opens
from .pending_snapshots import PendingSnapshots

METADATA_VERSION = "metadata.version"
FIRST_LEVEL = 7
"""The lowest metadata.version that has tables, 3.3-IV3."""


@dataclass(frozen=True, slots=True)
class Registration:
    """What a controller said of itself: the highest metadata.version that it can do, and whether the migration from
    ZooKeeper is switched on in its server.properties."""

    highest: int
    migrating: bool


@dataclass(frozen=True, slots=True)
class Term:
    """What one leader wrote: the batches [start, end) of a log, from the offset `first` to `last`.

    A log that begins inside a term has no leader change for it, and `leader` is None. `registration` is what the leader
    said when it registered, before or in its term; where the leader is not known, what all registered controllers say
    alike; None where nothing does.
    """

    start: int
    end: int
    first: int
    last: int
    leader: int | None
    registration: Registration | None

    def alone(self, log: MetadataLog) -> MetadataLog:
        """Return the part of a log that the term is, with what is unreadable in it, without snapshots."""
        kept = log.batches[self.start : self.end]
        below = _place(log.batches[self.end]) if self.end < len(log.batches) else None
        damage = tuple(
            one
            for one in log.quarantined
            if _place(kept[0]) <= (one.segment, one.start) and (below is None or (one.segment, one.start) < below)
        )
        return replace(log.part(self.start, self.end), quarantined=damage, snapshots=())


def terms(log: MetadataLog) -> list[Term]:
    """Return the terms of a log from the offset on at which judging begins; none where it cannot be judged."""
    if not log.batches:
        return []
    begins = beginning(log, PendingSnapshots(log).damaged)
    if begins.offset is None:
        return []
    registered: dict[int, Registration] = {}
    if begins.snapshot is not None:
        _note(registered, begins.snapshot)
    first = next((at for at, one in enumerate(log.batches) if one.last_offset >= begins.offset), len(log.batches))
    for batch in log.batches[:first]:
        _note(registered, batch)
    cuts = [at for at in range(first + 1, len(log.batches)) if opens(log.batches[at])]
    found = []
    for start, end in zip([first, *cuts], [*cuts, len(log.batches)], strict=True):
        batches = log.batches[start:end]
        for batch in batches:
            _note(registered, batch)
        if batches:
            named = (leader_of(record) for record in batches[0].records)
            leader = next((node for node in named if node is not None), None)
            told = _agreed(registered) if leader is None else registered.get(leader)
            found.append(Term(start, end, batches[0].base_offset, batches[-1].last_offset, leader, told))
    if found:
        found[0] = replace(found[0], first=begins.offset)
    return found


def came_from_zookeeper(log: MetadataLog) -> bool:
    """Whether a record of a log, or of a snapshot beside it, says that the cluster was migrated from ZooKeeper."""
    return any(
        (one.type == ZK_MIGRATION_STATE_RECORD and one.data.get("zkMigrationState"))
        or (one.type == REGISTER_CONTROLLER_RECORD and one.data.get("zkMigrationReady"))
        or (one.type == REGISTER_BROKER_RECORD and one.data.get("isMigratingZkBroker"))
        for one in _all(log, ZK_MIGRATION_STATE_RECORD, REGISTER_CONTROLLER_RECORD, REGISTER_BROKER_RECORD)
    )


def without_tables(log: MetadataLog) -> str:
    """Return a sentence about a metadata.version in the log that has no tables, empty where there is none."""
    for one in _all(log, FEATURE_LEVEL_RECORD):
        if one.data.get("name") == METADATA_VERSION:
            level = one.data.get("featureLevel")
            if isinstance(level, int) and 0 < level < FIRST_LEVEL:
                return (
                    f"The log was at metadata.version {level}: the tables begin at {FIRST_LEVEL} (3.3-IV3), and what "
                    "controllers write below it may violate them without being wrong."
                )
    return ""


def _all(log: MetadataLog, *types: str) -> Iterator[Record]:
    for snapshot in log.snapshots:
        yield from snapshot.records_of(types)
    for batch in log.batches:
        yield from batch.records_of(types)


def _note(registered: dict[int, Registration], written: Batch | Snapshot) -> None:
    for record in written.records_of((REGISTER_CONTROLLER_RECORD, UNREGISTER_CONTROLLER_RECORD)):
        if record.type == REGISTER_CONTROLLER_RECORD:
            found = _registration(record.data)
            if found is not None:
                registered[record.data["controllerId"]] = found
        else:
            registered.pop(record.data.get("controllerId", -1), None)


def _registration(data: Mapping[str, Any]) -> Registration | None:
    features: Sequence[Mapping[str, Any]] = data.get("features") or ()
    for one in features:
        if one.get("name") == METADATA_VERSION and isinstance(one.get("maxSupportedVersion"), int):
            return Registration(one["maxSupportedVersion"], bool(data.get("zkMigrationReady")))
    return None


def _agreed(registered: Mapping[int, Registration]) -> Registration | None:
    said = set(registered.values())
    return said.pop() if len(said) == 1 else None


def _place(batch: Batch) -> tuple[str, int]:
    return (batch.segment, batch.position)
