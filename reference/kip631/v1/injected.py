"""Defects that are put into the first version from outside, so that its own text stays free of them."""

from __future__ import annotations

from fencepost.reference.kip631.defects import SHARED
from fencepost.reference.simulator.patching import Injection

from .broker import LeaseBroker
from .controller import LeaseController
from .messages import FENCED, HeartbeatAnswer, HeartbeatRequest

_heartbeat, _extended = LeaseBroker.heartbeat, LeaseController.extended


def _unfences_at_once(self: LeaseController, request: HeartbeatRequest) -> HeartbeatAnswer:
    if request.current == FENCED and self.fenced[request.broker]:
        self.unfence(request.broker)
    if self.fenced[request.broker]:
        return HeartbeatAnswer(FENCED, 0)
    return self.extended(request.broker)


def _counts_from_the_answer(self: LeaseBroker, sent: int, lease: int) -> int:
    return self.now + lease


def _forgets_the_longer(self: LeaseController, broker: int) -> HeartbeatAnswer:
    self.lease_end[broker] = -1
    return _extended(self, broker)


def _extends_unasked(self: LeaseBroker) -> None:
    if self.own.lease_end[self.id] >= 0:
        self.own.lease_end[self.id] = self.now + self.settings.session
    _heartbeat(self)


def _takes_any_epoch(self: LeaseController, request: HeartbeatRequest) -> bool:
    return not self.registered[request.broker]


def _takes_any_order(self: LeaseController, request: HeartbeatRequest) -> bool:
    return False


def _knows_no_incarnation(self: LeaseController, broker: int, incarnation: int) -> bool:
    return False


BUGS: dict[str, Injection] = {
    one.name: one
    for one in (
        Injection(
            "S-f",
            "S2:443",
            "one heartbeat is enough: a broker is unfenced that may never learn of its lease",
            ((LeaseController, "lease", _unfences_at_once),),
        ),
        Injection(
            "S-f-lease",
            "S2:43",
            "a broker counts its lease from the answer, so it ends after the controller's",
            ((LeaseBroker, "end_of_lease", _counts_from_the_answer),),
        ),
        Injection(
            "shorter-promise",
            "S2:43",
            "the controller goes by the lease that it gave last, and forgets a longer one",
            ((LeaseController, "extended", _forgets_the_longer),),
        ),
        Injection(
            "unasked-lease",
            "S2:43",
            "a broker extends its lease when it sends a heartbeat, whatever becomes of that",
            ((LeaseBroker, "heartbeat", _extends_unasked),),
        ),
        Injection(
            "stale-epoch",
            "S2:34",
            "a heartbeat of an earlier process counts for the one that is registered now",
            ((LeaseController, "is_stale", _takes_any_epoch),),
        ),
        Injection(
            "reordered-heartbeat",
            "S2:447",
            "a heartbeat that was overtaken counts",
            ((LeaseController, "is_reordered", _takes_any_order),),
        ),
        Injection(
            "new-epoch-each-time",
            "S2:35",
            "a process that asks again is registered again, fenced and under another epoch",
            ((LeaseController, "is_registered", _knows_no_incarnation),),
        ),
        *SHARED,
    )
}
"""All defects by name."""
