"""Defects of the KRaft controller: exploration finds each by its shortest trace, proof refutes it."""

from dataclasses import replace
from functools import cache

import pytest

from fencepost.checkers.counterexample import holds
from fencepost.checkers.exploration import Exploration, explore
from fencepost.checkers.proof import prove
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft import KRAFT
from fencepost.model.kraft.brokers import want_down, want_fence
from fencepost.model.kraft.explored import EXPLORED
from fencepost.model.kraft.state import index, p, q, topic
from fencepost.model.language import AT_RESULT_BOUNDARIES, Always, Protocol, Step, TableError, forall, lemma
from fencepost.model.museum import Entry, Expected
from fencepost.model.museum.edits import reordered, replaced
from fencepost.model.museum.kraft import KRAFT_MUSEUM
from tests import edited_rows
from tests.museum.runs import check_told_in_short
from tests.unbroken import unbroken

MUSEUM = KRAFT_MUSEUM
LONG = {"J10"}
FAR = {"E7", "J7", "J10", "J32", "A8-"}
"""Entries whose bounds are large: what the base keeps there it keeps for any number, as is proved every night."""
NUMBERED = lemma(
    "NUMBERED",
    forall(p, forall(q, (topic[p].is_(topic[q]) & index[p].is_(index[q])).implies(p.is_(q)))),
    "Partitions of a topic have different numbers: a counterexample that says otherwise cannot run.",
)
CASES = [
    pytest.param(
        entry, expected, id=f"{entry.name}-{expected.property}", marks=pytest.mark.slow if entry.name in LONG else ()
    )
    for entry in MUSEUM
    for expected in entry.expected
]
REPEATS = pytest.mark.nightly("test_the_base_holds_where_the_defect_is_found")
HOLDS = [
    pytest.param(entry, expected, id=f"{entry.name}-{expected.property}", marks=REPEATS if entry.name in FAR else ())
    for entry in MUSEUM
    for expected in entry.expected
]
PROVED = [
    pytest.param(
        entry,
        expected,
        id=f"{entry.name}-{expected.property}",
        marks=pytest.mark.slow if expected.property == "P7r" else (),
    )
    for entry in MUSEUM
    for expected in entry.expected
]


def alone(protocol: Protocol, id: str) -> Protocol:
    """Return the protocol with one of its properties only."""
    return replace(protocol, properties=(protocol.property(id),))


def numbered(protocol: Protocol, expected: Expected) -> Protocol:
    """Return the protocol with the lemma on partition numbers, where the row in question creates partitions."""
    return protocol.claiming(NUMBERED) if expected.row == "CT3" else protocol


@pytest.mark.representative("J3-P7", "A13--P16")
@pytest.mark.parametrize(("entry", "expected"), CASES)
def test_exploration_finds_the_defect_by_its_shortest_trace(entry: Entry, expected: Expected) -> None:
    """The property falls after exactly as many rows as declared, in a run that the interpreter has replayed."""
    edited = alone(entry.explored(EXPLORED), expected.property)
    found = explore(edited, expected.at(edited), max_depth=expected.length + 2, stop_at_first=True, deadlock=False)
    verdict = found.property(expected.property)
    assert verdict.verdict is Verdict.VIOLATED
    assert verdict.trace is not None
    assert len(verdict.trace.steps) == expected.length, "\n".join(verdict.trace.lines())
    assert verdict.trace.initial
    check_told_in_short(verdict.trace)


@cache
def base_at(bound: str, far: bool) -> Exploration:
    """Return what exploration says of the base at a bound, as deep as the longest trace of the entries there."""
    there = [
        expected
        for entry in MUSEUM
        for expected in entry.expected
        if entry.within is None and (entry.name in FAR) is far and repr(expected.at(EXPLORED)) == bound
    ]
    claims = dict.fromkeys(one.property for one in there)
    base = replace(EXPLORED, properties=tuple(map(EXPLORED.property, claims)))
    return explore(base, there[0].at(base), max_depth=max(one.length for one in there) + 1, deadlock=False)


@pytest.mark.representative("J1-P8", "fence-order-P7r", "registration-cordons-HC3m")
@pytest.mark.parametrize(("entry", "expected"), HOLDS)
def test_the_base_holds_where_the_defect_is_found(entry: Entry, expected: Expected) -> None:
    """At the same bound and deeper than the defect's trace the tables without the edit keep the property."""
    # A slice of the entry's own is small: entries of the explored one share a search.
    if entry.within is None:
        found = base_at(repr(expected.at(EXPLORED)), entry.name in FAR)
    else:
        base = alone(entry.grounded(entry.within), expected.property)
        found = explore(base, expected.at(base), max_depth=expected.length + 1, deadlock=False)
    assert unbroken(found.property(expected.property))


@pytest.mark.representative("J27-K3", "J9-K11", "J3-P7")
@pytest.mark.parametrize(("entry", "expected"), PROVED)
def test_proof_refutes_the_defect(entry: Entry, expected: Expected) -> None:
    """The row to blame gets a counterexample to induction: a replayed step after which the property is false."""
    edited = numbered(entry.edited(KRAFT), expected)
    [obligation] = edited_rows.failed(edited, expected.row, [expected.property], expected.property)
    assert obligation.refuted, obligation.message
    trace = obligation.counterexample
    assert trace is not None, obligation.message
    assert [step.row.id for step in trace.steps] == [expected.row]
    claim = edited.property(expected.property)
    last = trace.steps[-1]
    if isinstance(claim, Always):
        assert not holds(claim.term, trace.end, trace.world)
    elif isinstance(claim, Step) and claim.scope == AT_RESULT_BOUNDARIES:
        assert not holds(claim.term, last.before, trace.world, after=last.after, binding=last.binding)
    check_told_in_short(trace)


@pytest.mark.representative("J7-P7", "J9-K11")
@pytest.mark.parametrize(("entry", "expected"), PROVED)
def test_proof_finds_no_fault_with_the_base(entry: Entry, expected: Expected) -> None:
    """The same row of the base, where it has that row, is not refuted."""
    if expected.row in {row.id for row in KRAFT.rows}:
        base = numbered(entry.grounded(KRAFT), expected)
        proof = prove(base, properties=[expected.property], rows=[expected.row], assumptions=False)
        assert [one.message for one in proof.failed if one.refuted] == []


def test_an_edit_of_what_is_not_there_is_refused() -> None:
    """A term that the row has not, or a procedure that no row applies, raises instead of giving the base."""
    with pytest.raises(TableError, match="the term want_down is not there"):
        replaced(KRAFT, "DT2", want_down, want_fence, why="w", name="n")
    with pytest.raises(TableError, match="the procedure refence is not there"):
        reordered(KRAFT, "refence", why="w", name="n")
