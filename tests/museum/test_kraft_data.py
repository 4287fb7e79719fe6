"""Ways to lose an acknowledged record: each found by its shortest run, and not in the tables as they are."""

from __future__ import annotations

import pytest

from fencepost.model.museum import Entry

from .shortest import check_the_shortest_run, check_the_tables_hold, each

LARGE = {"joins-at-the-high-watermark", "truncates-too-much", "does-not-truncate", "ignores-broker-epochs"}
FAR = {"joins-at-the-high-watermark", "truncates-too-much", "does-not-truncate", "fences-from-an-old-isr"}
"""Entries whose bounds are so large that the tables are explored there every night only: they are proved to hold."""
PROVED = "tests/kraft_data/test_proof.py::test_the_theorem_is_proved_whatever_the_seed[1]"
EACH = each("kraft-data", LARGE)
HOLDS = each("kraft-data", LARGE, dict.fromkeys(FAR, PROVED))


@pytest.mark.representative(
    "elects-outsiders", "stays-eligible", "forgets-proposed-members", "counts-fetches-of-any-epoch",
    "asks-for-one-epoch", "has-its-own-minimum",
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
