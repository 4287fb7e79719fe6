"""A quorum for the tests: voters and observers with a recording state machine, and the rules that no run may break."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from fencepost.reference.kraft.errors import NotLeaderError
from fencepost.reference.kraft.raft import CommittedBatch, LoadedSnapshot, RaftDisk, RaftNode, Voter
from fencepost.reference.kraft.records import Message
from fencepost.reference.kraft.settings import Settings
from fencepost.reference.simulator import SECOND, Faults, Network, Process, Simulator

NO_OP = Message("NO_OP_RECORD", 0, {})


def record(number: int) -> Message:
    """Return a record that differs from all others."""
    return Message("PRODUCER_IDS_RECORD", 0, {"brokerId": 1, "brokerEpoch": -1, "nextProducerId": number})


class Ledger:
    """What was committed, as the first to hear of it heard it, and who led in each epoch; breaking a rule fails."""

    def __init__(self) -> None:
        self.committed: dict[int, CommittedBatch] = {}
        self.end = 0
        self.leaders: dict[int, int] = {}

    def commit(self, batch: CommittedBatch) -> None:
        """All nodes are given the same batch at an offset, and none leaves an unfilled gap."""
        first = self.committed.setdefault(batch.base_offset, batch)
        assert first is batch, f"two batches committed at {batch.base_offset}"
        assert batch.base_offset <= self.end
        self.end = max(self.end, batch.last_offset + 1)

    def leads(self, node: RaftNode) -> None:
        """No epoch has two leaders, and a leader has all that was ever committed."""
        assert self.leaders.setdefault(node.epoch, node.id) == node.id, f"two leaders in epoch {node.epoch}"
        assert node.disk.log.end_offset >= self.end, f"leader {node.id} lacks committed records"


class Machine(Process):
    """A process with a Raft node and a state machine that keeps what it is given."""

    def __init__(self, quorum: Quorum, name: str, node_id: int) -> None:
        super().__init__(quorum.simulator, name)
        self.quorum, self.id = quorum, node_id
        self.disk = RaftDisk()
        self.node: Any = None
        self.next = 0
        self.batches: list[CommittedBatch] = []
        self.loaded: list[LoadedSnapshot] = []
        self.leaders: list[tuple[int | None, int]] = []

    def started(self) -> None:
        """Begin again with what is on disk."""
        self.next, self.batches, self.loaded, self.leaders = 0, [], [], []
        self.node = RaftNode(
            self, self.quorum.network, self.id, self.quorum.voters, self.quorum.settings, self.disk,
            on_role=self.quorum.on_role,
        )  # fmt: skip
        self.node.register(self)
        self.node.start()

    def receive(self, source: str, payload: Any) -> None:
        """Hand on what the network brings."""
        self.node.receive(source, payload)

    def handle_commit(self, batches: Sequence[CommittedBatch]) -> None:
        """Keep what is committed."""
        for batch in batches:
            assert batch.base_offset == self.next
            self.next = batch.last_offset + 1
            self.quorum.ledger.commit(batch)
        self.batches += batches

    def handle_load_snapshot(self, snapshot: LoadedSnapshot) -> None:
        """Begin at the end of a snapshot."""
        assert snapshot.end_offset >= self.next
        self.next, self.batches = snapshot.end_offset, []
        self.loaded.append(snapshot)

    def handle_leader_change(self, leader: int | None, epoch: int) -> None:
        """Keep who leads; a new leader was given all below its epoch."""
        self.leaders.append((leader, epoch))
        if leader == self.id:
            assert self.next > self.node.role.epoch_start

    @property
    def is_active(self) -> bool:
        """Whether the state machine was told that it leads."""
        return self.alive and bool(self.leaders) and self.leaders[-1] == (self.id, self.node.epoch)

    def append(self, *numbers: int) -> bool:
        """Append records as one result, if the machine believes that it leads."""
        try:
            if not self.is_active:
                return False
            self.node.prepare_append(self.leaders[-1][1], [record(number) for number in numbers])
        except NotLeaderError:
            return False
        self.node.schedule_prepared_append()
        return True


class Quorum:
    """Voters with ids from 1 and observers from 101, all started; `settings` are changed by Python's names."""

    machine = Machine

    def __init__(self, seed: int, voters: int = 3, observers: int = 0, **settings: Any) -> None:
        self.simulator = Simulator(seed)
        self.faults = Faults()
        self.network = Network(self.simulator, self.faults)
        self.settings = dataclasses.replace(Settings(), **settings)
        self.ledger = Ledger()
        self.voters = self.new_voters(voters)
        self.machines = [self.machine(self, voter.process, voter.id) for voter in self.voters]
        self.observers = [Machine(self, f"b{i}", i) for i in range(101, 101 + observers)]
        for machine in [*self.machines, *self.observers]:
            self.network.attach(machine)
            machine.start()

    def new_voters(self, count: int) -> list[Voter]:
        """Return the first voters."""
        return [Voter(i, f"c{i}") for i in range(1, count + 1)]

    def on_role(self, node: RaftNode) -> None:
        """Check who leads."""
        if node.is_leader:
            self.ledger.leads(node)

    def run(self, seconds: float) -> None:
        """Let time pass."""
        self.simulator.run_until(self.simulator.now_ns + int(seconds * SECOND))

    @property
    def active(self) -> Machine:
        """The machine that leads in the highest epoch."""
        return max((one for one in self.machines if one.is_active), key=lambda one: int(one.node.epoch))

    def numbers(self, machine: Machine) -> list[int]:
        """Return the numbers of the records that a machine was given."""
        records = [one for batch in machine.batches for one in batch.records]
        return [one.data["nextProducerId"] for one in records if one.type == "PRODUCER_IDS_RECORD"]

    def assert_agreement(self) -> None:
        """All that are up know the same leader and were given all there is in its log."""
        active = self.active
        for machine in [*self.machines, *self.observers]:
            if machine.alive:
                assert machine.node.leader == active.id
                assert machine.next == active.disk.log.end_offset
