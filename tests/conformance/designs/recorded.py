"""The four designs with their references, and runs of a minute that the tests here check and alter."""

import importlib
from collections.abc import Iterable
from functools import cache
from typing import Any

from fencepost.checkers.cli.simulate_design import DESIGNS
from fencepost.checkers.conformance.designs import DesignJudge
from fencepost.model.language import Protocol
from fencepost.model.registry import find
from fencepost.traces.design_steps import DesignStep, Header

SEEDS = range(1, 5)
SECONDS = 60


def simulation(design: str) -> Any:
    """Return the module that runs a design's reference."""
    return importlib.import_module(DESIGNS[design])


@cache
def recorded(design: str, seed: int, seconds: float = SECONDS) -> tuple[Header, tuple[DesignStep, ...]]:
    """Return the header and the steps of a seed under a swarm of faults."""
    run = simulation(design)
    return run.header(seed), tuple(run.run(seed, seconds))


def judged(header: Header, steps: Iterable[DesignStep]) -> DesignJudge:
    """Return the checker of some steps, after the last."""
    judge = DesignJudge(whole(header.design), header)
    for step in steps:
        judge.step(step)
    return judge


def whole(design: str) -> Protocol:
    """Return a design's tables."""
    return find(design).whole
