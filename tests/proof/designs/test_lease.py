"""What leases claim beyond that no two brokers believe is missed by the first claims, and noticed by the new ones."""

from __future__ import annotations

import pytest

from fencepost.model.language import when
from fencepost.model.leases import LEASE
from fencepost.model.leases.more_properties import MORE
from fencepost.model.leases.state import (
    Exchange,
    b,
    due,
    epoch,
    exchange,
    fenced,
    in_time,
    last,
    leader,
    leads,
    lease,
    longest_delay,
    offered,
    session,
)
from fencepost.model.leases.tables import runs

from .edits import Noticed, guarded, instead, noticed, silent, unguarded

PROTOCOL = LEASE
_silent = exchange[b].is_(Exchange.NONE)

BATCHES: dict[str, tuple[Noticed, ...]] = {
    "one row each": (
        Noticed("LX1", "LE5", silent("LX1", leader)),
        Noticed("LX2", "LE6", unguarded("LX2", ~fenced[b])),
        Noticed("LH1", "LE8", unguarded("LH1", _silent)),
        Noticed("LR1", "LE9", guarded("LR1", ~leads[b] & _silent)),
        Noticed("LH7", "LE10", silent("LH7", offered)),
        Noticed("LC1", "LE11", silent("LC1", session)),
        Noticed(
            "LH2",
            "LE12",
            instead(
                "LH2",
                session[b].becomes(runs + 1),
                exchange[b].becomes(Exchange.ANSWERED),
                due[b].becomes(when(in_time, longest_delay, due[b])),
            ),
        ),
        Noticed("LH4", "LE13", silent("LH4", lease)),
        Noticed("LB2", "LE14", silent("LB2", leads)),
        Noticed("LH6", "LE15", silent("LH6", leads)),
        Noticed("LB3", "LE16", silent("LB3", last)),
    ),
    "others": (Noticed("LX2", "LE7", silent("LX2", epoch)),),
}


@pytest.mark.parametrize("batch", BATCHES)
def test_an_edit_is_noticed_by_a_new_claim_alone(batch: str) -> None:
    """The edit of a row breaks the claim that speaks of it, and none of the claims that there were before."""
    noticed(PROTOCOL, MORE, BATCHES[batch])


def test_every_new_claim_notices_an_edit() -> None:
    """None of the new claims is there for nothing."""
    assert {one.claim for batch in BATCHES.values() for one in batch} == {one.id for one in MORE}
