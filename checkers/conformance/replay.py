"""The hard state of a log: replayed record by record as the tables' records declare, whichever row explains them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from fencepost.model.language import Protocol, Record, Term, Var
from fencepost.model.language.effects import Applied, Assign, Effect, Every, Only
from fencepost.model.language.kinds import EntityKind
from fencepost.model.language.state import State
from fencepost.model.language.terms import TRUE, Eq, Get, Lit, Quant
from fencepost.model.language.walk import expand, nary

from .kleene import UNKNOWN, Code, Compiler, Env, Frame, first_value, values
from .wire import BoundRecord, entities_of

Cell = tuple[int, tuple[Any, ...]]
"""A cell of the hard state: the number of its table, and its keys."""


@dataclass(frozen=True, slots=True)
class Change:
    """A cell with its value before and after a record."""

    cell: Cell
    old: Any
    new: Any


@dataclass(frozen=True, slots=True)
class _Update:
    binders: tuple[Var[Any], ...]
    when: Code
    table: int
    keys: tuple[Code, ...]
    value: Code


class HardState:
    """What a log shows of a protocol's state: dense tables, the entities seen, and the log's end where a variable holds it.

    Known are the hard variables that nothing but records writes, and the fixed ones that `given` names; all others are
    unknown to every evaluation. `log_end` names the variable that holds the offset of the last record.
    """

    def __init__(self, protocol: Protocol, given: dict[str, Any] | None = None, log_end: str = "") -> None:
        self.protocol = protocol
        self.states: list[State[Any]] = []
        numbers: dict[State[Any], int] = {}
        wanted = given or {}
        beside = _written_beside_records(protocol)
        for state in protocol.states:
            known = (state.what == "hard" and state not in beside) or state.name in wanted or state.name == log_end
            if known:
                numbers[state] = len(self.states)
                self.states.append(state)
        self.numbers = numbers
        self.initial = [wanted.get(s.name, _started(protocol, s)) for s in self.states]
        self.compiler = Compiler(numbers, dict(zip(self.states, self.initial, strict=True)))
        tables: list[Any] = [_Given(first) if s.name in wanted else {} for s, first in zip(self.states, self.initial, strict=True)]
        observable = {k.name for r in protocol.records for f in (*r.about, *r.fields) for k in _sorts(f.kind)}
        self.domains: dict[str, dict[Any, None]] = {name: {} for name in sorted(observable)}
        self.frame = Frame(tables, self.domains)
        self._log_end = next((n for s, n in numbers.items() if s.name == log_end), None)
        self._plans: dict[Record, tuple[_Update, ...]] = {}

    def meet(self, record: BoundRecord) -> None:
        """Add the entities of a record to those seen."""
        for field in (*record.record.about, *record.record.fields):
            if field.name in record.values:
                for sort, entity in entities_of(field.kind, record.values[field.name]):
                    domain = self.domains[sort]
                    if entity not in domain:
                        domain[entity] = None
                        self.frame.forget()

    def at_offset(self, offset: int) -> None:
        """Say at which offset the next record stands."""
        if self._log_end is not None:
            table = self.frame.tables[self._log_end]
            if table.get(()) != offset - 1:
                table[()] = offset - 1
                self.frame.forget()

    def read(self, cell: Cell) -> Any:
        """Return a cell's value, `UNKNOWN` where nothing said it yet and any value may be the first."""
        return self.frame.tables[cell[0]].get(cell[1], self.initial[cell[0]])

    def changes(self, record: BoundRecord) -> tuple[Change, ...]:
        """Return what replaying a record changes in the present state, cells that keep their value left out."""
        env: Env = {}
        for field in (*record.record.about, *record.record.fields):
            if field.name in record.values:
                env[field.value] = record.values[field.name]
            if field.optional:
                assert isinstance(field.said, Var)
                env[field.said] = field.name in record.values
        found: dict[Cell, Any] = {}
        for update in self._plan(record.record):
            for _ in self.bindings(update.binders, env):
                condition = update.when(self.frame, env)
                if condition is False:
                    continue
                keys = tuple(key(self.frame, env) for key in update.keys)
                if UNKNOWN in keys:
                    continue
                value = update.value(self.frame, env)
                cell = (update.table, keys)
                known = condition is True or value == self.read(cell)
                found[cell] = value if known else UNKNOWN
        return tuple(Change(cell, old, new) for cell, new in found.items() if (old := self.read(cell)) != new)

    def bindings(self, binders: tuple[Var[Any], ...], env: Env) -> Iterator[None]:
        """Bind the variables in `env` to every combination of the values seen, one at a time."""
        if not binders:
            yield
            return
        var, rest = binders[0], binders[1:]
        for value in values(self.frame, var.kind) or (UNKNOWN,):
            env[var] = value
            yield from self.bindings(rest, env)
        env.pop(var, None)

    def apply(self, changes: Iterable[Change]) -> None:
        """Make changes."""
        for change in changes:
            self.frame.tables[change.cell[0]][change.cell[1]] = change.new
        self.frame.forget()

    def undo(self, changes: Iterable[Change]) -> None:
        """Take changes back; the last made come first."""
        for change in changes:
            self.frame.tables[change.cell[0]][change.cell[1]] = change.old
        self.frame.forget()

    def before(self, changes: Iterable[Change]) -> Frame:
        """Return the state as it was before changes that were made, for as long as nothing else is made; `after` is the present."""
        tables = list(self.frame.tables)
        for change in changes:
            number = change.cell[0]
            if not isinstance(tables[number], _Overlay):
                tables[number] = _Overlay(tables[number])
            tables[number].over.setdefault(change.cell[1], change.old)
        return Frame(tables, self.domains, self.frame)

    def name(self, cell: Cell) -> str:
        """Return a cell as text."""
        keys = ", ".join(map(str, cell[1]))
        return self.states[cell[0]].name + (f"[{keys}]" if cell[1] else "")

    def _plan(self, record: Record) -> tuple[_Update, ...]:
        found = self._plans.get(record)
        if found is None:
            found = self._plans[record] = tuple(
                _Update(
                    binders,
                    self.compiler.code(when),
                    self.numbers[assign.target.state],
                    tuple(self.compiler.code(key) for key in assign.target.keys),
                    self.compiler.code(assign.value),
                )
                for effect in record.replay
                for binders, when, assign in _assignments(effect, (), TRUE)
                if assign.target.state in self.numbers
            )
        return found


class _Given(dict[tuple[Any, ...], Any]):
    """A table whose every cell has the one value that the user gave."""

    def __init__(self, value: Any) -> None:
        super().__init__()
        self.value = value

    def get(self, key: Any, default: Any = None) -> Any:
        return self.value


class _Overlay:
    """A table seen through the old values of the cells that have changed since."""

    __slots__ = ("over", "under")

    def __init__(self, under: Any) -> None:
        self.under = under
        self.over: dict[tuple[Any, ...], Any] = {}

    def get(self, key: tuple[Any, ...], default: Any = None) -> Any:
        found = self.over.get(key, self)
        return self.under.get(key, default) if found is self else found


def _assignments(
    effect: Effect, binders: tuple[Var[Any], ...], when: Term[bool]
) -> Iterator[tuple[tuple[Var[Any], ...], Term[bool], Assign]]:
    if isinstance(effect, Assign):
        yield binders, when, effect
    elif isinstance(effect, (Every, Only)):
        inner = (*binders, effect.var) if isinstance(effect, Every) else binders
        for one in effect.body:
            yield from _assignments(one, inner, nary("and", (when, effect.when)))
    elif isinstance(effect, Applied):
        for one in expand(effect):
            yield from _assignments(one, binders, when)


def _written_beside_records(protocol: Protocol) -> set[State[Any]]:
    """The variables that some row writes without a record: a log does not show when."""
    return {
        assign.target.state
        for row in protocol.rows
        for effect in row.effects
        for _, _, assign in _assignments(effect, (), TRUE)
    }


def _started(protocol: Protocol, state: State[Any]) -> Any:
    """A variable's first value: declared, or said by an equation of the protocol's start."""
    declared = first_value(state)
    if declared is not UNKNOWN:
        return declared
    for conjunct in getattr(protocol.start, "terms", (protocol.start,)):
        while isinstance(conjunct, Quant) and conjunct.quantifier == "every":
            conjunct = conjunct.body
        if isinstance(conjunct, Eq):
            for one, other in ((conjunct.left, conjunct.right), (conjunct.right, conjunct.left)):
                if isinstance(one, Get) and one.state is state and isinstance(other, Lit):
                    return other.value
    return UNKNOWN


def _sorts(kind: Any) -> Iterator[EntityKind[Any]]:
    if isinstance(kind, EntityKind):
        yield kind
    elif hasattr(kind, "of"):
        yield from _sorts(kind.of)
