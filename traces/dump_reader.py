"""The text that kafka-dump-log prints (`--cluster-metadata-decoder`), read back into batches and records.

The text may hold several files one after another (`Dumping ...`), with or without the metadata of each record
(`--skip-record-metadata`, which hides control records, too), or be no more than `payload:` lines cut out of a dump:
then offsets are counted and the epoch is -1, because nothing in the text says them. The text in front of a line of
the tool (`> ` of a quotation, `kafka-0  | ` of docker compose) is left out, and so are colours of a terminal; quotes
may be those of HTML. Where lines are lost, cut or changed the batch that they belong to is `Quarantined` as `text`: no
controller has written what such a text says.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .batches import CONTROL_BIT, DELETE_HORIZON_BIT, LOG_APPEND_TIME_BIT, TRANSACTIONAL_BIT
from .codec import encode_control, encode_value
from .errors import CodecError, TraceError
from .forks import Fork, encoded
from .names import SnapshotId, parse_segment_name, parse_snapshot_name
from .record_types import LEADER_CHANGE, SNAPSHOT_HEADER
from .records import HIDDEN, AnyRecord, Batch, ControlRecord, Item, Quarantined, Record, Undecodable
from .schema import Array, record_schemas
from .storage import base_name

_COLOUR = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_PAIR = re.compile(r"(\w+): (\S+)")
_NUMBER = re.compile(r"-?\d{1,19}", re.ASCII)
_GREATEST = (1 << 63) - 1
_HIDDEN = 8
"""Raft writes at most four records in one batch; a text that claims more is not believed."""
_RECORD = re.compile(
    r"offset: (?P<offset>\d{1,19}) (?P<clock>\w+): (?P<timestamp>-?\d{1,19}) keySize: -?\d+ valueSize: -?\d+"
    r"(?: sequence: -?\d+)?(?: headerKeys: \[[^\]]*\])?(?: (?P<content>.*))?$",
    re.ASCII,
)
_LINE = re.compile(
    r"baseOffset: |\|\s*(?:offset|payload): |Dumping (?=\S+$)|(?:Log starting|Starting) offset: |Snapshot end offset: "
    r"|KRaft bootstrap snapshot$|Found \d+ invalid bytes at the end of "
)
_CONTROL = re.compile(r"(?P<type>LeaderChange|Snapshot(?:Header|Footer)|KRaft(?:Version|Voters)):? (?P<data>\{.*)$")
_CONTROL_TYPE = re.compile(r"controlType: (?P<name>\w+)\(-?\d+\)$")
_START = re.compile(r"(?:Log starting|Starting) offset: (\d{1,19})$")
_SNAPSHOT = re.compile(r"Snapshot end offset: (\d{1,19}), epoch: (-?\d{1,9})$")
_INVALID = re.compile(r"Found (\d{1,19}) invalid bytes at the end of ")
_NEWER = re.compile(r"UnsupportedVersionException|Unknown metadata id")
"""The message of kafka-dump-log about a type, or a version, that a later release has."""
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
    """A batch whose records are still being read; `fields` is empty for lines without a batch line before them.

    `number` is that of its first line. `fault` says what is wrong with a line of it, empty where nothing is.
    """

    file: DumpedFile
    number: int
    fields: dict[str, str]
    records: list[AnyRecord]
    fault: str = ""


class _Fault(Exception):
    """A line does not say what kafka-dump-log prints there; the message has no place."""


def scan_dump(lines: Iterable[str], name: str, fork: Fork | None = None) -> Iterator[tuple[DumpedFile, Item]]:
    """Read a dump line by line: each batch with the file it belongs to.

    `name` is that of the text, for reports and for a text that does not say what was dumped. Records that a `fork`, or
    a shipped one, declares come with their bytes, as no type known here. Raises TraceError where
    the text is no dump of a metadata log.
    """
    reader = _DumpReader(name, fork)
    for number, line in enumerate(lines, start=1):
        yield from reader.read(number, _as_printed(line))
    yield from reader.finish()


def _as_printed(line: str) -> str:
    """Return a line without its end, and without what a file, a terminal or a page put into it."""
    if "\x1b" in line:
        line = _COLOUR.sub("", line)
    if "&quot;" in line and '"' not in line:
        import html  # few dumps have characters by their names

        line = html.unescape(line)
    return line.removeprefix("\ufeff").strip()


class _DumpReader:
    def __init__(self, name: str, fork: Fork | None) -> None:
        self._name, self._fork = name, fork
        self._file = DumpedFile(name, "")
        self._open: _OpenBatch | None = None
        self._next_offset = 0
        self._end_position = 0
        self._epoch = -1
        self._seen_payload = False
        self._seen_batch = False
        self._seen_file = False
        self._seen_offset = False

    def read(self, number: int, line: str) -> Iterator[tuple[DumpedFile, Item]]:
        if (match := _LINE.search(line)) is not None and "payload: " not in line[: match.start()]:
            line = line[match.start() :]
        if line.startswith("baseOffset: "):
            yield from self._close()
            self._seen_batch = True
            self._open = _OpenBatch(self._file, number, dict(_PAIR.findall(line)), [])
            try:
                self._next_offset = _whole(self._open.fields, "baseOffset")
            except _Fault as fault:
                self._open.fault = self._at(number, fault)
        elif line.startswith("Dumping "):
            yield from self._close()
            self._start_file(line.removeprefix("Dumping "))
        elif line.startswith("|") or "payload: " in line:
            yield from self._add(number, line.removeprefix("|").strip())
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
            try:
                item = self._finished(batch)
            except _Fault as fault:
                item = self._lost(batch, batch.fault or self._at(batch.number, fault))
            self._end_position = item.end if isinstance(item, Quarantined) else item.position + item.size
            if batch.file.snapshot is None:
                self._epoch = max(self._epoch, item.epoch or 0)
            yield batch.file, item
            return
        if batch.records:
            yield batch.file, _without_batch_line(batch, self._end_position)
        if batch.fault:
            self._end_position += 1
            yield batch.file, self._lost(batch, batch.fault)

    def _lost(self, batch: _OpenBatch, reason: str) -> Quarantined:
        first, last = _number(batch.fields, "baseOffset"), _number(batch.fields, "lastOffset")
        start = self._end_position
        return Quarantined(batch.file.name, start, start, "text", reason, first, last, None)

    def _at(self, number: int, fault: _Fault) -> str:
        return f"{self._name}, line {number}: {fault}"

    def _add(self, number: int, text: str) -> Iterator[tuple[DumpedFile, Item]]:
        if self._open is None:
            self._open = _OpenBatch(self._file, number, {}, [])
        batch = self._open
        try:
            batch.records.append(self._record_at(number, text, batch))
        except _Fault as fault:
            # A dump that was cut, or edited, still says something up to there; what never was one does not.
            if not (self._seen_payload or self._seen_batch):
                raise TraceError(self._at(number, fault)) from None
            batch.fault = batch.fault or self._at(number, fault)
            if not batch.fields:
                yield from self._close()

    def _record_at(self, number: int, text: str, batch: _OpenBatch) -> AnyRecord:
        offset, content = self._next_offset, text
        timestamp = _number(batch.fields, "CreateTime", -1) or 0
        if match := _RECORD.search(text):
            self._seen_offset = True
            offset, timestamp, content = int(match["offset"]), int(match["timestamp"]), match["content"] or ""
            if offset > _GREATEST or abs(timestamp) > _GREATEST:
                raise _Fault("the record's offset or time is no number of 64 bits")
        elif "payload: " in text:
            # A search puts its own prefix (a file name, a line number) before what it found.
            content = text[text.index("payload: ") :]
        if batch.records and offset <= batch.records[-1].offset:
            raise _Fault(f"the record at offset {offset} comes behind the one at {batch.records[-1].offset}")
        self._next_offset = offset + 1
        return self._record(number, offset, timestamp, content)

    def _record(self, number: int, offset: int, timestamp: int, content: str) -> AnyRecord:
        if match := _CONTROL.match(content):
            self._seen_payload = True
            data = _json(match["data"])
            try:
                encode_control(match["type"], data)
            except CodecError as error:
                raise _Fault(f"the record is not as its type prints: {error}") from None
            return ControlRecord(offset, timestamp, match["type"], data)
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
            says = f"kafka-dump-log says: {payload}"
            if _NEWER.search(payload):
                says += "; the tool is older than the record, whose content is not known here"
            return Undecodable(offset, timestamp, says)
        if not payload:
            raise _Fault(f"the text does not show what the record holds: {_ADVICE}")
        return self._metadata_record(offset, timestamp, payload)

    def _metadata_record(self, offset: int, timestamp: int, payload: str) -> AnyRecord:
        message = _json(payload)
        self._seen_payload = True
        record_type, version, data = message.get("type"), message.get("version"), message.get("data")
        schema = record_schemas().get(record_type) if isinstance(record_type, str) else None
        if schema is None and isinstance(record_type, str) and isinstance(version, int) and isinstance(data, dict):
            value = encoded(self._fork, record_type, version, data)
            if value is not None:
                return Undecodable(offset, timestamp, f"{record_type!r} is no metadata record known here", None, value)
        if schema is None or schema.is_control or not isinstance(data, dict):
            return Undecodable(offset, timestamp, f"{record_type!r} is no metadata record known here")
        if not isinstance(version, int) or version not in schema.versions:
            return Undecodable(offset, timestamp, f"{schema.type} has no version {version!r} known here")
        # Before 3.0 lists were printed as null that are empty.
        lists = {each.name for each in schema.versions[version].fields if isinstance(each.shape, Array)}
        try:
            encode_value(schema.type, version, {n: [] if v is None and n in lists else v for n, v in data.items()})
        except CodecError as error:
            raise _Fault(f"the record is not as its type prints: {error}") from None
        return Record(offset, timestamp, schema.type, version, data)

    def _hidden(self, batch: _OpenBatch, offsets: range, timestamp: int) -> list[AnyRecord]:
        """Return the records of a control batch as --skip-record-metadata shows them: an empty line each.

        A log's first one of an epoch is the leader change, a snapshot's first one its header.
        """
        first = HIDDEN
        if batch.file.snapshot is not None:
            first = SNAPSHOT_HEADER if offsets[0] == 0 else HIDDEN
        elif (_number(batch.fields, "partitionLeaderEpoch") or 0) > self._epoch:
            first = LEADER_CHANGE
        return [ControlRecord(at, timestamp, HIDDEN if at > offsets[0] else first, {}) for at in offsets]

    def _finished(self, batch: _OpenBatch) -> Batch | Quarantined:
        fields = batch.fields
        if fields.get("isvalid") == "false":
            reason = "kafka-dump-log says that the checksum of the batch is wrong"
            first, last = _number(fields, "baseOffset"), _number(fields, "lastOffset")
            epoch, start = _number(fields, "partitionLeaderEpoch"), _number(fields, "position") or self._end_position
            size = _number(fields, "size") or 0
            return Quarantined(batch.file.name, start, start + size, "crc", reason, first, last, epoch)
        base_offset, last_offset = _whole(fields, "baseOffset"), _whole(fields, "lastOffset")
        is_control = fields.get("isControl") == "true"
        count = _whole(fields, "count", len(batch.records))
        max_timestamp = _whole(fields, "CreateTime", _whole(fields, "LogAppendTime", -1))
        records = batch.records
        if is_control and not records and not self._seen_offset and count == last_offset - base_offset + 1 <= _HIDDEN:
            records = self._hidden(batch, range(base_offset, last_offset + 1), max_timestamp)
        if batch.fault:
            raise _Fault(batch.fault)
        if len(records) != count:
            records_of = f"{'record' if count == 1 else 'records'} of the batch at {base_offset}"
            raise _Fault(f"the text holds {len(records)} of the {count} {records_of}")
        offsets = (records[0].offset, records[-1].offset) if records else (base_offset, last_offset)
        if not base_offset <= offsets[0] <= offsets[1] <= last_offset:
            raise _Fault(f"the records at {offsets[0]} to {offsets[1]} are not those of {base_offset} to {last_offset}")
        base_timestamp = records[0].timestamp if records else max_timestamp
        attributes = CONTROL_BIT if is_control else 0
        attributes |= TRANSACTIONAL_BIT if fields.get("isTransactional") == "true" else 0
        attributes |= LOG_APPEND_TIME_BIT if "LogAppendTime" in fields else 0
        horizon = re.fullmatch(r"OptionalLong\[(-?\d{1,19})\]", fields.get("deleteHorizonMs", ""))
        if horizon:
            attributes |= DELETE_HORIZON_BIT
            base_timestamp = int(horizon[1])
        return Batch(
            base_offset=base_offset,
            last_offset=last_offset,
            epoch=_whole(fields, "partitionLeaderEpoch", -1),
            is_control=is_control,
            position=_whole(fields, "position", 0),
            size=_whole(fields, "size", 0),
            segment=batch.file.name,
            records=tuple(records),
            max_timestamp=max_timestamp,
            base_timestamp=base_timestamp,
            crc=_whole(fields, "crc", 0),
            attributes=attributes,
            producer_id=_whole(fields, "producerId", -1),
            producer_epoch=_whole(fields, "producerEpoch", -1),
            base_sequence=_whole(fields, "baseSequence", -1),
            count=count,
        )


def _json(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise _Fault(f"the record is not the JSON of a metadata record: {_ADVICE}")
    return value


def _number(fields: Mapping[str, str], name: str, default: int | None = None) -> int | None:
    """Return a number of a batch line, the default where it has none of 64 bits."""
    said = fields.get(name, "")
    found = int(said) if _NUMBER.fullmatch(said) else None
    return default if found is None or abs(found) > _GREATEST else found


def _whole(fields: Mapping[str, str], name: str, default: int | None = None) -> int:
    """Return a number of a batch line, the default where it does not have the field; raises _Fault for no number."""
    found = _number(fields, name)
    if found is not None:
        return found
    if name in fields:
        raise _Fault(f"the batch line says {name}: {fields[name]}, which is no number of 64 bits")
    if default is None:
        raise _Fault(f"the batch line does not say {name}")
    return default


def _without_batch_line(batch: _OpenBatch, position: int) -> Batch:
    # One batch for all such lines claims least: a batch may hold many results, a result is never cut in two here.
    records = tuple(batch.records)
    return Batch(
        base_offset=records[0].offset,
        last_offset=records[-1].offset,
        epoch=-1,
        is_control=False,
        position=position,
        size=0,
        segment=batch.file.name,
        records=records,
        max_timestamp=max(record.timestamp for record in records),
        base_timestamp=records[0].timestamp,
        crc=0,
        count=len(records),
    )
