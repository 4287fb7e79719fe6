"""The compiled rows of the ZooKeeper-era tables against the plain interpreter: the same row, changes and answer."""

from functools import lru_cache

import pytest

from fencepost.checkers.conformance.lockstep import firing
from fencepost.checkers.conformance.zk_lockstep import ZkLockStep
from fencepost.model.zk import ZK
from fencepost.reference.zk.simulation.plan import Plan
from fencepost.reference.zk.simulation.run import Run

from .plain import AskedTwice, Walk

WALKS = range(2)
STEPS = 700


@lru_cache
def walked(seed: int) -> Walk:
    """Return a walk at its end."""
    walk = Walk(seed)
    walk.go(STEPS)
    return walk


@pytest.mark.representative("0")
@pytest.mark.parametrize("seed", WALKS)
def test_random_walks_are_the_same_for_both(seed: int) -> None:
    """Whatever happens in a small cluster, the interpreter finds one row too, the same one, with the same effect."""
    walk = walked(seed)
    assert walk.rows.wrong == []
    assert walk.taken.total() == STEPS


def test_walks_come_far() -> None:
    """The walks are no idle ones: most rows of the tables are taken, of every part of them some."""
    taken = {row for seed in WALKS for row in walked(seed).taken}
    assert len(taken) > len(ZK.rows) // 2, sorted({row.id for row in ZK.rows} - taken)
    assert {"ZP2", "ZR4", "ZC5U", "ZC10", "LI5", "SE1"} <= taken


@pytest.mark.representative("3")
@pytest.mark.parametrize("seed", [3, 4])
def test_a_run_is_the_same_for_both(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """So it is in the states that a simulated cluster comes through in lock step."""
    monkeypatch.setattr(firing, "WholeRows", AskedTwice)
    judge = ZkLockStep()
    Run(Plan(seed=seed, seconds=20, brokers=3), lambda step: judge.step(step) and None).execute()
    rows = judge.rows
    assert isinstance(rows, AskedTwice)
    assert rows.wrong == []
    assert judge.divergences == []
    assert rows.asked.total() > 150
