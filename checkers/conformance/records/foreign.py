"""Finds record types, tags and features of a metadata log that no release of Apache Kafka writes, as forks do."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from fencepost.traces import RECORD_TYPES, Batch, Record, Undecodable
from fencepost.traces.codec import UnknownTag, frame_of, unknown_tags
from fencepost.traces.forks import Fork
from fencepost.traces.record_types import FEATURE_LEVEL_RECORD
from fencepost.traces.redaction import FEATURES
from fencepost.traces.schema import record_schemas

from .passed import is_unknown

_KEY = re.compile(r"Unknown metadata id (\d+)")
"""The words of kafka-dump-log for a record of an unknown type."""

Unread = Undecodable | Record
"""A record that is not read, or not all of it: its type, its version or a tag of it is not known here."""


def unread_of(batch: Batch, with_tags: bool = True, fork: Fork | None = None) -> Iterator[Unread]:
    """Yield the records of a batch of which what they change is not known, in offset order.

    By the declaration of a fork these are the ones that it leaves out, and those that it says change Kafka's cells.
    """
    read = batch if fork is None else fork.batch(batch)
    found: list[Unread] = [one for one in read.undecodable if is_unknown(one) or is_declared(one, fork)]
    if with_tags or fork is not None:
        found += [one for one in read.kept_raw if (with_tags and tags_of(one, fork)) or changed_by(one, fork)]
    yield from sorted(found, key=lambda one: one.offset)


def is_declared(record: Undecodable, fork: Fork | None) -> bool:
    """Return whether the type and version of a record are declared, so that its bytes do not fit the declaration."""
    frame = None if record.value is None or fork is None else frame_of(record.value)
    return fork is not None and frame is not None and fork.codec(*frame) is not None


def changed_by(record: Unread, fork: Fork | None) -> tuple[str, ...]:
    """Return the cells of Kafka's that a record may change by what a fork declares of its type and its tags."""
    if fork is None:
        return ()
    if isinstance(record, Undecodable):
        found = fork.read(record)
        return () if found is None else fork.by_name[found.type].changes
    return tuple(dict.fromkeys(cell for tag, _ in fork.tags_of(record) for cell in tag.changes))


def tags_of(record: Record, fork: Fork | None = None) -> tuple[UnknownTag, ...]:
    """Return the tagged fields of a record that no release known here has, and a fork does not declare."""
    if record.raw is None or record.type not in RECORD_TYPES:
        return ()
    return unknown_tags(record.raw) if fork is None else fork.unknown_of(record)


def bears(record: Record, fork: Fork | None = None) -> str:
    """Return which tags that are not known a record bears, each with its size, as text; empty where there is none."""
    tags = [f"{one.tag} ({one.size} {'byte' if one.size == 1 else 'bytes'})" for one in tags_of(record, fork)]
    return "" if not tags else f"tag {tags[0]}" if len(tags) == 1 else f"tags {', '.join(tags[:-1])} and {tags[-1]}"


def kind_of(record: Unread, fork: Fork | None = None) -> str:
    """Return what is not known of a record: its api key, its version, or the tags that it bears.

    It is "undecodable" where its type is known, and its bytes are damaged.
    """
    if isinstance(record, Record):
        return f"{record.type} with tag {', '.join(str(one.tag) for one in tags_of(record, fork))}"
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


def says_of(record: Unread, fork: Fork | None = None) -> str:
    """Return why a record is not read, as a clause."""
    if fork is None or not fork.name:
        if isinstance(record, Record):
            return f"{record.type} bears {bears(record)}, which no release of Kafka known here has"
        return record.reason
    cells = changed_by(record, fork)
    if cells:
        return f"{kind_of(record, fork)} may change {', '.join(cells)}, as the declaration of {fork.name} says"
    if isinstance(record, Record):
        return f"{record.type} bears {bears(record, fork)}, which neither Kafka nor the declaration of {fork.name} has"
    if is_declared(record, fork):
        return f"the bytes of {kind_of(record)} are not as the declaration of {fork.name} has them"
    return f"{record.reason}, and none that the declaration of {fork.name} has"


def first_unread(
    batches: Iterable[Batch], batch: Batch, with_tags: bool = True, fork: Fork | None = None
) -> tuple[int, str] | None:
    """Return the offset of the first record of a batch that is not read, and what is said of it.

    `batches` are those of the log: features that no Kafka has are named from those in front of it, and what is not read
    is counted from there on. None where all of the batch is read.
    """
    first = next(unread_of(batch, with_tags, fork), None)
    if first is None:
        return None
    sign, counts = "", Counter[str]()
    known = FEATURES.union(() if fork is None else fork.sign.features)
    for one in batches:
        if one.base_offset <= batch.base_offset:
            for record in one.records_of((FEATURE_LEVEL_RECORD,)):
                name = record.data["name"]
                if name not in known and record.offset < first.offset and not sign:
                    sign = f"offset {record.offset} finalizes {name}, a feature of no Apache Kafka, and "
        if one.last_offset >= first.offset:
            counts.update(kind_of(record, fork) for record in unread_of(one, True, fork))
    many = ""
    if counts.total() > 1:
        listed = ", ".join(f"{kind} ({count})" for kind, count in sorted(counts.items()))
        many = f" ({counts.total()} records are not read, of {_number(len(counts), 'kind')}: {listed})"
    return first.offset, f"{sign}offset {first.offset}: {says_of(first, fork)}{many}"


def _number(count: int, what: str) -> str:
    return f"{count} {what}" + ("" if count == 1 else "s")
