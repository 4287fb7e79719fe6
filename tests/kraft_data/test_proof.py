"""That an acknowledged record is kept: proved of every row, and of no table that loses one."""

from dataclasses import replace
from typing import Any

import pytest

from fencepost.checkers.exploration import explore
from fencepost.checkers.proof import hygiene, prove
from fencepost.checkers.proof.assumptions import without
from fencepost.checkers.proof.prover import Prover, hypotheses, obligations
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft_data import KRAFT_DATA
from fencepost.model.kraft_data.any_controller import ROWS
from fencepost.model.kraft_data.properties import READ, THEOREM
from fencepost.model.kraft_data.slices import CLAIMS, CLEAN, bound
from fencepost.model.kraft_data.state import BROKERS, elr, fetch_broker_epoch, fetch_offset, isr, partition_epoch
from fencepost.model.language import FALSE, Always, Property, Step
from fencepost.model.language.footprint import variables
from fencepost.model.language.state import State
from fencepost.model.museum import MUSEUM, Entry
from fencepost.model.museum.kraft_data import KRAFT_DATA_MUSEUM
from fencepost.model.museum.kraft_data_edits import keeps_what_was_fetched, truncates_too_much
from fencepost.model.registry import find
from tests import edited_rows

ENTRIES = [one for one in KRAFT_DATA_MUSEUM if one.expected]

_REGISTERED = {
    *("LM9", "LM14", "LG1", "LG9", "LS8", "LS9", "LJ1", "LJ2", "LJ3", "LJ4", "LJ6", "LJ7", "LJ8"),
    *("LH9", "LH1", "LH5", "LH7"),
}
NEEDS: dict[str, set[str]] = {
    "DA1": {"LQ2", "LQ7"},
    "DA2": {"LG9", "LS3", "LS5", "LQ6", "LJ4", "LJ6", "LJ8", "LH9", "LH7"},
    "DA3": _REGISTERED | {"DP14"},
    "DA3l": _REGISTERED | {"DP14"},
    "DA3u": _REGISTERED | {"DP14"},
    "DA4": {"LG1", "LG5", "LG6", "LG11", "LG8"},
    "DA5": {"LM9", "LM19"},
}
"""What is not proved without an assumption; the theorem rests on each of these, for consumers on DP14."""


@pytest.mark.parametrize(
    "seeds",
    [
        pytest.param(1, marks=pytest.mark.nightly("fencepost check kraft-data")),
        pytest.param(20, marks=pytest.mark.exhaustive),
    ],
)
def test_the_theorem_is_proved_whatever_the_seed(seeds: int) -> None:
    """Every row keeps every lemma, and the theorem follows, for any number of brokers, records and epochs."""
    proof = prove(KRAFT_DATA, seeds=seeds, assumptions=False)
    assert proof.failed == ()
    assert proof.vacuous == ()
    assert {one.id for one in (*THEOREM, *READ)} <= set(proof.lemma_seconds)
    assert set(proof.applying) == {row.id for row in KRAFT_DATA.rows}


@pytest.mark.nightly("tests/kraft_data/test_proof.py::test_without_an_assumption_a_record_is_lost")
def test_what_needs_an_assumption_is_what_is_listed() -> None:
    """Without an assumption the listed lemmas are not proved, and all others are."""
    proof = prove(KRAFT_DATA)
    assert {one.assumption.id: set(one.needed_by) for one in proof.assumptions} == NEEDS


@pytest.mark.nightly("fencepost check kraft-data")
def test_tables_are_tidy() -> None:
    """No two rows of one event overlap, and every row applies in some state."""
    assert hygiene(KRAFT_DATA).findings == ()


@pytest.mark.representative("elects-outsiders", "keeps-the-eligible", "ignores-partition-epochs")
@pytest.mark.slow
@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_no_edit_that_loses_a_record_is_proved(entry: Entry) -> None:
    """Of the rows that an edit changes, one is not proved to keep every lemma."""
    edited, base = entry.edited(KRAFT_DATA), entry.grounded(KRAFT_DATA)
    before = {row.id: row for row in base.rows}
    changed = [row for row in edited.rows if before.get(row.id) != row]
    assert changed
    claims = [one for one in edited.properties if isinstance(one, Always)]
    prover = Prover(edited, hypotheses(edited))
    asked = obligations(edited, changed, claims)
    assert any(not prover.keeps(row, claim, 1) for row, claim, frame in asked if not frame)


def test_a_leader_that_keeps_what_it_knew_is_not_proved() -> None:
    """With D29, what a leader has noted of a follower need not be there: the follower has truncated since."""
    found = edited_rows.failed(keeps_what_was_fetched(KRAFT_DATA), "DM1", ["LS5"], "LS5")
    assert [one.property for one in found if one.refuted] == ["LS5"]


def test_a_follower_that_truncates_too_much_cuts_off_what_is_shared() -> None:
    """Where a follower truncates to an offset of its own, a record that its leader has, too, is cut off."""
    shared = "TruncationKeepsShared"
    found = edited_rows.failed(truncates_too_much(KRAFT_DATA), "DF1", [shared], shared)
    assert [one.property for one in found if one.refuted] == [shared]


# -- The theorem needs no more of a controller than the few rows of `kraft-data+any-controller`. -----------------------
new_isr, new_elr = BROKERS.var("new_isr"), BROKERS.var("new_elr")


@pytest.mark.nightly("fencepost check kraft-data")
@pytest.mark.slow
def test_any_controller_that_keeps_to_the_interface_will_do() -> None:
    """The theorem and every lemma are proved of the rows that stand for any controller."""
    proof = prove(find("kraft-data+any-controller").whole, assumptions=False)
    assert proof.failed == ()
    assert {"AcknowledgedIsKept", "CandidatesHaveAcknowledged"} <= set(proof.lemma_seconds)
    assert {row.id for row in ROWS} <= set(proof.applying)


def test_an_elr_beside_enough_members_is_not_proved() -> None:
    """Where the ELR may be kept beside an ISR of min.insync.replicas members, the lemma on it (LM7) falls."""
    whole = find("kraft-data+any-controller").whole
    guard = (partition_epoch > 0) & (new_isr <= isr) & (new_elr <= (isr | elr) - new_isr)
    kept = whole.but("DC21", when=guard, why="a broker that leaves the ISR may stay eligible")
    found = edited_rows.failed(kept, "DC21", ["LM7"], "LM7")
    assert [one.refuted for one in found] == [True]


# -- Fetches of earlier lives, which a leader distinguishes by its metadata. ------------------------------------------
@pytest.mark.parametrize(
    "rows",
    [
        pytest.param(("DL3", "DL7", "DL8", "DF3"), id="edited"),
        pytest.param(
            None,
            marks=pytest.mark.nightly("tests/kraft_data/test_proof.py::test_late_fetches_do_no_harm[edited]"),
            id="all",
        ),
    ],
)
def test_late_fetches_do_no_harm(rows: tuple[str, ...] | None) -> None:
    """The theorem and every lemma are proved with the fetches of all lives in flight, in any order."""
    whole = find("kraft-data+late-fetches").whole
    proof = prove(whole, rows=rows, assumptions=False)
    assert (proof.failed, proof.vacuous) == ((), ())
    assert {"AcknowledgedIsKept", "CandidatesHaveAcknowledged"} <= {one.id for one in whole.properties}
    assert set(proof.applying) == set(rows or [row.id for row in whole.rows])


def spoken_of(claim: Property) -> frozenset[State[Any]]:
    """Return the state variables that a claim about states or steps speaks of."""
    return variables(claim.term) if isinstance(claim, (Always, Step)) else frozenset()


def test_late_fetches_are_in_every_claim_about_fetches() -> None:
    """No property of the variant speaks of the cells that it replaces, which no row writes any more."""
    gone: set[State[Any]] = {fetch_offset.state, fetch_broker_epoch.state}
    whole = find("kraft-data+late-fetches").whole
    assert [one.id for one in whole.properties if gone & spoken_of(one)] == []
    assert gone <= {state for one in KRAFT_DATA.properties for state in spoken_of(one)}


# -- Each assumption of `kraft-data` is one: without it a record is lost by a shortest run. ----------------------------
_LATE = next(one for one in MUSEUM if one.name == "uses-late-answers").expected[0]
_IDLE = (
    "AlterPartition",
    "AlterPartitionElects",
    "RefuseProposal",
    "Propose",
    "ProposalRefused",
    "Fence",
    "FenceLeader",
    "Elect",
)
_ALONE = bound(2, 1, 2, 2, 2, 1, given={**CLEAN, **dict.fromkeys(_IDLE, FALSE)})
"""The ISR changes by registrations only."""
FALLS = {
    "DA1": (bound(2, 1, 2, 3, 1, 1), 13),
    "DA2": (bound(1, 1, 1, 1, 1, 1), 5),
    "DA3": (bound(1, 1, 3, 3, 2, 1), 6),
    "DA3l": (_ALONE, 11),
    "DA3u": (bound(2, 1, 2, 2, 2, 1, given={}), 6),
    "DA4": (_LATE.at(CLAIMS), 18),
    "DA5": (bound(2, 1, 2, 3, 1, 2, configurations=2), 8),
}
"""The bound at which a record is lost without an assumption, and the rows of a shortest run to it."""


@pytest.mark.representative("DA3", "DA3u", "DA2", "DA3l")
@pytest.mark.parametrize("id", FALLS)
def test_without_an_assumption_a_record_is_lost(id: str) -> None:
    """A broker leads without a record that was acknowledged, after exactly so many rows."""
    where, length = FALLS[id]
    bare = without(CLAIMS, (id,))
    alone = replace(bare, properties=(bare.property("AcknowledgedIsKept"),))
    found = explore(alone, where, max_depth=length + 1, deadlock=False).property("AcknowledgedIsKept")
    assert found.verdict is Verdict.VIOLATED
    assert found.trace is not None
    assert len(found.trace.steps) == length, "\n".join(found.trace.lines())


def test_every_assumption_is_looked_at() -> None:
    """No assumption is without its run."""
    assert {one.id for one in KRAFT_DATA.inputs} == set(FALLS)
    assert KRAFT_DATA.assumptions == ()
