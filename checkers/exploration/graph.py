"""The state graph of a bound, or its quotient by some cells: what is one state where only these are looked at.

A node is a class of reachable states that agree on the cells, an edge a row that leads from some state of one class to
some state of the other. Without cells to look at, each state is a node.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import networkx
import numpy as np
from numpy.typing import NDArray

from fencepost.checkers.verdicts import Refusal, Verdict
from fencepost.model.language import Bound, Protocol
from fencepost.model.language.render import value_text

from .advancing import CompiledLane, Tables
from .engine import Progress, Search, bound_of
from .expansion import Expansion
from .initial import initial_rows
from .layout import Layout, Numbers
from .plan import Plan
from .store import FoldedStore

if TYPE_CHECKING:
    from .compiled import CompiledEngine

UNPACKED = 4_096
"""States that are unpacked at a time."""


@dataclass(frozen=True)
class StateGraph:
    """A quotient of the reachable states: nodes have `states` (how many), `initial`, `label` and what cells have, edges
    `row`, `event` and `steps` (how many). `complete` says that every reachable state is in it, `message` why not.
    """

    graph: Any
    cells: tuple[str, ...]
    states: int
    complete: bool
    message: str


def state_graph(
    protocol: Protocol,
    bound: str | Bound,
    *,
    by: Sequence[str] = (),
    but: Sequence[str] = (),
    sizes: Mapping[str, int] | None = None,
    max_states: int | None = None,
    progress: Progress | None = None,
) -> StateGraph:
    """Return the graph of the reachable states of a bound, as a `networkx.MultiDiGraph`.

    States are one node where they agree on the variables `by`, all of them without it, those of `but` left out. No
    property is checked. Raises `Refusal` for what is no variable, and for a bound that cannot be explored.
    """
    _, bound = bound_of(protocol, bound, sizes)
    plan = Plan(protocol, bound, Layout(protocol, bound.sizes))
    chosen = _chosen(protocol, by, but)
    search = _Watched(
        plan, [i for i, (state, _) in enumerate(plan.layout.cells) if state.name in chosen], bool(by), progress
    )
    ended = search.run(max_states, None)
    return StateGraph(
        _graph(plan, search), tuple(chosen), search.store.count, ended.verdict is Verdict.CLOSED, ended.message
    )


def _chosen(protocol: Protocol, by: Iterable[str], but: Iterable[str]) -> list[str]:
    names = [one.name for one in protocol.states]
    for option, given in (("--by", by), ("--but", but)):
        for one in given:
            if one not in names:
                raise Refusal(
                    f"{option} {one}: is no variable of {protocol.name}; there are {', '.join(sorted(names))}"
                )
    wanted, left = set(by) or set(names), set(but)
    return [one for one in names if one in wanted - left]


class _Watched(Search):
    """A search that keeps the steps between classes."""

    def __init__(self, plan: Plan, cells: list[int], all_told: bool, progress: Progress | None) -> None:
        super().__init__(plan, "auto", deadlock=False, stop_at_first=False, progress=progress)
        self.cells = np.array(cells, np.int64)
        self.begin = plan.layout.initial_row()[self.cells]
        # A state of hundreds of cells is shown by what has happened to it.
        self.told = np.arange(len(cells)) if all_told else None
        self.mixers = np.random.default_rng(853).integers(-(2**63), 2**63, (len(cells), 2), np.int64)
        self.numbers: dict[bytes, int] = {}
        self.classes: list[tuple[Numbers, Numbers]] = []
        self.edges: dict[tuple[int, int, int], int] = {}

    def lanes_of(self, store: FoldedStore, lanes: int) -> Callable[[CompiledEngine], CompiledLane]:
        """Return what makes a lane that hands the steps over."""
        tables = Tables(self.plan, hands=True)
        return lambda engine: _WatchedLane(self, engine, store, tables)

    def classed(self, rows: Numbers) -> Numbers:
        """Return the numbers of the classes of rows of registers.

        Classes are distinguished by two products modulo 2**64 with random numbers, so that wide rows need no sorting.
        """
        kept = np.ascontiguousarray(rows[:, self.cells])
        keys, first, which = np.unique(kept @ self.mixers, axis=0, return_index=True, return_inverse=True)
        found = np.zeros(len(keys), np.int64)
        for i, key in enumerate(keys):
            number = self.numbers.setdefault(key.tobytes(), len(self.classes))
            if number == len(self.classes):
                one = kept[first[i]]
                told = self.told if self.told is not None else np.flatnonzero(one != self.begin)
                self.classes.append((told, one[told]))
            found[i] = number
        result: Numbers = found[which.reshape(-1)]
        return result

    def step(self, number: int, e: Expansion, good: Any, cells: Numbers) -> None:
        """Keep the steps of a row between classes; a row without effects makes none."""
        kept = np.flatnonzero(good)
        if number >= len(self.plan.rows) or not len(kept):
            return
        sources, at = np.unique(e.source[kept], return_inverse=True)
        before = self.classed(cells[sources])[at.reshape(-1)]
        after = self.classed(e.rows[kept])
        pairs, counts = np.unique(np.stack([before, after], axis=1), axis=0, return_counts=True)
        for (source, target), count in zip(pairs.tolist(), counts.tolist(), strict=True):
            self.edges[source, target, number] = self.edges.get((source, target, number), 0) + count


class _WatchedLane(CompiledLane):
    """A lane that hands steps over and checks nothing."""

    def __init__(self, search: _Watched, engine: CompiledEngine, store: FoldedStore, tables: Tables) -> None:
        super().__init__(search.plan, engine, store, search.found, dict.fromkeys(search.applied, 0), tables)
        self.search = search

    def judge(self, rows: Numbers, boundary: bool, moments: bool, where: Callable[[int], Any]) -> None:
        """No property is checked."""

    def _judge_steps(self, *_: Any) -> None:
        """Nor is one of the steps of rows without effects."""

    def handed(self, number: int, e: Expansion, good: NDArray[np.bool_], cells: Numbers) -> None:
        """Keep the steps of a row."""
        self.search.step(number, e, good, cells)


def _graph(plan: Plan, search: _Watched) -> Any:
    layout, made = plan.layout, networkx.MultiDiGraph()
    first = set(search.classed(initial_rows(plan.protocol, plan.bound, layout)).tolist())
    sizes = np.zeros(0, np.int64)
    for low in range(0, search.store.count, UNPACKED):
        found = search.classed(search.store.unpacked(low, min(low + UNPACKED, search.store.count)))
        counted = np.bincount(found, minlength=len(search.classes))
        counted[: len(sizes)] += sizes
        sizes = counted
    names = [_name(layout, int(cell)) for cell in search.cells]
    for number, (places, registers) in enumerate(search.classes):
        told = {
            names[at]: value_text(layout.coding.decode(layout.kinds[search.cells[at]], register))
            for at, register in zip(places.tolist(), registers.tolist(), strict=True)
        }
        label = "\n".join(f"{name} = {value}" for name, value in told.items()) or "as in the beginning"
        made.add_node(number, label=label, states=int(sizes[number]), initial=number in first, **told)
    for (source, target, row), steps in search.edges.items():
        one = plan.rows[row].row
        made.add_edge(source, target, key=one.id, row=one.id, event=one.event.name, steps=steps)
    return made


def _name(layout: Layout, cell: int) -> str:
    state, keys = layout.cells[cell]
    return state.name + (f"[{', '.join(map(value_text, keys))}]" if keys else "")
