"""Defects put into simulated clusters: lock step with the tables finds them, each by a seed that is stated."""

import pytest

from fencepost.checkers.conformance.designs import DesignJudge
from fencepost.model.registry import FAMILIES
from fencepost.reference.kip631.v1 import simulation as v1
from fencepost.reference.kip631.v2 import simulation as v2

SIMULATIONS = {"kip631-v1": v1, "kip631-v2": v2}

FOUND: dict[str, dict[str, tuple[int, str]]] = {
    "kip631-v1": {
        "S-f": (1, "Heartbeat"),
        "S-f-lease": (1, "HeartbeatReply"),
        "shorter-promise": (1, "Heartbeat"),
        "unasked-lease": (1, "Heartbeat"),
        "stale-epoch": (6, "Heartbeat"),
        "reordered-heartbeat": (2, "Heartbeat"),
        "new-epoch-each-time": (2, "Register"),
        "duplicate-registration": (1, "Register"),
        "fenced-leader": (1, "LeaseExpires"),
        "fence-forgotten": (1, "ControllerFailover"),
        "silence-forgotten": (1, "Heartbeat"),
    },
    "kip631-v2": {
        "S-e": (1, "Register"),
        "stale-epoch": (6, "Heartbeat"),
        "any-metadata": (1, "Heartbeat"),
        "want-fence-ignored": (1, "Heartbeat"),
        "shutdown-while-leading": (3, "Heartbeat"),
        "any-cluster": (1, "Register"),
        "new-epoch-each-time": (2, "Register"),
        "isr-of-anybody": (5, "AlterIsr"),
        "stale-leader-epoch": (6, "AlterIsr"),
        "first-completes": (1, "AlterIsr"),
        "answers-as-asked": (1, "AlterIsr"),
        "logs-not-compared": (3, "HeartbeatReply"),
        "duplicate-registration": (1, "Register"),
        "fenced-leader": (1, "SessionExpires"),
        "fence-forgotten": (1, "ControllerFailover"),
        "silence-forgotten": (1, "ApplyMetadata"),
    },
}
"""By design and defect: the first seed of twelve that shows it, and the first step that is no row."""


def first_divergence(design: str, seed: int, inject: str | None) -> str | None:
    """Return the name of the first step of a run that the tables do not have, None where all are rows."""
    simulation = SIMULATIONS[design]
    judge = DesignJudge(FAMILIES[design].whole, simulation.header(seed), properties=False)
    for step in simulation.run(seed, inject=inject):
        if judge.step(step) is not None:
            return str(step.name)
    return None


@pytest.mark.representative("kip631-v1-S-f", "kip631-v1-fenced-leader", "kip631-v2-S-e")
@pytest.mark.parametrize(("design", "name"), [(one, name) for one, found in FOUND.items() for name in found])
def test_lock_step_finds_a_defect(design: str, name: str) -> None:
    """The run with the defect has a step that is no row."""
    seed, step = FOUND[design][name]
    assert first_divergence(design, seed, name) == step


@pytest.mark.representative("kip631-v1-1", "kip631-v2-1")
@pytest.mark.parametrize(("design", "seed"), [(one, seed) for one in SIMULATIONS for seed in range(1, 5)])
def test_runs_without_a_defect_are_rows(design: str, seed: int) -> None:
    """The same runs without it have none."""
    assert first_divergence(design, seed, None) is None


def test_every_defect_is_found() -> None:
    """Each defect of either version has its seed."""
    told = {(design, name) for design, found in FOUND.items() for name in found}
    assert told == {(design, name) for design, simulation in SIMULATIONS.items() for name in simulation.BUGS}
