"""What the ZooKeeper-era tables assume of requests, and what falls without each assumption."""

from dataclasses import replace

import pytest

from fencepost.checkers.proof import prove
from fencepost.model.language import Protocol
from fencepost.model.zk import ZK

from .tiny import failures

NEEDED: dict[str, dict[str, tuple[str, ...]]] = {"ZA1": {"ZC10": ("ZI2r", "ZI2m")}, "ZA2": {"ZC10": ("ZI2",)}}
"""By assumption and row of its event: the properties that the row keeps, and breaks without it.

ZI2r and ZI2m are declared violated, by reassignments; that an AlterPartition keeps them needs ZA1 all the same.
"""


def without(id: str) -> Protocol:
    """Return the tables without an assumption."""
    return replace(ZK, inputs=tuple(one for one in ZK.inputs if one.id != id), base=ZK, why=f"without {id}")


def test_every_assumption_is_listed() -> None:
    """The tables assume nothing of states, and of events what is listed here."""
    assert ZK.assumptions == ()
    assert {one.id for one in ZK.inputs} == set(NEEDED)


@pytest.mark.representative("ZA1")
@pytest.mark.parametrize("id", list(NEEDED))
def test_without_an_assumption_these_properties_fall_and_no_others(id: str) -> None:
    """Without it the rows of its event break just what is listed, whatever else they write."""
    (assumed,) = (one for one in ZK.inputs if one.id == id)
    assert {row.id for row in ZK.rows if row.event.name == assumed.event and row.effects} == set(NEEDED[id])
    falling = {(row, property_) for row, all_ in NEEDED[id].items() for property_ in all_}
    found = failures(prove(without(id), rows=tuple(NEEDED[id]), assumptions=False))
    assert set(found) == falling
    assert all(one.refuted for one in found.values())
    kept = prove(ZK, rows=tuple(NEEDED[id]), properties=tuple(property_ for _, property_ in falling), assumptions=False)
    assert failures(kept) == {}
