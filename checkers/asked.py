"""The rows for which a property is checked: the scope of a verdict, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from fencepost.model.language import Always, LeadsTo, Property, Protocol, Sometimes, Step
from fencepost.model.language.footprint import touched, variables

from .document import Document

SINGLY = 3
"""Up to so many properties get a line each; of more, those that leave rows out get one, and the others are counted."""
SHOWN = 6
"""How many row ids a line lists before it counts the rest."""


@dataclass(frozen=True)
class AskedOf(Document):
    """The rows for which a property is checked, of a protocol with `rows` rows.

    `writing` are the rows that write a variable which the property reads: those of every other row keep it because they
    write nothing of it. A property about all steps is checked for these (`asked`), but for those `left_out`, which its
    claim leaves out, each with a reason in `reasons`. Where it is about rows by `name`, it is checked for these alone,
    and `left_out` are the others of `writing`, with the claim's reason for its rows if it has one.
    """

    DOCUMENT = "property by_name asked rows writing left_out reasons"

    property: str
    by_name: bool
    asked: tuple[str, ...]
    rows: int
    writing: tuple[str, ...]
    left_out: tuple[str, ...]
    reasons: Mapping[str, str]

    def words(self) -> str:
        """Return the scope as text, to follow the property's id."""
        if self.by_name:
            why = f": {'; '.join(dict.fromkeys(self.reasons.values()))}" if self.reasons else ""
            left = f", {len(self.left_out)} of them not checked{why}" if self.left_out else ""
            return (
                f"is checked for {len(self.asked)} of {self.rows} rows, by name: {few(self.asked)} "
                f"(all that write what it reads: {len(self.writing)}{left})"
            )
        if not self.reasons:
            return f"is checked for all {len(self.asked)} of {self.rows} rows that write what it reads"
        return (
            f"is checked for {len(self.asked)} of {self.rows} rows (all that write what it reads: {len(self.writing)}; "
            f"left out by name: {', '.join(self.reasons)}: {'; '.join(dict.fromkeys(self.reasons.values()))})"
        )


def few(ids: Sequence[str], most: int = SHOWN) -> str:
    """Return the first ids of many, and how many more there are."""
    return ", ".join(ids[:most]) + (f" and {len(ids) - most} more" if len(ids) > most else "")


def asked_of(protocol: Protocol, claim: Always | Step) -> AskedOf:
    """Return the rows of a protocol for which a property is checked."""
    reads = variables(claim.term)
    writing = tuple(row.id for row in protocol.rows if row.changes and not touched(row).isdisjoint(reads))
    by_name = isinstance(claim, Step) and claim.by_name
    reasons = {id: why for id, why in claim.left_out if id in writing} if isinstance(claim, Step) else {}
    asked = claim.rows if isinstance(claim, Step) and by_name else tuple(id for id in writing if id not in reasons)
    left_out = tuple(id for id in writing if id not in asked)
    if isinstance(claim, Step) and by_name and claim.named_for:
        reasons = dict.fromkeys(left_out, claim.named_for)
    return AskedOf(claim.id, by_name, asked, len(protocol.rows), writing, left_out, reasons)


def scopes_of(protocol: Protocol, properties: Iterable[Property]) -> tuple[AskedOf, ...]:
    """Return the rows for which each property is checked, for those that rows keep or break."""
    return tuple(asked_of(protocol, one) for one in properties if not isinstance(one, (Sometimes, LeadsTo)))


def scope_lines(scopes: Sequence[AskedOf]) -> list[str]:
    """Return the scopes of some properties as text: a line each of a few, of more a count and the exceptions."""
    if len(scopes) <= SINGLY:
        return [f"{one.property} {one.words()}" for one in scopes]
    named = [one.property for one in scopes if one.by_name]
    found = [
        f"{len(scopes) - len(named)} of {len(scopes)} properties are checked for every row that writes what they read, "
        f"{len(named)} of the rows that they name"
        + (f" ({few(named)}; their rows: fencepost show PROTOCOL --row ID)" if named else "")
    ]
    return found + [f"{one.property} {one.words()}" for one in scopes if one.reasons and not one.by_name]


__all__ = ["AskedOf", "asked_of", "few", "scope_lines", "scopes_of"]
