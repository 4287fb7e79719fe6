"""The plain interpreter: every node means what its word says, checked against plain Python on random states."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fencepost.model.language import Evaluation, EvaluationError, Valuation, World, run
from fencepost.model.language.interpreter import initial
from fencepost.model.language.terms import Before
from fencepost.model.language.vocabulary import *
from tests.cases import examples

from .sample import (
    SIZE,
    SOURCE,
    TERM,
    WORKER,
    Answer,
    alive,
    holder,
    j,
    k,
    n,
    order,
    quorum,
    resting,
    sample,
    team,
    term,
    v,
    w,
)
from .strategies import WORLD, binding, states, terms

EVERYBODY = (0, 1, 2)


class Seen:
    """A state and a binding as plain Python values."""

    def __init__(self, state: Valuation, values: dict[Var[Any], Any]) -> None:
        def read(of: Any, *keys: Any) -> Any:
            return state.read(of, keys)

        by_name = {var.name: value for var, value in values.items()}
        self.w, self.v, self.j, self.k, self.n = (by_name[name] for name in "wvjkn")
        self.alive = [read(alive.state, x) for x in EVERYBODY]
        self.resting = [read(resting.state, x) for x in EVERYBODY]
        self.order = read(order.state, self.j)
        self.other = read(order.state, self.k)
        self.team = read(team.state, self.j)
        self.holder = read(holder.state, self.j)
        self.term = read(term.state)  # type: ignore[attr-defined]
        self.quorum = read(quorum.state)  # type: ignore[attr-defined]


MEANING: dict[str, tuple[Term[Any], Any]] = {
    "Lit": (TRUE, lambda s: True),
    "Var": (w, lambda s: s.w),
    "Get": (alive[w], lambda s: s.alive[s.w]),
    "Not": (~alive[w], lambda s: not s.alive[s.w]),
    "and": (alive[w] & resting[v], lambda s: s.alive[s.w] and s.resting[s.v]),
    "or": (alive[w] | resting[v], lambda s: s.alive[s.w] or s.resting[s.v]),
    "Implies": (alive[w].implies(resting[w]), lambda s: not s.alive[s.w] or s.resting[s.w]),
    "Eq": (order[j].is_(order[k]), lambda s: s.order == s.other),
    "isnt": (holder[j].isnt(w), lambda s: s.holder != s.w),
    "<": (n < term, lambda s: s.n < s.term),
    "<=": (n <= term, lambda s: s.n <= s.term),
    ">": (n > term, lambda s: s.n > s.term),
    ">=": (n >= 2, lambda s: s.n >= 2),
    "+": (n + term, lambda s: s.n + s.term),
    "-": (n - term, lambda s: s.n - s.term),
    "Ite": (when(alive[w], n, term), lambda s: s.n if s.alive[s.w] else s.term),
    "every": (forall(v, alive[v]), lambda s: all(s.alive)),
    "some": (exists(v, alive[v] & resting[v]), lambda s: any(a and b for a, b in zip(s.alive, s.resting, strict=True))),
    "every number": (forall(n, n <= term), lambda s: s.term == 3),
    "Comprehension": (those(v, alive[v]), lambda s: {x for x in EVERYBODY if s.alive[x]}),
    "SetOf": (just(w, v), lambda s: {s.w, s.v}),
    "SetOf of an option": (just(holder[j]), lambda s: {s.holder} - {None}),
    "SetOf of no entity": (nobody(WORKER), lambda s: set()),
    "Member": (w.in_(team[j]), lambda s: s.w in s.team),
    "Member of a list": (w.in_(order[j]), lambda s: s.w in s.order),
    "Member, option": (holder[j].in_(team[j]), lambda s: s.holder is not None and s.holder in s.team),
    "Subset": (team[j] <= members(order[j]), lambda s: s.team <= set(s.order)),
    "superset": (team[j] >= members(order[j]), lambda s: s.team >= set(s.order)),
    "&": (team[j] & members(order[j]), lambda s: s.team & set(s.order)),
    "|": (team[j] | members(order[j]), lambda s: s.team | set(s.order)),
    "difference": (team[j] - members(order[j]), lambda s: s.team - set(s.order)),
    "Elems": (members(order[j]), lambda s: set(s.order)),
    "First": (first(order[j], team[j]), lambda s: next((x for x in s.order if x in s.team), None)),
    "head": (head(order[j]), lambda s: s.order[0] if s.order else None),
    "Keep": (keep(order[j], team[j]), lambda s: tuple(x for x in s.order if x in s.team)),
    "drop": (drop(order[j], team[j]), lambda s: tuple(x for x in s.order if x not in s.team)),
    "Concat": (then(order[j], order[k]), lambda s: s.order + tuple(x for x in s.other if x not in s.order)),
    "ListOf": (only(holder[j]), lambda s: () if s.holder is None else (s.holder,)),
    "nothing": (nothing(WORKER), lambda s: ()),
    "Ascending": (ascending(team[j]), lambda s: tuple(sorted(s.team))),
    "Repeats": (repeats(order[j]), lambda s: len(set(s.order)) < len(s.order)),
    "AtLeast": (at_least(team[j], quorum), lambda s: len(s.team) >= s.quorum),
    "Lesser": (lesser(quorum, size_of(just(w), SIZE)), lambda s: min(s.quorum, 1)),
    "SizeOf": (size_of(team[j], SIZE), lambda s: len(s.team)),
    "MaxOf": (max_of(n, n < term, 0), lambda s: max((x for x in range(4) if x < s.term), default=0)),
    "Named": (let("name", n + 1), lambda s: s.n + 1),
    "empty": (empty(team[j]), lambda s: not s.team),
    "empty list": (empty(order[j]), lambda s: not s.order),
    "present": (present(holder[j]), lambda s: s.holder is not None),
    "absent": (absent(holder[j]), lambda s: s.holder is None),
    "else_": (else_(holder[j], some(w)), lambda s: s.w if s.holder is None else s.holder),
    "none_of": (none_of(WORKER), lambda s: None),
    "all_of": (all_of(alive[w], resting[w], alive[v]), lambda s: s.alive[s.w] and s.resting[s.w] and s.alive[s.v]),
    "any_of": (any_of(alive[w], resting[w], alive[v]), lambda s: s.alive[s.w] or s.resting[s.w] or s.alive[s.v]),
    "all of none": (all_of(), lambda s: True),
    "any of none": (any_of(), lambda s: False),
}


@settings(max_examples=60, deadline=None)
@given(state=states(), values=binding())
def test_every_word_means_what_it_says(state: Valuation, values: dict[Var[Any], Any]) -> None:
    """Each word of the language has the value that plain Python gives it."""
    evaluation, seen = Evaluation(WORLD, state), Seen(state, values)
    wrong = {
        word: (evaluation.value(term_, values), meaning(seen))
        for word, (term_, meaning) in MEANING.items()
        if evaluation.value(term_, values) != meaning(seen)
    }
    assert wrong == {}


@settings(max_examples=examples(200), deadline=None)
@given(body=terms("bool"), state=states(), values=binding())
def test_evaluation_asks_free_variables_only(body: Term[bool], state: Valuation, values: dict[Var[Any], Any]) -> None:
    """A term's value depends on its free variables only, and not on what was asked before."""
    from fencepost.model.language.walk import free

    evaluation = Evaluation(WORLD, state)
    expected = evaluation.value(body, values)
    narrow = {var: value for var, value in values.items() if var in free(body)}
    assert Evaluation(WORLD, state).value(body, narrow) == expected
    assert evaluation.value(~body, narrow) == (not expected)


def test_before_and_next_read_their_states() -> None:
    """`Before` reads the state before the row, `next_` the one after it, a plain read the one at hand."""
    states_ = [Valuation({(term.state, ()): number}) for number in (1, 2, 3)]  # type: ignore[attr-defined]
    evaluation = Evaluation(WORLD, states_[1], before=states_[0], after=states_[2])
    assert [evaluation.value(t, {}) for t in (Before(term), term, next_(term))] == [1, 2, 3]


def test_what_has_no_value_is_an_error() -> None:
    """An unbound variable, a next state that is not there and a cell without a value raise, naming what is missing."""
    anything = per(WORKER, "anything", BOOL, ANY)
    evaluation = Evaluation(WORLD, Valuation())
    for broken, words in (
        (w, "w is not bound"),
        (next_(term), "no next state"),
        (anything[w], r"anything\[0\] has no value"),
    ):
        with pytest.raises(EvaluationError, match=words):
            evaluation.value(broken, {} if broken is w else {w: 0})


def test_a_state_is_what_differs_from_its_initial_values() -> None:
    """Writing the initial value back gives an equal state with an equal hash; others differ."""
    one = Valuation({(alive.state, (0,)): True})
    back = one.but({(alive.state, (0,)): False})
    assert back == Valuation()
    assert hash(back) == hash(Valuation())
    assert one != back
    assert one.but({}) is one
    assert list(one) == [(alive.state, (0,))]
    assert len(back) == 0
    assert initial(team.state) == frozenset()


def test_the_values_of_every_kind() -> None:
    """A world has every value of every kind once: all sets, all orders of all sets, counters from their start."""
    world = World.of({"Worker": 3, "term": 2, "size": 2}, (WORKER, TERM, SIZE))
    assert world.values(WORKER) == (0, 1, 2)
    assert world.values(TERM) == (0, 1, 2)
    assert world.values(SIZE) == (1, 2)
    assert world.values(BOOL) == (False, True)
    assert world.values(one_of(Answer)) == tuple(Answer)
    assert world.values(maybe(WORKER)) == (None, 0, 1, 2)
    assert len(set(world.values(set_of(WORKER)))) == 8
    assert len(set(world.values(list_of(WORKER)))) == 16


def test_an_answer_is_read_before_the_row() -> None:
    """The answer of a row is a term over the state before it; an exception is beside it."""
    happens = event("Happens", w, source=SOURCE)
    row = happens("R", TRUE, alive[w].becomes(TRUE), say=alive[w], throws="Oops")
    assert isinstance(w, Var)
    execution = run(row, {w: 1}, Valuation(), WORLD)
    assert execution.answer is False
    assert execution.throws == "Oops"
    assert execution.after.read(alive.state, (1,))


def test_a_refusal_leaves_the_state() -> None:
    """A row without effects answers and changes nothing."""
    row = sample().row("AS1")
    execution = run(row, dict.fromkeys(row.params, 0), Valuation(), WORLD)
    assert (execution.answer, execution.after, execution.states) == (Answer.UNKNOWN, Valuation(), ())


@settings(max_examples=60, deadline=None)
@given(body=terms("bool"), number=st.integers(0, 3))
def test_literals_fold(body: Term[bool], number: int) -> None:
    """Conjunctions with TRUE and FALSE have the value that they must have."""
    state, values = Valuation({(term.state, ()): number}), dict.fromkeys((w, v, j, k, n), 0)  # type: ignore[attr-defined]
    evaluation = Evaluation(WORLD, state)
    assert evaluation.value(body & FALSE, values) is False  # type: ignore[arg-type]
    assert evaluation.value(body | TRUE, values) is True  # type: ignore[arg-type]
    assert evaluation.value(body & TRUE, values) == evaluation.value(body, values)  # type: ignore[arg-type]
