"""Records of a log as one table of columns: what SQL reads."""

from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa

from fencepost.traces import ControlRecord, MetadataLog, Record, Snapshot, Undecodable
from fencepost.traces.records import AnyRecord, Batch

_NUMBERS, _TEXTS = pa.list_(pa.int32()), pa.list_(pa.string())
SCHEMA = pa.schema(
    [
        ("log", pa.string()),
        ("place", pa.int64()),
        ("offset", pa.int64()),
        ("batch_place", pa.int64()),
        ("batch", pa.int64()),
        ("batch_last", pa.int64()),
        ("epoch", pa.int64()),
        ("control", pa.bool_()),
        ("snapshot", pa.bool_()),
        ("type", pa.string()),
        ("topic", pa.string()),
        ("number", pa.int32()),
        ("name", pa.string()),
        ("replicas", _NUMBERS),
        ("isr", _NUMBERS),
        ("leader", pa.int32()),
        ("leader_epoch", pa.int64()),
        ("partition_epoch", pa.int64()),
        ("removing", _NUMBERS),
        ("adding", _NUMBERS),
        ("recovery", pa.int32()),
        ("elr", _NUMBERS),
        ("last_known", _NUMBERS),
        ("directories", _TEXTS),
        ("broker", pa.int32()),
        ("broker_epoch", pa.int64()),
        ("incarnation", pa.string()),
        ("fenced", pa.int32()),
        ("shutdown", pa.int32()),
        ("level", pa.int32()),
        ("next_id", pa.int64()),
    ]
)
"""The columns: a record's place and fields; null where it lacks one.

`place` counts records, and `batch_place` batches, in the order of the files: a batch that comes twice has one offset
and two places. `batch` and `batch_last` are the batch's first and last offset. Of a log that begins with a snapshot,
the records of the snapshot come first, at the offset at which it ends.
"""

_SAME = {
    "topicId": "topic",
    "partitionId": "number",
    "replicas": "replicas",
    "isr": "isr",
    "leader": "leader",
    "leaderEpoch": "leader_epoch",
    "partitionEpoch": "partition_epoch",
    "removingReplicas": "removing",
    "addingReplicas": "adding",
    "leaderRecoveryState": "recovery",
    "eligibleLeaderReplicas": "elr",
    "lastKnownElr": "last_known",
    "directories": "directories",
    "brokerId": "broker",
    "brokerEpoch": "broker_epoch",
    "incarnationId": "incarnation",
    "logDirs": "directories",
    "featureLevel": "level",
    "nextProducerId": "next_id",
    "name": "name",
    "topicName": "name",
}
"""The columns of fields that are taken as they are."""

_STATES = {"fenced": "fenced", "inControlledShutdown": "shutdown"}
_TYPES = frozenset(
    {
        "PARTITION_RECORD",
        "PARTITION_CHANGE_RECORD",
        "TOPIC_RECORD",
        "REMOVE_TOPIC_RECORD",
        "CLEAR_ELR_RECORD",
        "REGISTER_BROKER_RECORD",
        "BROKER_REGISTRATION_CHANGE_RECORD",
        "UNREGISTER_BROKER_RECORD",
        "FEATURE_LEVEL_RECORD",
        "PRODUCER_IDS_RECORD",
    }
)
"""The types of records of which more than the type is read."""


def table_of(logs: Iterable[tuple[str, MetadataLog]]) -> pa.Table:
    """Return the records of some logs, each with its name, as one table."""
    columns: dict[str, list[Any]] = {name: [] for name in SCHEMA.names}
    for name, log in logs:
        for row in _rows(log):
            for column, cells in columns.items():
                cells.append(name if column == "log" else row.get(column))
    return pa.table(columns, schema=SCHEMA)


def _rows(log: MetadataLog) -> Iterator[dict[str, Any]]:
    start = _start(log)
    first = 0
    if start is not None:
        for one in start.records:
            yield {**_said(one), **_place(first, start.end_offset, -1, None), "snapshot": True}
            first += 1
    after = 0 if start is None else start.end_offset
    for at, batch in enumerate(one for one in log.batches if one.last_offset >= after):
        for record in batch.records:
            yield {**_said(record), **_place(first, record.offset, at, batch), "snapshot": False}
            first += 1


def _start(log: MetadataLog) -> Snapshot | None:
    """Return the first snapshot that a log without its beginning goes on from."""
    first = log.batches[0].base_offset if log.batches else 0
    bases = {batch.base_offset for batch in log.batches}
    later = [one for one in log.snapshots if one.end_offset in bases and one.end_offset > 0]
    return min(later, key=lambda one: one.end_offset) if first > 0 and later else None


def _place(place: int, offset: int, at: int, batch: Batch | None) -> dict[str, Any]:
    return {
        "place": place,
        "offset": offset,
        "batch_place": at,
        "batch": None if batch is None else batch.base_offset,
        "batch_last": None if batch is None else batch.last_offset,
        "epoch": None if batch is None else batch.epoch,
        "control": batch is not None and batch.is_control,
    }


def _said(record: AnyRecord) -> dict[str, Any]:
    if isinstance(record, Undecodable):
        return {"type": ""}
    if isinstance(record, ControlRecord) or record.type not in _TYPES:
        return {"type": record.type}
    return {"type": record.type, **dict(_fields(record))}


def _fields(record: Record) -> Iterator[tuple[str, Any]]:
    for field, value in record.data.items():
        if field in _SAME:
            yield _SAME[field], value
        elif field in _STATES:
            # A registration says true or false, a change 1, 0 for no change, or -1.
            yield _STATES[field], int(value)
