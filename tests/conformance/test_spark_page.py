"""`docs/spark.md` followed: the commands of its section on one machine, run in the order of the page."""

import os
import re
import shutil
import signal
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pyarrow
import pyarrow.dataset
import pytest

import fencepost
import fencepost.spark
from fencepost.checkers.conformance import conform
from fencepost.checkers.conformance.spark.cluster import JAVA
from tests.kafka.servers import free_port

from . import RECORDED

PACKAGE = Path(__file__).resolve().parents[2]
SECTION = "### Step by step on one machine"
INSTALL = "environment/bin/pip install numpy llvmlite pyarrow google-crc32c"
LOGS = ("first-boot", "delete-recreate", "metadata-upgrade")


def commands() -> list[str]:
    """Return the code blocks of the section."""
    page = (PACKAGE / "docs" / "spark.md").read_text(encoding="utf-8")
    section = page.split(f"{SECTION}\n", 1)[1]
    return re.findall(r"^```\n(.*?)^```$", re.split(r"^##+ ", section, maxsplit=1, flags=re.M)[0], re.M | re.S)


@pytest.mark.slow
def test_the_zip_has_the_package_and_nothing_is_written_over(tmp_path: Path) -> None:
    """What is sent can be imported from the zip alone, with the schemas of the records, and no file is replaced."""
    archive = tmp_path / "package.zip"
    fencepost.spark.package(archive)
    program = (
        "import fencepost, sys; from fencepost.traces.schema import __file__ as at; "
        "from fencepost.checkers.conformance.spark import tasks, record_tasks, part_tasks; "
        "print(fencepost.__version__, at)"
    )
    found = subprocess.run(
        # Without the site's .pth files, by which the package may be installed.
        [sys.executable, "-S", "-c", program],
        env={"PYTHONPATH": os.pathsep.join([str(archive), str(Path(pyarrow.__file__).parents[1])])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.stdout.split() == [fencepost.__version__, f"{archive}/fencepost/traces/schema.py"], found.stderr
    names = zipfile.ZipFile(archive).namelist()
    assert "fencepost/traces/schemas/record-schemas.json" in names
    assert not [one for one in names if "/recorded/" in one or one.startswith("fencepost/tests")]
    with pytest.raises(FileExistsError):
        fencepost.spark.package(archive)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder with the commands `python` and `fencepost` in its folder `bin`, whose processes end with the test."""
    (tmp_path / "bin").mkdir()
    for name, more in (("python", ""), ("fencepost", " -m fencepost.checkers.cli.main")):
        command = tmp_path / "bin" / name
        command.write_text(f'#!/bin/sh\nexec {sys.executable}{more} "$@"\n', encoding="utf-8")
        command.chmod(0o755)
    yield tmp_path
    for file in tmp_path.glob("*.pid"):
        try:
            os.killpg(int(file.read_text()), signal.SIGKILL)
        except ProcessLookupError:
            continue


@pytest.mark.nightly("test_the_zip_has_the_package_and_nothing_is_written_over")
@pytest.mark.spark
def test_the_page_is_followed(folder: Path) -> None:
    """Word by word, on a master and a worker that its commands start: the logs conform under executors that have the
    package, and under such that are sent an environment and a zip; the tables are the single process's; the run that
    is named is then known."""
    blocks = commands()
    assert len(blocks) == 5
    assert INSTALL in blocks[2]
    work = folder / "empty"
    work.mkdir()
    logs = [str(shutil.copytree(RECORDED / name, folder / name)) for name in LOGS]
    # What lies in that folder is found; its .pth files, by one of which the package may be installed, are not read.
    packages = "$(ls -d environment/lib/python*/site-packages)"
    seen = f"echo {Path(pyarrow.__file__).parents[1]} > {packages}/needed.pth"
    script = ["set -e", f"echo $$ > {folder}/shell.pid", *blocks, "echo followed"]
    text = "\n".join(script).replace(INSTALL, seen).replace("LOG...", " ".join(logs)).replace("7077", str(free_port()))
    kept = {
        name: one for name, one in os.environ.items() if "SPARK" not in name and name not in ("MASTER", "PYTHONPATH")
    }
    running = subprocess.Popen(
        ["bash", "-c", text],
        cwd=work,
        env=kept
        | {
            "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "SPARK_LOCAL_IP": "127.0.0.1",
            # Master, worker, executors and drivers do little: compiling that at its best takes most of their time.
            "JAVA_TOOL_OPTIONS": f"{JAVA} -XX:+UseSerialGC",
        },
        stdout=(folder / "out.txt").open("wb"),
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    code = running.wait()
    out = (folder / "out.txt").read_text(errors="replace")
    assert code == 0, out[-4000:]
    assert out.rstrip().endswith("followed")
    assert out.count("3 logs: 3 conforms") == 3, out[-4000:]
    rows = pyarrow.dataset.dataset(work / "verdicts" / "logs", partitioning="hive").to_table().to_pylist()
    alone = conform(logs, None, ask_others=True).logs
    assert {row["path"]: (row["verdict"], row["records"]) for row in rows} == {
        one.path: (one.verdict.value, one.records) for one in alone
    }
    assert {row["run"] for row in rows} == {"first"}
    assert {row["attempt"] for row in rows} == {1}
