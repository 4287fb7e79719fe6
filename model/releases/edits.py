"""Edits of tables, many at a time: each is a value that says what it changes, and is refused where that is not there.

`Protocol.but` and its kin check the whole protocol after every change. A release is dozens of changes away from the
newest one, so these work on the tables, and the protocol is made, and checked, once at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol, TypeAlias

from fencepost.model.language import Record, Row, Table, Term
from fencepost.model.language.effects import Applied, Effect, Every, Only, Procedure, Together, Write
from fencepost.model.language.errors import refuse
from fencepost.model.language.tables import Event
from fencepost.model.language.terms import FALSE, TRUE, Named
from fencepost.model.language.walk import map_effect, names, rewriting

Tables: TypeAlias = tuple[Table, ...]
Change: TypeAlias = Callable[[Term[Any]], Term[Any]]


class Edit(Protocol):
    """An edit: a function from tables to tables."""

    @property
    def subject(self) -> str:
        """Return the noun phrase for the subject of the edit."""

    def apply(self, tables: Tables) -> Tables | None:
        """Return the tables with the change, None where they hold nothing of what it is about."""


def edited(tables: Tables, edits: tuple[Edit, ...], *, slice_: bool = False) -> Tables:
    """Return the tables with every edit applied, in order.

    A slice has only some of the tables: there, an edit of something that is not in it changes nothing. Elsewhere raises
    `TableError`.
    """
    for edit in edits:
        found = edit.apply(tables)
        if found is None and not slice_:
            raise refuse("an edit of the tables", f"{edit.subject} is not there", "edit what the newer release has")
        tables = tables if found is None else found
    return tables


def _rows(tables: Tables, change: Callable[[Row], Row | None]) -> Tables | None:
    """Every row changed, None taking it out; the very tables where nothing is, and None where that is all of them."""
    result = []
    for table in tables:
        rows = tuple(new for row in table.rows if (new := change(row)) is not None)
        same = len(rows) == len(table.rows) and all(a is b for a, b in zip(rows, table.rows, strict=True))
        result.append(table if same else table.with_rows(rows))
    return None if all(a is b for a, b in zip(result, tables, strict=True)) else tuple(t for t in result if t.rows)


@dataclass(frozen=True)
class Without:
    """Rows are left out, and a table of which none is left with them."""

    ids: tuple[str, ...]

    @property
    def subject(self) -> str:
        """Return the noun phrase for the subject of the edit."""
        return f"{'row' if len(self.ids) == 1 else 'one of the rows'} {', '.join(self.ids)}"

    def apply(self, tables: Tables) -> Tables | None:
        """Return the tables without the rows, None where one of them is not there."""
        there = {row.id for table in tables for row in table.rows}
        return _rows(tables, lambda row: None if row.id in self.ids else row) if there.issuperset(self.ids) else None


@dataclass(frozen=True)
class _OfRow:
    """An edit about one row, by its id."""

    id: str

    @property
    def subject(self) -> str:
        """Return the noun phrase for the subject of the edit."""
        return f"row {self.id}"


@dataclass(frozen=True)
class Other(_OfRow):
    """A row is another one with the same id."""

    change: Callable[[Row], Row]

    def apply(self, tables: Tables) -> Tables | None:
        """Return the tables with the row changed, None where it is not there."""
        return _rows(tables, lambda row: self.change(row) if row.id == self.id else row)


@dataclass(frozen=True)
class OfEvent:
    """Every row of an event has what `change` makes of the event."""

    name: str
    change: Callable[[Event], Event]

    @property
    def subject(self) -> str:
        """Return the noun phrase for the subject of the edit."""
        return f"the event {self.name}"

    def apply(self, tables: Tables) -> Tables | None:
        """Return the tables with the other event, None where no row is of it."""
        old = next((row.event for table in tables for row in table.rows if row.event.name == self.name), None)
        if old is None:
            return None
        new = self.change(old)
        return _rows(tables, lambda row: replace(row, event=new) if row.event.name == self.name else row)


@dataclass(frozen=True)
class Redefine:
    """Every term of a name is what `change` makes of its body: in all rows, or in some; in all they do, or only inside one
    procedure and in their guards. With `of_arguments` it takes the term's arguments, too."""

    name: str
    change: Callable[..., Term[Any]]
    rows: tuple[str, ...] = ()
    inside: str = ""
    of_arguments: bool = False

    @property
    def subject(self) -> str:
        """Return the noun phrase for the subject of the edit."""
        return f"the term {self.name}" + (f" inside {self.inside}" if self.inside else "")

    @cached_property
    def rewriting(self) -> Change:
        """Return the function that replaces the name in a term."""

        def one(node: Term[Any]) -> Term[Any] | None:
            if isinstance(node, Named) and node.name == self.name:
                new = self.change(node.term, *(node.shown if self.of_arguments else ()))
                # What a literal decides is folded, so that a table reads as if the rule had never been there.
                return new if new in (TRUE, FALSE) else Named(node.name, node.shown, new)
            return None

        return rewriting(one)

    def apply(self, tables: Tables) -> Tables | None:
        """Return the tables with the term changed, None where no row speaks of it."""
        seen = False
        other = self.rewriting

        def look(term: Term[Any]) -> Term[Any]:
            nonlocal seen
            seen = seen or self.name in names(term)
            return term

        def row_with(row: Row) -> Row:
            nonlocal seen
            if self.rows and row.id not in self.rows:
                return row
            # Most rows do not speak of it: to look takes much less than to build their terms anew.
            seen = False
            for term in (row.when, *(() if row.say is None else (row.say,))):
                look(term)
            for effect in row.effects:
                _inside(effect, self.inside, look)
            if not seen:
                return row
            return replace(
                row,
                when=other(row.when),
                say=None if row.say is None else other(row.say),
                effects_=_left(_inside(effect, self.inside, other) for effect in row.effects),
            )

        return _rows(tables, row_with)


def _inside(effect: Effect, procedure: str, change: Change) -> Effect:
    """The effect with its terms changed; only in the bodies of one procedure, where one is named."""
    if not procedure:
        return map_effect(effect, change)
    if isinstance(effect, Applied):
        if effect.procedure.name != procedure:
            return effect
        body = tuple(map_effect(one, change) for one in effect.procedure.body)
        return replace(effect, procedure=replace(effect.procedure, body=body))
    if isinstance(effect, (Every, Only, Together)):
        return replace(effect, body=tuple(_inside(one, procedure, change) for one in effect.body))
    return effect


def _left(effects: Iterable[Effect]) -> tuple[Effect, ...]:
    """The effects without those under a condition that has become false."""
    kept: list[Effect] = []
    for effect in effects:
        if isinstance(effect, (Every, Only)) and effect.when is FALSE:
            continue
        if isinstance(effect, (Every, Only, Together)):
            body = _left(effect.body)
            if body:
                kept.append(effect if body == effect.body else replace(effect, body=body))
            continue
        kept.append(effect)
    return tuple(kept)


def without_steps(row: Row, *procedures: str) -> Row:
    """Return the row without the applications of some procedures; raises `TableError` where there are none.

    An effect that is the only one under a condition is removed with its condition.
    """

    def applied(effect: object) -> bool:
        if isinstance(effect, Only):
            return all(map(applied, effect.body))
        return isinstance(effect, Applied) and effect.procedure.name in procedures

    kept = tuple(e for e in row.effects if not applied(e))
    if len(kept) == len(row.effects):
        raise refuse(f"row {row.id}", f"does not apply {' or '.join(procedures)}", "name what the row does")
    return replace(row, effects_=kept)


@dataclass(frozen=True)
class OtherProcedure:
    """Rows apply another procedure where they apply one; what it applies itself is as the tables have it.

    `new` takes what the old one took, and the arguments `more`.
    """

    name: str
    new: Callable[..., Applied]
    rows: tuple[str, ...]
    more: tuple[Term[Any], ...] = ()

    @property
    def subject(self) -> str:
        """Return the noun phrase for the subject of the edit."""
        return f"the procedure {self.name} of {', '.join(self.rows)}"

    def apply(self, tables: Tables) -> Tables | None:
        """Return the tables with the other procedure, None where none of the rows applies the one."""
        theirs = {one.name: one for table in tables for row in table.rows for one in _applied(row.effects)}

        def known(effect: Effect) -> Effect:
            if isinstance(effect, Applied):
                new = effect.procedure
                if new.name not in theirs:
                    theirs[new.name] = replace(new, body=tuple(map(known, new.body)))
                return replace(effect, procedure=theirs[new.name])
            if isinstance(effect, (Every, Only, Together)):
                return replace(effect, body=tuple(map(known, effect.body)))
            return effect

        def other(effect: Effect) -> Effect:
            if not isinstance(effect, Applied) or effect.procedure.name != self.name:
                return effect
            return known(self.new(*effect.arguments, *self.more))

        def row_with(row: Row) -> Row:
            return replace(row, effects_=tuple(map(other, row.effects))) if row.id in self.rows else row

        return _rows(tables, row_with)


def _applied(effects: Iterable[Effect]) -> Iterator[Procedure]:
    """Yield the procedures that effects apply, those within procedures too."""
    for effect in effects:
        if isinstance(effect, Applied):
            yield effect.procedure
            yield from _applied(effect.procedure.body)
        elif isinstance(effect, (Every, Only, Together)):
            yield from _applied(effect.body)


@dataclass(frozen=True)
class Writing:
    """Every row, or some, writes one record where it wrote another; both have the same fields."""

    old: Record
    new: Record
    rows: tuple[str, ...] = ()

    @property
    def subject(self) -> str:
        """Return the noun phrase for the subject of the edit."""
        return f"a row that writes {self.old.name}"

    def apply(self, tables: Tables) -> Tables | None:
        """Return the tables with the other record, None where no row writes the one."""
        return _rows(
            tables, lambda row: row if self.rows and row.id not in self.rows else writing(row, self.old, self.new)
        )


@dataclass(frozen=True)
class Before(_OfRow):
    """Further rows stand in front of another one, in its table."""

    rows: tuple[Row, ...]

    def apply(self, tables: Tables) -> Tables | None:
        """Return the tables with the rows, None where the other one is not there."""
        found = next((table for table in tables if any(row.id == self.id for row in table.rows)), None)
        if found is None:
            return None
        at = next(number for number, row in enumerate(found.rows) if row.id == self.id)
        new = found.with_rows((*found.rows[:at], *self.rows, *found.rows[at:]))
        return tuple(new if table is found else table for table in tables)


@dataclass(frozen=True)
class With:
    """A further table."""

    table: Table

    @property
    def subject(self) -> str:
        """Return the noun phrase for the subject of the edit."""
        return f"the table {self.table.name}"

    def apply(self, tables: Tables) -> Tables | None:
        """Return the tables with this one behind them."""
        return (*tables, self.table)


def writing(row: Row, old: Record, new: Record) -> Row:
    """Return the row writing one record where it wrote another, the very row where it does not."""

    def other(effect: Effect) -> Effect:
        if isinstance(effect, Write):
            return replace(effect, record=new) if effect.record is old else effect
        if isinstance(effect, Applied):
            body = tuple(map(other, effect.procedure.body))
            is_same = all(a is b for a, b in zip(body, effect.procedure.body, strict=True))
            return effect if is_same else replace(effect, procedure=replace(effect.procedure, body=body))
        if isinstance(effect, (Every, Only, Together)):
            body = tuple(map(other, effect.body))
            is_same = all(a is b for a, b in zip(body, effect.body, strict=True))
            return effect if is_same else replace(effect, body=body)
        return effect

    effects = tuple(map(other, row.effects))
    return row if all(a is b for a, b in zip(effects, row.effects, strict=True)) else replace(row, effects_=effects)


@dataclass(frozen=True)
class AsWell(_OfRow):
    """A further row before an existing one: the row that `change` returns for it, with an id of its own."""

    change: Callable[[Row], Row]

    def apply(self, tables: Tables) -> Tables | None:
        """Return the tables with the row, None where the one that it is made of is not there."""
        found = next((row for table in tables for row in table.rows if row.id == self.id), None)
        return None if found is None else Before(self.id, (self.change(found),)).apply(tables)
