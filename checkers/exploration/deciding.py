"""What a search says of each property once it has ended: found, shown, not put to the test, or closed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fencepost.checkers.counterexample import (
    RANGE_DECIDES,
    RANGE_ENDS,
    binding_text,
    deadlock_decided_by_range,
    twice_in_last_state,
)
from fencepost.checkers.verdicts import Verdict
from fencepost.checkers.written_once import WRITTEN_ONCE
from fencepost.model.language import Always, LeadsTo, Property, Sometimes, Step
from fencepost.model.language.render import fairness_text

from .declaring import declared, not_tested
from .disk import DiskStore
from .liveness import judge
from .reduction import ReducingLane
from .result import DEADLOCK, PropertyVerdict
from .symmetry import OrbitStore
from .traces import Found, Tracer

if TYPE_CHECKING:
    from .engine import Ended, Search


def of_property(one: Property, search: Search, ended: Ended, tracer: Tracer) -> PropertyVerdict:
    """Return the verdict on a property, with the replayed run where one was found."""
    judged = _liveness(one, search, ended, tracer) if isinstance(one, LeadsTo) else _safety(one, search, ended, tracer)
    return declared(judged, one, search.plan.bound)


def _safety(one: Always | Step | Sometimes, search: Search, ended: Ended, tracer: Tracer) -> PropertyVerdict:
    found = search.found.get(one.id)
    expected = "holds" if isinstance(one, Sometimes) else one.expected
    if found is not None:
        trace = tracer.confirmed(one, found)
        verdict = Verdict.WITNESSED if isinstance(one, Sometimes) else Verdict.VIOLATED
        message = f"first in level {found.depth}"
        if tracer.is_decided_by_range(one, found, trace):
            verdict, message = Verdict.INCONCLUSIVE, f"broken {message}, {RANGE_DECIDES}"
        return PropertyVerdict(one.id, verdict, expected, found.depth, trace, message)
    if isinstance(one, Sometimes):
        if ended.verdict is Verdict.CLOSED:
            return PropertyVerdict(
                one.id, Verdict.VACUOUS, expected, None, None, "no reachable state at these sizes shows it"
            )
        return PropertyVerdict(one.id, Verdict.INCONCLUSIVE, expected, None, None, f"no witness yet: {ended.message}")
    vacuity = search.plan.challenges[one.id].unmet(
        search.plan.protocol, search.found, {**search.fired, **search.applied}
    )
    if vacuity is not None:
        return not_tested(one, vacuity, ended.verdict, ended.message)
    return PropertyVerdict(one.id, ended.verdict, expected, None, None, ended.message)


def _liveness(one: LeadsTo, search: Search, ended: Ended, tracer: Tracer) -> PropertyVerdict:
    if ended.verdict is not Verdict.CLOSED:
        message = f"liveness needs every reachable state: {ended.message}"
        return PropertyVerdict(one.id, Verdict.INCONCLUSIVE, one.expected, None, None, message)
    if isinstance(search.store, OrbitStore):
        message = "liveness is asked of every state, and of each orbit one was kept; leave out the symmetry"
        return PropertyVerdict(one.id, Verdict.INCONCLUSIVE, one.expected, None, None, message)
    if isinstance(search.lane, ReducingLane):
        message = "liveness is asked of every state, and some steps were put off; leave out --partial-order"
        return PropertyVerdict(one.id, Verdict.INCONCLUSIVE, one.expected, None, None, message)
    if isinstance(search.store, DiskStore):
        message = "liveness is asked of states in memory; leave out --disk"
        return PropertyVerdict(one.id, Verdict.INCONCLUSIVE, one.expected, None, None, message)
    found = judge(
        search.plan, search.store, search.engine, tracer, search.levels, one, search.engine is not search.columns
    )
    if not found.triggered:
        message = "no reachable state at these sizes shows the trigger"
        return PropertyVerdict(one.id, Verdict.VACUOUS, one.expected, None, None, message)
    scope = f"under {fairness_text(one)}"
    if found.lasso is None and found.cut:
        message = f"a counter's range alone disables {', '.join(found.cut)} on the way to the goal, {scope}; " + (
            "a run may go on outside: give the bound an assumption on that event that says where it ends"
        )
        return PropertyVerdict(one.id, Verdict.INCONCLUSIVE, one.expected, None, None, message)
    if found.lasso is None:
        return PropertyVerdict(one.id, ended.verdict, one.expected, None, None, f"{ended.message}, {scope}")
    loop = found.lasso.loop
    if found.given:
        scope = f"for {binding_text(found.given)}, {scope}"
    message = f"{scope}; from level {found.lasso.depth} on the run " + (
        f"repeats {len(loop.steps)} rows for ever" if loop.steps else "stays in one state"
    )
    return PropertyVerdict(one.id, Verdict.VIOLATED, one.expected, found.lasso.depth, found.lasso.stem, message, loop)


def of_deadlock(search: Search, ended: Ended, tracer: Tracer) -> PropertyVerdict:
    """Return the verdict on deadlock."""
    found = search.found.get(DEADLOCK)
    if found is None:
        return PropertyVerdict(DEADLOCK, ended.verdict, "holds", None, None, ended.message)
    trace = tracer.confirmed(None, found)
    verdict, message = Verdict.VIOLATED, f"no row is enabled, first in level {found.depth}"
    if deadlock_decided_by_range(trace, search.plan.bound):
        verdict, message = Verdict.INCONCLUSIVE, f"{message}, {RANGE_ENDS}"
    return PropertyVerdict(DEADLOCK, verdict, "holds", found.depth, trace, message)


def of_written_once(found: Found | None, tracer: Tracer) -> tuple[PropertyVerdict, ...]:
    """Return the verdict that a stage writes a cell twice with different values, none where none does.

    The run ends in front of that row. Raises `ReplayFailed` where the interpreter runs the row.
    """
    if found is None:
        return ()
    trace, move = tracer.in_front_of(found)
    message = twice_in_last_state(trace, *move)
    return (PropertyVerdict(WRITTEN_ONCE, Verdict.VIOLATED, "holds", found.depth, trace, message),)
