"""Each assumption of `kraft-data` is one: without it a record is lost by a shortest run."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fencepost.checkers.exploration import explore
from fencepost.checkers.proof.assumptions import without
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft_data import KRAFT_DATA
from fencepost.model.kraft_data.slices import CLAIMS, CLEAN, bound
from fencepost.model.language import FALSE
from fencepost.model.museum import MUSEUM

_LATE = next(one for one in MUSEUM if one.name == "uses-late-answers").expected[0]
_IDLE = (
    "AlterPartition",
    "AlterPartitionElects",
    "RefuseProposal",
    "Propose",
    "ProposalRefused",
    "Fence",
    "FenceLeader",
    "Elect",
)
_ALONE = bound(2, 1, 2, 2, 2, 1, given={**CLEAN, **dict.fromkeys(_IDLE, FALSE)})
"""The ISR changes by registrations only."""
FALLS = {
    "DA1": (bound(2, 1, 2, 3, 1, 1), 13),
    "DA2": (bound(1, 1, 1, 1, 1, 1), 5),
    "DA3": (bound(1, 1, 3, 3, 2, 1), 6),
    "DA3l": (_ALONE, 11),
    "DA3u": (bound(2, 1, 2, 2, 2, 1, given={}), 6),
    "DA4": (_LATE.at(CLAIMS), 18),
    "DA5": (bound(2, 1, 2, 3, 1, 2, configurations=2), 8),
}
"""The bound at which a record is lost without an assumption, and the rows of a shortest run to it."""


@pytest.mark.representative("DA3", "DA3u", "DA2", "DA3l")
@pytest.mark.parametrize("id", FALLS)
def test_without_an_assumption_a_record_is_lost(id: str) -> None:
    """A broker leads without a record that was acknowledged, after exactly so many rows."""
    where, length = FALLS[id]
    bare = without(CLAIMS, (id,))
    alone = replace(bare, properties=(bare.property("AcknowledgedIsKept"),))
    found = explore(alone, where, max_depth=length + 1, deadlock=False).property("AcknowledgedIsKept")
    assert found.verdict is Verdict.VIOLATED
    assert found.trace is not None
    assert len(found.trace.steps) == length, "\n".join(found.trace.lines())


def test_every_assumption_is_looked_at() -> None:
    """No assumption is without its run."""
    assert {one.id for one in KRAFT_DATA.inputs} == set(FALLS)
    assert KRAFT_DATA.assumptions == ()
