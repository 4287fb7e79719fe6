"""Defects of the ZooKeeper era, and the page taken literally: found by their shortest traces, and not in the base."""

import pytest

from fencepost.checkers.exploration import explore
from fencepost.checkers.verdicts import Verdict
from fencepost.model.language import Protocol
from fencepost.model.language.machines import machines
from fencepost.model.museum import MUSEUM, Entry
from fencepost.model.museum.zk_bounds import DELETIONS, FAILURES, HEARD, MOVES, TOLD, WORLD
from fencepost.model.museum.zk_page_edits import PAGE_PARTITIONS, PAGE_REPLICAS
from fencepost.model.registry import FAMILIES, find
from fencepost.model.zk import ZK

ENTRIES = {entry.name: entry for entry in MUSEUM if entry.base == "zk"}


def searched(entry: Entry) -> Protocol:
    """Return the slice in which an entry is searched."""
    return entry.within or FAMILIES["zk"].explored


def faulty(entry: Entry) -> Protocol:
    """Return the tables that have the defect: the edited ones, or the base where the edit repairs it."""
    return entry.grounded(searched(entry)) if entry.repairs else entry.edited(searched(entry))


@pytest.mark.nightly("tests/museum/test_shortest_runs.py::test_exploration_finds_it_by_its_shortest_run")
@pytest.mark.parametrize("name", ["page_single_replica", "page_preferred_in_isr_only"])
def test_the_command_line_shows_the_defect_at_the_first_bound(name: str) -> None:
    """What `fencepost explore zk+NAME` finds at the variant's bound is the shortest trace that the entry declares."""
    explored, expected = find(f"zk+{name}").explored, ENTRIES[name].expected[0]
    verdict = explore(explored, next(iter(explored.bounds))).property(expected.property)
    assert verdict.verdict is Verdict.VIOLATED
    assert verdict.trace is not None
    assert len(verdict.trace.steps) == expected.length


def test_what_a_search_assumes_is_of_events_that_there_are() -> None:
    """Every assumption names an event of the tables: one that is renamed would go on as if nothing were assumed."""
    known = {event.name for event in ZK.events}
    assert set(WORLD) <= known
    for entry in ENTRIES.values():
        of_entry = {event.name for event in faulty(entry).events} | known
        for expected in entry.expected:
            assert set(expected.given or {}) <= of_entry, entry.name


@pytest.mark.representative("zk_failures", "zk_told", "zk_deletions")
@pytest.mark.parametrize("part", [FAILURES, TOLD, MOVES, DELETIONS, HEARD], ids=lambda part: part.name)
def test_a_slice_can_be_explored(part: Protocol) -> None:
    """At the bound of a slice itself a controller comes to be and every partition gets a leader."""
    found = explore(part, "smallest", deadlock=False, engine="numpy")
    assert found.verdict is Verdict.CLOSED
    assert {"ZC0", "ZP2"} <= {row for row, count in found.rows_fired.items() if count}
    assert found.out_of_range == {}


def test_the_twelve_steps_keep_what_they_claim_whatever_fails_when() -> None:
    """With a crash, a lost session or another controller after every step all claims hold, and every step is taken."""
    entry = ENTRIES["twelve_steps"]
    found = explore(entry.edited(searched(entry)), "steps", deadlock=False)
    assert found.verdict is Verdict.CLOSED
    assert {one.id for one in found.properties} >= {"ZI1", "ZI2", "ZI3", "ZI4", "ZI6", "ZI6b", "ZI6c", "ZI7"}
    assert {one.verdict for one in found.properties} == {Verdict.CLOSED}
    assert found.out_of_range == {}
    assert [row for row in found.rows_never_fired if row.startswith("T")] == []
    assert found.distinct == STATES_OF_THE_TWELVE_STEPS


STATES_OF_THE_TWELVE_STEPS = 7754


def test_the_page_has_its_own_changes() -> None:
    """In `zk+page_replica_states` rows make exactly the changes that the page lists, and no others."""
    partition, replica = machines(ENTRIES["page_replica_states"].edited(ZK))
    for machine, valid in ((partition, PAGE_PARTITIONS), (replica, PAGE_REPLICAS)):
        assert {(edge.source, edge.target) for edge in machine.edges} == {
            (old, new) for new, olds in valid.items() for old in olds
        }
