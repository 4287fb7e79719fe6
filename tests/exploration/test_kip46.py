"""KIP-46 at its bounds: counts, shortest violations, what comes to pass, rows that fire."""

from functools import cache

import pytest

from fencepost.checkers.exploration import Exploration, explore
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kip46 import KIP46
from fencepost.model.kip46.slices import SLICES
from fencepost.model.registry import find

BOUNDS = find("kip46").bounds

COUNTS: dict[str, tuple[int, int, int]] = {
    "tiny": (703, 2_267, 24),
    "small": (8_000, 29_484, 32),
    "queue": (128_525, 524_341, 40),
    "submitted": (25_690, 97_872, 34),
    "chunks": (1_047, 3_020, 28),
    "chunks-of-four": (297_608, 923_876, 41),
    "two-gone": (10_482, 32_008, 31),
    "steady": (489, 1_705, 18),
    "targets": (741, 2_665, 23),
    "manual": (2_167, 8_386, 20),
    "two-failures": (59_567, 252_481, 32),
    "losing": (2_028, 7_181, 26),
}
"""Distinct states, states generated, depth."""

VIOLATED: dict[str, dict[str, int]] = {
    "tiny": {"SI1": 7, "M6": 5, "SI7": 3},
    "small": {"SI1": 7, "M6": 5, "SI7": 3},
    "queue": {"SI1": 7, "M6": 5, "SI7": 3},
    "submitted": {"SI1": 7, "M6": 5, "SI7": 3},
    "chunks": {"SI7": 3},
    "chunks-of-four": {"SI7": 3},
    "two-gone": {"SI7": 3},
    "steady": {"M6": 5},
    "targets": {"M6": 5, "SI7": 15},
    "manual": {"M6": 5, "SI7": 10},
    "two-failures": {"M6": 5, "SI7": 15},
    "losing": {"M6": 5, "M5": 15, "SI7": 12},
}
"""The declared violations that each bound shows, with the rows of a shortest run to them."""


@cache
def explored(bound: str) -> Exploration:
    """The slice that has a bound, explored once."""
    return explore(BOUNDS[bound], bound)


@pytest.mark.representative("tiny", "steady", "losing")
@pytest.mark.parametrize("bound", COUNTS)
def test_a_bound_has_its_pinned_counts(bound: str) -> None:
    """A slice has as many states as when last looked at; what is violated is declared, by the shortest run."""
    found = explored(bound)
    assert found.verdict is Verdict.CLOSED
    assert (found.distinct, found.generated, found.depth) == COUNTS[bound]
    assert all(one.as_declared for one in found.properties)
    assert found.shown_nevertheless == ()
    broken = {one.id: one.trace for one in found.properties if one.verdict is Verdict.VIOLATED}
    assert {id: None if trace is None else len(trace.steps) for id, trace in broken.items()} == VIOLATED[bound]
    assert found.out_of_range == {}


def test_every_bound_is_pinned() -> None:
    """No bound is left without counts, and no name is twice."""
    names = [bound for one in SLICES for bound in one.bounds]
    assert len(set(names)) == len(names)
    assert set(names) == set(COUNTS) == set(VIOLATED)


def test_every_declared_violation_is_found_at_some_bound() -> None:
    """What is declared violated is violated somewhere, and nothing else is."""
    declared = {one.id for one in KIP46.properties if getattr(one, "expected", "holds") == "violated"}
    assert declared == {id for broken in VIOLATED.values() for id in broken}


@pytest.mark.nightly("tests/exploration/test_manifest.py::test_nothing_is_left_without_a_bound_or_a_reason[kip46]")
def test_every_row_fires_at_some_bound() -> None:
    """Each row of KIP-46 is taken at some bound."""
    fired = {id for bound in COUNTS for id, times in explored(bound).rows_fired.items() if times}
    assert {row.id for row in KIP46.rows} == fired


def test_the_dead_are_healed_under_a_controller_that_stays() -> None:
    """SI7 holds at `steady`: one broker fails, another takes over its replicas, whatever it does in between."""
    found = explored("steady")
    assert found.property("SI7").verdict is Verdict.CLOSED
    assert found.rows_fired["SH6"] > 0
    assert found.rows_fired["SH5"] > 0


@pytest.mark.nightly("tests/exploration/test_kip46.py::test_a_bound_has_its_pinned_counts[losing]")
def test_the_tasks_of_a_second_failure_wait_behind_a_task_that_moves_to_it() -> None:
    """SI7 at `two-failures`: a task moves to broker 1, whose failure is heard of later; no other task runs before."""
    found = explored("two-failures").property("SI7").trace
    assert found is not None
    values = [{key.name: value for key, value in step.binding.items()} for step in found.steps]
    rows = [step.row.id for step in found.steps]
    placed = rows.index("SH3a")
    assert (values[placed]["b"], 1 in values[placed]["target"]) == (0, True)
    assert placed < max(at for at, row in enumerate(rows) if row == "SH1" and values[at]["b"] == 1)
    assert [value["chunk"] for row, value in zip(rows, values, strict=True) if row == "SH4"] == [0]


def test_who_dies_without_a_controller_is_never_healed() -> None:
    """SH11: the broker and the controller die, a new one comes, and nothing more need happen."""
    found = explored("tiny").property("SI7")
    assert found.trace is not None
    assert [step.row.id for step in found.trace.steps] == ["BP1", "CP1", "SH8"]
    assert found.loop is not None
    assert found.loop.steps == ()


def test_a_broker_that_came_back_unheard_is_healed() -> None:
    """SI1: its entry outlives the controller, and it is not compared with the live brokers."""
    found = explored("tiny").property("SI1")
    assert found.trace is not None
    assert [step.row.id for step in found.trace.steps] == ["BP1", "SH1", "CP1", "BP2", "SH8", "TM1", "SH3"]
