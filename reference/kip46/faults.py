"""Faults of a run: brokers die or bounce, controllers are replaced, the network fails."""

from __future__ import annotations

from fencepost.reference.simulator import MILLISECOND, SECOND, Fault, Link
from fencepost.reference.simulator.failures import crash, crash_soon, resign
from fencepost.reference.simulator.swarm import End, nothing

from .broker import Broker
from .cluster import Cluster

NAMES = (
    "broker-crash",
    "broker-bounce",
    "rack-crash",
    "controller-crash",
    "controller-crash-soon",
    "controller-resigns",
    "crash-without-controller",
    "brokers-cut",
    "lossy",
)
"""All kinds of faults."""


class FaultKinds:
    """The kinds of faults of a cluster."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self.draw = cluster.simulator.random("fault places")
        self.faults = cluster.network.faults

    def kinds(self) -> list[Fault]:
        """Return all kinds, with how often they happen and how long they last."""
        every_and_lasting = {
            "broker-crash": (8, 15, lambda: crash(self._broker())),
            "broker-bounce": (10, 1, self.broker_bounce),
            "rack-crash": (30, 15, self.rack_crash),
            "controller-crash": (25, 8, lambda: crash(self.cluster.controller)),
            "controller-crash-soon": (8, 3, self.controller_crash_soon),
            "controller-resigns": (15, 1, lambda: resign(self.cluster.controller)),
            "crash-without-controller": (30, 12, self.crash_without_controller),
            "brokers-cut": (15, 8, self.brokers_cut),
            "lossy": (15, 10, self.lossy),
        }
        return [Fault(name, *every_and_lasting[name]) for name in NAMES]

    # -- processes -------------------------------------------------------------------------------------------------
    def _broker(self) -> Broker | None:
        up = [one for one in self.cluster.brokers.values() if one.alive]
        return self.draw.choice(up) if up else None

    def broker_bounce(self) -> End | None:
        """A broker dies and is back at once, seen by the controller or not, once or twice."""
        broker = self._broker()
        if broker is None:
            return None
        for at in range(self.draw.randint(1, 2)):
            broker.simulator.after(at * SECOND, broker.crash)
            broker.simulator.after(at * SECOND + self.draw.randint(1, 900) * MILLISECOND, broker.start)
        return nothing

    def rack_crash(self) -> End | None:
        """Two brokers die in the same moment."""
        up = [one for one in self.cluster.brokers.values() if one.alive]
        some = self.draw.sample(up, min(2, len(up)))
        for broker in some:
            broker.crash()

        def end() -> None:
            for broker in some:
                broker.start()

        return end

    def controller_crash_soon(self) -> End | None:
        """The controller's node dies right after one of its next steps."""
        return crash_soon(self.cluster.controller, self.cluster.journal, self.draw, 12)

    def crash_without_controller(self) -> End | None:
        """A broker dies together with the controller: no process gets the callback."""
        controller, broker = self.cluster.controller, self._broker()
        if controller is None or broker is None:
            return None
        controller.crash()
        broker.crash()

        def end() -> None:
            controller.start()
            broker.start()

        return end

    # -- network ---------------------------------------------------------------------------------------------------
    def brokers_cut(self) -> End | None:
        """A broker cannot reach the other brokers, in one direction or in both; it stays registered."""
        broker = self._broker()
        if broker is None:
            return None
        names = [one.name for one in self.cluster.brokers.values()]
        cut = self.faults.cut([broker.name], names, both_ways=self.draw.random() < 0.6)
        return lambda: self.faults.heal(cut)

    def lossy(self) -> End | None:
        """Messages between brokers get lost, come twice, or overtake each other."""
        names, draw = [one.name for one in self.cluster.brokers.values()], self.draw.random
        link = Link(
            max_delay_ns=int(draw() * SECOND), loss=0.5 * draw(), duplication=0.2 * draw(), reorder=0.4 * draw(),
            reorder_delay_ns=int(2 * draw() * SECOND),
        )  # fmt: skip
        change = self.faults.change(names, names, link)
        return lambda: self.faults.restore(change)
