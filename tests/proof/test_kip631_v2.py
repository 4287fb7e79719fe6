"""KIP-631, version 2: every claim is proved for any number of brokers, or declared violated."""

from __future__ import annotations

import pytest

from fencepost.checkers.proof import hygiene, prove
from fencepost.model.kip631.v2 import KIP631_V2
from fencepost.model.language import Protocol
from fencepost.model.museum.kip631_v2 import KIP631_V2_MUSEUM

from .tiny import complete, missed

DECLARED = {("V2.4s", "K8o"), ("BA1", "M3"), ("BA3", "M3"), ("BS5", "M3"), ("BA3", "K13")}
"""Who breaks what is declared violated."""


@pytest.mark.nightly("fencepost check kip631-v2")
@pytest.mark.parametrize("seeds", [1, pytest.param(20, marks=pytest.mark.exhaustive)])
def test_all_rows_are_proved_whatever_the_seed(seeds: int) -> None:
    """Every row keeps every claim that is not declared violated, for any number of entities, from each of the seeds."""
    proof = prove(KIP631_V2, seeds=seeds, assumptions=False)
    print(f"{proof.seconds:.1f} s, of the solver {proof.solver_seconds:.1f} s, {proof.retries} retries")
    complete(proof)
    assert not proof.undeclared
    assert {(one.row, one.property) for one in proof.failed} == DECLARED


EDITED = {entry.name: entry.edit(KIP631_V2) for entry in KIP631_V2_MUSEUM}
WITHOUT: dict[str, tuple[Protocol, str, str]] = {
    "S-e: the next available offset": (EDITED["latest_committed"], "V2.6", "K1"),
    "the id is kept for whoever is silent": (KIP631_V2.without("V2.6d", why="no conflict"), "V2.6", "K2"),
    "features": (KIP631_V2.without("V2.6f", why="any broker"), "V2.6", "K7"),
    "#9: the own registration": (EDITED["one_too_few"], "V2.1", "K4"),
    "#37: the partitions first": (EDITED["fence_first"], "V2.3", "K9"),
    "a registration takes the leaderships": (EDITED["keeps_leaders"], "V2.6", "K9"),
    "who is active": (EDITED["any_controller"], "V2.3", "M7"),
    "members are unfenced": (EDITED["fenced_member"], "AI5", "P7"),
    "#12: somebody is left": (EDITED["adding_only"], "V2.8d", "P3"),
    "logs are compared": (EDITED["keeps_stray_logs"], "BS3", "K13r"),
}


@pytest.mark.representative(
    "S-e: the next available offset", "#9: the own registration", "members are unfenced", "#12: somebody is left",
    "features",
)  # fmt: skip
@pytest.mark.parametrize("guard", list(WITHOUT))
def test_what_is_dropped_is_missed(guard: str) -> None:
    """Without it a row breaks the claim, and the interpreter replays it."""
    missed(*WITHOUT[guard], most=None)


def test_a_fence_that_is_implicit_keeps_every_claim_of_the_explicit_one() -> None:
    """#37: with either form of FenceBroker the fenced broker leads nothing, and no epoch has two leaders."""
    proof = prove(
        EDITED["implicit_fence"],
        rows=("V2.2", "V2.3"),
        properties=("K9", "M2", "M5", "P1", "P2", "P3", "P7f", "P9"),
        assumptions=False,
    )
    assert (proof.refuted, proof.unknown, proof.expected) == (0, 0, 0), proof.lines()
    assert proof.proved


def test_tables_are_tidy() -> None:
    """No input is left without a row, no two rows of one kind overlap, and every row applies in some state."""
    assert hygiene(KIP631_V2).findings == ()
