"""The slices of KIP-631's second version at their bounds: counts, violations by shortest runs, rows that fire."""

from functools import cache

import pytest

from fencepost.checkers.exploration import Exploration, explore
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kip631.v2 import KIP631_V2
from fencepost.model.kip631.v2.busy import BUSY
from fencepost.model.kip631.v2.slices import SLICES
from fencepost.model.kip631.v2.state import BrokerState, broker_state
from fencepost.model.language import LeadsTo
from fencepost.model.museum.kip631_v2 import KIP631_V2_MUSEUM
from fencepost.model.registry import find
from tests.examples.recorded_counts import of_bounds

BOUNDS = find("kip631-v2").bounds
FIRST, LARGER = of_bounds("kip631-v2")

_RUNS = ("BS1", "V2.6", "CM", "BA1", "BS2", "V2.1n", "BS3", "BS4", "V2.1", "BS5")
VIOLATED: dict[str, dict[str, list[str]]] = {
    "tiny": {"K12": [*_RUNS, "BS6", "EL", "CM", "BA1", "TP", "TP", "V2.4"], "M4": [*_RUNS, "TP", "TP", "V2.3", "CM"]},
    "late": {"M4": ["V2.2", "CM", "TP", "TP"]},
    "leaders": {"K8o": ["EL", "CM", "BA1", "BS6", "EL", "V2.4s"], "M3": ["EL", "CM", "BA1", "EL", "CM", "BA1"]},
    "small": {"K8o": ["EL", "CM", "BA1", "BS6", "EL", "V2.4s"], "M3": ["EL", "CM", "BA1", "EL", "CM", "BA1"]},
    "reassignment": {},
    "busy": {},
    "logs": {"K13": ["TC", "CM", "BA1", "LH", "TR", "CM", "BA3"]},
}
"""The declared violations that each bound shows, with the rows of a shortest run to them."""


@cache
def explored(bound: str) -> Exploration:
    """The slice that has a bound, explored once."""
    return explore(BOUNDS[bound], bound)


@pytest.mark.representative("logs", "leaders")
@pytest.mark.parametrize("bound", [*FIRST, *(pytest.param(one, marks=pytest.mark.slow) for one in LARGER)])
def test_a_bound_has_its_pinned_counts(bound: str) -> None:
    """A slice has as many states as when last looked at; what is violated is declared; no range is in the way."""
    found = explored(bound)
    assert found.verdict is Verdict.CLOSED
    assert (found.distinct, found.generated, found.depth) == {**FIRST, **LARGER}[bound]
    assert all(one.as_declared for one in found.properties)
    assert found.shown_nevertheless == ()
    broken = {one.id: one.trace for one in found.properties if one.verdict is Verdict.VIOLATED}
    assert {id: len(trace.steps) for id, trace in broken.items() if trace} == {
        id: len(rows) for id, rows in VIOLATED[bound].items()
    }
    assert found.out_of_range == {}


@pytest.mark.nightly("tests/exploration/test_manifest.py::test_nothing_is_left_without_a_bound_or_a_reason[kip631-v2]")
def test_every_row_fires_at_some_bound() -> None:
    """Each row that changes anything fires somewhere."""
    fired = {id for bound in FIRST for id, times in explored(bound).rows_fired.items() if times}
    assert {row.id for row in KIP631_V2.rows if row.changes} - fired == set()


def test_every_slice_and_bound_is_pinned() -> None:
    """Every slice begins with a bound for every run, none is left without counts, and no name is twice."""
    assert [next(iter(one.bounds)) for one in SLICES] == list(FIRST)
    names = [bound for one in SLICES for bound in one.bounds]
    assert len(set(names)) == len(names)
    assert set(names) == {*FIRST, *LARGER} == set(VIOLATED)


def test_every_table_and_claim_is_explored() -> None:
    """Every table is in a slice; what is declared violated is so at a bound; and what comes to pass is claimed."""
    tables = {table.name for table in KIP631_V2.tables}
    assert {table.name for one in SLICES for table in one.tables} == {*tables, BUSY.name}
    declared = {one.id for one in KIP631_V2.properties if getattr(one, "expected", "holds") == "violated"}
    assert declared == {id for broken in VIOLATED.values() for id in broken}
    claimed = {p.id for one in SLICES for p in one.properties if isinstance(p, LeadsTo)}
    assert claimed == {p.id for p in KIP631_V2.properties if isinstance(p, LeadsTo)}


def test_a_broker_that_is_cut_off_serves_on() -> None:
    """M4: the controller has fenced it, and it is RUNNING for ever."""
    found = explored("tiny").property("M4")
    assert found.trace is not None
    assert found.loop is not None
    assert found.trace.end.read(broker_state.state, (0,)) is BrokerState.RUNNING


def test_two_brokers_serve_when_a_live_leader_is_moved() -> None:
    """M3: the new leader has applied the record of its election, the old one has not; their epochs differ (M2)."""
    found = explored("leaders")
    trace = found.property("M3").trace
    assert trace is not None
    assert [step.row.id for step in trace.steps] == VIOLATED["leaders"]["M3"]
    assert found.property("M2").verdict is Verdict.CLOSED


REPAIRED = {"self_fencing": ("M4", "K25"), "leaderless_shutdown": ("K12", "P16")}
"""What a repair keeps, and the one claim of the text's rows that it gives up: a broker that fences itself needs no
answer, and a leader that may go leaves its partition without one."""


@pytest.mark.representative("leaderless_shutdown")
@pytest.mark.parametrize("name", REPAIRED)
def test_a_repair_keeps_what_is_declared_violated(name: str) -> None:
    """What comes to pass under the repair alone: M4 with the broker's own session, K12 without a leader."""
    variant = find(f"kip631-v2+{name}").explored
    found = explore(variant, "tiny")
    kept, given_up = REPAIRED[name]
    assert found.property(kept).verdict is Verdict.CLOSED
    broken = {one.id for one in found.properties if one.verdict is Verdict.VIOLATED and one.expected == "holds"}
    assert broken == {given_up}
    assert found.out_of_range == {}


@pytest.mark.representative("implicit_fence", "unregister_unknown")
@pytest.mark.parametrize("name", sorted({one.name for one in KIP631_V2_MUSEUM if not one.expected} - set(REPAIRED)))
def test_a_reading_that_breaks_nothing_closes_as_declared(name: str) -> None:
    """Variants without an expected violation keep every claim at the first bound of their slice."""
    variant = find(f"kip631-v2+{name}").explored
    found = explore(variant, next(iter(variant.bounds)))
    assert found.verdict is Verdict.CLOSED
    assert all(one.as_declared for one in found.properties)
    assert found.shown_nevertheless == ()
