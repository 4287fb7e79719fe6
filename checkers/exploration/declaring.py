"""Verdicts of an exploration against what is declared: of one property, and of all together."""

from __future__ import annotations

from dataclasses import replace

from fencepost.checkers.verdicts import Verdict
from fencepost.model.language import Always, Bound, Property, Step

from .result import PropertyVerdict
from .vacuity import Vacuity


def overall(properties: tuple[PropertyVerdict, ...], otherwise: Verdict) -> Verdict:
    """Return the verdict of a whole exploration: what deviates from its declaration, else what is open, else how the
    search ended."""
    if any(p.verdict is Verdict.VIOLATED and p.expected == "holds" for p in properties):
        return Verdict.VIOLATED
    if any(p.verdict is Verdict.VACUOUS and not p.not_for for p in properties):
        return Verdict.VACUOUS
    if otherwise is Verdict.CLOSED and any(p.verdict is Verdict.INCONCLUSIVE for p in properties):
        return Verdict.INCONCLUSIVE
    return otherwise


def declared(judged: PropertyVerdict, one: Property | None, bound: Bound) -> PropertyVerdict:
    """Return a verdict with the reason why the bound is not for the property, where there is one.

    No bound is for a lemma that nothing meets there: it is there for induction, and claims nothing about Kafka.
    """
    lemma = isinstance(one, Always) and one.lemma and judged.verdict is Verdict.VACUOUS
    return replace(judged, not_for=bound.not_for.get(judged.id, "lemmas that nothing here meets" if lemma else ""))


def not_tested(one: Always | Step, why: Vacuity, ended: Verdict, message: str) -> PropertyVerdict:
    """Return the verdict on a property that nothing broke and nothing put to the test, so far as the search came."""
    if ended is Verdict.CLOSED:
        return PropertyVerdict(one.id, Verdict.VACUOUS, one.expected, None, None, why.message, vacuity=why)
    told = f"not put to the test yet: {why.message}" + (f" ({message})" if message else "")
    return PropertyVerdict(one.id, Verdict.INCONCLUSIVE, one.expected, None, None, told, vacuity=why)
