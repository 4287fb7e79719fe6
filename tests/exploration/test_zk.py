"""The slices of the ZooKeeper era at their bounds: counts, shortest violations, what comes to pass, rows that fire."""

from functools import cache

import pytest

from fencepost.checkers.exploration import Exploration, explore
from fencepost.checkers.exploration.manifest import nowhere, recorded
from fencepost.checkers.verdicts import Verdict
from fencepost.model.language import LeadsTo
from fencepost.model.registry import find
from fencepost.model.zk import ZK
from fencepost.model.zk.slices import SLICES
from fencepost.model.zk.state import leader
from tests.examples.recorded_counts import of_bounds

BOUNDS = find("zk").bounds
FIRST, LARGER = of_bounds("zk")
SLOW = ("failover", "small", "deletions")
NIGHTLY = ("example", "exchange")
REPEATED = "test_a_bound_has_its_pinned_counts[directories]"
QUICK = [bound for bound in (*FIRST, *LARGER) if bound not in (*SLOW, *NIGHTLY)]

MARKS = {**dict.fromkeys(SLOW, pytest.mark.exhaustive), **dict.fromkeys(NIGHTLY, pytest.mark.nightly(REPEATED))}
"""What keeps the larger bounds from every run of the tests."""

VIOLATED: dict[str, dict[str, int]] = {
    "tiny": {},
    "failover": {},
    "failures": {},
    "directories": {},
    "reassignment": {"ZI2m": 28},
    "small": {"ZI2m": 30},
    "deposed": {"ZI2m": 22},
    "example": {"ZI2m": 35},
    "exchange": {"ZI2m": 35},
    "cancelled": {"ZI2r": 33, "ZI2m": 28, "ZI12": 53, "ZI13": 58},
    "deletion": {},
    "redeletion": {},
    "deletions": {},
    "moving": {},
    "elections": {},
    "requests": {"ZI16": 13},
    "zombies": {"ZI16": 13},
    "erased": {"ZI16": 15},
}
"""The declared violations that each bound shows, with the rows of a shortest run to them."""


@cache
def explored(bound: str) -> Exploration:
    """The slice of the ZooKeeper era that has a bound, explored once."""
    return explore(BOUNDS[bound], bound)


@pytest.mark.representative("directories")
@pytest.mark.parametrize("bound", [pytest.param(one, marks=MARKS.get(one, ())) for one in (*FIRST, *LARGER)])
def test_a_bound_has_its_pinned_counts(bound: str) -> None:
    """A slice has as many states as when last looked at; what is violated is declared, by the shortest run."""
    found = explored(bound)
    assert found.verdict is Verdict.CLOSED
    assert (found.distinct, found.generated, found.depth) == {**FIRST, **LARGER}[bound]
    assert all(one.as_declared for one in found.properties)
    assert found.shown_nevertheless == ()
    broken = {one.id: one.trace for one in found.properties if one.verdict is Verdict.VIOLATED}
    assert {id: None if trace is None else len(trace.steps) for id, trace in broken.items()} == VIOLATED[bound]


@pytest.mark.representative("directories")
@pytest.mark.parametrize("bound", QUICK)
def test_what_comes_to_pass_is_judged_without_a_range_in_the_way(bound: str) -> None:
    """No counter's range disables anything: what a bound leaves out are failures and wishes, never work."""
    assert explored(bound).out_of_range == {}


@pytest.mark.representative("directories")
@pytest.mark.parametrize(
    "bound", [bound for bound in QUICK if any(isinstance(p, LeadsTo) for p in BOUNDS[bound].properties)]
)
def test_what_comes_to_pass(bound: str) -> None:
    """ZI12, ZI13, ZI14 and the end of operations hold where they are claimed, except where Z24 is declared."""
    one = BOUNDS[bound]
    for p in (p for p in one.properties if isinstance(p, LeadsTo)):
        judged = explored(bound).property(p.id).verdict
        assert judged is (Verdict.VIOLATED if one.name == "zk_replacement" and p.id != "ZE1" else Verdict.CLOSED)


@pytest.mark.nightly("tests/museum/test_shortest_runs.py::test_exploration_finds_it_by_its_shortest_run[zk+Z24-ZI12s]")
def test_a_reassignment_that_stops_its_leader_leaves_a_partition_without_one() -> None:
    """KAFKA-14808: the new target drops the adding replica that leads, and no replica is ever elected."""
    found = explored("cancelled").property("ZI12")
    assert found.trace is not None
    assert found.loop is not None
    assert found.loop.steps == ()
    rows = [step.row.id for step in found.trace.steps]
    assert rows[rows.index("BR3") :].count("ZC5U") == 1
    stopped = rows.index("ZR4", rows.index("BR3"))
    after = found.trace.steps[stopped].after
    assert after.read(leader.state, (0,)) is None


def test_every_slice_and_bound_is_pinned() -> None:
    """Every slice begins with a bound for every run, no bound is left without counts, and no name is twice."""
    assert [next(iter(one.bounds)) for one in SLICES] == list(FIRST)
    names = [bound for one in SLICES for bound in one.bounds]
    assert len(set(names)) == len(names)
    assert set(names) == {*FIRST, *LARGER} == set(VIOLATED)


def test_every_table_is_explored() -> None:
    """Every table of the ZooKeeper era is in some slice, and some slice claims liveness."""
    assert {table.name for one in SLICES for table in one.tables} == {table.name for table in ZK.tables}
    claimed = {p.id for one in SLICES for p in one.properties if isinstance(p, LeadsTo)}
    assert claimed == {p.id for p in ZK.properties if isinstance(p, LeadsTo)}


def test_every_declared_violation_is_found_in_some_slice() -> None:
    """What is declared violated is violated at a bound, as what comes to pass is."""
    declared = {one.id for one in ZK.properties if getattr(one, "expected", "holds") == "violated"}
    assert declared == {id for broken in VIOLATED.values() for id in broken}


@pytest.mark.nightly("tests/exploration/test_manifest.py::test_nothing_is_left_without_a_bound_or_a_reason[zk]")
def test_every_row_fires_at_some_bound_or_is_listed() -> None:
    """Each row that changes anything fires at a bound, or is listed with what keeps it from firing."""
    found = [explored(bound) for bound in QUICK]
    fired = {id for one in found for id, times in one.rows_fired.items() if times}
    assert {row.id for row in ZK.rows if row.changes} - fired == set(nowhere("zk").rows)


def test_small_is_what_it_is_for() -> None:
    """`small` has three brokers and two candidates; a replica moves while the first may fail at every step.

    The rows are those that are recorded of the bound: it is explored anew when that is asked for.
    """
    one = BOUNDS["small"]
    bound = one.bounds["small"]
    assert (bound.sizes["Broker"], bound.sizes["Controller"]) == (3, 2)
    assert {"SE1", "SE3", "SE4", "BR3", "ZC5", "ZC5U", "ZC5A1"} <= {*recorded("zk")["small"].rows}
