"""`fencepost bench explore`: whole commands on a bound, cold and warm, and TLC with two workers between them."""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from fencepost.checkers.verdicts import ExitCode, Refusal, worst

if TYPE_CHECKING:
    from .bench import Measured, Options

WORKERS = 2
"""Threads of TLC, and at most those of exploration."""


def explore(options: Options) -> Measured:
    """Explore the first slice of each protocol at its first bound, or at those named, and let TLC do the same.

    Each round is a command with an empty cache, TLC, and a command with the cache of the first, each in processes of
    its own; with several rounds, `--seeds`, a figure is the median.
    """
    from .bench import Measured

    found: dict[str, dict[str, Any]] = {}
    lines: list[str] = []
    codes: list[ExitCode] = []
    for name, bound in _asked(options):
        one = _measured(name, bound, options.seeds or 1, options.progress)
        found.setdefault(name, {})[bound] = one
        lines.append(_line(f"{name} at {bound}", one))
        codes.append(ExitCode.AS_DECLARED if one["agrees"] in (True, None) else ExitCode.DISAGREEMENT)
    count = sum(len(bounds) for bounds in found.values())
    return Measured({"protocols": found}, f"{count} bounds", worst(codes), lines)


def _asked(options: Options) -> list[tuple[str, str]]:
    """Return protocols and bounds; raises `Refusal` for a bound that no protocol asked for has."""
    from fencepost.model.registry import FAMILIES

    names = options.protocols or tuple(FAMILIES)
    if not options.bounds:
        return [(name, next(iter(FAMILIES[name].explored.bounds))) for name in names]
    asked = [(name, bound) for name in names for bound in options.bounds if bound in FAMILIES[name].bounds]
    for bound in options.bounds:
        if bound not in (known for _, known in asked):
            raise Refusal(f"--bound {bound}: {', '.join(names)} has no such bound; fencepost show NAME lists them")
    return asked


def _measured(name: str, bound: str, rounds: int, progress: Callable[[str], None]) -> dict[str, Any]:
    """Return the counts and the figures of a bound."""
    from fencepost.checkers.tlc import run_tlc
    from fencepost.model.registry import FAMILIES

    of = FAMILIES[name].bounds[bound]
    times: dict[str, list[tuple[float, float]]] = {"cold": [], "tlc": [], "warm": []}
    counts: dict[str, Any] = {}
    theirs, refused = None, ""
    for _ in range(rounds):
        with tempfile.TemporaryDirectory(prefix="fencepost-bench-") as cache:
            progress(f"{name} at {bound}, cold")
            counts, *spent = of_children(lambda cache=cache: _explored(name, bound, cache))  # type: ignore[misc]
            times["cold"].append((spent[0], spent[1]))
            if not refused:
                progress(f"TLC on {name} at {bound}")
                try:
                    theirs, *spent = of_children(lambda: run_tlc(of, bound, workers=WORKERS, properties=()))
                    times["tlc"].append((spent[0], spent[1]))
                except Refusal as refusal:
                    refused = str(refusal)
            progress(f"{name} at {bound}, warm")
            counts, *spent = of_children(lambda cache=cache: _explored(name, bound, cache))  # type: ignore[misc]
            times["warm"].append((spent[0], spent[1]))
    made: dict[str, Any] = {key: counts[key] for key in ("distinct", "generated", "depth")}
    made |= {key: _median(spent) for key, spent in times.items() if spent}
    made["agrees"] = None
    if theirs is not None:
        made["agrees"] = (theirs.distinct, theirs.generated) == (counts["distinct"], counts["generated"])
        made["ratios"] = {
            key: {part: round(made["tlc"][part] / made[key][part], 2) for part in ("wall_s", "cpu_s")}
            for key in ("cold", "warm")
        }
    return {**made, "refused": refused}


def of_children(run: Callable[[], Any]) -> tuple[Any, float, float]:
    """Return what a function returns, the seconds of the wall clock, and the seconds of CPU of the processes it ran."""
    began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    found = run()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return found, time.perf_counter() - began, cpu


def _explored(name: str, bound: str, cache: str) -> Mapping[str, Any]:
    """Run the whole command with a cache of its own and return its document."""
    command = [sys.executable, "-m", "fencepost.checkers.cli.main", "explore", name, "--bound", bound, "--json"]
    environment = {**os.environ, "XDG_CACHE_HOME": cache}
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    try:
        document: Mapping[str, Any] = json.loads(ended.stdout)
    except ValueError:
        raise Refusal(f"explore {name} --bound {bound}: gave no document: {ended.stderr[-300:]}") from None
    if "distinct" not in document:
        raise Refusal(f"explore {name} --bound {bound}: {document.get('message', 'counted nothing')}")
    return document


def _median(spent: list[tuple[float, float]]) -> dict[str, float]:
    wall, cpu = (statistics.median(column) for column in zip(*spent, strict=True))
    return {"wall_s": round(wall, 2), "cpu_s": round(cpu, 2)}


def _line(title: str, one: Mapping[str, Any]) -> str:
    """Return the figures of a bound as a line: wall and CPU of each, and TLC's as multiples."""
    told = ", ".join(f"{key} {one[key]['wall_s']} s ({one[key]['cpu_s']} of CPU)" for key in ("cold", "warm"))
    line = f"{title}: {one['distinct']:,} states; {told}"
    if "tlc" not in one:
        return f"{line}; TLC did not run: {one['refused']}"
    ratios = one["ratios"]
    against = f"{ratios['cold']['wall_s']} × cold and {ratios['warm']['wall_s']} × warm"
    in_cpu = f"{ratios['cold']['cpu_s']} × and {ratios['warm']['cpu_s']} × in CPU"
    agrees = "" if one["agrees"] else "; TLC counts otherwise"
    return f"{line}; TLC {one['tlc']['wall_s']} s ({one['tlc']['cpu_s']} of CPU): {against}, {in_cpu}{agrees}"
