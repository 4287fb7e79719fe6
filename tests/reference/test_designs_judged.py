"""References of KIP-343 and KIP-46 in lock step with the tables: sound runs conform, each injected defect differs."""

from functools import cache
from typing import Any

import pytest

from fencepost.checkers.conformance.designs import DesignJudge
from fencepost.model.registry import find
from fencepost.reference.kip46 import simulation as kip46
from fencepost.reference.kip343 import simulation as kip343

SIMULATIONS: dict[str, Any] = {"kip343": kip343, "kip46": kip46}
SECONDS = {"kip343": 120, "kip46": 240}
BUGS = {"kip343": kip343.RUNS.bugs, "kip46": kip46.RUNS.bugs}

FOUND: dict[str, dict[str, tuple[int, str]]] = {
    "kip343": {
        "two-isr-writers": (1, "says 'NOT_LEADER_FOR_PARTITION'"),
        "leader-epoch-ignored": (1, "it answered 'NONE', H11a says 'NOT_LEADER_FOR_PARTITION'"),
        "old-incarnation-heartbeats": (1, "H2 says 'INVALID_INCARNATION_ID'"),
        "incarnation-of-isr-change-unchecked": (1, "H10 says 'INVALID_INCARNATION_ID'"),
        "empty-isr": (2, "H11b says 'INVALID_REQUEST'"),
        "stopping-takes-leaders": (8, "no row of ElectLeader applies"),
        "legacy-times-out": (2, "no row of ControllerTimer applies"),
        "incarnation-forgotten": (1, "is 0, the rows make it"),
        "active-at-failover": (1, "the rows make state[1] 'Inactive', and the step keeps it"),
        "error-is-contact": (4, "current_state=Initial) of broker-3: last_reply[3] is 29342, the rows make it 28908"),
        "never-fences": (1, "breaks HI8f"),
    },
    "kip46": {
        "timer-restarts-at-failover": (2, "timer[1] is 21273, the rows make it 17018"),
        "entry-deleted-early": (2, "no row of DeleteFailedBroker applies"),
        "last-failure-counts": (2, "failed[5] is 100607, the rows make it 68800 as before"),
        "return-unnoticed": (2, "the rows make failed[5] -1, and the step keeps it"),
        "chunk-too-large": (2, "no row of PersistChunk applies"),
        "tasks-at-once": (1, "no row of StartTask applies"),
        "manual-task-dropped": (1, "no row of DropTask applies"),
        "complete-at-once": (1, "no row of CompleteTask applies"),
        "heals-although-off": (3, "failed[2] is 2902, the rows make it -1 as before"),
    },
}
"""By design and defect: the first seed that shows it, and what the divergence says."""


@cache
def divergence(design: str, seed: int, inject: str | None) -> str:
    """Return the first divergence of a run from the tables, empty for none."""
    simulation = SIMULATIONS[design]
    judge = DesignJudge(find(simulation.DESIGN).whole, simulation.header(seed))
    for step in simulation.run(seed, SECONDS[design], None, inject):
        found = judge.step(step)
        if found is not None:
            return str(found)
    assert not judge.tally.unjudged
    assert not judge.tally.untold
    return ""


@pytest.mark.representative("kip46-2", "kip343-1")
@pytest.mark.parametrize("seed", range(1, 5))
@pytest.mark.parametrize("design", SIMULATIONS)
def test_a_run_conforms_to_the_tables(design: str, seed: int) -> None:
    """Every step of a run with a swarm of faults is a row, which changes just what the step says."""
    assert divergence(design, seed, None) == ""


@pytest.mark.representative("kip343-two-isr-writers", "kip343-never-fences", "kip46-return-unnoticed")
@pytest.mark.parametrize(("design", "name"), [(design, name) for design, bugs in BUGS.items() for name in bugs])
def test_an_injected_defect_is_found(design: str, name: str) -> None:
    """The tables find every defect, by the seed that is stated; without the defect the seed conforms."""
    seed, said = FOUND[design][name]
    assert said in divergence(design, seed, name)
    assert divergence(design, seed, None) == ""
