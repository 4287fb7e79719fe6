"""The history of each partition in a metadata log: leader epochs, leaders, unclean elections, the last ISR and ELR.

A plain replay, independent of the tables, which check the same log themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from fencepost.traces import MetadataLog, Record

NO_LEADER = -1
NO_LEADER_CHANGE = -2
RECOVERING = 1
_TOPIC_RESOURCE = 2


class Unclean(NamedTuple):
    """An election outside ISR and ELR, which Kafka marks as RECOVERING: its leader epoch and time (milliseconds)."""

    epoch: int
    timestamp: int


@dataclass(slots=True)
class PartitionHistory:
    """One partition: `leaders` by leader epoch, epochs without a leader left out; the rest is as it is at the end.

    Epochs below `first_epoch` are unknown where the log begins with a snapshot.
    """

    topic: str
    topic_id: str
    partition: int
    first_epoch: int
    leader_epoch: int
    isr: tuple[int, ...]
    elr: tuple[int, ...]
    recovering: bool
    leaders: dict[int, int] = field(default_factory=dict)
    unclean: list[Unclean] = field(default_factory=list)

    @property
    def name(self) -> str:
        """Topic and number, as in a folder's name."""
        return f"{self.topic}-{self.partition}"

    @property
    def last_leader(self) -> int | None:
        """The broker that led last, None if none ever did."""
        return self.leaders[max(self.leaders)] if self.leaders else None

    @property
    def keepers(self) -> tuple[int, ...]:
        """The brokers that must have what was acknowledged: the last leader and the members of ISR and ELR."""
        found = {*self.isr, *self.elr} | ({self.last_leader} if self.last_leader is not None else set())
        return tuple(sorted(found))

    def change(self, data: dict[str, Any], timestamp: int) -> None:
        """Replay a PARTITION_CHANGE_RECORD."""
        eligible = {*self.isr, *self.elr}
        leader = data.get("leader", NO_LEADER_CHANGE)
        was_recovering = self.recovering
        if data.get("leaderRecoveryState", -1) >= 0:
            self.recovering = data["leaderRecoveryState"] == RECOVERING
        for name, attribute in _LISTS.items():
            if data.get(name) is not None:
                setattr(self, attribute, tuple(data[name]))
        if leader == NO_LEADER_CHANGE:
            return
        self.leader_epoch += 1
        if leader == NO_LEADER:
            return
        self.leaders[self.leader_epoch] = leader
        # A partition that is still recovering is not marked again.
        if self.recovering and (not was_recovering or leader not in eligible):
            self.unclean.append(Unclean(self.leader_epoch, timestamp))


_LISTS = {"isr": "isr", "eligibleLeaderReplicas": "elr"}


@dataclass(slots=True)
class ClusterHistory:
    """All partitions of a log, those of deleted topics too, by topic id and number; topics by id and by name.

    `compacted` are names of topics whose cleanup.policy has compact: their logs have gaps of each broker's own.
    `is_whole` says whether the log was read from a beginning: its own, or a snapshot of everything before it.
    """

    partitions: dict[tuple[str, int], PartitionHistory] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    deleted: set[str] = field(default_factory=set)
    compacted: set[str] = field(default_factory=set)
    is_whole: bool = True

    def current(self) -> dict[tuple[str, int], PartitionHistory]:
        """The partitions that there are at the end, by topic name and number."""
        return {(one.topic, one.partition): one for one in self.partitions.values() if one.topic_id not in self.deleted}

    def replay(self, record: Record) -> None:
        """Replay a record; those of other types say nothing of partitions."""
        data = record.data
        match record.type:
            case "TOPIC_RECORD":
                self.names[data["topicId"]] = data["name"]
            case "REMOVE_TOPIC_RECORD":
                self.deleted.add(data["topicId"])
            case "PARTITION_RECORD":
                self._begin(data, record.timestamp)
            case "PARTITION_CHANGE_RECORD":
                if (data["topicId"], data["partitionId"]) in self.partitions:
                    self.partitions[data["topicId"], data["partitionId"]].change(data, record.timestamp)
            case "CLEAR_ELR_RECORD":
                for one in self.partitions.values():
                    if data["topicName"] in ("", one.topic):
                        one.elr = ()
            case "CONFIG_RECORD" if data["name"] == "cleanup.policy" and data["resourceType"] == _TOPIC_RESOURCE:
                if "compact" in (data.get("value") or ""):
                    self.compacted.add(data["resourceName"])
            case _:
                pass

    def _begin(self, data: dict[str, Any], timestamp: int) -> None:
        epoch, leader = data["leaderEpoch"], data["leader"]
        recovering = data.get("leaderRecoveryState", 0) == RECOVERING
        self.partitions[data["topicId"], data["partitionId"]] = PartitionHistory(
            topic=self.names.get(data["topicId"], ""),
            topic_id=data["topicId"],
            partition=data["partitionId"],
            first_epoch=epoch,
            leader_epoch=epoch,
            isr=tuple(data["isr"]),
            elr=tuple(data.get("eligibleLeaderReplicas") or ()),
            recovering=recovering,
            leaders={} if leader == NO_LEADER else {epoch: leader},
            unclean=[Unclean(epoch, timestamp)] if recovering else [],
        )


def cluster_history(log: MetadataLog) -> ClusterHistory:
    """Replay a whole metadata log, from the snapshot before its first batch where it does not begin at offset 0."""
    history = ClusterHistory()
    for record in _from_the_beginning(log, history):
        history.replay(record)
    return history


def _from_the_beginning(log: MetadataLog, history: ClusterHistory) -> Iterator[Record]:
    first = log.batches[0].base_offset if log.batches else 0
    if first > 0 or not log.batches:
        # A snapshot from within the log has everything below its end.
        usable = [one for one in log.snapshots if one.is_complete and (one.end_offset >= first or not log.batches)]
        history.is_whole = bool(usable)
        if usable:
            first = usable[0].end_offset
            yield from usable[0].records
    expected = first
    for batch in log.batches:
        if batch.last_offset >= first:
            history.is_whole = history.is_whole and batch.base_offset <= expected
            expected = batch.last_offset + 1
            yield from (record for record in batch.metadata_records if record.offset >= first)
