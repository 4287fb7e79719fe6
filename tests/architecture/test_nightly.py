"""The nightly tier: which tests are in it, each with the test of `make test` that makes its claim."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from fencepost.tests import quick

NIGHTLY: dict[str, int] = {
    "tests/conformance/test_by_term.py::test_no_single_release_explains_an_upgrade": 1,
    "tests/kraft_data/test_exploration.py::test_a_bound_has_its_pinned_counts": 2,
    "tests/kraft_data/test_refinement.py::test_an_edit_that_breaks_the_interface_is_refuted": 1,
    "tests/kraft_loop/test_exploration.py::test_a_bound_has_its_pinned_counts": 1,
    "tests/kraft_whole/test_exploration.py::test_a_bound_has_its_pinned_counts": 1,
    "tests/kraft_whole/test_exploration.py::test_half_a_result_is_seen_and_made_whole": 1,
    "tests/museum/test_kraft.py::test_the_base_holds_where_the_defect_is_found": 5,
    "tests/museum/test_kraft_data.py::test_the_tables_hold_there": 4,
    "tests/museum/test_zk_data.py::test_the_tables_hold_there": 2,
    "tests/proof/test_kraft.py::test_all_rows_are_proved_whatever_the_seed": 1,
    "tests/proof/test_zk.py::test_all_rows_are_proved_whatever_the_seed": 1,
    "tests/requirements/test_mutants.py::test_every_mutant_breaks_what_it_says": 1,
}
"""How many cases of a function run every night only; whoever adds one says so here."""

LIMIT = 60
"""The cases of the tier are no more than this."""


@pytest.fixture
def collected(request: pytest.FixtureRequest) -> list[pytest.Item]:
    """Return the tests of all files that are collected whole, those too that the markers leave out."""
    parts = {Path(one.partition("::")[0]).name for one in request.config.args if "::" in one}
    return [item for item in request.config.stash[quick.COLLECTED] if item.path.name not in parts]


def _named(item: pytest.Item, marker: pytest.Mark) -> str:
    """Return the node id of the test that a nightly one repeats: of the same file where it names none."""
    [name] = marker.args
    return name if "::" in name else f"{quick.split(item.nodeid)[0]}::{name}"


def _function(nodeid: str) -> str:
    return "::".join(quick.split(nodeid))


def test_the_tier_is_what_is_listed(collected: list[pytest.Item]) -> None:
    """Of each file that is collected the tier has as many cases of each function as are listed, and no others."""
    files = {quick.split(item.nodeid)[0] for item in collected}
    found = Counter(_function(item.nodeid) for item in collected if item.get_closest_marker("nightly"))
    assert found == {name: count for name, count in NIGHTLY.items() if name.partition("::")[0] in files}


def test_the_tier_is_small() -> None:
    """As many cases as are listed are no more than the limit."""
    assert sum(NIGHTLY.values()) <= LIMIT


def test_each_names_a_test_that_runs(collected: list[pytest.Item]) -> None:
    """What a nightly test repeats is claimed by a test that is collected, and left out by no marker."""
    run = {item.nodeid for item in collected if not quick.left_out(one.name for one in item.iter_markers())}
    files = {quick.split(item.nodeid)[0] for item in collected}
    for item in collected:
        for marker in item.iter_markers("nightly"):
            named = _named(item, marker)
            if quick.split(named)[0] in files:
                assert named in run or named in {_function(one) for one in run}, f"{item.nodeid}: {named} does not run"
