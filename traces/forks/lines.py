"""The lines of a TOML file: where its tables and their entries are, so that an error names its line."""

from __future__ import annotations

import re
from typing import NoReturn

from fencepost.traces.errors import TraceError

_HEADER = re.compile(r"\s*\[\[?\s*([\w.-]+)\s*\]\]?\s*(#.*)?$")
_ENTRY = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)'|([\w-]+))\s*=""")


class Lines:
    """The text of a TOML file, line by line."""

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self._lines = text.splitlines()
        self._tables: dict[str, list[int]] = {}
        for number, line in enumerate(self._lines, 1):
            found = _HEADER.match(line)
            if found:
                self._tables.setdefault(found[1], []).append(number)
        self._headers = sorted(one for some in self._tables.values() for one in some)

    def table(self, name: str, index: int = 0) -> int:
        """Return the line of the header of a table, of an array of tables of the one at a place; 1 for the file."""
        found = self._tables.get(name, [])
        return found[index] if index < len(found) else 1

    def entry(self, name: str, table: str = "", index: int = 0, text: str = "") -> int:
        """Return the line of an entry of a table, or the one within the entry that has a text."""
        start = self.table(table, index) if table else 0
        end = next((one for one in self._headers if one > start), len(self._lines) + 1)
        at = start or 1
        for number in range(start + 1, end):
            found = _ENTRY.match(self._lines[number - 1])
            if found and name in found.groups():
                at = number
                break
        else:
            return at
        later = (number for number in range(at, end) if text and text in self._lines[number - 1])
        return next(later, at)

    def refuse(self, line: int, what: str) -> NoReturn:
        """Raise the error of a line."""
        raise TraceError(f"{self.file}, line {line}: {what}")
