"""Well-formedness: everything that is wrong with a protocol, found in one go."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from .effects import Stage
from .errors import Finding, Place, TableError
from .properties import LeadsTo, Step
from .state import State
from .tables import Row, is_condition
from .terms import TRUE, Get, Next, Term, Var
from .walk import free, nodes

if TYPE_CHECKING:
    from .protocol import Protocol


def findings(protocol: Protocol) -> list[Finding]:
    """Return every finding; an empty list for a well-formed protocol."""
    found = [*_ids(protocol)]
    for table in protocol.tables:
        for row in table.rows:
            found += _row(row)
        known = {row.id for row in table.rows}
        for id in table.reasons:
            if id not in known and protocol.base is None:
                found.append(Finding(table.place, f"table {table.name}", f"gives a reason for {id}, which it has not", _near(id, known)))
    if found:
        return found
    return [*_properties(protocol), *_names(protocol), *_bounds(protocol)]


def _near(name: str, known: Iterable[str]) -> str:
    import difflib

    close = difflib.get_close_matches(name, list(known), 1)
    return f"did you mean {close[0]}?" if close else f"use one of {', '.join(sorted(known)) or 'none'}"


def _ids(protocol: Protocol) -> Iterator[Finding]:
    seen: dict[str, Place] = {}
    everything: list[tuple[str, Place]] = [(row.id, row.place) for row in protocol.rows]
    everything += [(p.id, p.place) for p in (*protocol.properties, *protocol.assumptions)]
    for id, place in everything:
        if id in seen:
            yield Finding(place, id, f"the id is taken at {seen[id]}", "rows and properties share one name space: choose another")
        seen.setdefault(id, place)
        if not id or not id[0].isalpha() or any(c.isspace() for c in id):
            yield Finding(place, repr(id), "is no id", "begin with a letter and leave out spaces")


def _row(row: Row) -> Iterator[Finding]:
    def wrong(what: str, write: str) -> Finding:
        return Finding(row.place, f"row {row.id}", what, write)

    if not is_condition(row.when):
        what = f"the guard is a Python {type(row.when).__name__}" if not isinstance(row.when, Term) else f"the guard is of kind {row.when.kind}"
        yield wrong(what, "write a condition, TRUE where the row always applies")
        return
    for var in row.choose:
        if not isinstance(var, Var):
            yield wrong(f"chooses {var!r}, which is no variable", "choose variables")
    if not row.source:
        yield wrong("cites no source", "give `source=` to the event or to the row")
    try:
        stages = row.stages
    except TableError as error:
        for one in error.findings:
            yield wrong(one.wrong, one.write)
        return
    bound = frozenset(row.params)
    for term in (row.when, row.event.given, *((row.say,) if row.say is not None else ())):
        yield from _unbound(term, bound, wrong)
    for node in nodes(row.when):
        if isinstance(node, Get) and node.state.what == "ghost":
            yield wrong(f"the guard reads the ghost {node.state.name}", "ghosts are for properties only")
        if isinstance(node, Next):
            yield wrong("the guard reads the next state", "`next_` belongs into step properties")
    for stage in stages:
        yield from _stage(stage, bound, wrong)


def _unbound(term: Term[Any], bound: frozenset[Var[Any]], wrong: Any) -> Iterator[Finding]:
    for var in sorted(free(term) - bound, key=lambda v: v.name):
        yield wrong(f"speaks of {var.name}, which its event does not bind", "add it to the event's parameters, or quantify over it")


def _stage(stage: Stage, bound: frozenset[Var[Any]], wrong: Any) -> Iterator[Finding]:
    for written in stage.written:
        for given in written.fields:
            yield from _unbound(given.value, bound | set(written.binders), wrong)
    seen: set[tuple[Get[Any], tuple[Var[Any], ...]]] = set()
    for update in stage.updates:
        inside = bound | set(update.binders)
        for term in (update.target, update.when, update.value):
            yield from _unbound(term, inside, wrong)
        if update.target.state.what == "fixed":
            yield wrong(f"writes {update.target.state.name}, which is fixed", "declare it hard or soft")
        place = (update.target, update.binders)
        if place in seen and update.when is TRUE:
            yield wrong(f"writes {update.target} twice at once", "write it once, with `when(...)`")
        seen.add(place)


def _properties(protocol: Protocol) -> Iterator[Finding]:
    rows = {row.id: row for row in protocol.rows}
    events = {event.name for event in protocol.events}
    for one in protocol.properties:
        terms = (one.trigger, one.goal) if isinstance(one, LeadsTo) else (one.term,)
        bound: frozenset[Var[Any]] = frozenset()
        if isinstance(one, Step):
            known = [rows[id] for id in one.rows if id in rows]
            if known:
                bound = frozenset(known[0].params).intersection(*(row.params for row in known))
            if protocol.base is None:
                for id in one.rows:
                    if id not in rows:
                        yield Finding(one.place, f"property {one.id}", f"speaks of row {id}, which there is not", _near(id, rows))
        if isinstance(one, LeadsTo):
            for name in one.fair:
                if name not in events:
                    yield Finding(one.place, f"property {one.id}", f"is fair to {name}, which is no event", _near(name, events))
        for term in terms:
            if not is_condition(term):
                yield Finding(one.place, f"property {one.id}", f"{term!r} is no condition", "write a term of kind Bool")
                continue
            for var in sorted(free(term) - bound, key=lambda v: v.name):
                yield Finding(one.place, f"property {one.id}", f"speaks of {var.name}, which nothing binds", "quantify over it")
            if not isinstance(one, Step) and any(isinstance(n, Next) for n in nodes(term)):
                yield Finding(one.place, f"property {one.id}", "reads the next state", "make it a step property")


def _names(protocol: Protocol) -> Iterator[Finding]:
    by_name: dict[str, State[Any]] = {}
    for state in protocol.states:
        if by_name.setdefault(state.name, state) is not state:
            yield Finding(
                state.place, f"state {state.name}", f"is declared at {by_name[state.name].place} too", "give each variable a name of its own"
            )


def _bounds(protocol: Protocol) -> Iterator[Finding]:
    wanted = set(protocol.sized_kinds())
    for name, bound in protocol.bounds.items():
        given = set(bound.sizes)
        for missing in sorted(wanted - given):
            yield Finding(protocol.place, f"bound {name}", f"has no size for {missing}", f"add {missing!r}: a number")
        for unknown in sorted(given - wanted) if protocol.base is None else ():
            yield Finding(protocol.place, f"bound {name}", f"gives a size to {unknown}, which nothing uses", _near(unknown, wanted))
        events = {event.name for event in protocol.events}
        for unknown in sorted(set(bound.given) - events):
            yield Finding(protocol.place, f"bound {name}", f"speaks of the event {unknown}, which there is not", _near(unknown, events))
