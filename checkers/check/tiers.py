"""The tier of a pull request: what of a check ends within a minute on two cores, and what waits for the whole check."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fencepost.model.registry import FAMILIES, Family

from . import on_spark
from .stages import Stage

if TYPE_CHECKING:
    Job = tuple[str, Callable[..., Stage], tuple[Any, ...]]

EVERYTHING, PULL_REQUEST = "everything", "pull-request"
TIERS = (EVERYTHING, PULL_REQUEST)
STEPS = frozenset({"prove", "explore", "conform"})
"""Steps that a pull request waits for; TLC and Spark repeat what exploration and one process say."""

LONG_PROOFS: Mapping[str, int] = {"kraft": 86, "kraft-data": 22, "kraft-loop": 19, "kraft-voters": 50, "zk": 30}
"""Proofs that wait, with the seconds that each takes beside another stage, on one of two cores (2026-12-02)."""
LARGER_BOUNDS: Mapping[str, tuple[str, ...]] = {"kraft": ("unclean", "everything")}
"""Bounds beside the first of their slice that a whole check explores too: what they show no first bound does."""
LONG_LOGS = on_spark.LONG
"""Recordings that wait: checking each takes longer than checking most others together."""


def of_pull_request(
    planned: Sequence[Job], families: Mapping[str, Family], known: Callable[[Job], bool], ours: bool
) -> tuple[list[Job], tuple[str, ...]]:
    """Return the stages that a pull request waits for, and what is left out of them, a sentence for each kind.

    Of protocols that come with fencepost the long proofs wait, what falls without each of their assumptions, and all
    bounds but the first; of their recordings, which are checked where `ours` says so, the long ones. `known` names
    stages that were asked before, and wait for nothing. Of protocols and logs of yours everything is asked.
    """
    taken: list[Job] = []
    proofs: list[str] = []
    bounds: dict[str, int] = {}
    logs: list[str] = []
    for job in planned:
        owner, run, given = job
        if owner not in FAMILIES or known(job):
            taken.append(job)
        elif run.__name__ == "proof" and owner in LONG_PROOFS:
            proofs.append(owner)
        elif run.__name__ == "proof":
            taken.append((owner, run, (owner, False)))
        elif run.__name__ == "exploration" and given[1] != next(iter(families[owner].bounds)):
            bounds[owner] = bounds.get(owner, 0) + 1
        elif run.__name__ == "logs" and ours:
            come = [path for path in given[1] if Path(path).name not in LONG_LOGS]
            logs += [Path(path).name for path in given[1] if path not in come]
            taken.append((owner, run, (owner, come, *given[2:])))
        else:
            taken.append(job)
    return taken, tuple(_left_out(proofs, bounds, logs))


def steps_left_out(only: Collection[str], recordings: bool) -> tuple[str, ...]:
    """Return the steps that are asked for and wait, in words; those that are of our recordings only where they are."""
    waiting = {"tlc": "TLC"} | ({"spark": "Spark", "answers": "recorded answers (37 CPU s)"} if recordings else {})
    return tuple(word for step, word in waiting.items() if step in only)


def _left_out(proofs: Sequence[str], bounds: Mapping[str, int], logs: Sequence[str]) -> list[str]:
    said = []
    if proofs:
        seconds = sum(LONG_PROOFS[name] for name in proofs)
        said.append(f"the proofs of {', '.join(proofs)} ({seconds} CPU s)")
    if bounds:
        told = ", ".join(f"{name} {count}" for name, count in bounds.items())
        said.append(f"{sum(bounds.values())} bounds behind the first of each protocol ({told})")
    if logs:
        said.append(f"the recordings {', '.join(logs)}")
    return said
