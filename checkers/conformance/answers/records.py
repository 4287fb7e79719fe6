"""Records that rows write, by the names that recordings have for their fields, and how both are compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any

from fencepost.checkers.conformance.requests.outcomes import Expected
from fencepost.model.kraft import state as k

from .judge import Answered
from .state import DIRECTORIES, Line

_WORDS = {directory: word for word, directory in DIRECTORIES.items()}

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


def _changed(record: Expected) -> dict[str, Any]:
    said = record.value.fields
    told = {"p": said["partition"][1], **partition_change(record)}
    if "directories" in said:
        told["dirs"] = [_WORDS.get(one, one) for one in said["directories"]]
    return told


def _born(record: Expected) -> dict[str, Any]:
    said = record.value.fields
    recovery = said.get("recovery", k.Recovery.RECOVERED)
    return _changed(record) | {"le": said["leader_epoch"], "pe": said["partition_epoch"], "rec": recovery.value}


def _config(record: Expected) -> dict[str, Any]:
    said, only = record.value.fields, record.value.record.only
    if "setting" in said:
        kind, resource, key = said["setting"]
    else:
        kind, key = only["resourceType"], only["name"]
        resource = said.get("resource", only.get("resourceName"))
    value = said.get("value")
    text = str(value).lower() if isinstance(value, bool) else None if value is None else str(value)
    return {"type": kind, "resource": resource, "key": key, "value": text}


def _level(record: Expected) -> dict[str, Any]:
    said = record.value.fields
    return {"feature": said.get("feature", record.value.record.only.get("name")), "level": said["level"]}


def _registration(record: Expected) -> dict[str, Any]:
    said = record.value.fields
    return {
        "v": record.version,
        "epoch": said["epoch"],
        "fenced": said["fenced"],
        "ics": said["ics"],
        "dirs": len(said["directories"]),
    }


def _registration_change(record: Expected) -> dict[str, Any]:
    only = record.value.record.only
    return {
        "v": record.version,
        "fenced": only["fenced"],
        "ics": only["inControlledShutdown"],
        "dirs": len(record.value.fields.get("directories", ())),
    }


def _producer_ids(record: Expected) -> dict[str, Any]:
    said = record.value.fields
    return {"v": record.version, "broker": said["broker"], "epoch": said["epoch"], "next": str(said["next"])}


_TOLD: dict[str, tuple[str, Callable[[Expected], dict[str, Any]]]] = {
    "PARTITION_CHANGE_RECORD": ("PartitionChange", _changed),
    "PARTITION_RECORD": ("Partition", _born),
    "TOPIC_RECORD": ("Topic", lambda record: {"name": record.value.fields["name"]}),
    "REMOVE_TOPIC_RECORD": ("RemoveTopic", lambda record: {}),
    "CLEAR_ELR_RECORD": ("ClearElr", lambda record: {"name": record.value.fields.get("name", "")}),
    "CONFIG_RECORD": ("Config", _config),
    "FEATURE_LEVEL_RECORD": ("FeatureLevel", _level),
    "NO_OP_RECORD": ("NoOp", lambda record: {}),
    "REGISTER_BROKER_RECORD": ("RegisterBroker", _registration),
    "BROKER_REGISTRATION_CHANGE_RECORD": ("BrokerRegistrationChange", _registration_change),
    "PRODUCER_IDS_RECORD": ("ProducerIds", _producer_ids),
}


def records(found: Answered) -> list[dict[str, Any]]:
    """Return the records of the rows in their order, by the recorded names."""
    return [{"t": name, **told(one)} for one in found.records for name, told in (_TOLD[one.value.record.type],)]


def records_of_one_partition(found: Answered) -> list[dict[str, Any]]:
    """Return the records as `records` does, without directories: a line of one partition has none for its replicas."""
    return [
        {name: value for name, value in one.items() if one["t"] != "PartitionChange" or name != "dirs"}
        for one in records(found)
    ]


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
    if name != "recs" or not isinstance(kafka, list) or not isinstance(tables, list):
        return bool(kafka == tables)
    return len(kafka) == len(tables) and all(map(_same_record, kafka, tables))


def same_in_runs(name: str, kafka: Any, tables: Any) -> bool:
    """Compare a field of an answer as `same`, records of one type that follow one another in any order."""
    if name != "recs" or not isinstance(kafka, list) or not isinstance(tables, list):
        return bool(kafka == tables)
    ours, theirs = _runs(tables), _runs(kafka)
    return len(ours) == len(theirs) and all(same("recs", *both) for both in zip(theirs, ours, strict=True))


def _runs(records: Sequence[Line]) -> list[list[Line]]:
    """Records of one type that follow one another, in an order of their own: the rows leave that one open."""
    return [sorted(run, key=lambda one: repr(sorted(one.items()))) for _, run in groupby(records, lambda one: one["t"])]
