"""Snapshots of one node compared with the log of another: recorded ones, on two copies of one log."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from fencepost.checkers.conformance import PASSED_THROUGH, Options
from fencepost.checkers.conformance.by_term import TermJudge
from fencepost.checkers.conformance.quorum import QuorumResult, judge_quorum
from fencepost.checkers.conformance.records.static_settings import StaticSettings
from fencepost.checkers.verdicts import Verdict
from fencepost.traces import Record, find_logs, read_log, write_snapshot

from .altered import RECORDED

SEGMENTS = [f"{base:020}.log" for base in (0, 241, 523)]
"""The first segments of the recording."""
LAST = "00000000000000000574-0000000001.checkpoint"


@pytest.fixture(scope="module")
def judge() -> TermJudge:
    """Return the verdict of a log by itself."""
    return TermJudge(StaticSettings(), Options(PASSED_THROUGH))


def _copies(place: Path) -> tuple[Path, Path]:
    """One node has the log alone, the other three of its snapshots, too."""
    one, other = place / "one", place / "other"
    for directory in (one, other):
        directory.mkdir()
        for name in SEGMENTS:
            shutil.copy(RECORDED / "snapshots" / name, directory)
    for name in ("00000000000000000086-0000000001.checkpoint", "00000000000000000332-0000000001.checkpoint", LAST):
        shutil.copy(RECORDED / "snapshots" / name, other)
    return one, other


def _judged(place: Path, judge: TermJudge) -> QuorumResult:
    return judge_quorum(find_logs([place]), replay=judge.log)


@pytest.mark.slow
def test_snapshots_are_the_state_of_the_other_log(tmp_path: Path, judge: TermJudge) -> None:
    """Each is compared with the log of the node that has none, and shows what is committed."""
    _copies(tmp_path)
    found = _judged(tmp_path, judge)
    assert (found.verdict, found.violations, found.snapshots) == (Verdict.CONFORMS, [], 3)
    assert found.committed == 574


@pytest.mark.slow
def test_an_altered_snapshot_is_found(tmp_path: Path, judge: TermJudge) -> None:
    """A partition with another leader epoch, in a file whose checksums are right: QL5, QL5r."""
    one, other = _copies(tmp_path)
    (snapshot,) = [each for each in read_log(other).snapshots if each.segment == LAST]
    number, record = next(
        (number, record)
        for number, batch in enumerate(snapshot.batches)
        for record in batch.metadata_records
        if record.type == "PARTITION_RECORD"
    )
    assert isinstance(record, Record)
    wrong = replace(record, data=record.data | {"leaderEpoch": record.data["leaderEpoch"] + 1})
    batch = snapshot.batches[number]
    batches = list(snapshot.batches)
    batches[number] = replace(
        batch, records=tuple(wrong if each.offset == wrong.offset else each for each in batch.records), raw=None
    )
    write_snapshot(replace(snapshot, batches=tuple(batches)), other)
    (found,) = _judged(tmp_path, judge).violations
    assert (found.rule, found.log, found.segment, found.offset) == ("snapshot", str(other), LAST, 574)
    assert (found.claims, found.against) == (("QL5", "QL5r"), (str(one),))


def test_without_tables_snapshots_are_not_compared(tmp_path: Path) -> None:
    """That is said, and nothing is counted as compared."""
    _copies(tmp_path)
    found = judge_quorum(find_logs([tmp_path]))
    assert found.snapshots == 0
    assert any("no tables were given" in note for note in found.notes)
