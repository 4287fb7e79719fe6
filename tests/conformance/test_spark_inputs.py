"""What a data engineer gives to Spark: each log has a row and a reason, columns are found, and errors are sentences."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import venv
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

import fencepost.spark
from fencepost.checkers.conformance import conform
from fencepost.checkers.conformance.conform import asked
from fencepost.checkers.conformance.many import Job
from fencepost.checkers.conformance.results.results import ConformResult, Doubt, LogResult, Span
from fencepost.checkers.conformance.spark import tables
from fencepost.checkers.conformance.spark.cluster import Cluster, reason_of
from fencepost.checkers.conformance.spark.job import ran
from fencepost.checkers.conformance.spark.planning import SECONDS, is_small
from fencepost.checkers.verdicts import ExitCode, Refusal, Verdict
from fencepost.model.releases import RELEASES
from fencepost.traces import TraceError, find_log, find_logs, read_log
from fencepost.traces.record_tables import columns_of, log_of_records, record_table

from . import RECORDED

SEGMENT = "00000000000000000000.log"
METADATA = "__cluster_metadata-0"
FENCEPOST = (sys.executable, "-m", "fencepost.checkers.cli.main")


def _node(folder: Path, name: str = SEGMENT, of: str = "first-boot") -> Path:
    """Return the directory of a node whose log has a recording's segment under a name."""
    (folder / METADATA).mkdir(parents=True)
    shutil.copy(RECORDED / of / SEGMENT, folder / METADATA / name)
    return folder


def _fleet(folder: Path) -> dict[str, str]:
    """Make clusters of which one can be read; return a part of the reason that each other one has."""
    _node(folder / "good")
    for ending in ("zst", "lz4", "bak", "filepart"):
        _node(folder / ending, f"{SEGMENT}.{ending}")
    (folder / "nothing" / METADATA).mkdir(parents=True)
    (folder / "link" / METADATA).mkdir(parents=True)
    (folder / "link" / METADATA / SEGMENT).symlink_to(folder / "not-there")
    (folder / "whole").mkdir()
    (folder / "whole" / METADATA).symlink_to(folder / "not-there")
    (folder / "file").mkdir()
    (folder / "file" / METADATA).write_text("")
    (folder / "plain").mkdir()
    (folder / "plain" / f"{SEGMENT}.xz").write_bytes(b"")
    # A segment that follows is needed; one in front of a snapshot, and other topics' partitions, are not.
    torn = _node(folder / "torn") / METADATA
    (torn / "00000000000000000300.log.zst").write_bytes(b"")
    return {
        **{ending: f"its name ends in .{ending}" for ending in ("zst", "lz4", "bak", "filepart")},
        "nothing": "nothing in it can be read: it has no file",
        "link": "cannot be opened (No such file or directory)",
        "whole": "is a link to what is not there",
        "file": "is a file, and a log is a directory",
        "plain": "its name ends in .xz",
        "torn": "00000000000000000300.log.zst",
    }


def _said(rows: Sequence[tuple[str, str, str]], folder: Path, expected: dict[str, str]) -> None:
    found = {Path(path).relative_to(folder).parts[0]: (verdict, said) for path, verdict, said in rows}
    assert found.pop("good")[0] == "conforms"
    assert {name: verdict for name, (verdict, _) in found.items()} == dict.fromkeys(expected, "inconclusive")
    assert not {name: said for name, (_, said) in found.items() if expected[name] not in said}


def test_no_cluster_is_left_out(tmp_path: Path) -> None:
    """What is called as a log and cannot be read is an inconclusive result that says why, and the exit code is 3."""
    expected = _fleet(tmp_path)
    found = conform([tmp_path], None)
    rows = [(one.path, one.verdict.value, " ".join(doubt.message for doubt in one.doubts)) for one in found.logs]
    _said(rows, tmp_path, expected)
    assert found.exit_code is ExitCode.INCONCLUSIVE
    with pytest.raises(TraceError, match="nothing in it can be read"):
        find_log(tmp_path / "nothing")
    # A pattern that finds a link to nowhere says so of it, and checks the others.
    matched = conform([f"{tmp_path}/*/{METADATA}"], None)
    assert Counter(one.verdict for one in matched.logs)[Verdict.CONFORMS] == 1
    assert str(tmp_path / "whole" / METADATA) in [one.path for one in matched.logs]


def test_links_to_logs_are_followed_once(tmp_path: Path) -> None:
    """A link leads to a log that lies elsewhere; one that leads back, or to what is found anyway, adds nothing."""
    _node(tmp_path / "mounted" / "one")
    fleet = tmp_path / "fleet"
    _node(fleet / "two")
    (fleet / "one").symlink_to(tmp_path / "mounted" / "one")
    (fleet / "again").symlink_to(fleet / "two")
    (fleet / "back").symlink_to(tmp_path)
    assert [Path(one.path).relative_to(fleet).parts[0] for one in find_logs([fleet])] == ["two", "one"]


def test_segments_of_one_folder_are_one_log(tmp_path: Path) -> None:
    """`DIR/*.log` is the log of the folder, with the snapshots that are named too; a copy beside it is a note."""
    recorded = RECORDED / "quorum" / "trimmed-4.4.0" / "3000"
    whole = conform([recorded], None).logs[0]
    (named,) = conform([f"{recorded}/*.log", f"{recorded}/*.checkpoint"], None).logs
    assert (named.path, named.as_json()) == (str(recorded), whole.as_json())
    assert len(find_logs([f"{recorded}/*.log"])) == 1
    copied = _node(tmp_path / "copied") / METADATA
    shutil.copy(copied / SEGMENT, copied / f"{SEGMENT}.zst")
    assert f"{SEGMENT}.zst is under another name: it was not read." in read_log(copied).notes


def test_what_is_packed_otherwise_is_named(tmp_path: Path) -> None:
    """A segment with the bytes of another packing is refused by that, whatever it is called; no path at all, too."""
    for magic, name in ((b"\x28\xb5\x2f\xfd", "zstd"), (b"BZh9", "bzip2"), (b"\x04\x22\x4d\x18", "lz4")):
        (tmp_path / SEGMENT).write_bytes(magic + bytes(100))
        with pytest.raises(TraceError, match=f"is packed with {name}, which is not read"):
            read_log(tmp_path / SEGMENT)
    with pytest.raises(TraceError, match="no path is given"):
        find_logs([])


def test_parquet_is_named_where_no_log_is(tmp_path: Path) -> None:
    """A folder of Parquet gets a sentence that says which folder is a table of records."""
    (tmp_path / "2026" / "11").mkdir(parents=True)
    (tmp_path / "2026" / "11" / "a.parquet").write_bytes(b"")
    with pytest.raises(TraceError, match=r"on Spark .*2026/11, which has Parquet, is read as a table of records"):
        find_logs([tmp_path])


def test_records_that_differ_do_not_move_the_beginning() -> None:
    """Two logs of one name: the conflict is one range and comes first, and nothing says that the log begins behind."""
    one, other = (
        record_table(read_log(RECORDED / name / SEGMENT), "same") for name in ("reassignment", "rolling-restart")
    )
    told = asked(None, ask_others=True)
    log = log_of_records("same", columns_of(pa.concat_tables([one, other])))
    result = told.maker(*told.given_to).log(log)
    assert result.verdict is Verdict.UNDECIDED
    assert [(part.kind, part.first_offset, part.last_offset) for part in log.quarantined] == [("conflict", 0, 246)]
    assert result.doubts[0].message.startswith(
        "Offsets 0 to 246: the table has two or more records at an offset that differ"
    )
    assert len(result.doubts) < 5
    assert not [text for text in (*result.notes, *(doubt.message for doubt in result.doubts)) if "begins at" in text]


def test_releases_say_what_a_log_was_checked_by() -> None:
    """A violating log, and one across an upgrade, have the releases that checked them, spelled as numbers."""
    violating = LogResult("a", "kraft", Verdict.VIOLATES, spans=(Span(0, 9, ("4.2", "4.1")), Span(10, 19, ("4.4",))))
    (row,) = tables.rows_of(0, violating, tables.NOT_MEASURED)
    assert row["logs"]["releases"] == ["4.2", "4.4"]
    back = tables.results_of(tables.rows_in(pa.Table.from_pylist([row], schema=tables.ANSWERS)), LogResult)[0]
    assert back.as_json() == violating.as_json()
    newest = next(iter(RELEASES))
    for protocol, name in (("kraft", newest), ("kraft@4.1", "4.1")):
        strict = LogResult("a", protocol, Verdict.UNDECIDED)
        assert next(tables.rows_of(0, strict, tables.NOT_MEASURED))["logs"]["releases"] == [name]


def test_many_logs_have_one_screen() -> None:
    """Of many logs at most 40 lines are printed: those that do not conform first, and the counts."""
    from fencepost.checkers.cli.conform import page

    logs = [LogResult(f"log-{n}", "kraft", Verdict.CONFORMS) for n in range(4000)]
    logs += [
        LogResult(f"bad-{n}", "kraft", Verdict.INCONCLUSIVE, doubts=[Doubt(None, None, "gone")]) for n in range(1000)
    ]
    lines = page(ConformResult(tuple(logs), 1.0, (), {}, False))
    assert len(lines) <= 40
    assert lines[0] == "bad-0: inconclusive: gone"
    assert "5000 logs: 4000 conforms, 1000 inconclusive" in lines
    assert any("more logs that do not conform" in line for line in lines)


# -- one session -------------------------------------------------------------------------------------------------------
def _frame(session: Any, folder: Path, *names: str) -> Any:
    found = [record_table(read_log(RECORDED / name), name) for name in names]
    parquet.write_table(pa.concat_tables(found), folder / f"{'-'.join(names)}.parquet")
    return session.read.parquet(str(folder / f"{'-'.join(names)}.parquet"))


def _rows(found: Any) -> list[tuple[str, str, int, int]]:
    rows = [(row.path, row.verdict, row.records, row.batches) for row in found.logs.orderBy("path").collect()]
    found.release()
    return rows


REASSIGNMENT = ("reassignment", "conforms", 244, 184)


@pytest.mark.nightly("test_no_cluster_is_left_out")
@pytest.mark.spark
@pytest.mark.slow
def test_no_cluster_is_left_out_on_spark(session: Any, tmp_path: Path) -> None:
    """The same rows and reasons as in one process; behind URIs too, but that Hadoop does not list a link to nowhere."""
    expected = _fleet(tmp_path)
    for path in (str(tmp_path), tmp_path.as_uri()):
        rows = fencepost.spark.conform(path, session=session).logs.collect()
        said = [
            (row.path.removeprefix("file://"), row.verdict, "".join(doubt.message for doubt in row.undecided))
            for row in rows
        ]
        if path != str(tmp_path):
            # RawLocalFileSystem.listStatus of Hadoop 3.4 leaves such links out, in Spark 4.3.0.
            expected |= {"link": "nothing in it can be read: it has no file"}
            del expected["whole"]
        _said(said, tmp_path, expected)


@pytest.mark.nightly("tests/conformance/test_spark.py::test_records_in_any_order_are_judged_as_their_logs")
@pytest.mark.spark
@pytest.mark.slow
def test_columns_are_found_as_the_session_finds_them(session: Any, tmp_path: Path) -> None:
    """Names in another case, and types that lose nothing, are read; what is not is one sentence with the column."""
    frame = _frame(session, tmp_path, "reassignment")
    other = frame.toDF(*(name.upper() for name in frame.columns))
    cast = frame.selectExpr(
        "log as Log", "cast(offset as decimal(20, 0)) as `Offset`", "key", "value", "control", "file as File",
        "cast(epoch as int) as Epoch", "cast(batch as decimal(38, 0)) as BATCH", "position",
        "timestamp_millis(timestamp) as TimeStamp",
    )  # fmt: skip
    assert [_rows(fencepost.spark.conform(one, session=session)) for one in (frame, other, cast)] == [
        [REASSIGNMENT]
    ] * 3
    refused = {
        "there are 2 columns offset": frame.selectExpr("*", "1L as OFFSET"),
        "the column timestamp is timestamp_ntz and should be bigint or timestamp": frame.withColumn(
            "timestamp", frame.timestamp.cast("string").cast("timestamp_ntz")
        ),
        "the column value is string and should be binary; it is text": frame.selectExpr(
            "log", "offset", "key", "base64(value) as value"
        ),
        "the column offset is double": frame.selectExpr("log", "cast(offset as double) as offset", "key", "value"),
        "the column path has a null in 1 of 2 rows": session.createDataFrame([("a",), (None,)], "path string"),
        "the column PATH is bigint and should be string": session.range(1).withColumnRenamed("id", "PATH"),
    }
    for said, one in refused.items():
        with pytest.raises(Refusal, match=said):
            fencepost.spark.conform(one, session=session)
    with pytest.raises(Refusal, match="a path is NoneType"):
        fencepost.spark.conform([None], session=session)  # type: ignore[list-item]
    session.conf.set("spark.sql.caseSensitive", "true")
    try:
        with pytest.raises(Refusal, match=r"there is no column offset \(Offset: spark.sql.caseSensitive is true\)"):
            fencepost.spark.conform(frame.withColumnRenamed("offset", "Offset"), session=session)
        assert _rows(fencepost.spark.conform(frame.selectExpr("*", "1L as OFFSET"), session=session)) == [REASSIGNMENT]
    finally:
        session.conf.unset("spark.sql.caseSensitive")


@pytest.mark.nightly("tests/conformance/test_spark.py::test_records_in_any_order_are_judged_as_their_logs")
@pytest.mark.spark
@pytest.mark.slow
def test_a_table_is_found_behind_empty_partitions_and_its_bad_logs_refuse_none(session: Any, tmp_path: Path) -> None:
    """Partitions without a file hide nothing; a log without offsets, and records without a log, are rows."""
    frame = _frame(session, tmp_path, "reassignment", "rolling-restart")
    frame.selectExpr("*", "2026 as year").write.partitionBy("year", "log").parquet(str(tmp_path / "t"))
    for empty in ("year=2025/log=gone", "year=2026/log=a", "year=2026/log=zz", "_temporary/x=1"):
        (tmp_path / "t" / empty).mkdir(parents=True)
    both = [REASSIGNMENT, ("rolling-restart", "conforms", 268, 114)]
    assert _rows(fencepost.spark.conform(str(tmp_path / "t"), session=session)) == both
    null = frame.where("log = 'rolling-restart'").selectExpr(
        "'b' as log", "cast(null as bigint) as offset", "key", "value"
    )
    named = frame.limit(2).selectExpr("cast(null as string) as log", "offset", "key", "value")
    bad = frame.unionByName(null, True).unionByName(named, True)
    found = fencepost.spark.conform(bad, session=session)
    said = {row.path: row.undecided[0].message for row in found.logs.where("unreadable").collect()}
    assert said == {
        "(no log)": "2 records of the table have no log: say of every record which log it is of",
        "b": "no record of the log b has an offset: nothing says their order",
    }
    assert [row for row in _rows(found) if row[1] == "conforms"] == both
    lines = session.createDataFrame([("c", None, "x"), (None, 1, "y")], "Log string, line bigint, text string")
    assert [row[:2] for row in _rows(fencepost.spark.conform(lines, session=session))] == [
        ("(no log)", "inconclusive"),
        ("c", "inconclusive"),
    ]


@pytest.mark.nightly("tests/conformance/test_spark.py::test_records_in_any_order_are_judged_as_their_logs")
@pytest.mark.spark
@pytest.mark.slow
def test_files_with_their_content_are_logs_by_folder(session: Any, tmp_path: Path) -> None:
    """Rows of `binaryFile` are the files of logs, read from `content` alone; health takes them, too."""
    for name in ("snapshots", "reassignment"):
        shutil.copytree(RECORDED / name, tmp_path / name)
    read = session.read.format("binaryFile").option("recursiveFileLookup", "true").load(str(tmp_path))
    parquet.write_table(read.toArrow(), tmp_path / "kept.parquet")
    for name in ("snapshots", "reassignment"):
        shutil.rmtree(tmp_path / name)
    kept = session.read.parquet(str(tmp_path / "kept.parquet"))
    found = [(Path(path).name, *rest) for path, *rest in _rows(fencepost.spark.conform(kept, session=session))]
    assert found == [REASSIGNMENT, ("snapshots", "conforms", 1675, 176)]
    assert {row.status is not None for row in fencepost.spark.health(kept, session).collect()} == {True}
    with pytest.raises(Refusal, match=r"only .* have another path"):
        fencepost.spark.conform(kept.union(kept), session=session)
    paths = session.createDataFrame([(str(one),) for one in (RECORDED / "snapshots").glob("*.log")], "path string")
    assert len(_rows(fencepost.spark.conform(paths, session=session))) == 1


@pytest.mark.nightly("tests/conformance/test_spark.py::test_spark_gives_the_results_of_the_single_process")
@pytest.mark.spark
@pytest.mark.slow
def test_the_page_is_walked(session: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The programs of docs/spark.md that need a session alone run as they are written, DuckDB last."""
    for name in ("first-boot", "reassignment"):
        _node(tmp_path / "logs" / name, of=name)
    page = (Path(__file__).resolve().parents[2] / "docs" / "spark.md").read_text(encoding="utf-8")
    programs = re.findall(r"^```python\n(.*?)^```$", page, re.M | re.S)
    chosen = [one for one in programs if "kafka" not in one.replace("kafka/metadata", "") and "events" not in one]
    assert len(chosen) == 4
    text = "\n".join(["import duckdb, fencepost.spark, pandas", *chosen])
    places = {"hdfs:///kafka/metadata": "logs", "s3a://bucket/": "logs/", "hdfs:///verdicts": "out", "/verdicts": "out"}
    for written, place in places.items():
        text = text.replace(written, str(tmp_path / place) + "/" * written.endswith("/"))
    exec(compile(text.replace('out")', 'out", run="monday")', 1), "docs/spark.md", "exec"), {"spark": session})
    assert capsys.readouterr().out.count("conforms") >= 3


@pytest.mark.nightly("test_the_reason_of_an_error_is_found")
@pytest.mark.spark
@pytest.mark.slow
def test_an_error_of_a_worker_is_its_reason(session: Any) -> None:
    """A Refusal ends with the last line of the worker's traceback, and names its interpreter."""

    def failing(batches: Iterator[Any]) -> Iterator[Any]:
        for _ in batches:
            raise ModuleNotFoundError("No module named 'pyarrow'")
        yield from ()

    with pytest.raises(Refusal) as raised:
        ran(session.range(2).mapInArrow(failing, "id bigint").collect)
    assert raised.value.code is ExitCode.INCONCLUSIVE
    assert str(raised.value).endswith("ModuleNotFoundError: No module named 'pyarrow'")
    assert f"in a worker under {sys.executable}" in str(raised.value)


@pytest.mark.nightly("test_workers_begin_where_they_gain_time")
@pytest.mark.spark
@pytest.mark.slow
def test_small_logs_are_checked_here_where_workers_would_be_alike(session: Any) -> None:
    """Few small logs start no worker and have the same results; the setting, or what is said of workers, has them."""
    paths = [RECORDED / "first-boot", RECORDED / "reassignment"]
    alone = conform(paths, None)
    session.conf.set(SECONDS, "5")
    try:
        found = fencepost.spark.conform(paths, session=session)
        assert {row.worker for row in found.logs.collect()} == {os.getpid()}
        assert _rows(found) == [(one.path, one.verdict.value, one.records, one.batches) for one in alone.logs]
        assert conform(paths, None, spark=Cluster(session=session)).as_json() == alone.as_json()
        assert not is_small(session, [Job("a", None, 1 << 30)])
        assert not is_small(session, [Job("file:///a", None, 1)])
        assert not is_small(session, [Job(str(number), None, 1) for number in range(1200)])
        session.conf.set(SECONDS, "soon")
        with pytest.raises(Refusal, match="this is no number of seconds"):
            is_small(session, [])
    finally:
        session.conf.set(SECONDS, "0")
    assert {row.worker for row in fencepost.spark.conform(paths, session=session).logs.collect()} - {os.getpid()}


@pytest.mark.parametrize(("cores", "logs", "size", "small"), [
    (2, 5_000, 1_000, True), (8, 5_000, 1_000, False), (1, 5_000, 1_000, True), (2, 100_000, 1_000, False),
    (2, 1, 8 << 20, True), (2, 1, 12 << 20, False), (8, 1, 4 << 20, True), (8, 1, 8 << 20, False),
])  # fmt: skip
def test_workers_begin_where_they_gain_time(cores: int, logs: int, size: int, small: bool) -> None:
    """Where nothing is set the driver checks logs that workers would not have checked sooner, a minute's at most."""
    known = {"spark.master": "local[8]"}
    context = SimpleNamespace(
        master=f"local[{cores}]", pythonExec=sys.executable, defaultParallelism=cores,
        getConf=lambda: SimpleNamespace(contains=known.__contains__),
    )  # fmt: skip
    session = SimpleNamespace(sparkContext=context, conf=SimpleNamespace(get=lambda name, default: default))
    assert is_small(session, [Job(str(number), None, size) for number in range(logs)]) is small


def test_the_reason_of_an_error_is_found() -> None:
    """Of Java's message the first line counts, of a worker's traceback the last one of Python's."""
    java = "\n\tat org.Spark\nCaused by: y"
    said = f'Job aborted: x\nTraceback (most recent call last):\n  File "a", line 1\nOSError: no\n{java}'
    assert reason_of(ValueError(said)) == "OSError: no"
    assert reason_of(ValueError("\nfirst.\nsecond")) == "first"


@pytest.mark.nightly("test_the_reason_of_an_error_is_found")
@pytest.mark.spark
@pytest.mark.parametrize("what", ["no package", "memory"])
def test_a_worker_that_cannot_start_says_why(what: str, tmp_path: Path) -> None:
    """Another interpreter without pyarrow, and a limit of memory: one sentence with the reason and the setting."""
    more = ["--conf", "spark.executor.pyspark.memory=64m"] if what == "memory" else []
    settings = {}
    if what == "no package":
        venv.create(tmp_path / "bare", symlinks=True)
        settings["PYSPARK_PYTHON"] = str(tmp_path / "bare" / "bin" / "python")
    found = subprocess.run(
        [*FENCEPOST, "conform", "--spark", "--master", "local[1]", *more, str(RECORDED / "first-boot")],
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert (found.returncode, "Traceback" in found.stderr) == (3, False)
    wanted = ("No module named 'pyarrow'", "bare/bin/python") if settings else ("spark.executor.pyspark.memory", "64m")
    assert all(text in found.stderr for text in wanted), found.stderr


def test_the_api_takes_a_table_of_spark(session: Any) -> None:
    """`fencepost.conform` of a DataFrame of Spark is that of `fencepost.spark`: the tables of a run, a row a log."""
    found = fencepost.conform(session.createDataFrame([(str(RECORDED / "first-boot"),)], ["path"]))
    assert [(Path(row["path"]).name, row["verdict"]) for row in found.logs.collect()] == [("first-boot", "conforms")]
