"""Evaluates the rows of a protocol for a recording: which of them explains an event, whatever is not known."""

from __future__ import annotations

import enum
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from fencepost.checkers.conformance.classes.changes import Cell
from fencepost.checkers.conformance.classes.frames import UNKNOWN, Code, Env
from fencepost.checkers.conformance.state.replay import CompiledUpdate
from fencepost.model.language import Event, Protocol, Row, Term, Var
from fencepost.model.language.kinds import EnumKind
from fencepost.model.language.render import value_text
from fencepost.model.language.terms import Before, Ite, Lit, Named
from fencepost.model.language.walk import conjuncts

from .facts import UNTOLD
from .known import CellValue, Known, KnownLayout
from .observations import Observation


@dataclass(frozen=True, slots=True)
class _Row:
    row: Row
    when: Code
    say: Code | None
    updates: tuple[CompiledUpdate, ...]


@dataclass(frozen=True, slots=True)
class _Run:
    """The rows of one event in one table; with `first` only the first that applies counts."""

    given: Code
    first: bool
    rows: tuple[_Row, ...]


@dataclass(frozen=True, slots=True)
class Explained:
    """Rows that explain an event, the cells that they change, and whether other values had to be assumed for that."""

    rows: tuple[Row, ...]
    changes: tuple[CellValue, ...]
    assumed: tuple[CellValue, ...]


class Rows:
    """The rows of a protocol, compiled when they are first asked."""

    def __init__(self, protocol: Protocol, layout: KnownLayout) -> None:
        self.protocol, self.layout = protocol, layout
        self.events: dict[str, Event] = {event.name: event for event in protocol.events}
        self._runs: dict[str, tuple[_Run, ...]] = {}

    # -- explaining ------------------------------------------------------------------------------------------------
    def explain(self, one: Observation, state: Known) -> Explained | None:
        """Return the rows that explain an event, None where none does."""
        found = self._explain(one, state, ())
        if found is None and one.worlds is not None:
            for world in one.worlds():
                found = self._explain(one, state, world)
                if found is not None:
                    break
        return found

    def _explain(self, one: Observation, state: Known, world: Sequence[CellValue]) -> Explained | None:
        changed = state.tell((*one.brought, *world))
        try:
            found = [(row, binding) for binding in self._bindings(one) for row in self._fitting(one, state, binding)]
            if not found:
                return None
            rows = tuple({row.row.id: row.row for row, _ in found}.values())
            return Explained(rows, tuple(self._together(found, state)), tuple(world))
        finally:
            state.undo(reversed(changed))

    def _bindings(self, one: Observation) -> Iterator[Env]:
        """Yield the parameters, those that are not reported with each of their values where these are few."""
        params = self.events[one.event].params
        told = {var: one.params[var.name] for var in params if var.name in one.params}
        free = [var for var in params if var not in told and isinstance(var.kind, EnumKind)]
        for values in itertools.product(*(one.choices.get(var.name) or _members(var) for var in free)):
            yield {**told, **dict(zip(free, values, strict=True))}

    def _fitting(self, one: Observation, state: Known, env: Env) -> Iterator[_Row]:
        for run in self._run(one.event):
            if run.given(state.frame, env) is False:
                continue
            for row in run.rows:
                applies = row.when(state.frame, env)
                if applies is not False and not self._unlike(one, row, state, env):
                    yield row
                if applies is True and run.first:
                    break

    def _unlike(self, one: Observation, row: _Row, state: Known, env: Env) -> str:
        """Return how a row that applies differs from the report in its answer or state, "" where it can be that row."""
        if one.answers is not None and row.say is not None:
            answer = row.say(state.frame, env)
            if answer is not UNKNOWN and answer not in one.answers:
                return f"answers {_text(answer) or 'done'}"
        told = (*one.after, *one.seen)
        made = self._changes(row, state, env, {self.layout.named[name] for name, _, _ in told}) if told else {}
        for name, keys, value in told:
            cell = (self.layout.named[name], keys)
            predicted = made[cell] if cell in made else state.read(cell)
            if predicted is not UNKNOWN and value is not UNKNOWN and predicted != value:
                return f"makes {name} {_text(predicted)}, not {_text(value)}"
        return ""

    def _together(self, found: Sequence[tuple[_Row, Env]], state: Known) -> Iterator[CellValue]:
        """Yield the cells that every fitting row gives the same value; where they differ, it becomes unknown."""
        made = [self._changes(row, state, env, None) for row, env in found]
        for cell in dict.fromkeys(cell for one in made for cell in one):
            values = [one[cell] if cell in one else state.read(cell) for one in made]
            same = all(value == values[0] for value in values)
            yield self.layout.states[cell[0]].name, cell[1], values[0] if same else UNKNOWN

    def _changes(self, row: _Row, state: Known, env: Env, wanted: set[int] | None) -> dict[Cell, Any]:
        updates = row.updates if wanted is None else [one for one in row.updates if one.table in wanted]
        return state.made(updates, dict(env))

    # -- why no row explains an event ------------------------------------------------------------------------------
    def why_not(self, one: Observation, state: Known) -> list[str]:
        """Return a line for every row of the event: what is not so that it asks for, or what it would have made."""
        found: dict[str, str] = {}
        changed = state.tell(one.brought)
        for env in self._bindings(one):
            for run in self._run(one.event):
                for row in run.rows:
                    reason = self._reason(one, run, row, state, env)
                    if row.row.id not in found or _rank(reason) < _rank(found[row.row.id]):
                        found[row.row.id] = reason
        state.undo(reversed(changed))
        return [f"{id:<5} {reason}" for id, reason in found.items()]

    def _reason(self, one: Observation, run: _Run, row: _Row, state: Known, env: Env) -> str:
        for term in (*conjuncts(self.events[one.event].given), *conjuncts(row.row.when)):
            if self.layout.compiler.code(term)(state.frame, env) is False:
                return f"asks {term}"
        unlike = self._unlike(one, row, state, env)
        if unlike:
            return unlike
        return "comes after a row that applies" if run.first else "applies"

    # -- compiling -------------------------------------------------------------------------------------------------
    def _run(self, event: str) -> tuple[_Run, ...]:
        found = self._runs.get(event)
        if found is None:
            made = []
            for table in self.protocol.tables:
                rows = tuple(self._row(row) for row in table.rows if row.event.name == event)
                if rows:
                    given = self.layout.compiler.code(self.events[event].given)
                    made.append(_Run(given, table.mode == "first match", rows))
            found = self._runs[event] = tuple(made)
        return found

    def _row(self, row: Row) -> _Row:
        code = self.layout.compiler.code
        return _Row(
            row,
            code(row.when),
            None if row.say is None else code(row.say),
            tuple(
                self.layout.compiled(update)
                for stage in row.stages
                for update in stage.updates
                if update.target.state.name not in UNTOLD
            ),
        )

    # -- what rows say of beginnings -------------------------------------------------------------------------------
    def values_from(self, event: str, name: str) -> frozenset[Any]:
        """Return the values that the rows of an event can give a variable, with its first value."""
        state = self.layout.states[self.layout.named[name]]
        found = {state.initial.value} if isinstance(state.initial, Lit) else set()
        for row in self.protocol.rows:
            if row.event.name == event:
                for stage in row.stages:
                    for update in stage.updates:
                        if update.target.state is state:
                            found |= set(_leaves(update.value))
        return frozenset(found)


def _members(var: Var[Any]) -> tuple[Any, ...]:
    kind = var.kind
    assert isinstance(kind, EnumKind)
    members: type[enum.Enum] = kind.enum
    return tuple(members)


def _leaves(term: Term[Any]) -> Iterator[Any]:
    if isinstance(term, Lit):
        yield term.value
    elif isinstance(term, (Named, Before)):
        yield from _leaves(term.term)
    elif isinstance(term, Ite):
        yield from _leaves(term.then)
        yield from _leaves(term.otherwise)


def _rank(reason: str) -> int:
    """Return the rank of a reason: a different state ranks above a different answer, and that above a false guard."""
    return (
        ("makes", "answers", "asks").index(word)
        if (word := reason.split(" ")[0]) in ("makes", "answers", "asks")
        else 3
    )


def _text(value: Any) -> str:
    if isinstance(value, enum.Enum):
        return str(value.value) if isinstance(value.value, str) else value.name
    return value if isinstance(value, str) else value_text(value)
