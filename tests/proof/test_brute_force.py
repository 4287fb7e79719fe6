"""Proofs and refutations agree with every state and every binding of one and two entities, tried by the interpreter."""

import itertools
from collections.abc import Iterator
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from fencepost.checkers.counterexample import holds
from fencepost.checkers.proof import INITIAL, prove
from fencepost.model.language import Valuation, World, run, satisfying
from fencepost.model.language.vocabulary import *
from tests.cases import examples

from .tiny import TEAM, WORKER, failures, happening, v, w

on, mark, team = per(WORKER, "on", BOOL), cell("mark", maybe(WORKER), NONE), cell("team", TEAM)
pick, join, clear = happening("Pick", w), happening("Join", w), happening("Clear")
ROWS = table(
    "rows",
    pick("PICK", ~on[w], on[w].becomes(TRUE), mark.becomes(w)),
    join("JOIN", on[w], team.becomes(team | just(w))),
    clear("CLEAR", present(mark), mark.becomes(None), every(v, mark.is_(v), on[v].becomes(FALSE))),
)
ATOMS = (on[v], on[w], mark.is_(v), mark.is_(w), present(mark), absent(mark), v.in_(team), w.in_(team), v.is_(w))


@st.composite
def conditions(draw: st.DrawFn, depth: int = 3) -> Term[bool]:
    """Draw a condition on the state over the variables v and w."""
    if depth == 0:
        return draw(st.sampled_from(ATOMS))
    left, right = draw(conditions(depth - 1)), draw(conditions(depth - 1))
    quantifier, variable = draw(st.sampled_from(((forall, v), (exists, v), (forall, w), (exists, w))))
    return draw(st.sampled_from((left & right, left | right, left.implies(right), ~left, quantifier(variable, left))))


def claiming(term: Term[bool]) -> Protocol:
    """Return the protocol with one property."""
    return protocol("random", ROWS, properties=[always("RANDOM", term, scope=AT_RESULT_BOUNDARIES)])


def states(world: World) -> Iterator[Valuation]:
    """Yield every state of a world."""
    workers = world.entities["Worker"]
    for lit in itertools.product((False, True), repeat=len(workers)):
        for marked, together in itertools.product(world.values(mark.kind), world.values(TEAM)):
            cells: dict[Any, Any] = {(state_of(on[w]), (who,)): x for who, x in zip(workers, lit, strict=True)}
            yield Valuation({**cells, (state_of(mark), ()): marked, (state_of(team), ()): together})


def state_of(term: Any) -> Any:
    """Return the state variable that a term reads."""
    return term.state


def breaks(row: Row, made: Protocol, term: Term[bool], world: World) -> bool:
    """Return whether the row leads from some state in which the term holds to one in which it does not."""
    return any(
        not holds(term, run(row, binding, state, world).after, world)
        for state in states(world)
        if holds(term, state, world)
        for binding in satisfying(made.guard(row), row.params, state, world)
    )


@settings(max_examples=examples(25), deadline=None, derandomize=True)
@given(conditions(), st.sampled_from((forall, exists)))
def test_verdicts_agree_with_all_states_of_two(body: Term[bool], outer: Any) -> None:
    """A row is refuted with one or two entities exactly if trying them all finds it so, and never proved otherwise."""
    term = outer(v, forall(w, body))
    made = claiming(term)
    proof = prove(made)
    found = failures(proof)
    worlds = [World({"Worker": tuple(range(n))}, {}) for n in (1, 2)]
    assert proof.unknown == 0, proof.lines()
    for row in made.rows:
        tried = any(breaks(row, made, term, world) for world in worlds)
        one = found.get((row.id, "RANDOM"))
        if one is None:
            assert not tried, f"{row.id} is proved to keep {term}"
            continue
        assert one.refuted
        assert one.counterexample is not None
        assert tried is (len(one.counterexample.world.entities["Worker"]) <= 2)
    first = any(not holds(term, Valuation(), world) for world in worlds)
    assert first is ((INITIAL, "RANDOM") in found)
