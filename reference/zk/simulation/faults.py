"""Faults of a run: processes die, stand still, or lose ZooKeeper; disks and the network fail.

As in swarm testing (Groce et al., 2012) a run has a random part of all kinds, at random rates.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from fencepost.reference.simulator import SECOND, Link
from fencepost.reference.zk.broker import Broker
from fencepost.reference.zk.zookeeper.client import NAME as ZOOKEEPER

from .cluster import Cluster, name_of
from .workload import Administrator

End = Callable[[], None]


class Place(NamedTuple):
    """Where faults happen."""

    cluster: Cluster
    administrator: Administrator
    draw: random.Random


class FaultKind(NamedTuple):
    """A kind of fault: seconds between two of them and how long one lasts, on average, before a run scales both.

    `begin` lets one happen and returns how it ends, or None where there is nothing that it could happen to.
    """

    name: str
    every_s: float
    lasts_s: float
    begin: Callable[[Place], End | None]


def _any(place: Place) -> Broker | None:
    up = [one for one in place.cluster.brokers.values() if one.alive]
    return place.draw.choice(up) if up else None


def _controller(place: Place) -> Broker | None:
    return place.cluster.controller if place.draw.random() < 0.8 else _any(place)


def _down(place: Place, broker: Broker | None, how: Callable[[Broker], None]) -> End | None:
    if broker is None:
        return None
    place.cluster.hold(broker.id)
    how(broker)
    return lambda: place.cluster.release(broker.id)


def broker_kill(place: Place) -> End | None:
    """A broker dies, and is down for a while."""
    return _down(place, _any(place), lambda broker: broker.kill())


def controller_kill(place: Place) -> End | None:
    """The controller's broker dies, and is down for a while."""
    return _down(place, place.cluster.controller, lambda broker: broker.kill())


def controller_kill_soon(place: Place) -> End | None:
    """The controller's broker dies right after one of its next steps."""
    broker = place.cluster.controller
    if broker is None:
        return None
    place.cluster.hold(broker.id)
    broker.thread.after_steps(place.draw.randint(1, 40), broker.kill)

    def end() -> None:
        broker.thread.after_steps(0, None)
        place.cluster.release(broker.id)

    return end


def broker_shutdown(place: Place) -> End | None:
    """A broker is asked to shut down, and started again later."""
    return _down(place, _any(place), lambda broker: broker.terminate())


def broker_bounce(place: Place) -> End | None:
    """A broker closes its session and is back before the controller has looked."""
    broker = _any(place)
    if broker is None:
        return None
    broker.stop()
    broker.start()
    return _nothing


def pause(place: Place) -> End | None:
    """A process is paused, long enough for its session to expire or not quite."""
    broker = _controller(place)
    if broker is None:
        return None
    broker.pause(int((0.5 + 6 * place.draw.random()) * SECOND))
    return _nothing


def expiry(place: Place) -> End | None:
    """A session is over though its process did nothing wrong, and does not know."""
    broker = _controller(place)
    if broker is None:
        return None
    place.cluster.server.expire(broker.client.session)
    return _nothing


def zookeeper_cut(place: Place) -> End | None:
    """A broker cannot reach ZooKeeper, but the other brokers."""
    broker = _controller(place)
    if broker is None:
        return None
    faults = place.cluster.network.faults
    cut = faults.cut([broker.name], [ZOOKEEPER])
    return lambda: faults.heal(cut)


def brokers_cut(place: Place) -> End | None:
    """Brokers cannot reach some others, but ZooKeeper; in one direction only now and then."""
    names = [name_of(one) for one in place.cluster.brokers]
    some = place.draw.sample(names, place.draw.randint(1, len(names) // 2))
    faults = place.cluster.network.faults
    cut = faults.cut(some, [one for one in names if one not in some], both_ways=place.draw.random() < 0.6)
    return lambda: faults.heal(cut)


def lossy(place: Place) -> End | None:
    """Messages between brokers get lost, come twice, or overtake each other."""
    names = [name_of(one) for one in place.cluster.brokers]
    draw, faults = place.draw, place.cluster.network.faults
    link = Link(
        max_delay_ns=SECOND // 5, loss=0.3 * draw.random(), duplication=0.1 * draw.random(),
        reorder=0.3 * draw.random(), reorder_delay_ns=SECOND,
    )  # fmt: skip
    change = faults.change(names, names, link)
    return lambda: faults.restore(change)


def lost_answers(place: Place) -> End | None:
    """Much of what the controller's broker sends gets lost, its answers to leaders too; what is sent to it arrives."""
    broker = place.cluster.controller
    if broker is None:
        return None
    names = [name_of(one) for one in place.cluster.brokers]
    faults = place.cluster.network.faults
    change = faults.change([broker.name], names, Link(loss=0.3 + 0.5 * place.draw.random()), both_ways=False)
    return lambda: faults.restore(change)


def controller_moved(place: Place) -> End | None:
    """An operator removes /controller: another one is elected while the old one lives on, its session in order.

    Often that happens in the middle of an event of the old one, which is then paused for a while and continues.
    """
    administrator, broker = place.administrator, place.cluster.controller
    if broker is None or place.draw.random() < 0.3:
        administrator.delete_controller()
        return _nothing
    pause_ns = int((0.1 + 1.4 * place.draw.random()) * SECOND)

    def move() -> None:
        administrator.delete_controller()
        broker.pause(pause_ns)

    broker.thread.after_steps(place.draw.randint(1, 30), move)
    return lambda: broker.thread.after_steps(0, None)


def directory_failure(place: Place) -> End | None:
    """A log directory fails; later the broker is restarted with it repaired."""
    broker = _any(place)
    if broker is None or broker.replicas is None or not broker.replicas.hosted:
        return None
    hosted = sorted(broker.replicas.hosted)
    broker.fail_directory(set(place.draw.sample(hosted, place.draw.randint(1, len(hosted)))))

    def end() -> None:
        broker.stop()
        broker.start()

    return end


def _nothing() -> None:
    """End what leaves nothing to undo."""


KINDS = (
    FaultKind("broker-kill", 25, 6, broker_kill),
    FaultKind("controller-kill", 30, 6, controller_kill),
    FaultKind("controller-kill-soon", 20, 6, controller_kill_soon),
    FaultKind("broker-shutdown", 25, 6, broker_shutdown),
    FaultKind("broker-bounce", 25, 1, broker_bounce),
    FaultKind("pause", 20, 1, pause),
    FaultKind("expiry", 20, 1, expiry),
    FaultKind("zookeeper-cut", 30, 4, zookeeper_cut),
    FaultKind("brokers-cut", 30, 5, brokers_cut),
    FaultKind("lossy", 30, 8, lossy),
    FaultKind("lost-answers", 25, 8, lost_answers),
    FaultKind("controller-moved", 25, 5, controller_moved),
    FaultKind("directory-failure", 40, 8, directory_failure),
)
"""All kinds of faults."""

SWARM = "swarm"
SHARE = 0.5


@dataclass(frozen=True, slots=True)
class FaultPlan:
    """A kind of fault in a run: seconds from one to the next and how long one lasts, on average."""

    kind: FaultKind
    every_s: float
    lasts_s: float


def parse_faults(text: str) -> tuple[str, ...] | None:
    """Return the kinds that are named, None for a swarm; raises ValueError, with a sentence, for a name that is none.

    >>> parse_faults("pause,expiry")
    ('pause', 'expiry')
    """
    if text == SWARM:
        return None
    names = [one.strip() for one in text.split(",")] if text != "none" else []
    known = [kind.name for kind in KINDS]
    for name in names:
        if name not in known and name != "all":
            raise ValueError(f"--faults {name}: there is {SWARM}, all, none, and {', '.join(known)}")
    return tuple(one for one in known if one in names or "all" in names)


def draw_plans(draw: random.Random, chosen: Sequence[str] | None) -> tuple[FaultPlan, ...]:
    """Draw how often the chosen kinds happen and how long they last; without a choice draw the kinds too."""
    return tuple(
        FaultPlan(kind, kind.every_s * 3 ** draw.uniform(-1, 1), kind.lasts_s * 3 ** draw.uniform(-1, 1))
        for kind in KINDS
        if (draw.random() < SHARE if chosen is None else kind.name in chosen)
    )


class FaultInjector:
    """Lets faults happen until it is stopped, and then ends them all."""

    def __init__(self, place: Place, plans: Sequence[FaultPlan]) -> None:
        self.place, self.plans = place, plans
        self.happened: Counter[str] = Counter()
        self.stopped = False
        self._ends: list[End] = []

    def start(self) -> None:
        """Begin."""
        for plan in self.plans:
            self._later(plan)

    def _later(self, plan: FaultPlan) -> None:
        delay = self.place.draw.expovariate(1 / plan.every_s)
        self.place.cluster.simulator.after(int(delay * SECOND), lambda: self._happen(plan))

    def _happen(self, plan: FaultPlan) -> None:
        if self.stopped:
            return
        end = plan.kind.begin(self.place)
        if end is not None:
            self.happened[plan.kind.name] += 1
            self._ends.append(end)
            lasts = self.place.draw.expovariate(1 / plan.lasts_s)
            self.place.cluster.simulator.after(int(lasts * SECOND), lambda: self._end(end))
        self._later(plan)

    def _end(self, end: End) -> None:
        if end in self._ends:
            self._ends.remove(end)
            end()

    def stop(self) -> None:
        """Let nothing more happen, and end what goes on."""
        self.stopped = True
        ends, self._ends = self._ends, []
        for end in ends:
            end()
        self.place.cluster.network.faults.heal_all()
