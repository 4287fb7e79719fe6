"""The text that kafka-dump-log prints (`--cluster-metadata-decoder`), read back into batches and records.

The text may hold several files one after another (`Dumping ...`), with or without the metadata of each record
(`--skip-record-metadata`), or be no more than `payload:` lines cut out of a dump: then offsets are counted and the
epoch is -1, because nothing in the text says them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from .batches import CONTROL_BIT, DELETE_HORIZON_BIT, LOG_APPEND_TIME_BIT, TRANSACTIONAL_BIT
from .errors import TraceError
from .names import SnapshotId, parse_segment_name, parse_snapshot_name
from .records import AnyRecord, Batch, ControlRecord, Item, Quarantined, Record, Undecodable
from .schema import record_schemas
from .storage import base_name

_PAIR = re.compile(r"(\w+): (\S+)")
_RECORD = re.compile(
    r"offset: (?P<offset>-?\d+) (?P<clock>\w+): (?P<timestamp>-?\d+) keySize: -?\d+ valueSize: -?\d+"
    r"(?: sequence: -?\d+)?(?: headerKeys: \[[^\]]*\])?(?: (?P<content>.*))?$"
)
_CONTROL = re.compile(r"(?P<type>LeaderChange|Snapshot(?:Header|Footer)|KRaft(?:Version|Voters)):? (?P<data>\{.*)$")
_CONTROL_TYPE = re.compile(r"controlType: (?P<name>\w+)\(-?\d+\)$")
_START = re.compile(r"(?:Log starting|Starting) offset: (\d+)$")
_SNAPSHOT = re.compile(r"Snapshot end offset: (\d+), epoch: (-?\d+)$")
_INVALID = re.compile(r"Found (\d+) invalid bytes at the end of ")
_ADVICE = "make the text with kafka-dump-log --cluster-metadata-decoder"

# Older releases print the control type and not the content.
_CONTROL_TYPES = {
    "LEADER_CHANGE": "LeaderChange",
    "SNAPSHOT_HEADER": "SnapshotHeader",
    "SNAPSHOT_FOOTER": "SnapshotFooter",
    "KRAFT_VERSION": "KRaftVersion",
    "KRAFT_VOTERS": "KRaftVoters",
}


@dataclass(slots=True)
class DumpedFile:
    """A file of which the text is a dump: its name, and what its first lines say it is."""

    name: str
    path: str
    base_offset: int | None = None
    snapshot: SnapshotId | None = None


@dataclass(slots=True)
class _OpenBatch:
    """A batch whose records are still being read; `fields` is empty for lines without a batch line before them."""

    file: DumpedFile
    fields: dict[str, str]
    records: list[AnyRecord]


def scan_dump(lines: Iterable[str], name: str) -> Iterator[tuple[DumpedFile, Item]]:
    """Read a dump line by line: each batch with the file it belongs to.

    `name` is that of the text, for reports and for a text that does not say what was dumped. Raises TraceError where
    the text is no dump of a metadata log.
    """
    reader = _DumpReader(name)
    for number, line in enumerate(lines, start=1):
        yield from reader.read(number, line.strip())
    yield from reader.finish()


class _DumpReader:
    def __init__(self, name: str) -> None:
        self._name = name
        self._file = DumpedFile(name, "")
        self._open: _OpenBatch | None = None
        self._next_offset = 0
        self._end_position = 0
        self._seen_payload = False
        self._seen_batch = False
        self._seen_file = False

    def read(self, number: int, line: str) -> Iterator[tuple[DumpedFile, Item]]:
        if line.startswith("baseOffset: "):
            yield from self._close()
            self._seen_batch = True
            self._open = _OpenBatch(self._file, dict(_PAIR.findall(line)), [])
            self._next_offset = int(self._open.fields["baseOffset"])
        elif line.startswith("Dumping "):
            yield from self._close()
            self._start_file(line.removeprefix("Dumping "))
        elif line.startswith("|") or "payload: " in line:
            self._add(number, line.removeprefix("|").strip())
        elif match := _START.match(line):
            self._file.base_offset = int(match[1])
        elif match := _SNAPSHOT.match(line):
            self._file.snapshot = SnapshotId(int(match[1]), int(match[2]))
        elif line == "KRaft bootstrap snapshot":
            self._file.snapshot = SnapshotId(0, 0)
        elif match := _INVALID.match(line):
            yield from self._close()
            start = self._end_position
            reason = "kafka-dump-log found bytes at the end of the file that are no batch"
            yield self._file, Quarantined(self._file.name, start, start + int(match[1]), "torn", reason)

    def finish(self) -> Iterator[tuple[DumpedFile, Item]]:
        yield from self._close()
        if not (self._seen_batch or self._seen_payload or self._seen_file):
            raise TraceError(
                f"{self._name}: the text is no dump of a metadata log: {_ADVICE}, or give the binary files"
            )
        if self._seen_batch and not self._seen_payload:
            raise TraceError(f"{self._name}: the dump shows batches but no records: {_ADVICE}")

    def _start_file(self, path: str) -> None:
        name = base_name(path)
        self._file = DumpedFile(name, path, parse_segment_name(name), parse_snapshot_name(name))
        self._seen_file = True
        self._next_offset = 0
        self._end_position = 0

    def _close(self) -> Iterator[tuple[DumpedFile, Item]]:
        if self._open is None:
            return
        batch, self._open = self._open, None
        if batch.fields:
            item = _finished(batch)
            self._end_position = item.end if isinstance(item, Quarantined) else item.position + item.size
            yield batch.file, item
        elif batch.records:
            yield batch.file, _without_batch_line(batch)

    def _add(self, number: int, text: str) -> None:
        if self._open is None:
            self._open = _OpenBatch(self._file, {}, [])
        offset, content = self._next_offset, text
        timestamp = int(self._open.fields.get("CreateTime", "-1"))
        if match := _RECORD.search(text):
            offset, timestamp, content = int(match["offset"]), int(match["timestamp"]), match["content"] or ""
        elif "payload: " in text:
            # A search puts its own prefix (a file name, a line number) before what it found.
            content = text[text.index("payload: ") :]
        self._next_offset = offset + 1
        self._open.records.append(self._record(number, offset, timestamp, content))

    def _record(self, number: int, offset: int, timestamp: int, content: str) -> AnyRecord:
        if match := _CONTROL.match(content):
            self._seen_payload = True
            return ControlRecord(offset, timestamp, match["type"], self._json(number, match["data"]))
        if match := _CONTROL_TYPE.match(content):
            name = match["name"]
            if name not in _CONTROL_TYPES:
                raise TraceError(f"{self._name}, line {number}: a control record of type {name} is in no metadata log")
            return ControlRecord(offset, timestamp, _CONTROL_TYPES[name], {})
        if content.startswith("key: "):
            raise TraceError(
                f"{self._name}, line {number}: the record has a key, and metadata records have none: "
                "dump the files of a __cluster_metadata-0 directory"
            )
        payload = content.removeprefix("payload: ")
        if payload.startswith("Error at "):
            return Undecodable(offset, timestamp, f"kafka-dump-log says: {payload}")
        if not payload:
            return Undecodable(offset, timestamp, "the text does not show what the record holds")
        return self._metadata_record(number, offset, timestamp, payload)

    def _metadata_record(self, number: int, offset: int, timestamp: int, payload: str) -> AnyRecord:
        try:
            message = self._json(number, payload)
        except TraceError as error:
            # A dump that was cut, or edited, still says something up to there; what never was one does not.
            if self._seen_payload:
                return Undecodable(offset, timestamp, str(error))
            raise
        self._seen_payload = True
        record_type, version, data = message.get("type"), message.get("version"), message.get("data")
        schema = record_schemas().get(record_type) if isinstance(record_type, str) else None
        if schema is None or schema.is_control or not isinstance(data, dict):
            return Undecodable(offset, timestamp, f"{record_type!r} is no metadata record known here")
        if not isinstance(version, int) or version not in schema.versions:
            return Undecodable(offset, timestamp, f"{schema.type} has no version {version!r} known here")
        return Record(offset, timestamp, schema.type, version, data)

    def _json(self, number: int, text: str) -> dict[str, Any]:
        try:
            value = json.loads(text)
        except json.JSONDecodeError:
            value = None
        if not isinstance(value, dict):
            raise TraceError(f"{self._name}, line {number}: the record is not the JSON of a metadata record: {_ADVICE}")
        return value


def _finished(batch: _OpenBatch) -> Batch | Quarantined:
    fields = batch.fields
    base_offset, last_offset = int(fields["baseOffset"]), int(fields["lastOffset"])
    position, size = int(fields.get("position", "0")), int(fields.get("size", "0"))
    epoch = int(fields.get("partitionLeaderEpoch", "-1"))
    if fields.get("isvalid") == "false":
        reason = "kafka-dump-log says that the checksum of the batch is wrong"
        segment = batch.file.name
        return Quarantined(segment, position, position + size, "crc", reason, base_offset, last_offset, epoch)
    is_control = fields.get("isControl") == "true"
    count = int(fields.get("count", len(batch.records)))
    max_timestamp = int(fields.get("CreateTime") or fields.get("LogAppendTime") or "-1")
    base_timestamp = batch.records[0].timestamp if batch.records else max_timestamp
    attributes = CONTROL_BIT if is_control else 0
    attributes |= TRANSACTIONAL_BIT if fields.get("isTransactional") == "true" else 0
    attributes |= LOG_APPEND_TIME_BIT if "LogAppendTime" in fields else 0
    horizon = re.fullmatch(r"OptionalLong\[(-?\d+)\]", fields.get("deleteHorizonMs", ""))
    if horizon:
        attributes |= DELETE_HORIZON_BIT
        base_timestamp = int(horizon[1])
    # With --skip-record-metadata a control record is an empty line.
    for offset in range(base_offset + len(batch.records), base_offset + count):
        batch.records.append(Undecodable(offset, max_timestamp, "the text does not show what the record holds"))
    return Batch(
        base_offset=base_offset,
        last_offset=last_offset,
        epoch=epoch,
        is_control=is_control,
        position=position,
        size=size,
        segment=batch.file.name,
        records=tuple(batch.records),
        max_timestamp=max_timestamp,
        base_timestamp=base_timestamp,
        crc=int(fields.get("crc", "0")),
        attributes=attributes,
        producer_id=int(fields.get("producerId", "-1")),
        producer_epoch=int(fields.get("producerEpoch", "-1")),
        base_sequence=int(fields.get("baseSequence", "-1")),
        count=count,
    )


def _without_batch_line(batch: _OpenBatch) -> Batch:
    # One batch for all such lines claims least: a batch may hold many results, a result is never cut in two here.
    records = tuple(batch.records)
    return Batch(
        base_offset=records[0].offset,
        last_offset=records[-1].offset,
        epoch=-1,
        is_control=False,
        position=0,
        size=0,
        segment=batch.file.name,
        records=records,
        max_timestamp=max(record.timestamp for record in records),
        base_timestamp=records[0].timestamp,
        crc=0,
        count=len(records),
    )
