"""Lemmas: what only induction needs. They claim nothing about KIP-631 that `properties` does not."""

from __future__ import annotations

from fencepost.model.language import Always, forall, lemma

from .brokers import NOT_RUNNING
from .state import *

o = OFFSET.var("o")

LEMMAS: tuple[Always, ...] = (
    lemma(
        "VL1",
        (committed >= 0)
        & (committed < next_offset)
        & forall(b, (broker_epoch[b] < next_offset) & (own_epoch[b] < next_offset))
        & forall(b, (granted[b] < next_offset) & (own_epoch[b] >= -1) & (own_offset[b] >= -1)),
        "For K1, K13, M2: no epoch is ahead of the log.",
    ),
    lemma("VL2", forall(t, (created_at[t] < next_offset) & (removed_at[t] < next_offset)), "For K13: nor is a topic."),
    lemma(
        "VL3",
        forall(
            b,
            (registered[b] & (broker_epoch[b] > 0) & (incarnation[b] > 0))
            | (~registered[b] & fenced[b] & broker_epoch[b].is_(-1) & incarnation[b].is_(0)),
        ),
        "For K9, M1: who is not registered counts as fenced.",
    ),
    lemma(
        "VL4",
        forall(p, leader_in[p, leader_epoch[p]].is_(leader[p]) & (leader_epoch[p] >= 0)),
        "For M2: who leads was chosen in the leader epoch,",
    ),
    lemma(
        "VL5",
        forall(
            p,
            forall(
                o,
                (o < next_offset - 1).implies(
                    (epoch_at[p, o] <= leader_epoch[p]) & leader_in[p, epoch_at[p, o]].is_(leader_at[p, o])
                ),
            ),
        ),
        "For M2: and so was the leader at an earlier offset.",
    ),
    lemma(
        "VL6",
        forall(
            b,
            (broker_state[b].is_(NOT_RUNNING)).implies(
                own_epoch[b].is_(-1) & own_offset[b].is_(-1) & granted[b].is_(-1) & own_incarnation[b].is_(0)
            ),
        ),
        "For K4a: a process that has not started knows nothing.",
    ),
    lemma(
        "VL7",
        forall(
            b,
            (own_incarnation[b].is_(incarnation[b]) & registered[b] & own_epoch[b].isnt(broker_epoch[b])).implies(
                fenced[b]
            ),
        ),
        "For K4a: a process that does not know its epoch yet is fenced,",
    ),
    lemma(
        "VL8",
        forall(
            b,
            ((own_epoch[b].is_(broker_epoch[b]) | granted[b].is_(broker_epoch[b])) & registered[b]).implies(
                own_incarnation[b].is_(incarnation[b])
            ),
        ),
        "For K4a: and a process that knows an epoch, or receives it, is the one that it was given to.",
    ),
)
