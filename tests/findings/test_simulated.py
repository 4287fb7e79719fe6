"""What the simulation shows of the findings by itself, with the seeds that their pages name."""

import re
from pathlib import Path

import pytest

from fencepost.reference.kraft.settings import Settings
from fencepost.reference.kraft.simulation.plan import Plan
from fencepost.reference.kraft.simulation.run import Run

PAGES = Path(__file__).resolve().parents[2] / "spec" / "findings"


def found(seed: int, *repaired: str) -> dict[str, int]:
    """Return the findings of the run that `fencepost simulate --seed N` makes, without its lock step."""
    outcome = Run(Plan(seed=seed, seconds=600, settings=Settings(repaired=frozenset(repaired)))).execute()
    assert outcome.violations == []
    return outcome.findings


@pytest.mark.slow
def test_a_broker_that_cannot_register_comes_up_by_itself() -> None:
    """D6c shows in a run that was not made for it, again and again, and not where it is repaired."""
    [seed] = re.findall(r"`fencepost simulate --seed (\d+)`", (PAGES / "D6c.md").read_text(encoding="utf-8"))
    assert found(int(seed))["D6c"] > 1
    assert "D6c" not in found(int(seed), "D6c")
