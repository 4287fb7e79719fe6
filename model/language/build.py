"""The words that tables are written in: every one builds a term and says nothing of how it is evaluated."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, overload

from .errors import refuse
from .kinds import (
    BOOL,
    EntityKind,
    EnumKind,
    IntKind,
    Kind,
    ListKind,
    N,
    OptionKind,
    SetKind,
    Threshold,
    ThresholdKind,
    maybe,
)
from .nodes import (
    TRUE,
    Ascending,
    AtLeast,
    Comprehension,
    Concat,
    Each,
    Elems,
    First,
    Ite,
    Keep,
    Lesser,
    ListOf,
    Lit,
    MaxOf,
    Named,
    Next,
    Quant,
    Repeats,
    SetOf,
    SizeOf,
    Term,
    Var,
    lift,
)
from .terms import FALSE
from .walk import free, fresh_name, substitute

T = TypeVar("T")
X = TypeVar("X")
E = TypeVar("E", bound=enum.Enum)
P = ParamSpec("P")

NUMBER = IntKind("number")
"""The kind of two numbers between which `when` decides."""


def _variable(var: object, word: str) -> Var[Any]:
    if not isinstance(var, Var):
        raise refuse(word, f"{var!r} is no variable", 'bind a variable, as in `b = BROKER.var("b")`')
    return var


def _condition(term: object, word: str) -> Term[bool]:
    if not isinstance(term, Term) or term.kind != BOOL:
        raise refuse(word, f"{term!r} is no condition", "write a term of kind Bool (TRUE, FALSE, or a comparison)")
    return term


def _term(value: object, word: str) -> Term[Any]:
    if not isinstance(value, Term):
        what = "is a Python bool, not a term" if isinstance(value, bool) else "is no term"
        raise refuse(word, f"{value!r} {what}", "write a term; TRUE or FALSE for a truth value")
    return value


def literal(member: E) -> Term[E]:
    """Return an enumeration's member as a term."""
    return Lit(member, EnumKind(type(member)))


def individual(kind: EntityKind[N], number: int) -> Term[N]:
    """Return the entity of a sort that a number names: one and the same everywhere, and other than those of other numbers.

    Raises `TableError` for what is no whole number from 0 on. A bound needs as many entities as the tables name.
    """
    if not isinstance(number, int) or isinstance(number, bool) or number < 0:
        raise refuse("individual", f"{number!r} names no entity", "write a whole number, from 0 on")
    return Lit(number, kind)  # type: ignore[arg-type]


def none_of(kind: Kind[T]) -> Term[T | None]:
    """Return "none" as an option of a kind."""
    maybe(kind)
    return Lit(None, OptionKind(kind))  # type: ignore[arg-type]


def forall(var: Term[Any], body: Term[bool]) -> Term[bool]:
    """Return the term "the body holds for every value of the variable"."""
    return Quant("every", _variable(var, "forall"), _condition(body, "forall"))


def exists(var: Term[Any], body: Term[bool]) -> Term[bool]:
    """Return the term "the body holds for some value of the variable"."""
    return Quant("some", _variable(var, "exists"), _condition(body, "exists"))


def those(var: Term[X], body: Term[bool]) -> Term[frozenset[X]]:
    """Return the set of the entities for which the body holds."""
    return Comprehension(_variable(var, "those"), _condition(body, "those"))


@overload
def when(condition: Term[bool], then: Term[int] | int, otherwise: Term[int] | int) -> Term[int]: ...
@overload
def when(condition: Term[bool], then: Term[T], otherwise: Term[T]) -> Term[T]: ...
def when(condition: Term[bool], then: Any, otherwise: Any) -> Any:
    """Return one value where the condition holds and another where it does not; whole numbers may be written as such."""
    numbers = [one for one in (then, otherwise) if isinstance(one, int) and not isinstance(one, bool)]
    if numbers:
        kind = next((one.kind for one in (then, otherwise) if isinstance(one, Term)), NUMBER)
        then, otherwise = lift(then, kind), lift(otherwise, kind)
    _term(then, "when"), _term(otherwise, "when")
    if isinstance(then.kind, OptionKind):
        return Ite(_condition(condition, "when"), then, lift(otherwise, then.kind))
    return Ite(_condition(condition, "when"), lift(then, otherwise.kind), otherwise)


@overload
def just(*items: Term[X | None]) -> Term[frozenset[X]]: ...
@overload
def just(*items: Term[X]) -> Term[frozenset[X]]: ...
def just(*items: Any) -> Any:
    """Return the set of the given entities."""
    if not items:
        raise refuse("just", "it is given no entity", "write `nobody(KIND)` for the empty set")
    kind, *_ = (_term(item, "just").kind for item in items)
    return SetOf(kind.of if isinstance(kind, OptionKind) else kind, items)  # type: ignore[arg-type]


def nobody(kind: EntityKind[X]) -> Term[frozenset[X]]:  # type: ignore[type-var]
    """Return the empty set of a kind of entities."""
    return SetOf(kind, ())


def some(item: Term[X]) -> Term[X | None]:
    """Return an entity as the option that holds it, for a place whose type asks for an option."""
    maybe(_term(item, "some").kind)
    return Ite(TRUE, item, Lit(None, OptionKind(item.kind)))  # type: ignore[arg-type]


def present(option: Term[X | None]) -> Term[bool]:
    """Return the term "the option holds something"."""
    return _term(option, "present").isnt(None)


def absent(option: Term[X | None]) -> Term[bool]:
    """Return the term "the option is none"."""
    return _term(option, "absent").is_(None)


def else_(option: Term[X | None], otherwise: Term[X | None]) -> Term[X | None]:
    """Return the option where it holds something, another where it is none."""
    return Ite(present(option), option, otherwise)


def members(of: Term[tuple[X, ...]]) -> Term[frozenset[X]]:
    """Return the members of a list as a set."""
    return Elems(of)


def first(of: Term[tuple[X, ...]], among: Term[frozenset[X]]) -> Term[X | None]:
    """Return the first entry of a list that is in a set, or none."""
    return First(of, among)


def head(of: Term[tuple[X, ...]]) -> Term[X | None]:
    """Return the first entry of a list, or none of an empty one."""
    return First(of, Elems(of))


def keep(of: Term[tuple[X, ...]], among: Term[frozenset[X]]) -> Term[tuple[X, ...]]:
    """Return the entries of a list that are in a set, in the list's order."""
    return Keep(of, among)


def drop(of: Term[tuple[X, ...]], those_: Term[frozenset[X]]) -> Term[tuple[X, ...]]:
    """Return the entries of a list that are not in a set, in the list's order."""
    return Keep(of, Elems(of) - those_)


def then(left: Term[tuple[X, ...]], right: Term[tuple[X, ...]]) -> Term[tuple[X, ...]]:
    """Return a list followed by the entries of another that it does not have yet."""
    return Concat(left, right)


@overload
def only(item: Term[X | None]) -> Term[tuple[X, ...]]: ...
@overload
def only(item: Term[X]) -> Term[tuple[X, ...]]: ...
def only(item: Any) -> Any:
    """Return the list of one entity, or the empty list for none."""
    _term(item, "only")
    kind = item.kind.of if isinstance(item.kind, OptionKind) else item.kind
    return ListOf(kind, item)  # type: ignore[arg-type]


def nothing(kind: EntityKind[X]) -> Term[tuple[X, ...]]:  # type: ignore[type-var]
    """Return the empty list of a kind of entities."""
    return ListOf(kind, none_of(kind))


def ascending(of: Term[frozenset[X]]) -> Term[tuple[X, ...]]:
    """Return the members of a set as a list, by id."""
    return Ascending(of)


def each(var: Term[Any], along: Term[tuple[Any, ...]], body: Term[X]) -> Term[tuple[X, ...]]:
    """Return the values of a term for the entries of a list, in its order: the values beside the list."""
    return Each(_variable(var, "each"), along, _term(body, "each"))


def repeats(of: Term[tuple[X, ...]]) -> Term[bool]:
    """Return the term "this list from outside has an entity twice", false wherever lists are what their kind says."""
    return Repeats(of)


def empty(of: Term[frozenset[X]] | Term[tuple[X, ...]]) -> Term[bool]:
    """Return the term "this set or list has no members"."""
    if isinstance(of.kind, ListKind):
        return of.is_(ListOf(of.kind.of, Lit(None, OptionKind(of.kind.of))))  # type: ignore[arg-type]
    assert isinstance(of.kind, SetKind)
    return of.is_(SetOf(of.kind.of, ()))  # type: ignore[arg-type]


def at_least(of: Term[frozenset[X]], size: Term[Threshold]) -> Term[bool]:
    """Return the term "this set has as many members as the threshold asks"."""
    return AtLeast(of, size)


def lesser(left: Term[Threshold], right: Term[Threshold]) -> Term[Threshold]:
    """Return the smaller of two thresholds."""
    return Lesser(left, right)


def size_of(of: Term[frozenset[X]], kind: ThresholdKind) -> Term[Threshold]:
    """Return a set's number of members as a threshold, to be compared with other sizes through `at_least` only."""
    return SizeOf(of, kind)


def max_of(var: Term[int], body: Term[bool], default: Term[int] | int) -> Term[int]:
    """Return the greatest value of a counter for which the body holds, or the default where there is none."""
    return MaxOf(_variable(var, "max_of"), _condition(body, "max_of"), lift(default, var.kind))


def min_of(var: Term[int], body: Term[bool], default: Term[int] | int) -> Term[int]:
    """Return the smallest value of a counter for which the body holds, or the default where there is none.

    It is written as the greatest of the values that no smaller one undercuts, so that no engine has to know the word.
    """
    own = _variable(var, "min_of")
    other = fresh_name(own, free(body) | {own})
    smallest = Quant("every", other, substitute(_condition(body, "min_of"), {own: other}).implies(own <= other))
    return max_of(var, body & smallest, default)


def next_(term: Term[T]) -> Term[T]:
    """Return the term as read after the step, for step properties."""
    return Next(term)


def let(name: str, term: Term[T], *shown: Term[Any]) -> Term[T]:
    """Return the term under a name that survives into every engine and every rendering."""
    return Named(name, shown, _term(term, name))


def definition(function: Callable[P, Term[T]]) -> Callable[P, Term[T]]:
    """Make a function of terms a definition: its calls keep the function's name and arguments."""

    def call(*args: P.args, **kwargs: P.kwargs) -> Term[T]:
        term = _term(function(*args, **kwargs), function.__name__)
        shown = tuple(a for a in (*args, *kwargs.values()) if isinstance(a, Term))
        return Named(function.__name__.rstrip("_"), shown, term)

    call.__name__ = function.__name__
    call.__doc__ = function.__doc__
    return call


@overload
def all_of(first_: Term[bool], /, *rest: Term[bool]) -> Term[bool]: ...
@overload
def all_of() -> Term[bool]: ...
def all_of(*terms: Term[bool]) -> Term[bool]:
    """Return the conjunction of the terms; TRUE of none."""
    result = TRUE
    for term in terms:
        result = term if result is TRUE else result & term
    return result


def any_of(*terms: Term[bool]) -> Term[bool]:
    """Return the disjunction of the terms; FALSE of none."""
    result = FALSE
    for term in terms:
        result = term if result is FALSE else result | term
    return result
