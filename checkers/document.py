"""JSON documents of results: which fields of a class a document has, their order and their names."""

from __future__ import annotations

import dataclasses
import enum
from collections import Counter
from collections.abc import Callable, Mapping, Set
from functools import cache
from operator import attrgetter
from typing import Any, ClassVar, NamedTuple

from fencepost.notebook import grid, headed


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
    TABLES: ClassVar[Mapping[str, str]] = {}
    """Lists of the document that a notebook shows as tables, by their names, each with its columns as words; a class
    that has some has a `repr` of one line."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if cls.TABLES and "__repr__" not in cls.__dict__:
            cls.__repr__ = _in_a_line  # type: ignore[method-assign]

    def _repr_html_(self) -> str:
        return in_notebook(type(self).__name__, self.as_json(), self.TABLES)

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


def _in_a_line(of: Any) -> str:
    """Return the numbers and words of a result, without what it is made of."""
    fields = fields_of(type(of))  # type: ignore[arg-type]
    values = ((one.name, as_json(one.read(of))) for one in fields if one.name not in of.TABLES)
    said = ", ".join(f"{name}={value}" for name, value in values if value and isinstance(value, (str, int, float)))
    return f"<{type(of).__name__}: {said}>"


def in_notebook(title: str, document: Mapping[str, Any], tables: Mapping[str, str]) -> str:
    """Return a document as HTML: its numbers and words, how much it has of everything else, some lists as tables."""
    short = [(name, _cell(value)) for name, value in document.items() if name not in tables and value not in ("", None)]
    parts = [grid((), short)]
    for name, columns in tables.items():
        head, found = columns.split(), document.get(name)
        if found:
            lines = ([_cell(one.get(column)) for column in head] for one in found)
            parts.append(headed(name, grid(head, lines, len(found))))
    return headed(title, *parts)


def _cell(value: Any) -> str:
    """A value as a cell of a table: how many there are where it is long."""
    if not isinstance(value, (dict, list)):
        return "" if value is None else str(value)
    entries = value.values() if isinstance(value, dict) else value
    words = [f"{name}: {one}" for name, one in value.items()] if isinstance(value, dict) else list(map(str, value))
    is_short = len(", ".join(words)) <= WIDE and not any(isinstance(one, (dict, list)) for one in entries)
    return ", ".join(words) if is_short else f"{len(value):,}"


WIDE = 80
"""The letters of a list or an object in a cell; of a longer one the cell has how many entries there are."""


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
"""Conversions of a value: a mapping in the order of its keys, or of its counts; how many there are; pairs as an
object; null where it is empty."""


__all__ = ["Document", "Field", "as_json", "fields_of", "in_notebook"]
