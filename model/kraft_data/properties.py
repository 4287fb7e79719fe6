"""The theorem: a record that was acknowledged with acks=all is in the log of every broker that leads later.

A record is acknowledged once the high watermark of a leader has passed it. The claims are of the state before every step, where all lemmas
hold: they follow from the lemmas of one state and need no induction of their own. Every state has a step, so they are of every state.
"""

from __future__ import annotations

from fencepost.model.language import Always, Sometimes, Step, Term, always, exists, forall, present, sometimes, step

from .quantified import for_all
from .state import (
    b,
    candidate,
    crashed,
    d,
    e,
    epoch,
    epoch_start,
    f,
    has,
    high_watermark,
    leader_end,
    leader_log,
    leader_of,
    leads,
    log,
    log_end,
    n,
    o,
    unclean_at,
)

_acknowledged = o < high_watermark[e]
_clean = unclean_at[d] <= e
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
            ((e < d) & _clean & present(leader_of[d]) & (high_watermark[d] >= epoch_start[d])).implies(
                high_watermark[e] <= high_watermark[d]
            ),
        ),
        "A high watermark that has reached the start of its epoch, so that ListOffsets answers with it, is at or beyond those of earlier "
        "epochs, whatever their leaders acknowledge afterwards, unless an epoch between began with an unclean election.",
        "KIP-207",
    ),
)  # fmt: skip
THEOREM: tuple[Step, ...] = tuple(step(id, term, about, source) for id, term, about, source in CLAIMS)
TRUNCATION: tuple[Step, ...] = (
    step(
        "TruncationKeepsShared",
        forall(o, ((o < log_end[f]) & (o < leader_end[e]) & log[f, o].is_(leader_log[e, o])).implies(o < n)),
        "A follower cuts off no record that its leader has at the same offset.",
        "KIP-101, KIP-279",
        rows=("DF1",),
    ),
)
"""That rounds of truncation end where two logs part: each cuts something off, none of what is shared, and DF4 ends them at a part of the
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
PROPERTIES: tuple[Step | Sometimes, ...] = (*THEOREM, *TRUNCATION, *WITNESSES)
