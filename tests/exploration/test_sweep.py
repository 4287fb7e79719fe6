"""Sweeps: counts at each size, the law that fits them, and the largest size that a budget allows."""

import pytest

from fencepost.checkers.exploration import explore, sweep
from fencepost.checkers.exploration.sweep import fitted
from fencepost.checkers.verdicts import Refusal, Verdict
from fencepost.model.language import Protocol


def test_each_size_has_its_own_counts(two_phase: Protocol) -> None:
    """The counts of a sweep are those of an exploration at each size, and the law foretells the next of them."""
    found = sweep(two_phase, "three", "Manager", (1, 2, 3, 4), budget=10_000)
    assert {size: one.distinct for size, one in found.explorations.items()} == {1: 12, 2: 56, 3: 288, 4: 1568}
    assert found.growth is not None
    assert found.growth.law == "exponential"
    assert 4.5 < found.growth.factor < 5.5
    assert (found.largest, found.verdict) == (5, Verdict.VACUOUS)
    assert found.estimate is not None
    five = explore(two_phase, "three", sizes={"Manager": 5}).distinct
    assert abs(found.estimate / five - 1) < 0.2
    assert five < found.budget < 6 * five


def test_a_sweep_ends_where_the_budget_does(two_phase: Protocol) -> None:
    """The size that has more states than the budget is inconclusive and the last; the law leaves it out."""
    found = sweep(two_phase, "three", "Manager", (1, 2, 3, 4, 5), budget=300)
    assert list(found.explorations) == [1, 2, 3, 4]
    assert found.explorations[4].verdict is Verdict.INCONCLUSIVE
    assert found.growth is not None
    assert (found.growth.sizes, found.largest) == (3, 3)


def test_laws_are_told_apart() -> None:
    """Powers of the size are fitted by a power, powers of a number by that number; one size fits nothing."""
    power, exponential = (fitted(dict(counts)) for counts in ([(1, 3), (2, 24), (4, 192)], [(1, 6), (2, 12), (3, 24)]))
    assert power is not None
    assert exponential is not None
    assert (power.law, round(power.factor, 6)) == ("power", 3)
    assert (exponential.law, round(exponential.factor, 6)) == ("exponential", 2)
    assert max(power.error, exponential.error) < 1e-9
    assert fitted({2: 9}) is None


def test_no_sizes_are_refused(two_phase: Protocol) -> None:
    """A sweep over nothing, or over a kind that there is not, is refused in a sentence."""
    with pytest.raises(Refusal, match="has no sizes"):
        sweep(two_phase, "three", "Manager", (), budget=10)
    with pytest.raises(Refusal, match="use one of Manager"):
        sweep(two_phase, "three", "Broker", (1,), budget=10)
