"""Leads-to properties on explored graphs: against the plain judge, against TLC, and by runs that anyone can check."""

from dataclasses import replace
from itertools import combinations
from typing import Any

import networkx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fencepost.checkers.exploration import Exploration, PropertyVerdict, explore
from fencepost.checkers.exploration.cycles import components
from fencepost.checkers.exploration.layout import Layout
from fencepost.checkers.exploration.liveness import confirm, fair_components
from fencepost.checkers.exploration.plan import Plan
from fencepost.checkers.exploration.region import Region
from fencepost.checkers.tlc import run_tlc
from fencepost.checkers.verdicts import ReplayFailed, Verdict
from fencepost.model.language.vocabulary import *
from tests.cases import examples
from tests.examples.simple_allocator import PROPERTIES, SIMPLE_ALLOCATOR, c
from tests.exploration.plain_exploration import explore_plainly

PLACES = 5
EVENTS = ("A", "B", "C")
Edge = tuple[int, int, str]


def walk(
    edges: list[Edge],
    trigger: set[int],
    goal: set[int],
    fair: tuple[str, ...],
    strongly_fair: tuple[str, ...] = (),
    finitely: tuple[str, ...] = (),
) -> Protocol:
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
        properties=[leads_to("L", among(trigger), among(goal), fair, strongly_fair=strongly_fair, finitely=finitely)],
        bounds={"all": Bound({"place": PLACES})},
        ends=True,
    )


def judged(one: Protocol, **options: Any) -> PropertyVerdict:
    """The verdict on the claim of a walk."""
    found: Exploration = explore(one, "all", **options)
    return found.property("L")


_places = st.integers(0, PLACES)
_fairness = st.tuples(*(st.sampled_from(("none", "weak", "strong", "finitely")) for _ in EVENTS))
"""How fair runs must be to each event, or that it happens finitely often."""


def named(fairness: tuple[str, ...], kind: str) -> tuple[str, ...]:
    """The events to which runs must be fair in one way."""
    return tuple(event for event, its in zip(EVENTS, fairness, strict=True) if its == kind)


_walks = st.builds(
    lambda edges, trigger, goal, fairness: walk(
        edges, trigger, goal, named(fairness, "weak"), named(fairness, "strong"), named(fairness, "finitely")
    ),
    st.lists(st.tuples(_places, _places, st.sampled_from(EVENTS)), min_size=1, max_size=12),
    st.sets(_places, min_size=1, max_size=3),
    st.sets(_places, max_size=3),
    _fairness,
)


@settings(max_examples=examples(60), deadline=None)
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


@st.composite
def _regions(draw: st.DrawFn) -> Region:
    """A region of a few states with many steps, of two fair events and of others."""
    count = draw(st.integers(2, 6))
    state = st.integers(0, count - 1)
    apart = st.tuples(state, st.integers(1, count - 1), st.sampled_from((-1, -1, -1, 0, 1)))
    steps = [(a, (a + by) % count, which) for a, by, which in draw(st.lists(apart, min_size=count, max_size=3 * count))]
    leaving = draw(st.lists(st.tuples(state, st.integers(0, 1)), max_size=3))
    enabled = np.zeros((count, 2), np.bool_)
    for a, which in (*((a, which) for a, _, which in steps if which >= 0), *leaving):
        enabled[a, which] = True
    source, target, events = np.array(steps, np.int64).T
    alike = np.arange(count)
    strong = np.array(draw(st.tuples(st.booleans(), st.booleans())), np.bool_)
    rows = (events, np.zeros_like(events), events)
    return Region(alike, alike, alike, alike, source, target, *rows, enabled, np.full(count, -1), strong)


def fair_for_ever(found: Region) -> list[set[int]]:
    """Every set of states that some fair run passes again and again: each set is tried, as the definition has it."""
    steps = list(zip(found.source.tolist(), found.target.tolist(), found.event.tolist(), strict=True))

    def connected(states: set[int]) -> bool:
        for start in states:
            reached, before = {start}, set[int]()
            while reached != before:
                before, reached = reached, reached | {b for a, b, _ in steps if a in reached and b in states}
            if reached != states:
                return False
        return True

    def fair(states: set[int], event: int) -> bool:
        if any(a in states and b in states for a, b, which in steps if which == event):
            return True
        able = {state for state in states if found.enabled[state, event]}
        return not able if found.strong[event] else able != states

    every = [
        set(some) for size in range(len(found.states)) for some in combinations(range(len(found.states)), size + 1)
    ]
    return [some for some in every if connected(some) and all(fair(some, which) for which in range(2))]


@settings(max_examples=200, deadline=None)
@given(_regions())
def test_fair_components_are_those_that_all_sets_of_states_show(found: Region) -> None:
    """Two states are in one component exactly where some set, strongly connected and fair to every event, has both."""
    of = fair_components(found)
    sets = fair_for_ever(found)
    for a, b in combinations(range(len(of)), 2):
        assert (of[a] == of[b] >= 0) == any({a, b} <= some for some in sets)
    assert {a for a, number in enumerate(of.tolist()) if number >= 0} == set().union(*sets)


ROUND = [(0, 1, "A"), (1, 2, "B"), (2, 1, "A"), (1, 3, "C")]
"""A way into a circle of two places, which C leaves from one of them."""
BESIDE = [*ROUND, (2, 4, "B"), (4, 2, "A")]
"""The same with a second circle, that C does not leave."""
DETOUR = [(0, 1, "A"), (1, 2, "B"), (2, 1, "A"), (2, 4, "C"), (4, 1, "A")]
"""A way into a circle of two places, with a longer way round by C."""

CASES: dict[str, tuple[list[Edge], tuple[str, ...], tuple[str, ...], Verdict, int | None, int | None]] = {
    "fair to the way in only": (ROUND, ("A", "B"), (), Verdict.VIOLATED, 1, 2),
    "C is not enabled all the time": (ROUND, ("A", "B", "C"), (), Verdict.VIOLATED, 1, 2),
    "nothing is fair": (ROUND, (), (), Verdict.VIOLATED, 0, 0),
    "C is enabled all the time": ([*ROUND, (2, 3, "C")], ("A", "C"), (), Verdict.CLOSED, None, None),
    "no way on": ([(0, 1, "A"), (1, 2, "B"), (4, 3, "C")], ("A", "B", "C"), (), Verdict.VIOLATED, 2, 0),
    "a step that changes nothing is none": ([(0, 0, "A"), (0, 3, "C")], ("A",), (), Verdict.VIOLATED, 0, 0),
    "reached": ([(0, 1, "A"), (1, 3, "B")], ("A", "B"), (), Verdict.CLOSED, None, None),
    "C is enabled again and again": (ROUND, ("A", "B"), ("C",), Verdict.CLOSED, None, None),
    "C is avoided from some time on": (BESIDE, ("A", "B"), ("C",), Verdict.VIOLATED, 2, 2),
    "C is avoided, and B only for a while": (BESIDE, ("A",), ("B", "C"), Verdict.VIOLATED, 2, 2),
    "C goes round as well": ([*ROUND, (2, 1, "C")], ("A",), ("C",), Verdict.VIOLATED, 1, 2),
    "C is owed a step where it is passed": (DETOUR, ("A", "B"), ("C",), Verdict.VIOLATED, 1, 3),
    "strongly fair to what no step is of": ([(0, 1, "A"), (4, 3, "C")], (), ("A", "C"), Verdict.VIOLATED, 1, 0),
    "C stays enabled where the run ends": ([(0, 3, "C")], (), ("C",), Verdict.CLOSED, None, None),
}


@pytest.mark.parametrize("name", CASES)
def test_what_fairness_forces(name: str) -> None:
    """From place 0 to 3: what stays enabled is taken, and what is enabled now and then if its fairness is strong."""
    edges, fair, strongly_fair, verdict, stem, loop = CASES[name]
    found = judged(walk(edges, {0}, {3}, fair, strongly_fair))
    assert found.verdict is verdict
    if stem is not None and loop is not None:
        assert found.trace is not None
        assert found.loop is not None
        assert (len(found.trace.steps), len(found.loop.steps)) == (stem, loop)


@pytest.mark.representative("C is enabled all the time")
@pytest.mark.tlc
@pytest.mark.parametrize("name", CASES)
def test_tlc_judges_the_same(name: str) -> None:
    """TLC, asked of the specification with WF and SF of the same events, says the same of every case."""
    edges, fair, strongly_fair, verdict, _, _ = CASES[name]
    assert run_tlc(walk(edges, {0}, {3}, fair, strongly_fair), "all", properties=("L",)).verdict is verdict


def test_the_interpreter_asks_strong_fairness_of_a_run() -> None:
    """A loop that passes a strongly fair event and never takes it is refused, though weak fairness would allow it."""
    weak = walk(ROUND, {0}, {3}, ("A", "B", "C"))
    found, plan = judged(weak), Plan(weak, weak.bounds["all"], Layout(weak, weak.bounds["all"].sizes))
    claim = weak.property("L")
    assert isinstance(claim, LeadsTo)
    assert found.trace is not None
    assert found.loop is not None
    confirm(plan, claim, found.trace, 0, found.loop)
    with pytest.raises(ReplayFailed, match="does not find L as the exploration found it"):
        confirm(plan, replace(claim, fair=("A", "B"), strongly_fair=("C",)), found.trace, 0, found.loop)


def test_the_verdict_names_both_kinds_of_fairness() -> None:
    """What holds and what is violated is printed with the events of each kind."""
    kept, broken = (walk(edges, {0}, {3}, ("A", "B"), ("C",)) for edges in (ROUND, BESIDE))
    for one in (kept, broken):
        assert "under weak fairness of A, B and strong fairness of C" in judged(one).message
    assert "under strong fairness of C" in judged(walk(ROUND, {0}, {3}, (), ("C",))).message


def test_a_trigger_that_never_comes_is_vacuous() -> None:
    """A claim whose trigger no reachable state shows is not called kept."""
    assert judged(walk([(0, 1, "A")], {4}, {3}, ("A",))).verdict is Verdict.VACUOUS


def test_liveness_needs_every_state() -> None:
    """A search that a budget ends decides nothing of what leads to what."""
    assert judged(walk(ROUND, {0}, {3}, ("A",)), max_depth=2).verdict is Verdict.INCONCLUSIVE


OUT = (0, PLACES + 1, "A")
"""A step that leaves the range."""
ENDS: dict[str, tuple[list[Edge], tuple[str, ...], tuple[str, ...], Verdict]] = {
    "fairness forces a step out of the range": ([OUT], ("A",), (), Verdict.INCONCLUSIVE),
    "and the other step of that state": ([OUT, (0, 3, "B")], ("B",), (), Verdict.INCONCLUSIVE),
    "and strong fairness does": ([OUT, (0, 1, "B"), (1, 0, "B")], ("B",), ("A",), Verdict.INCONCLUSIVE),
    "nothing forces the step out of the range": ([OUT], (), (), Verdict.VIOLATED),
    "a circle elsewhere breaks it": ([OUT, *ROUND], ("A", "B", "C"), (), Verdict.VIOLATED),
    "the range ends behind the goal": ([(0, 3, "A"), (3, PLACES + 1, "A")], ("A",), (), Verdict.CLOSED),
    "the range ends before the trigger": ([(1, 3, "A"), (0, 1, "B"), OUT], ("A",), (), Verdict.CLOSED),
}
"""Ways from place 0, or from 1 in the last one, to 3, beside the end of the range."""


def beside_the_end(name: str) -> Protocol:
    """The walk of a case."""
    edges, fair, strongly_fair, _ = ENDS[name]
    return walk(edges, {1} if "trigger" in name else {0}, {3}, fair, strongly_fair)


def test_the_end_of_a_range_decides_no_run_without_end() -> None:
    """A run that stays inside and is fair to what may leave breaks a claim; without one, what lies outside is open."""
    differing = {}
    for name, (*_, right) in ENDS.items():
        one = beside_the_end(name)
        found = (judged(one, engine="numpy").verdict, explore_plainly(one, "all").property("L").verdict)
        if set(found) != {right}:
            differing[name] = found
    assert not differing
    message = judged(beside_the_end("fairness forces a step out of the range"), engine="numpy").message
    assert "a counter's range alone disables R1" in message


@pytest.mark.parametrize("steps", [4, 5])
def test_a_count_does_not_decide_a_claim(steps: int) -> None:
    """A door that a counter opens and closes: whether its bound is even or odd, what happens behind it stays open."""
    x, opened, done = cell("x", counter("x"), initial=0), cell("opened", BOOL), cell("done", BOOL)
    count, finish = event("Count", source="test"), event("Finish", source="test")
    rows = table(
        "door",
        count("C1", opened, x.becomes(x + 1), opened.becomes(FALSE)),
        count("C2", ~opened, x.becomes(x + 1), opened.becomes(TRUE)),
        finish("F", opened & ~done, done.becomes(TRUE)),
    )
    claim = leads_to("L", ~done, done, fair=("Count", "Finish"))
    door = protocol("door", rows, properties=[claim], bounds={"all": Bound({"x": steps})})
    found = explore(door, "all", engine="numpy")
    assert (found.verdict, found.property("L").verdict) == (Verdict.INCONCLUSIVE, Verdict.INCONCLUSIVE)
    assert explore_plainly(door, "all").property("L").verdict is Verdict.INCONCLUSIVE
    assumed = Bound({"x": steps}, given={"Count": x < steps})
    assert judged(replace(door, bounds={"all": assumed}), engine="numpy").verdict is (
        Verdict.CLOSED if steps % 2 else Verdict.VIOLATED
    )


@pytest.mark.nightly("test_tlc_judges_the_same")
@pytest.mark.tlc
def test_tlc_leaves_the_same_open() -> None:
    """TLC says the same beside the end of a range, of the specification whose fairness sees what may leave it."""
    for name in ("and strong fairness does", "a circle elsewhere breaks it", "the range ends behind the goal"):
        assert run_tlc(beside_the_end(name), "all", properties=("L",)).verdict is ENDS[name][-1], name


@pytest.mark.nightly("tests/tlc/test_tlc.py::test_a_claim_may_be_a_constant")
@pytest.mark.tlc
def test_tlc_reads_a_state_for_a_claim_of_constants() -> None:
    """What nothing triggers, and what is reached at once, is not violated, though TLC finds `FALSE ~> TRUE` so."""
    one = walk(ROUND, {0}, {3}, ("A",))
    for trigger, goal, right in (
        (FALSE, TRUE, Verdict.CLOSED),
        (TRUE, TRUE, Verdict.CLOSED),
        (TRUE, FALSE, Verdict.VIOLATED),
    ):
        claimed = replace(one, properties=(leads_to("L", trigger, goal, ("A",)),))
        assert run_tlc(claimed, "all", properties=("L",)).verdict is right


@pytest.mark.parametrize("engine", ["numpy", "llvm", "auto"])
def test_large_graphs_are_judged_alike(engine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled components and plain ones give one verdict with one run."""
    monkeypatch.setattr("fencepost.checkers.exploration.liveness.MANY", 0)
    found = judged(walk(ROUND, {0}, {3}, ("A", "B", "C")), engine=engine)
    assert found.trace is not None
    assert [step.row.id for step in found.trace.steps] == ["R1"]
    assert found.loop is not None
    assert [step.row.id for step in found.loop.steps] == ["R2", "R3"]


def allocator(**fairness: Any) -> Protocol:
    """The allocator, whose claims of what comes to pass are made under other fairness."""
    claims = tuple(replace(one, **fairness) if isinstance(one, LeadsTo) else one for one in PROPERTIES)
    return replace(SIMPLE_ALLOCATOR, properties=claims)


BY_EVENT = allocator(fair_by=())
WEAK = allocator(fair=("Allocate", "Return"), strongly_fair=())
CLAIMS = ("ClientsWillReturn", "ClientsWillObtain")


def test_the_allocator_serves_every_client() -> None:
    """With the published counts, each client gets each resource that it wants where runs are fair to each client, and
    need not where they are fair to all clients together.
    """
    found = explore(SIMPLE_ALLOCATOR, "example")
    assert (found.distinct, found.transitions, found.depth) == (400, 1633, 6)
    assert [found.property(id).verdict for id in CLAIMS] == [Verdict.CLOSED] * 2
    starved = explore(BY_EVENT, "example").property("ClientsWillObtain")
    assert starved.verdict is Verdict.VIOLATED
    assert starved.message.startswith("for c=0, r=0, under weak fairness of Return and strong fairness of Allocate")
    assert starved.loop is not None
    assert all(step.binding[c] != 0 for step in starved.loop.steps)


@settings(max_examples=examples(40), deadline=None)
@given(
    st.tuples(*(st.sampled_from(("none", "weak", "strong")) for _ in range(3))),
    st.sets(st.sampled_from(("Request", "Allocate", "Return"))),
)
def test_fairness_of_each_client_is_that_of_the_plain_judge(kinds: tuple[str, ...], by: set[str]) -> None:
    """Verdict and level are the plain judge's, whichever events runs are fair to, for each client or for all."""
    events = ("Request", "Allocate", "Return")
    fair, strong = (
        tuple(event for event, its in zip(events, kinds, strict=True) if its == kind) for kind in ("weak", "strong")
    )
    one = allocator(
        fair=fair, strongly_fair=strong, fair_by=tuple((event, "c") for event in (*fair, *strong) if event in by)
    )
    sizes = {"Client": 2, "Resource": 1}
    plain, found = explore_plainly(one, "example", sizes=sizes), explore(one, "example", sizes=sizes, engine="numpy")
    for id in CLAIMS:
        mine, other = found.property(id), plain.property(id)
        assert (mine.verdict, mine.depth) == (other.verdict, other.depth)


@pytest.mark.nightly("test_tlc_judges_the_same[C is enabled all the time]")
@pytest.mark.tlc
def test_tlc_judges_fairness_of_each_client_the_same() -> None:
    """TLC says the same of claims for each client, under fairness for each and for all together."""
    for one in (SIMPLE_ALLOCATOR, BY_EVENT):
        found = explore(one, "example")
        for id in CLAIMS:
            assert run_tlc(one, "example", properties=(id,)).verdict is found.property(id).verdict
    weak = run_tlc(WEAK, "example", properties=("ClientsWillObtain",)).verdict
    assert weak is explore(WEAK, "example").property("ClientsWillObtain").verdict is Verdict.VIOLATED
