"""Defects that are put into the second version from outside, so that its own text stays free of them."""

from __future__ import annotations

from dataclasses import replace

from fencepost.reference.kip631.defects import SHARED
from fencepost.reference.simulator.patching import Injection

from .broker import WishBroker
from .controller import WishController
from .messages import AlterIsrRequest, HeartbeatAnswer, HeartbeatRequest, RegisterRequest

_heartbeat = WishController.heartbeat
_register = WishController.register


def _numbers_by_what_is_committed(self: WishController) -> int:
    return self.log.committed.value


def _takes_any_epoch(self: WishController, request: HeartbeatRequest) -> bool:
    return not self.registered[request.broker]


def _takes_any_metadata(self: WishController, request: HeartbeatRequest) -> bool:
    return True


def _hears_no_wish_to_be_fenced(self: WishController, request: HeartbeatRequest) -> HeartbeatAnswer:
    return _heartbeat(self, replace(request, want_fence=False))


def _lets_leaders_go(self: WishController, request: HeartbeatRequest) -> bool:
    return request.want_shutdown


def _takes_any_cluster(self: WishController, request: RegisterRequest) -> str:
    return _register(self, replace(request, cluster=True))


def _knows_no_incarnation(self: WishController, broker: int, incarnation: int) -> bool:
    return False


def _takes_anybody_as_leader(self: WishController, request: AlterIsrRequest) -> bool:
    return self.leader[request.partition] is not None


def _takes_any_leader_epoch(self: WishController, request: AlterIsrRequest) -> bool:
    return self.leader[request.partition] == request.broker


def _answers_what_was_asked(self: WishController, request: AlterIsrRequest) -> frozenset[int]:
    return request.isr


def _is_complete_with_the_first(self: WishController, partition: int, isr: frozenset[int]) -> bool:
    adding, removing = self.adding[partition], self.removing[partition]
    return bool(adding | removing) and (not adding or bool(adding & isr)) and bool(isr - removing)


def _keeps_logs(self: WishBroker) -> None:
    pass


BUGS: dict[str, Injection] = {
    one.name: one
    for one in (
        Injection(
            "S-e",
            "S2:34",
            "a broker's epoch is the latest committed offset: two registrations may get the same",
            ((WishController, "new_epoch", _numbers_by_what_is_committed),),
        ),
        Injection(
            "stale-epoch",
            "S2:52",
            "a heartbeat of an earlier process counts for the one that is registered now",
            ((WishController, "is_stale", _takes_any_epoch),),
        ),
        Injection(
            "any-metadata",
            "S2:60",
            "a broker is unfenced before its metadata are current",
            ((WishController, "is_caught_up", _takes_any_metadata),),
        ),
        Injection(
            "want-fence-ignored",
            "S2:59",
            "a broker that wants to be fenced is not",
            ((WishController, "heartbeat", _hears_no_wish_to_be_fenced),),
        ),
        Injection(
            "shutdown-while-leading",
            "S2:65",
            "a broker is let go while it leads partitions",
            ((WishController, "may_shut_down", _lets_leaders_go),),
        ),
        Injection(
            "any-cluster",
            "S2:260",
            "a broker of another cluster is registered",
            ((WishController, "register", _takes_any_cluster),),
        ),
        Injection(
            "new-epoch-each-time",
            "S2:53",
            "a process that asks again is registered again, fenced and under another epoch",
            ((WishController, "is_registered", _knows_no_incarnation),),
        ),
        Injection(
            "isr-of-anybody",
            "S2:94",
            "a broker that does not lead a partition changes its replicas in sync",
            ((WishController, "is_leader", _takes_anybody_as_leader),),
        ),
        Injection(
            "stale-leader-epoch",
            "S2:95",
            "a leader changes the replicas in sync by a request of an earlier epoch",
            ((WishController, "is_leader", _takes_any_leader_epoch),),
        ),
        Injection(
            "first-completes",
            "S2:89",
            "a reassignment is complete with the first replica that it brings",
            ((WishController, "is_complete", _is_complete_with_the_first),),
        ),
        Injection(
            "answers-as-asked",
            "S2:94",
            "the answer to an alterIsr that completes a reassignment names the replicas that were asked for",
            ((WishController, "applied", _answers_what_was_asked),),
        ),
        Injection(
            "logs-not-compared",
            "S2:281",
            "a broker that starts keeps the logs of topics whose deletion a snapshot hides",
            ((WishBroker, "compare_logs", _keeps_logs),),
        ),
        *SHARED,
    )
}
"""All defects by name."""
