"""Tables of a TOML file that people write by hand, read key by key."""

from __future__ import annotations

from typing import Any

from fencepost.checkers.verdicts import Refusal


class TableReader:
    """A table that is read key by key; every complaint says where, what, and what to do.

    Each key that is absent or of another kind raises `Refusal`, but for those with a default.
    """

    def __init__(self, where: str, values: dict[str, Any]) -> None:
        self.where, self.values = where, values
        self._read: set[str] = set()
        self._inside: dict[str, list[TableReader]] = {}

    def _get(self, key: str, kind: type, default: Any = None) -> Any:
        self._read.add(key)
        if key not in self.values and default is not None:
            return default
        value = self.values.get(key)
        if not isinstance(value, kind) or isinstance(value, bool):
            raise self._wrong(key, {str: "a text", int: "a number", list: "a list", dict: "a table"}[kind])
        return value

    def _wrong(self, key: str, kind: str) -> Refusal:
        return Refusal(f"{self.where}: {key} has to be {kind}; correct it")

    def text(self, key: str, default: str | None = None) -> str:
        """Return a text."""
        found: str = self._get(key, str, default)
        return found

    def number(self, key: str) -> int:
        """Return a whole number."""
        found: int = self._get(key, int)
        return found

    def truth(self, key: str) -> bool:
        """Return a truth value, false where there is none."""
        self._read.add(key)
        found = self.values.get(key, False)
        if not isinstance(found, bool):
            raise self._wrong(key, "true or false")
        return found

    def texts(self, key: str, default: tuple[str, ...] | None = None) -> tuple[str, ...]:
        """Return a list of texts."""
        return self._several(key, str, "a list of texts", default)

    def numbers(self, key: str, default: tuple[int, ...] | None = None) -> tuple[int, ...]:
        """Return a list of whole numbers."""
        return self._several(key, int, "a list of numbers", default)

    def _several(self, key: str, kind: type, what: str, default: tuple[Any, ...] | None) -> tuple[Any, ...]:
        if key not in self.values and default is not None:
            self._read.add(key)
            return default
        found = self._get(key, list)
        if not all(isinstance(one, kind) and not isinstance(one, bool) for one in found):
            raise self._wrong(key, what)
        return tuple(found)

    def range(self, key: str) -> tuple[int, int]:
        """Return a first and a last line."""
        found = self.numbers(key)
        if len(found) != 2 or found[0] > found[1]:
            raise self._wrong(key, "a first and a last line")
        return found[0], found[1]

    def inside(self, key: str) -> TableReader:
        """Return the table of a key."""
        if key not in self._inside:
            self._inside[key] = [TableReader(f"{self.where}, {key}", self._get(key, dict))]
        return self._inside[key][0]

    def each(self, key: str) -> list[TableReader]:
        """Return the tables of a list, none where there is no list; each says its `id`, or else its number."""
        found = self._get(key, list, [])
        if not all(isinstance(one, dict) for one in found):
            raise self._wrong(key, "a list of tables")
        self._inside[key] = [
            TableReader(f"{self.where}, {key} {one.get('id', number)}", one) for number, one in enumerate(found, 1)
        ]
        return self._inside[key]

    def finish(self) -> None:
        """Raise `Refusal` for an unknown key: most likely it is misspelt."""
        for key in self.values:
            if key not in self._read:
                raise Refusal(f"{self.where}: nothing is called {key}; use one of {', '.join(sorted(self._read))}")
        for readers in self._inside.values():
            for one in readers:
                one.finish()
