"""KIP-343's tables: what is proved, what is declared violated, and what its guards are for."""

from __future__ import annotations

import pytest

from fencepost.checkers.proof import hygiene, prove
from fencepost.model.kip343 import KIP343
from fencepost.model.kip343.state import INACTIVE, isr, p, state, x
from fencepost.model.language import TRUE, Protocol, those

from .tiny import complete, missed

DECLARED = {
    *((row, "HI1t") for row in ("H3s", "H3a")),
    *((row, "M1") for row in ("H6", "H-reg", "H-gone", "H12")),
    *((row, "M3") for row in ("H8", "HE3")),
    *((row, "M3t") for row in ("H6", "H8")),
    *((row, "M3c") for row in ("H6", "H8", "HE3")),
    ("H7", "HI3c"),
    ("H7", "HI3r"),
    ("H8", "HIu"),
    ("H8", "M7"),
    ("HT1", "HI10l"),
    ("H11", "HIa"),
}
"""Who breaks what is declared violated, and no other row does."""


@pytest.mark.nightly("fencepost check kip343")
@pytest.mark.parametrize("seeds", [1, pytest.param(20, marks=pytest.mark.exhaustive)])
def test_all_rows_keep_all_properties_whatever_the_seed(seeds: int) -> None:
    """Every row keeps every property that is not declared violated, for any number of brokers and any times."""
    proof = prove(KIP343, seeds=seeds, assumptions=False)
    complete(proof)
    assert not proof.undeclared
    assert {(one.row, one.property) for one in proof.failed} == DECLARED


WITHOUT: dict[str, tuple[Protocol, str, str]] = {
    "the incarnation of a heartbeat": (KIP343.without("H2", why="any id"), "H4", "HI1"),
    "the incarnation of an IsrChange": (KIP343.without("H10", why="any id"), "H11", "HI2"),
    "the leader of an IsrChange": (KIP343.without("H11a", why="anybody"), "H11", "HI2"),
    "the empty ISR": (KIP343.without("H11b", why="any set"), "H11", "HI5"),
    "the version of a legacy write": (KIP343.without("H9a", why="any writer"), "H9w", "HI2w"),
    "who may lead": (KIP343.redefine("candidates", lambda old: isr[p], why="anybody in sync"), "HE1", "HI7"),
    "who is in sync": (
        KIP343.redefine("candidates", lambda old: those(x, state[x].isnt(INACTIVE)), why="anybody there"),
        "HE1",
        "M5",
    ),
    "who is in the metadata": (KIP343.redefine("served", lambda old: those(x, TRUE), why="everybody"), "HE3", "HI4"),
    "who is legacy": (KIP343.without("H9", why="none").but("H-reg", when=TRUE, why="all alike"), "H-reg", "HI6"),
}
"""What a guard is for: the tables without it, the row that then breaks a property."""


@pytest.mark.parametrize("guard", list(WITHOUT))
def test_a_guard_that_is_dropped_is_missed(guard: str) -> None:
    """Without the guard a row breaks the property, and the interpreter replays it."""
    missed(*WITHOUT[guard], most=None)


def test_tables_are_tidy() -> None:
    """No input is left without a row, no two rows of one kind overlap, and every row applies in some state."""
    assert hygiene(KIP343).findings == ()
