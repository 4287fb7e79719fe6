"""Why no row of an event applies: the row that comes nearest, and its conditions that do not hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fencepost.model.language import Row, Term, Var
from fencepost.model.language.interpreter import EvaluationError
from fencepost.model.language.render import text
from fencepost.model.language.terms import Named, Nary

from .whole import WholeRows


def nearest(rows: WholeRows, event: str, parameters: Mapping[str, Any]) -> tuple[str, str]:
    """Return the row of an event with the fewest conditions that do not hold, and the first of them as text."""
    found: list[tuple[int, str, str]] = []
    binding = {var: parameters[var.name] for var in rows.events[event].params}
    given = rows.events[event].given
    for row in rows.protocol.rows:
        if row.event.name == event:
            wrong = [one for one in (*_conditions(row), *_parts(given)) if not holds(rows, one, binding)]
            found.append((len(wrong), row.id, " and ".join(_said(rows, one, binding) for one in wrong[:2])))
    _, row_id, why = min(found)
    return row_id, why


def holds(rows: WholeRows, term: Term[bool], binding: Mapping[Var[Any], Any]) -> bool:
    """Whether a condition holds; one that cannot be evaluated does not."""
    try:
        return bool(rows.value(term, binding))
    except (EvaluationError, KeyError, TypeError):
        return False


def _said(rows: WholeRows, term: Term[bool], binding: Mapping[Var[Any], Any]) -> str:
    inside = [one for one in _parts(term.term) if not holds(rows, one, binding)] if isinstance(term, Named) else []
    return f"{text(term)} ({text(inside[0])})" if len(inside) == 1 else text(term)


def _conditions(row: Row) -> Iterator[Term[bool]]:
    yield from _parts(row.when)


def _parts(term: Term[Any]) -> Iterator[Term[bool]]:
    if isinstance(term, Nary) and term.operator == "and":
        for one in term.terms:
            yield from _parts(one)
    else:
        yield term
