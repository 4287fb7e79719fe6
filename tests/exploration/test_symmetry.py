"""Symmetry: it is found in the tables, orbits add up to all states, and what is found in orbits is found in states."""

from dataclasses import replace

import pytest

from fencepost.checkers.exploration import explore
from fencepost.checkers.exploration.engine import bound_of
from fencepost.checkers.exploration.layout import Layout
from fencepost.checkers.exploration.plan import Plan
from fencepost.checkers.exploration.symmetry import Images, Symmetry, symmetry
from fencepost.checkers.verdicts import Verdict
from fencepost.model.language import Protocol, Valuation
from fencepost.model.language.terms import Get, Lit
from fencepost.model.registry import find


def found_in(protocol: Protocol, bound: str) -> Symmetry:
    """Return the symmetry of a protocol at a bound."""
    _, finite = bound_of(protocol, bound, None)
    return symmetry(Plan(protocol, finite, Layout(protocol, finite.sizes)))


def agree(protocol: Protocol, bound: str, permutations: int) -> None:
    """Check that orbits add up, and that verdicts, levels and lengths of runs are those of a search of every state."""
    whole, reduced = (explore(protocol, bound, engine="numpy", orbits=orbits) for orbits in (False, True))
    assert reduced.orbits is not None
    assert reduced.orbits.permutations == permutations
    assert reduced.orbits.states == whole.distinct
    assert whole.distinct / permutations <= reduced.orbits.orbits == reduced.distinct < whole.distinct
    assert reduced.depth == whole.depth
    assert reduced.rows_never_fired == whole.rows_never_fired
    for one, other in zip(whole.properties, reduced.properties, strict=True):
        if other.message.startswith("liveness"):
            assert other.verdict is Verdict.INCONCLUSIVE
            continue
        assert (one.id, one.verdict, one.depth) == (other.id, other.verdict, other.depth)
        assert (one.trace is None) == (other.trace is None)
        if one.trace is not None and other.trace is not None:
            assert len(one.trace.steps) == len(other.trace.steps)


def test_managers_are_symmetric(two_phase: Protocol) -> None:
    """Two-phase commit names no manager: its 288 states fall into orbits of six permutations."""
    agree(two_phase, "three", 6)


@pytest.mark.representative("lease-tiny")
@pytest.mark.slow
@pytest.mark.parametrize(("name", "bound"), [("lease", "tiny"), ("kip631-v1", "overtaken")])
def test_orbits_add_up_to_every_state(name: str, bound: str) -> None:
    """Of two brokers, or two exchanges, that are indistinguishable one state of each orbit is enough."""
    agree(find(name).bounds[bound], bound, 2)


def test_partitions_are_symmetric_where_brokers_are_not(replicas: Protocol) -> None:
    """Violations, witnesses, steps and moments of `replicas` are found in the orbits of its two partitions."""
    agree(replicas, "tiny", 2)


def test_an_image_is_the_state_with_other_entities(replicas: Protocol) -> None:
    """Registers of keys, options, sets and lists are permuted as the values are that they stand for."""
    layout = Layout(replicas, {"Broker": 3, "Partition": 1, "epoch": 1, "size": 2})
    turn = {0: 1, 1: 2, 2: 0}
    images = Images(layout, ({"Broker": (1, 2, 0)},))
    cells = {(state.name, keys): (state, keys) for state, keys in layout.cells}
    before = {
        ("isr", (0,)): frozenset({0, 2}),
        ("order", (0,)): (2, 0),
        ("assigned", (0,)): (1, 2, 0),
        ("leader", (0,)): 2,
        ("fenced", (1,)): True,
    }
    after = {
        ("isr", (0,)): frozenset({1, 0}),
        ("order", (0,)): (0, 1),
        ("assigned", (0,)): (2, 0, 1),
        ("leader", (0,)): turn[2],
        ("fenced", (turn[1],)): True,
    }
    rows = [layout.row(Valuation({cells[key]: value for key, value in one.items()})) for one in (before, after)]
    assert layout.valuation(images.of(rows[0][None], 0)[0]) == layout.valuation(rows[1])


def test_compiled_rows_find_the_same_orbits(two_phase: Protocol) -> None:
    """The symmetry is the engine's whichever that is."""
    plain, compiled = (explore(two_phase, "three", engine=one, orbits=True) for one in ("numpy", "auto"))  # type: ignore[arg-type]
    assert (plain.orbits, plain.levels) == (compiled.orbits, compiled.levels)


def test_an_order_refuses_the_sort(replicas: Protocol) -> None:
    """`replicas` asks whether a list is in the order of ids: brokers stay as they are, and the row is named."""
    found = found_in(replicas, "tiny")
    assert found.refused == {"Broker": "the guard of O1 puts its entities in the order of their ids"}
    assert found.moved == {"Partition": (0, 1)}


def test_a_name_refuses_the_sort() -> None:
    """Where a bound lets one broker only be stopped, brokers are not symmetric, and the reason names the event."""
    found = found_in(find("kip343").bounds["small"], "small")
    assert len(found.group) == 1
    assert found.refused["Broker"] == "its entities are named by what the bound assumes of StopBroker"


def test_entities_of_which_the_same_is_said_are_permuted_together(two_phase: Protocol) -> None:
    """A start that names managers 0 and 1, and says the same of both, leaves the permutations that map it to itself."""
    prepared = next(state for state in two_phase.states if state.name == "prepared")
    kind = prepared.keys[0]
    first, second = (Get(prepared, (Lit(number, kind),)) for number in (0, 1))
    bound = replace(two_phase.bounds["three"], start=~first & ~second)
    found = found_in(replace(two_phase, bounds={"three": bound}), "three")
    assert sorted(one["Manager"] for one in found.group) == [(0, 1, 2), (1, 0, 2)]
    assert found.moved == {"Manager": (0, 1)}
