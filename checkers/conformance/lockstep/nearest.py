"""Why no row of an event applies: the row that comes nearest, and its conditions that do not hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fencepost.model.language import Term, Var
from fencepost.model.language.errors import EvaluationError
from fencepost.model.language.render import text
from fencepost.model.language.terms import Comprehension, Get, Named, Quant
from fencepost.model.language.walk import children, conjuncts

from .whole import WholeRows

MOST = 4
"""The most values that are given beside a condition."""


def nearest(rows: WholeRows, event: str, parameters: Mapping[str, Any]) -> tuple[str, str]:
    """Return the row of an event with the fewest conditions that do not hold, and the first of them as text.

    Of rows with equally many it is the one with the most conditions that hold.
    """
    binding = {var: parameters[var.name] for var in rows.events[event].params}
    *_, row_id, why = min(
        (count, others, row_id, " and ".join(_said(rows, one, binding) for one in wrong[:2]))
        for count, others, row_id, wrong in _ranked(rows, event, binding)
    )
    return row_id, why


def _ranked(
    rows: WholeRows, event: str, binding: Mapping[Var[Any], Any]
) -> Iterator[tuple[int, int, str, list[Term[bool]]]]:
    """Yield the rows of an event, each with its conditions that do not hold, how many these are, and how many fewer
    than all."""
    given = conjuncts(rows.events[event].given)
    for row in rows.protocol.rows:
        if row.event.name == event:
            asked = [*conjuncts(row.when), *given]
            wrong = [one for one in asked if not holds(rows, one, binding)]
            yield len(wrong), len(wrong) - len(asked), row.id, wrong


def holds(rows: WholeRows, term: Term[bool], binding: Mapping[Var[Any], Any]) -> bool:
    """Whether a condition holds; one that cannot be evaluated does not."""
    try:
        return bool(rows.value(term, binding))
    except (EvaluationError, KeyError, TypeError):
        return False


def _said(rows: WholeRows, term: Term[bool], binding: Mapping[Var[Any], Any]) -> str:
    inside = [one for one in conjuncts(term.term) if not holds(rows, one, binding)] if isinstance(term, Named) else []
    return f"{text(term)} ({text(inside[0])})" if len(inside) == 1 else text(term)


def first_false(rows: WholeRows, event: str, parameters: Mapping[str, Any]) -> str:
    """Return the nearest row of an event with its first condition that does not hold, and the values in it.

    As in `A1: empty(S ∩ taken) is false: S={7}, taken={7}`; empty where the event has no row.
    """
    binding = {var: parameters[var.name] for var in rows.events[event].params if var.name in parameters}
    found = [one for one in _ranked(rows, event, binding) if one[0]]
    if not found:
        return ""
    _, _, row_id, (term, *_) = min(found, key=lambda one: one[:3])
    values = _values(rows, term, binding)
    return f"{row_id}: {text(term)} is false" + (f": {', '.join(values)}" if values else "")


def _values(rows: WholeRows, term: Term[Any], binding: Mapping[Var[Any], Any]) -> list[str]:
    """The values of the parameters, the definitions and the cells that a condition names outside its quantifiers."""
    found: dict[str, str] = {}
    for one in outermost(term):
        try:
            found.setdefault(text(one), _shown(rows.value(one, binding)))
        except (EvaluationError, KeyError, TypeError):
            continue
    return [f"{name}={value}" for name, value in list(found.items())[:MOST]]


def outermost(term: Term[Any]) -> Iterator[Term[Any]]:
    """Yield the parameters, definitions, cells and sets of a term that are in no other one and under no quantifier."""
    if isinstance(term, (Var, Get, Comprehension)) or (isinstance(term, Named) and not term.shown):
        yield term
    elif not isinstance(term, Quant):
        for one in children(term):
            yield from outermost(one)


def _shown(value: Any) -> str:
    if isinstance(value, frozenset):
        return f"{{{', '.join(sorted(map(_shown, value)))}}}"
    if isinstance(value, (tuple, list)):
        return f"[{', '.join(map(_shown, value))}]"
    if isinstance(value, bool):
        return str(value).lower()
    return "none" if value is None else str(getattr(value, "name", value))
