"""Replicas that change: who they are under each partition epoch, and what a broker does that reads it.

A broker that reads a partition epoch under which it is no replica deletes its log, however late it reads it; it may also leave that one
out, and keep its log. One that is a replica again begins with what log it has, and follows. The controller takes a replica out under the
next leader epoch only, as Kafka's does.
"""

from __future__ import annotations

from dataclasses import replace

from fencepost.model.language.vocabulary import *

from .controller import under_the_next
from .leaders import moves_on, take, under
from .quantified import for_all
from .state import *
from .state import elected_in

replicas_at = per(VERSION, "replicas_at", BROKERS, about="the replicas under a partition epoch")
replica_under = per(
    BROKER, "replica_under", VERSION, 0, about="the partition epoch by which the broker knows whether it is a replica"
)
replicas = let("replicas", replicas_at[partition_epoch])


@definition
def is_replica(b: Term[Broker]) -> Term[bool]:
    """The broker is a replica, as far as it knows."""
    return b.in_(replicas_at[replica_under[b]])


# -- the controller ----------------------------------------------------------------------------------------------------
new_isr, new_elr, new_replicas = BROKERS.var("new_isr"), BROKERS.var("new_elr"), BROKERS.var("new_replicas")
_to, _under, _unclean = maybe(BROKER).var("to"), EPOCH.var("under"), EPOCH.var("unclean")


@procedure(_to, _under, new_isr, new_elr, new_replicas, _unclean)
def change(
    to: Term[Broker | None],
    under: Term[int],
    new_isr: Term[frozenset[Broker]],
    new_elr: Term[frozenset[Broker]],
    new_replicas: Term[frozenset[Broker]],
    unclean: Term[int],
) -> object:
    """The controller writes a partition change, under the next partition epoch: leader, leader epoch, ISR, ELR, replicas.

    `unclean` is the newest leader epoch that began with an unclean election. All replicas are enough, however few: a leader
    goes by the smaller of min.insync.replicas and their number.
    """
    is_enough = at_least(new_isr, min_isr) | (new_replicas <= new_isr)
    chosen = replicas_at[partition_epoch + 1].becomes(new_replicas)
    changed = under_the_next(to, under, new_isr, new_elr, config, is_enough, chosen)
    return *changed, unclean_at[under].becomes(unclean)


def decide(to: Term[Broker | None], under: Term[int]) -> Applied:
    """A partition change that is no unclean election."""
    return change(to, under, new_isr, new_elr, new_replicas, unclean_at[epoch])


def elects(g: Term[Broker], isr: Term[frozenset[Broker]], elr: Term[frozenset[Broker]]) -> tuple[Applied, Every]:
    """Another broker is elected, or the same again, under the next leader epoch."""
    noted = every(k, k >= unclean_at[epoch], elected_in[g, k].becomes(epoch + 1))
    return change(some(g), epoch + 1, isr, elr, new_replicas, unclean_at[epoch]), noted


def elects_uncleanly(g: Term[Broker]) -> Applied:
    """A broker that may lack records is elected: it is all of the ISR, and the change is marked (RECOVERING)."""
    return change(some(g), epoch + 1, just(g), NOBODY, new_replicas, epoch + 1)


@procedure(c)
def clears(c: Term[int]) -> object:
    """The controller writes ClearElr with a configuration: the ELR is empty afterwards; that takes a partition epoch."""
    is_enough = at_least(isr, min_isr) | at_least(isr, min_isr_in[c]) | (replicas <= isr)
    kept = replicas_at[partition_epoch + 1].becomes(replicas)
    return under_the_next(leader, epoch, isr, NOBODY, c, is_enough, kept)


# -- brokers -----------------------------------------------------------------------------------------------------------
_deletes = (log_end[b].becomes(0), every(o, TRUE, log[b, o].becomes(0)), known_high_watermark[b].becomes(0))
_reads_later = ~crashed[b] & (v > replica_under[b])
_reads = replica_under[b].becomes(v)
_all_in_sync = replicas_at[known_partition_epoch[e]] <= known_isr[e]


def brokers_with_reassignments(base: Protocol) -> Protocol:
    """Return tables whose brokers follow and lead as long as they are replicas, as far as they know, and delete their logs else."""
    why = "the replicas of the partition change"
    begins, follows, back = base.row("DM1"), base.row("DM2"), base.row("DC7")
    gone = ~b.in_(replicas)
    lost = (
        log_end[b].becomes(when(gone, Lit(0, OFFSET), log_end[b])),
        every(o, gone, log[b, o].becomes(0)),
        known_high_watermark[b].becomes(when(gone, Lit(0, OFFSET), known_high_watermark[b])),
    )
    deletes = take(
        "DM5", _reads_later & ~b.in_(replicas_at[v]), moves_on(b, under), truncated[b].becomes(FALSE), _deletes, _reads
    )
    again = take("DM6", _reads_later & under.is_(known_epoch[b]) & ~is_replica(b) & b.in_(replicas_at[v]), _reads)
    edited = (
        base.but("DM1", effects=(begins.effects, _reads), why=why)
        .but("DM2", when=follows.when & b.in_(replicas_at[v]), effects=(follows.effects, _reads), why=why)
        .but("DF4", when=base.row("DF4").when & is_replica(f), why=why)
        .but("DC7", effects=(back.effects, replica_under[b].becomes(partition_epoch), lost), why=why)
        .redefine("enough", lambda old: old | _all_in_sync, why=why)
        .plus(deletes, why=why, table="metadata")
        .plus(again, why=why, table="metadata")
    )
    proved = any(one.id == "LM19" for one in base.properties)
    return replace(edited, properties=(*edited.properties, *LEMMAS)) if proved else edited


# -- lemmas ------------------------------------------------------------------------------------------------------------
_of_now = (unclean_at[epoch] <= e) & (b.in_(isr) | b.in_(elr))
_of_late = (elected_in[b, e] > e) & (elected_in[b, e] > epoch_at[v])
LEMMAS: tuple[Always, ...] = (
    lemma(
        "LR1",
        for_all(v, (v <= partition_epoch).implies((isr_at[v] | elr_at[v]) <= replicas_at[v])),
        "For LR5: members of the ISR and of the ELR are replicas.",
    ),
    lemma(
        "LR2",
        for_all(
            v,
            w,
            ((v <= w) & (w <= partition_epoch) & epoch_at[v].is_(epoch_at[w])).implies(
                replicas_at[v] <= replicas_at[w]
            ),
        ),
        "For LR5: no replica leaves within a leader epoch.",
    ),
    lemma(
        "LR3",
        for_all(
            b,
            (replica_under[b] >= 0)
            & (replica_under[b] <= partition_epoch)
            & epoch_at[replica_under[b]].is_(known_epoch[b]),
        ),
        "For LR5: what a broker knows of itself it has read under the leader epoch that it knows.",
    ),
    lemma(
        "LR4",
        for_all(b, (~is_replica(b)).implies(log_end[b].is_(0) & ~truncated[b])),
        "For LJ8: a broker that knows that it is no replica has no record, and does not follow.",
    ),
    lemma(
        "LR5",
        for_all(
            v,
            b,
            e,
            ((replica_under[b] < v) & (v <= partition_epoch) & ~b.in_(replicas_at[v]) & (_of_now | _of_late)).implies(
                epoch_at[v] <= e
            ),
        ),
        "For LJ8: a broker that will yet read that it was no replica is no candidate since an earlier epoch, once it has read it.",
    ),
    lemma(
        "LR6",
        for_all(v, ((v > 0) & (v <= partition_epoch) & (replicas_at[v] <= isr_at[v])).implies(was_enough[v])),
        "For LM19: where all replicas are in the ISR, they are enough.",
    ),
)
