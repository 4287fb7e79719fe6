"""The active controller of both versions: it changes partitions, and commits before it answers.

`Controller` is the state machine of the quorum: the active node runs it (`quorum`). Its cells are the metadata, which
are in the log, and what only the active one has in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fencepost.reference.simulator import MILLISECOND, Cells

from .log import MetadataLog
from .records import (
    FenceBrokerRecord,
    PartitionRecord,
    Record,
    RegisterBrokerRecord,
    UnfenceBrokerRecord,
    UnregisterBrokerRecord,
)
from .settings import Settings

if TYPE_CHECKING:
    from .quorum import Quorum

NOBODY: int | None = None
Reply = Callable[[Any], None]


@dataclass(frozen=True, slots=True)
class Refused:
    """A request was not done, with the error that says why."""

    error: str


@dataclass(frozen=True, slots=True)
class FetchRequest:
    """A broker asks for the committed batches after an offset."""

    after: int


@dataclass(frozen=True, slots=True)
class FetchAnswer:
    """All batches up to an offset are there to be applied, or a snapshot that has what became of them."""

    to: int
    snapshot: bool = False


@dataclass(frozen=True, slots=True)
class ElectRequest:
    """An operator wishes another leader for a partition."""

    partition: int
    leader: int


class Controller:
    """The controller: `serve` takes requests, and what it says is heard when all that it has seen is committed."""

    def __init__(self, settings: Settings, cells: Cells, quorum: Quorum) -> None:
        brokers, replicas = settings.brokers, settings.replicas
        self.settings = settings
        self.quorum = quorum
        # The metadata.
        self.registered = cells.column("registered", False, brokers)
        self.incarnation = cells.column("incarnation", 0, brokers)
        self.broker_epoch = cells.column("broker_epoch", -1, brokers)
        self.fenced = cells.column("fenced", True, brokers)
        self.replicas = cells.column("replicas", frozenset[int](), replicas)
        self.isr = cells.column("isr", frozenset[int](), replicas)
        self.leader = cells.column("leader", NOBODY, replicas)
        self.leader_epoch = cells.column("leader_epoch", 0, replicas)
        # The memory of the active one.
        self.last_contact = cells.column("last_contact", -1, brokers)
        self.shutting_down = cells.column("shutting_down", False, brokers)
        for one, assigned in replicas.items():
            self.replicas[one] = self.isr[one] = frozenset(assigned)
        self.log = MetadataLog(cells, [self.record(one) for one in replicas])
        self._batch: list[Record] = []
        self._waiting: list[tuple[Reply, Any]] = []
        self._watched: set[int] = set()
        self._committing = self._electing = False

    # -- time ------------------------------------------------------------------------------------------------------
    @property
    def now(self) -> int:
        """The clock, in milliseconds."""
        return self.quorum.simulator.now_ns // MILLISECOND

    def deadline(self, broker: int) -> int | None:
        """Return the last millisecond at which a broker still counts as alive, None if it is not waited for."""
        raise NotImplementedError

    def overdue(self, broker: int) -> None:
        """Do what is due after a broker's deadline."""
        raise NotImplementedError

    def watch(self, broker: int) -> None:
        """See to it that something is done right after a broker's deadline, wherever that moves meanwhile."""
        deadline = self.deadline(broker)
        if deadline is not None and broker not in self._watched and self.quorum.is_active:
            self._watched.add(broker)
            self.quorum.at(deadline + 1, lambda: self._look_at(broker))

    def _look_at(self, broker: int) -> None:
        self._watched.discard(broker)
        deadline = self.deadline(broker)
        if deadline is not None and self.now > deadline:
            self.overdue(broker)
        self.watch(broker)

    # -- operations: what one changes is one batch -----------------------------------------------------------------
    def serve(self, request: Any, reply: Reply) -> None:
        """Take a request."""
        raise NotImplementedError

    def done(self, name: str, parameters: dict[str, Any], answer: str = "") -> None:
        """End an operation: append what it changed, and tell the step."""
        if self._batch:
            self.log.append(self._batch)
            self._batch = []
        self.quorum.tell(name, parameters, answer)
        if self.quorum.is_active:
            self._commit_soon()
            self._elect_soon()

    def answer(self, reply: Reply, message: Any) -> None:
        """Answer when everything up to here is committed: no client may see what may yet be lost."""
        if self.log.has_tail:
            self._waiting.append((reply, message))
        else:
            reply(message)

    def _commit_soon(self) -> None:
        if not self._committing and self.log.has_tail:
            self._committing = True
            self.quorum.after(self.quorum.commit_delay, self._commit)

    def _commit(self) -> None:
        self._committing = False
        self.log.committed.value = committed = self.log.last_offset
        self.done("Commit", {"to": committed})
        waiting, self._waiting = self._waiting, []
        for reply, message in waiting:
            reply(message)

    # -- brokers ---------------------------------------------------------------------------------------------------
    def register_anew(self, broker: int, incarnation: int, epoch: int) -> None:
        """Enter a new process under a broker's id: fenced, and leading nothing of what an earlier one led."""
        self.leave_partitions(broker)
        record = RegisterBrokerRecord(broker, incarnation, epoch)
        self._enter(record)
        self._batch.append(record)
        self.shutting_down[broker] = False
        self.last_contact[broker] = self.now

    def conflicts(self, broker: int, incarnation: int) -> bool:
        """Whether another process has the id, and was in contact not long ago."""
        if not self.registered[broker] or self.incarnation[broker] == incarnation:
            return False
        return self.now <= self.last_contact[broker] + self.settings.id_reuse

    def fence(self, broker: int) -> None:
        """Fence a broker: it leads nothing and is in sync with nothing, and then clients are not sent to it."""
        self.leave_partitions(broker)
        self.fenced[broker] = True
        self._batch.append(FenceBrokerRecord(broker))

    def unfence(self, broker: int) -> None:
        """Unfence a broker: from now on it may lead, and be in sync again once it is."""
        self.fenced[broker] = False
        self._batch.append(UnfenceBrokerRecord(broker))

    def leave_partitions(self, broker: int) -> None:
        """Take a broker out of what it leads and of the replicas in sync, but for the last one of a partition."""
        for (one,) in self.isr:
            isr = self.isr[one]
            self.change(
                one,
                isr=isr - {broker} if len(isr) > 1 else isr,
                leader=NOBODY if self.leader[one] == broker else self.leader[one],
            )

    def leads(self, broker: int) -> bool:
        """Whether a broker leads anything."""
        return any(self.leader[one] == broker for one in self.leader)

    def fetched(self, after: int) -> FetchAnswer:
        """Return what a broker gets that has the metadata up to an offset."""
        if after < self.log.snapshot:
            return FetchAnswer(self.log.snapshot, snapshot=True)
        return FetchAnswer(self.log.committed.value)

    # -- partitions ------------------------------------------------------------------------------------------------
    def record(self, partition: int) -> PartitionRecord:
        """Return the record that says how a partition is."""
        return PartitionRecord(
            partition,
            self.replicas[partition],
            self.isr[partition],
            self.leader[partition],
            self.leader_epoch[partition],
        )

    def change(
        self, partition: int, *, isr: frozenset[int], leader: int | None, replicas: frozenset[int] | None = None
    ) -> None:
        """Change a partition; its leader epoch grows with every change of its leader, and with nothing else."""
        before = self.record(partition)
        self.isr[partition] = isr
        if replicas is not None:
            self.replicas[partition] = replicas
        if leader != self.leader[partition]:
            self.leader[partition] = leader
            self.leader_epoch[partition] += 1
        if self.record(partition) != before:
            self._batch.append(self.record(partition))

    def can_lead(self, partition: int, broker: int) -> bool:
        """Whether a broker may be made a partition's leader: in sync, not fenced, and not about to leave."""
        return broker in self.isr[partition] and not self.fenced[broker] and not self.shutting_down[broker]

    def elect(self, partition: int, leader: int) -> None:
        """Make a broker a partition's leader, if it may be and is not."""
        if self.can_lead(partition, leader) and self.leader[partition] != leader:
            self.change(partition, isr=self.isr[partition], leader=leader)
            self.done("ElectLeader", {"p": partition, "leader": leader})

    def _wanting(self) -> Iterable[tuple[int, int]]:
        """Find the partitions that want another leader, and who that is: the first able one as they are assigned."""
        for (one,) in self.leader:
            leader = self.leader[one]
            if leader is None or self.shutting_down[leader]:
                preferred = [*self.settings.replicas[one], *sorted(self.replicas[one])]
                able = [broker for broker in preferred if self.can_lead(one, broker) and broker != leader]
                if able:
                    yield one, able[0]

    def _elect_soon(self) -> None:
        if not self._electing and any(True for _ in self._wanting()):
            self._electing = True
            self.quorum.after(self.quorum.election_delay, self._elect_next)

    def _elect_next(self) -> None:
        self._electing = False
        for partition, leader in self._wanting():
            self.elect(partition, leader)
            return

    # -- the metadata as the log has it ----------------------------------------------------------------------------
    def lose_tail(self) -> None:
        """Go on with a log that ends where the committed one does: the metadata are what its batches say (S2:20)."""
        self.log.truncate()
        self.forget_metadata()
        for offset in range(self.log.next_offset.value):
            for record in self.log.read(offset - 1, offset):
                self.replay(record, offset)

    def forget_metadata(self) -> None:
        """Know of no broker; each partition is in the first batch."""
        for broker in self.settings.brokers:
            self._remove(broker)

    def replay(self, record: Record, offset: int) -> None:
        """Change the metadata as a record at an offset says."""
        if isinstance(record, PartitionRecord):
            one = record.partition
            self.replicas[one], self.isr[one] = record.replicas, record.isr
            self.leader[one], self.leader_epoch[one] = record.leader, record.leader_epoch
        elif isinstance(record, RegisterBrokerRecord):
            self._enter(record)
        elif isinstance(record, FenceBrokerRecord | UnfenceBrokerRecord):
            self.fenced[record.broker] = isinstance(record, FenceBrokerRecord)
        elif isinstance(record, UnregisterBrokerRecord):
            self._remove(record.broker)

    def _enter(self, record: RegisterBrokerRecord) -> None:
        broker = record.broker
        self.registered[broker] = self.fenced[broker] = True
        self.incarnation[broker], self.broker_epoch[broker] = record.incarnation, record.epoch

    def _remove(self, broker: int) -> None:
        self.registered[broker], self.fenced[broker] = False, True
        self.incarnation[broker], self.broker_epoch[broker] = 0, -1

    # -- failover --------------------------------------------------------------------------------------------------
    def failed(self) -> None:
        """Forget what was in memory: the active controller is gone."""
        for broker in self.settings.brokers:
            self.last_contact[broker] = -1
            self.shutting_down[broker] = False
        self._waiting = []
        self._watched = set()
        self._committing = self._electing = False

    def took_over(self) -> None:
        """Begin as the active controller, by the log: no broker is known to be silent, so all count as heard of now."""
        for broker in self.settings.brokers:
            if self.registered[broker]:
                self.last_contact[broker] = self.now

    def resume(self) -> None:
        """Go on with what time and the log bring, after a failover."""
        for broker in self.settings.brokers:
            self.watch(broker)
        self._commit_soon()
        self._elect_soon()
