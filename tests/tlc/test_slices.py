"""TLC and exploration on every slice of every protocol: the same states, transitions and levels."""

import pytest

from fencepost.checkers.exploration.manifest import recorded
from fencepost.checkers.tlc import run_tlc
from fencepost.checkers.verdicts import Verdict
from fencepost.model.registry import FAMILIES, find
from tests.tlc.test_large import COUNTS as LARGE

EVERY_RUN = {("kraft", "growth"), ("kraft-data", "one"), ("zk-data", "tiny"), ("kip343", "tiny")}
"""What TLC is asked in every run; `test_tlc.py` asks it of every construct of the language."""
SMALL = {
    *(("kraft-loop", "one-epoch"), ("kraft-voters", "knowing"), ("zk", "deletion"), ("kip46", "tiny")),
    *(("kip631-v1", "tiny"), ("kip631-v2", "tiny")),
}
"""With those of every run a bound of each protocol but `kraft-whole` and `lease`, which have none with less than 1e4
states."""
FIRST = {(name, next(iter(one.bounds))) for name, family in FAMILIES.items() for one in family.slices}
"""The first bound of each slice."""
CASES = (
    EVERY_RUN
    | SMALL
    | {("kraft", "unclean"), ("kraft-loop", "tiny"), ("kip46", "queue"), ("kip46", "submitted"), ("kip46", "two-gone")}
    | FIRST - {(name, bound) for name, bound, *_ in LARGE}
)
"""Every slice has one of these, or one in `test_large.py`."""
MINUTES = {("kraft-data", "pair"), ("zk-data", "pair")}


@pytest.mark.representative("kraft-growth")
@pytest.mark.tlc
@pytest.mark.parametrize(
    ("name", "bound"),
    [
        pytest.param(*one, id="-".join(one), marks=[pytest.mark.exhaustive] * (one in MINUTES))
        for one in sorted(CASES | MINUTES)
    ],
)
def test_tlc_counts_what_exploration_counts(name: str, bound: str) -> None:
    """TLC counts what is recorded of exploration, and finds no violation that is not declared."""
    found = run_tlc(find(name).bounds[bound], bound)
    assert (found.verdict, found.violated) == (Verdict.CLOSED, None)
    assert (found.distinct, found.generated, found.depth) == recorded(name)[bound].counts
