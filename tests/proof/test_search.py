"""What is not inductive is searched for from the initial states: a run that the interpreter replays, or a lemma."""

import importlib
from dataclasses import replace
from typing import Any

import pytest

from fencepost.checkers.counterexample import holds
from fencepost.checkers.exploration import explore
from fencepost.checkers.proof import Obligation, Proof, prove, search
from fencepost.checkers.verdicts import Verdict
from fencepost.model.language.vocabulary import *
from fencepost.model.registry import find
from tests.examples.two_phase import TWO_PHASE

search_module: Any = importlib.import_module("fencepost.checkers.proof.search")


class Station(Entity):
    """A station on a line."""


STATION, STOP = sort(Station), counter("stop")
s, x = STATION.var("s"), STATION.var("x")
at = cell("at", STOP, 0)
seen, closed = per(STATION, "seen", BOOL), per(STATION, "closed", BOOL)
ride, visit = event("Ride", source="a test"), event("Visit", s, source="a test")


def line(most: int = 3, *, size: int = 5) -> Protocol:
    """Return a train that goes stop by stop, and stations that are visited once it has come to a stop."""
    rows = (ride("RIDE", at < most, at.becomes(at + 1)), visit("VISIT", at.is_(3) & ~seen[s], seen[s].becomes(TRUE)))
    return protocol(
        "line",
        table("line", *rows),
        properties=[always("UNSEEN", forall(x, ~seen[x]), about="no place is ever visited")],
        bounds={"short": Bound({"stop": size, "Station": 2})},
        ends=True,
    )


def searched(made: Protocol, seconds: float = 20.0) -> tuple[Proof, dict[tuple[str, str], Obligation]]:
    """Return a proof with its search, and what fails in it by row and property."""
    found = search(made, (made,), prove(made), seconds)
    return found, {(one.row, one.property): one for one in found.failed}


def test_a_break_that_is_reached_is_a_shortest_run() -> None:
    """The train rides three stops before anybody is visited: the run is the shortest, from the initial state."""
    proof, failed = searched(line())
    one = failed["VISIT", "UNSEEN"]
    assert (proof.verdict, one.verdict, proof.not_inductive) == (Verdict.VIOLATED, Verdict.VIOLATED, 0)
    assert one.searched is not None
    trace = one.searched.trace
    assert trace is not None
    assert trace.initial
    assert one.searched.shortest
    assert [each.row.id for each in trace.steps] == ["RIDE", "RIDE", "RIDE", "VISIT"]
    assert trace.failure is not None
    assert [name for name, _ in trace.failure.entities] == ["x"]


def test_the_run_is_as_long_as_explorations() -> None:
    """The search finds a run of the length that exploration finds."""
    made = line()
    _, failed = searched(made)
    told = explore(made, "short").property("UNSEEN").trace
    mine = failed["VISIT", "UNSEEN"].searched
    assert told is not None
    assert mine is not None
    assert mine.trace is not None
    assert len(mine.trace.steps) == len(told.steps)


def test_what_is_never_reached_stays_not_inductive() -> None:
    """A train that stops before is no violation: every state was seen, and the candidate is what no state shows."""
    proof, failed = searched(line(2))
    one = failed["VISIT", "UNSEEN"]
    assert (proof.verdict, one.verdict, proof.not_inductive) == (Verdict.NOT_INDUCTIVE, Verdict.NOT_INDUCTIVE, 1)
    assert one.searched is not None
    assert (one.searched.closed, one.searched.states, one.searched.depth) == (True, 3, 3)
    assert "closed: every reachable state, 3, was seen" in one.searched.lines()[0]


def test_a_candidate_excludes_the_counterexample_and_no_reached_state() -> None:
    """The state before the counterexample breaks the candidate, and no reachable state of the bound does."""
    proof, failed = searched(TWO_PHASE)
    assert proof.not_inductive == len(failed) == 3
    lemmas = []
    for one in failed.values():
        assert one.searched is not None
        assert one.searched.candidate is not None
        assert one.counterexample is not None
        lemmas.append(lemma(f"C{one.row}", one.searched.candidate.lemma))
        assert not holds(lemmas[-1].term, one.counterexample.start, one.counterexample.world)
    assert explore(TWO_PHASE.claiming(*lemmas), "three").verdict is Verdict.CLOSED


def test_a_candidate_that_a_row_breaks_is_none() -> None:
    """A candidate is checked for every row: one that a row breaks is printed with that row, and as no candidate."""
    _, failed = searched(TWO_PHASE)
    asked = [one.searched for one in failed.values() if one.searched is not None]
    for one in asked:
        assert one.candidate is not None
        claim = lemma("C", one.candidate.lemma)
        broken = {each.row for each in prove(TWO_PHASE.claiming(claim), properties=["C"], assumptions=False).failed}
        assert (one.candidate.broken_by in broken) if broken else not one.candidate.broken_by
        assert one.candidate.kept is not broken or not broken
        assert any("candidate: " in line for line in one.lines()) is not bool(one.candidate.broken_by)
    assert any(one.candidate is not None and one.candidate.broken_by for one in asked)


def test_a_search_without_memory_says_so_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside a search and within one, a lack of memory names the bound, what was asked for, and what to do."""

    def none_left(*_: object) -> object:
        raise MemoryError("Unable to allocate 47.6 GiB for an array with shape (1, 2)")

    monkeypatch.setattr(search_module, "_reply", none_left)
    made = line()
    said = (
        "not searched from the initial states: it needs more memory than there is (47.6 GiB at once) for the states of "
        "line at short; give the bound smaller sizes, or add --no-search"
    )
    _, failed = searched(made)
    proof = prove(made)
    with search_module.searching(made, lambda: (made,), proof, 20.0) as found:
        beside = found()
    for one in (failed["VISIT", "UNSEEN"], *beside.failed):
        assert one.searched is not None
        assert one.searched.lines() == [said]


def test_candidates_lead_to_a_proof() -> None:
    """Round by round the candidates of one bound become lemmas, until two-phase commit is proved for any number."""
    made = replace(TWO_PHASE, bounds={"three": TWO_PHASE.bounds["three"]})
    for _ in range(8):
        found = search(made, (made,), prove(made), 30.0)
        if found.verdict is Verdict.PROVED:
            return
        candidates = [one.searched.candidate for one in found.failed if one.searched is not None]
        new = dict.fromkeys(one.lemma for one in candidates if one is not None)
        assert new
        made = made.claiming(*(lemma(f"C{len(made.properties) + n}", term) for n, term in enumerate(new)))
    raise AssertionError("not proved within eight rounds")


def test_the_candidate_speaks_of_entities_by_name() -> None:
    """A candidate names no entity of the example: it is about any, and about different ones where it has to be."""
    _, failed = searched(TWO_PHASE)
    mine = failed["R3", "TC"].searched
    assert mine is not None
    assert mine.candidate is not None
    assert mine.candidate.facts == "commit_sent and progress[y] = WORKING"
    assert any("no reached state has commit_sent and progress[y] = WORKING" in told for told in mine.lines())


def test_an_unreached_counter_is_no_fact() -> None:
    """Facts compare counters with each other and with their start, never with a number that a bound may not have."""
    _, failed = searched(line(2))
    mine = failed["VISIT", "UNSEEN"].searched
    assert mine is not None
    assert mine.candidate is None, "at = 3 shows nothing that at = 2 does not"


def test_a_step_is_searched_for_too() -> None:
    """A step property that only a reached state breaks is violated by a run that ends with the step."""
    calm = step("CALM", forall(x, ~seen[x]).implies(forall(x, ~next_(seen[x]))))
    proof, failed = searched(replace(line(), properties=(calm,)))
    one = failed["VISIT", "CALM"]
    assert (proof.verdict, one.verdict) == (Verdict.VIOLATED, Verdict.VIOLATED)
    assert one.searched is not None
    assert one.searched.trace is not None
    assert len(one.searched.trace.steps) == 4


def test_tables_without_a_bound_are_searched_at_the_sizes_of_the_counterexample() -> None:
    """A protocol that declares no bound is searched all the same: as many entities as the counterexample has."""
    bare = replace(line(), bounds={})
    found = search(bare, (bare,), prove(bare), 20.0)
    (one,) = found.failed
    assert one.verdict is Verdict.VIOLATED
    assert one.searched is not None
    assert one.searched.bound == ""
    assert "Station 1" in one.searched.place


def test_nothing_is_searched_without_time() -> None:
    """With no seconds a proof stays as it is."""
    proof = prove(line())
    assert search(line(), (line(),), proof, 0.0) is proof
    assert proof.verdict is Verdict.NOT_INDUCTIVE


def test_a_declared_violation_is_not_searched() -> None:
    """What is declared violated needs no run here."""
    made = line()
    known = replace(
        made, properties=tuple(replace(one, expected="violated") for one in made.properties if isinstance(one, Always))
    )
    assert all(one.searched is None for one in search(known, (known,), prove(known), 5.0).failed)


def test_a_run_against_an_assumption_is_none() -> None:
    """A run through a state that the tables assume away is not reported as a violation."""
    made = replace(line(), assumptions=(assume("SHORT", at < 3, source="a test"),))
    plain = line()
    proof = replace(prove(plain), failed=prove(plain).failed)
    found = search(made, (made,), proof, 10.0)
    assert found.failed[0].verdict is Verdict.NOT_INDUCTIVE
    assert found.failed[0].searched is not None
    assert "leaves what the tables assume" in found.failed[0].searched.lines()[0]


@pytest.mark.parametrize(("name", "row", "id"), [("kip343", "H7", "HI3")])
def test_a_design_is_searched_at_its_own_bounds(name: str, row: str, id: str) -> None:
    """A row of a design without its guard breaks a property; the search names a bound of the design."""
    family = find(name)
    broken = family.whole.but(row, when=TRUE, why="the guard is gone")
    slices = tuple(
        one.but(row, when=TRUE, why="the guard is gone") for one in family.slices if row in {r.id for r in one.rows}
    )
    proof = prove(broken, rows=(row,))
    assert proof.not_inductive
    found = search(broken, slices, proof, 20.0)
    bounds = {bound for one in slices for bound in one.bounds}
    explored = {claim.id for one in slices for claim in one.properties}
    failed = [one for one in found.failed if not one.declared and one.property in explored]
    assert id in {one.property for one in failed}
    assert all(one.searched is not None and one.searched.bound in bounds for one in failed)
    assert id in {claim.id for claim in broken.properties}


@pytest.mark.nightly("tests/museum/test_kraft.py::test_proof_refutes_the_defect[J3-P7]")
def test_a_historical_defect_is_reached() -> None:
    """KAFKA-13083 is not only not inductive: four rows lead to a fenced replica in the first ISR."""
    family = find("kraft+K3")
    proof = prove(family.whole, rows=("CT3",), properties=("P7",), assumptions=False)
    assert proof.verdict is Verdict.NOT_INDUCTIVE
    found = search(family.whole, family.slices, proof, 60.0)
    (one,) = found.failed
    assert (found.verdict, one.verdict) == (Verdict.VIOLATED, Verdict.VIOLATED)
    assert one.searched is not None
    assert one.searched.trace is not None
    assert one.searched.bound == "tiny"
    assert [step.row.id for step in one.searched.trace.steps] == ["R1", "HB2", "R1", "CT3"]
