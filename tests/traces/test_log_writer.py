"""Logs and snapshots written in Kafka's layout."""

from dataclasses import replace
from pathlib import Path

import pytest

from fencepost.traces import (
    Batch,
    ControlRecord,
    MetadataLog,
    Quarantined,
    Segment,
    TraceError,
    build_batch,
    build_control_batch,
    build_snapshot,
    parse_segment_name,
    parse_snapshot_name,
    placed,
    read_log,
    read_snapshot,
    segment_name,
    snapshot_name,
    write_log,
    write_snapshot,
)

RECORDED = Path(__file__).resolve().parents[2] / "traces" / "recorded"


def test_names() -> None:
    """Names are written and parsed with twenty and ten digits; other names are none."""
    assert segment_name(241) == "00000000000000000241.log"
    assert snapshot_name(86, 1) == "00000000000000000086-0000000001.checkpoint"
    assert parse_segment_name("00000000000000000241.log.gz") == 241
    assert parse_snapshot_name("00000000000000000086-0000000001.checkpoint") == (86, 1)
    assert parse_segment_name("state-change.log") is None
    assert parse_snapshot_name("00000000000000000086-0000000001.checkpoint.part") is None


def test_recorded_log_is_written_as_it_was(tmp_path: Path) -> None:
    """Writing the snapshots run gives files equal to the recorded ones, byte for byte."""
    paths = write_log(read_log(RECORDED / "snapshots"), tmp_path / "copy")
    assert len(paths) == 20
    for path in paths:
        assert path.read_bytes() == (RECORDED / "snapshots" / path.name).read_bytes()


def test_recorded_snapshots_can_be_built() -> None:
    """A snapshot built of the records of a recorded one equals it but for the clock: batches, sizes, offsets, data."""
    for recorded in read_log(RECORDED / "snapshots").snapshots[1:]:
        head = recorded.batches[0]
        contents = [record for record in head.records if isinstance(record, ControlRecord)]
        rebuilt = build_snapshot(
            [(record.type, record.version, record.data) for record in recorded.records],
            end_offset=recorded.end_offset,
            epoch=recorded.epoch,
            timestamp=head.max_timestamp,
            last_contained_timestamp=contents[0].data["lastContainedLogTimestamp"],
            voters=contents[2].data,
        )
        assert rebuilt.segment == recorded.segment
        assert rebuilt.batches[0] == head
        assert [_without_clock(batch) for batch in rebuilt.batches] == [
            _without_clock(batch) for batch in recorded.batches
        ]


def _without_clock(batch: Batch) -> Batch:
    records = tuple(replace(record, timestamp=0) for record in batch.records)
    return replace(batch, records=records, max_timestamp=0, base_timestamp=0, crc=0)


def test_built_snapshot_is_what_is_read(tmp_path: Path) -> None:
    """A built snapshot, written and read back, is the same value, and its batches lie one after another."""
    messages = [("FEATURE_LEVEL_RECORD", 0, {"name": "metadata.version", "featureLevel": 30})] * 5
    snapshot = build_snapshot(
        messages, end_offset=17, epoch=4, timestamp=90, last_contained_timestamp=80, records_per_batch=2
    )
    path = write_snapshot(snapshot, tmp_path)
    assert path.name == "00000000000000000017-0000000004.checkpoint"
    assert read_snapshot(path) == snapshot
    assert [batch.count for batch in snapshot.batches] == [1, 2, 2, 1, 1]
    assert [batch.base_offset for batch in snapshot.batches] == [0, 1, 3, 5, 6]


def test_built_log_is_what_is_read(tmp_path: Path) -> None:
    """A log built from batches, written and read back, is the same batches."""
    name = segment_name(0)
    change = {"version": 0, "leaderId": 1, "voters": [{"voterId": 1}], "grantingVoters": [{"voterId": 1}]}
    batches = placed(
        [
            build_control_batch([("LeaderChange", change)], base_offset=0, epoch=1, timestamp=5),
            build_batch([("NO_OP_RECORD", 0, {})], base_offset=1, epoch=1, timestamp=6),
        ],
        name,
    )
    write_log(MetadataLog("built", "binary", (Segment(name, 0),), batches), tmp_path)
    log = read_log(tmp_path)
    assert (log.batches, log.segments, log.quarantined) == (batches, (Segment(name, 0),), ())


def test_what_cannot_be_written() -> None:
    """A log with unreadable ranges, or from a text without batch lines, is not written as if it were whole."""
    log = read_log(RECORDED / "rolling-restart")
    damaged = replace(log, path="some/log", quarantined=(Quarantined("a.log", 5, 9, "crc", "why"),))
    with pytest.raises(TraceError) as caught:
        write_log(damaged, Path("never-made"))
    assert str(caught.value) == (
        "some/log: bytes 5 to 9 of a.log were unreadable and cannot be written again: copy the file instead"
    )
    bare = read_log(Path(__file__).parent / "fixtures" / "published-example.txt")
    with pytest.raises(TraceError) as caught:
        write_log(replace(bare, path="text"), Path("never-made"))
    assert str(caught.value) == "text: a batch has no epoch, as in a text without batch lines: read the binary log"
    assert not Path("never-made").exists()
