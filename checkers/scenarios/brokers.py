"""Acts of brokers in a step: registrations, heartbeats, controlled shutdowns, ISRs that leaders propose.

After Kafka's BrokerLifecycleManager, AssignmentsManager and Partition, without their data: a replica has caught up
whenever a scenario does not say otherwise.
"""

from __future__ import annotations

import base64
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from fencepost.reference.kraft import messages as m
from fencepost.reference.kraft.controller.partitions import PartitionRegistration
from fencepost.reference.kraft.errors import ApiError, Errors
from fencepost.reference.kraft.levels import CORDONED_DIRECTORIES, DIRECTORIES, SUPPORTED_FEATURES
from fencepost.reference.kraft.records import LOST_DIRECTORY, MIGRATING_DIRECTORY, UNASSIGNED_DIRECTORY
from fencepost.reference.simulator import MILLISECOND, SECOND

from .machine import Machine, is_refused
from .words import Heartbeat, Isr, Register

Key = tuple[str, int]
"""A partition: the id of its topic and its number."""

RESERVED = {"UNASSIGNED": UNASSIGNED_DIRECTORY, "LOST": LOST_DIRECTORY, "MIGRATING": MIGRATING_DIRECTORY}
"""The reserved ids of log directories by their names."""

ID_LENGTH = 22
"""The characters of an id of a log directory."""

AFTER_SHUTDOWN_ANSWER_NS = 50 * MILLISECOND
"""The pause after the first answer to a broker that wants to shut down (BrokerLifecycleManager)."""

SHUTDOWN_LIMIT_NS = 300 * SECOND
"""A broker that is not let go within this ends anyway (BrokerServer.shutdown)."""

ASSIGNED_AT_ONCE = 2250
"""How many replicas one AssignReplicasToDirs request names at most."""

OLD_EPOCH = 5
"""The epoch that a broker which never registered claims."""


@dataclass(slots=True)
class Process:
    """A broker: whether its process runs, which one it is, and what is on its disks.

    `directories` are ids; those in `failed` cannot be read. `clean_epoch` is the broker epoch that a clean shutdown
    left on the disks, −1 without. A broker `by_hand` sends only the heartbeats of low words. The replicas of one that
    is `behind` join an ISR only where a step says so.
    """

    id: int
    directories: tuple[str, ...] = ()
    rack: str | None = None
    listeners: tuple[m.Endpoint, ...] = ()
    features: tuple[m.FeatureRange, ...] = ()
    incarnation: str = ""
    epoch: int = -1
    clean_epoch: int = -1
    runs: bool = False
    by_hand: bool = False
    behind: bool = False
    failed: set[str] = field(default_factory=set)
    cordoned: tuple[str, ...] | None = None

    @property
    def online(self) -> tuple[str, ...]:
        """The directories that can be read."""
        return tuple(one for one in self.directories if one not in self.failed)


class Brokers:
    """The brokers of a scenario by id, and the names of their log directories: d1 is the first of each broker."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.known: dict[int, Process] = {}
        self.names: dict[str, str] = {id: name for name, id in RESERVED.items()}
        self._ids: dict[tuple[int, str], str] = {}
        self._incarnations = 100
        self.silent: set[int] = set()

    # -- names -----------------------------------------------------------------------------------------------------
    @property
    def _cluster(self) -> Any:
        return self.machine.controller.managers.cluster

    @property
    def _replication(self) -> Any:
        return self.machine.controller.managers.replication

    @property
    def level(self) -> int:
        """The finalized level of metadata.version."""
        return int(self.machine.controller.managers.features.metadata_version_or_throw())

    def process(self, broker: int) -> Process:
        """Return a broker, a new one that never ran where it is not known."""
        found = self.known.get(broker)
        if found is None:
            found = self.known[broker] = Process(broker, features=FEATURES, listeners=(_endpoint(broker),))
        return found

    def directory(self, broker: int, name: str) -> str:
        """Return the id of a broker's directory by its name; a name that is new makes one, an id names itself."""
        if name in RESERVED:
            return RESERVED[name]
        if name in self.names or len(name) == ID_LENGTH:
            self.names.setdefault(name, name)
            return name
        found = self._ids.get((broker, name))
        if found is None:
            is_numbered = name[:1] == "d" and name[1:].isdigit()
            found = directory_id(broker, name if is_numbered else f"d{1000 + len(self._ids)}")
            self._ids[broker, name] = found
            self.names[found] = name
        return found

    def named(self, broker: int, name: str) -> str | None:
        """Return the id of a directory that the broker has, None where it has none of that name."""
        id = self.directory(broker, name)
        return id if id in self.process(broker).directories else None

    def new_directory(self, broker: int) -> str:
        """Return the id of a directory with the first name that is free."""
        used = {name for one, name in self._ids if one == broker}
        number = 1
        while f"d{number}" in used:
            number += 1
        return self.directory(broker, f"d{number}")

    def adopt(self, registration: Any) -> Process:
        """Take over a broker as a log has it, and return it: it runs unless it is fenced."""
        process = Process(
            registration.id, registration.directories, registration.rack, registration.listeners,
            registration.features, registration.incarnation_id, registration.epoch,
            runs=not registration.fenced, cordoned=registration.cordoned_directories,
        )  # fmt: skip
        if registration.fenced and registration.in_controlled_shutdown:
            process.clean_epoch = registration.epoch
        self.known[registration.id] = process
        self.names.update((one, one) for one in registration.directories)
        return process

    def take_over(self, others: Brokers) -> None:
        """Have the processes and names of directories of the brokers of another cluster in the same state."""
        self.known = {id: replace(one, failed=set(one.failed)) for id, one in others.known.items()}
        self.names, self._ids = dict(others.names), dict(others._ids)
        self._incarnations, self.silent = others._incarnations, set(others.silent)

    # -- registrations ---------------------------------------------------------------------------------------------
    def register(self, process: Process, version: int = 4) -> Any:
        """Send one registration of a broker's process and return the answer."""
        answer = self.machine.ask(
            m.BrokerRegistrationRequest(
                broker_id=process.id,
                cluster_id=self._cluster.cluster_id,
                incarnation_id=process.incarnation,
                listeners=process.listeners,
                features=process.features,
                rack=process.rack,
                log_dirs=process.online,
                previous_broker_epoch=process.clean_epoch,
                version=version,
            )
        )
        if not is_refused(answer):
            process.epoch, process.clean_epoch = answer.broker_epoch, -1
        return answer

    def register_by_hand(self, step: Register) -> Any:
        """Send the registration that a low word says, at a time when the session of the former process is over."""
        process = self.process(step.broker)
        if step.directories is not None:
            process.directories = tuple(self.directory(step.broker, one) for one in step.directories)
        elif not process.directories:
            process.directories = (self.directory(step.broker, "d1"),)
        process.clean_epoch = process.epoch if step.clean else -1
        if not (step.same_process and process.incarnation):
            process.incarnation = self._incarnation()
            self._outlive(process.id)
        process.runs = process.by_hand = True
        process.failed.clear()
        return self.register(process, step.version)

    def _outlive(self, broker: int) -> None:
        """Let the session of a broker be over while all others go on, before any periodic task has its turn."""
        tracker, registrations = self._cluster.tracker, self._cluster.registrations
        now = self.machine.clock.now_ns
        mine = registrations.get(broker)
        if mine is None or not tracker.has_valid_session(broker, mine.epoch, now):
            return
        valid = [one for one in registrations.values() if tracker.has_valid_session(one.id, one.epoch, now)]
        self.machine.run((self.machine.settings.broker_session_timeout_ms + 1) * MILLISECOND)
        for one in valid:
            if one.id != broker:
                self.machine.contact(one.id, one.epoch)

    def _incarnation(self) -> str:
        """Return an incarnation id that no registration has: those of a log may be of a scenario, too."""
        used = {one.incarnation_id for one in self._cluster.registrations.values()}
        while True:
            self._incarnations += 1
            found = _uuid(9, self._incarnations)
            if found not in used:
                return found

    def start(self, process: Process, unclean: bool, behind: bool) -> str:
        """Start a new process: registration, log directories, unfencing, ISRs.

        Return a sentence where it was refused, or had to wait, else nothing.
        """
        process.incarnation, process.runs, process.by_hand = self._incarnation(), True, False
        process.behind = behind
        process.clean_epoch = -1 if unclean else process.clean_epoch
        began = self.machine.clock.now_ns
        limit = began + self.machine.settings.initial_broker_registration_timeout_ms * MILLISECOND
        answer = self.register(process)
        while _is(answer, Errors.DUPLICATE_BROKER_REGISTRATION) and self.machine.clock.now_ns < limit:
            # As a broker does: it asks again until the session of its former process is over.
            self.pass_time(self._interval_ns, but=(process.id,))
            answer = self.register(process)
        if is_refused(answer):
            process.runs = False
            return f"broker {process.id} is refused with {answer.error.name} and ends"
        waited = (self.machine.clock.now_ns - began) / SECOND
        self.assign_directories(process)
        if self.level >= CORDONED_DIRECTORIES:
            self.beat(process, want_fence=True, cordoned_log_dirs=process.cordoned or ())
        answer = self.beat(process)
        if not behind and not is_refused(answer) and not answer.is_fenced:
            self.catch_up(only=process.id)
        why = "DUPLICATE_BROKER_REGISTRATION until the session of its former process is over"
        return f"broker {process.id} is refused for {waited:g} s: {why}" if waited else ""

    def assign_directories(self, process: Process, topics: Collection[str] = ()) -> None:
        """Report where the replicas of a broker are that lie in none of its directories, as far as they can be made."""
        if self.level < DIRECTORIES or not process.online:
            return
        counts = dict.fromkeys(process.online, 0)
        missing: list[Key] = []
        for key, partition in self._partitions_of(process.id):
            place = partition.directory(process.id)
            if place in counts:
                counts[place] += 1
            elif (not topics or key[0] in topics) and (place == UNASSIGNED_DIRECTORY or not process.failed):
                missing.append(key)
        chosen = []
        for key in missing:
            place = min(counts, key=lambda one: counts[one])
            counts[place] += 1
            chosen.append((place, *key))
        for at in range(0, len(chosen), ASSIGNED_AT_ONCE):
            self.assign(process, chosen[at : at + ASSIGNED_AT_ONCE])

    def assign(self, process: Process, assignments: Sequence[tuple[str, str, int]]) -> Any:
        """Report in which directories replicas are: id of the directory, id of the topic, number."""
        return self.machine.ask(
            m.AssignReplicasToDirsRequest(
                broker_id=process.id, broker_epoch=process.epoch, assignments=tuple(assignments)
            )
        )

    def _partitions_of(self, broker: int) -> Iterator[tuple[Key, PartitionRegistration]]:
        replication = self._replication
        for id in sorted(replication.topics, key=lambda one: str(replication.topics[one].name)):
            for number in replication.topics[id].partitions:
                partition = replication.partitions[id, number]
                if broker in partition.replicas:
                    yield (id, number), partition

    # -- heartbeats ------------------------------------------------------------------------------------------------
    def beat(self, process: Process, behind: int = 0, epoch: int = 0, **said: Any) -> Any:
        """Send one heartbeat of a broker that has read the log but `behind` records; return the answer."""
        return self.machine.ask(
            m.BrokerHeartbeatRequest(
                broker_id=process.id,
                broker_epoch=(process.epoch if process.epoch >= 0 else OLD_EPOCH) + epoch,
                current_metadata_offset=self.machine.raft.end - 1 - behind,
                **{"offline_log_dirs": self._failed(process), **said},
            )
        )

    def _failed(self, process: Process) -> tuple[str, ...]:
        """Return the failed directories that a broker reports: all since its process began, again and again."""
        return tuple(one for one in process.directories if one in process.failed) if process.runs else ()

    def beat_by_hand(self, step: Heartbeat) -> Any:
        """Send the heartbeat that a low word says."""
        process = self.process(step.broker)
        process.by_hand = True
        failed = tuple(self.directory(step.broker, one) for one in step.failed)
        cordoned = None
        if step.cordoned is not None:
            cordoned = tuple(self.directory(step.broker, one) for one in step.cordoned)
        return self.beat(
            process, step.behind, step.epoch, want_fence=step.want_fence, want_shut_down=step.want_shutdown,
            offline_log_dirs=failed, cordoned_log_dirs=cordoned,
        )  # fmt: skip

    def pass_time(self, for_ns: int, but: Collection[int] = ()) -> None:
        """Let time pass: every running broker sends its heartbeats, but some, and periodic tasks run."""
        end = self.machine.clock.now_ns + for_ns
        while self.machine.clock.now_ns < end:
            self.machine.pass_time(min(self._interval_ns, end - self.machine.clock.now_ns))
            self.beat_all(but)

    def beat_all(self, but: Collection[int] = ()) -> None:
        """Let every running broker send one heartbeat, but some and those that scenarios drive by hand."""
        for process in list(self.known.values()):
            if process.runs and not process.by_hand and process.id not in but and process.id not in self.silent:
                self.beat(process)

    @property
    def _interval_ns(self) -> int:
        return self.machine.settings.broker_heartbeat_interval_ms * MILLISECOND

    # -- the end of a process --------------------------------------------------------------------------------------
    def stop(self, process: Process) -> str:
        """Shut a broker down as at SIGTERM; return a sentence where it was not let go in time, else nothing."""
        limit, pause = self.machine.clock.now_ns + SHUTDOWN_LIMIT_NS, AFTER_SHUTDOWN_ANSWER_NS
        process.by_hand = False
        while True:
            answer = self.beat(process, want_shut_down=True)
            if is_refused(answer) or answer.should_shut_down or self.machine.clock.now_ns >= limit:
                break
            self.beat_all(but=(process.id,))
            self.pass_time(pause, but=(process.id,))
            pause = self._interval_ns
        process.runs, process.clean_epoch = False, process.epoch
        if is_refused(answer):
            return f"broker {process.id} is refused with {answer.error.name} and ends"
        if answer.should_shut_down:
            return ""
        self.wait_for_sessions((process.id,))
        seconds = SHUTDOWN_LIMIT_NS // SECOND
        return f"broker {process.id} is not let go within {seconds} s, ends, and is fenced when its session is over"

    def kill(self, processes: Iterable[Process]) -> None:
        """End processes at once, and let time pass until the controller has fenced them."""
        ids = []
        for process in processes:
            process.runs, process.by_hand, process.clean_epoch = False, False, -1
            ids.append(process.id)
        self.wait_for_sessions(ids)

    def wait_for_sessions(self, brokers: Collection[int]) -> None:
        """Let time pass until every one of some silent brokers is fenced, for two sessions at most."""
        limit = self.machine.clock.now_ns + 2 * self.machine.settings.broker_session_timeout_ms * MILLISECOND
        while self.machine.clock.now_ns < limit and any(map(self._is_unfenced, brokers)):
            self.pass_time(min(self._interval_ns, SECOND), but=brokers)

    def end_sessions(self) -> list[int]:
        """Let the sessions of unfenced brokers that do not run end, and return these brokers."""
        found = [one.id for one in self.known.values() if not one.runs and self._is_unfenced(one.id)]
        self.wait_for_sessions(found)
        return found

    def _is_unfenced(self, broker: int) -> bool:
        registration = self._cluster.registrations.get(broker)
        return registration is not None and not registration.fenced

    # -- ISRs ------------------------------------------------------------------------------------------------------
    def catch_up(self, keys: Collection[Key] | None = None, only: int | None = None, all_of_them: bool = False) -> None:
        """Let replicas that have caught up join the ISR, one proposal after the other, of some partitions or of all.

        With `only` a broker: the replicas of it, and all replicas where it leads. With `all_of_them` those of brokers
        that are behind catch up.
        """
        for key in list(self._all_keys() if keys is None else keys):
            self._join(key, only, all_of_them)

    def _all_keys(self) -> Iterator[Key]:
        replication = self._replication
        for id in sorted(replication.topics, key=lambda one: str(replication.topics[one].name)):
            yield from ((id, number) for number in replication.topics[id].partitions)

    def _join(self, key: Key, only: int | None, all_of_them: bool) -> None:
        while (partition := self._replication.partitions.get(key)) is not None and partition.has_leader:
            leader = self.known.get(partition.leader)
            if leader is None or not leader.runs or not self._can_follow(leader.id, partition):
                return
            late = [one for one in partition.replicas if one not in partition.isr and self._can_follow(one, partition)]
            joins = [
                one
                for one in late
                if only in (None, one, partition.leader) and (all_of_them or not self.known[one].behind)
            ]
            if not joins:
                return
            answer = self.propose(key, partition, (*partition.isr, joins[0]), leader)
            if is_refused(answer) or answer[0].error not in (Errors.NONE, Errors.NEW_LEADER_ELECTED):
                return
            if self._replication.partitions.get(key) == partition:
                return

    def _can_follow(self, broker: int, partition: PartitionRegistration) -> bool:
        process = self.known.get(broker)
        if process is None or not process.runs or not self._cluster.is_active(broker):
            return False
        return broker not in partition.replicas or partition.directory(broker) not in process.failed

    def propose(
        self, key: Key, partition: PartitionRegistration, isr: Sequence[int], leader: Process, recovery: int = 0
    ) -> Any:
        """Let a leader propose an ISR with the epochs that it knows, and return the answer."""
        data = m.AlterPartitionData(
            topic_id=key[0],
            partition=key[1],
            leader_epoch=partition.leader_epoch,
            partition_epoch=partition.partition_epoch,
            new_isr=tuple((one, self._epoch(one)) for one in isr),
            leader_recovery_state=recovery,
        )
        return self.machine.ask(
            m.AlterPartitionRequest(broker_id=leader.id, broker_epoch=leader.epoch, partitions=(data,))
        )

    def propose_by_hand(self, step: Isr, key: Key, partition: PartitionRegistration | None) -> Any:
        """Send the proposal that a step says, its epochs counted from those that are right."""
        sender = step.sender if step.sender is not None else partition.leader if partition is not None else -1
        isr = []
        for one in step.members:
            epoch = self._epoch(one) - (one in step.old)
            isr.append((one, -1 if step.without_epochs else epoch))
        data = m.AlterPartitionData(
            topic_id=key[0],
            partition=key[1],
            leader_epoch=(partition.leader_epoch if partition is not None else 0) + step.leader_epoch,
            partition_epoch=(partition.partition_epoch if partition is not None else 0) + step.partition_epoch,
            new_isr=tuple(isr),
            leader_recovery_state=step.recovery,
        )
        return self.machine.ask(
            m.AlterPartitionRequest(
                broker_id=sender, broker_epoch=self._epoch(sender) + step.broker_epoch, partitions=(data,)
            )
        )

    def _epoch(self, broker: int) -> int:
        process = self.known.get(broker)
        return OLD_EPOCH if process is None or process.epoch < 0 else process.epoch


FEATURES = tuple(m.FeatureRange(name, lowest, highest) for name, (lowest, highest) in SUPPORTED_FEATURES.items())
"""Features that a broker of the newest release supports."""


def _endpoint(broker: int) -> m.Endpoint:
    return m.Endpoint("PLAINTEXT", f"broker-{broker}", 9092, 0)


def directory_id(broker: int, name: str) -> str:
    """Return the id of a broker's log directory that is called d1, d2 and so on."""
    return _uuid(6 + int(name[1:]), 1000 + broker)


def _uuid(high: int, low: int) -> str:
    return base64.urlsafe_b64encode(high.to_bytes(8, "big") + low.to_bytes(8, "big")).decode().rstrip("=")


def _is(answer: Any, error: Errors) -> bool:
    return isinstance(answer, ApiError) and answer.error is error
