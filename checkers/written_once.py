"""The condition under which a stage writes a cell twice with different values, which has no meaning in any engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from fencepost.checkers.conjuncts import update_conjuncts
from fencepost.model.language import AT_RESULT_BOUNDARIES, Row, Stage, Step, Update, Var, exists
from fencepost.model.language.kinds import EnumKind, Kind
from fencepost.model.language.terms import FALSE, Arith, Before, Eq, Get, Lit, Member, Named, Not, SetOp, Term
from fencepost.model.language.walk import free, nary, substitute

WRITTEN_ONCE = "written once"
"""The id of the standing property that no stage writes a cell twice with different values."""

ONCE = "No stage writes a cell twice with different values."
"""The text of the standing property."""

Size = Callable[[Kind[Any]], int]
"""How many values a kind has."""


def conflict(stage: Stage, size: Size) -> Term[bool]:
    """Return the condition under which a stage writes some cell twice with different values, FALSE where it never does.

    It is read where the stage's updates are, over the parameters of the row. What conditions and keys exclude whatever
    the state is left out.
    """
    return nary("or", conflicts(stage, size))


def conflicts(stage: Stage, size: Size, compared: Callable[[Kind[Any]], bool] = lambda kind: True) -> list[Term[bool]]:
    """Return the conditions under which two updates of a stage, or two bindings of one, write a cell differently.

    Values of kinds that are not `compared` count as different wherever they are not one and the same term.
    """
    updates = stage.updates
    found = [
        term
        for at, one in enumerate(updates)
        for other in updates[at:]
        if other.target.state is one.target.state and (term := _both(one, other, size, compared)) is not FALSE
    ]
    return list(dict.fromkeys(found))


def of_any_number(kind: Kind[Any]) -> int:
    """Return how many values a kind has, 2 for every kind that may have more than one."""
    return len(list(kind.enum)) if isinstance(kind, EnumKind) else 2  # type: ignore[call-overload]


def written_once(row: Row) -> Step | None:
    """Return the standing claim that no stage of a row writes a cell twice with different values; None where its form
    shows that none does.

    The claim's term says so of a stage that begins in the state before the row; engines ask each stage in its moment.
    """
    found = [term for stage in row.stages for term in conflicts(stage, of_any_number)]
    if not found:
        return None
    term = nary("and", [Not(one) for one in found])
    return Step(WRITTEN_ONCE, term, AT_RESULT_BOUNDARIES, (row.id,), "spec/steps.md", ONCE, "holds", "", row.place)


def _both(one: Update, other: Update, size: Size, compared: Callable[[Kind[Any]], bool]) -> Term[bool]:
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
    differ: list[Term[bool]] = [Not(Eq(one.value, value))]
    if not compared(one.target.state.kind):
        read = free(one.value)
        apart = [Not(Eq(v, mine)) for v, mine in replacement.items() if v in read and v is not mine]
        differ = [nary("or", apart)] if same else []
    term = nary("and", (*equal, one.when, when, *differ))
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
