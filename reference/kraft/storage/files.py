"""Files that are written whole or not at all, and Java's properties files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from pathlib import Path

from fencepost.files import read_small
from fencepost.files import write_whole as write_at_once

from .errors import StorageError

_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_KEY = re.compile(r"(?:\\.|[^\\=:\s])*", re.DOTALL)
_ESCAPED = {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}


def write_whole(path: Path, content: bytes) -> None:
    """Write a file beside its name, flush it to the disk, and put it in its place at once.

    A reader of the name sees the old content or the new, never a part. Raises StorageError if it cannot be written.
    """
    try:
        write_at_once(path, content)
    except OSError as error:
        raise StorageError(
            f"{path}: the file cannot be written ({cause(error)}): check space and permissions"
        ) from error


def cause(error: OSError) -> str:
    """Return what an error of the system says, without path and number."""
    return error.strerror or type(error).__name__


def read_properties(path: Path) -> dict[str, str]:
    """Return the pairs of a Java properties file, the last of equal names; raises OSError if it cannot be read."""
    return parse_properties(read_small(path).decode("latin-1"))


def parse_properties(text: str) -> dict[str, str]:
    """Return the pairs of a text in Java's format: `name = value`, `#` and `!` for comments, `\\` to go on or escape.

    >>> parse_properties("# a comment\\nnode.id = 3\\nlog.dirs:/a,\\\\\\n  /b")
    {'node.id': '3', 'log.dirs': '/a,/b'}
    """
    found: dict[str, str] = {}
    for line in _whole_lines(text):
        matched = _KEY.match(line)
        name = matched.group() if matched else ""
        rest = line[len(name) :].lstrip(" \t\f")
        if rest[:1] in ("=", ":"):
            rest = rest[1:].lstrip(" \t\f")
        found[_unescaped(name)] = _unescaped(rest)
    return found


def _whole_lines(text: str) -> Iterable[str]:
    """Lines without comments and empty ones, continued lines joined."""
    joined = ""
    for raw in re.split(r"\r\n|\n|\r", text):
        line = raw.lstrip(" \t\f")
        if not joined and (not line or line[0] in "#!"):
            continue
        if _ends_open(line):
            joined += line[:-1]
            continue
        if joined or line:
            yield joined + line
        joined = ""
    if joined:
        yield joined


def _ends_open(line: str) -> bool:
    return (len(line) - len(line.rstrip("\\"))) % 2 == 1


def _unescaped(text: str) -> str:
    def meant(match: re.Match[str]) -> str:
        said = match[1]
        return chr(int(said[1:], 16)) if len(said) == 5 else _ESCAPED.get(said, said)

    # Two escapes may be the halves of one character.
    return _ESCAPE.sub(meant, text).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def properties_text(pairs: Mapping[str, str], written_ms: int) -> str:
    """Return the text of a properties file as Java stores it: two lines of comment with the time, then the pairs.

    `written_ms` is milliseconds since 1970. What is not plain ASCII is escaped, so that the text reads back the same.
    """
    lines = ["#", f"#{_date(written_ms)}"]
    lines += [f"{_escaped(name, True)}={_escaped(value, False)}" for name, value in pairs.items()]
    return "".join(f"{line}\n" for line in lines)


def _escaped(text: str, is_name: bool) -> str:
    result = []
    for place, character in enumerate(text):
        if character == " ":
            result.append("\\ " if is_name or place == 0 else " ")
        elif character in "\\=:#!":
            result.append("\\" + character)
        elif character in "\t\n\r\f":
            result.append("\\" + {"\t": "t", "\n": "n", "\r": "r", "\f": "f"}[character])
        elif " " <= character <= "~":
            result.append(character)
        else:
            units = character.encode("utf-16-be", "surrogatepass")
            result += [f"\\u{units[at] << 8 | units[at + 1]:04X}" for at in range(0, len(units), 2)]
    return "".join(result)


def _date(milliseconds: int) -> str:
    """The date in Java's way, in UTC; names written here, since those of the system follow the machine's language."""
    at = datetime(1970, 1, 1) + timedelta(milliseconds=milliseconds)
    return f"{_DAYS[at.weekday()]} {_MONTHS[at.month - 1]} {at.day:02d} {at:%H:%M:%S} UTC {at.year:04d}"
