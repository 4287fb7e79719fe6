"""The slices of KRaft at their bounds: pinned counts, declared violations by shortest runs, rows that fire."""

from dataclasses import replace
from functools import cache

import pytest

from fencepost.checkers.exploration import Exploration, explore
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft import KRAFT
from fencepost.model.kraft.bounds import broker
from fencepost.model.kraft.slices import SLICES
from fencepost.model.kraft.state import elr, exists_, isr, leader, leader_epoch, p, partition_epoch, replicas
from fencepost.model.language import exists, some, sometimes
from fencepost.model.registry import find
from tests.examples.recorded_counts import of_bounds

BOUNDS = find("kraft").bounds
FIRST, LARGER = of_bounds("kraft")
SLOW = ("restart", "lag", "small", "everything")
NIGHTLY = ("pair", "combined")
REPEATED = "test_a_bound_has_its_pinned_counts[lower]"

MARKS = {**dict.fromkeys(SLOW, pytest.mark.exhaustive), **dict.fromkeys(NIGHTLY, pytest.mark.nightly(REPEATED))}
"""What keeps the larger bounds from every run of the tests."""

VIOLATED: dict[str, dict[str, int]] = {
    "tiny": {"P18d": 6},
    "restart": {"P18d": 6},
    "lag": {"P18d": 6},
    "small": {"P18d": 7},
    "changes": {"P18d": 6},
    "pair": {"P18d": 8},
    "reassignment": {"P5": 6, "P13b": 6},
    "unclean": {"P5": 6, "P13b": 6},
    "directories": {"P18d": 6},
    "reporting": {"P7s": 7, "P18d": 6, "P32": 7, "P34": 6, "P36": 6},
    "removal": {"P7s": 7, "P18": 6, "P18d": 6, "P26": 6, "P35": 6},
    "configurations": {},
    "cluster": {"K7c": 2},
    "together": {"P1": 6, "P3": 6, "P7s": 6, "P34": 4},
    "everything": {"P1": 6, "P3": 6, "P7s": 6, "P18": 6, "P18d": 6, "P26": 6, "P34": 4, "P35": 6},
    "combined": {"P1": 7, "P3": 7, "P5": 7, "P7s": 7, "P13b": 7, "P34": 5},
    "lower": {},
    "growth": {},
    "security": {},
}
"""The declared violations that each bound shows, with the rows of a shortest run to them."""

_SWITCHED = "HD2 breaks it where ELR is switched on while a partition has no leader (D34); no bound has both"
AT_NO_BOUND = {
    "C2": "CP6 breaks it where a topic gets two partitions at once (D30); no bound has three",
    "P1w": _SWITCHED,
    "P3w": _SWITCHED,
}
"""What is declared violated and violated at no bound, with the reason; a proof shows that the row breaks it."""

BROKEN_BY_TWO_RECORDS = {"P1": 6, "P3": 6}
"""What D26 breaks where directories, features and fencing come together, with the rows of a shortest run to it."""


@cache
def explored(bound: str, max_depth: int | None = None) -> Exploration:
    """The slice of KRaft that has a bound, explored once."""
    return explore(BOUNDS[bound], bound, max_depth=max_depth, engine="auto" if max_depth is None else "numpy")


@pytest.mark.representative("security", "lower")
@pytest.mark.parametrize("bound", [pytest.param(one, marks=MARKS.get(one, ())) for one in (*FIRST, *LARGER)])
def test_a_bound_has_its_pinned_counts(bound: str) -> None:
    """A slice has as many states as when it was last looked at; what is violated is declared, by the shortest run."""
    found = explored(bound)
    assert found.verdict is Verdict.CLOSED
    assert (found.distinct, found.generated, found.depth) == {**FIRST, **LARGER}[bound]
    assert all(one.as_declared for one in found.properties)
    assert found.shown_nevertheless == ()
    broken = {one.id: one.trace for one in found.properties if one.verdict is Verdict.VIOLATED}
    assert {id: None if trace is None else len(trace.steps) for id, trace in broken.items()} == VIOLATED[bound]


def test_every_slice_and_bound_is_pinned() -> None:
    """Every slice begins with a bound for every run, no bound is left without counts, and no name is twice."""
    assert [next(iter(one.bounds)) for one in SLICES] == list(FIRST)
    names = [bound for one in SLICES for bound in one.bounds]
    assert len(set(names)) == len(names)
    assert set(names) == {*FIRST, *LARGER}


def test_every_table_is_explored() -> None:
    """Every table of KRaft is in some slice."""
    assert {table.name for one in SLICES for table in one.tables} == {table.name for table in KRAFT.tables}


def test_every_declared_violation_is_found_in_some_slice() -> None:
    """What is declared violated is violated at a bound, or listed with what keeps it from that."""
    declared = {one.id for one in KRAFT.properties if getattr(one, "expected", "holds") == "violated"}
    assert declared - {id for broken in VIOLATED.values() for id in broken} == set(AT_NO_BOUND)


@pytest.mark.nightly("tests/exploration/test_manifest.py::test_nothing_is_left_without_a_bound_or_a_reason[kraft]")
def test_every_row_fires_at_some_bound_or_is_listed() -> None:
    """Each row that changes anything fires at a bound.

    The first levels of the larger bounds are enough for the rows that need a second process or a late reader.
    """
    found = [*(explored(bound) for bound in (*FIRST, "unclean")), explored("restart", 4), explored("lag", 8)]
    fired = {id for one in found for id, times in one.rows_fired.items() if times}
    assert {row.id for row in KRAFT.rows if row.changes} - fired == set()


@pytest.mark.nightly("tests/proof/test_every_row.py::test_d26_is_no_hypothesis_and_p1_and_p3_fall_as_declared")
def test_directories_features_and_fencing_together_break_what_nothing_else_does() -> None:
    """A leader outside the ISR, and one of an empty ISR, in six rows; and a shutdown that leads (HB9)."""
    found = explored("together")
    assert found.rows_fired["HB9"]
    for id, length in BROKEN_BY_TWO_RECORDS.items():
        judged = found.property(id)
        assert judged.verdict is Verdict.VIOLATED
        assert judged.trace is not None
        assert len(judged.trace.steps) == length
        assert [one.row.id for one in judged.trace.steps] == ["R1", "HB2", "CT3", "OD4", "FE7", "AD3"]


@pytest.mark.exhaustive
def test_everything_at_once_fires_rows_of_every_table() -> None:
    """Registration, fencing, reassignment, elections, directories, configurations and features happen in one bound."""
    fired = {id for id, times in explored("everything").rows_fired.items() if times}
    assert {"R2", "R3", "UR3", "FO1", "RA3", "UE1", "CF5", "CF10", "FE7", "FE8", "AD3", "OD4", "HB9"} <= fired


@pytest.mark.nightly("tests/exploration/test_swarm.py::test_walks_come_to_four_changes_of_a_partition")
@pytest.mark.slow
def test_a_partition_loses_its_leader_elects_an_eligible_one_and_grows_its_isr_again() -> None:
    """The ISR shrinks, an eligible leader replica forms, the leader goes, the eligible one is elected, the ISR grows.

    A partition comes to that in four changes, and no run to it is shorter than 11 rows.
    """
    whole_again = (
        leader[p].is_(some(broker(1))) & leader_epoch[p].is_(2) & partition_epoch[p].is_(4) & isr[p].is_(replicas[p])
    )
    asked = sometimes("again", exists(p, exists_[p] & whole_again), "A partition recovers.", "KIP-966")
    searched = replace(BOUNDS["changes"], properties=(asked,))
    found = explore(searched, "changes", stop_at_first=True, deadlock=False).property("again")
    assert found.trace is not None
    states = [step.after for step in found.trace.steps]
    changes = [
        (one.read(isr.state, (0,)), one.read(elr.state, (0,)), one.read(leader.state, (0,)))
        for one in states
        if one.read(exists_.state, (0,))
    ]
    assert list(dict.fromkeys(changes)) == [
        ((0, 1), frozenset(), 0),
        ((0,), frozenset({1}), 0),
        ((), frozenset({0, 1}), None),
        ((1,), frozenset({0}), 1),
        ((0, 1), frozenset(), 1),
    ]
    assert len(found.trace.steps) == 11
