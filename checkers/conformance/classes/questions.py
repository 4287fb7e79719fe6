"""Queries about entities of the classed sort, with the values of a record or of bound variables, and their kinds."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, NamedTuple, TypeAlias

from fencepost.model.language import Field, Record, Var
from fencepost.model.language.kinds import Kind

Cells: TypeAlias = frozenset[tuple[int, tuple[Any, ...]]]
"""Cells of an entity, by the number of their table and their further keys."""


class Question(NamedTuple):
    """A query about an entity, the same for all of its class.

    `what` names no entity. `before` is the class, `after` that behind the step that it is about, -1 without one.
    `said` and `bound` are numbers for what a record says and what variables are bound to (`Local.number`), -1 for
    nothing. `cells` are those that the step touched, `counted` by how much its numbers were counted up.
    """

    what: tuple[Hashable, ...]
    before: int
    after: int = -1
    said: int = -1
    bound: int = -1
    cells: Cells = frozenset()
    counted: tuple[Any, ...] = ()


class Parts(NamedTuple):
    """A part that names no entity, and values of kinds that may."""

    rest: Hashable
    parts: tuple[tuple[Kind[Any], Any], ...]


class Said(NamedTuple):
    """The content of a record beside its entity's id: the values of some fields."""

    record: Record
    version: int | None
    fields: tuple[Field[Any], ...]
    values: tuple[Any, ...]

    def told(self) -> Parts:
        """Return it with the kinds of its values."""
        parts = zip([field.kind for field in self.fields], self.values, strict=True)
        return Parts((self.record, self.version), tuple(parts))


class Bound(NamedTuple):
    """The values that variables are bound to (`Local.bound`)."""

    variables: tuple[tuple[Var[Any], Any], ...]

    def told(self) -> Parts:
        """Return it with the kinds of its values."""
        return Parts(
            tuple([var for var, _ in self.variables]), tuple([(var.kind, value) for var, value in self.variables])
        )


class Patterns(NamedTuple):
    """Instances of a claim about some variables: of each some values, None for all."""

    variables: tuple[Var[Any], ...]
    patterns: frozenset[tuple[Any, ...]]

    def told(self) -> Parts:
        """Return them with the kinds of the variables."""
        listed = sorted(self.patterns, key=repr)
        shape = tuple([tuple([None if some is None else len(some) for some in one]) for one in listed])
        named = ((var, some) for one in listed for var, some in zip(self.variables, one, strict=True))
        return Parts((self.variables, shape), tuple([(var.kind, value) for var, some in named for value in some or ()]))
