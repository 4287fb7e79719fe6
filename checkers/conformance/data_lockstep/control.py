"""Decisions of controllers about partitions: their steps, kept until they are known to be committed."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any

from fencepost.traces import record_types as types
from fencepost.traces.events import AlterPartition, BrokerRegistration
from fencepost.traces.steps import CLAIM, CONTROL, RENOUNCE, Step

Key = tuple[str, int]
MIN_ISR, ELR_FEATURE = "min.insync.replicas", "eligible.leader.replicas.version"
TOPIC, BROKER = 2, 4
"""The types of resources whose configurations are kept."""


@dataclass(frozen=True, slots=True)
class Decided:
    """A partition as the controller has it: epochs as Kafka counts them, `leader` None for none."""

    replicas: tuple[int, ...]
    isr: frozenset[int]
    leader: int | None
    leader_epoch: int
    partition_epoch: int
    elr: frozenset[int] = frozenset()
    recovering: bool = False
    moving: bool = False
    last_known: tuple[int, ...] = ()

    @property
    def outsiders(self) -> frozenset[int]:
        """Brokers that are in the ISR or eligible and no longer replicas (D15)."""
        return (self.isr | self.elr) - set(self.replicas)


@dataclass(frozen=True, slots=True)
class Change:
    """One record about a partition: as it was, None for a new one, and as it is."""

    before: Decided | None
    now: Decided
    clears: bool = False


@dataclass
class Decision:
    """A step of a controller as far as it is about data.

    `minima` has the partitions whose min.insync.replicas was set, with what it is; `refused` proposals that were
    answered
    INELIGIBLE_REPLICA, with their leader epoch; `registered` a broker and its new broker epoch, `unclean` whether it
    does not
    say that its last process shut down in order.
    """

    step: Step
    changes: dict[Key, list[Change]] = field(default_factory=dict)
    minima: dict[Key, int] = field(default_factory=dict)
    deleted: list[Key] = field(default_factory=list)
    refused: list[tuple[Key, int]] = field(default_factory=list)
    registered: tuple[int, int] | None = None
    unclean: bool = False

    @property
    def offset(self) -> int:
        """The offset of the step's last record, of what comes before it where it has none."""
        return self.step.base_offset + len(self.step.records) - 1


UNREGISTERED = "unregistered", -2
"""The incarnation and broker epoch of a broker that is gone: the next one to register did not stop cleanly
(ClusterControlManager.registerBroker)."""


class ControlLog:
    """The decisions of controllers in the order of their log; those that are not committed may be lost."""

    def __init__(self, static_min: int) -> None:
        self._static_min = static_min
        self._epoch = -1
        self.waiting: deque[Step] = deque()
        """Decisions that no node is known to know of."""
        self.next_end: float = inf
        """The end of the log below which the next decision is committed, infinite where none waits."""
        self._values: dict[str, int] = {}
        self._topics: dict[str, str] = {}
        self.partitions: dict[Key, Decided] = {}
        self._registered: dict[int, tuple[str, int]] = {}
        self._left_behind: set[str] = set()
        self.own_minimum: set[int] = set()
        self.elr_on = False

    def put(self, step: Step) -> None:
        """Take a step that was made; what another controller's claim finds uncommitted is dropped, and so is what a
        controller of an older epoch writes after it."""
        if step.epoch < self._epoch:
            return
        if step.name == CLAIM:
            self._epoch = step.epoch
            while self.waiting and self.waiting[-1].base_offset >= step.base_offset:
                self.waiting.pop()
        elif step.name not in (RENOUNCE, CONTROL) and (step.records or isinstance(step.request, AlterPartition)):
            self.waiting.append(step)
        self._look()

    def _look(self) -> None:
        """Note where the next decision ends."""
        step = self.waiting[0] if self.waiting else None
        self.next_end = inf if step is None else step.base_offset + len(step.records)

    def _next(self) -> Decision:
        step = self.waiting.popleft()
        self._look()
        return self._decision(step)

    def committed(self, end: int) -> Iterator[Decision]:
        """Yield the decisions below an end of the log, and apply them."""
        while self.next_end <= end:
            yield self._next()

    def until(self, key: Key, partition_epoch: int) -> Iterator[Decision]:
        """Yield the decisions that must be committed where a node knows of a partition epoch."""
        while self.waiting and self._older(key, partition_epoch):
            yield self._next()

    def _older(self, key: Key, partition_epoch: int) -> bool:
        known = self.partitions.get(key)
        return known is None or known.partition_epoch < partition_epoch

    def answered(self, key: Key, leader_epoch: int) -> Iterator[Decision]:
        """Yield what must have been decided where a leader has the refusal of its proposal."""
        while any(one == (key, leader_epoch) for step in self.waiting for one in _refused(step)):
            yield self._next()

    def minimum(self, key: Key, replicas: int) -> int:
        """Return min.insync.replicas of a partition: at most the number of its replicas."""
        name = self._topics.get(key[0], "")
        value = self._values.get(name, self._values.get("", self._static_min)) if name else self._static_min
        return min(value, replicas)

    def inherits(self, key: Key) -> bool:
        """Whether a topic of the same name had a min.insync.replicas of its own and was deleted."""
        return self._topics.get(key[0]) in self._left_behind

    def lowered(self, key: Key) -> bool:
        """Whether partition 0 of a topic has fewer or more replicas, so that its minimum is another one (D25)."""
        first, mine = self.partitions.get((key[0], 0)), self.partitions[key]
        if first is None:
            return False
        return self.minimum(key, len(first.replicas)) != self.minimum(key, len(mine.replicas))

    # -- records ---------------------------------------------------------------------------------------------------
    def _decision(self, step: Step) -> Decision:
        found = Decision(step, refused=list(_refused(step)))
        touched: dict[Key, None] = {}
        for record in step.records:
            data = record.data
            match record.type:
                case types.PARTITION_RECORD:
                    self._change(found, (data["topicId"], data["partitionId"]), _new(data))
                case types.PARTITION_CHANGE_RECORD:
                    key = data["topicId"], data["partitionId"]
                    self._change(found, key, _merged(self.partitions[key], data))
                case types.TOPIC_RECORD:
                    self._topics[data["topicId"]] = data["name"]
                case types.REMOVE_TOPIC_RECORD:
                    gone = [key for key in self.partitions if key[0] == data["topicId"]]
                    name = self._topics.pop(data["topicId"])
                    if self._values.pop(name, None) is not None:
                        self._left_behind.add(name)
                    found.deleted += gone
                    for key in gone:
                        del self.partitions[key]
                case types.CONFIG_RECORD if data["name"] == MIN_ISR:
                    touched |= self._configured(data)
                case types.CLEAR_ELR_RECORD:
                    self._clear(found, data["topicName"])
                case types.FEATURE_LEVEL_RECORD if data["name"] == ELR_FEATURE:
                    self.elr_on = data["featureLevel"] >= 1
                case types.UNREGISTER_BROKER_RECORD:
                    self._registered[data["brokerId"]] = UNREGISTERED
                case types.REGISTER_BROKER_RECORD:
                    broker, request = data["brokerId"], step.request
                    found.registered = broker, data["brokerEpoch"]
                    known = self._registered.get(broker, ("", -1))
                    if isinstance(request, BrokerRegistration) and known[0] not in ("", request.incarnation):
                        found.unclean = request.previous_epoch != known[1]
                    self._registered[broker] = data["incarnationId"], data["brokerEpoch"]
        for key in touched:
            if key in self.partitions:
                found.minima[key] = self.minimum(key, len(self.partitions[key].replicas))
        return found

    def _change(self, found: Decision, key: Key, now: Decided, clears: bool = False) -> None:
        found.changes.setdefault(key, []).append(Change(self.partitions.get(key), now, clears))
        self.partitions[key] = now

    def _configured(self, data: Mapping[str, Any]) -> dict[Key, None]:
        kind, name = data["resourceType"], data["resourceName"]
        if kind == BROKER and name:
            # A node's own value counts for what it leads, whatever the cluster's is.
            if data.get("value") is None:
                self.own_minimum.discard(int(name))
            else:
                self.own_minimum.add(int(name))
            return {}
        if kind not in (TOPIC, BROKER):
            return {}
        if data.get("value") is None:
            self._values.pop(name, None)
        else:
            self._values[name] = int(data["value"])
        return {key: None for key in self.partitions if not name or self._topics.get(key[0]) == name}

    def _clear(self, found: Decision, topic: str) -> None:
        for key, one in list(self.partitions.items()):
            if (one.elr or one.last_known) and (not topic or self._topics.get(key[0]) == topic):
                now = replace(one, elr=frozenset(), last_known=(), partition_epoch=one.partition_epoch + 1)
                self._change(found, key, now, clears=True)


def _refused(step: Step) -> Iterator[tuple[Key, int]]:
    request = step.request
    if isinstance(request, AlterPartition):
        for proposal, answer in zip(request.partitions, request.answers, strict=False):
            if answer == "INELIGIBLE_REPLICA":
                yield (proposal.topic, proposal.partition), proposal.leader_epoch


def _new(data: Mapping[str, Any]) -> Decided:
    leader = data.get("leader", -1)
    return Decided(
        tuple(data["replicas"]),
        frozenset(data["isr"]),
        None if leader < 0 else leader,
        data["leaderEpoch"],
        data["partitionEpoch"],
        frozenset(data.get("eligibleLeaderReplicas") or ()),
        data.get("leaderRecoveryState", 0) == 1,
        bool(data.get("addingReplicas") or data.get("removingReplicas")),
        tuple(data.get("lastKnownElr") or ()),
    )


def _merged(old: Decided, data: Mapping[str, Any]) -> Decided:
    leader, recovery = data.get("leader", -2), data.get("leaderRecoveryState", -1)
    isr, elr = data.get("isr"), data.get("eligibleLeaderReplicas")
    moving = old.moving
    for name in ("addingReplicas", "removingReplicas"):
        if data.get(name) is not None:
            moving = bool(data[name]) or (moving and data.get("addingReplicas") is None)
    return Decided(
        old.replicas if data.get("replicas") is None else tuple(data["replicas"]),
        old.isr if isr is None else frozenset(isr),
        old.leader if leader == -2 else None if leader < 0 else leader,
        old.leader_epoch + (leader != -2),
        old.partition_epoch + 1,
        old.elr if elr is None else frozenset(elr),
        old.recovering if recovery == -1 else recovery == 1,
        moving,
        old.last_known if data.get("lastKnownElr") is None else tuple(data["lastKnownElr"]),
    )
