"""Ranges of counters: a row that would put a counter below its start is disabled, as in exploration."""

from __future__ import annotations

import math
from typing import Any

from fencepost.model.language import Term, Update, Var
from fencepost.model.language.kinds import IntKind, OptionKind
from fencepost.model.language.nodes import MaxOf
from fencepost.model.language.terms import Arith, Before, Get, Ite, Lit, Named, Next

from .logic import Truth, Value, as_option, conj, disj, neg
from .lowering import Environment, Lowering
from .moments import Moment, extended


def counters_written(update: Update) -> list[tuple[IntKind, Term[Any]]]:
    """Return the counters that an update writes or has as keys, with their kinds, save those sure to be in range."""
    target = update.target
    found = []
    for kind, term in ((target.state.kind, update.value), *zip(target.state.keys, target.keys, strict=True)):
        counter = kind.of if isinstance(kind, OptionKind) else kind
        if isinstance(counter, IntKind):
            least = least_value(term)
            if least is None or least < counter.lo:
                found.append((counter, term))
    return found


def least_value(term: Term[Any]) -> float | None:
    """Return a number that a counter is never below in any state within its range, None where its form shows none."""
    match term:
        case Lit():
            return math.inf if term.value is None else int(term.value)
        case Named() | Before() | Next():
            return least_value(term.term)
        case Ite():
            either = least_value(term.then), least_value(term.otherwise)
            return None if either[0] is None or either[1] is None else min(either[0], either[1])
        case Arith(operator="+"):
            both = least_value(term.left), least_value(term.right)
            return None if both[0] is None or both[1] is None else both[0] + both[1]
        case Arith(operator="-", right=Lit() as number):
            least = least_value(term.left)
            return None if least is None else least - int(number.value)
        case Get() | Var():
            kind = term.kind.of if isinstance(term.kind, OptionKind) else term.kind
            return kind.lo if isinstance(kind, IntKind) else None
        case MaxOf():
            either = least_value(term.default), least_value(term.var)
            return None if either[0] is None or either[1] is None else min(either[0], either[1])
    return None


def leaves_range(lowering: Lowering, update: Update, now: Moment, environment: Environment) -> Truth:
    """Return the fact that an update is carried out, its binders being bound, and puts a counter below its start."""
    return conj((lowering.value(update.when, now, environment), neg(_in_range(lowering, update, now, environment))))


def stays_in_range(lowering: Lowering, update: Update, now: Moment, environment: Environment) -> Truth:
    """Return the fact that an update puts no counter below its start for any binding for which it is carried out."""

    def stays(*values: Value) -> Truth:
        return neg(leaves_range(lowering, update, now, extended(environment, update.binders, values)))

    return lowering.scope.every([v.kind for v in update.binders], stays)


def _in_range(lowering: Lowering, update: Update, now: Moment, environment: Environment) -> Truth:
    facts: list[Truth] = []
    for kind, term in counters_written(update):
        value = as_option(lowering.value(term, now, environment))
        if value.none is not True:
            facts.append(disj((value.none, value.value >= kind.lo)))
    return conj(facts)
