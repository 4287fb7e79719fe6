"""Edits that the entries share: one row or one name changed, as values; an assumption dropped; a procedure in another order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeAlias

from fencepost.model.language import Protocol, Row, TableError, Term
from fencepost.model.language.effects import Applied, Effect, Effects, Every, Only, Together
from fencepost.model.language.errors import refuse
from fencepost.model.language.walk import map_effect, rewrite

Edit: TypeAlias = Callable[[Protocol], Protocol]


def but(row: str, *, why: str, more: Effects = (), **changes: Any) -> Edit:
    """Return the edit of one row, with the changes of `Protocol.but`; `more` are effects after those that the row has."""

    def edit(base: Protocol) -> Protocol:
        effects = {"effects": (base.row(row).effects, more)} if more else {}
        return base.but(row, **{"why": why, **effects, **changes})

    return edit


def redefine(
    name: str, body: Term[Any] | Callable[[Term[Any]], Term[Any]], *, why: str, rows: tuple[str, ...] = ()
) -> Edit:
    """Return the edit that gives a name another body, or one made of its body, in all rows or some."""
    change = (lambda _: body) if isinstance(body, Term) else body
    return lambda base: base.redefine(name, change, why=why, rows=rows)


def without(*rows: str, why: str) -> Edit:
    """Return the edit that takes rows away: those that a slice has; it raises `TableError` where there are none."""

    def edit(base: Protocol) -> Protocol:
        there = [row.id for row in base.rows if row.id in rows]
        if not there:
            raise _absent(base.name, f"any row of {', '.join(rows)}")
        for row in there:
            base = base.without(row, why=why)
        return base

    return edit


def unassumed(assumption: str, row: str, why: str) -> Edit:
    """Return the edit that drops an assumption on the parameters of an event, of which a row is."""

    def edit(base: Protocol) -> Protocol:
        kept = tuple(one for one in base.inputs if one.id != assumption)
        return replace(base.but(row, when=base.row(row).when, why=why), inputs=kept)

    return edit


def replaced(protocol: Protocol, row: str, old: Term[Any], new: Term[Any], *, why: str, name: str = "") -> Protocol:
    """Return a variant in which a term inside one row's effects is another; raises `TableError` if it is not there."""
    found = [0]

    def one(node: Term[Any]) -> Term[Any] | None:
        if node is old:
            found[0] += 1
            return new
        return None

    effects = tuple(map_effect(effect, lambda term: rewrite(term, one)) for effect in protocol.row(row).effects)
    if not found[0]:
        raise _absent(f"row {row}", f"the term {old}")
    return protocol.but(row, effects=effects, why=why, name=name)


def reordered(protocol: Protocol, procedure: str, *, why: str, name: str = "") -> Protocol:
    """Return a variant in which the steps of a procedure come in the opposite order, in every row that applies it."""
    found = False

    def edited(row: Row) -> Row:
        nonlocal found
        effects = tuple(_opposite(effect, procedure) for effect in row.effects)
        if effects == row.effects:
            return row
        found = True
        return replace(row, effects_=effects)

    tables = tuple(table.with_rows(tuple(edited(row) for row in table.rows), why) for table in protocol.tables)
    if not found:
        raise _absent(protocol.name, f"the procedure {procedure}")
    name = name or f"{protocol.name}+{procedure}"
    return replace(protocol, name=name, why=why, tables=tables, base=protocol.base or protocol)


def _opposite(effect: Effect, procedure: str) -> Effect:
    if isinstance(effect, Applied):
        body = tuple(_opposite(inner, procedure) for inner in effect.procedure.body)
        if effect.procedure.name == procedure:
            body = tuple(reversed(body))
        return (
            effect if body == effect.procedure.body else replace(effect, procedure=replace(effect.procedure, body=body))
        )
    if isinstance(effect, (Every, Only, Together)):
        return replace(effect, body=tuple(_opposite(inner, procedure) for inner in effect.body))
    return effect


def _absent(where: str, what: str) -> TableError:
    return refuse(where, f"{what} is not there", "edit what the base has")
