"""`fencepost bench spark`: the cost of checks on Spark beside the single process, and DuckDB's windows beside both.

Data are generated: the logs of `fencepost simulate --to`. CPU seconds are those of the whole process tree, and what is
compared takes turns.
"""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from fencepost.checkers.conformance import conform
from fencepost.checkers.conformance.spark import api
from fencepost.checkers.verdicts import ExitCode
from fencepost.traces import find_logs, read_log
from fencepost.traces.record_tables import record_table

from .measured import Measured, Options
from .spark_parts import differs, parts, tlc
from .taking import ORACLE, Took, least, noting, oracle, shuffled, simulated, taking, told

LOGS, RECORDS = 200, 1_000
"""Defaults of lane A: the number of logs, and the fewest records of each."""

ROUNDS = 2
"""How often those take turns that are compared."""

SMALL = 7
"""The logs that are checked from a cold start."""

LARGE, STANDING = 400, 4_000
"""The log that is checked in parts: so many times the records of a log, and so many partitions, whose brokers fall
silent."""

LENGTHS = (1, 10, 40)
"""The lengths of single logs, as multiples of the records of a log."""


def spark(options: Options) -> Measured:
    """Measure lane A against the single process and DuckDB, lane B's shuffle, lane C on one core and on all, the
    lengths of logs, TLC, and a cold start; of a log that is named lane C alone."""

    if options.log is not None:
        with tempfile.TemporaryDirectory() as scratch:
            figures = dict[str, Any]()
            lines = parts(options.log, Path(scratch), figures, options.progress)
        return Measured(figures, lines[0], differs(figures), lines[1:])
    logs, records = options.logs or LOGS, options.records or RECORDS
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        options.progress(f"writing {logs} logs of {records:,} records")
        whole = simulated(folder / "logs", logs, records)
        figures = {"logs": logs, "records": whole, "cores": len(os.sched_getaffinity(0))}
        lines = [f"{logs} logs, {whole:,} records"]
        with noting(folder / "events") as session:
            lines += _lane_a(folder, session, whole, figures, options.progress)
            lines += _lane_b(folder, session, figures, options.progress)
        lines += _lengths(folder, records, figures, options.progress)
        lines += _cold(folder, figures, options.progress)
        options.progress("a log for lane C")
        simulated(folder / "large", 1, LARGE * records, STANDING, ("silence",))
        lines += parts(folder / "large" / "log-0", folder, figures, options.progress)
    code = differs(figures) if figures["verdicts"] == {"conforms": logs} else ExitCode.DOES_NOT_CONFORM
    return Measured(figures, lines[0], code, lines[1:])


# -- what is measured --------------------------------------------------------------------------------------------------
def _lane_a(
    folder: Path, session: Any, records: int, figures: dict[str, Any], progress: Callable[[str], None]
) -> list[str]:
    """The same logs by the single process, by a warm session, and by DuckDB, which take turns."""
    paths = sorted(str(one) for one in (folder / "logs").iterdir() if one.is_dir())
    api.conform(paths[:8], session=session).release()
    decoded = folder / "decoded.parquet"
    sql = ORACLE.exists() and oracle("decode", str(folder / "logs"), str(decoded)) is not None
    alone, together, windows = list[Took](), list[Took](), list[Took]()
    for turn in range(ROUNDS):
        progress(f"lane A, turn {turn + 1} of {ROUNDS}")
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            alone.append(pool.apply(judged_alone, (paths,)))
        with taking(together):
            found = api.conform(paths, session=session)
        verdicts = {row.verdict: row["count"] for row in found.logs.groupBy("verdict").count().collect()}
        found.release()
        if sql:
            said = oracle("judge", str(decoded))
            windows.append(Took(said["cpu_s"], said["wall_s"]))
    figures["verdicts"] = verdicts
    moved = shuffled(folder / "events")
    figures["lane_a"] = {"alone": alone, "spark": together, "duckdb": windows, "shuffled_bytes": moved}
    ours, theirs = least(alone), least(together)
    lines = [
        f"lane A, single process: {told(ours, records)}",
        f"lane A, warm session: {told(theirs, records)}; {theirs.cpu_s / ours.cpu_s:.2f} × the CPU, "
        f"{ours.wall_s / theirs.wall_s:.2f} × as fast; {moved:,} bytes shuffled",
    ]
    if not windows:
        return [*lines, f"DuckDB was not run beside it: {ORACLE} with DuckDB belongs to a checkout"]
    other = least(windows)
    return [
        *lines,
        f"DuckDB, of the invariants that SQL says: {told(other, records)}; {other.cpu_s / ours.cpu_s:.2f} × the CPU "
        "of the single process, which checks all rows and properties",
    ]


def _lane_b(folder: Path, session: Any, figures: dict[str, Any], progress: Callable[[str], None]) -> list[str]:
    """Fields of records that are shuffled without their logs, in no order."""
    progress("lane B")
    sources = find_logs([str(folder / "logs")])[:20]
    table = pa.concat_tables([record_table(read_log(one), str(at)) for at, one in enumerate(sources)])
    order = np.random.default_rng(1).permutation(table.num_rows)
    (folder / "landed").mkdir()
    for part in range(8):
        pq.write_table(table.take(order[part::8]), folder / "landed" / f"{part}.parquet")
    values = sum(pc.sum(pc.binary_length(table[name])).as_py() or 0 for name in ("key", "value"))
    before, took = shuffled(folder / "events"), list[Took]()
    with taking(took):
        api.conform(str(folder / "landed"), session=session).release()
    a_record = (shuffled(folder / "events") - before - values) / table.num_rows
    figures["lane_b"] = {
        "logs": len(sources),
        "records": table.num_rows,
        "shuffled_bytes_a_record": a_record,
        "took": took[0],
    }
    return [
        f"lane B, {len(sources)} logs: {told(took[0], table.num_rows)}; {a_record:.1f} bytes a record shuffled beside "
        f"{values / table.num_rows:.1f} of keys and values"
    ]


def _lengths(folder: Path, records: int, figures: dict[str, Any], progress: Callable[[str], None]) -> list[str]:
    """CPU a record by the length of a log, in the single process."""
    figures["lengths"], lines = [], []
    for times in LENGTHS:
        progress(f"a log of {records * times:,} records")
        place = folder / f"length-{times}"
        whole = simulated(place, 1, records * times)
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            took = pool.apply(judged_alone, ([str(place / "log-0")],))
        figures["lengths"].append({"records": whole, "took": took})
        lines.append(f"one log: {told(took, whole)}")
    return [*lines, tlc(place / "log-0", took, whole, figures)]


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
    """Check logs in this process, after one of them to be warm, and return what that took."""
    conform(paths[:1], None, ask_others=True)
    cpu, wall = time.process_time(), time.perf_counter()
    conform(paths, None, ask_others=True)
    return Took(time.process_time() - cpu, time.perf_counter() - wall)
