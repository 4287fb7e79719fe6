"""What the loop promises: proved of every row, for any number of controllers, epochs and records."""

from functools import cache

import pytest

from fencepost.checkers.proof import Proof, hygiene, prove
from fencepost.checkers.proof.cores import recorded
from fencepost.checkers.proof.obligations import hypotheses
from fencepost.checkers.proof.prover import STUTTER, Prover, obligations
from fencepost.model.kraft_loop import KRAFT_LOOP
from fencepost.model.kraft_whole.interface import OF_THE_LOOP
from fencepost.model.language import Always, Step
from fencepost.model.museum import MUSEUM, Entry
from tests import edited_rows

ENTRIES = [one for one in MUSEUM if one.base == "kraft-loop"]


@cache
def proved(seeds: int) -> Proof:
    """Return the proof of every claim of every row, made once."""
    return prove(KRAFT_LOOP, seeds=seeds, assumptions=False)


@pytest.mark.parametrize(
    "seeds",
    [
        pytest.param(1, marks=pytest.mark.nightly("fencepost check kraft-loop")),
        pytest.param(20, marks=pytest.mark.exhaustive),
    ],
)
def test_every_claim_is_proved_whatever_the_seed(seeds: int) -> None:
    """Every row keeps every claim and every lemma, and each applies; no claim is vacuous."""
    proof = proved(seeds)
    assert proof.failed == ()
    assert proof.vacuous == ()
    assert set(proof.applying) == {row.id for row in KRAFT_LOOP.rows}


def test_what_a_row_of_kraft_assumes_is_claimed_of_the_loop() -> None:
    """Every claim that a clause of `kraft-whole` names is declared to hold of the loop: `fencepost check` proves it."""
    claims = {one.id: one for one in KRAFT_LOOP.properties if isinstance(one, (Always, Step))}
    used = {id for clause in OF_THE_LOOP.values() for id in clause.claims}
    assert used
    assert {id for id in used if claims[id].expected != "holds"} == set()


@pytest.mark.nightly("fencepost check kraft-loop")
def test_what_a_row_of_kraft_assumes_is_proved_of_the_loop() -> None:
    """Every claim that a clause of `kraft-whole` names is proved of every row of the loop, the lemmas with it."""
    proof = proved(1)
    used = {id for clause in OF_THE_LOOP.values() for id in clause.claims}
    lemmas = {one.id for one in KRAFT_LOOP.properties if isinstance(one, Always)}
    assert used | lemmas <= set(proof.lemma_seconds)
    assert proof.row_count == len(KRAFT_LOOP.rows)
    assert [(one.row, one.property) for one in proof.failed if one.property in used | lemmas] == []
    assert proof.vacuous == ()


@pytest.mark.nightly("fencepost check kraft-loop")
def test_tables_are_tidy() -> None:
    """No two rows of one event overlap, and every row applies in some state."""
    assert hygiene(KRAFT_LOOP).findings == ()


def test_a_claim_of_the_state_has_a_core_where_nothing_changes() -> None:
    """A claim of the state before a step is proved by its core, also of rows that write nothing of it."""
    cores = recorded(KRAFT_LOOP).cores
    prover = Prover(KRAFT_LOOP, hypotheses(KRAFT_LOOP))
    for id in ("QL5", "QL5r", "QL7", "QL11"):
        claim = KRAFT_LOOP.property(id)
        assert isinstance(claim, Step)
        assert (STUTTER, id) in cores
        assert prover.ask(None, claim, 1).answer == "proved"


NAMED = {
    "completes-at-once": ("QW8", "QL14"),
    "schedules-before-replay": ("QW11", "QL18"),
    "keeps-a-replaced-listener": ("QC6", "QL4"),
    "arms-tasks-at-claim": ("QK1", "QL17"),
    "reverts-too-little": ("QK4", "QL4r"),
    "claims-before-caught-up": ("QK1", "QL5c"),
    "abort-forgets-a-map": ("QA3", "QL4"),
}
"""The ways to break the loop that everybody should know: the row, and the claim that it breaks."""

OTHERS = [one for one in ENTRIES if one.name not in NAMED]


@pytest.mark.representative("reverts-too-much")
@pytest.mark.slow
@pytest.mark.parametrize("entry", OTHERS, ids=lambda entry: entry.name)
def test_no_way_to_break_the_loop_is_proved(entry: Entry) -> None:
    """Of the rows that an edit changes, one is not proved to keep every claim."""
    edited = entry.edited(KRAFT_LOOP)
    before = {row.id: row for row in KRAFT_LOOP.rows}
    changed = [row for row in edited.rows if row is not before[row.id]]
    assert changed
    claims = [one for one in edited.properties if isinstance(one, (Always, Step))]
    prover = Prover(edited, hypotheses(edited))
    blamed = {(one.row, one.property) for one in entry.expected}
    # What the edit is known to break comes first: one obligation that is not proved is enough.
    asked = sorted(obligations(edited, changed, claims), key=lambda one: (one[0].id, one[1].id) not in blamed)
    assert any(not prover.keeps(row, claim, 1) for row, claim, frame in asked if not frame)


@pytest.mark.representative("completes-at-once")
@pytest.mark.slow
@pytest.mark.parametrize("name", NAMED)
def test_what_everybody_should_know_is_refuted_by_name(name: str) -> None:
    """The claim falls by the row, with a counterexample to induction; the museum has its shortest run, of both."""
    [entry] = [one for one in ENTRIES if one.name == name]
    row, claim = NAMED[name]
    assert [(one.row, one.property) for one in entry.expected] == [(row, claim)]
    [obligation] = edited_rows.failed(entry.edited(KRAFT_LOOP), row, [claim], claim)
    assert obligation.refuted, obligation.message
    assert obligation.counterexample is not None
