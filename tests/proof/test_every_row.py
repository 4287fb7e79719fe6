"""Every property is checked for every row; what a row breaks is no hypothesis; assumptions are reported."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from fencepost.checkers.proof import falling, prove
from fencepost.checkers.verdicts import ExitCode, Refusal, Verdict
from fencepost.model.findings import FINDINGS
from fencepost.model.kraft import KRAFT
from fencepost.model.language import (
    TRUE,
    Always,
    Protocol,
    Step,
    always,
    assume,
    forall,
    next_,
    per,
    protocol,
    step,
    table,
)
from fencepost.model.language.kinds import BOOL
from fencepost.model.registry import find

from .tiny import WORKER, failures, happening, v, w

hired = per(WORKER, "hired", BOOL)
paid = per(WORKER, "paid", BOOL)
happens = happening("Happens", w)
checked = happening("Checked", v)

_HIRED = always(
    "A1", forall(w, paid[w].implies(hired[w])), "Who is paid is hired.", expected="violated", finding="T1", by=("R2",)
)


def office(*claims: Always | Step, extra: bool = False) -> Protocol:
    """Return a protocol in which R2 alone pays somebody who is not hired, with `extra` a further one that does."""
    rows = [
        happens("R1", ~hired[w] & ~paid[w], hired[w].becomes(TRUE)),
        happens("R2", ~hired[w] & ~paid[w] & (w.isnt(w) | TRUE), paid[w].becomes(TRUE)),
        checked("R3", hired[v] & ~paid[v], paid[v].becomes(TRUE)),
    ]
    if extra:
        rows.append(checked("R4", ~hired[v] & ~paid[v], paid[v].becomes(TRUE)))
    return protocol("office", table("rows", *rows), properties=claims)


def test_a_row_that_is_not_declared_to_break_a_property_is_asked_of_it() -> None:
    """`by` frees the rows it names and no other: a further row that pays a stranger is refuted."""
    as_declared = prove(office(_HIRED))
    assert (as_declared.refuted, as_declared.expected) == (0, 1)
    assert {one.row for one in as_declared.failed} == {"R2"}
    worse = prove(office(_HIRED, extra=True))
    assert (worse.refuted, worse.expected) == (1, 1)
    assert [one.row for one in worse.failed if not one.declared] == ["R4"]


def test_a_declared_exception_that_does_not_fail_is_told() -> None:
    """A row that is declared to break a property and keeps it is a difference to what is declared."""
    proof = prove(office(replace(_HIRED, by=("R2", "R3"))))
    assert proof.undeclared == ("A1 by R3",)


def test_what_a_row_breaks_is_no_hypothesis_for_another_property() -> None:
    """A property that follows only from one that a row breaks is not proved."""
    follows = step("A2", paid[v].implies(hired[v]), "Who is paid twice is hired.", rows=("R5",))
    again = checked("R5", paid[v], paid[v].becomes(TRUE))
    proof = prove(office(_HIRED).plus(again, why="somebody is paid twice", table="rows").claiming(follows))
    assert ("R5", "A2") in failures(proof)
    assert proof.verdict is not Verdict.PROVED


def test_without_the_rows_to_blame_a_property_is_expected_to_hold() -> None:
    """A variant or a slice without the rows that break a property claims that it holds."""
    repaired = office(_HIRED).without("R2", why="only hired workers are paid")
    claim = repaired.property("A1")
    assert isinstance(claim, Always)
    assert (claim.expected, claim.by) == ("holds", ())
    assert prove(repaired).verdict is Verdict.PROVED


def test_every_pair_of_the_kraft_tables_is_an_obligation() -> None:
    """No row is left out: of each property there are as many obligations as rows that it may be about."""
    from fencepost.checkers.proof.prover import obligations

    claims = [one for one in KRAFT.properties if isinstance(one, (Always, Step))]
    changing = [row for row in KRAFT.rows if row.changes]
    pairs = {(row.id, claim.id) for row, claim, _ in obligations(KRAFT, KRAFT.rows, claims)}
    for claim in claims:
        about = [
            row.id for row in changing if not (isinstance(claim, Step) and claim.rows and row.id not in claim.rows)
        ]
        assert {(row, claim.id) for row in about} <= pairs, claim.id


@pytest.mark.slow
def test_d26_is_no_hypothesis_and_p1_and_p3_fall_as_declared() -> None:
    """`prove kraft --property P3` said "proved, 56 of 56" of tables that have the trace of D26."""
    proof = prove(KRAFT, properties=("P1", "P3"), rows=("AD3", "F1"))
    assert {(one.row, one.property) for one in proof.failed} == {("AD3", "P1"), ("AD3", "P3")}
    assert (proof.refuted, proof.expected) == (0, 2)


@pytest.mark.slow
def test_m1_is_violated_with_d26_and_kept_of_untouched_partitions() -> None:
    """`prove kraft+guarantees --property M1` said "proved" of rows that run to a fenced broker that leads."""
    claiming = find("kraft+guarantees").whole
    proof = prove(claiming, properties=("M1", "M1w"), rows=("HB5",))
    assert {(one.row, one.property, one.declared) for one in proof.failed} == {("HB5", "M1", True)}


@pytest.mark.nightly("tests/findings/test_kraft.py::test_the_repair_is_proved_where_it_matters")
def test_the_repaired_tables_keep_what_d26_takes_away() -> None:
    """`kraft+D26` claims P1 to P11 where D34 has not been, and the row that gives up a failed directory keeps them."""
    repaired = find("kraft+D26").whole
    taken = ("P1", "P2", "P3", "P4", "P6", "P7", "P7r", "P8r", "P10", "P11")
    strict = {id: repaired.property(id) for id in taken}
    assert not [id for id, one in strict.items() if getattr(one, "expected", "") != "holds" or "D26" in one.about]
    proof = prove(repaired, properties=taken, rows=("AD4", "F1"))
    assert [(one.row, one.property) for one in proof.failed] == []


def test_every_finding_has_its_repaired_tables_by_name() -> None:
    """`kraft+D5` and the like are the tables with the finding's rows repaired."""
    for one in FINDINGS[::4]:
        assert find(f"kraft+{one.id}").whole.hash == one.repaired().hash


# -- assumptions -------------------------------------------------------------------------------------------------------
def guarded() -> Protocol:
    """Return a protocol whose property needs an assumption on an event, and another that nothing needs."""
    pays = happening("Pays", v)
    return protocol(
        "guarded",
        table("rows", happens("R1", ~hired[w], hired[w].becomes(TRUE)), pays("R2", ~paid[v], paid[v].becomes(TRUE))),
        properties=(
            always("A1", forall(w, paid[w].implies(hired[w])), "Who is paid is hired."),
            step("A2", forall(w, hired[w].implies(next_(hired[w]))), "No worker is dismissed."),
        ),
        assumptions=(
            assume("T1", hired[v], "Only who is hired is to be paid.", "made up", event="Pays"),
            assume("T2", ~paid[v], "No worker is to be paid twice.", "made up", event="Pays"),
        ),
    )


GUARDED = guarded()


def test_a_proof_names_its_assumptions_and_what_needs_them() -> None:
    """Each assumption is in the outcome with the properties that are not proved without it."""
    proof = prove(guarded())
    assert proof.verdict is Verdict.PROVED
    assert {one.assumption.id: one.needed_by for one in proof.assumptions} == {"T1": ("A1",), "T2": ()}
    assert proof.as_json()["assumptions"][0]["needed_by"] == ["A1"]


def test_a_proof_without_an_assumption_says_what_falls() -> None:
    """Dropping an assumption gives up what falls, and what rests on it, and proves the rest."""
    fallen, rest = falling(guarded(), ("T1",))
    assert fallen == ("A1",)
    assert rest.refuted == 0


def test_an_assumption_that_is_not_made_is_refused() -> None:
    """The sentence names the assumptions that there are."""
    with pytest.raises(Refusal, match="no assumption T9; it assumes T1, T2"):
        falling(guarded(), ("T9",))


def test_the_command_says_what_falls_without_an_assumption(capsys: pytest.CaptureFixture[str]) -> None:
    """`prove PROTOCOL --without T1` names A1, which is not proved without that assumption, and ends with 8."""
    from fencepost.checkers.cli.main import main

    assert main(["prove", f"{__name__}:GUARDED", "--without", "T1", "--json"]) == ExitCode.NOT_INDUCTIVE
    document = json.loads(capsys.readouterr().out)
    assert (document["without"], document["fallen"]) == (["T1"], ["A1"])
