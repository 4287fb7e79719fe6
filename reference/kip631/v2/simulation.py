"""Runs of the second version: one seed, one run, to the byte."""

from __future__ import annotations

from fencepost.reference.kip631.settings import Settings
from fencepost.reference.kip631.simulation import Cluster, Design
from fencepost.reference.simulator import Cells

from .broker import WishBroker, WishBrokerCells
from .controller import WishController
from .injected import BUGS
from .operator import WishOperator


def brokers(settings: Settings, cells: Cells, cluster: Cluster) -> list[WishBroker]:
    """Make the brokers of a cluster."""
    own, log = WishBrokerCells(cells, settings.brokers), cluster.controller.log
    return [WishBroker(one, settings, own, cluster.quorum, log, cluster.told) for one in settings.brokers]


DESIGN = Design("kip631-v2", ("session",), BUGS, WishController, brokers, WishOperator)
"""The second version's processes."""

header, run = DESIGN.header, DESIGN.run
