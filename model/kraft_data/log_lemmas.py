"""Lemmas on numbers, on the metadata that is read late, and on logs: which records two logs share."""

from __future__ import annotations

from fencepost.model.language import Always, absent, at_least, just, lemma, present

from .quantified import for_all
from .state import *
from .state import elected_in

one = at_least(just(x), min_isr)
read = known_partition_epoch[e]
nothing_known = (
    epoch.is_(0)
    & absent(leader)
    & isr.is_(NOBODY)
    & elr.is_(NOBODY)
    & for_all(b, ~crashed[b] & broker_epoch[b].is_(1) & known_epoch[b].is_(0) & ~truncated[b])
)
"""Nothing is decided, and no broker has read or lost anything."""

NUMBERS: tuple[Always, ...] = (
    lemma("LN1", partition_epoch >= 0, "For LM12: the partition epoch is 0 or later."),
    lemma("LN2", for_all(b, broker_epoch[b] >= 1), "For LS8: broker epochs begin at 1."),
    lemma("LN3", for_all(b, log_end[b] >= 0), "For LJ4: a log ends at 0 or later."),
    lemma("LN4", for_all(b, known_epoch[b] >= 0), "For LM9: leader epochs that are known are 0 or later."),
    lemma("LN5", for_all(e, epoch_start[e] >= 0), "For LG1: an epoch starts at offset 0 or later."),
    lemma("LN6", for_all(e, leader_end[e] >= 0), "For LG8: a leader's log ends at 0 or later."),
    lemma("LN7", for_all(e, high_watermark[e] >= 0), "For LJ3: a high watermark is 0 or later."),
    lemma("LN8", for_all(e, slowest_end[e] >= 0), "For LH9: no broker fetches from below 0."),
    lemma(
        "LN9", for_all(e, known_partition_epoch[e] >= 0), "For LQ1: a leader knows partition epoch 0 or a later one."
    ),
    lemma("LN10", for_all(e, x, fetched[e, x] >= 0), "For LJ7: no broker has fetched from below 0."),
    lemma(
        "LN11",
        for_all(e, x, (fetch_offset[e, x] >= 0) & (fetch_broker_epoch[e, x] >= 0)),
        "For LS11: no broker fetches from below 0.",
    ),
)
METADATA: tuple[Always, ...] = (
    lemma("LM1", for_all(b, known_epoch[b] <= epoch), "For LH6: no broker knows a leader epoch that is not decided."),
    lemma(
        "LM2",
        for_all(v, w, ((v <= w) & (w <= partition_epoch)).implies(epoch_at[v] <= epoch_at[w])),
        "For LM3: leader epochs rise with the partition epoch.",
    ),
    lemma(
        "LM3",
        for_all(
            v,
            w,
            ((v <= partition_epoch) & (w <= partition_epoch) & epoch_at[v].is_(epoch_at[w])).implies(
                leader_at[v].is_(leader_at[w])
            ),
        ),
        "For LM9: a leader epoch has one leader.",
    ),
    lemma(
        "LM4",
        for_all(v, b, ((v <= partition_epoch) & leader_at[v].is_(b)).implies(b.in_(isr_at[v]))),
        "For LJ1: the leader is in the ISR.",
    ),
    lemma(
        "LU1",
        for_all(
            v,
            b,
            e,
            ((v <= partition_epoch) & leader_at[v].is_(b) & (unclean_at[epoch_at[v]] <= e) & (e < epoch_at[v])).implies(
                epoch_at[v] <= elected_in[b, e]
            ),
        ),
        "For LH6: the leader was elected for its epoch or for a later one.",
    ),
    lemma(
        "LU2",
        for_all(d, e, ((d <= e) & (e <= epoch)).implies((unclean_at[d] <= unclean_at[e]) & (unclean_at[d] <= d))),
        "For LU3: epochs of unclean elections rise.",
    ),
    lemma(
        "LU3",
        for_all(b, e, (elected_in[b, e] > e).implies(unclean_at[elected_in[b, e]] <= e)),
        "For LU4: from the epoch for which a broker is noted to the one for which it was elected no election was unclean.",
    ),
    lemma("LU5", for_all(d, unclean_at[d] >= 0), "For LU2: epochs of unclean elections are 0 or later."),
    lemma(
        "LM17",
        last_config[partition_epoch].is_(config)
        & for_all(v, (first_config[v] >= 1) & (first_config[v] <= last_config[v]) & (last_config[v] <= config)),
        "For LM7: the configurations that were in force under a partition epoch.",
    ),
    lemma(
        "LM18",
        for_all(
            v,
            c,
            (
                (v <= partition_epoch)
                & (first_config[v] <= c)
                & (c <= last_config[v])
                & at_least(isr_at[v], min_isr_in[c])
            ).implies(was_enough[v]),
        ),
        "For LM19: whether the ISR was ever large enough under a partition epoch.",
    ),
    lemma(
        "LM19",
        for_all(e, (present(leader_of[e]) & enough(e)).implies(was_enough[read])),
        "For LH4: where a leader may acknowledge, the ISR was large enough.",
    ),
    lemma(
        "LM21",
        for_all(e, present(leader_of[e]).implies(epoch_at[read].is_(e))),
        "For LH2: a leader that knows the newest partition epoch leads in the newest leader epoch.",
    ),
    lemma("LM20", for_all(e, read <= partition_epoch), "For LJ1: a leader knows a partition epoch that is decided."),
    lemma(
        "LM5",
        for_all(b, e, (elected_in[b, e] <= epoch) & (elected_in[b, e] >= 0)),
        "For LM4: a broker is elected for a decided epoch.",
    ),
    lemma(
        "LM7",
        for_all(v, ((v <= partition_epoch) & was_enough[v]).implies(elr_at[v].is_(NOBODY))),
        "For LJ5: where the ISR is large enough no other broker may lead.",
    ),
    lemma(
        "LM8",
        for_all(x, b, f, (one & b.in_(elr) & f.in_(elr)).implies(b.is_(f))),
        "For LM7: if one replica is enough, at most one is in the ELR.",
    ),
    lemma(
        "LM9",
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
                & (first_config[read] <= known_config[e])
                & (known_config[e] <= last_config[read])
                & (e >= 1)
            ),
        ),
        "For LG8: a broker that leads in an epoch has read that it does, and the ISR that it knows.",
    ),
    lemma(
        "LM10",
        for_all(
            e,
            absent(leader_of[e]).implies(
                read.is_(0)
                & leader_end[e].is_(0)
                & high_watermark[e].is_(0)
                & slowest_end[e].is_(0)
                & ~proposing[e]
                & ~alter_sent[e]
                & for_all(x, fetched[e, x].is_(0) & fetched_broker_epoch[e, x].is_(0))
            ),
        ),
        "For LJ3: an epoch in which no broker has begun to lead is empty.",
    ),
    lemma(
        "LM11",
        partition_epoch.is_(0).implies(
            nothing_known
            & for_all(b, e, elected_in[b, e].is_(0) & fetch_broker_epoch[e, b].is_(0))
            & for_all(e, unclean_at[e].is_(0))
        ),
        "For LM1: before the partition is created nothing is known of it.",
    ),
    lemma(
        "LM12",
        for_all(
            v,
            (v > partition_epoch).implies(
                absent(leader_at[v]) & epoch_at[v].is_(0) & isr_at[v].is_(NOBODY) & elr_at[v].is_(NOBODY)
            ),
        ),
        "For LM2: under partition epochs that are still to come nothing is decided.",
    ),
    lemma(
        "LM13",
        for_all(v, b, (v <= partition_epoch).implies(~(b.in_(isr_at[v]) & b.in_(elr_at[v])))),
        "For LM7: no broker is both in the ISR and in the ELR.",
    ),
    lemma(
        "LM14",
        for_all(
            v,
            b,
            ((v <= partition_epoch) & leader_at[v].is_(b) & (known_epoch[b] < epoch_at[v])).implies(
                absent(leader_of[epoch_at[v]])
            ),
        ),
        "For LM10: a leader that has not read of its election has not begun to lead.",
    ),
    lemma(
        "LM15",
        for_all(e, present(leader_of[e]).implies(e <= epoch)),
        "For LH8: no broker leads in an epoch that is not decided.",
    ),
    lemma(
        "LM16",
        for_all(b, leader_of[epoch].is_(b).implies(leader.is_(b))),
        "For LQ7: in the newest epoch only the leader that was decided leads.",
    ),
)
LOGS: tuple[Always, ...] = (
    lemma(
        "LG1",
        for_all(
            b,
            o,
            k,
            ((o < log_end[b]) & log[b, o].is_(k)).implies(
                present(leader_of[k])
                & (epoch_start[k] <= o)
                & (o < leader_end[k])
                & leader_log[k, o].is_(k)
                & (k <= known_epoch[b])
            ),
        ),
        "For LG5: a record in a log was appended by the leader of its epoch, within that epoch.",
    ),
    lemma(
        "LG2",
        for_all(
            e,
            o,
            k,
            ((o < leader_end[e]) & leader_log[e, o].is_(k)).implies(
                present(leader_of[k]) & (epoch_start[k] <= o) & (o < leader_end[k]) & leader_log[k, o].is_(k) & (k <= e)
            ),
        ),
        "For LG6: so was a record in a leader's log.",
    ),
    lemma(
        "LG3",
        for_all(e, o, ((epoch_start[e] <= o) & (o < leader_end[e])).implies(leader_log[e, o].is_(e))),
        "For LG1: a leader appends under its epoch.",
    ),
    lemma(
        "LG4",
        for_all(e, epoch_start[e] <= leader_end[e]),
        "For LG3: a leader's log does not end before its epoch started.",
    ),
    lemma(
        "LG5",
        for_all(
            b,
            f,
            o,
            i,
            ((o < log_end[b]) & (o < log_end[f]) & log[b, o].is_(log[f, o]) & (i < o)).implies(
                log[b, i].is_(log[f, i])
            ),
        ),
        "For LG8: log matching: two logs that share a record share all before it.",
    ),
    lemma(
        "LG6",
        for_all(
            b,
            e,
            o,
            i,
            ((o < log_end[b]) & (o < leader_end[e]) & log[b, o].is_(leader_log[e, o]) & (i < o)).implies(
                log[b, i].is_(leader_log[e, i])
            ),
        ),
        "For LG8: log matching with what leaders had.",
    ),
    lemma(
        "LG7",
        for_all(
            d,
            e,
            o,
            i,
            ((o < leader_end[d]) & (o < leader_end[e]) & leader_log[d, o].is_(leader_log[e, o]) & (i < o)).implies(
                leader_log[d, i].is_(leader_log[e, i])
            ),
        ),
        "For LG6: log matching among what leaders had.",
    ),
    lemma(
        "LG11",
        for_all(b, o, i, ((o < log_end[b]) & (i < o)).implies(log[b, i] <= log[b, o])),
        "For LH7: the leader epochs of a log's records rise.",
    ),
    lemma(
        "LG12",
        for_all(e, o, i, ((o < leader_end[e]) & (i < o)).implies(leader_log[e, i] <= leader_log[e, o])),
        "For LG8: so do those of a leader's log.",
    ),
    lemma(
        "LG8",
        for_all(
            b,
            truncated[b].implies(
                present(leader_of[known_epoch[b]])
                & (log_end[b] <= leader_end[known_epoch[b]])
                & for_all(o, (o < log_end[b]).implies(log[b, o].is_(leader_log[known_epoch[b], o])))
            ),
        ),
        "For LJ8: the log of a broker that has truncated is the beginning of its leader's.",
    ),
    lemma(
        "LG9",
        for_all(
            e,
            b,
            (leader_of[e].is_(b) & known_epoch[b].is_(e)).implies(
                truncated[b] & (crashed[b] | log_end[b].is_(leader_end[e]))
            ),
        ),
        "For LG1: a leader has its own log.",
    ),
    lemma(
        "LG10",
        for_all(e, (high_watermark[e] <= leader_end[e]) & (slowest_end[e] <= leader_end[e])),
        "For LH8: only what was appended is acknowledged, or noted for the proof.",
    ),
)
LOG_LEMMAS = (*NUMBERS, *METADATA, *LOGS)
