"""What a notebook shows of values: tables in HTML, without styles of their own, every text escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

MOST = 60
"""The most lines of a table that a notebook shows; what is left out is counted."""


_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;"})


def escaped(text: object) -> str:
    """Return a text as HTML shows it."""
    # What the module html does, whose names of characters take a while to load.
    return str(text).translate(_ESCAPES)


def grid(head: Sequence[str], lines: Iterable[Sequence[object]], count: int | None = None) -> str:
    """Return a table of at most `MOST` lines; `count` is how many there are, where `lines` may be cut off already."""
    shown: list[str] = []
    total = 0
    for line in lines:
        total += 1
        if total <= MOST:
            cells = "".join(f'<td style="text-align: left">{escaped(one)}</td>' for one in line)
            shown.append(f"<tr>{cells}</tr>")
        elif count is not None:
            break
    left = (total if count is None else count) - len(shown)
    more = f"<p>and {left:,} more</p>" if left > 0 else ""
    names = "".join(f'<th style="text-align: left">{escaped(one)}</th>' for one in head)
    return f"<table><thead><tr>{names}</tr></thead><tbody>{''.join(shown)}</tbody></table>{more}"


def headed(title: str, *parts: str) -> str:
    """Return parts under a title."""
    return f"<p><b>{escaped(title)}</b></p>{''.join(parts)}"
