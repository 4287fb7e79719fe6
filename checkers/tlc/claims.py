"""Claims of steps in TLA+: what `[][A]_vars` asks of steps that change something, and an invariant of the others."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from fencepost.model.language import Step, Term
from fencepost.model.language.terms import Named, Next
from fencepost.model.language.walk import rebuild

from .actions import Action
from .expressions import Expressions, Scope


def step_text(one: Step, actions: Iterable[Action], expressions: Expressions) -> str:
    """Return what a property claims of a step, of certain rows for all their parameters."""
    if not one.rows:
        return expressions.text(one.term, Scope())
    parts = []
    for mine in by_binders([a for a in actions if a.row.id in one.rows]).values():
        rows = " \\/ ".join(action.head for action in mine)
        text = f"({rows}) => ({expressions.text(one.term, mine[0].scope)})"
        parts.append(mine[0].over("\\A", text))
    return " /\\ ".join(f"({part})" for part in parts) if parts else "TRUE"


def still_text(one: Step, actions: Iterable[Action], refusals: Iterable[Action], expressions: Expressions) -> str:
    """Return that no step which changes nothing breaks a claim: no firing of a row with effects, no named refusal.

    TLC reads from left to right: where the claim holds it does not ask whether a row is enabled, which takes longer.
    """
    term = where_nothing_changes(one.term)
    if not one.rows:
        return f"({expressions.text(term, Scope())}) \\/ ~(ENABLED (UNCHANGED vars /\\ Rows))"
    parts = []
    for mine in by_binders([a for a in actions if a.row.id in one.rows]).values():
        rows = " \\/ ".join(action.head for action in mine)
        text = f"(ENABLED (UNCHANGED vars /\\ ({rows}))) => ({expressions.text(term, mine[0].scope)})"
        parts.append(mine[0].over("\\A", text))
    for action in (a for a in refusals if a.row.id in one.rows):
        parts.append(action.over("\\A", f"({action.enabled}) => ({expressions.text(term, action.scope)})"))
    return " /\\ ".join(f"({part})" for part in parts) if parts else "TRUE"


@cache
def where_nothing_changes(term: Term[Any]) -> Term[Any]:
    """Return a condition on steps as it reads of a step from a state to itself."""
    if isinstance(term, Next):
        return where_nothing_changes(term.term)
    if isinstance(term, Named):
        inner = where_nothing_changes(term.term)
        return term if inner is term.term else inner
    return rebuild(term, where_nothing_changes)


def by_binders(actions: list[Action]) -> dict[tuple[str, ...], list[Action]]:
    """Return the actions by what they are quantified over, names and kinds alike."""
    found: dict[tuple[str, ...], list[Action]] = {}
    for action in actions:
        found.setdefault(action.binders, []).append(action)
    return found
