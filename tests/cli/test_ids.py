"""Ids on the command line: old spellings are taken, and what a row cites is printed with its section."""

from collections.abc import Callable
from typing import Any


def test_ids_that_defects_had_still_find_them(fencepost_says: Callable[..., Any]) -> None:
    """The former kraft+K7, --inject K7 and kip46+SH11 are still accepted, and printed under its new id."""
    for old, new in (("kraft+K7", "kraft+J7"), ("kip46+SH11", "kip46+compares-brokers"), ("kip46+M5", "")):
        document = fencepost_says("show", old, "--json").document
        assert document["protocol"] == (new or "kip46+completes-in-sync")
    sought = fencepost_says("bench", "bugs", "--bug", "K9", "--seeds", "1", "--time", "1s", "--json").document
    assert [one["id"] for one in sought["benchmarks"][0]["bugs"]] == ["J9"]
    run = fencepost_says("simulate", "--seed", "1", "--time", "1s", "--inject", "K9", "--json").document
    assert "J9" in str(run)


def test_show_says_where_a_citation_stands(fencepost_says: Callable[..., Any]) -> None:
    """`show` prints the section of a row's and of a property's source, on the page and in the document."""
    assert "“The broker state machine”" in fencepost_says("show", "kraft", "--row", "K12").out
    row = fencepost_says("show", "kraft", "--row", "HB2", "--json").document["row"]
    assert row["sections"]
    assert row["sections"][0] in " ".join(fencepost_says("show", "kraft", "--row", "HB2").out.split())
