"""The explicit state graph of a small bound: every state, its steps, and what keeps each other row from firing there.

The states are numbered level by level, in the order in which the NumPy engine finds them. What keeps a row from firing
is the first false conjunct of its guard under its best binding (`coverage.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fencepost.checkers.conjuncts import conjuncts
from fencepost.checkers.counterexample import Trace, binding_text
from fencepost.model.language import Always, Bound, Protocol, Valuation

from .columns import ColumnEngine, condition_function
from .conditions import guard
from .coverage import Reach
from .engine import bound_of
from .initial import initial_rows
from .layout import Layout, Numbers
from .plan import TWICE, RowPlan
from .result import PropertyVerdict
from .store import PlainStore
from .traces import Silent

MOST = 20_000
"""The most states of a graph that is kept whole."""

CHUNK = 4_096
"""States that are expanded together."""

OUTSIDE, UNDEFINED = -1, -2
"""The target of a step that would leave a range of the bound, and of one that writes a cell twice in one stage."""


@dataclass(frozen=True)
class Path:
    """The run of a property as states of the graph: `states` has one more than `steps`, row ids with their parameters.

    `inside` is the id of a last row that the run ends in the middle of, empty where it ends after it; `loop` is the
    place of the state to which a run without end returns, None for a run with an end.
    """

    id: str
    verdict: str
    states: tuple[int, ...]
    steps: tuple[tuple[str, str], ...]
    inside: str
    loop: int | None


@dataclass(frozen=True, eq=False)
class ExplicitGraph:
    """Every state of a bound.

    `states`: registers, shape (n, cells + 1), as `layout` has them; the first `initial` are initial states. `parents`,
    shape (n,): the state from which each was found first, with `parent_rows` the place of its row in `rows`, both of
    them -1 for an initial state. `steps`, shape (m, 4): state, place of the row, number of the binding, state behind it
    or `OUTSIDE` or `UNDEFINED`, ascending by state and row. `reaches` has of every row how many conjuncts of its guard
    hold in each state under the best binding, and the number of that binding, shape (n,) both. `shows` has for each
    property of one state the states that break it, or that witness it, where some do.
    """

    protocol: Protocol
    bound: str
    layout: Layout
    rows: tuple[RowPlan, ...]
    states: Numbers
    initial: int
    parents: Numbers
    parent_rows: Numbers
    steps: Numbers
    guards: tuple[Reach, ...]
    reaches: tuple[tuple[Numbers, Numbers], ...]
    shows: Mapping[str, NDArray[np.bool_]]
    paths: tuple[Path, ...]


def explicit_graph(
    protocol: Protocol,
    bound: str | Bound,
    sizes: Mapping[str, int] | None = None,
    verdicts: tuple[PropertyVerdict, ...] = (),
) -> ExplicitGraph | None:
    """Return the graph of a bound with the runs of some verdicts as its paths; None where it has more than `MOST`
    states."""
    name, bound = bound_of(protocol, bound, sizes)
    layout = Layout(protocol, bound.sizes)
    plan = Silent(protocol, bound, layout)
    rows = tuple(RowPlan(layout, one, conjuncts(guard(protocol, bound, one)), False) for one in protocol.rows)
    places = [place for place, one in enumerate(protocol.rows) if one.changes]
    engine, store = ColumnEngine(plan), PlainStore(layout)
    first = initial_rows(protocol, bound, layout)
    store.numbered(first, np.zeros(len(first), np.int64), 0, -1)
    initial, low, steps = store.count, 0, list[Numbers]()
    while low < store.count <= MOST:
        cells = store.unpacked(low, min(low + CHUNK, store.count))
        for number, place in enumerate(places):
            e = engine.expand(number, cells, 0, np.zeros(len(cells), np.uint8))
            targets = store.numbered(e.rows, e.source, low, place)
            targets[(targets < 0) & (e.rows[:, layout.fault] == TWICE)] = UNDEFINED
            steps.append(np.stack([e.source + low, np.full(len(targets), place), e.code, targets], axis=1))
        low += len(cells)
    if store.count > MOST:
        return None
    states, together = store.unpacked(0, store.count), np.concatenate(steps)
    guards = tuple(Reach(layout, row) for row in rows)
    return ExplicitGraph(
        protocol=protocol,
        bound=name,
        layout=layout,
        rows=rows,
        states=states,
        initial=initial,
        parents=np.where(np.arange(store.count) < initial, -1, store.parents[: store.count].astype(np.int64)),
        parent_rows=store.rows[: store.count].astype(np.int64),
        steps=together[np.lexsort((together[:, 2], together[:, 1], together[:, 0]))],
        guards=guards,
        reaches=tuple(one.of(states) for one in guards),
        shows=_shows(plan, states),
        paths=tuple(_path(one, layout, store) for one in verdicts if one.trace is not None and one.trace.initial),
    )


def _shows(plan: Silent, states: Numbers) -> dict[str, NDArray[np.bool_]]:
    """Return the states that break each claim about one state, or that are a witness."""
    columns, found = np.ascontiguousarray(states.T), dict[str, NDArray[np.bool_]]()
    for one in plan.conditions:
        holds = np.broadcast_to(condition_function(plan.layout, one.term)(columns), (len(states),)) != 0
        shown = ~holds if isinstance(one, Always) else holds
        if shown.any():
            found[one.id] = shown
    return found


def _path(one: PropertyVerdict, layout: Layout, store: PlainStore) -> Path:
    assert one.trace is not None
    loop: tuple[Any, ...] = () if one.loop is None else one.loop.steps
    steps = (*one.trace.steps, *loop)
    inside = one.trace.middle is not None
    whole = steps[:-1] if inside else steps
    return Path(
        one.id,
        one.verdict.value,
        tuple(_numbers(one.trace, [step.after for step in whole], layout, store)),
        tuple((step.row.id, binding_text(step.binding)) for step in whole),
        steps[-1].row.id if inside else "",
        None if one.loop is None else len(one.trace.steps),
    )


def _numbers(trace: Trace, after: list[Valuation], layout: Layout, store: PlainStore) -> list[int]:
    rows = np.stack([layout.row(state) for state in (trace.start, *after)])
    known = store.count
    found: list[int] = store.numbered(rows, np.zeros(len(rows), np.int64), 0, -1).tolist()
    assert max(found) < known, "a run of the exploration has a state that the graph does not have"
    return found
