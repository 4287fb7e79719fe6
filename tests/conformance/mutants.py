"""Recorded logs with a few bytes changed at random, and what became of each: seen, or the same, or why it passes."""

from __future__ import annotations

import random
import shutil
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fencepost.checkers.conformance import LogResult, Monitor
from fencepost.checkers.verdicts import Verdict
from fencepost.traces import Batch, ControlRecord, MetadataLog, Record, TraceError, read_log
from fencepost.traces.batches import HEADER_SIZE, key_and_value
from fencepost.traces.crc32c import crc32c

from . import RECORDED

CONTROL = "control record"
SHORTER = ("log", "a shorter file")
IGNORED = "no table reads the field"
PASSED = "no table is about records of this type"
CHOSEN = "as a request chose it, which a log does not show"

TOLERATED = {
    (CONTROL, "data"): "what Raft writes for itself is read, and no table is about it",
    SHORTER: "a log that ends earlier, between two batches, is a log",
    ("CONFIG_RECORD", "name"): CHOSEN,
    ("TOPIC_RECORD", "name"): CHOSEN,
    ("REGISTER_BROKER_RECORD", "incarnationId"): "which incarnation of a broker registers is its own affair",
    ("REGISTER_BROKER_RECORD", "features"): "which levels a broker supports is its own affair",
    ("ACCESS_CONTROL_ENTRY_RECORD", "resourceName"): CHOSEN,
    ("DELEGATION_TOKEN_RECORD", "owner"): CHOSEN,
    ("REGISTER_CONTROLLER_RECORD", "controllerId"): "which controllers there are is not said elsewhere in a log",
}
"""Fields in which a changed log may conform, by the record's type and the field's name, each with the reason."""


CHOSEN_TOO = {
    "ACCESS_CONTROL_ENTRY_RECORD": (
        "id", "resourceType", "patternType", "principal", "host", "operation", "permissionType",
    ),
    "REMOVE_ACCESS_CONTROL_ENTRY_RECORD": ("id",),
    "USER_SCRAM_CREDENTIAL_RECORD": ("name", "mechanism", "iterations"),
    "REMOVE_USER_SCRAM_CREDENTIAL_RECORD": ("name", "mechanism"),
    "DELEGATION_TOKEN_RECORD": (
        "tokenId", "requester", "renewers", "issueTimestamp", "maxTimestamp", "expirationTimestamp",
    ),
    "REMOVE_DELEGATION_TOKEN_RECORD": ("tokenId",),
    "CLIENT_QUOTA_RECORD": ("entity", "key", "value", "remove"),
}  # fmt: skip
"""Fields that a request, a random draw or the clock chose: another legal value says another thing, and is as legal."""


def reason(change: tuple[str, str], monitor: Monitor) -> str:
    """Return why a changed field may pass, empty where there is no reason."""
    type_, name = change
    if type_ in monitor.options.passed_through and type_ not in monitor.wire.by_type:
        return PASSED
    records = monitor.wire.by_type.get(type_, ())
    if records and all(name in record.ignored for record in records):
        return IGNORED
    return CHOSEN if name in CHOSEN_TOO.get(type_, ()) else TOLERATED.get(change, "")


@dataclass(frozen=True)
class Outcome:
    """What became of a mutant: `kind` in a word or two, `why` where it passes though it says something else."""

    kind: str
    changes: tuple[tuple[str, str], ...] = ()
    why: str = ""


@dataclass(frozen=True)
class Original:
    """A recorded log and what the monitor says of it."""

    directory: Path
    log: MetadataLog
    result: LogResult

    @staticmethod
    def of(scenario: str, monitor: Monitor) -> Original:
        """Read and check a recorded log."""
        log = read_log(RECORDED / scenario)
        return Original(RECORDED / scenario, log, monitor.judge(log))

    @property
    def files(self) -> tuple[str, ...]:
        """The names of the segments and snapshots."""
        return (*(one.name for one in self.log.segments), *(one.segment for one in self.log.snapshots))


def mutated(original: Original, seed: int, directory: Path) -> str:
    """Write a log with one file changed as a seed says, into an empty directory; returns what was done."""
    chance = random.Random(seed)
    for name in original.files:
        shutil.copyfile(original.directory / name, directory / name)
    path = directory / chance.choice(original.files)
    data = bytearray(path.read_bytes())
    batches = [one for one in _batches(original.log, path.name) if one.size]
    kind = chance.choice(("flip", "truncate", "cut out", "double", "double a batch", "record", "record", "record"))
    at, length = chance.randrange(len(data)), chance.randrange(1, 200)
    match kind:
        case "flip":
            data[at] ^= 1 << chance.randrange(8)
        case "truncate":
            del data[at:]
        case "cut out":
            del data[at : at + length]
        case "double":
            data[at:at] = data[at : at + length]
        case "double a batch":
            one = chance.choice(batches)
            data[one.position : one.position] = data[one.position : one.position + one.size]
        case _:
            _change_record(data, chance.choice(batches), chance)
    path.write_bytes(bytes(data))
    return f"{kind} in {path.name}, seed {seed}"


def _change_record(data: bytearray, batch: Batch, chance: random.Random) -> None:
    """Change a byte of one record's value, and set the checksum right."""
    _, value = key_and_value(chance.choice(batch.records))
    assert value is not None
    end = batch.position + batch.size
    start = data.index(value, batch.position + HEADER_SIZE, end)
    data[start + chance.randrange(len(value))] ^= 1 << chance.randrange(8)
    data[batch.position + 17 : batch.position + 21] = struct.pack(">I", crc32c(bytes(data[batch.position + 21 : end])))


def outcome(original: Original, directory: Path, monitor: Monitor) -> Outcome:
    """Check a mutant. Raises whatever reading or checking raises, but for the declared refusal."""
    try:
        log = read_log(directory)
    except TraceError:
        return Outcome("refused")
    result = monitor.judge(log)
    result.as_json()
    changes = tuple(sorted(_changes(original.log, log)))
    if log.quarantined and result.verdict is Verdict.UNDECIDED:
        return Outcome("unreadable", changes)
    if not changes:
        same = (result.verdict, _found(result)) == (original.result.verdict, _found(original.result))
        return Outcome("same records" if same or log.quarantined else "another verdict on the same records")
    if _found(result) != _found(original.result):
        return Outcome("violates" if result.verdict is Verdict.VIOLATES else "undecided", changes)
    reasons = [reason(change, monitor) for change in changes]
    return Outcome("passes" if all(reasons) else "unseen", changes, "; ".join(sorted(set(reasons))))


def _found(result: LogResult) -> list[tuple[Any, ...]]:
    return [*(v.key for v in result.violations), *((d.first, d.message) for d in result.doubts)]


def _changes(before: MetadataLog, after: MetadataLog) -> Iterator[tuple[str, str]]:
    """Yield in which fields of which types of records two logs differ, none twice."""
    seen: dict[tuple[str, str], None] = {}
    for name in (*(one.name for one in before.segments), *(one.segment for one in before.snapshots)):
        old, new = list(_records(before, name)), list(_records(after, name))
        if len(new) < len(old) and old[: len(new)] == new:
            seen["log", "a shorter file"] = None
            continue
        if len(old) != len(new):
            seen["log", "another number of records"] = None
        for (where, one), (there, other) in zip(old, new, strict=False):
            if where != there:
                seen["batch", "offset or epoch"] = None
            elif one != other:
                seen.update(dict.fromkeys(_fields(one, other)))
    yield from seen


def _fields(one: Any, other: Any) -> Iterator[tuple[str, str]]:
    if isinstance(one, Record) and isinstance(other, Record) and one.type == other.type:
        if one.version != other.version:
            yield one.type, "version"
        for name in sorted(one.data.keys() | other.data.keys()):
            if one.data.get(name) != other.data.get(name):
                yield one.type, name
        # A tag or an encoding that changes no field changes no meaning.
    elif isinstance(one, ControlRecord) and isinstance(other, ControlRecord):
        if (one.type, one.data) != (other.type, other.data):
            yield CONTROL, "data" if one.type == other.type else "type"
    else:
        yield "record", "type"


def _records(log: MetadataLog, name: str) -> Iterator[tuple[tuple[int, int], Any]]:
    for batch in _batches(log, name):
        for record in batch.records:
            yield (record.offset, batch.epoch), record


def _batches(log: MetadataLog, name: str) -> tuple[Batch, ...]:
    for snapshot in log.snapshots:
        if snapshot.segment == name:
            return snapshot.batches
    return tuple(batch for batch in log.batches if batch.segment == name)
