"""KIP-343's reference in lock step with its tables: sound runs conform, and each injected defect differs from them."""

from __future__ import annotations

from functools import cache

import pytest

from fencepost.checkers.conformance.designs import DesignJudge
from fencepost.model.registry import find
from fencepost.reference.kip343.injected import BUGS
from fencepost.reference.kip343.simulation import DESIGN, header, run

SECONDS = 120

FOUND: dict[str, tuple[int, str]] = {
    "two-isr-writers": (1, "says 'NOT_LEADER_FOR_PARTITION'"),
    "leader-epoch-ignored": (1, "it answered 'NONE', H11a says 'NOT_LEADER_FOR_PARTITION'"),
    "old-incarnation-heartbeats": (1, "H2 says 'INVALID_INCARNATION_ID'"),
    "incarnation-of-isr-change-unchecked": (1, "H10 says 'INVALID_INCARNATION_ID'"),
    "empty-isr": (2, "H11b says 'INVALID_REQUEST'"),
    "stopping-takes-leaders": (2, "no row of ElectLeader applies"),
    "legacy-times-out": (2, "no row of ControllerTimer applies"),
    "incarnation-forgotten": (1, "is 0, the rows make it"),
    "active-at-failover": (
        1,
        "the rows make state[1] 'Inactive', and the step keeps it",
    ),
    "error-is-contact": (2, "current_state=Initial) of broker-3: last_reply[3] is 13837, the rows make it 11271"),
    "never-fences": (1, "breaks HI8f"),
}
"""By defect: the first seed that shows it, and what the divergence says."""


@cache
def divergence(seed: int, inject: str | None) -> str:
    """Return the first divergence of a run from the tables, empty for none."""
    judge = DesignJudge(find(DESIGN).whole, header(seed))
    for step in run(seed, SECONDS, None, inject):
        found = judge.step(step)
        if found is not None:
            return str(found)
    assert not judge.tally.unjudged
    assert not judge.tally.untold
    return ""


@pytest.mark.parametrize("seed", range(1, 5))
def test_a_run_conforms_to_the_tables(seed: int) -> None:
    """Every step of a run with a swarm of faults is a row, which changes just what the step says."""
    assert divergence(seed, None) == ""


@pytest.mark.parametrize("name", BUGS)
def test_an_injected_defect_is_found(name: str) -> None:
    """The tables find every defect, by the seed that is stated; without the defect the seed conforms."""
    seed, said = FOUND[name]
    assert said in divergence(seed, name)
    assert divergence(seed, None) == ""
