"""Bounded symbolic search: the lengths that exploration finds, from the same rows, without a state being stored."""

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from fencepost.checkers.exploration import Exploration, explore
from fencepost.checkers.exploration.engine import bound_of
from fencepost.checkers.proof.unrolled import Unrolled, unrolled
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft.explored import EXPLORED
from fencepost.model.language.vocabulary import *
from fencepost.model.museum import MUSEUM
from fencepost.model.registry import find

STEPS = 5
SIZE = threshold("size")
idle = cell("idle", BOOL)


class Member(Entity):
    """Somebody of whom a set may be."""


team = cell("team", set_of(sort(Member)))


@cache
def explored(name: str, bound: str) -> Exploration:
    """What a search through every state finds at a bound, as deep as runs are asked for here."""
    return explore(find(name).bounds[bound], bound, max_depth=STEPS + 1)


def asked(name: str, bound: str, id: str, steps: int = STEPS, **more: Any) -> Unrolled:
    """Ask for runs of a bound to a property."""
    whole: Protocol = find(name).bounds[bound]
    claim: Any = whole.property(id)
    return unrolled(whole, *bound_of(whole, bound, None), claim, steps, **more)


SHORT = [
    ("lease", "tiny", "LE4"), ("lease", "tiny", "LW1"), ("lease", "tiny", "LW2"), ("kip46", "tiny", "SI1"),
    ("kip46", "tiny", "SIw1"), ("kip343", "tiny", "HI3c"), ("kip343", "tiny", "HI3r"), ("kip343", "tiny", "HW1"),
]  # fmt: skip


@pytest.mark.representative("kip343-tiny-HW1", "lease-tiny-LE4", "kip343-tiny-HI3r", "kip343-tiny-HI3c")
@pytest.mark.parametrize(("name", "bound", "id"), SHORT)
def test_a_shortest_run_is_as_long_as_exploration_finds(name: str, bound: str, id: str) -> None:
    """Violations and witnesses within some steps have the length of exploration's, and are replayed; what it does not
    find so soon is not found here either."""
    [theirs] = [one for one in explored(name, bound).properties if one.id == id]
    mine = asked(name, bound, id)
    if theirs.trace is None:
        assert (mine.verdict, mine.trace, mine.length) == (Verdict.INCONCLUSIVE, None, STEPS)
        return
    assert mine.verdict is theirs.verdict
    assert mine.trace is not None
    assert len(mine.trace.steps) == len(theirs.trace.steps)
    assert mine.trace.initial
    assert mine.length == len(mine.trace.steps)


def test_most_of_these_questions_have_a_run() -> None:
    """The comparison above is not about nothing: at least five of its properties are reached within the steps."""
    verdicts = [
        one.trace is not None for name, bound, id in SHORT for one in explored(name, bound).properties if one.id == id
    ]
    assert sum(verdicts) >= 5


@pytest.mark.nightly("test_a_shortest_run_is_as_long_as_exploration_finds")
@pytest.mark.parametrize(
    ("name", "id", "length"), [pytest.param("J27", "K3", 2, id="J27-K3"), pytest.param("J3", "P7", 4, id="J3-P7")]
)
def test_an_edit_of_kraft_is_found_by_its_shortest_run(name: str, id: str, length: int) -> None:
    """A defect of today's controller has a run as long as exploration finds, with the same last row."""
    [entry] = [one for one in MUSEUM if (one.base, one.name) == ("kraft", name)]
    [expected] = [one for one in entry.expected if one.property == id]
    edited = entry.edited(EXPLORED)
    claim: Any = edited.property(id)
    only = replace(edited, properties=(claim,))
    bound = expected.at(only)
    mine = unrolled(only, *bound_of(only, bound, None), claim, length)
    [theirs] = [one for one in explore(only, bound, stop_at_first=True, engine="numpy").properties if one.id == id]
    assert mine.trace is not None
    assert theirs.trace is not None
    assert len(mine.trace.steps) == len(theirs.trace.steps) == length
    assert mine.trace.steps[-1].row.id == theirs.trace.steps[-1].row.id == expected.row


@pytest.fixture(scope="module")
def switch() -> Protocol:
    """A switch that is turned on once, then broken, and nothing more."""
    on, broken = cell("on", BOOL), cell("broken", BOOL)
    rows = table(
        "switch",
        event("Turn", source="test")("S1", ~on, on.becomes(TRUE)),
        event("Break", source="test")("S2", on & ~broken, broken.becomes(TRUE)),
        event("Look", source="test")("S3", on),
    )
    claims = [always("Whole", ~broken), always("Fine", on | ~broken), always("Off", ~on)]
    return protocol(
        "switch",
        rows,
        properties=claims,
        bounds={
            "all": Bound({}),
            "never": Bound({}, given={"Turn": FALSE}),
            "broken": Bound({}, given={"Break": FALSE}),
        },
        ends=True,
    )


@pytest.mark.parametrize(
    ("bound", "id", "length"), [("all", "Off", 1), ("all", "Whole", 2), ("all", "Fine", None), ("never", "Off", None),
                                ("broken", "Whole", None), ("broken", "Off", 1)],
)  # fmt: skip
def test_a_bound_is_what_is_searched(switch: Protocol, bound: str, id: str, length: int | None) -> None:
    """What the bound assumes of events is assumed here, runs end where no row leads on, and nothing is "closed"."""
    claim: Any = switch.property(id)
    found = unrolled(switch, *bound_of(switch, bound, None), claim, 6)
    if length is not None:
        assert (found.verdict, found.length) == (Verdict.VIOLATED, length)
        return
    assert (found.verdict, found.ended) == (Verdict.INCONCLUSIVE, True)
    assert found.length < 6
    assert "none is longer" in found.message


def test_time_that_is_spent_is_said() -> None:
    """A solver that is given no time decides nothing, and the lengths that it answered before are reported."""
    found = asked("lease", "tiny", "LE4", seconds=0.0)
    assert (found.verdict, found.length, found.trace) == (Verdict.INCONCLUSIVE, -1, None)
    assert "the solver's time was spent" in found.message


def test_a_row_that_writes_nothing_that_is_read_makes_a_step(switch: Protocol) -> None:
    """A claim of steps that reads what no row writes, or nothing, is broken by the first step of any row."""
    for term in (FALSE, next_(idle)):
        claimed = replace(switch, properties=(step("C", term), always("Idle", ~idle)))
        claim: Any = claimed.property("C")
        found = unrolled(claimed, *bound_of(claimed, "all", None), claim, 3)
        assert (found.verdict, found.length) == (Verdict.VIOLATED, 1)


def test_the_last_step_of_a_run_stays_in_the_ranges() -> None:
    """What only a step out of the bound's ranges would break is not found, as exploration does not find it."""
    number = counter("n")
    x, full = cell("x", number, initial=1), cell("full", SIZE, initial=Threshold(2))
    happens = event("Happen", source="test")
    rows = table(
        "rows", happens("UP", TRUE, x.becomes(x + 1)), happens("EMPTY", TRUE, full.becomes(size_of(team, SIZE)))
    )
    claims = (always("One", x.is_(1)), step("Full", next_(full).is_(full)))
    made = protocol("ends", rows, properties=claims, bounds={"all": Bound({"n": 1, "size": 2, "Member": 1})})
    for one in claims:
        assert explore(made, "all", engine="numpy").property(one.id).trace is None
        assert unrolled(made, *bound_of(made, "all", None), one, 2).trace is None


@pytest.mark.parametrize("steps", [0, 1, 2])
def test_a_run_ends_in_front_of_a_row_that_writes_a_cell_twice(steps: int) -> None:
    """The solver takes one of two values; what such a row would break is not broken: the run ends in front of it."""
    x, y = cell("x", BOOL), cell("y", BOOL)
    at = cell("at", counter("at"), initial=0)
    happens = event("Happen", source="test")
    rows = table(
        "rows",
        happens("ON", at < steps, at.becomes(at + 1), y.becomes(TRUE)),
        happens("TWICE", at.is_(steps), x.becomes(TRUE), only_if(at.is_(steps), x.becomes(FALSE))),
    )
    for claim in (always("OFF", ~x), always("ANY", TRUE), step("SAME", at.is_(steps).implies(next_(at) < at))):
        made = protocol("twice", rows, properties=[claim], bounds={"all": Bound({"at": 3})})
        found = unrolled(made, *bound_of(made, "all", None), claim, 5)
        assert (found.property, found.verdict, found.ended) == ("written once", Verdict.VIOLATED, False)
        assert found.trace is not None
        assert [one.row.id for one in found.trace.steps] == ["ON"] * steps
        assert "TWICE() in the last state: x[] is written twice in one stage" in found.message
