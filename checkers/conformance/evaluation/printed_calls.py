"""Functions that printed terms call, of values some of which may not be known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from fencepost.checkers.conformance.classes.frames import MISSING, UNKNOWN, Frame
from fencepost.checkers.conformance.classes.tables import anywhere
from fencepost.model.language import operators

from .indexes import candidates

Test: TypeAlias = Callable[[Any], Any]
"""Whether a collection has an item, which may be known although the collection is not."""

Whole: TypeAlias = Callable[[], Any] | None
"""The collection, None where it costs more than a test of each item."""


def agreed(one: Any, other: Any) -> Any:
    """Return the value on which both branches of a choice agree."""
    return one if one is not UNKNOWN and other is not UNKNOWN and one == other else UNKNOWN


def subset(smaller: Any, contains: Test, whole: Whole) -> Any:
    """Return whether a collection has all members of a set."""
    if not smaller or smaller is UNKNOWN:
        return UNKNOWN if smaller is UNKNOWN else True
    others: Any = UNKNOWN if whole is None else whole()
    if others is not UNKNOWN:
        return all(item in others for item in smaller)
    result: Any = True
    for item in smaller:
        found = contains(item)
        if found is False:
            return False
        if found is UNKNOWN:
            result = UNKNOWN
    return result


def first(listed: Any, contains: Test, whole: Whole) -> Any:
    """Return the first entry of a list that a collection has."""
    if not listed or listed is UNKNOWN:
        return UNKNOWN if listed is UNKNOWN else None
    others: Any = UNKNOWN if whole is None else whole()
    if others is not UNKNOWN:
        return next((item for item in listed if item in others), None)
    for item in listed:
        found = contains(item)
        if found is not False:
            return UNKNOWN if found is UNKNOWN else item
    return None


def keep(listed: Any, contains: Test, whole: Whole) -> Any:
    """Return the entries of a list that a collection has."""
    if not listed or listed is UNKNOWN:
        return listed
    others: Any = UNKNOWN if whole is None else whole()
    if others is not UNKNOWN:
        return tuple([item for item in listed if item in others])
    kept = []
    for item in listed:
        found = contains(item)
        if found is UNKNOWN:
            return UNKNOWN
        if found:
            kept.append(item)
    return tuple(kept)


def those(found: Any, contains: Test, wanted: bool, whole: Callable[[], Any]) -> Any:
    """Return the members of a set that another one has, or has not; where it is not known, the whole as it is."""
    if found is UNKNOWN:
        return whole()
    asked = [(item, contains(item)) for item in found]
    if any(is_in is UNKNOWN for _, is_in in asked):
        return UNKNOWN
    return frozenset([item for item, is_in in asked if is_in is wanted])


def undecided(operator: str, one: Any, other: Any) -> Any:
    """Return the intersection, union or difference of two sets of which one is not known."""
    # Nothing is in an empty set, whatever it is cut with.
    decided = (operator == "&" and other is not UNKNOWN and not other) or (
        operator in "&-" and one is not UNKNOWN and not one
    )
    return frozenset() if decided else UNKNOWN


def ascending(frame: Frame, found: Any) -> tuple[Any, ...]:
    """Return the members of a set in the order of their ids, of which the frame takes note."""
    frame.ordered = frame.ordered or len(found) > 1
    return tuple(sorted(found))


def at(beside: Any, listed: Any, item: Any) -> Any:
    """Return the counterpart in another list of an entry of a list."""
    if UNKNOWN in (beside, listed, item):
        return UNKNOWN
    # A record whose lists differ in length says nothing of the entries without a counterpart.
    place = listed.index(item) if item in listed else len(beside)
    return beside[place] if place < len(beside) else UNKNOWN


CALLS: Final[dict[str, Any]] = {
    **operators.CALLS,
    "U": UNKNOWN,
    "MISSING": MISSING,
    "_agreed": agreed,
    "_anywhere": anywhere,
    "_ascending": ascending,
    "_at": at,
    "_candidates": candidates,
    "_first": first,
    "_keep": keep,
    "_subset": subset,
    "_those": those,
    "_undecided": undecided,
}
"""The names that printed source uses, each with its value."""
