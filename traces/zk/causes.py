"""Why an attempt failed: the exception that follows a line, and what the exceptions of the state machines say."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from .forms import Form
from .values import TopicPartition, form

_THROWN = re.compile(r"([A-Za-z_$][\w$]*(?:\.[\w$]+)+)(?:: (.*))?", re.DOTALL)
_FRAME = re.compile(r"\tat |\t\.\.\. \d+ |Caused by: |\tSuppressed: ")


@dataclass(frozen=True, slots=True)
class InvalidPartitionTransition:
    """A partition was asked to leave its state for one that it cannot be reached from; its state is kept."""

    partition: TopicPartition
    valid: tuple[str, ...]
    target: str
    actual: str


@dataclass(frozen=True, slots=True)
class InvalidReplicaTransition:
    """A replica was asked to leave its state for one that it cannot be reached from; its state is kept."""

    topic: str
    number: int
    replica: int
    valid: tuple[str, ...]
    target: str
    actual: str

    @property
    def partition(self) -> TopicPartition:
        """The partition of the replica."""
        return TopicPartition(self.topic, self.number)


@dataclass(frozen=True, slots=True)
class ElectionFailed:
    """A strategy (by the name of its class) found no leader; `unclean` is given for offline partitions only."""

    partition: TopicPartition
    strategy: str
    unclean: bool | None


@dataclass(frozen=True, slots=True)
class NoLiveReplica:
    """A new partition has no live replica that could lead it; `live` is Scala's text of the live brokers."""

    controller: int
    epoch: int
    partition: TopicPartition
    assigned: tuple[int, ...]
    live: str


@dataclass(frozen=True, slots=True)
class NoLeadership:
    """A partition has no state in ZooKeeper from which a leader could be elected."""

    partition: TopicPartition
    state: str


@dataclass(frozen=True, slots=True)
class ElectionByNewerController:
    """A partition's state was written by a controller of a later epoch: this one was fenced."""

    partition: TopicPartition
    controller: int
    newer_epoch: int


@dataclass(frozen=True, slots=True)
class WrittenByNewerController:
    """A state was written by a controller of a later epoch, which this controller found at another change."""

    epoch: int
    newer_epoch: int


@dataclass(frozen=True, slots=True)
class ReplicaLeads:
    """A replica that leads its partition cannot become new."""

    replica: int
    partition: TopicPartition


@dataclass(frozen=True, slots=True)
class NothingToLeave:
    """A replica cannot be taken out of an ISR, since its partition has no state in ZooKeeper."""

    replica: int
    partition: TopicPartition


Meaning = (
    InvalidPartitionTransition
    | InvalidReplicaTransition
    | ElectionFailed
    | NoLiveReplica
    | NoLeadership
    | ElectionByNewerController
    | WrittenByNewerController
    | ReplicaLeads
    | NothingToLeave
)
"""The parsed message of an exception, where it has a form of its own."""


@dataclass(frozen=True, slots=True)
class Cause:
    """An exception: its class with the package, its message (None where it has none), and its further lines."""

    exception: str
    message: str | None
    frames: tuple[str, ...]

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines that the exception is written in."""
        text = self.exception if self.message is None else f"{self.exception}: {self.message}"
        return (*text.split("\n"), *self.frames)

    @property
    def name(self) -> str:
        """The name of the class without its package."""
        return re.split(r"[.$]", self.exception)[-1]

    @property
    def meaning(self) -> Meaning | None:
        """Return the meaning of a message about a transition or an election; None for any other."""
        for one in _FORMS.values() if self.message else ():
            found: Meaning | None = one.read(self.message or "")
            if found is not None:
                return found
        return None


_INVALID, _FAILED = "java.lang.IllegalStateException", "kafka.common.StateChangeFailedException"
_TEMPLATES: dict[type[Any], str] = {
    InvalidReplicaTransition: (
        "Replica [Topic={topic:name},Partition={number:int},Replica={replica:int}] should be in the {valid:states} "
        "states before moving to {target:word} state. Instead it is in {actual:word} state"
    ),
    InvalidPartitionTransition: (
        "Partition {partition:partition} should be in one of {valid:states} states before moving to {target:word} "
        "state. Instead it is in {actual:word} state"
    ),
    ElectionFailed: (
        "Failed to elect leader for partition {partition:partition} under strategy {strategy:word}<(({unclean:truth}))>"
    ),
    NoLiveReplica: (
        "Controller {controller:int} epoch {epoch:int} encountered error during state change of "
        "partition {partition:partition} from New to Online, assigned replicas are [{assigned:ids}], "
        "live brokers are [{live:text}]. No assigned replica is alive."
    ),
    NoLeadership: ("LeaderAndIsr information doesn't exist for partition {partition:partition} in {state:word} state"),
    ElectionByNewerController: (
        "Aborted leader election for partition {partition:partition} since the LeaderAndIsr path was already written "
        "by another controller. This probably means that the current controller {controller:int} went through a soft "
        "failure and another controller was elected with epoch {newer_epoch:int}."
    ),
    WrittenByNewerController: (
        "Leader and isr path written by another controller. This probably means the current controller with epoch "
        "{epoch:int} went through a soft failure and another controller was elected with epoch {newer_epoch:int}. "
        "Aborting state change by this controller"
    ),
    ReplicaLeads: (
        "Replica {replica:int} for partition {partition:partition} cannot be moved to NewReplica state "
        "as it is being requested to become leader"
    ),
    NothingToLeave: (
        "Failed to change state of replica {replica:int} for partition {partition:partition} "
        "since the leader and isr path in zookeeper is empty"
    ),
}
_FORMS: dict[type[Any], Form[Any]] = {kind: form(kind, template) for kind, template in _TEMPLATES.items()}


def cause_of(trailer: tuple[str, ...]) -> Cause | None:
    """Return the exception in the lines that follow a line, or None where they hold none.

    A message of several lines is put together; the frames are the lines after it, as they stand.
    """
    if not trailer:
        return None
    message = 1
    while message < len(trailer) and _FRAME.match(trailer[message]) is None:
        message += 1
    found = _THROWN.fullmatch("\n".join(trailer[:message]))
    return None if found is None else Cause(found[1], found[2], trailer[message:])


def thrown(meaning: Meaning, frames: tuple[str, ...] = ()) -> Cause:
    """Return the exception with which Kafka says something."""
    invalid = isinstance(meaning, InvalidReplicaTransition | InvalidPartitionTransition)
    return Cause(_INVALID if invalid else _FAILED, _FORMS[type(meaning)].text(meaning), frames)
