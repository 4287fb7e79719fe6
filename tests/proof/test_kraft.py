"""The tables of today's controller: some rows, a variant without one, and in the slow test all of them."""

from __future__ import annotations

import pytest

from fencepost.checkers.proof import prove
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft import KRAFT

from .tiny import failures


def test_some_rows_are_proved() -> None:
    """Unfencing, and the rows that tell a fit member of a wanted in-sync set, keep every property but those of D11 and
    what they declare of P5."""
    proof = prove(KRAFT, rows=("HB2", "A13", "A14"), assumptions=False)
    assert (proof.refuted, proof.unknown) == (0, 0), proof.lines()
    assert [(one.row, one.property) for one in proof.failed] == [("HB2", "P5"), ("HB2", "P7s"), ("A14", "P5")]
    assert proof.proved + proof.expected == proof.obligations + proof.frame_obligations
    assert proof.row_count == 3


def test_without_the_check_of_members_the_change_is_refuted() -> None:
    """Without the row that refuses members who are not fit, the row that accepts breaks P7 and P16."""
    variant = KRAFT.without("A13", why="members that are not fit are not refused")
    found = failures(prove(variant, rows=("A14",), properties=("P7", "P16"), assumptions=False))
    assert set(found) == {("A14", "P7"), ("A14", "P16")}
    for one in found.values():
        assert one.verdict is Verdict.NOT_INDUCTIVE
        assert one.counterexample is not None
        assert not one.counterexample.initial
        assert [step.row.id for step in one.counterexample.steps] == ["A14"]
        assert max(len(entities) for entities in one.counterexample.world.entities.values()) <= 3


@pytest.mark.parametrize(
    "seeds",
    [
        pytest.param(1, marks=pytest.mark.slow),
        pytest.param(2, marks=pytest.mark.nightly("test_all_rows_are_proved_whatever_the_seed[1]")),
        pytest.param(20, marks=pytest.mark.exhaustive),
    ],
)
def test_all_rows_are_proved_whatever_the_seed(seeds: int) -> None:
    """Every row keeps every property not declared violated, for any number of entities, from each of the seeds."""
    proof = prove(KRAFT, seeds=seeds, assumptions=False)
    print(f"{proof.seconds:.1f} s, of the solver {proof.solver_seconds:.1f} s, {proof.retries} retries")
    assert proof.seeds == tuple(range(1, seeds + 1))
    assert (proof.refuted, proof.unknown) == (0, 0), proof.lines()
    assert proof.proved + proof.expected == proof.obligations + proof.frame_obligations
    assert not proof.undeclared
    assert not proof.vacuous
