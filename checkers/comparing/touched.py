"""Obligations that an edit touches: the others have the base's result, since the query is the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fencepost.checkers.proof.obligations import hypotheses, obligations
from fencepost.checkers.proof.prover import STUTTER
from fencepost.checkers.proof.results import INITIAL
from fencepost.model.language import Always, LeadsTo, Protocol, Row, Sometimes, Step

from .differences import Differences

Pair = tuple[str, str]


@dataclass(frozen=True)
class Touched:
    """The obligations that an edit touches: rows, or a placeholder for one, with the ids of properties.

    `rows` and `properties` are new or mean something else; `stutters` are pairs of which only that is asked whether a
    step property allows that nothing changes, once for all rows; `frame` counts those of `rows` that write nothing
    that a property reads; `untouched` counts the obligations that are not asked. `whole` says why all are asked,
    empty where an edit touches only some. `unasked` are properties that exploration alone asks, and changed.
    """

    rows: tuple[str, ...]
    properties: tuple[str, ...]
    pairs: tuple[Pair, ...]
    stutters: tuple[Pair, ...]
    frame: int
    untouched: int
    whole: str
    unasked: tuple[str, ...]


def touched(base: Protocol, variant: Protocol, found: Differences) -> Touched:
    """Return what of a variant is to be asked. `found` are its differences from the base, claims compared by Z3."""
    ids = {row.id for row in variant.rows}
    rows = tuple(one.id for one in found.rows if one.id in ids and one.how != "renamed")
    claims = {one.id: one for one in variant.properties if isinstance(one, (Always, Step))}
    changed = tuple(one.id for one in found.properties if one.id in claims and one.how != "renamed")
    unasked = tuple(
        one.id
        for one in found.properties
        if one.how in ("added", "changed") and isinstance(_claim(variant, one.id), (LeadsTo, Sometimes))
    )
    whole = _whole(base, variant, found)
    if whole:
        rows, changed = tuple(row.id for row in variant.rows), tuple(claims)
    pairs: dict[Pair, None] = {}
    frame = untouched = 0
    stutters: list[Pair] = []
    stood = {id: _stood_still(base, id) for id, one in claims.items() if isinstance(one, Step)}
    for row, claim, still in obligations(variant, variant.rows, tuple(claims.values())):
        if row.id not in rows and claim.id not in changed:
            untouched += 1
        elif still and (claim.id in changed or not stood.get(claim.id, True)) and isinstance(claim, Step):
            stutters.append((row.id, claim.id))
        elif still:
            frame += 1
        else:
            pairs.setdefault((row.id, claim.id))
    for id, claim in claims.items():
        if isinstance(claim, Always):
            if id in changed or found.begins:
                pairs.setdefault((INITIAL, id))
            else:
                untouched += 1
    return Touched(rows, changed, tuple(pairs), tuple(stutters), frame, untouched, whole, unasked)


def _claim(protocol: Protocol, id: str) -> object:
    return next((one for one in protocol.properties if one.id == id), None)


def _stood_still(base: Protocol, id: str) -> bool:
    """Return whether the base is asked whether a step property allows that nothing changes."""
    claim = _claim(base, id)
    return isinstance(claim, Step) and any(still for _, _, still in obligations(base, base.rows, (claim,)))


def _whole(base: Protocol, variant: Protocol, found: Differences) -> str:
    """Return why every obligation is asked: something that all may rely on is gone, or weaker, empty if nothing is."""
    if any(line.startswith("- ") for line in found.assumptions):
        return "an assumption is gone or another one"
    if any("becomes" in line and line.startswith("variable ") for line in found.others):
        return "a variable holds something else"
    relied = {one.id for one in hypotheses(base)}
    still = {one.id for one in hypotheses(variant)}
    blamed: Mapping[str, bool] = {
        one.id: bool(one.by) for one in base.properties if isinstance(one, (Always, Step)) and one.expected != "holds"
    }
    for one in found.properties:
        id = one.was or one.id
        if one.how == "renamed":
            continue
        if id in relied and (one.id not in still or one.claim.relation not in ("same", "equivalent", "stronger")):
            return f"{id}, which every proof may rely on, is gone or may claim less"
        if id in blamed and not (one.id in still and one.claim.relation in ("same", "equivalent", "stronger")):
            return f"{id} is declared violated, and others may rely on it where it holds"
    return ""


def concerned(base: Protocol, variant: Protocol, rows: tuple[str, ...]) -> Iterator[str]:
    """Yield the events that an edit of rows concerns: those of rows that changed, and of rows that are gone."""
    left = {row.id for row in variant.rows}
    yield from dict.fromkeys(variant.row(id).event.name for id in rows)
    yield from dict.fromkeys(row.event.name for row in base.rows if row.id not in left)


def row_of(protocol: Protocol, id: str) -> Row | None:
    """Return the row of an obligation, None for a placeholder."""
    return None if id in (INITIAL, STUTTER) else protocol.row(id)


__all__ = ["Pair", "Touched", "concerned", "row_of", "touched"]
