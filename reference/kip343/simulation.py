"""A run of the design: one seed is one run, to the byte."""

from __future__ import annotations

from fencepost.reference.simulator.runs import Runs
from fencepost.traces.design_steps import Header

from .cluster import Cluster
from .faults import NAMES, FaultKinds
from .injected import BUGS

DESIGN = "kip343"


def header(seed: int) -> Header:
    """Return the header of a seed's trace: its settings in milliseconds, and every cell as it is at first."""
    cluster = Cluster(seed)
    settings = cluster.settings._asdict()
    keys = {"brokers": list(cluster.brokers), "partitions": [one for (one,) in cluster.state.leader]}
    return Header(design=DESIGN, settings={**settings, **keys, "initial": cluster.journal.cells.initial()})


def settle(cluster: Cluster, seconds: float) -> None:
    """Let the last seconds pass, and start every process again."""
    # A broker may be on its way down: start it when it is.
    for _ in range(2):
        cluster.run(seconds / 2)
        for process in (*cluster.controllers, *cluster.brokers.values()):
            process.start()


RUNS = Runs(Cluster, lambda cluster: FaultKinds(cluster).kinds(), NAMES, BUGS, Cluster.start, settle)

run, simulate = RUNS.run, RUNS.simulate
