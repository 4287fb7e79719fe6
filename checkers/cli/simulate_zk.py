"""`fencepost simulate --protocol zk`: the ZooKeeper-era controller in a simulated cluster, checked with its tables."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from fencepost.checkers.verdicts import Refusal

from .outcome import Outcome
from .simulated_runs import Simulation, Written
from .simulated_zk import JudgedZk, judged_alone, judged_run

if TYPE_CHECKING:
    from fencepost.reference.zk.simulation.run import Run
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
) -> Outcome:
    """Run the ZooKeeper-era reference, check every step against the tables; raises `Refusal` for what does not fit."""
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
    return Simulation(judged_run, judged_alone, _write, JudgedZk, "zk").run(plan, seeds, jobs, out, story)


def _write(run: Run, judged: JudgedZk, steps: list[ZkStep], directory: Path) -> Written:
    """Write a run's logs, history and steps."""
    from fencepost.reference.zk.simulation.output import write_run

    trace = write_run(run, directory, steps)
    lines = [f"log:   {directory}", f"trace: {trace}", f"next:  fencepost conform {shlex.quote(str(directory))}"]
    return Written({"log": str(directory), "trace": str(trace)}, lines)
