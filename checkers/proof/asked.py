"""The answer to an obligation, and the cases of a goal that are asked one by one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import z3

from .logic import Truth, neg
from .models import Found
from .questions import Kept
from .session import Formula, Goal

Answer = Literal["proved", "refuted", "unknown", "abstraction"]


@dataclass(frozen=True)
class Asked:
    """The answer to one obligation, in values that may cross a process border.

    `told` are the hypotheses that the solver knew of where it proved it, `by_core` says that a recorded core did, and
    `ways` which attempt of `FIRST` proved each goal, where one of these did.
    `questions` are those that were found unsatisfiable for it, where they are kept.
    """

    row: str
    property: str
    seed: int
    answer: Answer
    seconds: float
    retries: int = 0
    message: str = ""
    found: Found | None = None
    told: frozenset[str] = frozenset()
    by_core: bool = False
    ways: tuple[int, ...] = ()
    questions: tuple[Kept, ...] = ()


def cases_of(goal: Goal) -> list[Goal]:
    """Return a goal as one goal for each part of its widest disjunction, of three parts or more."""
    parts = [_disjuncts(fact) for fact in goal.formula.facts]
    widest = max(range(len(parts)), key=lambda i: len(parts[i]), default=0)
    if not parts or len(parts[widest]) < 3:
        return [goal]
    facts = goal.formula.facts
    return [
        Goal(Formula((*facts[:widest], one, *facts[widest + 1 :]), goal.formula.needs), goal.stage, goal.part)
        for one in parts[widest]
    ]


def _disjuncts(fact: Truth) -> list[Truth]:
    if isinstance(fact, bool):
        return [fact]
    if z3.is_or(fact):
        return list(fact.children())
    if z3.is_not(fact) and z3.is_and(fact.arg(0)):
        return [neg(one) for one in fact.arg(0).children()]
    return [fact]
