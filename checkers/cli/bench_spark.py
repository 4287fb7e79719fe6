"""`fencepost bench spark`: what judging on Spark costs beside the single process, and DuckDB's windows beside both.

Data are generated: the logs of `fencepost simulate --to`. CPU seconds are those of the whole process tree, and what is
compared takes turns.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from fencepost.checkers.verdicts import ExitCode

if TYPE_CHECKING:
    from .bench import Measured, Options

LOGS, RECORDS = 200, 1_000
"""How many logs lane A judges, and how many records each has at least, where nobody says anything else."""

ROUNDS = 2
"""How often those take turns that are compared."""

SMALL = 7
"""The logs that are judged from a cold start."""

LENGTHS = (1, 10, 40)
"""The lengths of single logs, as multiples of the records of a log."""

PARTITIONS = 100
"""The partitions that stand throughout in a log."""

ORACLE = Path(__file__).resolve().parents[2] / "tests" / "oracles" / "measure.py"
"""What runs the invariants in SQL. It is run, and not imported: it is no part of the package, and judges by itself."""


class Took(NamedTuple):
    """CPU seconds of the process tree, and seconds by the clock."""

    cpu_s: float
    wall_s: float


def spark(options: Options) -> Measured:
    """Measure lane A against the single process and DuckDB, lane B's shuffle, the lengths of logs, and a cold start."""
    from .bench import Measured

    logs, records = options.logs or LOGS, options.records or RECORDS
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        options.progress(f"writing {logs} logs of {records:,} records")
        whole = _simulated(folder / "logs", logs, records)
        figures: dict[str, Any] = {"logs": logs, "records": whole, "cores": len(os.sched_getaffinity(0))}
        lines = [f"{logs} logs, {whole:,} records"]
        with _session(folder / "events") as session:
            lines += _lane_a(folder, session, whole, figures, options.progress)
            lines += _lane_b(folder, session, figures, options.progress)
        lines += _lengths(folder, records, figures, options.progress)
        lines += _cold(folder, figures, options.progress)
    code = ExitCode.AS_DECLARED if figures["verdicts"] == {"conforms": logs} else ExitCode.DOES_NOT_CONFORM
    return Measured(figures, lines[0], code, lines[1:])


# -- what is measured --------------------------------------------------------------------------------------------------
def _lane_a(
    folder: Path, session: Any, records: int, figures: dict[str, Any], progress: Callable[[str], None]
) -> list[str]:
    """The same logs by the single process, by a warm session, and by DuckDB, which take turns."""
    from fencepost.checkers.conformance.spark.api import conform

    paths = sorted(str(one) for one in (folder / "logs").iterdir() if one.is_dir())
    conform(paths[:8], session=session).release()
    decoded = folder / "decoded.parquet"
    sql = ORACLE.exists() and _oracle("decode", str(folder / "logs"), str(decoded)) is not None
    alone, together, windows = list[Took](), list[Took](), list[Took]()
    for turn in range(ROUNDS):
        progress(f"lane A, turn {turn + 1} of {ROUNDS}")
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            alone.append(pool.apply(judged_alone, (paths,)))
        with _taking(together):
            found = conform(paths, session=session)
        verdicts = {row.verdict: row["count"] for row in found.logs.groupBy("verdict").count().collect()}
        found.release()
        if sql:
            said = _oracle("judge", str(decoded))
            windows.append(Took(said["cpu_s"], said["wall_s"]))
    figures["verdicts"] = verdicts
    figures["lane_a"] = {"alone": alone, "spark": together, "duckdb": windows, "shuffled_bytes": _shuffled(folder)}
    ours, theirs = _least(alone), _least(together)
    lines = [
        f"lane A, single process: {_told(ours, records)}",
        f"lane A, warm session: {_told(theirs, records)}; {theirs.cpu_s / ours.cpu_s:.2f} × the CPU, "
        f"{ours.wall_s / theirs.wall_s:.2f} × as fast; {_shuffled(folder):,} bytes shuffled",
    ]
    if not windows:
        return [*lines, f"DuckDB was not run beside it: {ORACLE} with DuckDB belongs to a checkout"]
    other = _least(windows)
    return [
        *lines,
        f"DuckDB, of the invariants that SQL says: {_told(other, records)}; {other.cpu_s / ours.cpu_s:.2f} × the CPU "
        "of the single process, which judges all rows and properties",
    ]


def _lane_b(folder: Path, session: Any, figures: dict[str, Any], progress: Callable[[str], None]) -> list[str]:
    """What is shuffled of records without their logs, in no order."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    from fencepost.checkers.conformance.spark.api import conform
    from fencepost.traces import find_logs, read_log
    from fencepost.traces.record_tables import record_table

    progress("lane B")
    sources = find_logs([str(folder / "logs")])[:20]
    table = pa.concat_tables([record_table(read_log(one), str(at)) for at, one in enumerate(sources)])
    order = np.random.default_rng(1).permutation(table.num_rows)
    (folder / "landed").mkdir()
    for part in range(8):
        pq.write_table(table.take(order[part::8]), folder / "landed" / f"{part}.parquet")
    values = sum(pc.sum(pc.binary_length(table[name])).as_py() or 0 for name in ("key", "value"))
    before, took = _shuffled(folder), list[Took]()
    with _taking(took):
        conform(str(folder / "landed"), session=session).release()
    a_record = (_shuffled(folder) - before - values) / table.num_rows
    figures["lane_b"] = {
        "logs": len(sources),
        "records": table.num_rows,
        "shuffled_bytes_a_record": a_record,
        "took": took[0],
    }
    return [
        f"lane B, {len(sources)} logs: {_told(took[0], table.num_rows)}; {a_record:.1f} bytes a record shuffled beside "
        f"{values / table.num_rows:.1f} of keys and values"
    ]


def _lengths(folder: Path, records: int, figures: dict[str, Any], progress: Callable[[str], None]) -> list[str]:
    """CPU a record by the length of a log, in the single process."""
    figures["lengths"], lines = [], []
    for times in LENGTHS:
        progress(f"a log of {records * times:,} records")
        place = folder / f"length-{times}"
        whole = _simulated(place, 1, records * times)
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            took = pool.apply(judged_alone, ([str(place / "log-0")],))
        figures["lengths"].append({"records": whole, "took": took})
        lines.append(f"one log: {_told(took, whole)}")
    return lines


def _cold(folder: Path, figures: dict[str, Any], progress: Callable[[str], None]) -> list[str]:
    """Small logs by the command, with Spark and without, each from the start of its process."""
    paths = sorted(str(one) for one in (folder / "logs").iterdir() if one.is_dir())[:SMALL]
    found = dict[str, float]()
    for name, more in (("without", ()), ("with", ("--spark",))):
        progress(f"{len(paths)} logs from a cold start, {name} Spark")
        began = time.perf_counter()
        command = [sys.executable, "-m", "fencepost.checkers.cli.main", "conform", *paths, *more, "--json"]
        subprocess.run(command, capture_output=True, check=True)
        found[name] = time.perf_counter() - began
    figures["cold"] = found
    return [
        f"{len(paths)} logs from a cold start: {found['with']:.1f} s on Spark, {found['without']:.1f} s without; "
        f"{found['with'] - found['without']:.1f} s more"
    ]


def judged_alone(paths: Sequence[str]) -> Took:
    """Judge logs in this process, after one of them to be warm, and return what that took."""
    from fencepost.checkers.conformance import conform

    conform(paths[:1], None, ask_others=True)
    cpu, wall = time.process_time(), time.perf_counter()
    conform(paths, None, ask_others=True)
    return Took(time.process_time() - cpu, time.perf_counter() - wall)


# -- what it takes -----------------------------------------------------------------------------------------------------
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
def _taking(into: list[Took]) -> Iterator[None]:
    """Note what the block takes, by this process and all that it started."""
    cpu, wall = tree_seconds(os.getpid()), time.perf_counter()
    yield
    into.append(Took(tree_seconds(os.getpid()) - cpu, time.perf_counter() - wall))


def _least(found: Sequence[Took]) -> Took:
    """The turn of the least CPU: others had something of the machine's load in them."""
    return min(found, key=lambda one: one.cpu_s)


def _told(took: Took, records: int) -> str:
    a_record = 1e6 * took.cpu_s / records
    return f"{records:,} records in {took.cpu_s:.1f} CPU s, {took.wall_s:.1f} s; {a_record:,.0f} µs a record"


def _simulated(folder: Path, logs: int, records: int) -> int:
    """Write logs, and return how many records they have."""
    from fencepost.traces.scale.logs import LogPlan

    from .simulate_scale import Recipe, Task, write_task

    recipe = Recipe(4, PARTITIONS, 1)
    return sum(
        write_task(Task(recipe, LogPlan(1, at, records, 1 << 30), f"log-{at}", str(folder / f"log-{at}"))).records
        for at in range(logs)
    )


def _oracle(*arguments: str) -> Any:
    """Run the SQL, and return what it says; None where it cannot be run, as without DuckDB."""
    found = subprocess.run([sys.executable, str(ORACLE), *arguments], capture_output=True, text=True, check=False)
    return json.loads(found.stdout) if found.returncode == 0 else None


@contextmanager
def _session(events: Path) -> Iterator[Any]:
    """A session of this machine that tells how many bytes its tasks shuffle, as they are."""
    from fencepost.checkers.conformance.spark import Cluster, opened

    events.mkdir()
    told = {"enabled": "true", "dir": events.as_uri(), "compress": "false", "rolling.enabled": "false"}
    conf = {f"spark.eventLog.{name}": value for name, value in told.items()}
    with opened(Cluster(master="local[*]", conf=conf | {"spark.shuffle.compress": "false"})) as session:
        yield session


def _shuffled(folder: Path) -> int:
    """The bytes that tasks wrote to be shuffled until now."""
    written = 0
    for path in (folder / "events").iterdir():
        for line in path.read_text(encoding="utf-8").splitlines():
            if '"SparkListenerTaskEnd"' in line:
                metrics = json.loads(line).get("Task Metrics") or {}
                written += metrics.get("Shuffle Write Metrics", {}).get("Shuffle Bytes Written", 0)
    return written
