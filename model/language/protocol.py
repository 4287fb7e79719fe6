"""Protocols: tables, properties and bounds under one name, and variants of them as values."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any

from fencepost.notebook import grid, headed

from .bounds import Bound
from .build import literal
from .effects import Applied, Effect, Effects, Every, Only, Together, Write, flat
from .errors import Finding, Place, TableError, caller
from .fingerprint import fingerprint
from .kinds import EntityKind, IntKind, Kind, ListKind, OptionKind, SetKind, ThresholdKind
from .leaves import leaves
from .properties import Always, Assumption, LeadsTo, Property, Sometimes, Step
from .records import Record
from .state import Map, Map2, Map3, State
from .tables import Event, Mode, Row, Table
from .terms import TRUE, Get, Lit, Named, Term, Var
from .walk import map_effect, nary, nodes, rewriting, without
from .wellformed import findings, strange

_AS_BEFORE: Any = object()
"""The default that means "the row's own effects" where a variant names none: an empty tuple replaces them too."""


@dataclass(frozen=True)
class Names:
    """The ids of rows and the names of events, of a protocol and of everything that it was made from."""

    rows: frozenset[str] = frozenset()
    events: frozenset[str] = frozenset()


@dataclass(frozen=True, eq=False)
class Protocol:
    """A protocol: well formed by construction, since making one raises `TableError` with every finding otherwise.

    `assumptions` are on every state, `inputs` on the parameters of events.
    `log_end` is the cell that holds the offset of the log's last record, where a recorded log can tell it.
    `known` are the names that its claims may speak of: its own, and those of the protocols that it is a slice or a variant of,
    since a claim stays when some of its rows go. Whatever copies a protocol hands them on.
    """

    name: str
    about: str
    tables: tuple[Table, ...]
    properties: tuple[Property, ...]
    assumptions: tuple[Assumption, ...]
    inputs: tuple[Assumption, ...]
    bounds: Mapping[str, Bound]
    start: Term[bool]
    ends: bool
    extra_records: tuple[Record, ...]
    log_end: Get[int] | None
    place: Place
    base: Protocol | None = None
    why: str = ""
    known: Names = Names()

    def __post_init__(self) -> None:
        object.__setattr__(self, "properties", tuple(self._with_their_rows()))
        object.__setattr__(
            self,
            "known",
            Names(self.known.rows.union(self._by_id), self.known.events.union(row.event.name for row in self.rows)),
        )
        found = findings(self)
        if found:
            raise TableError(*found)

    def _with_their_rows(self) -> Iterator[Property]:
        """Yield the properties, those that leave rows out as claims of all other rows with effects, if there are any.

        Those about rows by their answer are claims of the rows that give it; a variant has those alone that have such rows.
        """
        for one in self.properties:
            if not isinstance(one, Step) or not (one.left_out or one.answering):
                yield one
                continue
            left = {id for id, _ in one.left_out}
            rows = tuple(
                row.id
                for row in self.rows
                if (one.answering.has(row) if one.answering else row.changes and row.id not in left)
            )
            if rows or (one.answering and self.base is None):
                yield one if rows == one.rows else replace(one, rows=rows)

    def __repr__(self) -> str:
        return f"<protocol {self.name}>"

    def _repr_html_(self) -> str:
        tables = ((one.name, len(one.rows), ", ".join(row.id for row in one.rows)) for one in self.tables)
        claims = ((one.id, one.about) for one in self.properties)
        title = f"{self.name}: {len(self.rows)} rows, {len(self.properties)} properties, tables {self.hash}"
        return headed(title, grid(("table", "rows", "ids"), tables), grid(("property", "claims"), claims))

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """Every row, in the tables' order."""
        return tuple(row for table in self.tables for row in table.rows)

    @cached_property
    def _by_id(self) -> dict[str, tuple[Table, Row]]:
        return {row.id: (table, row) for table in self.tables for row in table.rows}

    def row(self, id: str) -> Row:
        """Return the row with an id; raises `KeyError` if there is none."""
        return self._by_id[id][1]

    def table_of(self, row: Row) -> Table:
        """Return the table that has a row."""
        return self._by_id[row.id][0]

    def guard(self, row: Row) -> Term[bool]:
        """Return the effective guard of a row, its event's assumption included."""
        return self.table_of(row).guard(row)

    def assumed_guard(self, row: Row) -> Term[bool]:
        """Return the effective guard of a row and what is assumed of its event's parameters."""
        return nary("and", (self.guard(row), *(a.term for a in self.inputs if a.event == row.event.name)))

    def bounded_guard(self, row: Row, bound: Bound) -> Term[bool]:
        """Return the effective guard of a row at a bound: its own, what is assumed of its event, and what the bound assumes."""
        return nary("and", (self.assumed_guard(row), bound.given.get(row.event.name, TRUE)))

    @cached_property
    def _claims_by_id(self) -> dict[str, Property]:
        return {one.id: one for one in reversed(self.properties)}

    def property(self, id: str) -> Property:
        """Return the property with an id; raises `KeyError` if there is none."""
        return self._claims_by_id[id]

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """Every event, in the order in which rows name them."""
        return tuple(dict.fromkeys(row.event for row in self.rows))

    def terms(self) -> Iterator[Term[Any]]:
        """Yield every term of the protocol: guards, effects with replays, answers, properties, assumptions, starts."""
        yield from self._terms_of_rows()
        yield from self._terms_beside_rows()

    def _terms_of_rows(self) -> Iterator[Term[Any]]:
        for row in self.rows:
            # The guard beside the row's own: an earlier row that always applies folds it to false.
            yield self.guard(row)
            yield from row.terms

    def _terms_beside_rows(self) -> Iterator[Term[Any]]:
        yield from self._terms_of_no_bound()
        for bound in self.bounds.values():
            yield bound.start
            yield from bound.given.values()

    def _terms_of_no_bound(self) -> Iterator[Term[Any]]:
        for one in self.properties:
            if isinstance(one, LeadsTo):
                yield from one.terms
            else:
                yield one.term
        for assumption in (*self.assumptions, *self.inputs):
            yield assumption.term
        yield self.start

    @cached_property
    def nodes(self) -> tuple[Term[Any], ...]:
        """Every node of every term, once."""
        return tuple(nodes(*self.terms()))

    @cached_property
    def _leaves(self) -> tuple[State[Any] | Var[Any], ...]:
        """The state variables and the variables that the protocol speaks of, in the order in which it does."""
        of_rows = (chain(leaves(self.guard(row)), row.leaves) for row in self.rows)
        beside = map(leaves, self._terms_beside_rows())
        return tuple(dict.fromkeys(chain(chain.from_iterable(of_rows), chain.from_iterable(beside))))

    @cached_property
    def individuals(self) -> Mapping[str, int]:
        """How many entities of each sort the tables name by numbers, up to the greatest; those of bounds are left out."""
        found: dict[str, int] = {}
        for node in nodes(*self._terms_of_rows(), *self._terms_of_no_bound(), self.begin):
            if isinstance(node, Lit) and isinstance(node.kind, EntityKind) and isinstance(node.value, int):
                found[node.kind.name] = max(node.value + 1, found.get(node.kind.name, 0))
        return found

    @cached_property
    def states(self) -> tuple[State[Any], ...]:
        """Every state variable, in the order in which the tables first speak of them."""
        return tuple(leaf for leaf in self._leaves if not isinstance(leaf, Var))

    @cached_property
    def begin(self) -> Term[bool]:
        """Return the condition of every initial state: the declared `start`, and the initial values that depend on keys."""
        return nary("and", (self.start, *(one.begins for one in self.states if one.begins is not None)))

    @cached_property
    def records(self) -> tuple[Record, ...]:
        """Every type of record that some row writes, and those declared beside."""
        written = (w.record for row in self.rows for stage in row.stages for w in stage.written)
        return tuple(dict.fromkeys((*written, *self.extra_records)))

    @cached_property
    def sorts(self) -> tuple[EntityKind[Any], ...]:
        """Every sort of entities."""
        return tuple(k for k in self.kinds if isinstance(k, EntityKind))

    @cached_property
    def kinds(self) -> tuple[Kind[Any], ...]:
        """Every kind of keys, values and variables, those inside options, sets and lists included."""
        found: dict[Kind[Any], None] = {}

        def add(kind: Kind[Any]) -> None:
            found.setdefault(kind)
            if isinstance(kind, (OptionKind, SetKind, ListKind)):
                add(kind.of)

        for state in self.states:
            for kind in (*state.keys, state.kind):
                add(kind)
        for row in self.rows:
            # What an effect ranges over need be named nowhere else.
            updates = (one.binders for stage in row.stages for one in stage.updates)
            records = (one.binders for stage in row.stages for one in stage.written)
            for var in (*row.params, *chain.from_iterable((*updates, *records))):
                add(var.kind)
        for leaf in self._leaves:
            if isinstance(leaf, Var):
                add(leaf.kind)
        return tuple(found)

    def sized_kinds(self) -> tuple[str, ...]:
        """Return the names for which a bound must give a size: entities, counters and thresholds."""
        return tuple(dict.fromkeys(k.name for k in self.kinds if isinstance(k, (EntityKind, IntKind, ThresholdKind))))

    @cached_property
    def hash(self) -> str:
        """Twelve hexadecimal digits that change whenever a row, a property or a bound of the protocol does."""
        return fingerprint(self)[:12]

    # -- variants --------------------------------------------------------------------------------------------------
    def _variant(self, name: str, why: str, tables: Iterable[Table], **others: Any) -> Protocol:
        made = tuple(tables)
        others["properties"] = _expected_of(others.get("properties", self.properties), _rows_of(made))
        return replace(self, name=name, tables=made, base=self.base or self, why=why, place=caller(), **others)

    def _edit(self, id: str, edit: Callable[[Row], tuple[Row, ...]], why: str) -> tuple[Table, ...]:
        if id not in self._by_id:
            raise TableError(Finding(caller(), f"variant of {self.name}", f"no row {id}", "name a row of the base"))
        return tuple(
            table.with_rows(tuple(new for row in table.rows for new in (edit(row) if row.id == id else (row,))), why)
            for table in self.tables
        )

    def but(self, id: str, *, why: str, name: str = "", effects: Effects = _AS_BEFORE, **changes: Any) -> Protocol:
        """Return a variant with one row changed: `when=`, `effects=`, `say=`, `throws=`."""
        unknown = set(changes) - {"when", "say", "throws", "choose", "source", "why", "finding"}
        if unknown:
            raise TableError(
                Finding(
                    caller(),
                    f"variant of {self.name}",
                    f"changes {sorted(unknown)} of {id}",
                    "use when, effects, say, throws",
                )
            )
        if isinstance(changes.get("say"), enum.Enum):
            changes["say"] = literal(changes["say"])
        if effects is not _AS_BEFORE:
            changes["effects_"] = effects
        tables = self._edit(id, lambda row: (replace(row, place=caller(), **changes),), why)
        return self._variant(name or f"{self.name}+{id}", why, tables)

    def without(self, id: str, *, why: str, name: str = "") -> Protocol:
        """Return a variant without a row."""
        return self._variant(name or f"{self.name}-{id}", why, self._edit(id, lambda row: (), why))

    def plus(self, row: Row, *, why: str, table: str, name: str = "", before: str = "") -> Protocol:
        """Return a variant with a further row at the end of a table, or before another row."""
        here = next((one for one in self.tables if one.name == table), None)
        if here is None or (before and before not in {r.id for r in here.rows}):
            wrong = f"no table {table!r}" if here is None else f"no row {before} in table {table!r}"
            raise TableError(
                Finding(caller(), f"variant of {self.name}", wrong, "name a table of the base, and a row of it")
            )
        rows = list(here.rows)
        rows.insert(next((i for i, r in enumerate(rows) if r.id == before), len(rows)), row)
        tables = tuple(one.with_rows(tuple(rows)) if one is here else one for one in self.tables)
        return self._variant(name or f"{self.name}+{row.id}", why, tables)

    def redefine(
        self,
        term: str,
        change: Callable[[Term[Any]], Term[Any]],
        *,
        why: str,
        name: str = "",
        rows: tuple[str, ...] = (),
    ) -> Protocol:
        """Return a variant in which every term with a name is what `change` makes of its body, in all rows or some.

        Raises `TableError` if no row speaks of the name.
        """
        seen = [0]
        missing = [id for id in rows if id not in self._by_id]
        if missing:
            raise TableError(
                Finding(caller(), f"variant of {self.name}", f"no row {', '.join(missing)}", "name rows of the base")
            )

        def one(node: Term[Any]) -> Term[Any] | None:
            if isinstance(node, Named) and node.name == term:
                seen[0] += 1
                return Named(node.name, node.shown, change(node.term))
            return None

        rewritten = rewriting(one)

        def edit(row: Row) -> Row:
            if rows and row.id not in rows:
                return row
            say = rewritten(row.say) if row.say is not None else None
            when, effects = rewritten(row.when), tuple(map_effect(e, rewritten) for e in row.effects)
            # A row that does not speak of the name stays the same one: what is known of it need not be found again.
            same = when is row.when and say is row.say and effects == row.effects
            return row if same else replace(row, when=when, say=say, effects_=effects)

        tables = tuple(t.with_rows(tuple(edit(row) for row in t.rows), why) for t in self.tables)
        if not seen[0]:
            raise TableError(
                Finding(
                    caller(), f"variant of {self.name}", f"no term is named {term}", "name a definition that a row uses"
                )
            )
        return self._variant(name or f"{self.name}+{term}", why, tables)

    def replaying(self, record: str, *effects: Effects, why: str, name: str = "") -> Protocol:
        """Return a variant in which a type of record is replayed otherwise."""
        replay = flat(effects)
        made: dict[Record, Record] = {}

        def other(effect: Effect) -> Effect:
            if isinstance(effect, Write) and effect.record.name == record:
                new = made.setdefault(effect.record, replace(effect.record, replay=replay))
                return Write(new, effect.fields)
            if isinstance(effect, Every):
                return Every(effect.var, effect.when, tuple(other(e) for e in effect.body))
            if isinstance(effect, Only):
                return Only(effect.when, tuple(other(e) for e in effect.body))
            if isinstance(effect, Together):
                return Together(tuple(other(e) for e in effect.body))
            if isinstance(effect, Applied):
                p = effect.procedure
                return replace(effect, procedure=replace(p, body=tuple(other(e) for e in p.body)))
            return effect

        tables = tuple(
            t.with_rows(tuple(replace(row, effects_=tuple(other(e) for e in row.effects)) for row in t.rows), why)
            for t in self.tables
        )
        if not made:
            raise TableError(
                Finding(
                    caller(), f"variant of {self.name}", f"no row writes {record}", "name a record that a row writes"
                )
            )
        return self._variant(name or f"{self.name}+{record}", why, tables)

    def claiming(self, *properties: Property, name: str = "", why: str = "") -> Protocol:
        """Return a variant with these properties in place of those with the same ids, the others kept.

        Raises `TableError` for a new one that speaks of a row or an event which the protocol has not.
        """
        strangers = [one for p in properties for one in strange(p, self)]
        if strangers:
            raise TableError(*strangers)
        mine = {p.id: p for p in properties}
        kept = tuple(mine.pop(p.id, p) for p in self.properties)
        return self._variant(name or self.name, why or self.why, self.tables, properties=(*kept, *mine.values()))

    def slice(
        self,
        *tables: str,
        name: str,
        bounds: Mapping[str, Bound] | None = None,
        start: Term[bool] = TRUE,
        properties: tuple[str, ...] | None = None,
    ) -> Protocol:
        """Return the protocol of some tables only, with bounds and a start condition of its own.

        Variables that no row of them writes keep their first value; steps are claimed of the rows that are left.
        """
        kept = tuple(t for t in self.tables if t.name in tables)
        missing = set(tables) - {t.name for t in kept}
        if missing:
            raise TableError(Finding(caller(), self.name, f"no table {sorted(missing)}", "name tables of the protocol"))
        ids = _rows_of(kept)
        happening = {row.event.name for t in kept for row in t.rows}
        claims = [p for p in self.properties if properties is None or p.id in properties]
        claims = [
            _within(p, happening) for p in claims if not isinstance(p, LeadsTo) or set(p.fair_events) <= happening
        ]
        claims = [
            replace(p, rows=tuple(r for r in p.rows if r in ids)) if isinstance(p, Step) and p.rows else p
            for p in claims
        ]
        return replace(
            self,
            name=name,
            tables=kept,
            inputs=tuple(a for a in self.inputs if a.event in {row.event.name for t in kept for row in t.rows}),
            properties=_expected_of(
                (p for p in claims if not (isinstance(p, Step) and self._only_elsewhere(p, ids))), ids
            ),
            bounds=dict(bounds or {}),
            start=start,
            place=caller(),
        )

    def forgetting(
        self, *states: Map[Any, Any] | Map2[Any, Any, Any] | Map3[Any, Any, Any, Any] | Term[Any]
    ) -> Protocol:
        """Return the protocol without these variables, where no row reads them, and without the claims that speak of them.

        What is left behaves as before, since nothing read them. Raises `TableError` where a guard, another update, an
        answer or a bound reads one.
        """
        dropped = frozenset(one.state for one in states if isinstance(one, (Get, Map, Map2, Map3)))
        tables = tuple(
            replace(table, rows=tuple(replace(row, effects_=without(row.effects, dropped)) for row in table.rows))
            for table in self.tables
        )
        made = replace(self, tables=tables, properties=tuple(p for p in self.properties if not _speaks(p, dropped)))
        left = [state.name for state in made.states if state in dropped]
        if left:
            raise TableError(
                Finding(caller(), self.name, f"{', '.join(left)} cannot be forgotten", "forget only what nothing reads")
            )
        return made

    def _only_elsewhere(self, one: Step, ids: set[str]) -> bool:
        """Whether a step property speaks of rows, none of which is among the ids."""
        return bool(next(p for p in self.properties if p.id == one.id).rows) and not one.rows  # type: ignore[union-attr]


def _rows_of(tables: Iterable[Table]) -> set[str]:
    return {row.id for table in tables for row in table.rows}


def _within(claim: Property, events: set[str]) -> Property:
    """Return a property of tables in which these events happen: no other has to happen finitely often."""
    if isinstance(claim, LeadsTo) and not set(claim.finitely) <= events:
        return replace(claim, finitely=tuple(event for event in claim.finitely if event in events))
    return claim


def _expected_of(claims: Iterable[Property], rows: set[str]) -> tuple[Property, ...]:
    """Return properties as they are expected of some rows: what only absent rows break holds."""
    return tuple(
        replace(one, expected="holds", finding="", by=())
        if isinstance(one, (Always, Step)) and one.by and rows.isdisjoint(one.by)
        else one
        for one in claims
    )


def _speaks(claim: Property, states: frozenset[State[Any]]) -> bool:
    """Whether a property speaks of one of the variables."""
    terms = claim.terms if isinstance(claim, LeadsTo) else (claim.term,)
    return any(isinstance(node, Get) and node.state in states for node in nodes(*terms))


def protocol(
    name: str,
    *tables: Table,
    properties: Iterable[Property] = (),
    assumptions: Iterable[Assumption] = (),
    bounds: Mapping[str, Bound] | None = None,
    start: Term[bool] = TRUE,
    ends: bool = False,
    records: Iterable[Record] = (),
    log_end: Term[int] | None = None,
    about: str = "",
) -> Protocol:
    """Make a protocol; raises `TableError` with every finding where it is not well formed.

    `ends` says that a state without an enabled row is a proper end and no deadlock.
    """
    assert log_end is None or isinstance(log_end, Get)
    assumed = tuple(assumptions)
    return Protocol(
        name,
        about,
        tables,
        tuple(properties),
        tuple(one for one in assumed if not one.event),
        tuple(one for one in assumed if one.event),
        dict(bounds or {}),
        start,
        ends,
        tuple(records),
        log_end,
        caller(),
    )


__all__ = ["Always", "Assumption", "Bound", "LeadsTo", "Mode", "Property", "Protocol", "Sometimes", "Step", "protocol"]
