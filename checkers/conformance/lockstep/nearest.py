"""Why no row of an event applies: the row that comes nearest, and its conditions that do not hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fencepost.model.language import Term, Var
from fencepost.model.language.interpreter import EvaluationError
from fencepost.model.language.render import text
from fencepost.model.language.terms import Named
from fencepost.model.language.walk import conjuncts

from .whole import WholeRows


def nearest(rows: WholeRows, event: str, parameters: Mapping[str, Any]) -> tuple[str, str]:
    """Return the row of an event with the fewest conditions that do not hold, and the first of them as text.

    Of rows with equally many it is the one with the most conditions that hold.
    """
    found: list[tuple[int, int, str, str]] = []
    binding = {var: parameters[var.name] for var in rows.events[event].params}
    given = rows.events[event].given
    for row in rows.protocol.rows:
        if row.event.name == event:
            asked = [*conjuncts(row.when), *conjuncts(given)]
            wrong = [one for one in asked if not holds(rows, one, binding)]
            why = " and ".join(_said(rows, one, binding) for one in wrong[:2])
            found.append((len(wrong), len(wrong) - len(asked), row.id, why))
    _, _, row_id, why = min(found)
    return row_id, why


def holds(rows: WholeRows, term: Term[bool], binding: Mapping[Var[Any], Any]) -> bool:
    """Whether a condition holds; one that cannot be evaluated does not."""
    try:
        return bool(rows.value(term, binding))
    except (EvaluationError, KeyError, TypeError):
        return False


def _said(rows: WholeRows, term: Term[bool], binding: Mapping[Var[Any], Any]) -> str:
    inside = [one for one in conjuncts(term.term) if not holds(rows, one, binding)] if isinstance(term, Named) else []
    return f"{text(term)} ({text(inside[0])})" if len(inside) == 1 else text(term)
