"""Liveness of the loop, under weak fairness of events that nothing holds up (L13, and K10 and K12 as far as they need the loop).

Fair is what Raft and the event queue do by themselves: a node hears of the newest epoch, what is in the newest log is committed, commits
are delivered, the queue goes on. Failures are not fair: at a bound there are so many epochs, and the last leader stays.
"""

from __future__ import annotations

from fencepost.model.language import LeadsTo, Term, distance, exists, helps, leads_to, ranking

from .state import Future, activating, claim, epoch_start, future, known_epoch, log_end, log_open, n, r, raft_epoch

DELIVERS = ("HearOfEpoch", "RaiseHighWatermark", "HandleCommit")
"""Events that Raft runs by itself once failures end."""
TAKES_OVER = (*DELIVERS, "HandleLeaderChangeToMe", "HandleLeaderChange", "CompleteActivation", "EndTransaction")
"""The events by which the leader of the newest epoch becomes the active controller; a node that began a transaction ends it."""
_left_open = log_open[raft_epoch, log_end[raft_epoch]]


def _passes(id: str, some_wait: Term[bool], fair: tuple[str, ...], about: str, source: str) -> LeadsTo:
    return leads_to(id, some_wait, ~some_wait, fair, about, source)


LIVENESS: tuple[LeadsTo, ...] = (
    _passes(
        "QV1",
        exists(r, future[r].is_(Future.QUEUED)),
        ("TimeOut", "RefuseStandby", "WriteNothing", "CompleteActivation", "HandleLeaderChange"),
        "Every request leaves the queue, whatever node has it and although no deadline passes.",
        "S3:83",
    ),
    _passes(
        "QV2",
        exists(r, future[r].is_(Future.PARKED)),
        (*DELIVERS, "HandleLeaderChange", "EndTransaction"),
        "A request in the purgatory is answered: when the records are stable, or when the node learns that it was replaced.",
        "S3:126, S3:171",
    ),
    leads_to(
        "QV3",
        activating[n],
        ~activating[n],
        ("CompleteActivation", "HandleLeaderChange"),
        "An activation that was begun ends: it completes, or another leader is known.",
        "S3:173",
        each=(n,),
        fair_by={"CompleteActivation": n, "HandleLeaderChange": n},
        finitely=("Elect",),
        by=ranking(
            helps("CompleteActivation", known_epoch[n].is_(claim[n])),
            helps("HandleLeaderChange", known_epoch[n] > claim[n]),
            ranks=(distance(raft_epoch, known_epoch[n]), distance(known_epoch[n], claim[n])),
        ),
    ),
    _passes(
        "QV4",
        (_left_open > 0) & (_left_open <= epoch_start[raft_epoch]),
        TAKES_OVER,
        "A transaction that a failed controller left open is closed by the next one.",
        "S3:173, S3:315",
    ),
)
