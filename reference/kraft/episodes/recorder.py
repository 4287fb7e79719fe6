"""The managers of an active controller, asked by hand, and what they write kept as an episode."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Any

from fencepost.reference.kraft import messages as m
from fencepost.reference.kraft.controller.activation import activation_records
from fencepost.reference.kraft.controller.managers import Managers
from fencepost.reference.kraft.controller.snapshots import snapshot_messages
from fencepost.reference.kraft.controller.topics import random_uuid
from fencepost.reference.kraft.errors import Errors
from fencepost.reference.kraft.levels import ELR_VERSION, LATEST_PRODUCTION, METADATA_VERSION, SUPPORTED_FEATURES
from fencepost.reference.kraft.records import Message
from fencepost.reference.kraft.results import ControllerResult
from fencepost.reference.kraft.settings import Settings
from fencepost.reference.kraft.storage.bootstrap import bootstrap_records
from fencepost.reference.timeline import SnapshotRegistry
from fencepost.traces.record_types import BEGIN_TRANSACTION_RECORD, END_TRANSACTION_RECORD, LEADER_CHANGE
from fencepost.traces.scale.episodes import OFFSET, Episode, EpisodeBatch, EpisodeRecord, Relative

CLUSTER = "a-cluster-for-scale"
CONTROLLERS = (3000, 3001, 3002)
PRODUCER_IDS = "producer ids"
"""The name of the first producer id that no broker has."""

_TRANSACTIONS = (BEGIN_TRANSACTION_RECORD, END_TRANSACTION_RECORD)
"""The records around the bootstrap: no manager's, they are for the offsets alone."""

_MILLISECOND = 1_000_000
_BETWEEN = 20
"""Milliseconds between two results."""

_BROKER_EPOCH = {
    "REGISTER_BROKER_RECORD": "brokerEpoch",
    "UNREGISTER_BROKER_RECORD": "brokerEpoch",
    "BROKER_REGISTRATION_CHANGE_RECORD": "brokerEpoch",
    "PRODUCER_IDS_RECORD": "brokerEpoch",
}
"""The field of a record that holds the epoch of the broker in `brokerId`."""

_RANGES = tuple(m.FeatureRange(name, *SUPPORTED_FEATURES[name]) for name in sorted(SUPPORTED_FEATURES))
_NAME_LENGTH = 18


def broker_name(broker: int) -> str:
    """Return the name of the number that is a broker's epoch."""
    return f"broker {broker}"


class Recorder:
    """A controller that is asked one thing after the other, each result committed at once."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(f"episodes {seed}")
        self.settings = Settings()
        self.registry = SnapshotRegistry()
        self.managers = Managers(self.registry, CLUSTER, self.settings, self.random, CONTROLLERS, CONTROLLERS[0])
        self.now_ms, self.offset, self.epoch = 1, 0, 0
        self.epochs: dict[int, int] = {}
        self.directories: dict[int, str] = {}
        self.next_producer_id = 0
        self._names = count(1)
        self._operations = self.managers.operations()
        self._begin()

    # -- an episode ------------------------------------------------------------------------------------------------
    def _begin(self) -> None:
        self._start, self._started, self._began_epoch = self.offset, self.now_ms, self.epoch
        self._known, self._first_producer_id = dict(self.epochs), self.next_producer_id
        self._batches: list[EpisodeBatch] = []
        self._ids: list[str] = []
        self._used: list[str] = []

    def episode(self, kind: str, standing: Sequence[str] = ()) -> Episode:
        """Return what was written since the last episode ended."""
        ends = {
            broker_name(broker): self._relative(broker, epoch)
            for broker, epoch in self.epochs.items()
            if self._known.get(broker) != epoch
        }
        if not self._start:
            ends[PRODUCER_IDS] = Relative(OFFSET, self.next_producer_id)
        elif self.next_producer_id != self._first_producer_id:
            ends[PRODUCER_IDS] = Relative(PRODUCER_IDS, self.next_producer_id - self._first_producer_id)
        milliseconds, epochs = self.now_ms - self._started, self.epoch - self._began_epoch
        found = Episode(
            kind, tuple(self._batches), milliseconds, epochs, tuple(self._ids), tuple(self._used), tuple(standing), ends
        )
        self._begin()
        return found

    def new_name(self) -> str:
        """Return a name that the episode has for itself."""
        self._used.append(f"t{next(self._names):0{_NAME_LENGTH - 1}x}")
        return self._used[-1]

    def state(self) -> list[str]:
        """Return the state as texts, in an order of its own, without what is relative: epochs, offsets, new ids."""
        self.registry.create(self.offset)
        messages = snapshot_messages(self.managers, self.offset)
        self.registry.delete_up_to(self.offset + 1)
        left_out = ("leaderEpoch", "partitionEpoch", "brokerEpoch", "incarnationId", "nextProducerId")
        return sorted(
            f"{one.type} {sorted((name, value) for name, value in one.data.items() if name not in left_out)}"
            for one in messages
        )

    # -- writing ---------------------------------------------------------------------------------------------------
    def write(self, result: ControllerResult[Any]) -> Any:
        """Put a result into the log and apply it; return its response."""
        self.now_ms += _BETWEEN
        most = len(result.records) if result.atomic else self.settings.max_records_per_batch
        for start in range(0, len(result.records), max(most, 1)):
            part = result.records[start : start + most]
            self._append(part, start + most >= len(result.records))
        return result.response

    def _append(self, messages: Sequence[Message], ends: bool) -> None:
        records: list[EpisodeRecord] = []
        for message in messages:
            if message.type not in _TRANSACTIONS:
                self.managers.replay(message, self.offset + len(records))
            self._note(message)
            records.append(EpisodeRecord(message.type, message.version, self._named(message)))
        self.offset += len(records)
        self._put(EpisodeBatch(tuple(records), self.epoch - self._began_epoch, self.now_ms - self._started, ends))

    def _put(self, batch: EpisodeBatch) -> None:
        self._batches.append(batch)

    def _note(self, message: Message) -> None:
        data = message.data
        match message.type:
            case "TOPIC_RECORD":
                self._ids.append(data["topicId"])
            case "ACCESS_CONTROL_ENTRY_RECORD":
                self._ids.append(data["id"])
            case "REGISTER_BROKER_RECORD":
                self.epochs[data["brokerId"]] = data["brokerEpoch"]
                if data["incarnationId"] not in self._ids:
                    self._ids.append(data["incarnationId"])
            case "PRODUCER_IDS_RECORD":
                self.next_producer_id = data["nextProducerId"]

    def _named(self, message: Message) -> Mapping[str, Any]:
        """Return the data of a record with what is relative named."""
        data = dict(message.data)
        epoch = _BROKER_EPOCH.get(message.type)
        if epoch is not None:
            data[epoch] = self._relative(data["brokerId"], data[epoch])
        if message.type == "PRODUCER_IDS_RECORD" and self._start:
            data["nextProducerId"] = Relative(PRODUCER_IDS, data["nextProducerId"] - self._first_producer_id)
        return data

    def _relative(self, broker: int, epoch: int) -> Relative:
        if epoch == self._known.get(broker):
            return Relative(broker_name(broker), 0)
        return Relative(OFFSET, epoch - self._start)

    # -- the quorum ------------------------------------------------------------------------------------------------
    def lead(self, leader: int) -> None:
        """Let a controller become active: Raft's record, and what it writes first."""
        self.now_ms += 10 * _BETWEEN
        self.epoch += 1
        voters = [{"voterId": one} for one in CONTROLLERS]
        data = {"version": 0, "leaderId": leader, "voters": voters, "grantingVoters": voters[:2]}
        record = EpisodeRecord(LEADER_CHANGE, 0, data)
        batch = EpisodeBatch((record,), self.epoch - self._began_epoch, self.now_ms - self._started, is_control=True)
        self._put(batch)
        self.offset += 1
        self.managers.cluster.deactivate()
        self.managers.cluster.activate(self.now_ms * _MILLISECOND, self.offset - 1)
        level = self.managers.features.metadata_version
        bootstrap = bootstrap_records({METADATA_VERSION: LATEST_PRODUCTION, ELR_VERSION: 1})
        self.write(activation_records(-1, bootstrap, level, self.settings.min_insync_replicas))

    def register_controllers(self) -> None:
        """Register all controllers."""
        for controller in CONTROLLERS:
            self.ask(
                m.ControllerRegistrationRequest(
                    controller_id=controller, incarnation_id=random_uuid(self.random), features=_RANGES,
                    listeners=(m.Endpoint("CONTROLLER", "localhost", 9093 + controller),),
                )
            )  # fmt: skip

    # -- requests --------------------------------------------------------------------------------------------------
    def ask(self, request: m.Request) -> Any:
        """Ask for something, and return the answer."""
        return self.write(self._operations[type(request)][1](request))

    def register(self, broker: int, clean: bool = True) -> None:
        """Start a broker: a new process registers, and is unfenced by its first heartbeat."""
        directory = self.directories.setdefault(broker, random_uuid(self.random))
        request = m.BrokerRegistrationRequest(
            broker_id=broker, cluster_id=CLUSTER, incarnation_id=random_uuid(self.random), features=_RANGES,
            listeners=(m.Endpoint("PLAINTEXT", "localhost", 9192 + broker),), log_dirs=(directory,),
            previous_broker_epoch=self.epochs.get(broker, -1) if clean else -1,
        )  # fmt: skip
        cluster, cleanup = self.managers.cluster, self.managers.replication.cleanup
        self.write(cluster.register(request, self.offset, self.now_ms * _MILLISECOND, cleanup))
        self.beat(broker)

    def beat(self, broker: int, **more: Any) -> m.BrokerHeartbeatResponse:
        """Send the heartbeat of a broker that has read the whole log."""
        cluster = self.managers.cluster
        epoch = self.epochs[broker]
        cluster.track(broker, epoch, self.now_ms * _MILLISECOND)
        request = m.BrokerHeartbeatRequest(
            broker_id=broker, broker_epoch=epoch, current_metadata_offset=self.offset - 1,
            **{"cordoned_log_dirs": (), **more},
        )  # fmt: skip
        registered = cluster.registration_offsets.get(broker)
        answer: m.BrokerHeartbeatResponse = self.write(self.managers.replication.process_heartbeat(request, registered))
        if answer.in_controlled_shutdown:
            cluster.active_heartbeats().begin_controlled_shutdown(broker, self.offset - 1)
        return answer

    def silent(self, broker: int) -> None:
        """Let a broker be silent until its session is over, and fence it."""
        for _ in range(3):
            self.now_ms += self.settings.broker_session_timeout_ms // 2
            for other in self.epochs:
                if other != broker:
                    self.beat(other)
        while self.write(self.managers.replication.maybe_fence_stale_broker(self.now_ms * _MILLISECOND)):
            pass

    def stop(self, broker: int) -> None:
        """Stop a broker with a controlled shutdown: heartbeats until it may go."""
        answer = self.beat(broker, want_shut_down=True)
        while not answer.should_shut_down:
            for other in self.epochs:
                if other != broker:
                    self.beat(other)
            answer = self.beat(broker, want_shut_down=True)
        self.now_ms += 2 * self.settings.broker_session_timeout_ms
        for other in self.epochs:
            if other != broker:
                self.beat(other)

    def alter(self, wanted: Mapping[tuple[str, int], Sequence[int]], at_once: int = 1000) -> None:
        """Let leaders propose ISRs, each for some of its partitions at once."""
        partitions = self.managers.replication.partitions
        by_leader: dict[int, list[tuple[str, int]]] = {}
        for where in wanted:
            by_leader.setdefault(partitions[where].leader, []).append(where)
        for leader, mine in sorted(by_leader.items()):
            for start in range(0, len(mine), at_once):
                changes = tuple(self._proposed(where, wanted[where]) for where in mine[start : start + at_once])
                answers = self.ask(
                    m.AlterPartitionRequest(
                        broker_id=leader, broker_epoch=self.epochs[leader], partitions=changes
                    )
                )  # fmt: skip
                refused = {one.error for one in answers} - {Errors.NONE, Errors.NEW_LEADER_ELECTED}
                if refused:
                    raise RuntimeError(f"an ISR was refused: {refused}")

    def _proposed(self, where: tuple[str, int], isr: Sequence[int]) -> m.AlterPartitionData:
        partition = self.managers.replication.partitions[where]
        return m.AlterPartitionData(
            topic_id=where[0], partition=where[1], leader_epoch=partition.leader_epoch,
            partition_epoch=partition.partition_epoch, new_isr=tuple((one, self.epochs[one]) for one in isr),
        )  # fmt: skip

    def catch_up(self, at_once: int = 1000) -> None:
        """Let all replicas of all partitions come back into the ISR, in the order of the replicas."""
        self.alter(dict(self._behind()), at_once)

    def _behind(self) -> Iterator[tuple[tuple[str, int], Sequence[int]]]:
        for where, partition in self.managers.replication.partitions.items():
            if set(partition.isr) != set(partition.replicas):
                yield where, partition.replicas

    def balance(self) -> None:
        """Give leaderships back to the first replicas."""
        while self.write(self.managers.replication.maybe_balance_partition_leaders()):
            pass
