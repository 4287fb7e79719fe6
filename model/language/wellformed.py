"""Well-formedness: everything that is wrong with a protocol, found in one go."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from .effects import Stage
from .errors import Finding, Place, TableError
from .kinds import BoolKind, EntityKind, EnumKind, IntKind
from .leaves import leaves
from .limits import of_kinds, of_numbers, size_refused
from .properties import Always, LeadsTo, Property, Step
from .rankings import Phases, Ranking
from .state import State
from .tables import Row, is_condition
from .terms import TRUE, Get, Next, Term, Var
from .walk import children, free

if TYPE_CHECKING:
    from .protocol import Protocol


SHOWN = 12
"""How many names a finding lists that might have been meant."""

_OF_ROWS: WeakKeyDictionary[Row, tuple[Finding, ...]] = WeakKeyDictionary()
"""Cache of the faults of single rows, which slices and variants share."""


def findings(protocol: Protocol) -> list[Finding]:
    """Return every finding; an empty list for a well-formed protocol."""
    found = [*_ids(protocol)]
    for table in protocol.tables:
        for row in table.rows:
            if row not in _OF_ROWS:
                _OF_ROWS[row] = tuple(_row(row))
            found += _OF_ROWS[row]
        known = {row.id for row in table.rows}
        for id in table.reasons:
            if id not in known and (protocol.base is None or id not in protocol.known.rows):
                found.append(
                    Finding(
                        table.place,
                        f"table {table.name}",
                        f"gives a reason for {id}, which it has not",
                        _near(id, known),
                    )
                )
    found += [*_conditions(protocol)]
    if found:
        return list(dict.fromkeys(found))
    found = [*_properties(protocol)]
    return list(dict.fromkeys(found or [*_names(protocol), *of_kinds(protocol), *_bounds(protocol)]))


def _near(name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, list(known), 1)
    if close:
        return f"did you mean {close[0]}?"
    all_ = sorted(known)
    more = f" or another of the {len(all_)}" if len(all_) > SHOWN else ""
    return f"use one of {', '.join(all_[:SHOWN]) or 'none'}{more}"


def _ids(protocol: Protocol) -> Iterator[Finding]:
    seen: dict[str, Place] = {}
    everything: list[tuple[str, Place]] = [(row.id, row.place) for row in protocol.rows]
    everything += [(p.id, p.place) for p in (*protocol.properties, *protocol.assumptions, *protocol.inputs)]
    for id, place in everything:
        if id in seen:
            yield Finding(
                place, id, f"the id is taken at {seen[id]}", "rows and properties share one name space: choose another"
            )
        seen.setdefault(id, place)
        if not id or not id[0].isalpha() or any(c.isspace() for c in id):
            yield Finding(place, repr(id), "is no id", "begin with a letter and leave out spaces")


def _conditions(protocol: Protocol) -> Iterator[Finding]:
    """Yield conditions that must be over the state alone, and are not."""
    everywhere: list[tuple[Place, str, object, frozenset[Var[Any]]]] = [
        (protocol.place, f"the start of {protocol.name}", protocol.start, frozenset())
    ]
    everywhere += [(e.place, f"event {e.name}", e.given, frozenset(e.params)) for e in protocol.events]
    everywhere += [(a.place, f"assumption {a.id}", a.term, frozenset()) for a in protocol.assumptions]
    events = {event.name: event for event in protocol.events}
    for a in protocol.inputs:
        params = frozenset(events[a.event].params) if a.event in events else frozenset[Var[Any]]()
        everywhere.append((a.place, f"assumption {a.id}", a.term, params))
        if a.event not in protocol.known.events:
            yield Finding(
                a.place,
                f"assumption {a.id}",
                f"speaks of the event {a.event}, which there is not",
                _near(a.event, events),
            )
    for name, bound in protocol.bounds.items():
        everywhere.append((protocol.place, f"the start of bound {name}", bound.start, frozenset()))
        for event, given in bound.given.items():
            if event in events:
                everywhere.append(
                    (protocol.place, f"bound {name}, event {event}", given, frozenset(events[event].params))
                )
    for place, subject, term, params in everywhere:
        if not is_condition(term):
            yield Finding(place, subject, f"{term!r} is no condition", "write a term of kind Bool, TRUE or FALSE")
        elif isinstance(term, Term):
            yield from (Finding(place, subject, *found) for found in _numbers(term))
            for var in sorted(free(term) - params, key=lambda v: v.name):
                yield Finding(place, subject, f"speaks of {var.name}, which nothing binds", "quantify over it")


def _row(row: Row) -> Iterator[Finding]:
    def wrong(what: str, write: str) -> Finding:
        return Finding(row.place, f"row {row.id}", what, write)

    guard: object = row.when
    if not is_condition(guard):
        what = (
            f"the guard is a Python {type(row.when).__name__}"
            if not isinstance(row.when, Term)
            else f"the guard is of kind {row.when.kind}"
        )
        made = ", `.is_(...)` for `==`" if isinstance(guard, bool) else ""
        yield wrong(what, f"write a condition, TRUE where the row always applies{made}")
        return
    for param, times in Counter(row.params).items():
        if times > 1:
            yield wrong(
                f"has the parameter {param.name} twice", "name each parameter of its event, and each choice, once"
            )
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
    said: object = row.say
    if said is not None and not isinstance(said, Term):
        yield wrong(f"answers {said!r}, which is no term", "answer with a member of an enumeration or a term")
        return
    bound = frozenset(row.params)
    for term in (row.when, *((row.say,) if row.say is not None else ())):
        yield from _unbound(term, bound, wrong)
    for leaf in leaves(row.when):
        if isinstance(leaf, State) and leaf.what == "ghost":
            yield wrong(f"the guard reads the ghost {leaf.name}", "ghosts are for properties only")
    if _reads_next(row.when):
        yield wrong("the guard reads the next state", "`next_` belongs into step properties")
    for stage in stages:
        yield from _stage(stage, bound, wrong)
    for what, write in of_numbers(*(term for term in row.terms if isinstance(term, Term))):
        yield wrong(what, write)


def _unbound(term: Term[Any], bound: frozenset[Var[Any]], wrong: Any) -> Iterable[Finding]:
    unbound = free(term) - bound
    return _named_unbound(unbound, wrong) if unbound else ()


def _named_unbound(unbound: frozenset[Var[Any]], wrong: Any) -> Iterator[Finding]:
    for var in sorted(unbound, key=lambda v: v.name):
        yield wrong(
            f"speaks of {var.name}, which its event does not bind",
            "add it to the event's parameters, or quantify over it",
        )


def _stage(stage: Stage, bound: frozenset[Var[Any]], wrong: Any) -> Iterator[Finding]:
    for written in stage.written:
        for given in written.fields:
            for term in (given.said, given.value):
                yield from _unbound(term, bound | set(written.binders), wrong)
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
    for one in protocol.properties:
        terms = (one.trigger, one.goal) if isinstance(one, LeadsTo) else (one.term,)
        bound: frozenset[Var[Any]] = frozenset(one.each if isinstance(one, LeadsTo) else ())
        if isinstance(one, Step):
            known = [rows[id] for id in one.rows if id in rows]
            if known:
                bound = frozenset(known[0].params).intersection(*(row.params for row in known))
        yield from _spoken_of(one, protocol.known.rows, protocol.known.events)
        if isinstance(one, Step) and one.answering and not one.rows:
            wrong = f"is about {one.answering}, and no row gives such an answer"
            yield Finding(one.place, f"property {one.id}", wrong, "name an answer of the event's rows")
            continue
        if isinstance(one, LeadsTo):
            yield from _fair_by(one, protocol)
            yield from _ranking(one, protocol)
        for term in terms:
            if not is_condition(term):
                yield Finding(one.place, f"property {one.id}", f"{term!r} is no condition", "write a term of kind Bool")
                continue
            yield from (Finding(one.place, f"property {one.id}", *found) for found in _numbers(term))
            gone = (
                isinstance(one, Step)
                and bool(one.rows)
                and not any(id in rows for id in one.rows)
                and protocol.base is not None
            )
            for var in () if gone else sorted(free(term) - bound, key=lambda v: v.name):
                yield Finding(
                    one.place, f"property {one.id}", f"speaks of {var.name}, which nothing binds", "quantify over it"
                )
            if not isinstance(one, Step) and _reads_next(term):
                yield Finding(one.place, f"property {one.id}", "reads the next state", "make it a step property")


@cache
def _numbers(term: Term[Any]) -> tuple[tuple[str, str], ...]:
    return tuple(of_numbers(term))


@cache
def _reads_next(term: Term[Any]) -> bool:
    return isinstance(term, Next) or any(map(_reads_next, children(term)))


def _spoken_of(one: Property, rows: Collection[str], events: Collection[str]) -> Iterator[Finding]:
    """Yield rows and events that a property names and the protocol lacks: such a property would hold vacuously."""
    subject = f"property {one.id}"
    for said, named in (
        ("speaks of", one.rows if isinstance(one, Step) and not one.left_out else ()),
        ("leaves out", tuple(id for id, _ in one.left_out) if isinstance(one, Step) else ()),
        ("is said to be broken by", one.by if isinstance(one, (Always, Step)) else ()),
    ):
        for id in named:
            if id not in rows:
                yield Finding(one.place, subject, f"{said} row {id}, which there is not", _near(id, rows))
    for id, reason in one.left_out if isinstance(one, Step) else ():
        if not reason.strip():
            yield Finding(
                one.place, subject, f"leaves out row {id} without a reason", "say why the claim is not about it"
            )
    if isinstance(one, LeadsTo):
        yield from _fair_to(one, events)


def _fair_to(one: LeadsTo, events: Collection[str]) -> Iterator[Finding]:
    subject = f"property {one.id}"
    given: tuple[tuple[str, object], ...] = (
        ("fair", one.fair),
        ("strongly_fair", one.strongly_fair),
        ("finitely", one.finitely),
    )
    texts = [(name, value) for name, value in given if isinstance(value, str)]
    for name, value in texts:
        yield Finding(one.place, subject, f"has the text {value!r} as {name}", f"write a tuple of names: ({value!r},)")
    for name, times in Counter(() if texts else one.fair_events).items():
        if name not in events:
            yield Finding(one.place, subject, f"is fair to {name}, which is no event", _near(name, events))
        elif times > 1:
            yield Finding(
                one.place, subject, f"is fair to {name} twice", "name it once: strong fairness implies the weak one"
            )
    for name in () if texts else one.finitely:
        if name not in events:
            yield Finding(one.place, subject, f"has {name} finitely often, which is no event", _near(name, events))
        elif name in one.fair_events:
            yield Finding(
                one.place, subject, f"is fair to {name}, and has it finitely often", "name it in one of the two"
            )


def _fair_by(one: LeadsTo, protocol: Protocol) -> Iterator[Finding]:
    """Yield fairness parameters that are not parameters of the event in all of its rows."""
    subject = f"property {one.id}"
    for name, param in one.fair_by:
        if name not in one.fair_events:
            told = f"distinguishes {name} by {param}, and runs need not be fair to it"
            yield Finding(one.place, subject, told, "name the event in fair or strongly_fair")
        for row in protocol.rows:
            if row.event.name == name and all(var.name != param for var in row.params):
                params = ", ".join(var.name for var in row.params) or "none"
                told = f"distinguishes {name} by {param}, which row {row.id} does not have"
                yield Finding(one.place, subject, told, f"take a parameter of that row: {params}")


def _ranking(one: LeadsTo, protocol: Protocol) -> Iterator[Finding]:
    """What is wrong with a ranking: an event that nothing is fair to, a variable of no value, a sum without an end."""
    if one.ranking is None:
        return

    def wrong(what: str, write: str) -> Finding:
        return Finding(one.place, f"property {one.id}", what, write)

    if one.expected == "violated":
        yield wrong("has a ranking, and is declared violated", "leave out the ranking of a claim that does not hold")
    if one.ranking.waiting is not None:
        yield from _over_state(one.ranking.waiting, frozenset(one.each), "waiting", wrong)
    yield from _helping(one, one.ranking, frozenset(one.each), protocol, wrong)


def _helping(
    one: LeadsTo, how: Ranking, given: frozenset[Var[Any]], protocol: Protocol, wrong: Callable[[str, str], Finding]
) -> Iterator[Finding]:
    if not how.helps:
        yield wrong("has a ranking in which no event helps", 'write helps("Event", condition)')
    for rank in how.ranks:
        for var in rank.over:
            if not isinstance(var.kind, (EntityKind, EnumKind, BoolKind)):
                yield wrong(
                    f"ranks by a sum over {var.name}, a {var.kind}, of which there are infinitely many",
                    "sum over entities or members of an enumeration",
                )
        for term in rank.terms:
            yield from _over_state(term, given.union(rank.over), "a rank", wrong, condition=isinstance(rank, Phases))
    for each in how.helps:
        if each.event not in one.fair_events:
            yield wrong(f"has {each.event} help, and runs need not be fair to it", "name it in fair or strongly_fair")
        if each.reached is not None and each.event not in one.strongly_fair:
            yield wrong(
                f"says how {each.event} is reached, and runs are not strongly fair to it",
                "leave out reached=, or name the event in strongly_fair",
            )
        rows = [row for row in protocol.rows if row.event.name == each.event]
        params = {var for row in rows for var in row.params if var.name in one.fair_params(each.event)}
        if not rows and isinstance(each.when, Term):
            params = set(free(each.when))  # a variant may lack the rows of an event, with their parameters
        yield from _over_state(each.when, given | params, f"where {each.event} helps", wrong)
        if each.reached is not None:
            yield from _helping(one, each.reached, given | params, protocol, wrong)


def _over_state(
    term: object, given: frozenset[Var[Any]], what: str, wrong: Callable[[str, str], Finding], condition: bool = True
) -> Iterator[Finding]:
    """Yield what is wrong with a term of a ranking."""
    if condition and not is_condition(term):
        yield wrong(f"{what}: {term!r} is no condition", "write a term of kind Bool")
    elif not isinstance(term, Term) or not (condition or isinstance(term.kind, IntKind)):
        yield wrong(f"{what}: {term!r} is no number", "write a term of a counter")
    else:
        yield from (wrong(f"{what}: {said}", write) for said, write in _numbers(term))
        for var in sorted(free(term) - given, key=lambda v: v.name):
            yield wrong(
                f"{what} speaks of {var.name}, which nothing binds",
                "quantify over it, or name it in each or as the parameter of the event in fair_by",
            )
        if _reads_next(term):
            yield wrong(f"{what} reads the next state", "a ranking is made of states: what falls is found from it")


def strange(one: Property, protocol: Protocol) -> list[Finding]:
    """Return a finding for each row or event that a property speaks of and the protocol has not.

    Those of a property that is there already, under the same id, it may keep.
    """
    rows = {row.id for row in protocol.rows}
    events = {event.name for event in protocol.events}
    for old in protocol.properties:
        if old.id == one.id:
            rows.update((*old.rows, *(id for id, _ in old.left_out)) if isinstance(old, Step) else ())
            rows.update(old.by if isinstance(old, (Always, Step)) else ())
            events.update((*old.fair_events, *old.finitely) if isinstance(old, LeadsTo) else ())
    return list(_spoken_of(one, rows, events))


def _names(protocol: Protocol) -> Iterator[Finding]:
    by_name: dict[str, State[Any]] = {}
    for state in protocol.states:
        if by_name.setdefault(state.name, state) is not state:
            yield Finding(
                state.place,
                f"state {state.name}",
                f"is declared at {by_name[state.name].place} too",
                "give each variable a name of its own",
            )


def _bounds(protocol: Protocol) -> Iterator[Finding]:
    wanted = set(protocol.sized_kinds())
    for name, bound in protocol.bounds.items():
        given = set(bound.sizes)
        for missing in sorted(wanted - given):
            yield Finding(protocol.place, f"bound {name}", f"has no size for {missing}", f"add {missing!r}: a number")
        for unknown in sorted(given - wanted) if protocol.base is None else ():
            yield Finding(
                protocol.place,
                f"bound {name}",
                f"gives a size to {unknown}, which nothing uses",
                _near(unknown, wanted),
            )
        refused = size_refused(protocol, bound.sizes)
        if refused is not None:
            yield Finding(protocol.place, f"bound {name}", *refused)
        events = {event.name for event in protocol.events}
        for unknown in sorted(set(bound.given) - events):
            yield Finding(
                protocol.place,
                f"bound {name}",
                f"speaks of the event {unknown}, which there is not",
                _near(unknown, events),
            )
