"""The switch to diskless storage: each defect found by its shortest run and refuted, and the tables without it hold."""

from dataclasses import replace
from functools import cache

import pytest

from fencepost.checkers.exploration import Exploration, explore
from fencepost.checkers.museum import tell
from fencepost.checkers.proof import hygiene, prove
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft import KRAFT
from fencepost.model.kraft_data import KRAFT_DATA
from fencepost.model.kraft_data.diskless import CLAIMS, SWITCH, sealed
from fencepost.model.kraft_data.diskless import switching as switching_data
from fencepost.model.kraft_data.state import b, e, leads
from fencepost.model.language import LeadsTo, Protocol, Term
from fencepost.model.museum import MUSEUM, Entry
from fencepost.model.registry import FAMILIES
from fencepost.model.releases.diskless import DISKLESS, switching
from tests import edited_rows
from tests.museum.runs import check_the_run
from tests.unbroken import unbroken

ENTRIES = [one for one in MUSEUM if one.name.startswith("diskless+")]
EACH = pytest.mark.parametrize("entry", [pytest.param(one, id=f"{one.base}-{one.name}") for one in ENTRIES])
OF_STATES = [one for one in ENTRIES if one.expected[0].property not in ("SwitchEnds", "LogBegins", "ComesBack")]


def searched(tables: Protocol, entry: Entry) -> Exploration:
    """Explore for the claim of an entry: to the end for what comes to pass, else a row deeper than its run."""
    [expected] = entry.expected
    alone = replace(tables, properties=(tables.property(expected.property),))
    deep = None if isinstance(alone.properties[0], LeadsTo) else expected.length + 1
    return explore(alone, expected.at(alone), max_depth=deep, deadlock=False, engine="numpy")


@pytest.mark.representative("kraft-data-diskless+never-shrinks", "kraft-diskless+raw-isr")
@EACH
def test_a_defect_is_found_by_its_shortest_run(entry: Entry) -> None:
    """The claim falls after exactly as many rows as declared, by the row declared, in a run that was replayed."""
    [expected] = entry.expected
    found = searched(entry.explored(FAMILIES[entry.base].explored), entry).property(expected.property)
    assert found.verdict is Verdict.VIOLATED
    check_the_run(found.trace, expected)
    assert (found.loop is not None) == (entry not in OF_STATES)


@pytest.mark.representative("kraft-data-diskless+never-shrinks", "kraft-diskless+raw-isr")
@EACH
def test_the_switch_without_the_defect_holds_there(entry: Entry) -> None:
    """At the same bound the tables without the edit keep the claim."""
    place = entry.within or FAMILIES[entry.base].explored
    [expected] = entry.expected
    found = searched(entry.grounded(place), entry).property(expected.property)
    assert unbroken(found)
    assert found.vacuity is None


@cache
def whole(base: str) -> Protocol:
    """Return the whole tables with the switch."""
    return switching(KRAFT) if base == "kraft" else switching_data(KRAFT_DATA)


@pytest.mark.representative("kraft-diskless+without-leader", "kraft-data-diskless+joins-switched")
@pytest.mark.parametrize("entry", [pytest.param(one, id=f"{one.base}-{one.name}") for one in OF_STATES])
def test_proof_refutes_the_defect(entry: Entry) -> None:
    """The row that is edited gets a counterexample to induction, which the interpreter has replayed."""
    edited = entry.edit(whole(entry.base))
    [expected] = entry.expected
    # What is lost at a later row is a lemma that the edited one breaks.
    row, claim = ("DW9", "LJ8") if entry.base == "kraft-data" else (expected.row, expected.property)
    failed = edited_rows.failed(edited, row, [claim], claim)
    assert [one.message for one in failed if one.refuted]


def test_rows_of_the_seal_are_proved_to_keep_what_is_claimed_of_it() -> None:
    """The classic log ends at the seal, and the rows of the switch keep that, for any number of brokers and records."""
    proof = prove(whole("kraft-data"), rows=["DW2", "DW3", "DW4", "DW5"], properties=[one.id for one in CLAIMS])
    assert proof.failed == ()


@pytest.mark.parametrize(("row", "guard", "lemma"), [
    ("DW2", leads(b, e) & sealed[e], "LW3"),
    ("DM1", KRAFT_DATA.row("DM1").when, "LW5"),
])  # fmt: skip
def test_what_the_seal_rests_on(row: str, guard: Term[bool], lemma: str) -> None:
    """That all of the sealed log is acknowledged, and that who begins to lead has cut what lies beyond the seal."""
    edited = whole("kraft-data").but(row, when=guard, why="the guard is left out")
    assert [one.message for one in edited_rows.failed(edited, row, [lemma], lemma) if one.refuted]


def test_tables_of_the_switch_are_tidy() -> None:
    """No two rows of one event overlap, and every row applies in some state."""
    assert hygiene(whole("kraft-data")).findings == ()


@pytest.mark.nightly("test_rows_of_the_seal_are_proved_to_keep_what_is_claimed_of_it")
@pytest.mark.parametrize("base", ["kraft", "kraft-data"])
def test_the_switch_is_proved(base: str) -> None:
    """Every row keeps every claim, for any number of entities, but for what Kafka's own rows break as declared."""
    proof = prove(whole(base), assumptions=False)
    assert proof.failed == ()
    own = {one.id for one in (DISKLESS.own if base == "kraft" else CLAIMS)}
    assert own <= {one.id for one in whole(base).properties}
    assert base == "kraft" or {row.id for row in SWITCH.rows} <= set(proof.applying)


def test_a_run_that_stands_still_is_told() -> None:
    """`museum` says what comes behind the run of a claim about what comes to pass, and nothing of other claims."""
    told = tell("kraft-data+diskless+never-shrinks")
    assert told.found
    assert told.ever_after == "From there on nothing that is fair happens any more."
    assert told.sentences[-1].startswith("6. Take metadata (broker 0), row DM1: ")
    assert tell("kraft+diskless+without-leader").ever_after == ""
