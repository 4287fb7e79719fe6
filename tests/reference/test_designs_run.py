"""Runs of KIP-343's and KIP-46's references: one seed is one run, unknown names are refused, faults matter."""

from __future__ import annotations

from typing import Any

import pytest

from fencepost.reference.kip46 import simulation as kip46
from fencepost.reference.kip343 import simulation as kip343
from fencepost.reference.simulator.runs import Runs
from tests.reference.folded import text_of

RUNS: dict[str, Runs[Any]] = {"kip343": kip343.RUNS, "kip46": kip46.RUNS}


@pytest.mark.parametrize(("simulation", "seconds"), [(kip343, 20), (kip46, 40)])
def test_the_same_seed_is_the_same_run_to_the_byte(simulation: Any, seconds: float) -> None:
    """Header and steps are the same bytes again, and other bytes for another seed."""

    def told(seed: int, faults: str | None = None) -> str:
        return text_of(simulation.header(seed), simulation.run(seed, seconds, faults))

    once = told(5)
    assert once == told(5)
    assert once != told(6)
    assert told(5, "none") == told(5, "none") != once


@pytest.mark.parametrize(("design", "first"), [("kip343", "two-isr-writers"), ("kip46", "timer-restarts")])
def test_unknown_names_are_refused(design: str, first: str) -> None:
    """A fault or a defect of no such name is refused with what there is."""
    with pytest.raises(ValueError, match=f"--inject none: there is none of that name; there are {first}"):
        RUNS[design].run(1, 1, None, "none")
    with pytest.raises(ValueError, match="--faults flood: there is swarm, all, none, and broker-crash"):
        RUNS[design].run(1, 1, "flood")


@pytest.mark.representative("kip343-broker-crash", "kip46-broker-crash")
@pytest.mark.parametrize(("design", "name"), [(design, name) for design, one in RUNS.items() for name in one.names])
def test_every_kind_of_fault_makes_a_difference(design: str, name: str) -> None:
    """Alone, each kind of fault makes some run another one than it is without any."""
    run = RUNS[design].run
    assert any(list(run(seed, 60, name)) != list(run(seed, 60, "none")) for seed in range(1, 6))
