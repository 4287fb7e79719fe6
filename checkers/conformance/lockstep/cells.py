"""The cells of a state by numbered tables, as the printed functions read them, and how they change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

MISSING: Final = object()
"""Takes the place of a value that does not exist."""

Change = tuple[int, Any, Any]
"""A table's number, a key (of one key the key itself, else the tuple of them), and a value."""


BEFORE: Final = "m"
AFTER: Final = "n"
"""The first letters of the names by which printed functions read the tables of a state, and of the one after it."""


def name_of(sort: str) -> str:
    """Return the name by which printed functions read the entities of a sort."""
    return f"d_{sort.replace(' ', '_')}"


class Cells(dict[str, Any]):
    """A state to evaluate in: a table a state variable, and the entities of each sort; printed functions read both by
    name.

    A table holds the cells that differ from their initial value. `others` are values of cells that have neither, by the
    number of their table. `after` is the state that `next_` reads.
    """

    __slots__ = ("after", "as_after", "domains", "others", "tables")

    def __init__(self, tables: list[Any], domains: dict[str, dict[Any, None]]) -> None:
        super().__init__()
        self.tables, self.domains = tables, domains
        self.others: dict[int, Any] = {}
        self.after: Cells | None = None
        self.as_after: dict[str, Any] = {}
        """The tables by the names that a state before this one has for them, as far as they were asked for."""

    def __missing__(self, name: str) -> Any:
        if name.startswith("d_"):
            found = next(seen for sort, seen in self.domains.items() if name_of(sort) == name)
        elif name.startswith(AFTER):
            assert self.after is not None
            found = self.after.as_after[name] = self.after.tables[int(name[1:])]
        else:
            found = self.tables[int(name[1:])]
        self[name] = found
        return found

    def set_domain(self, sort: str, entities: dict[Any, None]) -> None:
        """Have other entities of a sort from now on."""
        self.domains[sort] = self[name_of(sort)] = entities


def applied(tables: Sequence[Any], initial: Sequence[Any], changes: Iterable[Change]) -> list[Change]:
    """Make changes; return those that changed anything, each with the value before it, `MISSING` for none.

    A cell that has its initial value is in no table.
    """
    found: list[Change] = []
    for number, key, value in changes:
        table, first = tables[number], initial[number]
        old = table.get(key, MISSING)
        if old is MISSING:
            if value != first:
                table[key] = value
                found.append((number, key, old))
        elif old != value:
            found.append((number, key, old))
            if value == first:
                del table[key]
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
    found = Cells(tables, now.domains)
    if now.after is None:
        # What the state after has by name is what this one has, but for tables that have changed.
        found.update(now)
        found.update(now.as_after)
    for number, key, old in changed:
        table = tables[number]
        if not isinstance(table, Earlier):
            table = tables[number] = found[f"{BEFORE}{number}"] = Earlier(table)
        table.over.setdefault(key, old)
    found.others, found.after = now.others, now
    return found
