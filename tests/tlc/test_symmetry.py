"""TLC given a symmetry counts the orbits that exploration counts, and is given none that it would not accept."""

from dataclasses import replace

import pytest

from fencepost.checkers.exploration import explore
from fencepost.checkers.tlc import render, run_tlc, symmetric
from fencepost.checkers.tlc.configuration import configuration
from fencepost.checkers.verdicts import Refusal, Verdict
from fencepost.model.language import (
    NONE,
    Bound,
    Entity,
    Protocol,
    always,
    cell,
    event,
    exists,
    forall,
    just,
    leads_to,
    maybe,
    per,
    protocol,
    set_of,
    some,
    sort,
    table,
)
from fencepost.model.language.terms import Lit
from fencepost.model.registry import find


class Guest(Entity):
    """Somebody at a table."""


class Seat(Entity):
    """Where somebody sits."""


GUEST, SEAT = sort(Guest), sort(Seat)
g, h, s = GUEST.var("g"), GUEST.var("h"), SEAT.var("s")
sits = per(GUEST, "sits", maybe(SEAT), initial=NONE)
served = cell("served", set_of(GUEST))
last = cell("last", maybe(GUEST), initial=NONE)
SIT = event("Sit", g, s, source="a party")(
    "S1",
    sits[g].is_(None) & forall(h, sits[h].isnt(s)),
    sits[g].becomes(some(s)),
    served.becomes(served | just(g)),
    last.becomes(some(g)),
)
FIRST, SECOND = (Lit(number, GUEST) for number in range(2))
LEFT, RIGHT = (Lit(number, SEAT) for number in range(2))
SIZES = {"Guest": 3, "Seat": 2}
PARTY = protocol(
    "party",
    table("party", SIT),
    properties=[
        always("ROOM", exists(s, forall(g, sits[g].isnt(s))), source="a party"),
        leads_to("SEATED", last.is_(None), last.isnt(None), fair=("Sit",)),
    ],
    bounds={
        "any": Bound(SIZES),
        "host": Bound(SIZES, given={"Sit": last.isnt(None) | g.is_(FIRST)}),
        "named": Bound(SIZES, given={"Sit": g.is_(FIRST).implies(s.is_(LEFT)) & g.is_(SECOND).implies(s.is_(RIGHT))}),
    },
    ends=True,
)


def _same(tables: Protocol, bound: str, properties: tuple[str, ...] | None = None) -> int:
    """Return how many orbits both count, which is the same number."""
    ours = explore(tables, bound, orbits=True, engine="numpy")
    found = run_tlc(tables, bound, orbits=True, properties=properties)
    assert (found.distinct, found.generated, found.depth) == (ours.distinct, ours.generated, ours.depth)
    assert (found.verdict, found.violated, found.through) == (Verdict.CLOSED, None, "jar")
    assert ours.orbits is not None
    assert ours.orbits.states > ours.distinct
    return ours.distinct


@pytest.mark.tlc
def test_the_first_entity_may_stay_while_others_are_exchanged() -> None:
    """Of three guests the host is named and the others are exchanged, as are the seats: counts are equal."""
    assert symmetric(PARTY, "host").moved == {"Guest": (1, 2), "Seat": (0, 1)}
    assert _same(replace(PARTY, properties=()), "host") == 3


@pytest.mark.nightly("test_the_first_entity_may_stay_while_others_are_exchanged")
@pytest.mark.tlc
@pytest.mark.parametrize(
    ("name", "bound", "orbits"),
    [
        pytest.param("kraft-data", "joins", 1_478, id="kraft-data"),
        pytest.param("kraft-loop", "two-requests", 1_226, id="kraft-loop"),
        pytest.param("lease", "drift", 77_882, id="lease"),
    ],
)
def test_tlc_counts_the_orbits_of_a_protocol(name: str, bound: str, orbits: int) -> None:
    """TLC counts one state of each orbit as exploration does: three brokers, two requests, two brokers of 155,539."""
    assert _same(find(name).bounds[bound], bound) == orbits


@pytest.mark.tlc
def test_a_violation_is_told_with_entities() -> None:
    """TLC's trace, whose entities are model values, is one that the interpreter replays."""
    found = run_tlc(PARTY, "any", orbits=True, properties=("ROOM",))
    assert (found.verdict, found.violated, found.length) == (Verdict.VIOLATED, "ROOM", 2)
    assert found.trace is not None
    assert found.trace.failure is not None


def test_a_symmetric_sort_is_a_set_of_model_values() -> None:
    """The sort is a constant, a named entity one too, and the permutations are those of the entities that move."""
    module = render(PARTY, symmetric=symmetric(PARTY, "host"))
    assert "EXTENDS Integers, Sequences, FiniteSets, TLC\n" in module.text
    assert "Symmetry == Permutations({Guest_1, Guest_2}) \\union Permutations({Seat_0, Seat_1})\n" in module.text
    assert 'Bound = "host" -> (last # None \\/ g = Guest_0)' in " ".join(module.text.split())
    lines = configuration(module, "host", ()).split("\n")
    assert "SYMMETRY Symmetry" in lines
    assert "  Guest = {Guest_0, Guest_1, Guest_2}" in lines
    assert "  Guest_0 = Guest_0" in lines


def test_what_tlc_cannot_be_told_is_refused() -> None:
    """No symmetry, entities of two sorts exchanged only together, and runs without end are refused, with why."""
    with pytest.raises(Refusal, match=r"kraft-loop at tiny has no symmetry: there is one entity of each sort"):
        symmetric(find("kraft-loop").bounds["tiny"], "tiny")
    with pytest.raises(
        Refusal, match="takes every permutation of each, 4 of Guest 0, 1; Seat 0, 1, and only 2 of these"
    ):
        symmetric(PARTY, "named")
    with pytest.raises(Refusal, match="SEATED is about runs without end, which TLC does not ask of orbits"):
        configuration(render(PARTY, symmetric=symmetric(PARTY, "any")), "any", ("SEATED",))
    with pytest.raises(Refusal, match="has no bound 'none'"):
        symmetric(PARTY, "none")
