"""Exploration in plain Python on the interpreter: exact at tiny bounds, and slow beyond them.

It shares with the engine the result type, the order of the start conditions and what a state and a move show; nothing
is packed or printed.
"""

import itertools
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import networkx

from fencepost.checkers.counterexample import holds, replay
from fencepost.checkers.exploration.assumed import assumed
from fencepost.checkers.exploration.conditions import guard, stays
from fencepost.checkers.exploration.declaring import declared, not_tested, overall
from fencepost.checkers.exploration.engine import bound_of
from fencepost.checkers.exploration.initial import cells_of, stages_of_start
from fencepost.checkers.exploration.moments import Place, Search
from fencepost.checkers.exploration.result import DEADLOCK, Exploration, PropertyVerdict
from fencepost.checkers.exploration.traces import Move
from fencepost.checkers.exploration.vacuity import Challenge, challenges
from fencepost.checkers.verdicts import ReplayFailed, Verdict
from fencepost.checkers.written_once import WRITTEN_ONCE
from fencepost.model.language import (
    Always,
    Bound,
    EvaluationError,
    Protocol,
    Row,
    Sometimes,
    Step,
    Valuation,
    World,
    run,
    satisfying,
)
from fencepost.model.language.fairness import Fair, fairness, instances
from fencepost.model.language.properties import LeadsTo


@dataclass
class _Run(Search):
    bound: Bound = field(kw_only=True)
    challenges: Mapping[str, Challenge] = field(kw_only=True)
    came: dict[Valuation, tuple[Valuation, Move] | None] = field(default_factory=dict)
    fired: dict[str, int] = field(default_factory=dict)
    outside: dict[str, int] = field(default_factory=dict)
    applied: dict[str, int] = field(default_factory=dict)
    transitions: int = 0
    steps: list[tuple[Valuation, Move, Valuation]] = field(default_factory=list)
    leaving: list[tuple[Valuation, Move]] = field(default_factory=list)


def initial_states(protocol: Protocol, bound: Bound, world: World) -> Iterator[Valuation]:
    """Yield every initial state of a protocol at a bound."""
    cells = cells_of(protocol, world)
    plan = list(stages_of_start(protocol, bound, world, cells))

    def extend(at: int, state: Valuation) -> Iterator[Valuation]:
        if at == len(plan):
            yield state
            return
        cell, conditions = plan[at]
        values = [None] if cell is None else world.values(cells[cell][0].kind)
        for value in values:
            more = state if cell is None else state.but({cells[cell]: value})
            if all(holds(c, more, world) for c in conditions):
                yield from extend(at + 1, more)

    yield from extend(0, Valuation())


def explore_plainly(
    protocol: Protocol, bound: str | Bound, *, sizes: Mapping[str, int] | None = None, max_depth: int | None = None
) -> Exploration:
    """Explore a protocol with the interpreter; the result is that of `explore`, seconds apart."""
    started = time.perf_counter()
    name, bound = bound_of(protocol, bound, sizes)
    world = World.of(bound.sizes, protocol.kinds)
    challenged = challenges(protocol, bound, world)
    claims = [*protocol.properties, *(claim for one in challenged.values() for claim in one.claims)]
    search = _Run(protocol, world, claims, bound=bound, challenges=challenged)
    named = {id for one in protocol.properties if isinstance(one, Step) for id in one.rows}
    rows = [row for row in protocol.rows if row.changes or row.id in named]
    search.applied = {row.id: 0 for row in rows if not row.changes}
    search.fired = {row.id: 0 for row in rows if row.changes}
    search.outside = dict(search.fired)
    level = list(initial_states(protocol, bound, search.world))
    search.came = dict.fromkeys(level)
    search.transitions = len(level)
    sizes_of_levels: list[int] = []
    ended = Verdict.CLOSED
    while level:
        sizes_of_levels.append(len(level))
        depth = len(sizes_of_levels)
        for state in level:
            search.state(state, Place(depth, state))
        if depth == max_depth:
            ended = Verdict.HOLDS_TO_DEPTH
            break
        level = [new for state in level for new in _expand(search, rows, state, depth)]
    judged = tuple(_verdict(search, one.id, ended) for one in protocol.properties)
    if not protocol.ends:
        judged = (*judged, _verdict(search, DEADLOCK, ended))
    if WRITTEN_ONCE in search.found:
        judged = (*judged, _verdict(search, WRITTEN_ONCE, ended))
    return Exploration(
        protocol=protocol.name,
        bound=name,
        sizes=dict(bound.sizes),
        distinct=len(search.came),
        generated=search.transitions + len(search.came),
        transitions=search.transitions,
        depth=len(sizes_of_levels),
        verdict=overall(judged, ended),
        properties=judged,
        rows_fired=search.fired,
        rows_never_fired=tuple(id for id, count in search.fired.items() if count == 0),
        out_of_range={id: count for id, count in search.outside.items() if count},
        seconds=time.perf_counter() - started,
        engine="interpreter",
        compile_seconds=0.0,
        levels=tuple(sizes_of_levels),
        assumptions=assumed(protocol, bound, judged),
    )


def _expand(search: _Run, rows: list[Row], state: Valuation, depth: int) -> list[Valuation]:
    new, alive = [], False
    for row in rows:
        for binding in satisfying(guard(search.protocol, search.bound, row), row.params, state, search.world):
            if not row.changes:
                search.applied[row.id] += 1
                search.move(state, (row, binding), state, depth + 1)
                continue
            alive = True
            try:
                fired = run(row, binding, state, search.world)
            except EvaluationError:  # a cell is written twice
                search.found.setdefault(WRITTEN_ONCE, Place(depth, state))
                search.outside[row.id] += 1
                continue
            after = fired.after
            if not stays(fired, search.world):
                search.outside[row.id] += 1
                search.leaving.append((state, (row, binding)))
                continue
            search.fired[row.id] += 1
            search.transitions += 1
            search.steps.append((state, (row, binding), after))
            search.move(state, (row, binding), after, depth + 1)
            if after not in search.came:
                search.came[after] = (state, (row, binding))
                new.append(after)
    if not alive:
        search.found.setdefault(DEADLOCK, Place(depth, state))
    return new


def _verdict(search: _Run, id: str, ended: Verdict) -> PropertyVerdict:
    one = next((p for p in search.protocol.properties if p.id == id), None)
    return declared(_of_property(search, id, ended), one, search.bound)


def _of_property(search: _Run, id: str, ended: Verdict) -> PropertyVerdict:
    one = next((p for p in search.protocol.properties if p.id == id), None)
    if isinstance(one, LeadsTo):
        return _liveness(search, one, ended)
    expected = one.expected if isinstance(one, (Always, Step)) else "holds"
    found = search.found.get(id)
    if found is None:
        if isinstance(one, Sometimes):
            ended = Verdict.VACUOUS if ended is Verdict.CLOSED else Verdict.INCONCLUSIVE
        if isinstance(one, (Always, Step)):
            vacuity = search.challenges[id].unmet(search.protocol, search.found, {**search.fired, **search.applied})
            if vacuity is not None:
                return not_tested(one, vacuity, ended, "")
        return PropertyVerdict(id, ended, expected, None, None, "")
    state, moves = _moves_to(search, found.state)
    if found.move is not None:
        moves.append(found.move)
    trace = replay(search.protocol, search.world, state, moves, found.middle)
    if found.move is None and trace.end != found.state:
        raise ReplayFailed(f"{search.protocol.name}: the run to the failure of {id} ends elsewhere when replayed")
    verdict = Verdict.WITNESSED if isinstance(one, Sometimes) else Verdict.VIOLATED
    return PropertyVerdict(id, verdict, expected, found.depth, trace, "")


def _liveness(search: _Run, one: LeadsTo, ended: Verdict) -> PropertyVerdict:
    if ended is not Verdict.CLOSED:
        return PropertyVerdict(one.id, Verdict.INCONCLUSIVE, one.expected, None, None, "")
    found = [(claim, _nearest(search, claim)) for claim, _ in instances(one, search.world)]
    if not any(near.triggered for _, near in found):
        return PropertyVerdict(one.id, Verdict.VACUOUS, one.expected, None, None, "")
    broken = [near.moves for _, near in found if near.moves is not None]
    if not broken:
        unknown = any(near.unknown for _, near in found)
        return PropertyVerdict(one.id, Verdict.INCONCLUSIVE if unknown else ended, one.expected, None, None, "")
    start, moves = min(broken, key=lambda run: len(run[1]))
    trace = replay(search.protocol, search.world, start, moves)
    return PropertyVerdict(one.id, Verdict.VIOLATED, one.expected, len(moves) + 1, trace, "")


@dataclass(frozen=True)
class _Near:
    """Of one claim: whether a trigger was seen, the run to the nearest state where a fair run may stay, and whether
    runs go on outside the ranges.
    """

    triggered: bool
    moves: tuple[Valuation, list[Move]] | None = None
    unknown: bool = False


def _nearest(search: _Run, one: LeadsTo) -> _Near:
    triggers = [s for s in search.came if holds(one.trigger, s, search.world)]
    steps = [(a, move, b) for a, move, b in search.steps if a != b]
    inside = {s for s in search.came if not holds(one.goal, s, search.world)}
    graph: Any = networkx.DiGraph()
    graph.add_nodes_from(inside)
    graph.add_edges_from((a, b) for a, _, b in steps if a in inside and b in inside)
    length = {s: len(_moves_to(search, s)[1]) for s in triggers if s in inside}
    if not length:
        return _Near(bool(triggers))
    graph.add_node("start")
    graph.add_weighted_edges_from((("start", s, steps_to) for s, steps_to in length.items()), weight="steps")
    distance, path = networkx.single_source_dijkstra(graph, "start", weight=lambda a, b, e: e.get("steps", 1))
    fair = fairness(one, search.protocol.rows, search.world)
    enabled = {(a, each) for a, move, _ in steps for each in fair if each.has(*move)}
    enabled |= {(a, each) for a, move in search.leaving for each in fair if each.has(*move)}
    region = graph.subgraph(set(distance) - {"start"})
    lasting = [(a, move, b) for a, move, b in steps if move[0].event.name not in one.finitely]
    loops: Any = networkx.DiGraph((a, b) for a, _, b in lasting if a in region and b in region)
    loops.add_nodes_from(region)
    broken = [s for states in _fair_sets(loops, fair, lasting, enabled) for s in states]
    if not broken:
        return _Near(True, None, any(state in region for state, _ in search.leaving))
    nearest = min(broken, key=lambda s: distance[s])
    start, moves = _moves_to(search, path[nearest][1])
    for a, b in itertools.pairwise(path[nearest][1:]):
        moves.append(next(move for before, move, after in steps if (before, after) == (a, b)))
    return _Near(True, (start, moves))


def _moves_to(search: _Run, state: Valuation) -> tuple[Valuation, list[Move]]:
    """Return the initial state and the moves that the search found to lead to a state."""
    moves: list[Move] = []
    while (came := search.came[state]) is not None:
        state, move = came
        moves.append(move)
    return state, moves[::-1]


def _fair_sets(
    graph: Any,
    fair: tuple[Fair, ...],
    steps: list[tuple[Valuation, Move, Valuation]],
    enabled: set[tuple[Valuation, Fair]],
) -> Iterator[set[Valuation]]:
    """Yield the largest sets of states that a fair run may pass again and again, all of them and no others."""
    for component in networkx.strongly_connected_components(graph):
        moves = [move for a, move, b in steps if a in component and b in component]
        untaken = [one for one in fair if not any(one.has(*move) for move in moves)]
        if any(not one.strong and all((s, one) in enabled for s in component) for one in untaken):
            continue
        avoided = {s for s in component for one in untaken if one.strong and (s, one) in enabled}
        if avoided:
            yield from _fair_sets(graph.subgraph(component - avoided), fair, steps, enabled)
        else:
            yield component
