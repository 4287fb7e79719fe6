"""A recorded log of real Kafka, rebuilt: every partition change in it must be one that the reference writes.

A log shows no requests, so each change is put to what could have made it: the event of a broker whose record is next
to it, else a proposal of the leader, an election, a reassignment, a cancel, or replicas told their directories.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from fencepost.reference.kraft.controller import directories, fan_out
from fencepost.reference.kraft.controller.cluster import ClusterControlManager
from fencepost.reference.kraft.controller.configurations import ConfigurationControlManager
from fencepost.reference.kraft.controller.features import FeatureControlManager
from fencepost.reference.kraft.controller.partition_change_builder import Election, PartitionChangeBuilder
from fencepost.reference.kraft.controller.partitions import PartitionRegistration, without
from fencepost.reference.kraft.controller.replication import ReplicationControlManager
from fencepost.reference.kraft.levels import SUPPORTED_FEATURES
from fencepost.reference.kraft.messages import BROKER_RESOURCE, ConfigResource
from fencepost.reference.kraft.records import Message
from fencepost.reference.kraft.settings import Settings
from fencepost.reference.timeline import SnapshotRegistry
from fencepost.traces import ControlRecord, Record, read_log
from fencepost.traces.record_types import LEADER_CHANGE

OF_TOPICS = {"TOPIC_RECORD", "PARTITION_RECORD", "PARTITION_CHANGE_RECORD", "REMOVE_TOPIC_RECORD", "CLEAR_ELR_RECORD"}
OF_BROKERS = {"REGISTER_BROKER_RECORD", "UNREGISTER_BROKER_RECORD", "BROKER_REGISTRATION_CHANGE_RECORD"}
Numbered = tuple[int, Message]


class Rebuilt:
    """What was found: how many changes each cause explains, and the offsets of those that nothing does."""

    def __init__(self) -> None:
        registry, settings = SnapshotRegistry(), Settings()
        self.features = FeatureControlManager(registry, SUPPORTED_FEATURES)
        self.configurations = ConfigurationControlManager(registry, settings, self.features)
        self.cluster = ClusterControlManager(registry, "recorded", settings, self.features)
        self.replication = ReplicationControlManager(
            registry, settings, self.features, self.configurations, self.cluster, random.Random(0)
        )
        self.state = self.replication.state
        self.explained: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()
        self.unexplained: list[int] = []
        self.misprinted: list[int] = []

    def follow(self, records: Sequence[Numbered]) -> None:
        """Go through a log: runs of partition changes, and the broker's record before or after them."""
        position = 0
        while position < len(records):
            start = position
            while position < len(records) and records[position][1].type == "PARTITION_CHANGE_RECORD":
                position += 1
            ending = records[position] if position < len(records) else None
            self._run(list(records[start:position]), ending)
            if ending is None:
                return
            position += 1
            position += self._head(ending, records[position:])

    def _run(self, changes: list[Numbered], ending: Numbered | None) -> None:
        """Explain changes one by one, until the rest is what the record behind them made."""
        while True:
            made = None if ending is None else self._made_before(ending[1], [message for _, message in changes])
            if made is not None:
                self.explained[made] += len(changes)
                break
            if not changes:
                if ending is not None and any(self._causes(ending[1])):
                    self.unexplained.append(ending[0])
                break
            offset, message = changes.pop(0)
            cause = self._alone(message)
            if cause is None:
                self.unexplained.append(offset)
            else:
                self.explained[cause] += 1
            self.replay(offset, message)
        for offset, message in changes:
            self.replay(offset, message)

    def _made_before(self, ending: Message, changes: list[Message]) -> str | None:
        """Return what explains changes together with the record after them, None where nothing does."""
        for name, make in self._causes(ending):
            try:
                made = make()
            except RuntimeError:
                # An index that names what is gone: this controller would have failed (D5, D6c).
                self.faults[name] += 1
                continue
            if _same(made, [*changes, ending] if name != "restart" else changes):
                return name
        return None

    def _causes(self, ending: Message) -> Iterator[tuple[str, Callable[[], list[Message]]]]:
        data = ending.data
        broker = data.get("brokerId", -1)
        match ending.type:
            case "BROKER_REGISTRATION_CHANGE_RECORD" if data.get("fenced") == 1:
                yield "fence", lambda: fan_out.broker_fenced(self.state, broker)
            case "BROKER_REGISTRATION_CHANGE_RECORD" if ending.version == 2:
                known = self.cluster.registrations[broker].directories
                failed = [one for one in known if one not in data.get("logDirs", ())]
                epoch = data["brokerEpoch"]
                yield "offline", lambda: directories.directories_offline(self.state, broker, epoch, failed)
            case "REGISTER_BROKER_RECORD" if self._is_another_process(data):
                for clean in (True, False):
                    yield "restart", lambda clean=clean: self.replication.cleanup(broker, clean)  # type: ignore[misc]
            case "UNREGISTER_BROKER_RECORD":
                yield "unregistration", lambda: fan_out.broker_unregistered(self.state, broker, data["brokerEpoch"])

    def _is_another_process(self, data: Mapping[str, Any]) -> bool:
        known = self.cluster.registrations.get(data["brokerId"])
        return known is None or known.incarnation_id != data["incarnationId"]

    def _head(self, head: Numbered, rest: Sequence[Numbered]) -> int:
        """Replay a record and, where it begins a fan-out, what that makes; return how many records that were."""
        offset, message = head
        data, made = message.data, list[Message]()
        name = ""
        if message.type == "BROKER_REGISTRATION_CHANGE_RECORD" and data.get("fenced") == -1:
            name, made = "unfence", fan_out.broker_unfenced(self.state, data["brokerId"], data["brokerEpoch"])
        elif message.type == "BROKER_REGISTRATION_CHANGE_RECORD" and data.get("inControlledShutdown") == 1:
            broker, epoch = data["brokerId"], data["brokerEpoch"]
            name, made = "shutdown", fan_out.broker_in_controlled_shutdown(self.state, broker, epoch)
        self.replay(offset, message)
        if not name:
            return 0
        following = rest[: len(made) - 1]
        if _same(made, [message, *(one for _, one in following)]):
            self.explained[name] += len(following)
        else:
            self.unexplained.append(offset)
        for at, one in following:
            self.replay(at, one)
        return len(following)

    def _alone(self, message: Message) -> str | None:
        """Return what explains one change by itself, None where nothing does."""
        data = message.data
        topic, number = self.state.topics[data["topicId"]], data["partitionId"]
        partition = self.state.partitions[topic.id, number]
        for name, prepare in _singles(partition, partition.merge(data), data):
            builder = self.state.builder(topic, number, partition)
            if self.configurations.unclean_leader_election(topic.name):
                builder.election = Election.UNCLEAN
            prepare(builder)
            if builder.build() == message:
                return name
        return None

    def replay(self, offset: int, message: Message) -> None:
        """Apply a record, and see that a partition that is written is one that the reference would write so."""
        if message.type in OF_TOPICS:
            self.replication.replay(message)
        elif message.type in OF_BROKERS:
            self.cluster.replay(message, offset)
        elif message.type == "CONFIG_RECORD":
            self.configurations.replay(message.data)
        elif message.type == "FEATURE_LEVEL_RECORD":
            self.features.replay(message.data)
        if message.type == "PARTITION_RECORD":
            partition = PartitionRegistration.of_record(message.data)
            level = self.features.metadata_version_or_throw()
            again = partition.to_record(message.data["topicId"], message.data["partitionId"], level, True)
            if again != message or list(again.data) != list(message.data):
                self.misprinted.append(offset)


def _singles(
    old: PartitionRegistration, new: PartitionRegistration, data: Any
) -> Iterator[tuple[str, Callable[[PartitionChangeBuilder], None]]]:
    """Yield what may have made a change by itself."""

    def proposal(isr: tuple[int, ...], recovery: int) -> Callable[[PartitionChangeBuilder], None]:
        def prepare(builder: PartitionChangeBuilder) -> None:
            builder.target_isr, builder.target_recovery = isr, recovery

        return prepare

    def reassign(target: tuple[int, ...]) -> Callable[[PartitionChangeBuilder], None]:
        def prepare(builder: PartitionChangeBuilder) -> None:
            builder.election = Election.ONLINE
            removing = tuple(sorted(set(old.replicas) - set(target)))
            adding = tuple(sorted(set(target) - set(old.replicas)))
            builder.target_replicas = (*target, *removing)
            builder.target_removing = removing or builder.target_removing
            builder.target_adding = adding or builder.target_adding

        return prepare

    def cancel(builder: PartitionChangeBuilder) -> None:
        builder.target_replicas = without(old.replicas, *old.adding_replicas)
        builder.target_isr = without(old.isr, *old.adding_replicas) or builder.target_replicas[:1]
        builder.target_removing = builder.target_adding = ()

    def elect(election: Election) -> Callable[[PartitionChangeBuilder], None]:
        def prepare(builder: PartitionChangeBuilder) -> None:
            builder.election = election

        return prepare

    def told_directories(builder: PartitionChangeBuilder) -> None:
        builder.election = Election.ONLINE
        builder.target_directories = dict(zip(new.replicas, new.directories, strict=True))

    for recovery in dict.fromkeys((old.leader_recovery_state, 0)):
        yield "proposal", proposal(tuple(data.get("isr", old.isr)), recovery)
        if old.is_reassigning:
            # The members that the completed reassignment takes away again are in no record.
            yield "proposal", proposal((*new.isr, *without(old.isr, *new.isr)), recovery)
            yield "proposal", proposal((*old.isr, *without(new.isr, *old.isr)), recovery)
    if "directories" in data:
        yield "directories", told_directories
    if "replicas" in data or "removingReplicas" in data:
        yield "reassignment", reassign(without(new.replicas, *new.removing_replicas))
        # Removing none, it keeps the replicas that the one before it removes.
        yield "reassignment", reassign(new.replicas)
    if old.is_reassigning:
        yield "cancel", cancel
    yield "preferred election", elect(Election.PREFERRED)
    yield "unclean election", elect(Election.UNCLEAN)
    yield "election", elect(Election.ONLINE)


def _same(made: Iterable[Message], written: Iterable[Message]) -> bool:
    """Compare fan-outs: Kafka goes over topics in the order of a hash of their ids, the reference as they came."""
    return sorted(map(repr, made)) == sorted(map(repr, written))


def rebuilt(path: Path) -> Rebuilt:
    """Tell a recorded log again, term by term: the leader's own configuration decides elections."""
    found = Rebuilt()
    for _, term in groupby(read_log(path).batches, key=lambda batch: batch.epoch):
        records: list[Numbered] = []
        for record in (record for batch in term for record in batch.records):
            if isinstance(record, ControlRecord) and record.type == LEADER_CHANGE and "leaderId" in record.data:
                found.configurations.own = ConfigResource(BROKER_RESOURCE, str(record.data["leaderId"]))
            elif isinstance(record, Record):
                records.append((record.offset, Message(record.type, record.version, record.data)))
        found.follow(records)
    return found
