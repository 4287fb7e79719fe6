"""Ways to break the event loop: each found by its shortest run, and not in the tables as they are."""

from __future__ import annotations

import pytest

from fencepost.model.museum import Entry

from .shortest import check_the_shortest_run, check_the_tables_hold, each

LARGE = {"abort-forgets-a-map", "finishes-transactions", "counts-what-it-aborts", "loads-one-too-many"}
EACH = each("kraft-loop", LARGE)
SOME = pytest.mark.representative("keeps-a-replaced-listener", "schedules-before-replay", "reverts-too-little")


@SOME
@EACH
def test_exploration_finds_it_by_its_shortest_run(entry: Entry) -> None:
    """The claim falls after exactly as many rows as declared, by the row declared, in a run that was replayed."""
    check_the_shortest_run(entry)


@SOME
@EACH
def test_the_tables_hold_there(entry: Entry) -> None:
    """As deep as that, at the same bound, the tables without the edit keep the claim."""
    check_the_tables_hold(entry)
