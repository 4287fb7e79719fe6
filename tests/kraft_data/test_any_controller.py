"""The theorem needs no more of a controller than the few rows of `kraft-data+any-controller`."""

from __future__ import annotations

import pytest

from fencepost.checkers.proof import prove
from fencepost.model.kraft_data.any_controller import ROWS
from fencepost.model.kraft_data.state import BROKERS, elr, isr, partition_epoch
from fencepost.model.registry import find
from tests import edited_rows

new_isr, new_elr = BROKERS.var("new_isr"), BROKERS.var("new_elr")


@pytest.mark.nightly("fencepost check kraft-data")
@pytest.mark.slow
def test_any_controller_that_keeps_to_the_interface_will_do() -> None:
    """The theorem and every lemma are proved of the rows that stand for any controller."""
    proof = prove(find("kraft-data+any-controller").whole, assumptions=False)
    assert proof.failed == ()
    assert {"AcknowledgedIsKept", "CandidatesHaveAcknowledged"} <= set(proof.lemma_seconds)
    assert {row.id for row in ROWS} <= set(proof.applying)


def test_an_elr_beside_enough_members_is_not_proved() -> None:
    """Where the ELR may be kept beside an ISR of min.insync.replicas members, the lemma on it (LM7) falls."""
    whole = find("kraft-data+any-controller").whole
    guard = (partition_epoch > 0) & (new_isr <= isr) & (new_elr <= (isr | elr) - new_isr)
    kept = whole.but("DC21", when=guard, why="a broker that leaves the ISR may stay eligible")
    found = edited_rows.failed(kept, "DC21", ["LM7"], "LM7")
    assert [one.refuted for one in found] == [True]
