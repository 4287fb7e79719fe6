"""The nightly tier: which tests are in it, each with the test of `make test` that makes its claim."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from fencepost.tests import quick

NIGHTLY: dict[str, int] = {
    "tests/conformance/lockstep/test_recorded.py::test_plain_and_compiled_rows_agree": 1,
    "tests/conformance/test_meanings.py::test_another_meaning_is_seen_or_may_be": 1,
    "tests/conformance/test_mutants.py::test_a_hundred_mutants": 1,
    "tests/conformance/test_parts.py::test_a_recording_in_parts_is_judged_as_in_one_piece": 26,
    "tests/conformance/test_parts.py::test_many_altered_recordings_in_parts_are_judged_as_in_one_piece": 20,
    "tests/conformance/test_parts.py::test_what_stays_broken_goes_on_in_the_next_part": 1,
    "tests/conformance/test_simulated.py::test_every_controllers_log_conforms": 3,
    "tests/exploration/test_published.py::test_a_restated_specification_has_its_published_counts": 1,
    "tests/kraft_data/test_exploration.py::test_a_bound_has_its_pinned_counts": 2,
    "tests/kraft_data/test_refinement.py::test_an_edit_that_breaks_the_interface_is_refuted": 1,
    "tests/kraft_data/test_refinement.py::test_a_row_aside_keeps_the_claims_where_it_may": 1,
    "tests/kraft_data/test_refinement.py::test_every_row_of_kraft_is_a_row_of_the_slice_or_none": 1,
    "tests/kraft_loop/test_exploration.py::test_a_bound_has_its_pinned_counts": 3,
    "tests/kraft_whole/test_exploration.py::test_a_bound_has_its_pinned_counts": 1,
    "tests/kraft_whole/test_exploration.py::test_half_a_result_is_seen_and_made_whole": 1,
    "tests/museum/test_kraft.py::test_the_base_holds_where_the_defect_is_found": 5,
    "tests/museum/test_kraft_data.py::test_the_tables_hold_there": 4,
    "tests/museum/test_zk_data.py::test_the_tables_hold_there": 2,
    "tests/oracles/test_same.py::test_sql_and_conform_say_the_same_of_a_thousand": 1,
    "tests/proof/test_kraft.py::test_all_rows_are_proved_whatever_the_seed": 1,
    "tests/proof/test_zk.py::test_all_rows_are_proved_whatever_the_seed": 1,
    "tests/reference/kraft/test_injected.py::test_a_bug_is_found_within_its_seeds": 8,
    "tests/reference/kraft/test_simulation.py::test_clusters_that_begin_at_an_older_level": 8,
    "tests/reference/kraft/test_simulation.py::test_memory_made_from_snapshots": 3,
    "tests/reference/kraft/test_simulation.py::test_ten_minutes_of_a_seed_are_rows": 6,
    "tests/requirements/test_mutants.py::test_every_mutant_breaks_what_it_says": 1,
    "tests/tlc/test_slices.py::test_tlc_counts_what_exploration_counts": 2,
    "tests/tlc/test_tlc.py::test_counts_are_those_of_the_published_module": 2,
    "tests/tlc/test_zk_slices.py::test_tlc_judges_what_comes_to_pass_as_exploration_does": 1,
}
"""How many cases of a function run every night only; whoever adds one says so here."""

LIMIT = 160
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
