"""Record batches built, written and read back."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.traces import (
    Batch,
    ControlRecord,
    Header,
    Record,
    TraceError,
    Undecodable,
    build_batch,
    build_control_batch,
    decode_batch,
    encode_batch,
)
from tests.cases import each

OFFSETS = st.integers(0, 2**60)
TIMES = st.integers(-1, 2**60)


@st.composite
def batches(draw: st.DrawFn) -> Batch:
    """Any batch that a writer of format 2 could make, of records whose content is free."""
    base_offset, base_timestamp = draw(OFFSETS), draw(TIMES)
    deltas = sorted(draw(st.sets(st.integers(0, 5000), min_size=1, max_size=5)))
    headers = st.lists(st.builds(Header, st.text(max_size=5), st.none() | st.binary(max_size=5)), max_size=2).map(tuple)
    records = tuple(
        Record(
            base_offset + delta,
            base_timestamp + draw(st.integers(-(2**40), 2**40)),
            "TOPIC_RECORD",
            0,
            {"name": draw(st.text(st.characters(exclude_categories=["Cs"]), max_size=9)), "topicId": "A" * 22},
            draw(headers),
        )
        for delta in deltas
    )
    draft = Batch(
        base_offset=base_offset,
        last_offset=base_offset + deltas[-1] + draw(st.integers(0, 3)),
        epoch=draw(st.integers(0, 2**31 - 1)),
        is_control=False,
        position=draw(st.integers(0, 2**40)),
        size=0,
        segment="00000000000000000000.log",
        records=records,
        max_timestamp=draw(TIMES),
        base_timestamp=base_timestamp,
        crc=0,
        attributes=draw(st.sampled_from([0, 0x10, 0x40, 0x50])),
        producer_id=draw(st.integers(-1, 2**40)),
        producer_epoch=draw(st.integers(-1, 2**15 - 1)),
        base_sequence=draw(st.integers(-1, 2**31 - 1)),
        count=len(records),
    )
    encoded = encode_batch(draft)
    return replace(draft, size=len(encoded), crc=int.from_bytes(encoded[17:21], "big"))


@given(batches())
def test_any_batch_round_trips(batch: Batch) -> None:
    """Offsets with gaps, timestamps, producer fields, headers and attribute bits all survive the bytes."""
    encoded = encode_batch(batch)
    assert decode_batch(encoded, batch.segment, batch.position) == batch


def test_built_batch_is_what_is_read() -> None:
    """A built batch equals what is decoded from its bytes, size and checksum included."""
    messages = [("FENCE_BROKER_RECORD", 0, {"id": 1, "epoch": 5}), ("NO_OP_RECORD", 0, {})]
    batch = build_batch(messages, base_offset=40, epoch=3, timestamp=1234, segment="s", position=9)
    assert (batch.base_offset, batch.last_offset, batch.count) == (40, 41, 2)
    assert [record.type for record in batch.metadata_records] == ["FENCE_BROKER_RECORD", "NO_OP_RECORD"]
    assert decode_batch(encode_batch(batch), "s", 9) == batch


def test_built_control_batch_is_what_is_read() -> None:
    """A built control batch bears the control bit and its record the key of its type."""
    data = {"version": 0, "leaderId": 1, "voters": [{"voterId": 1}], "grantingVoters": [{"voterId": 1}]}
    batch = build_control_batch([("LeaderChange", data)], base_offset=0, epoch=1, timestamp=7)
    encoded = encode_batch(batch)
    assert batch.is_control
    assert encoded[21:23] == b"\x00\x20"
    assert decode_batch(encoded, "", 0).records == (ControlRecord(0, 7, "LeaderChange", data),)


def test_empty_batch_is_refused() -> None:
    """A batch of no records is not built."""
    with pytest.raises(TraceError) as caught:
        build_batch([], base_offset=0, epoch=1, timestamp=0)
    assert str(caught.value) == "a record batch holds at least one record: give one, or write no batch"


@each("value", [None, b"", b"\x01\x63\x00\x00", b"\x01\x14\x00\x00\x00", b"\xff"])
def test_unknown_records_are_kept(value: bytes | None) -> None:
    """A record that does not decode is read as Undecodable, says why, and is written back byte for byte."""
    model = build_batch([("NO_OP_RECORD", 0, {})], base_offset=4, epoch=1, timestamp=0)
    encoded = encode_batch(replace(model, records=(Undecodable(4, 0, "", None, value),)))
    read = decode_batch(encoded, "", 0)
    record = read.records[0]
    assert isinstance(record, Undecodable)
    assert record.reason
    assert record.value == value
    assert encode_batch(read) == encoded


def test_unknown_tags_are_kept() -> None:
    """A record with a tag that the schema does not know decodes, and is written back with it."""
    value = bytes.fromhex("01140001" + "0902abcd")
    model = build_batch([("NO_OP_RECORD", 0, {})], base_offset=4, epoch=1, timestamp=0)
    encoded = encode_batch(replace(model, records=(Undecodable(4, 0, "", None, value),)))
    read = decode_batch(encoded, "", 0)
    assert read.records == (Record(4, 0, "NO_OP_RECORD", 0, {}, (), value),)
    assert encode_batch(read) == encoded


def test_append_time_is_kept() -> None:
    """With the append-time bit every record has the batch's time, and the bytes still come back."""
    model = build_batch([("NO_OP_RECORD", 0, {})] * 2, base_offset=4, epoch=1, timestamp=10)
    encoded = encode_batch(replace(model, attributes=0x08, max_timestamp=99))
    read = decode_batch(encoded, "", 0)
    assert [record.timestamp for record in read.records] == [99, 99]
    assert encode_batch(read) == encoded


def test_a_no_op_alone_reads_as_one_among_others() -> None:
    """The record that an idle controller writes is recognized by its bytes: as it is decoded, and written back."""
    alone, two = (
        encode_batch(
            build_batch([("NO_OP_RECORD", 0, {})] * count, base_offset=7, epoch=3, timestamp=1_790_000_000_000)
        )
        for count in (1, 2)
    )
    found = decode_batch(alone, "", 0)
    assert found.records[0] == decode_batch(two, "", 0).records[0]
    assert encode_batch(found) == alone
