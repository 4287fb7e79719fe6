"""A state that is known in part: its tables, the entities seen, and the value of what the log does not show."""

from __future__ import annotations

import enum
from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from fencepost.checkers.printing.unknown import UNKNOWN as UNKNOWN
from fencepost.model.language import Var
from fencepost.model.language.kinds import BoolKind, EntityKind, EnumKind, Kind, OptionKind
from fencepost.model.language.state import State
from fencepost.model.language.terms import Lit

if TYPE_CHECKING:
    from .siblings import Asked


Env: TypeAlias = dict[Var[Any], Any]
"""Values of variables; one that is missing is unknown."""

Table: TypeAlias = Mapping[tuple[Any, ...], Any]
"""The cells of one state variable that differ from its initial value, by their keys."""


class Frame:
    """A state to evaluate in: a table a known variable, the entities seen of each sort, and what was evaluated already.

    `after` is the state that `Next` reads. `open` says that there may be entities that were not seen, since a part of
    the log is missing. The code that changes a table or a domain calls `forget`. `ordered` says that a term has put
    several entities in the order of their ids. `sibling` is what an evaluation for one entity takes for its sibling.
    """

    __slots__ = ("after", "domains", "memo", "open", "ordered", "sibling", "tables")

    def __init__(
        self,
        tables: list[Any],
        domains: Mapping[str, Mapping[Any, int]],
        after: Frame | None = None,
        open: bool = False,
    ) -> None:
        self.tables, self.domains = tables, domains
        self.memo: dict[Any, Any] = {}
        self.after, self.open, self.ordered = after, open, False
        self.sibling: Asked | None = None

    def forget(self) -> None:
        """Drop everything that was evaluated."""
        self.memo.clear()


Code: TypeAlias = Callable[[Frame, Env], Any]
"""A compiled term."""

MISSING: Final = object()
"""Takes the place of a variable that had no value."""


def values(frame: Frame, kind: Kind[Any]) -> Collection[Any] | None:
    """Return every value of a kind: of a sort the entities seen so far; None where they cannot be listed."""
    match kind:
        case BoolKind():
            return (False, True)
        case EnumKind():
            members: type[enum.Enum] = kind.enum
            return tuple(members)
        case EntityKind():
            return frame.domains.get(kind.name)
        case OptionKind():
            inside = values(frame, kind.of)
            return None if inside is None else (None, *inside)
    return None


def more_values(frame: Frame, kind: Kind[Any]) -> bool:
    """Whether there may be values of a kind that were not seen."""
    return frame.open and isinstance(kind, (EntityKind, OptionKind))


def first_value(state: State[Any]) -> Any:
    """Return a variable's declared initial value, `UNKNOWN` where any value may be the first."""
    return state.initial.value if isinstance(state.initial, Lit) else UNKNOWN


def restore(env: Env, var: Var[Any], old: Any) -> None:
    """Give a variable back its former value, `MISSING` for none."""
    if old is MISSING:
        env.pop(var, None)
    else:
        env[var] = old
