"""Recorded requests about configurations, features, leaders, replicas and topics, put to the reference controller.

`traces/recorded/oracle/README.md` describes the fields of a line; nothing here knows the tables' adapters.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from fencepost.reference.kraft import messages as m
from fencepost.reference.kraft.controller.elections import PREFERRED, UNCLEAN
from fencepost.reference.kraft.controller.managers import Managers
from fencepost.reference.kraft.controller.partitions import PartitionRegistration
from fencepost.reference.kraft.controller.registrations import broker_record, controller_record
from fencepost.reference.kraft.errors import ApiError, Errors
from fencepost.reference.kraft.levels import (
    ELR_VERSION,
    KRAFT_VERSION,
    LEVELS,
    METADATA_VERSION,
    register_broker_version,
)
from fencepost.reference.kraft.records import LOST_DIRECTORY, MIGRATING_DIRECTORY, UNASSIGNED_DIRECTORY, Message
from fencepost.reference.kraft.settings import Settings
from fencepost.reference.timeline import SnapshotRegistry

from .situation import CLUSTER, Line

_CONTROLLER, _OTHER_CONTROLLER, _EPOCHS = 3000, 3001, 100
_TYPES = {"TOPIC": m.TOPIC_RESOURCE, "BROKER": m.BROKER_RESOURCE}
_RESERVED = {"UNASSIGNED": UNASSIGNED_DIRECTORY, "MIGRATING": MIGRATING_DIRECTORY, "LOST": LOST_DIRECTORY}
_WORDS = {directory: word for word, directory in _RESERVED.items()}
_LONG_VALUE = "x" * 32768

Answered = tuple[Errors, tuple[Message, ...]]


class _Situation:
    """The managers of an active controller, brought by records into the state that a line begins with."""

    def __init__(self, line: Line) -> None:
        settings = Settings(min_insync_replicas=int(line.get("staticMin", 1)))
        self.line = line
        self.managers = Managers(SnapshotRegistry(), CLUSTER, settings, random.Random(0), (), _CONTROLLER)
        self.offset = 0
        self._surroundings()
        self.managers.cluster.activate(0)
        self._begin()

    def _surroundings(self) -> None:
        """Set up the surroundings of the managers: the policy, and the placement of new replicas."""
        line, managers = self.line, self.managers

        def policy(resource: m.ConfigResource, changes: Mapping[str, str | None]) -> None:
            if changes and not line.get("permitted", True):
                raise ApiError(Errors.POLICY_VIOLATION, "not permitted")

        def place(count: int, factor: int) -> Sequence[tuple[int, ...]]:
            placed = [tuple(one) for one in line["placed"]]
            if len(placed) != count or any(len(one) != factor for one in placed):
                raise ValueError(f"{count} partitions of {factor} replicas are to be placed, not {placed}")
            return placed

        managers.configurations.policy = policy
        managers.replication.state.place = place
        ranges = line.get("localRanges")
        if ranges is not None:
            managers.features.supported = {name: (lowest, highest) for name, lowest, highest in ranges}

    def _begin(self) -> None:
        line, level = self.line, LEVELS[self.line["mv"]]
        self._replay("FEATURE_LEVEL_RECORD", {"name": METADATA_VERSION, "featureLevel": level})
        for name, at in ((ELR_VERSION, line["E"]), *line.get("levels", ())):
            self._replay("FEATURE_LEVEL_RECORD", {"name": name, "featureLevel": at})
        for broker, told in enumerate(line.get("brokers", ()), 1):
            self._broker(broker, level, *told)
        if line.get("brokerRanges") is not None:
            self._broker(1, level, "ACTIVE", (), (), line["brokerRanges"])
        if line.get("controllerRanges") is not None:
            request = m.ControllerRegistrationRequest(
                controller_id=_OTHER_CONTROLLER, incarnation_id=UNASSIGNED_DIRECTORY,
                features=tuple(m.FeatureRange(*one) for one in line["controllerRanges"]),
            )  # fmt: skip
            self.replay([controller_record(request)])
        for name, partitions in line.get("topics", {}).items():
            self._replay("TOPIC_RECORD", {"name": name, "topicId": name})
            for number, one in enumerate(partitions):
                partition = _registration(one)
                self.replay([partition.to_record(name, number, level, elr_enabled=True)])
        for kind, name, key, value in line.get("configs", ()):
            resource = {"resourceType": _TYPES[kind], "resourceName": name}
            self._replay("CONFIG_RECORD", {**resource, "name": key, "value": value})

    def _broker(
        self,
        broker: int,
        level: int,
        word: str,
        directories: Sequence[str],
        cordoned: Sequence[str],
        ranges: Sequence[tuple[str, int, int]] = (),
    ) -> None:
        if word == "UNREGISTERED":
            return
        request = m.BrokerRegistrationRequest(
            broker_id=broker, cluster_id=CLUSTER, incarnation_id=UNASSIGNED_DIRECTORY, log_dirs=tuple(directories),
            features=tuple(m.FeatureRange(*one) for one in ranges),
        )  # fmt: skip
        version = register_broker_version(level)
        self.replay(
            [broker_record(request, version, _EPOCHS + broker, word == "FENCED", word == "ICS", tuple(cordoned))]
        )

    def _replay(self, type_: str, data: Mapping[str, Any]) -> None:
        self.replay([Message(type_, 0, data)])

    def replay(self, records: Sequence[Message]) -> None:
        """Go on by records."""
        for record in records:
            self.offset += 1
            self.managers.replay(record, self.offset)


def _registration(one: Line) -> PartitionRegistration:
    return PartitionRegistration(
        replicas=tuple(one["rep"]),
        directories=tuple(_RESERVED.get(word, word) for word in one["dirs"]),
        isr=tuple(one["isr"]),
        removing_replicas=tuple(one.get("rem", ())),
        adding_replicas=tuple(one.get("add", ())),
        elr=tuple(one.get("elr", ())),
        last_known_elr=tuple(one.get("last", ())),
        leader=one["ld"],
        leader_recovery_state=one.get("rec", 0),
        leader_epoch=one.get("le", 0),
        partition_epoch=one.get("pe", 0),
    )


# -- requests ----------------------------------------------------------------------------------------------------------
def _value(told: str | None) -> str | None:
    return _LONG_VALUE if told == "long" else told


def _resource(line: Line) -> m.ConfigResource:
    return m.ConfigResource(_TYPES[line["type"]], line["name"])


def _exists(situation: _Situation) -> Callable[[m.ConfigResource], None]:
    def exists(resource: m.ConfigResource) -> None:
        topics = situation.managers.replication.topic_ids
        if resource.type == m.TOPIC_RESOURCE and resource.name not in topics:
            raise ApiError(Errors.UNKNOWN_TOPIC_OR_PARTITION)

    return exists


def _incremental(situation: _Situation, line: Line) -> Answered:
    situation.managers.configurations.exists = _exists(situation)
    operation = m.DELETE if line["value"] is None else m.SET
    changes = m.ConfigChanges(_resource(line), ((line["key"], operation, _value(line["value"])),))
    request = m.IncrementalAlterConfigsRequest(resources=(changes,), validate_only=line["dry"])
    result = situation.managers.configurations.incremental_alter(request)
    return result.response[0].error, result.records


def _legacy(situation: _Situation, line: Line) -> Answered:
    situation.managers.configurations.exists = _exists(situation)
    wanted = tuple((key, _value(value) or "") for key, value in line["wanted"])
    request = m.LegacyAlterConfigsRequest(resources=((_resource(line), wanted),), validate_only=line["dry"])
    result = situation.managers.configurations.legacy_alter(request)
    return result.response[0].error, result.records


def _update(situation: _Situation, line: Line) -> Answered:
    managers = situation.managers
    managers.features.kraft_version = line.get("kraft", 0)
    request = m.UpdateFeaturesRequest(updates=((line["feature"], line["to"], line["way"]),), validate_only=line["dry"])
    result = managers.features.update(request, managers.cluster, managers.configurations)
    return (Errors.NONE if result.response is None else result.response.error), result.records


def _elect(situation: _Situation, line: Line) -> Answered:
    kind = PREFERRED if line["op"] == "preferred" else UNCLEAN
    request = m.ElectLeadersRequest(election_type=kind, partitions=((line["topic"], line["p"]),))
    result = situation.managers.replication.elect_leaders(request)
    return result.response[0].error, result.records


def _balance(situation: _Situation, line: Line) -> Answered:
    return Errors.NONE, situation.managers.replication.maybe_balance_partition_leaders().records


def _rescue(situation: _Situation, line: Line) -> Answered:
    return Errors.NONE, situation.managers.replication.maybe_elect_unclean_leaders().records


def _reassign(situation: _Situation, line: Line) -> Answered:
    target = None if line["target"] is None else tuple(line["target"])
    one = m.ReassignablePartition(line["topic"], line["p"], target)
    request = m.AlterPartitionReassignmentsRequest(partitions=(one,), allow_replication_factor_change=line["allow"])
    result = situation.managers.replication.alter_partition_reassignments(request)
    return result.response[0].error, result.records


def _create(situation: _Situation, line: Line) -> Answered:
    placed = tuple(tuple(one) for one in line["placed"])
    configs = tuple((key, _value(value)) for key, value in line["settings"])
    if line["manual"]:
        topic = m.TopicRequest(line["topic"], assignments=tuple(enumerate(placed)), configs=configs)
    else:
        topic = m.TopicRequest(line["topic"], len(placed), len(placed[0]), configs=configs)
    request = m.CreateTopicsRequest(topics=(topic,), validate_only=line["dry"])
    result = situation.managers.replication.create_topics(request)
    return result.response[0].error, result.records


def _grow(situation: _Situation, line: Line) -> Answered:
    assignments = tuple(tuple(one) for one in line["placed"]) if line["manual"] else None
    topic = m.PartitionsRequest(line["topic"], line["count"], assignments)
    request = m.CreatePartitionsRequest(topics=(topic,), validate_only=line["dry"])
    result = situation.managers.replication.create_partitions(request)
    return result.response[0].error, result.records


def _delete(situation: _Situation, line: Line) -> Answered:
    result = situation.managers.replication.delete_topics(m.DeleteTopicsRequest(topic_ids=(line["topic"],)))
    return result.response[line["topic"]], result.records


_OPERATIONS: dict[str, Callable[[_Situation, Line], Answered]] = {
    "incremental": _incremental, "legacy": _legacy, "update": _update, "preferred": _elect, "unclean": _elect,
    "balance": _balance, "rescue": _rescue, "reassign": _reassign, "create": _create, "grow": _grow, "delete": _delete,
}  # fmt: skip


# -- answers -----------------------------------------------------------------------------------------------------------
_LISTS = {
    "isr": "isr", "rep": "replicas", "rem": "removingReplicas", "add": "addingReplicas",
    "elr": "eligibleLeaderReplicas", "last": "lastKnownElr",
}  # fmt: skip
_NUMBERS = {"ld": "leader", "rec": "leaderRecoveryState", "le": "leaderEpoch", "pe": "partitionEpoch"}


def _partition(message: Message) -> dict[str, Any]:
    told: dict[str, Any] = {"v": message.version, "p": message.data["partitionId"]}
    told |= {short: list(message.data[name]) for short, name in _LISTS.items() if message.data.get(name) is not None}
    told |= {short: message.data[name] for short, name in _NUMBERS.items() if name in message.data}
    if message.type == "PARTITION_RECORD":
        # The default of a tagged field, which is left out where it is unchanged.
        told.setdefault("rec", 0)
    if message.data.get("directories"):
        told["dirs"] = [_WORDS.get(one, one) for one in message.data["directories"]]
    return told


_TOLD: dict[str, tuple[str, Callable[[Message], dict[str, Any]]]] = {
    "PARTITION_CHANGE_RECORD": ("PartitionChange", _partition),
    "PARTITION_RECORD": ("Partition", _partition),
    "TOPIC_RECORD": ("Topic", lambda message: {"name": message.data["name"]}),
    "REMOVE_TOPIC_RECORD": ("RemoveTopic", lambda message: {}),
    "CLEAR_ELR_RECORD": ("ClearElr", lambda message: {"name": message.data["topicName"]}),
    "CONFIG_RECORD": (
        "Config",
        lambda message: {
            "type": message.data["resourceType"],
            "resource": message.data["resourceName"],
            "key": message.data["name"],
            "value": message.data["value"],
        },
    ),
    "FEATURE_LEVEL_RECORD": (
        "FeatureLevel",
        lambda message: {"feature": message.data["name"], "level": message.data["featureLevel"]},
    ),
    "NO_OP_RECORD": ("NoOp", lambda message: {}),
}


def _told(message: Message) -> dict[str, Any]:
    name, told = _TOLD[message.type]
    return {"t": name, **told(message)}


def _answer(line: Line) -> dict[str, Any]:
    situation = _Situation(line)
    try:
        error, records = _OPERATIONS[line["op"]](situation, line)
    except ApiError as refusal:
        error, records = refusal.error, ()
    out: dict[str, Any] = {"error": error.name, "recs": [_told(record) for record in records]}
    situation.replay(records)
    managers = situation.managers
    if "a" in line.get("topics", {}):
        out["min"] = managers.configurations.min_insync_replicas("a")
        out["unclean"] = managers.configurations.unclean_leader_election("a")
    if line.get("feature", KRAFT_VERSION) != KRAFT_VERSION:
        out["level"] = managers.features.finalized.get(line["feature"], 0)
    partition = managers.replication.partitions.get((managers.replication.topic_ids.get("t", ""), 0))
    if partition is not None:
        out |= {"le": partition.leader_epoch, "pe": partition.partition_epoch}
    return out


KINDS: dict[str, Callable[[Line], dict[str, Any]]] = dict.fromkeys(
    ("configurations", "features", "elections", "reassignment", "topics"), _answer
)
"""The function that answers each kind of question."""
