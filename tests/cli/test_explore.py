"""`fencepost explore` beyond one closed bound: coverage of guards, walks, symmetry, sweeps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def test_a_row_that_never_fired_says_what_blocked_it(fencepost_says: Callable[..., Any]) -> None:
    """At `tiny` no broker begins a controlled shutdown: HB9 ends at "leaving", with a broker and the offset it read."""
    said = fencepost_says("explore", "kraft", "--bound", "tiny", "--property", "K1")
    document = fencepost_says("explore", "kraft", "--bound", "tiny", "--property", "K1", "--json").document
    told = {one["row"]: one for one in document["coverage"]}
    assert list(told) == document["rows_never_fired"]
    blocking = told["HB9"]["blocking"]
    assert (blocking["conjunct"], blocking["states"], told["HB9"]["states"]) == ("leaving", 9764, 9765)
    assert blocking["binding"]["b"] == "0"
    assert blocking["cells"] == {"shutdown_offset[0]": "-1"}
    assert "HB9: at best conjunct 3 of 5 is the first false one" in said.out
    assert told["HB6"]["blocking"] is None
    assert "HB6: its guard holds in 4,272 of 9,765 states, and a counter would leave its range" in said.out.replace(
        "\n    ", " "
    )


def test_coverage_is_of_every_row_where_it_is_asked_for(fencepost_says: Callable[..., Any]) -> None:
    """`--coverage` counts every row, in every state; a conjunct that never is the first false one is named."""
    said = fencepost_says("explore", "lease", "--bound", "tiny", "--coverage")
    document = fencepost_says("explore", "lease", "--bound", "tiny", "--coverage", "--json").document
    assert [one["row"] for one in document["coverage"]] == list(document["rows_fired"])
    assert {one["states"] for one in document["coverage"]} == {document["distinct"]}
    assert "conjuncts that are never the first false one" in said.out
