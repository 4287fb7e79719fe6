"""The index of the sources: which texts are cited, where they are public, and the first words of each cited line."""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import fencepost
from fencepost.checkers.requirements import FOLDER, read
from fencepost.checkers.toml_tables import TableReader
from fencepost.checkers.verdicts import Refusal

SPEC = Path(fencepost.__file__).resolve().parent / "spec"
INDEX = SPEC / "sources.toml"
"""The file with an entry for each source; its folder `sources` has the lines of each, an installation too."""
_CITED = re.compile(r"\b(S\d):(\d+(?:[-–]\d+)?(?:, ?\d+(?:[-–]\d+)?(?![\w.:]))*)")


@dataclass(frozen=True, slots=True)
class Line:
    """A line that is cited: its first words, and where its normalised text begins, how long it is, and its digest.

    `offset` and `length` are counted in characters of the normalised source; `digest` is the beginning of a SHA-256 in
    hexadecimal digits.
    """

    number: int
    words: str
    offset: int
    length: int
    digest: str


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a source of which nothing is left out: its first and last line, and the SHA-256 when normalised."""

    lines: tuple[int, int]
    sha256: str


@dataclass(frozen=True)
class Text:
    """A source: its title, where it is public, which revision was used, its length, and where its sections begin.

    `lines` is the number of its lines, `parts` the stretches that have a hash, `cited` the lines that are cited, by
    number.
    """

    name: str
    title: str
    address: str
    also: tuple[str, ...]
    revision: str
    lines: int
    parts: tuple[Part, ...]
    sections: tuple[tuple[int, str], ...]
    cited: Mapping[int, Line]

    def section(self, line: int) -> str:
        """Return the title of the section of a line; raises `KeyError` for one that is not there."""
        if not 1 <= line <= self.lines:
            raise KeyError(f"{self.name}:{line}")
        at = bisect_right([first for first, _ in self.sections], line)
        return self.sections[at - 1][1] if at else self.title


@dataclass(frozen=True)
class Citation:
    """Lines of a source that are cited, from the first to the last."""

    source: str
    first: int
    last: int

    def __str__(self) -> str:
        return f"{self.source}:{self.first}" + (f"-{self.last}" if self.last != self.first else "")


def citations(text: str) -> Iterator[Citation]:
    """Yield what a text cites: `S3:244`, `S0:83-86`, `S4:8,12-14`."""
    for source, spans in _CITED.findall(text):
        for span in re.split(r", ?", spans):
            first, _, last = span.replace("–", "-").partition("-")
            yield Citation(source, int(first), int(last or first))


@cache
def texts(index: Path = INDEX) -> Mapping[str, Text]:
    """Return the sources by their short names; raises `Refusal` for an index that is misshapen."""
    top = _toml(index)
    found = {one.name: one for one in (_text(each, index.parent / "sources") for each in top.each("source"))}
    top.text("normalisation")
    top.finish()
    return found


def named(name: str) -> Text:
    """Return the source of a short name, in any case; raises `Refusal` where there is none."""
    known = texts()
    if name.upper() not in known:
        raise Refusal(f"{name}: no source has this name; use one of {', '.join(known)}")
    return known[name.upper()]


def _text(one: TableReader, folder: Path) -> Text:
    """Read a source's entry, and the file with its lines."""
    name = one.text("name")
    return Text(
        name,
        one.text("title"),
        one.text("address"),
        one.texts("also", ()),
        one.text("revision"),
        one.number("lines"),
        tuple(Part(each.range("lines"), each.text("sha256")) for each in one.each("part")),
        _sections(name),
        _lines(folder / f"{name}.toml"),
    )


def _lines(path: Path) -> dict[int, Line]:
    """Read the lines of a source that are cited; none where nothing is recorded."""
    if not path.exists():
        return {}
    top = _toml(path)
    found = {}
    for number, values in top.values.items():
        match values:
            case [str(words), int(offset), int(length), str(digest)] if number.isdigit():
                found[int(number)] = Line(int(number), words, offset, length, digest)
            case _:
                raise Refusal(f"{path}: line {number} has no words, offset, length and digest; record the file anew")
    return found


def _toml(path: Path) -> TableReader:
    try:
        return TableReader(str(path), tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Refusal(f"{path}: cannot be read as TOML ({error}); correct the file") from None


def _sections(name: str) -> tuple[tuple[int, str], ...]:
    """Return the sections of a source as its requirements have them, each with its first line."""
    source = read(FOLDER / f"{name.lower()}.toml")
    return tuple((section.lines[0], section.title) for section in source.sections)


def explained(text: str) -> list[str]:
    """Return where the citations of a text stand, a line for each section, in the order of the text."""
    known = texts()
    found: dict[str, None] = {}
    for one in citations(text):
        if one.source in known and 1 <= one.first <= known[one.source].lines:
            found.setdefault(f"{one.source}: {known[one.source].title}, “{known[one.source].section(one.first)}”")
    return list(found)
