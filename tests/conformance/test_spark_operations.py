"""Health, story and intervals of many logs on Spark: the same as of each log in this process, a row a log or event."""

import json
from pathlib import Path
from typing import Any

import pytest

import fencepost.spark
from fencepost.checkers.operations.about import about_of
from fencepost.checkers.operations.health import health
from fencepost.checkers.operations.intervals import intervals
from fencepost.checkers.operations.moments import when
from fencepost.checkers.operations.spark_tables import SCHEMAS, Asked, answered
from fencepost.checkers.operations.story import story
from fencepost.checkers.verdicts import Refusal
from fencepost.traces import find_log, find_logs

from . import RECORDED

LOGS = [RECORDED / name for name in ("first-boot", "reassignment", "rolling-restart")]
EVERYTHING = about_of(None, None, None)


def _sources() -> dict[str, Any]:
    return {source.path: source for source in find_logs([str(path) for path in LOGS], keep=True)}


@pytest.fixture(scope="module")
def session() -> Any:
    """A session of this machine, which is stopped behind the tests of this file."""
    pytest.importorskip("pyspark")
    from fencepost.checkers.conformance.spark.cluster import Cluster, session_of

    found, ours = session_of(Cluster(master="local[2]"))
    yield found
    if ours:
        found.stop()


@pytest.mark.nightly("test_rows_fit_the_schemas")
@pytest.mark.slow
@pytest.mark.spark
def test_a_row_of_health_is_what_the_single_log_says(session: Any, tmp_path: Path) -> None:
    """Each log's document is that of `health`, and the columns are its fields; a log that cannot be read says why."""
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "00000000000000000000.log").write_bytes(b"no log at all")
    found = fencepost.spark.health([*LOGS, broken], session)
    rows = {row["path"]: row.asDict(recursive=True) for row in found.collect()}
    assert list(found.columns) == [name for name in SCHEMAS["health"].names if name not in _SENT]
    assert len(rows) == len(LOGS) + 1
    for path, source in _sources().items():
        document = health(source, when("end", source)).document
        row = rows[path]
        assert json.loads(row["document"]) == json.loads(json.dumps(document))
        assert (row["status"], row["offset"]) == (document["status"], document["at"]["offset"])
        assert row["under_replicated"] == [one["partition"] for one in document["partitions"]["under_replicated"]]
        assert row["fenced"] == [one["broker"] for one in document["brokers"]["fenced"]]
        assert row["message"] is None
    [bad] = [row for path, row in rows.items() if "broken" in path]
    assert (bad["status"], bool(bad["message"])) == (None, True)


@pytest.mark.nightly("test_rows_fit_the_schemas")
@pytest.mark.slow
@pytest.mark.spark
def test_events_and_intervals_are_those_of_the_single_logs(session: Any) -> None:
    """A row an event and a row an interval, in the order of each log, with the filters of the command."""
    about = about_of(None, 1, None)
    told = fencepost.spark.story(LOGS, session, broker=1).collect()
    held = fencepost.spark.intervals(LOGS, session).collect()
    for path, source in _sources().items():
        begin, end = when("0", source), when("end", source)
        events = story(source, begin, end, about)["events"]
        mine = [row for row in told if row["path"] == path]
        assert [json.loads(row["document"]) for row in mine] == json.loads(json.dumps(events))
        assert [row["words"] for row in mine] == [event["words"] for event in events]
        found = intervals(source, begin, end, EVERYTHING)["intervals"]
        spans = [(row["name"], row["condition"], row["from_offset"]) for row in held if row["path"] == path]
        assert spans == [(one["name"], one["condition"], one["from"]["offset"]) for one in found]
    assert told
    assert held
    with pytest.raises(Refusal, match="give a topic's name"):
        fencepost.spark.story(LOGS, session, partition="orders")


_SENT = ("kind", "mismatch")


def test_rows_fit_the_schemas() -> None:
    """What a log answers has the columns of the documented schema and no other; a moment that is none is a sentence."""
    import pyarrow as pa

    source = find_log(str(LOGS[0]))
    for kind, schema in SCHEMAS.items():
        rows = answered(7, "a log", source, Asked(kind, "0", "end", EVERYTHING, None, 3600.0, 0))
        assert rows
        for row in rows:
            assert set(row) <= set(schema.names) - set(_SENT)
            assert (row["number"], row["path"]) == (7, "a log")
        assert pa.RecordBatch.from_pylist(rows, schema=schema).num_rows == len(rows)
        [none] = answered(7, "a log", source, Asked(kind, "0", "soon", EVERYTHING, None, 3600.0, 0))
        assert none.keys() == {"number", "path", "message"}
        assert "soon" in none["message"]
