"""Kinds: what a term can be, each with the Python value that the interpreter gives it.

| kind        | Python value              | bounded by                                  |
|-------------|---------------------------|---------------------------------------------|
| `BOOL`      | `bool`                    |                                             |
| counter     | `int`                     | a range in exploration, nothing in proof    |
| threshold   | `int`, only ever compared with a size | a range in exploration          |
| enumeration | the `enum.Enum` member    | its members                                 |
| entity      | any hashable value        | a number of them in exploration, none in proof |
| `maybe(k)`  | a value of `k`, or `None` |                                             |
| `set_of(k)` | `frozenset`               |                                             |
| `list_of(k)`| `tuple` without duplicates|                                             |
| `beside(k, v)` | a `tuple` of values, one for each entry of a list of `k` that it accompanies    | records only |
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, NewType, TypeVar

from .errors import refuse

if TYPE_CHECKING:
    from .terms import Var

T = TypeVar("T")
E = TypeVar("E", bound=enum.Enum)

Threshold = NewType("Threshold", int)
"""A number that only ever answers "has this set so many members?", so that proofs need no arithmetic of sizes."""


class Entity:
    """Base of the phantom classes that name a sort of entities, such as `class Broker(Entity)`."""


N = TypeVar("N", bound=Entity)


class Kind(Generic[T]):
    """The type of a term; `T` is the Python type of its values."""

    def var(self, name: str) -> Var[T]:
        """Return a variable of this kind, to be bound by an event, a quantifier or a procedure."""
        from .terms import Var

        return Var(name, self)


@dataclass(frozen=True, slots=True)
class BoolKind(Kind[bool]):
    """Truth values."""

    def __str__(self) -> str:
        return "Bool"


@dataclass(frozen=True, slots=True)
class IntKind(Kind[int]):
    """A counter: unbounded for proof, `lo` to the bound of its name for exploration."""

    name: str
    lo: int = 0

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class ThresholdKind(Kind[Threshold]):
    """A size to be reached: `1` to the bound of its name for exploration."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class EnumKind(Kind[E]):
    """The members of an enumeration; where records carry them, their values are the numbers on the wire."""

    enum: type[E]

    def __str__(self) -> str:
        return self.enum.__name__


@dataclass(frozen=True, slots=True)
class EntityKind(Kind[N]):
    """A sort of entities: any number of them for proof, as many as the bound says for exploration."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class OptionKind(Kind[T]):
    """A value of another kind, or none."""

    of: Kind[object]

    def __str__(self) -> str:
        return f"maybe {self.of}"


@dataclass(frozen=True, slots=True)
class SetKind(Kind[T]):
    """A set of entities."""

    of: Kind[object]

    def __str__(self) -> str:
        return f"set of {self.of}"


@dataclass(frozen=True, slots=True)
class ListKind(Kind[T]):
    """A list of entities without duplicates."""

    of: Kind[object]

    def __str__(self) -> str:
        return f"list of {self.of}"


@dataclass(frozen=True, slots=True)
class MapKind(Kind[T]):
    """The kind of a list of values beside a list of entities, one value for each; only fields of records have it."""

    of: Kind[object]
    to: Kind[object]

    def __str__(self) -> str:
        return f"{self.to} beside {self.of}"


BOOL = BoolKind()


def sort(entity: type[N]) -> EntityKind[N]:
    """Return the sort of entities that a phantom class names."""
    return EntityKind(entity.__name__)


def counter(name: str, lo: int = 0) -> IntKind:
    """Return a kind of counter that starts no lower than `lo`."""
    return IntKind(name, lo)


def threshold(name: str) -> ThresholdKind:
    """Return a kind of threshold."""
    return ThresholdKind(name)


def one_of(enumeration: type[E]) -> EnumKind[E]:
    """Return the kind of an enumeration's members; raises `TableError` where it has none."""
    if not list(enumeration):
        raise refuse(enumeration.__name__, "is an enumeration without members", "give it members, or use BOOL")
    return EnumKind(enumeration)


def maybe(kind: Kind[T]) -> Kind[T | None]:
    """Return the kind of a value that may be absent; raises `TableError` for one that may be absent already."""
    if isinstance(kind, OptionKind):
        raise refuse(f"maybe {kind}", "an option of an option has two values for none", "use one option")
    return OptionKind(kind)  # type: ignore[arg-type]


def set_of(kind: EntityKind[N]) -> Kind[frozenset[N]]:
    """Return the kind of sets of entities; raises `TableError` for another kind of members."""
    _of_entities(kind, "set")
    return SetKind(kind)  # type: ignore[arg-type]


def _of_entities(kind: object, what: str) -> None:
    if not isinstance(kind, EntityKind):
        write = f"declare a sort of entities for what the {what} has"
        raise refuse(f"{what} of {kind}", f"a {what} is of entities", write)


def beside(kind: EntityKind[N], to: Kind[T]) -> Kind[tuple[T, ...]]:
    """Return the kind of lists of values that stand beside a list of entities."""
    return MapKind(kind, to)  # type: ignore[arg-type]


def list_of(kind: EntityKind[N]) -> Kind[tuple[N, ...]]:
    """Return the kind of lists of entities without duplicates; raises `TableError` for another kind of members."""
    _of_entities(kind, "list")
    return ListKind(kind)  # type: ignore[arg-type]
