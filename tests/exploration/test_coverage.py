"""Coverage of guards: how far each comes, against the interpreter, and the report on a row that never fired."""

from collections import Counter

from fencepost.checkers.exploration import explore
from fencepost.checkers.exploration.coverage import Coverage
from fencepost.checkers.exploration.engine import bound_of
from fencepost.checkers.exploration.layout import Layout
from fencepost.checkers.exploration.plan import Plan
from fencepost.model.language import Evaluation, Protocol, Valuation, run, satisfying
from fencepost.model.language.interpreter import bindings
from tests.exploration.plain_exploration import initial_states


def reachable(plan: Plan) -> list[Valuation]:
    """Return every state that the interpreter reaches; nothing may leave a range."""
    world = plan.layout.world
    seen = dict.fromkeys(initial_states(plan.protocol, plan.bound, world))
    waiting = list(seen)
    while waiting:
        state = waiting.pop()
        for row in plan.protocol.rows:
            for binding in satisfying(plan.protocol.bounded_guard(row, plan.bound), row.params, state, world):
                after = run(row, binding, state, world).after
                if after not in seen:
                    seen[after] = None
                    waiting.append(after)
    return list(seen)


def test_the_first_false_conjunct_is_the_interpreters(two_phase: Protocol) -> None:
    """In every state of two-phase commit each guard comes as far as the interpreter finds by trying all bindings."""
    sizes = {"Manager": 2}
    _, finite = bound_of(two_phase, "three", sizes)
    plan = Plan(two_phase, finite, Layout(two_phase, finite.sizes))
    states, world = reachable(plan), plan.layout.world
    found = explore(two_phase, "three", sizes=sizes, engine="numpy", coverage="all")
    for row, reach, told in zip(plan.rows, Coverage(plan.layout, plan.rows).reaches, found.coverage, strict=True):
        asked, expected = reach.conditions, Counter[int]()
        for state in states:
            now = Evaluation(world, state)
            expected[
                max(
                    next((i for i, one in enumerate(asked) if not now.value(one, binding)), len(asked))
                    for binding in bindings(row.row.params, {}, world)
                )
            ] += 1
        assert [one.states for one in told.conjuncts] == [expected[i] for i in range(len(asked))], told.row
        assert (told.row, told.states, told.enabled) == (row.row.id, len(states), expected[len(asked)])


def test_coverage_is_counted_where_it_is_asked_for(two_phase: Protocol) -> None:
    """Nothing is counted unless it is asked for; of the rows that never fired only these are reported."""
    assert explore(two_phase, "three", engine="numpy").coverage == ()
    assert explore(two_phase, "three", engine="numpy", coverage="never fired").coverage == ()
