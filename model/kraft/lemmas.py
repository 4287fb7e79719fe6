"""Lemmas: what only induction needs. They hold between rows and claim nothing about Kafka that `properties` does not."""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .state import *

LEMMAS: tuple[Always, ...] = (
    lemma("N1", forall(x, epoch[x] <= log_end), "For K1: no epoch is ahead of the log, so that the next one is new."),
    lemma(
        "N2",
        forall(p, forall(x, present(location[p, x]).implies(x.in_(replicas[p]) | ~exists_[p]))),
        "For P2: only a replica is in a directory, so that only a replica is elected, whatever the last leader.",
    ),
    lemma(
        "N3",
        forall(p, forall(x, (exists_[p] & x.in_(elr[p])).implies(elr_index[p, x] >= 1))),
        "For P10: an eligible leader replica is found by the index; more than those may be (D6).",
    ),
    lemma(
        "N4",
        forall(p, exists_[p].implies(live[topic[p]])),
        "For P8 to P11: what is created with a topic did not exist before.",
    ),
    lemma(
        "N5",
        (~formatted).implies(elr_level.is_(0) & forall(p, ~exists_[p]) & forall(x, ~registered[x])),
        "For P3, P7, K7: before the cluster is formatted there is nothing that its features could be about.",
    ),
    lemma(
        "N7",
        forall(p, exists_[p].implies(exists(x, x.in_(replicas[p]) & ~x.in_(adding[p])))),
        "For P2: a replica is left when a reassignment is cancelled.",
    ),
    lemma(
        "N6",
        forall(p, (~empty(elr[p])).implies(exists_[p])),
        "For P4, P18: a partition that does not exist has no eligible leader replica.",
    ),
    lemma(
        "N10",
        forall(p, forall(q, (topic[p].is_(topic[q]) & index[p].is_(index[q])).implies(p.is_(q)))),
        "A partition is a number in a topic: what its record says of the topic, one record of a request says.",
    ),
    lemma(
        "N9",
        forall(x, registered[x].implies(registration_offset[x] <= log_end)),
        "For B1, B3: no registration is ahead of the log, so that the next one is after it.",
    ),
)
