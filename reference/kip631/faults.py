"""What goes wrong in a run: processes die, also between two steps, controllers resign, commits and the network fail.

As in swarm testing (Groce et al., 2012) a run has a random part of all kinds, at random rates.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from fencepost.reference.simulator import MILLISECOND, SECOND, Link

from .broker import Broker

if TYPE_CHECKING:
    from .simulation import Cluster

End = Callable[[], None]


class FaultKind(NamedTuple):
    """A kind of fault: seconds between two of them and how long one lasts, on average, before a run scales both.

    `begin` lets one happen and returns how it ends, or None where there is nothing that it could happen to.
    """

    name: str
    every_s: float
    lasts_s: float
    begin: Callable[[Cluster], End | None]


def _nothing() -> None:
    pass


def _any(cluster: Cluster) -> Broker | None:
    up = [one for one in cluster.brokers.values() if one.alive]
    return cluster.simulator.random("faults").choice(up) if up else None


def broker_kill(cluster: Cluster) -> End | None:
    """A broker dies, and is down for a while."""
    broker = _any(cluster)
    if broker is None:
        return None
    cluster.hold(broker.id)
    broker.crash()
    return lambda: cluster.release(broker.id)


def broker_bounce(cluster: Cluster) -> End | None:
    """A broker dies and is back at once, as another process."""
    broker = _any(cluster)
    if broker is None:
        return None
    broker.crash()
    broker.start()
    return _nothing


def broker_kill_soon(cluster: Cluster) -> End | None:
    """A broker dies right after one of its next steps."""
    broker = _any(cluster)
    if broker is None:
        return None
    cluster.after_steps(broker.name, cluster.simulator.random("faults").randint(1, 8), broker.crash)
    return lambda: cluster.forget_countdown(broker.name)


def broker_misconfigured(cluster: Cluster) -> End | None:
    """A broker is started with software that the cluster does not take, or for another cluster; then as it was."""
    broker = _any(cluster)
    if broker is None:
        return None
    broker.crash()
    broker.misconfigured = cluster.simulator.random("faults").choice(("features", "cluster"))
    broker.start()
    return _nothing


def controller_kill(cluster: Cluster) -> End | None:
    """The active controller dies, and is down for a while."""
    node = cluster.quorum.active
    if node is None:
        return None
    node.crash()
    return node.start


def controller_kill_soon(cluster: Cluster) -> End | None:
    """The active controller dies right after one of its next steps."""
    node = cluster.quorum.active
    if node is None:
        return None
    cluster.after_steps(node.name, cluster.simulator.random("faults").randint(1, 20), node.crash)

    def end() -> None:
        cluster.forget_countdown(node.name)
        node.start()

    return end


def controller_resign(cluster: Cluster) -> End | None:
    """The active controller loses its leadership of the quorum, and nothing else."""
    cluster.quorum.lose()
    return _nothing


def slow_commit(cluster: Cluster) -> End | None:
    """The quorum takes long to commit."""
    cluster.quorum.stalled = True

    def end() -> None:
        cluster.quorum.stalled = False

    return end


def _controllers(cluster: Cluster) -> list[str]:
    return [node.name for node in cluster.quorum.nodes]


def cut(cluster: Cluster) -> End | None:
    """A broker and the controllers do not hear each other."""
    broker = _any(cluster)
    if broker is None:
        return None
    faults = cluster.network.faults
    made = faults.cut([broker.name], _controllers(cluster))
    return lambda: faults.heal(made)


def half_cut(cluster: Cluster) -> End | None:
    """A broker and the controllers are cut in one direction."""
    broker = _any(cluster)
    if broker is None:
        return None
    ends = ([broker.name], _controllers(cluster))
    there, back = ends if cluster.simulator.random("faults").random() < 0.5 else ends[::-1]
    faults = cluster.network.faults
    made = faults.cut(there, back, both_ways=False)
    return lambda: faults.heal(made)


def bad_links(cluster: Cluster) -> End | None:
    """All links are slow, lose messages, bring some twice and some late."""
    draw = cluster.simulator.random("faults")
    link = Link(
        max_delay_ns=draw.randint(1, 400) * MILLISECOND, loss=0.3 * draw.random(), duplication=0.2 * draw.random(),
        reorder=0.4 * draw.random(), reorder_delay_ns=int(0.1 * 150 ** draw.random() * SECOND),
    )  # fmt: skip
    faults, names = cluster.network.faults, cluster.network.names()
    change = faults.change(names, names, link)
    return lambda: faults.restore(change)


KINDS = (
    FaultKind("broker-kill", 14, 4, broker_kill),
    FaultKind("broker-bounce", 14, 0, broker_bounce),
    FaultKind("broker-kill-soon", 12, 4, broker_kill_soon),
    FaultKind("broker-misconfigured", 40, 0, broker_misconfigured),
    FaultKind("controller-kill", 25, 5, controller_kill),
    FaultKind("controller-kill-soon", 20, 5, controller_kill_soon),
    FaultKind("controller-resign", 25, 0, controller_resign),
    FaultKind("slow-commit", 30, 5, slow_commit),
    FaultKind("cut", 15, 4, cut),
    FaultKind("half-cut", 15, 4, half_cut),
    FaultKind("bad-links", 25, 8, bad_links),
)
"""All kinds of faults."""


def parse_faults(text: str) -> tuple[str, ...] | None:
    """Return the kinds that a text names, None for a random part of them; raises ValueError for one that is none."""
    names = [kind.name for kind in KINDS]
    if text in ("swarm", "all", "none"):
        return {"swarm": None, "all": tuple(names), "none": ()}[text]
    chosen = [one.strip() for one in text.split(",")]
    for one in chosen:
        if one not in names:
            raise ValueError(f"--faults {one}: there is swarm, all, none, {', '.join(names)}")
    return tuple(one for one in names if one in chosen)


class FaultInjector:
    """Lets faults happen while `working`, each kind at its own rate; those that have begun end by themselves."""

    def __init__(self, cluster: Cluster, chosen: tuple[str, ...] | None) -> None:
        self.cluster = cluster
        self.working = False
        self._draw = cluster.simulator.random("fault times")
        mix = cluster.simulator.random("fault mix")
        share = mix.choice((0.2, 0.5, 0.8))
        for kind in KINDS:
            drawn, rate, length = mix.random() < share, 3 ** mix.uniform(-1, 1), 3 ** mix.uniform(-1, 1)
            if drawn if chosen is None else kind.name in chosen:
                self._later(kind, rate * kind.every_s, length * kind.lasts_s)

    def _later(self, kind: FaultKind, every_s: float, lasts_s: float) -> None:
        def happen() -> None:
            if self.working:
                end = kind.begin(self.cluster)
                if end is not None:
                    self.cluster.simulator.after(int(lasts_s * self._draw.uniform(0.2, 2) * SECOND), end)
            self._later(kind, every_s, lasts_s)

        self.cluster.simulator.after(int(every_s * self._draw.uniform(0.2, 1.8) * SECOND), happen)
