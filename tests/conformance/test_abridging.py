"""A log that was abridged, range by range, is checked as the log that was read whole."""

import gzip
import pickle
import shutil
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from fencepost.checkers.conformance import PASSED_THROUGH, Judge, Options
from fencepost.checkers.conformance.by_term import TermJudge, came_from_zookeeper, terms
from fencepost.checkers.conformance.reading.beginning import beginning
from fencepost.checkers.conformance.reading.monitor import Monitor
from fencepost.checkers.conformance.records.static_settings import StaticSettings
from fencepost.checkers.conformance.spark.abridging import abridged, log_of, mended, ranges_of
from fencepost.checkers.conformance.spark.parts import Carried, judged_part, replayed_at, right, whole
from fencepost.model.kraft.protocol import KRAFT
from fencepost.traces import MetadataLog, find_log, read_log, segments
from fencepost.traces.batches import HEADER, MAGIC, build_batch, encode_batch
from fencepost.traces.stretches import AbridgedLog, _Reader

from . import RECORDED, alter

OPTIONS = Options(PASSED_THROUGH, StaticSettings().given)


def abridged_log(path: Path, size: int, window: int = 500) -> AbridgedLog:
    """A log abridged, of ranges of so many bytes."""
    source = find_log(path)
    asked = ranges_of(source, size, window)
    found = log_of(source, mended(asked, [abridged(one) for one in asked]))
    assert found is not None
    return found


def known(log: MetadataLog) -> Any:
    """What is asked of a whole log before it is read."""
    told = [(one.first, one.last, one.leader, one.registration, one.beyond) for one in terms(log)]
    begins = beginning(log, {})
    return told, came_from_zookeeper(log), (begins.offset, begins.note, begins.doubt)


@pytest.mark.parametrize("size", [700, 5000, 1 << 30])
@pytest.mark.parametrize("name", ["first-boot", "controller-failover", "snapshots", "zk-migration-3.9.2"])
def test_an_abridged_log_tells_what_the_whole_one_does(name: str, size: int) -> None:
    """Terms, leaders, releases, where to begin; and the batches are all there, however the files were divided."""
    path = RECORDED / name
    log = read_log(path)
    found = abridged_log(path, size)
    assert known(found) == known(log)
    assert list(found.whole) == list(log.batches)
    assert (found.segments, found.quarantined, found.trailing_zeros) == (
        log.segments,
        log.quarantined,
        log.trailing_zeros,
    )
    assert [(one.end_offset, one.epoch, one.segment) for one in found.snapshots] == [
        (one.end_offset, one.epoch, one.segment) for one in log.snapshots
    ]
    assert len(found.batches) < len(log.batches) or size < 5000


def test_every_byte_may_begin_a_range() -> None:
    """Ranges of one byte, most of which begin within a batch, are one log."""
    found = abridged_log(RECORDED / "first-boot", 1)
    assert list(found.whole) == list(read_log(RECORDED / "first-boot").batches)


def test_what_only_looks_like_a_header_is_not_summed_up(tmp_path: Path) -> None:
    """A range that begins within a large batch, whose records hold what may be headers, takes the checksum of batches
    alone, and not of each such place: what it costs would grow with the square of a batch."""
    looks = HEADER.pack(0, 0x0770, 0, MAGIC, 0x61626364, 0, 9, 0, 0, 0, 0, 0, 10).decode("ascii")
    data = {"resourceType": 2, "resourceName": "t", "name": "retention.ms", "value": looks * 4}
    batches = [build_batch([("CONFIG_RECORD", 0, data)] * 200, base_offset=at, epoch=1, timestamp=0) for at in (0, 200)]
    (tmp_path / "00000000000000000000.log").write_bytes(b"".join(map(encode_batch, batches)))
    source = find_log(tmp_path)
    with patch.object(segments, "has_matching_crc", side_effect=segments.has_matching_crc) as sums:
        assert abridged(ranges_of(source, 1000, 1 << 20)[1]).start == source.size // 2
    assert sums.call_count < 5


def test_a_part_is_judged_by_its_own_bytes_alone() -> None:
    """A check of a part of an abridged log reads the stretches that the part lies in, and none in front or behind; what
    is found, and so the document, is that of the whole log."""
    path, monitor = RECORDED / "controller-failover", Monitor(KRAFT, OPTIONS)
    log, carried = abridged_log(path, 3000), list[Carried]()
    cuts = [one.first for one in log.stretches.stretches][4:12:4]
    replayed_at(monitor, log, None, cuts, carried.append)
    places = zip([None, *carried], [*(one.place for one in carried), None], strict=True)
    found, read = [], list[list[int]]()
    for start, end in places:
        mine = pickle.loads(pickle.dumps(log))
        with patch.object(_Reader, "read", autospec=True, side_effect=_Reader.read) as reads:
            found.append(judged_part(monitor, mine, None, start, end))
        read.append([log.stretches.stretches.index(call.args[1]) for call in reads.call_args_list])
    assert right(found) == len(found) == 3
    assert repr(whole(found)) == repr(Judge([KRAFT], OPTIONS).monitors[0].judge(read_log(path)))
    # The batch behind a part's last is looked at, to see that the part ends there.
    assert [max(one) for one in read] == [4, 8, len(log.stretches.stretches) - 1]
    assert [min(one) for one in read] == [0, 4, 8]
    assert all(len(one) == len(set(one)) for one in read)


@pytest.mark.parametrize("by_term", [True, False])
def test_an_abridged_log_is_judged_as_a_whole_one(by_term: bool, tmp_path: Path) -> None:
    """A reader gets what is in its files: all that is said of a log that violates is the same."""
    log = read_log(RECORDED / "first-boot")
    registers = next(r for b in log.batches for r in b.metadata_records if r.type == "REGISTER_BROKER_RECORD")
    path = alter.with_record(log, registers.offset, lambda data: {**data, "brokerEpoch": 5}, tmp_path)
    judge: Any = TermJudge(StaticSettings(), OPTIONS) if by_term else Judge([KRAFT], OPTIONS)
    assert repr(judge.log(abridged_log(path, 900))) == repr(judge.log(read_log(path)))


@pytest.mark.parametrize("size", [200, 900, 2500])
@pytest.mark.parametrize("how", ["byte", "end"])
def test_damage_at_a_border_is_found_as_in_one_piece(size: int, how: str, tmp_path: Path) -> None:
    """A damaged batch, on whichever side of a border it lies, and a torn end are the ranges that one reading finds."""
    sound = read_log(RECORDED / "first-boot")
    for batch in sound.batches[3:30:4]:
        directory = tmp_path / str(batch.base_offset)
        directory.mkdir()
        path = alter.with_byte_flipped(sound, batch.base_offset, directory)
        if how == "end":
            (file,) = path.rglob("*.log")
            file.write_bytes(file.read_bytes()[:-7])
        log, found = read_log(path), abridged_log(path, size)
        assert found.quarantined == log.quarantined
        assert list(found.whole) == list(log.batches)


def test_a_packed_log_is_one_range(tmp_path: Path) -> None:
    """What is gzipped is read from its beginning, and cut all the same."""
    shutil.copytree(RECORDED / "first-boot", tmp_path / "log")
    (file,) = (tmp_path / "log").rglob("*.log")
    file.with_name(file.name + ".gz").write_bytes(gzip.compress(file.read_bytes()))
    file.unlink()
    found = abridged_log(tmp_path / "log", 900)
    assert len(found.stretches.stretches) > 3
    assert list(found.whole) == list(read_log(RECORDED / "first-boot").batches)
