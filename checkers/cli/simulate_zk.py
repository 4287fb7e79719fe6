"""`fencepost simulate --protocol zk`: the ZooKeeper-era controller in its simulated cluster, judged by its tables."""

from __future__ import annotations

import shlex
import tempfile
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from fencepost.checkers.verdicts import Refusal, worst

from .outcome import Outcome
from .simulated import SHOWN, made_ready, side_by_side
from .simulated_zk import (
    JudgedZk,
    counted,
    fields_of,
    findings_of,
    judged_alone,
    judged_run,
    page_of,
    verdict_of,
    written,
    wrong,
)
from .terminal import say, watching

if TYPE_CHECKING:
    from fencepost.reference.zk.simulation.plan import Plan
    from fencepost.traces.zk.steps import ZkStep

SECONDS = 120.0
"""How long a run is where nothing is said, of the cluster's time."""


def simulate_zk(
    seed: int | None,
    seeds: int,
    jobs: int,
    seconds: float | None,
    faults: str | None,
    out: Path | None,
    brokers: int,
    inject: list[str],
    story: bool,
    json: bool,
) -> Outcome:
    """Run the ZooKeeper-era reference, hold every step against the tables; raises `Refusal` for what does not fit."""
    from fencepost.reference.zk.injected import BUGS
    from fencepost.reference.zk.simulation.faults import parse_faults
    from fencepost.reference.zk.simulation.plan import Plan

    for name in inject:
        if name not in BUGS:
            raise Refusal(f"--inject {name}: there is none of that name; there are {', '.join(BUGS)}")
    if not 1 <= brokers <= 50:
        raise Refusal(f"--brokers {brokers}: take 1 to 50 brokers")
    try:
        parse_faults(faults or "swarm")
    except ValueError as error:
        raise Refusal(str(error)) from None
    plan = Plan(
        seed=1 if seed is None else seed,
        seconds=seconds or SECONDS,
        brokers=brokers,
        faults=faults or "swarm",
        bugs=tuple(inject),
    )
    if seeds > 1:
        return _many(plan, seeds, jobs, out)
    return _one(plan, out, story and not json)


def _hash() -> str:
    from fencepost.model.zk import ZK

    return ZK.hash


def _one(plan: Plan, out: Path | None, story: bool) -> Outcome:
    made_ready(out)
    steps: list[ZkStep] = []
    if story:
        run, judged = judged_run(plan, steps, say)
        say()
    else:
        with watching(f"seed {plan.seed}: {plan.seconds:g} s of the cluster's time"):
            run, judged = judged_run(plan, steps)
    directory = out or Path(tempfile.mkdtemp(prefix=f"fencepost-zk-seed-{plan.seed}-"))
    try:
        trace = written(run, steps, directory)
    except OSError as error:
        raise Refusal(f"--out {directory}: {error}") from None
    code, verdict = verdict_of(judged)
    page = [
        *page_of(judged, verdict),
        f"log:   {directory}",
        f"trace: {trace}",
        f"next:  fencepost conform {shlex.quote(str(directory))}",
    ]
    fields = {**fields_of(judged), "log": str(directory), "trace": str(trace)}
    return Outcome("simulate", verdict, code, fields, page, _hash(), findings_of(judged.declared))


def _many(plan: Plan, seeds: int, jobs: int, out: Path | None) -> Outcome:
    if out is not None:
        raise Refusal("--out: it is for one seed; say which with --seed, without --seeds")
    failed: list[JudgedZk] = []
    all_ = JudgedZk(plan)
    divergences, began = 0, time.perf_counter()
    plans = [replace(plan, seed=seed) for seed in range(plan.seed, plan.seed + seeds)]
    with watching(f"{seeds} seeds") as progress, side_by_side(jobs) as mapped:
        for done, judged in enumerate(mapped(judged_alone, plans), 1):
            for name in ("rows", "unjudged", "adopted", "declared"):
                found: Counter[str] = getattr(all_, name)
                found.update(getattr(judged, name))
            all_.steps += judged.steps
            divergences += len(judged.divergences)
            if not judged.clean:
                failed.append(judged)
            progress(f"{done} done, {len(failed)} with something wrong")
    seconds = time.perf_counter() - began
    code = worst(verdict_of(one)[0] for one in failed)
    verdict = next((word for found_, word in map(verdict_of, failed) if found_ is code), "conforms")
    fields = {
        "protocol": "zk",
        "seeds": seeds,
        "first_seed": plan.seed,
        "steps": all_.steps,
        "rows": dict(sorted(all_.rows.items())),
        "not_judged": dict(sorted(all_.unjudged.items())),
        "adopted": dict(sorted(all_.adopted.items())),
        "divergences": divergences,
        "failed": [fields_of(one) for one in failed],
    }
    page = [line for one in failed[:SHOWN] for line in (f"seed {one.plan.seed}:", *wrong(one), "")]
    if len(failed) > SHOWN:
        page.append(f"more seeds with something wrong: {', '.join(str(one.plan.seed) for one in failed[SHOWN:])}")
    page.append(
        f"{verdict}: {seeds - len(failed)} of {seeds} seeds clean, from seed {plan.seed} on: "
        f"{seeds * plan.seconds / 3600:.2f} hours of the cluster's time in {seconds:.0f} s"
    )
    page += counted(all_)
    if failed:
        page.append(f"repeat the first with: {failed[0].plan.command()}")
    return Outcome("simulate", verdict, code, fields, page, _hash(), findings_of(all_.declared))
