"""Values of a trace, which are JSON, as values of the tables, and back."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any

from fencepost.checkers.conformance.lockstep.firing import Diverged
from fencepost.model.language.kinds import (
    BoolKind,
    EntityKind,
    EnumKind,
    IntKind,
    Kind,
    ListKind,
    OptionKind,
    SetKind,
    ThresholdKind,
)


class Unreadable(Diverged):
    """A value of a trace is none of the kind that the tables have there; the message says both."""


def read(kind: Kind[Any], value: Any, meet: Callable[[EntityKind[Any], Any], None]) -> Any:
    """Return a JSON value as one of a kind; `meet` receives every entity in it. Raises `Unreadable`."""
    match kind:
        case BoolKind() if isinstance(value, bool):
            return value
        case IntKind() | ThresholdKind() if isinstance(value, int) and not isinstance(value, bool):
            return value
        case EnumKind():
            found = next((one for one in kind.enum if one.value == value or one.name == value), None)
            if found is not None:
                return found
        case EntityKind() if isinstance(value, int) and not isinstance(value, bool):
            meet(kind, value)
            return value
        case OptionKind():
            return None if value is None else read(kind.of, value, meet)
        case SetKind() if isinstance(value, list):
            return frozenset(read(kind.of, one, meet) for one in value)
        case ListKind() if isinstance(value, list):
            return tuple(read(kind.of, one, meet) for one in value)
        case _:
            pass
    raise Unreadable(f"{value!r} is no {kind}")


def written(value: Any) -> Any:
    """Return a value of the tables as a trace writes it."""
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, frozenset):
        return sorted(map(written, value))
    if isinstance(value, tuple):
        return [written(one) for one in value]
    return value


def answer_of(value: Any) -> str:
    """Return what a row says as the text of an answer; empty for a row that says nothing, and for an answer of none."""
    if value is None:
        return ""
    return str(written(value))
