"""Scopes: how kinds become sorts of the solver, and what the scopes of any number and of a few have in common."""

from __future__ import annotations

import enum
import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import z3

from fencepost.model.language import Kind, Protocol
from fencepost.model.language.kinds import (
    BoolKind,
    EntityKind,
    EnumKind,
    IntKind,
    ListKind,
    OptionKind,
    SetKind,
    ThresholdKind,
)

from .logic import (
    Expr,
    ListValue,
    Option,
    SetValue,
    ThresholdValue,
    Truth,
    Value,
    application,
    as_option,
    conj,
    constant,
    disj,
    equation,
    expression,
    iff,
    implies,
    neg,
    same_expression,
)
from .variation import PLAIN, Variation


def advice(kind: Kind[Any]) -> str:
    """Return what to write instead of a set or a list where it has no sort: entities that stand for them."""
    if not isinstance(kind, (SetKind, ListKind)):
        return ""
    what = "set" if isinstance(kind, SetKind) else "list"
    return f"; declare a sort of entities for the {what}s, with a variable that says which {what} each of them is"


class Inexpressible(Exception):
    """A construct that the unbounded encoding has no sound form for; the obligation is then not proved."""


@dataclass(frozen=True, eq=False)
class Symbol:
    """An uninterpreted value of a kind for every tuple of arguments."""

    apply: Callable[[Sequence[Expr]], Value]


_enumerations: dict[type[enum.Enum], tuple[Any, dict[enum.Enum, Any]]] = {}


def enumeration(of: type[enum.Enum]) -> tuple[Any, dict[enum.Enum, Any]]:
    """Return the sort of an enumeration and its members; made once, since Z3 knows such sorts by their name."""
    if of not in _enumerations:
        name = f"{of.__name__}#{len(_enumerations)}"
        members = list(of)
        made, constants = z3.EnumSort(name, [f"{name}.{m.name}" for m in members])
        _enumerations[of] = made, dict(zip(members, constants, strict=True))
    return _enumerations[of]


class Scope:
    """What both scopes share: symbols, equality, and arbitrary values of every kind."""

    finite = False
    limited = False
    """Whether a row is disabled where a counter that it writes leaves the range of a bound, not only where it is
    below its start.
    """

    def __init__(self, protocol: Protocol, variation: Variation = PLAIN) -> None:
        self.protocol, self.variation = protocol, variation
        self._numbers = itertools.count()
        self._ground: set[int] = set()
        self._literals: set[int] = set()
        self._kept: list[Any] = []
        self._ranged: set[int] = set()

    # -- names and sorts -------------------------------------------------------------------------------------------
    def name(self, base: str) -> str:
        """Return a name that nothing else has: the solver's interface catches variables by their names."""
        return self.variation.name(base, next(self._numbers))

    def entity_sort(self, kind: EntityKind[Any]) -> Any:
        """Return the sort of an entity kind."""
        raise NotImplementedError

    def individual(self, kind: EntityKind[Any], number: int) -> Value:
        """Return the entity that the tables name by a number."""
        raise NotImplementedError

    def sort(self, kind: Kind[Any]) -> Any:
        """Return the sort of a first-order kind; raises `Inexpressible` for any other."""
        match kind:
            case BoolKind():
                return z3.BoolSort()
            case IntKind():
                return z3.IntSort()
            case EnumKind():
                return enumeration(kind.enum)[0]
            case EntityKind():
                return self.entity_sort(kind)
            case ThresholdKind():
                return self.threshold_sort(kind)
        raise Inexpressible(f"a {kind} has no sort of its own{advice(kind)}")

    def threshold_sort(self, kind: ThresholdKind) -> Any:
        """Return the sort of a threshold."""
        raise NotImplementedError

    def threshold_value(self, kind: ThresholdKind, expr: Expr) -> Value:
        """Return what an element of the sort of thresholds means."""
        raise NotImplementedError

    def default(self, kind: Kind[Any]) -> Value:
        """Return a fixed value of a kind, to stand where an option holds none."""
        raise NotImplementedError

    # -- ground values ---------------------------------------------------------------------------------------------
    def ground(self, value: Value) -> Value:
        """Remember that a value speaks of no bound variable, and return it."""
        if isinstance(value, Option):
            self.ground(value.none)
            self.ground(value.value)
        elif isinstance(value, z3.ExprRef):
            if value.ast.value in self._ground:
                return value
            self._kept.append(value)
            self._ground.add(value.ast.value)
        return value

    def is_ground(self, value: Value) -> bool:
        """Return whether a value is known to speak of no bound variable."""
        if isinstance(value, Option):
            return self.is_ground(value.none) and self.is_ground(value.value)
        if isinstance(value, z3.ExprRef):
            return value.ast.value in self._ground
        return isinstance(value, bool)

    def literal(self, expr: Expr) -> Expr:
        """Remember that an expression equals no other literal of its sort, and return it."""
        self._literals.add(expr.ast.value)
        return self.ground(expr)

    # -- symbols ---------------------------------------------------------------------------------------------------
    def symbol(self, base: str, arguments: Sequence[Any], kind: Kind[Any]) -> Symbol:
        """Return a new symbol over arguments of the given sorts with values of a kind."""
        match kind:
            case OptionKind():
                none = self._function(f"{base}.none", arguments, z3.BoolSort())
                inside = self.symbol(base, arguments, kind.of)
                return Symbol(lambda args: Option(none(args), inside.apply(args)))
            case SetKind(of=EntityKind() as of):
                holds = self._function(base, [*arguments, self.entity_sort(of)], z3.BoolSort())
                return Symbol(lambda args: SetValue(lambda e: holds([*args, e])))
            case ListKind(of=EntityKind() as of):
                sort = self.entity_sort(of)
                holds = self._function(base, [*arguments, sort], z3.BoolSort())
                order = self._function(f"{base}.before", [*arguments, sort, sort], z3.BoolSort())
                return Symbol(lambda args: ListValue(lambda e: holds([*args, e]), lambda e, f: order([*args, e, f])))
            case ThresholdKind():
                made = self._function(base, arguments, self.threshold_sort(kind))
                return Symbol(lambda args: self.threshold_value(kind, made(args)))
        return Symbol(self._function(base, arguments, self.sort(kind)))

    def _function(self, base: str, arguments: Sequence[Any], result: Any) -> Callable[[Sequence[Expr]], Expr]:
        name = self.name(base)
        if not arguments:
            made = self.ground(constant(name, result))
            return lambda args: made
        function = z3.Function(name, *arguments, result)
        like = type(constant("like", result))

        def apply(args: Sequence[Expr]) -> Expr:
            found = application(function, [expression(a) for a in args], like)
            if all(self.is_ground(a) for a in args):
                self.ground(found)
            return found

        return apply

    def arguments(self, value: Value, kind: Kind[Any]) -> list[Expr]:
        """Return a first-order value as arguments of a symbol; raises `Inexpressible` for any other."""
        if isinstance(kind, OptionKind):
            option = as_option(value)
            return [option.none, *self.arguments(option.value, kind.of)]
        if isinstance(kind, (SetKind, ListKind)) or isinstance(value, ThresholdValue):
            raise Inexpressible(f"a {kind} cannot be an argument{advice(kind)}")
        return [value]

    def argument_sorts(self, kind: Kind[Any]) -> list[Any]:
        """Return the sorts of what `arguments` returns for a kind."""
        if isinstance(kind, OptionKind):
            return [z3.BoolSort(), *self.argument_sorts(kind.of)]
        return [self.sort(kind)]

    def any_value(self, base: str, kind: Kind[Any]) -> tuple[Value, list[Truth]]:
        """Return an arbitrary value of a kind, and what holds of it because it is one."""
        value = self.symbol(base, (), kind).apply(())
        return value, list(self.well_formed(value, kind))

    def well_formed(self, value: Value, kind: Kind[Any]) -> Iterator[Truth]:
        """Yield what holds of every value of a kind: ranges of counters, and that lists are ordered."""
        match kind:
            case IntKind():
                yield self.in_range(value, kind)
            case OptionKind():
                yield from self.well_formed(value.value, kind.of)
            case ListKind(of=EntityKind() as of):
                yield from self._ordered(value, of)
            case ThresholdKind():
                yield from self.threshold_range(value)

    def ranged(self, counter: Expr) -> None:
        """Remember that a counter is in the range of its kind."""
        self._kept.append(counter)
        self._ranged.add(counter.ast.value)

    def is_ranged(self, counter: Expr) -> bool:
        """Return whether a counter is known to be in the range of its kind."""
        return counter.ast.value in self._ranged

    def _ordered(self, value: ListValue, of: EntityKind[Any]) -> Iterator[Truth]:
        inside, before = value.contains, value.before
        yield self.every((of,), lambda a: neg(before(a, a)))
        yield self.every((of, of), lambda a, b: implies(before(a, b), conj((inside(a), inside(b)))))
        yield self.every(
            (of, of),
            lambda a, b: implies(conj((inside(a), inside(b))), disj((self.same(a, b), before(a, b), before(b, a)))),
        )
        yield self.every((of, of), lambda a, b: neg(conj((before(a, b), before(b, a)))))
        yield self.every((of, of, of), lambda a, b, c: implies(conj((before(a, b), before(b, c))), before(a, c)))

    def in_range(self, value: Expr, kind: IntKind) -> Truth:
        """Return the condition that a counter is in its range."""
        raise NotImplementedError

    def stays(self, value: Value, kind: IntKind | ThresholdKind) -> Truth:
        """Return the condition under which a counter that a row writes leaves the row enabled: it is not below its
        start.
        """
        assert isinstance(kind, IntKind)
        within: Truth = value >= kind.lo
        return within

    def threshold_range(self, value: Value) -> Iterator[Truth]:
        """Yield what holds of every threshold."""
        return iter(())

    # -- equality --------------------------------------------------------------------------------------------------
    def same(self, left: Expr, right: Expr) -> Truth:
        """Return the equality of two first-order expressions."""
        if isinstance(left, bool) or isinstance(right, bool):
            return iff(left, right)
        if same_expression(left, right):
            return True
        if left.ast.value in self._literals and right.ast.value in self._literals:
            return False
        return equation(left, right)

    def equal(self, left: Value, right: Value, kind: Kind[Any]) -> Truth:
        """Return the equality of two values of a kind (an entity counts as the option that holds it)."""
        if left is right:
            return True
        if isinstance(left, Option) or isinstance(right, Option):
            a, b = as_option(left), as_option(right)
            inner = kind.of if isinstance(kind, OptionKind) else kind
            inside = False if a.none is True or b.none is True else self.equal(a.value, b.value, inner)
            return conj((iff(a.none, b.none), disj((a.none, inside))))
        if isinstance(kind, SetKind) and isinstance(kind.of, EntityKind):
            return self.every((kind.of,), lambda e: iff(left.contains(e), right.contains(e)))
        if isinstance(kind, ListKind) and isinstance(kind.of, EntityKind):
            return self._same_list(left, right, kind.of)
        if isinstance(left, ThresholdValue):
            if left.expr is None or right.expr is None:
                raise Inexpressible("thresholds that are composed cannot be compared")
            return self.same(left.expr, right.expr)
        return self.same(left, right)

    def _same_list(self, left: ListValue, right: ListValue, of: EntityKind[Any]) -> Truth:
        members = self.every((of,), lambda e: iff(left.contains(e), right.contains(e)))
        sort = self.entity_sort(of)
        probe = constant("one probe", sort), constant("other probe", sort)  # the same, so that each is asked once
        if left.before(*probe) is False or right.before(*probe) is False:
            return members  # one of them has no two members, so equal members leave no order to differ
        return conj((members, self.every((of, of), lambda e, f: iff(left.before(e, f), right.before(e, f)))))

    # -- quantifiers -----------------------------------------------------------------------------------------------
    def quantified(self, universal: bool, kinds: Sequence[Kind[Any]], body: Callable[..., Truth]) -> Truth:
        """Return "for every (or some) values of the kinds, the body"."""
        raise NotImplementedError

    def every_one(self, kinds: Sequence[Kind[Any]], bodies: Callable[..., Iterator[Truth]]) -> Iterator[Truth]:
        """Yield "for every values of the kinds" of each body."""
        raise NotImplementedError

    def cases(self, kind: Kind[Any]) -> int:
        """Return how often `every_one` yields a body for a kind."""
        raise NotImplementedError

    def every(self, kinds: Sequence[Kind[Any]], body: Callable[..., Truth]) -> Truth:
        """Return "for every values of the kinds, the body"."""
        return self.quantified(True, kinds, body)

    def some(self, kinds: Sequence[Kind[Any]], body: Callable[..., Truth]) -> Truth:
        """Return "for some values of the kinds, the body"."""
        return self.quantified(False, kinds, body)
