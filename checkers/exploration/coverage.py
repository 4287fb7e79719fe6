"""Coverage of guards: in how many states a row's guard holds, and which of its conjuncts is the first that is false.

The conjuncts of a guard are asked in the order in which exploration binds the row's parameters. In a state a guard
comes as far as its best binding: the first false conjunct is the one that no binding passes which passes all before it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from fencepost.checkers.document import Document
from fencepost.checkers.failures import cell_text
from fencepost.model.language.interpreter import CellKey
from fencepost.model.language.render import text, value_text
from fencepost.model.language.terms import Get, Named, Term, Var
from fencepost.model.language.walk import free, nodes

from .columns import Column, execute
from .layout import Layout, Numbers
from .plan import Plan, RowPlan
from .printer import Printer, Reads
from .store import Store

CoverageOf = Literal["none", "never fired", "all"]
"""Of which rows coverage is counted."""

CHUNK = 4096
"""States whose guards are asked together."""

MOST = 20_000
"""Stored states up to which all are asked for rows that never fired; of more, so many that are spread evenly."""


@dataclass(frozen=True)
class Blocked(Document):
    """A conjunct that was the first false one in some states: `text` as it is written, `states` in how many.

    `binding` are the parameters that pass all conjuncts before it in one such state, by name, `cells` what the conjunct
    reads there, both as text; empty where no state was blocked.
    """

    DOCUMENT = "conjunct=text states binding cells"

    text: str
    states: int
    binding: Mapping[str, str]
    cells: Mapping[str, str]


@dataclass(frozen=True)
class GuardCoverage(Document):
    """How far the guard of one row came: `states` were asked, in `enabled` of them the whole guard holds.

    `conjuncts` has every conjunct in the order in which it is asked, with how often it is the first false one.
    """

    DOCUMENT = "row states enabled passed blocking conjuncts"

    row: str
    states: int
    enabled: int
    conjuncts: tuple[Blocked, ...]

    @property
    def passed(self) -> int:
        """How many conjuncts were passed in some state: the first of them, one after the other."""
        deepest = max((i for i, one in enumerate(self.conjuncts) if one.states), default=-1)
        return len(self.conjuncts) if self.enabled else max(deepest, 0)

    @property
    def blocking(self) -> Blocked | None:
        """The conjunct at which the guard ended in the states that came furthest; None where the guard held."""
        return None if self.enabled or not self.conjuncts else self.conjuncts[self.passed]

    def line(self) -> str:
        """Return in one sentence what kept a row from firing that never did."""
        blocking = self.blocking
        if blocking is None:
            held = f"{self.row}: its guard holds in {self.enabled:,} of {self.states:,} states"
            return f"{held}, and a counter would leave its range"
        place = f"at best conjunct {self.passed + 1} of {len(self.conjuncts)} is the first false one"
        told = f"{self.row}: {place}, in {blocking.states:,} of {self.states:,} states: {blocking.text}"
        for word, what in (("; as with ", blocking.binding), (", where ", blocking.cells)):
            told += word + ", ".join(f"{name}={value}" for name, value in what.items()) if what else ""
        return told


def _note(condition: Column, level: int, number: int, deep: Numbers, code: Numbers) -> bool:
    """Note in which columns a conjunct holds that none of the level held before; return whether it holds in none."""
    holds = np.broadcast_to(condition, deep.shape) != 0
    better = np.flatnonzero(holds & (deep < level))
    deep[better] = level
    code[better] = number
    return not holds.any()


class Reach:
    """How far the guard of one row comes in states, as a function of columns; `conditions` are its conjuncts in the
    order in which they are asked."""

    def __init__(self, layout: Layout, plan: RowPlan) -> None:
        self.layout, self.plan = layout, plan
        self.conditions: list[Term[bool]] = []
        self.known: list[tuple[Var[Any], ...]] = []
        self._function = self._printed()

    def _printed(self) -> Callable[..., None]:
        printer, plan, reads = Printer(self.layout, columns=True), self.plan, Reads("v", "v")
        printer.count(plan.conditions)
        printer.open("def reach(v, deep, code, note):", arrays=("v",), lazy=True)
        printer.open("for _ in range(1):", lazy=True)
        waiting, known = list(plan.conditions), tuple[Var[Any], ...]()
        weights = dict(zip(plan.row.params, plan.radix.weights, strict=True))
        mask, number, opened = "True", "0", 2
        for variable in (None, *plan.order):
            if variable is not None:
                position = printer.fresh("j")
                printer.loop(variable, position)
                number += f" + {position} * {weights[variable]}"
                known = (*known, variable)
                opened += 1
            for condition in [one for one in waiting if free(one) <= set(known)]:
                waiting.remove(condition)
                self.conditions.append(condition)
                self.known.append(known)
                name = printer.fresh("g")
                printer.line(f"{name} = {mask} & {printer.term(condition, reads)}")
                printer.line(f"if note({name}, {len(self.conditions)}, {number}, deep, code):")
                printer.line("    continue")
                mask = name
        for _ in range(opened):
            printer.close()
        return execute(printer, printer.scopes[-1].lines, "reach")

    def of(self, rows: Numbers) -> tuple[Numbers, Numbers]:
        """Return, of rows of registers, how many conjuncts hold under the best binding, and that binding's number.

        Parameters that the first false conjunct does not wait for are the first of their values in it.
        """
        deep, code = np.zeros(len(rows), np.int64), np.zeros(len(rows), np.int64)
        self._function(np.ascontiguousarray(rows.T), deep, code, _note)
        return deep, code


class Coverage:
    """Counts how far the guards of some rows come, over all states that it is given."""

    def __init__(self, layout: Layout, rows: Sequence[RowPlan]) -> None:
        self.layout = layout
        self.reaches = [Reach(layout, row) for row in rows]
        self.states = 0
        self.deepest = [-1 for _ in rows]
        self._counts = [np.zeros(len(one.conditions) + 1, np.int64) for one in self.reaches]
        self._instances: list[dict[int, tuple[Numbers, int]]] = [{} for _ in rows]

    def add(self, rows: Numbers) -> NDArray[np.bool_]:
        """Ask the guards in rows of registers; return in which of these a guard came further than ever before."""
        further = np.zeros(len(rows), np.bool_)
        self.states += len(rows)
        for number, reach in enumerate(self.reaches):
            deep, code = reach.of(rows)
            self._counts[number] += np.bincount(deep, minlength=len(reach.conditions) + 1)
            levels, first = np.unique(deep, return_index=True)
            for level, at in zip(levels, first, strict=True):
                self._instances[number].setdefault(int(level), (rows[at].copy(), int(code[at])))
                if level > self.deepest[number] >= 0:
                    further[at] = True
            self.deepest[number] = max(self.deepest[number], int(levels[-1]) if len(levels) else -1)
        return further

    def found(self) -> tuple[GuardCoverage, ...]:
        """Return how far each guard came."""
        return tuple(self._row(number) for number in range(len(self.reaches)))

    def _row(self, number: int) -> GuardCoverage:
        reach, counts = self.reaches[number], self._counts[number]
        blocked = []
        for level, condition in enumerate(reach.conditions):
            binding, cells = dict[str, str](), dict[str, str]()
            if counts[level]:
                row, code = self._instances[number][level]
                binding, cells = self._instance(reach, level, row, code)
            blocked.append(Blocked(text(condition), int(counts[level]), binding, cells))
        return GuardCoverage(reach.plan.row.id, self.states, int(counts[-1]), tuple(blocked))

    def _instance(self, reach: Reach, level: int, row: Numbers, code: int) -> tuple[dict[str, str], dict[str, str]]:
        """Return the binding that passes the conjuncts before one, and the cells that this one reads under it."""
        before = reach.known[level - 1] if level else ()
        values = dict(zip(reach.plan.row.params, reach.plan.radix.decode(code), strict=True))
        binding = {variable: values[variable] for variable in before}
        state = self.layout.valuation(row)
        named = {variable.name: value_text(value) for variable, value in binding.items()}
        return named, {
            cell_text(cell): value_text(state.read(*cell)) for cell in _cells(reach.conditions[level], binding)
        }


def _cells(condition: Term[bool], binding: Mapping[Var[Any], Any]) -> list[CellKey]:
    """Return the cells that a condition reads at keys that are bound."""
    inside = condition
    while isinstance(inside, Named):
        inside = inside.term
    found: dict[CellKey, None] = {}
    for node in nodes(inside):
        if isinstance(node, Get) and all(isinstance(key, Var) and key in binding for key in node.keys):
            found[(node.state, tuple(binding[key] for key in node.keys if isinstance(key, Var)))] = None
    return list(found)


def covered(plan: Plan, store: Store, fired: Mapping[str, int], asked: CoverageOf = "all") -> tuple[GuardCoverage, ...]:
    """Return how far guards come over the states of a store: of all rows, or of those that `fired` says never fired.

    Of the latter more than `MOST` states are not asked, and those that are asked are spread evenly over the store.
    """
    if asked == "none":
        return ()
    rows = [id for id, count in fired.items() if asked == "all" or not count]
    most = store.count if asked == "all" else MOST
    chosen = [row for row in plan.rows if row.row.id in rows]
    if not chosen:
        return ()
    counted = Coverage(plan.layout, chosen)
    numbers = np.arange(store.count) if store.count <= most else np.linspace(0, store.count - 1, most).astype(np.int64)
    for start in range(0, len(numbers), CHUNK):
        counted.add(plan.layout.unpack(store.states[numbers[start : start + CHUNK]]))
    return counted.found()
