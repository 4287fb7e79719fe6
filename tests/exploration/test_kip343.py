"""The slices of KIP-343 at their bounds: counts, shortest violations, what comes to pass, rows that fire."""

from dataclasses import replace
from functools import cache

import pytest

from fencepost.checkers.exploration import Exploration, explore
from fencepost.checkers.exploration.manifest import nowhere
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kip343 import KIP343
from fencepost.model.kip343.names import HIDDEN
from fencepost.model.kip343.slices import SLICES
from fencepost.model.kip343.state import fenced, state
from fencepost.model.language import LeadsTo
from fencepost.model.registry import find
from tests.examples.recorded_counts import of_bounds

BOUNDS = find("kip343").bounds
FIRST, LARGER = of_bounds("kip343")
QUICK = [bound for bound in (*FIRST, *LARGER) if bound != "small"]

VIOLATED: dict[str, dict[str, int]] = {
    "tiny": {"HI3c": 5, "HI3r": 6},
    "lossy": {"HI3c": 5, "HI3r": 6},
    "small": {"HI3c": 6, "HI3r": 8},
    "incarnations": {"HI1t": 10, "HIu": 7},
    "leaders": {"M1": 8, "M3": 9, "M3c": 11, "M3t": 7, "HIa": 10},
    "failover": {"M1": 4, "M3": 9, "M7": 7},
    "roll": {"M1": 5},
    "legacy": {"HI10l": 4},
}
"""The declared violations that each bound shows, with the rows of a shortest run to them."""


@cache
def explored(bound: str) -> Exploration:
    """The slice of KIP-343 that has a bound, explored once."""
    return explore(BOUNDS[bound], bound)


@pytest.mark.representative("tiny", "lossy")
@pytest.mark.parametrize(
    "bound", [pytest.param(one, marks=() if one in QUICK else pytest.mark.exhaustive) for one in (*FIRST, *LARGER)]
)
def test_a_bound_has_its_pinned_counts(bound: str) -> None:
    """A slice has as many states as when last looked at; what is violated is declared, by the shortest run."""
    found = explored(bound)
    assert found.verdict is Verdict.CLOSED
    assert (found.distinct, found.generated, found.depth) == {**FIRST, **LARGER}[bound]
    assert all(one.as_declared for one in found.properties)
    assert found.shown_nevertheless == ()
    broken = {one.id: one.trace for one in found.properties if one.verdict is Verdict.VIOLATED}
    assert {id: None if trace is None else len(trace.steps) for id, trace in broken.items()} == VIOLATED[bound]
    assert found.out_of_range == {}


@pytest.mark.representative("tiny", "lossy", "leaders", "failover")
@pytest.mark.parametrize("bound", QUICK)
def test_what_comes_to_pass(bound: str) -> None:
    """What is claimed of what comes to pass holds at the bound: a lost message or a failure delays, and no more."""
    claimed = [one.id for one in BOUNDS[bound].properties if isinstance(one, LeadsTo)]
    assert {explored(bound).property(id).verdict for id in claimed} <= {Verdict.CLOSED}


def test_what_is_to_come_to_pass_is_claimed_of_some_slice() -> None:
    """No claim of what comes to pass is without a bound at which the tests explore it."""
    claimed = {one.id for bound in QUICK for one in BOUNDS[bound].properties if isinstance(one, LeadsTo)}
    assert claimed == {"HI9", "HI42", "HI43", "HI44", "M6", "M8", "M9"}


@pytest.mark.parametrize(
    ("id", "strong", "loop"),
    [
        ("HI43", (), ["HS1", "HS3"]),
        ("HI44", (), ["HS3", "HS1", "H5"]),
        ("HI44", ("Heartbeat",), ["HS3", "HS1", "H5"]),
        ("HI44", ("HeartbeatReply",), ["HS1", "HS3"]),
    ],
)
def test_weak_fairness_is_not_enough_where_messages_are_lost_for_ever(
    id: str, strong: tuple[str, ...], loop: list[str]
) -> None:
    """With weak fairness of a delivery, each heartbeat or each answer may be lost: its loss ends what was enabled."""
    lossy = BOUNDS["lossy"]
    claim = lossy.property(id)
    assert isinstance(claim, LeadsTo)
    weak = tuple(e for e in claim.fair_events if e not in strong)
    weaker = replace(claim, fair=weak, strongly_fair=strong, ranking=None)
    found = explore(replace(lossy, properties=(weaker,)), "lossy").property(id)
    assert found.verdict is Verdict.VIOLATED
    assert found.loop is not None
    assert [step.row.id for step in found.loop.steps] == loop


def test_a_controller_that_is_gone_for_longer_than_the_timeout_fences_every_broker() -> None:
    """HI3's witness: no active controller, ZooKeeper healthy, and the broker fences itself although it was Active."""
    trace = explored("tiny").property("HI3c").trace
    assert trace is not None
    assert [step.row.id for step in trace.steps] == ["HF1", "HC1", "HT1", "HT1", "H7"]
    assert trace.end.read(fenced.state, (0,)) is True


def test_lost_answers_fence_a_broker_that_the_controller_has_active() -> None:
    """HI3 needs answers that arrive: a heartbeat that the controller got is no contact for the broker."""
    trace = explored("tiny").property("HI3r").trace
    assert trace is not None
    assert trace.steps[-1].row.id == "H7"
    assert "H5" in [step.row.id for step in trace.steps]
    assert trace.end.read(state.state, (0,)).value == "Active"


def test_two_leaders_act_between_the_two_timeouts() -> None:
    """S-a: the controller has elected another leader and notified it, and the one that is cut off is not fenced yet."""
    trace = explored("leaders").property("M3c").trace
    assert trace is not None
    rows = [step.row.id for step in trace.steps]
    assert rows[-3:] == ["H6", "HE1", "HE3"]
    assert "H7" not in rows


def test_every_slice_and_bound_is_pinned() -> None:
    """No bound is left without counts, and no name is twice; the first is `tiny`."""
    names = [bound for one in SLICES for bound in one.bounds]
    assert names[0] == "tiny"
    assert len(set(names)) == len(names)
    assert set(names) == {*FIRST, *LARGER} == set(VIOLATED)


def test_every_declared_violation_is_found_in_some_slice() -> None:
    """What is declared violated is violated at a bound."""
    declared = {one.id for one in KIP343.properties if getattr(one, "expected", "holds") == "violated"}
    assert declared == {id for broken in VIOLATED.values() for id in broken}


def test_every_claim_and_table_is_explored() -> None:
    """Every claim and every table of KIP-343 is in some slice."""
    assert {table.name for one in SLICES for table in one.tables} == {table.name for table in KIP343.tables}
    lemmas = {one.id for one in KIP343.properties if getattr(one, "lemma", False)}
    assert {p.id for one in SLICES for p in one.properties} == {p.id for p in KIP343.properties} - lemmas


@pytest.mark.nightly("tests/exploration/test_manifest.py::test_nothing_is_left_without_a_bound_or_a_reason[kip343]")
def test_every_row_fires_at_some_bound_or_is_listed() -> None:
    """Each row that changes anything fires at a bound, or is listed with what keeps it from firing."""
    fired = {id for bound in QUICK for id, times in explored(bound).rows_fired.items() if times}
    assert {row.id for row in KIP343.rows if row.changes} - fired == set(nowhere("kip343").rows)


def test_what_is_hidden_are_variables_of_the_tables() -> None:
    """Every name that a run need not tell is that of a variable; fixed ones are settings."""
    assert set(HIDDEN) <= {one.name for one in KIP343.states if one.what != "fixed"}
