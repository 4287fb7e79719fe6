"""Simulated clusters in lock step with the tables: every step is a row, declared violations are counted and no more."""

from collections import Counter
from dataclasses import replace
from functools import lru_cache

import pytest

from fencepost.checkers.cli.simulated_zk import JudgedZk, judged_alone
from fencepost.checkers.conformance.zk_lockstep import ZkLockStep
from fencepost.model.language import Property
from fencepost.model.zk import ZK
from fencepost.reference.zk.simulation.plan import Plan
from fencepost.reference.zk.simulation.run import Run

SEEDS = range(1, 13)


@lru_cache
def judged(seed: int) -> JudgedZk:
    """Return what the tables say of a minute under random faults."""
    return judged_alone(Plan(seed=seed, seconds=60))


@pytest.mark.representative("1", "10")
@pytest.mark.parametrize("seed", SEEDS)
def test_every_step_is_a_row(seed: int) -> None:
    """No step differs from the tables, no property that holds is broken by one, and the run's own promises are kept."""
    found = judged(seed)
    assert found.divergences == []
    assert found.violations == []
    assert found.steps > 100


@pytest.mark.representative("10907-a topic's znodes that are gone already")
@pytest.mark.parametrize(
    ("seed", "what"),
    [
        (10074, "answers about a topic that is another one by now"),
        (10555, "an ISR proposed for a topic that is another one by now"),
        (10907, "a topic's znodes that are gone already"),
        (10461, "a wished reassignment that left no assigned replica in sync"),
    ],
)
def test_a_replaced_controller_lives_on_what_it_knows(seed: int, what: str) -> None:
    """What a replaced controller does with topics that its successor deleted is a row; what can't end is excused."""
    found = judged_alone(Plan(seed=seed, seconds=120))
    assert found.divergences == [], what
    assert found.violations == [], what


@pytest.mark.nightly("test_every_step_is_a_row")
def test_most_rows_are_run() -> None:
    """The twelve minutes run most rows of the tables, both state machines' and the fenced ones among them."""
    rows = Counter[str]()
    for seed in SEEDS:
        rows += judged(seed).rows
    assert len(rows) > 0.6 * len(ZK.rows)
    assert {"ZP2", "ZP3o", "ZP3d", "ZR4", "ZR8", "ZC5U", "ZC9", "ZC10", "LI4", "UM1", "SE4"} <= set(rows)


@pytest.mark.nightly("test_every_step_is_a_row")
def test_declared_violations_are_counted() -> None:
    """What the tables declare to be violated shows and is counted, and is no divergence; nothing else is counted."""
    declared = Counter[str]()
    for seed in SEEDS:
        declared += judged(seed).declared
    assert {"ZI16", "ZI2m"} <= set(declared)
    assert {ZK.property(name).expected for name in declared} == {"violated"}


def test_a_property_that_should_hold_is_a_divergence() -> None:
    """Were ZI16 claimed to hold, the first step that breaks it would be a divergence with the row and the claim."""

    def claimed(one: Property) -> Property:
        return replace(one, expected="holds") if one.id == "ZI16" else one

    judge = ZkLockStep(replace(ZK, properties=tuple(map(claimed, ZK.properties))))
    Run(Plan(seed=1, seconds=60), lambda step: judge.step(step) and None).execute()
    assert judge.divergences
    assert all(" breaks ZI16 (" in one.reason and one.rows for one in judge.divergences)
    assert judge.tally.declared["ZI16"] == 0
