"""`fencepost bench zk`: the ZooKeeper era's simulation, conformance, exploration against TLC, and proof."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from fencepost.checkers.cli.simulated_zk import judged_run
from fencepost.checkers.conformance.zk import conform_recordings
from fencepost.checkers.exploration import explore
from fencepost.checkers.proof import prove
from fencepost.checkers.tlc import run_tlc
from fencepost.checkers.verdicts import Refusal
from fencepost.model.zk import ZK
from fencepost.model.zk.slices import SLICES
from fencepost.reference.zk.simulation.output import write_run
from fencepost.reference.zk.simulation.plan import Plan

from .engines import timed
from .measured import Measured, Options


def zk(options: Options) -> Measured:
    """Measure each engine on the ZooKeeper era once; exploration and TLC count the same bound, `tiny`."""
    figures: dict[str, Any] = {}
    more: list[str] = []
    count = options.seeds or 3
    with tempfile.TemporaryDirectory() as scratch:
        simulated = steps = 0.0
        wall = cpu = 0.0
        for seed in range(options.first, options.first + count):
            options.progress(f"seed {seed}")
            kept: list[Any] = []
            plan = Plan(seed=seed, seconds=options.seconds or 120)
            (run, judged), took, busy = timed(lambda plan=plan, kept=kept: judged_run(plan, kept))  # type: ignore[misc]
            wall, cpu, simulated, steps = wall + took, cpu + busy, simulated + plan.seconds, steps + judged.steps
            write_run(run, Path(scratch, str(seed)), kept)
        figures["lock_step"] = {"seeds": count, "steps": steps, "wall_s": round(wall, 2), "cpu_s": round(cpu, 2)}
        more.append(
            f"lock step: {steps / cpu:,.0f} steps a second of CPU, {simulated / wall:,.0f} simulated seconds a second"
        )
        options.progress("conformance")
        folders = [str(one) for one in sorted(Path(scratch).iterdir())]
        judged_logs, wall, cpu = timed(lambda: conform_recordings(folders, ZK))
        records = sum(one.records for one in judged_logs.logs)
        figures["conform"] = {"records": records, "wall_s": round(wall, 2), "cpu_s": round(cpu, 2)}
        more.append(f"conform: {records:,} records, {records / cpu:,.0f} a second of CPU")
    options.progress("exploration")
    explored, wall, cpu = timed(lambda: explore(SLICES[0], "tiny"))
    figures["explore"] = {"distinct": explored.distinct, "wall_s": round(wall, 2), "cpu_s": round(cpu, 2)}
    more.append(f"explore tiny: {explored.distinct:,} states in {wall:.1f} s, {cpu:.1f} s of CPU")
    options.progress("TLC")
    try:
        counted, theirs, their_cpu = timed(lambda: run_tlc(SLICES[0], "tiny", properties=()))
        figures["tlc"] = {"distinct": counted.distinct, "wall_s": round(theirs, 2), "cpu_s": round(their_cpu, 2)}
        figures["ratio"] = {"wall": round(theirs / wall, 2), "cpu": round(their_cpu / cpu, 2)}
        ratios = f"{theirs / wall:.1f} × ours, {their_cpu / cpu:.1f} × in CPU"
        more.append(f"TLC tiny: {theirs:.1f} s, {their_cpu:.1f} s of CPU: {ratios}")
    except Refusal as refusal:
        more.append(f"TLC did not run: {refusal}")
    options.progress("proof")
    proof, wall, cpu = timed(lambda: prove(ZK))
    asked = proof.obligations + proof.frame_obligations
    figures["prove"] = {"obligations": asked, "proved": proof.proved, "wall_s": round(wall, 2), "cpu_s": round(cpu, 2)}
    more.append(f"prove: {proof.proved} of {asked} obligations in {wall:.1f} s, {cpu:.1f} s of CPU")
    return Measured(figures, f"{count} seeds, one bound, one proof", more=more)
