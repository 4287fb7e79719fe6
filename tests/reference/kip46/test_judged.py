"""KIP-46's reference in lock step with its tables: sound runs conform, and each injected defect differs from them."""

from __future__ import annotations

from functools import cache

import pytest

from fencepost.checkers.conformance.designs import DesignJudge
from fencepost.model.registry import find
from fencepost.reference.kip46.injected import BUGS
from fencepost.reference.kip46.simulation import DESIGN, header, run

SECONDS = 240

FOUND: dict[str, tuple[int, str]] = {
    "timer-restarts-at-failover": (2, "timer[1] is 21273, the rows make it 17018"),
    "entry-deleted-early": (2, "no row of DeleteFailedBroker applies"),
    "last-failure-counts": (2, "failed[5] is 100607, the rows make it 68800 as before"),
    "return-unnoticed": (2, "the rows make failed[5] -1, and the step keeps it"),
    "chunk-too-large": (2, "no row of PersistChunk applies"),
    "tasks-at-once": (1, "no row of StartTask applies"),
    "manual-task-dropped": (1, "no row of DropTask applies"),
    "complete-at-once": (1, "no row of CompleteTask applies"),
    "heals-although-off": (3, "failed[2] is 2902, the rows make it -1 as before"),
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
