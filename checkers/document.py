"""JSON documents of results: which fields of a class a document has, their order and their names."""

from __future__ import annotations

import dataclasses
import enum
from collections import Counter
from collections.abc import Callable, Mapping, Set
from functools import cache
from operator import attrgetter
from typing import Any, ClassVar, NamedTuple


class Field(NamedTuple):
    """A field of a document: its name there, the attribute that it is read from, and what is done to the value."""

    name: str
    attribute: str
    how: str
    read: Callable[[Any], Any]
    in_seconds: bool


class Document:
    """A result that is printed as JSON; a subclass names the fields of its document, in order, in `DOCUMENT`.

    A word of it is `name`, or `name=attribute` where the class calls it otherwise (`id=mutant.id` goes on into a
    value); a method is called. Behind it may stand one of `HOW`. A subclass without `DOCUMENT` is a dataclass, all of
    whose fields are in its document. Numbers whose name ends in `seconds` are rounded to milliseconds.
    `checkers/cli/schemas.py` makes the JSON Schema from the same words and the annotations of the attributes.
    """

    __slots__ = ()
    DOCUMENT: ClassVar[str] = ""

    def as_json(self) -> dict[str, Any]:
        """Return the result as JSON values."""
        found = {}
        for name, _, how, read, in_seconds in fields_of(type(self)):  # type: ignore[arg-type]
            value = read(self)
            if how or type(value) not in _AS_THEY_ARE:
                value = value() if callable(value) else value
                value = as_json(HOW[how](value) if how else value)
            found[name] = _rounded(value) if in_seconds else value
        return found


@cache
def fields_of(of: type) -> tuple[Field, ...]:
    """Return the fields of a class's document in order."""
    words = of.DOCUMENT.split() or [one.name for one in dataclasses.fields(of)]  # type: ignore[attr-defined]
    return tuple(_field(word) for word in words)


def as_json(value: Any) -> Any:
    """Return a value as JSON has it: documents and mappings as objects, sequences as lists, enumerations by value."""
    kind = type(value)
    if kind in _AS_THEY_ARE:
        return value
    if kind is dict or kind is Counter:
        return {as_json(key): as_json(one) for key, one in value.items()}
    if isinstance(value, Document):
        return value.as_json()
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, Mapping):
        return {as_json(key): as_json(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [as_json(one) for one in value]
    if isinstance(value, Set):
        return [as_json(one) for one in sorted(value, key=str)]
    return value


_AS_THEY_ARE = frozenset((str, int, float, bool, type(None)))
"""The types of values that JSON has: most values are of one, and these are looked for first."""


def _rounded(value: Any) -> Any:
    """Seconds, or those of a mapping, rounded to milliseconds."""
    if isinstance(value, dict):
        return {key: _rounded(one) for key, one in value.items()}
    return round(value, 3) if isinstance(value, float) else value


def _field(word: str) -> Field:
    said, _, how = word.partition(":")
    name, _, attribute = said.partition("=")
    return Field(name, attribute or name, how, attrgetter(attribute or name), name.endswith("seconds"))


def _sorted(values: Any) -> Any:
    if not isinstance(values, Mapping):
        return values
    return {key: _sorted(one) for key, one in sorted(values.items())}


HOW: dict[str, Callable[[Any], Any]] = {
    "sorted": _sorted,
    "most_common": lambda counts: dict(counts.most_common()),
    "count": len,
    "object": dict,
    "or_null": lambda value: value or None,
}
"""What may be done to a value: a mapping in the order of its keys, or of its counts; how many there are; pairs as an
object; null where it is empty."""


__all__ = ["Document", "Field", "as_json", "fields_of"]
