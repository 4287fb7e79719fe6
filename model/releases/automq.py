"""AutoMQ 1.7 as edits of Kafka 3.9: a partition has one replica, and moves to another broker in one record.

Read in its public source (ReplicationControlManager, PartitionChangeBuilder and LoadAwarePartitionLeaderSelector of tag
1.7.3); no log of a running one was seen. A partition that moves has no leader until the broker that opened it asks for an
election.
"""

from __future__ import annotations

from dataclasses import replace

from fencepost.model.kraft import KRAFT
from fencepost.model.kraft.builder import NO_ONE, NOBODY, Election, change
from fencepost.model.kraft.cluster_records import TOPIC_MIN_INSYNC
from fencepost.model.kraft.reassignment import target
from fencepost.model.kraft.records import FENCE, IN_CONTROLLED_SHUTDOWN, PARTITION_CHANGE, REPLICAS, UNFENCE
from fencepost.model.kraft.state import *
from fencepost.model.kraft.state import b as broker
from fencepost.model.kraft.topics import n, new
from fencepost.model.language import (
    ANY,
    BOOL,
    Event,
    Row,
    Term,
    Threshold,
    absent,
    always,
    each,
    else_,
    every,
    exists,
    forall,
    head,
    let,
    literal,
    next_,
    nobody,
    only,
    only_if,
    per,
    present,
    step,
)
from fencepost.model.language.effects import Applied, Effect, Only, Together, Write, procedure
from fencepost.model.language.records import said
from fencepost.model.language.terms import TRUE, Lit

from .edits import OfEvent, Other, OtherProcedure, Redefine, Without
from .fork import OfFork, betrayed
from .kraft import KAFKA_39
from .release import Difference

FENCING = ("HB1", "HB4", "HB5", "HB7", "HB10", "F1")
"""The rows that fence a broker of which no log directory fails: it has none."""

# -- partitions that move ----------------------------------------------------------------------------------------------
moved_to = per(
    PARTITION,
    "moved_to",
    BROKER,
    ANY,
    what="fixed",
    about="the broker that gets a partition whose own is fenced, stops or is unregistered",
)
_moves = exists_[p] & broker.in_(isr[p])
_others = let("other_brokers", exists(x, active_broker(x) & x.isnt(broker)))
to_another = let(
    "to_another", _others.implies(forall(p, _moves.implies(active_broker(moved_to[p]) & moved_to[p].isnt(broker))))
)
"""Partitions of a broker that goes move to other active ones; where there is none they stay."""
_RECOVERED = literal(Recovery.RECOVERED)


@procedure(broker)
def moves(b: Term[Broker]) -> object:
    """Another active broker becomes the only replica and the ISR of each of the broker's partitions, without a leader."""
    to = only(moved_to[p])
    return (
        every(
            p,
            _moves & _others,
            PARTITION_CHANGE(
                p,
                isr=to,
                leader=NO_ONE,
                replicas=to,
                recovery=said(_RECOVERED, if_=recovery[p].isnt(_RECOVERED)),
                directories=said(each(x, to, else_(location[p, x], default_directory(x))), if_=mv >= 17),
            ),
        ),
        every(p, _moves & ~_others, PARTITION_CHANGE(p, leader=said(NO_ONE, if_=present(leader[p])))),
    )


@procedure(broker)
def hand_over(b: Term[Broker]) -> object:
    """handleBrokerFenced: the partitions move, then the broker is fenced."""
    return moves(b), FENCE(b, epoch=epoch[b])


@procedure(broker)
def take(b: Term[Broker]) -> object:
    """handleBrokerUnfenced: partitions without a leader and without an active replica move to the broker."""
    return (
        UNFENCE(b, epoch=epoch[b]),
        every(
            p,
            exists_[p] & absent(leader[p]) & ~exists(x, x.in_(replicas[p]) & active_broker(x)),
            change(p, only(b), NOBODY, target=only(b), target_recovery=_RECOVERED),
        ),
    )


at_once = BOOL.var("at_once")


@procedure(broker, at_once)
def stop(b: Term[Broker], at_once: Term[bool]) -> object:
    """handleBrokerInControlledShutdown: the broker is marked; its partitions move at once, or, from 1.8 on, later."""
    return only_if(~ics[b], IN_CONTROLLED_SHUTDOWN(b, epoch=epoch[b])), only_if(at_once, moves(b))


def _moving(event: Event) -> Event:
    """The event, whose records betray which broker gets a partition."""
    new = betrayed(moved_to[p], head(REPLICAS.over(replicas[p])))(event)
    return replace(new, given=new.given & to_another)


def _stopping(event: Event) -> Event:
    return replace(event, params=(*event.params, at_once))


# -- one replica -------------------------------------------------------------------------------------------------------
def single(some: Term[tuple[Broker, ...]]) -> Term[bool]:
    """Return whether a list of brokers has exactly one."""
    return present(head(some)) & some.is_(only(head(some)))


def _with_minimum(row: Row) -> Row:
    """CT3, which sets min.insync.replicas to 1 whatever the request says."""

    def other(effect: Effect) -> Effect:
        if isinstance(effect, Together):
            return replace(effect, body=tuple(map(other, effect.body)))
        written = effect.body[0] if isinstance(effect, Only) else None
        if isinstance(written, Write) and written.record is TOPIC_MIN_INSYNC:
            return TOPIC_MIN_INSYNC(n, value=Lit(Threshold(1), SIZE))
        return effect

    return replace(row, effects_=tuple(map(other, row.effects)))


def _reassigning(row: Row) -> Row:
    """RA3: the partition moves to the broker that is named, without a leader."""
    (staged,) = row.effects
    assert isinstance(staged, Applied)
    moved = change(p, target, NOBODY, election=literal(Election.ONLINE), target=target, target_recovery=_RECOVERED)
    return replace(row, effects_=(only_if(target.isnt(replicas[p]), replace(moved, procedure=staged.procedure)),))


ONE_REPLICA = Redefine("well_placed", lambda body: body & forall(p, topic[p].is_(t).implies(single(placed[p]))))
"""A placement has one replica for each partition: that of the controller, and that of a request."""

AUTOMQ_17 = OfFork(
    "automq-1.7",
    KRAFT,
    KAFKA_39,
    (
        Difference(
            "one-replica",
            "A partition has one replica, and a topic min.insync.replicas 1.",
            "An assignment may name several.",
            "AutoMQ 1.7.3, ReplicationControlManager.createTopics and changePartitionReassignmentV2",
            "min.insync.replicas 1 with every topic that is created",
            (
                ONE_REPLICA,
                Redefine("badly_placed", lambda body: body | exists(p, new & ~single(placed[p]))),
                OfEvent("CreateTopic", lambda event: replace(event, given=ONE_REPLICA.rewriting(event.given))),
                Other("CT3", _with_minimum),
            ),
        ),
        Difference(
            "fence-hands-over",
            "Where a broker is fenced or unregistered, another active broker becomes the only replica and the ISR of each of its "
            "partitions, without a leader; where there is none, the partition loses its leader alone.",
            "It leaves the ISR of its partitions, which elect other leaders.",
            "AutoMQ 1.7.3, ReplicationControlManager.generateLeaderAndIsrUpdates",
            "a change of replicas, ISR and directories without a leader, in front of a fence",
            (
                OtherProcedure("fence", hand_over, FENCING),
                OtherProcedure("leave", moves, ("UR3",)),
                OfEvent("Heartbeat", _moving),
                OfEvent("FenceStaleBroker", _moving),
                OfEvent("UnregisterBroker", _moving),
            ),
        ),
        Difference(
            "stop-hands-over",
            "The partitions of a broker that shuts down move so at once; from 1.8 on they move later.",
            "It leaves the ISR of its partitions, which elect other leaders.",
            "AutoMQ 1.7.3 and main, ReplicationControlManager.handleBrokerInControlledShutdown",
            "a controlled shutdown with changes of replicas, or without any",
            (OtherProcedure("shut_down", stop, ("HB6",), (at_once,)), OfEvent("Heartbeat", _stopping)),
        ),
        Difference(
            "unfence-takes",
            "A broker that is unfenced gets the partitions without a leader that have no active replica.",
            "Partitions without a leader elect one.",
            "AutoMQ 1.7.3, ReplicationControlManager.handleBrokerUnfenced",
            "a change of replicas and ISR without a leader behind an unfence",
            (OtherProcedure("unfence", take, ("HB2",)),),
        ),
        Difference(
            "reassigned-at-once",
            "A reassignment moves the partition in one record, without a leader.",
            "Replicas are added and removed once they are in sync.",
            "AutoMQ 1.7.3, ReplicationControlManager.changePartitionReassignmentV2",
            "a change of replicas and ISR that adds and removes none",
            (Redefine("bad_target", lambda body: body | ~single(target)), Other("RA3", _reassigning)),
        ),
        Difference(
            "no-preferred-leaders",
            "The controller does not look for preferred leaders by itself.",
            "It does.",
            "AutoMQ 1.7.3, ReplicationControlManager.maybeBalancePartitionLeaders",
            "nothing: there is one replica",
            (Without(("BA1",)),),
        ),
        Difference(
            "no-directories",
            "A leader needs no log directory that is online.",
            "It needs one.",
            "AutoMQ 1.7.3, ReplicationControlManager.LeaderAcceptor",
            "a leader whose directory is not one of its broker's",
            (Redefine("online", lambda body: TRUE),),
        ),
    ),
    (
        "A broker whose log directory fails at the same time is fenced as Kafka's is: it has none.",
        "From 1.8 on the partitions of a broker that shuts down move in batches of their own, each as by a reassignment.",
    ),
    "AutoMQ 1.7",
    ("P21r", "P29", "P34", "B15", "C13"),
    own=(
        always(
            "AQ1",
            forall(
                p,
                exists_[p].implies(
                    single(replicas[p])
                    & isr[p].is_(replicas[p])
                    & (adding[p] | removing[p] | elr[p]).is_(nobody(BROKER))
                ),
            ),
            "A partition has one replica, which is in sync.",
            "AutoMQ 1.7.3, PartitionChangeBuilder.setTargetNode",
        ),
        step(
            "AQ2",
            forall(
                p,
                (exists_[p] & next_(exists_[p]) & replicas[p].isnt(next_(replicas[p]))).implies(
                    absent(next_(leader[p])) & next_(leader_epoch[p]).is_(leader_epoch[p] + 1)
                ),
            ),
            "A partition that moves has no leader at first, and a higher leader epoch.",
            "AutoMQ 1.7.3, ReplicationControlManager",
        ),
    ),
)
