"""Truth values for the solver, folded as they are built: a Python bool where it is known, an expression of Z3
elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

import z3
from z3 import z3core
from z3.z3types import Ast, Pattern

# The constructors of the Python interface coerce and verify every argument, which costs more than the solver does on a
# small question. What is built here is of the right sorts by construction, so the layer below is called.
_library: Any = z3core
_context: Any = z3.main_ctx()
_reference: Any = _context.ref()

Truth: TypeAlias = Any
"""A Python bool, or a Boolean expression of Z3."""

Expr: TypeAlias = Any
"""An expression of Z3 of any first-order sort."""

Value: TypeAlias = Any
"""What a term becomes: a `Truth`, an `Expr`, an `Option`, a `SetValue`, a `ListValue` or a `ThresholdValue`."""


@dataclass(frozen=True, eq=False, slots=True)
class Option:
    """An option: whether it is none, and its value where it is not."""

    none: Truth
    value: Value


@dataclass(frozen=True, eq=False, slots=True)
class SetValue:
    """A set, as the question whether it contains an entity."""

    contains: Callable[[Expr], Truth]


@dataclass(frozen=True, eq=False, slots=True)
class ListValue:
    """A list without duplicates: its members, and which is before which."""

    contains: Callable[[Expr], Truth]
    before: Callable[[Expr, Expr], Truth]


@dataclass(frozen=True, eq=False, slots=True)
class ThresholdValue:
    """A threshold of the unbounded scope, as the question whether a set of entities of a sort reaches it.

    `expr` is its element of the sort of thresholds, None where it is composed (a lesser of two, a choice, a set's
    size).
    """

    reached: Callable[[SetValue, str], Truth]
    one: Callable[[], Truth]
    expr: Expr | None


class _Made:
    """Constructors of expressions that look at nothing but their arguments' handles."""

    arrays: dict[int, Any] = {}
    kinds: dict[int, tuple[Any, Any]] = {}

    @classmethod
    def array(cls, items: list[Expr]) -> Any:
        """Return the handles of expressions as an array of C."""
        count = len(items)
        kind = cls.arrays.get(count)
        if kind is None:
            kind = cls.arrays[count] = Ast * count
        return kind(*(item.ast for item in items))


def _checked(handle: Any) -> Any:
    if not handle:
        raise AssertionError("the solver refused an expression")
    return handle


def equation(left: Expr, right: Expr) -> Truth:
    """Return the equation of two expressions of one sort."""
    return z3.BoolRef(_checked(_library.Z3_mk_eq(_reference, left.ast, right.ast)), _context)


def conditional(condition: Expr, then: Expr, otherwise: Expr) -> Expr:
    """Return the one expression where the condition holds and the other where it does not."""
    made = _checked(_library.Z3_mk_ite(_reference, condition.ast, then.ast, otherwise.ast))
    return type(then)(made, _context)


def application(function: Any, arguments: list[Expr], like: type[Any]) -> Expr:
    """Return a function of the solver applied to arguments; `like` is the class of expressions of its range."""
    made = _library.Z3_mk_app(_reference, function.ast, len(arguments), _Made.array(arguments))
    return like(_checked(made), _context)


def constant(name: str, sort: Any) -> Expr:
    """Return the constant of a name and a sort."""
    key = sort.ast.value
    kind = _Made.kinds.get(key)
    if kind is None:
        # The sort is kept, so that no other one is made in its place.
        kind = _Made.kinds[key] = type(z3.Const("like", sort)), sort
    symbol = _library.Z3_mk_string_symbol(_reference, name)
    return kind[0](_checked(_library.Z3_mk_const(_reference, symbol, sort.ast)), _context)


_nameless: Any = z3core.Z3_mk_string_symbol(_reference, "")
_no_patterns: Any = (Pattern * 0)()
_no_terms: Any = (Ast * 0)()


def quantified(universal: bool, names: list[Expr], body: Expr) -> Truth:
    """Return "for every (or some) values of constants, the body"."""
    bound, count = _Made.array(names), len(names)
    made = _library.Z3_mk_quantifier_const_ex(
        _reference, universal, 1, _nameless, _nameless, count, bound, 0, _no_patterns, 0, _no_terms, body.ast
    )
    return z3.QuantifierRef(_checked(made), _context)


def same_expression(left: Expr, right: Expr) -> bool:
    """Return whether two expressions are one (the solver keeps equal ones once)."""
    return bool(left.ast.value == right.ast.value)


def conj(parts: Iterable[Truth]) -> Truth:
    """Return the conjunction."""
    kept: list[Any] = []
    for part in parts:
        if part is False:
            return False
        if part is not True:
            kept.append(part)
    if not kept:
        return True
    if len(kept) == 1:
        return kept[0]
    return z3.BoolRef(_checked(_library.Z3_mk_and(_reference, len(kept), _Made.array(kept))), _context)


def disj(parts: Iterable[Truth]) -> Truth:
    """Return the disjunction."""
    kept: list[Any] = []
    for part in parts:
        if part is True:
            return True
        if part is not False:
            kept.append(part)
    if not kept:
        return False
    if len(kept) == 1:
        return kept[0]
    return z3.BoolRef(_checked(_library.Z3_mk_or(_reference, len(kept), _Made.array(kept))), _context)


def neg(truth: Truth) -> Truth:
    """Return the negation."""
    if isinstance(truth, bool):
        return not truth
    inside = getattr(truth, "negated", None)
    if inside is not None:
        return inside
    made = z3.BoolRef(_checked(_library.Z3_mk_not(_reference, truth.ast)), _context)
    made.negated = truth
    return made


def implies(left: Truth, right: Truth) -> Truth:
    """Return the implication."""
    if left is True or right is True:
        return right
    if left is False:
        return True
    if right is False:
        return neg(left)
    if same_expression(left, right):
        return True
    return z3.BoolRef(_checked(_library.Z3_mk_implies(_reference, left.ast, right.ast)), _context)


def iff(left: Truth, right: Truth) -> Truth:
    """Return the equivalence."""
    if isinstance(left, bool):
        return right if left else neg(right)
    if isinstance(right, bool):
        return left if right else neg(left)
    return True if same_expression(left, right) else equation(left, right)


def expression(truth: Truth) -> Expr:
    """Return a truth value as an expression of Z3."""
    return z3.BoolVal(truth) if isinstance(truth, bool) else truth


def choose(condition: Truth, then: Value, otherwise: Value) -> Value:
    """Return the one value where the condition holds and the other where it does not, pointwise for sets and lists."""
    if condition is True or then is otherwise:
        return then
    if condition is False:
        return otherwise
    if isinstance(then, Option) or isinstance(otherwise, Option):
        return _choose_option(condition, as_option(then), as_option(otherwise))
    if isinstance(then, SetValue):
        return SetValue(lambda e: choose(condition, then.contains(e), otherwise.contains(e)))
    if isinstance(then, ListValue):
        return ListValue(
            lambda e: choose(condition, then.contains(e), otherwise.contains(e)),
            lambda e, f: choose(condition, then.before(e, f), otherwise.before(e, f)),
        )
    if isinstance(then, ThresholdValue):
        expr = None if then.expr is None or otherwise.expr is None else z3.If(condition, then.expr, otherwise.expr)
        return ThresholdValue(
            lambda s, sort: choose(condition, then.reached(s, sort), otherwise.reached(s, sort)),
            lambda: choose(condition, then.one(), otherwise.one()),
            expr,
        )
    if isinstance(then, bool) or isinstance(otherwise, bool):
        return _choose_truth(condition, then, otherwise)
    return then if same_expression(then, otherwise) else conditional(condition, then, otherwise)


def _choose_truth(condition: Truth, then: Truth, otherwise: Truth) -> Truth:
    if then is True:
        return disj((condition, otherwise))
    if then is False:
        return conj((neg(condition), otherwise))
    return disj((neg(condition), then)) if otherwise is True else conj((condition, then))


def _choose_option(condition: Truth, then: Option, otherwise: Option) -> Option:
    none = choose(condition, then.none, otherwise.none)
    if then.none is True:
        return Option(none, otherwise.value)
    if otherwise.none is True:
        return Option(none, then.value)
    return Option(none, choose(condition, then.value, otherwise.value))


def as_option(value: Value) -> Option:
    """Return a value as the option that holds it, and an option as itself."""
    return value if isinstance(value, Option) else Option(False, value)
