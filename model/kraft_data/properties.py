"""The theorem: a record that was acknowledged with acks=all is in the log of every broker that leads later.

A record is acknowledged once the high watermark of a leader has passed it. The claims are of the state before every step, where all lemmas
hold: they follow from the lemmas of one state and need no induction of their own. Every state has a step, so they are of every state.
"""

from __future__ import annotations

from fencepost.model.language import Always, Sometimes, Step, Term, always, exists, forall, present, sometimes, step

from .quantified import for_all
from .state import *
from .state import candidate

_acknowledged = o < high_watermark[e]
_clean = unclean_at[d] <= e


def _told(e: Term[int], n: Term[int]) -> Term[bool]:
    """The high watermark of an epoch's leader has reached an offset: what it has acknowledged, or knew when it began."""
    return (n <= high_watermark[e]) | (n <= first_high_watermark[e])


CLAIMS: tuple[tuple[str, Term[bool], str, str], ...] = (
    (
        "AcknowledgedIsKept",
        for_all(b, d, e, o, (leads(b, d) & (e <= d) & _clean & _acknowledged).implies(has(b, e, o))),
        "A broker that leads has every record that was acknowledged in its leader epoch or in an earlier one, at its offset, "
        "however late it was acknowledged, unless an epoch between began with an unclean election.",
        "KIP-966, Vanlightly/kafka-tlaplus LeaderCompleteness",
    ),
    (
        "ElectedHadAcknowledged",
        for_all(
            d,
            e,
            o,
            ((e < d) & _clean & present(leader_of[d]) & _acknowledged).implies(
                (o < epoch_start[d]) & leader_log[d, o].is_(leader_log[e, o])
            ),
        ),
        "It had those of earlier epochs when its own began, those that a replaced leader acknowledges afterwards, too.",
        "KIP-966, Vanlightly/kafka-tlaplus LeaderCompleteness",
    ),
    (
        "CandidatesHaveAcknowledged",
        for_all(b, e, o, (candidate(b, e) & ~crashed[b] & _acknowledged).implies(has(b, e, o))),
        "A broker that runs and is in the ISR or the ELR, or has been elected and has not read it, has every record that was "
        "acknowledged.",
        "KIP-966, Vanlightly/kafka-tlaplus LeaderCandidateCompleteness",
    ),
    (
        "OneRecordIsAcknowledged",
        for_all(
            d,
            e,
            o,
            ((e <= d) & _clean & _acknowledged & (o < high_watermark[d])).implies(leader_log[d, o].is_(leader_log[e, o])),
        ),
        "No two leaders acknowledge different records at one offset, unless an epoch between began with an unclean election.",
        "KIP-101",
    ),
    (
        "LeaderLogReachesAcknowledged",
        for_all(b, d, e, (leads(b, d) & (e <= d) & _clean).implies(high_watermark[e] <= log_end[b])),
        "Who has read up to the high watermark of an epoch is not out of range at a broker that leads in it or later, unless an epoch between "
        "began with an unclean election.",
        "KIP-320, KIP-392",
    ),
    (
        "ToldEndDoesNotGoBack",
        for_all(
            d,
            e,
            ((e < d) & _clean & present(leader_of[d]) & _told(d, epoch_start[d])).implies(_told(d, high_watermark[e])),
        ),
        "A high watermark that has reached the start of its epoch, so that ListOffsets answers with it, is at or beyond those of earlier "
        "epochs, whatever their leaders acknowledge afterwards, unless an epoch between began with an unclean election.",
        "KIP-207",
    ),
)  # fmt: skip
THEOREM: tuple[Step, ...] = tuple(step(id, term, about, source) for id, term, about, source in CLAIMS)
_readable = o < known_high_watermark[b]
READ_CLAIMS: tuple[tuple[str, Term[bool], str, str], ...] = (
    (
        "ReadIsAcknowledged",
        for_all(
            b,
            o,
            _readable.implies(
                (acknowledged_in[b] <= known_epoch[b])
                & (o < high_watermark[acknowledged_in[b]])
                & has(b, acknowledged_in[b], o)
            ),
        ),
        "Every record that a broker lets consumers read was acknowledged by the leader of an epoch up to its own, and is as that leader has it.",
        "KIP-392",
    ),
    (
        "ReadIsKept",
        for_all(
            b,
            x,
            d,
            o,
            (leads(x, d) & _readable & (acknowledged_in[b] <= d) & (unclean_at[d] <= acknowledged_in[b])).implies(
                (o < log_end[x]) & log[x, o].is_(log[b, o])
            ),
        ),
        "A broker that leads has every record that any broker lets consumers read, at its offset, if it leads in the epoch of the "
        "acknowledgement or in a later one, unless an epoch between began with an unclean election.",
        "KIP-392",
    ),
    (
        "OneRecordIsRead",
        for_all(
            b,
            f,
            o,
            (
                _readable
                & (o < known_high_watermark[f])
                & (acknowledged_in[b] <= acknowledged_in[f])
                & (unclean_at[acknowledged_in[f]] <= acknowledged_in[b])
            ).implies(log[b, o].is_(log[f, o])),
        ),
        "No two consumers read different records at one offset, whichever brokers they read from, unless an epoch between began with an unclean "
        "election.",
        "KIP-392",
    ),
)
READ: tuple[Step, ...] = tuple(step(id, term, about, source) for id, term, about, source in READ_CLAIMS)
READ_STATES: tuple[Always, ...] = tuple(always(id, term, about, source) for id, term, about, source in READ_CLAIMS)
"""The theorem for consumers, with DP14 and DP15: they may read below the high watermark that their broker knows."""
SHARED: Step = step(
    "TruncationKeepsShared",
    forall(o, ((o < log_end[f]) & (o < leader_end[e]) & log[f, o].is_(leader_log[e, o])).implies(o < n)),
    "A follower cuts off no record that its leader has at the same offset.",
    "KIP-101, KIP-279",
    rows=("DF1",),
)
TRUNCATION: tuple[Step, ...] = (
    SHARED,
    step(
        "TruncationKeepsRead",
        (unclean_at[e] <= acknowledged_in[f]).implies(
            forall(o, (known_high_watermark[f] <= o) | (o < n) & log[f, o].is_(leader_log[e, o]))
        ),
        "A follower cuts off no record that it has let consumers read, and its leader has it at the same offset, unless an epoch since the "
        "acknowledgement began with an unclean election.",
        "KIP-101, KIP-392",
        rows=("DF1",),
    ),
)
"""Properties of truncation: each round cuts something off, none of the common prefix, and DF4 ends the rounds at a part of the
leader's log (LG8)."""
STATES: tuple[Always, ...] = tuple(always(id, term, about, source) for id, term, about, source in CLAIMS)
"""The same claims of every state, as exploration asks them."""
WITNESSES: tuple[Sometimes, ...] = (
    sometimes(
        "W1",
        exists(e, (high_watermark[e] > 0) & (e < epoch)),
        "A record is acknowledged, and another epoch begins.",
        "KIP-966",
    ),
    sometimes(
        "W3",
        exists(d, exists(e, (e < d) & (high_watermark[e] > epoch_start[d]) & present(leader_of[d]))),
        "After an unclean election a broker leads without a record that was acknowledged.",
        "KIP-966",
    ),
    sometimes(
        "W2",
        exists(d, exists(e, (e < d) & (high_watermark[e] > 0) & present(leader_of[d]))),
        "A record is acknowledged, and another broker leads.",
        "KIP-966",
    ),
    sometimes(
        "W12",
        exists(d, exists(e, (e < d) & _clean & (high_watermark[e] > high_watermark[d]) & present(leader_of[d]))),
        "The high watermark of a new leader lags behind what was acknowledged: before it has reached the start of its epoch, ListOffsets must "
        "not answer with it.",
        "KIP-207",
    ),
)
WITNESSES_OF_READERS: tuple[Sometimes, ...] = (
    sometimes(
        "W13",
        exists(
            b, exists(e, leader_of[e].isnt(b) & known_epoch[b].is_(e) & (known_high_watermark[b] > high_watermark[e]))
        ),
        "A follower has let consumers read more than its new leader has acknowledged yet: Kafka lowers the follower's high watermark then.",
        "KIP-392",
    ),
    sometimes(
        "W14",
        exists(e, (first_high_watermark[e] > 0) & (first_high_watermark[e] > high_watermark[e])),
        "A leader begins with the high watermark that it has learned as a follower.",
        "KIP-392",
    ),
)
PROPERTIES: tuple[Step | Sometimes, ...] = (*THEOREM, *READ, *TRUNCATION, *WITNESSES, *WITNESSES_OF_READERS)
