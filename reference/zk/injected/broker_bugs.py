"""Bugs of what leaders ask and of what brokers take: AlterPartition and StopReplica."""

from __future__ import annotations

from typing import Any

from fencepost.reference.simulator.patching import Injection
from fencepost.reference.zk.broker.hosted import HostedPartition, Proposal
from fencepost.reference.zk.broker.leading import Leading
from fencepost.reference.zk.broker.replica_manager import ReplicaManager
from fencepost.reference.zk.controller.alter_partition import AlterPartition
from fencepost.reference.zk.messages import NONE, AlterPartitionRequest, Error
from fencepost.reference.zk.names import Leadership, TopicPartition


def _never_stale(self: ReplicaManager, current: int, requested: int) -> bool:
    return False


def _all_eligible(self: AlterPartition, request: AlterPartitionRequest) -> Error:
    return NONE


def _nothing_repeated(self: AlterPartition, request: AlterPartitionRequest, now: Leadership) -> bool:
    return False


def _fences_who_is_ahead(self: AlterPartition, request: AlterPartitionRequest, now: Leadership) -> Error:
    error = _refused(self, request, now)
    if error != "NOT_CONTROLLER":
        return error
    return "FENCED_LEADER_EPOCH" if request.leader_epoch > now.leader_epoch else "INVALID_UPDATE_VERSION"


_refused = AlterPartition.refused


def _takes_any_answer(self: Leading, partition: TopicPartition, proposal: Proposal) -> HostedPartition | None:
    return None if self.over else self.replicas.hosted.get(partition)


def _bug(name: str, source: str, wrong: str, *patches: tuple[Any, str, Any]) -> Injection:
    return Injection(name, source, wrong, patches)


BUGS = (
    _bug(
        "Z20", "KAFKA-9539", "a late StopReplica stops a replica that was added again since",
        (ReplicaManager, "stale_stop_replica", _never_stale),
    ),
    _bug(
        "Z21", "KAFKA-14140", "replicas that are down or shutting down may become in sync",
        (AlterPartition, "ineligible", _all_eligible),
    ),
    _bug(
        "Z22", "KAFKA-14144", "who asks again because the answer was lost is refused",
        (AlterPartition, "repeated", _nothing_repeated),
    ),
    _bug(
        "Z23", "KAFKA-14154", "an old controller fences a leader that knows more than it",
        (AlterPartition, "refused", _fences_who_is_ahead),
    ),
    _bug(
        "Z26", "KAFKA-12686", "a leader takes the answer to an earlier proposal for that to its present one",
        (Leading, "_pending", _takes_any_answer),
    ),
)  # fmt: skip
"""The bugs of this group."""
