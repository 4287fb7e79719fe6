"""The normalised text of a page: what is left of HTML or of a saved text when layout is taken away.

`spec/sources.toml` has the rule in words; `normalised` is its only implementation.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from html.parser import HTMLParser

_BLOCKS = frozenset(
    re.findall(
        r"\w+",
        "address article aside blockquote body br caption dd div dl dt figcaption figure footer form h1 h2 h3 h4 h5 h6 "
        "header hr html li main nav ol option p pre section table tbody text tfoot thead tr ul",
    )
)
"""Elements that begin and end a line; `text` is that of SVG."""
_SKIPPED = frozenset(("head", "script", "style", "template", "noscript", "button"))
_MARK = re.compile(r"\s*(?:[•◦▪‣*–-]|\d+\.)\s+")
_QUOTES = frozenset("\"'`´‘’‚“”„«»")
_HTML = re.compile(r"<(?:!doctype html|html|head|body|div|main|article|p|h1)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Normalised:
    """A normalised page: its characters, and for each of its lines where it begins and the line of the file it is from.

    `starts` are offsets in `text`, ascending; `lines` are numbers of lines of the file, from 1, of the same length.
    """

    text: str
    starts: tuple[int, ...]
    lines: tuple[int, ...]

    def line_at(self, offset: int) -> int:
        """Return the line of the file from which the character at an offset is."""
        return self.lines[bisect_right(self.starts, offset) - 1]


def normalised(page: str) -> Normalised:
    """Return the normalised form of a page, which is HTML if it begins so, and otherwise a text."""
    if _HTML.search(page[:2000]):
        reader = _LinesOfHtml()
        reader.feed(page)
        reader.close()
        found = reader.lines
    else:
        found = list(enumerate(page.split("\n"), 1))
    parts, starts, lines, end = [], [], [], 0
    for number, line in found:
        kept = normal(line)
        if kept:
            parts.append(kept)
            starts.append(end)
            lines.append(number)
            end += len(kept)
    return Normalised("".join(parts), tuple(starts), tuple(lines))


def normal(line: str) -> str:
    """Return the characters of a line that count; none where it has neither a letter nor a digit."""
    line = unicodedata.normalize("NFKC", unmarked(line))
    kept = "".join(one for one in line if one not in _QUOTES and one != "|" and not _unseen(one))
    return kept if any(one.isalnum() for one in kept) else ""


def unmarked(line: str) -> str:
    """Return a line without the mark of a list at its beginning."""
    mark = _MARK.match(line)
    return line[mark.end() :] if mark else line


def _unseen(one: str) -> bool:
    """Whether a character is a space, a control character or one of no width."""
    return one.isspace() or unicodedata.category(one) in ("Cc", "Cf")


class _LinesOfHtml(HTMLParser):
    """Reads the lines of a page: `lines` has the text between two breaks, with the line of the file it begins in."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[tuple[int, str]] = []
        self._open = False
        self._skipped: list[str] = []
        self._verbatim = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _SKIPPED:
            self._skipped.append(tag)
        self._verbatim += tag == "pre"
        self._break(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self._skipped:
            while self._skipped.pop() != tag:
                pass
        self._verbatim -= tag == "pre" and self._verbatim > 0
        self._break(tag)

    def _break(self, tag: str) -> None:
        self._open &= tag not in _BLOCKS

    def handle_data(self, data: str) -> None:
        if self._skipped:
            return
        number, _ = self.getpos()
        for further, part in enumerate(data.split("\n")):
            if further and self._verbatim:
                self._open = False
            if not part:
                continue
            if self._open:
                first, so_far = self.lines[-1]
                self.lines[-1] = (first, f"{so_far}{' ' if further else ''}{part}")
            elif part.strip():
                self.lines.append((number + further, part))
                self._open = True
