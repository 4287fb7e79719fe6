"""What a follower does: truncate to what it shares with the leader, fetch, append what comes."""

from __future__ import annotations

from fencepost.model.language import TRUE, Term, assume, event, every, forall, present, table

from .state import (
    Broker,
    broker_epoch,
    crashed,
    e,
    f,
    fetch_broker_epoch,
    fetch_epoch,
    fetch_offset,
    i,
    known_epoch,
    leader_end,
    leader_log,
    leader_of,
    log,
    log_end,
    n,
    o,
    truncated,
)


def shares_until(f: Term[Broker], e: Term[int], n: Term[int]) -> Term[bool]:
    """The last record that the follower's log shares with that of an epoch's leader is the one before an offset."""
    last = n.is_(0) | (log[f, n - 1].is_(leader_log[e, n - 1]))
    beyond = forall(i, ((n <= i) & (i < log_end[f]) & (i < leader_end[e])).implies(log[f, i].isnt(leader_log[e, i])))
    return (n <= log_end[f]) & (n <= leader_end[e]) & last & beyond


FETCHER = "AbstractFetcherThread.scala"
truncate = event("Truncate", f, e, n, environment=True, source="KIP-101, KIP-279", code=FETCHER)
answered = event("FetchAnswer", f, e, environment=True, source="KIP-320", code=FETCHER)
fetch = event("Fetch", f, environment=True, source="KIP-320", code=FETCHER)

ASSUMED = (
    assume(
        "DA4",
        known_epoch[f].is_(e),
        "A fetch answer is used only under the leader epoch in which it was asked for.",
        "KIP-320",
        event="FetchAnswer",
    ),
)
follows = truncated[f] & ~crashed[f]

FOLLOWERS = table(
    "followers",
    truncate(
        "DF1",
        known_epoch[f].is_(e) & present(leader_of[e]) & ~truncated[f] & ~crashed[f] & shares_until(f, e, n),
        truncated[f].becomes(TRUE),
        log_end[f].becomes(n),
        every(o, o >= n, log[f, o].becomes(0)),
    ),
    answered(
        "DF2",
        follows & leader_of[known_epoch[f]].isnt(f) & leader_of[e].isnt(f) & (log_end[f] < leader_end[e]),
        log[f, log_end[f]].becomes(leader_log[e, log_end[f]]),
        log_end[f].becomes(log_end[f] + 1),
    ),
    fetch(
        "DF3",
        follows & leader_of[known_epoch[f]].isnt(f),
        fetch_offset[f].becomes(log_end[f]),
        fetch_epoch[f].becomes(known_epoch[f]),
        fetch_broker_epoch[f].becomes(broker_epoch[f]),
    ),
    why={
        "DF1": "Truncation by leader epochs ends at the last record that both have (KIP-101, KIP-279); here that is one step.",
        "DF2": "An answer brings the next record that the leader of its epoch has had at that offset, however late it comes.",
    },
)
