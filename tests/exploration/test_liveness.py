"""Leads-to properties on explored graphs: against the plain judge, against TLC, and by runs that anyone can check."""

from __future__ import annotations

from typing import Any

import networkx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fencepost.checkers.exploration import Exploration, PropertyVerdict, explore
from fencepost.checkers.exploration.cycles import components
from fencepost.checkers.exploration.oracle import explore_plainly
from fencepost.checkers.tlc import run_tlc
from fencepost.checkers.verdicts import Verdict
from fencepost.model.language import (
    FALSE,
    Bound,
    Protocol,
    Term,
    any_of,
    cell,
    counter,
    event,
    leads_to,
    protocol,
    table,
)

PLACES = 5
EVENTS = ("A", "B", "C")
Edge = tuple[int, int, str]


def walk(edges: list[Edge], trigger: set[int], goal: set[int], fair: tuple[str, ...]) -> Protocol:
    """A protocol whose states are places, whose rows are the edges, and which claims that one set leads to another."""
    place = counter("place")
    at = cell("at", place, initial=0)

    def among(places: set[int]) -> Term[bool]:
        return any_of(*(at.is_(n) for n in places)) if places else FALSE

    rows = [event(name, source="test")(f"R{i}", at.is_(a), at.becomes(b)) for i, (a, b, name) in enumerate(edges, 1)]
    rows += [event(name, source="test")(f"N{name}", FALSE, at.becomes(0)) for name in EVENTS]
    return protocol(
        "walk",
        table("walk", *rows),
        properties=[leads_to("L", among(trigger), among(goal), fair=fair)],
        bounds={"all": Bound({"place": PLACES})},
        ends=True,
    )


def judged(one: Protocol, **options: Any) -> PropertyVerdict:
    """The verdict on the claim of a walk."""
    found: Exploration = explore(one, "all", **options)
    return found.property("L")


_places = st.integers(0, PLACES)
_walks = st.builds(
    walk,
    st.lists(st.tuples(_places, _places, st.sampled_from(EVENTS)), min_size=1, max_size=12),
    st.sets(_places, min_size=1, max_size=3),
    st.sets(_places, max_size=3),
    st.lists(st.sampled_from(EVENTS), unique=True, max_size=3).map(tuple),
)


@settings(max_examples=60, deadline=None)
@given(_walks)
def test_a_claim_is_judged_as_the_plain_judge_does(one: Protocol) -> None:
    """Verdict, level and length of the run are those found by enumerating components with the interpreter."""
    plain = explore_plainly(one, "all").property("L")
    found = judged(one, engine="numpy")
    assert (found.verdict, found.depth) == (plain.verdict, plain.depth)
    assert (found.trace is None) == (plain.trace is None)
    if found.trace is not None and plain.trace is not None:
        assert len(found.trace.steps) == len(plain.trace.steps)
        assert found.loop is not None
        assert found.loop.start == found.loop.end == found.trace.end


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 9), st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=30))
def test_components_are_those_of_networkx(nodes: int, edges: list[tuple[int, int]]) -> None:
    """Two nodes have one number exactly where each can be reached from the other; what is led to is numbered before."""
    inside = sorted((a, b) for a, b in edges if a < nodes and b < nodes)
    begin = np.searchsorted(np.array([a for a, _ in inside], np.int64), np.arange(nodes + 1))
    of = np.zeros(nodes, np.int64)
    count = components(begin, np.array([b for _, b in inside], np.int64), of)
    graph: Any = networkx.DiGraph(inside)
    graph.add_nodes_from(range(nodes))
    mine = {frozenset(np.flatnonzero(of == number).tolist()) for number in range(count)}
    assert mine == {frozenset(one) for one in networkx.strongly_connected_components(graph)}
    assert all(of[a] >= of[b] for a, b in inside)


ROUND = [(0, 1, "A"), (1, 2, "B"), (2, 1, "A"), (1, 3, "C")]
"""A way into a circle of two places, which C leaves."""

CASES: dict[str, tuple[list[Edge], tuple[str, ...], Verdict, int | None, int | None]] = {
    "fair to the way in only": (ROUND, ("A", "B"), Verdict.VIOLATED, 1, 2),
    "C is not enabled all the time": (ROUND, ("A", "B", "C"), Verdict.VIOLATED, 1, 2),
    "nothing is fair": (ROUND, (), Verdict.VIOLATED, 0, 0),
    "C is enabled all the time": ([*ROUND, (2, 3, "C")], ("A", "C"), Verdict.CLOSED, None, None),
    "no way on": ([(0, 1, "A"), (1, 2, "B"), (4, 3, "C")], ("A", "B", "C"), Verdict.VIOLATED, 2, 0),
    "a step that changes nothing is none": ([(0, 0, "A"), (0, 3, "C")], ("A",), Verdict.VIOLATED, 0, 0),
    "reached": ([(0, 1, "A"), (1, 3, "B")], ("A", "B"), Verdict.CLOSED, None, None),
}


@pytest.mark.parametrize("name", CASES)
def test_what_fairness_forces(name: str) -> None:
    """From place 0 to place 3: an event that stays enabled is taken, one that is so now and then need not be."""
    edges, fair, verdict, stem, loop = CASES[name]
    found = judged(walk(edges, {0}, {3}, fair))
    assert found.verdict is verdict
    if stem is not None and loop is not None:
        assert found.trace is not None
        assert found.loop is not None
        assert (len(found.trace.steps), len(found.loop.steps)) == (stem, loop)


@pytest.mark.representative("C is enabled all the time", "reached")
@pytest.mark.tlc
@pytest.mark.parametrize("name", CASES)
def test_tlc_judges_the_same(name: str) -> None:
    """TLC, asked of the specification with WF of the same events, says the same of every case."""
    edges, fair, verdict, _, _ = CASES[name]
    assert run_tlc(walk(edges, {0}, {3}, fair), "all", properties=("L",)).verdict is verdict


def test_a_trigger_that_never_comes_is_vacuous() -> None:
    """A claim whose trigger no reachable state shows is not called kept."""
    assert judged(walk([(0, 1, "A")], {4}, {3}, ("A",))).verdict is Verdict.VACUOUS


def test_liveness_needs_every_state() -> None:
    """A search that a budget ends decides nothing of what leads to what."""
    assert judged(walk(ROUND, {0}, {3}, ("A",)), max_depth=2).verdict is Verdict.INCONCLUSIVE


def test_a_range_that_disables_a_fair_event_is_told() -> None:
    """A step that would leave a counter's range is not enabled, as for TLC, and the verdict says that one was not."""
    found = judged(walk([(0, PLACES + 1, "A")], {0}, {3}, ("A",)))
    assert found.verdict is Verdict.VIOLATED
    assert "range disables R1" in found.message


@pytest.mark.parametrize("engine", ["numpy", "llvm", "auto"])
def test_large_graphs_are_judged_alike(engine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled components and plain ones give one verdict with one run."""
    monkeypatch.setattr("fencepost.checkers.exploration.liveness.MANY", 0)
    found = judged(walk(ROUND, {0}, {3}, ("A", "B", "C")), engine=engine)
    assert found.trace is not None
    assert [step.row.id for step in found.trace.steps] == ["R1"]
    assert found.loop is not None
    assert [step.row.id for step in found.loop.steps] == ["R2", "R3"]
