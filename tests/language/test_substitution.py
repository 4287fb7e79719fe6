"""Substitution: replacing a variable means the same as giving it the replacement's value, whatever is bound inside."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from fencepost.model.language import Evaluation, Valuation, run
from fencepost.model.language.terms import Quant
from fencepost.model.language.vocabulary import *
from fencepost.model.language.walk import free, nodes, rewrite, substitute
from tests.cases import examples

from .sample import SOURCE, alive, j, n, order, resting, team, term, v, w
from .strategies import VARIABLES, WORLD, binding, jobs, states, terms, workers

KINDS = ("bool", "set", "list", "option", "int")


@settings(max_examples=examples(300), deadline=None)
@given(
    body=st.sampled_from(KINDS).flatmap(terms),
    worker=workers,
    job=jobs,
    number=terms("int", 2),
    state=states(),
    values=binding(),
)
def test_substitution_is_evaluation_under_the_new_binding(
    body: Term[Any], worker: Var[Any], job: Var[Any], number: Term[int], state: Valuation, values: dict[Var[Any], Any]
) -> None:
    """Substitute then evaluate = evaluate with the variables bound to the values of their replacements, all at once."""
    replacement: dict[Var[Any], Term[Any]] = {VARIABLES[0]: worker, VARIABLES[2]: job, VARIABLES[4]: number}
    evaluation = Evaluation(WORLD, state)
    moved = {**values, **{var: evaluation.value(by, values) for var, by in replacement.items()}}
    assert evaluation.value(substitute(body, replacement), values) == Evaluation(WORLD, state).value(body, moved)


@settings(max_examples=examples(200), deadline=None)
@given(body=st.sampled_from(KINDS).flatmap(terms), worker=workers)
def test_free_variables_after_substitution(body: Term[Any], worker: Var[Any]) -> None:
    """What is free after a substitution is what was free before, the replaced variable replaced."""
    before = free(body)
    expected = before - {VARIABLES[0]} | (free(worker) if VARIABLES[0] in before else frozenset())
    assert free(substitute(body, {VARIABLES[0]: worker})) == expected


@settings(max_examples=examples(200), deadline=None)
@given(body=st.sampled_from(KINDS).flatmap(terms), state=states(), values=binding())
def test_rewriting_nothing_keeps_the_meaning(body: Term[Any], state: Valuation, values: dict[Var[Any], Any]) -> None:
    """A rewrite that changes no node, folding apart, keeps every value."""
    evaluation = Evaluation(WORLD, state)
    assert evaluation.value(rewrite(body, lambda node: None), values) == evaluation.value(body, values)


def test_a_binder_that_would_capture_is_renamed() -> None:
    """In `some v: order of w and v`, w := v renames the bound v instead of catching the new one."""
    body = exists(v, alive[v] & resting[w])
    assert isinstance(w, Var)
    result = substitute(body, {w: v})
    assert isinstance(result, Quant)
    assert result.var.name == "v'"
    assert free(result) == {v}
    assert str(result) == "some v': alive[v'] and resting[v]"


def test_every_binder_of_the_language_is_renamed() -> None:
    """Comprehensions and greatest values bind as quantifiers do; a default is outside the binder."""
    assert isinstance(w, Var)
    assert isinstance(n, Var)
    assert str(substitute(those(v, alive[v] & resting[w]), {w: v})) == "{v' | alive[v'] and resting[v]}"
    greatest = max_of(n, n < term, 0)
    assert substitute(greatest, {n: term + 1}) is greatest


def test_a_bound_variable_is_not_replaced() -> None:
    """Only free occurrences are replaced."""
    assert isinstance(v, Var)
    body = exists(v, alive[v])
    assert substitute(body, {v: w}) is body


def test_nested_every_under_one_variable_keeps_both_conditions() -> None:
    """`every v with a: every v with b: ...` asks a of the outer v and b of the inner one."""
    happens = event("Happens", source=SOURCE)
    row = happens("R", TRUE, every(v, alive[v], every(v, resting[v], alive[v].becomes(TRUE))))
    state = Valuation({(alive.state, (0,)): True, (resting.state, (1,)): True})
    after = run(row, {}, state, WORLD).after
    assert after.read(alive.state, (1,))
    assert not after.read(alive.state, (2,))


def test_an_every_does_not_catch_the_variable_of_an_outer_condition() -> None:
    """`if resting[w]: every w: ...` asks the condition of the row's w."""
    happens = event("Happens", w, source=SOURCE)
    row = happens("R", TRUE, only_if(resting[w], every(w, TRUE, alive[w].becomes(TRUE))))
    state = Valuation({(resting.state, (1,)): True})
    assert isinstance(w, Var)
    assert all(run(row, {w: 1}, state, WORLD).after.read(alive.state, (who,)) for who in (0, 1, 2))
    assert run(row, {w: 0}, state, WORLD).after == state


def test_every_node_is_walked_once() -> None:
    """A shared subterm is yielded once, children before parents."""
    shared = alive[w] & resting[w]
    seen = list(nodes(shared | ~shared, next_(shared)))
    assert len(seen) == len(set(seen))
    assert seen.index(shared) < seen.index(~shared)
    assert free(order[j].is_(order[j]) & w.in_(team[j])) == {j, w}
