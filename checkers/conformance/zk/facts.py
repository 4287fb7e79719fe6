"""Facts about ZooKeeper-era recordings beside the tables: variables, events and rows that no line ever shows."""

from __future__ import annotations

from fencepost.model.language import Row

UNTOLD = frozenset(
    {
        "call",
        "about",
        "subjects",
        "returning",
        "due",
        "due_replicas",
        "aim",
        "resumed",
        "told",
        "stopped",
        "erased",
        "informed",
        "sees",
    }
)
"""The variables of the event thread and of messages under way: known for one event where a line shows them."""

OF_BROKERS = frozenset({"heard", "applied", "leads", "follows", "hosts", "sees"})
"""The variables that only a broker's own file shows, whose order against the other files is not known."""

IN_LINES = frozenset(
    {
        "LeaderAndIsr",
        "LeaderAndIsrFails",
        "LeaderAndIsrOffline",
        "PartitionState",
        "ReplicaState",
        "StopReplica",
        "StopReplicaDelete",
        "StopReplicaDeleteOffline",
        "StopReplicaOffline",
        "UpdateMetadata",
    }
)
"""Events that have a line in `state-change.log`, whether they change anything or are refused."""

IN_ZNODES = frozenset(
    {
        "AlterPartition",
        "BrokerGone",
        "CreateTopic",
        "DeleteController",
        "DeleteTopicZnodes",
        "Elect",
        "RegisterBroker",
        "SessionExpired",
        "UpdateAssignment",
        "UpdateLeaderEpoch",
    }
)
"""Events that are seen by what they leave in ZooKeeper; a row that changes nothing there leaves nothing."""


def is_told(row: Row) -> bool:
    """Whether a recording could show a row: the others lead from call to call of an operation, or only answer."""
    if row.event.name in IN_LINES:
        return True
    changed = (update.target.state for stage in row.stages for update in stage.updates)
    return row.event.name in IN_ZNODES and any(state.what == "hard" for state in changed)
