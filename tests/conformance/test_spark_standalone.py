"""A standalone master and worker that the tests start: results, a killed executor, and which master is taken."""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.dataset
import pyspark
import pytest

import fencepost
from fencepost.checkers.conformance import conform
from fencepost.checkers.conformance.results.results import ConformResult
from fencepost.checkers.conformance.spark.cluster import JAVA

from . import RECORDED

PACKAGE = Path(fencepost.__file__).resolve().parent
HOME = Path(pyspark.__file__).parent
SEGMENT = "00000000000000000000.log"
QUICK_JAVA = {"JAVA_TOOL_OPTIONS": f"{JAVA} -XX:+UseSerialGC"}
"""How Java is started where it does little: compiling that little at its best takes most of its CPU time."""
OF_SPARK = ("MASTER", "SPARK_MASTER", "SPARK_HOME", "SPARK_CONF_DIR", "PYSPARK_PYTHON", "PYSPARK_DRIVER_PYTHON",
            "SPARK_SUBMIT_OPTS")  # fmt: skip

pytestmark = [pytest.mark.spark, pytest.mark.slow]


def _environment(**more: str) -> dict[str, str]:
    """The variables of a machine on which the package is installed for the Python that runs here."""
    kept = {name: value for name, value in os.environ.items() if name not in OF_SPARK}
    return kept | {"PYTHONPATH": str(PACKAGE.parent)} | more


class Standalone:
    """A master and one worker, in processes of their own, as `spark-class` starts them."""

    def __init__(self, folder: Path) -> None:
        self.folder, self._processes = folder, list[subprocess.Popen[bytes]]()
        (folder / "home").mkdir()
        for part in HOME.iterdir():
            (folder / "home" / part.name).symlink_to(part)
        self.url = self._started("master.Master", r"Starting Spark master at (spark://\S+)", "--port", "0")
        work = ("--cores", "2", "--memory", "2g", "--work-dir", str(folder / "work"), self.url)
        self._started("worker.Worker", r"Successfully registered with (master \S+)", *work)

    def _started(self, name: str, line: str, *arguments: str) -> str:
        log = self.folder / f"{name}.txt"
        with log.open("wb") as out:
            command = [str(HOME / "bin" / "spark-class"), f"org.apache.spark.deploy.{name}", "--host", "127.0.0.1"]
            # Executors get the variables of their worker.
            settings = _environment(SPARK_HOME=str(self.folder / "home"), SPARK_LOCAL_IP="127.0.0.1", **QUICK_JAVA)
            self._processes.append(
                subprocess.Popen([*command, "--webui-port", "0", *arguments], env=settings, stdout=out, stderr=out)
            )
        for _ in range(600):
            found = re.search(line, log.read_text(errors="replace"))
            if found:
                return found[1]
            time.sleep(0.1)
        raise AssertionError(f"{name} did not start: {log.read_text(errors='replace')[-2000:]}")

    def executors(self) -> list[int]:
        """The process ids of the worker's executors."""
        return [one for one in _children(self._processes[1].pid) if b"CoarseGrainedExecutorBackend" in _line(one)]

    def end(self) -> None:
        """End the worker, then the master."""
        for process in reversed(self._processes):
            process.terminate()
        for process in self._processes:
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()


def _line(process: int) -> bytes:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""


def _children(parent: int) -> list[int]:
    """The processes that a process started, without those of threads that end meanwhile."""
    found = []
    with contextlib.suppress(OSError):
        for task in list(Path(f"/proc/{parent}/task").iterdir()):
            with contextlib.suppress(OSError):
                found += [int(one) for one in (task / "children").read_text().split()]
    return found


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Standalone]:
    """One cluster for all tests."""
    found = Standalone(tmp_path_factory.mktemp("standalone"))
    yield found
    found.end()


@pytest.fixture(scope="module")
def several(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Logs that conform and one that is damaged, enough of them for several tasks."""
    folder = tmp_path_factory.mktemp("logs")
    names = ("metadata-upgrade", "rolling-restart", "delete-recreate", "first-boot")
    copied = [shutil.copytree(RECORDED / name, folder / name) for name in names]
    damaged = shutil.copytree(RECORDED / "first-boot", folder / "damaged")
    data = bytearray((damaged / SEGMENT).read_bytes())
    data[len(data) // 2] ^= 0xFF
    (damaged / SEGMENT).write_bytes(data)
    return [str(one) for one in (*copied, damaged)]


@pytest.fixture(scope="module")
def alone(several: list[str]) -> ConformResult:
    """What the single process says of the logs."""
    return conform(several, None, ask_others=True)


def _begun(cluster: Standalone, *arguments: str) -> subprocess.Popen[str]:
    """Begin `conform --spark` on the cluster as the page says: with the Python under which the package is installed."""
    command = [sys.executable, "-m", "fencepost.checkers.cli.main", "conform", "--spark", "--master", cluster.url]
    return subprocess.Popen(
        [*command, "--json", *arguments],
        env=_environment(PYSPARK_PYTHON=sys.executable, SPARK_LOCAL_IP="127.0.0.1"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _same(document: dict[str, Any], alone: ConformResult) -> None:
    """Hold what the command says of each log against the single process."""
    kept = ("path", "verdict", "records", "batches", "rows", "ambiguous", "violations", "undecided", "findings")
    assert [{name: log[name] for name in kept} for log in document["logs"]] == [
        {name: log[name] for name in kept} for log in json.loads(json.dumps(alone.as_json()))["logs"]
    ]


@pytest.mark.nightly("tests/conformance/test_spark.py::test_spark_gives_the_results_of_the_single_process")
def test_a_standalone_cluster_says_what_the_single_process_says(
    cluster: Standalone, several: list[str], alone: ConformResult, tmp_path: Path
) -> None:
    """On a master and a worker of their own the tables, written as Parquet, are those of the single process, and the
    executor is another process than the driver."""
    running = _begun(cluster, "--to", tmp_path.as_uri(), "--run", "standalone", *several)
    out, wrong = running.communicate(timeout=600)
    assert running.returncode == int(alone.exit_code), wrong[-2000:]
    _same(json.loads(out), alone)
    logs = pyarrow.dataset.dataset(tmp_path / "logs", partitioning="hive").to_table().to_pylist()
    assert {row["path"]: row["verdict"] for row in logs} == {one.path: one.verdict.value for one in alone.logs}
    assert running.pid not in {row["worker"] for row in logs}
    rows = pyarrow.dataset.dataset(tmp_path / "rows", partitioning="hive").to_table().to_pylist()
    assert {(row["path"], row["row"]): row["count"] for row in rows if row["count"]} == {
        (one.path, row): count for one in alone.logs for row, count in one.rows.items()
    }


@pytest.mark.nightly("tests/conformance/test_spark.py::test_spark_gives_the_results_of_the_single_process")
def test_an_executor_that_is_killed_changes_nothing(
    cluster: Standalone, several: list[str], alone: ConformResult, tmp_path: Path
) -> None:
    """Where an executor is killed while its Python processes check, its tasks run again in another, and all is said
    once."""
    running = _begun(cluster, "--to", tmp_path.as_uri(), "--run", "killed", *several)
    killed = None
    for _ in range(3000):
        # The first child of an executor is the daemon of its Python workers: a task has begun.
        killed = next((one for one in cluster.executors() if _children(one)), None)
        if killed is not None or running.poll() is not None:
            break
        time.sleep(0.05)
    assert killed is not None
    time.sleep(1)
    assert running.poll() is None
    os.kill(killed, signal.SIGKILL)
    out, wrong = running.communicate(timeout=600)
    assert running.returncode == int(alone.exit_code), wrong[-2000:]
    _same(json.loads(out), alone)
    ended = [one for one in (cluster.folder / "worker.Worker.txt").read_text().splitlines() if "exitStatus 137" in one]
    assert ended
    written = pyarrow.dataset.dataset(tmp_path / "logs", partitioning="hive").to_table().column("path").to_pylist()
    assert sorted(written) == sorted(several)


WHICH = """
import sys
from fencepost.checkers.conformance.spark.cluster import Cluster, session_of
for given in sys.argv[1:]:
    kind, _, master = given.partition(":")
    session, _ = session_of(
        Cluster(master=master if kind == "master" else None, conf={"spark.master": master} if kind == "conf" else {})
    )
    print("MASTER", kind, session.sparkContext.master, flush=True)
    java = session._jvm.java.lang.management.ManagementFactory.getRuntimeMXBean().getInputArguments()
    print("JAVA", *(one for one in java if "Tiered" in one), flush=True)
    session.stop()
"""


SUBMIT = (str(HOME / "bin" / "spark-submit"), "--master", "local[4]")
PYTHON = (sys.executable,)
BOTH = {"MASTER": "local[5]", "SPARK_MASTER": "local[6]"}
OTHERWISE = "-XX:+TieredCompilation"
MASTERS: dict[str, tuple[tuple[str, ...], bool, dict[str, str], tuple[str, ...], tuple[str, ...]]] = {
    "spark-submit": (
        SUBMIT, True, BOTH | {"SPARK_SUBMIT_OPTS": JAVA}, ("none:", "conf:local[2]", "master:local[1]"),
        ("local[4]", "local[2]", "local[1]"),
    ),
    "spark-defaults.conf": (PYTHON, True, BOTH, ("none:",), ("local[3]",)),
    "MASTER": (PYTHON, False, BOTH, ("none:",), ("local[5]",)),
    "SPARK_MASTER": (
        PYTHON, False, {"SPARK_MASTER": "local[6]", "SPARK_SUBMIT_OPTS": OTHERWISE}, ("none:",), ("local[6]",),
    ),
    "nothing": (PYTHON, False, {}, ("none:",), ("local[*]",)),
}  # fmt: skip
"""By what says the master: the command, whether there is a spark-defaults.conf, variables, and what is given to each
session of one process, with its master."""


@pytest.mark.nightly("tests/conformance/test_spark.py::test_a_session_stays_the_users")
@pytest.mark.parametrize("says", MASTERS)
def test_the_masters_go_before_one_another(says: str, tmp_path: Path) -> None:
    """--master goes before --conf, that before spark-submit's, that before spark-defaults.conf, that before MASTER,
    that before SPARK_MASTER, and where all are silent it is this machine. Java compiles quickly unless
    SPARK_SUBMIT_OPTS says how it is started."""
    command, defaults, more, given, masters = MASTERS[says]
    script = tmp_path / "which.py"
    script.write_text(WHICH)
    (tmp_path / "conf").mkdir()
    if defaults:
        (tmp_path / "conf" / "spark-defaults.conf").write_text("spark.master local[3]\n")
    settings = _environment(SPARK_CONF_DIR=str(tmp_path / "conf"), PYSPARK_PYTHON=sys.executable, **more)
    found = subprocess.run(
        [*command, str(script), *given], env=settings, capture_output=True, text=True, check=False, timeout=300
    )
    assert found.returncode == 0, found.stderr[-2000:]
    said = [line.split() for line in found.stdout.splitlines()]
    assert [line[2] for line in said if line[0] == "MASTER"] == [*masters]
    assert {" ".join(line[1:]) for line in said if line[0] == "JAVA"} == {more.get("SPARK_SUBMIT_OPTS", JAVA)}
