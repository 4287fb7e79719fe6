"""The slices of KIP-631 version 1 at their bounds: counts, shortest violations, what comes to pass, rows that fire."""

from functools import cache

import pytest

from fencepost.checkers.exploration import Exploration, explore
from fencepost.checkers.exploration.manifest import recorded
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kip631.v1 import KIP631_V1
from fencepost.model.kip631.v1.names import HIDDEN
from fencepost.model.kip631.v1.records import ISR_CHANGE, SCHEMAS
from fencepost.model.kip631.v1.slices import SLICES
from fencepost.model.language import Always, LeadsTo, Sometimes, Step
from fencepost.model.registry import find

BOUNDS = find("kip631-v1").bounds
COUNTS = {bound: one.counts for bound, one in recorded("kip631-v1").items()}

VIOLATED: dict[str, dict[str, int]] = {
    "moved": {"M3": 4},
    "small": {"M3": 16},
    "shutdown": {"M3": 4},
    "stopping": {"K12": 4},
    "bounce": {"K1": 10, "K4": 14, "M6h": 17},
}
"""The declared violations that each bound shows, with the rows of a shortest run to them."""

PASSES = {"tiny": {"K11"}, "failover": {"K10", "K11"}, "death": {"K10", "M9"}, "lengths": {"K10"}, "overtaken": {"K11"}}
"""What is found to come to pass at a bound."""


@cache
def explored(bound: str) -> Exploration:
    """The slice that has a bound, explored once."""
    return explore(BOUNDS[bound], bound)


@pytest.mark.representative("stopping", "death", "moved")
@pytest.mark.parametrize("bound", COUNTS)
def test_a_bound_has_its_pinned_counts(bound: str) -> None:
    """A slice has as many states as when last looked at; what is violated is declared, by the shortest run."""
    found = explored(bound)
    assert found.verdict is Verdict.CLOSED
    assert (found.distinct, found.generated, found.depth) == COUNTS[bound]
    assert found.out_of_range == {}
    assert all(one.as_declared for one in found.properties)
    assert found.shown_nevertheless == ()
    broken = {one.id: one.trace for one in found.properties if one.verdict is Verdict.VIOLATED}
    shortest = {id: None if trace is None else len(trace.steps) for id, trace in broken.items()}
    assert shortest == VIOLATED.get(bound, {})


@pytest.mark.representative("tiny", "death", "stopping")
@pytest.mark.parametrize("bound", COUNTS)
def test_what_comes_to_pass(bound: str) -> None:
    """Leases end, handshakes are completed also after a failover, and dead brokers are fenced."""
    claimed = {p.id for p in BOUNDS[bound].properties if isinstance(p, LeadsTo)}
    kept = {id for id in claimed if explored(bound).property(id).verdict is Verdict.CLOSED}
    assert kept == PASSES.get(bound, set())
    assert claimed - kept == ({"K12"} if bound == "stopping" else set())


def test_every_claim_is_made_in_some_slice() -> None:
    """Every property of the protocol is claimed of a slice; what is declared violated is found to be."""
    claimed = {p.id for one in SLICES for p in one.properties}
    assert claimed == {p.id for p in KIP631_V1.properties}
    declared = {
        p.id for p in KIP631_V1.properties if isinstance(p, (Always, Step, LeadsTo)) and p.expected == "violated"
    }
    assert declared == {id for broken in VIOLATED.values() for id in broken}


def test_witnesses_are_reached() -> None:
    """A broker serves as leader, and one has fenced itself before the controller does: no proof is vacuous in these."""
    found = explored("tiny")
    witnesses = [p.id for p in KIP631_V1.properties if isinstance(p, Sometimes)]
    assert witnesses
    assert all(found.property(id).verdict is Verdict.WITNESSED for id in witnesses)


@pytest.mark.nightly("tests/exploration/test_manifest.py::test_nothing_is_left_without_a_bound_or_a_reason[kip631-v1]")
def test_every_row_fires_at_some_bound() -> None:
    """Each row that changes anything fires at a bound."""
    fired = {id for bound in COUNTS for id, times in explored(bound).rows_fired.items() if times}
    assert {row.id for row in KIP631_V1.rows if row.changes} <= fired


def test_every_slice_and_bound_is_pinned() -> None:
    """No bound is left without counts, and `tiny` is the first."""
    assert set(BOUNDS) == set(COUNTS)
    assert next(iter(BOUNDS)) == "tiny"
    assert COUNTS["tiny"][0] < 5_000


def test_a_running_cluster_keeps_every_lemma() -> None:
    """Where bounds begin with a cluster that runs, every lemma holds: VS1 leads to no state that a proof excludes."""
    for bound in ("moved", "bounce"):
        always = [p.id for p in BOUNDS[bound].properties if isinstance(p, Always) and p.expected == "holds"]
        assert {"L5", "L9", "L11", "M2", "KU"} <= set(always)
        verdicts = {id: explored(bound).property(id) for id in always}
        assert {one.verdict for one in verdicts.values()} <= {Verdict.CLOSED, Verdict.VACUOUS}
        assert all(one.not_for for one in verdicts.values() if one.verdict is Verdict.VACUOUS)


def test_names_are_those_of_the_tables() -> None:
    """What a trace does not tell are variables that there are."""
    states = {state.name for name in ("kip631-v1", "kip631-v1+failovers") for state in find(name).whole.states}
    assert set(HIDDEN) <= states


def test_records_have_the_fields_that_the_text_prints() -> None:
    """Every field that the tables write is one of version 1's, under its name there, and none of version 2's."""
    schemas = {one.name: {name for name, _ in one.fields} for one in SCHEMAS}
    assert [one.key for one in SCHEMAS] == list(range(13))
    written = {record.name: record for record in KIP631_V1.records}
    assert set(written) == {"RegisterBroker", "FenceBroker", "UnfenceBroker", "IsrChange"}
    for name, record in written.items():
        wire = {w for field in (*record.about, *record.fields) for w in field.wire.names} | set(record.ignored)
        assert {one[0].upper() + one[1:] for one in wire} == {one for one in schemas[name] if "." not in one}
    assert ISR_CHANGE.silent is False
