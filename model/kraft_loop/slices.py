"""The bounds at which `kraft-loop` is explored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from fencepost.model.language import FALSE, TRUE, Bound, LeadsTo, NotFor, Protocol, Term, declaring, not_for
from fencepost.model.language.terms import Lit

from .liveness import LIVENESS
from .protocol import KRAFT_LOOP
from .state import EPOCH, OFFSET, n, next_write, raft_epoch, transactions


def bound(
    controllers: int,
    requests: int,
    epochs: int,
    offsets: int,
    start: Term[bool] = TRUE,
    given: Mapping[str, Term[bool]] | None = None,
) -> Bound:
    """Return the bound of so many controllers, requests, leader epochs and records."""
    sizes = {"Controller": controllers, "Request": requests, "leader epoch": epochs, "offset": offsets}
    return Bound(sizes, start, dict(given or {}))


def _without(*events: str) -> dict[str, Term[bool]]:
    """No event of these happens."""
    return dict.fromkeys(events, FALSE)


def _until(epochs: int) -> dict[str, Term[bool]]:
    """No leader is elected once there were so many epochs: without that a run might go on for ever outside the bound."""
    return {"Elect": raft_epoch < Lit(epochs, EPOCH)}


_BOOTSTRAP = Lit(3, OFFSET)
"""Where a log ends that has the bootstrap as a transaction, and nothing else."""
_ROOM = {"BeginTransaction": next_write[n] <= _BOOTSTRAP}
"""There is room in the log to close what is opened."""

LOOP: Protocol = replace(
    KRAFT_LOOP,
    properties=tuple(one for one in KRAFT_LOOP.properties if not isinstance(one, LeadsTo)),
    bounds={
        "tiny": bound(1, 1, 2, 2, ~transactions),
        "pair": bound(2, 1, 2, 2, ~transactions),
        "trio": bound(3, 1, 2, 1, ~transactions),
        "abort": bound(1, 1, 2, 5, transactions),
        "bootstrap": bound(1, 1, 1, 4, transactions),
        "two-requests": bound(1, 2, 1, 2, ~transactions, _without("PassDeadline")),
        "handover": bound(2, 1, 2, 1, ~transactions, _without("ProcessEnds", "FaultInEvent", "PassDeadline")),
        "snapshots": bound(2, 1, 2, 1, ~transactions, _without("Send", "FaultInEvent")),
        "replays": bound(1, 1, 2, 5, transactions, _without("Send", "FaultInEvent", "RunPeriodicTask")),
    },
    ends=True,
)
"""`tiny`, `pair` and `trio` without transactions, as before 3.6-IV1; `abort` with them: a node that is elected again in a later epoch.

The others are small: of what a mutant changes there every state is seen.
"""
SMALL: Protocol = replace(
    KRAFT_LOOP,
    bounds={
        "one-epoch": bound(1, 1, 1, 2, ~transactions, _until(1)),
        "one-record": bound(1, 1, 2, 1, ~transactions, _until(2)),
        "failover": bound(
            1,
            1,
            2,
            6,
            transactions,
            {**_without("Send", "ProcessEnds", "FaultInEvent", "RunPeriodicTask"), **_ROOM, **_until(2)},
        ),
    },
    ends=True,
)
"""`failover`: a leader is replaced in the middle of its bootstrap, or of another transaction; the log has room for a second bootstrap."""
LASTING: Protocol = replace(
    KRAFT_LOOP,
    properties=LIVENESS,
    bounds={
        "lasting": bound(1, 1, 2, 2, ~transactions, _until(2)),
        "lasting-pair": bound(2, 1, 2, 2, ~transactions, {**_without("ProcessEnds"), **_until(2)}),
    },
    ends=True,
)
"""The slice for liveness. Fairness is that of an event, whichever node it happens to: where one process ends again and again, none of another is
implied. So no process of `lasting-pair` ends."""
_ASKED = (
    "QL2 QL2d QL8a QL14 QL15 QL18 QL20 QL21 QL21n QL22 QL22p QL23 QL25 QL25q QL25t QL26 QL26r QL27r QX1 QX2 QX3 QX8"
)
NOT_FOR: tuple[NotFor, ...] = (
    not_for(
        "there are no transactions",
        "QL12 QL9 QL9e QX5 QX6 QX7",
        "tiny pair trio one-epoch one-record two-requests handover snapshots",
    ),
    not_for("there are no transactions", "QV4", "lasting lasting-pair one-epoch one-record"),
    not_for(
        "there is one controller", "QX4", "tiny abort one-epoch one-record two-requests bootstrap replays failover"
    ),
    not_for("there is one epoch", "QL5c QX3", "one-epoch two-requests bootstrap"),
    not_for("in one epoch no transaction is aborted", "QL12 QX6", "bootstrap"),
    not_for("the log has room for the bootstrap alone", "QL2 QL2d QL8a QX1 QX2 QX3", "trio one-record handover"),
    not_for("no deadline passes", "QL15 QL25 QL25q QL25t", "two-requests handover"),
    not_for("no request is sent", _ASKED, "snapshots replays failover"),
    not_for("no request is sent", "QV1 QV2", "failover"),
)
SLICES: tuple[Protocol, ...] = declaring((LOOP, SMALL, LASTING), *NOT_FOR)
