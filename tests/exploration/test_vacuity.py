"""What nothing puts to the test at a bound: reported with the reason, by every engine alike, and never as closed."""

from dataclasses import replace
from typing import Any

import pytest

from fencepost.checkers.cli.explore import page
from fencepost.checkers.codes import exploration_code
from fencepost.checkers.exploration import Exploration, explore
from fencepost.checkers.exploration.manifest import nowhere
from fencepost.checkers.exploration.vacuity import antecedent, changed
from fencepost.checkers.verdicts import ExitCode, Verdict
from fencepost.model.kraft.brokers import caught_up
from fencepost.model.kraft.explored import EXPLORED
from fencepost.model.language import (
    AFTER_EVERY_RECORD,
    BOOL,
    FALSE,
    TRUE,
    Bound,
    Entity,
    Protocol,
    always,
    cell,
    counter,
    declaring,
    event,
    exists,
    forall,
    lemma,
    next_,
    not_for,
    per,
    protocol,
    sort,
    step,
    table,
)
from fencepost.model.language.render import text
from fencepost.model.language.walk import nary
from fencepost.model.registry import FAMILIES
from tests.exploration.plain_exploration import explore_plainly


class Door(Entity):
    """A door."""


@pytest.fixture(scope="module")
def doors() -> Protocol:
    """Doors that open and close, a counter of visitors, and rows that the bounds keep from firing."""
    door, number = sort(Door), counter("number")
    d, e = door.var("d"), door.var("e")
    told, loud = number.var("told"), BOOL.var("loud")
    open_, locked = per(door, "open", BOOL), per(door, "locked", BOOL)
    visitors, bell = cell("visitors", number, 0), cell("bell", BOOL)
    rows = table(
        "doors",
        event("Open", d, told, source="test")(
            "D1", ~open_[d] & ~locked[d] & (told <= visitors), open_[d].becomes(TRUE)
        ),
        event("Close", d, source="test")("D2", open_[d], open_[d].becomes(FALSE)),
        event("Lock", d, source="test")("D3", ~open_[d], locked[d].becomes(TRUE)),
        event("Visit", d, source="test")("D4", open_[d], visitors.becomes(visitors + 1)),
        event("Ring", loud, source="test")("D5", loud, bell.becomes(TRUE)),
        event("Knock", d, source="test")("D6", locked[d]),
    )
    boundary: Any = "at result boundaries"
    return protocol(
        "doors",
        rows,
        properties=[
            always("Shut", forall(d, locked[d].implies(~open_[d]))),
            always("Rung", forall(d, bell.implies(open_[d] | ~open_[d]))),
            always("Both", forall(d, open_[d].implies(forall(e, locked[e].implies(d.isnt(e)))))),
            step("Told", told <= visitors, rows=("D1",), scope=boundary),
            step("Knocked", next_(locked[d]).is_(locked[d]) & locked[d], rows=("D6",), scope=boundary),
            step("Rings", ~bell | loud, rows=("D5",), scope=boundary),
            step("Grows", visitors <= next_(visitors), scope=AFTER_EVERY_RECORD),
            step("Still", forall(d, bell.implies(next_(open_[d]).is_(open_[d]))), scope=boundary),
            step("BellStays", ~bell | next_(bell), scope=boundary),
            lemma("Always_low", forall(d, (visitors.is_(2) & bell).implies(open_[d]))),
        ],
        bounds={
            "quiet": Bound({"Door": 2, "number": 2}, given={"Ring": FALSE, "Open": told.is_(visitors), "Lock": FALSE}),
            "loud": Bound({"Door": 2, "number": 1}),
            "deaf": Bound({"Door": 1, "number": 1}, given={"Visit": FALSE}),
        },
        ends=True,
    )


def told(found: Exploration) -> dict[str, Any]:
    """What an exploration says of each property, without seconds and traces."""
    return {p.id: (p.verdict, p.vacuity, p.not_for) for p in found.properties}


def because(found: Exploration) -> dict[str, str]:
    """Why nothing put each property to the test."""
    return {p.id: p.vacuity.because for p in found.properties if p.vacuity is not None}


def test_each_reason_is_told(doors: Protocol) -> None:
    """Rows that never fired, antecedents that never held, cells that never changed, and what a bound's given
    decides."""
    assert because(explore(doors, "quiet", engine="numpy")) == {
        "Shut": "antecedent",
        "Rung": "antecedent",
        "Both": "antecedent",
        "Told": "given",
        "Knocked": "rows",
        "Rings": "rows",
        "Still": "antecedent",
        "BellStays": "unchanged",
        "Always_low": "antecedent",
    }
    assert because(explore(doors, "loud", engine="numpy")) == {"Always_low": "antecedent"}
    assert because(explore(doors, "deaf", engine="numpy"))["Grows"] == "unchanged"


@pytest.mark.parametrize("bound", ["quiet", "loud", "deaf"])
def test_the_engines_agree_on_vacuity(doors: Protocol, bound: str) -> None:
    """The interpreter and both compiled engines say the same of every property, with the same reason."""
    plain = told(explore_plainly(doors, bound))
    assert told(explore(doors, bound, engine="numpy")) == plain
    assert bound != "quiet" or told(explore(doors, bound, engine="llvm")) == plain  # compiling takes its time


def test_the_engines_agree_on_what_they_share(replicas: Protocol, two_phase: Protocol) -> None:
    """The same for protocols with lists, sets, records in stages and thresholds, also where a search ends early."""
    for one, bound, depth in ((replicas, "led", None), (replicas, "tiny", 2), (two_phase, "three", 3)):
        plain, fast = explore_plainly(one, bound, max_depth=depth), explore(one, bound, max_depth=depth, engine="numpy")
        assert because(plain) == because(fast)
        assert {p.id: p.verdict for p in plain.properties} == {p.id: p.verdict for p in fast.properties}


def test_a_row_without_effects_is_asked_of_its_properties(doors: Protocol) -> None:
    """A claim about a row that changes nothing is checked where the row applies, and broken where it does not hold."""
    assert explore(doors, "loud", engine="numpy").property("Knocked").verdict is Verdict.CLOSED
    (row,) = [one for one in doors.rows if one.id == "D6"]
    wrong = doors.claiming(step("Knocked", next_(doors.row("D2").effects[0].target), rows=("D6",)))  # type: ignore[union-attr]
    for found in (explore_plainly(wrong, "loud"), explore(wrong, "loud", engine="numpy")):
        judged = found.property("Knocked")
        assert judged.verdict is Verdict.VIOLATED
        assert judged.trace is not None
        assert [one.row.id for one in judged.trace.steps] == ["D3", row.id]
    assert explore(doors, "loud", engine="numpy").transitions == explore(wrong, "loud", engine="numpy").transitions


def test_vacuous_is_no_success_unless_the_bound_says_so(doors: Protocol) -> None:
    """Nothing put to the test ends with code 4; where the bound says that it is not for the properties, with 0."""
    found = explore(doors, "quiet", engine="numpy")
    assert (found.verdict, exploration_code(found)) == (Verdict.VACUOUS, ExitCode.VACUOUS)
    ids = " ".join(id for id in because(found) if id != "Always_low")
    (said,) = declaring([doors], not_for("no visitor rings and nothing is locked", ids, "quiet"))
    again = explore(said, "quiet", engine="numpy")
    assert (again.verdict, exploration_code(again)) == (Verdict.CLOSED, ExitCode.AS_DECLARED)
    assert any("no visitor rings and nothing is locked" in line for line in page(again, said))
    assert told(explore_plainly(said, "quiet")) == told(again)


def test_a_search_that_ended_early_calls_nothing_vacuous(doors: Protocol) -> None:
    """Where not every state was seen what is not met yet is inconclusive."""
    found = explore(doors, "loud", engine="numpy", max_depth=1)
    assert found.property("Shut").verdict is Verdict.INCONCLUSIVE
    assert "not put to the test yet" in found.property("Shut").message


def test_a_bound_of_a_kind_there_is_not_is_refused(doors: Protocol) -> None:
    """What a bound is not for names properties that the slice asks, at bounds that there are."""
    from fencepost.model.language import TableError

    for ids, at in (("Nothing", "quiet"), ("Shut", "nowhere")):
        with pytest.raises(TableError, match=r"Nothing|nowhere"):
            declaring([doors], not_for("a reason", ids, at))


def test_antecedents_inside_consequents_count(doors: Protocol) -> None:
    """What "if a then for all e, if b then c" asks for is a and b, of all its variables."""
    variables, met = antecedent(doors.property("Both").term)  # type: ignore[union-attr]
    assert [one.name for one in variables] == ["d", "e"]
    assert met is not None
    assert text(met) == "open[d] and locked[e]"
    assert changed(exists(variables[0], TRUE)) is TRUE


def test_assumptions_are_told(doors: Protocol) -> None:
    """JSON and page say what the bound assumes of its events; what decides a property names it."""
    found = explore(doors, "quiet", engine="numpy")
    said = {one["id"]: one for one in found.as_json()["assumptions"]}
    assert said["given Open"] == {
        "id": "given Open", "about": "told = visitors", "event": "Open", "needed_by": ["Told"],
    }  # fmt: skip
    assert (said["given Ring"]["about"], said["given Ring"]["needed_by"]) == ("never happens", None)
    lines = page(found, doors)
    assert "  assumes of Open: told = visitors (decides Told)" in lines
    assert any("never happen: Lock, Ring" in line or "never happen: Ring, Lock" in line for line in lines)
    judged = {one["id"]: one for one in found.as_json()["properties"]}
    assert judged["Told"]["vacuity"]["because"] == "given"
    assert judged["Shut"]["vacuity"]["what"] == ["locked[d]"]


# -- of KRaft --------------------------------------------------------------------------------------------------------
def without_caught_up(base: Protocol) -> Protocol:
    """Today's rows, but a broker is unfenced whatever it has read."""
    guard = base.row("HB2").when
    parts = tuple(one for one in guard.terms if one is not caught_up)  # type: ignore[attr-defined]
    assert len(parts) + 1 == len(guard.terms)  # type: ignore[attr-defined]
    return base.but("HB2", when=nary("and", parts), why="how far it has read is not checked")


def test_what_tiny_assumes_decides_k4_and_lag_refutes_it() -> None:
    """Without `caught_up` K4 is no success at tiny, whose brokers have read everything, and is violated at lag."""
    edited = without_caught_up(EXPLORED)
    only = replace(edited, properties=tuple(p for p in edited.properties if p.id == "K4"))
    judged = explore(only, "tiny", engine="numpy").property("K4")
    assert judged.verdict is Verdict.VACUOUS
    assert judged.vacuity is not None
    assert judged.vacuity.events == ("Heartbeat",)
    assert "off = log_end" in judged.message
    refuted = explore(only, "lag", engine="numpy", stop_at_first=True).property("K4")
    assert refuted.verdict is Verdict.VIOLATED
    assert refuted.trace is not None
    assert [one.row.id for one in refuted.trace.steps] == ["R1", "HB2"]


def test_every_property_is_for_some_bound() -> None:
    """No property of states or steps that is explored is left without a bound that is for it, lemmas apart.

    Those for which none is have their reason in `spec/bounds/nowhere.toml`. That the bounds are for what they do not
    exclude is asked where their counts are.
    """
    from fencepost.model.language import Always, Step

    for family in FAMILIES.values():
        claimed = {
            p.id: {bound for bound, one in family.bounds.items() if p.id in {q.id for q in one.properties}}
            for one in family.slices
            for p in one.properties
            if isinstance(p, (Always, Step)) and not (isinstance(p, Always) and p.lemma)
        }
        left = {id for id, bounds in claimed.items() if all(id in family.bounds[b].bounds[b].not_for for b in bounds)}
        told = set(nowhere(family.name).properties)
        assert left == told & set(claimed), family.name
        stated = {
            p.id for p in family.whole.properties if isinstance(p, (Always, Step)) and not getattr(p, "lemma", False)
        }
        assert stated - set(claimed) == told - set(claimed), family.name
