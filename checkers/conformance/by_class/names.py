"""Renames entity ids in cached evaluations, so that a result found for one broker can be reused for another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from fencepost.checkers.conformance.classes.frames import Frame

from .tracer import Compared, Read

if TYPE_CHECKING:
    from .read_sets import ReadSet

Names: TypeAlias = Sequence[Mapping[Any, Any]]
"""The placeholder of each entity, by sort."""

Rename: TypeAlias = Callable[[Any, Names], Any]
"""A value with other names in it."""

Check: TypeAlias = Callable[[Frame, Names], bool]
"""Whether the cells that were read have the same values in a state, for the entities of the placeholders by sort."""

Footprint: TypeAlias = tuple[tuple[bool, int], ...]
"""The slots that were read, of the state after a step or before it."""


class Table(NamedTuple):
    """How the keys, the values and the values' members of a table get other names, of which sorts these are, by number,
    -1 where of none, and whether there are any."""

    keys: tuple[Rename | None, ...]
    value: Rename | None
    member: Rename | None
    sorts: tuple[int, ...]
    sort: int
    is_named: bool


class Stand:
    """A placeholder for an entity in results that are cached for all names."""

    __slots__ = ()


class New(dict[Any, Any]):
    """Names in which an entity met first gets the next placeholder; the first `seen` of them were seen (`Renaming`)."""

    __slots__ = ("_next", "_stands", "seen")

    def __init__(self, fixed: Mapping[Any, Any], stands: list[Stand]) -> None:
        super().__init__(fixed)
        self._stands, self._next, self.seen = stands, 0, 0

    def copy(self) -> New:
        """Return the same names, to go on with by themselves."""
        other = New(self, self._stands)
        other._next, other.seen = self._next, self.seen
        return other

    def __missing__(self, one: Any) -> Stand:
        if self._next == len(self._stands):
            self._stands.append(Stand())
        found = self[one] = self._stands[self._next]
        self._next += 1
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """The result of an evaluation, and the cells it read and compared, with placeholders instead of names.

    `later` are placeholders of others than the query names, `open` are the reads that name these, each with its
    placeholders; `alone` has by placeholder the cells read of this entity alone, that name no other. `common` are the
    reads that name no entity, `checks` test for names whether all others hold in a state; both are None where a read
    names what the entity's id does. `made` are the entries derived from it, by the names in the query and by all names.
    """

    reads: tuple[Read | Compared, ...]
    compared: tuple[Compared, ...]
    result: Any
    open: tuple[tuple[Read, tuple[Any, ...]], ...]
    later: tuple[Any, ...]
    alone: Mapping[Any, list[Read]]
    common: ReadSet | None
    checks: tuple[Check, ...] | None
    made: dict[Any, dict[Any, Any]] = field(default_factory=dict)

    def is_same(self, other: Answer) -> bool:
        """Whether another says the same of the same."""
        return (self.reads, self.compared, self.result) == (other.reads, other.compared, other.result)


class Found:
    """Entities found for placeholders, no entity for two: by sort the entity of each, and the entities in use."""

    def __init__(self, names: Sequence[Mapping[Any, Any]]) -> None:
        self.of = [{stand: one for one, stand in some.items()} for some in names]
        self._names = names
        self._taken: list[set[Any]] | None = None

    def has(self, stands: Iterable[Any]) -> bool:
        """Whether the entities of all placeholders among some values are known."""
        return all(type(one) is not Stand or any(one in some for some in self.of) for one in stands)

    def bind(self, at: int, stand: Any, one: Any) -> bool:
        """Bind a placeholder to an entity, if both are free; return whether it is bound to it now."""
        taken = self._taken
        if taken is None:
            taken = self._taken = [set(some) for some in self._names]
        if type(stand) is not Stand or stand in self.of[at] or one in taken[at]:
            return False
        self.of[at][stand] = one
        taken[at].add(one)
        return True
