"""The tables of Spark's answers on every recording in the checkout, against the documents of the single process."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow.dataset
import pytest

import fencepost.spark
from fencepost.checkers.conformance import ConformResult, conform
from fencepost.checkers.conformance.spark.cluster import Cluster
from fencepost.checkers.conformance.zk.judge import conform_recordings
from fencepost.model.registry import find

from . import RECORDED
from .test_every_recording import AMBIGUOUS, COPIED

ZOOKEEPER = "zk/"
"""What the names of recordings of ZooKeeper-era clusters begin with."""

SPLIT = 96 << 10
"""Logs of more bytes are checked by several tasks."""

SAME = (
    "protocol", "verdict", "releases", "records", "batches", "control_records", "ambiguous", "vacuous",
    "rows_never_seen", "first_offset", "skipped", "end_offset", "committed_end", "possibly_uncommitted",
    "snapshots_compared", "in_doubt", "notes", "spans", "undecided",
)  # fmt: skip
"""Columns of a log that say what its document says under the same name."""

MAPS = ("passed", "unjudged_fields", "topics", "conforms_if")
"""Columns of a log that are maps, and objects in its document."""

EVERY_RUN = (
    "first-boot", "kill-nine-elr", "snapshots", "static-settings-elr-4.4.0", "suspects-4.4.0", "zk/first-boot",
    "zk/reassignment",
)  # fmt: skip
"""Recordings that are compared in every run: of both eras, in one piece and in parts, with findings and violations."""


def recordings(which: str) -> list[str]:
    """Return the recordings in the checkout by name, those of every run or the others."""
    return [one for one in AMBIGUOUS if one in COPIED and (one in EVERY_RUN) == (which == "some")]


def log_of(name: str) -> Path:
    """Return the path of a recording: of several controllers' logs the first."""
    folder = RECORDED / name
    return folder / "00000000000000000000.log" if (folder / "others").exists() else folder


def written(place: Path) -> dict[str, dict[str, list[dict[str, Any]]]]:
    """Return the rows that Parquet has, by their table and the log that they are of."""
    found: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for name in ("logs", "violations", "findings", "rows"):
        rows = pyarrow.dataset.dataset(place / name, partitioning="hive").to_table().to_pylist()
        found[name] = {}
        for row in sorted(rows, key=lambda row: (row["number"], row.get("ordinal", 0))):
            found[name].setdefault(row["path"], []).append(row)
    return found


def part(row: Mapping[str, Any], like: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a row says under the names that an object of a document has."""
    return {name: row[name] for name in like}


@pytest.mark.nightly("tests/conformance/test_spark.py::test_the_tables_say_what_the_results_say")
@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.parametrize("which", ["some", "others"])
def test_the_tables_of_recordings_say_what_one_process_says(session: Any, which: str, tmp_path: Path) -> None:
    """Every column of Parquet that a document has says what the document says of every recording, however it was cut:
    of its verdict, violations, findings, rows and properties."""
    kraft = [log_of(one) for one in recordings(which) if not one.startswith(ZOOKEEPER)]
    zk = [str(log_of(one)) for one in recordings(which) if one.startswith(ZOOKEEPER)]
    alone: list[ConformResult] = [conform(kraft, None, ask_others=True), conform_recordings(zk, find("zk").whole)]
    fencepost.spark.conform(kraft, None, session, to=str(tmp_path), run="kraft", split_bytes=SPLIT)
    conform_recordings(zk, find("zk").whole, spark=Cluster(session, to=str(tmp_path), run="zk"))
    found = written(tmp_path)
    documents = [log for one in alone for log in one.as_json()["logs"]]
    assert found["logs"].keys() == {one["path"] for one in documents}
    cut, seen = 0, set[str]()
    for document in documents:
        path = document["path"]
        (log,) = found["logs"][path]
        cut += (log["parts"] or 1) > 1
        assert part(log, dict.fromkeys(SAME)) == {name: document[name] for name in SAME}
        assert {name: dict(log[name]) for name in MAPS} == {name: document[name] for name in MAPS}
        properties = {one.pop("property"): one for one in log["properties"]}
        assert properties == document["properties"]
        shared = {tuple(one["rows"]): one["count"] for one in log["ambiguous_classes"]}
        assert shared == {tuple(one["rows"]): one["count"] for one in document["ambiguous_classes"]}
        assert (log["violations"], log["findings"]) == (len(document["violations"]), len(document["findings"]))
        for name in ("violations", "findings"):
            rows = found[name].get(path, [])
            assert [part(row, like) for row, like in zip(rows, document[name], strict=True)] == document[name]
        rows = found["rows"].get(path, [])
        assert {row["row"]: row["count"] for row in rows if row["count"]} == document["rows"]
        several = {row: sum(n for rows, n in shared.items() if row in rows) for rows in shared for row in rows}
        assert {row["row"]: row["ambiguous"] for row in rows if row["ambiguous"]} == several
        seen |= {name for name in ("violations", "findings") if document[name]}
    if which == "some":
        assert cut
        assert seen == {"violations", "findings"}
