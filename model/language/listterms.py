"""The nodes of terms about lists, sizes and greatest values; `terms.py` has the others and their closed union."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

from .kinds import BOOL, EntityKind, Kind, ListKind, MapKind, OptionKind, SetKind
from .terms import Term, Var

X = TypeVar("X")


@dataclass(frozen=True, eq=False, repr=False)
class First(Term[X | None]):
    """The first entry of a list that is in a set, or none."""

    of: Term[tuple[X, ...]]
    among: Term[frozenset[X]]

    @property
    def kind(self) -> Kind[X | None]:  # type: ignore[override]
        assert isinstance(self.of.kind, ListKind)
        return OptionKind(self.of.kind.of)


@dataclass(frozen=True, eq=False, repr=False)
class Keep(Term[tuple[X, ...]]):
    """The entries of a list that are in a set, in the list's order."""

    of: Term[tuple[X, ...]]
    among: Term[frozenset[X]]

    @property
    def kind(self) -> Kind[tuple[X, ...]]:  # type: ignore[override]
        return self.of.kind


@dataclass(frozen=True, eq=False, repr=False)
class Concat(Term[tuple[X, ...]]):
    """A list followed by the entries of another that it does not have yet."""

    left: Term[tuple[X, ...]]
    right: Term[tuple[X, ...]]

    @property
    def kind(self) -> Kind[tuple[X, ...]]:  # type: ignore[override]
        return self.left.kind


@dataclass(frozen=True, eq=False, repr=False)
class ListOf(Term[tuple[X, ...]]):
    """The list of at most one entity: the option's, or the empty list for none."""

    of: EntityKind[Any]
    item: Term[Any]

    @property
    def kind(self) -> Kind[tuple[X, ...]]:  # type: ignore[override]
        return ListKind(self.of)


@dataclass(frozen=True, eq=False, repr=False)
class Ascending(Term[tuple[X, ...]]):
    """The members of a set as a list, by id."""

    of: Term[frozenset[X]]

    @property
    def kind(self) -> Kind[tuple[X, ...]]:  # type: ignore[override]
        assert isinstance(self.of.kind, SetKind)
        return ListKind(self.of.kind.of)


@dataclass(frozen=True, eq=False, repr=False)
class Repeats(Term[bool]):
    """Whether a list that came from outside has an entity twice; false wherever the kind forbids it."""

    of: Term[tuple[Any, ...]]
    kind = BOOL


@dataclass(frozen=True, eq=False, repr=False)
class AtLeast(Term[bool]):
    """Whether a set has as many members as a threshold asks."""

    of: Term[frozenset[Any]]
    threshold: Term[Any]
    kind = BOOL


@dataclass(frozen=True, eq=False, repr=False)
class Lesser(Term[Any]):
    """The smaller of two thresholds."""

    left: Term[Any]
    right: Term[Any]

    @property
    def kind(self) -> Kind[Any]:  # type: ignore[override]
        return self.left.kind


@dataclass(frozen=True, eq=False, repr=False)
class SizeOf(Term[Any]):
    """The number of members of a set, as a threshold of the given kind."""

    of: Term[frozenset[Any]]
    kind: Kind[Any]


@dataclass(frozen=True, eq=False, repr=False)
class Each(Term[tuple[X, ...]]):
    """The values of a term for the entries of a list, in the list's order: a list beside a list."""

    var: Var[Any]
    along: Term[tuple[Any, ...]]
    body: Term[X]

    @property
    def kind(self) -> Kind[tuple[X, ...]]:  # type: ignore[override]
        return MapKind(self.var.kind, self.body.kind)  # type: ignore[arg-type]


@dataclass(frozen=True, eq=False, repr=False)
class At(Term[X]):
    """The value beside an entry of a list."""

    values: Term[tuple[X, ...]]
    along: Term[tuple[Any, ...]]
    entry: Term[Any]

    @property
    def kind(self) -> Kind[X]:  # type: ignore[override]
        assert isinstance(self.values.kind, MapKind)
        return self.values.kind.to  # type: ignore[return-value]


@dataclass(frozen=True, eq=False, repr=False)
class MaxOf(Term[int]):
    """The greatest value of a counter for which a condition holds, or a default where there is none."""

    var: Var[int]
    body: Term[bool]
    default: Term[int]

    @property
    def kind(self) -> Kind[int]:  # type: ignore[override]
        return self.var.kind
