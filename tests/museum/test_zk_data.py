"""Rules of the ZooKeeper era, each taken away: a record is lost by the shortest run, and by none with them."""

from __future__ import annotations

import pytest

from fencepost.model.museum import Entry

from .shortest import check_the_registry, check_the_shortest_run, check_the_tables_hold, each, entries

LARGE = {
    "writes-unanswered",
    "joins-at-the-high-watermark",
    "truncates-to-the-high-watermark",
    "counts-fetches-of-any-epoch",
    "uses-late-answers",
}
FAR = {"truncates-to-the-high-watermark", "uses-late-answers"}
"""Entries whose bounds are so large that the tables are explored there every night only: they are proved to hold."""
PROVED = "tests/zk_data/test_proof.py::test_the_theorem_is_proved_whatever_the_seed[1]"
EACH = each("zk-data", LARGE)
HOLDS = each("zk-data", LARGE, dict.fromkeys(FAR, PROVED))


@pytest.mark.representative(
    "elects-outsiders", "loses-the-last", "returns-unnoticed", "takes-old-requests", "writes-unanswered",
    "writes-over", "joins-by-earlier-fetches", "joins-at-the-high-watermark", "asks-for-one-epoch",
    "counts-fetches-of-any-epoch",
)  # fmt: skip
@EACH
def test_exploration_finds_it_by_its_shortest_run(entry: Entry) -> None:
    """The claim falls after exactly as many rows as declared, by the row declared, in a run that was replayed."""
    check_the_shortest_run(entry)


@HOLDS
def test_the_tables_hold_there(entry: Entry) -> None:
    """As deep as that, at the same bound, the tables without the edit keep the claim."""
    check_the_tables_hold(entry)


@pytest.mark.parametrize("entry", entries("zk-data"), ids=lambda entry: entry.name)
def test_the_registry_finds_the_entry(entry: Entry) -> None:
    """`zk-data+NAME` is the variant, and says why it was wrong."""
    check_the_registry(entry)
