"""Many logs under Spark against the single process: sessions, tables, Parquet, filesystems, and workers' packages."""

import json
import pickle
import random
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.dataset
import pyarrow.parquet
import pytest

import fencepost.spark
from fencepost.checkers.conformance import Judge, LogResult, Options, conform
from fencepost.checkers.conformance.conform import asked
from fencepost.checkers.conformance.records.passed import PASSED_THROUGH
from fencepost.checkers.conformance.spark import job, versions
from fencepost.checkers.conformance.spark.cluster import Cluster, settings
from fencepost.checkers.conformance.spark.hadoop import as_uri
from fencepost.checkers.conformance.spark.packing import packed
from fencepost.checkers.conformance.spark.planning import LEAST, spread
from fencepost.checkers.conformance.spark.shipped import shipped
from fencepost.checkers.conformance.spark.tables import (
    ANSWERS,
    IN_JSON,
    SCHEMAS,
    batch_of,
    columns,
    results_of,
    rows_in,
    rows_of,
)
from fencepost.checkers.verdicts import ExitCode, Refusal, Verdict
from fencepost.model.kraft.protocol import KRAFT
from fencepost.traces import TraceError, find_logs, read_log, record_tables
from fencepost.traces.record_tables import record_table

from . import RECORDED, alter

OPTIONS = Options(PASSED_THROUGH)
SEGMENT = "00000000000000000000.log"
MEASURED = {"bytes": 0, "seconds": 0.0, "cpu_seconds": 0.0, "host": "", "worker": 0, "task": 0}


def test_tables_survive_the_way_to_a_worker() -> None:
    """A protocol that was sent and received is the same protocol, and checks a log alike."""
    (received,) = pickle.loads(packed((KRAFT,)))
    assert received.hash == KRAFT.hash
    log = read_log(RECORDED / "first-boot" / SEGMENT)
    assert Judge([received], OPTIONS).log(log).as_json() == Judge([KRAFT], OPTIONS).log(log).as_json()


@pytest.mark.slow
def test_a_term_judge_that_was_sent_shows_the_same_findings() -> None:
    """A change of the leader is evaluated by a worker's checker, too: its states are those of its own releases."""
    told = asked(None, ask_others=True)
    log = read_log(RECORDED / "node-config-moved-4.4.0")
    maker, given = pickle.loads(packed((told.maker, told.given_to)))
    found = maker(*given).log(log).findings
    assert "D31" in {one.finding for one in found}
    assert found == told.maker(*told.given_to).log(log).findings


def test_without_java_the_refusal_is_one_clear_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no Java is found the request is refused as inconclusive, and the sentence says what to do."""
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(Refusal) as raised:
        conform([RECORDED / "first-boot"], KRAFT, spark=True)
    assert raised.value.code is ExitCode.INCONCLUSIVE
    assert "install a Java" in str(raised.value)


@pytest.mark.parametrize("pair", ["spark.executor.memory", "=4g", " =4g"])
def test_a_setting_that_is_none_is_refused(pair: str) -> None:
    """What is no K=V is a usage error, whose sentence shows how to write one."""
    with pytest.raises(Refusal, match="write it as --conf") as raised:
        settings([pair])
    assert raised.value.code is ExitCode.USAGE


def test_logs_are_spread_by_size() -> None:
    """Every log is in one group; a large one is alone, small ones are together, and no group has much more."""
    sizes = [300 << 20, *[1000] * 500, 0]
    groups = spread(sizes, 2)
    assert sorted(one for group in groups for one in group) == list(range(len(sizes)))
    assert groups[0] == [0]
    counts = [len(group) for group in groups[1:]]
    assert max(counts) - min(counts) <= 1
    assert max(counts) > 1
    assert spread([], 4) == []
    # However few cores a session has when it begins, a task is no longer than its share of bytes.
    assert max(len(group) for group in spread([1] * 2000, 1)) * LEAST <= 64 << 20


@pytest.mark.slow
def test_the_driver_and_a_worker_of_the_same_package_agree() -> None:
    """What is compared names the version and is the same whenever it is asked."""
    assert versions.here() == (fencepost.__version__, versions.here.__wrapped__()[1])


def _violating(target: Path) -> Path:
    log = read_log(RECORDED / "first-boot" / SEGMENT)
    offset = next(r.offset for b in log.batches for r in b.metadata_records if r.type == "PARTITION_RECORD")
    alter.with_record(log, offset, lambda data: {**data, "leaderEpoch": 7}, target)
    return target


def _damaged(target: Path) -> Path:
    target.mkdir(parents=True)
    data = bytearray((RECORDED / "first-boot" / SEGMENT).read_bytes())
    data[len(data) // 2] ^= 0xFF
    (target / SEGMENT).write_bytes(data)
    return target


def _broken(target: Path) -> Path:
    target.mkdir(parents=True)
    (target / SEGMENT).write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(200)))
    return target


@pytest.mark.parametrize("schema", [None, ANSWERS, IN_JSON], ids=["as they are", "columns", "JSON"])
def test_a_result_comes_back_from_its_rows_as_it_was(tmp_path: Path, schema: Any) -> None:
    """Rows of the tables, as they are and through Arrow in columns and as JSON, say all that a result says: of logs
    that conform, violate, and are damaged.
    """
    import pyarrow as pa

    paths = [RECORDED / "first-boot", _violating(tmp_path / "violating"), _damaged(tmp_path / "damaged")]
    results = conform(paths, None).logs
    assert {one.verdict for one in results} == {Verdict.CONFORMS, Verdict.VIOLATES, Verdict.UNDECIDED}
    rows = [row for number, one in enumerate(results) for row in rows_of(number, one, MEASURED)]
    sent = rows if schema is None else rows_in(pa.Table.from_batches([batch_of(rows, schema)]))
    found = results_of(sent, LogResult)
    assert json.dumps([found[number].as_json() for number in range(3)]) == json.dumps(
        [one.as_json() for one in results]
    )
    assert [found[number].refused for number in range(3)] == [one.refused for one in results]
    assert all(found[number].cannot == one.cannot for number, one in enumerate(results))


def test_the_page_has_every_column() -> None:
    """`docs/spark.md` lists each column of each table, in order."""
    page = (Path(__file__).resolve().parents[2] / "docs" / "spark.md").read_text(encoding="utf-8")
    for name, schema in SCHEMAS.items():
        part = page.split(f"### `{name}`", 1)[1].split("\n#", 1)[0]
        told = re.findall(r"^\| `(\w+)` \|", part, re.MULTILINE)
        assert told == [one.name for one in schema], name


# -- one session for all -----------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A session as a user has it, with an event log."""
    from pyspark.sql import SparkSession

    events = tmp_path_factory.mktemp("events")
    builder = SparkSession.builder.master("local[2]").appName("mine").config("spark.ui.enabled", "false")
    for name, value in {
        "enabled": "true",
        "dir": events.as_uri(),
        "compress": "false",
        "rolling.enabled": "false",
    }.items():
        builder = builder.config(f"spark.eventLog.{name}", value)
    # So that what is shuffled is counted as it is, however well it packs.
    found = builder.config("spark.shuffle.compress", "false").getOrCreate()
    found.sparkContext.setLogLevel("OFF")
    yield found
    found.stop()


@pytest.fixture(scope="module")
def several(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Logs that conform, violate, are damaged, are empty, and are none, most of them copies."""
    folder = tmp_path_factory.mktemp("logs")
    (folder / "empty").mkdir()
    (folder / "empty" / SEGMENT).touch()
    copies = [shutil.copytree(RECORDED / "first-boot", folder / f"copy-{number:02}") for number in range(12)]
    return [
        *copies,
        _violating(folder / "violating"),
        _damaged(folder / "damaged"),
        folder / "empty",
        _broken(folder / "broken"),
        RECORDED / "kill-nine-elr",
    ]


def _shuffled(session: Any) -> int:
    """Return the bytes that all tasks of a session shuffled, written and read, from Spark's event log."""
    total = 0
    (folder,) = {Path(session.conf.get("spark.eventLog.dir").removeprefix("file:"))}
    for path in folder.iterdir():
        for line in path.read_text().splitlines():
            event = json.loads(line)
            metrics = event.get("Task Metrics") if event.get("Event") == "SparkListenerTaskEnd" else None
            if metrics:
                total += metrics["Shuffle Write Metrics"]["Shuffle Bytes Written"]
                read = metrics["Shuffle Read Metrics"]
                total += read["Remote Bytes Read"] + read["Local Bytes Read"]
    return total


@pytest.mark.spark
@pytest.mark.slow
def test_spark_gives_the_results_of_the_single_process(session: Any, several: list[Path]) -> None:
    """Paths and `file:` URIs, in few tasks and without a shuffle: the same results; what is no log ends nothing."""
    alone = conform(several, KRAFT)
    here = conform(several, KRAFT, spark=True)
    assert json.dumps(here.as_json()) == json.dumps(alone.as_json())
    assert here.exit_code is alone.exit_code is ExitCode.DOES_NOT_CONFORM
    uris = [path.as_uri() for path in several]
    there = conform(uris, KRAFT, spark=Cluster(session=session))
    expected = [json.dumps(one.as_json()).replace(str(one.path), "") for one in alone.logs]
    # How a file that is no log is named is all that differs.
    assert [json.dumps(one.as_json()).replace(one.path, "") for one in there.logs] == expected
    assert _shuffled(session) == 0


@pytest.mark.spark
@pytest.mark.slow
def test_the_tables_say_what_the_results_say(session: Any, several: list[Path], tmp_path: Path) -> None:
    """The DataFrames have a row a log, a violation and an exercised row; as Parquet they are
    the same to pyarrow, pandas and Spark SQL, and no run is written over."""
    alone = conform(several, None, ask_others=True)
    frame = session.createDataFrame([(str(path),) for path in several], "path string")
    found = fencepost.spark.conform(frame, session=session, to=str(tmp_path), run="monday")
    assert {name: getattr(found, name).schema.simpleString() for name in SCHEMAS} == {
        name: fencepost.spark.ddl(schema).replace(": ", ":").replace(", ", ",") for name, schema in SCHEMAS.items()
    }
    logs = found.logs.orderBy("number").collect()
    assert [(row.path, row.verdict) for row in logs] == [(one.path, one.verdict.value) for one in alone.logs]
    assert [row.path for row in logs if row.unreadable] == [str(several[-2])]
    assert len({row.task for row in logs}) < len(logs)
    assert all(row.seconds > 0 and row.bytes > 0 for row in logs if Path(row.path).name != "empty")
    told = {(row.path, row.rule, row.offset, row.entity) for row in found.violations.collect()}
    assert told == {(log.path, one.rule, one.offset, one.entity) for log in alone.logs for one in log.violations}
    assert told
    counted = {(row.path, row.row): row["count"] for row in found.rows.collect() if row["count"]}
    assert counted == {(log.path, row): count for log in alone.logs for row, count in log.rows.items()}
    assert found.findings.count() == sum(len(log.findings) for log in alone.logs)
    for name in SCHEMAS:
        table = pyarrow.dataset.dataset(tmp_path / name, partitioning="hive").to_table()
        assert table.num_rows == getattr(found, name).count()
        assert set(table.column("run").to_pylist()) <= {"monday"}
    import pandas

    read = pandas.read_parquet(tmp_path / "logs")
    assert sorted(read["verdict"]) == sorted(one.verdict.value for one in alone.logs)
    sql = f"select count(*) as n from parquet.`{tmp_path / 'violations'}` where run = 'monday'"
    assert session.sql(sql).collect()[0].n == len(told)
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(Refusal, match="run monday is there already"):
        fencepost.spark.conform(str(several[0]), KRAFT, session, to=str(tmp_path), run="monday")
    assert sorted(tmp_path.rglob("*")) == before
    found.release()


@pytest.mark.spark
@pytest.mark.slow
def test_a_session_stays_the_users(session: Any) -> None:
    """The session goes on with its settings; a master or a setting for it is refused, and so is a run without name."""
    before = session.conf.get(job.PER_BATCH)
    found = fencepost.spark.conform([RECORDED / "first-boot"], KRAFT)
    assert found.session is session
    assert (session.conf.get(job.PER_BATCH), session.sparkContext.appName) == (before, "mine")
    assert session.range(3).count() == 3
    for more in ({"master": "local[1]"}, {"conf": {"spark.x": "y"}}):
        with pytest.raises(Refusal, match="a Spark session runs already"):
            fencepost.spark.conform([RECORDED / "first-boot"], KRAFT, **more)
    with pytest.raises(Refusal, match="a letter first"):
        fencepost.spark.conform([RECORDED / "first-boot"], KRAFT, to="anywhere", run="2026-01-01")


@pytest.mark.spark
@pytest.mark.slow
def test_what_spark_cannot_read_is_one_sentence(session: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A scheme that no filesystem has is Spark's to refuse: an error alone, inconclusive among others, also to the API;
    so is a file that is gone when a task comes to read it, and a place to write to that is none."""
    known = RECORDED / "first-boot"
    with pytest.raises(TraceError, match='No FileSystem for scheme "nowhere"'):
        conform(["nowhere://host/logs"], KRAFT, spark=True)
    found = conform(["nowhere://host/logs", known], KRAFT, spark=True)
    assert [one.verdict for one in found.logs] == [Verdict.INCONCLUSIVE, Verdict.CONFORMS]
    assert found.exit_code is ExitCode.INCONCLUSIVE
    with pytest.raises(TraceError, match="there is no such file or directory"):
        conform([(tmp_path / "none").as_uri()], KRAFT, spark=True)
    with pytest.raises(Refusal, match='No FileSystem for scheme "nowhere"'):
        fencepost.spark.conform(known, KRAFT, session, to="nowhere://host/out")
    gone = shutil.copytree(known, tmp_path / "gone")
    scan = job._scan

    def removing(*given: Any) -> Any:
        frame = scan(*given)
        (gone / SEGMENT).unlink(missing_ok=True)
        return frame

    monkeypatch.setattr(job, "_scan", removing)
    answered = fencepost.spark.conform(gone.as_uri(), KRAFT, session).logs.collect()
    assert [(row.verdict, row.unreadable) for row in answered] == [("inconclusive", True)]
    assert "could not read it" in answered[0].undecided[0].message


def _records(paths: Sequence[Path], seed: int) -> tuple[Any, int]:
    """Return the records of logs as one table, in any order and every third twice, and the bytes of their values."""
    import pyarrow as pa
    import pyarrow.compute as pc

    table = pa.concat_tables([record_table(read_log(source)) for source in find_logs(paths)])
    table = pa.concat_tables([table, table.take(list(range(0, table.num_rows, 3)))])
    order = list(range(table.num_rows))
    random.Random(seed).shuffle(order)
    return table.take(order), pc.sum(pc.binary_length(table["value"])).as_py()


@pytest.mark.spark
@pytest.mark.slow
def test_records_in_any_order_are_judged_as_their_logs(session: Any, tmp_path: Path) -> None:
    """Records of several logs, shuffled and some of them twice, get the results of the single process, but for one note
    on what a table cannot show; beside a value at most 24 bytes a record are shuffled."""
    names = ("first-boot", "metadata-upgrade", "elr-index-fault-4.4.0")
    paths = [*(RECORDED / name for name in names), _violating(tmp_path / "violating")]
    alone = {one.path: one.as_json() for one in conform(paths, None, ask_others=True).logs}
    table, size = _records(paths, 17)
    (tmp_path / "landed").mkdir()
    for part in range(4):
        pyarrow.parquet.write_table(
            table.take(list(range(part, table.num_rows, 4))), tmp_path / "landed" / f"{part}.parquet"
        )
    before = _shuffled(session)
    found = fencepost.spark.conform(str(tmp_path / "landed"), session=session)
    results = results_of(rows_in(found.answers.toArrow()), LogResult)
    written = (_shuffled(session) - before) / 2
    assert sorted(one.path for one in results.values()) == sorted(alone)
    for one in results.values():
        expected = alone[one.path]
        expected["notes"] = [record_tables.SEEN, *expected["notes"]]
        assert json.dumps(one.as_json()) == json.dumps(expected), one.path
    assert {one["verdict"] for one in alone.values()} == {"conforms", "violates"}
    assert 0 < written - size <= 24 * table.num_rows
    found.release()
    # The command takes such a folder, too, and says where columns are missing.
    pyarrow.parquet.write_table(_records(paths[:1], 1)[0], tmp_path / "one.parquet")
    here = conform([str(tmp_path / "one.parquet")], None, spark=Cluster(session=session))
    assert [(one.path, one.verdict) for one in here.logs] == [(str(paths[0]), Verdict.CONFORMS)]
    with pytest.raises(Refusal, match="there is no column key; it needs log"):
        fencepost.spark.conform(session.read.parquet(str(tmp_path / "landed")).drop("key"), session=session)
    frame = session.read.parquet(str(tmp_path / "landed")).selectExpr("log", "offset", "key", "'x' as value")
    with pytest.raises(Refusal, match="the column value is string and should be binary"):
        fencepost.spark.conform(frame, session=session)


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.parametrize(("version", "tables"), [("0.0.0", ""), ("", "0123456789ab")])
def test_workers_with_another_package_say_so(
    session: Any, version: str, tables: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a worker's version or tables are not the driver's, no log is checked, and one sentence names both."""
    mine = versions.here()
    monkeypatch.setattr(job, "here", lambda: (version or mine[0], tables or mine[1]))
    with pytest.raises(Refusal) as raised:
        conform([RECORDED / "first-boot"], KRAFT, spark=True)
    assert raised.value.code is ExitCode.INCONCLUSIVE
    said = str(raised.value)
    assert (version or tables) in said
    assert mine[0 if version else 1] in said
    assert "\n" not in said


def test_a_worker_without_the_package_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """The function that is sent imports nothing of ours before it knows that it is there."""
    task = shipped(b"", versions.here(), ANSWERS)
    monkeypatch.setitem(sys.modules, "fencepost", None)
    (batch,) = task([])
    (row,) = batch.to_pylist()
    assert row["kind"] == "mismatch"
    assert "cannot import fencepost" in row["mismatch"]
    assert columns(ANSWERS).startswith("kind string, logs struct<number: bigint, ")


def test_one_slash_is_as_good_as_three() -> None:
    """A URI as Hadoop prints it is the URI that it means; a path stays a path."""
    assert [as_uri(one) for one in ("file:/a/b", "hdfs:///a", "/a/b", "a:b")] == [
        "file:///a/b",
        "hdfs:///a",
        "/a/b",
        "a:b",
    ]


def test_a_cluster_is_asked_for_with_spark_only() -> None:
    """The options of Spark are usage errors without it, and so is a run that is written nowhere."""
    from fencepost.checkers.cli.conform_spark import cluster_of

    assert cluster_of(False, None, None, None, None) is False
    with pytest.raises(Refusal, match="--master is of Spark; add --spark"):
        cluster_of(False, "local[1]", None, None, None)
    with pytest.raises(Refusal, match="--run names what --to writes"):
        cluster_of(True, None, None, None, "monday")
    for given, said in (((None, "monday"), "add --to DIR"), (("there", "monday"), "both name the run")):
        run = "friday" if given[0] else None
        with pytest.raises(Refusal, match=said):
            cluster_of(True, None, None, given[0], run, None, given[1])
    resumed = cluster_of(True, None, None, "there", None, None, "monday")
    assert resumed == replace(Cluster(), to="there", run="monday", resume=True)
    assert cluster_of(True, "local[1]", ["a=b"], None, None) == replace(Cluster(), master="local[1]", conf={"a": "b"})
