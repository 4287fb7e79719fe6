"""Damaged files: what is unreadable is reported with its byte range, and everything else is read."""

import gzip
import io
import struct
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fencepost.traces import (
    Batch,
    CompressedBatchError,
    Quarantined,
    TraceError,
    TrailingZeros,
    Undecodable,
    build_batch,
    encode_batch,
    read_log,
)
from fencepost.traces.crc32c import crc32c
from fencepost.traces.records import Item
from fencepost.traces.segments import scan
from tests.cases import each, examples

RECORDED = Path(__file__).resolve().parents[2] / "traces" / "recorded"
NAME = "00000000000000000000.log"
SOUND = (RECORDED / "rolling-restart" / NAME).read_bytes()
BATCHES = [item for item in scan(io.BytesIO(SOUND), NAME) if isinstance(item, Batch)]
THIRD = BATCHES[2]


def _scan(data: bytes) -> list[Item]:
    return list(scan(io.BytesIO(data), NAME))


def _replaced(data: bytes, position: int, new: bytes) -> bytes:
    return data[:position] + new + data[position + len(new) :]


def _with_right_checksum(batch: bytearray) -> bytes:
    batch[17:21] = struct.pack(">I", crc32c(bytes(batch[21:])))
    return bytes(batch)


def _moved(batches: list[Batch], distance: int) -> Iterator[Batch]:
    return (replace(batch, position=batch.position + distance) for batch in batches)


@pytest.mark.parametrize("inside", [21, 40, THIRD.size - 1])
def test_flipped_byte_costs_one_batch(inside: int) -> None:
    """A flipped byte under the checksum loses its batch alone, and its header says which offsets that held."""
    at = THIRD.position + inside
    items = _scan(_replaced(SOUND, at, bytes([SOUND[at] ^ 0x40])))
    damaged = items[2]
    assert isinstance(damaged, Quarantined)
    assert (damaged.kind, damaged.start, damaged.end) == ("crc", THIRD.position, THIRD.position + THIRD.size)
    assert [*items[:2], *items[3:]] == BATCHES[:2] + BATCHES[3:]


def test_damaged_batch_says_its_offsets() -> None:
    """A batch whose records are damaged is reported with the offsets and epoch of its sound header."""
    at = THIRD.position + THIRD.size - 1
    damaged = _scan(_replaced(SOUND, at, bytes([SOUND[at] ^ 1])))[2]
    assert damaged == Quarantined(
        segment=NAME,
        start=THIRD.position,
        end=THIRD.position + THIRD.size,
        kind="crc",
        reason=f"the checksum of the batch is not {THIRD.crc}, as its header says",
        first_offset=THIRD.base_offset,
        last_offset=THIRD.last_offset,
        epoch=THIRD.epoch,
    )


@each(
    ("length", "kind", "reason"),
    [
        (0, "length", "the batch length here is 0, which cannot be"),
        (-5, "length", "the batch length here is -5, which cannot be"),
        (2**31 - 1, "length", "the batch length here is 2147483647, which cannot be"),
        (2**20, "length", "the batch length here is 1048576, which runs past the end of the file"),
        (THIRD.size - 12 - 3, "crc", f"the checksum of the batch is not {THIRD.crc}, as its header says"),
    ],
)
def test_wrong_length_costs_one_batch(length: int, kind: str, reason: str) -> None:
    """Where a length is wrong the next sound batch is searched for and found."""
    items = _scan(_replaced(SOUND, THIRD.position + 8, struct.pack(">i", length)))
    damaged = items[2]
    assert isinstance(damaged, Quarantined)
    assert (damaged.start, damaged.end) == (THIRD.position, THIRD.position + THIRD.size)
    assert (damaged.kind, damaged.reason) == (kind, reason)
    assert [*items[:2], *items[3:]] == BATCHES[:2] + BATCHES[3:]


def test_wrong_magic_costs_one_batch() -> None:
    """A batch of a format that is not 2 is passed over."""
    items = _scan(_replaced(SOUND, THIRD.position + 16, b"\x07"))
    end = THIRD.position + THIRD.size
    reason = "the batch format here is 7, and only this is read: format 2"
    assert items[2] == Quarantined(NAME, THIRD.position, end, "magic", reason)
    assert [*items[:2], *items[3:]] == BATCHES[:2] + BATCHES[3:]


@settings(max_examples=60, deadline=None)
@given(st.integers(1, BATCHES[-1].size - 1))
def test_torn_tail(kept: int) -> None:
    """A file that ends inside its last batch gives all batches before it and one torn range up to the end."""
    start = BATCHES[-1].position
    *items, tail = _scan(SOUND[: start + kept])
    assert items == BATCHES[:-1]
    if isinstance(tail, TrailingZeros):
        assert not any(SOUND[start : start + kept])
    else:
        assert isinstance(tail, Quarantined)
        assert (tail.kind, tail.start, tail.end) == ("torn", start, start + kept)
        assert tail.first_offset == (BATCHES[-1].base_offset if kept >= 61 else None)


def test_bytes_in_between() -> None:
    """Bytes that are no batch between two batches are reported and passed over."""
    junk = b"\x00\x01junk\x02" * 11
    cut = THIRD.position
    items = _scan(SOUND[:cut] + junk + SOUND[cut:])
    damaged = items[2]
    assert isinstance(damaged, Quarantined)
    assert (damaged.start, damaged.end) == (cut, cut + len(junk))
    assert [*items[:2], *items[3:]] == [*BATCHES[:2], *_moved(BATCHES[2:], len(junk))]


def test_removed_batch_is_no_damage() -> None:
    """A batch that is missing as a whole leaves readable bytes and a gap in the offsets, which is not checked here."""
    items = _scan(SOUND[: THIRD.position] + SOUND[THIRD.position + THIRD.size :])
    assert items == [*BATCHES[:2], *_moved(BATCHES[3:], -THIRD.size)]


@each("zeros", [1, 60, 61, 5000, 3 << 20])
def test_trailing_zeros_are_not_damage(zeros: int) -> None:
    """The unused rest of a preallocated segment is reported apart from damage."""
    assert _scan(SOUND + bytes(zeros)) == [*BATCHES, TrailingZeros(NAME, len(SOUND), len(SOUND) + zeros)]


def test_zeros_in_between_are_damage() -> None:
    """Zero bytes with a batch behind them, even far behind, are damage and not the end."""
    zeros = 3 << 20
    items = _scan(SOUND[: THIRD.position] + bytes(zeros) + SOUND[THIRD.position :])
    reason = "zero bytes stand where a batch should begin"
    assert items[2] == Quarantined(NAME, THIRD.position, THIRD.position + zeros, "magic", reason)
    assert len(items) == len(BATCHES) + 1


def test_records_that_do_not_parse_under_a_right_checksum() -> None:
    """A batch with a right checksum whose records do not fill it is a framing fault of that batch."""
    number, batch = next((number, batch) for number, batch in enumerate(BATCHES) if batch.count > 1)
    body = bytearray(SOUND[batch.position : batch.position + batch.size])
    body[57:61] = struct.pack(">i", batch.count - 1)
    damaged = _scan(_replaced(SOUND, batch.position, _with_right_checksum(body)))[number]
    assert isinstance(damaged, Quarantined)
    assert (damaged.kind, damaged.first_offset) == ("framing", batch.base_offset)


@settings(max_examples=examples(150), deadline=None)
@given(st.data())
def test_damage_never_raises(data: st.DataObject) -> None:
    """Whatever bytes are overwritten, cut or inserted after the first batch, reading goes on and covers the file."""
    damaged = bytearray(SOUND)
    first = BATCHES[0].size
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(first, len(damaged)))
        damaged[at : at + data.draw(st.integers(0, 40))] = data.draw(st.binary(max_size=40))
    position = 0
    try:
        items = _scan(bytes(damaged))
    except CompressedBatchError:
        return
    for item in items:
        start, end = (item.position, item.position + item.size) if isinstance(item, Batch) else (item.start, item.end)
        assert start == position
        position = end
    assert position == len(damaged)


def test_compressed_batch_names_codec_and_remedy() -> None:
    """A compressed batch is refused in a sentence that says where, which codec, and what to do."""
    body = bytearray(SOUND[THIRD.position : THIRD.position + THIRD.size])
    body[22] |= 4
    with pytest.raises(CompressedBatchError) as caught:
        _scan(_replaced(SOUND, THIRD.position, _with_right_checksum(body)))
    assert str(caught.value) == (
        f"{NAME}: the batch at offset {THIRD.base_offset} (byte {THIRD.position}) is compressed with zstd, and a "
        "controller writes its metadata log uncompressed: give the file as the controller wrote it, or its "
        "kafka-dump-log text"
    )


def test_damage_is_collected_for_a_log(tmp_path: Path) -> None:
    """read_log gathers damage and unused space of every file, and keeps the batches around them."""
    at = THIRD.position + 80
    (tmp_path / NAME).write_bytes(_replaced(SOUND, at, bytes([SOUND[at] ^ 1])) + bytes(100))
    log = read_log(tmp_path)
    assert [(each.kind, each.start) for each in log.quarantined] == [("crc", THIRD.position)]
    assert log.trailing_zeros == (TrailingZeros(NAME, len(SOUND), len(SOUND) + 100),)
    assert list(log.batches) == BATCHES[:2] + BATCHES[3:]


def test_cut_gzip_keeps_what_came_before(tmp_path: Path) -> None:
    """A gzipped segment that was cut gives the batches before the cut, and a torn end."""
    packed = gzip.compress(SOUND)
    path = tmp_path / f"{NAME}.gz"
    path.write_bytes(packed[: len(packed) // 2])
    log = read_log(path)
    assert 0 < len(log.batches) < len(BATCHES)
    assert list(log.batches) == BATCHES[: len(log.batches)]
    assert [each.kind for each in log.quarantined][-1] == "torn"


def test_other_topics_are_refused() -> None:
    """A log of another topic is refused, by its keys, its values, or its transaction markers."""

    def refused(key: bytes | None, value: bytes | None, is_control: bool = False) -> str:
        model = build_batch([("NO_OP_RECORD", 0, {})], base_offset=4, epoch=1, timestamp=0)
        record = Undecodable(4, 0, "", key, value)
        with pytest.raises(TraceError) as caught:
            _scan(encode_batch(replace(model, records=(record,), is_control=is_control)))
        return str(caught.value)

    start = f"{NAME}: the batch at offset 4 holds records of another topic ("
    end = "): give the files of a __cluster_metadata-0 directory"
    assert refused(b"key", b"value") == f"{start}the record has a key: this is no metadata record{end}"
    assert refused(None, None) == f"{start}the record has no value: this is no metadata record{end}"
    assert refused(b"\0\0\0\1", b"\0\0\0\0\0\1", is_control=True) == (
        f"{start}control type 1 is none that a controller writes to its metadata log{end}"
    )
