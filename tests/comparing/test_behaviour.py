"""Behaviour gained and lost: the shortest runs to what only one of two designs does."""

import pytest

from fencepost.checkers.comparing import compare
from fencepost.checkers.comparing.behaviour import behaviour, in_step
from fencepost.model.language import ANY, Bound, Protocol, cell, counter, event, protocol, table

N = counter("N")
n = cell("n", N, initial=0)
up = event("Up", source="a stair")
down = event("Down", source="a stair")
STAIR = protocol(
    "stair",
    table("stair", up("U1", n < 5, n.becomes(n + 1)), down("D1", n >= 1, n.becomes(n - 1))),
    bounds={"six": Bound({"N": 6})},
    ends=True,
)
BOTH = ("gained", "lost")


def lengths(base: Protocol, variant: Protocol) -> tuple[int | None, int | None]:
    """How many rows the shortest runs have to what is gained and to what is lost, None where there is none."""
    found = in_step(base, variant, "six", BOTH)
    assert not found.message
    return tuple(None if run is None else len(run.steps) for run in (found.gained, found.lost))  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("variant", "expected"),
    [
        (STAIR.but("U1", when=n < 6, why="w"), (6, None)),
        (STAIR.but("U1", when=n < 3, why="w"), (None, 4)),
        (STAIR.but("D1", when=n >= 3, why="w"), (None, 2)),
        (STAIR.but("D1", effects=n.becomes(n - 1), when=(n >= 1) & (n < 9), why="w"), (None, None)),
        (STAIR.but("U1", effects=n.becomes(n + 2), why="w"), (1, 1)),
        (STAIR.without("D1", why="w"), (None, 2)),
        (STAIR.plus(up("U2", n.is_(4), n.becomes(n - 4)), table="stair", why="w"), (5, None)),
        (STAIR.plus(up("U2", n.is_(4), n.becomes(n + 1)), table="stair", why="w"), (None, None)),
    ],
)
def test_the_shortest_run_to_where_two_designs_part(variant: Protocol, expected: tuple[int | None, int | None]) -> None:
    """Guards, effects, rows that come and go: run by hand; a row that does what another did adds nothing."""
    assert lengths(STAIR, variant) == expected
    assert lengths(variant, STAIR) == expected[::-1]


def test_a_run_goes_through_what_both_do() -> None:
    """Nothing is reached by a step that only one of the two has, so that no later difference is reported."""
    jumps = STAIR.but("U1", effects=n.becomes(n + 2), why="w")
    found = in_step(STAIR, jumps, "six", BOTH)
    assert (found.states, found.closed) == (1, False)
    assert found.gained is not None
    assert found.gained.end.read(n.state, ()) == 2  # type: ignore[attr-defined]


def test_what_cannot_be_is_not_searched() -> None:
    """A guard that is weaker can lose nothing, so only what is gained is looked for; time that is up is said."""
    wider = STAIR.but("U1", when=n < 6, why="w")
    found = behaviour((STAIR, wider), (STAIR,), (wider,), compare(STAIR, wider))
    assert found.possible == ("gained",)
    shortest = found.shortest("gained")
    assert shortest is not None
    assert len(shortest[1].steps) == 6
    none = in_step(STAIR, wider, "six", BOTH, 0.0)
    assert (none.gained, none.closed) == (None, False)
    assert "further ones not searched" in none.none_text()


def test_designs_that_begin_otherwise_are_not_run_in_step() -> None:
    """Without common first states there is nothing to run in step, and the reason is reported."""
    m = cell("m", N, initial=ANY)
    climbs = table("stair", up("U1", m < 5, m.becomes(m + 1)))
    low, high = (protocol("stair", climbs, bounds={"six": Bound({"N": 6}, start=m.is_(k))}, ends=True) for k in (0, 1))
    assert in_step(low, high, "six", BOTH).message == "the two begin in other states"


def test_a_bound_that_cannot_see_a_change_is_not_searched() -> None:
    """A bound that assumes of an event what leaves the guards alike is named, and nothing is run in step at it."""
    k = N.var("k")
    jump = event("Jump", k, source="a stair")
    bounds = {"low": Bound({"N": 6}, given={"Jump": k < 2}), "high": Bound({"N": 6})}
    base = protocol("jumps", table("stair", jump("J1", k < 3, n.becomes(k))), bounds=bounds, ends=True)
    variant = base.but("J1", when=k < 5, why="w")
    found = behaviour((base, variant), (base,), (variant,), compare(base, variant))
    assert (found.blind, [one.bound for one in found.parted]) == (("low",), ["high"])
    shortest = found.shortest("gained")
    assert shortest is not None
    assert [step.row.id for step in shortest[1].steps] == ["J1"]
