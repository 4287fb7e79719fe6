"""The shortest run from one state of a bound to another that satisfies a condition, breadth first."""

from __future__ import annotations

from dataclasses import dataclass, replace

from fencepost.checkers.counterexample import Trace, holds
from fencepost.checkers.verdicts import Verdict
from fencepost.model.language import AT_RESULT_BOUNDARIES, Always, Bound, Protocol, Term, Valuation
from fencepost.model.language.walk import negation

from .engine import Progress, Search
from .layout import Layout
from .plan import Plan
from .traces import Tracer

GOAL = "until"
"""The id of the claim that no state satisfies the condition, which the run breaks."""


@dataclass(frozen=True)
class Reached:
    """What a search found: the run, None where there is none; `closed` says that every state from here was seen."""

    trace: Trace | None
    states: int
    closed: bool


def reach(
    protocol: Protocol,
    bound: Bound,
    layout: Layout,
    start: Valuation,
    goal: Term[bool],
    max_states: int | None = None,
    progress: Progress | None = None,
) -> Reached:
    """Search from a state of a bound for a state that satisfies a condition; the run is replayed by the interpreter.

    Raises `ReplayFailed` where the interpreter does not reproduce it.
    """
    if holds(goal, start, layout.world):
        return Reached(Trace(protocol, layout.world, start, (), initial=False), 1, False)
    claim = Always(GOAL, negation(goal), AT_RESULT_BOUNDARIES, "", "", "holds", "", False, protocol.place)
    plan = Plan(replace(protocol, properties=(claim,)), bound, layout)
    search = Search(plan, "auto", False, True, progress)
    search.first = layout.row(start).reshape(1, -1)
    ended = search.run(max_states, None)
    found = search.found.get(GOAL)
    trace = None if found is None else Tracer(plan, search.store).confirmed(claim, found)
    return Reached(trace, search.store.count, ended.verdict is Verdict.CLOSED)
