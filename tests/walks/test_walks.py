"""Random walks: what is declared to hold holds along hundreds of steps, with all tables of a protocol together."""

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from fencepost.checkers.exploration.walks import Walker
from fencepost.model.findings.finding import at_newest
from fencepost.model.kraft import KRAFT
from fencepost.model.kraft.brokers import caught_up
from fencepost.model.language import TRUE
from fencepost.model.language.walk import nary
from fencepost.model.registry import FAMILIES

from .sizes import SIZES

STEPS = 40
"""Rows of one walk; what was hard to come to is gone on from by later ones."""

WALKS = {
    "kraft": 4, "kraft from its beginning": 3, "zk": 3, "kip343": 4, "kip46": 4, "kip631-v1": 3, "kip631-v2": 3,
    "lease": 5,
}  # fmt: skip
"""How many walks are made of each protocol."""


@cache
def walker(name: str) -> Walker:
    """The walker over all tables of a protocol, with one count; KRaft's begins with Kafka 4.4's features."""
    protocol = FAMILIES[name.split()[0]].whole
    if name == "kraft":
        return Walker(replace(protocol, start=TRUE), SIZES[name], start=at_newest(elr=0, several=True))
    return Walker(protocol, SIZES[name.split()[0]])


@pytest.mark.representative("lease", "kraft")
@pytest.mark.parametrize("name", WALKS)
def test_what_is_declared_to_hold_holds_along_random_walks(name: str) -> None:
    """What is declared to hold of states and steps is broken along no walk; else the shortest run is reported."""
    seen = walker(name)

    @settings(
        max_examples=WALKS[name],
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.integers(0, 2**32))
    def walk(seed: int) -> None:
        broken = seen.walk(seed, STEPS)
        if broken is not None:
            told = "\n".join(broken.trace.lines())
            pytest.fail(f"{name}: {broken.property} is declared to hold and is broken by\n{told}", pytrace=False)

    walk()
    assert sum(seen.fired.values()) >= WALKS[name] * STEPS // 2


def test_a_walk_is_the_same_every_time() -> None:
    """Nothing but the seed decides where a walk goes."""
    one, other = (Walker(FAMILIES["lease"].whole, SIZES["lease"]) for _ in range(2))
    for seed in range(3):
        one.walk(seed, 30)
        other.walk(seed, 30)
    assert one.fired == other.fired


def test_a_walk_finds_what_is_broken_and_tells_the_shortest_run() -> None:
    """A broker that is unfenced whatever it has read is found, in one walk of forty in five rows at most."""
    guard = KRAFT.row("HB2").when
    parts = [one for one in guard.terms if one is not caught_up]  # type: ignore[attr-defined]
    edited = replace(KRAFT.but("HB2", when=nary("and", parts), why="how far it has read is not checked"), start=TRUE)
    only = replace(edited, properties=tuple(p for p in edited.properties if p.id == "K4"))
    seen = Walker(only, SIZES["kraft"], start=at_newest(elr=0, several=True))
    # Seeds before these lead to longer runs.
    runs = (found for seed in range(20, 60) if (found := seen.walk(seed, STEPS)) is not None)
    broken = next(found for found in runs if len(found.trace.steps) <= 5)
    assert broken.property == "K4"
    rows = [one.row.id for one in broken.trace.steps]
    assert rows[-2:] == ["R1", "HB2"]
    assert seen.broken_along(broken.trace) == "K4"
