"""Three-valued evaluation against the interpreter."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest

from fencepost.checkers.conformance.classes.frames import UNKNOWN, Frame
from fencepost.checkers.conformance.classes.tables import Indexed
from fencepost.checkers.conformance.evaluation.denial import denied
from fencepost.checkers.conformance.evaluation.kleene import Compiler
from fencepost.checkers.conformance.evaluation.outcomes import can_be_sure
from fencepost.model.kraft.protocol import KRAFT
from fencepost.model.language import (
    BOOL,
    FALSE,
    TRUE,
    Evaluation,
    EvaluationError,
    Protocol,
    Term,
    Valuation,
    Var,
    World,
    exists,
    forall,
    just,
    those,
    when,
)
from fencepost.model.language.kinds import EntityKind, IntKind, ListKind, ThresholdKind
from fencepost.model.language.nodes import Lit, MaxOf, Next, Quant, Repeats
from fencepost.model.language.state import State
from fencepost.model.language.walk import free, nodes

from . import toy

_SIZE = 2


def _world(protocol: Protocol) -> World:
    sizes = {kind.name: _SIZE for kind in protocol.kinds if isinstance(kind, (EntityKind, IntKind, ThresholdKind))}
    return World.of(sizes, protocol.kinds)


def _state(protocol: Protocol, world: World, random_: random.Random) -> Valuation:
    cells: dict[tuple[State[Any], tuple[Any, ...]], Any] = {}
    for state in protocol.states:
        for keys in _keys(state, world):
            cells[state, keys] = random_.choice(world.values(state.kind))
    return Valuation(cells)


def _keys(state: State[Any], world: World) -> Iterator[tuple[Any, ...]]:
    found: list[tuple[Any, ...]] = [()]
    for kind in state.keys:
        found = [(*keys, value) for keys in found for value in world.values(kind)]
    yield from found


def _frame(states: Mapping[State[Any], int], valuation: Valuation, world: World) -> Frame:
    tables: list[dict[tuple[Any, ...], Any]] = [Indexed() for _ in states]
    for (state, keys), value in valuation.items():
        if state in states:
            tables[states[state]][keys] = value
    return Frame(tables, {name: {one: rank for rank, one in enumerate(seen)} for name, seen in world.entities.items()})


def _comparable(term: Term[Any]) -> bool:
    """Terms that both sides can evaluate: no next state, no search among counters, which have no end in a log."""
    return not any(
        isinstance(node, (Next, MaxOf, Repeats))
        or (isinstance(node, Quant) and isinstance(node.var.kind, (IntKind, ThresholdKind, ListKind)))
        for node in nodes(term)
    )


def _interpreted(evaluation: Evaluation, term: Term[Any], binding: Mapping[Var[Any], Any]) -> Any:
    try:
        return evaluation.value(term, binding)
    except EvaluationError:
        return UNKNOWN


@pytest.mark.parametrize("protocol", [toy.TOY, KRAFT], ids=["toy", "kraft"])
def test_on_known_states_the_values_are_the_interpreters(protocol: Protocol) -> None:
    """Every guard, field, replay and property of the tables has the interpreter's value where every cell is known."""
    random_ = random.Random(7)
    world = _world(protocol)
    terms = [term for term in dict.fromkeys(protocol.terms()) if _comparable(term)]
    numbers = {state: number for number, state in enumerate(protocol.states)}
    compiler = Compiler(numbers)
    compared = 0
    for _ in range(4):
        valuation = _state(protocol, world, random_)
        evaluation, frame = Evaluation(world, valuation), _frame(numbers, valuation, world)
        for term in terms:
            binding = {var: random_.choice(world.values(var.kind)) for var in free(term)}
            assert compiler.code(term)(frame, dict(binding)) == _interpreted(evaluation, term, binding), str(term)
            compared += 1
    assert compared >= 4 * len(terms) > 0


@pytest.mark.representative("toy-11", "kraft-11")
@pytest.mark.parametrize("seed", range(11, 15))
@pytest.mark.parametrize("protocol", [toy.TOY, KRAFT], ids=["toy", "kraft"])
def test_what_is_decided_in_spite_of_hidden_cells_is_so(protocol: Protocol, seed: int) -> None:
    """Where variables and cells are hidden and a value comes out all the same, it is that of the full state."""
    random_ = random.Random(seed)
    world = _world(protocol)
    terms = [term for term in dict.fromkeys(protocol.terms()) if _comparable(term)]
    decided = undecided = never = 0
    shown = [state for state in protocol.states if random_.random() < 0.6]
    numbers = {state: number for number, state in enumerate(shown)}
    compiler = Compiler(numbers)
    valuation = _state(protocol, world, random_)
    evaluation, frame = Evaluation(world, valuation), _frame(numbers, valuation, world)
    for term in terms:
        binding = {var: random_.choice(world.values(var.kind)) for var in free(term)}
        told = {var: value for var, value in binding.items() if random_.random() < 0.7}
        found = compiler.code(term)(frame, dict(told))
        if term.kind == BOOL:
            assert denied(compiler, term)(frame, dict(told)) is (found is False), str(term)
            never += not can_be_sure(term, binding.keys() - told.keys())
            assert can_be_sure(term, binding.keys() - told.keys()) or found is not True, str(term)
        if found is UNKNOWN:
            undecided += 1
        else:
            assert found == _interpreted(evaluation, term, binding), str(term)
            decided += 1
    assert decided
    assert undecided
    assert never or protocol is toy.TOY


class _Whole(Compiler):
    """Asks every part of a connective; `left_out` counts the parts that are not asked otherwise."""

    left_out = 0

    def deciding(self, terms: Sequence[Term[Any]], value: bool) -> tuple[Sequence[Term[Any]], bool]:
        deciding, _ = super().deciding(terms, value)
        self.left_out += len(terms) - len(deciding)
        return terms, False


@pytest.mark.representative("13")
@pytest.mark.parametrize("seed", range(13, 16))
def test_parts_that_decide_nothing_need_not_be_asked(seed: int) -> None:
    """Where a hidden cell keeps a connective from coming out one way, it is the same without the parts left out."""
    random_ = random.Random(seed)
    world = _world(KRAFT)
    terms = [term for term in dict.fromkeys(KRAFT.terms()) if _comparable(term)]
    shown = [state for state in KRAFT.states if random_.random() < 0.6]
    numbers = {state: number for number, state in enumerate(shown)}
    compiler, whole = Compiler(numbers), _Whole(numbers)
    valuation = _state(KRAFT, world, random_)
    frame, other = (_frame(numbers, valuation, world) for _ in range(2))
    for term in terms:
        binding = {var: random_.choice(world.values(var.kind)) for var in free(term) if random_.random() < 0.8}
        assert compiler.code(term)(frame, dict(binding)) == whole.code(term)(other, dict(binding)), str(term)
    assert whole.left_out


def test_unknown_decides_nothing_by_itself_and_hides_nothing_that_is_decided() -> None:
    """A false part decides a conjunction, a true one a disjunction, equal branches a choice; the rest is unknown."""
    hidden = Var("hidden", TRUE.kind)
    code = Compiler({}).code
    frame = Frame([], {"Broker": {1: 0, 2: 1}})
    assert code(hidden & FALSE)(frame, {}) is False
    assert code(hidden | TRUE)(frame, {}) is True
    assert code(hidden & TRUE)(frame, {}) is UNKNOWN
    assert code(~hidden)(frame, {}) is UNKNOWN
    assert code(hidden.implies(TRUE))(frame, {}) is True
    who, other = toy.b, toy.x
    assert code(when(hidden, just(who), just(who)))(frame, {who: 1}) == frozenset({1})
    assert code(when(hidden, just(who), just(other)))(frame, {who: 1, other: 2}) is UNKNOWN


def test_membership_is_decided_where_the_set_is_not() -> None:
    """Whether somebody is in a set may be known although the set is not: the condition is asked of the one item."""
    hidden = Var("hidden", TRUE.kind)
    x, who = toy.x, toy.b
    some = those(x, hidden | x.is_(who))
    code = Compiler({}).code
    frame = Frame([], {"Broker": {1: 0, 2: 1}})
    assert code(some)(frame, {who: 1}) is UNKNOWN
    assert code(who.in_(some))(frame, {who: 1}) is True
    assert code(who.in_(some - just(who)))(frame, {who: 1}) is False
    assert code(who.in_(some & just(who)))(frame, {who: 1}) is True


def test_of_a_set_that_a_condition_defines_only_members_of_the_other_decide() -> None:
    """A set cut with others is known where it is known which of its own members are in those."""
    known, x, who = Var("known", TRUE.kind), toy.x, toy.b
    code = Compiler({}).code
    frame = Frame([], {"Broker": {1: 0, 2: 1}})
    some = those(x, x.is_(who) | known)
    for term, found in [
        (just(who) & some, {1}),
        (some & just(who), {1}),
        (just(who) - some, set()),
        ((some - just(who)) & just(who), set()),
        (just(who) & (some & some), {1}),
    ]:
        assert code(term)(frame, {who: 1}) == found, str(term)
    assert code(some - just(who))(frame, {who: 1}) is UNKNOWN
    other = those(x, known)
    assert code(just(who) & other)(frame, {who: 1}) is UNKNOWN
    assert code(just(who) - other)(frame, {who: 1, known: False}) == {1}
    # Of an unknown set only the empty set is known to be a subset of an empty one.
    assert code(just(who) & other)(frame, {known: False}) == frozenset()
    assert code(just(who) & other)(frame, {known: True}) is UNKNOWN
    assert code(just(who) - other)(frame, {known: True}) is UNKNOWN


def test_quantifiers_range_over_the_entities_seen() -> None:
    """`forall` and `exists` ask those that the log has shown; of a sort that it never shows only tautologies hold."""
    x = toy.x
    code = Compiler({}).code
    seen = Frame([], {"Broker": {1: 0, 2: 1}})
    assert code(exists(x, x.is_(toy.b)))(seen, {toy.b: 2}) is True
    assert code(exists(x, x.is_(toy.b)))(seen, {toy.b: 3}) is False
    assert code(forall(x, x.is_(toy.b)))(seen, {toy.b: 2}) is False
    never = Frame([], {})
    assert code(exists(x, x.is_(toy.b)))(never, {toy.b: 2}) is UNKNOWN
    assert code(forall(x, TRUE | x.is_(toy.b)))(never, {toy.b: 2}) is True


def test_a_literal_is_compared_with_what_is_bound() -> None:
    """As an item of a set, and as what a choice is between, a literal has its value."""
    hidden, three = Var("hidden", TRUE.kind), Lit(3, toy.b.kind)
    code, frame = Compiler({}).code, Frame([], {"Broker": {1: 0, 3: 1}})
    assert code(three.in_(just(toy.b)))(frame, {toy.b: 3}) is True
    assert code(when(hidden, three, toy.b))(frame, {toy.b: 3}) == 3
    assert code(when(hidden, three, toy.b))(frame, {toy.b: 1, hidden: True}) == 3
