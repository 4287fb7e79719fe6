"""Claims about cells that no log shows: a row does not fire whose guard needs values that a claim excludes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import product
from typing import Any, Final

from fencepost.model.language import AFTER_EVERY_RECORD, AT_RESULT_BOUNDARIES, Protocol, Term, Var
from fencepost.model.language.kinds import BoolKind
from fencepost.model.language.properties import Always
from fencepost.model.language.terms import FALSE, TRUE, Compare, Eq, Get, Implies, Lit, Nary, Not, Quant
from fencepost.model.language.walk import bare, conjuncts, free, nary, negation, nodes, substitute

MOST_ATOMS: Final = 8
"""With more conditions on hidden cells in one guard no consequence is derived: each doubles the combinations."""

_BEFORE_A_ROW: Final = (AFTER_EVERY_RECORD, AT_RESULT_BOUNDARIES)
Lift = Callable[[Term[bool]], Term[bool]]
_Values = Mapping[Term[bool], bool]


def consequences(
    protocol: Protocol, guard: Term[bool], cells: dict[Get[Any], Var[Any]], lift: Lift
) -> Iterator[Term[bool]]:
    """Yield conditions on what a log shows that hold wherever a row fires in a state that keeps the protocol's claims.

    `guard` is the row's guard with a variable for each of the hidden `cells`; `lift` puts such variables into other
    terms, and adds to `cells` what they read. One condition is derived for each claim about one of the cells: some
    truth values of the conditions on hidden cells satisfy both the guard and the claim.
    """
    claims = [opened(lift(claim)) for claim in dict.fromkeys(instances(protocol, tuple(cells)))]
    hidden = frozenset(cells.values())
    asked = conjuncts(opened(guard))
    about = [part for part in asked if free(part) & hidden]
    given = {part: True for part in asked if not free(part) & hidden}
    for claim in claims:
        parts = (*about, claim)
        atoms = tuple(dict.fromkeys(atom for part in parts for atom in atoms_of(part, hidden)))
        if len(atoms) > MOST_ATOMS:
            continue
        values = (dict(zip(atoms, some, strict=True)) for some in product((True, False), repeat=len(atoms)))
        found = nary("or", (_all_under(parts, given | one) for one in values if _consistent(one)))
        if found is not TRUE:
            yield found


def instances(protocol: Protocol, cells: Collection[Get[Any]]) -> Iterator[Term[bool]]:
    """Yield the claims on every state that speak of a hidden cell, of the entity that the cell is about."""
    for body, reads in _bodies(protocol):
        for read in reads:
            for cell in cells:
                if cell.state is read.state:
                    keys = zip(read.keys, cell.keys, strict=True)
                    yield substitute(body, {key: to for key, to in keys if isinstance(key, Var)})


@lru_cache(maxsize=16)
def _bodies(protocol: Protocol) -> tuple[tuple[Term[bool], tuple[Get[Any], ...]], ...]:
    """Return what the claims on every state say of all entities, with the cells read that are of all of these."""
    found = []
    for claim in protocol.properties:
        if not isinstance(claim, Always) or claim.expected != "holds" or claim.scope not in _BEFORE_A_ROW:
            continue
        over, body = set[Term[Any]](), claim.term
        while isinstance(body, Quant) and body.quantifier == "every":
            over.add(body.var)
            body = body.body
        reads = [read for read in nodes(body) if isinstance(read, Get) and over <= set(read.keys)]
        found.append((body, tuple(reads)))
    return tuple(found)


def opened(term: Term[bool]) -> Term[bool]:
    """Return a condition with its outer connectives as conjunctions, disjunctions and negations only."""
    plain = bare(term)
    match plain:
        case Nary():
            return nary(plain.operator, map(opened, plain.terms))
        case Not():
            return negation(opened(plain.term))
        case Implies():
            return nary("or", (negation(opened(plain.left)), opened(plain.right)))
        case Eq() if isinstance(plain.left.kind, BoolKind):
            left, right = opened(plain.left), opened(plain.right)
            return nary("or", (nary("and", (left, right)), nary("and", (negation(left), negation(right)))))
        case Compare(operator="<"):
            return Not(Compare("<=", plain.right, plain.left))
        case _:
            return plain


def atoms_of(term: Term[bool], hidden: frozenset[Var[Any]]) -> Iterator[Term[bool]]:
    """Yield the conditions on hidden cells that an opened condition is made of."""
    if not free(term) & hidden:
        return
    match term:
        case Nary():
            for part in term.terms:
                yield from atoms_of(part, hidden)
        case Not():
            yield from atoms_of(term.term, hidden)
        case _:
            yield term


def _all_under(terms: Iterable[Term[bool]], values: _Values) -> Term[bool]:
    """Return the conjunction of conditions under truth values, FALSE where it has a condition and its complement."""
    found = nary("and", (_under(term, values) for term in terms))
    parts = set(conjuncts(found))
    return FALSE if any(negation(part) in parts for part in parts) else found


def _under(term: Term[bool], values: _Values) -> Term[bool]:
    """Return an opened condition with truth values in place of some of its parts."""
    if term in values:
        return TRUE if values[term] else FALSE
    match term:
        case Nary():
            return nary(term.operator, (_under(part, values) for part in term.terms))
        case Not():
            return negation(_under(term.term, values))
        case _:
            return term


def _consistent(values: _Values) -> bool:
    """Return False where one cell would have two values at once."""
    equal = [(one.left, one.right) for one, value in values.items() if value and isinstance(one, Eq)]
    told: dict[Term[Any], Term[Any]] = {}
    return all(told.setdefault(left, right) is right for left, right in equal if isinstance(right, Lit))
