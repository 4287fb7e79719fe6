"""Executors in processes of their own, under an interpreter that does not have the package."""

import json
import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest
from pyarrow import parquet

import fencepost

from . import RECORDED

PACKAGE = Path(fencepost.__file__).resolve().parent
PARTS = ("*.py", "checkers", "model", "traces/*.py", "traces/zk", "traces/brokers", "traces/schemas")

pytestmark = [pytest.mark.spark, pytest.mark.slow]


def _command(tmp_path: Path, *more: str) -> subprocess.CompletedProcess[str]:
    """Run `conform --spark` with two executors whose Python has all that we need, and not the package."""
    import pyarrow
    import pyspark

    environment, home = tmp_path / "environment", tmp_path / "spark"
    venv.create(environment, symlinks=True)
    (packages,) = environment.glob("lib/python*/site-packages")
    # What lies in that folder is found; its .pth files, by one of which the package may be installed, are not read.
    (packages / "needed.pth").write_text(str(Path(pyarrow.__file__).parents[1]), encoding="utf-8")
    # Executors keep their files below Spark's home.
    home.mkdir()
    for part in Path(pyspark.__file__).parent.iterdir():
        (home / part.name).symlink_to(part)
    settings = {"PYSPARK_PYTHON": str(environment / "bin" / "python"), "SPARK_HOME": str(home)}
    inherited = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "SPARK_CONF_DIR")}
    program = (
        f"import sys; sys.path.insert(0, {str(PACKAGE.parent)!r}); from fencepost.checkers.cli.main import main; "
        "sys.exit(main(sys.argv[1:]))"
    )
    logs = [str(RECORDED / name) for name in ("first-boot", "rolling-restart")]
    # A job that begins when both executors are there has a task for each of them.
    both = ["--conf", "spark.scheduler.minRegisteredResourcesRatio=1", "--conf", "spark.locality.wait=0s"]
    both += ["--conf", "spark.scheduler.maxRegisteredResourcesWaitingTime=300s"]
    arguments = ["conform", *logs, "--spark", "--master", "local-cluster[2,1,1024]", *both, *more]
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        env=inherited | settings,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )


@pytest.mark.nightly("tests/conformance/test_spark.py::test_a_worker_without_the_package_says_so")
def test_executors_without_the_package_are_one_sentence(tmp_path: Path) -> None:
    """Where executors cannot import the package the command says so, ends with 3, and shows no traceback."""
    found = _command(tmp_path)
    assert (found.returncode, found.stdout) == (3, "")
    assert "cannot import fencepost as the driver does" in found.stderr
    assert "docs/spark.md" in found.stderr
    assert "Traceback" not in found.stderr


@pytest.mark.nightly("tests/conformance/test_spark_page.py::test_the_zip_has_the_package_and_nothing_is_written_over")
def test_executors_that_are_sent_the_package_judge(tmp_path: Path) -> None:
    """With the package as a zip of Spark's Python files the logs conform, and Parquet has the answers of two executors,
    each a process of its own."""
    archive = tmp_path / "package.zip"
    with zipfile.ZipFile(archive, "w") as file:
        for path in [one for part in PARTS for one in PACKAGE.glob(part)]:
            for one in path.rglob("*") if path.is_dir() else [path]:
                if one.suffix in (".py", ".json"):
                    file.write(one, Path("fencepost") / one.relative_to(PACKAGE))
    sent = ["--conf", f"spark.submit.pyFiles={archive}", "--to", str(tmp_path / "out"), "--run", "sent", "--json"]
    found = _command(tmp_path, *sent)
    assert found.returncode == 0, found.stderr[-2000:]
    document = json.loads(found.stdout)
    assert [log["verdict"] for log in document["logs"]] == ["conforms", "conforms"]
    assert document["written"] == {"to": str(tmp_path / "out"), "run": "sent"}
    assert (tmp_path / "out" / "logs" / "run=sent" / "_SUCCESS").exists()
    written = parquet.read_table(tmp_path / "out" / "logs")
    assert len(set(written["worker"].to_pylist())) == 2
