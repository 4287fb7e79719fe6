"""The recorded logs of real clusters: bytes, values and dumps say the same."""

import gzip
import json
from collections import Counter
from pathlib import Path

import pytest

import fencepost.traces
from fencepost.traces import (
    Batch,
    ControlRecord,
    MetadataLog,
    Undecodable,
    dump_text,
    encode_batch,
    find_logs,
    iterate_file,
    iterate_log,
    read_log,
)
from fencepost.traces.records import Record
from tests.cases import each

RECORDED = Path(__file__).resolve().parents[2] / "traces" / "recorded"
LOGS = find_logs([RECORDED])
FILES = sorted([*RECORDED.rglob("*.log"), *RECORDED.rglob("*.checkpoint")])
DUMPS = sorted(RECORDED.rglob("dump.txt.gz"))


def _id(path: Path) -> str:
    return str(path.relative_to(RECORDED))


def _all_batches(log: MetadataLog) -> list[Batch]:
    return [*log.batches, *(batch for snapshot in log.snapshots for batch in snapshot.batches)]


def test_everything_recorded_is_found() -> None:
    """Every log below `traces/recorded` is found, those beside the failover run and of the quorum among them."""
    assert (len(LOGS), len(DUMPS), len(FILES)) == (41, 17, 88)


@each("path", FILES, ids=_id)
def test_files_round_trip(path: Path) -> None:
    """Every recorded file is nothing but batches, and encoding their fields gives its bytes."""
    items = list(iterate_file(str(path)))
    batches = [item for item in items if isinstance(item, Batch)]
    assert len(batches) == len(items)
    assert all(batch.raw is None for batch in batches)
    assert all(getattr(record, "raw", None) is None for batch in batches for record in batch.records)
    assert not any(isinstance(record, Undecodable) for batch in batches for record in batch.records)
    assert b"".join(encode_batch(batch) for batch in batches) == path.read_bytes()


@pytest.mark.representative("first-boot/dump.txt.gz", "scram-bootstrap-4.4.0/dump.txt.gz")
@pytest.mark.parametrize("path", DUMPS, ids=_id)
def test_dump_reads_as_the_binary_log(path: Path) -> None:
    """What kafka-dump-log printed reads back as the binary log: every batch and record, checksums included."""
    binary, dump = read_log(path.parent), read_log(path)
    assert (binary.source, dump.source) == ("binary", "dump")
    assert dump.batches == binary.batches
    assert dump.segments == binary.segments
    assert dump.snapshots == binary.snapshots
    # A dict compares without order; the dump's order of fields is part of the claim.
    for ours, theirs in zip(_all_batches(binary), _all_batches(dump), strict=True):
        for record, other in zip(ours.records, theirs.records, strict=True):
            assert isinstance(record, (Record, ControlRecord))
            assert isinstance(other, (Record, ControlRecord))
            assert list(record.data) == list(other.data)


@each("path", DUMPS, ids=_id)
def test_dump_is_printed_as_kafka_prints_it(path: Path) -> None:
    """Our text for a recorded log equals that of kafka-dump-log, character by character."""
    with gzip.open(path, "rt", encoding="utf-8", newline="") as stream:
        printed = stream.read()
    directory = printed.split("\n", 1)[0].removeprefix("Dumping ").rpartition("/")[0]
    assert dump_text(read_log(path.parent), directory) == printed


@pytest.mark.representative("first-boot/dump.txt.gz", "scram-bootstrap-4.4.0/dump.txt.gz")
@pytest.mark.parametrize("path", DUMPS, ids=_id)
def test_binary_can_be_made_from_the_dump(path: Path) -> None:
    """The text says enough to write the very bytes of the files it was printed from."""
    log = read_log(path)
    for name in sorted(file.name for file in (*path.parent.glob("*.log"), *path.parent.glob("*.checkpoint"))):
        batches = [batch for batch in _all_batches(log) if batch.segment == name]
        assert b"".join(encode_batch(batch) for batch in batches) == (path.parent / name).read_bytes()


@each("source", LOGS, ids=lambda source: source.path.rsplit("/recorded/", 1)[-1])
def test_reading_lazily_gives_the_same(source: fencepost.traces.LogSource) -> None:
    """The iterator yields the batches of the log in memory, in offset order without a gap."""
    log = read_log(source)
    assert tuple(iterate_log(source)) == log.batches
    ends = [batch.last_offset + 1 for batch in log.batches]
    assert [batch.base_offset for batch in log.batches[1:]] == ends[:-1]
    assert [record.offset for record in log.records()] == list(range(log.batches[0].base_offset, ends[-1]))


def test_counts_are_those_of_the_run() -> None:
    """The record types and versions counted in first-boot are those that its meta.json counts."""
    meta = json.loads((RECORDED / "first-boot" / "meta.json").read_text())
    counted: Counter[str] = Counter()
    for record in read_log(RECORDED / "first-boot").records():
        if isinstance(record, Record):
            counted[f"{record.type} v{record.version}"] += 1
        elif isinstance(record, ControlRecord):
            counted[f"control {record.type}"] += 1
    assert counted == meta["record_counts"]


def test_snapshots_are_whole_and_named() -> None:
    """The snapshots run has fourteen snapshots, ascending, each with header and footer, and names its committed end."""
    log = read_log(RECORDED / "snapshots")
    assert [(snapshot.end_offset, snapshot.epoch) for snapshot in log.snapshots][:3] == [(0, 0), (86, 1), (226, 1)]
    assert len(log.snapshots) == 14
    assert all(snapshot.is_complete for snapshot in log.snapshots)
    assert log.committed_end_offset == 1673
    assert [segment.base_offset for segment in log.segments] == [0, 241, 523, 705, 1037, 1301]
