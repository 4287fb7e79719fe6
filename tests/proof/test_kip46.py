"""KIP-46: what is proved, what is declared violated and how it is repaired, what guards are for."""

from __future__ import annotations

import pytest

from fencepost.checkers.proof import hygiene, prove
from fencepost.model.kip46 import KIP46
from fencepost.model.kip46.mitigation import head_, number
from fencepost.model.kip46.state import queued
from fencepost.model.language import TRUE, Protocol
from fencepost.model.museum.kip46_edits import MENDED, OR_COVERED, compares_brokers, compares_tasks, complete_in_sync

from .tiny import complete, missed

DECLARED = {("SH3", "SI1"), ("SH9", "SI1"), ("SH3", "M6"), ("SH9", "M6"), ("SH6", "M5")}
"""Who breaks what is declared violated: a timer that fires for a broker that is back, and a task that ends."""


@pytest.mark.nightly("fencepost check kip46")
@pytest.mark.parametrize("seeds", [1, pytest.param(20, marks=pytest.mark.exhaustive)])
def test_all_rows_are_proved_whatever_the_seed(seeds: int) -> None:
    """Every row keeps every property not declared violated, for any number of brokers, partitions and tasks."""
    proof = prove(KIP46, seeds=seeds, assumptions=False)
    complete(proof)
    assert {(one.row, one.property) for one in proof.failed} == DECLARED
    assert not proof.undeclared


def test_tables_are_tidy() -> None:
    """No input is left without a row, no two rows of one kind overlap, and every row applies in some state."""
    assert hygiene(KIP46).findings == ()


REPAIRED = {
    "SH11": (compares_brokers(KIP46).claiming(*MENDED), {"M5", "M6"}),
    "M5": (complete_in_sync(KIP46), {"SI1", "M6"}),
    "SH9, option 1": (compares_tasks(KIP46).claiming(*OR_COVERED), {"SI1", "M5", "M6"}),
}


@pytest.mark.representative("SH11")
@pytest.mark.parametrize("name", list(REPAIRED))
def test_a_variant_keeps_what_it_is_for(name: str) -> None:
    """Brokers compared at failover keep SI1, tasks that end in sync M5, option 1 SI5; the rest stays as it was."""
    variant, broken = REPAIRED[name]
    proof = prove(variant, assumptions=False)
    complete(proof)
    assert {one.property for one in proof.failed} == broken


WITHOUT: dict[str, tuple[Protocol, str, str]] = {
    "one after the other": (KIP46.redefine("head", lambda old: queued[number], why="any task"), "SH4", "SI3"),
    "the size of a chunk": (KIP46.redefine("few", lambda old: TRUE, why="any size"), "SH3b", "SI3s"),
    "only what was generated": (KIP46.but("SH5", when=head_(number), why="any task"), "SH5", "SI4"),
    "all partitions are written": (
        KIP46.but("SH3c", when=TRUE, why="the entry goes before the tasks are written"),
        "SH3c",
        "SI5",
    ),
}


@pytest.mark.parametrize("guard", list(WITHOUT))
def test_a_guard_that_is_dropped_is_missed(guard: str) -> None:
    """Without the guard a row breaks the property, and the interpreter replays it, with at most three of a sort."""
    missed(*WITHOUT[guard])
