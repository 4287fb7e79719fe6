"""Large batches: records that are decoded when they are asked for are those that reading one by one gives."""

import io
import pickle
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fencepost.traces import (
    AnyRecord,
    Batch,
    CodecError,
    Header,
    Item,
    Record,
    Snapshot,
    TraceError,
    Undecodable,
    batches,
    build_batch,
    build_snapshot,
    decode_batch,
    encode_batch,
    lazy_records,
    read_log,
    read_snapshot,
    write_snapshot,
)
from fencepost.traces.crc32c import crc32c
from fencepost.traces.lazy_records import LazyRecords
from fencepost.traces.primitives import uuid_text, write_varlong
from fencepost.traces.schema import record_schemas
from fencepost.traces.segments import scan
from tests.cases import each, examples

from .any_record import METADATA, structures

RECORDED = Path(__file__).resolve().parents[2] / "traces" / "recorded"
TOPICS = [uuid_text(bytes([n] * 16)) for n in range(1, 5)]
Message = tuple[str, int, dict[str, Any]]


@contextmanager
def large_from(count: int) -> Iterator[None]:
    """Read batches of so many records into columns."""
    with patch.object(batches, "_LARGE", count):
        yield


def one_by_one(data: bytes) -> list[Item] | str:
    """What a file of these bytes holds where every record is decoded when it is read, or why it is refused."""
    with large_from(1 << 40):
        return _items(data)


def in_columns(data: bytes) -> list[Item] | str:
    """What a file of these bytes holds where every batch is read into columns."""
    with large_from(1):
        return _items(data)


def _items(data: bytes) -> list[Item] | str:
    try:
        return list(scan(io.BytesIO(data), "a.log"))
    except TraceError as error:
        return f"{type(error).__name__}: {error}"


def only_batch(found: list[Item] | str) -> Batch:
    """The batch of a file that holds one."""
    assert not isinstance(found, str)
    [batch] = found
    assert isinstance(batch, Batch)
    return batch


def lazy(batch: Batch) -> LazyRecords:
    """The records of a batch, read back from its bytes into columns."""
    records = only_batch(in_columns(encode_batch(batch))).records
    assert isinstance(records, LazyRecords)
    return records


def of(messages: list[Message], offset: int = 7, time: int = 1_700_000_000_000) -> Batch:
    """A batch of messages."""
    return build_batch(messages, base_offset=offset, epoch=3, timestamp=time, segment="a.log")


def changes(count: int) -> list[Message]:
    """Messages of several types, most of them of partitions, with few differences behind the partition."""
    found: list[Message] = []
    for n in range(count):
        where = {"partitionId": n, "topicId": TOPICS[n % 3]}
        if n % 10 == 9:
            found.append(("TOPIC_RECORD", 0, {"name": f"topic-{n}", "topicId": TOPICS[0]}))
        elif n % 4:
            found.append(("PARTITION_CHANGE_RECORD", 2, {**where, "isr": [n % 2, 5], "leader": n % 2}))
        else:
            found.append(("FENCE_BROKER_RECORD", 0, {"id": n, "epoch": 12}))
    return found


@st.composite
def any_batch(draw: st.DrawFn) -> Batch:
    """Any batch with records of any type, the same more than once, at different times."""
    kinds = draw(st.lists(st.sampled_from(METADATA), min_size=1, max_size=3))
    known = [
        (kind, version, draw(structures(record_schemas()[kind].versions[version])))
        for kind, version in kinds
        for _ in range(2)
    ]
    messages = draw(st.lists(st.sampled_from(known), min_size=1, max_size=12))
    batch = of(messages, draw(st.integers(0, 2**60)), draw(st.integers(-1, 2**60)))
    late = draw(st.lists(st.sampled_from([0, 0, 1, 63, 64, -64, -65, 2**33]), min_size=len(messages)))
    records = tuple(
        replace(one, timestamp=one.timestamp + more) for one, more in zip(batch.records, late, strict=False)
    )
    return replace(batch, records=records)


@settings(max_examples=examples(200), deadline=None)
@given(any_batch())
def test_any_batch_reads_the_same(batch: Batch) -> None:
    """For records of any type, at any time, a batch in columns equals that read one by one, order of fields too."""
    encoded = encode_batch(batch)
    mine, theirs = only_batch(in_columns(encoded)), only_batch(one_by_one(encoded))
    assert isinstance(mine.records, LazyRecords)
    assert isinstance(theirs.records, tuple)
    assert mine == theirs
    assert list(map(_shown, mine.records)) == list(map(_shown, theirs.records))
    assert mine.records.timestamps().tolist() == [one.timestamp for one in theirs.records]
    assert encode_batch(mine) == encoded
    assert (mine.times, mine.offsets) == (theirs.times, range(mine.base_offset, mine.last_offset + 1))
    assert list(mine.types.items()) == list(theirs.types.items())


def _shown(record: AnyRecord) -> tuple[AnyRecord, list[str]]:
    return record, list(record.data) if isinstance(record, Record) else []


@settings(max_examples=examples(200), deadline=None)
@given(any_batch())
def test_prefix_and_rest_make_the_record(batch: Batch) -> None:
    """A run's prefix and the rest that its number stands for are each record's data, and its bytes."""
    from fencepost.traces.interner import Interner
    from fencepost.traces.prefixes import FRAME_SIZE, prefix_of

    records, interner = lazy(batch), Interner()
    for run in records.runs(interner):
        prefix = prefix_of(run.api_key, run.version)
        values = list(records.values(run.start, run.end))
        if prefix is None:
            assert run.prefixes is run.rests is None
            continue
        assert run.prefixes is not None
        assert run.rests is not None
        for record, value, front, number in zip(
            records[run.start : run.end], values, run.prefixes, run.rests.tolist(), strict=True
        ):
            assert isinstance(record, Record)
            assert (record.type, record.version) == (prefix.type, prefix.version)
            rest = interner.decoded(number)
            assert list((prefix.decode(front.tobytes(), 0) | rest.data).items()) == list(record.data.items())
            assert rest.canonical == (record.raw is None)
            assert value == value[:FRAME_SIZE] + front.tobytes() + interner.bytes_of(number)


def _checked(batch: bytes) -> bytes:
    return batch[:17] + struct.pack(">I", crc32c(batch[21:])) + batch[21:]


def _sample() -> bytes:
    messages: list[Message] = [
        ("PARTITION_RECORD", 2, {
            "partitionId": 3, "topicId": TOPICS[0], "replicas": [1, 2], "isr": [1, 2], "removingReplicas": [],
            "addingReplicas": [], "leader": 1, "leaderEpoch": 0, "partitionEpoch": 0, "directories": TOPICS[2:],
        }),
        *changes(10),
        ("NO_OP_RECORD", 0, {}),
        ("CONFIG_RECORD", 0, {"resourceType": 2, "resourceName": "t" * 70, "name": "n", "value": None}),
    ]  # fmt: skip
    return encode_batch(of(messages))


SAMPLE = _sample()


@pytest.mark.representative("0", "7")
@pytest.mark.parametrize("bit", range(8))
def test_a_changed_bit_reads_the_same(bit: int) -> None:
    """Whatever bit of a batch is another, checksum put right, the same batch, records and faults are found."""
    for at in range(12, len(SAMPLE)):
        changed = bytearray(SAMPLE)
        changed[at] ^= 1 << bit
        data = _checked(bytes(changed)) if at >= 21 else bytes(changed)
        assert _told(in_columns(data)) == _told(one_by_one(data)), at


@settings(max_examples=examples(500), deadline=None)
@given(st.data())
def test_changed_bytes_read_the_same(data: st.DataObject) -> None:
    """Whatever bytes of a batch are overwritten, taken out or put in, the same batch, records and faults are found."""
    at = data.draw(st.integers(57, len(SAMPLE)))
    changed = SAMPLE[:at] + data.draw(st.binary(max_size=6)) + SAMPLE[at + data.draw(st.integers(0, 6)) :]
    if len(changed) < 61:
        return
    sized = _checked(changed[:8] + struct.pack(">i", len(changed) - 12) + changed[12:])
    assert _told(in_columns(sized)) == _told(one_by_one(sized))


def _told(found: list[Item] | str) -> Any:
    """What was read, records and their fields in order; with not-a-numbers by their text, as they equal nothing."""
    if isinstance(found, str):
        return found
    return [repr(replace(one, records=tuple(one.records))) if isinstance(one, Batch) else one for one in found]


UNUSUAL = {
    "headers": lambda one: replace(one, headers=(Header("h", b"v"),)),
    "a key": lambda one: Undecodable(one.offset, one.timestamp, "", b"key", b"\1\x14\0\0"),
    "no value": lambda one: Undecodable(one.offset, one.timestamp, "", None, None),
    "a short value": lambda one: Undecodable(one.offset, one.timestamp, "", None, b"\1\x14"),
    "another frame": lambda one: Undecodable(one.offset, one.timestamp, "", None, b"\2\x14\0\0"),
    "a long api key": lambda one: Undecodable(one.offset, one.timestamp, "", None, b"\1\x94\0\0\0"),
    "a long version": lambda one: Undecodable(one.offset, one.timestamp, "", None, b"\1\x14\x80\0\0"),
    "a gap": lambda one: replace(one, offset=one.offset + 1),
    "a far time": lambda one: replace(one, timestamp=one.timestamp + 2**60),
}


@each("what", UNUSUAL)
def test_what_is_unusual_is_read_one_by_one(what: str) -> None:
    """A batch whose last record has something unusual is read record by record, as a whole."""
    batch = of(changes(20))
    encoded = encode_batch(replace(batch, records=(*batch.records[:-1], UNUSUAL[what](batch.records[-1]))))
    mine = only_batch(in_columns(encoded))
    assert isinstance(mine.records, tuple)
    assert mine == only_batch(one_by_one(encoded))
    assert encode_batch(mine) == encoded


@pytest.mark.parametrize("attributes", [0x08, 0x20])
def test_other_times_and_control_records_are_read_one_by_one(attributes: int) -> None:
    """A batch with append times, or with the control bit, is no batch for columns."""
    encoded = bytearray(encode_batch(of(changes(20))))
    encoded[22] |= attributes
    with large_from(1):
        assert isinstance(decode_batch(_checked(bytes(encoded)), "", 0).records, tuple)


@pytest.mark.parametrize("time", [2**63 - 1, -(2**63)])
def test_times_at_the_end_of_their_range(time: int) -> None:
    """A base time to which nothing can be added in 64 bits is no time for columns."""
    encoded = encode_batch(of(changes(20), time=time))
    mine = only_batch(in_columns(encoded))
    assert isinstance(mine.records, tuple)
    assert [one.timestamp for one in mine.records] == [time] * 20


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(b"\x01\x63\x00\x00", id="type"),
        pytest.param(b"\x01\x05\x7f\x00", id="version"),
        pytest.param(b"\x01\x05\x02", id="no prefix"),
        pytest.param(b"\x01\x05\x02" + bytes(20), id="no rest"),
        pytest.param(b"\x01\x05\x02" + b"\x01" * 21, id="bad rest"),
    ],
)
def test_unknown_records_stand_among_others(value: bytes) -> None:
    """A record whose content is unknown is Undecodable in its place, and not among the metadata records."""
    batch = of(changes(20))
    unknown = Undecodable(batch.base_offset + 9, batch.max_timestamp, "", None, value)
    encoded = encode_batch(replace(batch, records=(*batch.records[:9], unknown, *batch.records[10:])))
    mine, theirs = only_batch(in_columns(encoded)), only_batch(one_by_one(encoded))
    assert isinstance(mine.records, LazyRecords)
    assert mine == theirs
    assert isinstance(mine.records[9], Undecodable)
    assert mine.undecodable == theirs.undecodable == (theirs.records[9],)
    assert list(mine.types.items()) == list(theirs.types.items())
    assert mine.types[""] == 1
    assert mine.metadata_records == theirs.metadata_records
    assert [mine.metadata_records[at] for at in (0, 8, 9, -1)] == [theirs.records[at] for at in (0, 8, 10, -1)]
    assert len(mine.metadata_records) == 19


def test_a_rest_that_does_not_decode_raises_by_its_number() -> None:
    """The number of bytes that are no rest raises as decoding the record does; a value without prefix has no number."""
    from fencepost.traces.interner import Interner
    from fencepost.traces.runs import NO_REST

    batch, interner = of(changes(4)), Interner()
    values = [b"\x01\x05\x02" + bytes(20) + b"\x01", b"\x01\x05\x02" + bytes(19)]
    bad = tuple(Undecodable(7 + n, batch.max_timestamp, "", None, value) for n, value in enumerate(values))
    records = lazy(replace(batch, records=bad, last_offset=8))
    [run] = records.runs(interner)
    assert run.rests is not None
    assert run.rests.tolist() == [0, NO_REST]
    first = records[0]
    assert isinstance(first, Undecodable)
    with pytest.raises(CodecError, match=first.reason):
        interner.decoded(0)


def test_runs_are_maximal_and_in_order() -> None:
    """Runs follow each other without a gap, no two neighbours of one type and version, and cover the batch."""
    batch = of(changes(100))
    runs = list(lazy(batch).runs())
    assert [at for run in runs for at in range(run.start, run.end)] == list(range(100))
    kinds = [{(record.type, record.version) for record in batch.metadata_records[run.start : run.end]} for run in runs]
    assert kinds == [{(run.type, run.version)} for run in runs]
    assert all(one != other for one, other in pairwise(kinds))
    assert all(run.prefixes is run.rests is None for run in runs)


@pytest.mark.parametrize("collide", [False, True])
def test_equal_numbers_mean_equal_bytes(collide: bool) -> None:
    """Over all batches that share an interner, numbers are equal where the bytes are, even if every hash is one."""
    from fencepost.traces import interner as module

    numbers: dict[int, set[tuple[str, bytes]]] = {}
    hashes = (lambda rows: rows[:, 0].astype("uint64") * 0) if collide else module.hashes
    interner = module.Interner()
    with patch.object(module, "hashes", hashes):
        for batch in (of(changes(60)), of(changes(90))):
            records = lazy(batch)
            for run in records.runs(interner):
                for at, number in zip(range(run.start, run.end), () if run.rests is None else run.rests, strict=False):
                    record = records[at]
                    assert isinstance(record, Record)
                    numbers.setdefault(int(number), set()).add((record.type, list(records.values())[at][23:]))
    rests = [one for found in numbers.values() for one in found]
    assert all(len(found) == 1 for found in numbers.values())
    assert len(rests) == len(set(rests)) == len(interner) == 3


def test_records_are_used_as_a_tuple() -> None:
    """Length, places from both ends, slices, equality, membership and pickles are those of the tuple of records."""
    batch = of(changes(40))
    records = lazy(batch)
    assert len(records) == 40
    assert records == batch.records
    assert batch.records == records
    assert records == lazy(batch)
    assert records != batch.records[:-1]
    assert records != list(batch.records)
    assert records[-1] == batch.records[-1]
    assert records[5:30:7] == batch.records[5:30:7]
    assert batch.records[3] in records
    assert records.index(batch.records[3]) == 3
    assert list(reversed(records)) == list(reversed(batch.records))
    assert pickle.loads(pickle.dumps(records)) == records
    assert repr(records) == "<LazyRecords of 40>"
    for outside in (40, -41):
        with pytest.raises(IndexError):
            records[outside]
    unknown = tuple(Undecodable(7 + n, batch.max_timestamp, "", None, b"\x01\x63\0") for n in range(40))
    mine = lazy(replace(batch, records=unknown))
    assert hash(mine) == hash(tuple(mine))
    with pytest.raises(TypeError):
        hash(records)


def test_records_share_nothing() -> None:
    """Altering the data of a record, and structures inside it, alters no other one read before or after."""
    known = {"brokerId": 1, "incarnationId": TOPICS[0], "brokerEpoch": 5, "fenced": True, "rack": None, "features": []}
    listener = {"name": "L", "host": "h", "port": 9, "securityProtocol": 0}
    broker = {"isMigratingZkBroker": False, "inControlledShutdown": False, "logDirs": TOPICS[2:], **known}
    messages: list[Message] = [
        *changes(6),
        *[("REGISTER_BROKER_RECORD", 3, {**broker, "endPoints": [dict(listener)]}) for _ in range(2)],
    ]
    batch = only_batch(one_by_one(encode_batch(of(messages))))
    records = lazy(batch)
    altered, kept = list(records.metadata_records()), list(records)
    for record in altered:
        for value in record.data.values():
            if isinstance(value, list):
                for one in value:
                    if isinstance(one, dict):
                        one["port"] = 99
                value.append(99)
        record.data["more"] = 99
    assert tuple(kept) == batch.records
    assert records == batch.records


def test_records_of_some_types_are_all_that_is_decoded() -> None:
    """Offsets and the records of a rare type are found without decoding the others."""
    batch = of(changes(100))
    read = only_batch(in_columns(encode_batch(batch)))
    decoded = []

    def noted(value: bytes) -> Any:
        decoded.append(value)
        return real(value)

    real = lazy_records.decode_by_parts
    with patch.object(lazy_records, "decode_by_parts", noted):
        assert list(read.offsets) == list(range(7, 107))
        assert read.control_records == ()
        found = list(read.records_of({"TOPIC_RECORD"}))
    assert found == [one for one in batch.metadata_records if one.type == "TOPIC_RECORD"]
    assert len(decoded) == len(found) == 10


def test_reading_a_file_decodes_one_record(tmp_path: Path) -> None:
    """A file of large batches is read with the first record decoded, which shows that it is a metadata log."""
    data = b"".join(encode_batch(of(changes(300), 7 + 300 * n)) for n in range(3))
    (tmp_path / "00000000000000000007.log").write_bytes(data)
    noted = patch.object(lazy_records, "decode_by_parts", side_effect=lazy_records.decode_by_parts)
    with large_from(256), noted as decode:
        log = read_log(tmp_path)
    assert [type(batch.records) for batch in log.batches] == [LazyRecords] * 3
    assert decode.call_count == 1


def test_snapshots_of_large_batches_read_the_same(tmp_path: Path) -> None:
    """A snapshot's records, those of a type, and whether it is whole are the same from columns as one by one."""
    snapshot = build_snapshot(
        changes(700), end_offset=900, epoch=3, timestamp=5, last_contained_timestamp=4, records_per_batch=300
    )
    with large_from(256):
        read = read_snapshot(write_snapshot(snapshot, tmp_path))
    assert isinstance(read, Snapshot)
    assert [type(batch.records).__name__ for batch in read.batches] == ["tuple", *["LazyRecords"] * 2, "tuple", "tuple"]
    assert read == snapshot
    assert read.is_complete
    assert read.records == snapshot.records
    assert (len(read.records), bool(read.records)) == (700, True)
    assert [read.records[at] for at in range(-700, 700)] == [*snapshot.records, *snapshot.records]
    assert list(read.records_of({"TOPIC_RECORD"})) == list(snapshot.records_of({"TOPIC_RECORD"}))
    assert not replace(read, batches=read.batches[:-1]).is_complete


@pytest.mark.parametrize("length", [b"\x80\x80\x80\x80\x80\x80\x01", b"\x94\x00", b"\x13"])
def test_lengths_that_no_writer_makes(length: bytes) -> None:
    """A length that is too great, longer than needed or negative leaves the batch to reading one by one."""
    whole, body = encode_batch(of([("NO_OP_RECORD", 0, {})] * 3)), bytearray()
    write_varlong(0, body)
    changed = whole[:61] + length + whole[62:]
    sized = _checked(changed[:8] + struct.pack(">i", len(changed) - 12) + changed[12:])
    assert _told(in_columns(sized)) == _told(one_by_one(sized))


def test_a_number_of_six_bytes_is_not_cut() -> None:
    """A time of six bytes whose first five could stand in front of a sound record is no such record."""
    sound = encode_batch(of([("NO_OP_RECORD", 0, {})] * 2))
    first = sound[61 : 61 + (len(sound) - 61) // 2]
    # Read as five bytes of time: place 1, no key, a value of four bytes. Read whole: place -1 and a key of four bytes.
    body = bytes.fromhex("00 ffffffffff02 01 08 01140000 00")
    changed = sound[:61] + first + bytes([2 * len(body)]) + body
    sized = _checked(changed[:8] + struct.pack(">i", len(changed) - 12) + changed[12:])
    assert _told(in_columns(sized)) == _told(one_by_one(sized))


def test_small_logs_are_read_without_numpy() -> None:
    """Reading a log of small batches imports neither NumPy nor llvmlite."""
    code = (
        "import sys; from fencepost.traces import read_log; read_log(sys.argv[1]);"
        "print({'numpy', 'llvmlite'} & set(sys.modules))"
    )
    command = [sys.executable, "-c", code, str(RECORDED / "rolling-restart")]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "set()\n"
