"""KIP-46 read in other ways, what it rejects, and its repairs: found by their shortest traces, and not elsewhere."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fencepost.checkers.exploration import Exploration, explore
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kip46.mitigation import goal
from fencepost.model.kip46.slices import brokers
from fencepost.model.kip46.state import b, known_live, p, replicas
from fencepost.model.language import LeadsTo, Protocol, Term, ascending, head, just
from fencepost.model.museum import MUSEUM, Entry, Expected
from fencepost.model.registry import FAMILIES
from tests.museum.runs import check_the_run
from tests.unbroken import unbroken

ENTRIES = {entry.name: entry for entry in MUSEUM if entry.base == "kip46"}
CASES = [
    pytest.param(entry, expected, id=f"{entry.name}-{expected.property}")
    for entry in ENTRIES.values()
    for expected in entry.expected
]
SOME = pytest.mark.representative("SH12-skip-SI4m", "S-c-timer-SI2", "self-reported-SIf", "periodic-scan-M6")
EACH = pytest.mark.parametrize("entry", ENTRIES.values(), ids=lambda entry: entry.name)


def searched(entry: Entry) -> Protocol:
    """Return the slice in which an entry is searched."""
    return entry.within or FAMILIES["kip46"].explored


def looked_at(tables: Protocol, expected: Expected) -> Exploration:
    """Explore for one property where it is to fall: as deep as that needs, or all of it for what comes to pass."""
    alone = replace(tables, properties=(tables.property(expected.property),))
    bound = expected.at(alone)
    events = {event.name for event in alone.events}
    bound = replace(bound, given={event: term for event, term in bound.given.items() if event in events})
    depth = None if isinstance(alone.properties[0], LeadsTo) else expected.length + 1
    return explore(alone, bound, max_depth=depth, deadlock=False, engine="numpy")


@SOME
@pytest.mark.parametrize(("entry", "expected"), CASES)
def test_exploration_finds_it_by_its_shortest_trace(entry: Entry, expected: Expected) -> None:
    """The property falls after exactly as many rows as declared, by the row declared, in a run that was replayed."""
    faulty = entry.grounded(searched(entry)) if entry.repairs else entry.edited(searched(entry))
    found = looked_at(faulty, expected).property(expected.property)
    assert found.verdict is Verdict.VIOLATED
    check_the_run(found.trace, expected)


@SOME
@pytest.mark.parametrize(("entry", "expected"), CASES)
def test_the_other_tables_hold_there(entry: Entry, expected: Expected) -> None:
    """At the same bound the tables without the edit keep the property, or those with it where it is a repair."""
    sound = entry.edited(searched(entry)) if entry.repairs else entry.grounded(searched(entry))
    found = looked_at(sound, expected).property(expected.property)
    assert unbroken(found)


def test_option_1_with_all_tasks_loses_nothing() -> None:
    """SH9: an entry goes only where every partition of the broker has a task; the dead are healed as under option 2."""
    edited = ENTRIES["SH9-option-1"].edited(FAMILIES["kip46"].explored)
    found = explore(edited, "tiny", engine="numpy")
    assert found.verdict is Verdict.CLOSED
    assert all(found.property(id).verdict is Verdict.CLOSED for id in ("SI2", "SI5", "M8"))


def test_without_sh11_the_dead_are_healed_though_controllers_fail() -> None:
    """SI7 and SI1 hold at `small` if a new controller compares the brokers with its entries."""
    edited = ENTRIES["compares-brokers"].edited(FAMILIES["kip46"].explored)
    found = explore(replace(edited, ends=True), "small", engine="numpy")
    assert {found.property(id).verdict for id in ("SI1", "SI7", "SI5")} == {Verdict.CLOSED}


def test_only_a_placement_that_does_not_look_at_the_assignment_keeps_si6() -> None:
    """SH9: the same brokers for good keep SI6; the first spare one does not, once the first task has added another."""
    entry = ENTRIES["SH9-placement"]
    variant = entry.edited(searched(entry))
    first_spare = just(head(ascending(known_live() - replicas[p])))
    live = (replicas[p] & known_live()) - just(b)

    def placed(choice: Term[bool]) -> Exploration:
        bound = entry.expected[0].at(variant)
        chosen = replace(bound, given={**bound.given, "PlaceReplicas": choice})
        alone = replace(variant, properties=(variant.property("SI6"),))
        return explore(alone, chosen, deadlock=False, engine="numpy")

    always = placed(goal.is_(brokers(1, 2)))
    assert always.property("SI6").verdict is Verdict.CLOSED
    assert always.rows_fired["SH9"] > 0
    assert placed(goal.is_(live | first_spare)).property("SI6").verdict is Verdict.VIOLATED
