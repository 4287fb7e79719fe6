"""Logs whose batches are read into columns are checked as those read record by record are."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from fencepost.checkers.conformance.by_term import came_from_zookeeper, terms
from fencepost.checkers.conformance.reading.monitor import Monitor
from fencepost.checkers.conformance.reading.snapshots import unreadable
from fencepost.checkers.conformance.records.control_records import raft_level
from fencepost.model.kraft.protocol import KRAFT
from fencepost.traces import Batch, MetadataLog, Undecodable, batches, read_log, write_log
from fencepost.traces.lazy_records import LazyRecords
from tests.cases import each

from . import RECORDED

pytestmark = pytest.mark.usefixtures("by_class")

MONITOR = Monitor(KRAFT)
SEVERAL = ("rolling-restart", "scram-bootstrap-4.4.0", "snapshots", "upgrade-3.9-to-4.4", "zk-migration-3.9.2")
"""Recordings with one leader and several, upgrades, a migration and snapshots."""


@contextmanager
def large_from(count: int) -> Iterator[None]:
    """Read batches of so many records into columns."""
    with patch.object(batches, "_LARGE", count):
        yield


def both(path: Path) -> tuple[MetadataLog, MetadataLog]:
    """A log whose batches are all in columns, but those of control records, and the same one read one by one."""
    with large_from(1):
        mine = read_log(path)
    with large_from(1 << 40):
        return mine, read_log(path)


def in_columns(log: MetadataLog) -> int:
    """How many batches of a log, and of its snapshots, are in columns."""
    everything = [*log.batches, *(one for snapshot in log.snapshots for one in snapshot.batches)]
    return sum(isinstance(batch.records, LazyRecords) for batch in everything)


def judged(log: MetadataLog) -> dict[str, Any]:
    """All that a check of a log finds."""
    result = MONITOR.judge(log)
    return {one.name: getattr(result, one.name) for one in fields(result) if one.name != "seconds"}


def with_unknown(batch: Batch, place: int) -> Batch:
    """A batch one of whose records is of a type that no controller knows."""
    old = batch.records[place]
    unknown = Undecodable(old.offset, old.timestamp, "", None, b"\1\x63\0")
    return replace(batch, records=(*batch.records[:place], unknown, *batch.records[place + 1 :]))


def with_unknown_in_the_greatest(whole: Sequence[Batch]) -> tuple[tuple[Batch, ...], int]:
    """Batches whose greatest has a record of no known type, and the offset of it."""
    at = max(range(len(whole)), key=lambda n: len(whole[n].records))
    return (*whole[:at], with_unknown(whole[at], 5), *whole[at + 1 :]), whole[at].base_offset + 5


def test_an_unknown_record_is_found_the_same(tmp_path: Path) -> None:
    """A record of a type that is not known, in a batch in columns, is found as one by one."""
    recorded = read_log(RECORDED / "rolling-restart")
    altered, offset = with_unknown_in_the_greatest(recorded.batches)
    write_log(replace(recorded, batches=altered), tmp_path)
    mine, theirs = both(tmp_path)
    assert in_columns(mine) > 20
    found = judged(mine)
    assert found == judged(theirs)
    assert [one.first for one in found["doubts"]] == [offset]


def test_an_unknown_record_of_a_snapshot_is_found_the_same(tmp_path: Path) -> None:
    """A snapshot with a record that no controller can read says so, in columns as one by one."""
    recorded = read_log(RECORDED / "snapshots")
    altered, offset = with_unknown_in_the_greatest(recorded.snapshots[-1].batches)
    write_log(replace(recorded, snapshots=(replace(recorded.snapshots[-1], batches=altered),)), tmp_path)
    mine, theirs = both(tmp_path)
    assert unreadable(mine.snapshots[0]) == unreadable(theirs.snapshots[0])
    assert f"no controller could read, its record {offset}: " in unreadable(mine.snapshots[0])


@each("scenario", SEVERAL)
def test_what_a_log_says_of_itself_is_the_same(scenario: str) -> None:
    """Terms and registrations, whether ZooKeeper was before, its first level and Raft's are read from columns too."""
    mine, theirs = both(RECORDED / scenario)
    assert in_columns(mine) > 0
    assert mine == theirs
    assert terms(mine) == terms(theirs)
    assert came_from_zookeeper(mine) == came_from_zookeeper(theirs) == scenario.startswith("zk-migration")
    for one, other in zip(mine.snapshots, theirs.snapshots, strict=True):
        assert raft_level(one.batches) == raft_level(other.batches)
        assert (one.is_complete, unreadable(one)) == (other.is_complete, unreadable(other))
