"""Defects that engines once had, each put back while a block runs: a comparison of the engines must report it."""

import importlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

import numpy as np

from fencepost.checkers.exploration import columns, liveness, plan, region
from fencepost.checkers.exploration.conditions import guard, inside
from fencepost.checkers.exploration.expansion import Expansion
from fencepost.checkers.proof import lowering, row_session, unrolled, vacuity
from fencepost.model.language import Valuation, World, run, satisfying
from fencepost.model.language.fairness import Fair
from fencepost.model.language.terms import FALSE

proving = importlib.import_module("fencepost.checkers.proof.prove")


@dataclass(frozen=True)
class Defect:
    """A defect by what it did, the engine that had it, and the attributes with other values that put it back.

    `seed` is the first of the seeds from 0 on whose protocol shows it, `reports` how a comparison reports it there.
    """

    about: str
    engine: str
    seed: int
    reports: str
    put: tuple[tuple[Any, str, Any], ...]

    @contextmanager
    def put_back(self) -> Iterator[None]:
        """Put the defect back while a block runs."""
        with ExitStack() as stack:
            for target, name, value in self.put:
                stack.enter_context(patch.object(target, name, value))
            yield


def _only_what_writes(target: Any, later: Any, groups: int, stage: int, parts: Any, always: int) -> Any:
    return _moments(target, later, groups, stage, parts, 0)


_only_what_writes.__name__ = "moments"  # printed code finds it by this name


_moments = columns.moments


def _inside_alone(
    self: Any, number: int, expansion: Expansion, states: Any, base: int, enabled: Any, cut: Any, level: int
) -> None:
    _, good = self.plan.layout.pack(expansion.rows)
    if np.any(good):
        _take(self, number, expansion.only(good), states, base, enabled, cut, level)


_take = region._Growing._take


def _can_change_inside(one: Any, fair: Fair, state: Valuation, world: World) -> bool:
    for row in (row.row for row in one.rows if row.row.event.name == fair.event):
        for binding in satisfying(guard(one.protocol, one.bound, row), row.params, state, world):
            after = run(row, binding, state, world).after
            if fair.has(row, binding) and after != state and inside(after, world):
                return True
    return False


def _of_all(self: Any, row: Any) -> tuple[Any, ...]:
    return tuple((one, only) for one, only in self.steps if only in (None, row))


DEFECTS: dict[str, Defect] = {
    "greatest": Defect(
        "a proof takes the greatest value of an endless set to be above all of them, which proves everything",
        "proof",
        660,
        "prove: proved",
        # Both: where definitions are asked whether they contradict each other, nothing is proved from these.
        ((lowering, "bounded_above", lambda *_: True), (vacuity.Contradictions, "found", lambda self: False)),
    ),
    "start": Defect(
        "a protocol without a first state is proved",
        "proof",
        136,
        "prove: start",
        ((proving, "begins", lambda _: True),),
    ),
    "below": Defect(
        "a proof lets a row take a counter below its start, and assumes that no counter is",
        "proof",
        41,
        "prove: below the start",
        ((row_session.RowSession, "_disable_out_of_range", lambda self, stays: None),),
    ),
    "unchanged": Defect(
        "exploration leaves out a step that changes nothing, where a row has several stages",
        "numpy",
        421,
        "explore numpy: claims",
        ((columns, "moments", _only_what_writes),),
    ),
    "refusal": Defect(
        "exploration counts a refusal as a step of every claim where an unrelated claim names its row",
        "numpy",
        13,
        "explore numpy: claims",
        ((plan.Plan, "steps_of", _of_all),),
    ),
    "twice": Defect(
        "exploration takes the last of two values that a stage writes into one cell",
        "numpy",
        1,
        "explore numpy: counts",
        ((plan, "conflict", lambda stage, size: FALSE),),
    ),
    "end of a range": Defect(
        "a claim of runs without end is decided by where the range of a counter ends",
        "numpy",
        97,
        "explore numpy: runs without end",
        ((region._Growing, "_take", _inside_alone), (liveness, "can_change", _can_change_inside)),
    ),
    "nothing read": Defect(
        "symbolic search asks no row of a claim of steps that reads nothing that the row writes",
        "symbolic",
        6,
        "explore --symbolic: claims",
        ((unrolled._Runs, "_goals", staticmethod(lambda here, claim: here.goals(claim))),),
    ),
    "last step": Defect(
        "symbolic search lets the last row of a run leave the ranges of the bound",
        "symbolic",
        58,
        "explore --symbolic: claims",
        ((unrolled.Bounded, "limited", False),),
    ),
}
"""The defects by name."""
