"""Tools of the benchmarks on Spark: CPU seconds of a process tree, sessions, and logs that are made."""

from __future__ import annotations

import heapq
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from fencepost.checkers.cli.simulate_scale import Recipe, Task, write_task
from fencepost.checkers.conformance.spark.cluster import Cluster, opened
from fencepost.traces.scale.logs import LogPlan

ORACLE = Path(__file__).resolve().parents[2] / "tests" / "oracles" / "measure.py"
"""The script that runs other checkers.

It is run, and not imported: it is no part of the package, and checks by itself.
"""

PARTITIONS = 100
"""The partitions that stand throughout in a log."""


class Took(NamedTuple):
    """CPU seconds of the process tree, and seconds by the clock."""

    cpu_s: float
    wall_s: float


class Ran(NamedTuple):
    """A command that ended: its code, CPU seconds, seconds by the clock, the most bytes of a process, its output."""

    code: int
    cpu_s: float
    wall_s: float
    peak_bytes: int
    text: str
    errors: str


def ran(command: Sequence[str], folder: Path | None = None, environment: Mapping[str, str] | None = None) -> Ran:
    """Run a command to its end, and measure it and the processes that it waited for."""
    with tempfile.TemporaryFile("w+") as text, tempfile.TemporaryFile("w+") as errors:
        began = time.perf_counter()
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=text, stderr=errors)
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        text.seek(0)
        errors.seek(0)
        cpu, peak = used.ru_utime + used.ru_stime, used.ru_maxrss * 1024
        return Ran(process.returncode, cpu, wall, peak, text.read(), errors.read())


def tree_seconds(root: int) -> float:
    """Return the CPU seconds of a process and its descendants, those included that ended and were waited for."""
    parents, seconds = dict[int, int](), dict[int, float]()
    for place in Path("/proc").iterdir():
        if place.name.isdigit():
            try:
                # The name, in parentheses, may have spaces in it.
                columns = (place / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents[int(place.name)] = int(columns[1])
            seconds[int(place.name)] = sum(map(int, columns[11:15])) / os.sysconf("SC_CLK_TCK")
    tree, added = {root}, {root}
    while added:
        added = {one for one, parent in parents.items() if parent in added} - tree
        tree |= added
    return sum(seconds.get(one, 0.0) for one in tree)


@contextmanager
def taking(into: list[Took]) -> Iterator[None]:
    """Note what the block takes, by this process and all that it started."""
    cpu, wall = tree_seconds(os.getpid()), time.perf_counter()
    yield
    into.append(Took(tree_seconds(os.getpid()) - cpu, time.perf_counter() - wall))


def least(found: Sequence[Took]) -> Took:
    """Return the turn of the least CPU: others had something of the machine's load in them."""
    return min(found, key=lambda one: one.cpu_s)


def told(took: Took, records: int) -> str:
    """Return what so many records took, as text."""
    a_record = 1e6 * took.cpu_s / records
    return f"{records:,} records in {took.cpu_s:.1f} CPU s, {took.wall_s:.1f} s; {a_record:,.0f} µs a record"


def simulated(folder: Path, logs: int, records: int, partitions: int = PARTITIONS, kinds: tuple[str, ...] = ()) -> int:
    """Write logs with so many partitions, of episodes of some kinds, and return how many records they have."""
    recipe = Recipe(4, partitions, 1, kinds)
    return sum(
        write_task(Task(recipe, LogPlan(1, at, records, 1 << 30), f"log-{at}", str(folder / f"log-{at}"))).records
        for at in range(logs)
    )


def oracle(*arguments: str) -> Any:
    """Run the SQL, and return what it says; None where it cannot be run, as without DuckDB."""
    found = subprocess.run([sys.executable, str(ORACLE), *arguments], capture_output=True, text=True, check=False)
    return json.loads(found.stdout) if found.returncode == 0 else None


@contextmanager
def noting(events: Path, cores: str = "*") -> Iterator[Any]:
    """A session on so many cores of this machine that reports how many bytes its tasks shuffle, as they are."""
    events.mkdir()
    log = {"enabled": "true", "dir": events.as_uri(), "compress": "false", "rolling.enabled": "false"}
    conf = {f"spark.eventLog.{name}": value for name, value in log.items()}
    with opened(Cluster(master=f"local[{cores}]", conf=conf | {"spark.shuffle.compress": "false"})) as session:
        yield session


class TaskEnd(NamedTuple):
    """A task that ended: the number of its stage, seconds by the clock, and the bytes that it wrote to be shuffled."""

    stage: int
    seconds: float
    shuffled_bytes: int


def tasks(events: Path) -> list[TaskEnd]:
    """Return the tasks that ended until now, from the event log of a session that `noting` made."""
    found = list[TaskEnd]()
    for path in events.iterdir():
        for line in path.read_text(encoding="utf-8").splitlines():
            if '"SparkListenerTaskEnd"' in line:
                said = json.loads(line)
                ran, metrics = said["Task Info"], said.get("Task Metrics") or {}
                written = metrics.get("Shuffle Write Metrics", {}).get("Shuffle Bytes Written", 0)
                found.append(TaskEnd(said["Stage ID"], (ran["Finish Time"] - ran["Launch Time"]) / 1000, written))
    return found


def shuffled(events: Path) -> int:
    """Return the bytes that tasks wrote to be shuffled until now."""
    return sum(one.shuffled_bytes for one in tasks(events))


def makespan(ended: Sequence[TaskEnd], executors: int) -> float:
    """Return the seconds in which so many executors of one core are done, one stage behind the other.

    Of each stage the longest task that is left goes to the first free core.
    """
    seconds = 0.0
    for stage in {one.stage for one in ended}:
        busy = [0.0] * executors
        for took in sorted((one.seconds for one in ended if one.stage == stage), reverse=True):
            heapq.heapreplace(busy, busy[0] + took)
        seconds += max(busy)
    return seconds
