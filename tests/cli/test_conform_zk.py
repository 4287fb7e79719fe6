"""`fencepost conform` on recordings of ZooKeeper-era clusters: document, exit codes, page."""

import gzip
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import Said

Says = Callable[..., Said]
RECORDED = Path(__file__).parents[2] / "traces" / "recorded" / "zk"


def _altered(directory: Path) -> Path:
    target = directory / "first-boot"
    shutil.copytree(RECORDED / "first-boot", target)
    history = target / "znode-history.ndjson.gz"
    lines = gzip.decompress(history.read_bytes()).decode().splitlines()
    at = next(n for n, line in enumerate(lines) if line.find("/partitions/0/state") > 0 and '"leader": 1' in line)
    lines[at] = lines[at].replace('"leader": 1', '"leader": 4')
    history.write_bytes(gzip.compress("\n".join(lines).encode() + b"\n"))
    return target


@pytest.mark.nightly("tests/conformance/zk/test_recorded.py::test_recorded_clusters_conform")
def test_recordings_below_a_folder_conform(fencepost_says: Says) -> None:
    """A folder of recordings is checked recording by recording: exit code 0, and the contract's fields."""
    said = fencepost_says("conform", RECORDED, "--json")
    document = said.document
    assert said.code == 0
    assert [Path(log["path"]).name for log in document["logs"]] == [
        "first-boot",
        "kill-nine",
        "leaders-write",
        "log-dir-failure",
        "reassignment",
        "rolling-restart",
        "topic-deletion",
    ]
    for log in document["logs"]:
        assert log["verdict"] == "conforms"
        assert {
            "records",
            "rows",
            "ambiguous",
            "violations",
            "findings",
            "quarantined",
            "rows_never_exercised",
            "inferred",
        } <= set(log)


def test_a_violation_is_told_on_a_page(fencepost_says: Says, tmp_path: Path) -> None:
    """An altered history ends with exit code 6, and the page has the place and the rows in at most 100 columns."""
    said = fencepost_says("conform", _altered(tmp_path))
    out = said.out
    assert said.code == 6
    assert "violates" in out
    assert "znode-history.ndjson.gz" in out
    assert "rows never exercised" in out
    assert all(len(line) <= 100 for line in out.splitlines() if str(tmp_path) not in line)


def test_violations_have_rule_place_entity_and_message(fencepost_says: Says, tmp_path: Path) -> None:
    """The document names the rule, the zxid, the file, the entity and a sentence."""
    said = fencepost_says("conform", _altered(tmp_path), "--json")
    assert said.code == 6
    first = said.document["logs"][0]["violations"][0]
    assert first["segment"] == "znode-history.ndjson.gz"
    assert first["offset"] > 0
    assert first["entity"].startswith("partition ")
    assert first["message"].endswith(".")


def test_other_logs_among_recordings_are_refused(fencepost_says: Says) -> None:
    """Metadata logs and recordings of ZooKeeper-era clusters are checked by runs of their own."""
    said = fencepost_says("conform", RECORDED / "first-boot", RECORDED.parent / "first-boot")
    assert said.code == 2
    assert "metadata logs" in said.sentence


@pytest.mark.nightly("tests/conformance/test_spark.py::test_spark_gives_the_results_of_the_single_process")
@pytest.mark.spark
@pytest.mark.slow
def test_spark_finds_the_same(fencepost_says: Says, tmp_path: Path) -> None:
    """One recording a task: verdicts and violations are those of the single process."""
    altered = _altered(tmp_path)
    alone, together = (
        fencepost_says("conform", altered, RECORDED / "reassignment", "--json", *more).document
        for more in ((), ("--spark",))
    )
    assert [log["violations"] for log in together["logs"]] == [log["violations"] for log in alone["logs"]]
    assert [log["verdict"] for log in together["logs"]] == ["violates", "conforms"]
