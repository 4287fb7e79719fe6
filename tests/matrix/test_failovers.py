"""Failovers of KIP-631 with two claimants and a tail that is lost: what holds, what fails, what the claims notice."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from fencepost.checkers.exploration import explore
from fencepost.checkers.proof import prove
from fencepost.checkers.tlc import run_tlc
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kip631.v1 import failovers as v1
from fencepost.model.kip631.v1.state import b as broker
from fencepost.model.kip631.v1.state import fenced
from fencepost.model.kip631.v2 import failovers as v2
from fencepost.model.kip631.v2.membership import told_that
from fencepost.model.language import FALSE, TRUE, Protocol
from fencepost.model.matrix.families import FAILOVERS
from fencepost.model.registry import find

Edit = Callable[[Protocol], Protocol]
BOUNDS = [(name, bound) for name, one in FAILOVERS.items() for part in one.slices for bound in part.bounds]
COUNTS = {
    ("kip631-v1", "tail"): 708,
    ("kip631-v1", "claimants"): 3899,
    ("kip631-v2", "tail"): 264,
    ("kip631-v2", "claimants"): 2567,
    ("kip631-v2", "led"): 130,
}
"""Reachable states."""


def part(name: str, bound: str) -> Protocol:
    """The slice of a design's failovers that has a bound."""
    return find(f"{name}+failovers").bounds[bound]


@pytest.mark.representative("kip631-v2-led")
@pytest.mark.parametrize(("name", "bound"), BOUNDS)
def test_failovers_are_explored_to_the_end(name: str, bound: str) -> None:
    """All states of a bound are seen, as many as are pinned; claims hold or fail as declared, witnesses are found."""
    found = explore(part(name, bound), bound)
    assert found.verdict is Verdict.CLOSED
    assert found.distinct == COUNTS[name, bound]


@pytest.mark.nightly("tests/tlc/test_slices.py::test_tlc_counts_what_exploration_counts[kraft-growth]")
@pytest.mark.tlc
@pytest.mark.parametrize(("name", "bound"), BOUNDS)
def test_tlc_counts_what_exploration_counts(name: str, bound: str) -> None:
    """TLC counts the same states, transitions and levels, and finds no violation that is not declared."""
    ours = explore(part(name, bound), bound)
    found = run_tlc(part(name, bound), bound)
    assert (found.verdict, found.violated) == (Verdict.CLOSED, None)
    assert (found.distinct, found.generated, found.depth) == (ours.distinct, ours.generated, ours.depth)


@pytest.mark.parametrize("name", FAILOVERS)
def test_what_is_committed_outlives_a_failover(name: str) -> None:
    """For any number of brokers: what is committed stays, the rest is lost and was not answered, and a controller that
    was replaced changes no metadata.
    """
    whole = find(f"{name}+failovers").whole
    asked = {"kip631-v1": ["M7w", "M8c", "M8l", "M8a"], "kip631-v2": ["M7", "M8c", "M8p", "M8l", "M8a", "M8h"]}[name]
    found = prove(whole, properties=asked)
    assert found.verdict is Verdict.PROVED, found.failed
    assert not found.assumptions or all(not used.needed_by for used in found.assumptions)


def answers_at_once(protocol: Protocol) -> Protocol:
    """Version 1 answers a registration before it is committed."""
    guard = find("kip631-v1").whole.row("VB4").when
    return protocol.but("VB4", when=guard, why="a registration is answered at once")


def loses_one_too_many(protocol: Protocol) -> Protocol:
    """The next leader lacks the last committed result."""
    module, row = (v1, "VF6") if "v1" in protocol.name else (v2, "CL")
    log = module.LOG
    earlier = replace(log, committed=log.committed - 1)
    effects = (*earlier.restores(), *_shorter(log.committed))
    guard = protocol.row(row).when & (log.committed > 0)
    return protocol.but(row, when=guard, effects=effects, why="what is committed is lost")


def renews_as_fenced(protocol: Protocol) -> Protocol:
    """Version 2 answers that a broker is fenced, save to the heartbeat that unfenced it."""
    row = protocol.row("V2.3r")
    effects = (told_that(TRUE, FALSE), v2.told_at[v2.b].becomes(v2.next_offset - 1))
    return protocol.but(row.id, effects=effects, why="a renewal says that the broker is fenced")


def _shorter(committed: object) -> tuple[object, ...]:
    return (committed.becomes(committed - 1),)  # type: ignore[attr-defined, operator]


MUTANTS: tuple[tuple[str, str, Edit, set[str]], ...] = (
    ("kip631-v1", "tail", answers_at_once, {"M8", "M8a"}),
    ("kip631-v1", "tail", loses_one_too_many, {"M8", "M8c", "M8l"}),
    ("kip631-v2", "tail", loses_one_too_many, {"M8", "M8c", "M8l"}),
    ("kip631-v2", "tail", renews_as_fenced, {"M8"}),
    ("kip631-v2", "led", loses_one_too_many, {"M8p"}),
)


@pytest.mark.representative("kip631-v2-led-loses_one_too_many-falls4")
@pytest.mark.parametrize(("name", "bound", "edit", "falls"), MUTANTS)
def test_claims_of_failovers_notice_a_broken_one(name: str, bound: str, edit: Edit, falls: set[str]) -> None:
    """An answer that comes too early breaks M8 and M8a of version 1, a lost committed result what is claimed of it, an
    answer that goes on saying what is over M8 of version 2 alone.
    """
    found = explore(edit(part(name, bound)), bound)
    broken = {one.id for one in found.properties if one.verdict is Verdict.VIOLATED}
    assert broken == falls


def test_a_replaced_controller_that_fences_is_noticed() -> None:
    """M7w falls where a controller that was replaced writes, too: it is no accident of a row that does nothing."""
    row = v1.WHOLE.row("VF4")
    effects = (*row.effects, fenced[broker].becomes(TRUE))
    found = prove(v1.WHOLE.but("VF4", effects=effects, why="it fences"), properties=["M7w"])
    assert {one.property for one in found.failed} == {"M7w"}
    row = v2.WHOLE.row("CRh")
    effects = (*row.effects, v2.fenced[v2.b].becomes(FALSE))
    found = prove(v2.WHOLE.but("CRh", effects=effects, why="it unfences"), properties=["M7"])
    assert {one.property for one in found.failed} == {"M7"}
