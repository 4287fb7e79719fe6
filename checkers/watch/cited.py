"""Classes and methods of Kafka that the tables cite, with their rows."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from fencepost.model.language import Protocol
from fencepost.model.registry import FAMILIES

WATCHED: Final = tuple(name for name in FAMILIES if name.startswith("kraft"))
"""The protocols that follow the newest release; the others follow texts, or the last release with ZooKeeper."""

_CITED: Final = re.compile(r"^([A-Z]\w*)(?:\.(\w+))?(?: \(.*\))?$")


@dataclass(frozen=True, order=True)
class Cited:
    """A method that rows follow, or with `method` empty a whole class; `rows` are named with their protocols."""

    owner: str
    method: str
    rows: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.owner}.{self.method}" if self.method else self.owner


def cited(protocols: Iterable[Protocol] | None = None) -> list[Cited]:
    """Return what the events of protocols cite, those of today's controller where none are given."""
    chosen = [FAMILIES[name].whole for name in WATCHED] if protocols is None else protocols
    rows: dict[tuple[str, str], dict[str, None]] = {}
    for protocol in chosen:
        for row in protocol.rows:
            for part in row.event.code.split(", ") if row.event.code else ():
                found = _CITED.match(part)
                if found:
                    rows.setdefault((found[1], found[2] or ""), {})[f"{protocol.name} {row.id}"] = None
    return sorted(Cited(owner, method, tuple(some)) for (owner, method), some in rows.items())
