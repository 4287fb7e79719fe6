"""Fields that no controller writes into the header of a batch, beside a record, or into a leader change.

A controller builds batches in one way (Kafka's `BatchBuilder` and `LeaderState`): no compression, no producer, no
transaction, no headers, and one time for all records of a batch. Its own transactions are metadata records.
"""

from __future__ import annotations

from collections.abc import Iterator

from fencepost.traces import Batch, ControlRecord
from fencepost.traces.batches import CONTROL_BIT, DELETE_HORIZON_BIT, LOG_APPEND_TIME_BIT, TRANSACTIONAL_BIT
from fencepost.traces.record_types import LEADER_CHANGE
from fencepost.traces.records import DecodedOnDemand

_BITS = {
    TRANSACTIONAL_BIT: "is marked as a producer's transaction",
    DELETE_HORIZON_BIT: "has a delete horizon, which the cleaner of compacted topics sets",
    LOG_APPEND_TIME_BIT: "has times that are marked as the broker's",
}
_RESERVED = 0xFFFF & ~(CONTROL_BIT | sum(_BITS) | 0x07)


def never_written(batch: Batch, is_binary: bool) -> str:
    """Return why no controller writes a batch in this form, empty where one may.

    Where it was not read from the bytes of a file (`is_binary`) times and records that are missing say nothing.
    """
    if batch.attributes & ~CONTROL_BIT or batch.producer_id != -1 or batch.producer_epoch != -1:
        return _marked(batch)
    if batch.base_sequence != -1:
        return _marked(batch)
    if not is_binary:
        return ""
    if not batch.records:
        return "holds no record"
    records = batch.records
    # A large batch that is decoded on demand has records of the plain form only.
    if not isinstance(records, DecodedOnDemand) and any(record.headers for record in records):
        return "has a record with headers"
    times = batch.times
    if max(times) != batch.max_timestamp:
        return f"says that its newest record is of time {batch.max_timestamp}, and that is of {max(times)}"
    if batch.raw is not None:
        return "has a record with attributes, or a number that is written longer than it has to be"
    return ""


def _marked(batch: Batch) -> str:
    for bit, words in _BITS.items():
        if batch.attributes & bit:
            return words
    if batch.attributes & _RESERVED:
        return f"has the reserved attribute bits {batch.attributes & _RESERVED:#06x}"
    numbers = {
        "producer id": batch.producer_id,
        "producer epoch": batch.producer_epoch,
        "base sequence": batch.base_sequence,
    }
    named = [f"{name} {value}" for name, value in numbers.items() if value != -1]
    return f"has the {' and the '.join(named)} of a producer" if named else ""


def wrong_elections(batch: Batch, is_binary: bool) -> Iterator[tuple[int, str]]:
    """Yield the offset of each leader change that no election makes, and why; a text may hide the voters."""
    for record in batch.records:
        if not isinstance(record, ControlRecord) or record.type != LEADER_CHANGE or "voters" not in record.data:
            continue
        for name, words in (("voters", "voter"), ("grantingVoters", "granting voter")):
            ids = _ids(record, name)
            twice = sorted({one for one in ids if ids.count(one) > 1})
            if twice:
                yield record.offset, f"This leader change names the {words} {twice[0]} twice."
                break
        else:
            voters, granting = set(_ids(record, "voters")), set(_ids(record, "grantingVoters"))
            if len(granting & voters) * 2 <= len(voters) and (voters or is_binary):
                yield (
                    record.offset,
                    f"This leader change names {len(granting & voters)} of {len(voters)} voters as granting: a leader "
                    "has the votes of a majority.",
                )


def _ids(record: ControlRecord, name: str) -> list[int]:
    found = record.data.get(name) or ()
    return [one["voterId"] for one in found if isinstance(one, dict) and isinstance(one.get("voterId"), int)]
