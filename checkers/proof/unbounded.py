"""The unbounded scope: entities as uninterpreted sorts, quantifiers kept, thresholds as families of sets."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import z3

from fencepost.model.language import Kind, Protocol
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

from .logic import (
    Expr,
    ListValue,
    Option,
    SetValue,
    ThresholdValue,
    Truth,
    Value,
    conj,
    constant,
    disj,
    expression,
    implies,
    neg,
    quantified,
)
from .scope import Inexpressible, Scope, advice, enumeration
from .variation import PLAIN, Variation


class Unbounded(Scope):
    """Any number of entities, counters without an upper end, thresholds as families of sets."""

    def __init__(self, protocol: Protocol, variation: Variation = PLAIN) -> None:
        super().__init__(protocol, variation)
        self._sorts: dict[str, Any] = {}
        self._families: dict[tuple[str, str], Any] = {}
        self._orders: dict[str, Any] = {}
        self._individuals: dict[tuple[str, Any], Any] = {}
        self.background: list[Truth] = []
        self.abstractions: set[str] = set()

    def _sort(self, name: str) -> Any:
        if name not in self._sorts:
            self._sorts[name] = z3.DeclareSort(self.name(name))
        return self._sorts[name]

    def entity_sort(self, kind: EntityKind[Any]) -> Any:
        """Return the uninterpreted sort of an entity kind."""
        return self._sort(kind.name)

    def threshold_sort(self, kind: ThresholdKind) -> Any:
        """Return the uninterpreted sort of thresholds: all kinds share it, so that a size may meet any of them."""
        return self._sort("threshold")

    def in_range(self, value: Expr, kind: IntKind) -> Truth:
        """Return the condition that a counter is not below its start."""
        return value >= kind.lo

    def quantified(self, universal: bool, kinds: Sequence[Kind[Any]], body: Callable[..., Truth]) -> Truth:
        """Return a quantifier with fresh names; enumerations, truth values and the none of options are written out."""
        names, ranges = self._ranges(kinds)
        join, combine = (conj, implies) if universal else (disj, lambda g, b: conj((g, b)))
        parts = []
        for chosen in itertools.product(*ranges):
            guard = conj(g for _, g in chosen)
            parts.append(combine(guard, body(*(v for v, _ in chosen))))
        whole = join(parts)
        if not names or isinstance(whole, bool):
            return whole
        return quantified(universal, names, whole)

    def _ranges(self, kinds: Sequence[Kind[Any]]) -> tuple[list[Any], list[list[tuple[Value, Truth]]]]:
        names: list[Any] = []
        return names, [[*self._cases(kind, names)] for kind in kinds]

    def every_one(self, kinds: Sequence[Kind[Any]], bodies: Callable[..., Iterator[Truth]]) -> Iterator[Truth]:
        """Yield "for every values of the kinds" of each body; all are built over the same names."""
        names, ranges = self._ranges(kinds)
        for chosen in itertools.product(*ranges):
            guard = conj(g for _, g in chosen)
            for body in bodies(*(v for v, _ in chosen)):
                whole = implies(guard, body)
                yield whole if not names or isinstance(whole, bool) else quantified(True, names, whole)

    def cases(self, kind: Kind[Any]) -> int:
        """Return how often `every_one` yields a body for a kind."""
        match kind:
            case BoolKind():
                return 2
            case EnumKind():
                return len(enumeration(kind.enum)[1])
            case OptionKind():
                return 1 + self.cases(kind.of)
        return 1

    def _cases(self, kind: Kind[Any], names: list[Any]) -> Iterator[tuple[Value, Truth]]:
        match kind:
            case BoolKind():
                yield from ((False, True), (True, True))
            case EnumKind():
                yield from ((self.literal(c), True) for c in enumeration(kind.enum)[1].values())
            case OptionKind():
                yield Option(True, self.default(kind.of)), True
                yield from ((Option(False, v), g) for v, g in self._cases(kind.of, names))
            case IntKind():
                made = constant(self.name(kind.name), z3.IntSort())
                names.append(made)
                self.ranged(made)
                yield made, made >= kind.lo
            case EntityKind():
                made = constant(self.name(kind.name), self.entity_sort(kind))
                names.append(made)
                yield made, True
            case _:
                raise Inexpressible(f"a quantifier over {kind}{advice(kind)}")

    def default(self, kind: Kind[Any]) -> Value:
        """Return a fixed value of a kind, to stand where an option holds none."""
        if isinstance(kind, SetKind):
            return SetValue(lambda e: False)
        if isinstance(kind, ListKind):
            return ListValue(lambda e: False, lambda e, f: False)
        return self.ground(z3.Const(f"unused {kind}", self.sort(kind)))

    def individual(self, kind: EntityKind[Any], number: int) -> Value:
        """Return the entity that the tables name by a number: a constant, other than those of other numbers."""
        made = self._individuals.get((kind.name, number))
        if made is None:
            made = self.literal(z3.Const(self.name(f"{kind.name}{number}"), self.entity_sort(kind)))
            others = [one for (name, _), one in self._individuals.items() if name == kind.name]
            self.background += [made != one for one in others]
            self._individuals[kind.name, number] = made
        return made

    def order(self, of: EntityKind[Any]) -> Callable[[Expr, Expr], Truth]:
        """Return the order of ids on a sort: some total order, the same everywhere."""
        if of.name not in self._orders:
            made = self._orders[of.name] = z3.Function(self.name(f"{of.name}.id"), self.entity_sort(of), z3.IntSort())
            self.background.append(self.every((of, of), lambda a, b: implies(made(a) == made(b), self.same(a, b))))
        ids = self._orders[of.name]
        return lambda a, b: ids(a) < ids(b)

    # -- thresholds ------------------------------------------------------------------------------------------------
    def _one(self, expr: Expr) -> Truth:
        return z3.Function("threshold is one", self._sort("threshold"), z3.BoolSort())(expr)

    def _family(self, sort: str) -> Any:
        key = ("family", sort)
        if key not in self._families:
            sets, size, members = self._sort(f"sets of {sort}"), self._sort("threshold"), self._sort(sort)
            large = z3.Function(self.name(f"minimal {sort}"), size, sets, z3.BoolSort())
            inside = z3.Function(self.name(f"inside {sort}"), sets, members, z3.BoolSort())
            first, second = (z3.Function(self.name(f"witness {sort}"), sets, members) for _ in range(2))
            t, q = z3.Const(self.name("t"), size), z3.Const(self.name("q"), sets)
            several = z3.And(inside(q, second(q)), first(q) != second(q))
            self.background += [
                z3.ForAll([t, q], z3.Implies(large(t, q), inside(q, first(q)))),
                z3.ForAll([t, q], z3.Implies(z3.And(large(t, q), z3.Not(self._one(t))), several)),
            ]
            self._families[key] = large, inside, sets, members
        return self._families[key]

    def threshold_value(self, kind: ThresholdKind, expr: Expr) -> Value:
        """Return a threshold: if it is one any member reaches it, else a set of a family of minimal sets."""

        def reached(s: SetValue, sort: str) -> Truth:
            self.abstractions.add("thresholds")
            large, inside, sets, members = self._family(sort)
            q = z3.Const(self.name("q"), sets)
            e, f = (z3.Const(self.name("e"), members) for _ in range(2))
            within = implies(inside(q, e), s.contains(e))
            some = s.contains(f)
            enough = large(expr, q) if within is True else z3.And(large(expr, q), z3.ForAll([e], expression(within)))
            anyone = some if isinstance(some, bool) else z3.Exists([f], some)
            return disj((conj((self._one(expr), anyone)), z3.Exists([q], enough)))

        return ThresholdValue(reached, lambda: self._one(expr), expr)

    def threshold_literal(self, size: int) -> ThresholdValue:
        """Return a threshold that is a number: so many different members."""

        def reached(s: SetValue, sort: str) -> Truth:
            of: EntityKind[Any] = EntityKind(sort)
            return self.some(
                [of] * size,
                lambda *e: conj(
                    (*(s.contains(x) for x in e), *(neg(self.same(x, y)) for x, y in itertools.combinations(e, 2)))
                ),
            )

        key = ("literal", str(size))
        if key not in self._families:
            made = self.literal(z3.Const(self.name(f"threshold {size}"), self._sort("threshold")))
            self.background.append(self._one(made) if size <= 1 else z3.Not(self._one(made)))
            for (what, _), other in self._families.items():
                if what == "literal":
                    self.background.append(made != other)
            self._families[key] = made
        return ThresholdValue(reached, lambda: size <= 1, self._families[key])

    def size(self, of: SetValue, kind: EntityKind[Any], expr: Expr) -> ThresholdValue:
        """Return a set's number of members as a threshold, given its element of the sort of thresholds."""
        self.abstractions.add("sizes")
        base = self.threshold_value(ThresholdKind("size"), expr)
        nobody = self.every((kind,), lambda e: neg(of.contains(e)))
        lone = self.every((kind, kind), lambda a, b: implies(conj((of.contains(a), of.contains(b))), self.same(a, b)))
        return ThresholdValue(lambda s, sort: disj((nobody, base.reached(s, sort))), lambda: lone, expr)

    def size_axioms(self, of: SetValue, kind: EntityKind[Any], expr: Expr) -> Iterator[Truth]:
        """Yield what holds of a set's size: the set reaches it, and inside the set nothing smaller does."""
        large, inside, sets, members = self._family(kind.name)
        base = self.threshold_value(ThresholdKind("size"), expr)
        nobody = self.every((kind,), lambda e: neg(of.contains(e)))
        yield disj((nobody, base.reached(of, kind.name)))
        q = z3.Const(self.name("q"), sets)
        e = z3.Const(self.name("e"), members)
        within = z3.ForAll([e], expression(implies(inside(q, e), of.contains(e))))
        whole = z3.ForAll([e], expression(implies(of.contains(e), inside(q, e))))
        yield z3.ForAll([q], z3.Implies(z3.And(large(expr, q), within), whole))
