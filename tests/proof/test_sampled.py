"""Proofs of some rows of each protocol; `fencepost check`, which CI runs beside the tests, proves all rows."""

import pytest

from fencepost.checkers.counterexample import holds
from fencepost.checkers.proof import prove
from fencepost.model.language import Always
from fencepost.model.registry import find

from .tiny import complete, failures

ROWS = {
    "kraft": ("AD4", "CT3", "HB2", "CU3"),
    "kraft-data": ("DM1", "DF1"),
    "kraft-loop": ("QW8", "QK1"),
    "kraft-voters": ("VA8",),
    "zk": ("ZP2", "ZC5U", "LI4", "ZR6"),
    "zk-data": ("ZDC4",),
}
"""Rows of each protocol whose whole proof takes seconds: those that write most, or break what is declared violated."""


@pytest.mark.representative("kraft-data", "zk")
@pytest.mark.slow
@pytest.mark.parametrize("name", ROWS)
def test_rows_keep_every_property_that_is_not_declared_violated(name: str) -> None:
    """Each property is kept by the rows for any number of entities, or broken as declared, which the interpreter has
    replayed."""
    protocol = find(name).whole
    proof = prove(protocol, rows=ROWS[name], assumptions=False)
    complete(proof)
    asked = {claim.id: claim for claim in protocol.properties}
    for (row, id), one in failures(proof).items():
        assert one.counterexample is not None
        assert [step.row.id for step in one.counterexample.steps] == [row]
        if isinstance(claim := asked[id], Always):
            assert holds(claim.term, one.counterexample.start, one.counterexample.world)
            assert not holds(claim.term, one.counterexample.end, one.counterexample.world)
