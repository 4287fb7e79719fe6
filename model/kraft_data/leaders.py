"""Tables of brokers that apply metadata, and of leaders: records, followers, proposals, the high watermark."""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .state import *
from .state import candidate


def moves_on(b: Term[Broker], to: Term[int]) -> tuple[Assign, Every]:
    """A broker takes over a newer leader epoch; for the proof, note how far it had fetched in those that it leaves."""
    mine = when(truncated[b] & known_epoch[b].is_(k), log_end[b], Lit(0, OFFSET))
    leaves = (k >= known_epoch[b]) & (k < to) & candidate(b, k)
    least = absent(slowest[k]) | (mine < slowest_end[k])
    return known_epoch[b].becomes(to), every(k, leaves & least, slowest[k].becomes(b), slowest_end[k].becomes(mine))


def proposes(b: Term[Broker], new_isr: Term[frozenset[Broker]]) -> tuple[Assign, ...]:
    """The leader of an epoch sends a proposal under the partition epoch that it knows; it is pending until it is answered."""
    return (
        proposing[e].becomes(TRUE),
        alter_sent[e].becomes(TRUE),
        alter_refused[e].becomes(FALSE),
        proposed_isr[e].becomes(new_isr),
        proposed_under[e].becomes(known_partition_epoch[e]),
    )


PARTITION = "Partition.scala"
_there = (v <= partition_epoch) & (v > 0)
_in_force = (c <= last_config[v]) & (c >= 1)
take = event(
    "TakeMetadata",
    b,
    v,
    c,
    given=_there & _in_force,
    environment=True,
    source="KIP-500",
    code="ReplicaManager.applyDelta",
)
append = event("Append", b, e, environment=True, source="KIP-966", code=PARTITION)
fetch_arrives = event("FetchArrives", f, b, e, n, environment=True, source="KIP-903", code=PARTITION)
propose = event("Propose", f, b, e, environment=True, source="KIP-497", code=PARTITION)
refused = event("ProposalRefused", b, e, environment=True, source="KIP-497", code=PARTITION)
acknowledge = event("RaiseHighWatermark", n, b, e, environment=True, source="KIP-966", code=PARTITION)

ASSUMED = (
    assume(
        "DA5",
        c >= first_config[v],
        "A leader that knows a partition epoch knows min.insync.replicas as it was when that was decided, or later.",
        "KIP-966",
        event="TakeMetadata",
    ),
)
under = epoch_at[v]
newer = ~crashed[b] & (under > known_epoch[b])
joins = (
    ~f.in_(known_isr[e])
    & (fetched_broker_epoch[e, f] > 0)
    & (fetched[e, f] >= high_watermark[e])
    & (fetched[e, f] >= epoch_start[e])
)
"""A follower is caught up: it has fetched to the high watermark, and to where the epoch began."""
all_have = let("all_have", forall(x, counts(x, e).implies(x.is_(b) | (fetched[e, x] >= n))), e, n)
"""The whole maximal ISR has fetched up to an offset."""

METADATA = table(
    "metadata",
    take(
        "DM1",
        newer & leader_at[v].is_(b),
        moves_on(b, under),
        truncated[b].becomes(TRUE),
        leader_of[under].becomes(b),
        epoch_start[under].becomes(log_end[b]),
        leader_end[under].becomes(log_end[b]),
        every(o, o < log_end[b], leader_log[under, o].becomes(log[b, o])),
        known_partition_epoch[under].becomes(v),
        known_isr[under].becomes(isr_at[v]),
        known_config[under].becomes(c),
        first_high_watermark[under].becomes(known_high_watermark[b]),
        first_acknowledged_in[under].becomes(acknowledged_in[b]),
    ),
    take("DM2", newer & leader_at[v].isnt(b), moves_on(b, under), truncated[b].becomes(FALSE)),
    take(
        "DM3",
        leads(b, under) & (v > known_partition_epoch[under]),
        known_partition_epoch[under].becomes(v),
        known_isr[under].becomes(isr_at[v]),
        known_config[under].becomes(c),
        proposing[under].becomes(FALSE),
        alter_refused[under].becomes(FALSE),
    ),
    take(
        "DM4",
        leads(b, under) & v.is_(known_partition_epoch[under]) & (c > known_config[under]),
        known_config[under].becomes(c),
    ),
    about="A broker reads a leader epoch that is newer than the one it knows, or as a leader a newer partition epoch; it may leave some out.",
    why={
        "DM1": "A broker begins to lead when it has read that it does, however late; it knows nothing of its followers yet.",
        "DM2": "A broker that has read of another leader must truncate before it fetches.",
        "DM3": "What is known replaces what was proposed.",
    },
)
LEADERS = table(
    "leaders",
    append(
        "DL1",
        leads(b, e),
        log[b, log_end[b]].becomes(e),
        log_end[b].becomes(log_end[b] + 1),
        leader_log[e, log_end[b]].becomes(e),
        leader_end[e].becomes(log_end[b] + 1),
    ),
    fetch_arrives(
        "DL2",
        leads(b, e) & (fetch_broker_epoch[e, f] > 0) & (n <= fetch_offset[e, f]),
        fetched[e, f].becomes(n),
        fetched_broker_epoch[e, f].becomes(fetch_broker_epoch[e, f]),
    ),
    propose(
        "DL3",
        leads(b, e) & ~proposing[e] & joins,
        proposes(b, known_isr[e] | just(f)),
        proposed_broker_epoch[e, f].becomes(fetched_broker_epoch[e, f]),
    ),
    propose("DL4", leads(b, e) & ~proposing[e] & f.in_(known_isr[e]) & f.isnt(b), proposes(b, known_isr[e] - just(f))),
    refused(
        "DL5",
        leads(b, e) & proposing[e] & alter_refused[e],
        proposing[e].becomes(FALSE),
        alter_refused[e].becomes(FALSE),
    ),
    acknowledge(
        "DL6",
        leads(b, e) & (n > high_watermark[e]) & (n <= log_end[b]) & enough(e) & all_have,
        high_watermark[e].becomes(n),
        known_high_watermark[b].becomes(when(n > known_high_watermark[b], n, known_high_watermark[b])),
        acknowledged_in[b].becomes(when(n > known_high_watermark[b], e, acknowledged_in[b])),
    ),
    about="A leader believes what it has read; it may have been replaced long ago. When a follower counts as slow is left open.",
    why={
        "DL2": "A fetch says that the follower has everything before its offset. An older one may arrive after a newer.",
        "DL3": "The high watermark alone does not say that a follower has everything: that of a new leader lags behind (KAFKA-7128).",
        "DL6": "Below min.insync.replicas nothing is acknowledged: the controller may elect from the ELR, of which the leader does not know.",
    },
)
