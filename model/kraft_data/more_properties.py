"""Properties besides the theorem: changes of a partition, what leaders drop or cancel, the content of the logs.

Where the theorem says that nothing is lost, these say what a row does that loses nothing: each refutes an edit of a row that the theorem
and its lemmas let pass (`tests/kraft_data/test_claims.py`).
"""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .quantified import for_all, stays
from .state import *

_new_epoch = next_(epoch).isnt(epoch)
_marked = next_(unclean_at[epoch]).isnt(unclean_at[epoch])
_back = crashed[b] & next_(~crashed[b])
_below = ~next_(at_least(isr, min_isr))
_leaves = (x.in_(isr) | x.in_(elr)) & ~next_(x.in_(isr))
DECISIONS: tuple[Step, ...] = (
    step(
        "DP1",
        partition_epoch.is_(0).implies(
            stays(config)
            & (stays(partition_epoch) | next_(present(leader)) & next_(epoch).is_(1) & next_(unclean_at[epoch]).is_(0))
        ),
        "A partition begins with its creation: with a leader, in its first leader epoch, under the configuration that there is.",
        "KIP-500",
    ),
    step(
        "DP2",
        _new_epoch.implies(next_(leader).isnt(leader)),
        "The leader epoch rises only where the leader changes.",
        "KAFKA-15021",
    ),
    step(
        "DP3",
        (_marked & (partition_epoch > 0)).implies(
            next_(unclean_at[epoch].is_(epoch))
            & next_(present(leader))
            & for_all(x, next_(leader).is_(x).implies(~x.in_(isr) & ~x.in_(elr)))
        ),
        "An election is marked as unclean only where the leader was neither in the ISR nor in the ELR.",
        "KIP-704, KIP-966",
    ),
    step(
        "DP4",
        for_all(
            x, (_leaves & _below & stays(config) & ~_marked & stays(broker_epoch[x])).implies(next_(x.in_(elr)))
        ),
        "A broker that leaves the ISR while that is below min.insync.replicas is eligible, and remains so until it lost records, another minimum is set "
        "or an election is unclean.",
        "KIP-966",
    ),
    step(
        "DP5",
        for_all(
            b,
            (stays(broker_epoch[b]) & ~_back)
            | (_back & next_(broker_epoch[b]).is_(broker_epoch[b] + 1)),
        ),
        "A broker that lost records runs again under the next broker epoch; no other gets another.",
        "KIP-966",
    ),
)  # fmt: skip
"""Of Kafka's controller: any controller that keeps to the interface need not keep them."""

_unheard = for_all(b, ~leads(b, e))
_forgets = (
    next_(proposing[e]).is_(proposing[e])
    & stays(high_watermark[e])
    & stays(leader_end[e])
    & stays(known_partition_epoch[e])
    & stays(known_config[e])
    & next_(known_isr[e]).is_(known_isr[e])
    & for_all(f, stays(fetched[e, f]) & stays(fetched_broker_epoch[e, f]))
)
LEADERS: tuple[Step | Always, ...] = (
    step(
        "DP6",
        for_all(e, (present(leader_of[e]) & _unheard).implies(_forgets)),
        "What a leader knew of its epoch, and what it acknowledged, stays as it was once it no longer leads there.",
        "KIP-101, KIP-320",
    ),
    step(
        "DP7",
        for_all(e, next_(high_watermark[e]) >= high_watermark[e]),
        "The high watermark of a leader epoch never goes back.",
        "KIP-101",
    ),
    step(
        "DP8",
        for_all(
            e,
            (next_(known_partition_epoch[e]) >= known_partition_epoch[e])
            & (stays(known_partition_epoch[e]).implies(next_(known_config[e]) >= known_config[e])),
        ),
        "A leader reads no partition epoch that is older than the one it knows, and under one partition epoch no older minimum.",
        "KIP-500",
    ),
    always(
        "DP10",
        for_all(e, alter_refused[e].implies(proposing[e])),
        "A refusal that is on its way answers the proposal that is pending.",
        "KIP-497, KAFKA-12686",
    ),
    always(
        "DP11",
        for_all(
            v, f, ((v <= partition_epoch) & leader_at[v].is_(f)).implies(fetch_broker_epoch[epoch_at[v], f].is_(0))
        ),
        "No broker fetches in a leader epoch that is its own.",
        "KIP-101",
    ),
)
LOGS: tuple[Step | Always, ...] = (
    step(
        "DP9",
        for_all(
            b,
            (crashed[b] & next_(crashed[b])).implies(
                stays(log_end[b])
                & stays(known_epoch[b])
                & for_all(e, stays(fetch_offset[e, b]) & stays(fetch_broker_epoch[e, b]))
            ),
        ),
        "A broker that lost records and has not registered again reads, fetches and appends nothing.",
        "KIP-631",
    ),
    always(
        "DP12",
        for_all(b, o, (o >= log_end[b]).implies(log[b, o].is_(0))),
        "No log has a record at its end or beyond.",
        "KIP-101",
    ),
)
_grown = next_(known_high_watermark[b]) >= known_high_watermark[b]
_cut = next_(known_high_watermark[b]).is_(next_(log_end[b])) & (next_(log_end[b]) < log_end[b])
CONSUMERS: tuple[Step | Always, ...] = (
    step(
        "DP13",
        for_all(b, _grown | _cut),
        "What a broker knows to be acknowledged never shrinks, but to the end of a log that is cut.",
        "KIP-392",
    ),
    always(
        "DP14",
        for_all(
            b,
            (known_high_watermark[b] <= log_end[b])
            & (known_high_watermark[b] <= high_watermark[acknowledged_in[b]])
            & (acknowledged_in[b] <= known_epoch[b]),
        ),
        "A broker lets consumers read to the end of its log at most, and what the leader of an epoch up to its own has acknowledged.",
        "KIP-392",
    ),
    always(
        "DP15",
        for_all(b, o, (o < known_high_watermark[b]).implies(log[b, o].is_(leader_log[acknowledged_in[b], o]))),
        "Each record that it lets them read is as that leader has it.",
        "KIP-392",
    ),
    always(
        "DP16",
        for_all(
            e,
            (first_high_watermark[e] > 0).implies(
                present(leader_of[e])
                & (first_high_watermark[e] <= epoch_start[e])
                & (first_high_watermark[e] <= high_watermark[first_acknowledged_in[e]])
                & (first_acknowledged_in[e] < e)
            ),
        ),
        "The high watermark that a leader first sends to its followers was in its log when it began, and the leader of an earlier epoch has acknowledged it.",
        "KIP-392",
    ),
    always(
        "DP17",
        for_all(
            e, o, (o < first_high_watermark[e]).implies(leader_log[e, o].is_(leader_log[first_acknowledged_in[e], o]))
        ),
        "Each of these records is as that leader has it.",
        "KIP-392",
    ),
)
"""Of consumers, which read from followers, too."""
MORE: tuple[Step | Always, ...] = (*DECISIONS, *LEADERS, *LOGS, *CONSUMERS)
_joins_leading = (v > 0) & w.is_(v + 1) & leader_at[w].is_(x) & ~x.in_(isr_at[v]) & unclean_at[epoch_at[w]].is_(0)
SEEN: tuple[Sometimes, ...] = (
    sometimes(
        "W10",
        exists(v, exists(w, exists(x, exists(f, _joins_leading & ~f.in_(isr_at[w]))))),
        "A broker leads in the result of the proposal that brings it into the ISR, while another stays out.",
        "KIP-497",
    ),
)
"""Properties that are reached at the bounds of `kraft-data_seen`; a row that does less does not reach them."""
