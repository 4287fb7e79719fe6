"""Faults of a run: processes die, sessions expire, and brokers are cut off from the nodes that they need."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from fencepost.reference.simulator import MILLISECOND, SECOND, Fault, Faults, Link
from fencepost.reference.simulator.failures import crash, crash_soon, resign
from fencepost.reference.simulator.swarm import End, nothing

from .broker import Broker
from .cluster import Cluster

NAMES = (
    "broker-crash",
    "broker-crash-soon",
    "broker-shutdown",
    "controller-crash",
    "controller-crash-soon",
    "controller-resigns",
    "expiry",
    "same-id",
    "zookeeper-cut",
    "controller-cut",
    "brokers-cut",
    "lossy",
    "lagging",
    "strange-requests",
)
"""All kinds of faults."""

SOON = 12
"""How many steps a process that dies soon has left, at most."""


class FaultKinds:
    """The kinds of faults of a cluster."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self.draw: random.Random = cluster.simulator.random("fault places")
        self.faults: Faults = cluster.network.faults

    def kinds(self) -> Sequence[Fault]:
        """Return all kinds, with how often they happen and how long they last."""
        every_and_lasting: dict[str, tuple[float, float, Callable[[], End | None]]] = {
            "broker-crash": (15, 5, lambda: crash(self._broker(), self.cluster.start_broker)),
            "broker-crash-soon": (15, 5, self.broker_crash_soon),
            "broker-shutdown": (15, 5, self.broker_shutdown),
            "controller-crash": (30, 5, lambda: crash(self.cluster.controller)),
            "controller-crash-soon": (20, 5, self.controller_crash_soon),
            "controller-resigns": (25, 5, lambda: resign(self.cluster.controller)),
            "expiry": (15, 1, self.expiry),
            "same-id": (20, 6, self.same_id),
            "zookeeper-cut": (18, 8, self.zookeeper_cut),
            "controller-cut": (10, 8, self.controller_cut),
            "brokers-cut": (15, 5, self.brokers_cut),
            "lossy": (15, 8, self.lossy),
            "lagging": (8, 4, self.lagging),
            "strange-requests": (8, 1, self.strange_request),
        }
        return [Fault(name, *every_and_lasting[name]) for name in NAMES]

    # -- where ----------------------------------------------------------------------------------------------------
    def _broker(self) -> Broker | None:
        up = [one for one in self.cluster.brokers.values() if one.alive]
        return self.draw.choice(up) if up else None

    def _controllers(self) -> list[str]:
        return [one.name for one in self.cluster.controllers]

    # -- processes ------------------------------------------------------------------------------------------------
    def broker_crash_soon(self) -> End | None:
        """A broker dies right after one of its next steps."""
        return crash_soon(self._broker(), self.cluster.journal, self.draw, SOON, self.cluster.start_broker)

    def controller_crash_soon(self) -> End | None:
        """The controller's node dies right after one of its next steps."""
        return crash_soon(self.cluster.controller, self.cluster.journal, self.draw, SOON)

    def broker_shutdown(self) -> End | None:
        """A broker is asked to shut down, changes its mind now and then, and starts again later."""
        broker = self._broker()
        if broker is None:
            return None
        broker.shut_down()
        if self.draw.random() < 0.3:
            broker.after(int(2 * self.draw.random() * SECOND), broker.stay)
        return lambda: self.cluster.start_broker(broker)

    # -- ZooKeeper ------------------------------------------------------------------------------------------------
    def expiry(self) -> End | None:
        """A broker's session expires, though it did nothing wrong; it registers again."""
        broker = self._broker()
        if broker is None:
            return None
        self.cluster.zookeeper.expire(broker.id, self.cluster.state.registered[broker.id])
        broker.after(int(3 * self.draw.random() * SECOND), broker.reregister)
        return nothing

    def same_id(self) -> End | None:
        """A broker's session expires, and before it is back another process registers with its id."""
        broker = self._broker()
        if broker is None or not self.cluster.state.running[broker.id] or broker.legacy:
            return None
        self.cluster.zookeeper.expire(broker.id, self.cluster.state.registered[broker.id])
        other = self.cluster.others[broker.id]
        other.start()

        def end() -> None:
            other.crash()
            broker.after(int(self.draw.random() * SECOND), broker.reregister)

        return end

    def zookeeper_cut(self) -> End | None:
        """A broker cannot reach ZooKeeper, and its session expires unless that is over soon."""
        broker = self._broker()
        if broker is None or broker.cut_from_zookeeper:
            return None
        broker.cut_from_zookeeper = True
        incarnation, zookeeper = self.cluster.state.registered[broker.id], self.cluster.zookeeper
        timeout_ns = self.cluster.settings.session_timeout * MILLISECOND
        expiry = self.cluster.simulator.after(timeout_ns, lambda: zookeeper.expire(broker.id, incarnation))

        def end() -> None:
            broker.cut_from_zookeeper = False
            # Of a process that died meanwhile the session ends all the same.
            if broker.alive:
                if self.cluster.state.own_incarnation[broker.id] == incarnation:
                    expiry.cancel()
                broker.after(int(self.draw.random() * SECOND), broker.reregister)

        return end

    # -- network --------------------------------------------------------------------------------------------------
    def controller_cut(self) -> End | None:
        """A broker cannot reach the controller, but ZooKeeper and the others; in one direction only now and then."""
        broker = self._broker()
        if broker is None:
            return None
        pairs = [[broker.name], self._controllers()]
        if self.draw.random() < 0.5:
            pairs.reverse()
        cut = self.faults.cut(*pairs, both_ways=self.draw.random() < 0.6)
        return lambda: self.faults.heal(cut)

    def brokers_cut(self) -> End | None:
        """A broker cannot reach the other brokers, which fall behind where it leads."""
        broker = self._broker()
        if broker is None:
            return None
        cut = self.faults.cut([broker.name], [one.name for one in self.cluster.brokers.values()])
        return lambda: self.faults.heal(cut)

    def lossy(self) -> End | None:
        """Messages get lost, come twice, or overtake each other, some by seconds."""
        names = [*self._controllers(), *(one.name for one in self.cluster.brokers.values())]
        draw = self.draw.random
        link = Link(
            max_delay_ns=int(draw() * SECOND), loss=0.4 * draw(), duplication=0.2 * draw(), reorder=0.4 * draw(),
            reorder_delay_ns=int(4 * draw() * SECOND),
        )  # fmt: skip
        change = self.faults.change(names, names, link)
        return lambda: self.faults.restore(change)

    def lagging(self) -> End | None:
        """A broker cannot keep up with the leaders that it follows."""
        broker = self._broker()
        if broker is None or broker.id in self.cluster.lagging:
            return None
        self.cluster.lagging.add(broker.id)
        return lambda: self.cluster.lagging.discard(broker.id)

    # -- requests -------------------------------------------------------------------------------------------------
    def strange_request(self) -> End | None:
        """A request comes that no sound broker sends: a negative id, an empty ISR, or from no leader."""
        self.cluster.send_strange_request(self.draw)
        return nothing
