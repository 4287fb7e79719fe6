"""What printed code calls where a value is not always known, and the values for what is not there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from fencepost.model.language import operators

from .unknown import UNKNOWN


class Unsaid:
    """The value of a field that a record leaves out."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "-"

    def __reduce__(self) -> str:
        return "UNSAID"


class Unseen:
    """An entity that the log has not named: it is equal to none of the others, and is not ordered."""

    __slots__ = ()

    def __reduce__(self) -> str:
        return "UNSEEN"

    def __lt__(self, other: object) -> bool:
        return False

    __gt__ = __le__ = __ge__ = __lt__


UNSAID: Final = Unsaid()
UNSEEN: Final = Unseen()


def may_equal(one: Any, other: Any) -> bool:
    """Return whether two values may be equal."""
    return one is UNKNOWN or other is UNKNOWN or one == other


def surely_equal(one: Any, other: Any) -> bool:
    """Return whether two values are known and equal."""
    return one is not UNKNOWN and other is not UNKNOWN and one == other


def agreed(one: Any, other: Any) -> Any:
    """Return the value on which both branches of a choice agree."""
    return one if one is not UNKNOWN and other is not UNKNOWN and one == other else UNKNOWN


def first_of(listed: Any, may: Callable[[Any], Any], sure: Callable[[Any], Any]) -> Any:
    """Return the first entry of a list that a collection has, where each entry's membership may be unknown."""
    if listed is UNKNOWN:
        return UNKNOWN
    for item in listed:
        if sure(item):
            return item
        if may(item):
            return UNKNOWN
    return None


def kept_of(
    listed: Any,
    may: Callable[[Any], Any],
    sure: Callable[[Any], Any],
    collection: Callable[[Iterable[Any]], Any] = tuple,
) -> Any:
    """Return the entries of a list that a collection has, where each entry's membership may be unknown."""
    if listed is UNKNOWN:
        return UNKNOWN
    kept = []
    for item in listed:
        if sure(item):
            kept.append(item)
        elif may(item):
            return UNKNOWN
    return collection(kept)


def decided(items: Iterable[tuple[Any, Any, Any]]) -> Any:
    """Return the set of items whose condition is sure, unknown where one's is not decided."""
    kept = []
    for item, may, sure in items:
        if bool(may) is not bool(sure):
            return UNKNOWN
        if sure:
            kept.append(item)
    return frozenset(kept)


def all_known(items: Iterable[Any]) -> Any:
    """Return values as a list, unknown where one of them is."""
    found = tuple(items)
    return UNKNOWN if any(one is UNKNOWN for one in found) else found


def value_beside(values: Any, along: Any, entry: Any) -> Any:
    """Return the value at the place that an entry has in a list; unknown where the list of values has no such place."""
    if values is UNKNOWN or along is UNKNOWN or entry is UNKNOWN or values is UNSAID or along is UNSAID:
        return UNKNOWN
    place = along.index(entry) if entry in along else len(values)
    return values[place] if place < len(values) else UNKNOWN


def everywhere(written: Iterable[Any], initial: Any) -> Any:
    """Return the value that every cell of a table has, unknown where those that were written differ from the others."""
    return UNKNOWN if any(one is UNKNOWN or one != initial for one in written) else initial


def distinct(*values: Any) -> list[Any]:
    """Return the values that are known, each once."""
    return [one for one in dict.fromkeys(values) if one is not UNKNOWN]


def only(*values: Any) -> Any:
    """Return the one value of those that are known, unknown where they differ or none is."""
    found = distinct(*values)
    return found[0] if len(found) == 1 else UNKNOWN


def there(*values: Any) -> list[Any]:
    """Return the values that are known and not none, each once."""
    found: list[Any] = []
    for one in values:
        if one is not UNKNOWN and one is not None and one not in found:
            found.append(one)
    return found


def only_there(*values: Any) -> Any:
    """Return the one value of those that are known and not none, unknown where they differ or none is."""
    found = UNKNOWN
    for one in values:
        if one is UNKNOWN or one is None or one == found:
            continue
        if found is not UNKNOWN:
            return UNKNOWN
        found = one
    return found


def united(*collections: Iterable[Any]) -> list[Any]:
    """Return the members of several collections, each once."""
    return list(dict.fromkeys(one for some in collections for one in some))


def learned(so_far: Mapping[Any, Any] | None, var: Any, value: Any) -> Mapping[Any, Any] | None:
    """Return what is known of parameters once a field shows one; None where an earlier one showed another value."""
    if not so_far:
        return {var: value}
    return None if so_far.get(var, value) != value else {**so_far, var: value}


def first_entry(listed: Sequence[Any]) -> Any:
    """Return the first entry of a list, None where it is empty."""
    return listed[0] if listed else None


CALLS: Final[dict[str, Any]] = {
    **operators.CALLS,
    "U": UNKNOWN,
    "N": UNSAID,
    "UNSEEN": UNSEEN,
    **{
        one.__name__: one
        for one in (
            may_equal,
            surely_equal,
            agreed,
            first_of,
            kept_of,
            decided,
            all_known,
            value_beside,
            everywhere,
            distinct,
            only,
            there,
            only_there,
            united,
            learned,
            first_entry,
        )
    },
}
"""What printed source calls, by name."""
