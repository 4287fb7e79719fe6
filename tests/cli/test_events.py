"""`fencepost conform --events`: verdict, exit code and JSON of a log with the trace of its controller."""

import gzip
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fencepost.traces import find_logs, read_log

RECORDED = Path(__file__).resolve().parents[2] / "traces" / "recorded" / "fake-chaos-elr"
LINES, END = 60, 58


@pytest.fixture
def short(tmp_path: Path) -> Path:
    """A folder with the beginning of the recording: its log up to an offset, its first events, its description."""
    (source,) = find_logs([str(RECORDED)])
    batch = next(batch for batch in read_log(source).batches if batch.base_offset >= END)
    segment = RECORDED / batch.segment
    (tmp_path / segment.name).write_bytes(segment.read_bytes()[: batch.position])
    shutil.copy(RECORDED / "meta.json", tmp_path / "meta.json")
    with gzip.open(RECORDED / "events.ndjson.gz", "rt", encoding="utf-8") as lines:
        kept = [line for line, _ in zip(lines, range(LINES), strict=False)]
    (tmp_path / "events.ndjson").write_text("".join(kept), encoding="utf-8")
    return tmp_path


def altered(short: Path, line: int, **columns: Any) -> Path:
    """Change columns of one line of the trace, and return the trace."""
    file = short / "events.ndjson"
    lines = file.read_text(encoding="utf-8").splitlines()
    lines[line - 1] = json.dumps(json.loads(lines[line - 1]) | columns)
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


def test_a_trace_that_conforms(fencepost_says: Callable[..., Any], short: Path) -> None:
    """A log and its trace that conform end with 0; the document counts events by request, and rows."""
    said = fencepost_says("conform", short, "--events", short / "events.ndjson", "--json")
    assert (said.code, said.document["verdict"], said.document["exit_code"]) == (0, "conforms", 0)
    found = said.document["events"]
    assert (found["events"], found["differences"], found["not_judged"]) == (LINES, [], {})
    assert sum(found["judged"].values()) == LINES
    assert found["rows"]["HB8"] > 10


def test_a_difference_ends_with_6(fencepost_says: Callable[..., Any], short: Path) -> None:
    """A wrong answer ends with 6, and the page names the line, the answer, and the rows that say otherwise."""
    file = altered(short, 32, answers=["INELIGIBLE_REPLICA"])
    said = fencepost_says("conform", short, "--events", file)
    assert said.code == 6
    told = " ".join(said.out.split())
    assert "line 32, log at offset 41: The AlterPartition was answered answers [INELIGIBLE_REPLICA]" in told
    assert "the tables (A14) say answers [NONE]" in told


def test_what_was_not_judged_ends_with_3(fencepost_says: Callable[..., Any], short: Path) -> None:
    """A request that no row can be asked about leaves the verdict open, whatever the log says."""
    said = fencepost_says("conform", short, "--events", altered(short, LINES, req="Vote"), "--json")
    assert (said.code, said.document["verdict"]) == (3, "undecided")
    assert list(said.document["events"]["not_judged"]) == ["Vote"]


def test_a_trace_needs_one_log(fencepost_says: Callable[..., Any], short: Path) -> None:
    """Several logs, no file, and a wrong line are refused in one sentence that says what to do."""
    file = short / "events.ndjson"
    several = fencepost_says("conform", short, RECORDED.parent / "first-boot", "--events", file)
    assert several.code == 2
    assert "the paths hold 2 logs; name the log of the controller of the trace" in several.sentence
    missing = fencepost_says("conform", short, "--events", short / "none")
    assert missing.code == 2
    assert "there is no such file" in missing.sentence
    wrong = fencepost_says("conform", short, "--events", altered(short, 3, log_end="x"))
    assert wrong.code == 2
    assert "events.ndjson:3: BrokerHeartbeat: the column `log_end` must be a whole number" in wrong.sentence


@pytest.fixture
def two(short: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a log and its trace, the same log with a wrong answer in the trace, and one without a trace."""
    folder = tmp_path_factory.mktemp("several")
    shutil.copytree(short, folder / "a")
    altered(short, 32, answers=["INELIGIBLE_REPLICA"])
    shutil.copytree(short, folder / "b")
    shutil.copytree(RECORDED.parent / "first-boot", folder / "c")
    return folder


def test_traces_beside_several_logs(fencepost_says: Callable[..., Any], two: Path) -> None:
    """A name is looked for beside each log: of those that have such a trace each is checked, and the worst counts."""
    said = fencepost_says("conform", two, "--events", "events.ndjson", "--json")
    found = {Path(one["log"]).name: one for one in said.document["event_traces"]}
    assert {name: one["verdict"] for name, one in found.items()} == {"a": "conforms", "b": "violates"}
    assert (said.code, said.document["verdict"]) == (6, "violates")
    assert [one["line"] for one in found["b"]["differences"]] == [32]
    none = fencepost_says("conform", two, "--events", "other.ndjson")
    assert (none.code, "neither here nor beside a log" in none.sentence) == (2, True)


@pytest.mark.nightly("tests/conformance/test_spark.py::test_spark_gives_the_results_of_the_single_process")
@pytest.mark.spark
@pytest.mark.slow
def test_traces_are_judged_on_spark(fencepost_says: Callable[..., Any], two: Path) -> None:
    """Tasks say of each trace what the single process says; one that is no trace is an inconclusive one of several."""
    (two / "c" / "events.ndjson").write_text("no trace", encoding="utf-8")
    alone = fencepost_says("conform", two, "--events", "events.ndjson", "--json")
    there = fencepost_says("conform", two, "--events", "events.ndjson", "--spark", "--master", "local[2]", "--json")
    assert there.document["event_traces"] == alone.document["event_traces"]
    assert [one["verdict"] for one in there.document["event_traces"]] == ["conforms", "violates", "inconclusive"]
    assert there.code == alone.code == 6


@pytest.mark.nightly("tests/conformance/test_spark.py::test_the_tables_say_what_the_results_say")
@pytest.mark.spark
@pytest.mark.slow
def test_traces_are_a_table(two: Path) -> None:
    """`fencepost.spark.conform_events` has a row a trace, with every difference and the document."""
    import fencepost.spark

    pairs = [(two / name, two / name / "events.ndjson") for name in ("a", "b", "c")]
    table = fencepost.spark.conform_events(pairs)
    session = table.sparkSession
    rows = table.orderBy("number").collect()
    session.stop()
    assert [(Path(row.log).name, row.verdict) for row in rows] == [
        ("a", "conforms"),
        ("b", "violates"),
        ("c", "inconclusive"),
    ]
    assert [one.line for one in rows[1].differences] == [32]
    assert sum(rows[0].judged.values()) == rows[0].events == json.loads(rows[0].document)["events"]
    assert "events.ndjson" in rows[2].cannot
