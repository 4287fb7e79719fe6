"""Vacuity: what has to be seen at a bound before a property that nothing breaks there counts as explored.

A claim "if .. then .." is put to the test by a state or a step that meets its antecedent, a claim about rows by one of
them that fires, a claim about steps without an antecedent by a step that changes what it speaks of. And a claim about
rows that the bound's assumption on their event decides, whatever their guards say, is not put to the test by them.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from fencepost.checkers.conjuncts import conjuncts
from fencepost.checkers.document import Document
from fencepost.model.language import Always, Bound, Protocol, Row, Step, Var, World, exists
from fencepost.model.language.properties import AT_RESULT_BOUNDARIES
from fencepost.model.language.render import text
from fencepost.model.language.terms import TRUE, Eq, Get, Implies, Named, Next, Not, Quant, Term
from fencepost.model.language.walk import free, nary, negation, nodes

MOST = 4096
"""Values of an event's parameters up to which it is asked, in every state, whether the bound's assumption decides."""


@dataclass(frozen=True)
class Vacuity(Document):
    """Why a property was not put to the test: what was never met.

    `because` is "rows" where none of its rows fired, "antecedent" where that never held, "unchanged" where no step
    changed what it speaks of, and "given" where the bound's assumption on the events of its rows decides. `what` has
    the rows, the antecedent, the variables or the assumptions, as text; `rows` those that it is about, and `events`
    those that decide.
    """

    DOCUMENT = "because what rows events"

    because: str
    message: str
    what: tuple[str, ...]
    rows: tuple[str, ...] = ()
    events: tuple[str, ...] = ()


@dataclass(frozen=True)
class Decision:
    """Whether the assumption of a bound on an event decides a claim about rows of that event.

    It does if no reachable state has values of the parameters that the bound allows and that break the claim, guards
    left out, and some state has such values that the bound leaves out. Both are written as claims that fail there.
    """

    event: str
    given: Term[bool]
    allowed: Always
    anyhow: Always


@dataclass(frozen=True)
class Challenge:
    """What puts a property to the test at a bound: `met` is a claim that fails where its antecedent holds, if it has
    one."""

    claim: Always | Step
    met: Always | Step | None
    decisions: tuple[Decision, ...] = ()

    @property
    def claims(self) -> tuple[Always | Step, ...]:
        """The claims whose failures are looked for beside the properties."""
        asked = () if self.met is None else (self.met,)
        return (*asked, *(one for decision in self.decisions for one in (decision.allowed, decision.anyhow)))

    def unmet(self, protocol: Protocol, failed: Container[str], fired: Mapping[str, int]) -> Vacuity | None:
        """Return why the property was not put to the test, None where it was.

        `failed` has the ids of the claims that failed somewhere, `fired` how often each row fired.
        """
        rows = self.claim.rows if isinstance(self.claim, Step) else ()
        alive = [id for id in rows if fired.get(id)]
        if rows and not alive:
            return Vacuity("rows", f"no row of it fired: {', '.join(rows)}", rows, rows)
        if self.met is not None and self.met.id not in failed:
            return _never_met(self.claim, rows)
        deciding = {
            one.event: one for one in self.decisions if one.allowed.id not in failed and one.anyhow.id in failed
        }
        events = {id: protocol.row(id).event.name for id in alive}
        if alive and set(events.values()) <= set(deciding):
            given = tuple(f"{event}: {text(one.given)}" for event, one in deciding.items() if event in events.values())
            message = f"decided by what the bound assumes, whatever the guards: {'; '.join(given)}"
            return Vacuity("given", message, given, rows, tuple(dict.fromkeys(events.values())))
        return None


def challenges(protocol: Protocol, bound: Bound, world: World) -> dict[str, Challenge]:
    """Return by its id what puts each property of states and steps to the test."""
    return {
        one.id: Challenge(one, meeting(one), tuple(_decisions(one, protocol, bound, world)))
        for one in protocol.properties
        if isinstance(one, (Always, Step))
    }


def antecedent(term: Term[bool]) -> tuple[tuple[Var[Any], ...], Term[bool] | None]:
    """Return the leading variables of a claim, and what they have to satisfy; None where it claims something of all.

    An antecedent inside the consequent is part of it: "if a, then for every x, if b, .." asks for a and b.
    """
    found: list[Var[Any]] = []
    asked: list[Term[bool]] = []
    while True:
        if isinstance(term, Named):
            term = term.term
        elif isinstance(term, Quant) and term.quantifier == "every" and term.var not in found:
            found.append(term.var)
            term = term.body
        elif isinstance(term, Implies):
            asked.append(term.left)
            term = term.right
        else:
            break
    if not asked:
        return tuple(found), None
    met = nary("and", asked)
    return tuple(v for v in found if v in free(met)), met


def meeting(one: Always | Step) -> Always | Step | None:
    """Return the claim that fails exactly where a property is put to the test, None where every state or firing does
    so."""
    variables, met = antecedent(one.term)
    if met is None:
        if not isinstance(one, Step) or one.rows:
            return None
        met = changed(one.term, variables)
        if met is TRUE:
            return None
    for variable in reversed(variables):
        met = exists(variable, met) if variable in free(met) else met
    return replace(one, id=f"{one.id} met", term=negation(met), expected="violated")


def changed(term: Term[bool], variables: tuple[Var[Any], ...] = ()) -> Term[bool]:
    """Return that a step changes a cell that a claim reads after it; TRUE where it reads none."""
    found: list[Term[bool]] = []
    for cell in _read_after(term):
        own = cell
        if any(free(key) - set(variables) for key in cell.keys):
            keys = tuple(Var(f"any_{n}", kind) for n, kind in enumerate(cell.state.keys))
            own = Get(cell.state, keys)
        differs: Term[bool] = Not(Eq(Next(own), own))
        for key in own.keys if own is not cell else ():
            assert isinstance(key, Var)
            differs = exists(key, differs)
        found.append(differs)
    return nary("or", found) if found else TRUE


def _read_after(term: Term[bool]) -> list[Get[Any]]:
    """Return the cells that a claim reads in the state after a step, each once."""
    found: dict[tuple[Any, ...], Get[Any]] = {}
    for node in nodes(term):
        if isinstance(node, Next):
            for cell in nodes(node.term):
                if isinstance(cell, Get):
                    found.setdefault((cell.state, *cell.keys), cell)
    return list(found.values())


def _never_met(claim: Always | Step, rows: tuple[str, ...]) -> Vacuity:
    _, met = antecedent(claim.term)
    if met is not None:
        said = text(met)
        where = f"no step of {', '.join(rows)}" if rows else "no step" if isinstance(claim, Step) else "no state"
        return Vacuity("antecedent", f"{where} meets its condition: {said}", (said,), rows)
    names = tuple(dict.fromkeys(cell.state.name for cell in _read_after(claim.term)))
    return Vacuity("unchanged", f"no step changes what it speaks of: {', '.join(names)}", names)


def _decisions(one: Always | Step, protocol: Protocol, bound: Bound, world: World) -> Iterator[Decision]:
    """Yield what is asked of each event of a claim's rows; nothing for a claim that reads the state after the row."""
    if not isinstance(one, Step) or not one.by_name or any(isinstance(node, Next) for node in nodes(one.term)):
        return
    rows: dict[str, Row] = {}
    for row in protocol.rows:
        if row.id in one.rows:
            rows.setdefault(row.event.name, row)
    for event, row in rows.items():
        spoken = free(one.term) & set(row.params)
        given, more = _about(bound.given.get(event, TRUE), spoken)
        if given is TRUE:
            continue
        assumed, more = _about(nary("and", [a.term for a in protocol.inputs if a.event == event]), more)
        given, more = _about(bound.given.get(event, TRUE), more)
        if math.prod(len(world.values(v.kind)) for v in more) > MOST:
            continue
        broken = negation(one.term)

        def asked(name: str, *parts: Term[bool], event: str = event, among: frozenset[Var[Any]] = more) -> Always:
            term = nary("and", parts)
            for variable in sorted(among & free(term), key=lambda one: one.name):
                term = exists(variable, term)
            return Always(
                f"{one.id} {name} {event}",
                negation(term),
                AT_RESULT_BOUNDARIES,
                "",
                "",
                "violated",
                "",
                False,
                one.place,
            )

        yield Decision(event, given, asked("allowed", assumed, given, broken), asked("anyhow", assumed, broken))


def _about(term: Term[bool], variables: frozenset[Var[Any]]) -> tuple[Term[bool], frozenset[Var[Any]]]:
    """Return the conjuncts of a condition that speak of some variables or of what these are tied to, and all of
    those."""
    left, known = list(conjuncts(term)), variables
    kept: list[Term[bool]] = []
    while True:
        tied = [one for one in left if free(one) & known]
        if not tied:
            return nary("and", kept), known
        for one in tied:
            left.remove(one)
            kept.append(one)
            known |= free(one)
