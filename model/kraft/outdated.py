"""What D26 takes away: of partitions that AD3 has left with a record computed from an outdated state, less is claimed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from fencepost.model.language import Always, Property, Step, Term, next_
from fencepost.model.language.terms import Implies, Quant

from .state import outdated, p

BROKEN = ("P1", "P3")
"""The properties that AD3 breaks, each by a trace; with a `w` behind the id they are claimed of untouched partitions."""
UNTOUCHED = ("P2", "P4", "P5", "P6", "P7", "P7r", "P10", "P11", "P26", "P28")
"""The properties that are claimed of untouched partitions only: of others they are not inductive, and no trace is known."""


def spared_by_d26(claims: Iterable[Property]) -> Iterator[Property]:
    """Yield properties as the faithful tables keep them, those that AD3 breaks declared so and followed by what is left."""
    for claim in claims:
        if claim.id in BROKEN and isinstance(claim, Always):
            yield replace(claim, expected="violated", finding="D26", by=("AD3",))
            yield replace(untouched(claim), id=f"{claim.id}w")
        elif claim.id in UNTOUCHED and isinstance(claim, (Always, Step)):
            yield untouched(claim)
        else:
            yield claim


def untouched(claim: Always | Step) -> Always | Step:
    """Return a claim about all partitions as one about those of which no record was computed from an outdated state."""
    spared = ~next_(outdated[p]) if isinstance(claim, Step) else ~outdated[p]
    about = f"{claim.about.rstrip('.')}; where D26 has not been."
    return replace(claim, term=_where(claim.term, spared), about=about)


def _where(term: Term[Any], condition: Term[bool]) -> Term[bool]:
    if isinstance(term, Quant) and term.quantifier == "every":
        return Quant("every", term.var, _where(term.body, condition))
    if isinstance(term, Implies):
        return (condition & term.left).implies(term.right)
    return condition.implies(term)
