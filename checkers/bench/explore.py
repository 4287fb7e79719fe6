"""`fencepost bench explore`: whole commands on a bound, cold, warm and on one thread, beside other checkers."""

from __future__ import annotations

import json
import os
import statistics
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from fencepost.checkers.exploration.engine import bound_of
from fencepost.checkers.named import family
from fencepost.checkers.verdicts import ExitCode, Refusal, worst
from fencepost.model.registry import FAMILIES

from .measured import Measured, Options
from .peers import PEERS, TITLES, WORKERS, Turn, beside
from .taking import ran

if TYPE_CHECKING:
    from fencepost.model.language import Protocol


OURS = {"cold": f"cold, {WORKERS} threads", "one_thread": "one thread", "warm": f"warm, {WORKERS} threads"}
"""Commands of exploration: with an empty cache, with that of the first on one thread, and so on two."""


class Asked(NamedTuple):
    """An exploration to measure: a protocol by its name, a bound, sizes in place of its own, tables so sized."""

    name: str
    bound: str
    sizes: Mapping[str, int]
    tables: Protocol

    def title(self) -> str:
        """Return the name, the bound and the sizes as text."""
        return " ".join([f"{self.name} at {self.bound}", *(f"{kind}={size}" for kind, size in self.sizes.items())])


def explore(options: Options) -> Measured:
    """Explore the first slice of each protocol at its first bound, or at those named, beside other checkers.

    Each round is a command with an empty cache, the other checkers, a command on one thread and one on two with the
    cache of the first, each in processes of its own; with several rounds, `--seeds`, a figure is the median.
    """

    found: dict[str, dict[str, Any]] = {}
    lines: list[str] = []
    codes: list[ExitCode] = []
    for asked in _asked(options):
        one = _measured(asked, options)
        found.setdefault(asked.name, {})[asked.bound] = one
        lines += _lines(asked.title(), one)
        codes.append(ExitCode.AS_DECLARED if one["agrees"] in (True, None) else ExitCode.DISAGREEMENT)
    count = sum(len(bounds) for bounds in found.values())
    return Measured({"protocols": found}, f"{count} bounds", worst(codes), lines)


def _asked(options: Options) -> list[Asked]:
    """Return protocols and bounds; raises `Refusal` for a bound or a size that no protocol asked for has."""
    families = {name: family(name) for name in options.protocols or FAMILIES}
    bounds = options.bounds or tuple(next(iter(one.explored.bounds)) for one in families.values())
    for bound in bounds:
        if not any(bound in one.bounds for one in families.values()):
            names = ", ".join(families)
            raise Refusal(f"--bound {bound}: {names} has no such bound; fencepost show NAME lists them")
    asked = []
    for name, one in families.items():
        for bound in options.bounds or (next(iter(one.explored.bounds)),):
            if bound in one.bounds:
                of = one.bounds[bound]
                sized = bound_of(of, bound, options.sizes)[1]
                asked.append(Asked(name, bound, options.sizes, replace(of, bounds={**of.bounds, bound: sized})))
    return asked


def _measured(asked: Asked, options: Options) -> dict[str, Any]:
    """Return the counts and the figures of a bound."""
    turns: dict[str, list[Turn]] = {}
    counts: Mapping[str, Any] = {}
    missing: dict[str, str] = {}
    others: Mapping[str, Callable[[], Turn]] = beside(asked.tables, asked.bound, asked.sizes, options.beside)

    def take(key: str, run: Callable[[], Turn]) -> Turn | None:
        options.progress(f"{asked.title()}: {OURS.get(key) or TITLES[key]}")
        try:
            turn = run()
        except Refusal as refusal:
            if key in OURS:
                raise
            missing[key] = str(refusal)
            return None
        turns.setdefault(key, []).append(turn)
        return turn

    for _ in range(options.seeds or 1):
        with tempfile.TemporaryDirectory(prefix="fencepost-bench-") as cache:
            take("cold", lambda cache=cache: _explored(asked, cache))  # type: ignore[misc]
            for key, run in others.items():
                if key not in missing:
                    take(key, run)
            take("one_thread", lambda cache=cache: _explored(asked, cache, 1))  # type: ignore[misc]
            last = take("warm", lambda cache=cache: _explored(asked, cache))  # type: ignore[misc]
            assert last is not None
            counts = last.counts
    made: dict[str, Any] = {key: counts[key] for key in ("distinct", "generated", "depth")}
    made |= {key: _median(turns[key]) for key in OURS}
    agrees = {key: agree(turns[key][-1].counts, counts) for key in others if key in turns}
    made["agrees"] = all(agrees.values()) if agrees else None
    if "tlc" in turns:
        made["tlc"] = _median(turns["tlc"])
        made["ratios"] = {key: _ratio(made["tlc"], made[key]) for key in ("cold", "warm")}
    made["peers"] = {
        key: _peer(turns[key], made["one_thread"]) | {"agrees": agrees[key]} for key in PEERS if key in turns
    }
    return {**made, "refused": missing.pop("tlc", ""), "missing": missing}


def agree(theirs: Mapping[str, Any], ours: Mapping[str, Any]) -> bool:
    """Return whether another checker counts what exploration does, of what it counts."""
    return theirs["distinct"] is not None and all(
        theirs[key] == ours[key]
        for key in ("distinct", "transitions", "generated", "depth")
        if theirs.get(key) is not None
    )


def _explored(asked: Asked, cache: str, threads: int | None = None) -> Turn:
    """Run the whole command with a cache of its own and return what it counts and took."""
    command = [sys.executable, "-m", "fencepost.checkers.cli.main", "explore", asked.name, "--bound", asked.bound]
    for kind, size in asked.sizes.items():
        command += ["--set", f"{kind}={size}"]
    command += [] if threads is None else ["--threads", str(threads)]
    ended = ran([*command, "--json"], environment={**os.environ, "XDG_CACHE_HOME": cache})
    try:
        document: Mapping[str, Any] = json.loads(ended.text)
    except ValueError:
        raise Refusal(f"explore {asked.title()}: gave no document: {ended.errors[-300:]}") from None
    if "distinct" not in document:
        raise Refusal(f"explore {asked.title()}: {document.get('message', 'counted nothing')}")
    return Turn(document, ended.wall_s, ended.cpu_s, ended.peak_bytes)


def _median(turns: list[Turn]) -> dict[str, float]:
    """Return the median of the seconds, and the most memory where it is known."""
    wall, cpu = (statistics.median(column) for column in zip(*((one.wall_s, one.cpu_s) for one in turns), strict=True))
    peak = max(one.peak_bytes for one in turns)
    return {"wall_s": round(wall, 2), "cpu_s": round(cpu, 2), **({"peak_bytes": peak} if peak else {})}


def _ratio(theirs: Mapping[str, float], ours: Mapping[str, float]) -> dict[str, float]:
    return {part: round(theirs[part] / ours[part], 2) for part in ("wall_s", "cpu_s")}


def _peer(turns: list[Turn], one_thread: Mapping[str, float]) -> dict[str, Any]:
    """Return what a peer counts and takes, the seconds before its run apart, and these as multiples of one thread's."""
    told = _median(turns)
    return {**turns[-1].counts, **told, "before": dict(turns[-1].before), "of_one_thread": _ratio(told, one_thread)}


def _lines(title: str, one: Mapping[str, Any]) -> list[str]:
    """Return the figures of a bound as lines: wall and CPU of each, and those of others as multiples."""
    lines = [f"{title}: {one['distinct']:,} states"]
    lines += [f"  {words}: {_seconds(one[key])}" for key, words in OURS.items()]
    if "tlc" in one:
        cold, warm = one["ratios"]["cold"], one["ratios"]["warm"]
        lines.append(
            f"  {TITLES['tlc']}: {_seconds(one['tlc'])}: {cold['wall_s']} × cold and {warm['wall_s']} × warm, "
            f"{cold['cpu_s']} × and {warm['cpu_s']} × in CPU"
        )
    elif one["refused"]:
        lines.append(f"  TLC did not run: {one['refused']}")
    for key, peer in one["peers"].items():
        before = ", ".join(f"{step} {took['cpu_s']} s" for step, took in peer["before"].items())
        lines.append(
            f"  {TITLES[key]}: {_seconds(peer)}: {peer['of_one_thread']['wall_s']} × one thread, "
            f"{peer['of_one_thread']['cpu_s']} × in CPU; before ({before} of CPU)"
        )
    lines += [f"  {TITLES[key]} did not run: {why}" for key, why in one["missing"].items()]
    if one["agrees"] is False:
        lines.append("  the counts are not the same: see --json")
    return lines


def _seconds(took: Mapping[str, float]) -> str:
    memory = f", {took['peak_bytes'] / 1e6:,.0f} MB" if "peak_bytes" in took else ""
    return f"{took['wall_s']} s ({took['cpu_s']} of CPU{memory})"
