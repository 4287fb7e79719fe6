"""KRaft without the defects that break guarantees of the matrix: the findings' repairs at once, with what they broke claimed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from fencepost.model.findings import FINDINGS, Finding
from fencepost.model.kraft import KRAFT
from fencepost.model.kraft.outdated import BROKEN, NOT_AFTER_D34, UNTOUCHED
from fencepost.model.kraft.properties import STRICT
from fencepost.model.language import Always, Property, Protocol, Step

from .kraft_claims import STRICT_CLAIMS

VARIANT = "repaired"
DEFECTS = ("D26", "D34", "D15b", "D21", "D10")
"""The findings that are repaired, in an order in which the repairs apply; that of D15b repairs D15 too."""


def repaired() -> Protocol:
    """Return the protocol with the defects repaired: the findings' own claims, those of the matrix, and what else held."""
    findings = {one.id: one for one in FINDINGS}
    mine = [findings[id] for id in DEFECTS]
    rows = KRAFT
    for one in mine:
        rows = one.repair(rows)
    own = (one.claim for one in mine)
    claims = {one.id: one for one in (*_held(rows.properties), *_kept(rows, mine), *own, *_of_all(), *STRICT_CLAIMS)}
    return replace(rows.claiming(*claims.values()), name=f"{KRAFT.name}+{VARIANT}", base=KRAFT)


def _of_all() -> Iterator[Property]:
    """Yield what D26 and D34 leave of some partitions only, as claims of all: both are repaired."""
    weaker = {*BROKEN, *UNTOUCHED, *NOT_AFTER_D34}
    claims = [one for one in STRICT if one.id in weaker]
    held = {one.id: one for one in _held(claims)}
    yield from (held.get(one.id, one) for one in claims)


def _held(claims: Iterable[Property]) -> Iterator[Property]:
    """Yield what is declared violated by one of the defects, as claims that hold."""
    for one in claims:
        if isinstance(one, (Always, Step)) and one.finding in (*DEFECTS, "D15"):
            yield replace(one, expected="holds", finding="", by=())


def _kept(rows: Protocol, findings: list[Finding]) -> Iterator[Property]:
    """Yield the stronger claims of the findings' repairs that are declared violated by no row which is gone."""
    ids = {row.id for row in rows.rows}
    held = {one.id for one in _held(rows.properties)}
    for one in (claim for finding in findings for claim in finding.keeps):
        by = one.by if isinstance(one, (Always, Step)) else ()
        if ids.issuperset(by) and one.id not in held:
            yield one
