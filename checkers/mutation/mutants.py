"""Mutants of a protocol: one row altered, dropped or put elsewhere, each with an id, a sentence, and its tables."""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from fencepost.model.language import Effect, Property, Protocol, Row, Step, Table, TableError, Term
from fencepost.model.language.fingerprint import Digest
from fencepost.model.language.kinds import BOOL
from fencepost.model.language.render import answer_text, definitions_of, effect_text, text
from fencepost.model.language.terms import Named
from fencepost.model.language.walk import map_effect, nodes, rewrite

from .effects import dropped, spots
from .terms import Edit, Path, Role, edits, node_at, places, quoted, replaced

DROPPED, SWAPPED = "row dropped", "rows swapped"
SCOPE = {"conjunct dropped": "scope widened", "conjunct negated": "scope altered"}
"""Names of the kinds where the condition is that of an `every`, which selects the entities that the row writes."""

KINDS = (
    "conjunct dropped", "conjunct negated", "disjunct dropped", "condition dropped", "case dropped", "operand dropped",
    "comparison shifted", "shifted by one", "literal altered", "value altered", "bump removed", "scope widened",
    "scope altered", "effect dropped", "record dropped", "field dropped", "answer altered",
    DROPPED, SWAPPED,
)  # fmt: skip
"""Every kind of mutant."""

Change = Callable[[Row], Row | None]


@dataclass(frozen=True)
class Mutant:
    """A change of one row: `about` says it in a line, `change` makes it, None where it is a change of the table.

    `id` is row, kind and path, and the same as long as the row's text is.
    """

    row: str
    kind: str
    path: str
    about: str
    change: Change | None = None

    @property
    def id(self) -> str:
        """Row, kind and path as one word each."""
        return ":".join((self.row, self.kind.replace(" ", "-"), *((self.path,) if self.path else ())))

    def of(self, protocol: Protocol) -> Protocol:
        """Return the protocol with the change made; raises `TableError` where that is not well formed.

        Steps that are claimed of a row that is gone are claimed of those of their rows that are left, or not at all.
        """
        tables = tuple(table.with_rows(self._rows(table)) for table in protocol.tables)
        left = {row.id for table in tables for row in table.rows}
        claims: list[Property] = []
        for one in protocol.properties:
            if isinstance(one, Step) and one.rows and not left.issuperset(one.rows):
                kept = tuple(id for id in one.rows if id in left)
                if kept:
                    claims.append(replace(one, rows=kept))
            else:
                claims.append(one)
        changes: dict[str, Any] = {"tables": tables, "properties": tuple(claims)}
        events = {row.event.name for table in tables for row in table.rows}
        if any(event.name not in events for event in protocol.events):
            # What is assumed of an event that no row is about any more is assumed of nothing.
            changes["inputs"] = tuple(a for a in protocol.inputs if a.event in events)
            changes["bounds"] = {
                name: replace(one, given={event: term for event, term in one.given.items() if event in events})
                for name, one in protocol.bounds.items()
            }
        return replace(protocol, **changes, base=protocol.base or protocol, why=self.about)

    def _rows(self, table: Table) -> tuple[Row, ...]:
        at = next((i for i, row in enumerate(table.rows) if row.id == self.row), None)
        if at is None:
            return table.rows
        rows = list(table.rows)
        if self.change is not None:
            other = self.change(rows[at])
            rows[at] = rows[at] if other is None else other
        elif self.kind == DROPPED:
            del rows[at]
        else:
            then = next(i for i, row in enumerate(rows) if i > at and row.event is rows[at].event)
            rows[at], rows[then] = rows[then], rows[at]
        return tuple(rows)


class Population:
    """The mutants of a protocol, and what they make of its rows."""

    def __init__(self, protocol: Protocol) -> None:
        self.protocol = protocol
        self._digest = Digest()
        self._known: dict[str, set[str]] = {}
        self._before: dict[str, str] = {}

    def of_row(self, row: Row) -> tuple[Mutant, ...]:
        """Return every mutant of a row, those included that change nothing."""
        return tuple({one.id: one for one in self._of_row(row)}.values())

    def all(self, rows: Sequence[str] | None = None) -> tuple[Mutant, ...]:
        """Return every mutant of the rows, all of them where none is named."""
        return tuple(m for row in self.protocol.rows if rows is None or row.id in rows for m in self.of_row(row))

    def _of_row(self, row: Row) -> Iterator[Mutant]:
        yield from _in_terms(row)
        yield from _in_definitions(row)
        for one in dropped(row.effects):
            yield _mutant(row, one.kind, f"effects.{one.path}", one.about, _doing(one.effects))
        if row.throws:
            yield _mutant(
                row, "answer altered", "throws", f"without throwing {row.throws}", lambda r: replace(r, throws="")
            )
        yield Mutant(row.id, DROPPED, "", f"{row.id}: the row is gone")
        table = self.protocol.table_of(row)
        after = [one for one in table.rows[table.rows.index(row) + 1 :] if one.event is row.event]
        if table.mode == "first match" and after:
            yield Mutant(row.id, SWAPPED, after[0].id, f"{row.id}: the row is after {after[0].id}, not before it")

    def digest(self, protocol: Protocol, row: Row) -> str:
        """Return the identity of a row: its effective guard, effects, answer and exception."""
        parts = (protocol.guard(row), row.stages, row.say, row.throws)
        return "|".join(self._digest.of(part) for part in parts)

    def _digest_before(self, id: str) -> str:
        if id not in self._before:
            self._before[id] = self.digest(self.protocol, self.protocol.row(id))
        return self._before[id]

    def fresh(self, mutant: Mutant) -> str:
        """Return why a mutant is left out: it is ill-formed, changes nothing, or is what another was; else nothing."""
        try:
            made = mutant.of(self.protocol)
        except TableError:
            return "ill-formed"
        told = {row.id: self.digest(made, row) for row in changed(self.protocol, made)}
        gone = len(made.rows) < len(self.protocol.rows)
        if not gone and all(digest == self._digest_before(id) for id, digest in told.items()):
            return "the same tables"
        known = self._known.setdefault(mutant.row, set())
        key = hashlib.sha256(f"{gone}{sorted(told.items())}".encode()).hexdigest()
        if key in known:
            return "the same as another"
        known.add(key)
        return ""


def changed(base: Protocol, mutant: Protocol) -> tuple[Row, ...]:
    """Return the mutant's rows that do not stand so in the base, or whose effective guard is another one."""
    before = {row.id: row for row in base.rows}
    return tuple(
        row
        for row in mutant.rows
        if row.id not in before or before[row.id] is not row or base.guard(before[row.id]) is not mutant.guard(row)
    )


def diff(base: Protocol, mutant: Mutant) -> list[str]:
    """Return the row before and after as a unified diff of its text, without the lines that say where."""
    made = mutant.of(base)
    before = told(base.row(mutant.row))
    after = told(made.row(mutant.row)) if any(r.id == mutant.row for r in made.rows) else []
    if mutant.kind == SWAPPED:
        before, after = [f"{mutant.row} before {mutant.path}"], [f"{mutant.path} before {mutant.row}"]
    return [
        line for line in difflib.unified_diff(before, after, n=0, lineterm="") if line[:2] not in ("--", "++", "@@")
    ]


def told(row: Row) -> list[str]:
    """Return a row as lines: its guard, its effects, its answer, and what the names in it mean."""
    return [
        f"{row.id} on {row.event.name} when {text(row.when)}",
        *(f"  {effect_text(effect)}" for effect in row.effects),
        *([f"  answers {answer_text(row)}"] if row.say is not None or row.throws else []),
        *(f"  where {line}" for line in definitions_of([row])),
    ]


# -- in the row's own text ---------------------------------------------------------------------------------------------


def _mutant(row: Row, kind: str, path: str, about: str, change: Change) -> Mutant:
    return Mutant(row.id, kind, path, f"{row.id}: {about}", change)


def _in_terms(row: Row) -> Iterator[Mutant]:
    for path, node, edit in _edited(row.when, "condition"):
        yield _mutant(
            row, edit.kind, f"when{path}/{edit.label}", f"guard {edit.about}",
            _guarded(node, edit.node),
        )  # fmt: skip
    if row.say is not None:
        for path, node, edit in _edited(row.say, "value"):
            kind = "answer altered" if edit.kind in ("literal altered", "value altered") else edit.kind
            yield _mutant(
                row, kind, f"say{path}/{edit.label}", f"answers {edit.about}",
                _answering(node, edit.node),
            )  # fmt: skip
    for spot in spots(row.effects):
        for path, node, edit in _edited(spot.term, spot.role):
            kind = SCOPE.get(edit.kind, edit.kind) if spot.scope else edit.kind
            yield _mutant(
                row, kind, f"effects.{spot.path}{path}/{edit.label}", f"{spot.where} {edit.about}",
                _doing(spot.put(replaced(spot.term, node, edit.node))),
            )  # fmt: skip


def _guarded(node: Term[Any], other: Term[Any]) -> Change:
    return lambda row: replace(row, when=replaced(row.when, node, other))


def _answering(node: Term[Any], other: Term[Any]) -> Change:
    return lambda row: row if row.say is None else replace(row, say=replaced(row.say, node, other))


def _doing(effects: tuple[Effect, ...]) -> Change:
    return lambda row: replace(row, effects_=effects)


def _edited(root: Term[Any], role: Role) -> Iterator[tuple[str, Term[Any], Edit]]:
    for path, node, own in places(root, role):
        if isinstance(node, Named) and own in ("inner", "denied"):
            continue
        for edit in edits(node, own):
            yield "".join(f"/{i}" for i in path), node, edit


# -- in what the row's words mean --------------------------------------------------------------------------------------


def _in_definitions(row: Row) -> Iterator[Mutant]:
    for name, body, role in _definitions(row):
        for path, _, own in places(body, role):
            node = node_at(body, path)
            assert node is not None
            if isinstance(node, Named) and own in ("inner", "denied"):
                continue
            for edit in edits(node, own):
                yield _mutant(
                    row, edit.kind, f"{name}{''.join(f'/{i}' for i in path)}/{edit.label}", f"`{name}` {edit.about}",
                    partial(_redefined, name=name, path=path, role=role, edit=edit),
                )  # fmt: skip


def _definitions(row: Row) -> Iterator[tuple[str, Term[Any], Role]]:
    """Yield the names that a row's terms use, those that these use included, each with the first body met."""
    found: dict[str, Named[Any]] = {}
    terms = [row.when, *([row.say] if row.say is not None else []), *(spot.term for spot in spots(row.effects))]
    for node in nodes(*terms):
        if isinstance(node, Named):
            found.setdefault(node.name, node)
    for name, one in found.items():
        yield name, one.term, "condition" if one.kind == BOOL else "value"


def _redefined(row: Row, name: str, path: Path, role: Role, edit: Edit) -> Row | None:
    """Return the row with a name meaning something else, wherever the row says it and whatever its arguments."""

    def change(node: Term[Any]) -> Term[Any] | None:
        if not isinstance(node, Named) or node.name != name:
            return None
        old = node_at(node.term, path)
        own = next((r for p, _, r in places(node.term, role) if p == path), None)
        new = None
        if old is not None and own is not None:
            new = next((e.node for e in edits(old, own) if (e.kind, e.label) == (edit.kind, edit.label)), None)
        if old is None or new is None:
            return node
        return Named(node.name, node.shown, replaced(node.term, old, new))

    say = rewrite(row.say, change) if row.say is not None else None
    effects = tuple(map_effect(effect, lambda t: rewrite(t, change)) for effect in row.effects)
    return replace(row, when=rewrite(row.when, change), say=say, effects_=effects)


__all__ = ["DROPPED", "KINDS", "SWAPPED", "Mutant", "Population", "changed", "diff", "quoted", "told"]
