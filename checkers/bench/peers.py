"""The checkers that `fencepost bench explore` puts beside exploration: TLC, SPIN, and two in Rust."""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fencepost.checkers.tlc import run_tlc
from fencepost.checkers.verdicts import Refusal

from .taking import ran

if TYPE_CHECKING:
    from fencepost.model.language import Protocol

WORKERS = 2
"""Threads of TLC and of stateright, and at most those of exploration."""

MEASURE = Path(__file__).resolve().parents[2] / "tests" / "peers" / "measure.py"
"""The script that runs SPIN and Rust.

It is run, and not imported: models restated by hand are no part of the package.
"""

TITLES = {
    "tlc": f"TLC, {WORKERS} workers",
    "spin": "SPIN, one thread",
    "rust": "a search in Rust, one thread",
    "stateright": f"stateright, {WORKERS} threads",
}
"""The checkers by what `--beside` calls them, with the threads that they have."""

PEERS = ("spin", "rust", "stateright")
"""Engines for which models are restated by hand."""

BY_DEFAULT = ("tlc", "spin", "rust")
"""Engines that run by default: stateright has some fifty crates downloaded and compiled."""


@dataclass(frozen=True)
class Turn:
    """Counts and costs of one run; `before` has the seconds of what came before it, as of compiling it.

    `peak_bytes` is 0 where it is not known.
    """

    counts: Mapping[str, Any]
    wall_s: float
    cpu_s: float
    peak_bytes: int = 0
    before: Mapping[str, Mapping[str, float]] = field(default_factory=dict)


def beside(
    tables: Protocol, bound: str, sizes: Mapping[str, int], names: Sequence[str]
) -> dict[str, Callable[[], Turn]]:
    """Return how to run each of some checkers; what is returned raises `Refusal` where it cannot."""
    return {
        name: partial(_tlc, tables, bound) if name == "tlc" else partial(_peer, name, tables, bound, sizes)
        for name in names or BY_DEFAULT
    }


def _tlc(tables: Protocol, bound: str) -> Turn:
    """Have TLC count states, and check no property."""
    began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    found = run_tlc(tables, bound, workers=WORKERS, properties=())
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Turn({"distinct": found.distinct, "generated": found.generated}, wall, cpu)


def _peer(name: str, tables: Protocol, bound: str, sizes: Mapping[str, int]) -> Turn:
    """Run a checker on a model that is restated for it."""
    if not MEASURE.exists():
        raise Refusal("models are restated in the repository, in tests/peers, and not in what is installed")
    asked = [name, tables.name, bound, *(f"{kind}={size}" for kind, size in sizes.items())]
    ended = ran([sys.executable, str(MEASURE), *asked])
    if ended.code:
        raise Refusal(f"{MEASURE.name} ended with {ended.code}: {ended.errors.strip()[-300:]}")
    found: dict[str, Any] = json.loads(ended.text)
    if "missing" in found:
        raise Refusal(found["missing"])
    steps = found.pop("steps")
    run = steps.pop("run")
    return Turn(found, run["wall_s"], run["cpu_s"], found["peak_bytes"], steps)
