"""Historical bugs put into the simulation: lock step or an invariant finds each within its number of seeds."""

from dataclasses import replace
from functools import lru_cache

import pytest

from fencepost.checkers.bench.simulation import plan_with
from fencepost.checkers.cli.simulated import Judged, judged_alone, judged_run
from fencepost.reference.kraft.injected import BUGS
from fencepost.reference.kraft.simulation.plan import Plan
from fencepost.reference.simulator import SECOND

FOUND_FIRST = {
    "J4": 2,
    "J7": 4,
    "J8": 16,
    "J10": 2,
    "J18": 4,
    "J28": 4,
    "J30": 2,
    "E7": 4,
    "E8": 12,
    "S-i": 4,
    "mark-again": 2,
    "keeps-its-tasks": 2,
    "forgets-who-waits": 3,
    "reverts-too-little": 3,
    "claims-before-caught-up": 4,
    "keeps-a-replaced-listener": 3,
}
"""The seed that was the first to find a bug when it was measured, where it was not 1: it is asked first."""


@lru_cache
def without(plan: Plan) -> Judged:
    """Return what becomes of a run without a bug."""
    return judged_alone(plan)


def test_there_are_enough() -> None:
    """At least twenty historical bugs can be put in, each with its issue, what goes wrong, and a number of seeds."""
    assert len(BUGS) >= 20
    for name, bug in BUGS.items():
        assert bug.id == name
        assert bug.issue
        assert bug.wrong[0].islower() or bug.wrong.startswith("Raft")
        assert 1 <= bug.seeds <= 30


@pytest.mark.representative("answer-at-once", "keeps-old-snapshots")
@pytest.mark.slow
@pytest.mark.parametrize("name", BUGS)
def test_a_bug_is_found_within_its_seeds(name: str) -> None:
    """With the bug a step is no row, or a promise is broken; the same run without the bug is clean until then."""
    bug = BUGS[name]
    first = FOUND_FIRST.get(name, 1)
    seeds = [first, *(seed for seed in range(1, bug.seeds + 1) if seed != first)]
    for seed in seeds:
        plan = plan_with(bug, seed, None)
        run, judged = judged_run(plan, until_first=True)
        if not judged.clean:
            # As long as the run with the bug was, to the next minute.
            minutes = run.cluster.simulator.now_ns // (60 * SECOND) + 1
            clean = without(replace(plan, bugs=(), seconds=min(plan.seconds, 60 * minutes)))
            assert clean.divergences == []
            assert clean.outcome.violations == []
            return
    pytest.fail(f"{name} is not found within {bug.seeds} seeds: {bug.wrong}")
