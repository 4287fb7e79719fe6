"""The znodes of a Kafka cluster: their paths and contents, in Kafka's own JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .names import RECOVERED, Leadership, ReplicaAssignment, TopicPartition

CONTROLLER = "/controller"
CONTROLLER_EPOCH = "/controller_epoch"
BROKER_IDS = "/brokers/ids"
TOPICS = "/brokers/topics"
TOPIC_CONFIGS = "/config/topics"
DELETE_TOPICS = "/admin/delete_topics"
REASSIGN_PARTITIONS = "/admin/reassign_partitions"
PREFERRED_ELECTION = "/admin/preferred_replica_election"
ISR_CHANGES = "/isr_change_notification"
LOG_DIR_EVENTS = "/log_dir_event_notification"

PERSISTENT = (
    "/consumers", "/brokers", BROKER_IDS, TOPICS, "/config", "/config/changes", "/admin", DELETE_TOPICS,
    "/brokers/seqid", ISR_CHANGES, "/latest_producer_id_block", LOG_DIR_EVENTS, TOPIC_CONFIGS, "/config/clients",
    "/config/users", "/config/brokers", "/config/ips", "/cluster",
)  # fmt: skip
"""The znodes that the first broker makes, in its order."""


def broker_path(broker: int) -> str:
    """Return the path of a broker's registration."""
    return f"{BROKER_IDS}/{broker}"


def topic_path(topic: str) -> str:
    """Return the path of a topic's assignment."""
    return f"{TOPICS}/{topic}"


def state_path(partition: TopicPartition) -> str:
    """Return the path of a partition's leadership."""
    return f"{TOPICS}/{partition.topic}/partitions/{partition.partition}/state"


def deletion_path(topic: str) -> str:
    """Return the path of the wish that a topic be deleted."""
    return f"{DELETE_TOPICS}/{topic}"


def config_path(topic: str) -> str:
    """Return the path of a topic's configuration."""
    return f"{TOPIC_CONFIGS}/{topic}"


# -- contents ----------------------------------------------------------------------------------------------------------
def controller_data(broker: int, time_ms: int) -> dict[str, Any]:
    """Return what /controller holds."""
    return {"version": 2, "brokerid": broker, "timestamp": str(time_ms), "kraftControllerEpoch": -1}


def broker_data(broker: int, time_ms: int) -> dict[str, Any]:
    """Return what a broker's registration holds."""
    port = broker_port(broker)
    return {
        "features": {},
        "listener_security_protocol_map": {"PLAINTEXT": "PLAINTEXT"},
        "endpoints": [f"PLAINTEXT://127.0.0.1:{port}"],
        "jmx_port": -1,
        "port": port,
        "host": "127.0.0.1",
        "version": 5,
        "timestamp": str(time_ms),
    }


def broker_port(broker: int) -> int:
    """Return the port on which a broker says to listen."""
    return 18190 + broker


def topic_data(topic_id: str, assignments: Mapping[int, ReplicaAssignment]) -> dict[str, Any]:
    """Return what a topic's znode holds: the replicas of each partition, and which come and go."""
    return {
        "partitions": {str(number): list(one.replicas) for number, one in assignments.items()},
        "topic_id": topic_id,
        "adding_replicas": {str(number): list(one.adding) for number, one in assignments.items() if one.adding},
        "removing_replicas": {str(number): list(one.removing) for number, one in assignments.items() if one.removing},
        "version": 3,
    }


def assignments_of(data: Mapping[str, Any]) -> dict[int, ReplicaAssignment]:
    """Read a topic's znode: partition number to assignment."""
    adding, removing = data["adding_replicas"], data["removing_replicas"]
    return {
        int(number): ReplicaAssignment(tuple(replicas), tuple(adding.get(number, ())), tuple(removing.get(number, ())))
        for number, replicas in data["partitions"].items()
    }


def leadership_data(leadership: Leadership) -> dict[str, Any]:
    """Return what a partition's state znode holds; the recovery state only where it says something."""
    recovery = {} if leadership.recovery == RECOVERED else {"leader_recovery_state": leadership.recovery}
    return {
        "controller_epoch": leadership.controller_epoch,
        "leader": leadership.leader,
        "version": 1,
        **recovery,
        "leader_epoch": leadership.leader_epoch,
        "isr": list(leadership.isr),
    }


def leadership_of(data: Mapping[str, Any], version: int) -> Leadership:
    """Read a partition's state znode of a version."""
    return Leadership(
        leader=data["leader"],
        leader_epoch=data["leader_epoch"],
        isr=tuple(data["isr"]),
        controller_epoch=data["controller_epoch"],
        version=version,
        recovery=data.get("leader_recovery_state", RECOVERED),
    )


def reassignment_data(targets: Mapping[TopicPartition, tuple[int, ...]]) -> dict[str, Any]:
    """Return what /admin/reassign_partitions holds."""
    return {
        "version": 1,
        "partitions": [
            {"topic": one.topic, "partition": one.partition, "replicas": list(target)}
            for one, target in targets.items()
        ],
    }


def reassignments_of(data: Mapping[str, Any]) -> dict[TopicPartition, tuple[int, ...]]:
    """Read /admin/reassign_partitions: partition to target."""
    return {TopicPartition(one["topic"], one["partition"]): tuple(one["replicas"]) for one in data["partitions"]}


def election_data(partitions: Iterable[TopicPartition]) -> dict[str, Any]:
    """Return what /admin/preferred_replica_election holds."""
    return {"version": 1, "partitions": [{"topic": one.topic, "partition": one.partition} for one in partitions]}


def elections_of(data: Mapping[str, Any]) -> list[TopicPartition]:
    """Read /admin/preferred_replica_election, or a notification of changed in-sync replicas."""
    return [TopicPartition(one["topic"], one["partition"]) for one in data["partitions"]]
