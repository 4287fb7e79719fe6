"""controller.log of a ZooKeeper-era cluster: the lines that tell what state-change.log does not, the others counted.

At DEBUG the log has every ISR that a leader changed (AlterPartition) and the states both machines start from.
Elections, resignations and changes of brokers stand in it at INFO.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from .entries import milliseconds
from .forms import Value, list_of, remembered
from .log_files import scan
from .messages import Message, Speaker
from .values import TYPES, LeaderAndIsr, ReplicaAssignment, TopicPartition, form

CONTROLLER_LOG = Speaker()
"""Every line of controller.log that is read."""

_says = CONTROLLER_LOG.says
_ADVICE = "give a controller.log of Kafka, plain or gzipped"
_MESSAGE = re.compile(
    r"(\[(?:Controller id|(?:Replica|Partition)StateMachine controllerId)=(\d+)\]) (.*) \(kafka\.controller\.\w+\)",
    re.ASCII,
)


class TopicPartitionReplica(NamedTuple):
    """A replica of a partition."""

    topic: str
    partition: int
    replica: int


@dataclass(frozen=True, slots=True)
class _PartitionState:
    partition: TopicPartition
    state: str


@dataclass(frozen=True, slots=True)
class _ReplicaState:
    topic: str
    partition: int
    replica: int
    state: str


@dataclass(frozen=True, slots=True)
class _BrokerEpoch:
    broker: int
    epoch: int


def _mapping(
    one: Any, template: str, element: str, pair: Callable[[Any], Any], back: Callable[[Any, Any], Any]
) -> Value:
    """Return a type of Scala maps' insides, as tuples of pairs in the order printed."""
    entries = list_of(form(one, template), re.compile(element), ".*")
    return remembered(
        ".*",
        lambda text: tuple(pair(each) for each in entries.read(text)),
        lambda pairs: entries.text([back(*each) for each in pairs]),
    )


TYPES["partition_states"] = _mapping(
    _PartitionState,
    "{partition:partition} -> {state:word}",
    r"[^ ,]+ -> \w+",
    lambda each: (each.partition, each.state),
    _PartitionState,
)
TYPES["replica_states"] = _mapping(
    _ReplicaState,
    "[Topic={topic:name},Partition={partition:int},Replica={replica:int}] -> {state:word}",
    r"\[[^\]]*\] -> \w+",
    lambda each: (TopicPartitionReplica(each.topic, each.partition, each.replica), each.state),
    lambda replica, state: _ReplicaState(replica.topic, replica.partition, replica.replica, state),
)
TYPES["broker_epochs"] = _mapping(
    _BrokerEpoch, "{broker:int} -> {epoch:int}", r"-?\d+ -> -?\d+", lambda e: (e.broker, e.epoch), _BrokerEpoch
)


@_says(
    "elected",
    "INFO",
    "{broker:int} successfully elected as the controller. Epoch incremented to {epoch:int} "
    "and epoch zk version is now {zk_version:int}",
)
@dataclass(frozen=True, slots=True)
class Elected(Message):
    """A broker became controller: its epoch, and the version of /controller_epoch that its writes check."""

    broker: int
    epoch: int
    zk_version: int


@_says("resigned", "INFO", "Resigned")
@dataclass(frozen=True, slots=True)
class Resigned(Message):
    """A controller dropped all its state."""


@_says("ready", "INFO", "Ready to serve as the new controller with epoch {epoch:int}")
@dataclass(frozen=True, slots=True)
class Ready(Message):
    """A new controller has gone through all the steps of its failover."""

    epoch: int


@_says("moved", "INFO", "Controller moved to another broker when processing {event:rest}.")
@dataclass(frozen=True, slots=True)
class ControllerMoved(Message):
    """A write was refused since /controller_epoch has another version: the controller resigns."""

    event: str


@_says(
    "brokers",
    "INFO",
    "Newly added brokers: {added:ids}, deleted brokers: {deleted:ids}, bounced brokers: {bounced:ids}, "
    "all live brokers: {live:ids}",
)
@dataclass(frozen=True, slots=True)
class BrokersChanged(Message):
    """A controller saw other brokers in /brokers/ids, a bounced one with another epoch."""

    added: tuple[int, ...]
    deleted: tuple[int, ...]
    bounced: tuple[int, ...]
    live: tuple[int, ...]


@_says("broker-epochs", "INFO", "{verb:word} broker epochs cache: {collection:word}({epochs:broker_epochs})")
@dataclass(frozen=True, slots=True)
class BrokerEpochs(Message):
    """The live brokers and their epochs; `verb` is Initialized or Updated, `collection` Scala's name of the map."""

    verb: str
    collection: str
    epochs: tuple[tuple[int, int], ...]


@_says("shutdown", "INFO", "Shutting down broker {broker:int}")
@dataclass(frozen=True, slots=True)
class BrokerShutDown(Message):
    """A broker asked for its controlled shutdown, once more at each retry."""

    broker: int


@_says("isr", "DEBUG", "ISR for partition {partition:partition} updated to {state:leader_and_isr}.")
@dataclass(frozen=True, slots=True)
class IsrUpdated(Message):
    """A leader's AlterPartition was written to ZooKeeper."""

    partition: TopicPartition
    state: LeaderAndIsr


@_says(
    "isr.bad-version",
    "INFO",
    "Failed to update ISR to {state:leader_and_isr} for partition {partition:partition}, bad ZK version.",
)
@dataclass(frozen=True, slots=True)
class IsrNotUpdated(Message):
    """A leader's AlterPartition lost against another write; nothing was written."""

    state: LeaderAndIsr
    partition: TopicPartition


@_says(
    "leader-epoch",
    "INFO",
    "Updated leader epoch for partition {partition:partition} to {leader_epoch:int}, zkVersion={partition_epoch:int}",
)
@dataclass(frozen=True, slots=True)
class LeaderEpochRaised(Message):
    """The leader epoch of a partition under reassignment was raised in ZooKeeper."""

    partition: TopicPartition
    leader_epoch: int
    partition_epoch: int


@_says(
    "assignment",
    "INFO",
    "Successfully updated assignment of partition {partition:partition} to {assignment:assignment}",
)
@dataclass(frozen=True, slots=True)
class AssignmentUpdated(Message):
    """A partition's assignment was written to ZooKeeper."""

    partition: TopicPartition
    assignment: ReplicaAssignment


@_says(
    "election",
    "INFO",
    "Starting replica leader election ({election:word}) for partitions {partitions:partitions} "
    "triggered by {trigger:word}",
)
@dataclass(frozen=True, slots=True)
class ElectionStarted(Message):
    """Elections begin: PREFERRED or UNCLEAN, and what triggered them."""

    election: str
    partitions: tuple[TopicPartition, ...]
    trigger: str


@_says("deletion", "INFO", "Starting topic deletion for topics {topics:name_list}")
@dataclass(frozen=True, slots=True)
class DeletionStarted(Message):
    """Topics were queued for deletion."""

    topics: tuple[str, ...]


@_says(
    "partition-machine",
    "DEBUG",
    "Started partition state machine with initial state -> {collection:word}({states:partition_states})",
)
@dataclass(frozen=True, slots=True)
class PartitionMachineStarted(Message):
    """The states of all partitions, after the first elections of a new controller."""

    collection: str
    states: tuple[tuple[TopicPartition, str], ...]


@_says(
    "replica-machine",
    "DEBUG",
    "Started replica state machine with initial state -> {collection:word}({states:replica_states})",
)
@dataclass(frozen=True, slots=True)
class ReplicaMachineStarted(Message):
    """The states of all replicas, after the first changes of a new controller."""

    collection: str
    states: tuple[tuple[TopicPartitionReplica, str], ...]


@dataclass(frozen=True, slots=True)
class ControllerEntry:
    """A line that was read: its number in the file from 1, and the broker whose controller wrote it."""

    file: str
    line: int
    time: str
    level: str
    broker: int
    message: Message

    @property
    def place(self) -> str:
        """The place of the line: file and line number."""
        return f"{self.file}:{self.line}"

    @property
    def time_ms(self) -> int:
        """Milliseconds since 1970, the time taken for UTC."""
        return milliseconds(self.time)


@dataclass(frozen=True, slots=True)
class ControllerLog:
    """A file of controller.log: the lines that are read, in order, and how many others it has, stack traces apart."""

    file: str
    entries: tuple[ControllerEntry, ...]
    others: int


def read_controller_log(path: str | Path) -> ControllerLog:
    """Return the parsed lines of a controller.log; raises `TraceError` for a missing or damaged file, or no log."""
    file, others = str(path), 0
    found = []
    for entry in _entries(file):
        if entry is None:
            others += 1
        else:
            found.append(entry)
    return ControllerLog(file, tuple(found), others)


def _entries(file: str) -> Iterator[ControllerEntry | None]:
    for number, head, _ in scan(file, _ADVICE):
        _, _, rest = head.partition("] ")
        level, _, said = rest.partition(" ")
        match = _MESSAGE.fullmatch(said)
        message = CONTROLLER_LOG.read(match[3]) if match else None
        if match is None or message is None:
            yield None
        else:
            yield ControllerEntry(file, number, head[1:24], level, int(match[2]), message)
