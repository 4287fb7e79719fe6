"""What a metadata log holds that no release of Apache Kafka writes, as forks do: record types, tags and features."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from fencepost.traces import Batch, Record, Undecodable
from fencepost.traces.codec import UnknownTag, frame_of, unknown_tags
from fencepost.traces.record_types import FEATURE_LEVEL_RECORD
from fencepost.traces.redaction import FEATURES
from fencepost.traces.schema import record_schemas

from .passed import is_unknown

_KEY = re.compile(r"Unknown metadata id (\d+)")
"""How kafka-dump-log prints that it does not know a record's type."""

Unread = Undecodable | Record
"""A record that is not read, or not all of it: its type, its version or a tag of it is not known here."""


def unread_of(batch: Batch, with_tags: bool = True) -> Iterator[Unread]:
    """Yield the records of a batch of which what they change is not known, in offset order."""
    found: list[Unread] = [one for one in batch.undecodable if is_unknown(one)]
    if with_tags:
        found += [one for one in batch.kept_raw if tags_of(one)]
    yield from sorted(found, key=lambda one: one.offset)


def tags_of(record: Record) -> tuple[UnknownTag, ...]:
    """Return the tagged fields of a record that no release known here has."""
    return () if record.raw is None else unknown_tags(record.raw)


def bears(record: Record) -> str:
    """Return which tags that are not known a record bears, each with its size, as text; empty where there is none."""
    tags = [f"{one.tag} ({one.size} {'byte' if one.size == 1 else 'bytes'})" for one in tags_of(record)]
    return "" if not tags else f"tag {tags[0]}" if len(tags) == 1 else f"tags {', '.join(tags[:-1])} and {tags[-1]}"


def kind_of(record: Unread) -> str:
    """Return what is not known of a record: its api key, its version, or the tags that it bears.

    It is "undecodable" where its type is known, and its bytes are damaged.
    """
    if isinstance(record, Record):
        return f"{record.type} with tag {', '.join(str(one.tag) for one in tags_of(record))}"
    if not is_unknown(record):
        return "undecodable"
    if record.value is None:
        # A text names the type, or its tool gives the key of one that it does not know.
        key = _KEY.search(record.reason)
        return f"api key {key[1]}" if key else record.reason.split()[0].strip("'")
    frame = frame_of(record.value)
    assert frame is not None
    known = next((one.type for one in record_schemas().values() if one.api_key == frame[0] and not one.is_control), "")
    return f"{known} version {frame[1]}" if known else f"api key {frame[0]}"


def says_of(record: Unread) -> str:
    """Return why a record is not read, as a clause."""
    if isinstance(record, Record):
        return f"{record.type} bears {bears(record)}, which no release of Kafka known here has"
    return record.reason


def first_unread(batches: Iterable[Batch], batch: Batch, with_tags: bool = True) -> tuple[int, str] | None:
    """Return the offset of the first record of a batch that is not read, and what is said of it.

    `batches` are those of the log: features that no Kafka has are named from those in front of it, and what is not read
    is counted from there on. None where all of the batch is read.
    """
    first = next(unread_of(batch, with_tags), None)
    if first is None:
        return None
    sign, counts = "", Counter[str]()
    for one in batches:
        if one.base_offset <= batch.base_offset:
            for record in one.records_of((FEATURE_LEVEL_RECORD,)):
                name = record.data["name"]
                if name not in FEATURES and record.offset < first.offset and not sign:
                    sign = f"offset {record.offset} finalizes {name}, a feature of no Apache Kafka, and "
        if one.last_offset >= first.offset:
            counts.update(kind_of(record) for record in unread_of(one))
    many = ""
    if counts.total() > 1:
        listed = ", ".join(f"{kind} ({count})" for kind, count in sorted(counts.items()))
        many = f" ({counts.total()} records are not read, of {_number(len(counts), 'kind')}: {listed})"
    return first.offset, f"{sign}offset {first.offset}: {says_of(first)}{many}"


def _number(count: int, what: str) -> str:
    return f"{count} {what}" + ("" if count == 1 else "s")
