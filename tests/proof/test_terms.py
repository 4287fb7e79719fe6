"""Terms mean in the finite scope what the interpreter says they mean."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import z3
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fencepost.checkers.proof.finite import Finite
from fencepost.checkers.proof.logic import Value
from fencepost.checkers.proof.lowering import Environment, Lowering
from fencepost.checkers.proof.models import Reader
from fencepost.checkers.proof.moments import Moment
from fencepost.model.language import (
    BOOL,
    NONE,
    Entity,
    Evaluation,
    Kind,
    State,
    Term,
    Valuation,
    absent,
    all_of,
    any_of,
    ascending,
    at_least,
    cell,
    counter,
    drop,
    else_,
    empty,
    event,
    exists,
    first,
    forall,
    head,
    just,
    keep,
    lesser,
    let,
    list_of,
    max_of,
    maybe,
    members,
    nobody,
    none_of,
    nothing,
    only,
    per,
    present,
    protocol,
    repeats,
    set_of,
    size_of,
    some,
    sort,
    table,
    then,
    those,
    threshold,
    when,
)
from fencepost.model.language.terms import Get, Lit
from tests.cases import examples


class Broker(Entity):
    """A broker."""


BROKER, OFFSET, SIZE = sort(Broker), counter("offset", lo=-1), threshold("size")
x, y, o = BROKER.var("x"), BROKER.var("y"), OFFSET.var("o")
up = per(BROKER, "up", BOOL)
friend = per(BROKER, "friend", maybe(BROKER), NONE)
seen = per(BROKER, "seen", OFFSET, -1)
crowd = cell("crowd", set_of(BROKER))
others = cell("others", set_of(BROKER))
queue = cell("queue", list_of(BROKER))
line = cell("line", list_of(BROKER))
boss = cell("boss", maybe(BROKER), NONE)
end = cell("end", OFFSET, 0)
least = cell("least", SIZE, 1)
CELLS: tuple[Term[Any], ...] = (crowd, others, queue, line, boss, end, least)

_reads = event("Reads", source="a test")
_everything: Term[bool] = all_of(
    forall(x, up[x] | present(friend[x]) | (seen[x] < end)),
    empty(crowd & others),
    empty(then(queue, line)),
    present(boss),
    at_least(crowd, least),
)
PROTOCOL = protocol("terms", table("rows", _reads("ROW", _everything)))
SCOPE = Finite(PROTOCOL, {"Broker": 3})
LOWERING = Lowering(SCOPE)


class Concrete(Moment):
    """A state of the interpreter, as literals of the scope."""

    def __init__(self, state: Valuation) -> None:
        super().__init__()
        self.state = state

    def read(self, state: State[Any], keys: Sequence[Value]) -> Value:
        """Return a cell's value: whichever key it is, the value that belongs to it."""
        from fencepost.checkers.proof.logic import choose, conj

        listed = [list(zip(SCOPE.world.values(kind), SCOPE.values(kind), strict=True)) for kind in state.keys]
        result: Value = None
        for chosen in itertools.product(*listed):
            here = self._literal(self.state.read(state, tuple(n for n, _ in chosen)), state.kind)
            same = conj(SCOPE.same(v, key) for (_, v), key in zip(chosen, keys, strict=True))
            result = here if result is None else choose(same, here, result)
        return result

    def _literal(self, value: Any, kind: Kind[Any]) -> Value:
        return SCOPE.values(kind)[SCOPE.world.values(kind).index(value)]


def brokers(depth: int) -> st.SearchStrategy[Term[Any]]:
    """Return terms of the kind "maybe a broker"."""
    leaf = st.sampled_from([boss, friend[x], some(x), some(y), none_of(BROKER)])
    if not depth:
        return leaf
    return st.one_of(
        leaf,
        st.builds(first, lists(depth - 1), sets(depth - 1)),
        st.builds(head, lists(depth - 1)),
        st.builds(else_, brokers(depth - 1), brokers(depth - 1)),
        st.builds(when, conditions(depth - 1), brokers(depth - 1), brokers(depth - 1)),
    )


def sets(depth: int) -> st.SearchStrategy[Term[Any]]:
    """Return terms of the kind "set of brokers"."""
    leaf = st.sampled_from([crowd, others, nobody(BROKER), just(x), just(boss), those(y, up[y])])
    if not depth:
        return leaf
    inner = sets(depth - 1)
    return st.one_of(
        leaf,
        st.builds(lambda a, b: a & b, inner, inner),
        st.builds(lambda a, b: a | b, inner, inner),
        st.builds(lambda a, b: a - b, inner, inner),
        st.builds(members, lists(depth - 1)),
        st.builds(lambda c: those(y, c), conditions(depth - 1)),
        st.builds(lambda s: let("named", s), inner),
    )


def lists(depth: int) -> st.SearchStrategy[Term[Any]]:
    """Return terms of the kind "list of brokers"."""
    leaf = st.sampled_from([queue, line, nothing(BROKER), only(boss), only(some(x))])
    if not depth:
        return leaf
    inner = lists(depth - 1)
    return st.one_of(
        leaf,
        st.builds(keep, inner, sets(depth - 1)),
        st.builds(drop, inner, sets(depth - 1)),
        st.builds(then, inner, inner),
        st.builds(ascending, sets(depth - 1)),
        st.builds(when, conditions(depth - 1), inner, inner),
    )


def numbers(depth: int) -> st.SearchStrategy[Term[int]]:
    """Return counters."""
    leaf = st.sampled_from([end, seen[x], seen[y], end + 1, end - seen[x]])
    if not depth:
        return leaf
    return st.one_of(leaf, st.builds(lambda c, n: max_of(o, c & (o <= n), -1), conditions(depth - 1), leaf))


def conditions(depth: int) -> st.SearchStrategy[Term[bool]]:
    """Return conditions."""
    leaf = st.sampled_from([up[x], up[y], x.is_(y), present(friend[x]), repeats(queue)])
    if not depth:
        return leaf
    inner = conditions(depth - 1)
    return st.one_of(
        st.builds(lambda a, b: all_of(a, b), inner, inner),
        st.builds(lambda a, b: any_of(a, ~b), inner, inner),
        st.builds(lambda a, b: a.implies(b), inner, inner),
        st.builds(lambda a: forall(y, a), inner),
        st.builds(lambda a: exists(x, a), inner),
        st.builds(lambda a, b: a.is_(b), brokers(depth - 1), brokers(depth - 1)),
        st.builds(lambda a: absent(a), brokers(depth - 1)),
        st.builds(lambda a, b: a.in_(b), brokers(depth - 1), sets(depth - 1)),
        st.builds(lambda a, b: a <= b, sets(depth - 1), sets(depth - 1)),
        st.builds(lambda a, b: a.is_(b), sets(depth - 1), sets(depth - 1)),
        st.builds(lambda a, b: a.is_(b), lists(depth - 1), lists(depth - 1)),
        st.builds(lambda a: empty(a), lists(depth - 1)),
        st.builds(lambda a, b: a < b, numbers(depth - 1), numbers(depth - 1)),
        st.builds(lambda a: at_least(a, least), sets(depth - 1)),
        st.builds(lambda a, b: at_least(a, lesser(least, size_of(b, SIZE))), sets(depth - 1), sets(depth - 1)),
    )


@st.composite
def states(draw: st.DrawFn) -> Valuation:
    """Return states of the little protocol."""
    cells: dict[Any, Any] = {}
    for one in CELLS:
        assert isinstance(one, Get)
        cells[one.state, ()] = draw(st.sampled_from(SCOPE.world.values(one.kind)))
    for of in (up, friend, seen):
        for n in range(3):
            cells[of.state, (n,)] = draw(st.sampled_from(SCOPE.world.values(of.state.kind)))
    return Valuation(cells)


TERMS = st.one_of(conditions(3), brokers(3), sets(3), lists(3), numbers(3))


@settings(max_examples=examples(400), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(term=TERMS, state=states(), a=st.integers(0, 2), b=st.integers(0, 2))
def test_random_terms_have_the_interpreters_value(term: Term[Any], state: Valuation, a: int, b: int) -> None:
    """A random term over a random state of three brokers has one value in every evaluator."""
    expected = Evaluation(SCOPE.world, state).value(term, {x: a, y: b})
    environment = Environment({x: SCOPE.values(BROKER)[a], y: SCOPE.values(BROKER)[b]})
    value = LOWERING.value(term, Concrete(state), environment)
    solver = z3.Solver()
    assert solver.check() == z3.sat
    assert Reader(SCOPE, solver.model()).value(value, term.kind) == expected


def test_a_literal_out_of_the_scope_is_seen() -> None:
    """The finite scope has the greatest number that the tables name, or rows that ask for it would look dead."""
    asks = event("Asks", source="a test")
    made = protocol("deep", table("rows", asks("ROW", Lit(17, OFFSET) < end, end.becomes(0))))
    assert Finite(made, {}).world.ranges["offset"] == (-1, 18)
