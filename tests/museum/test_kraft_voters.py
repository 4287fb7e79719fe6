"""Ways to change voters that lose a change or let a controller vote that must not: each found by its shortest run."""

from __future__ import annotations

from fencepost.model.museum import Entry

from .shortest import check_the_shortest_run, check_the_tables_hold, each

EACH = each("kraft-voters", {"trusts-earlier-commits"})


@EACH
def test_exploration_finds_it_by_its_shortest_run(entry: Entry) -> None:
    """The claim falls after exactly as many rows as declared, by the row declared, in a run that was replayed."""
    check_the_shortest_run(entry)


@EACH
def test_the_tables_hold_there(entry: Entry) -> None:
    """As deep as that, at the same bound, the tables without the edit keep the claim."""
    check_the_tables_hold(entry)
