"""Which steps keep a condition by what their row writes."""

from typing import Any

import pytest

from fencepost.checkers.exploration import explore
from fencepost.checkers.exploration.footprints import kept, read
from fencepost.checkers.exploration.plan import Plan, RowPlan
from fencepost.model.language import BOOL, Entity, Protocol, Step, Term, cell, counter, forall, next_, per, sort
from fencepost.model.registry import FAMILIES
from tests.exploration.test_counts import facts


class Node(Entity):
    """A node."""


NODE = sort(Node)
N = NODE.var("n")
UP, SEEN, LEVEL = per(NODE, "up", BOOL), per(NODE, "seen", BOOL), cell("level", counter("level"), initial=0)


def without(term: Term[bool], *written: Term[Any]) -> bool:
    """Return whether a step that writes nothing but some variables is known to keep a condition."""
    return kept(term, frozenset().union(*(read(one) for one in written)))


@pytest.mark.parametrize(
    ("term", "stays", "breaks"),
    [
        (forall(N, UP[N].is_(next_(UP[N]))), LEVEL, UP[N]),
        (forall(N, UP[N].implies(next_(UP[N]))), SEEN[N], UP[N]),
        (forall(N, (~UP[N] & next_(UP[N])).implies(SEEN[N])), SEEN[N], UP[N]),
        (forall(N, next_(UP[N] & SEEN[N]).implies(UP[N])), SEEN[N], UP[N]),
        (next_(LEVEL) >= LEVEL, UP[N], LEVEL),
        (~(next_(LEVEL) > LEVEL), UP[N], LEVEL),
        (~forall(N, next_(UP[N]) & ~UP[N]), SEEN[N], UP[N]),
        ((LEVEL.is_(next_(LEVEL)) & SEEN[N]) | ~next_(SEEN[N]), UP[N], LEVEL),
        ((LEVEL.is_(next_(LEVEL)) & SEEN[N]) | ~next_(SEEN[N]), UP[N], SEEN[N]),
    ],
)
def test_a_step_keeps_what_it_cannot_change(term: Term[bool], stays: Term[Any], breaks: Term[Any]) -> None:
    """What a condition compares with its value before is kept by writing other variables, and may break by its own."""
    assert without(term, stays)
    assert not without(term, breaks)
    assert not without(term, stays, breaks)


@pytest.mark.parametrize("term", [SEEN[N], next_(SEEN[N]), next_(LEVEL) > LEVEL, forall(N, ~UP[N])])
def test_what_speaks_of_the_state_may_fail(term: Term[bool]) -> None:
    """A condition that is no comparison with before may fail by a step that writes nothing."""
    assert not without(term)


def every_step(plan: Plan, row: RowPlan) -> tuple[tuple[Step, RowPlan | None], ...]:
    """Return all properties of two states that are about a row."""
    return tuple((one, only) for one, only in plan.steps if only in (None, row))


@pytest.mark.representative("replicas-None")
@pytest.mark.parametrize(("bound", "depth"), [("replicas", None), pytest.param("kraft", 6, marks=pytest.mark.slow)])
def test_steps_that_are_left_out_break_nothing(
    replicas: Protocol, monkeypatch: pytest.MonkeyPatch, bound: str, depth: int | None
) -> None:
    """Asking every property of every row's steps finds what is found by leaving out those that cannot break."""
    one = replicas if bound == "replicas" else FAMILIES[bound].explored
    found = explore(one, "tiny", max_depth=depth)
    asked: list[int] = []

    def counting(plan: Plan, row: RowPlan) -> tuple[tuple[Step, RowPlan | None], ...]:
        asked.append(len(every_step(plan, row)) - len(own(plan, row)))
        return every_step(plan, row)

    own = Plan.steps_of
    monkeypatch.setattr(Plan, "steps_of", counting)
    assert facts(explore(one, "tiny", max_depth=depth)) == facts(found)
    assert sum(asked) > 0
