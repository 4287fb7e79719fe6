"""Scopes: how the kinds of a protocol become sorts of the solver, for any number of entities or for a few of each."""

from __future__ import annotations

import enum
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
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
from fencepost.model.language.walk import nodes

from .logic import (
    Expr,
    ListValue,
    Option,
    SetValue,
    ThresholdValue,
    Truth,
    Value,
    application,
    as_option,
    conj,
    disj,
    equation,
    expression,
    iff,
    implies,
    neg,
    same_expression,
)

COUNTER_STEPS = 3
"""How far a counter goes above its start in a finite scope."""


class Inexpressible(Exception):
    """A construct that the unbounded encoding has no sound form for; the obligation is then not proved."""


@dataclass(frozen=True, eq=False)
class Symbol:
    """An uninterpreted value of a kind for every tuple of arguments."""

    apply: Callable[[Sequence[Expr]], Value]


_enumerations: dict[type[enum.Enum], tuple[Any, dict[enum.Enum, Any]]] = {}
_finite_sorts: dict[tuple[str, int], tuple[Any, list[Any]]] = {}


def enumeration(of: type[enum.Enum]) -> tuple[Any, dict[enum.Enum, Any]]:
    """Return the sort of an enumeration and its members; made once, since Z3 knows such sorts by their name."""
    if of not in _enumerations:
        name = f"{of.__name__}#{len(_enumerations)}"
        members = list(of)
        made, constants = z3.EnumSort(name, [f"{name}.{m.name}" for m in members])
        _enumerations[of] = made, dict(zip(members, constants, strict=True))
    return _enumerations[of]


class Scope:
    """What both scopes share: symbols, equality, and arbitrary values of every kind."""

    finite = False

    def __init__(self, protocol: Protocol) -> None:
        self.protocol = protocol
        self._numbers = itertools.count()
        self._ground: set[int] = set()
        self._literals: set[int] = set()
        self._kept: list[Any] = []
        self._ranged: set[int] = set()

    # -- names and sorts -------------------------------------------------------------------------------------------
    def name(self, base: str) -> str:
        """Return a name that nothing else has: the solver's interface catches variables by their names."""
        return f"{base}!{next(self._numbers)}"

    def entity_sort(self, kind: EntityKind[Any]) -> Any:
        """Return the sort of an entity kind."""
        raise NotImplementedError

    def sort(self, kind: Kind[Any]) -> Any:
        """Return the sort of a first-order kind; raises `Inexpressible` for any other."""
        match kind:
            case BoolKind():
                return z3.BoolSort()
            case IntKind():
                return z3.IntSort()
            case EnumKind():
                return enumeration(kind.enum)[0]
            case EntityKind():
                return self.entity_sort(kind)
            case ThresholdKind():
                return self.threshold_sort(kind)
        raise Inexpressible(f"a {kind} has no sort of its own")

    def threshold_sort(self, kind: ThresholdKind) -> Any:
        """Return the sort of a threshold."""
        raise NotImplementedError

    def threshold_value(self, kind: ThresholdKind, expr: Expr) -> Value:
        """Return what an element of the sort of thresholds means."""
        raise NotImplementedError

    # -- ground values ---------------------------------------------------------------------------------------------
    def ground(self, value: Value) -> Value:
        """Remember that a value speaks of no bound variable, and return it."""
        if isinstance(value, Option):
            self.ground(value.none)
            self.ground(value.value)
        elif isinstance(value, z3.ExprRef):
            if value.ast.value in self._ground:
                return value
            self._kept.append(value)
            self._ground.add(value.ast.value)
        return value

    def is_ground(self, value: Value) -> bool:
        """Return whether a value is known to speak of no bound variable."""
        if isinstance(value, Option):
            return self.is_ground(value.none) and self.is_ground(value.value)
        if isinstance(value, z3.ExprRef):
            return value.ast.value in self._ground
        return isinstance(value, bool)

    def literal(self, expr: Expr) -> Expr:
        """Remember that an expression equals no other literal of its sort, and return it."""
        self._literals.add(expr.ast.value)
        return self.ground(expr)

    # -- symbols ---------------------------------------------------------------------------------------------------
    def symbol(self, base: str, arguments: Sequence[Any], kind: Kind[Any]) -> Symbol:
        """Return a new symbol over arguments of the given sorts with values of a kind."""
        match kind:
            case OptionKind():
                none = self._function(f"{base}.none", arguments, z3.BoolSort())
                inside = self.symbol(base, arguments, kind.of)
                return Symbol(lambda args: Option(none(args), inside.apply(args)))
            case SetKind(of=EntityKind() as of):
                holds = self._function(base, [*arguments, self.entity_sort(of)], z3.BoolSort())
                return Symbol(lambda args: SetValue(lambda e: holds([*args, e])))
            case ListKind(of=EntityKind() as of):
                sort = self.entity_sort(of)
                holds = self._function(base, [*arguments, sort], z3.BoolSort())
                order = self._function(f"{base}.before", [*arguments, sort, sort], z3.BoolSort())
                return Symbol(lambda args: ListValue(lambda e: holds([*args, e]), lambda e, f: order([*args, e, f])))
            case ThresholdKind():
                made = self._function(base, arguments, self.threshold_sort(kind))
                return Symbol(lambda args: self.threshold_value(kind, made(args)))
        return Symbol(self._function(base, arguments, self.sort(kind)))

    def _function(self, base: str, arguments: Sequence[Any], result: Any) -> Callable[[Sequence[Expr]], Expr]:
        name = self.name(base)
        if not arguments:
            constant = self.ground(z3.Const(name, result))
            return lambda args: constant
        made = z3.Function(name, *arguments, result)
        like = type(z3.Const("like", result))

        def apply(args: Sequence[Expr]) -> Expr:
            found = application(made, [expression(a) for a in args], like)
            if all(self.is_ground(a) for a in args):
                self.ground(found)
            return found

        return apply

    def arguments(self, value: Value, kind: Kind[Any]) -> list[Expr]:
        """Return a first-order value as arguments of a symbol; raises `Inexpressible` for a set, a list or a threshold."""
        if isinstance(kind, OptionKind):
            option = as_option(value)
            return [option.none, *self.arguments(option.value, kind.of)]
        if isinstance(kind, (SetKind, ListKind)) or isinstance(value, ThresholdValue):
            raise Inexpressible(f"a {kind} cannot be an argument")
        return [value]

    def argument_sorts(self, kind: Kind[Any]) -> list[Any]:
        """Return the sorts of what `arguments` returns for a kind."""
        if isinstance(kind, OptionKind):
            return [z3.BoolSort(), *self.argument_sorts(kind.of)]
        return [self.sort(kind)]

    def any_value(self, base: str, kind: Kind[Any]) -> tuple[Value, list[Truth]]:
        """Return an arbitrary value of a kind, and what holds of it because it is one."""
        value = self.symbol(base, (), kind).apply(())
        return value, list(self.well_formed(value, kind))

    def well_formed(self, value: Value, kind: Kind[Any]) -> Iterator[Truth]:
        """Yield what holds of every value of a kind: ranges of counters, and that lists are ordered."""
        match kind:
            case IntKind():
                yield self.in_range(value, kind)
            case OptionKind():
                yield from self.well_formed(value.value, kind.of)
            case ListKind(of=EntityKind() as of):
                yield from self._ordered(value, of)
            case ThresholdKind():
                yield from self.threshold_range(value)

    def ranged(self, counter: Expr) -> None:
        """Remember that a counter is in the range of its kind."""
        self._kept.append(counter)
        self._ranged.add(counter.ast.value)

    def is_ranged(self, counter: Expr) -> bool:
        """Return whether a counter is known to be in the range of its kind."""
        return counter.ast.value in self._ranged

    def _ordered(self, value: ListValue, of: EntityKind[Any]) -> Iterator[Truth]:
        inside, before = value.contains, value.before
        yield self.every((of,), lambda a: neg(before(a, a)))
        yield self.every((of, of), lambda a, b: implies(before(a, b), conj((inside(a), inside(b)))))
        yield self.every(
            (of, of),
            lambda a, b: implies(conj((inside(a), inside(b))), disj((self.same(a, b), before(a, b), before(b, a)))),
        )
        yield self.every((of, of), lambda a, b: neg(conj((before(a, b), before(b, a)))))
        yield self.every((of, of, of), lambda a, b, c: implies(conj((before(a, b), before(b, c))), before(a, c)))

    def in_range(self, value: Expr, kind: IntKind) -> Truth:
        """Return the condition that a counter is in its range."""
        raise NotImplementedError

    def threshold_range(self, value: Value) -> Iterator[Truth]:
        """Yield what holds of every threshold."""
        return iter(())

    # -- equality --------------------------------------------------------------------------------------------------
    def same(self, left: Expr, right: Expr) -> Truth:
        """Return the equality of two first-order expressions."""
        if isinstance(left, bool) or isinstance(right, bool):
            return iff(left, right)
        if same_expression(left, right):
            return True
        if left.ast.value in self._literals and right.ast.value in self._literals:
            return False
        return equation(left, right)

    def equal(self, left: Value, right: Value, kind: Kind[Any]) -> Truth:
        """Return the equality of two values of a kind (an entity counts as the option that holds it)."""
        if left is right:
            return True
        if isinstance(left, Option) or isinstance(right, Option):
            a, b = as_option(left), as_option(right)
            inner = kind.of if isinstance(kind, OptionKind) else kind
            inside = False if a.none is True or b.none is True else self.equal(a.value, b.value, inner)
            return conj((iff(a.none, b.none), disj((a.none, inside))))
        if isinstance(kind, SetKind) and isinstance(kind.of, EntityKind):
            return self.every((kind.of,), lambda e: iff(left.contains(e), right.contains(e)))
        if isinstance(kind, ListKind) and isinstance(kind.of, EntityKind):
            return self._same_list(left, right, kind.of)
        if isinstance(left, ThresholdValue):
            if left.expr is None or right.expr is None:
                raise Inexpressible("thresholds that are composed cannot be compared")
            return self.same(left.expr, right.expr)
        return self.same(left, right)

    def _same_list(self, left: ListValue, right: ListValue, of: EntityKind[Any]) -> Truth:
        members = self.every((of,), lambda e: iff(left.contains(e), right.contains(e)))
        probe = [z3.Const(self.name("probe"), self.entity_sort(of)) for _ in range(2)]
        if left.before(*probe) is False or right.before(*probe) is False:
            return members  # one of them has no two members, so equal members leave no order to differ
        return conj((members, self.every((of, of), lambda e, f: iff(left.before(e, f), right.before(e, f)))))

    # -- quantifiers -----------------------------------------------------------------------------------------------
    def quantified(self, universal: bool, kinds: Sequence[Kind[Any]], body: Callable[..., Truth]) -> Truth:
        """Return "for every (or some) values of the kinds, the body"."""
        raise NotImplementedError

    def every_one(self, kinds: Sequence[Kind[Any]], bodies: Callable[..., Iterator[Truth]]) -> Iterator[Truth]:
        """Yield "for every values of the kinds" of each body."""
        raise NotImplementedError

    def every(self, kinds: Sequence[Kind[Any]], body: Callable[..., Truth]) -> Truth:
        """Return "for every values of the kinds, the body"."""
        return self.quantified(True, kinds, body)

    def some(self, kinds: Sequence[Kind[Any]], body: Callable[..., Truth]) -> Truth:
        """Return "for some values of the kinds, the body"."""
        return self.quantified(False, kinds, body)


class Unbounded(Scope):
    """Any number of entities, counters without an upper end, thresholds as families of sets."""

    def __init__(self, protocol: Protocol) -> None:
        super().__init__(protocol)
        self._sorts: dict[str, Any] = {}
        self._families: dict[tuple[str, str], Any] = {}
        self._orders: dict[str, Any] = {}
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
        return z3.ForAll(names, whole) if universal else z3.Exists(names, whole)

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
                yield whole if not names or isinstance(whole, bool) else z3.ForAll(names, whole)

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
                made = z3.Const(self.name(kind.name), z3.IntSort())
                names.append(made)
                self.ranged(made)
                yield made, made >= kind.lo
            case EntityKind():
                made = z3.Const(self.name(kind.name), self.entity_sort(kind))
                names.append(made)
                yield made, True
            case _:
                raise Inexpressible(f"a quantifier over {kind}")

    def default(self, kind: Kind[Any]) -> Value:
        """Return a fixed value of a kind, to stand where an option holds none."""
        return self.ground(z3.Const(f"unused {kind}", self.sort(kind)))

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
        """Return a threshold: one that is one is reached by any member, another by a set of a family of minimal sets."""

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
                    (
                        *(s.contains(x) for x in e),
                        *(neg(self.same(x, y)) for x, y in itertools.combinations(e, 2)),
                    )
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


def _greatest_literals(protocol: Protocol) -> dict[str, int]:
    """Return the greatest number that the tables name, for each kind of counter."""
    found: dict[str, int] = {}
    for term in protocol.terms():
        for node in nodes(term):
            if isinstance(node, Lit) and isinstance(node.kind, IntKind):
                found[node.kind.name] = max(node.value, found.get(node.kind.name, node.value))
    return found


class Finite(Scope):
    """A few entities of each sort; quantifiers written out, sets counted."""

    finite = True

    def __init__(self, protocol: Protocol, sizes: Mapping[str, int], steps: int = COUNTER_STEPS) -> None:
        super().__init__(protocol)
        self.sizes, self.steps = dict(sizes), steps
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

    def plain(self, kind: Kind[Any]) -> Value:
        """Return the plainest value of a kind: none, nobody, the first."""
        if isinstance(kind, (SetKind, ListKind)):
            return ListValue(lambda e: False, lambda e, f: False)
        return self.values(kind)[0]

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
                yield Option(True, self.values(kind.of)[0])
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

    def every_one(self, kinds: Sequence[Kind[Any]], bodies: Callable[..., Iterator[Truth]]) -> Iterator[Truth]:
        """Yield every body for every tuple of values."""
        for chosen in itertools.product(*(self.values(kind) for kind in kinds)):
            yield from bodies(*chosen)
