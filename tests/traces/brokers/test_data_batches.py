"""Batches of users' data in brokers' segments."""

import io
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fencepost.traces import Batch, Header, TraceError, Undecodable, encode_batch
from fencepost.traces.batches import decode_data_batch
from fencepost.traces.records import Quarantined
from fencepost.traces.segments import scan, scan_data
from tests.cases import examples

TEXT = st.none() | st.binary(max_size=12)
USERS = "a record of users' data"


@st.composite
def batches(draw: st.DrawFn) -> Batch:
    """Any batch that a producer could have had written, uncompressed."""
    base, time = draw(st.integers(0, 2**50)), draw(st.integers(0, 2**50))
    deltas = sorted(draw(st.sets(st.integers(0, 900), min_size=1, max_size=5)))
    headers = st.lists(st.builds(Header, st.text(max_size=5), TEXT), max_size=2).map(tuple)
    records = tuple(
        Undecodable(base + delta, time + draw(st.integers(-999, 999)), USERS, draw(TEXT), draw(TEXT), draw(headers))
        for delta in deltas
    )
    return Batch(
        base_offset=base,
        last_offset=base + draw(st.integers(deltas[-1], 999)),
        epoch=draw(st.integers(0, 2**31 - 1)),
        is_control=draw(st.booleans()),
        position=0,
        size=0,
        segment="s",
        records=records,
        max_timestamp=time + 999,
        base_timestamp=time,
        crc=0,
        attributes=draw(st.sampled_from([0, 0x10])),
        producer_id=draw(st.integers(-1, 2**50)),
        producer_epoch=draw(st.integers(-1, 2**15 - 1)),
        base_sequence=draw(st.integers(-1, 2**31 - 1)),
        count=len(records),
    )


@settings(max_examples=examples(100))
@given(st.lists(batches(), min_size=1, max_size=3))
def test_batches_round_trip(written: list[Batch]) -> None:
    """What is written is read back: epoch, offsets, producer, keys, values, headers; and encoding gives the bytes."""
    data = b"".join(encode_batch(one) for one in written)
    read = [one for one in scan_data(io.BytesIO(data), "s") if isinstance(one, Batch)]
    assert b"".join(encode_batch(one) for one in read) == data
    for one, other in zip(read, written, strict=True):
        control = 0x20 if other.is_control else 0
        assert replace(one, position=0, size=0, crc=0) == replace(other, attributes=other.attributes | control)


def test_a_compressed_batch_is_kept_as_it_is() -> None:
    """A compressed batch gives its header, no records, and its bytes again; damage in it is still noticed."""
    record = Undecodable(7, 1, USERS, None, b"v")
    plain = Batch(7, 7, 3, False, 0, 0, "s", (record,), 1, 1, 0, attributes=4, count=1)
    data = encode_batch(plain)
    found = decode_data_batch(data, "s", 0)
    assert (found.base_offset, found.epoch, found.count, found.records) == (7, 3, 1, ())
    assert encode_batch(found) == data
    (damaged,) = scan_data(io.BytesIO(data[:-1] + b"\xff"), "s")
    assert isinstance(damaged, Quarantined)
    assert damaged.kind == "crc"


def test_values_that_look_like_metadata_are_data() -> None:
    """A value that begins as a metadata record does is kept as bytes; the metadata reader refuses such a segment."""
    record = Undecodable(0, 1, USERS, b"key", b"\x01\x02\x00")
    data = encode_batch(Batch(0, 0, 0, False, 0, 0, "s", (record,), 1, 1, 0, count=1))
    (found,) = scan_data(io.BytesIO(data), "s")
    assert isinstance(found, Batch)
    assert found.records == (record,)
    with pytest.raises(TraceError, match="holds records of another topic"):
        list(scan(io.BytesIO(data), "s"))


@given(batches(), st.data())
def test_a_torn_batch_is_told(written: Batch, drawn: st.DataObject) -> None:
    """A segment that ends inside a batch has a range at its end that could not be read, and no batch."""
    data = encode_batch(written)
    cut = drawn.draw(st.integers(17, len(data) - 1))
    found = list(scan_data(io.BytesIO(data[:cut]), "s"))
    assert [type(one) for one in found] == [Quarantined]
    assert isinstance(found[0], Quarantined)
    assert (found[0].start, found[0].end, found[0].kind) == (0, cut, "torn")
