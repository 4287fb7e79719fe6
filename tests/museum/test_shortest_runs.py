"""Entries of every protocol but `kraft`: each found by its shortest run, and not in the tables without its defect."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from fencepost.checkers.exploration import Exploration, explore
from fencepost.checkers.verdicts import Verdict
from fencepost.model.language import LeadsTo, Protocol
from fencepost.model.museum import MUSEUM, Entry, Expected
from fencepost.model.registry import FAMILIES
from tests.museum.runs import check_the_run
from tests.unbroken import unbroken

ENTRIES = [one for one in MUSEUM if one.base != "kraft" and not one.name.startswith(("diskless", "any-controller+"))]
"""`test_kraft.py` has the entries of `kraft`, `test_diskless.py` those over the switch to diskless storage,
`tests/kraft_data/test_reassignment.py` those over any controller."""
SHARED = ("kraft-data", "kraft-loop", "kraft-voters", "kraft-whole", "zk-data")
"""Protocols of which one exploration of the tables without a defect is for all entries at a bound."""
LARGE = {
    "kraft-data": {"joins-at-the-high-watermark", "truncates-too-much", "does-not-truncate", "ignores-broker-epochs"}
    | {"late-fetches+forgets-the-fenced"},
    "kraft-loop": {"abort-forgets-a-map", "finishes-transactions", "counts-what-it-aborts", "loads-one-too-many"},
    "kraft-voters": {"trusts-earlier-commits"},
    "kraft-whole": {one.name for one in ENTRIES if one.base == "kraft-whole"},
    "zk-data": {"writes-unanswered", "joins-at-the-high-watermark", "truncates-to-the-high-watermark"}
    | {"counts-fetches-of-any-epoch", "uses-late-answers"},
}
"""Entries whose runs are slow to find."""
FAR = {
    "kraft-data": {"joins-at-the-high-watermark", "truncates-too-much", "does-not-truncate", "fences-from-an-old-isr"},
    "zk-data": {"truncates-to-the-high-watermark", "uses-late-answers"},
}
"""Entries whose bounds are so large that the tables are explored there every night only: they are proved to hold."""
ALWAYS = {
    "kip343": ("broker_timeout_not_longer-HI3", "lease-M3t", "failover_reads_znodes-HI3", "exits_when_told-HIx"),
    "kip46": ("SH12-skip-SI4m", "S-c-timer-SI2", "self-reported-SIf", "periodic-scan-M6"),
    "kip631-v1": (*("moves_wait-M3-moved", "only_controller_fences-M4", "fence_leaves_leader-M5", "one_heartbeat-KU"),),
    "kip631-v2": ("log_end-K11r", "one_too_few-K4", "fence_first-K9"),
    "kraft-loop": ("keeps-a-replaced-listener", "schedules-before-replay", "reverts-too-little"),
    "kraft-voters": tuple(one.name for one in ENTRIES if one.base == "kraft-voters"),
    "zk-data": ("elects-outsiders", "returns-unnoticed", "asks-for-one-epoch"),
}
"""Cases of both tests that run always."""
FOUND = ALWAYS | {
    "kraft-data": (
        *("asks-for-one-epoch", "stays-eligible", "elects-outsiders"),
        *("late-fetches+notes-any-life", "late-fetches+proposes-unread-life"),
    ),
    "kraft-whole": ("claims-without-sessions", "reverts-but-the-partition", "reverts-but-the-fence"),
    "lease": (
        *("no_broker_timer_fenced-LE3", "longer_lease-LE1", "longer_lease_fenced-LE3", "moved_fenced-LE3"),
        *("shorter_promise_fenced-LE3", "no_broker_timer-LE1", "moved-LE1"),
    ),
    "zk": ("Z24-ZI12s", "Z12-ZI6c", "Z1-ZI5"),
}
HOLD = ALWAYS | {
    "kraft-data": ("keeps-the-last", "elects-outsiders", "asks-for-one-epoch"),
    "kraft-whole": tuple(one.name for one in ENTRIES if one.base == "kraft-whole"),
    "zk": ("Z1-ZI5",),
}


def cases(far: Mapping[str, set[str]], without: str = "") -> list[Any]:
    """Return each entry with each property that falls, the cases that are `far` with the check that proves them.

    Entries of the protocol `without` are left out.
    """
    several = Counter((entry.base, entry.name, one.property) for entry in ENTRIES for one in entry.expected)
    found = []
    for entry in (one for one in ENTRIES if one.base != without):
        for one in entry.expected:
            name = f"{entry.base}+{entry.name}"
            name += "" if entry.base in SHARED else f"-{one.property}"
            name += f"-{one.bound}" if several[entry.base, entry.name, one.property] > 1 else ""
            slow = [pytest.mark.slow] if entry.name in LARGE.get(entry.base, ()) else []
            repeats = entry.name in far.get(entry.base, ())
            marks = [pytest.mark.nightly(f"fencepost check {entry.base}")] if repeats else slow
            found.append(pytest.param(entry, one, id=name, marks=marks))
    return found


def always(names: Mapping[str, tuple[str, ...]]) -> pytest.MarkDecorator:
    """Return the marker that has the cases of every run."""
    return pytest.mark.representative(*(f"{base}+{name}" for base, those in names.items() for name in those))


def tables_of(entry: Entry, faulty: bool) -> Protocol:
    """Return the tables that have the defect, or those that do not, in the slice in which the entry is searched."""
    place = entry.within or FAMILIES[entry.base].explored
    return entry.edited(place) if faulty is not entry.repairs else entry.grounded(place)


def explored(tables: Protocol, expected: Expected, deeper: int, *claims: str, stop: bool = False) -> Exploration:
    """Explore for some claims a number of levels deeper than the run; what comes to pass needs every state."""
    asked = replace(tables, properties=tuple(map(tables.property, claims)), base=tables.base or tables)
    bound, events = expected.at(asked), {event.name for event in asked.events}
    bound = replace(bound, given={event: term for event, term in bound.given.items() if event in events})
    runs_on = any(isinstance(one, LeadsTo) for one in asked.properties)
    engine = "auto" if tables.name.startswith(SHARED) else "numpy"
    depth = None if runs_on else expected.length + deeper
    return explore(asked, bound, max_depth=depth, stop_at_first=stop and not runs_on, deadlock=False, engine=engine)


@cache
def explored_for_all(base: str, bound: str) -> Exploration:
    """Explore a protocol at a bound for the claims of all entries there, as deep as the longest of their runs."""
    tables = FAMILIES[base].explored
    alike = [entry for entry in ENTRIES if entry.base == base and entry.grounded(tables) is tables]
    there = [one for entry in alike for one in entry.expected]
    there = [one for one in there if repr(one.at(tables)) == bound]
    return explored(tables, max(there, key=lambda one: one.length), 1, *dict.fromkeys(one.property for one in there))


@always(FOUND)
@pytest.mark.parametrize(("entry", "expected"), cases({}))
def test_exploration_finds_it_by_its_shortest_run(entry: Entry, expected: Expected) -> None:
    """The property falls after exactly as many rows as declared, by the row declared, in a run that was replayed."""
    found = explored(tables_of(entry, True), expected, 2, expected.property, stop=True).property(expected.property)
    assert found.verdict is Verdict.VIOLATED
    check_the_run(found.trace, expected)
    assert found.trace is not None
    assert found.trace.initial


@always(HOLD)
@pytest.mark.parametrize(("entry", "expected"), cases(FAR, without="lease"))
def test_the_tables_without_the_defect_hold_there(entry: Entry, expected: Expected) -> None:
    """At the same bound and deeper than the run the other tables keep the property.

    Without the defect its condition may arise only deeper: then that is what the search says. Without a lease's defect
    two may believe for other reasons, at the same bound (`test_lease.py`).
    """
    place = FAMILIES[entry.base].explored
    if entry.base in SHARED and entry.grounded(place) is place:
        found = explored_for_all(entry.base, repr(expected.at(place)))
    else:
        found = explored(tables_of(entry, False), expected, 1, expected.property)
        assert entry.base != "kip343" or found.distinct > expected.length
    assert unbroken(found.property(expected.property))
