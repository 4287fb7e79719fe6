"""The story of a run: one line an event, for people; what happens over and over is left out."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from fencepost.reference.kraft import messages as m
from fencepost.reference.kraft.controller.observer import Operation, SilentObserver
from fencepost.reference.kraft.controller.quorum_controller import QuorumController
from fencepost.reference.kraft.errors import Errors
from fencepost.reference.kraft.records import NO_LEADER, Message

from .telling import EXPLAINED, asked, counted, of_configuration, of_record, refusals
from .watch import finding_of

SECOND = 1_000_000_000
WIDTH = 100
"""Columns of a page; a longer text continues below."""

NAMED = 4
"""The number of partitions of one result that are listed; the rest is counted."""

LEGEND = (
    "Each line: seconds since the start, a mark, who, what. C3000 is a controller, B1 a broker, P0 a producer; "
    "orders-0 is partition 0 of topic orders.",
    "Marks: × lost or disturbed, + started, ! refused or failed.",
    "2→3 the leader moves, –→3 a leader is found, 2→– none is left; [3 4] is the ISR, {2} an eligible leader outside "
    "it; @12-15 are the offsets of the records in the metadata log.",
    "Heartbeats, no-op records, and answers that change nothing are not listed.",
)
"""How the lines are to be read."""


_LISTS = re.compile(r"\[[^]]*\]")
_PAIRS = re.compile(r"(?<=\S) (?=\[|@\d)|(?<=\d) (?=s\b)")
JOINED = "\u00a0"
"""A space at which no line is folded: inside a list, before an offset, between a number and its unit."""


def legend() -> list[str]:
    """Return the legend as lines of a page."""
    return [line for one in LEGEND for line in textwrap.wrap(one, WIDTH, initial_indent="# ", subsequent_indent="#   ")]


@dataclass(frozen=True)
class Line:
    """One line of the story: time in nanoseconds, a mark, who, what."""

    now_ns: int
    mark: str
    who: str
    what: str

    def __str__(self) -> str:
        """Return the line, folded below where `what` begins."""
        head = f"{self.now_ns / SECOND:9.3f} {self.mark or ' '} {self.who:<7} "
        whole = _PAIRS.sub(JOINED, _LISTS.sub(lambda one: one[0].replace(" ", JOINED), self.what))
        return textwrap.fill(
            whole, WIDTH, initial_indent=head, subsequent_indent=" " * len(head),
            break_on_hyphens=False, break_long_words=False,
        ).replace(JOINED, " ")  # fmt: skip


@dataclass(frozen=True)
class _Partition:
    """The last printed state of a partition."""

    name: str
    leader: int = NO_LEADER
    isr: tuple[int, ...] = ()
    elr: tuple[int, ...] = ()
    replicas: tuple[int, ...] = ()
    reassigning: bool = False


@dataclass
class Story(SilentObserver):
    """Collects the lines of a run, and hands each to `sink` as it happens."""

    sink: Callable[[Line], None] | None = None
    lines: list[Line] = field(default_factory=list)
    _topics: dict[str, str] = field(default_factory=dict)
    _partitions: dict[tuple[str, int], _Partition] = field(default_factory=dict)
    _fenced: dict[int, bool] = field(default_factory=dict)
    _refused: dict[str, int] = field(default_factory=dict)

    def tell(self, now_ns: int, who: str, what: str, mark: str = "") -> None:
        """Add a line."""
        line = Line(now_ns, mark, who, what)
        self.lines.append(line)
        if self.sink is not None:
            self.sink(line)

    # -- what controllers do ---------------------------------------------------------------------------------------
    def claimed(self, controller: QuorumController) -> None:
        """A controller became active."""
        self._rebuild(controller)
        self.tell(
            controller.scheduler.now_ns,
            f"C{controller.node_id}",
            f"is the active controller, epoch {controller.claim_epoch}",
        )

    def renounced(self, controller: QuorumController) -> None:
        """A controller is active no longer."""
        self.tell(controller.scheduler.now_ns, f"C{controller.node_id}", "is active no longer: standby again")

    def operation(self, operation: Operation, controller: QuorumController) -> None:
        """An operation ran."""
        who = f"C{operation.node}"
        if operation.error is not Errors.NONE:
            told = self._failed(operation)
            if told:
                self.tell(operation.now_ns, who, told, "!")
            return
        refused = list(refusals(operation.name, operation.response, self._topics))
        done = list(dict.fromkeys(self._done(operation)))
        if refused or done:
            first, count = operation.base_offset, len(operation.records)
            at = f" @{first}" if count == 1 else f" @{first}-{first + count - 1}" if count else ""
            self.tell(operation.now_ns, who, "; ".join((*refused, *done)) + at, "" if done else "!")

    def _failed(self, operation: Operation) -> str:
        """Print that a whole request was refused, or that it threw; a repeated request is printed once."""
        if operation.fault:
            finding = finding_of(operation)
            known = f" (a known defect of Kafka, {finding})" if finding else ""
            return f"{operation.name} fails: {operation.fault}{known}"
        if operation.name not in _TOLD_WHEN_REFUSED:
            return ""
        name = operation.error.name
        text = f"{operation.name} {asked(operation.request)}: refused, {name}"
        if name not in EXPLAINED:
            return text
        self._refused[text] = self._refused.get(text, 0) + 1
        return f"{text}: {EXPLAINED[name]}" if self._refused[text] == 1 else ""

    def _asked_before(self, broker: int) -> str:
        """Tell how often a broker's registration was refused before this one."""
        start = f"registerBroker of broker {broker}: "
        count = sum(self._refused.pop(text) for text in list(self._refused) if text.startswith(start))
        return f", after {count} refusals" if count > 1 else ""

    def _rebuild(self, controller: QuorumController) -> None:
        """Begin again with what the new active controller knows: the former one may have had more."""
        replication = controller.managers.replication
        self._topics = {id: topic.name for id, topic in replication.topics.items()}
        self._partitions = {
            key: _Partition(
                f"{self._topics.get(key[0], key[0])}-{key[1]}", one.leader, tuple(one.isr), tuple(one.elr),
                tuple(one.replicas), bool(one.adding_replicas or one.removing_replicas),
            )
            for key, one in replication.partitions.items()
        }  # fmt: skip
        self._fenced = {one.id: one.fenced for one in controller.managers.cluster.registrations.values()}
        self._refused = {}

    # -- records ---------------------------------------------------------------------------------------------------
    def _done(self, operation: Operation) -> Iterator[str]:
        """Tell what records do: brokers first, then topics, then partitions, of which many are counted."""
        if operation.name == "completeActivation" and operation.records:
            yield "writes the first records of an empty log" if operation.base_offset < BEGINNING else "activates"
        changes: list[str] = []
        others: list[str] = []
        created: dict[str, list[str]] = {
            one.data["topicId"]: [] for one in operation.records if one.type == "TOPIC_RECORD"
        }
        for message in operation.records:
            data = message.data
            match message.type:
                case "PARTITION_CHANGE_RECORD":
                    changes.append(self._changed(data))
                case "TOPIC_RECORD":
                    self._topics[data["topicId"]] = data["name"]
                case "PARTITION_RECORD":
                    created.setdefault(data["topicId"], [])
                    self._created(data)
                case "REMOVE_TOPIC_RECORD":
                    others.append(f"topic {self._topics.pop(data['topicId'], '?')} is deleted")
                    self._partitions = {k: v for k, v in self._partitions.items() if k[0] != data["topicId"]}
                case "REGISTER_BROKER_RECORD" | "BROKER_REGISTRATION_CHANGE_RECORD":
                    others.append(self._broker(message, operation))
                case "CONFIG_RECORD" | "CLEAR_ELR_RECORD" if self._of_new_topic(data, created):
                    pass
                case _:
                    others.append(of_record(message))
        yield from filter(None, others)
        for topic in created:
            yield self._new_partitions(topic, operation.records)
        changes = [one for one in changes if one]
        yield from changes[:NAMED]
        if len(changes) > NAMED:
            yield f"and {len(changes) - NAMED} more partition{'s' * (len(changes) > NAMED + 1)}"

    def _of_new_topic(self, data: Any, created: Iterable[str]) -> bool:
        """Whether a record is about the configuration of a topic that is made with it."""
        names = [self._topics.get(topic) for topic in created]
        return data.get("topicName", data.get("resourceName")) in names and data.get("resourceType", 2) == 2

    def _new_partitions(self, topic: str, records: Iterable[Message]) -> str:
        """Tell how many partitions a topic gets, of how many replicas, and how it is configured."""
        name, own = self._topics.get(topic, topic), [one for one in records if one.data.get("topicId") == topic]
        new = [one for one in own if one.type == "PARTITION_RECORD"]
        told = [f"topic {name} is created" if len(own) > len(new) else f"topic {name}"]
        if new:
            told.append(f"{counted(len(new), 'new partition')} of {counted(len(new[0].data['replicas']), 'replica')}")
        told += [
            of_configuration(one.data)
            for one in records
            if one.type == "CONFIG_RECORD" and self._of_new_topic(one.data, [topic])
        ]
        return f"{told[0]}: {', '.join(told[1:])}"

    def _broker(self, message: Message, operation: Operation) -> str:
        """Tell what becomes of a broker, and why."""
        data, broker = message.data, message.data["brokerId"]
        was = self._fenced.get(broker)
        if message.type == "REGISTER_BROKER_RECORD":
            self._fenced[broker] = data["fenced"]
            fenced = ", fenced until it has caught up" if data["fenced"] else ""
            return f"broker {broker} is registered, epoch {data['brokerEpoch']}{fenced}{self._asked_before(broker)}"
        parts = []
        if data.get("fenced"):
            self._fenced[broker] = data["fenced"] > 0
            silent = operation.name == "maybeFenceStaleBroker"
            leaves = isinstance(operation.request, m.BrokerHeartbeatRequest) and operation.request.want_shut_down
            if data["fenced"] < 0:
                parts.append("is unfenced")
            elif silent:
                parts.append("is silent for too long and is fenced" if not was else FENCED_AGAIN)
            else:
                parts.append("may shut down now and is fenced" if leaves else "is fenced")
        if data.get("inControlledShutdown"):
            parts.append("is in controlled shutdown")
        if data.get("logDirs"):
            parts.append(f"is left with {'directory' if len(data['logDirs']) == 1 else 'directories'} "
                         f"{', '.join(data['logDirs'])}")  # fmt: skip
        return f"broker {broker} {' and '.join(parts)}" if parts else ""

    def _created(self, data: Any) -> None:
        key = data["topicId"], data["partitionId"]
        name = f"{self._topics.get(key[0], key[0])}-{key[1]}"
        self._partitions[key] = _Partition(name, data["leader"], tuple(data["isr"]), (), tuple(data["replicas"]))

    def _changed(self, data: Any) -> str:
        key = data["topicId"], data["partitionId"]
        old = self._partitions.get(key) or _Partition(f"{self._topics.get(key[0], key[0])}-{key[1]}")
        leader = data.get("leader", old.leader)
        new = replace(
            old,
            leader=old.leader if leader == -2 else leader,
            isr=_list(data.get("isr"), old.isr),
            elr=_list(data.get("eligibleLeaderReplicas"), old.elr),
            replicas=_list(data.get("replicas"), old.replicas),
        )
        for name in ("addingReplicas", "removingReplicas"):
            if data.get(name) is not None:
                new = replace(new, reassigning=bool(data[name]))
        self._partitions[key] = new
        told = []
        if new.leader != old.leader:
            told.append(f"{_broker(old.leader)}→{_broker(new.leader)}")
        if new.isr != old.isr or new.elr != old.elr:
            told.append(_isr(new))
        if data.get("leaderRecoveryState") == 1:
            told.append("unclean")
        if old.reassigning and not new.reassigning:
            told.append(f"(reassignment over: replicas {list(new.replicas)})")
        elif new.reassigning and not old.reassigning:
            moves = [f"adds {list(data['addingReplicas'])}"] if data.get("addingReplicas") else []
            moves += [f"removes {list(data['removingReplicas'])}"] if data.get("removingReplicas") else []
            told.append(f"(reassignment begins: {', '.join(moves)})")
        return f"{new.name} {' '.join(told)}" if told else ""


class Unrecorded(Story):
    """A story without a reader: no line is made."""

    claimed, renounced, operation = SilentObserver.claimed, SilentObserver.renounced, SilentObserver.operation

    def tell(self, now_ns: int, who: str, what: str, mark: str = "") -> None:
        """Leave a line out."""


_TOLD_WHEN_REFUSED = frozenset(
    {"registerBroker", "createTopics", "updateFeatures", "unregisterBroker", "alterPartitionReassignments"}
)

BEGINNING = 10
"""Below this offset there is nothing but Raft's own records."""

FENCED_AGAIN = "was fenced already; its session is over too, and it is fenced once more"


def _list(value: Any, old: tuple[int, ...]) -> tuple[int, ...]:
    return old if value is None else tuple(value)


def _broker(broker: int) -> str:
    return "–" if broker == NO_LEADER else str(broker)


def _isr(partition: _Partition) -> str:
    elr = f"{{{' '.join(map(str, partition.elr))}}}" if partition.elr else ""
    return f"[{' '.join(map(str, partition.isr))}]{elr}"
