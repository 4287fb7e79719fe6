"""The finite scope: a few entities of each sort, quantifiers written out, sets counted."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import z3

from fencepost.model.language import Kind, Protocol, World
from fencepost.model.language.kinds import (
    BoolKind,
    EntityKind,
    EnumKind,
    IntKind,
    ListKind,
    OptionKind,
    SetKind,
    ThresholdKind,
)
from fencepost.model.language.terms import Lit

from .logic import Expr, ListValue, Option, SetValue, Truth, Value, conj, disj
from .scope import Inexpressible, Scope, enumeration

COUNTER_STEPS = 3
"""How far a counter goes above its start in a finite scope, or to the greatest number that the tables name."""

_finite_sorts: dict[tuple[str, int], tuple[Any, list[Any]]] = {}


@lru_cache(maxsize=8)
def _greatest_literals(protocol: Protocol) -> dict[str, int]:
    """Return the greatest number that the tables name, for each kind of counter."""
    found: dict[str, int] = {}
    for node in protocol.nodes:
        if isinstance(node, Lit) and isinstance(node.kind, IntKind):
            found[node.kind.name] = max(node.value, found.get(node.kind.name, node.value))
    return found


class Finite(Scope):
    """A few entities of each sort; quantifiers written out, sets counted."""

    finite = True

    def __init__(self, protocol: Protocol, sizes: Mapping[str, int], steps: int = COUNTER_STEPS) -> None:
        super().__init__(protocol)
        self.sizes = {name: max(size, protocol.individuals.get(name, 0)) for name, size in sizes.items()}
        self.steps = steps
        most = max(self.sizes.values(), default=1) + 1
        named = _greatest_literals(protocol)
        ranges = {
            k.name: (k.lo, max(k.lo + steps, named.get(k.name, k.lo) + 1))
            for k in protocol.kinds
            if isinstance(k, IntKind)
        }
        ranges |= {k.name: (1, most) for k in protocol.kinds if isinstance(k, ThresholdKind)}
        self.world = World({name: tuple(range(n)) for name, n in self.sizes.items()}, ranges)
        self._values: dict[Kind[Any], list[Expr]] = {}

    def entity_sort(self, kind: EntityKind[Any]) -> Any:
        """Return the sort of an entity kind, as an enumeration of its few elements."""
        return self._few(kind.name)[0]

    def _few(self, name: str) -> tuple[Any, list[Any]]:
        size = self.sizes[name]
        if (name, size) not in _finite_sorts:
            _finite_sorts[name, size] = z3.EnumSort(f"{name}/{size}", [f"{name}{i}/{size}" for i in range(size)])
        return _finite_sorts[name, size]

    def threshold_sort(self, kind: ThresholdKind) -> Any:
        """Return the integers: here sets are counted."""
        return z3.IntSort()

    def threshold_value(self, kind: ThresholdKind, expr: Expr) -> Value:
        """Return the number itself."""
        return expr

    def threshold_range(self, value: Value) -> Iterator[Truth]:
        """Yield that a threshold is at least one, and at most one more than there are entities."""
        yield value >= 1
        yield value <= max(self.sizes.values(), default=1) + 1

    def in_range(self, value: Expr, kind: IntKind) -> Truth:
        """Return the condition that a counter is in its small range."""
        low, high = self.world.ranges[kind.name]
        return z3.And(value >= low, value <= high)

    def values(self, kind: Kind[Any]) -> list[Value]:
        """Return every value of a first-order kind, in the order in which the interpreter counts them."""
        if kind not in self._values:
            self._values[kind] = list(self._listed(kind))
        return self._values[kind]

    def individual(self, kind: EntityKind[Any], number: int) -> Value:
        """Return the entity with a number: the scope has at least as many as the tables name."""
        return self.values(kind)[number]

    def default(self, kind: Kind[Any]) -> Value:
        """Return the first value of a kind, to stand where an option holds none."""
        return self._first(kind)

    def plain(self, kind: Kind[Any]) -> Value:
        """Return the plainest value of a kind: none, nobody, the first."""
        if isinstance(kind, (SetKind, ListKind)):
            return ListValue(lambda e: False, lambda e, f: False)
        return self._first(kind)

    def _first(self, kind: Kind[Any]) -> Value:
        """The first value of a kind; the others, of which a counter may have thousands, are not made for it."""
        return self._values[kind][0] if kind in self._values else next(self._listed(kind))

    def _listed(self, kind: Kind[Any]) -> Iterator[Value]:
        match kind:
            case BoolKind():
                yield from (False, True)
            case EnumKind():
                yield from (self.literal(c) for c in enumeration(kind.enum)[1].values())
            case EntityKind():
                yield from (self.literal(c) for c in self._few(kind.name)[1])
            case IntKind() | ThresholdKind():
                low, high = self.world.ranges[kind.name]
                for n in range(low, high + 1):
                    made = self.literal(z3.IntVal(n))
                    self.ranged(made)
                    yield made
            case OptionKind():
                yield Option(True, self._first(kind.of))
                yield from (Option(False, v) for v in self.values(kind.of))
            case SetKind(of=EntityKind() as of):
                yield from (self._set(of, chosen) for chosen in self.world.values(SetKind(of)))
            case ListKind(of=EntityKind() as of):
                yield from (self._list(of, chosen) for chosen in self.world.values(ListKind(of)))
            case _:
                raise Inexpressible(f"the values of {kind}")

    def _set(self, of: EntityKind[Any], chosen: frozenset[int]) -> SetValue:
        items = self.values(of)
        return SetValue(lambda e: disj(self.same(e, items[i]) for i in chosen))

    def _list(self, of: EntityKind[Any], chosen: tuple[int, ...]) -> ListValue:
        items = self.values(of)
        pairs = list(itertools.combinations(chosen, 2))
        return ListValue(
            lambda e: disj(self.same(e, items[i]) for i in chosen),
            lambda e, f: disj(conj((self.same(e, items[i]), self.same(f, items[j]))) for i, j in pairs),
        )

    def quantified(self, universal: bool, kinds: Sequence[Kind[Any]], body: Callable[..., Truth]) -> Truth:
        """Return the conjunction or disjunction of the body over every tuple of values."""
        join = conj if universal else disj
        return join(body(*chosen) for chosen in itertools.product(*(self.values(kind) for kind in kinds)))

    def cases(self, kind: Kind[Any]) -> int:
        """Return how many values a kind has."""
        return len(self.values(kind))

    def every_one(self, kinds: Sequence[Kind[Any]], bodies: Callable[..., Iterator[Truth]]) -> Iterator[Truth]:
        """Yield every body for every tuple of values."""
        for chosen in itertools.product(*(self.values(kind) for kind in kinds)):
            yield from bodies(*chosen)
