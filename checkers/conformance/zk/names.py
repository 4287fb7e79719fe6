"""The names of states, strategies and refusals in logs, with those of the tables."""

from __future__ import annotations

from fencepost.model.zk.outcomes import Outcome
from fencepost.model.zk.state import PartitionState, ReplicaState, Strategy
from fencepost.traces.zk import Cause
from fencepost.traces.zk.causes import (
    ElectionByNewerController,
    ElectionFailed,
    InvalidPartitionTransition,
    InvalidReplicaTransition,
    NoLeadership,
    NoLiveReplica,
    NothingToLeave,
    ReplicaLeads,
    WrittenByNewerController,
)

PARTITION_STATES = {
    "NewPartition": PartitionState.NEW,
    "OnlinePartition": PartitionState.ONLINE,
    "OfflinePartition": PartitionState.OFFLINE,
    "NonExistentPartition": PartitionState.NONEXISTENT,
}
REPLICA_STATES = {
    "NewReplica": ReplicaState.NEW,
    "OnlineReplica": ReplicaState.ONLINE,
    "OfflineReplica": ReplicaState.OFFLINE,
    "ReplicaDeletionStarted": ReplicaState.DELETION_STARTED,
    "ReplicaDeletionSuccessful": ReplicaState.DELETION_SUCCESSFUL,
    "ReplicaDeletionIneligible": ReplicaState.DELETION_INELIGIBLE,
    "NonExistentReplica": ReplicaState.NONEXISTENT,
}

STRATEGIES = {
    PartitionState.NEW: (Strategy.OFFLINE,),
    PartitionState.ONLINE: (Strategy.PREFERRED, Strategy.SHUTDOWN, Strategy.REASSIGN, Strategy.UNCLEAN),
    PartitionState.OFFLINE: tuple(Strategy),
    PartitionState.NONEXISTENT: tuple(Strategy),
}
"""The strategies of a change to Online, by the state before: only a partition without a leader waits for one."""

DONE = frozenset({Outcome.DONE})
FAILED = frozenset(Outcome) - DONE

_MEANINGS: dict[type, Outcome] = {
    InvalidPartitionTransition: Outcome.ILLEGAL,
    InvalidReplicaTransition: Outcome.ILLEGAL,
    ElectionFailed: Outcome.NO_LEADER,
    NoLiveReplica: Outcome.NO_LEADER,
    NoLeadership: Outcome.NO_STATE,
    NothingToLeave: Outcome.NO_STATE,
    ElectionByNewerController: Outcome.NEWER_CONTROLLER,
    WrittenByNewerController: Outcome.NEWER_CONTROLLER,
    ReplicaLeads: Outcome.IS_LEADER,
}
_EXCEPTIONS = {
    # A fenced controller first gets this error: it found its own znode, since the answer to its first try was lost.
    "NodeExistsException": Outcome.SESSION_EXPIRED,
    "NoNodeException": Outcome.NO_STATE,
    "SessionExpiredException": Outcome.SESSION_EXPIRED,
    "ZooKeeperClientExpiredException": Outcome.SESSION_EXPIRED,
    "ConnectionLossException": Outcome.SESSION_EXPIRED,
    "AuthFailedException": Outcome.SESSION_EXPIRED,
    "ZooKeeperClientAuthFailedException": Outcome.SESSION_EXPIRED,
    "ControllerMovedException": Outcome.EPOCH_MOVED,
}
_STRATEGIES = {
    "OfflinePartitionLeaderElectionStrategy": Strategy.OFFLINE,
    "ReassignPartitionLeaderElectionStrategy": Strategy.REASSIGN,
    "PreferredReplicaPartitionLeaderElectionStrategy": Strategy.PREFERRED,
    "ControlledShutdownPartitionLeaderElectionStrategy": Strategy.SHUTDOWN,
}


def outcomes_of(cause: Cause | None) -> frozenset[Outcome]:
    """Return what a failed attempt may have come to: the one thing that its exception says, or any failure."""
    if cause is None:
        return FAILED
    meaning = cause.meaning
    outcome = _MEANINGS.get(type(meaning)) if meaning is not None else _EXCEPTIONS.get(cause.name)
    return FAILED if outcome is None else frozenset({outcome})


def strategy_of(cause: Cause | None) -> Strategy | None:
    """Return the strategy that an election failed under, None where the exception does not say it."""
    meaning = None if cause is None else cause.meaning
    if isinstance(meaning, InvalidPartitionTransition):
        return None
    if not isinstance(meaning, ElectionFailed):
        return None
    found = _STRATEGIES.get(meaning.strategy)
    return Strategy.UNCLEAN if found is Strategy.OFFLINE and meaning.unclean else found
