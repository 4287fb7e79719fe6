"""The theorem of `kraft-data` where no election is unclean, with the brokers that may come to lead in the ZooKeeper era."""

from __future__ import annotations

from fencepost.model.kraft_data.properties import WITNESSES as KRAFT_WITNESSES
from fencepost.model.kraft_data.quantified import for_all
from fencepost.model.kraft_data.state import *
from fencepost.model.language import Always, Sometimes, Step, Term, always, present, step

from .state import candidate

_acknowledged = o < high_watermark[e]
CLAIMS: tuple[tuple[str, Term[bool], str, str], ...] = (
    (
        "AcknowledgedIsKept",
        for_all(b, d, e, o, (leads(b, d) & (e <= d) & _acknowledged).implies(has(b, e, o))),
        "A broker that leads has every record that was acknowledged in its leader epoch or in an earlier one, at its offset, "
        "however late it was acknowledged.",
        "KIP-101",
    ),
    (
        "ElectedHadAcknowledged",
        for_all(
            d,
            e,
            o,
            ((e < d) & present(leader_of[d]) & _acknowledged).implies(
                (o < epoch_start[d]) & leader_log[d, o].is_(leader_log[e, o])
            ),
        ),
        "It had those of earlier epochs when its own began, those that a replaced leader acknowledges afterwards, too.",
        "KIP-101",
    ),
    (
        "CandidatesHaveAcknowledged",
        for_all(b, e, o, (candidate(b, e) & ~crashed[b] & _acknowledged).implies(has(b, e, o))),
        "A broker that runs and is in the ISR, or has been elected and was not notified yet, has every record that was acknowledged.",
        "KIP-101",
    ),
    (
        "OneRecordIsAcknowledged",
        for_all(d, e, o, (_acknowledged & (o < high_watermark[d])).implies(leader_log[d, o].is_(leader_log[e, o]))),
        "No two leaders acknowledge different records at one offset.",
        "KIP-101",
    ),
    (
        "LeaderLogReachesAcknowledged",
        for_all(b, d, e, (leads(b, d) & (e <= d)).implies(high_watermark[e] <= log_end[b])),
        "Who has read up to the high watermark of an epoch is not out of range at a broker that leads in it or later.",
        "KIP-320",
    ),
    (
        "ToldEndDoesNotGoBack",
        for_all(
            d,
            e,
            ((e < d) & present(leader_of[d]) & (high_watermark[d] >= epoch_start[d])).implies(
                high_watermark[e] <= high_watermark[d]
            ),
        ),
        "A high watermark that has reached the start of its epoch, so that ListOffsets answers with it, is at or beyond those of earlier "
        "epochs, whatever their leaders acknowledge afterwards.",
        "KIP-207",
    ),
)
THEOREM: tuple[Step, ...] = tuple(step(id, term, about, source) for id, term, about, source in CLAIMS)
STATES: tuple[Always, ...] = tuple(always(id, term, about, source) for id, term, about, source in CLAIMS)
"""The same claims of every state, as exploration asks them."""
WITNESSES: tuple[Sometimes, ...] = tuple(one for one in KRAFT_WITNESSES if one.id in ("W1", "W2", "W12"))
PROPERTIES: tuple[Step | Sometimes, ...] = (*THEOREM, *WITNESSES)
