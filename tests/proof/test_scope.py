"""Of which rows a property is asked: what every verdict says of it, and what may be left out."""

from dataclasses import replace
from typing import Any

import pytest

from fencepost.checkers.asked import asked_of, scope_lines, scopes_of
from fencepost.checkers.exploration import explore
from fencepost.checkers.proof import prove
from fencepost.model.language.vocabulary import *
from fencepost.model.language.walk import free
from fencepost.model.registry import FAMILIES, find


class Lamp(Entity):
    """A lamp."""


LAMP = sort(Lamp)
l = LAMP.var("l")
lit, broken, counted = per(LAMP, "lit", BOOL), per(LAMP, "broken", BOOL), cell("counted", BOOL, FALSE)
SWITCH, BREAK, COUNT = (event(name, l, source="a test") for name in ("Switch", "Break", "Count"))


@procedure(l)
def goes_out(of: Term[Lamp]) -> object:
    """The lamp is dark."""
    return lit[of].becomes(FALSE)


def lamps(**more: Any) -> Protocol:
    """Return lamps that are switched on and off, break and are counted, with a claim that what is lit stays so."""
    stays = step("STAYS", forall(l, (lit[l] & ~broken[l]).implies(next_(lit[l]))), scope=AT_RESULT_BOUNDARIES, **more)
    rows = (
        SWITCH("ON", ~lit[l], lit[l].becomes(TRUE)),
        SWITCH("OFF", lit[l], goes_out(l)),
        BREAK("BREAK", TRUE, broken[l].becomes(TRUE), goes_out(l)),
        COUNT("COUNT", TRUE, counted.becomes(TRUE)),
        COUNT("REFUSE", FALSE),
    )
    return protocol("lamps", table("lamps", *rows), properties=[stays], bounds={"tiny": Bound({"Lamp": 1})}, ends=True)


OUT = {"OFF": "it is asked for", "BREAK": "it is asked for"}


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({}, "STAYS is checked for all 3 of 5 rows that write what it reads"),
        (
            {"rows": ("ON",)},
            "STAYS is checked for 1 of 5 rows, by name: ON (all that write what it reads: 3, 2 of them not checked)",
        ),
        (
            {"rows": ("ON",), "named_for": "it is about the switch"},
            "STAYS is checked for 1 of 5 rows, by name: ON "
            "(all that write what it reads: 3, 2 of them not checked: it is about the switch)",
        ),
        (
            {"except_rows": OUT},
            "STAYS is checked for 1 of 5 rows "
            "(all that write what it reads: 3; left out by name: OFF, BREAK: it is asked for)",
        ),
    ],
)  # fmt: skip
def test_every_verdict_says_of_which_rows_it_is(more: dict[str, Any], words: str) -> None:
    """Rows that write in a procedure count; the words are those of the proof, of an exploration and of a page."""
    made = lamps(**more)
    assert scope_lines(scopes_of(made, made.properties)) == [words]
    scopes = prove(made).scopes
    assert scope_lines(scopes) == [words]
    assert explore(made, "tiny", engine="columns").scopes == scopes
    [document] = prove(made).as_json()["asked_of"]
    assert document["writing"] == ["ON", "OFF", "BREAK"]
    why = dict.fromkeys(document["left_out"], more["named_for"]) if "named_for" in more else {}
    assert (document["rows"], document["reasons"]) == (5, more.get("except_rows", why))


def test_a_row_that_is_left_out_is_not_asked() -> None:
    """A property of all rows is refuted by two of them; left out by name they are not, and others are still."""
    assert {one.row for one in prove(lamps()).failed} == {"OFF", "BREAK"}
    assert prove(lamps(except_rows=OUT)).failed == ()
    assert {one.row for one in prove(lamps(except_rows={"OFF": "it is asked for"})).failed} == {"BREAK"}
    assert explore(lamps(except_rows=OUT), "tiny", engine="columns").property("STAYS").as_declared
    assert (
        not explore(lamps(except_rows={"OFF": "it is asked for"}), "tiny", engine="columns")
        .property("STAYS")
        .as_declared
    )


def test_of_many_properties_those_that_leave_rows_out_are_named() -> None:
    """A page of many claims counts those of named rows, and has a line for each that leaves rows out."""
    made = lamps(except_rows=OUT)
    more = [always(f"A{n}", forall(l, lit[l] | ~lit[l])) for n in range(3)]
    first, *rest = scope_lines(scopes_of(made.claiming(*more), (*more, *made.properties)))
    assert (
        first == "4 of 4 properties are checked for every row that writes what they read, 0 of the rows that they name"
    )
    assert [line.split()[0] for line in rest] == ["STAYS"]


def test_a_claim_of_rows_by_name_says_why_others_are_not_asked() -> None:
    """A claim that speaks of no parameter, and leaves out rows that write what it reads, has a reason for its rows."""
    silent, reasons = set(), set()
    for name in FAMILIES:
        whole = find(name).whole
        for one in whole.properties:
            if isinstance(one, Step) and one.by_name and not free(one.term) and asked_of(whole, one).left_out:
                scope = asked_of(whole, one)
                silent |= {(name, one.id)} if set(scope.reasons) != set(scope.left_out) else set()
                reasons.add(one.named_for)
    assert silent == set()
    assert len(reasons) > 15


def test_what_kraft_claims_of_eligible_replicas_is_asked_of_every_row() -> None:
    """P35 and P26 are checked for the rows that write ClearElr, and declared broken by them alone."""
    whole = find("kraft").whole
    for id in ("P35", "P26"):
        claim = whole.property(id)
        assert isinstance(claim, Step)
        scope = asked_of(whole, claim)
        assert set(claim.by) == {"CF5", "CF14", "CF15", "CM1"} <= set(scope.asked)
        assert set(scope.reasons) == {"R1", "R2u"} == set(scope.left_out)
        assert (claim.expected, claim.finding) == ("violated", "D33")


def test_a_claim_of_states_is_asked_of_every_row() -> None:
    """An invariant leaves nothing out, whatever it is."""
    whole = find("kraft").whole
    for one in (claim for claim in whole.properties if isinstance(claim, Always)):
        assert asked_of(whole, one).left_out == ()


def test_a_variant_asks_its_new_rows() -> None:
    """A row that a variant adds is checked by properties that leave other rows out."""
    made = lamps(except_rows=OUT)
    more = replace(made.row("OFF"), id="OFF2")
    edited = made.plus(more, table="lamps", why="a second switch")
    assert {one.row for one in prove(edited).failed} == {"OFF2"}
