"""Properties weakened for D26 and D34: partitions with a record that was computed from an outdated state are exempt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from fencepost.model.language import Always, Property, Step, Term, next_
from fencepost.model.language.terms import Implies, Quant

from .state import outdated, overtaken, p, undisturbed

BROKEN = ("P1", "P3")
"""The properties that AD3 and HD2 break, each by a trace; a `w` behind the id leaves out what AD3 has touched, a `v` what either has."""
UNTOUCHED = ("P2", "P4", "P5", "P6", "P7", "P7r", "P10", "P11", "P26", "P28")
"""The properties that are claimed of untouched partitions only: of others they are not inductive, and no trace is known."""
NOT_AFTER_D34 = ("P12",)
"""The properties of which the solver does not tell whether they hold of a partition that HD2 has touched; no trace is known."""
UNFENCING = ("HD2", "HD2n")
"""The rows that unfence a broker and report that the directory of a replica has failed (D34)."""
_LEFT_OUT = {"D26": outdated[p], "D34": overtaken[p]}
"""The partitions that a finding has touched."""


def spared(claims: Iterable[Property]) -> Iterator[Property]:
    """Yield properties as the faithful tables keep them, those that a finding breaks declared so and followed by what is left."""
    for claim in claims:
        if claim.id in BROKEN and isinstance(claim, Always):
            yield replace(untouched(claim, "D34"), expected="violated", finding="D26", by=("AD3",))
            yield replace(untouched(claim, "D26"), id=f"{claim.id}w", expected="violated", finding="D34", by=UNFENCING)
            yield replace(untouched(claim), id=f"{claim.id}v")
        elif claim.id in UNTOUCHED and isinstance(claim, (Always, Step)):
            yield untouched(claim)
        elif claim.id in NOT_AFTER_D34 and isinstance(claim, Always):
            yield untouched(claim, "D34")
        else:
            yield claim


def left_by(finding: str, claims: Iterable[Property]) -> tuple[Property, ...]:
    """Return the claims of untouched partitions as they are claimed where one finding alone is not repaired."""
    ids = (*UNTOUCHED, *NOT_AFTER_D34) if finding == "D34" else UNTOUCHED
    return tuple(untouched(one, finding) for one in claims if one.id in ids and isinstance(one, (Always, Step)))


def untouched(claim: Always | Step, finding: str = "") -> Always | Step:
    """Return a claim about all partitions as one about those that a finding has not touched, neither of the two if none is named."""
    left = ~_LEFT_OUT[finding] if finding else undisturbed(p)
    where = f"where {finding} has not been" if finding else "where neither D26 nor D34 has been"
    return confined(claim, next_(left) if isinstance(claim, Step) else left, where)


def confined(claim: Always | Step, condition: Term[bool], where: str) -> Always | Step:
    """Return a claim about all partitions as one about those of which a condition on `p` holds, as `where` says."""
    return replace(claim, term=_where(claim.term, condition), about=f"{claim.about.rstrip('.')}; {where}.")


def _where(term: Term[Any], condition: Term[bool]) -> Term[bool]:
    if isinstance(term, Quant) and term.quantifier == "every":
        return Quant("every", term.var, _where(term.body, condition))
    if isinstance(term, Implies):
        return (condition & term.left).implies(term.right)
    return condition.implies(term)
