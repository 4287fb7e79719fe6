"""Lemmas for the proof of `zk-data`: the lemmas of `kraft-data` that speak of no ELR, minimum or proposal, and the others anew."""

from __future__ import annotations

from fencepost.model.kraft_data.lemmas import FETCHES as KRAFT_FETCHES
from fencepost.model.kraft_data.lemmas import LATER_LEADERS as KRAFT_LATER_LEADERS
from fencepost.model.kraft_data.log_lemmas import LOGS, NUMBERS
from fencepost.model.kraft_data.log_lemmas import METADATA as KRAFT_METADATA
from fencepost.model.kraft_data.quantified import for_all
from fencepost.model.kraft_data.state import *
from fencepost.model.language import Always, absent, lemma, present

from .state import candidate, elected_in

read = known_partition_epoch[e]


def of(lemmas: tuple[Always, ...], *ids: str) -> tuple[Always, ...]:
    """Return the lemmas with these ids; `KeyError` where one is missing."""
    by_id = {one.id: one for one in lemmas}
    return tuple(by_id[id] for id in ids)


SAME: tuple[Always, ...] = (
    *of(NUMBERS, *(f"LN{number}" for number in range(1, 12))),
    *of(KRAFT_METADATA, "LM1", "LM2", "LM3", "LM14", "LM15", "LM16"),
    *of(LOGS, *(f"LG{number}" for number in range(1, 11))),
    *of(KRAFT_FETCHES, "LS1", "LS2", "LS3", "LS4", "LS5", "LS6", "LS11", "LS12"),
    *of(KRAFT_LATER_LEADERS, "LH1", "LH4"),
)
"""Lemmas on what is the same: numbers, the history of the znode, logs, fetches, and how far the slowest had fetched."""

ZNODE: tuple[Always, ...] = (
    lemma(
        "ZDM4",
        for_all(
            v,
            b,
            ((v <= partition_epoch) & leader_at[v].is_(b)).implies(b.in_(isr_at[v]) & (epoch_at[v] <= elected_in[b])),
        ),
        "For ZDH6: the leader is in the ISR, and was elected for its epoch or for a later one.",
    ),
    lemma("ZDM5", for_all(b, elected_in[b] <= epoch), "For ZDM4: a broker is elected for a decided epoch."),
    lemma(
        "ZDM9",
        for_all(
            e,
            b,
            leader_of[e]
            .is_(b)
            .implies(
                leader_at[read].is_(b)
                & epoch_at[read].is_(e)
                & (read >= 1)
                & (read <= partition_epoch)
                & (known_epoch[b] >= e)
                & known_isr[e].is_(isr_at[read])
                & (e >= 1)
            ),
        ),
        "For LG8: a broker that leads in an epoch received that leadership, and the ISR that it knows.",
    ),
    lemma(
        "ZDM10",
        for_all(
            e,
            absent(leader_of[e]).implies(
                read.is_(0)
                & leader_end[e].is_(0)
                & high_watermark[e].is_(0)
                & slowest_end[e].is_(0)
                & for_all(x, fetched[e, x].is_(0) & fetched_broker_epoch[e, x].is_(0))
            ),
        ),
        "For ZDJ3: an epoch in which no broker has begun to lead is empty.",
    ),
    lemma(
        "ZDM11",
        partition_epoch.is_(0).implies(
            epoch.is_(0)
            & absent(leader)
            & isr.is_(NOBODY)
            & for_all(
                b, ~crashed[b] & broker_epoch[b].is_(1) & known_epoch[b].is_(0) & elected_in[b].is_(0) & ~truncated[b]
            )
            & for_all(b, e, fetch_broker_epoch[e, b].is_(0))
        ),
        "For LM1: before the partition is created nothing is known of it.",
    ),
    lemma(
        "ZDM12",
        for_all(v, (v > partition_epoch).implies(absent(leader_at[v]) & epoch_at[v].is_(0) & isr_at[v].is_(NOBODY))),
        "For LM2: under versions that are still to come nothing is written.",
    ),
)
CANDIDATES: tuple[Always, ...] = (
    lemma(
        "ZDS8",
        for_all(
            b,
            e,
            (candidate(b, e) & (known_epoch[b] <= e)).implies(
                fetch_broker_epoch[e, b].is_(0) | fetch_broker_epoch[e, b].is_(broker_epoch[b])
            ),
        ),
        "For ZDJ1: a candidate has not lost records since it fetched last.",
    ),
    lemma(
        "ZDS9",
        for_all(
            b,
            e,
            (candidate(b, e) & (known_epoch[b] <= e)).implies(
                fetched_broker_epoch[e, b].is_(0) | fetched_broker_epoch[e, b].is_(broker_epoch[b])
            ),
        ),
        "For ZDJ6: nor since what the leader noted of it.",
    ),
    lemma(
        "ZDJ1",
        for_all(e, b, (present(leader_of[e]) & candidate(b, e) & (known_epoch[b] <= e)).implies(b.in_(known_isr[e]))),
        "For ZDJ8: a candidate that is still in an epoch is in the ISR of the epoch's leader.",
    ),
    lemma(
        "ZDJ2",
        for_all(
            v,
            b,
            (
                (v <= partition_epoch)
                & (v > known_partition_epoch[epoch_at[v]])
                & candidate(b, epoch_at[v])
                & (known_epoch[b] <= epoch_at[v])
            ).implies(b.in_(isr_at[v])),
        ),
        "For ZDJ1: and it is in the ISR that a leader will receive when it begins.",
    ),
    lemma(
        "ZDJ3",
        for_all(
            e,
            b,
            (candidate(b, e) & ((known_epoch[b] < e) | known_epoch[b].is_(e) & ~truncated[b])).implies(
                high_watermark[e].is_(0)
            ),
        ),
        "For ZDJ8: nothing is acknowledged before every candidate has begun to fetch.",
    ),
    lemma(
        "ZDJ4",
        for_all(e, b, (candidate(b, e) & ~crashed[b] & (known_epoch[b] <= e)).implies(high_watermark[e] <= log_end[b])),
        "For ZDJ8: the log of a candidate reaches what is acknowledged.",
    ),
    lemma(
        "ZDJ6",
        for_all(e, b, (candidate(b, e) & ~crashed[b] & (known_epoch[b] <= e)).implies(fetched[e, b] <= log_end[b])),
        "For ZDJ4: the log of a candidate reaches what the leader notes of it.",
    ),
    lemma(
        "ZDJ7",
        for_all(
            e,
            b,
            (candidate(b, e) & ((known_epoch[b] < e) | known_epoch[b].is_(e) & ~truncated[b])).implies(
                fetched[e, b].is_(0) & leader_of[e].isnt(b)
            ),
        ),
        "For ZDJ3: of a candidate that has not begun to fetch nothing is noted.",
    ),
    lemma(
        "ZDJ8",
        for_all(
            e,
            b,
            o,
            (candidate(b, e) & ~crashed[b] & (known_epoch[b] <= e) & (o < high_watermark[e])).implies(has(b, e, o)),
        ),
        "For CandidatesHaveAcknowledged: a candidate that is still in an epoch has what was acknowledged in it.",
    ),
)
LATER_LEADERS: tuple[Always, ...] = (
    lemma(
        "ZDH10",
        for_all(d, e, (present(leader_of[d]) & (e < d)).implies(slowest_end[e] <= epoch_start[d])),
        "For ZDH8: a later leader began with a log that reaches what the slowest had.",
    ),
    lemma(
        "ZDH6",
        for_all(d, e, (present(leader_of[d]) & (e < d)).implies(present(slowest[e]))),
        "For ZDH8: before an epoch begins, its leader has left all earlier ones.",
    ),
    lemma(
        "ZDH8",
        for_all(
            d,
            e,
            o,
            (present(leader_of[d]) & (e < d) & (o < slowest_end[e])).implies(
                (o < epoch_start[d]) & leader_log[d, o].is_(leader_log[e, o])
            ),
        ),
        "For ElectedHadAcknowledged: a later leader began with what the slowest had.",
    ),
    lemma(
        "ZDH9",
        for_all(
            b,
            e,
            (present(slowest[e]) & candidate(b, e) & ~crashed[b] & (known_epoch[b] > e)).implies(
                slowest_end[e] <= log_end[b]
            ),
        ),
        "For ZDH7: the log of a candidate that left an epoch reaches what the slowest had.",
    ),
    lemma(
        "ZDH2",
        for_all(e, x, (slowest[e].is_(x) & present(leader_of[e])).implies(x.in_(known_isr[e]))),
        "For LH4: the slowest stays in the ISR of the epoch's leader.",
    ),
    lemma(
        "ZDH3",
        for_all(
            v,
            x,
            ((v <= partition_epoch) & (v > known_partition_epoch[epoch_at[v]]) & slowest[epoch_at[v]].is_(x)).implies(
                x.in_(isr_at[v])
            ),
        ),
        "For ZDH2: and it is in the ISR that a leader will receive when it begins.",
    ),
    lemma(
        "ZDH5",
        for_all(b, e, (candidate(b, e) & (known_epoch[b] > e)).implies(present(slowest[e]))),
        "For ZDH7: once a candidate has left an epoch, one of them is the slowest.",
    ),
    lemma(
        "ZDH7",
        for_all(
            b,
            e,
            o,
            (present(slowest[e]) & candidate(b, e) & ~crashed[b] & (known_epoch[b] > e) & (o < slowest_end[e])).implies(
                has(b, e, o)
            ),
        ),
        "For CandidatesHaveAcknowledged: a candidate that left an epoch has what the slowest had.",
    ),
)
LEMMAS: tuple[Always, ...] = (*SAME, *ZNODE, *CANDIDATES, *LATER_LEADERS)
