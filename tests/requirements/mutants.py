"""Mutants of requirements: a row that is edited so that a demanded sentence is broken, and the property that falls.

A demand names its mutants beside its rows and properties. Each is made here from the tables and judged: what a single
row can break by asking the solver of that row, the rest by an exploration.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from z3 import sat

from fencepost.checkers.exploration import explore
from fencepost.checkers.proof.definitions import NOTHING, Need
from fencepost.checkers.proof.logic import conj, disj
from fencepost.checkers.proof.prover import Prover
from fencepost.checkers.proof.row_session import RowSession
from fencepost.checkers.proof.session import Formula
from fencepost.checkers.proof.solvers import IncrementalSolver
from fencepost.checkers.requirements import Mutant, Requirement, Source, carriers
from fencepost.checkers.verdicts import Refusal, Verdict
from fencepost.model.language import Always, LeadsTo, Protocol, Row, Step, TableError, Term
from fencepost.model.language.effects import Applied, Effect, Every, Only, Together
from fencepost.model.language.kinds import EnumKind, Kind, OptionKind
from fencepost.model.language.render import effect_text, text
from fencepost.model.language.terms import FALSE, TRUE, Lit
from fencepost.model.language.walk import conjuncts, map_effect, nary, rewrite
from fencepost.model.registry import FAMILIES, find


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a mutant: whether the property fell, and where not, what the engine said instead."""

    demand: str
    mutant: Mutant
    fell: bool
    said: str


def mutants(source: Source) -> Iterator[tuple[Requirement, Mutant]]:
    """Yield every mutant of a source with the demand that it breaks."""
    for one in source.requirements:
        for mutant in one.mutants:
            yield one, mutant


def unbroken(source: Source) -> list[str]:
    """Return where a demand's properties and mutants do not match, a sentence each.

    A property is cited because it falls with the sentence: some mutant of a row that the demand names must show it.
    """
    found = []
    for one in source.requirements:
        falling = {mutant.falls for mutant in one.mutants}
        found += [f"{one.id}: no mutant shows that {id} falls" for id in one.properties if id not in falling]
        found += [
            f"{one.id}: a mutant breaks {id}, which it does not cite" for id in sorted(falling - {*one.properties})
        ]
        found += [
            f"{one.id}: a mutant is of {mutant.row}, which it does not cite"
            for mutant in one.mutants
            if mutant.row not in one.rows
        ]
    return found


def protocol_of(source: Source, one: Requirement, mutant: Mutant) -> Protocol:
    """Return the tables that a mutant is made from; raises `Refusal` if none that carries the demand has the row."""
    variant = mutant.variant and not mutant.of_museum
    return find(_name(source, one, mutant) + (f"+{mutant.variant}" if variant else "")).whole


def _name(source: Source, one: Requirement, mutant: Mutant) -> str:
    """The name of the tables of which a mutant is: those that have its row, in its variant if it names one."""
    for name in (name for version in source.versions_of(one) for name in source.tables_of(version)):
        variant = f"+{mutant.variant}" if mutant.variant else ""
        if variant and len(source.beside) and name + variant not in carriers(name).variants:
            continue
        if any(row.id == mutant.row for row in find(name + variant).whole.rows):
            return name
    raise Refusal(f"{one.id}: no tables that carry it have a row {mutant.row}; correct the mutant")


def mutated(protocol: Protocol, mutant: Mutant) -> Protocol:
    """Return the tables with a row edited as a mutant says; raises `Refusal` where they have nothing to edit."""
    row, where = protocol.row(mutant.row), f"mutant of {mutant.row}"
    why, name = f"mutant: {mutant}", f"{protocol.name}~{mutant.row}"
    try:
        if mutant.dropped:
            return protocol.without(mutant.row, why=why, name=name)
        if mutant.without:
            when = _without_conjunct(row.when, mutant.without)
            effects = tuple(_without_effect(row.effects, mutant.without))
            if when is row.when and effects == row.effects:
                raise Refusal(f"{where}: it has no condition and no effect {mutant.without!r}; see `show --row`")
            return _with(protocol, replace(row, when=when, effects_=effects), why, name)
        return _changed(protocol, row, mutant, why, name)
    except TableError as error:
        raise Refusal(f"{where}: {error}") from None


def _without_conjunct(when: Term[bool], what: str) -> Term[bool]:
    left = [one for one in conjuncts(when) if text(one) != what]
    return when if len(left) == len(conjuncts(when)) else nary("and", left)


def _without_effect(effects: tuple[Effect, ...], what: str) -> Iterator[Effect]:
    """Yield the effects without those that read so, inside procedures too, and scopes without such a condition."""
    for effect in effects:
        if effect_text(effect) == what:
            continue
        if isinstance(effect, Applied):
            body = tuple(_without_effect(effect.procedure.body, what))
            yield replace(effect, procedure=replace(effect.procedure, body=body)) if body else effect
        elif isinstance(effect, (Every, Only, Together)):
            body = tuple(_without_effect(effect.body, what))
            made = replace(effect, body=body)
            yield made if isinstance(made, Together) else replace(made, when=_without_conjunct(made.when, what))
        else:
            yield effect


def _changed(protocol: Protocol, row: Row, mutant: Mutant, why: str, name: str) -> Protocol:
    """Return the tables in which a term of a row's effects, or else of its guard or its answer, reads otherwise."""
    seen: list[Term[Any]] = []

    def one(node: Term[Any]) -> Term[Any] | None:
        if text(node) != mutant.change:
            return None
        seen.append(node)
        return _spoken(protocol, mutant.to, node.kind, mutant.row)

    def changed(term: Term[Any]) -> Term[Any]:
        return rewrite(term, one)

    effects = tuple(map_effect(effect, changed) for effect in row.effects)
    when = row.when if seen else changed(row.when)
    say = row.say if seen or row.say is None else changed(row.say)
    if not seen:
        raise Refusal(f"mutant of {row.id}: it speaks of no {mutant.change!r}; see `show --row`")
    return _with(protocol, replace(row, when=when, effects_=effects, say=say), why, name)


def _with(protocol: Protocol, row: Row, why: str, name: str) -> Protocol:
    """Return the tables with another row of the same id, one without effects too."""
    tables = tuple(
        table.with_rows(tuple(row if each.id == row.id else each for each in table.rows)) for table in protocol.tables
    )
    return replace(protocol, name=name, why=why, tables=tables, base=protocol.base or protocol)


@cache
def _by_text(protocol: Protocol) -> dict[tuple[str, Kind[Any]], Term[Any]]:
    return {(text(node), node.kind): node for node in protocol.nodes}


def _spoken(protocol: Protocol, what: str, kind: Kind[Any], row: str) -> Term[Any]:
    """Return the term that reads so and is of a kind: a literal, or one of which the protocol speaks somewhere."""
    found = _by_text(protocol).get((what, kind))
    if found is not None:
        return found
    if what in ("true", "false"):
        return TRUE if what == "true" else FALSE
    if isinstance(kind, EnumKind) and what in kind.enum.__members__:
        return Lit(kind.enum[what], kind)
    if isinstance(kind, OptionKind):
        if what == "none":
            return Lit(None, kind)
        inner = _by_text(protocol).get((what, kind.of))
        if inner is not None:
            return inner
    raise Refusal(f"mutant of {row}: the tables speak nowhere of {what!r} as {kind}; use a term that they have")


class Judge:
    """What is prepared once for all mutants of one protocol: the states that satisfy its invariants, of few entities.

    A mutant's row is asked alone, whether it leads from one of them to what the property forbids. Two entities of each
    sort are enough to see what a mutant breaks; that a property holds of the tables themselves is for `prove`.
    """

    def __init__(self, protocol: Protocol) -> None:
        self.protocol = protocol
        assumed = [p for p in protocol.properties if isinstance(p, Always) and p.expected == "holds"]
        self._prover = Prover(protocol, assumed)
        self._states: dict[int, IncrementalSolver] = {}

    def breaks(self, edited: Protocol, row: str, *claims: Always | Step) -> bool:
        """Return whether a row of the edited tables breaks one of these, where there are at most two of each sort."""
        mine = [one for one in claims if not (isinstance(one, Step) and one.rows and row not in one.rows)]
        return any(self._breaks(edited, edited.row(row), mine, size) for size in (1, 2))

    def _breaks(self, edited: Protocol, row: Row, claims: Sequence[Always | Step], size: int) -> bool:
        session = self._prover.session(size)
        if size not in self._states:
            self._states[size] = IncrementalSolver(session, session.everything(), NOTHING, ())
        there = copy(session)
        there.protocol = edited
        asked = RowSession(there, row)
        goals = [goal.formula for claim in claims for goal in asked.goals(claim)]
        needs = frozenset[Need]().union(*(one.needs for one in goals))
        some_fails = Formula((disj(conj(one.facts) for one in goals),), needs)
        return bool(goals) and self._states[size].check([asked.guard, some_fails]) == sat


_judge = cache(Judge)


def fate(source: Source, one: Requirement, mutant: Mutant) -> Fate:
    """Check a mutant: whether the property falls where the row is edited."""
    base = protocol_of(source, one, mutant)
    claim = base.property(mutant.falls)
    if isinstance(claim, LeadsTo) or mutant.bound:
        return _explored(source, one, mutant)
    assert isinstance(claim, (Always, Step))
    edited, rows = _edited(source, one, mutant), changed_rows(base, mutant)
    if claim.expected == "violated" and any(_judge(base).breaks(base, row, claim) for row in rows):
        return Fate(one.id, mutant, False, f"{mutant.falls} falls without the edit")
    fell = any(_judge(base).breaks(edited, row, claim) for row in rows)
    return Fate(one.id, mutant, fell, "" if fell else f"every row that it changes keeps {mutant.falls}")


def _edited(source: Source, one: Requirement, mutant: Mutant) -> Protocol:
    """Return the tables of a mutant: edited, or those of the variant that it is."""
    if mutant.of_museum:
        return find(f"{_name(source, one, mutant)}+{mutant.variant}").whole
    return mutated(protocol_of(source, one, mutant), mutant)


def changed_rows(protocol: Protocol, mutant: Mutant) -> tuple[str, ...]:
    """Return the rows that do otherwise in a mutant: its own, and those after it where its guard is edited."""
    if mutant.of_museum:
        return (mutant.row,)
    row, table = protocol.row(mutant.row), protocol.table_of(protocol.row(mutant.row))
    later = tuple(each.id for each in table.rows[table.rows.index(row) + 1 :] if each.event is row.event)
    later = later if table.mode == "first match" else ()
    if mutant.dropped:
        if not later:
            raise Refusal(f"mutant of {row.id}: no later row applies where it is dropped; edit it instead")
        return later
    return (row.id,) if mutated(protocol, mutant).row(row.id).when is row.when else (row.id, *later)


def _explored(source: Source, one: Requirement, mutant: Mutant) -> Fate:
    """Check a mutant with the slice that has the bound which it names, by the first bound if it names none."""
    family = FAMILIES[_name(source, one, mutant)]
    slices = [each for each in family.slices if any(each_.id == mutant.falls for each_ in each.properties)]
    slices = [each for each in slices if any(row.id == mutant.row for row in each.rows)]
    place = next((each for each in slices if not mutant.bound or mutant.bound in each.bounds), None)
    if place is None:
        raise Refusal(f"{one.id}: no slice with {mutant.falls} and {mutant.row} has a bound {mutant.bound!r}; name one")
    bound = mutant.bound or next(iter(place.bounds))
    only = replace(place, properties=(place.property(mutant.falls),))
    found = explore(mutated(only, mutant), bound).property(mutant.falls)
    fell = found.verdict is Verdict.VIOLATED
    return Fate(one.id, mutant, fell, "" if fell else f"{mutant.falls} is {found.verdict.value} at {bound}")
