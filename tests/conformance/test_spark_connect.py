"""Spark Connect: what docs/spark.md says that works there, in a process of its own, with a server that it starts."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from . import RECORDED

PROGRAM = """
import json, sys
import fencepost.spark
from pyarrow import parquet
from pyspark.sql import SparkSession
from fencepost.traces import read_log
from fencepost.traces.record_tables import record_table

logs, out = sys.argv[1:]
session = SparkSession.builder.remote("local[2]").getOrCreate()
parquet.write_table(record_table(read_log(logs), "records"), out + "/records.parquet")

def conform(paths, **more):
    found = fencepost.spark.conform(paths, session=session, **more).logs.collect()
    return [[row.verdict, row.records, row.undecided[0].message if row.undecided else ""] for row in found]

said = {
    "paths": conform([logs]),
    "table": conform(out + "/records.parquet"),
    "another case": conform(session.createDataFrame([(logs,)], "PATH string")),
    "files": conform(session.read.format("binaryFile").load("file://" + logs)),
    "written": conform([logs], to=out + "/out", run="first"),
    "resumed": conform([logs], to=out + "/out", resume="first"),
    "uri": conform(["file://" + logs]),
    "tables": session.read.parquet(out + "/out/logs").count(),
    "health": fencepost.spark.health([logs], session).count(),
    "story": fencepost.spark.story([logs], session).count() > 0,
    "intervals": fencepost.spark.intervals([logs], session).count() > 0,
}
try:
    conform([logs], to=out + "/out", run="first")
except fencepost.checkers.verdicts.Refusal as refusal:
    said["again"] = str(refusal)
print("said", json.dumps(said))
"""


@pytest.mark.nightly("tests/conformance/test_spark.py::test_spark_gives_the_results_of_the_single_process")
@pytest.mark.spark
def test_connect_does_what_the_page_says(tmp_path: Path) -> None:
    """Paths, tables, files, `to=` and `resume=` have the results of a session with Java; URIs say what to do."""
    pytest.importorskip("grpc", reason="needs pyspark[connect]")
    logs = shutil.copytree(RECORDED / "reassignment", tmp_path / "reassignment")
    found = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(logs), str(tmp_path)],
        env={**os.environ, "PYSPARK_PYTHON": sys.executable},
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )
    assert found.returncode == 0, found.stderr[-3000:]
    (line,) = [one for one in found.stdout.splitlines() if one.startswith("said ")]
    said = json.loads(line.removeprefix("said "))
    whole = [["conforms", 244, ""]]
    assert [said[name] for name in ("paths", "table", "another case", "files", "written", "resumed")] == [whole] * 6
    assert (said["tables"], said["health"], said["story"], said["intervals"]) == (1, 1, True, True)
    assert said["uri"][0][0] == "inconclusive"
    assert "binaryFile" in said["uri"][0][2]
    assert "run first is there already" in said["again"]
