"""Cells that one stage writes twice with different values: what has no meaning, whichever value an engine takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from fencepost.model.language import Stage, Update, Var, exists
from fencepost.model.language.kinds import Kind
from fencepost.model.language.terms import FALSE, Arith, Before, Eq, Get, Lit, Member, Named, Not, SetOp, Term
from fencepost.model.language.walk import free, nary, substitute

from .conditions import update_conjuncts

Size = Callable[[Kind[Any]], int]
"""How many values a kind has."""


def conflict(stage: Stage, size: Size) -> Term[bool]:
    """Return the condition under which a stage writes some cell twice with different values, FALSE where it never does.

    It is read where the stage's updates are, over the parameters of the row. What conditions and keys exclude whatever
    the state is left out.
    """
    updates = stage.updates
    found = [
        term
        for at, one in enumerate(updates)
        for other in updates[at:]
        if other.target.state is one.target.state and (term := _both(one, other, size)) is not FALSE
    ]
    return nary("or", list(dict.fromkeys(found)))


def _both(one: Update, other: Update, size: Size) -> Term[bool]:
    """Return that two updates, or two bindings of one, write a cell with different values."""
    same = one is other
    one = _apart_from(one, other)
    if same and all(size(v.kind) < 2 for v in (set(one.binders) - set(one.target.keys)) & free(one.value)):
        return FALSE
    known: dict[Var[Any], Term[Any]] = {}
    for mine, theirs in zip(one.target.keys, other.target.keys, strict=True):
        if isinstance(theirs, Var) and theirs in other.binders:
            known.setdefault(theirs, mine)
    fresh = {v: Var(f"{v.name} too", v.kind) for v in other.binders if v not in known}
    replacement = {**known, **fresh}
    when, value = substitute(other.when, replacement), substitute(other.value, replacement)
    keys = [substitute(key, replacement) for key in other.target.keys]
    if value is one.value or any(_apart(*pair) for pair in zip(one.target.keys, keys, strict=True)):
        return FALSE
    facts = dict(_facts(one.when))
    if any(facts.get(term, holds) is not holds for term, holds in _facts(when)):
        return FALSE
    equal = [Eq(a, b) for a, b in zip(one.target.keys, keys, strict=True) if a is not b]
    term = nary("and", (*equal, one.when, when, Not(Eq(one.value, value))))
    for variable in (*reversed(tuple(fresh.values())), *reversed(one.binders)):
        if variable in free(term):
            term = exists(variable, term)
    return term


def _apart_from(one: Update, other: Update) -> Update:
    """Return an update under binders of other names where another update speaks of a parameter of the row with such a
    name.
    """
    spoken = free(other.when) | free(other.value) | frozenset(var for key in other.target.keys for var in free(key))
    hidden = [v for v in one.binders if v in spoken and v not in other.binders]
    if not hidden:
        return one
    renamed: dict[Var[Any], Term[Any]] = {v: Var(f"{v.name} here", v.kind) for v in hidden}
    target = substitute(one.target, renamed)
    assert isinstance(target, Get)
    binders = tuple(renamed.get(v, v) for v in one.binders)
    return Update(binders, substitute(one.when, renamed), target, substitute(one.value, renamed))  # type: ignore[arg-type]


def _apart(one: Term[Any], other: Term[Any]) -> bool:
    """Return whether two keys differ in every state: literals, or one term with different numbers added."""
    if isinstance(one, Lit) and isinstance(other, Lit):
        return bool(one.value != other.value)
    (base, more), (other_base, other_more) = _offset(one), _offset(other)
    return base is other_base and more != other_more


def _offset(term: Term[Any]) -> tuple[Term[Any], int]:
    """Return a term as another and a number that is added to it."""
    if isinstance(term, Before):
        base, more = _offset(term.term)
        return (term, 0) if base is term.term else (Before(base), more)
    if isinstance(term, Arith) and isinstance(term.right, Lit) and term.operator in ("+", "-"):
        base, more = _offset(term.left)
        return base, more + int(term.right.value) * (1 if term.operator == "+" else -1)
    return term, 0


def _facts(when: Term[bool]) -> Iterator[tuple[Term[bool], bool]]:
    """Yield conditions with whether they hold where an update is carried out."""
    for one in update_conjuncts(when):
        inner, marked = one, False
        while isinstance(inner, (Named, Before)):
            marked = marked or isinstance(inner, Before)
            inner = inner.term
        for term, holds in _plain(inner):
            yield (Before(term) if marked else term), holds


def _plain(term: Term[bool]) -> Iterator[tuple[Term[bool], bool]]:
    if isinstance(term, Not):
        yield from ((one, not holds) for one, holds in _plain(term.term))
        return
    yield term, True
    if isinstance(term, Member) and isinstance(term.collection, SetOp) and term.collection.operator == "-":
        yield Member(term.item, term.collection.left), True
        yield Member(term.item, term.collection.right), False
