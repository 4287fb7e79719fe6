"""Recorded registrations of brokers and blocks of producer ids, put to the reference controller."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fencepost.reference.kraft.controller.producer_ids import ProducerIdControlManager, producer_ids_record
from fencepost.reference.kraft.controller.registrations import broker_record
from fencepost.reference.kraft.errors import ApiError, ReplayError
from fencepost.reference.kraft.levels import ELR_VERSION, LEVELS, METADATA_VERSION
from fencepost.reference.kraft.messages import AllocateProducerIdsRequest, BrokerRegistrationRequest, FeatureRange
from fencepost.reference.kraft.records import LOST_DIRECTORY, Message
from fencepost.reference.timeline import SnapshotRegistry

from .situation import CLUSTER, Situation, change_told

Line = Mapping[str, Any]

_BROKER, _OTHERS = 1, (2, 3)
_SAME, _OTHER = "sameincarnationAAAAAAw", "otherincarnationAAAAAw"
_FIRST, _SECOND, _TAKEN = "firstdirectoryAAAAAAAw", "seconddirectoryAAAAAAw", "takendirectoryAAAAAAAw"
_DIRECTORIES = {
    "ok": (_FIRST, _SECOND),
    "empty": (),
    "reserved": (_FIRST, LOST_DIRECTORY),
    "duplicate": (_FIRST, _FIRST),
    "taken": (_FIRST, _TAKEN),
}
_VALID, _EXPIRED = 8_000_000_000, 9_000_000_001
"""How many nanoseconds ago the broker was last heard of, with a session and without."""


# -- broker-registration -----------------------------------------------------------------------------------------------
def _ranges(line: Line) -> tuple[FeatureRange, ...]:
    level = LEVELS[line["mv"]]
    metadata = {
        "mvMaxTooLow": FeatureRange(METADATA_VERSION, 7, level - 1),
        "mvMinTooHigh": FeatureRange(METADATA_VERSION, level + 1, 40),
    }.get(line["features"], FeatureRange(METADATA_VERSION, 7, 40))
    replicas = FeatureRange(ELR_VERSION, 0, 0 if line["features"] == "elrMaxZero" else 1)
    if line["features"] == "noMv":
        return (replicas,)
    return (metadata,) if line["features"] == "noElr" else (metadata, replicas)


def _partition(line: Line) -> dict[str, Any]:
    if line["existing"] == "NONE":
        return {"rep": [2, 3], "isr": [2, 3], "ld": 2}
    if line["existing"] == "UNFENCED":
        return {"rep": [1, 2, 3], "isr": [1, 2], "ld": 1}
    return {"rep": [1, 2, 3], "isr": [2], "ld": 2, "elr": [1] if line["E"] == 1 else []}


def _stored(situation: Situation, line: Line) -> None:
    """Register the broker as the line has it, with directories of its own that the request names again."""
    existing = line["existing"]
    request = BrokerRegistrationRequest(
        broker_id=_BROKER, cluster_id=CLUSTER, incarnation_id=_SAME, log_dirs=(_FIRST, _SECOND)
    )
    version = 3
    record = broker_record(
        request, version, line["storedEpoch"], existing.startswith("FENCED"), existing.endswith("_ICS")
    )
    situation.cluster.replay(record, line["storedEpoch"])


def _broker_registration(line: Line) -> dict[str, Any]:
    situation = Situation(line)
    for broker in _OTHERS:
        situation.broker(broker, 1, False, False)
    situation.cluster.directory_owners[_TAKEN] = _OTHERS[0]
    now = 10 * _EXPIRED
    if line["existing"] != "NONE":
        _stored(situation, line)
        ago = _VALID if line["session"] else _EXPIRED
        situation.cluster.track(_BROKER, line["storedEpoch"], now - ago)
    situation.topic({**_partition(line), "min": 2, "mv": line["mv"], "E": line["E"]})
    request = BrokerRegistrationRequest(
        broker_id=_BROKER,
        cluster_id=CLUSTER if line["cluster"] else "another",
        incarnation_id=_SAME if line["sameIncarnation"] else _OTHER,
        features=_ranges(line),
        is_migrating_zk_broker=line["zk"],
        log_dirs=_DIRECTORIES[line["dirs"]],
        previous_broker_epoch=line["previousEpoch"],
        version=3 if line["detect"] else 2,
    )
    try:
        result = situation.cluster.register(request, line["next"], now, situation.replication.cleanup)
    except ApiError as error:
        return {"error": error.error.name}
    return {
        "error": "NONE",
        "epoch": result.response.broker_epoch,
        "atomic": result.atomic,
        "recs": [_told(record) for record in result.records],
    }


def _told(message: Message) -> dict[str, Any]:
    data = message.data
    if message.type == "PARTITION_CHANGE_RECORD":
        return {"t": "PartitionChange", "p": data["partitionId"], **change_told(message)}
    return {
        "t": "RegisterBroker",
        "v": message.version,
        "epoch": data["brokerEpoch"],
        "fenced": data["fenced"],
        "ics": data["inControlledShutdown"],
        "dirs": len(data.get("logDirs", ())),
    }


# -- producer-ids ------------------------------------------------------------------------------------------------------
def _producer_ids(line: Line) -> dict[str, Any]:
    return _replayed(line) if line["op"] == "replay2" else _allocated(line)


def _allocated(line: Line) -> dict[str, Any]:
    situation = Situation({"mv": "4.4-IV2"})
    situation.broker(_BROKER, line["storedEpoch"], line["brokerFenced"], False)
    manager = ProducerIdControlManager(SnapshotRegistry(), situation.cluster)
    if line["next"] is not None:
        manager.replay(producer_ids_record(int(line["next"])).data)
    try:
        result = manager.allocate(AllocateProducerIdsRequest(broker_id=line["broker"], broker_epoch=line["epoch"]))
    except ApiError as error:
        return {"error": error.error.name}
    [record] = result.records
    return {
        "error": "NONE",
        "first": str(result.response.first),
        "size": result.response.size,
        "atomic": result.atomic,
        "recs": [
            {
                "t": "ProducerIds",
                "v": record.version,
                "broker": record.data["brokerId"],
                "epoch": record.data["brokerEpoch"],
                "next": str(record.data["nextProducerId"]),
            }
        ],
    }


def _replayed(line: Line) -> dict[str, Any]:
    manager = ProducerIdControlManager(SnapshotRegistry(), Situation({"mv": "4.4-IV2"}).cluster)
    told = {}
    for which in ("first", "second"):
        try:
            manager.replay(producer_ids_record(int(line[which])).data)
            told[which] = "ok"
        except ReplayError:
            told[which] = "RuntimeException"
    return {**told, "nextBlockFirst": str(manager.first)}


KINDS: dict[str, Callable[[Line], dict[str, Any]]] = {
    "broker-registration": _broker_registration,
    "producer-ids": _producer_ids,
}
"""The function that answers each kind of question."""
