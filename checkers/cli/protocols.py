"""Protocols as the command line names them: what its help says of them, their bounds, what they claim."""

from __future__ import annotations

from collections.abc import Collection

from fencepost.checkers.named import family, is_own
from fencepost.checkers.verdicts import Refusal
from fencepost.checkers.written_once import ONCE, WRITTEN_ONCE
from fencepost.model.language import Protocol
from fencepost.model.registry import FAMILIES, Family

HELP = (
    f"{', '.join(FAMILIES)}; kraft@4.2 for a release, kraft@3.9+migration for one that migrates from "
    "ZooKeeper, kraft+NAME for a variant of any of them; "
    "path/to/file.py:NAME or package.module:NAME for yours, +VARIANT after it for a variant in the same file"
)
"""How the commands' help describes a protocol's name."""
BOUND_HELP = "The name of a bound, such as tiny; if left out, the protocol's bounds are listed."
"""How the commands' help describes a bound."""


def explored(found: Family, bound: str | None) -> Protocol:
    """Return the slice of a protocol that has a bound; raises `Refusal` for an unknown bound, or none."""
    if bound is None:
        known = list(found.bounds)
        said = f", as in --bound {known[0]}; there are {', '.join(known)}" if known else "; the protocol has none"
        raise Refusal(f"{found.name}: say at which bound{said}")
    one = found.at(bound)
    if one is None:
        raise Refusal(f"{found.name}: has no bound {bound!r}; use one of {', '.join(found.bounds) or 'none'}")
    return one


def claims(protocol: Protocol, ids: Collection[str]) -> list[str]:
    """Return what some properties claim, a line each, in the protocol's order."""
    found = [f"    {one.id} claims: {one.about}" for one in protocol.properties if one.id in ids and one.about]
    return [f"    {WRITTEN_ONCE} claims: {ONCE}", *found] if WRITTEN_ONCE in ids else found


__all__ = ["BOUND_HELP", "HELP", "claims", "explored", "family", "is_own"]
