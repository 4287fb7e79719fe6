"""Citations: what `S3:244` in a row, a property or a page points to, from the committed index of the sources."""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import fencepost

from .requirements import FOLDER, read

INDEX = Path(fencepost.__file__).resolve().parent / "spec" / "sources.toml"
_CITED = re.compile(r"\b(S\d):(\d+(?:[-–]\d+)?(?:, ?\d+(?:[-–]\d+)?(?![\w.:]))*)")


@dataclass(frozen=True)
class Text:
    """A source: its title, where it is public, which version was used, its length, and where its sections begin."""

    name: str
    title: str
    public: str
    version: str
    lines: int
    sections: tuple[tuple[int, str], ...]

    def section(self, line: int) -> str:
        """Return the title of the section in which a line stands; raises `KeyError` for one that is not there."""
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


def citations(text: str) -> Iterator[Citation]:
    """Yield what a text cites: `S3:244`, `S0:83-86`, `S4:8,12-14`."""
    for source, spans in _CITED.findall(text):
        for span in re.split(r", ?", spans):
            first, _, last = span.replace("–", "-").partition("-")
            yield Citation(source, int(first), int(last or first))


@cache
def texts(index: Path = INDEX) -> Mapping[str, Text]:
    """Return the sources by their short names."""
    found = tomllib.loads(index.read_text(encoding="utf-8"))
    return {
        one["name"]: Text(
            one["name"],
            one["title"],
            one["public"],
            one["version"],
            one["lines"],
            _demanded(one["name"]),
        )
        for one in found["source"]
    }


def _demanded(name: str) -> tuple[tuple[int, str], ...]:
    """The sections of a source whose demands are told, as its requirements have them."""
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
