"""Faults of a run: processes die, also between two steps, controllers resign, commits and the network fail."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from fencepost.reference.simulator import MILLISECOND, SECOND, Fault, Link
from fencepost.reference.simulator.failures import crash, crash_soon
from fencepost.reference.simulator.swarm import End, nothing

from .broker import Broker, Twin

if TYPE_CHECKING:
    from .simulation import Cluster


def _any(cluster: Cluster) -> Broker | None:
    up = [one for one in cluster.brokers.values() if one.alive]
    return cluster.simulator.random("fault details").choice(up) if up else None


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
    return nothing


def broker_kill_soon(cluster: Cluster) -> End | None:
    """A broker dies right after one of its next steps."""
    broker = _any(cluster)
    if broker is None:
        return None
    cluster.journal.after_steps(broker.name, cluster.simulator.random("fault details").randint(1, 8), broker.crash)
    return lambda: cluster.journal.forget(broker.name)


def broker_misconfigured(cluster: Cluster) -> End | None:
    """A broker is started with software that the cluster does not take, or for another cluster; then as it was."""
    broker = _any(cluster)
    if broker is None:
        return None
    broker.crash()
    broker.misconfigured = cluster.simulator.random("fault details").choice(("features", "cluster"))
    broker.start()
    return nothing


def controller_kill(cluster: Cluster) -> End | None:
    """The active controller dies, and is down for a while."""
    return crash(cluster.quorum.active)


def controller_kill_soon(cluster: Cluster) -> End | None:
    """The active controller dies right after one of its next steps."""
    return crash_soon(cluster.quorum.active, cluster.journal, cluster.simulator.random("fault details"), 20)


def controller_resign(cluster: Cluster) -> End | None:
    """The active controller loses its leadership of the quorum, and nothing else."""
    cluster.quorum.lose()
    return nothing


def slow_commit(cluster: Cluster) -> End:
    """The quorum takes long to commit."""
    cluster.quorum.stalled = True

    def end() -> None:
        cluster.quorum.stalled = False

    return end


def tail_lost(cluster: Cluster) -> End:
    """The quorum takes long to commit, until a node that lacks what is not committed becomes active."""
    end_of_slowness = slow_commit(cluster)

    def end() -> None:
        end_of_slowness()
        cluster.quorum.loses_tail = True
        cluster.quorum.lose()

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
    there, back = ends if cluster.simulator.random("fault details").random() < 0.5 else ends[::-1]
    faults = cluster.network.faults
    made = faults.cut(there, back, both_ways=False)
    return lambda: faults.heal(made)


def bad_links(cluster: Cluster) -> End | None:
    """All links are slow, lose messages, bring some twice and some late."""
    draw = cluster.simulator.random("fault details")
    link = Link(
        max_delay_ns=draw.randint(1, 400) * MILLISECOND, loss=0.3 * draw.random(), duplication=0.2 * draw.random(),
        reorder=0.4 * draw.random(), reorder_delay_ns=int(0.1 * 150 ** draw.random() * SECOND),
    )  # fmt: skip
    faults, names = cluster.network.faults, cluster.network.names()
    change = faults.change(names, names, link)
    return lambda: faults.restore(change)


def held_up(cluster: Cluster) -> End | None:
    """Some of what a broker sends is held up, and arrives when its process may be another one already."""
    broker = _any(cluster)
    if broker is None:
        return None
    faults = cluster.network.faults
    link = Link(reorder=0.4, reorder_delay_ns=16 * SECOND)
    change = faults.change([broker.name], _controllers(cluster), link, both_ways=False)
    return lambda: faults.restore(change)


def twin(cluster: Cluster) -> End | None:
    """Another process is started under a broker's id, and takes it if nothing is heard of the broker for long."""
    broker = cluster.simulator.random("fault details").choice(list(cluster.brokers.values()))
    process = Twin(broker, len(cluster.network.processes))
    cluster.network.attach(process)
    process.start()
    return process.crash


Kind = tuple[str, float, float, Callable[["Cluster"], End | None]]

KINDS: tuple[Kind, ...] = (
    ("broker-kill", 14, 4, broker_kill),
    ("broker-bounce", 14, 1, broker_bounce),
    ("broker-kill-soon", 12, 4, broker_kill_soon),
    ("broker-misconfigured", 40, 1, broker_misconfigured),
    ("controller-kill", 25, 5, controller_kill),
    ("controller-kill-soon", 20, 5, controller_kill_soon),
    ("controller-resign", 25, 1, controller_resign),
    ("slow-commit", 30, 5, slow_commit),
    ("cut", 15, 4, cut),
    ("half-cut", 15, 4, half_cut),
    ("bad-links", 25, 8, bad_links),
    ("held-up", 12, 5, held_up),
    ("twin", 20, 8, twin),
)
"""All kinds of faults: the name, how many seconds are between two, how many one lasts, and how it begins."""

LOSING: tuple[Kind, ...] = (*KINDS, ("tail-lost", 12, 2, tail_lost))
"""Faults of a design whose failovers may lose uncommitted records."""


def faults_of(cluster: Cluster, kinds: Sequence[Kind]) -> list[Fault]:
    """Return the faults of these kinds that may happen to a cluster."""
    return [Fault(name, every_s, lasts_s, partial(begin, cluster)) for name, every_s, lasts_s, begin in kinds]
