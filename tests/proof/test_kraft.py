"""The tables of today's controller: every row is proved, and a variant without a guard is refuted."""

import pytest

from fencepost.checkers.proof import prove
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft import KRAFT
from tests import edited_rows

from .tiny import complete


def test_without_the_check_of_members_the_change_is_refuted() -> None:
    """Without the row that refuses members that are not fit, the row that accepts them breaks P7 and P16."""
    variant = KRAFT.without("A13", why="members that are not fit are not refused")
    for id in ("P7", "P16"):
        [one] = edited_rows.failed(variant, "A14", [id], id)
        assert one.verdict is Verdict.NOT_INDUCTIVE
        assert one.counterexample is not None
        assert not one.counterexample.initial
        assert [step.row.id for step in one.counterexample.steps] == ["A14"]
        assert max(len(entities) for entities in one.counterexample.world.entities.values()) <= 3


@pytest.mark.parametrize(
    "seeds",
    [
        pytest.param(2, marks=pytest.mark.nightly("fencepost check kraft")),
        pytest.param(20, marks=pytest.mark.exhaustive),
    ],
)
def test_all_rows_are_proved_whatever_the_seed(seeds: int) -> None:
    """Every row keeps every property not declared violated, for any number of entities, from each of the seeds."""
    proof = prove(KRAFT, seeds=seeds, assumptions=False)
    print(f"{proof.seconds:.1f} s, of the solver {proof.solver_seconds:.1f} s, {proof.retries} retries")
    assert proof.seeds == tuple(range(1, seeds + 1))
    complete(proof)
    assert not proof.undeclared
    broken = {(one.row, one.property) for one in proof.failed if one.row in ("HB2", "A13", "A14")}
    assert broken == {("HB2", "P5"), ("HB2", "P7s"), ("A14", "P5")}
