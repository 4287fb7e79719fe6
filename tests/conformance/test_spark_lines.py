"""Tables of lines: traces of designs and recordings of the ZooKeeper era without their files, against the files."""

import gzip
import json
import random
from pathlib import Path
from typing import Any

import pytest

import fencepost.spark
from fencepost.checkers.cli.main import main
from fencepost.checkers.conformance.designs import conform_traces
from fencepost.checkers.conformance.spark.counting import Counts, watched
from fencepost.checkers.conformance.spark.line_tasks import Line, LinesJudge
from fencepost.checkers.conformance.zk import conform_recordings
from fencepost.checkers.verdicts import Refusal
from fencepost.model.registry import find
from fencepost.traces import TraceError

from . import RECORDED

ZK = find("zk").whole
RECORDINGS = [RECORDED / "zk" / name for name in ("first-boot", "topic-deletion")]


def lines_of(folder: Path) -> list[Line]:
    """Return the lines of the files of a folder."""
    found: list[Line] = []
    for path in sorted(folder.iterdir()) if folder.is_dir() else [folder]:
        data = path.read_bytes()
        text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
        name = path.name.removesuffix(".gz")
        found += [(name, number, line) for number, line in enumerate(text.removesuffix("\n").split("\n"), 1)]
    return found


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The steps of a simulated design."""
    folder = tmp_path_factory.mktemp("kip343")
    assert main(["simulate", "--protocol", "kip343", "--time", "20s", "--out", str(folder / "run")]) == 0
    return next(folder.rglob("*.ndjson*"))


@pytest.mark.slow
def test_lines_are_judged_as_their_files(trace: Path) -> None:
    """What is said of the lines of a recording and of a trace is what is said of the files, but for the name."""
    judge = LinesJudge(ZK)
    recording = RECORDINGS[0]
    (alone,) = conform_recordings([str(recording)], ZK).logs
    found = judge.lines(recording.name, lines_of(recording))
    assert json.dumps(found.as_json()) == json.dumps({**alone.as_json(), "path": recording.name})
    (told,) = conform_traces([str(trace)]).logs
    assert judge.lines("mine", lines_of(trace)).as_json() == {**told.as_json(), "path": "mine"}


def test_lines_that_are_missing_are_one_sentence(trace: Path) -> None:
    """A line that is missing, two texts of one line, a name of a file that is a path, and two files of one trace are
    errors that name the log's file and line, and no folder of the machine; a line that comes twice is taken once."""
    judge, lines = LinesJudge(ZK), lines_of(trace)
    assert judge.lines("mine", [*lines[:3], lines[2], *lines[3:]]).records == len(lines) - 1
    name = lines[0][0]
    for wrong, said in (
        ([*lines[:4], *lines[5:]], f"{name}: line 6 is there, and the one before is not"),
        ([*lines[:4], (name, 4, "{}")], f"{name}: line 4 is there twice"),
        ([("../" + name, 1, lines[0][2])], "is no name of a file"),
        ([lines[0], ("b.ndjson", 1, lines[0][2])], "the lines are of b.ndjson and"),
        ([(name, 1, "{}")], f"mine/{name}:1: no header"),
    ):
        with pytest.raises(TraceError) as raised:
            judge.lines("mine", wrong)
        assert said in str(raised.value)
        assert "/tmp" not in str(raised.value)


@pytest.mark.nightly("test_lines_are_judged_as_their_files")
@pytest.mark.spark
@pytest.mark.slow
def test_tables_of_lines_are_judged_on_spark(session: Any, trace: Path) -> None:
    """Lines of recordings, a trace, and a recording that lacks a line, in any order: the tables say what the single
    process says of the files, and the one that lacks a line is inconclusive; who watches hears of all."""
    every = [(str(one), *line) for one in (*RECORDINGS, trace) for line in lines_of(one)]
    every += [("torn", *line) for line in lines_of(RECORDINGS[0]) if line[1] != 2]
    random.Random(3).shuffle(every)
    frame = session.createDataFrame(every, "log string, file string, line int, text string").repartition(3)
    heard: list[Counts] = []
    notes: list[str] = []
    with watched(heard.append, notes.append):
        found = fencepost.spark.conform(frame, session=session)
    alone = (*conform_recordings(map(str, RECORDINGS), ZK).logs, *conform_traces([str(trace)]).logs)
    logs = {row.path: row for row in found.logs.collect()}
    assert {path: (row.verdict, row.records) for path, row in logs.items()} == {
        **{one.path: (one.verdict.value, one.records) for one in alone},
        "torn": ("inconclusive", 0),
    }
    assert "and the one before is not" in logs["torn"].undecided[0].message
    rows = {(row.path, row.row): row["count"] for row in found.rows.collect() if row["count"]}
    assert rows == {(one.path, row): count for one in alone for row, count in one.rows.items()}
    told = [(row.path, row.rule, row.offset, row.message) for row in found.violations.collect()]
    assert sorted(told) == sorted((one.path, v.rule, v.offset, v.message) for one in alone for v in one.violations)
    records = sum(one.records for one in alone)
    counted = {"logs": 4, "records": records, "violations": len(told), "parts": 0, "parts_planned": 0}
    assert [one.until_now() for one in heard] == [counted]
    found.release()
    with pytest.raises(Refusal, match="the column line is string and should be bigint"):
        fencepost.spark.conform(frame.selectExpr("log", "file", "'1' as line", "text"), session=session)
