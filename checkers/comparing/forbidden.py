"""Forbidden effects of a change, and whether it has them: behaviour added or removed, a property weakened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fencepost.checkers.document import Document

from .differences import Differences

FORBIDDEN = ("behaviour-added", "behaviour-removed", "property-weakened")
"""The values of `--forbid`."""


@dataclass(frozen=True)
class Forbidden(Document):
    """Something that was forbidden: what, how, by which row or property if by one, and whether it is certain.

    What is not certain cannot be excluded.
    """

    DOCUMENT = "what how id:or_null certain"

    what: str
    how: str
    id: str
    certain: bool


def forbidden(found: Differences, wanted: Sequence[str]) -> tuple[Forbidden, ...]:
    """Return what differences do of what is forbidden.

    Behaviour is that of rows, in every state that satisfies what both protocols claim, be it reached or not.
    """
    made = [*_behaviour(found), *_properties(found)]
    return tuple(one for one in dict.fromkeys(made) if one.what in wanted)


def _behaviour(found: Differences) -> Iterator[Forbidden]:
    added, removed, _ = FORBIDDEN
    for one in found.rows:
        if one.how == "added":
            yield Forbidden(added, "new rows", one.id, True)
        elif one.how == "removed":
            yield Forbidden(removed, "rows that are gone", one.id, True)
        elif one.event or one.effects or one.answer:
            # That effects are written otherwise does not yet mean that they do otherwise.
            yield Forbidden(added, "another event, effect or answer", one.id, False)
            yield Forbidden(removed, "another event, effect or answer", one.id, False)
        relation = one.guard.relation
        if relation in ("weaker", "incomparable") or one.guard.more:
            yield Forbidden(added, "rows that apply where they did not", one.id, True)
        if relation in ("stronger", "incomparable") or one.guard.less:
            yield Forbidden(removed, "rows that do not apply where they did", one.id, True)
        if relation == "unknown":
            yield Forbidden(added, "guards that are not compared", one.id, False)
            yield Forbidden(removed, "guards that are not compared", one.id, False)
    if found.begins:
        yield Forbidden(added, "a run may begin otherwise", "", False)
        yield Forbidden(removed, "a run may begin otherwise", "", False)


def _properties(found: Differences) -> Iterator[Forbidden]:
    _, _, weakened = FORBIDDEN
    for one in found.properties:
        if one.weakened:
            how = "properties that are gone" if one.how == "removed" else "properties that claim less"
            yield Forbidden(weakened, how, one.id, True)
        elif one.weakened is None:
            yield Forbidden(weakened, "claims that are not compared", one.id, False)
    if found.more_assumed:
        yield Forbidden(weakened, "more is assumed", "", False)


__all__ = ["FORBIDDEN", "Forbidden", "forbidden"]
