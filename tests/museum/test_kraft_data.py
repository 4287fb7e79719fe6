"""Ways to lose an acknowledged record: each found by its shortest run, and not in the tables as they are."""

from __future__ import annotations

import pytest

from fencepost.model.museum import Entry

from .shortest import check_the_shortest_run, check_the_tables_hold, each

LARGE = {"joins-at-the-high-watermark", "truncates-too-much", "does-not-truncate", "ignores-broker-epochs"}
FAR = {"joins-at-the-high-watermark", "truncates-too-much", "does-not-truncate", "fences-from-an-old-isr"}
"""Entries whose bounds are so large that the tables are explored there every night only: they are proved to hold."""
PROVED = "fencepost check kraft-data"
EACH = each("kraft-data", LARGE)
HOLDS = each("kraft-data", LARGE, dict.fromkeys(FAR, PROVED))


@pytest.mark.representative("asks-for-one-epoch", "stays-eligible", "elects-outsiders")
@EACH
def test_exploration_finds_it_by_its_shortest_run(entry: Entry) -> None:
    """The claim falls after exactly as many rows as declared, by the row declared, in a run that was replayed."""
    check_the_shortest_run(entry)


@pytest.mark.representative("keeps-the-last", "elects-outsiders", "asks-for-one-epoch")
@HOLDS
def test_the_tables_hold_there(entry: Entry) -> None:
    """As deep as that, at the same bound, the tables without the edit keep the claim."""
    check_the_tables_hold(entry)
