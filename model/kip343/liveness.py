"""Liveness properties of KIP-343 (HI9, HI42 to HI44, M6, M8, M9), under fairness of the events that nothing holds up.

Fair is what the protocol itself does: time passes, timers fire, heartbeats and their answers arrive, ZooKeeper drops the
sessions of the dead, a controller takes office and deals with what it sees. Failures are not fair: a bound allows so many of
them. Weak fairness of deliveries is enough where messages are lost for a while only. Where a network goes on losing them, each
loss ends a delivery that was possible, so that a run in which none arrives is weakly fair: HI43 and HI44 assume strong fairness,
that of a message sent again and again one arrives again and again. A claim without a ranking is of all brokers at once: whenever
some wait, a time comes when none does, as a bound has so many failures. One with a ranking is of each broker, or partition, and
proved for any number of them and of failures.
"""

from __future__ import annotations

from fencepost.model.language import LeadsTo, Term, definition, empty, exists, helps, leads_to, phases, ranking

from .brokers import handles_traffic, watched
from .controller import valid
from .partitions import candidates, must_move
from .state import *

MEMBERSHIP = (
    "ControllerFailover", "SeeRegistration", "SeeDeregistration", "Heartbeat", "HeartbeatReply", "SendHeartbeat", "TimePasses",
    "ControllerTimer", "BrokerTimer", "ExpireSession",
)  # fmt: skip
"""The events by which brokers come and go at the controller."""

LEADING = (*MEMBERSHIP, "ElectLeader")
"""The same, with elections."""

_DELIVERIES = ("Heartbeat", "HeartbeatReply")
_BESIDE = tuple(event for event in MEMBERSHIP if event not in _DELIVERIES)


@definition
def waits(b: Term[Broker]) -> Term[bool]:
    """The broker is registered and heartbeats, and the controller has it Inactive."""
    return (
        running[b] & ~legacy[b] & registered[b].is_(own_incarnation[b]) & (registered[b] > 0) & state[b].is_(INACTIVE)
    )


@definition
def bounced(b: Term[Broker]) -> Term[bool]:
    """The broker has another znode than the one that the controller knows."""
    return registered[b] > incarnation[b]


@definition
def dead(b: Term[Broker]) -> Term[bool]:
    """The process is gone, and the controller has the broker in the cluster."""
    return ~running[b] & handles_traffic(b)


@definition
def overdue(b: Term[Broker]) -> Term[bool]:
    """The controller has the broker in the cluster, and has not heard of it for its timeout."""
    return watched(b) & (now > last_contact[b] + controller_timeout)


@definition
def shut_out(b: Term[Broker]) -> Term[bool]:
    """The broker heartbeats and takes no requests, though the controller has it in the cluster."""
    return running[b] & ~legacy[b] & fenced[b] & handles_traffic(b)


@definition
def stranded(p: Term[Partition]) -> Term[bool]:
    """The partition is led by a broker that is not Active, or has no leader, and a broker in its ISR is Active."""
    return controller & must_move(p) & ~empty(candidates(p))


def _passes(
    id: str, some_wait: Term[bool], fair: tuple[str, ...], about: str, source: str, strongly_fair: tuple[str, ...] = ()
) -> LeadsTo:
    return leads_to(id, some_wait, ~some_wait, fair, about, source, strongly_fair=strongly_fair)


LIVENESS: tuple[LeadsTo, ...] = (
    _passes("HI9", exists(b, waits(b)), MEMBERSHIP, "An Inactive broker that heartbeats becomes Active.", "S0:48"),
    _passes("M6", exists(b, bounced(b)), MEMBERSHIP, "A bounce is noticed.", "S0:26"),
    leads_to(
        "M9",
        dead(b),
        ~dead(b),
        ("ExpireSession", "SeeDeregistration", "ControllerFailover"),
        "Every dead broker becomes Inactive.",
        "S0:18,34,48",
        each=(b,),
        fair_by={"ExpireSession": b, "SeeDeregistration": b},
        by=ranking(
            helps("ExpireSession", registered[b] > 0),
            helps("SeeDeregistration", registered[b].is_(0) & controller),
            helps("ControllerFailover", registered[b].is_(0) & ~controller),
            ranks=(phases(registered[b].is_(0) & ~controller, registered[b].is_(0)),),
        ),
    ),
    leads_to(
        "HI42",
        overdue(b),
        ~overdue(b),
        ("ControllerTimer",),
        "A broker that is silent for the controller's timeout becomes Inactive, Active or Stopping, whatever becomes of its znode.",
        "S0:36,48",
        each=(b,),
        fair_by={"ControllerTimer": b},
        by=ranking(helps("ControllerTimer", overdue(b))),
    ),
    leads_to(
        "HI43",
        waits(b),
        ~waits(b),
        ("ControllerFailover", "SendHeartbeat", "HeartbeatReply"),
        "An Inactive broker becomes Active, however many messages are lost, as long as heartbeats arrive again and again.",
        "S0:18,48",
        each=(b,),
        strongly_fair=("Heartbeat",),
        fair_by={"SendHeartbeat": b, "HeartbeatReply": b, "Heartbeat": (b, valid)},
        finitely=("ControllerFails",),
        by=ranking(
            helps(
                "Heartbeat",
                valid,
                reached=ranking(
                    helps("ControllerFailover", ~controller),
                    helps("HeartbeatReply", controller & answered[b]),
                    helps("SendHeartbeat", controller & ~answered[b]),
                    ranks=(phases(controller), phases(~answered[b])),
                ),
            ),
            ranks=(phases(~asked[b] | asked_incarnation[b].is_(registered[b])),),
        ),
    ),
    _passes(
        "HI44",
        exists(b, shut_out(b)),
        _BESIDE,
        "A broker that the controller has in the cluster does not stay fenced, however many messages are lost, as long as "
        "heartbeats and answers arrive again and again.",
        "S0:42-44,50",
        _DELIVERIES,
    ),
    leads_to(
        "M8",
        stranded(p),
        ~stranded(p),
        ("ElectLeader",),
        "A leader that must be replaced is replaced, also across failovers.",
        "S0:34-36",
        each=(p,),
        fair_by={"ElectLeader": p},
        by=ranking(helps("ElectLeader", stranded(p))),
    ),
)
