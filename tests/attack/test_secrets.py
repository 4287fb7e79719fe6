"""`redact`: a secret anywhere in a log is nowhere in the copy, nor in what the command prints."""

from __future__ import annotations

import base64
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.cli.main import main
from fencepost.traces import Batch, Header, Record, Undecodable, build_batch, encode_batch
from fencepost.traces.codec import encode_value
from fencepost.traces.crc32c import crc32c
from fencepost.traces.schema import Array, Primitive, Shape, record_schemas
from tests.attack.fuzzing import SEGMENT, batches

SECRET = "hunter2-Zq9xW"
RECORDS = [
    (one.type, version)
    for one in sorted(record_schemas().values(), key=lambda one: one.type)
    if not one.is_control
    for version in one.versions
]


def _full(shape: Shape) -> Any:
    """A value of a shape with the secret in every text and every bytes, arrays of one element, and no null."""
    if isinstance(shape, Primitive):
        if "STRING" in shape.name:
            return SECRET
        if "BYTES" in shape.name:
            return base64.b64encode(SECRET.encode()).decode()
        if shape.name == "UUID":
            return "AAAAAAAAAAAAAAAAAAAAAQ"
        return False if shape.name == "BOOLEAN" else 1.5 if "FLOAT" in shape.name else 1
    if isinstance(shape, Array):
        return [_full(shape.element)]
    return {one.name: _full(one.shape) for one in (*shape.fields, *(field for _, field in shape.tagged))}


def _batch(records: list[tuple[str, int, dict[str, Any]]], offset: int) -> Batch:
    return build_batch(records, base_offset=offset, epoch=1, timestamp=1_700_000_000_000)


def _copied(folder: Path, made: list[bytes], capsys: pytest.CaptureFixture[str]) -> tuple[int, bytes, str]:
    """The code of `redact`, all bytes and names that it wrote, and what it printed of a log."""
    log, copy = folder / "log", folder / "copy"
    log.mkdir()
    (log / SEGMENT).write_bytes(b"".join(made))
    code = main(["redact", str(log), "--to", str(copy), "--json"])
    said = capsys.readouterr()
    there = sorted(copy.rglob("*")) if copy.exists() else []
    return code, b"".join(one.name.encode() + b"\0" + one.read_bytes() for one in there), said.out + said.err


def _hidden(written: bytes) -> bool:
    """Whether the secret is in no form in some bytes: as it is, in base64, or in UTF-16."""
    forms = (SECRET.encode(), base64.b64encode(SECRET.encode()).rstrip(b"="), SECRET.encode("utf-16-le"))
    return not any(form in written for form in forms)


def test_no_text_of_any_record_is_in_the_copy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The secret in every text and bytes, tagged ones too, of every version of every record is not in the copy."""
    made = list(batches()[:1])
    for kind, version in RECORDS:
        schema = record_schemas()[kind]
        offset = made[-1].last_offset + 1
        made.append(_batch([(kind, version, _full(schema.versions[version]))], offset))
    code, written, said = _copied(tmp_path, list(map(encode_batch, made)), capsys)
    assert code == 0, said
    assert len(RECORDS) > 30
    assert len(written) > 1000
    assert _hidden(written)
    assert SECRET not in said


def test_headers_tags_and_unknown_records_are_not_in_the_copy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The secret in a header, an unknown tag, trailing bytes, or a record of an unknown type is refused or left out."""
    first = _batch([("TOPIC_RECORD", 0, {"name": "t", "topicId": "AAAAAAAAAAAAAAAAAAAAAQ"})], 40)
    value = encode_value("TOPIC_RECORD", 0, {"name": "t", "topicId": "AAAAAAAAAAAAAAAAAAAAAQ"})
    secret = SECRET.encode()
    tag = value[:-1] + bytes([1, 100, len(secret)]) + secret
    (record,) = first.records
    assert isinstance(record, Record)
    altered = {
        "header": replace(record, headers=(Header("k", secret),)),
        "header's key": replace(record, headers=(Header(SECRET, b""),)),
        "tag": replace(record, raw=tag),
        "trailing": Undecodable(40, record.timestamp, "", None, value + secret),
        "unknown type": Undecodable(40, record.timestamp, "", None, b"\x01\xe7\x07\x00" + secret),
        "key": Undecodable(40, record.timestamp, "", secret, value),
    }
    for number, (name, one) in enumerate(altered.items()):
        folder = tmp_path / str(number)
        folder.mkdir()
        batch = _sealed(replace(first, records=(one,)))
        code, written, said = _copied(folder, [encode_batch(batches()[0]), batch], capsys)
        assert code in {0, 2}, name
        assert _hidden(written), name
        assert SECRET not in said, name


def _sealed(batch: Batch) -> bytes:
    """The bytes of a batch with their checksum and length."""
    raw = bytearray(encode_batch(batch))
    raw[8:12] = (len(raw) - 12).to_bytes(4, "big")
    raw[17:21] = crc32c(bytes(raw[21:])).to_bytes(4, "big")
    return bytes(raw)


def test_a_name_of_a_file_is_not_in_the_copy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Files of the copy have names of Kafka's alone: one beside the log with another name is not there."""
    log = tmp_path / "beside"
    log.mkdir()
    _, written, _ = _copied(log, list(map(encode_batch, batches()[:3])), capsys)
    (log / "log" / f"{SECRET}.log").write_bytes(b"")
    assert main(["redact", str(log / "log"), "--to", str(log / "second")]) == 0
    capsys.readouterr()
    assert _hidden(written)
    assert [one.name for one in (log / "second").iterdir()] == [SEGMENT]
