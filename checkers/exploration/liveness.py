"""Liveness: a leads-to property checked on the explored graph, under weak and strong fairness of its events.

A run breaks the property when it stays for ever among states without the goal after a trigger, and is fair. Of each
weakly fair event it takes a step again and again, or passes again and again a state in which the event can change
nothing; of each strongly fair one it takes a step again and again, or passes only so many states in which the event can
change something. Of the events of `finitely` it takes no step again and again. This is what TLC asks of `WF_vars` and
`SF_vars` of each event.

The states that a run passes again and again are strongly connected by the steps that it takes. So such a run exists
exactly where some set of states is strongly connected and fair: it has a step of each fair event, or else lacks it in
some state (weak) or in every state (strong); standing still in one state is the set without steps. An event whose step
would leave a counter's range is not lacking. The largest such
sets are found as of Streett automata: a component that fails a weakly fair event has no such set, one that fails a
strongly fair event has at most those among the states that lack it, whose components are asked in turn.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fencepost.checkers.counterexample import Trace, holds, replay
from fencepost.checkers.verdicts import ReplayFailed
from fencepost.model.language import LeadsTo, Valuation, Var, World, run, satisfying
from fencepost.model.language.fairness import Fair, fairness, instances

from .conditions import guard
from .cycles import components
from .expansion import Expanding
from .layout import Numbers
from .plan import Plan
from .region import Bools, Region, judged, region
from .store import Store
from .traces import Move, Tracer

MANY = 50_000
"""Steps of a region from which its components are worth compiled code."""


@dataclass(frozen=True)
class Lasso:
    """A run that breaks a leads-to property: replayed steps to a state, and steps from there to it, done for ever.

    A loop without steps stays in one state. `depth` is the level of the state where the loop begins.
    """

    stem: Trace
    loop: Trace
    depth: int


@dataclass(frozen=True)
class Judged:
    """What was found of a leads-to property: whether a trigger was seen, and the lasso that breaks it, if any.

    `cut` are the rows that a counter's range alone disables somewhere on the way to the goal: where there is no lasso,
    and there are such rows, a run may leave the ranges, and what follows is not known. `given`: of a claim that is made
    for each value of some variables, those for which the lasso breaks it.
    """

    triggered: bool
    lasso: Lasso | None
    cut: tuple[str, ...] = ()
    given: Mapping[Var[Any], Any] = field(default_factory=dict)


def judge(
    plan: Plan, store: Store, engine: Expanding, tracer: Tracer, levels: list[int], one: LeadsTo, compiled: bool
) -> Judged:
    """Check a leads-to property on a store that holds every reachable state.

    `compiled` allows compiled code for large graphs. Raises `ReplayFailed` where the interpreter does not reproduce the
    run.
    """
    triggered, cut = False, set[int]()
    least: tuple[Region, LeadsTo, Mapping[Var[Any], Any], int, Steps] | None = None
    for claim, values in instances(one, plan.layout.world):
        triggers, goals = judged(plan, store, claim.trigger), judged(plan, store, claim.goal)
        triggered |= bool(triggers.any())
        found = region(plan, store, engine, levels, claim, triggers, goals)
        entry = _entry(found, compiled)
        if entry is None:
            cut |= set(found.cut[found.cut >= 0].tolist())
        elif least is None or found.depth[entry[0]] < least[0].depth[least[3]]:
            least = (found, claim, values, *entry)
    if least is None:
        return Judged(triggered, None, tuple(plan.rows[number].row.id for number in sorted(cut)))
    found, claim, given, at, around = least
    return Judged(True, _lasso(plan, tracer, found, claim, at, around), given=given)


def _components(count: int, source: Numbers, target: Numbers, compiled: bool) -> tuple[int, Numbers]:
    order = np.argsort(source, kind="stable")
    begin = np.searchsorted(source[order], np.arange(count + 1))
    of = np.full(count, -1, np.int64)
    function: Callable[..., Any] | None = None
    if compiled and len(order) > MANY:
        from .compiled import compiled_search

        function = compiled_search()
    return components(begin.astype(np.int64), target[order], of, function), of


def fair_components(found: Region, compiled: bool = False) -> Numbers:
    """Return in which component a fair run that comes to a state may stay for ever: its number, -1 where in none.

    The components are the largest ones. A round takes time in proportion to the states and steps that are undecided,
    and there is one more than strongly fair events at most: the states that a round leaves lack the events it was for.
    """
    result = np.full(len(found.states), -1, np.int64)
    states, steps = np.arange(len(found.states)), np.arange(len(found.source))
    place = np.zeros(len(found.states), np.int64)
    numbers = 0
    while len(states):
        place[states] = np.arange(len(states))
        source, target = place[found.source[steps]], place[found.target[steps]]
        count, of = _components(len(states), source, target, compiled)
        stays = of[source] == of[target]
        left_out = _unfair(found, states, steps[stays], of, of[source[stays]], count)
        settled = np.ones(count, np.bool_)
        settled[of[left_out]] = False
        result[states[settled[of]]] = numbers + of[settled[of]]
        numbers += count
        again = ~settled[of] & ~left_out
        steps = steps[stays & again[source] & again[target]]
        states = states[again]
    return result


def _unfair(found: Region, states: Numbers, steps: Numbers, of: Numbers, of_steps: Numbers, count: int) -> Bools:
    """Return which of some states no fair run stays in, by their components and the steps inside these.

    `of` and `of_steps` are the components of the states and of the steps.
    """
    unfair = np.zeros(len(states), np.bool_)
    for event, strong in enumerate(found.strong):
        enabled = found.enabled[states, event]
        fair = np.zeros(count, np.bool_)
        fair[of_steps[found.event[steps] == event]] = True
        if not strong:
            fair[of[~enabled]] = True
        unfair |= ~fair[of] & enabled
    return unfair


Steps = list[tuple[int, ...]]
"""Steps of a region: the positions of two states, the numbers of the row and its binding, and what runs must be fair to
that it is of, or -1."""


def _entry(found: Region, compiled: bool) -> tuple[int, Steps] | None:
    """Return where a fair run may stay at the least depth, and its loop; None where every run must leave."""
    of = fair_components(found, compiled)
    candidates = np.flatnonzero(of >= 0)
    if not len(candidates):
        return None
    moving: Bools = np.asarray(found.enabled.any(axis=1))
    at = int(candidates[np.lexsort((candidates, moving[candidates], found.depth[candidates]))[0]])
    return at, _tour(found, of, at)


def _tour(found: Region, of: Numbers, start: int) -> Steps:
    """Return steps inside a fair component from a state back to it that are fair to every event.

    A weakly fair event is owed a step until the tour passes a state without it, a strongly fair one from the first
    state with it on.
    """
    after: dict[int, Steps] = {}
    columns = (found.source, found.target, found.row_of, found.code, found.event)
    for e in np.flatnonzero((of[found.source] == of[start]) & (of[found.target] == of[start])):
        step = tuple(int(column[e]) for column in columns)
        after.setdefault(step[0], []).append(step)
    owed, taken = set(np.flatnonzero(found.enabled[start]).tolist()), set[int]()
    steps: Steps = []
    at = start

    def paid(state: int, event: int) -> set[int]:
        return {i for i in owed if i == event or not (found.strong[i] or found.enabled[state, i])}

    def there(state: int, event: int) -> bool:
        return bool(paid(state, event)) if owed else state == start

    while owed or at != start:
        more = _nearest(after, at, there)
        for _, at, _, _, event in more:
            owed -= paid(at, event)
            taken.add(event)
            owed |= set(np.flatnonzero(found.strong & found.enabled[at]).tolist()) - taken
        steps += more
    return steps


def _nearest(after: dict[int, Steps], start: int, there: Callable[[int, int], bool]) -> Steps:
    """Return the shortest steps to a state that is looked for, by that state and the step's last number."""
    came: dict[int, tuple[int, ...] | None] = {start: None}
    queue = deque([start])
    while queue:
        for step in after.get(queue.popleft(), ()):
            if there(step[1], step[-1]):
                back, steps = came[step[0]], [step]
                while back is not None:
                    steps.append(back)
                    back = came[back[0]]
                return steps[::-1]
            if step[1] not in came:
                came[step[1]] = step
                queue.append(step[1])
    raise ReplayFailed("a loop that was found fair cannot be closed")


def _lasso(plan: Plan, tracer: Tracer, found: Region, one: LeadsTo, at: int, around: Steps) -> Lasso:
    path = [at]
    while found.via[path[-1]] >= 0:
        path.append(int(found.via[path[-1]]))
    path.reverse()

    def move(source: int, target: int, row: int) -> Move:
        return tracer.move(int(found.states[source]), int(found.states[target]), row)

    start, moves = tracer.path(int(found.states[path[0]]))
    before = len(moves)
    moves += [move(a, b, int(found.row[b])) for a, b in itertools.pairwise(path)]
    world = plan.layout.world
    stem = replay(plan.protocol, world, start, moves)
    loop = replay(plan.protocol, world, stem.end, [tracer.move_of(*step[2:4]) for step in around], initial=False)
    confirm(plan, one, stem, before, loop)
    return Lasso(stem, loop, int(found.depth[at]))


def confirm(plan: Plan, one: LeadsTo, stem: Trace, before: int, loop: Trace) -> None:
    """Check a lasso with the interpreter alone: the trigger holds after `before` steps, the goal never from there on.

    Raises `ReplayFailed` where the run is no fair one that breaks the property.
    """
    world = plan.layout.world
    states = [stem.start, *(step.after for step in stem.steps)][before:]
    around = [loop.start, *(step.after for step in loop.steps)]
    broken = holds(one.trigger, states[0], world) and not any(holds(one.goal, s, world) for s in (*states, *around))
    closed = loop.start == stem.end == loop.end
    steps = [step for step in loop.steps if step.before != step.after]

    def is_fair(one: Fair) -> bool:
        if any(one.has(step.row, step.binding) for step in steps):
            return True
        lacking = (not can_change(plan, one, state, world) for state in around)
        return all(lacking) if one.strong else any(lacking)

    lasting = not any(step.row.event.name in one.finitely for step in steps)
    fair = lasting and all(map(is_fair, fairness(one, plan.protocol.rows, world)))
    if not (broken and closed and fair):
        raise ReplayFailed(f"{plan.protocol.name}: the interpreter does not find {one.id} as the exploration found it")


def can_change(plan: Plan, fair: Fair, state: Valuation, world: World) -> bool:
    """Return whether a firing that runs must be fair to can change a state, if only to one outside the ranges."""
    for row in (one.row for one in plan.rows if one.row.event.name == fair.event):
        for binding in satisfying(guard(plan.protocol, plan.bound, row), row.params, state, world):
            if fair.has(row, binding) and run(row, binding, state, world).after != state:
                return True
    return False
