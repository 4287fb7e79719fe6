"""The fingerprint of a protocol: a digest of everything that an engine reads, so that cached results may be keyed on it."""

from __future__ import annotations

import enum
import hashlib
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any

from .errors import Place

if TYPE_CHECKING:
    from .protocol import Protocol


class Digest:
    """Digests of terms and of what holds them, each object's computed once; places and prose are left out."""

    _LEFT_OUT = frozenset({"place", "about", "not_for", "source", "why", "code", "unwritten", "named_for"})

    _WHERE_SAID = frozenset(
        {"by_key", "columns", "left_out", "strongly_fair", "each", "fair_by", "finitely", "ranking", "answering"}
    )
    """Fields that most variables and properties do not have; left out of the digests where they have no value."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[object, str]] = {}

    def of(self, value: object) -> str:
        """Return the digest of a value; raises `TypeError` for one of a type that no protocol holds."""
        if isinstance(value, enum.Enum):
            return f"{type(value).__name__}.{value.name}={value.value!r}"
        if value is None or isinstance(value, (bool, int, str)):
            return f"{type(value).__name__}:{value!r}"
        # The object is kept beside its digest, so that its identity is not used again while it is a key.
        found = self._known.get(id(value))
        if found is not None:
            return found[1]
        if isinstance(value, type):
            return f"type:{value.__qualname__}"
        if isinstance(value, tuple):
            return f"({','.join(self.of(item) for item in value)})"
        if isinstance(value, frozenset):
            return f"{{{','.join(sorted(self.of(item) for item in value))}}}"
        if isinstance(value, Mapping):
            return f"<{','.join(sorted(f'{self.of(k)}:{self.of(v)}' for k, v in value.items()))}>"
        if is_dataclass(value) and not isinstance(value, Place):
            found = self._known[id(value)] = (value, self._structure(value))
            return found[1]
        raise TypeError(f"no digest of {value!r}")

    def _structure(self, value: Any) -> str:
        told = ((f.name, getattr(value, f.name)) for f in fields(value) if f.name not in self._LEFT_OUT)
        parts = [
            f"{name}={self.of(one)}" for name, one in told if name not in self._WHERE_SAID or one not in (None, ())
        ]
        return hashlib.sha256(f"{type(value).__name__}({';'.join(parts)})".encode()).hexdigest()


_DIGEST = Digest()
"""Terms, stages and claims live as long as the process, and variants share nearly all of them."""


def digest_of(value: object) -> str:
    """Return the digest of a term, or of what holds terms, computed once in a process; raises `TypeError` as `of`."""
    return _DIGEST.of(value)


def fingerprint(protocol: Protocol) -> str:
    """Return 64 hexadecimal digits that change whenever a row, record, variable, property, start or bound does."""
    digest = _DIGEST
    parts: list[object] = [protocol.name, protocol.start, protocol.ends, protocol.log_end, protocol.bounds]
    parts.append(tuple(table.name for table in protocol.tables if table.total))
    for row in protocol.rows:
        parts += [row.id, row.event, row.choose, protocol.guard(row), row.stages, row.say, row.throws, row.finding]
    parts += [*protocol.properties, *protocol.assumptions, *protocol.inputs, *protocol.states, *protocol.records]
    return hashlib.sha256("\n".join(digest.of(part) for part in parts).encode()).hexdigest()
