"""Ways to lose an acknowledged record: each found by its shortest run, and not in the tables as they are."""

from __future__ import annotations

import pytest

from fencepost.model.museum import Entry

from .shortest import check_the_registry, check_the_shortest_run, check_the_tables_hold, each, entries

LARGE = {"joins-at-the-high-watermark", "truncates-too-much", "does-not-truncate", "ignores-broker-epochs"}
FAR = {"joins-at-the-high-watermark", "truncates-too-much", "does-not-truncate", "fences-from-an-old-isr"}
"""Entries whose bounds are so large that the tables are explored there every night only: they are proved to hold."""
PROVED = "tests/kraft_data/test_proof.py::test_the_theorem_is_proved_whatever_the_seed[1]"
EACH = each("kraft-data", LARGE)
HOLDS = each("kraft-data", LARGE, dict.fromkeys(FAR, PROVED))


@pytest.mark.representative(
    "elects-outsiders", "acknowledges-below-the-minimum", "stays-eligible", "keeps-the-last", "joins-at-once",
    "forgets-proposed-members", "processes-twice", "uses-late-answers", "counts-fetches-of-any-epoch",
    "asks-for-one-epoch", "joins-at-the-epoch-start", "has-its-own-minimum",
)  # fmt: skip
@EACH
def test_exploration_finds_it_by_its_shortest_run(entry: Entry) -> None:
    """The claim falls after exactly as many rows as declared, by the row declared, in a run that was replayed."""
    check_the_shortest_run(entry)


@pytest.mark.representative(
    "elects-outsiders", "acknowledges-below-the-minimum", "keeps-the-last", "counts-fetches-of-any-epoch",
    "asks-for-one-epoch", "has-its-own-minimum",
)  # fmt: skip
@HOLDS
def test_the_tables_hold_there(entry: Entry) -> None:
    """As deep as that, at the same bound, the tables without the edit keep the claim."""
    check_the_tables_hold(entry)


@pytest.mark.parametrize("entry", entries("kraft-data"), ids=lambda entry: entry.name)
def test_the_registry_finds_the_entry(entry: Entry) -> None:
    """`kraft-data+NAME` is the variant, and says why it was wrong."""
    check_the_registry(entry)
