"""The controller quorum as its log has it: the level of kraft.version, the voters, and each change of them.

Raft writes KRaftVersion and KRaftVoters into the log of a dynamic quorum, and a snapshot repeats the newest of each. A
static quorum (kraft.version 0) has its voters in controller.quorum.voters, which no log shows: there the LeaderChange
of an epoch names those with which its leader counts. Source: KRaftControlRecordStateMachine of Kafka 4.4.0, KIP-853.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from fencepost.traces import Batch, ControlRecord, MetadataLog, Snapshot
from fencepost.traces.record_types import KRAFT_VERSION, KRAFT_VOTERS, LEADER_CHANGE

from .control_records import RAFT_FEATURE, raft_level_of


@dataclass(frozen=True, slots=True)
class VotersChange:
    """One KRaftVoters record that changed the voters: its offset and time in milliseconds since 1970, and the changed
    voters.

    `voters` are the ids after it, ascending. `moved` are voters whose directory id changed, `reached` those whose
    endpoints did. The `first` one begins the quorum.
    """

    offset: int
    timestamp: int
    voters: tuple[int, ...]
    joined: tuple[int, ...] = ()
    left: tuple[int, ...] = ()
    moved: tuple[int, ...] = ()
    reached: tuple[int, ...] = ()
    first: bool = False


@dataclass(slots=True)
class Voters:
    """The voters of a log, as far as its control records were noted in their order.

    `level` is the level of kraft.version, None where no record says one, `since` the offset of the record that wrote it
    or the newest voters, whichever is later. `current` has each voter's fields by its id, None before the first
    KRaftVoters. `named` are the voters of the newest LeaderChange. `ids` are those with which a leader counts,
    ascending: of the newest KRaftVoters, committed or not, or of the LeaderChange that began a later epoch. `changes`
    are those that the log holds: what a snapshot has is no change.
    """

    level: int | None = None
    since: int | None = None
    current: Mapping[int, Mapping[str, Any]] | None = None
    named: tuple[int, ...] = ()
    ids: tuple[int, ...] = ()
    changes: list[VotersChange] = field(default_factory=list)

    @classmethod
    def of_snapshot(cls, batches: Iterable[Batch]) -> Voters:
        """Return the voters of a snapshot, without an offset since when they vote."""
        found = cls()
        found._read(batches)
        found.since, found.changes = None, []
        return found

    @classmethod
    def up_to(cls, log: MetadataLog, offset: int, snapshot: Snapshot | None = None) -> Voters:
        """Return the voters after the record at an offset of a log; `snapshot` is the one that the state began with."""
        found = cls() if snapshot is None else cls.of_snapshot(snapshot.batches)
        found._read(log.batches, 0 if snapshot is None else snapshot.end_offset, offset)
        return found

    @classmethod
    def at_end(cls, log: MetadataLog, beside: Iterable[int]) -> Voters:
        """Return the voters at the end of a log; those `beside` it are what its quorum-state names.

        A trimmed log may hold no record that names them: then the newest snapshot's count, and of a static quorum those
        beside it.
        """
        for batches in (log.batches, *(one.batches for one in sorted(log.snapshots, key=lambda one: -one.end_offset))):
            found = cls()
            found._read(batches)
            if found.ids:
                return found
        return cls(ids=tuple(sorted(beside)))

    def _read(self, batches: Iterable[Batch], begins: int = 0, last: float = math.inf) -> None:
        """Note the control records of batches, those between two offsets."""
        for batch in batches:
            for record in batch.control_records if batch.is_control else ():
                if begins <= record.offset <= last:
                    self.note(record)

    @property
    def majority(self) -> int:
        """The number of voters that have to be there for the quorum to elect a leader, and to commit."""
        return len(self.ids) // 2 + 1

    def note(self, record: ControlRecord) -> str:
        """Take a control record, and return what it does in words; empty where it changes nothing of the quorum."""
        if record.type == LEADER_CHANGE:
            self.named = self.ids = tuple(sorted(_by_id(record)))
            return ""
        if record.type == KRAFT_VERSION:
            before, self.level = self.level, raft_level_of(record)
            if self.level == before:
                return ""
            self.since = record.offset
            return f"{RAFT_FEATURE} is {self.level}"
        if record.type != KRAFT_VOTERS:
            return ""
        old, new = self.current, _by_id(record)
        self.current, self.ids = new, tuple(sorted(new))
        if old == new:
            return ""
        self.since = record.offset
        before_it = old or {}
        kept = [one for one in sorted(new) if one in before_it]
        change = VotersChange(
            record.offset,
            record.timestamp,
            self.ids,
            tuple(sorted(new.keys() - before_it.keys())),
            tuple(sorted(before_it.keys() - new.keys())),
            tuple(one for one in kept if _directory(new[one]) != _directory(before_it[one])),
            tuple(one for one in kept if new[one].get("endpoints") != before_it[one].get("endpoints")),
            old is None,
        )
        self.changes.append(change)
        return self.words(change)

    def words(self, change: VotersChange) -> str:
        """Return the effect of a change: the new voters, the removed ones, and the voters behind it."""
        ids = " ".join(map(str, change.voters))
        if change.first:
            return f"the voters of the controller quorum are {ids or 'none'}"
        told = [f"controller {one} becomes a voter{self.again(one, change)}" for one in change.joined]
        told += [f"controller {one} is no voter any more" for one in change.left]
        if told:
            told[-1] += f": {ids or 'none'}"
        told += [f"voter {one} has another log directory" for one in change.moved]
        told += [f"voter {one} has other endpoints" for one in change.reached]
        return "; ".join(told) or "the voters say something else of themselves"

    def again(self, controller: int, change: VotersChange) -> str:
        """Return for how long a controller that joins again was no voter, in words; empty where it joins newly."""
        left = [one for one in self.changes if one.offset < change.offset and controller in one.left]
        return f" again, {(change.timestamp - left[-1].timestamp) / 1000:g} s after it was removed" if left else ""

    def as_json(self, registered: Iterable[int] = ()) -> dict[str, Any]:
        """Return the quorum as JSON values; `registered` are the controllers that have registered.

        `observers` are controllers that are no voters: registered ones, and those that were voters before.
        """
        known, ids = set(registered), self.ids
        former = {one for change in self.changes for one in change.left}
        return {
            "kraft_version": self.level,
            "voters": None if self.current is None else list(ids),
            "since": self.since,
            "counted_by_the_leader": list(self.named),
            "majority": self.majority if ids else None,
            "may_be_lost": len(ids) - self.majority if ids else None,
            "observers": sorted((known | former) - set(ids)) if ids else [],
            "never_registered": sorted(set(ids) - known) if known else [],
            "joined": _counted(one for change in self.changes if not change.first for one in change.joined),
            "removed": _counted(one for change in self.changes for one in change.left),
        }


def quorum_in_words(quorum: Mapping[str, Any]) -> list[str]:
    """Return the lines of a page about a quorum, of its JSON values; none for a log that names no voter."""
    named, voters = quorum["counted_by_the_leader"], quorum["voters"]
    ids = named if voters is None else voters
    if not ids:
        return []
    told, lost, size = ", ".join(map(str, ids)), quorum["may_be_lost"], len(ids)
    many = "none may be lost" if not lost else "one may be lost" if lost == 1 else f"{lost} may be lost"
    needs = {1: "it is alone", 2: "a majority needs both"}.get(size, f"a majority needs {quorum['majority']} of {size}")
    if voters is None:
        lines = [
            f"voters: those of controller.quorum.voters, which no log shows; the leader counts with {told}; {needs}: "
            f"{many}"
        ]
    else:
        since = "" if quorum["since"] is None else f", since @{quorum['since']}"
        level = "unknown" if quorum["kraft_version"] is None else quorum["kraft_version"]
        lines = [f"voters ({RAFT_FEATURE} {level}{since}): {told}; {needs}: {many}"]
    if quorum["observers"]:
        lines.append(f"controllers that are no voters (observers): {', '.join(map(str, quorum['observers']))}")
    if quorum["never_registered"]:
        lines.append(f"voters that have not registered: {', '.join(map(str, quorum['never_registered']))}")
    for controller, times in quorum["removed"].items():
        joined = quorum["joined"].get(controller, 0)
        if times + joined > 2:
            lines.append(f"{controller} became a voter {_times(joined)} and was removed {_times(times)}")
    return lines


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def _counted(ids: Iterable[int]) -> dict[str, int]:
    return dict(Counter(map(str, ids)))


def _by_id(record: ControlRecord) -> dict[int, Mapping[str, Any]]:
    return {one["voterId"]: one for one in record.data.get("voters") or () if isinstance(one.get("voterId"), int)}


def _directory(voter: Mapping[str, Any]) -> Any:
    return voter.get("voterDirectoryId")
