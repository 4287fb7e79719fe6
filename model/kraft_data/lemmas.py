"""Lemmas on what is in flight, and on who may come to lead: the argument of the theorem."""

from __future__ import annotations

from fencepost.model.language import Always, Term, lemma, present

from .quantified import for_all
from .state import *
from .state import candidate

read = known_partition_epoch[e]


def held(x: Term[Broker], e: Term[int]) -> Term[bool]:
    """The broker counts for an epoch's leader whatever that hears next under the partition epoch that it knows."""
    return x.in_(known_isr[e]) | (proposing[e] & ~alter_refused[e] & x.in_(proposed_isr[e]))


acceptable = (
    alter_sent[e]
    & e.is_(epoch)
    & proposed_under[e].is_(partition_epoch)
    & x.in_(proposed_isr[e])
    & ~x.in_(isr)
    & proposed_broker_epoch[e, x].is_(broker_epoch[x])
)
"""A proposal may be accepted that brings a broker into the ISR."""
FETCHES: tuple[Always, ...] = (
    lemma(
        "LS1",
        for_all(e, f, fetch_broker_epoch[e, f] <= broker_epoch[f]),
        "For LS8: a fetch carries a broker epoch that was registered.",
    ),
    lemma(
        "LS2",
        for_all(e, f, fetch_broker_epoch[e, f].is_(broker_epoch[f]).implies(e <= known_epoch[f])),
        "For LS5: a fetch of this broker epoch carries a leader epoch that its sender has read.",
    ),
    lemma(
        "LS3",
        for_all(
            e,
            f,
            (fetch_broker_epoch[e, f].is_(broker_epoch[f]) & known_epoch[f].is_(e)).implies(
                truncated[f] & (crashed[f] | (fetch_offset[e, f] <= log_end[f]))
            ),
        ),
        "For LS5: and, if that is still its epoch, an offset that its log has reached.",
    ),
    lemma(
        "LS4",
        for_all(e, f, fetched_broker_epoch[e, f] <= fetch_broker_epoch[e, f]),
        "For LS5: what a leader notes was asked for.",
    ),
    lemma(
        "LS5",
        for_all(
            e,
            f,
            fetched_broker_epoch[e, f]
            .is_(broker_epoch[f])
            .implies(
                (known_epoch[f] >= e)
                & known_epoch[f].is_(e).implies(truncated[f] & (crashed[f] | (fetched[e, f] <= log_end[f])))
            ),
        ),
        "For LQ6: what a leader notes of this broker epoch is there, while the follower stays in the leader epoch.",
    ),
    lemma(
        "LS6",
        for_all(e, f, fetched_broker_epoch[e, f].is_(0).implies(fetched[e, f].is_(0))),
        "For LJ7: of a follower that has not fetched nothing is noted.",
    ),
    lemma(
        "LS8",
        for_all(
            b,
            e,
            (candidate(b, e) & (known_epoch[b] <= e)).implies(
                fetch_broker_epoch[e, b].is_(0) | fetch_broker_epoch[e, b].is_(broker_epoch[b])
            ),
        ),
        "For LS9: a candidate that is still in an epoch has not lost records since it fetched in it.",
    ),
    lemma(
        "LS9",
        for_all(
            b,
            e,
            (candidate(b, e) & (known_epoch[b] <= e)).implies(
                fetched_broker_epoch[e, b].is_(0) | fetched_broker_epoch[e, b].is_(broker_epoch[b])
            ),
        ),
        "For LJ6: nor since what the leader noted of it.",
    ),
    lemma(
        "LS11",
        for_all(e, f, fetch_broker_epoch[e, f].is_(0).implies(fetch_offset[e, f].is_(0))),
        "For LH1: before the first fetch there is none.",
    ),
    lemma(
        "LS12",
        for_all(e, f, (fetch_broker_epoch[e, f] > 0).implies(e <= epoch)),
        "For LS8: no broker fetches in an epoch that is not decided.",
    ),
)
PROPOSALS: tuple[Always, ...] = (
    lemma(
        "LQ1",
        for_all(e, proposed_under[e] <= read),
        "For LQ3: a proposal is made under a partition epoch that its leader knew.",
    ),
    lemma(
        "LQ2",
        for_all(e, (alter_sent[e] & proposed_under[e].is_(read)).implies(proposing[e] & ~alter_refused[e])),
        "For LQ7: a proposal that may still be accepted counts for the maximal ISR.",
    ),
    lemma(
        "LQ3",
        for_all(e, proposing[e].implies(proposed_under[e].is_(read) & present(leader_of[e]))),
        "For LQ2: what counts was proposed under the partition epoch that the leader knows.",
    ),
    lemma(
        "LQ4",
        for_all(
            e,
            x,
            (proposing[e] & x.in_(proposed_isr[e]) & ~x.in_(known_isr[e])).implies(
                (proposed_broker_epoch[e, x] >= 1) & (proposed_broker_epoch[e, x] <= fetched_broker_epoch[e, x])
            ),
        ),
        "For LQ6: a proposed member has fetched, under the broker epoch of the proposal or an earlier one.",
    ),
    lemma(
        "LQ6",
        for_all(
            e,
            x,
            acceptable.implies(
                known_epoch[x].is_(e)
                & truncated[x]
                & fetched_broker_epoch[e, x].is_(broker_epoch[x])
                & fetch_broker_epoch[e, x].is_(broker_epoch[x])
                & (crashed[x] | (high_watermark[e] <= log_end[x]) & (epoch_start[e] <= log_end[x]))
            ),
        ),
        "For LJ8: a member that may come in by a proposal has all that is acknowledged.",
    ),
    lemma(
        "LQ7",
        for_all(
            e,
            (alter_sent[e] & e.is_(epoch) & proposed_under[e].is_(partition_epoch)).implies(
                read.is_(partition_epoch)
                & proposing[e]
                & ~alter_refused[e]
                & known_isr[e].is_(isr)
                & present(leader_of[e])
            ),
        ),
        "For LQ6: a proposal that may be accepted is the present one of the newest leader.",
    ),
    lemma(
        "LQ5",
        for_all(e, b, (proposing[e] & leader_of[e].is_(b)).implies(b.in_(proposed_isr[e]))),
        "For LM4: a leader does not propose to leave.",
    ),
)
CANDIDATES: tuple[Always, ...] = (
    lemma(
        "LJ1",
        for_all(
            e,
            b,
            (present(leader_of[e]) & was_enough[read] & candidate(b, e) & (known_epoch[b] <= e)).implies(held(b, e)),
        ),
        "For LJ8: a candidate that is still in an epoch counts for the leader of the epoch.",
    ),
    lemma(
        "LJ2",
        for_all(
            v,
            b,
            (
                (v <= partition_epoch)
                & (v > known_partition_epoch[epoch_at[v]])
                & was_enough[v]
                & candidate(b, epoch_at[v])
                & (known_epoch[b] <= epoch_at[v])
            ).implies(b.in_(isr_at[v])),
        ),
        "For LJ1: and it will count in every ISR that this leader may still read.",
    ),
    lemma(
        "LJ3",
        for_all(
            e,
            b,
            (candidate(b, e) & ((known_epoch[b] < e) | known_epoch[b].is_(e) & ~truncated[b])).implies(
                high_watermark[e].is_(0)
            ),
        ),
        "For LJ8: nothing is acknowledged before every candidate has begun to fetch.",
    ),
    lemma(
        "LJ4",
        for_all(e, b, (candidate(b, e) & ~crashed[b] & (known_epoch[b] <= e)).implies(high_watermark[e] <= log_end[b])),
        "For LJ8: the log of a candidate reaches what is acknowledged.",
    ),
    lemma(
        "LJ6",
        for_all(e, b, (candidate(b, e) & ~crashed[b] & (known_epoch[b] <= e)).implies(fetched[e, b] <= log_end[b])),
        "For LJ4: the log of a candidate reaches what the leader notes of it.",
    ),
    lemma(
        "LJ7",
        for_all(
            e,
            b,
            (candidate(b, e) & ((known_epoch[b] < e) | known_epoch[b].is_(e) & ~truncated[b])).implies(
                fetched[e, b].is_(0) & leader_of[e].isnt(b)
            ),
        ),
        "For LJ3: of a candidate that has not begun to fetch nothing is noted.",
    ),
    lemma(
        "LJ8",
        for_all(
            e,
            b,
            o,
            (candidate(b, e) & ~crashed[b] & (known_epoch[b] <= e) & (o < high_watermark[e])).implies(has(b, e, o)),
        ),
        "For CandidatesHaveAcknowledged: a candidate that is still in an epoch has what was acknowledged in it.",
    ),
    lemma(
        "LJ5",
        for_all(
            e,
            (e.is_(epoch) & read.is_(partition_epoch) & present(leader_of[e]) & was_enough[read]).implies(
                elr.is_(NOBODY)
            ),
        ),
        "For LJ1: the newest leader may acknowledge only where the ELR is empty.",
    ),
)
LATER_LEADERS: tuple[Always, ...] = (
    lemma(
        "LU4",
        for_all(b, e, candidate(b, e).implies(unclean_at[known_epoch[b]] <= e)),
        "For LH9: a candidate has followed leaders only that were elected cleanly since.",
    ),
    lemma(
        "LH9",
        for_all(
            b,
            e,
            (present(slowest[e]) & candidate(b, e) & ~crashed[b] & (known_epoch[b] > e)).implies(
                slowest_end[e] <= log_end[b]
            ),
        ),
        "For LH7: the log of a candidate that left an epoch reaches what the slowest had.",
    ),
    lemma(
        "LH10",
        for_all(
            d, e, (present(leader_of[d]) & (e < d) & (unclean_at[d] <= e)).implies(slowest_end[e] <= epoch_start[d])
        ),
        "For LH8: a later leader began with a log that reaches what the slowest had.",
    ),
    lemma(
        "LH1",
        for_all(
            e,
            x,
            slowest[e]
            .is_(x)
            .implies((known_epoch[x] > e) & (fetched[e, x] <= slowest_end[e]) & (fetch_offset[e, x] <= slowest_end[e])),
        ),
        "For LH4: the slowest of those that left an epoch will not be noted with more than it had.",
    ),
    lemma("LH11", for_all(e, present(slowest[e]).implies(e < epoch)), "For LH3: no broker has left the newest epoch."),
    lemma(
        "LH2",
        for_all(e, x, (slowest[e].is_(x) & present(leader_of[e]) & was_enough[read]).implies(held(x, e))),
        "For LH4: it counts for the leader of the epoch.",
    ),
    lemma(
        "LH3",
        for_all(
            v,
            x,
            (
                (v <= partition_epoch)
                & (v > known_partition_epoch[epoch_at[v]])
                & was_enough[v]
                & slowest[epoch_at[v]].is_(x)
            ).implies(x.in_(isr_at[v])),
        ),
        "For LH2: and it will count in every ISR that this leader may still read.",
    ),
    lemma(
        "LH4",
        for_all(e, present(slowest[e]).implies(high_watermark[e] <= slowest_end[e])),
        "For ElectedHadAcknowledged: no more is acknowledged in an epoch than the slowest of those that left it had.",
    ),
    lemma(
        "LH5",
        for_all(b, e, (candidate(b, e) & (known_epoch[b] > e)).implies(present(slowest[e]))),
        "For LH7: once a candidate has left an epoch, one of them is the slowest.",
    ),
    lemma(
        "LH6",
        for_all(d, e, (present(leader_of[d]) & (e < d) & (unclean_at[d] <= e)).implies(present(slowest[e]))),
        "For LH8: before an epoch begins, its leader has left all earlier ones.",
    ),
    lemma(
        "LH7",
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
    lemma(
        "LH8",
        for_all(
            d,
            e,
            o,
            (present(leader_of[d]) & (e < d) & (unclean_at[d] <= e) & (o < slowest_end[e])).implies(
                (o < epoch_start[d]) & leader_log[d, o].is_(leader_log[e, o])
            ),
        ),
        "For ElectedHadAcknowledged: a later leader began with what the slowest had.",
    ),
)
LEMMAS = (*FETCHES, *PROPOSALS, *CANDIDATES, *LATER_LEADERS)
