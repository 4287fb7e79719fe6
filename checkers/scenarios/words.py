"""The steps of a scenario as values: high words are what operators do, low words are single requests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

PartitionName = tuple[str, int]
"""A partition: the name of its topic and its number."""

Brokers = tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A step: where it was read (a file and line, or an argument's number) and its text without comments."""

    place: str = ""
    text: str = ""


# -- what there is at the beginning ------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster(Step):
    """The levels that the cluster is formatted with, and static settings of its controllers by Kafka's names."""

    level: int | None = None
    elr: bool | None = None
    settings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Begin(Step):
    """Brokers that register and are unfenced, each with these directories."""

    brokers: Brokers
    directories: tuple[str, ...] = ("d1",)
    rack: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateTopic(Step):
    """A topic with the replicas of each partition and its configuration."""

    topic: str
    assignment: tuple[Brokers, ...]
    configs: Mapping[str, str] = field(default_factory=dict)


# -- high words --------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Stop(Step):
    """Controlled shutdowns, one broker after the other."""

    brokers: Brokers


@dataclass(frozen=True, slots=True, kw_only=True)
class Kill(Step):
    """Processes that end at the same time without a word; time passes until their sessions are over."""

    brokers: Brokers


Disk = Literal["", "empty", "new"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Start(Step):
    """New processes of brokers, one after the other.

    With `disk` "empty" all directories are new, with "new" those that failed, or one more. `unclean` is a start without
    the file that a clean shutdown leaves. With `behind` the broker joins no ISR.
    """

    brokers: Brokers
    disk: Disk = ""
    unclean: bool = False
    behind: bool = False
    directories: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Silence(Step):
    """Brokers that send no heartbeat for some seconds, and go on then."""

    brokers: Brokers
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait(Step):
    """Time that passes, in seconds."""

    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CatchUp(Step):
    """Replicas of running brokers that have caught up join the ISR: of some partitions, of all without any."""

    partitions: tuple[PartitionName, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FailDirectory(Step):
    """A log directory of a running broker fails, and its next heartbeat reports it."""

    broker: int
    directory: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Cordon(Step):
    """The log directories of a broker that get no new replicas from now on; none to lift it."""

    broker: int
    directories: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reassign(Step):
    """Other replicas for a partition, None to cancel what is under way."""

    partition: PartitionName
    replicas: Brokers | None
    same_factor: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Elect(Step):
    """An election that an administrator asks for; without partitions of all."""

    unclean: bool
    partitions: tuple[PartitionName, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AddPartitions(Step):
    """More partitions of a topic, with the replicas of each."""

    topic: str
    assignment: tuple[Brokers, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteTopic(Step):
    """A topic is deleted."""

    topic: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Configure(Step):
    """Values of a topic, a broker or all brokers (an empty name), None for one that is deleted."""

    kind: Literal["topic", "broker"]
    name: str
    values: Mapping[str, str | None]


Direction = Literal["upgrade", "safe-downgrade", "unsafe-downgrade"]


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateFeatures(Step):
    """Features to finalize: name, level, direction."""

    updates: tuple[tuple[str, int, Direction], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Unregister(Step):
    """A broker is taken out of the cluster."""

    broker: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Failover(Step):
    """Another controller becomes active."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Isr(Step):
    """A leader proposes an ISR; the numbers are added to the epochs that it knows.

    `sender` is the broker that sends it, None for the leader; `old` are members named with a former broker epoch, none
    at all with `without_epochs`. `recovery` is the proposed leader recovery state by its number.
    """

    partition: PartitionName
    members: Brokers
    sender: int | None = None
    broker_epoch: int = 0
    leader_epoch: int = 0
    partition_epoch: int = 0
    old: Brokers = ()
    without_epochs: bool = False
    recovery: int = 0


# -- low words ---------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Register(Step):
    """One registration, once the session of the former process is over; None are the directories that it has."""

    broker: int
    clean: bool = True
    same_process: bool = False
    directories: tuple[str, ...] | None = None
    version: int = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Heartbeat(Step):
    """One heartbeat; `behind` is by how many records its broker lags, `epoch` is added to the broker epoch."""

    broker: int
    want_fence: bool = False
    want_shutdown: bool = False
    failed: tuple[str, ...] = ()
    cordoned: tuple[str, ...] | None = None
    behind: int = 0
    epoch: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class AssignDirectory(Step):
    """A broker reports in which directory a replica is."""

    broker: int
    directory: str
    partition: PartitionName


@dataclass(frozen=True, slots=True, kw_only=True)
class ProducerIds(Step):
    """A broker asks for a block of producer ids."""

    broker: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTask(Step):
    """A periodic task of the controller runs now, by Kafka's name."""

    task: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewrite(Step):
    """A Partition record with other epochs is appended, which no controller writes: for what happens at their end."""

    partition: PartitionName
    leader_epoch: int | None = None
    partition_epoch: int | None = None


# -- what is asked -----------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Show(Step):
    """The state of the partitions is printed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectPartition(Step):
    """Fields of a partition with the values that they are to have; an empty mapping: the partition does not exist."""

    partition: PartitionName
    fields: Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectBroker(Step):
    """The expected state of a broker: words of `BROKER_STATES`, or its directories."""

    broker: int
    states: tuple[str, ...]
    directories: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectAnswer(Step):
    """An error by its name ("NONE" for none) or a word of a heartbeat's answer that the step before is to have."""

    answer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectRecords(Step):
    """How many records the step before is to write."""

    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectFeature(Step):
    """The finalized level that a feature is to have."""

    feature: str
    level: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectFound(Step):
    """A row that the step before is to be ("none": no row is about it), or a finding that it is to show."""

    kind: Literal["row", "finding"]
    id: str


BROKER_STATES = ("fenced", "unfenced", "in-controlled-shutdown", "not-in-controlled-shutdown", "unregistered")
"""States of `expect broker`."""

HEARTBEAT_ANSWERS = ("FENCED", "UNFENCED", "CONTROLLED_SHUTDOWN", "SHUTDOWN_NOW")
"""Answers of a heartbeat, by Kafka's BrokerControlState."""

PARTITION_FIELDS = (
    "leader", "isr", "elr", "last-known", "replicas", "adding", "removing", "recovery", "writable", "leader-epoch",
    "partition-epoch", "directories",
)  # fmt: skip
"""Fields of `expect` for a partition."""

TASKS = {"fence-stale": "maybeFenceStaleBroker", "balance": "electPreferred", "unclean": "electUnclean"}
"""The periodic tasks that a step runs, with Kafka's names of them."""
