"""Shared code of the adapters of recorded answers: cells by recorded names, and records in the recordings' form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fencepost.checkers.conformance.requests.adapting import at
from fencepost.checkers.conformance.requests.outcomes import Expected
from fencepost.model.kraft import state as k
from fencepost.model.kraft.levels import METADATA_VERSION_LEVELS
from fencepost.model.language import Term
from fencepost.model.language.interpreter import CellKey
from fencepost.model.language.terms import Get

from .judge import Answered

PARTITION, TOPIC, REQUEST = "p", "t", "m"
"""The one partition, the one topic and the one request that a recorded line is about."""


def cell(variable: Term[Any]) -> CellKey:
    """Return the cell of a variable without keys."""
    assert isinstance(variable, Get)
    return variable.state, ()


def known(constant: Term[Any]) -> Any:
    """Return a constant's value on the wire."""
    assert isinstance(constant, Get)
    return constant.state.known


COLUMNS = frozenset(["mv", "E", "min", "rep", "isr", "elr", "last", "rem", "add", "ld", "rec"])
"""The columns of the one partition, and of what the cluster has finalized."""

TRUTH = (False, True)
"""The values of a column that is true or false."""

ASKED_CONTROLLER = "3000"
"""The node id of the controller whose Kafka classes answer."""

CONTROLLER: dict[CellKey, Any] = {cell(k.active_controller): ASKED_CONTROLLER, cell(k.kraft_level): 0}
"""The controller that receives the request, and Raft's level of kraft.version where the recording gives none."""

FEATURES = (known(k.metadata_version), known(k.elr_version))


def partition(line: Mapping[str, Any]) -> dict[CellKey, Any]:
    """Return the cells of the one partition and of what the cluster has finalized."""
    leader, elr = line["ld"], line.get("elr", [])
    cells = CONTROLLER | {
        cell(k.mv): METADATA_VERSION_LEVELS[line["mv"]],
        cell(k.elr_level): line["E"],
        at(k.live, TOPIC): True,
        at(k.exists_, PARTITION): True,
        at(k.topic, PARTITION): TOPIC,
        at(k.index, PARTITION): 0,
        at(k.own_min_insync, TOPIC): True,
        at(k.min_insync, TOPIC): line["min"],
        at(k.replication, TOPIC): line["min"],
        at(k.replicas, PARTITION): tuple(line["rep"]),
        at(k.isr, PARTITION): tuple(line["isr"]),
        at(k.elr, PARTITION): frozenset(elr),
        at(k.elr_disordered, PARTITION): elr != sorted(elr),
        at(k.last_known, PARTITION): tuple(line.get("last", ())),
        at(k.removing, PARTITION): frozenset(line.get("rem", ())),
        at(k.adding, PARTITION): frozenset(line.get("add", ())),
        at(k.leader, PARTITION): None if leader == -1 else leader,
        at(k.recovery, PARTITION): k.Recovery(line.get("rec", 0)),
    }
    cells |= {at(k.location, PARTITION, replica): known(k.unassigned) for replica in line["rep"]}
    return cells | {at(k.elr_index, PARTITION, member): 1 for member in elr}


# -- what the rows write and answer, as the recordings say it ----------------------------------------------------------
_SHORT = {
    "isr": "isr",
    "ld": "leader",
    "rep": "replicas",
    "rem": "removing",
    "add": "adding",
    "rec": "recovery",
    "elr": "elr",
    "last": "last_known",
}


def partition_change(record: Expected) -> dict[str, Any]:
    """Return a change of a partition by the recorded names."""
    told: dict[str, Any] = {"v": record.version}
    for short, name in _SHORT.items():
        if name in record.value.fields:
            value = record.value.fields[name]
            if short == "ld":
                value = -1 if value is None else value
            elif short == "rec":
                value = value.value
            elif isinstance(value, frozenset):
                value = sorted(value)
            elif isinstance(value, tuple):
                value = list(value)
            told[short] = value
    return told


def _registration(record: Expected) -> dict[str, Any]:
    said = record.value.fields
    return {
        "t": "RegisterBroker",
        "v": record.version,
        "epoch": said["epoch"],
        "fenced": said["fenced"],
        "ics": said["ics"],
        "dirs": len(said["directories"]),
    }


def _registration_change(record: Expected) -> dict[str, Any]:
    only = record.value.record.only
    return {
        "t": "BrokerRegistrationChange",
        "v": record.version,
        "fenced": only["fenced"],
        "ics": only["inControlledShutdown"],
        "dirs": len(record.value.fields.get("directories", ())),
    }


def _producer_ids(record: Expected) -> dict[str, Any]:
    said = record.value.fields
    return {
        "t": "ProducerIds",
        "v": record.version,
        "broker": said["broker"],
        "epoch": said["epoch"],
        "next": str(said["next"]),
    }


_TOLD = {
    "PARTITION_CHANGE_RECORD": lambda record: {"t": "PartitionChange", "p": 0, **partition_change(record)},
    "REGISTER_BROKER_RECORD": _registration,
    "BROKER_REGISTRATION_CHANGE_RECORD": _registration_change,
    "PRODUCER_IDS_RECORD": _producer_ids,
}


def records(found: Answered) -> list[dict[str, Any]]:
    """Return the records of a row in their order, by the recorded names."""
    return [_TOLD[one.value.record.type](one) for one in found.records]


# -- what counts as the same -------------------------------------------------------------------------------------------
def same_field(name: str, kafka: Any, tables: Any) -> bool:
    """Compare a field of a change: sets as sets; a last known leader of −1 is none, as in `model/kraft/records.py`."""
    if kafka is None or tables is None:
        return kafka is tables
    if name in ("elr", "rem", "add"):
        return sorted(kafka) == sorted(tables)
    if name == "last":
        return bool([x for x in kafka if x != -1] == tables)
    return bool(kafka == tables)


def _same_record(kafka: Any, tables: Any) -> bool:
    if not isinstance(kafka, dict) or not isinstance(tables, dict) or set(kafka) != set(tables):
        return False
    return all(same_field(name, kafka[name], tables[name]) for name in kafka)


def same(name: str, kafka: Any, tables: Any) -> bool:
    """Compare a field of an answer: `recs` record by record in their order, everything else as it is."""
    if name != "recs":
        return bool(kafka == tables)
    if not isinstance(kafka, list) or not isinstance(tables, list):
        return bool(kafka == tables)
    return len(kafka) == len(tables) and all(map(_same_record, kafka, tables))
