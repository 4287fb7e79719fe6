"""Gaps, overlaps, dead and shadowed rows are found, each with an example that the interpreter confirms."""

from dataclasses import replace

import pytest

from fencepost.checkers.proof import hygiene
from fencepost.checkers.verdicts import Verdict
from fencepost.model.language.vocabulary import *
from fencepost.model.registry import FAMILIES, find
from tests.examples.two_phase import TWO_PHASE


class Broker(Entity):
    """A broker."""


BROKER, LEVEL = sort(Broker), counter("level")
b, x = BROKER.var("b"), BROKER.var("x")
up = per(BROKER, "up", BOOL)
fenced = per(BROKER, "fenced", BOOL)
level = per(BROKER, "level", LEVEL, 0)
beats = event("Beats", b, source="a test")
world = event("World", b, environment=True, source="a test")


def found(
    *rows: Row, mode: str = "disjoint", claim: bool = False, total: bool = True
) -> list[tuple[str, tuple[str, ...]]]:
    """Return what hygiene finds in a table of some rows."""
    only_up = always("UP", forall(x, fenced[x].implies(up[x])))
    made = protocol("hygiene", table("rows", *rows, mode=mode, total=total), properties=[only_up] if claim else [])  # type: ignore[arg-type]
    return [(one.what, one.rows) for one in hygiene(made).findings]


def test_a_gap_is_found_with_its_state() -> None:
    """A broker that is neither up nor fenced has no row: the example is such a broker."""
    made = protocol("gap", table("rows", beats("A", up[b]), beats("B", ~up[b] & fenced[b]), total=True))
    gaps = hygiene(made).findings
    assert [(one.what, one.event, one.verdict) for one in gaps] == [("gap", "Beats", Verdict.VIOLATED)]
    assert gaps[0].state is not None
    assert gaps[0].binding is not None
    assert not gaps[0].state.read(up.state, (gaps[0].binding["b"],))


def test_a_gap_shows_what_its_rows_read_and_which_conjuncts_are_false() -> None:
    """The example leaves out cells that no row of the event reads, and names the first false conjunct of each row."""
    rows = (beats("A", up[b]), beats("B", ~up[b] & fenced[b]), beats("C", ~up[b] & fenced[b] & (level[b] > 1)))
    [gap] = hygiene(protocol("gap", table("rows", *rows, total=True))).findings[:1]
    assert gap.state is not None
    assert {cell[0].name for cell in gap.state} <= {"up", "fenced"}
    assert gap.false == (("up[b]", ("A",)), ("fenced[b]", ("B", "C")))
    assert "  false: fenced[b] (of B, C)" in gap.lines()


@pytest.mark.parametrize(("unwritten", "findings"), [("", ["unwritten"]), ("a snapshot says it", [])])
def test_a_field_that_no_row_gives_is_a_finding(unwritten: str, findings: list[str]) -> None:
    """A field of a record that is written, which no row gives, is a finding unless its declaration says why."""
    of = required("broker", BROKER)
    given, never = optional("given", BOOL), optional("never", BOOL, unwritten=unwritten)
    note = record("NOTE", of, fields=(given, never), replay=up[of.value].becomes(given.over(TRUE)), name="Note")
    made = protocol("notes", table("rows", world("A", TRUE, note(b, given=said(TRUE, if_=fenced[b])))))
    told = hygiene(made).findings
    assert [one.what for one in told] == findings
    assert all("no row gives the field never of Note" in one.lines()[0] and one.rows == ("A",) for one in told)


def test_the_environment_need_not_be_total() -> None:
    """An event of the environment may have no row for a case."""
    assert found(world("A", up[b]), world("B", ~up[b] & fenced[b]), total=False) == []


def test_an_overlap_is_found_in_a_disjoint_table() -> None:
    """Two rows that both apply are named; in a first-match table the order decides, and there is nothing to find."""
    rows = (beats("A", up[b]), beats("B", ~up[b] | fenced[b]))
    assert found(*rows) == [("overlap", ("A", "B"))]
    assert found(*rows, mode="first match") == []


def test_an_invariant_closes_a_gap() -> None:
    """With the invariant that a fenced one is up, two rows are enough and do not overlap."""
    rows = (beats("A", up[b] & ~fenced[b]), beats("B", fenced[b]), beats("C", ~up[b]))
    assert found(*rows) == [("overlap", ("B", "C"))]
    assert found(*rows, claim=True) == []


def test_dead_and_shadowed_rows_are_told_apart() -> None:
    """A row that no state enables is dead; one that an earlier row always forestalls is shadowed."""
    rows = (beats("A", exists(x, up[x])), beats("B", up[b]), beats("C", up[b] & ~up[b]), beats("D", ~up[b]))
    assert found(*rows, mode="first match") == [("shadowed", ("B", "A")), ("dead", ("C",))]


def test_a_row_that_asks_for_a_high_level_is_alive() -> None:
    """A guard that names a number beyond the usual few is not called dead for that."""
    assert found(beats("A", level[b] >= 17), beats("B", level[b] < 17)) == []


def test_two_phase_commit_is_clean() -> None:
    """Nothing overlaps, every row is alive, and that the specification says when an event may happen is no gap."""
    assert hygiene(TWO_PHASE).findings == ()
    claiming = replace(TWO_PHASE, tables=tuple(replace(one, total=True) for one in TWO_PHASE.tables))
    assert {one.what for one in hygiene(claiming).findings} == {"gap"}


@pytest.mark.parametrize("name", FAMILIES)
def test_what_a_controller_or_a_broker_is_asked_is_always_answered(name: str) -> None:
    """Every event of the designs that the environment does not do is in a table that claims to be total."""
    tables = find(name).whole.tables
    answered = {e.name for t in tables for e in (row.event for row in t.rows) if t.claims_totality_of(e)}
    assert answered == {row.event.name for t in tables for row in t.rows if not row.event.environment}
