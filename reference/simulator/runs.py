"""Runs of a design: a cluster works while a swarm of faults comes and goes, then has a quiet time at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from fencepost.traces.design_steps import DesignStep

from .clock import Simulator
from .journal import Journal
from .network import Network
from .patching import Injection, defect_of
from .swarm import Fault, Swarm, chosen_faults

SECONDS = 120.0
"""How long a run is where nothing is said, of the cluster's time."""

QUIET = 0.25
"""The share of a run at its end in which nothing new goes wrong."""


class Running(Protocol):
    """The part of a cluster that a run needs."""

    simulator: Simulator
    journal: Journal
    network: Network

    def run(self, seconds: float) -> None:
        """Let time pass."""


Cluster = TypeVar("Cluster", bound=Running)


@dataclass(frozen=True)
class Runs(Generic[Cluster]):
    """How the clusters of a design are run: `make` makes one from a seed, `kinds` the faults that may happen to it.

    `names` are the names of all faults, `bugs` the defects by name. `begin` starts what there is; `settle` lets the
    last seconds pass, when nothing new goes wrong, and sees to it that every process is up in the end.
    """

    make: Callable[[int], Cluster]
    kinds: Callable[[Cluster], Sequence[Fault]]
    names: Sequence[str]
    bugs: Mapping[str, Injection]
    begin: Callable[[Cluster], None]
    settle: Callable[[Cluster, float], None]

    def run(
        self, seed: int, seconds: float = SECONDS, faults: str | None = None, inject: str | None = None
    ) -> Iterator[DesignStep]:
        """Return the steps of a run; `faults` is None for a swarm, else names with commas between, `none` or `all`.

        `inject` names a defect to be put into it. Raises ValueError, with a sentence, for a name that is none.
        """
        return iter(self.simulate(seed, seconds, faults, inject).journal.steps)

    def simulate(
        self, seed: int, seconds: float = SECONDS, faults: str | None = None, inject: str | None = None
    ) -> Cluster:
        """Run a seed to its end, as `run` does, and return the cluster, which can then be looked at."""
        defect = nullcontext() if inject is None else defect_of(inject, self.bugs).injected()
        cluster = self.make(seed)
        swarm = Swarm(cluster.simulator, self.kinds(cluster), chosen_faults(faults, self.names))
        with defect:
            self.begin(cluster)
            swarm.start()
            cluster.run(seconds * (1 - QUIET))
            swarm.stop()
            cluster.network.faults.heal_all()
            self.settle(cluster, seconds * QUIET)
        return cluster
