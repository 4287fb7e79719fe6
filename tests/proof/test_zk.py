"""The ZooKeeper-era tables: what is proved, what is declared violated and how it is repaired, what guards are for."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from fencepost.checkers.counterexample import holds
from fencepost.checkers.proof import Proof, hygiene, prove
from fencepost.model.language import Always, Protocol, Step, first, just
from fencepost.model.museum.zk_repairs import followers_first, isr_first
from fencepost.model.zk import ZK
from fencepost.model.zk.state import aim, c, isr, leader, p, r
from fencepost.model.zk.znodes import online

from .tiny import complete, failures, missed

DECLARED = {
    *((row, "ZI16") for row in ("ZP2", "ZP3o", "ZP3u", "ZP3r", "ZP3p", "ZP3d", "ZR4", "ZR4i", "ZC5A1", "ZC5B3k")),
    *((row, "ZI2r") for row in ("ZC5U", "ZC5B6")),
    *((row, "ZI2m") for row in ("ZC5U", "ZC5B2", "ZC0")),
}
"""Who breaks what is declared violated: leaders that are New; replicas that leave a list before they leave the ISR."""


@cache
def proved(seeds: int) -> Proof:
    """Return the proof of every property of every row, made once for several tests."""
    return prove(ZK, seeds=seeds, assumptions=False)


@pytest.mark.nightly("fencepost check zk")
def test_what_is_declared_violated_is_broken_by_these_rows_and_no_other() -> None:
    """ZI16, and ZI2 of lists that are shortened before the ISR is: the row leads out of a state where it holds."""
    assert set(failures(proved(2))) == DECLARED
    for one in proved(2).failed:
        trace, claim = one.counterexample, ZK.property(one.property)
        assert trace is not None
        assert [step.row.id for step in trace.steps] == [one.row]
        assert isinstance(claim, (Always, Step))
        if isinstance(claim, Always):
            assert holds(claim.term, trace.start, trace.world)
            assert not holds(claim.term, trace.end, trace.world)


@pytest.mark.nightly("test_the_rows_of_a_repair_keep_every_property")
def test_repaired_creation_and_elections_keep_zi16() -> None:
    """Replicas Online before a leader is elected, and nobody New elected: then a New replica only follows."""
    proof = prove(followers_first(ZK), properties=("ZI16", "ZLr"), assumptions=False)
    complete(proof)
    assert proof.expected == 0


@pytest.mark.nightly("test_the_rows_of_a_repair_keep_every_property")
def test_repaired_reassignment_keeps_zi2() -> None:
    """Replicas that leave the ISR before the lists: then the ISR is within them, in the znode and in the cache."""
    proof = prove(isr_first(ZK), properties=("ZI2", "ZI2r", "ZI2m"), assumptions=False)
    complete(proof)
    assert proof.expected == 0


REPAIRS = pytest.mark.parametrize("repair", [followers_first, isr_first])


@pytest.mark.representative("isr_first")
@REPAIRS
def test_the_rows_of_a_repair_keep_every_property(repair: Callable[[Protocol], Protocol]) -> None:
    """The rows that a repair edits or adds keep the lemmas too that the repair relies on."""
    repaired = repair(ZK)
    rows = tuple(row.id for row in repaired.rows if row not in ZK.rows)
    assert rows
    complete(prove(repaired, rows=rows, assumptions=False))


@pytest.mark.nightly("test_the_rows_of_a_repair_keep_every_property")
@REPAIRS
def test_repairs_are_proved_with_their_lemmas(repair: Callable[[Protocol], Protocol]) -> None:
    """Every row of the repaired tables keeps every property, those too that the repair does not edit."""
    complete(prove(repair(ZK), assumptions=False))


WITHOUT: dict[str, tuple[Protocol, str, str]] = {
    "Z3: the check of the controller epoch": (ZK.without("ZP3m", why="no check"), "ZP3o", "ZI1"),
    "Z3: the check of a creation": (ZK.without("ZP2m", why="no check"), "ZP2", "ZI1w"),
    "Z3: the check of an AlterPartition": (ZK.without("ZC10m", why="no check"), "ZC10", "ZI1"),
    "Z3: the check of a topic's znode": (ZK.without("ZC5B6m", why="no check"), "ZC5B6", "ZI1w"),
    "a session": (ZK.without("ZP3s", why="no session needed"), "ZP3o", "ZI1w"),
    "Z5: the last member": (ZK.redefine("left", lambda old: isr[p] - just(r), why="no member stays"), "ZR4", "ZI4"),
    "a leader that leaves": (ZK.redefine("leads_on", lambda old: leader[p], why="it stays leader"), "ZR4", "ZI2"),
    "a leader in the ISR": (
        ZK.redefine("moving_to", lambda old: first(aim[c], online(c, p)), why="anybody"),
        "ZP3r",
        "ZI7",
    ),
    "legal changes of partitions": (ZK.without("ZP0", why="anything goes"), "ZP1", "ZI8"),
    "legal changes of replicas": (ZK.without("ZR0", why="anything goes"), "ZR6", "ZI8r"),
    "Z1: the controller epoch of a request": (ZK.without("LI1", why="any requester"), "LI4", "ZI5"),
    "Z17: the broker epoch of a request": (ZK.without("LI2", why="any receiver"), "LI4", "ZI5p"),
    "the leader epoch of a request": (ZK.without("LI3", why="whatever it had"), "LI5", "ZI5a"),
}


@pytest.mark.representative(
    "Z3: the check of a creation", "Z5: the last member", "legal changes of partitions",
    "Z17: the broker epoch of a request", "the leader epoch of a request",
)  # fmt: skip
@pytest.mark.parametrize("guard", list(WITHOUT))
def test_a_guard_that_is_dropped_is_missed(guard: str) -> None:
    """Without the guard a row breaks the property, and the interpreter replays it, with at most three of a sort."""
    missed(*WITHOUT[guard])


@pytest.mark.slow
def test_tables_are_tidy() -> None:
    """No input is left without a row, no two rows of one kind overlap, and every row applies in some state."""
    assert hygiene(ZK).findings == ()


@pytest.mark.parametrize(
    "seeds",
    [
        pytest.param(2, marks=pytest.mark.nightly("fencepost check zk")),
        pytest.param(20, marks=pytest.mark.exhaustive),
    ],
)
def test_all_rows_are_proved_whatever_the_seed(seeds: int) -> None:
    """Every row keeps every property not declared violated, for any number of entities, from each of the seeds."""
    proof = proved(seeds)
    print(f"{proof.seconds:.1f} s, of the solver {proof.solver_seconds:.1f} s, {proof.retries} retries")
    assert proof.seeds == tuple(range(1, seeds + 1))
    complete(proof)
    assert {(one.row, one.property) for one in proof.failed} == DECLARED
    assert not proof.undeclared
