"""One large log checked by several tasks on Spark: cut within a term, at a snapshot, and behind a violation."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import fencepost.spark
from fencepost.checkers.cli.main import main
from fencepost.checkers.conformance import LogResult, conform
from fencepost.checkers.conformance.by_term import TermJudge
from fencepost.checkers.conformance.conform import Judge
from fencepost.checkers.conformance.many import Job
from fencepost.checkers.conformance.spark.cluster import SPLIT, Cluster
from fencepost.checkers.conformance.spark.job import split_of
from fencepost.checkers.conformance.spark.part_plan import large_among
from fencepost.checkers.conformance.spark.part_tasks import cuts_of
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft.protocol import KRAFT
from fencepost.traces import find_logs, read_log

from . import RECORDED, alter

SNAPSHOTS = RECORDED / "snapshots"


def test_large_logs_are_those_that_every_worker_can_open() -> None:
    """A log of more bytes than are said is checked in parts, also one behind a `file:` URI: not one of fewer, not one
    that only Spark's filesystems have, no text, none with 0, and none that is no metadata log."""
    (source,) = find_logs([RECORDED / "first-boot"])
    size = source.size
    (uri,) = find_logs([(RECORDED / "first-boot").resolve().as_uri()])
    there = replace(source, segments=("s3a://bucket/log/00000000000000000000.log",))
    text = replace(source, source="dump")
    jobs = [Job("", one, size) for one in (source, uri, there, text, object())]
    assert large_among(jobs, TermJudge, size - 1) == large_among(jobs, Judge, size - 1) == [0, 1]
    assert large_among(jobs, TermJudge, size) == large_among(jobs, TermJudge, 0) == []
    assert large_among(jobs, dict, 1) == []


def test_a_log_is_cut_into_parts_of_about_as_many_bytes() -> None:
    """Cuts are first offsets of pieces, and no part has many more bytes than its share and a piece."""
    pieces, sizes = pieces_of(SNAPSHOTS), [0]
    cuts = cuts_of(pieces, 4)
    for offset, size in pieces:
        if offset in cuts:
            sizes.append(0)
        sizes[-1] += size
    assert len(sizes) == 4
    assert max(sizes) <= sum(sizes) / 4 + max(size for _, size in pieces)


def pieces_of(path: Path) -> list[tuple[int, int]]:
    """The batches of a log, by their first offsets and bytes."""
    return [(batch.base_offset, batch.size) for batch in read_log(path).batches]


def in_one(path: Path) -> LogResult:
    """What is found of a log by this process."""
    (log,) = conform([path], None, ask_others=True).logs
    return log


def in_parts(session: Any, path: Path, count: int) -> LogResult:
    """What is found of a log by so many tasks."""
    (source,) = find_logs([path])
    cluster = Cluster(session=session, split_bytes=-(-source.size // count))
    (log,) = conform([path], None, spark=cluster, ask_others=True).logs
    return log


@pytest.mark.nightly("tests/conformance/test_parts.py::test_a_recording_in_parts_is_judged_as_in_one_piece")
@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.parametrize("name", ["snapshots", "upgrade-3.9-to-4.4", "node-config-moved-4.4.0"])
def test_tasks_find_of_parts_what_one_process_finds(session: Any, name: str) -> None:
    """Of a recording that is cut within terms by its bytes everything in the document is the same."""
    assert in_parts(session, RECORDED / name, 4).as_json() == in_one(RECORDED / name).as_json()


@pytest.mark.nightly("tests/conformance/test_parts.py::test_a_recording_in_parts_is_judged_as_in_one_piece")
@pytest.mark.spark
@pytest.mark.slow
def test_the_tables_say_how_a_log_was_judged(session: Any) -> None:
    """A log that was cut has the number of its parts and the bytes that were carried; another one has neither."""
    (source,) = find_logs([SNAPSHOTS])
    found = fencepost.spark.conform(
        [SNAPSHOTS, RECORDED / "first-boot"], session=session, split_bytes=source.size // 3 + 1
    )
    large, small = found.logs.orderBy("number").collect()
    found.release()
    assert (large["verdict"], large["parts"], small["parts"], small["carried_bytes"]) == ("conforms", 3, None, None)
    assert 1000 < large["carried_bytes"] < source.size
    assert large["records"] == in_one(SNAPSHOTS).records


@pytest.mark.nightly("tests/conformance/test_parts.py::test_a_recording_in_parts_is_judged_as_in_one_piece")
@pytest.mark.spark
@pytest.mark.slow
def test_a_log_behind_a_uri_is_judged_in_parts(session: Any) -> None:
    """A large log of a `file:` URI is cut as one of a path, and is reported by its URI."""
    uri = SNAPSHOTS.resolve().as_uri()
    (source,) = find_logs([SNAPSHOTS])
    found = fencepost.spark.conform([uri], session=session, split_bytes=source.size // 3 + 1)
    (row,) = found.logs.collect()
    found.release()
    assert (row["verdict"], row["parts"], row["path"]) == ("conforms", 3, uri)
    assert row["records"] == in_one(SNAPSHOTS).records


@pytest.mark.nightly("tests/conformance/test_parts.py::test_a_recording_in_parts_is_judged_as_in_one_piece")
@pytest.mark.spark
@pytest.mark.slow
def test_what_a_violation_does_to_later_parts_is_told_alike(session: Any, tmp_path: Path) -> None:
    """A broker's registration under an epoch that is not its own, in the first part, is one violation, under which
    those of four later parts are folded: as if one process had read the log."""
    log = read_log(RECORDED / "rolling-restart")
    registers = next(r for b in log.batches for r in b.metadata_records if r.type == "REGISTER_BROKER_RECORD")
    path = alter.with_record(log, registers.offset, lambda data: {**data, "brokerEpoch": 5}, tmp_path)
    one, cuts = in_one(path), cuts_of(pieces_of(path), 8)
    assert one.verdict is Verdict.VIOLATES
    assert one.violations[0].offset < cuts[0] < cuts[2] < one.violations[0].folded[-1]
    assert in_parts(session, path, 8).as_json() == one.as_json()


@pytest.mark.nightly("tests/conformance/test_parts.py::test_a_recording_in_parts_is_judged_as_in_one_piece")
@pytest.mark.spark
@pytest.mark.slow
def test_a_planted_fault_of_a_long_log_is_found_at_its_offset(session: Any, tmp_path: Path) -> None:
    """Of a generated log of 100,000 records, nearly all of them fan-outs of fences over 4,000 partitions, checked in
    parts, the fault that was planted is found at its offset under a rule that was expected, and nothing else is."""
    size = ("--records", "100000", "--partitions", "4000", "--episodes", "silence")
    assert main(["simulate", *size, "--faults", "1", "--seed", "3", "--to", str(tmp_path / "long")]) == 0
    (planted,) = json.loads((tmp_path / "long" / "planted.json").read_text(encoding="utf-8"))
    (source,) = find_logs([tmp_path / "long"])
    tables = fencepost.spark.conform([tmp_path / "long"], session=session, split_bytes=source.size // 3)
    (log,), (violation,) = tables.logs.collect(), tables.violations.collect()
    tables.release()
    assert (log.verdict, log.parts, log.records >= 99_000) == ("violates", 3, True)
    assert violation.offset == planted["offset"]
    assert violation.rule in planted["expected"]


@pytest.mark.nightly("tests/conformance/test_spark.py::test_spark_gives_the_results_of_the_single_process")
@pytest.mark.spark
@pytest.mark.slow
def test_a_large_log_that_cannot_be_read_is_told_of_as_any_other(session: Any, tmp_path: Path) -> None:
    """A large file that is no log is a result beside that of a log that was cut, both as of one process."""
    shutil.copytree(SNAPSHOTS, tmp_path / "good")
    (tmp_path / "none").mkdir()
    (tmp_path / "none" / "00000000000000000000.log").write_bytes(b"no log at all" * 1000)
    cluster = Cluster(session=session, split_bytes=4096)
    found = conform([tmp_path / "good", tmp_path / "none"], KRAFT, spark=cluster).logs
    alone = conform([tmp_path / "good", tmp_path / "none"], KRAFT).logs
    assert [one.as_json() for one in found] == [one.as_json() for one in alone]


@pytest.mark.parametrize(("cores", "split"), [(1, 0), (2, 0), (3, 0), (4, SPLIT), (64, SPLIT)])
def test_without_a_word_large_logs_are_cut_where_that_takes_less_time(cores: int, split: int) -> None:
    """On fewer than four cores one task checks a log; on more, one that is larger than any recording here is cut."""
    session = SimpleNamespace(sparkContext=SimpleNamespace(defaultParallelism=cores))
    assert split_of(session, Cluster().split_bytes) == split
    assert split_of(session, 4096) == 4096
    assert max(one.size for one in find_logs([RECORDED / "snapshots"])) < SPLIT
