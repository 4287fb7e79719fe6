"""A run of the design: one seed is one run, to the byte."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

from fencepost.reference.simulator import Swarm, chosen_faults
from fencepost.traces.design_steps import DesignStep, Header

from .cluster import Cluster
from .faults import NAMES, FaultKinds
from .injected import BUGS

DESIGN = "kip46"
SECONDS = 120.0
"""How long a run usually is, of the cluster's time."""

QUIET = 0.25
"""The share of a run at its end in which nothing new goes wrong."""


def header(seed: int) -> Header:
    """Return the header of a seed's trace: its settings in milliseconds, and every cell as it is at first."""
    cluster = Cluster(seed)
    settings = cluster.settings._asdict()
    keys = {"brokers": list(cluster.brokers), "partitions": cluster.state.partitions}
    return Header(design=DESIGN, settings={**settings, **keys, "initial": cluster.journal.cells.initial()})


def run(
    seed: int, seconds: float = SECONDS, faults: str | None = None, inject: str | None = None
) -> Iterator[DesignStep]:
    """Return the steps of a run; `faults` is None for a swarm, else names with commas between, `none` or `all`.

    `inject` names a defect of `BUGS` to be put into it. Raises ValueError, with a sentence, for a name that is none.
    """
    return iter(simulate(seed, seconds, faults, inject).journal.steps)


def simulate(seed: int, seconds: float = SECONDS, faults: str | None = None, inject: str | None = None) -> Cluster:
    """Run a seed to its end, as `run` does, and return the cluster, which can then be looked at."""
    if inject is not None and inject not in BUGS:
        raise ValueError(f"--inject {inject}: there is none of that name; there are {', '.join(BUGS)}")
    cluster = Cluster(seed)
    swarm = Swarm(cluster.simulator, FaultKinds(cluster).kinds(), chosen_faults(faults, NAMES))
    with ExitStack() as injected:
        if inject is not None:
            injected.enter_context(BUGS[inject].injected())
        cluster.start()
        cluster.work()
        swarm.start()
        cluster.run(seconds * (1 - QUIET))
        swarm.stop()
        cluster.network.faults.heal_all()
        cluster.operator.crash()
        for _ in range(2):
            # A bounce may be under way: start what it has left down.
            for process in (*cluster.controllers, *cluster.brokers.values()):
                process.start()
            cluster.run(seconds * QUIET / 2)
    return cluster
