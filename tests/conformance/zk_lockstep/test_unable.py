"""Expired sessions and lost directories in lock step: what brokers cannot do is a row, and excuses nothing else."""

from dataclasses import replace
from functools import lru_cache

import pytest

from fencepost.checkers.cli.simulated_zk import judged_run
from fencepost.checkers.conformance.zk_lockstep import ZkLockStep
from fencepost.reference.zk.simulation.plan import Plan
from fencepost.traces.zk.steps import ZkStep

SEEDS = {
    ("pause", 24): {"LI7"},
    ("pause,expiry", 15): {"LI7"},
    ("pause,expiry,directory-failure", 2): {"LI8", "SR5", "SD5"},
}
"""Kinds of faults and a seed, with the rows that the run shows."""


@lru_cache
def run(faults: str, seed: int) -> tuple[tuple[ZkStep, ...], list[str], set[str]]:
    """Return the steps of a minute, the divergences, and the rows that were run."""
    steps: list[ZkStep] = []
    found = judged_run(Plan(seed=seed, seconds=60, faults=faults), steps)[1]
    return tuple(steps), [*map(str, found.divergences), *map(str, found.violations)], set(found.rows)


@pytest.mark.representative("pause,expiry-15")
@pytest.mark.parametrize(("faults", "seed"), SEEDS)
def test_what_a_broker_cannot_do_is_a_row(faults: str, seed: int) -> None:
    """No step diverges and no promise is broken where logs cannot be created, or directories are lost."""
    _, wrong, rows = run(faults, seed)
    assert wrong == []
    assert SEEDS[faults, seed] <= rows


def _first(faults: str, seed: int, name: str, outcome: str) -> int:
    steps = run(faults, seed)[0]
    return next(at for at, step in enumerate(steps) if (step.name, step.outcome) == (name, outcome))


@pytest.mark.representative("pause-24-LeaderAndIsr-UNKNOWN_SERVER_ERROR-LI1")
@pytest.mark.parametrize(
    ("faults", "seed", "name", "outcome", "row"),
    [
        ("pause", 24, "LeaderAndIsr", "UNKNOWN_SERVER_ERROR", "LI1"),
        ("pause,expiry,directory-failure", 2, "LeaderAndIsr", "KAFKA_STORAGE_ERROR", "LI1"),
        ("pause,expiry,directory-failure", 2, "StopReplica", "KAFKA_STORAGE_ERROR", "SR1"),
    ],
)
def test_a_request_of_an_old_controller_is_refused_first(
    faults: str, seed: int, name: str, outcome: str, row: str
) -> None:
    """A broker that cannot do what an old controller asks must say that it is old: another answer diverges."""
    at = _first(faults, seed, name, outcome)
    steps = run(faults, seed)[0][: at + 1]
    judge = ZkLockStep()
    for step in steps[:-1]:
        judge.step(step)
    old = replace(steps[-1], parameters={**steps[-1].parameters, "controller_epoch": -1})
    found = judge.step(old)
    assert found is not None
    assert row in str(found) or row.replace("SR", "SD") in str(found)


def test_who_leads_already_does_not_fail_to_begin() -> None:
    """A broker that is at the leader epoch ignores it: an exception instead is a divergence that names LI3."""
    at = _first("pause", 24, "LeaderAndIsr", "UNKNOWN_SERVER_ERROR")
    steps = run("pause", 24)[0]
    led = next(n for n, step in enumerate(steps[:at]) if (step.name, step.outcome) == ("LeaderAndIsr", "leader"))
    judge = ZkLockStep()
    for step in steps[: led + 1]:
        assert judge.step(step) is None
    found = judge.step(replace(steps[led], outcome="UNKNOWN_SERVER_ERROR"))
    assert found is not None
    assert "LI3" in str(found)


def test_who_failed_does_not_lead() -> None:
    """A partition whose log could not be created is not led: that the request is ignored as old is a divergence."""
    at = _first("pause", 24, "LeaderAndIsr", "UNKNOWN_SERVER_ERROR")
    steps = run("pause", 24)[0]
    judge = ZkLockStep()
    for step in steps[: at + 1]:
        assert judge.step(step) is None
    found = judge.step(replace(steps[at], outcome="ignored"))
    assert found is not None
    assert "ignored" in str(found)
