"""Odd files and folders given to `fencepost conform`: one clear sentence, and the exit code that fits it."""

from __future__ import annotations

import gzip
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.cli.main import main
from fencepost.traces import read_log, segment_name

from . import RECORDED

FIRST_BOOT = RECORDED / "first-boot"
SNAPSHOTS = RECORDED / "snapshots"
SEGMENT = "00000000000000000000.log"
CONFORMS, USAGE, INCONCLUSIVE, VIOLATES = 0, 2, 3, 6


def told(path: Path, code: int, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """Check the exit code for a path, and return the document's one log."""
    capsys.readouterr()
    assert main(["conform", str(path), "--json"]) == code
    document = json.loads(capsys.readouterr().out)
    assert document["exit_code"] == code
    (log,) = document["logs"]
    found: dict[str, Any] = log
    return found


def refused(path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """Check that a path is an error of the one who gave it, reported in one sentence, and return that."""
    capsys.readouterr()
    assert main(["conform", str(path)]) == USAGE
    said = capsys.readouterr()
    assert "Traceback" not in said.err + said.out
    return " ".join(said.err.split())


def test_what_kafka_keeps_beside_a_log_is_no_part_of_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Indexes, the checkpoint of leader epochs, quorum state and properties change neither verdict nor counts."""
    plain = told(FIRST_BOOT, CONFORMS, capsys)
    shutil.copytree(FIRST_BOOT, tmp_path, dirs_exist_ok=True)
    for name in ("00000000000000000000.index", "00000000000000000000.timeindex", "00000000000000000000.txnindex"):
        (tmp_path / name).write_bytes(bytes(10 << 10))
    (tmp_path / "leader-epoch-checkpoint").write_text("0\n1\n1 0\n")
    (tmp_path / "quorum-state").write_text('{"leaderId":3000,"leaderEpoch":1,"data_version":1}')
    (tmp_path / "partition.metadata").write_text("version: 0\ntopic_id: AAAAAAAAAAAAAAAAAAAAAQ\n")
    (tmp_path / "00000000000000000050.snapshot").write_bytes(b"\0\1")
    odd = told(tmp_path, CONFORMS, capsys)
    assert {**odd, "path": ""} == {**plain, "path": ""}


def test_gzipped_files_are_read_as_they_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder of gzipped segments and snapshots has the verdict of the plain one."""
    for name in (SEGMENT, "00000000000000000000-0000000000.checkpoint"):
        (tmp_path / f"{name}.gz").write_bytes(gzip.compress((FIRST_BOOT / name).read_bytes()))
    assert {**told(tmp_path, CONFORMS, capsys), "path": ""} == {**told(FIRST_BOOT, CONFORMS, capsys), "path": ""}


def test_a_cut_gzip_file_is_undecided_at_its_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of a gzipped segment that ends too early, what comes before the cut is checked."""
    packed = gzip.compress((FIRST_BOOT / SEGMENT).read_bytes())
    (tmp_path / f"{SEGMENT}.gz").write_bytes(packed[: len(packed) * 2 // 3])
    log = told(tmp_path, INCONCLUSIVE, capsys)
    assert log["records"] > 10
    assert log["quarantined"][0]["kind"] == "torn"


def test_a_log_of_no_bytes_is_undecided(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A segment of length zero, in its folder or given by itself, or of unused space alone, holds nothing to check."""
    for content, path in ((b"", tmp_path), (b"", tmp_path / SEGMENT), (bytes(4096), tmp_path)):
        (tmp_path / SEGMENT).write_bytes(content)
        log = told(path, INCONCLUSIVE, capsys)
        assert [one["message"] for one in log["undecided"]] == ["The log holds no batch: there is nothing to check."]


def test_snapshots_alone_are_no_log_to_judge(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder of checkpoints without a segment is undecided."""
    shutil.copy(SNAPSHOTS / "00000000000000000086-0000000001.checkpoint", tmp_path)
    assert "nothing to check" in told(tmp_path, INCONCLUSIVE, capsys)["undecided"][0]["message"]


def test_an_empty_last_segment_is_as_kafka_leaves_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A segment that was just begun changes nothing."""
    shutil.copy(FIRST_BOOT / SEGMENT, tmp_path)
    plain = told(tmp_path, CONFORMS, capsys)
    (tmp_path / "00000000000000000101.log").write_bytes(b"")
    assert told(tmp_path, CONFORMS, capsys) == plain


def test_an_empty_first_segment_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where the first segment is empty the log begins with the second: undecided without a snapshot, and said so."""
    (tmp_path / SEGMENT).write_bytes(b"")
    shutil.copy(SNAPSHOTS / "00000000000000000241.log", tmp_path)
    log = told(tmp_path, INCONCLUSIVE, capsys)
    assert "begins at offset 241" in log["undecided"][0]["message"]
    assert log["notes"] == [f"The segment {SEGMENT} is empty, and others follow it."]
    assert log["violations"] == []


def test_an_empty_segment_in_the_middle_is_a_gap(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What an emptied segment held is missing: a violation at the next offset, with the file in a note."""
    content, batches = (FIRST_BOOT / SEGMENT).read_bytes(), read_log(FIRST_BOOT).batches
    second, third = batches[6], batches[-2]
    (tmp_path / SEGMENT).write_bytes(content[: second.position])
    (tmp_path / segment_name(second.base_offset)).write_bytes(b"")
    (tmp_path / segment_name(third.base_offset)).write_bytes(content[third.position :])
    log = told(tmp_path, VIOLATES, capsys)
    assert ("gap", third.base_offset) in [(one["rule"], one["offset"]) for one in log["violations"]]
    assert log["notes"] == [f"The segment {segment_name(second.base_offset)} is empty, and others follow it."]


def test_a_folder_without_a_log_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An empty folder, and one of other files, are refused with what to give instead."""
    assert "no metadata log lies in or below this directory: give a __cluster_metadata-0" in refused(tmp_path, capsys)
    (tmp_path / "server.log").write_text("[2026-01-01] INFO started\n")
    (tmp_path / "leader-epoch-checkpoint").write_text("0\n0\n")
    assert "no metadata log lies in or below this directory" in refused(tmp_path, capsys)


def test_a_missing_folder_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A path that is not there is refused by its name, whether folder or pattern."""
    assert f"{tmp_path}/none: there is no such file or directory" in refused(tmp_path / "none", capsys)
    assert "no file or directory matches" in refused(tmp_path / "*.log", capsys)


def test_files_that_are_no_log_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file of text, a picture and the checkpoint of leader epochs given by themselves are refused."""
    for name, content in (
        ("server.txt", b"[2026-01-01] INFO started\n"),
        ("leader-epoch-checkpoint", b"0\n1\n1 0\n"),
        ("picture.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(80)),
    ):
        (tmp_path / name).write_bytes(content)
        assert name in refused(tmp_path / name, capsys)


def test_an_unreadable_folder_name_is_no_traceback(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder that bears a segment's name holds no log, and is refused as any other."""
    (tmp_path / SEGMENT).mkdir()
    assert "no metadata log" in refused(tmp_path, capsys)
