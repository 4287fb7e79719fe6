"""Metadata records replayed into plain dictionaries, apart from the tables: what a state is checked against."""

from collections.abc import Iterable
from typing import Any

from fencepost.checkers.conformance.explain.entities import BROKER, PARTITION, TOPIC, Entities
from fencepost.traces import Record

Replayed = dict[str, dict[Any, dict[str, Any]]]


def replayed(records: Iterable[Record]) -> Replayed:
    """Return brokers by id, topics by id and partitions by topic id and number, as Kafka's images hold them."""
    brokers: dict[Any, dict[str, Any]] = {}
    topics: dict[Any, dict[str, Any]] = {}
    partitions: dict[Any, dict[str, Any]] = {}
    for record in records:
        data = record.data
        match record.type:
            case "REGISTER_BROKER_RECORD":
                brokers[data["brokerId"]] = {
                    "epoch": data["brokerEpoch"],
                    "incarnation": data["incarnationId"],
                    "fenced": data["fenced"],
                    "in_controlled_shutdown": data.get("inControlledShutdown", False),
                }
            case "BROKER_REGISTRATION_CHANGE_RECORD":
                broker = brokers[data["brokerId"]]
                if data.get("fenced", 0):
                    broker["fenced"] = data["fenced"] == 1
                if data.get("inControlledShutdown", 0):
                    broker["in_controlled_shutdown"] = data["inControlledShutdown"] == 1
            case "TOPIC_RECORD":
                topics[data["topicId"]] = {"name": data["name"]}
            case "REMOVE_TOPIC_RECORD":
                del topics[data["topicId"]]
                partitions = {key: one for key, one in partitions.items() if key[0] != data["topicId"]}
            case "PARTITION_RECORD":
                partitions[data["topicId"], data["partitionId"]] = {
                    "replicas": tuple(data["replicas"]),
                    "isr": tuple(data["isr"]),
                    "leader": _leader(data["leader"]),
                    "leader_epoch": data["leaderEpoch"],
                    "partition_epoch": data["partitionEpoch"],
                    "elr": frozenset(data.get("eligibleLeaderReplicas") or ()),
                    "removing": frozenset(data["removingReplicas"]),
                    "adding": frozenset(data["addingReplicas"]),
                }
            case "PARTITION_CHANGE_RECORD":
                _change(partitions[data["topicId"], data["partitionId"]], data)
    return {BROKER: brokers, TOPIC: topics, PARTITION: partitions}


def _leader(number: int) -> int | None:
    return None if number == -1 else number


def _change(partition: dict[str, Any], data: dict[str, Any]) -> None:
    for name, wire in (("isr", "isr"), ("replicas", "replicas")):
        if data.get(wire) is not None:
            partition[name] = tuple(data[wire])
    for name, wire in (
        ("removing", "removingReplicas"),
        ("adding", "addingReplicas"),
        ("elr", "eligibleLeaderReplicas"),
    ):
        if data.get(wire) is not None:
            partition[name] = frozenset(data[wire])
    if data.get("leader", -2) != -2:
        partition["leader"] = _leader(data["leader"])
        partition["leader_epoch"] += 1
    partition["partition_epoch"] += 1


def held(entities: Entities) -> Replayed:
    """Return the same of the monitor's state: the entities that are there, and the fields that a plain replay has."""
    fields = {
        BROKER: ("epoch", "incarnation", "fenced", "in_controlled_shutdown"),
        TOPIC: ("name",),
        PARTITION: ("replicas", "isr", "leader", "leader_epoch", "partition_epoch", "elr", "removing", "adding"),
    }
    return {
        sort: {
            entity: {name: entities.state.read((entities.numbers[name], (entity,))) for name in names}
            for entity in entities.there(sort)
        }
        for sort, names in fields.items()
    }
