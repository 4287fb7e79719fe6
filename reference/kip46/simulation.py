"""A run of the design: one seed is one run, to the byte."""

from __future__ import annotations

from fencepost.reference.simulator.runs import Runs
from fencepost.traces.design_steps import Header

from .cluster import Cluster
from .faults import NAMES, FaultKinds
from .injected import BUGS

DESIGN = "kip46"


def header(seed: int) -> Header:
    """Return the header of a seed's trace: its settings in milliseconds, and every cell as it is at first."""
    cluster = Cluster(seed)
    settings = cluster.settings._asdict()
    keys = {"brokers": list(cluster.brokers), "partitions": cluster.state.partitions}
    return Header(design=DESIGN, settings={**settings, **keys, "initial": cluster.journal.cells.initial()})


def begin(cluster: Cluster) -> None:
    """Start everything, and the operator's work."""
    cluster.start()
    cluster.work()


def settle(cluster: Cluster, seconds: float) -> None:
    """Let the last seconds pass without the operator, and start every process again."""
    cluster.operator.crash()
    for _ in range(2):
        # A bounce may be under way: start what it has left down.
        for process in (*cluster.controllers, *cluster.brokers.values()):
            process.start()
        cluster.run(seconds / 2)


RUNS = Runs(Cluster, lambda cluster: FaultKinds(cluster).kinds(), NAMES, BUGS, begin, settle)

run, simulate = RUNS.run, RUNS.simulate
