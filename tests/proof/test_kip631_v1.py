"""The tables of KIP-631 version 1: what is proved, what is declared violated, what guards are for."""

from __future__ import annotations

from functools import cache

import pytest

from fencepost.checkers.counterexample import holds
from fencepost.checkers.proof import Proof, hygiene, prove
from fencepost.model.kip631.v1 import KIP631_V1
from fencepost.model.kip631.v1.heartbeats import wants_shutdown
from fencepost.model.kip631.v1.partitions import chosen
from fencepost.model.kip631.v1.state import fenced, isr, next_lease, now, p
from fencepost.model.language import Always, Protocol, Step

from .tiny import complete, failures, missed

DECLARED = {("V1.1b", "K1"), ("V1.6", "K4"), ("V1.6", "M6h"), ("VC2", "M3"), ("VH1", "M3")}
"""Who breaks what is declared violated."""


@cache
def proved(seeds: int) -> Proof:
    """Return the proof of every property of every row, made once for several tests."""
    return prove(KIP631_V1, seeds=seeds, assumptions=False)


@pytest.mark.nightly("fencepost check kip631-v1")
def test_what_is_declared_violated_is_broken_by_these_rows_and_no_other() -> None:
    """K1, K4, M3 and M6h: the row leads out of a state in which every invariant holds."""
    assert set(failures(proved(1))) == DECLARED
    for one in proved(1).failed:
        trace, claim = one.counterexample, KIP631_V1.property(one.property)
        assert trace is not None
        assert [step.row.id for step in trace.steps] == [one.row]
        assert isinstance(claim, (Always, Step))
        if isinstance(claim, Always):
            assert holds(claim.term, trace.start, trace.world)
            assert not holds(claim.term, trace.end, trace.world)


WITHOUT: dict[str, tuple[Protocol, str, str]] = {
    "the epoch of a heartbeat": (KIP631_V1.without("V1.5s", why="any epoch"), "V1.6", "K5e"),
    "the time of reuse": (KIP631_V1.without("V1.3", why="at once"), "V1.1b", "K2"),
    "the time of reuse, for leases": (KIP631_V1.without("V1.3", why="at once"), "V1.1b", "M3f"),
    "the features": (KIP631_V1.without("V1.4", why="whatever it supports"), "V1.1", "K7"),
    "leaderships before a shutdown": (KIP631_V1.but("V1.11", when=wants_shutdown, why="at once"), "V1.11", "K8"),
    "who is fenced is not elected": (
        KIP631_V1.redefine("electable", lambda old: chosen.in_(isr[p]), why="anybody in the ISR"),
        "VE1",
        "M1",
    ),
    "who is out of sync is not elected": (
        KIP631_V1.redefine("electable", lambda old: ~fenced[chosen], why="anybody unfenced"),
        "VE1",
        "M5",
    ),
    "a lease that is over": (KIP631_V1.redefine("lease_begins", lambda old: now, why="from the answer"), "VH1", "L5"),
    "an earlier lease that was longer": (
        KIP631_V1.redefine("new_lease_end", lambda old: now + next_lease, why="the last one"),
        "V1.6r",
        "L5",
    ),
}


@pytest.mark.parametrize("guard", list(WITHOUT))
def test_a_guard_that_is_dropped_is_missed(guard: str) -> None:
    """Without the guard a row breaks the property, and the interpreter replays it, with at most three of a sort."""
    missed(*WITHOUT[guard])


def test_tables_are_tidy() -> None:
    """No input is left without a row, no two rows of one kind overlap, and every row applies in some state."""
    assert hygiene(KIP631_V1).findings == ()


@pytest.mark.nightly("fencepost check kip631-v1")
@pytest.mark.parametrize("seeds", [1, pytest.param(20, marks=pytest.mark.exhaustive)])
def test_all_rows_are_proved_whatever_the_seed(seeds: int) -> None:
    """Every row keeps every property not declared violated, for any number of entities, from each of the seeds."""
    proof = proved(seeds)
    print(f"{proof.seconds:.1f} s, of the solver {proof.solver_seconds:.1f} s, {proof.retries} retries")
    complete(proof)
    assert {(one.row, one.property) for one in proof.failed} == DECLARED
    assert not proof.undeclared
