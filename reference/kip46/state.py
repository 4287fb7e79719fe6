"""Everything that a step of the design may change: who is alive, ZooKeeper's part, the controller's memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from fencepost.reference.simulator import Journal

NEVER = -1
"""The time of what is not: no failure, no timer; as the interval it switches the design off."""

FIRST = 1
"""The sequence number of the first chunk."""

Set = frozenset[int]
"""Brokers, or partitions."""


class Settings(NamedTuple):
    """`kafka.heal.failure.interval` in milliseconds; one more than `kafka.heal.chunk.size`: so many are too many."""

    interval: int
    chunk_limit: int

    @property
    def chunk_size(self) -> int:
        """How many partitions a chunk may have."""
        return self.chunk_limit - 1


class State:
    """The cells of the design, by broker, by partition or by the sequence number of a chunk."""

    def __init__(
        self, journal: Journal, brokers: Sequence[int], replicas: Mapping[int, Set], settings: Settings
    ) -> None:
        cells, nothing = journal.cells, Set()
        self.settings = settings
        self.brokers, self.partitions = list(brokers), list(replicas)
        # The brokers, as ZooKeeper has them: a broker is alive while it is registered.
        self.alive = cells.column("alive", True, brokers)
        # ZooKeeper: /admin/failed_brokers, /admin/reassign_partitions, and the state of each partition.
        self.failed = cells.column("failed", NEVER, brokers)
        self.next_chunk = cells.cell("next_chunk", FIRST)
        # Where a run prints its first state, the first of the possible tasks represents all.
        self.queued = cells.column("queued", False, (FIRST,))
        self.running = cells.column("running", False, (FIRST,))
        self.chunk = cells.column("chunk", nothing, (FIRST,))
        self.target = cells.column("target", nothing, [(FIRST, one) for one in replicas])
        self.automatic = cells.column("automatic", False, (FIRST,))
        self.heals = cells.column("heals", _nobody(), (FIRST,))
        self.desired = cells.column("desired", 0, replicas)
        self.replicas = cells.column("replicas", nothing, replicas)
        self.isr = cells.column("isr", nothing, replicas)
        # The controller: whether there is one, and its memory.
        self.controller = cells.cell("controller", False)
        self.controller_epoch = cells.cell("controller_epoch", 0)
        self.live = cells.column("live", False, brokers)
        self.timer = cells.column("timer", NEVER, brokers)
        self.healing = cells.column("healing", False, brokers)
        self.listed = cells.column("listed", nothing, brokers)
        self.placed = cells.column("placed", nothing, brokers)
        self.plan = cells.column("plan", nothing, [(broker, one) for broker in brokers for one in replicas])
        self.caught = cells.column("caught", nothing, replicas)
        for partition, members in replicas.items():
            self.replicas[partition] = self.isr[partition] = members
            self.desired[partition] = len(members)
        cells.changed()

    # -- the queue of tasks ----------------------------------------------------------------------------------------
    @property
    def head(self) -> int | None:
        """The task that comes next: the smallest sequence number of those that are there, a running one not counted."""
        return next((one for (one,) in self.queued if self.queued[one] and not self.running[one]), None)

    @property
    def running_task(self) -> int | None:
        """The task that has been started and is not complete."""
        return next((one for (one,) in self.running if self.running[one]), None)

    def create_chunk(self, targets: Mapping[int, Set], heals: int | None) -> int:
        """Create the sequential znode of a task; `heals` is the broker for which the controller made it, if it did."""
        number = self.next_chunk.value
        self.next_chunk.value += 1
        self.queued[number] = True
        self.chunk[number] = Set(targets)
        self.automatic[number], self.heals[number] = heals is not None, heals
        for partition, target in targets.items():
            self.target[number, partition] = target
        return number

    def delete_chunk(self, number: int) -> None:
        """Delete the znode of a task."""
        for partition in self.chunk[number]:
            self.target[number, partition] = Set()
        self.chunk[number] = Set()
        self.automatic[number], self.heals[number] = False, None
        self.queued[number] = self.running[number] = False


def _nobody() -> int | None:
    return None
