"""Rows of a design that the plain interpreter evaluates too, in every state of a checked run."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from fencepost.checkers.conformance.lockstep.cells import Cells
from fencepost.checkers.conformance.lockstep.whole import Ran, WholeRows
from fencepost.model.language import Protocol, Row, State, Valuation, World
from fencepost.model.language.interpreter import CellKey, Evaluation, run
from fencepost.model.language.kinds import EntityKind, IntKind, Kind
from tests.conformance.interpreted import snapshot

MANY = 7
"""So often a row is asked of the interpreter."""


class Met(World):
    """The entities and the numbers of listed counters that a run has met so far."""

    def values(self, kind: Kind[Any]) -> tuple[Any, ...]:
        """Return every value of a kind; of a counter that is not listed there is no end."""
        return self.entities[kind.name] if isinstance(kind, IntKind) else super().values(kind)


class AskedTwice(WholeRows):
    """Rows as they are compiled; `wrong` is where the plain interpreter differs, `asked` how often each was."""

    def __init__(
        self, protocol: Protocol, begins: Mapping[State[Any], Any] | None = None, listed: frozenset[str] = frozenset()
    ) -> None:
        super().__init__(protocol, begins, listed)
        self.begins = {state: value for state, value in (begins or {}).items() if state.initial is None}
        self.wrong: list[str] = []
        self.asked: Counter[str] = Counter()

    def applicable(self, event: str, params: Mapping[str, Any], given: bool = True) -> Ran | None:
        """Return what the compiled rows say, and note where the interpreter differs."""
        ran = super().applicable(event, params, given)
        name = f"no {event}" if ran is None else ran.row.id
        if self.asked[name] < MANY:
            self.asked[name] += 1
            self._ask(event, params, ran)
        return ran

    def runs_first(self, event: str) -> Callable[..., Row | None]:
        """Return what runs the row that applies, and notes where it does not make the changes that `apply` makes."""
        compiled = super().runs_first(event)

        def run_first(cells: Cells, *values: Any) -> Row | None:
            params = dict(zip(self.names[event], values, strict=True))
            ran, row = self.applicable(event, params), compiled(cells, *values)
            if row is not (ran and ran.row) or (ran is not None and self.apply(ran)):
                self.wrong.append(f"{event}{params}: run otherwise than it is applied")
            return row

        return run_first

    def _ask(self, event: str, params: Mapping[str, Any], ran: Ran | None) -> None:
        binding = {var: params[var.name] for var in self.events[event].params}
        world, state = Met({kind: tuple(seen) for kind, seen in self.domains.items()}, {}), self.valuation()
        now = Evaluation(world, state)
        rows = [row for row in self._rows_of(event) if now.value(row.when, binding)]
        said = [row.id for row in rows[:1]]
        if said != ([] if ran is None else [ran.row.id]):
            self.wrong.append(f"{event}{dict(params)}: {said} apply, compiled {ran and ran.row.id}")
        elif ran is not None:
            done = run(rows[0], binding, state, world)
            if done.answer != ran.answer:
                self.wrong.append(f"{ran.row.id}: answers {done.answer}, compiled {ran.answer}")
            made = {(self.states[number], self._keys(number, key)): value for number, key, value in ran.changes}
            after, found = done.states[-1] if done.states else state, state.but(made)
            differ = {cell[0].name for cell in {*after, *found} if after.read(*cell) != found.read(*cell)}
            if differ:
                self.wrong.append(f"{ran.row.id}{dict(params)}: {sorted(differ)} become something else")

    def valuation(self) -> Valuation:
        """Return the state as the interpreter has it, with the cells that begin as only the start condition says."""
        begun: dict[CellKey, Any] = {}
        for state, value in self.begins.items():
            names = [kind.name for kind in state.keys if isinstance(kind, EntityKind | IntKind)]
            for keys in itertools.product(*(self.domains[name] for name in names)):
                begun[state, keys] = value
        return Valuation({**begun, **snapshot(self)})

    def _rows_of(self, event: str) -> Iterator[Row]:
        return (row for table in self.protocol.tables for row in table.rows if row.event.name == event)

    def _keys(self, number: int, key: Any) -> tuple[Any, ...]:
        keys = self.states[number].keys
        return key if len(keys) > 1 else () if not keys else (key,)
