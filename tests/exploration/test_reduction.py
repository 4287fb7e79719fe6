"""Partial order reduction: what is found of a protocol is what a search of every state finds, with fewer states."""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fencepost.checkers.exploration import Exploration, explore, stubborn
from fencepost.checkers.exploration.engine import bound_of
from fencepost.checkers.exploration.independence import Independence
from fencepost.checkers.exploration.initial import initial_rows
from fencepost.checkers.exploration.layout import Layout, Numbers
from fencepost.checkers.exploration.plan import Plan
from fencepost.checkers.exploration.reduction import StubbornSets
from fencepost.checkers.verdicts import Refusal, Verdict
from fencepost.model.language.vocabulary import *
from fencepost.model.registry import find
from tests.cases import examples

number = counter("number")
CELLS = [cell(name, number, initial=0) for name in "abcd"]
TOP = 2


class Asked(NamedTuple):
    """A row of a random protocol: whose cell it writes, what it asks of that one and of others, and what it writes."""

    cell: int
    was: int | None
    others: list[tuple[int, int]]
    becomes: int
    """A number; one above `TOP` adds one to the cell, the next copies another."""


def row(i: int, asked: Asked) -> Row:
    """Return a row with a name of its own."""
    mine = CELLS[asked.cell]
    was = [] if asked.was is None else [mine.is_(asked.was)]
    conjuncts = [*was, *(CELLS[c].is_(n) for c, n in asked.others)]
    value = (0, 1, 2, mine + 1, CELLS[asked.cell - 1])[asked.becomes]
    return event(f"E{i}", source="test")(f"R{i}", all_of(*conjuncts) if conjuncts else TRUE, mine.becomes(value))


def random_protocol(
    listed: list[Asked], state: list[tuple[int, int]], moved: tuple[int, int], about: int, seen: tuple[int, int]
) -> Protocol:
    """A protocol with a claim on states, one on all steps, one on the steps of a row, and a state to be seen."""
    claim: Term[bool] = ~all_of(*(CELLS[c].is_(n) for c, n in state))
    one, other = (CELLS[c] for c in moved)
    return protocol(
        "random",
        table(
            "random",
            *(row(i, one) for i, one in enumerate(listed)),
            event("Nothing", source="test")("N", FALSE, *(c.becomes(0) for c in CELLS)),
        ),
        properties=[
            always("STATE", claim, source="test", about="a state is not reached"),
            step("STEP", next_(one).is_(one) | next_(other).is_(other), source="test", about="one at a time"),
            step("ROW", one.is_(0), rows=(f"R{about % len(listed)}",), source="test", about="where a row may step"),
            sometimes("SEEN", CELLS[seen[0]].is_(seen[1]), source="test", about="a state is reached"),
        ],
        bounds={"all": Bound({"number": TOP})},
    )


_cells, _numbers = st.integers(0, 3), st.integers(0, TOP)
_asked = st.builds(
    Asked, _cells, st.none() | _numbers, st.lists(st.tuples(_cells, _numbers), max_size=2), st.integers(0, TOP + 2)
)
_random = st.builds(
    random_protocol,
    st.lists(_asked, min_size=3, max_size=8),
    st.lists(st.tuples(_cells, _numbers), min_size=1, max_size=2),
    st.tuples(_cells, _cells),
    st.integers(0, 6),
    st.tuples(_cells, _numbers),
)


def same(one: Protocol, bound: str, **options: Any) -> tuple[Exploration, Exploration]:
    """Explore every state and with steps put off, check that the same is found, and return both."""
    whole, reduced = (explore(one, bound, partial_order=put_off, **options) for put_off in (False, True))
    assert reduced.reduced is not None
    assert reduced.reduced.states == reduced.distinct <= whole.distinct
    assert reduced.transitions <= whole.transitions
    assert reduced.rows_never_fired == whole.rows_never_fired
    liveness = {claim.id for claim in one.properties if isinstance(claim, LeadsTo)}
    for mine, other in zip(whole.properties, reduced.properties, strict=True):
        if mine.id in liveness:
            assert other.verdict is Verdict.INCONCLUSIVE
            continue
        assert (mine.id, mine.verdict) == (other.id, other.verdict)
        assert (mine.trace is None) == (other.trace is None)
        if mine.trace is not None and other.trace is not None:
            assert len(mine.trace.steps) <= len(other.trace.steps)
    return whole, reduced


@settings(max_examples=examples(100), deadline=None)
@given(_random)
def test_the_same_is_found_of_random_protocols(one: Protocol) -> None:
    """Verdicts on states, steps, rows and deadlock are those of a search of every state, and so are rows that fire."""
    same(one, "all", engine="numpy")


def planned(one: Protocol, bound: str) -> Plan:
    """Return the plan of a protocol at a bound."""
    _, finite = bound_of(one, bound, None)
    return Plan(one, finite, Layout(one, finite.sizes))


Successors = dict[int, dict[int, int]]
"""The state that a row leads to from a state, by state and row, where that is another state of the bound."""


def graph(plan: Plan) -> tuple[Successors, Numbers]:
    """Return the steps between the states of cells alone, and the registers of the states, worked out by hand."""
    numbers: dict[tuple[int, ...], int] = {}
    found: Successors = {}
    todo = [tuple(map(int, row)) for row in initial_rows(plan.protocol, plan.bound, plan.layout)]
    for state in todo:
        numbers.setdefault(state, len(numbers))
    from fencepost.checkers.exploration.columns import ColumnEngine

    engine = ColumnEngine(plan)
    for state in todo:
        steps = found.setdefault(numbers[state], {})
        for at in range(len(plan.rows)):
            made = engine.expand(at, np.array([state]), 0, np.zeros(1, np.uint8)).rows
            _, good = plan.layout.pack(made)
            for successor in (tuple(map(int, row)) for row in made[good]):
                if successor not in numbers:
                    numbers[successor] = len(numbers)
                    todo.append(successor)
                if successor != state:
                    steps[at] = numbers[successor]
    return found, np.array(todo)


@settings(max_examples=60, deadline=None)
@given(_random)
def test_a_chosen_set_is_persistent(one: Protocol) -> None:
    """Whatever rows outside a set do, each step inside stays possible, and leads to the same state before and after.

    That is checked on the graph of all states by the definition, without footprints.
    """
    plan = planned(replace(one, properties=()), "all")
    steps, states = graph(plan)
    possible = np.zeros((len(states), len(plan.rows)), np.uint8)
    for state, by_row in steps.items():
        possible[state, list(by_row)] = 1
    chosen = StubbornSets(Independence(plan), compiled=False).chosen(possible, states)
    for state, by_row in steps.items():
        inside = set(np.flatnonzero(chosen[state]))
        assert inside <= by_row.keys()
        assert bool(inside) == bool(by_row)
        seen, todo = {state}, [state]
        while todo:
            at = todo.pop()
            for row, successor in steps[at].items():
                if row in inside:
                    continue
                for mine in inside:
                    assert steps[successor][mine] == steps[steps[at][mine]].get(row, steps[at][mine])
                if successor not in seen:
                    seen.add(successor)
                    todo.append(successor)


class Worker(Entity):
    """Somebody who works alone."""


W = sort(Worker)
w, other = W.var("w"), W.var("other")
done = per(W, "done", number, initial=0)
work = event("Work", w, source="test")
ALONE = protocol(
    "alone",
    table("alone", work("W1", done[w] < TOP, done[w].becomes(done[w] + 1))),
    properties=[always("FEW", forall(w, done[w] <= TOP), source="test", about="no worker does more than all")],
    bounds={"five": Bound({"Worker": 5, "number": TOP})},
    ends=True,
)


@pytest.mark.parametrize("engine", ["numpy", "auto"])
def test_workers_who_share_nothing_take_turns(engine: str) -> None:
    """Five workers with three states each have 243 together; in one order 11, and with symmetry no more than that."""
    whole, reduced = same(replace(ALONE, properties=()), "five", engine=engine)
    assert (whole.distinct, reduced.distinct) == (3**5, 1 + 2 * 5)
    assert reduced.reduced is not None
    assert (reduced.reduced.kinds, reduced.reduced.independent, reduced.reduced.put_off) == (5, 10, 8)
    orbits = explore(replace(ALONE, properties=()), "five", engine=engine, partial_order=True, orbits=True)  # type: ignore[arg-type]
    assert orbits.orbits is not None
    assert orbits.distinct <= reduced.distinct


def test_what_a_property_sees_keeps_its_order() -> None:
    """A claim on all workers sees all steps, one on the first worker only that one's: the others still take turns."""
    _, all_seen = same(ALONE, "five", engine="numpy")
    assert all_seen.reduced is not None
    assert (all_seen.distinct, all_seen.reduced.visible) == (3**5, 5)
    first = always("FIRST", done[individual(W, 0)] <= TOP, source="test", about="the first does no more than all")
    _, one_seen = same(replace(ALONE, properties=(first,)), "five", engine="numpy")
    assert one_seen.reduced is not None
    assert one_seen.reduced.visible == 1
    assert one_seen.distinct < 30


one, two, three = (event(name, source="test") for name in ("One", "Two", "Three"))
a, b, c = CELLS[:3]


def test_two_steps_that_a_property_sees_are_taken_in_both_orders() -> None:
    """Two rows that share nothing, and a claim that one of their two orders breaks."""
    claim = always("A_FIRST", ~(a.is_(0) & b.is_(1)), source="test", about="a is before b")
    both = protocol(
        "both",
        table("both", one("R1", a.is_(0), a.becomes(1)), two("R2", b.is_(0), b.becomes(1))),
        properties=[claim],
        bounds={"all": Bound({"number": 1})},
        ends=True,
    )
    whole, reduced = same(both, "all", engine="numpy")
    assert reduced.distinct == whole.distinct == 4
    assert reduced.property("A_FIRST").verdict is Verdict.VIOLATED


def test_a_row_waits_for_the_conjunct_that_is_false() -> None:
    """A row that competes with a step cannot be put off by one of its conjuncts that holds already."""
    waiting = protocol(
        "waiting",
        table(
            "waiting",
            one("R1", a.is_(0), a.becomes(1)),
            two("R2", a.is_(0) & c.is_(0) & b.is_(1), a.becomes(2)),
            three("R3", b.is_(0), b.becomes(1)),
        ),
        properties=[always("NEVER", ~a.is_(2), source="test", about="the second never goes first")],
        bounds={"all": Bound({"number": 2})},
        ends=True,
    )
    plan = planned(replace(waiting, properties=()), "all")
    steps, states = graph(plan)
    possible = np.zeros((len(states), 3), np.uint8)
    possible[0, list(steps[0])] = 1
    chosen = StubbornSets(Independence(plan), compiled=False).chosen(possible, states)
    assert list(possible[0]) == [1, 0, 1]
    assert list(chosen[0]) in ([1, 0, 1], [0, 0, 1])
    _, reduced = same(waiting, "all", engine="numpy")
    assert reduced.property("NEVER").verdict is Verdict.VIOLATED


def test_a_row_that_changes_nothing_is_seen_where_it_fires() -> None:
    """A row whose steps change nothing fires, and breaks a claim on its steps, where one order of two leads there."""
    still = protocol(
        "still",
        table(
            "still",
            one("R1", a.is_(0), a.becomes(1)),
            two("R2", b.is_(0), b.becomes(1)),
            three("R3", a.is_(0) & b.is_(1), c.becomes(0)),
            three("R4", a.is_(1) & b.is_(0), c.becomes(0)),
        ),
        properties=[step("ROWS", FALSE, rows=("R3",), source="test", about="it never steps")],
        bounds={"all": Bound({"number": 1})},
        ends=True,
    )
    for properties in (still.properties, ()):
        _, reduced = same(replace(still, properties=properties), "all", engine="numpy")
        assert reduced.rows_never_fired == ()


def test_a_claim_on_the_steps_of_a_row_is_broken_by_a_step_that_changes_nothing() -> None:
    """A row that has fired is still asked where it changes nothing, if a claim is about its steps."""
    d = CELLS[3]
    again = protocol(
        "again",
        table(
            "again",
            one("R1", a < 2, a.becomes(a + 1)),
            two("R2", d < 2, d.becomes(d + 1)),
            three("R3", d.is_(1), c.becomes(0)),
        ),
        properties=[step("ROWS", ~a.is_(2), rows=("R3",), source="test", about="it steps before a is two")],
        bounds={"all": Bound({"number": 2})},
        ends=True,
    )
    _, reduced = same(again, "all", engine="numpy")
    assert reduced.property("ROWS").verdict is Verdict.VIOLATED


def test_nothing_is_put_off_for_ever() -> None:
    """A worker who goes in a circle does not keep another from the step that breaks a claim."""
    turning, worked = cell("turning", number, initial=0), cell("worked", number, initial=0)
    turn, finish = event("Turn", source="test"), event("Finish", source="test")
    circle = protocol(
        "circle",
        table(
            "circle",
            turn("T1", turning.is_(0), turning.becomes(1)),
            turn("T2", turning.is_(1), turning.becomes(0)),
            finish("F1", worked.is_(0), worked.becomes(1)),
        ),
        properties=[always("NEVER", ~worked.is_(1), source="test", about="the work is never done")],
        bounds={"all": Bound({"number": 1})},
    )
    _, reduced = same(circle, "all", engine="numpy")
    assert reduced.property("NEVER").verdict is Verdict.VIOLATED


@pytest.mark.representative("kip343-tiny")
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "bound"), [("kip343", "tiny"), ("kip46", "tiny"), ("kip631-v2", "tiny"), ("kraft-data", "tiny")]
)
def test_the_same_is_found_of_protocols(name: str, bound: str) -> None:
    """With every property, and with none, which puts more off: as in a search of every state."""
    whole = find(name).bounds[bound]
    same(whole, bound)
    same(replace(whole, properties=()), bound)


def test_violations_inside_rows_and_on_steps_are_found(replicas: Protocol) -> None:
    """Of `replicas` the claims that fail after a record, at a step and in a state fail with steps put off too."""
    same(replicas, "tiny")


def test_what_is_compiled_chooses_as_python_does() -> None:
    """The compiled function chooses the sets that plain Python does, of random tables of what depends on what."""
    from fencepost.checkers.exploration.compiled import standing

    random = np.random.default_rng(0)
    for _ in range(20):
        count, states, conditions = 12, 40, 20

        def lists(of: int, among: int, most: int) -> tuple[Numbers, Numbers]:
            sizes = random.integers(0, most, of)
            return random.integers(0, among, sizes.sum()), np.cumsum([0, *sizes])

        possible = random.integers(0, 2, (states, count)).astype(np.uint8)
        true = random.integers(0, 2, (states, conditions + 1)).astype(np.uint8)
        true[:, conditions] = 0
        asked, asked_at = lists(count, conditions, 3)
        asked = np.insert(asked, asked_at[1:], conditions)
        asked_at = asked_at + np.arange(count + 1)
        visible = random.integers(0, 2, count).astype(np.uint8)
        tables = (*lists(count, count, 4), asked, asked_at, *lists(conditions + 1, count, 3))
        found = []
        for choose in (stubborn.choose, standing(stubborn, "choose")):
            chosen = np.zeros_like(possible)
            room = [np.zeros(count, np.int64) for _ in range(3)]
            choose(possible, true, *tables, visible, np.flatnonzero(visible), chosen, *room)
            found.append(chosen)
        assert (found[0] == found[1]).all()
        assert (found[0] <= possible).all()


@pytest.mark.parametrize("option", [{"max_depth": 3}, {"disk": "folder"}, {"checkpoint": "file"}])
def test_what_needs_every_state_is_refused(option: dict[str, Any], tmp_path: Any) -> None:
    """Levels and stored searches are of every state: with steps put off they are refused."""
    given = {name: tmp_path / value if isinstance(value, str) else value for name, value in option.items()}
    with pytest.raises(Refusal):
        explore(ALONE, "five", partial_order=True, **given)
