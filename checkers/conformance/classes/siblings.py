"""Quantifiers over one other entity: the sibling whose id says a number more, or less, beside the same names.

"The partition before this one, of the same topic" is known by the class of that partition, as the entity itself is by
its own: so a claim that reads it is evaluated once for all entities of a class whose siblings are of one class, too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from fencepost.arrays import np
from fencepost.model.language import Term, Var
from fencepost.model.language.kinds import EntityKind
from fencepost.model.language.terms import Arith, Eq, Get, Lit, Named, Next, Quant
from fencepost.model.language.walk import bound, children, conjuncts, free

from .classes import Classes, Numbers
from .frames import MISSING, Env


class Numbered(Protocol):
    """Assigns numbers to the tables of variables."""

    @property
    def known(self) -> Mapping[Any, int]:
        """The number of the table of each known variable."""


@dataclass(frozen=True, slots=True)
class Sibling:
    """The one value of a quantifier's variable for which its body can hold: by the numbers of the tables that say the
    parts of an id, how much more than those of `outer` these are. `reads` are the tables that the body reads beside."""

    outer: Var[Any]
    more: tuple[tuple[int, int], ...]
    reads: frozenset[int]


def sibling_of(coder: Numbered, term: Quant) -> Sibling | None:
    """Return of which sibling there is to be one, None where a quantifier asks something else.

    Beside the equations that identify the sibling, its body is to depend on nothing but the sibling's own cells.
    """
    if not isinstance(term.var.kind, EntityKind) or term.quantifier != "some":
        return None
    more, outer, reads = dict[int, int](), set[Var[Any]](), set[int]()
    for part in conjuncts(term.body):
        found = _equation(part, term.var, coder)
        if found is not None:
            number, of, by = found
            outer.add(of)
            if more.setdefault(number, by) != by:
                return None
        elif free(part) != {term.var} or not is_of_cells(part, term.var, coder, reads):
            return None
    return Sibling(outer.pop(), tuple(sorted(more.items())), frozenset(reads)) if len(outer) == 1 else None


def _equation(part: Term[Any], var: Var[Any], coder: Numbered) -> tuple[int, Var[Any], int] | None:
    """Return of which table a condition equates a variable's cell with another's, whose, and how much more it is."""
    while isinstance(part, Named):
        part = part.term
    if not isinstance(part, Eq):
        return None
    sides = [_cell(side) for side in (part.left, part.right)]
    for (mine, less), (other, more) in (sides, sides[::-1]):
        if (
            mine is not None
            and other is not None
            and mine.state is other.state
            and mine.state in coder.known
            and mine.keys == (var,)
            and len(other.keys) == 1
            and isinstance(other.keys[0], Var)
            and other.keys[0] is not var
            and other.keys[0].kind == var.kind
        ):
            return coder.known[mine.state], other.keys[0], more - less
    return None


def _cell(term: Term[Any]) -> tuple[Get[Any] | None, int]:
    """Return the cell that a term is, with how much is added to it."""
    while isinstance(term, Named):
        term = term.term
    if isinstance(term, Arith) and term.operator in "+-" and isinstance(term.right, Lit):
        cell, more = _cell(term.left)
        return cell, more + (term.right.value if term.operator == "+" else -term.right.value)
    return (term, 0) if isinstance(term, Get) else (None, 0)


def is_of_cells(term: Term[Any], var: Var[Any], coder: Numbered, numbers: set[int]) -> bool:
    """Whether a term reads nothing of a variable's value but cells whose first key it is; adds their tables."""
    if isinstance(term, Next) or term is var or bound(term) is var:
        return False
    if isinstance(term, Get) and term.keys and term.keys[0] is var:
        if term.state in coder.known:
            numbers.add(coder.known[term.state])
        return all(is_of_cells(key, var, coder, numbers) for key in term.keys[1:])
    return all(is_of_cells(child, var, coder, numbers) for child in children(term))


class Siblings:
    """Finds entities' siblings by the numbers that entities have; `slots` are those of tables, `counted` the tables of
    numbers that records count up."""

    def __init__(self, classes: Classes, slots: Mapping[int, int], counted: frozenset[int]) -> None:
        self.classes, self.slots, self.counted = classes, slots, counted
        self._count = 0
        self._keys = self._order = np.zeros(0, np.int64)
        self._known: dict[int, Numbers] = {}

    def by(self, sibling: Sibling) -> int | None:
        """Return how much more the number in a sibling's id is, None where it is not known by what its tables say."""
        if not sibling.reads.isdisjoint(self.counted) or not sibling.reads.isdisjoint([n for n, _ in sibling.more]):
            return None
        places = {self.classes.places[self.slots[number]]: by for number, by in sibling.more if number in self.slots}
        numbered = [place for place in places if place not in self.classes.parents]
        parents = all(places.get(place) == 0 for place in self.classes.parents)
        if not parents or len(places) < len(sibling.more) or len(numbered) != 1 or numbered[0] is None:
            return None
        width = len(self.classes.parents) + 1
        if self.classes.entities and len(self.classes.entities[0]) != width:
            return None
        return places[numbered[0]]

    def numbers(self, sibling: Sibling, by: int) -> Numbers:
        """Return the number of each entity's sibling whose id's number is more by so much, -1 where none was met."""
        if self._count != len(self.classes.entities):
            self._put_in_order(sibling)
        found = self._known.get(by)
        if found is None:
            wanted = self._keys + by
            at = np.searchsorted(self._keys[self._order], wanted)
            there = self._order[np.minimum(at, self._count - 1)]
            found = self._known[by] = np.where(self._keys[there] == wanted, there, -1)
        return found

    def _put_in_order(self, sibling: Sibling) -> None:
        """Put entities in the order of what their ids say, as one number each."""
        self._count = count = len(self.classes.entities)
        [place] = {self.classes.places[self.slots[number]] for number, _ in sibling.more} - {*self.classes.parents}
        parts = self.classes.numbers(place, -1, np.arange(count))
        self._keys = (self.classes.parent_of[:count].astype(np.int64) << 32) + parts
        self._order = np.argsort(self._keys, kind="stable")
        self._known.clear()

    def are_known(self, sibling: Sibling, present: Iterable[int]) -> bool:
        """Whether in some classes every entity's cells identify its sibling."""
        rows, own = self.classes.rows, self.classes.own
        slots = [self.slots[number] for number, _ in sibling.more]
        return all(rows[number][slot] is own[slot] is not None for number in present for slot in slots)


@dataclass(frozen=True, slots=True)
class Asked:
    """The sibling of `mine`, the entity of an evaluation: an entity, or None where none was met; `by` is
    how much more the number in its id is."""

    sibling: Sibling
    mine: Any
    entity: Any
    by: int

    def values(self, sibling: Sibling | None, env: Env) -> Collection[Any] | None:
        """Return the values that a quantifier's variable may have, None where it is not about this sibling."""
        if sibling is None or sibling.more != self.sibling.more or env.get(sibling.outer, MISSING) != self.mine:
            return None
        return () if self.entity is None else (self.entity,)
