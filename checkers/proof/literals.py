"""Literals as values of a scope."""

from __future__ import annotations

from typing import Any

import z3

from fencepost.model.language import Kind, Term
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
from fencepost.model.language.terms import Lit

from .logic import ListValue, Option, SetValue, Value
from .scope import Inexpressible, Scope, enumeration
from .unbounded import Unbounded


def literal_value(scope: Scope, lit: Term[Any]) -> Value:
    """Return the value of a literal."""
    assert isinstance(lit, Lit)
    return _literal(scope, lit.value, lit.kind)


def _literal(scope: Scope, value: Any, kind: Kind[Any]) -> Value:
    match kind:
        case BoolKind():
            return bool(value)
        case IntKind():
            return scope.literal(z3.IntVal(value))
        case EnumKind():
            return scope.literal(enumeration(kind.enum)[1][value])
        case ThresholdKind():
            return scope.threshold_literal(value) if isinstance(scope, Unbounded) else scope.literal(z3.IntVal(value))
        case OptionKind():
            if value is None:
                return Option(True, scope.default(kind.of))
            return Option(False, _literal(scope, value, kind.of))
        case EntityKind():
            return scope.individual(kind, value)
        case SetKind() if not value:
            return SetValue(lambda e: False)
        case ListKind() if not value:
            return ListValue(lambda e: False, lambda e, f: False)
    raise Inexpressible(f"the literal {value!r} of kind {kind}")
