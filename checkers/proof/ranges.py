"""Ranges: a row that would write a counter or a threshold outside its range is disabled, as in exploration.

In a proof a counter has everything from its start as range, and a threshold everything from 1; in a bounded search both
have the ranges of the bound.
"""

from __future__ import annotations

import math
from typing import Any, TypeAlias

from fencepost.model.language import TRUE, Row, Term, Update, Var, empty, when
from fencepost.model.language.kinds import IntKind, OptionKind, ThresholdKind
from fencepost.model.language.nodes import Lesser, MaxOf, SizeOf
from fencepost.model.language.terms import Arith, Before, Get, Ite, Lit, Named, Next

from .logic import Truth, Value, as_option, conj, disj, neg
from .lowering import Environment, Lowering
from .moments import Moment, extended

Counter: TypeAlias = IntKind | ThresholdKind


def counters_written(update: Update, limited: bool = False) -> list[tuple[Counter, Term[Any], bool]]:
    """Return the counters that an update writes or has as keys, save those sure to be in range.

    Each has its kind, the term, and whether it is a key.

    Where counters are `limited` they have a greatest value too, and a threshold may be outside its range as well.
    """
    target = update.target
    found: list[tuple[Counter, Term[Any], bool]] = []
    keys = zip(target.state.keys, target.keys, strict=True)
    for kind, term, is_key in ((target.state.kind, update.value, False), *((kind, key, True) for kind, key in keys)):
        counter = kind.of if isinstance(kind, OptionKind) else kind
        if limited and isinstance(counter, (IntKind, ThresholdKind)):
            found.append((counter, term, is_key))
        elif isinstance(counter, IntKind):
            least = least_value(term)
            if least is None or least < counter.lo:
                found.append((counter, term, is_key))
    return found


def may_leave(update: Update, limited: bool = False) -> bool:
    """Return whether an update might put a counter below its start, or a threshold below 1.

    Where counters are `limited` it is asked whether a counter or a threshold might leave the range of a bound.
    """
    return bool(counters_written(update, limited)) or counted(update, limited) is not TRUE


def counted(update: Update, limited: bool = False) -> Term[bool]:
    """Return the condition that the sizes of sets which an update writes are 1 or more, TRUE where it writes none.

    Where counters are `limited` thresholds are among them, and nothing is left to say of sizes.
    """
    sized = isinstance(update.target.state.kind, ThresholdKind) and not limited
    return _counted(update.value) if sized else TRUE


def _counted(term: Term[Any]) -> Term[bool]:
    match term:
        case Named():
            return _counted(term.term)
        case Before() | Next():
            inner = _counted(term.term)
            return TRUE if inner is TRUE else type(term)(inner)
        case Ite():
            then, otherwise = _counted(term.then), _counted(term.otherwise)
            return TRUE if then is otherwise is TRUE else when(term.condition, then, otherwise)
        case Lesser():
            return _counted(term.left) & _counted(term.right)
        case SizeOf():
            return ~empty(term.of)
    return TRUE


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


def written_later(row: Row, index: int, update: Update) -> bool:
    """Return whether a stage after one of a number may write the cell of its update too."""
    return any(one.target.state is update.target.state for stage in row.stages[index + 1 :] for one in stage.updates)


def leaves_range(
    lowering: Lowering, update: Update, now: Moment, environment: Environment, last: Moment | None = None
) -> Truth:
    """Return the fact that an update is carried out, its binders being bound, and leaves a range.

    A key of the update may be outside, or the value that its cell has at the end: `last` is the end of the row where
    a later stage may write the cell as well.
    """
    stays = _in_range(lowering, update, now, environment, last)
    return conj((lowering.value(update.when, now, environment), neg(stays)))


def stays_in_range(
    lowering: Lowering, update: Update, now: Moment, environment: Environment, last: Moment | None = None
) -> Truth:
    """Return the fact that an update leaves no range for any binding for which it is carried out."""

    def stays(*values: Value) -> Truth:
        return neg(leaves_range(lowering, update, now, extended(environment, update.binders, values), last))

    return lowering.scope.every([v.kind for v in update.binders], stays)


def _in_range(lowering: Lowering, update: Update, now: Moment, environment: Environment, last: Moment | None) -> Truth:
    facts: list[Truth] = []
    for kind, term, is_key in counters_written(update, lowering.scope.limited):
        if last is not None and not is_key:
            keys = [lowering.value(key, now, environment) for key in update.target.keys]
            value = as_option(last.read(update.target.state, keys))
        else:
            value = as_option(lowering.value(term, now, environment))
        if value.none is not True:
            facts.append(disj((value.none, lowering.scope.stays(value.value, kind))))
    sized = counted(update, lowering.scope.limited)
    if sized is not TRUE and last is None:
        # What a later stage replaces is left out: a guard that allows more proves less, and never too much.
        facts.append(lowering.value(sized, now, environment))
    return conj(facts)
