"""Acknowledged entries, checked against the logs: a loss is reported with its history.

At each leader epoch, and at the end, the leader's log must have every acknowledged entry. A loss is a violation unless
it was to be expected: after an unclean election, or after as many restarts that lost data as min.insync.replicas; with
eligible leader replicas off one such restart is enough (KIP-966: the last replica standing).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fencepost.reference.kraft.records import NO_LEADER
from fencepost.reference.simulator import SECOND

from .broker import Broker, BrokerObserver
from .image import BROKER, TOPIC, Delta, MetadataImage
from .partition import Partition
from .partition_state import RECOVERING
from .replication_messages import PartitionKey

if TYPE_CHECKING:
    from .replica_log import ReplicaLog

REMEMBERED = 2000
"""How many acknowledgements of a partition are remembered; older ones are let go."""


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """Entries that were acknowledged to a producer: offset of the first, time of sending, min.insync.replicas then."""

    base_offset: int
    values: tuple[int, ...]
    sent_ns: int
    min_insync_replicas: int


@dataclass(frozen=True, slots=True)
class Election:
    """A leader of a partition as the metadata had it, when the first broker learnt of it."""

    at_ns: int
    leader: int
    leader_epoch: int
    isr: tuple[int, ...]
    elr: tuple[int, ...]
    unclean: bool
    replicas: int

    def __str__(self) -> str:
        who = "no leader" if self.leader == NO_LEADER else f"broker {self.leader}"
        how = ", uncleanly" if self.unclean else ""
        when = f"{self.at_ns / SECOND:.3f} epoch {self.leader_epoch}"
        return f"{when}: {who}{how}, ISR {list(self.isr)}, ELR {list(self.elr)}"


@dataclass(frozen=True, slots=True)
class Lossy:
    """A broker lost entries of a partition."""

    at_ns: int
    broker: int
    how: str
    entries: int

    def __str__(self) -> str:
        return f"{self.at_ns / SECOND:.3f} broker {self.broker} lost {self.entries} entries ({self.how})"


@dataclass(frozen=True, slots=True)
class Loss:
    """Acknowledged entries that a leader does not have; `excuse` says why that was to be expected, "" if it was not."""

    at_ns: int
    topic: str
    key: PartitionKey
    offset: int
    value: int
    leader: int
    found: int | None
    excuse: str
    elections: tuple[Election, ...]
    lossy: tuple[Lossy, ...]

    @property
    def violation(self) -> bool:
        """Whether nothing excuses it."""
        return not self.excuse

    def __str__(self) -> str:
        there = "nothing" if self.found is None else f"{self.found}"
        lines = [
            f"{self.topic}-{self.key[1]}: {self.value} was acknowledged at offset {self.offset}, "
            f"broker {self.leader} has {there} there; {self.excuse or 'nothing excuses that'}"
        ]
        history: list[Election | Lossy] = [*self.elections, *self.lossy]
        history.sort(key=lambda one: one.at_ns)
        return "\n  ".join([*lines, *map(str, history)])


@dataclass
class _Partition:
    acknowledged: list[Acknowledged] = field(default_factory=list)
    elections: list[Election] = field(default_factory=list)
    lossy: list[Lossy] = field(default_factory=list)
    missed_ns: list[int] = field(default_factory=list)
    partition_epoch: int = -1

    def is_latest(self, leader_epoch: int) -> bool:
        """Whether no later leader epoch is known."""
        return bool(self.elections) and self.elections[-1].leader_epoch == leader_epoch


class Ledger(BrokerObserver):
    """Records acknowledgements, elections and lost data of all partitions, and reports losses."""

    def __init__(self) -> None:
        self.losses: list[Loss] = []
        self.acknowledged_entries = 0
        self._offset = -1
        self._partitions: dict[PartitionKey, _Partition] = {}
        self._topics: dict[str, str] = {}
        self._minimum: dict[str, list[tuple[int, int]]] = {}
        self._elr: list[tuple[int, bool]] = [(0, False)]
        self._inherited: set[str] = set()

    @property
    def violations(self) -> list[Loss]:
        """The losses that nothing excuses."""
        return [loss for loss in self.losses if loss.violation]

    def acknowledged(self, key: PartitionKey, entry: Acknowledged) -> None:
        """Note that entries were acknowledged to a producer."""
        known = self._partitions.setdefault(key, _Partition()).acknowledged
        known.append(entry)
        self.acknowledged_entries += len(entry.values)
        if len(known) > 2 * REMEMBERED:
            del known[:REMEMBERED]

    # -- what brokers tell -----------------------------------------------------------------------------------------
    def metadata_applied(self, broker: int, now_ns: int, image: MetadataImage, delta: Delta) -> None:
        """Note elections and what min.insync.replicas and eligible leader replicas are, from the first who has it."""
        self._inherited |= image.inherited
        if image.offset <= self._offset:
            return
        self._offset = image.offset
        if image.elr_enabled != self._elr[-1][1]:
            self._elr.append((now_ns, image.elr_enabled))
        for topic_id in delta.deleted_topics:
            self._forget_topic(topic_id)
        for key in delta.before:
            now = image.partitions.get(key)
            if now is None:
                continue
            partition = self._partitions.setdefault(key, _Partition())
            if now.partition_epoch > partition.partition_epoch:
                partition.partition_epoch = now.partition_epoch
                self._topics[key[0]] = image.topics[key[0]]
                unclean = now.recovery_state == RECOVERING
                partition.elections.append(
                    Election(now_ns, now.leader, now.leader_epoch, now.isr, now.elr, unclean, len(now.replicas))
                )
        for kind, name in delta.configs:
            if kind == BROKER:
                for topic_id in image.topics:
                    self._note_minimum(topic_id, now_ns, image)
            elif kind == TOPIC and name in image.topic_ids:
                self._note_minimum(image.topic_ids[name], now_ns, image)

    def _note_minimum(self, topic_id: str, now_ns: int, image: MetadataImage) -> None:
        value = image.config(topic_id, -1, "min.insync.replicas")
        self._minimum.setdefault(topic_id, []).append((now_ns, 1 if value is None else int(value)))

    def _forget_topic(self, topic_id: str) -> None:
        for key in [key for key in self._partitions if key[0] == topic_id]:
            del self._partitions[key]
        self._minimum.pop(topic_id, None)

    def epochs_missed(self, broker: int, partition: Partition) -> None:
        """Note that a leader counts what followers had before another broker led."""
        if partition.key in self._partitions:
            self._partitions[partition.key].missed_ns.append(partition.host.now_ns)

    def ended(self, broker: Broker, how: str, lost: dict[PartitionKey, int]) -> None:
        """Note what a broker lost."""
        now = broker.simulator.now_ns
        for key, entries in lost.items():
            if key in self._partitions:
                self._partitions[key].lossy.append(Lossy(now, broker.config.broker_id, how, entries))

    def leader_epoch_started(self, broker: int, partition: Partition) -> None:
        """Hold the log of a leader against what was acknowledged."""
        known, host = self._partitions.get(partition.key), partition.host
        # A broker that reads old metadata believes for a moment that it leads; that is no election.
        latest = known is not None and known.is_latest(partition.leader_epoch)
        if latest and partition.log is not None and host.image.alive_epoch(broker) == host.broker_epoch:
            self.check(partition.key, broker, partition.log, host.now_ns)

    # -- verdicts --------------------------------------------------------------------------------------------------
    def check(self, key: PartitionKey, leader: int, log: ReplicaLog, now_ns: int) -> None:
        """Report each acknowledged entry that a leader's log does not have; each is reported once."""
        partition = self._partitions.get(key)
        if partition is None:
            return
        kept = []
        for entry in partition.acknowledged:
            start = log.start_offset
            if entry.base_offset + len(entry.values) <= start:
                continue
            missing = _first_difference(log, entry)
            if missing is None:
                kept.append(entry)
            else:
                self.losses.append(self._loss(key, partition, leader, log, entry, missing, now_ns))
        partition.acknowledged = kept

    def check_all(self, brokers: Iterable[Broker]) -> None:
        """Hold the logs of all partitions that are led against what was acknowledged."""
        for broker in brokers:
            if broker.run is not None:
                for partition in broker.run.replicas.partitions.values():
                    if partition.is_leader:
                        self.leader_epoch_started(broker.config.broker_id, partition)

    def _loss(
        self,
        key: PartitionKey,
        partition: _Partition,
        leader: int,
        log: ReplicaLog,
        entry: Acknowledged,
        offset: int,
        now_ns: int,
    ) -> Loss:
        since = entry.sent_ns
        elections = _since(partition.elections, since)
        lossy = tuple(one for one in partition.lossy if one.at_ns >= since)
        inside = log.start_offset <= offset < log.end_offset
        return Loss(
            now_ns,
            self._topics.get(key[0], key[0]),
            key,
            offset,
            entry.values[offset - entry.base_offset],
            leader,
            log.values[offset - log.start_offset] if inside else None,
            self._excuse(key, partition, entry, elections, lossy),
            elections,
            lossy,
        )

    def _excuse(
        self,
        key: PartitionKey,
        partition: _Partition,
        entry: Acknowledged,
        elections: tuple[Election, ...],
        lossy: tuple[Lossy, ...],
    ) -> str:
        if any(one.unclean for one in elections):
            return "there was an unclean election"
        if any(at >= entry.sent_ns for at in partition.missed_ns):
            return "a leader missed the term of another (D29)"
        switched = [on for at, on in self._elr if at >= entry.sent_ns]
        was_on = [on for at, on in self._elr if at < entry.sent_ns][-1:] == [True]
        brokers = {one.broker for one in lossy}
        inherited = self._topics.get(key[0]) in self._inherited
        because = "a broker took a deleted topic's configuration for the topic's (D28)" if inherited else ""
        if not brokers:
            return because
        minimum = [value for at, value in self._minimum.get(key[0], ()) if at >= entry.sent_ns]
        minimum += [entry.min_insync_replicas, *(one.replicas for one in elections)]
        if len(brokers) >= min(minimum):
            return f"{len(brokers)} brokers lost data, min.insync.replicas is {min(minimum)}"
        if not was_on or False in switched:
            if True in switched:
                return "eligible leader replicas were switched off and on (D21)"
            return "eligible leader replicas are off, and a broker lost data"
        return because


def _since(elections: list[Election], since_ns: int) -> tuple[Election, ...]:
    """Return the leaders from a time on, beginning with the one at that time."""
    first = max((index for index, one in enumerate(elections) if one.at_ns <= since_ns), default=0)
    return tuple(elections[first:])


def _first_difference(log: ReplicaLog, entry: Acknowledged) -> int | None:
    first = entry.base_offset - log.start_offset
    if first >= 0 and tuple(log.values[first : first + len(entry.values)]) == entry.values:
        return None
    for offset, value in enumerate(entry.values, entry.base_offset):
        index = offset - log.start_offset
        if index >= 0 and (index >= len(log.values) or log.values[index] != value):
            return offset
    return None
