"""A copy of a source compared with the index: which cited lines it has, which moved, and which say something else."""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from .index import Line, Part, Text
from .normalising import Normalised, normal

DIGITS = 12
"""How many hexadecimal digits of a line's SHA-256 are recorded."""

State = Literal["same", "changed", "gone"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a cited line is in a copy: the line of the file where it begins, and by how many characters it moved.

    A line is `same` word for word, `changed` where only its first words are found, and `gone` where not even these are;
    then `at` and `moved` are None. `moved` is counted in the normalised text, from the first line that is there.
    """

    line: Line
    state: State
    at: int | None
    moved: int | None


@dataclass(frozen=True, slots=True)
class Compared:
    """A copy compared: the place of every cited line, in the source's order, and whether each part has its hash.

    `parts` are True where the hash is the recorded one, False where it is another one, and None where the part's first
    or last line is not found.
    """

    text: Text
    characters: int
    places: tuple[Place, ...]
    parts: tuple[tuple[Part, bool | None], ...]

    def of(self, state: State) -> list[Place]:
        """Return the places of a state."""
        return [one for one in self.places if one.state == state]

    @property
    def faithful(self) -> bool:
        """Whether every cited line is there word for word."""
        return all(one.state == "same" for one in self.places)

    def runs(self) -> Iterator[list[Place]]:
        """Yield the lines that are there word for word, those together that follow one another and moved alike."""
        run: list[Place] = []
        for one in self.of("same"):
            if run and run[-1].moved != one.moved:
                yield run
                run = []
            run.append(one)
        if run:
            yield run


def digest(text: str) -> str:
    """Return the SHA-256 of a normalised text, in hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()


def compared(text: Text, page: Normalised) -> Compared:
    """Return where a copy of a source has the lines that are cited.

    Of several places with the same words that one counts which is nearest to where the line before would have it. The
    first words of a changed line are looked for outside of the lines that are there word for word.
    """
    lines = sorted(text.cited.values(), key=lambda one: one.number)
    same: dict[int, int] = {}
    moved = 0
    for line in lines:
        near = _nearest(page.text, line, moved)
        start = next((at for at in near if digest(page.text[at : at + line.length]).startswith(line.digest)), None)
        if start is not None:
            same[line.number], moved = start, start - line.offset
    taken = sorted((start, start + text.cited[number].length) for number, start in same.items())
    places = []
    base = next((start - text.cited[number].offset for number, start in same.items()), 0)
    moved = base
    for line in lines:
        state: State = "same"
        start = same.get(line.number)
        if start is None:
            start = next((at for at in _nearest(page.text, line, moved) if not _inside(at, taken)), None)
            state = "gone" if start is None else "changed"
        else:
            moved = start - line.offset
        at, by = (None, None) if start is None else (page.line_at(start), start - line.offset - base)
        places.append(Place(line, state, at, by))
    return Compared(
        text, len(page.text), tuple(places), tuple((one, _kept(page, text, one, same)) for one in text.parts)
    )


def _nearest(text: str, line: Line, moved: int) -> list[int]:
    """Return where the first words of a line are in a text, those first that are nearest to where it should be."""
    words, found = normal(line.words), []
    at = text.find(words)
    while at >= 0:
        found.append(at)
        at = text.find(words, at + 1)
    return sorted(found, key=lambda start: abs(start - line.offset - moved))


def _inside(at: int, stretches: list[tuple[int, int]]) -> bool:
    """Return whether an offset lies in one of some stretches, which are in ascending order."""
    number = bisect_right(stretches, at, key=lambda one: one[0])
    return number > 0 and at < stretches[number - 1][1]


def _kept(page: Normalised, text: Text, part: Part, same: Mapping[int, int]) -> bool | None:
    """Return whether a part has its hash, None where its first or last line is not found."""
    first, last = part.lines
    if first not in same or last not in same:
        return None
    return digest(page.text[same[first] : same[last] + text.cited[last].length]) == part.sha256
