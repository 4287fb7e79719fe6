"""Obligations: which row is asked of which property, and what it may take for granted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from fencepost.checkers.verdicts import Refusal
from fencepost.checkers.written_once import WRITTEN_ONCE, written_once
from fencepost.model.language import Always, Protocol, Row, Step, Term, Var
from fencepost.model.language.footprint import touched, variables
from fencepost.model.language.kinds import IntKind
from fencepost.model.language.terms import Implies, Named, Quant

from .rankings import RankingStep


def condition(term: Term[bool]) -> tuple[tuple[Var[Any], ...], Term[bool]] | None:
    """Return the variables and the condition of a property of the shape "for all ..., if ..

    then ...", None of another.
    """
    found: list[Var[Any]] = []
    while isinstance(term, Named) or (isinstance(term, Quant) and term.quantifier == "every"):
        if isinstance(term, Quant):
            found.append(term.var)
            term = term.body
        else:
            term = term.term
    return (tuple(found), term.left) if isinstance(term, Implies) else None


def excepted(row: Row, claim: Always | Step) -> bool:
    """Return whether a row is declared to break a property: it is asked, and expected to."""
    return claim.expected == "violated" and (not claim.by or row.id in claim.by)


def hypotheses(protocol: Protocol) -> tuple[Always, ...]:
    """Return what induction may rely on: the properties on states that are declared to hold."""
    return tuple(one for one in protocol.properties if isinstance(one, Always) and one.expected == "holds")


def companions(protocol: Protocol, claim: Always | Step, row: Row) -> tuple[Always, ...]:
    """Return what a row may assume besides all that holds, to keep a property that is declared violated.

    It is the property itself, and, unless the row is to blame, every other property for which no other rows are to
    blame: together with all that holds they are inductive in a protocol without these rows.
    """
    if claim.expected == "holds":
        return ()
    itself = (claim,) if isinstance(claim, Always) else ()
    if not claim.by or row.id in claim.by:
        return itself
    others = (one for one in protocol.properties if isinstance(one, Always) and one.by and one is not claim)
    return (*itself, *(one for one in others if set(one.by) <= set(claim.by)))


def selected(
    protocol: Protocol, properties: Sequence[str] | None, rows: Sequence[str] | None
) -> tuple[tuple[Always | Step, ...], tuple[Row, ...]]:
    """Return the properties and rows of some ids, all for None; raises `Refusal` for an id that is not there.

    The id of a claim of runs without end selects the obligations of its ranking.
    """
    claims = tuple(p for p in protocol.properties if isinstance(p, (Always, Step)))
    known = {id for p in claims for id in (p.id, claim_id(p))}
    unknown = set(properties or ()) - known | set(rows or ()) - {r.id for r in protocol.rows}
    if unknown:
        raise Refusal(f"prove {protocol.name}: no row or property {sorted(unknown)}; see `show {protocol.name}`")
    return (
        tuple(p for p in claims if properties is None or p.id in properties or claim_id(p) in properties),
        tuple(r for r in protocol.rows if rows is None or r.id in rows),
    )


def claim_id(claim: Always | Step) -> str:
    """Return the id of the property that a claim is, or for whose ranking it is an obligation."""
    return claim.claim if isinstance(claim, RankingStep) else claim.id


def claim_of(protocol: Protocol, row: str, id: str) -> Always | Step:
    """Return the property with an id, or the standing one of a row; raises `KeyError` if there is none."""
    if id == WRITTEN_ONCE:
        once = written_once(protocol.row(row))
        if once is None:
            raise KeyError(id)
        return once
    claim: Any = protocol.property(id)
    return claim  # type: ignore[no-any-return]


def scope_of(protocol: Protocol) -> str:
    """Return what a proof of a protocol is about: any number of its entities where it has any."""
    if protocol.sorts:
        return "for any number of entities"
    return "for all values of its counters" if any(isinstance(k, IntKind) for k in protocol.kinds) else "for all states"


def obligations(
    protocol: Protocol, rows: Sequence[Row], claims: Sequence[Always | Step]
) -> Iterator[tuple[Row, Always | Step, bool]]:
    """Yield every pair of a row and a property that it may break, and whether it is one of frame.

    A row is asked of those too that it is declared to break. A row whose stages might write one cell twice is asked
    first whether they do, since the state behind it has no meaning otherwise: every such row where all properties are
    asked of, and where some are, each that one of these depends on.
    """
    everything = {one for one in protocol.properties if isinstance(one, (Always, Step))} <= set(claims)
    for row in rows:
        asked = list(_of_row(row, claims))
        once = written_once(row)
        if once is not None and (everything or any(not frame for _, _, frame in asked)):
            yield row, once, False
        yield from asked


def _of_row(row: Row, claims: Sequence[Always | Step]) -> Iterator[tuple[Row, Always | Step, bool]]:
    if not row.changes:
        # What is claimed of this very row may be that something changes.
        yield from ((row, claim, False) for claim in claims if isinstance(claim, Step) and row.id in claim.rows)
        return
    written = touched(row)
    for claim in claims:
        if isinstance(claim, Step) and claim.rows and row.id not in claim.rows:
            continue
        if isinstance(claim, RankingStep) and claim.of_states:
            continue
        bound = isinstance(claim, Step) and claim.by_name
        yield row, claim, written.isdisjoint(variables(claim.term)) and not bound
