"""The hard state of a log: replayed record by record as the tables' records declare, whichever row explains them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from fencepost.checkers.conformance.classes.changes import Cell, Change
from fencepost.checkers.conformance.classes.classed import classed, replayed, sorts_of
from fencepost.checkers.conformance.classes.classes import ClassedTable, Classes
from fencepost.checkers.conformance.classes.frames import MISSING, UNKNOWN, Code, Env, Frame, first_value, values
from fencepost.checkers.conformance.classes.tables import Given, Indexed, Lost, Overlay
from fencepost.checkers.conformance.evaluation.indexes import Selector, candidates
from fencepost.checkers.conformance.evaluation.kleene import Compiler
from fencepost.checkers.conformance.evaluation.quantified import narrowing
from fencepost.checkers.conformance.plans.left_cells import left_cells
from fencepost.checkers.conformance.records.control_records import RAFT_FEATURE
from fencepost.checkers.conformance.records.wire import BoundRecord, entities_in, entity_text, said_by
from fencepost.checkers.printing.terms import Rows, TermPrinter
from fencepost.model.language import Protocol, Record, Var
from fencepost.model.language.effects import Applied, Assign, Effect, Every, Only, Update
from fencepost.model.language.kinds import EntityKind
from fencepost.model.language.state import State
from fencepost.model.language.terms import TRUE, Eq, Get, Lit, Quant

from .printed_states import AHEAD, States
from .record_fields import Replay, fields_of, print_replay


@dataclass(frozen=True, slots=True)
class CompiledUpdate:
    """An update as functions of a state; `selects` are how to find the values of each binder, none to try all."""

    binders: tuple[Var[Any], ...]
    when: Code
    table: int
    keys: tuple[Code, ...]
    value: Code
    selects: tuple[Selector | None, ...] = ()


def _constants(protocol: Protocol) -> dict[str, tuple[Any, ...]]:
    found: dict[str, tuple[Any, ...]] = {}
    for state in protocol.states:
        if state.known is not None and not state.keys and isinstance(state.kind, EntityKind):
            found[state.kind.name] = (*found.get(state.kind.name, ()), state.known)
    return found


class Layout:
    """The part of a protocol's state that a log shows, prepared once for any number of logs.

    Known are the hard variables that records write, settings without keys that have a default, and those that `given`
    names; all others are unknown to every evaluation, but for the protocol's `log_end`, which the offsets give, the
    variables named `active`, which the leader changes give, and `raft_level`, which Raft's own records give, and ghosts
    of entities: they keep their first value. What is
    given of a hard variable is what it begins with, of any other what it stays. `left_over` names the variable that
    counts how often a list has an entity (`LogFacts`). `states` are the known variables by the number of their table,
    then those of which a record shows a cell (`left`), unknown to every evaluation but that of a row's guard: `left_by`
    says which records leave what in them; `initial`
    are the values of the cells that nothing has written, `marks` the ghosts that a row
    writes, by its id, `constants` the entities that are there from the start, by the names of their sorts.
    """

    def __init__(
        self,
        protocol: Protocol,
        given: Mapping[str, Any] | None = None,
        active: str = "",
        raft_level: str = "",
        left_over: str = "",
    ) -> None:
        self.protocol = protocol
        known = {state.name: known_part(state) for state in protocol.states if state.known is not None}
        told = dict(given or {})
        begins = {state.name for state in protocol.states if state.what == "hard"} & told.keys()
        settings = {state.name: _started(protocol, state) for state in protocol.states if _is_setting(state)}
        self.given = known | settings | {name: value for name, value in told.items() if name not in begins}
        beside = _written_beside_records(protocol)
        log_end = None if protocol.log_end is None else protocol.log_end.state
        shown = tuple(
            state
            for state in protocol.states
            if (state.what == "hard" and state not in beside)
            or state.name in self.given
            or state is log_end
            or state.name in (active, raft_level)
            or is_mark(state)
        )
        self.numbers = {state: number for number, state in enumerate(shown)}
        first = self.given | {name: told[name] for name in begins}
        initial = [first.get(state.name, _started(protocol, state)) for state in shown]
        self.compiler = Compiler(self.numbers, dict(zip(shown, initial, strict=True)))
        self.left_by = left_cells(protocol, self.compiler, active)
        self.left = {state: number for number, state in enumerate(self.left_by, start=len(shown))}
        self.states = (*shown, *self.left)
        self.initial = (*initial, *(UNKNOWN for _ in self.left))
        self.rows = Rows(self.states, self.initial)
        self.sorts = sorted({k.name for r in protocol.records for f in (*r.about, *r.fields) for k in sorts_of(f.kind)})
        self.log_end = None if log_end is None else self.numbers.get(log_end)
        self.left_over = next((number for state, number in self.numbers.items() if state.name == left_over), None)
        self.active = next((number for state, number in self.numbers.items() if state.name == active), None)
        self.constants = _constants(protocol)
        features = ((sort, one) for sort, seen in self.constants.items() for one in seen if one == RAFT_FEATURE)
        self.raft_feature = next(features, ("", ""))
        self.raft_level = next((number for state, number in self.numbers.items() if state.name == raft_level), None)
        self.classed = classed(protocol, self.states, self.given)
        self.slots = {} if self.classed is None else self.classed.slots
        self._replays: dict[Record, tuple[CompiledUpdate, ...]] = {}
        self.printed: dict[Record, Replay] = {}
        self.marks = marks_of(protocol)

    @cached_property
    def printer(self) -> TermPrinter:
        """Prints terms over these tables."""
        return TermPrinter(self)

    def printed_replay(self, record: Record) -> Replay:
        """Return the printed function that says what replaying a record changes."""
        found = self.printed.get(record)
        if found is None:
            found = self.printed[record] = print_replay(self.printer, self, record)
        return found

    def replay(self, record: Record) -> tuple[CompiledUpdate, ...]:
        """Return what replaying a record does to the known variables."""
        found = self._replays.get(record)
        if found is None:
            found = self._replays[record] = (
                *(
                    self.compiled(one, tuple(narrowing(self.compiler, var, one.when) for var in one.binders))
                    for one in replayed(record)
                    if one.target.state in self.numbers
                ),
                *self._leaving(record),
            )
        return found

    def _leaving(self, record: Record) -> Iterator[CompiledUpdate]:
        """Yield what a record shows of the cells that no log has: a value, or that it is another one now."""
        for state, left in self.left_by.items():
            if record in left:
                value = left[record]
                code = _unknown if value is None else self.compiler.code(value)
                about = (self.compiler.code(record.about[0].value),)
                yield CompiledUpdate((), self.compiler.code(TRUE), self.left[state], about, code)

    def compiled(self, update: Update, selects: tuple[Selector | None, ...] = ()) -> CompiledUpdate:
        """Return an update of a known variable as functions of a state."""
        code = self.compiler.code
        number, keys = self.numbers[update.target.state], tuple(map(code, update.target.keys))
        return CompiledUpdate(update.binders, code(update.when), number, keys, code(update.value), selects)

    def cells_of(self, record: Record) -> tuple[int, ...]:
        """Return the tables in which a record sets the cell of what it is about."""
        about = tuple(field.value for field in record.about)
        return tuple(
            dict.fromkeys(
                self.numbers[one.target.state]
                for one in replayed(record)
                if one.target.keys == about and one.target.state in self.numbers
            )
        )

    def seen(self, changes: Iterable[Change]) -> tuple[Change, ...]:
        """Return the changes of what a log shows: those of other cells are conclusions."""
        return tuple(one for one in changes if one.cell[0] < len(self.numbers))

    def name(self, cell: Cell) -> str:
        """Return a cell as text."""
        keys = ", ".join("none" if key is None else entity_text(key) for key in cell[1])
        return self.states[cell[0]].name + (f"[{keys}]" if cell[1] else "")


class HardState:
    """The hard state of one log: a table a known variable, and the entities seen.

    The tables of the sort that most of them are about are stored by `classes` of entities: None while the state is not
    `is_known`, and while it is `plain`, as it may begin and is until `classify`. `version` counts what has changed of
    all others, `doubts` how often cells were forgotten. While it is known and not by class, printed functions say what
    a record changes, unless it `is_evaluated`: then every term is evaluated by itself.
    """

    def __init__(self, layout: Layout, plain: bool = False) -> None:
        self.layout, self.plain, self.is_known = layout, plain, True
        self.domains: dict[str, dict[Any, int]] = {name: {} for name in layout.sorts}
        self.classes: Classes | None = None
        self.version = self.doubts = self.writes = self.replaced = 0
        self.written_at = [0] * len(layout.states)
        tables: list[Any] = [
            Given(first) if state.name in layout.given else Indexed()
            for state, first in zip(layout.states, layout.initial, strict=True)
        ]
        self.frame = Frame(tables, self.domains)
        self.is_evaluated = False
        self._printed: States | None = None
        self._printed_at = 0  # how often it was written when the printed functions last followed
        self._classify()

    def _classify(self, classes: Classes | None = None) -> None:
        """Put empty tables by class, or those of some classes, in place of those of the sort that has classes."""
        shape = self.layout.classed
        if shape is None or self.plain:
            return
        counted = frozenset(shape.slots[number] for number in shape.counted)
        parents = tuple(sorted(shape.parents.values()))
        self.classes = Classes(shape.sort, shape.paired, shape.places, counted, parents) if classes is None else classes
        for number, slot in shape.slots.items():
            self.frame.tables[number] = ClassedTable(self.classes, slot)
        self.replaced += 1
        for entity in self.domains.get(shape.sort, ()):
            self.classes.meet(entity)

    def classify(self) -> None:
        """Store by class from here on what was stored plainly."""
        if not self.plain:
            return
        self.plain = False
        if self.is_known:
            cells = {number: self.frame.tables[number] for number in self.layout.slots}
            self._classify()
            self._write([((number, keys), value) for number, table in cells.items() for keys, value in table.items()])
            self.version += 1

    def copy(self) -> HardState:
        """Return a state of its own with the same cells and entities."""
        other = HardState(self.layout, self.plain)
        other.is_known, other.is_evaluated = self.is_known, self.is_evaluated
        for sort, seen in self.domains.items():
            other.domains[sort].update(seen)
        other.frame.tables[:] = [copy(table) for table in self.frame.tables]
        other.classes = None
        if self.classes is not None:
            other._classify(self.classes.copy())
        other.frame.open = self.frame.open
        return other

    def take_over(self, other: HardState) -> None:
        """Put in place of its cells those of a state of another layout, of the variables that both have."""
        self.writes, self.replaced = self.writes + 1, self.replaced + 1
        if not other.plain:
            self.classify()
        for number, state in enumerate(self.layout.states):
            if state in other.layout.numbers and state.name not in self.layout.given:
                table = other.frame.tables[other.layout.numbers[state]]
                if isinstance(self.frame.tables[number], ClassedTable) and not isinstance(table, Lost):
                    for keys, value in table.items():
                        self.frame.tables[number][keys] = value
                elif not isinstance(table, Given):
                    self.frame.tables[number] = copy(table)
                    if isinstance(table, Lost):
                        self.classes, self.is_known = None, False
        for sort, seen in other.domains.items():
            mine = self.domains.setdefault(sort, {})
            for entity in seen:
                mine.setdefault(entity, len(mine))
                if self.classes is not None and sort == self.classes.sort:
                    self.classes.meet(entity)
        self.frame.open = other.frame.open
        self.frame.forget()

    def meet(self, record: BoundRecord) -> None:
        """Add the entities of a record to those seen."""
        for sort, entity in entities_in(record):
            if entity not in self.domains[sort]:
                self.see(sort, entity)

    def see(self, sort: str, entity: Any) -> None:
        """Add an entity to those seen."""
        domain = self.domains[sort]
        if entity not in domain:
            domain[entity] = len(domain)
            self.frame.forget()
            if self.classes is not None and sort == self.classes.sort:
                self.classes.meet(entity)
            else:
                self.version += 1

    def see_all(self, sort: str, entities: Iterable[Any]) -> None:
        """Add entities of a sort to those seen, in their order."""
        domain = self.domains[sort]
        new = [one for one in dict.fromkeys(entities) if one not in domain]
        if new:
            domain.update(zip(new, range(len(domain), len(domain) + len(new)), strict=True))
            self.frame.forget()
            if self.classes is not None and sort == self.classes.sort:
                self.classes.meet_all(new)
            else:
                self.version += 1

    def at_offset(self, offset: int) -> None:
        """Set the offset of the next record."""
        if self.layout.log_end is not None:
            table = self.frame.tables[self.layout.log_end]
            if table.get(()) != offset - 1:
                table[()] = offset - 1
                self.frame.forget()

    def lose_left(self) -> None:
        """Forget what records showed of cells that no log has: another term begins, or a snapshot was loaded."""
        tables = self.frame.tables
        self._write([((at, keys), MISSING) for at in self.layout.left.values() for keys in list(tables[at])])

    def led_by(self, node: int | None) -> tuple[Change, ...]:
        """Set the node that leads the log from here on, None where it is not known; return the changes.

        A resource is named by a node as text.
        """
        return self._say(self.layout.active, UNKNOWN if node is None else str(node))

    def raft_at(self, level: int | None) -> None:
        """Set the level of kraft.version from here on; None changes nothing."""
        if level is not None and self.layout.raft_level is not None:
            sort, feature = self.layout.raft_feature
            self.see(sort, feature)
            self._say(self.layout.raft_level, level)

    def _say(self, number: int | None, found: Any) -> tuple[Change, ...]:
        old = found if number is None else self.frame.tables[number].get((), UNKNOWN)
        if number is None or old == found:
            return ()
        self.apply(made := (Change((number, ()), old, found),))
        return made

    def read(self, cell: Cell) -> Any:
        """Return a cell's value, `UNKNOWN` where nothing said it yet and any value may be the first."""
        return self.frame.tables[cell[0]].get(cell[1], self.layout.initial[cell[0]])

    def value_of(self, name: str) -> Any:
        """Return the value of a variable without keys by its name, `UNKNOWN` where there is none."""
        for number, state in enumerate(self.layout.states):
            if state.name == name and not state.keys:
                return self.read((number, ()))
        return UNKNOWN

    def values_of(self, name: str) -> Iterator[Any]:
        """Yield the values of a variable that something has written, none and unknown left out."""
        for number, state in enumerate(self.layout.states):
            if state.name == name:
                table = self.frame.tables[number]
                yield from (value for value in table.values() if value is not UNKNOWN and value is not None)

    def changes(self, record: BoundRecord) -> tuple[Change, ...]:
        """Return what replaying a record changes in the present state, cells that keep their value left out."""
        found = self._by_printed(record)
        if found is None:
            found = self.replayed(record)
        return (*found, *self.left_over(found, self.read)) if self.leaves_over(found) else found

    def _by_printed(self, record: BoundRecord) -> tuple[Change, ...] | None:
        """Return what printed functions say that the record itself changes, None where they cannot say it."""
        if self.is_evaluated or self.classes is not None or not self.is_known or self.doubts or record.problems:
            return None
        if self._printed is None:
            self._printed = States(self.layout.printer, self, AHEAD, ())
        elif self._printed_at != self.writes:
            self._printed.follow()
        self._printed_at = self.writes
        if not self._printed.is_known:
            return None
        return self.layout.printed_replay(record.record)(self._printed.names, fields_of(record))

    def leaves_over(self, changes: Iterable[Change]) -> bool:
        """Whether changes take an entity out of a list that has it more than once."""
        number = self.layout.left_over
        return number is not None and any(
            one.cell[0] == number and isinstance(one.old, int) and one.old > 1 for one in changes
        )

    def left_over(self, changes: Iterable[Change], read: Callable[[Cell], Any]) -> Iterator[Change]:
        """Yield changes so that a leftover entry of an entity in a list reads as the first of those that it is beside.

        `read` reads a cell in front of the changes.
        """
        for one in changes:
            (number, keys), old = one.cell, one.old
            if number == self.layout.left_over and isinstance(old, int) and old > 1 and one.new == 0:
                (*beside, at), *others = keys
                cell = (number, ((*beside, 0), *others))
                count = read(cell)
                if at and isinstance(count, int):
                    yield Change(cell, count, count + old - 1)

    def replayed(self, record: BoundRecord) -> tuple[Change, ...]:
        """Return what the record itself changes: that of which something is left over is not made so."""
        made = self.made(self.layout.replay(record.record), said_by(record))
        return tuple(Change(cell, old, new) for cell, new in made.items() if (old := self.read(cell)) != new)

    def made(self, updates: Iterable[CompiledUpdate], env: Env) -> dict[Cell, Any]:
        """Return what updates make of cells, `UNKNOWN` where they may be left as they are."""
        found: dict[Cell, Any] = {}
        for update in updates:
            for _ in self.bindings(update.binders, env, update.selects):
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
        return found

    def bindings(
        self, binders: tuple[Var[Any], ...], env: Env, selects: tuple[Selector | None, ...] = ()
    ) -> Iterator[None]:
        """Bind the variables in `env` to every combination of the values seen, one at a time.

        With `selects`, one for each variable, what they leave out is left out.
        """
        if not binders:
            yield
            return
        var, rest = binders[0], binders[1:]
        seen = values(self.frame, var.kind)
        for value in (candidates(self.frame, var, selects[0] if selects else None, env) or ()) if seen else (UNKNOWN,):
            env[var] = value
            yield from self.bindings(rest, env, selects[1:])
        env.pop(var, None)

    def apply(self, changes: Sequence[Change]) -> None:
        """Make changes."""
        self._make(changes, [(cell, new) for cell, _, new in changes])

    def undo(self, changes: Iterable[Change]) -> None:
        """Take changes back; the last made come first."""
        initial, made = self.layout.initial, [Change(one.cell, one.new, one.old) for one in changes]
        self._make(made, [(one.cell, MISSING if one.new == initial[one.cell[0]] else one.new) for one in made])

    def _make(self, changes: Sequence[Change], cells: Iterable[tuple[Cell, Any]]) -> None:
        """Give cells values; the indexes of printed functions follow, where they did so far."""
        follows = self._printed if self._printed_at == self.writes else None
        if follows is not None:
            follows.written(changes)
        self._write(cells)
        if follows is not None:
            self._printed_at = self.writes

    def _write(self, cells: Iterable[tuple[Cell, Any]]) -> None:
        """Give cells values, in order, `MISSING` for none; an entity that has a class goes to its new one at once."""
        classes, slots, tables = self.classes, self.layout.slots, self.frame.tables
        self.writes += 1
        mover, number = None, 0
        for (table, keys), value in cells:
            if classes is not None and table in slots:
                if mover is None or keys[0] != mover:
                    if mover is not None:
                        classes.move(mover, number)
                    mover = keys[0]
                    number = classes.of(mover)
                number = classes.written(number, mover, slots[table], keys[1:], value)
                continue
            if value is MISSING:
                tables[table].pop(keys, None)
            else:
                tables[table][keys] = value
            self.version += table not in slots
            self.written_at[table] = self.writes
        if classes is not None and mover is not None:
            classes.move(mover, number)
        self.frame.forget()

    def before(self, changes: Iterable[Change], end: Any = UNKNOWN) -> Frame:
        """Return the state before changes that were the last made; its `after` is the present state.

        `end` is the offset of the last record before them: a claim that compares it with the log's end after them is
        not decided where it is unknown.
        """
        tables = list(self.frame.tables)
        if self.layout.log_end is not None:
            tables[self.layout.log_end] = {(): end}
        for change in changes:
            number = change.cell[0]
            if not isinstance(tables[number], Overlay):
                tables[number] = Overlay(tables[number])
            tables[number].over.setdefault(change.cell[1], change.old)
        return Frame(tables, self.domains, self.frame, self.frame.open)

    def lose(self) -> None:
        """Forget every cell: a part of the log is missing, and what it held may have written any of them."""
        for number, state in enumerate(self.layout.states):
            if state.name not in self.layout.given and number != self.layout.log_end:
                self.frame.tables[number] = Lost()
        self.classes, self.is_known, self.version = None, False, self.version + 1
        self.writes, self.replaced = self.writes + 1, self.replaced + 1
        self.frame.open = True
        self.frame.forget()

    def regain(self) -> None:
        """Begin again with every cell at its initial value, as a snapshot does."""
        for number, state in enumerate(self.layout.states):
            if state.name not in self.layout.given and number != self.layout.log_end:
                self.frame.tables[number] = Indexed()
        self.is_known = True
        self._classify()
        self.version += 1
        self.writes, self.replaced = self.writes + 1, self.replaced + 1
        self.frame.open = False
        self.frame.forget()

    def doubt(self, cells: Iterable[Cell]) -> None:
        """Forget some cells: a record that would have written them is missing."""
        for number, keys in cells:
            self.frame.tables[number][keys] = UNKNOWN
            self.version, self.doubts = self.version + 1, self.doubts + 1
        self.writes, self.replaced = self.writes + 1, self.replaced + 1
        self.frame.forget()


def _unknown(frame: Frame, env: Env) -> Any:
    return UNKNOWN


def known_part(state: State[Any]) -> Any:
    """The value of a constant, or the function that reads a field of the struct, or a part of the id, that its argument
    is on the wire."""
    if not state.keys:
        return state.known
    if isinstance(state.known, int):
        return lambda of: of[state.known]
    if isinstance(state.known, tuple):
        number, field = state.known
        return lambda of: said_in_structs(of[number], field)
    return lambda of: dict(of)[state.known]


def said_in_structs(structs: Iterable[Iterable[tuple[str, Any]]], field: str) -> frozenset[Any]:
    """Return what a field of structs says, null left out."""
    return frozenset(value for one in structs if (value := dict(one)[field]) is not None)


def _is_setting(state: State[Any]) -> bool:
    """Whether a variable is one value chosen outside the controller, with a default."""
    return state.what == "fixed" and not state.keys and state.known is None and isinstance(state.initial, Lit)


def _written_beside_records(protocol: Protocol) -> set[State[Any]]:
    """The variables that some row writes without a record, and no record does: a log does not show when.

    Where a record writes the variable too, the row's own write is what the records make of it one after the other: rows
    whose records may come in any order apply them all at once.
    """
    replayed = {state for record in protocol.records for state in _assigned(record.replay)}
    return {state for row in protocol.rows for state in _assigned(row.effects)} - replayed


def _assigned(effects: Iterable[Effect]) -> Iterator[State[Any]]:
    """Yield the variables that effects assign, those of records left out; which they are no argument changes."""
    for effect in effects:
        if isinstance(effect, Assign):
            yield effect.target.state
        elif isinstance(effect, (Every, Only)):
            yield from _assigned(effect.body)
        elif isinstance(effect, Applied):
            yield from _assigned(effect.procedure.body)


def is_mark(state: State[Any]) -> bool:
    """Whether a variable is a ghost that says something of an entity, such as what a row has done to it."""
    return (
        state.what == "ghost"
        and state.initial is not None
        and len(state.keys) == 1
        and isinstance(state.keys[0], EntityKind)
    )


def marks_of(protocol: Protocol) -> dict[str, frozenset[State[Any]]]:
    """Return the ghosts that rows write which say something of an entity, by the ids of the rows that write any."""
    written = {row.id: frozenset(filter(is_mark, _assigned(row.effects))) for row in protocol.rows}
    return {id: found for id, found in written.items() if found}


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
