"""Ways to spoil the composed whole: each found by its shortest run, and not in the tables as they are."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fencepost.checkers.exploration import Exploration, explore
from fencepost.checkers.verdicts import Verdict
from fencepost.model.language import Protocol
from fencepost.model.museum import MUSEUM, Entry, Expected
from fencepost.model.registry import FAMILIES
from tests.museum.runs import check_the_run
from tests.unbroken import unbroken

ENTRIES = [one for one in MUSEUM if one.base == "kraft-whole"]
EACH = pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)


def looked_at(tables: Protocol, expected: Expected) -> Exploration:
    """Explore for the claim that falls, as deep as that takes."""
    alone = replace(tables, properties=(tables.property(expected.property),))
    return explore(alone, expected.at(alone), max_depth=expected.length + 1, deadlock=False)


@pytest.mark.representative("claims-without-sessions", "reverts-but-the-partition", "reverts-but-the-fence")
@pytest.mark.slow
@EACH
def test_exploration_finds_it_by_its_shortest_run(entry: Entry) -> None:
    """The claim falls after exactly as many rows as declared, by the row declared, in a run that was replayed."""
    [expected] = entry.expected
    found = looked_at(entry.edited(FAMILIES["kraft-whole"].explored), expected).property(expected.property)
    assert found.verdict is Verdict.VIOLATED
    check_the_run(found.trace, expected)


@pytest.mark.slow
@EACH
def test_the_tables_hold_there(entry: Entry) -> None:
    """As deep as that, at the same bound, the tables without the edit keep the claim."""
    [expected] = entry.expected
    assert unbroken(looked_at(FAMILIES["kraft-whole"].explored, expected).property(expected.property))
