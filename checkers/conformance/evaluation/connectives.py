"""Three-valued logic, and functions of values that may be unknown, over compiled code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fencepost.checkers.conformance.classes.frames import MISSING, UNKNOWN, Code, Env, Frame
from fencepost.model.language import Term, Var
from fencepost.model.language.terms import Comprehension, SetOp
from fencepost.model.language.walk import bare, free


def keys_of(term: Term[Any]) -> tuple[Var[Any], ...]:
    """Return the variables on whose values a term depends, in an order that is always the same."""
    return tuple(sorted(free(term), key=lambda var: (var.name, str(var.kind))))


def is_defined(collection: Term[Any]) -> bool:
    """Whether a set is defined by a condition: its members are found by evaluating it for every entity."""
    plain = bare(collection)
    if isinstance(plain, SetOp):
        parts = [is_defined(plain.left), is_defined(plain.right)]
        return parts[0] if plain.operator == "-" else any(parts) if plain.operator == "|" else all(parts)
    return isinstance(plain, Comprehension)


def memoised(term: Term[Any], inner: Code) -> Code:
    """Return the code with its values kept by those of its free variables."""
    variables = keys_of(term)
    if not variables:

        def closed(frame: Frame, env: Env) -> Any:
            found = frame.memo.get(term, MISSING)
            if found is MISSING:
                found = frame.memo[term] = inner(frame, env)
            return found

        return closed

    if len(variables) == 1:
        [only] = variables

        def of_one(frame: Frame, env: Env) -> Any:
            key = (term, env.get(only, UNKNOWN))
            found = frame.memo.get(key, MISSING)
            if found is MISSING:
                found = frame.memo[key] = inner(frame, env)
            return found

        return of_one

    def run(frame: Frame, env: Env) -> Any:
        key = (term, *[env.get(v, UNKNOWN) for v in variables])
        found = frame.memo.get(key, MISSING)
        if found is MISSING:
            found = frame.memo[key] = inner(frame, env)
        return found

    return run


def negated(inner: Code) -> Code:
    """Return the negation of a condition."""

    def run(frame: Frame, env: Env) -> Any:
        found = inner(frame, env)
        return UNKNOWN if found is UNKNOWN else not found

    return run


def all_true(codes: list[Code]) -> Code:
    """Return the conjunction: false as soon as one is, unknown where none is false and one unknown."""
    return _until(codes, False)


def any_true(codes: list[Code]) -> Code:
    """Return the disjunction: true as soon as one is, unknown where none is true and one unknown."""
    return _until(codes, True)


def _until(codes: list[Code], decisive: bool) -> Code:
    def run(frame: Frame, env: Env) -> Any:
        result: Any = not decisive
        for code in codes:
            found = code(frame, env)
            if found is decisive:
                return decisive
            if found is UNKNOWN:
                result = UNKNOWN
        return result

    return run


def applied(inner: Code, function: Callable[[Any], Any]) -> Code:
    """Return a function of a value, unknown of an unknown one."""

    def run(frame: Frame, env: Env) -> Any:
        found = inner(frame, env)
        return UNKNOWN if found is UNKNOWN else function(found)

    return run


def ascending(inner: Code) -> Code:
    """Return the members of a set in the order of their ids, of which the frame takes note."""

    def run(frame: Frame, env: Env) -> Any:
        found = inner(frame, env)
        if found is UNKNOWN:
            return UNKNOWN
        frame.ordered = frame.ordered or len(found) > 1
        return tuple(sorted(found))

    return run


def combined(left: Code, right: Code, function: Callable[[Any, Any], Any]) -> Code:
    """Return a function of two values, unknown where one of them is."""

    def run(frame: Frame, env: Env) -> Any:
        one = left(frame, env)
        if one is UNKNOWN:
            return UNKNOWN
        other = right(frame, env)
        return UNKNOWN if other is UNKNOWN else function(one, other)

    return run


def chosen(condition: Code, then: Code, otherwise: Code) -> Code:
    """Return a choice; where the condition is unknown, the value on which both branches agree."""

    def run(frame: Frame, env: Env) -> Any:
        decided = condition(frame, env)
        if decided is not UNKNOWN:
            return then(frame, env) if decided else otherwise(frame, env)
        one, other = then(frame, env), otherwise(frame, env)
        return one if one is not UNKNOWN and other is not UNKNOWN and one == other else UNKNOWN

    return run


def set_of(items: list[Code]) -> Code:
    """Return the set of items, of which a none adds nothing."""

    def run(frame: Frame, env: Env) -> Any:
        found = [item(frame, env) for item in items]
        return UNKNOWN if UNKNOWN in found else frozenset(x for x in found if x is not None)

    return run


def set_operation(operator: str, left: Code, right: Code) -> Code:
    """Return the intersection, union or difference of two sets."""

    def run(frame: Frame, env: Env) -> Any:
        one, other = left(frame, env), right(frame, env)
        if one is UNKNOWN or other is UNKNOWN:
            # Nothing is in an empty set, whatever it is cut with.
            decided = (operator == "&" and other is not UNKNOWN and not other) or (
                operator in "&-" and one is not UNKNOWN and not one
            )
            return frozenset() if decided else UNKNOWN
        return one & other if operator == "&" else one | other if operator == "|" else one - other

    return run


def in_next(inner: Code) -> Code:
    """Return the value in the state after a step, unknown where there is none."""

    def run(frame: Frame, env: Env) -> Any:
        return UNKNOWN if frame.after is None else inner(frame.after, env)

    return run
