"""The cells of a state by numbered tables, as the printed functions read them, and how they change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

MISSING: Final = object()
"""Takes the place of a value that does not exist."""

Change = tuple[int, Any, Any]
"""A table's number, a key (of one key the key itself, else the tuple of them), and a value."""


class Cells:
    """A state to evaluate in: a table a state variable, the entities of each sort, and what was evaluated already.

    A table holds the cells that differ from their initial value. `others` are values of cells that have neither, by the
    number of their table. `after` is the state that `next_` reads.
    """

    __slots__ = ("after", "domains", "memo", "others", "tables")

    def __init__(self, tables: list[Any], domains: Mapping[str, dict[Any, None]]) -> None:
        self.tables, self.domains = tables, domains
        self.memo: dict[Any, Any] = {}
        self.others: dict[int, Any] = {}
        self.after: Cells | None = None


def applied(tables: Sequence[Any], initial: Sequence[Any], changes: Iterable[Change]) -> list[Change]:
    """Make changes; return those that changed anything, each with the value before it, `MISSING` for none.

    A cell that has its initial value is in no table.
    """
    found: list[Change] = []
    for number, key, value in changes:
        table, first = tables[number], initial[number]
        old = table.get(key, MISSING)
        if (first if old is MISSING else old) != value:
            found.append((number, key, old))
            if value == first:
                table.pop(key, None)
            else:
                table[key] = value
    return found


class Earlier:
    """A table seen through the former values of the cells that have changed since."""

    __slots__ = ("over", "under")

    def __init__(self, under: Any) -> None:
        self.under = under
        self.over: dict[Any, Any] = {}

    def get(self, key: Any, default: Any = None) -> Any:
        """Return the former value of a cell, the default where it had none."""
        found = self.over.get(key, self)
        if found is self:
            return self.under.get(key, default)
        return default if found is MISSING else found


def earlier(now: Cells, changed: Iterable[Change]) -> Cells:
    """Return the state before changes, which are given in their order with the value before each; `after` is now."""
    tables = list(now.tables)
    for number, key, old in changed:
        if not isinstance(tables[number], Earlier):
            tables[number] = Earlier(tables[number])
        tables[number].over.setdefault(key, old)
    found = Cells(tables, now.domains)
    found.others, found.after = now.others, now
    return found
