"""Defects put into a running cluster from outside, so that the design's own text stays free of them."""

from __future__ import annotations

from fencepost.reference.simulator.patching import Injection

from .broker import Broker
from .controller import Controller
from .names import NOT_REGISTERED, BrokerState, IsrChange, MetadataHeartbeatResponse


def _never_old(self: Controller, broker: int, incarnation: int) -> bool:
    """Take any incarnation for the newest."""
    if incarnation < self.memory.incarnation[broker]:
        self.memory.incarnation[broker] = incarnation
    return False


def _anybody(self: Controller, broker: int, incarnation: int) -> bool:
    return True


def _anybody_leads(self: Controller, broker: int, change: IsrChange) -> bool:
    return True


def _in_any_epoch(self: Controller, broker: int, change: IsrChange) -> bool:
    return broker == self.memory.leader[change.partition]


def _any_isr(self: Controller, broker: int, change: IsrChange) -> bool:
    return True


def _while_handling_requests(self: Controller, broker: int) -> bool:
    return self.memory.state[broker].handles_requests


def _as_any_other(self: Controller, broker: int) -> bool:
    return self.memory.state[broker].handles_requests


def _forgets_the_incarnation(self: Controller, broker: int) -> None:
    _forget(self, broker)
    self.memory.incarnation[broker] = NOT_REGISTERED


_forget = Controller.forget


def _begins_with_all_active(self: Controller, broker: int) -> None:
    _begin_with(self, broker)
    if self.memory.registered[broker] != NOT_REGISTERED:
        self.memory.state[broker] = BrokerState.ACTIVE


_begin_with = Controller.begin_with


def _any_answer(self: Broker, response: MetadataHeartbeatResponse) -> bool:
    return True


def _goes_on(self: Broker) -> None:
    """Serve on, whatever the controller has decided meanwhile."""


BUGS: dict[str, Injection] = {
    one.name: one
    for one in (
        Injection(
            "two-isr-writers",
            "bug museum, S-a: nothing else protects a partition between the two timeouts",
            "the controller takes an ISR change from a broker that leads no more",
            ((Controller, "leads", _anybody_leads),),
        ),
        Injection(
            "leader-epoch-ignored",
            "bug museum, S-a",
            "the controller takes an ISR change of an earlier epoch of the same leader",
            ((Controller, "leads", _in_any_epoch),),
        ),
        Injection(
            "old-incarnation-heartbeats",
            "S0:56",
            "the heartbeat of an earlier incarnation is taken, and that incarnation for the present one",
            ((Controller, "is_old", _never_old),),
        ),
        Injection(
            "incarnation-of-isr-change-unchecked",
            "S0:118",
            "the controller takes an ISR change whatever incarnation the leader has",
            ((Controller, "is_current", _anybody),),
        ),
        Injection(
            "empty-isr", "S0:124", "the controller accepts an empty ISR", ((Controller, "is_valid_isr", _any_isr),)
        ),
        Injection(
            "stopping-takes-leaders",
            "S0:36",
            "a broker in controlled shutdown becomes leader",
            ((Controller, "may_take_leaders", _while_handling_requests),),
        ),
        Injection(
            "legacy-times-out",
            "S0:138",
            "a legacy broker is declared inactive for its silence",
            ((Controller, "may_time_out", _as_any_other),),
        ),
        Injection(
            "incarnation-forgotten",
            "S0:56",
            "with the registration the controller forgets the incarnation, and takes an old one for new",
            ((Controller, "forget", _forgets_the_incarnation),),
        ),
        Injection(
            "active-at-failover",
            "S0:34",
            "a new controller holds all registered brokers for active, dead ones too",
            ((Controller, "begin_with", _begins_with_all_active),),
        ),
        Injection(
            "error-is-contact",
            "S0:54",
            "a broker takes any answer for contact, so that an old incarnation serves for ever",
            ((Broker, "is_contact", _any_answer),),
        ),
        Injection(
            "never-fences",
            "S0:42",
            "a broker cut off from the controller goes on serving",
            ((Broker, "fence", _goes_on),),
        ),
    )
}
"""All defects by name."""
