"""Runs of the second version: one seed, one run, to the byte."""

from __future__ import annotations

from collections.abc import Iterator

from fencepost.reference.kip631.quorum import Quorum
from fencepost.reference.kip631.settings import Settings
from fencepost.reference.kip631.simulation import Cluster, header_of, steps_of
from fencepost.reference.simulator import Cells
from fencepost.traces.design_steps import DesignStep, Header

from .broker import WishBroker, WishBrokerCells
from .controller import WishController
from .injected import BUGS
from .operator import WishOperator

SECONDS = 120.0
"""How long a run is where nothing is said, of the cluster's time."""


class WishDesign:
    """The second version's processes."""

    name = "kip631-v2"
    session: tuple[str, ...] = ("session",)

    def controller(self, settings: Settings, cells: Cells, quorum: Quorum) -> WishController:
        """Make the controller."""
        return WishController(settings, cells, quorum)

    def brokers(self, settings: Settings, cells: Cells, cluster: Cluster) -> list[WishBroker]:
        """Make the brokers."""
        own, log = WishBrokerCells(cells, settings.brokers), cluster.controller.log
        return [WishBroker(one, settings, own, cluster.quorum, log, cluster.told) for one in settings.brokers]

    def operator(self, cluster: Cluster) -> WishOperator:
        """Make the operator."""
        return WishOperator(cluster)


DESIGN = WishDesign()


def header(seed: int, seconds: float = SECONDS, faults: str | None = None, inject: str | None = None) -> Header:
    """Return the first line of a run's trace: its `session` and `id_reuse`,
    both in milliseconds, and how its cells begin.

    All of that comes from the seed alone.
    """
    return header_of(DESIGN, Cluster(DESIGN, seed))


def run(
    seed: int, seconds: float = SECONDS, faults: str | None = None, inject: str | None = None
) -> Iterator[DesignStep]:
    """Run a seed for so many seconds of the cluster's time; returns its steps, one by one.

    `faults` and `inject` are names with commas between (`faults.KINDS`, `injected.BUGS`). Raises ValueError for one
    that is none.
    """
    return steps_of(DESIGN, BUGS, seed, seconds, faults, inject)
