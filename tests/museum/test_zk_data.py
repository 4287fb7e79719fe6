"""Rules of the ZooKeeper era, each taken away: a record is lost by the shortest run, and by none with them."""

from __future__ import annotations

import pytest

from fencepost.model.museum import Entry

from .shortest import check_the_shortest_run, check_the_tables_hold, each

LARGE = {
    "writes-unanswered",
    "joins-at-the-high-watermark",
    "truncates-to-the-high-watermark",
    "counts-fetches-of-any-epoch",
    "uses-late-answers",
}
FAR = {"truncates-to-the-high-watermark", "uses-late-answers"}
"""Entries whose bounds are so large that the tables are explored there every night only: they are proved to hold."""
PROVED = "fencepost check zk-data"
EACH = each("zk-data", LARGE)
HOLDS = each("zk-data", LARGE, dict.fromkeys(FAR, PROVED))
SOME = pytest.mark.representative("elects-outsiders", "returns-unnoticed", "asks-for-one-epoch")


@SOME
@EACH
def test_exploration_finds_it_by_its_shortest_run(entry: Entry) -> None:
    """The claim falls after exactly as many rows as declared, by the row declared, in a run that was replayed."""
    check_the_shortest_run(entry)


@SOME
@HOLDS
def test_the_tables_hold_there(entry: Entry) -> None:
    """As deep as that, at the same bound, the tables without the edit keep the claim."""
    check_the_tables_hold(entry)
