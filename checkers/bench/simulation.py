"""Benchmarks of the simulation: how fast it is, whether its memory stays flat, how soon it finds injected bugs."""

from __future__ import annotations

import gc
import resource
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from fencepost.checkers.cli.simulated import judged_alone, judged_run
from fencepost.checkers.verdicts import ExitCode
from fencepost.reference.kraft.injected import BUGS, Bug
from fencepost.reference.kraft.levels import LEVELS
from fencepost.reference.kraft.settings import Settings
from fencepost.reference.kraft.simulation.plan import Plan
from fencepost.reference.kraft.simulation.run import Run
from fencepost.reference.kraft.simulation.story import Unrecorded

from .measured import Measured, Options

SAMPLES = 24
"""How often memory is measured along a run."""

RETENTION = {"metadata.max.retention.bytes": "500000", "metadata.log.max.record.bytes.between.snapshots": "100000"}
"""Settings with which a log soon has the length that it keeps."""

FLAT = 0.1
"""Memory is flat if the last quarter of a run has at most this share more than its second quarter."""


# -- how fast ----------------------------------------------------------------------------------------------------------
def speed(options: Options) -> Measured:
    """Run some seeds without the tables: simulated events a second, simulated hours an hour."""
    plans = _plans(options, seeds=3)
    events = records = 0
    began = time.perf_counter()
    for plan in plans:
        outcome = Run(plan).execute()
        events, records = events + outcome.events, records + outcome.records
        options.progress(f"seed {plan.seed}")
    return _pace(plans, events, records, time.perf_counter() - began)


def lock_step(options: Options) -> Measured:
    """Run the same seeds with every step checked against the tables."""
    plans = _plans(options, seeds=3)
    events = records = steps = 0
    unclean: list[str] = []
    began = time.perf_counter()
    for plan in plans:
        judged = judged_alone(plan)
        events, records = events + judged.outcome.events, records + judged.outcome.records
        steps += judged.steps
        unclean += [] if judged.clean else [plan.command()]
        options.progress(f"seed {plan.seed}")
    paced = _pace(plans, events, records, time.perf_counter() - began)
    return Measured({**paced.figures, "steps": steps, "unclean": unclean}, paced.line, _code(unclean), unclean)


def seeds(options: Options) -> Measured:
    """Run many seeds in lock step, and count those in which every step was a row and no promise was broken."""
    plans = _plans(options, seeds=20)
    unclean: list[str] = []
    began = time.perf_counter()
    for plan in plans:
        judged = judged_alone(plan)
        unclean += [] if judged.clean else [plan.command()]
        options.progress(f"seed {plan.seed}, {len(unclean)} unclean")
    seconds = time.perf_counter() - began
    figures = {
        "seeds": len(plans),
        "simulated_seconds": sum(plan.seconds for plan in plans),
        "wall_seconds": round(seconds, 3),
        "clean": len(plans) - len(unclean),
        "unclean": unclean,
    }
    line = f"{len(plans) - len(unclean)} of {len(plans)} seeds of {plans[0].seconds:g} s clean, in {seconds:.1f} s"
    return Measured(figures, line, _code(unclean), unclean)


def _plans(options: Options, seeds: int) -> list[Plan]:
    count, seconds = options.seeds or seeds, options.seconds or Plan().seconds
    return [Plan(seed=seed, seconds=seconds) for seed in range(options.first, options.first + count)]


def _pace(plans: Sequence[Plan], events: int, records: int, seconds: float) -> Measured:
    simulated = sum(plan.seconds for plan in plans)
    figures = {
        "seeds": len(plans),
        "events": events,
        "records": records,
        "simulated_seconds": simulated,
        "wall_seconds": round(seconds, 3),
        "events_per_second": round(events / seconds),
        "simulated_hours_per_hour": round(simulated / seconds, 1),
    }
    line = (
        f"{figures['events_per_second']} events a second, "
        f"{figures['simulated_hours_per_hour']} simulated hours an hour "
        f"({len(plans)} seeds of {plans[0].seconds:g} s in {seconds:.1f} s)"
    )
    return Measured(figures, line)


def _code(unclean: Sequence[str]) -> ExitCode:
    return ExitCode.DOES_NOT_CONFORM if unclean else ExitCode.AS_DECLARED


# -- how large ---------------------------------------------------------------------------------------------------------
def memory(options: Options) -> Measured:
    """Run one seed for a simulated day, and measure the process's memory at even times.

    The log is cut behind snapshots early, as `RETENTION` says: with Kafka's own settings it would not be within a day,
    on a disk of Kafka's no more than in memory here.
    """

    seconds = options.seconds or 24 * 3600.0
    plan = Plan(seed=options.first, seconds=seconds, settings=Settings().with_kafka(RETENTION))
    run = Run(plan, story=Unrecorded())
    simulator = run.cluster.simulator
    samples: list[float] = []

    def sample() -> None:
        gc.collect()
        samples.append(round(resident_mib(), 2))
        options.progress(f"{samples[-1]:.1f} MiB after {simulator.now_ns / 3.6e12:.1f} h")

    for number in range(1, SAMPLES + 1):
        simulator.after(int(seconds * 1e9 * number / SAMPLES), sample)
    began = time.perf_counter()
    outcome = run.execute()
    took = time.perf_counter() - began
    quarter = SAMPLES // 4
    early, late = (sum(part) / quarter for part in (samples[quarter : 2 * quarter], samples[-quarter:]))
    growth = late / early - 1
    is_flat = growth <= FLAT
    figures = {
        "simulated_seconds": seconds,
        "wall_seconds": round(took, 3),
        "events": outcome.events,
        "resident_mib": samples,
        "growth": round(growth, 4),
        "flat": is_flat,
    }
    line = (
        f"{'flat' if is_flat else 'it grows'}: {early:.1f} MiB in the second quarter, {late:.1f} MiB in the last "
        f"({seconds / 3600:g} simulated hours in {took:.1f} s)"
    )
    return Measured(figures, line, ExitCode.AS_DECLARED if is_flat else ExitCode.DIFFERS_FROM_BASELINE)


def resident_mib() -> float:
    """Return the memory that this process has now, where the system says so, else the most that it has had."""
    pages = Path("/proc/self/statm")
    if pages.exists():
        return int(pages.read_text().split()[1]) * resource.getpagesize() / 2**20
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)


# -- how sharp ---------------------------------------------------------------------------------------------------------
def bugs(options: Options) -> Measured:
    """Put in one historical bug after the other, and run seeds until a step is no row or a promise is broken."""
    found, lines, missed = [], [], []
    for name in options.bugs:
        options.progress(name)
        one = _sought(BUGS[name], options)
        found.append(one)
        if one["found"]:
            lines.append(f"{name}: seed {one['seed']} ({one['wall_seconds']} s): {one['by']}")
        else:
            missed.append(name)
            lines.append(f"{name}: not found in {one['seeds']} seeds ({one['wall_seconds']} s)")
    code = ExitCode.DIFFERS_FROM_BASELINE if missed else ExitCode.AS_DECLARED
    return Measured({"bugs": found}, f"{len(found) - len(missed)} of {len(found)} bugs found", code, lines)


def _sought(bug: Bug, options: Options) -> dict[str, Any]:
    limit = options.seeds or bug.seeds
    began = time.perf_counter()
    result: dict[str, Any] = {"id": bug.id, "issue": bug.issue, "found": False, "seeds": limit}
    for seed in range(options.first, options.first + limit):
        plan = plan_with(bug, seed, options.seconds)
        _, judged = judged_run(plan, until_first=True)
        # What goes wrong without the bug as well is no sign of it.
        if not judged.clean and judged_run(replace(plan, bugs=()), until_first=True)[1].clean:
            by = judged.outcome.violations[0].rule if not judged.divergences else "a step that is no row"
            result |= {"found": True, "seed": seed, "seeds": seed - options.first + 1, "by": by}
            break
    return {**result, "wall_seconds": round(time.perf_counter() - began, 2)}


def plan_with(bug: Bug, seed: int, seconds: float | None) -> Plan:
    """Return the plan of a run whose controllers have a bug, with what it needs to show itself."""
    needs = dict(bug.needs)
    plan = Plan(seed=seed, bugs=(bug.id,), faults=needs.pop("faults", Plan().faults))
    if "release" in needs:
        plan = replace(plan, level=LEVELS[needs.pop("release")])
    if seconds is not None:
        plan = replace(plan, seconds=seconds)
    return replace(plan, settings=plan.settings.with_kafka(needs), changed=tuple(sorted(needs.items())))
