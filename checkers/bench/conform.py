"""`fencepost bench conform`: what a record costs by the size of the state, and kafka-dump-log beside it."""

from __future__ import annotations

import gzip
import json
import multiprocessing
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from fencepost.checkers.verdicts import ExitCode, Refusal, Verdict
from fencepost.traces import find_log

from .conform_case import Cost, measured_case
from .dump_log import dump_command
from .measured import Measured, Options

LIMIT = 20.0
"""The CPU seconds after which the tail of a case is left: the records checked until then are its figure."""

BUDGET = 220.0
"""The CPU seconds for checking all cases, by which the whole takes less than five minutes on an idle machine."""

CASES = (
    (1_000, "single", 500),
    (1_000, "single", 2_000),
    (10_000, "single", 500),
    (1_000, "fence", 0),
    (10_000, "fence", 0),
    (180_000, "single", 500),
    (180_000, "fence", 0),
)
"""Partitions, kind of the tail, and its records: one ISR change after another, or a broker that is fenced (0: as many
records as it takes)."""


def conform(options: Options) -> Measured:
    """Measure checks by partitions and records, or of one given log, with kafka-dump-log's text of the same files."""

    with tempfile.TemporaryDirectory() as scratch:
        try:
            dump_command([])
            missing = ""
        except Refusal as refusal:
            missing = str(refusal)
        beside = [f"kafka-dump-log was not run beside it: {missing}"] if missing else []
        if options.log is not None:
            figures, lines = _given(options.log, Path(scratch), missing, options)
            return Measured({**figures, "dump_missing": missing}, "one log", more=[*lines, *beside])
        costs: list[Cost] = []
        left = BUDGET
        for number, (partitions, kind, records) in enumerate(CASES):
            options.progress(f"{kind}, {partitions:,} partitions")
            folder = Path(scratch, str(number))
            if left < LIMIT:
                beside.append(f"{kind}, {partitions:,} partitions: left out, the {BUDGET:.0f} s of CPU are used up")
                continue
            costs.append(_apart(partitions, kind, records, folder, left))
            left -= costs[-1].cpu_s
            if not missing:
                costs[-1].dump = _run(dump_command(sorted([*folder.glob("*.log"), *folder.glob("*.checkpoint")])))
            shutil.rmtree(folder)
    told = [{**asdict(one), "cpu_ms_a_record": one.a_record()} for one in costs]
    wrong = [one for one in costs if one.verdict not in ("", Verdict.CONFORMS.value)]
    code = ExitCode.DOES_NOT_CONFORM if wrong else ExitCode.AS_DECLARED
    figures = {"cases": told, "limit_cpu_s": LIMIT, "budget_cpu_s": BUDGET, "dump_missing": missing}
    return Measured(figures, f"{len(costs)} logs", code, [*map(_line, costs), *_ratios(costs), *beside])


def _apart(partitions: int, kind: str, records: int, folder: Path, left: float) -> Cost:
    """Measure a case in a new process, whose memory is its own."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(measured_case, (partitions, kind, records, str(folder), min(LIMIT, left), left))


def _line(cost: Cost) -> str:
    what = "one ISR change a batch" if cost.kind == "single" else "a broker fenced"
    a_record = cost.a_record()
    if a_record is None:
        part = f"none of {cost.records:,} records in time"
    else:
        whole = "" if cost.verdict else f" ({cost.judged:,} of them in {LIMIT:.0f} s)"
        part = f"{cost.records:,} records{whole}, {a_record:.2f} CPU ms each"
    dump = f"; kafka-dump-log {cost.dump['cpu_s']:.1f} CPU s" if cost.dump else ""
    ratio = f", {cost.cpu_s / cost.dump['cpu_s']:.1f} × that for conform" if cost.dump and cost.verdict else ""
    return (
        f"{what}, {cost.partitions:,} partitions: {part}; read {cost.read_cpu_s:.1f}, snapshot "
        f"{cost.restore_cpu_s:.1f} CPU s; {cost.peak_mib:,.0f} MiB{dump}{ratio}"
    )


def _ratios(costs: list[Cost]) -> list[str]:
    """Say what a record costs in a large state, as a multiple of the same in the smallest; and in a fan-out."""
    lines = []
    for kind in ("single", "fence"):
        known = [(one.partitions, value) for one in costs if one.kind == kind and (value := one.a_record())]
        if known:
            smallest, least = known[0]
            told = ", ".join(f"{many:,} {value / least:.1f} ×" for many, value in known if many != smallest)
            name = "an ISR change" if kind == "single" else "a record of a fan-out"
            lines.append(f"{name} by partitions, against {smallest:,}: {told or 'no other was judged'}")
    both = {
        one.partitions: (value, changes.a_record())
        for one in costs
        for changes in costs
        if one.kind == "fence" and changes.kind == "single" and one.partitions == changes.partitions
        if (value := one.a_record()) and changes.a_record()
    }
    told = ", ".join(f"{many:,} {fence / change:.2f} ×" for many, (fence, change) in both.items() if change)
    return [*lines, f"a record of a fan-out against an ISR change, by partitions: {told}"] if told else lines


# -- one log -----------------------------------------------------------------------------------------------------------
def _given(path: Path, scratch: Path, missing: str, options: Options) -> tuple[dict[str, Any], list[str]]:
    """Measure `fencepost conform` on a log as a whole process, then kafka-dump-log on its segments, unpacked."""
    source = find_log(path)
    options.progress("fencepost conform")
    out = scratch / "conform.json"
    cost = _run([sys.executable, "-m", "fencepost.checkers.cli.main", "conform", str(path), "--json"], out)
    document = json.loads(out.read_text(encoding="utf-8"))
    if "logs" not in document:
        raise Refusal(document["message"], ExitCode(document["exit_code"]))
    (log,) = document["logs"]
    records = log["records"]
    figures: dict[str, Any] = {"path": str(path), "records": records, "verdict": log["verdict"], "conform": cost}
    lines = [
        f"{path}: {log['verdict']}, {records:,} records: {_spent(cost)}, "
        f"{records / max(cost['cpu_s'], 0.01):,.0f} records a second of CPU"
    ]
    if not missing and source.source == "binary":
        options.progress("kafka-dump-log")
        files = [_unpacked(Path(one), scratch) for one in source.segments]
        dump = _run(dump_command(files))
        ratio = {name: round(cost[name] / dump[name], 2) for name in ("cpu_s", "wall_s")}
        figures |= {"dump": dump, "ratio": ratio}
        lines.append(f"kafka-dump-log's text of its segments: {_spent(dump)}")
        lines.append(f"conform takes {ratio['cpu_s']} × its CPU, {ratio['wall_s']} × its time")
    return figures, lines


def _spent(cost: dict[str, Any]) -> str:
    return f"{cost['cpu_s']:.1f} CPU s, {cost['wall_s']:.1f} s, {cost['peak_mib']:,.0f} MiB"


def _unpacked(file: Path, folder: Path) -> Path:
    """Return a segment as Kafka's tool reads it, unpacked where it is gzipped."""
    if file.suffix != ".gz":
        return file
    plain = folder / file.stem
    with gzip.open(file) as packed, plain.open("wb") as out:
        shutil.copyfileobj(packed, out)
    return plain


def _run(command: list[str], out: Path | None = None) -> dict[str, Any]:
    """Run a command, its text into a file or nowhere; return its CPU and wall seconds, its memory and its code."""
    began = time.perf_counter()
    with (out or Path(os.devnull)).open("wb") as stream:
        process = subprocess.Popen(command, stdout=stream, stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return {
        "cpu_s": round(used.ru_utime + used.ru_stime, 2),
        "wall_s": round(time.perf_counter() - began, 2),
        "peak_mib": round(used.ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)),
        "code": process.returncode,
    }
