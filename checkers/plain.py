"""Texts from elsewhere, as they may be shown: names and values of a log may hold what a terminal or a page obeys."""

from __future__ import annotations

import re

CONTROL = r"\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069"
"""Characters that move a cursor, set a colour or a title, or turn the direction of a text; not line ends and tabs."""
_CONTROL = re.compile(f"[{CONTROL}]")


def code(found: re.Match[str]) -> str:
    """Return a character that was found as JSON writes it."""
    return f"\\u{ord(found.group()):04x}"


def plain(text: str) -> str:
    """Return a text with its control characters as JSON writes them, line ends and tabs kept."""
    return _CONTROL.sub(code, text)


def one_line(text: str) -> str:
    """Return a text with its control characters, line ends and tabs among them, as JSON writes them."""
    return plain(text).replace("\n", "\\n").replace("\t", "\\t")


__all__ = ["CONTROL", "code", "one_line", "plain"]
