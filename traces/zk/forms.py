"""Forms: a log message's text as a template with named values, read into a class and written from it, byte for byte.

A template is the message with `{field:type}` in place of a value. A part between `<(` and `)>` is there only
where its one field is not None. The types are `Value`s; a form may be a value of another form. A text that is not
written exactly as Kafka would write it (leading zeros, a blank too many) is not read: what is read is always written
back the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import lru_cache
from operator import call
from typing import Any, Generic, NamedTuple, TypeVar

T = TypeVar("T")

_REMEMBERED = 1 << 15
_HOLE = re.compile(r"\{(\w+):(\w+)\}")


class Unfit(ValueError):
    """A text that is not written as its type is."""


class Value(NamedTuple):
    """A type of values: a pattern without groups that its texts fit, the reader, the writer.

    The reader raises `Unfit` or another ValueError for a text that only seems to fit.
    """

    pattern: str
    read: Callable[[str], Any]
    text: Callable[[Any], str]


def remembered(pattern: str, read: Callable[[str], Any], text: Callable[[Any], str]) -> Value:
    """Return a type whose texts recur: each is read once, and refused where it would not be written back the same."""

    @lru_cache(maxsize=_REMEMBERED)
    def exactly(found: str) -> Any:
        value = read(found)
        if text(value) != found:
            raise Unfit(found)
        return value

    return Value(pattern, exactly, text)


class _Piece(NamedTuple):
    """A literal and the field after it (none where the name is empty), and what follows if it may be missing."""

    before: str
    field: str
    text: Callable[[Any], str]
    after: str
    optional: bool


class Form(Generic[T]):
    """A template and the class that its texts are read into; `types` are the types it names."""

    __slots__ = ("_build", "_pattern", "_pieces", "_readers", "head", "names", "template")

    def __init__(self, build: Callable[..., T], template: str, types: Mapping[str, Value]) -> None:
        self.template = template
        self._pieces: list[_Piece] = []
        names, readers, pattern = [], [], ""
        # Every second part is between the marks of an optional part.
        for number, part in enumerate(re.split(r"<\((.*?)\)>", template)):
            literals, fields, kinds = _HOLE.split(part)[::3], _HOLE.split(part)[1::3], _HOLE.split(part)[2::3]
            optional = number % 2 == 1
            if optional and len(fields) != 1:
                raise ValueError(f"what may be missing has one field, which {part!r} has not")
            inside = ""
            for literal, field, kind in zip(literals[:-1], fields, kinds, strict=True):
                value = types[kind]
                names.append(field)
                readers.append(_or_none(value.read) if optional else value.read)
                inside += f"{re.escape(literal)}({value.pattern})"
                self._pieces.append(_Piece(literal, field, value.text, literals[-1] if optional else "", optional))
            inside += re.escape(literals[-1])
            pattern += f"(?:{inside})?" if optional else inside
            if not optional:
                self._pieces.append(_Piece(literals[-1], "", str, "", False))
        self._pattern = re.compile(pattern, re.ASCII | re.DOTALL)
        self._readers = tuple(readers)
        self.names = tuple(names)
        self._build = build if _are_first(names, build) else _by_names(build, self.names)
        self.head = re.split(r"\{|<\(", template, maxsplit=1)[0]
        """The beginning of every text of this form."""

    def read(self, text: str) -> T | None:
        """Return what a text says, or None for a text of another form."""
        match = self._pattern.fullmatch(text)
        if match is None:
            return None
        try:
            return self._build(*map(call, self._readers, match.groups()))
        except ValueError:
            return None

    def text(self, value: T) -> str:
        """Return the text that says a value."""
        made = ""
        for piece in self._pieces:
            if not piece.field:
                made += piece.before
                continue
            field = getattr(value, piece.field)
            if field is not None or not piece.optional:
                made += piece.before + piece.text(field) + piece.after
        return made

    def value(self, pattern: str) -> Value:
        """Return this form as a type that other forms name; `pattern` is what its texts look like from outside."""

        def read(text: str) -> T:
            found = self.read(text)
            if found is None:
                raise Unfit(text)
            return found

        return remembered(pattern, read, self.text)


def _are_first(names: Sequence[str], build: Callable[..., object]) -> bool:
    """Whether names are those of a class's first fields, in order."""
    return not is_dataclass(build) or [one.name for one in fields(build)][: len(names)] == list(names)


def _by_names(build: Callable[..., T], names: Sequence[str]) -> Callable[..., T]:
    return lambda *values: build(**dict(zip(names, values, strict=True)))


def one_of(forms: Mapping[type, Form[Any]], pattern: str) -> Value:
    """Return a type whose texts are of any of some forms, tried in order; each class has one form."""

    def read(text: str) -> Any:
        for form in forms.values():
            found = form.read(text)
            if found is not None:
                return found
        raise Unfit(text)

    return remembered(pattern, read, lambda value: forms[type(value)].text(value))


def list_of(one: Form[Any], separated: re.Pattern[str], pattern: str) -> Value:
    """Return a type of lists without brackets, `, ` between; `separated` finds each element's text."""

    def read(text: str) -> tuple[Any, ...]:
        found = tuple(one.read(each) for each in separated.findall(text))
        if None in found:
            raise Unfit(text)
        return found

    return remembered(pattern, read, lambda values: ", ".join(map(one.text, values)))


def _or_none(read: Callable[[str], Any]) -> Callable[[str | None], Any]:
    return lambda text: None if text is None else read(text)


def by_head(forms: Iterable[Form[Any]], width: int) -> dict[str, tuple[Form[Any], ...]]:
    """Return forms by the first `width` characters of their texts, in order.

    Forms whose texts begin with a value stand under the empty text.
    """
    found: dict[str, tuple[Form[Any], ...]] = {}
    for form in forms:
        head = form.head[:width]
        if 0 < len(head) < width:
            raise ValueError(f"the form {form.template!r} has a head of less than {width} characters")
        found[head] = (*found.get(head, ()), form)
    return found
