"""The text of a protocol as a tree of pieces: printed as a Python file, and made smaller as long as a condition
holds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from fencepost.model.language import Protocol, TableError

SIMPLEST: Mapping[str, tuple[str, ...]] = {
    "bool": ("TRUE", "FALSE"),
    "?A": ("none_of(A)",),
    "?B": ("none_of(B)",),
    "?N": ("none_of(N)",),
    "{A}": ("nobody(A)",),
    "[A]": ("nothing(A)",),
    "C": ("literal(Colour.RED)",),
}
"""Short texts by kind, either of which may stand for any piece of the kind."""


@dataclass(frozen=True)
class Piece:
    """A text with a `%s` for each part, and its kind; pieces of one kind may stand for each other.

    A piece with a `joint` is a list: its text has one `%s` for all parts, which the joint joins, and any part may be
    left out.
    """

    kind: str
    text: str
    parts: tuple[Piece, ...] = ()
    joint: str | None = None

    @cached_property
    def printed(self) -> str:
        """The piece as text."""
        parts = tuple(part.printed for part in self.parts)
        if self.joint is not None:
            return self.text % self.joint.join(parts)
        return self.text % parts

    @cached_property
    def size(self) -> int:
        """How many pieces the tree has."""
        return 1 + sum(part.size for part in self.parts)

    def within(self) -> Iterator[Piece]:
        """Yield every piece below this one."""
        for part in self.parts:
            yield part
            yield from part.within()

    def smaller(self) -> Iterator[Piece]:
        """Yield trees that are smaller by one change, the greatest changes first."""
        if self.joint is not None:
            if len(self.parts) > 2:
                yield replace(self, parts=self.parts[: len(self.parts) // 2])
                yield replace(self, parts=self.parts[len(self.parts) // 2 :])
            for at in range(len(self.parts)):
                yield replace(self, parts=self.parts[:at] + self.parts[at + 1 :])
        for text in SIMPLEST.get(self.kind, ()):
            if self.parts or (text != self.text and self.text not in SIMPLEST[self.kind]):
                yield Piece(self.kind, text)
        yield from dict.fromkeys(one for one in self.within() if one.kind == self.kind)
        for at, part in enumerate(self.parts):
            for less in part.smaller():
                yield replace(self, parts=(*self.parts[:at], less, *self.parts[at + 1 :]))


@dataclass(frozen=True)
class Text:
    """A protocol as a file: declarations by the names that they declare, in order, the protocol, and the sizes of its
    bound.
    """

    about: str
    declared: tuple[tuple[str, Piece], ...]
    protocol: Piece
    sizes: tuple[tuple[str, int], ...]

    def printed(self, *unsized: str) -> str:
        """Return the file, without what nothing uses, and without the sizes of these names."""
        used = self.protocol.printed
        lines: list[str] = []
        for name, piece in reversed(self.declared):
            if re.search(rf"\b{name}\b", used):
                lines.insert(0, piece.printed)
                used += "\n" + piece.printed
        sizes = {name: size for name, size in self.sizes if name not in unsized}
        body = self.protocol.printed.replace("SIZES", repr(sizes))
        return "\n".join((f'"""{self.about}"""', "", *HEAD, *lines, "", body, ""))

    def smaller(self) -> Iterator[Text]:
        """Yield files that are smaller by one change, those with less of the protocol first."""
        for less in self.protocol.smaller():
            yield replace(self, protocol=less)
        for at, (name, piece) in enumerate(self.declared):
            for less in piece.smaller():
                yield replace(self, declared=(*self.declared[:at], (name, less), *self.declared[at + 1 :]))
        for at, (name, size) in enumerate(self.sizes):
            if size > 1:
                yield replace(self, sizes=(*self.sizes[:at], (name, size - 1), *self.sizes[at + 1 :]))

    @property
    def weight(self) -> int:
        """How large the file is, in pieces."""
        return self.protocol.size + sum(piece.size for _, piece in self.declared) + sum(size for _, size in self.sizes)


HEAD = (
    "from __future__ import annotations",
    "",
    "import enum",
    "",
    "from fencepost.model.language.vocabulary import *",
    "",
)
"""The imports of a file."""
UNUSED = re.compile(r"gives a size to (\w+), which nothing uses")


@dataclass(frozen=True)
class Made:
    """A protocol that was read from its file."""

    source: str
    protocol: Protocol


def made(text: Text, name: str = "random_protocol.py") -> Made:
    """Return the protocol of a file; raises `TableError` where the language refuses it."""
    try:
        return _read(text.printed(), name)
    except TableError as error:
        unused = [found[1] for one in error.findings if (found := UNUSED.search(one.wrong))]
        if not unused:
            raise
    return _read(text.printed(*unused), name)


def _read(source: str, name: str) -> Made:
    space: dict[str, object] = {"__name__": "random_protocol"}
    exec(compile(source, name, "exec"), space)
    found = space["PROTOCOL"]
    assert isinstance(found, Protocol)
    return Made(source, found)


def shrunk(text: Text, fails: Callable[[Text], bool], most: int = 2000) -> Text:
    """Return the smallest file for which a condition still holds that single changes lead to, within so many trials."""
    tried: set[str] = {text.printed()}
    while True:
        for less in text.smaller():
            printed = less.printed()
            if (less.weight, len(printed)) >= (text.weight, len(text.printed())) or printed in tried:
                continue
            tried.add(printed)
            if len(tried) > most:
                return text
            if fails(less):
                text = less
                break
        else:
            return text
