"""Kafka's names of the tables' variables, by its records and images: for pages that operators read."""

from __future__ import annotations

from typing import Any

from fencepost.model.language.state import State
from fencepost.traces.in_words import DIRECTORIES

_OF_BROKERS = {
    "epoch": "brokerEpoch",
    "incarnation": "incarnationId",
    "in_controlled_shutdown": "inControlledShutdown",
    "directories": "logDirs",
    "ranges": "features",
    "cordoned": "cordonedLogDirs",
    "cordon_known": "reports cordonedLogDirs",
}
_OF_PARTITIONS = {
    "index": "partitionId",
    "removing": "removingReplicas",
    "adding": "addingReplicas",
    "leader_epoch": "leaderEpoch",
    "partition_epoch": "partitionEpoch",
    "recovery": "leaderRecoveryState",
    "elr": "eligibleLeaderReplicas",
    "elr_disordered": "eligibleLeaderReplicas unordered",
    "last_known": "lastKnownElr",
    "last_nobody": "lastKnownElr has -1",
    "location": "directories",
    "elr_index": "brokersToElrs",
}
_OF_TOPICS = {
    "min_insync": "min.insync.replicas",
    "own_min_insync": "min.insync.replicas is set",
    "unclean": "unclean.leader.election.enable",
    "own_unclean": "unclean.leader.election.enable is set",
    "replication": "replication factor",
}
_OF_THE_CLUSTER = {
    "metadata_version": "metadata.version",
    "elr_version": "eligible.leader.replicas.version",
    "kraft_version": "kraft.version",
    "in_transaction": "in a metadata transaction",
    "next_producer_id": "nextProducerId",
    "cluster_min_insync": "min.insync.replicas",
    "cluster_min_set": "min.insync.replicas is set",
    "cluster_unclean": "unclean.leader.election.enable",
}
_OF_NODES = {"controller_incarnation": "incarnationId", "controller_ranges": "features"}
_BY_SORT = {
    "": _OF_THE_CLUSTER,
    "Broker": _OF_BROKERS,
    "Partition": _OF_PARTITIONS,
    "Topic": _OF_TOPICS,
    "Node": _OF_NODES,
}

_RANGE = {"name", "minSupportedVersion", "maxSupportedVersion"}


def kafka_name(state: State[Any]) -> str:
    """Return what a variable of the tables is called in Kafka; its own name where Kafka has none."""
    sort = str(state.keys[0]) if state.keys else ""
    return _BY_SORT.get(sort, {}).get(state.name, state.name)


def told(value: Any) -> str:
    """Return a value that means something by its meaning, empty for others: reserved ids of log directories."""
    return DIRECTORIES.get(value, "") if isinstance(value, str) else ""


def range_text(fields: tuple[tuple[str, Any], ...]) -> str:
    """Return a struct of the wire that is the range of a feature as text, empty for another one."""
    said = dict(fields)
    if said.keys() != _RANGE:
        return ""
    return f"{said['name']} {said['minSupportedVersion']} to {said['maxSupportedVersion']}"
