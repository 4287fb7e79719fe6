"""The kinds of faults: what each does to a cluster, and how it ends."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable, Sequence
from typing import NamedTuple

from fencepost.reference.kraft.broker.broker import Broker
from fencepost.reference.kraft.storage.uuids import random_directory_id
from fencepost.reference.simulator import MILLISECOND, Link, Process

from .cluster import Cluster
from .controller_node import ControllerNode

LASTS = "{lasts}"
"""Placeholder for the duration in the description of a fault."""


class Begun(NamedTuple):
    """A fault that has begun: to whom it happens, what (in it `LASTS` for how long it lasts), and how to end it."""

    who: str
    what: str
    end: Callable[[], None]


Begin = Callable[[Cluster, random.Random], Begun | None]


class FaultKind(NamedTuple):
    """A kind of fault: seconds between two of them, and how long one lasts, on average, before a run scales both.

    `begin` lets one happen, or returns None where there is nothing that it could happen to.
    """

    name: str
    every_s: float
    lasts_s: float
    begin: Begin


def _nothing() -> None:
    """End a fault that leaves nothing to undo."""


def _down(cluster: Cluster, process: Process, what: str, take_down: Callable[[], object]) -> Begun:
    """Take a process down, and keep it down for as long as the fault lasts."""
    cluster.hold(process)
    take_down()
    return Begun(process.name, f"{what}; down for {LASTS}", lambda: cluster.release(process))


# -- controllers -------------------------------------------------------------------------------------------------------
def _controller(cluster: Cluster, draw: random.Random) -> ControllerNode | None:
    """Choose a controller that is up, the active one half of the time."""
    active, up = cluster.active, [node for node in cluster.controllers.values() if node.alive]
    if active is not None and draw.random() < 0.5:
        return active
    return draw.choice(up) if up else None


def controller_crash(cluster: Cluster, draw: random.Random) -> Begun | None:
    """A controller is gone for a while."""
    node = _controller(cluster, draw)
    return None if node is None else _down(cluster, node, "crashes", node.crash)


def controller_restart(cluster: Cluster, draw: random.Random) -> Begun | None:
    """A controller crashes and is back at once."""
    node = _controller(cluster, draw)
    if node is None:
        return None
    node.crash()
    node.start()
    return Begun(node.name, "restarts at once", _nothing)


def controller_disk_loss(cluster: Cluster, draw: random.Random) -> Begun | None:
    """A controller comes back without its disk, at a time when the others have all that is committed.

    A voter without memory could vote twice, or help elect one that lacks what it had acknowledged. So it happens to no
    leader, to one voter at a time, and only while all others follow the leader's epoch and have everything up to its
    high watermark; where voters change, to none.
    """
    if cluster.config.quorum is not None:
        return None
    leader = next((n for n in cluster.controllers.values() if n.raft is not None and n.raft.is_leader), None)
    if leader is None or leader.raft is None or len(cluster.controllers) < 3:
        return None
    followers = [node for node in cluster.controllers.values() if node is not leader]
    for node in followers:
        raft = node.raft
        if raft is None or raft.epoch != leader.raft.epoch or raft.leader != leader.raft.id:
            return None
        if raft.log_end_offset() < leader.raft.high_watermark:
            return None
    node = draw.choice(followers)

    def lose() -> None:
        node.crash()
        node.disk.wipe()

    return _down(cluster, node, "loses its disk", lose)


def controller_busy(cluster: Cluster, draw: random.Random) -> Begun | None:
    """Every event of a controller takes long, so that requests wait in its queue past their deadlines."""
    node = _controller(cluster, draw)
    if node is None or node.controller is None:
        return None
    queue = node.controller.queue
    queue.processing_ns = int(5 * MILLISECOND * 100 ** draw.random())

    def end() -> None:
        queue.processing_ns = 0

    return Begun(node.name, f"needs {queue.processing_ns // MILLISECOND} ms for each event, for {LASTS}", end)


def controller_resign(cluster: Cluster, draw: random.Random) -> Begun | None:
    """The leader of the quorum resigns, its process staying up."""
    node = cluster.active
    if node is None or node.raft is None:
        return None
    node.raft.resign(node.raft.epoch)
    return Begun(node.name, "resigns as leader of the quorum", _nothing)


CONTROLLER_KINDS = (
    FaultKind("controller-crash", 60, 10, controller_crash),
    FaultKind("controller-restart", 60, 1, controller_restart),
    FaultKind("controller-disk-loss", 120, 10, controller_disk_loss),
    FaultKind("controller-busy", 90, 10, controller_busy),
    FaultKind("controller-resign", 90, 1, controller_resign),
)


# -- brokers -----------------------------------------------------------------------------------------------------------
def _broker(cluster: Cluster, draw: random.Random) -> Broker | None:
    up = [broker for broker in cluster.brokers.values() if broker.alive]
    return draw.choice(up) if up else None


def broker_kill(cluster: Cluster, draw: random.Random) -> Begun | None:
    """A broker's process is killed; what it wrote is still there when it is back."""
    broker = _broker(cluster, draw)
    return None if broker is None else _down(cluster, broker, "is killed", broker.kill)


def broker_power_loss(cluster: Cluster, draw: random.Random) -> Begun | None:
    """A broker's machine loses power, and with it some of what was not flushed."""
    broker = _broker(cluster, draw)
    return None if broker is None else _down(cluster, broker, "loses power", lambda: broker.lose_power(draw))


def broker_shutdown(cluster: Cluster, draw: random.Random) -> Begun | None:
    """A broker is asked to shut down, and started again later."""
    broker = _broker(cluster, draw)
    return None if broker is None else _down(cluster, broker, "is asked to shut down", broker.terminate)


def broker_disk_loss(cluster: Cluster, draw: random.Random) -> Begun | None:
    """A broker comes back with a fresh disk in the place of one."""
    broker = _broker(cluster, draw)
    if broker is None:
        return None
    index = draw.randrange(len(broker.disk.directories))
    old, new = broker.disk.directories[index].id, random_directory_id(draw)

    def lose() -> None:
        broker.lose_disk(old, new)
        if index == 0:
            # The metadata log is in the first directory.
            cluster.broker_metadata[broker.config.broker_id].wipe()

    return _down(cluster, broker, f"loses disk {old}, gets {new}", lose)


def directory_failure(cluster: Cluster, draw: random.Random) -> Begun | None:
    """A directory of a running broker fails; later the broker is asked to shut down, and comes up with it repaired."""
    broker = _broker(cluster, draw)
    if broker is None:
        return None
    online = broker.disk.online()
    if not online:
        return None
    directory = draw.choice(online).id
    broker.fail_directory(directory)
    return Begun(broker.name, f"directory {directory} fails; asked to shut down after {LASTS}", broker.terminate)


def cordon(cluster: Cluster, draw: random.Random) -> Begun | None:
    """Some directories of a broker are cordoned."""
    broker = _broker(cluster, draw)
    if broker is None:
        return None
    ids = [directory.id for directory in broker.disk.directories]
    chosen = draw.sample(ids, draw.randint(1, len(ids)))
    broker.cordon(chosen)
    return Begun(broker.name, f"cordons {', '.join(chosen)} for {LASTS}", lambda: broker.cordon(()))


BROKER_KINDS = (
    FaultKind("broker-kill", 60, 15, broker_kill),
    FaultKind("broker-power-loss", 90, 15, broker_power_loss),
    FaultKind("broker-shutdown", 60, 15, broker_shutdown),
    FaultKind("broker-disk-loss", 150, 15, broker_disk_loss),
    FaultKind("directory-failure", 120, 20, directory_failure),
    FaultKind("cordon", 120, 30, cordon),
)


# -- the network -------------------------------------------------------------------------------------------------------
def _part(names: Sequence[str], draw: random.Random) -> tuple[list[str], list[str]]:
    """Draw some names, at least one and not all, and return them and the others."""
    some = sorted(draw.sample(list(names), draw.randint(1, max(len(names) - 1, 1))))
    return some, [name for name in names if name not in some]


def _cut(cluster: Cluster, draw: random.Random, some: Sequence[str], others: Sequence[str]) -> Begun:
    both_ways = draw.random() < 0.7
    cut = cluster.faults.cut(some, others, both_ways=both_ways)
    one, other = ", ".join(some), ", ".join(name for name in others if name not in some)
    way = f"between {one} and {other}" if both_ways else f"from {one} to {other}, but the other way it does"
    what = f"carries nothing {way}, for {LASTS}"
    return Begun("network", what, lambda: cluster.faults.heal(cut))


def partition(cluster: Cluster, draw: random.Random) -> Begun | None:
    """The network falls into two parts, or lets nothing pass from one to the other."""
    return _cut(cluster, draw, *_part(cluster.network.names(), draw))


def isolate(cluster: Cluster, draw: random.Random) -> Begun | None:
    """One process cannot reach some others: all, the controllers, or the brokers."""
    names = cluster.network.names()
    one = draw.choice(names)
    controllers = [node.name for node in cluster.controllers.values()]
    brokers = [broker.name for broker in cluster.brokers.values()]
    return _cut(cluster, draw, [one], draw.choice([names, controllers, brokers]))


def _links(cluster: Cluster, draw: random.Random, what: str, link: Link) -> Begun:
    names = cluster.network.names()
    some = _part(names, draw)[0] if draw.random() < 0.7 else names
    change = cluster.faults.change(some, names, link)
    who = "all links" if some is names else f"the links of {', '.join(some)}"
    return Begun("network", f"{who} {what}, for {LASTS}", lambda: cluster.faults.restore(change))


def slow(cluster: Cluster, draw: random.Random) -> Begun | None:
    """Some links are slow."""
    most = int(10 * MILLISECOND * 100 ** draw.random())
    link = dataclasses.replace(cluster.faults.usual, min_delay_ns=most // 10, max_delay_ns=most)
    return _links(cluster, draw, f"delay by up to {most // MILLISECOND} ms", link)


def loss(cluster: Cluster, draw: random.Random) -> Begun | None:
    """Some links lose messages."""
    share = 0.002 * 100 ** draw.random()
    return _links(cluster, draw, f"lose {share:.1%}", dataclasses.replace(cluster.faults.usual, loss=share))


def duplication(cluster: Cluster, draw: random.Random) -> Begun | None:
    """Some links deliver messages twice."""
    share = 0.01 * 50 ** draw.random()
    link = dataclasses.replace(cluster.faults.usual, duplication=share)
    return _links(cluster, draw, f"deliver {share:.1%} twice", link)


def reorder(cluster: Cluster, draw: random.Random) -> Begun | None:
    """Some links let messages overtake each other."""
    share = 0.01 * 50 ** draw.random()
    link = dataclasses.replace(cluster.faults.usual, reorder=share, reorder_delay_ns=100 * MILLISECOND)
    return _links(cluster, draw, f"let {share:.1%} come late", link)


NETWORK_KINDS = (
    FaultKind("partition", 60, 10, partition),
    FaultKind("isolate", 60, 10, isolate),
    FaultKind("slow", 60, 15, slow),
    FaultKind("loss", 90, 15, loss),
    FaultKind("duplication", 60, 20, duplication),
    FaultKind("reorder", 60, 20, reorder),
)
