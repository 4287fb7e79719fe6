"""Runs of the second version in which a failover may lose what is not committed (S2:20)."""

from __future__ import annotations

from fencepost.reference.kip631.simulation import with_failovers

from . import simulation

DESIGN = with_failovers(simulation.DESIGN)
"""The second version's processes, and failovers that lose."""

BUGS, header, run = DESIGN.bugs, DESIGN.header, DESIGN.run
