"""Tables of followers: truncate to the common prefix with the leader, fetch, append the fetched records."""

from __future__ import annotations

from fencepost.model.language import TRUE, assume, event, every, exists, forall, let, present, table, when

from .state import *

last = let("last", log[f, log_end[f] - 1], f)
"""The leader epoch of the last record in a follower's log."""
answered_epoch = let(
    "answered_epoch",
    forall(i, (i < leader_end[e]).implies((leader_log[e, i] <= k) | (leader_log[e, i] > asked)))
    & (k.is_(0) | exists(i, (i < leader_end[e]) & leader_log[e, i].is_(k))),
    e,
    asked,
    k,
)
"""The newest leader epoch in the leader's log that is not newer than the one asked for; 0 where all are newer."""
knows = let("knows_answered", exists(o, (o < log_end[f]) & log[f, o].is_(k)), f, k)
"""The follower's log has entries of the answered epoch."""
cut_at = let(
    "cut_at",
    forall(
        i,
        (i < log_end[f]).implies(
            (i < n).is_((log[f, i] <= k) & (~knows | (i < leader_end[e]) & (leader_log[e, i] <= asked)))
        ),
    ),
    f,
    e,
    asked,
    k,
    n,
)
"""An offset is the end of the answered epoch in the leader's log or in the follower's, whichever comes first; where the follower has
no entry of that epoch, the end of those before it in its own log, wherever the leader's part from it."""
agrees = let(
    "agrees",
    log_end[f].is_(0)
    | (log_end[f] <= leader_end[e])
    & (leader_log[e, log_end[f] - 1] <= last)
    & exists(i, (i < leader_end[e]) & leader_log[e, i].is_(last)),
    f,
    e,
)
"""The leader's log has the leader epoch of the follower's last record, and that ends there at the follower's end or later."""

FETCHER = "AbstractFetcherThread.scala"
truncate = event("Truncate", f, e, asked, k, n, environment=True, source="KIP-101, KIP-279", code=FETCHER)
agree = event("FindNoDivergence", f, e, environment=True, source="KIP-595", code=FETCHER)
answered = event("FetchAnswer", f, e, environment=True, source="KIP-320", code=FETCHER)
learn = event("LearnHighWatermark", f, e, n, environment=True, source="KIP-392", code="ReplicaFetcherThread.scala")
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

begins = let("begins", known_epoch[f].is_(e) & present(leader_of[e]) & ~truncated[f] & ~crashed[f], f, e)
"""The follower has read of the leader epoch, and does not know yet where its log and the leader's part."""
told = let("told", (n <= high_watermark[e]) | (n <= first_high_watermark[e]), e, n)
"""The record is acknowledged in the leader's epoch, or the leader knew it to be when it began."""

FOLLOWERS = table(
    "followers",
    truncate(
        "DF1",
        begins & (log_end[f] > 0) & (last <= asked) & (asked < e) & answered_epoch & cut_at & (n < log_end[f]),
        log_end[f].becomes(n),
        every(o, o >= n, log[f, o].becomes(0)),
        known_high_watermark[f].becomes(when(n < known_high_watermark[f], n, known_high_watermark[f])),
    ),
    agree("DF4", begins & agrees, truncated[f].becomes(TRUE)),
    answered(
        "DF2",
        follows & leader_of[known_epoch[f]].isnt(f) & leader_of[e].isnt(f) & (log_end[f] < leader_end[e]),
        log[f, log_end[f]].becomes(leader_log[e, log_end[f]]),
        log_end[f].becomes(log_end[f] + 1),
    ),
    fetch(
        "DF3",
        follows & leader_of[known_epoch[f]].isnt(f),
        fetch_offset[known_epoch[f], f].becomes(log_end[f]),
        fetch_broker_epoch[known_epoch[f], f].becomes(broker_epoch[f]),
    ),
    why={
        "DF1": "The leader answers where the requested epoch ends in its log (or the newest before it); the follower cuts its "
        "log there, or where that epoch ends in its own, and asks again. Of an epoch that it does not know it cuts where the one before "
        "ends in its own log (KIP-279), which may still differ from the leader's. An answer to an earlier question may come late, or twice.",
        "DF4": "The last record is the leader's, too, and with it all before: the fetch is answered with records.",
        "DF2": "An answer brings the next record that the leader of its epoch has had at that offset, however late it comes.",
    },
)
CONSUMERS = table(
    "consumers",
    learn(
        "DF5",
        follows & known_epoch[f].is_(e) & (known_high_watermark[f] < n) & (n <= log_end[f]) & told,
        known_high_watermark[f].becomes(n),
        acknowledged_in[f].becomes(when(n <= high_watermark[e], e, first_acknowledged_in[e])),
    ),
    about="How far a consumer may read from a follower. No other row depends on it.",
    why={
        "DF5": "A fetch answer brings the leader's high watermark, as it was or as it is; beyond the follower's end it counts up to the end. One "
        "that is below what the follower knows lowers its high watermark in Kafka; what consumers have read stays read."
    },
)
