"""A variant's edit carried over to the slices of its base, which is where bounds are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from fencepost.checkers.sliced import like
from fencepost.model.language import Property, Protocol, Row, Step, Table, TableError
from fencepost.model.registry import FAMILIES, Family

from .differences import Differences


def slices_of(base: Protocol, variant: Protocol, family: Family, found: Differences) -> tuple[Protocol, ...]:
    """Return the slices of a variant: its family's where these have bounds, else those of the base's with its edit.

    A slice without any row or property that changed is left out, and so is one that cannot take the edit.
    """
    own = tuple(one for one in family.slices if one.bounds)
    if own:
        return own
    made = (carried(base, variant, one, found) for one in of_base(base))
    return tuple(one for one in made if one is not None)


def of_base(base: Protocol) -> tuple[Protocol, ...]:
    """Return the slices of a base: those of its family where it is one of ours, itself where it has bounds."""
    known = FAMILIES.get(base.name)
    if known is not None and known.whole is base:
        return known.slices
    return (base,) if base.bounds else ()


def carried(base: Protocol, variant: Protocol, part: Protocol, found: Differences) -> Protocol | None:
    """Return a slice of the base with a variant's edit, None where that says nothing of the slice or cannot be made."""
    changed = {one.id for one in found.rows if one.how == "changed"}
    added = {one.id for one in found.rows if one.how == "added"}
    removed = {one.id for one in found.rows if one.how == "removed"}
    claims = {one.id for one in found.properties}
    mine = {row.id for row in part.rows}
    names = {table.name for table in part.tables}
    new = {id for id in added if variant.table_of(variant.row(id)).name in names}
    if not mine & (changed | removed) and not new and not claims & {one.id for one in part.properties}:
        return None
    rows: dict[str, Row] = {}
    for row in part.rows:
        if row.id in changed:
            made = like(partial(_replaced, variant.row(row.id)), base.row(row.id), row)
            if made is None:
                return None
            rows[row.id] = made
        elif row.id not in removed:
            rows[row.id] = row
    rows |= {id: variant.row(id) for id in new}
    theirs = {table.name: table for table in variant.tables}
    try:
        tables = tuple(_table(table, theirs.get(table.name), rows) for table in part.tables)
        left = {row.id for table in tables for row in table.rows}
        properties = tuple(_claims(variant, part, claims, left))
        events = {row.event.name for table in tables for row in table.rows}
        bounds = {
            name: replace(one, given={event: term for event, term in one.given.items() if event in events})
            for name, one in part.bounds.items()
        }
        inputs = tuple(one for one in part.inputs if one.event in events)
        return replace(
            part,
            name=f"{variant.name} ({part.name})" if part.name != base.name else variant.name,
            tables=tables,
            properties=properties,
            bounds=bounds,
            inputs=inputs,
            base=part.base or part,
        )
    except TableError:
        return None


def _table(part: Table, variant: Table | None, rows: dict[str, Row]) -> Table:
    if variant is None:
        return part
    listed = tuple(rows[row.id] for row in variant.rows if row.id in rows)
    return replace(part, rows=listed, mode=variant.mode, reasons={})


def _replaced(new: Row, _: Row) -> Row:
    return new


def _claims(variant: Protocol, part: Protocol, changed: set[str], rows: set[str]) -> Iterator[Property]:
    """Yield the properties of a slice, those that changed as the variant has them; steps of rows that are left."""
    now = {one.id: one for one in variant.properties}
    for one in part.properties:
        claim = now.get(one.id) if one.id in changed else one
        if claim is None:
            continue
        if isinstance(claim, Step) and claim.rows:
            kept = tuple(id for id in claim.rows if id in rows)
            if not kept:
                continue
            claim = replace(claim, rows=kept)
        yield claim


__all__ = ["carried", "of_base", "slices_of"]
