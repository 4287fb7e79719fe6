"""`fencepost bench prove` and `bench stability`: what proofs cost, and how far that depends on names and seeds."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from typing import Any, TypeVar

from fencepost.checkers.codes import proof_code
from fencepost.checkers.leases import theorems
from fencepost.checkers.proof import prove as proved
from fencepost.checkers.proof import stability as measured
from fencepost.checkers.proof.solvers import solver_name
from fencepost.checkers.verdicts import ExitCode, worst
from fencepost.model.registry import FAMILIES

from .against import compared, earlier
from .measured import Measured, Options

Result = TypeVar("Result")


def cpu_seconds() -> float:
    """Return the seconds of all processors that this process and its ended children have used."""
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def timed(run: Callable[[], Result]) -> tuple[Result, float, float]:
    """Return what a function returns, the seconds of the wall clock, and those of all processors."""
    began, cpu = time.perf_counter(), cpu_seconds()
    found = run()
    return found, time.perf_counter() - began, cpu_seconds() - cpu


def prove(options: Options) -> Measured:
    """Prove each protocol, and the lease regions: obligations for a second of CPU, and the share of each in the whole.

    Seconds depend on the machine and on what else it does; the shares, and the seconds of CPU for a second of the wall
    clock, which say how busy the cores were, compare with another day's. Verdicts that an earlier measurement counted
    otherwise, as under another version of Z3, are a disagreement.
    """
    before = None if options.against is None else earlier(options.against)
    seeds = options.seeds or 1
    found: dict[str, dict[str, Any]] = {}
    codes: list[ExitCode] = []
    for name in options.protocols or FAMILIES:
        options.progress(name)
        whole = FAMILIES[name].whole
        proof, wall, cpu = timed(lambda whole=whole: proved(whole, seeds=range(options.first, options.first + seeds)))  # type: ignore[misc]
        asked = proof.obligations + proof.frame_obligations
        told = {"obligations": asked, "proved": proof.proved, "expected": proof.expected, "unknown": proof.unknown}
        found[name] = _costs(told, proof.obligations * seeds, wall, cpu)
        codes.append(proof_code(proof))
    if not options.protocols:
        options.progress("lease regions")
        steps, wall, cpu = timed(theorems)
        kept = sum(one.proof.holds for one in steps)
        found["lease regions"] = _costs({"obligations": len(steps), "proved": kept}, len(steps), wall, cpu)
        codes.append(ExitCode.AS_DECLARED if kept == len(steps) else ExitCode.INCONCLUSIVE)
    total = sum(one["cpu_s"] for one in found.values())
    for one in found.values():
        one["share_of_cpu"] = round(one["cpu_s"] / total, 3)
    lines = [
        f"{name}: {one['proved']} of {one['obligations']} proved in {one['wall_s']} s, {one['cpu_s']} s of CPU "
        f"({one['share_of_cpu']:.0%} of all), {one['cores']} cores busy, {one['asked_per_cpu_s']} asked a second of CPU"
        for name, one in found.items()
    ]
    wall = sum(one["wall_s"] for one in found.values())
    line = f"{len(found)} proofs in {wall:.1f} s, {total:.1f} s of CPU, {seeds} seed{'s' if seeds > 1 else ''} each"
    figures = {"seeds": seeds, "solver": solver_name(), "protocols": found}
    if before is not None:
        differences, code = compared(before, figures)
        lines += differences
        codes.append(code)
    return Measured(figures, line, worst(codes), lines)


def _costs(told: dict[str, Any], asked: int, wall: float, cpu: float) -> dict[str, Any]:
    """Return the figures of a run: `asked` is the number of solver queries."""
    more = {"cores": round(cpu / wall, 2), "asked_per_cpu_s": round(asked / cpu)}
    return {**told, "wall_s": round(wall, 2), "cpu_s": round(cpu, 2), **more}


SAMPLE = 0.1
"""The share of a protocol's obligations that `bench stability` asks."""


def stability(options: Options) -> Measured:
    """Ask a sample of each protocol's obligations under other names, orders and seeds: `--seeds` of each, else 60."""
    variations = options.seeds or 60
    found: dict[str, dict[str, Any]] = {}
    lines: list[str] = []
    for name in options.protocols or FAMILIES:
        told = options.progress
        one, wall, cpu = timed(
            lambda name=name, told=told: measured(  # type: ignore[misc]
                FAMILIES[name].whole,
                variations=variations,
                sample=SAMPLE,
                seed=options.first,
                progress=lambda done, total: told(f"{name}: {done} of {total}"),
            )
        )
        found[name] = {**one.as_json(), "wall_s": round(wall, 2), "cpu_s": round(cpu, 2)}
        unstable = one.unstable()
        lines.append(
            f"{name}: {len(one.proved)} obligations, {variations} renamings, reorderings and seeds of each: "
            f"{len({(row, id) for row, id, _, _ in unstable})} unstable"
        )
        lines += [f"  {row} × {id}: proved in {count} of {variations} by {way}" for row, id, way, count in unstable]
    total = sum(len(one["unstable"]) for one in found.values())
    code = ExitCode.INCONCLUSIVE if total else ExitCode.AS_DECLARED
    return Measured({"variations": variations, "protocols": found}, f"{total} unstable", code, lines)
