"""Tables of brokers: take LeaderAndIsr, lead and write the ISR, truncate, fetch, stop. Rows named as in `kraft-data` are those."""

from __future__ import annotations

from fencepost.model.kraft_data.followers import ASSUMED as ASSUMED_OF_ANSWERS
from fencepost.model.kraft_data.followers import FOLLOWERS as KRAFT_FOLLOWERS
from fencepost.model.kraft_data.leaders import LEADERS as KRAFT_LEADERS
from fencepost.model.kraft_data.state import *
from fencepost.model.language.vocabulary import *

from .state import candidate, write

MANAGER, PARTITION, FETCHER = "ReplicaManager.scala", "Partition.scala", "AbstractFetcherThread.scala"
answered = BOOL.var("answered")


def rows_of(table: Table, *ids: str) -> tuple[Row, ...]:
    """Return the rows of `kraft-data` with these ids; raises `KeyError` for an id that is not there."""
    by_id = {row.id: row for row in table.rows}
    return tuple(by_id[id] for id in ids)


def shares_until(f: Term[Broker], e: Term[int], n: Term[int]) -> Term[bool]:
    """The last record that the follower's log shares with that of an epoch's leader is the one before an offset."""
    last = n.is_(0) | (log[f, n - 1].is_(leader_log[e, n - 1]))
    beyond = forall(i, ((n <= i) & (i < log_end[f]) & (i < leader_end[e])).implies(log[f, i].isnt(leader_log[e, i])))
    return (n <= log_end[f]) & (n <= leader_end[e]) & last & beyond


def moves_on(b: Term[Broker], to: Term[int]) -> tuple[Assign, Every]:
    """A broker takes over a newer leader epoch; for the proof, note how far it had fetched in those that it leaves."""
    mine = when(truncated[b] & known_epoch[b].is_(k), log_end[b], Lit(0, OFFSET))
    leaves = (k >= known_epoch[b]) & (k < to) & candidate(b, k)
    least = absent(slowest[k]) | (mine < slowest_end[k])
    return known_epoch[b].becomes(to), every(k, leaves & least, slowest[k].becomes(b), slowest_end[k].becomes(mine))


def writes_isr(b: Term[Broker], new_isr: Term[frozenset[Broker]]) -> tuple[Applied, Assign, Assign]:
    """The leader of an epoch writes the ISR under the version that it knows, and goes on with it when it has its answer."""
    return (
        write(some(b), e, new_isr),
        known_partition_epoch[e].becomes(when(answered, partition_epoch + 1, known_partition_epoch[e])),
        known_isr[e].becomes(when(answered, new_isr, known_isr[e])),
    )


_there = (v <= partition_epoch) & (v > 0)
take = event("LeaderAndIsr", b, v, given=_there, environment=True, source="S4:12,22", code=MANAGER)
expand = event("ExpandIsr", f, b, e, answered, environment=True, source="KAFKA-7128", code=PARTITION)
shrink = event("ShrinkIsr", f, b, e, answered, environment=True, source="KIP-497", code=PARTITION)
acknowledge = event("RaiseHighWatermark", n, b, e, environment=True, source="KIP-101", code=PARTITION)
truncate = event("Truncate", f, e, n, environment=True, source="KIP-101, KIP-279", code=FETCHER)
stop = event("Stop", b, n, environment=True, source="KIP-101", code="LogManager.scala")

ASSUMED = (
    assume(
        "ZDA4",
        fetched_broker_epoch[e, f].is_(broker_epoch[f]),
        "A follower comes into the ISR by what its present process has fetched.",
        "KIP-903",
        event="ExpandIsr",
    ),
    assume(
        "ZDA5",
        answered,
        "A leader that has put a follower into the ISR hears of it before it acknowledges anything more.",
        "KIP-497",
        event="ExpandIsr",
    ),
    *ASSUMED_OF_ANSWERS,
)

under = epoch_at[v]
newer = ~crashed[b] & (under > known_epoch[b])
writes = let("knows_the_version", leads(b, e) & known_partition_epoch[e].is_(partition_epoch), b, e)
"""The leader of an epoch knows the znode's version, so that its write succeeds."""
joins = (
    ~f.in_(known_isr[e])
    & (fetched_broker_epoch[e, f] > 0)
    & (fetched[e, f] >= high_watermark[e])
    & (fetched[e, f] >= epoch_start[e])
)
"""A follower is caught up: it has fetched to the high watermark, and to where the epoch began."""
isr_has = let("isr_has", forall(x, x.in_(known_isr[e]).implies(x.is_(b) | (fetched[e, x] >= n))), b, e, n)
"""The whole ISR that the leader knows has fetched up to an offset."""
new_follower = known_epoch[f].is_(e) & present(leader_of[e]) & ~truncated[f] & ~crashed[f]
cut = log_end[f].becomes(n), every(o, o >= n, log[f, o].becomes(0))

METADATA = table(
    "LeaderAndIsr",
    take(
        "ZDM1",
        newer & leader_at[v].is_(b),
        moves_on(b, under),
        truncated[b].becomes(TRUE),
        leader_of[under].becomes(b),
        epoch_start[under].becomes(log_end[b]),
        leader_end[under].becomes(log_end[b]),
        every(o, o < log_end[b], leader_log[under, o].becomes(log[b, o])),
        known_partition_epoch[under].becomes(v),
        known_isr[under].becomes(isr_at[v]),
    ),
    take("ZDM2", newer & leader_at[v].isnt(b), moves_on(b, under), truncated[b].becomes(FALSE)),
    about="A broker takes a request of a newer leader epoch than it knows, and no other; some are lost. Which controller sent it does not matter.",
    why={
        "ZDM1": "A broker begins to lead when it receives the request that says so, however late; it knows nothing of its followers yet.",
        "ZDM2": "A broker that is sent another leader must truncate before it fetches.",
    },
)
LEADERS = table(
    "leaders",
    *rows_of(KRAFT_LEADERS, "DL1", "DL2"),
    expand("ZDL1", writes & joins, writes_isr(b, known_isr[e] | just(f))),
    shrink("ZDL2", writes & f.in_(known_isr[e]) & f.isnt(b), writes_isr(b, known_isr[e] - just(f))),
    acknowledge(
        "ZDL3", leads(b, e) & (n > high_watermark[e]) & (n <= log_end[b]) & isr_has, high_watermark[e].becomes(n)
    ),
    about="A leader believes its last request; it may have been replaced long ago. When a follower counts as slow is left open.",
    why={
        "ZDL1": "The high watermark alone does not say that a follower has everything: that of a new leader lags behind (KAFKA-7128).",
        "ZDL2": "A leader whose write was made and not answered knows an old version for ever: it writes no more (KAFKA-2729).",
        "ZDL3": "min.insync.replicas limits producers only: the high watermark moves with any ISR.",
    },
)
FOLLOWERS = table(
    "followers",
    truncate("ZDF1", new_follower & shares_until(f, e, n), truncated[f].becomes(TRUE), cut),
    *rows_of(KRAFT_FOLLOWERS, "DF2", "DF3"),
    why={"ZDF1": "Truncation by leader epochs ends at the last record that both have; here that is one step."},
)
CRASHES = table(
    "crashes",
    stop(
        "ZDX1",
        ~crashed[b] & (n <= log_end[b]) & (partition_epoch > 0),
        crashed[b].becomes(TRUE),
        log_end[b].becomes(n),
        every(o, o >= n, log[b, o].becomes(0)),
        why="Any suffix of the log may be lost. A stop that loses nothing and goes unnoticed is a pause.",
    ),
)
