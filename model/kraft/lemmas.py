"""Lemmas: what only induction needs. They hold between rows and claim nothing about Kafka that `properties` does not."""

from __future__ import annotations

from fencepost.model.language import (
    Always,
    absent,
    at_least,
    empty,
    forall,
    just,
    lemma,
    members,
    present,
)

from .state import (
    PARTITION,
    TOPIC,
    cluster_min_set,
    elr,
    elr_index,
    elr_level,
    elr_on,
    epoch,
    exists_,
    formatted,
    isr,
    live,
    location,
    log_end,
    min_isr,
    name,
    registered,
    replicas,
    topic,
    x,
    y,
)

p, t = PARTITION.var("p"), TOPIC.var("t")

LEMMAS: tuple[Always, ...] = (
    lemma("N1", forall(x, epoch[x] <= log_end), "For K1: no epoch is ahead of the log, so that the next one is new."),
    lemma(
        "N2",
        forall(p, forall(x, present(location[p, x]).implies(x.in_(replicas[p]) | ~exists_[p]))),
        "For P2: only a replica is in a directory, so that only a replica is elected, whoever led last.",
    ),
    lemma(
        "N3",
        forall(p, forall(x, (exists_[p] & x.in_(elr[p])).implies(elr_index[p, x] >= 1))),
        "For P10: whoever is an eligible leader replica is found by the index; more than those may be (D6).",
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
        "N10",
        elr_on.implies(cluster_min_set),
        "For N7: the minimum that counts does not change when ELR is enabled again.",
    ),
    lemma(
        "N6",
        forall(p, (~empty(elr[p])).implies(elr_on & exists_[p])),
        "For P6: eligible leader replicas are there only while they are switched on.",
    ),
    lemma(
        "N7",
        forall(p, (exists_[p] & ~empty(elr[p])).implies(~at_least(members(isr[p]), min_isr(p)))),  # type: ignore[arg-type]
        "For P6: eligible leader replicas are kept only below the minimum, at result boundaries.",
    ),
    lemma(
        "N8",
        forall(
            p,
            forall(
                x,
                forall(
                    y,
                    (exists_[p] & x.in_(elr[p]) & y.in_(elr[p]) & at_least(just(x), min_isr(p))).implies(x.is_(y)),  # type: ignore[arg-type]
                ),
            ),
        ),
        "For N7: where one replica is enough there is at most one eligible leader replica, which an election empties.",
    ),
    lemma(
        "N9",
        forall(t, (~live[t]).implies(absent(name[t]))),
        "For N7: a topic that is gone has no name under which its configuration could be changed.",
    ),
)
