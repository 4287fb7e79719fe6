"""`fencepost explore` beyond one closed bound: coverage of guards, walks, symmetry, sweeps."""

from collections.abc import Callable
from typing import Any

import pytest

from fencepost.checkers.verdicts import ExitCode


@pytest.mark.slow
def test_a_row_that_never_fired_says_what_blocked_it(page_and_document: Callable[..., Any]) -> None:
    """At `tiny` no broker begins a controlled shutdown: HB9 ends at "leaving", with a broker and the offset it read."""
    said, documented = page_and_document("explore", "kraft", "--bound", "tiny", "--property", "K1")
    document = documented.document
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


@pytest.mark.slow
def test_walks_are_told_with_their_scope(page_and_document: Callable[..., Any]) -> None:
    """`--walks` ends inconclusive with the number of walks, steps, the seed and the rows that fired, in JSON too."""
    command = ("explore", "lease", "--bound", "drift", "--walks", "30", "--depth", "20", "--seed", "7")
    said, documented = page_and_document(*command)
    document = documented.document
    assert (said.code, document["exit_code"], document["verdict"]) == (3, 3, "inconclusive")
    assert (document["walks"], document["depth"], document["seed"]) == (30, 20, 7)
    fired = [row for row, count in document["rows_fired"].items() if count]
    scope = f"30 walks of up to 20 steps, seed 7; {len(fired)} of {len(document['rows_fired'])} rows fired"
    assert document["message"].startswith(scope)
    assert "lease at drift: inconclusive (30 walks of up to 20 steps, seed 7" in said.out
    assert "walks show what they meet and close nothing" in said.out


def test_a_bound_that_is_not_for_a_property_names_one_that_is(fencepost_says: Callable[..., Any]) -> None:
    """What is asked for by name and nothing tests is vacuous, with exit 4 and the bounds that ask it."""
    said = fencepost_says("explore", "kraft", "--bound", "lower", "--property", "K2")
    assert said.code == ExitCode.VACUOUS
    assert said.out.splitlines()[0] == "kraft_cluster at lower: vacuous (the bound is not for K2)"
    assert "K2 is asked at --bound restart, small, pair, everything, combined" in said.out
    beside = fencepost_says("explore", "kraft", "--bound", "lower", "--property", "K2", "--property", "L11k")
    assert beside.code == ExitCode.AS_DECLARED
    assert "K2 is asked at --bound restart" in beside.out


def test_one_property_is_explored_at_a_bound_with_sizes_for_others(fencepost_says: Callable[..., Any]) -> None:
    """A property may be asked alone where the bound gives sizes that only other properties need."""
    said = fencepost_says("explore", "kraft", "--bound", "removal", "--property", "P35")
    assert said.code == ExitCode.AS_DECLARED
    assert "violated as declared: P35" in said.out


def test_walks_are_no_search(fencepost_says: Callable[..., Any]) -> None:
    """What is for a search through every state is refused with `--walks`, by its name."""
    said = fencepost_says("explore", "lease", "--bound", "tiny", "--walks", "3", "--max-depth", "4")
    assert said.code == 2
    assert "--max-depth: is for a search through every state; leave it out with --walks" in said.sentence


@pytest.mark.slow
def test_symmetry_says_what_was_reduced_and_what_not(
    fencepost_says: Callable[..., Any], page_and_document: Callable[..., Any]
) -> None:
    """`--symmetry` gives orbits and the states they have together, and why a sort is not reduced."""
    whole = fencepost_says("explore", "lease", "--bound", "tiny", "--json").document
    said, documented = page_and_document("explore", "lease", "--bound", "tiny", "--symmetry")
    document = documented.document
    assert document["orbits"]["states"] == whole["distinct"]
    assert document["orbits"]["orbits"] == document["distinct"] < whole["distinct"]
    assert document["orbits"]["moved"] == {"Broker": [0, 1]}
    assert f"one state of each of {document['distinct']:,} orbits" in said.out
    said = fencepost_says("explore", "kip46", "--bound", "tiny", "--symmetry")
    assert "no symmetry: every state was seen" in said.out
    assert "Broker is not reduced: its entities are named by" in said.out


@pytest.mark.slow
def test_what_is_put_off_is_told(fencepost_says: Callable[..., Any], page_and_document: Callable[..., Any]) -> None:
    """`--partial-order` gives how many states had steps put off, what steps share, and what a property sees."""
    asked = ("explore", "kip631-v2", "--bound", "tiny", "--property", "K1", "--partial-order")
    whole = fencepost_says(*asked[:-1], "--json").document
    said, documented = page_and_document(*asked)
    document = documented.document
    reduced = document["reduced"]
    assert whole["reduced"] is None
    assert reduced["states"] == document["distinct"] <= whole["distinct"]
    assert 0 < reduced["independent"] < reduced["pairs"]
    assert [one["verdict"] for one in document["properties"]] == [one["verdict"] for one in whole["properties"]]
    assert f"of {reduced['pairs']:,} pairs of kinds of steps {reduced['independent']:,} are independent" in said.out
    assert f"{reduced['visible']:,} of {reduced['kinds']:,} kinds are seen by a property" in said.out


@pytest.mark.parametrize("option", [("--max-depth", "3"), ("--coverage",), ("--html", "page.html"), ("--step",)])
def test_steps_are_not_put_off_where_every_state_is_asked_for(
    option: tuple[str, ...], fencepost_says: Callable[..., Any]
) -> None:
    """What needs every state, or the shortest run, is refused with `--partial-order`, by its name."""
    said = fencepost_says("explore", "lease", "--bound", "tiny", "--partial-order", *option)
    assert said.code == 2
    assert f"{option[0]}: is for a search through every state; leave it out with --partial-order" in said.sentence


def test_a_sweep_is_told_size_by_size(fencepost_says: Callable[..., Any], two_phase: str) -> None:
    """`--sweep` prints counts at each size and the growth, and calls the largest size that the budget allows an
    estimate."""
    command = ("explore", two_phase, "--bound", "three", "--sweep", "ResourceManager=1..3", "--max-states", "2000")
    said, document = fencepost_says(*command), fencepost_says(*command, "--json").document
    assert said.code == document["exit_code"] == 0
    assert [(one["size"], one["distinct"]) for one in document["sizes"]] == [(1, 12), (2, 56), (3, 288)]
    assert "  ResourceManager 3: closed, 288 states" in said.out
    assert (document["largest"], document["growth"]["law"]) == (4, "exponential")
    assert f"is ResourceManager 4 (an estimate, of {document['estimate']:,} states)" in said.out.replace("\n    ", " ")
    wrong = fencepost_says("explore", two_phase, "--bound", "three", "--sweep", "ResourceManager=3")
    assert (wrong.code, "is no range" in wrong.sentence) == (2, True)
