"""Runs of the first version: one seed, one run, to the byte."""

from __future__ import annotations

from fencepost.reference.kip631.operator import Operator
from fencepost.reference.kip631.settings import Settings
from fencepost.reference.kip631.simulation import Cluster, Design
from fencepost.reference.simulator import Cells

from .broker import LeaseBroker, LeaseBrokerCells
from .controller import LeaseController
from .injected import BUGS


def brokers(settings: Settings, cells: Cells, cluster: Cluster) -> list[LeaseBroker]:
    """Make the brokers of a cluster."""
    own, log = LeaseBrokerCells(cells, settings.brokers), cluster.controller.log
    return [LeaseBroker(one, settings, own, cluster.quorum, log, cluster.told) for one in settings.brokers]


DESIGN = Design("kip631-v1", ("lease", "next_lease", "longest_lease"), BUGS, LeaseController, brokers, Operator)
"""The first version's processes."""

header, run = DESIGN.header, DESIGN.run
