"""The terms of a log's leaders, and what nodes that registered say of the release that wrote each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from fencepost.traces import Batch, MetadataLog, Record
from fencepost.traces.record_types import REGISTER_BROKER_RECORD, REGISTER_CONTROLLER_RECORD, ZK_MIGRATION_STATE_RECORD

from .reading.beginning import beginning
from .reading.pending_snapshots import PendingSnapshots
from .records.control_records import leader_of, opens
from .records.software import Registration, Software


@dataclass(frozen=True, slots=True)
class Term:
    """The term of one leader: the batches [start, end) of a log, from the offset `first` to `last`.

    A log that begins inside a term has no leader change for it, and `leader` is None. `registration` is what the leader
    said when it registered, before or in its term; where the leader is not known, what all registered controllers say
    alike; None where nothing does. `beyond` is a sentence where no tables are known for what wrote the term, empty
    elsewhere, and `is_older` whether that is since the software is older than the oldest tables.
    """

    start: int
    end: int
    first: int
    last: int
    leader: int | None
    registration: Registration | None
    beyond: str = ""
    is_older: bool = False

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
    """Return the terms of a log from the offset on at which the check begins; none where it cannot be checked."""
    if not log.batches:
        return []
    begins = beginning(log, PendingSnapshots(log).damaged)
    if begins.offset is None:
        return []
    said = Software()
    if begins.snapshot is not None:
        said.note(begins.snapshot)
    first = next((at for at, one in enumerate(log.batches) if one.last_offset >= begins.offset), len(log.batches))
    for batch in log.batches[:first]:
        said.note(batch)
    cuts = [at for at in range(first + 1, len(log.batches)) if opens(log.batches[at])]
    found = []
    for start, end in zip([first, *cuts], [*cuts, len(log.batches)], strict=True):
        batches = log.batches[start:end]
        said.lowest = said.level
        for batch in batches:
            said.note(batch)
        if batches:
            named = (leader_of(record) for record in batches[0].records)
            leader = next((node for node in named if node is not None), None)
            told = said.agreed() if leader is None else said.controllers.get(leader)
            older = said.older_software() if told is None else ""
            if said.is_silent and not all(batch.is_control for batch in batches):
                older = said.silence()
            found.append(
                Term(
                    start, end, batches[0].base_offset, batches[-1].last_offset, leader, told,
                    older or said.low_level(), bool(older),
                )
            )  # fmt: skip
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


def _all(log: MetadataLog, *types: str) -> Iterator[Record]:
    for snapshot in log.snapshots:
        yield from snapshot.records_of(types)
    for batch in log.batches:
        yield from batch.records_of(types)


def _place(batch: Batch) -> tuple[str, int]:
    return (batch.segment, batch.position)
