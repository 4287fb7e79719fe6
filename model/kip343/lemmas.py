"""Lemmas: what only induction needs. They hold between rows and claim nothing of KIP-343 that `properties` does not."""

from __future__ import annotations

from fencepost.model.language import Always, forall, lemma, some

from .brokers import handles_traffic
from .properties import same_incarnation
from .state import *

LEMMAS: tuple[Always, ...] = (
    lemma(
        "HL1",
        forall(
            b,
            (incarnation[b] <= czxid[b])
            & (own_incarnation[b] <= czxid[b])
            & (asked_incarnation[b] <= czxid[b])
            & (registered[b] <= czxid[b]),
        ),
        "For HI3, HI6: no incarnation is larger than what ZooKeeper gave.",
    ),
    lemma(
        "HL10",
        forall(b, registered[b].is_(0) | registered[b].is_(czxid[b])),
        "For HI43: the znode that is there is the last one.",
    ),
    lemma(
        "HL11",
        forall(b, asked_target[b].is_(ACTIVE) | asked_target[b].is_(STOPPING)),
        "For HI43: a broker asks for Active or Stopping.",
    ),
    lemma("HL2", forall(b, last_contact[b] <= now), "For HI3: contact was in the past."),
    lemma(
        "HL3",
        forall(
            b,
            (same_incarnation(b) & handles_traffic(b) & ~unanswered[b] & ~known_legacy[b] & (own_incarnation[b] > 0)).implies(
                last_contact[b] <= last_reply[b]
            ),
        ),
        "For HI3: who has all answers heard last after the controller did.",
    ),
    lemma(
        "HL4",
        forall(b, (known_legacy[b] & same_incarnation(b) & running[b]).implies(legacy[b])),
        "For HI3: whom the controller holds for legacy is.",
    ),
    lemma(
        "HL5",
        forall(
            b,
            asked[b].implies(~legacy[b] & (asked_incarnation[b] > 0)) & other[b].implies((registered[b] > 0) & ~legacy[b]),
        ),
        "For HI6: legacy brokers send no heartbeats.",
    ),
    lemma(
        "HL6",
        forall(b, running[b].implies(own_incarnation[b] > 0) & heard[b].is_(last_reply[b])),
        "For HI3 and HI10: a process has registered, and an answer without an error is contact.",
    ),
    lemma(
        "HL7",
        forall(p, leader_in[p, leader_epoch[p]].is_(leader[p]) & (leader_epoch[p] >= 0)),
        "For M2: who leads was chosen in the leader epoch.",
    ),
    lemma(
        "HL8",
        forall(
            p,
            forall(
                x,
                (believes[x, p] >= 0).implies(
                    leader_in[p, believes[x, p]].is_(some(x)) & (believes[x, p] <= leader_epoch[p])
                ),
            ),
        ),
        "For M2: any broker that believes that it leads was chosen in that epoch.",
    ),
    lemma(
        "HL9",
        forall(
            b,
            czxid[b].is_(0).implies(
                ~timed_out[b] & ~handles_traffic(b) & ~fenced[b] & ~shutting_down[b] & forall(p, believes[b, p].is_(-1))
            ),
        ),
        "For M3 and HI40: who has never had a znode knows nothing, is not fenced or about to stop, and is not waited for.",
    ),
)  # fmt: skip
