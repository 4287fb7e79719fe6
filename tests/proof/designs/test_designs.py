"""What designs say beyond their first claims is missed by none of them, and noticed by the new ones."""

import pytest

from fencepost.model.kip46.more_properties import MORE as KIP46_MORE
from fencepost.model.kip343.more_properties import MORE as KIP343_MORE
from fencepost.model.kip631.v1.more_properties import MORE as V1_MORE
from fencepost.model.kip631.v2.more_properties import MORE as V2_MORE
from fencepost.model.leases.more_properties import MORE as LEASE_MORE
from fencepost.model.registry import FAMILIES

from . import kip46, kip343, kip631_v1, kip631_v2, lease
from .edits import broken, noticed

DESIGNS = {
    "kip343": (KIP343_MORE, kip343.BATCHES),
    "kip46": (KIP46_MORE, kip46.BATCHES),
    "kip631-v1": (V1_MORE, kip631_v1.BATCHES),
    "kip631-v2": (V2_MORE, kip631_v2.BATCHES),
    "lease": (LEASE_MORE, lease.BATCHES),
}
"""The claims of each design beyond its first ones, and the edits, those in a batch proved together."""
EACH = pytest.mark.parametrize("name", DESIGNS)


@EACH
def test_an_edit_breaks_the_claim_that_speaks_of_it(name: str) -> None:
    """Each edit of a row breaks its claim, which is one of the new ones."""
    new, batches = DESIGNS[name]
    broken(FAMILIES[name].whole, new, [one for batch in batches.values() for one in batch])


@pytest.mark.representative(
    "kip343-a heartbeat that names no broker", "kip46-the first of them", "kip631-v1-others", "lease-one row each",
    "lease-others",
)  # fmt: skip
@pytest.mark.parametrize(
    ("name", "batch"),
    [pytest.param(name, batch, id=f"{name}-{batch}") for name, (_, batches) in DESIGNS.items() for batch in batches],
)
def test_an_edit_is_noticed_by_a_new_claim_alone(name: str, batch: str) -> None:
    """The edit of a row breaks the claim that speaks of it, and none of the claims that there were before."""
    new, batches = DESIGNS[name]
    noticed(FAMILIES[name].whole, new, batches[batch])


@EACH
def test_every_new_claim_notices_an_edit(name: str) -> None:
    """None of the new claims is there for nothing."""
    new, batches = DESIGNS[name]
    assert {one.claim for batch in batches.values() for one in batch} == {one.id for one in new}
