"""Rules of the ZooKeeper era, each taken away: a record is lost by the shortest run, and by none with them."""

from __future__ import annotations

import pytest

from fencepost.checkers.verdicts import Verdict
from fencepost.model.museum import MUSEUM, Entry
from fencepost.model.registry import FAMILIES, find
from fencepost.tests.unbroken import unbroken

from .test_kraft_data import looked_at

LARGE = {
    "writes-unanswered",
    "joins-at-the-high-watermark",
    "truncates-to-the-high-watermark",
    "counts-fetches-of-any-epoch",
    "uses-late-answers",
}
ENTRIES = [one for one in MUSEUM if one.base == "zk-data"]
LOSING = [one for one in ENTRIES if one.expected]
EACH = pytest.mark.parametrize(
    "entry",
    [pytest.param(one, id=one.name, marks=[pytest.mark.slow] if one.name in LARGE else []) for one in LOSING],
)


@EACH
def test_exploration_finds_it_by_its_shortest_run(entry: Entry) -> None:
    """The claim falls after exactly as many rows as declared, by the row declared, in a run that was replayed."""
    [expected] = entry.expected
    found = looked_at(entry.edited(FAMILIES["zk-data"].explored), expected).property(expected.property)
    assert found.verdict is Verdict.VIOLATED
    assert found.trace is not None
    lines = "\n".join(found.trace.lines())
    assert len(found.trace.steps) == expected.length, lines
    assert found.trace.steps[-1].row.id == expected.row, lines


@EACH
def test_the_tables_hold_there(entry: Entry) -> None:
    """As deep as that, at the same bound, the tables without the edit keep the claim."""
    [expected] = entry.expected
    assert unbroken(looked_at(FAMILIES["zk-data"].explored, expected).property(expected.property))


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_the_registry_finds_the_entry(entry: Entry) -> None:
    """`zk-data+NAME` is the variant, and says why it was wrong."""
    assert find(f"zk-data+{entry.name}").whole.name == f"zk-data+{entry.name}"
    assert entry.why.endswith(".")
    assert entry.edited(FAMILIES["zk-data"].whole).why
