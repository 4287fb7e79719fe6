"""A broker: it fetches its replicas from their leaders, and as a leader adds caught-up replicas to the ISR."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from fencepost.reference.simulator import MILLISECOND, SECOND, Journal, Network, Process

from .state import State


def broker_name(broker: int) -> str:
    """Return the name of a broker's process."""
    return f"broker-{broker}"


class Fetch(NamedTuple):
    """A replica asks its leader for the next part of a partition; with `position` parts it has everything."""

    broker: int
    partition: int
    position: int


class Broker(Process):
    """A broker's process; `on_change` is called when its registration, or an ISR that it leads, has changed.

    `sizes` says by partition how many fetches it takes to have everything. What was fetched survives a restart.
    """

    def __init__(
        self,
        id: int,
        network: Network,
        journal: Journal,
        state: State,
        sizes: dict[int, int],
        on_change: Callable[[int | None], None],
    ) -> None:
        super().__init__(network.simulator, broker_name(id))
        self.id, self.network, self.journal, self.state = id, network, journal, state
        self.sizes, self.on_change = sizes, on_change
        self.fetched = {one: size for one, size in sizes.items() if id in state.replicas[one]}
        self._draw = network.simulator.random(f"{self.name} fetches")

    def started(self) -> None:
        """Register, unless it is registered since before the run, and begin to replicate."""
        if not self.state.alive[self.id]:
            self.state.alive[self.id] = True
            self.on_change(self.id)
            self.journal.tell(self.name, "BrokerReturns", b=self.id)
        self.after(self._draw.randint(1, 1000) * MILLISECOND, self._replicate)

    def crashed(self) -> None:
        """Be gone, and the registration with it."""
        self.state.alive[self.id] = False
        self.on_change(self.id)
        self.journal.tell(self.name, "BrokerFails", b=self.id)

    # -- as a replica ----------------------------------------------------------------------------------------------
    def _replicate(self) -> None:
        """Ask for the next part of everything that it has and is not in sync with."""
        self.after(self._draw.randint(200, 800) * MILLISECOND, self._replicate)
        for partition in self.state.partitions:
            leader = self.leader_of(partition)
            if self.id in self.state.replicas[partition] - self.state.isr[partition] and leader is not None:
                request = Fetch(self.id, partition, self.fetched.get(partition, 0))
                self.network.call(self, broker_name(leader), request, self._fetched, SECOND, lambda: None)

    def leader_of(self, partition: int) -> int | None:
        """Return who leads a partition: a member of the ISR that is alive."""
        return next((one for one in sorted(self.state.isr[partition]) if self.state.alive[one]), None)

    def _fetched(self, part: Fetch) -> None:
        self.fetched[part.partition] = max(self.fetched.get(part.partition, 0), part.position)

    # -- as a leader -----------------------------------------------------------------------------------------------
    def serve(self, source: str, request: Fetch, reply: Callable[[Any], None]) -> None:
        """Give a replica the next part, and take it into the ISR when it has everything."""
        broker, partition, position = request
        if self.leader_of(partition) != self.id:
            return
        reply(request._replace(position=min(position + 1, self.sizes[partition])))
        outside = broker in self.state.replicas[partition] - self.state.isr[partition]
        if outside and self.state.alive[broker] and position >= self.sizes[partition]:
            self._take_in(partition, broker)

    def _take_in(self, partition: int, broker: int) -> None:
        """Write the ISR with one more, who counts as caught up while a task moves the partition.

        Where there is no controller to count it the next one will, since it reads the ISRs.
        """
        state = self.state
        state.isr[partition] |= {broker}
        task = state.running_task
        if task is not None and partition in state.chunk[task]:
            state.caught[partition] |= {broker}
        self.on_change(None)
        self.journal.tell(self.name, "CatchUp", p=partition, b=broker)
