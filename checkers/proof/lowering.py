"""Terms to formulas: every node of the language, read at a moment, under an environment of bound variables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, assert_never, cast

import z3

from fencepost.model.language import Kind, Node, Term, Var
from fencepost.model.language.kinds import EntityKind, IntKind, ListKind, OptionKind, SetKind, ThresholdKind
from fencepost.model.language.nodes import (
    Arith,
    Ascending,
    At,
    AtLeast,
    Before,
    Compare,
    Comprehension,
    Concat,
    Each,
    Elems,
    Eq,
    First,
    Get,
    Implies,
    Ite,
    Keep,
    Lesser,
    ListOf,
    Lit,
    MaxOf,
    Member,
    Named,
    Nary,
    Next,
    Not,
    Quant,
    Repeats,
    SetOf,
    SetOp,
    SizeOf,
    Subset,
)
from fencepost.model.language.operators import operator_of
from fencepost.model.language.walk import children, free, nary, substitute

from .definitions import Definitions, Need
from .finite import Finite
from .literals import literal_value
from .logic import (
    Expr,
    ListValue,
    Option,
    SetValue,
    ThresholdValue,
    Truth,
    Value,
    as_option,
    choose,
    conj,
    disj,
    iff,
    implies,
    neg,
)
from .moments import Moment
from .scope import Scope
from .unbounded import Unbounded

_ordered_free: dict[Term[Any], tuple[Var[Any], ...]] = {}


class Environment(dict[Var[Any], Value]):
    """What the variables in reach stand for."""

    def bind(self, var: Var[Any], value: Value) -> Environment:
        """Return the environment with one variable bound."""
        return Environment({**self, var: value})


def free_in_order(term: Term[Any]) -> tuple[Var[Any], ...]:
    """Return the free variables of a term in a fixed order."""
    found = _ordered_free.get(term)
    if found is None:
        found = _ordered_free[term] = tuple(sorted(free(term), key=lambda v: (v.name, str(v.kind))))
    return found


class Lowering(Definitions):
    """Terms as formulas of one scope. Remembers what it made, and which definitions a formula relies on."""

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self._memo: dict[tuple[Any, ...], tuple[Value, set[Need]]] = {}
        self._keep: list[Any] = []

    # -- values ----------------------------------------------------------------------------------------------------
    def value(self, term: Term[Any], moment: Moment, environment: Mapping[Var[Any], Value]) -> Value:
        """Return a term's value at a moment."""
        moment = moment.where(term)
        variables = free_in_order(term)
        key = (term, moment.number, *[self._key(environment[v]) for v in variables])
        found = self._memo.get(key)
        if found is None:
            self._keep.extend([environment[v] for v in variables])
            needs: set[Need] = set()
            self._stack.append(needs)  # as `collecting` does, without a generator for each term
            try:
                value = self._remembering(self._value(cast(Node, term), moment, cast(Environment, environment)))
            finally:
                self._stack.pop()
                self._stack[-1] |= needs
            self._memo[key] = value, needs
            return value
        self._stack[-1] |= found[1]
        return found[0]

    def _value(self, term: Node, m: Moment, e: Environment) -> Value:
        def of(inner: Term[Any], extended: Environment | None = None) -> Value:
            return self.value(inner, m, e if extended is None else extended)

        scope = self.scope
        match term:
            case Lit():
                return literal_value(scope, term)
            case Var():
                return e[term]
            case Get():
                return m.read(
                    term.state, [self._coerced(of(k), kind) for k, kind in zip(term.keys, term.state.keys, strict=True)]
                )
            case Not():
                return neg(of(term.term))
            case Nary():
                return (conj if term.operator == "and" else disj)(of(t) for t in term.terms)
            case Implies():
                return implies(of(term.left), of(term.right))
            case Eq():
                kind = term.left.kind if isinstance(term.left.kind, OptionKind) else term.right.kind
                return scope.equal(of(term.left), of(term.right), kind)
            case Compare():
                left, right = of(term.left), of(term.right)
                return left < right if term.operator == "<" else left <= right
            case Arith():
                operator, left, right = operator_of(term), of(term.left), of(term.right)
                assert operator is not None
                # Z3's numbers overload Python's operators.
                made = operator.apply(left, right)
                return scope.ground(made) if scope.is_ground(left) and scope.is_ground(right) else made
            case Ite():
                return self._ite(of(term.condition), of(term.then), of(term.otherwise))
            case Quant():
                return self._quantified(term, m, e)
            case Comprehension():
                return SetValue(lambda x: self.value(term.body, m, e.bind(term.var, x)))
            case SetOf():
                items = [of(item) for item in term.items]
                return SetValue(lambda x: disj(self._is(item, x) for item in items))
            case Member():
                item, collection = of(term.item), of(term.collection)
                if isinstance(item, Option):
                    return False if item.none is True else conj((neg(item.none), collection.contains(item.value)))
                return collection.contains(item)
            case Subset():
                left, right = of(term.left), of(term.right)
                return scope.every(
                    (_member_kind(term.left.kind),), lambda x: implies(left.contains(x), right.contains(x))
                )
            case SetOp():
                return _set_operation(term.operator, of(term.left), of(term.right))
            case Elems():
                return SetValue(of(term.of).contains)
            case First():
                return self._first(term, m, e)
            case Keep():
                return _kept(of(term.of), of(term.among))
            case Concat():
                return _joined(of(term.left), of(term.right))
            case ListOf():
                item = of(term.item)
                return ListValue(lambda x: self._is(item, x), lambda x, y: False)
            case Ascending():
                among = of(term.of)
                before = self._ids(_member_kind(term.of.kind))
                return ListValue(
                    among.contains, lambda x, y: conj((among.contains(x), among.contains(y), before(x, y)))
                )
            case Repeats():
                return False
            case AtLeast():
                return self._at_least(term, of)
            case Lesser():
                return self._lesser(of(term.left), of(term.right))
            case SizeOf():
                return self._size(term, m, e)
            case MaxOf():
                return self._max(term, m, e)
            case Each() | At():
                raise AssertionError("a list beside a list is spelt out where a record is replayed")
            case Named():
                return self._named(term, m, e)
            case Before():
                return self.value(term.term, m.before, e)
            case Next():
                assert m.after is not None
                return self.value(term.term, m.after, e)
        assert_never(term)

    def _is(self, item: Value, x: Expr) -> Truth:
        option = as_option(item)
        return False if option.none is True else conj((neg(option.none), self.scope.same(option.value, x)))

    def _coerced(self, value: Value, kind: Kind[Any]) -> Value:
        return as_option(value) if isinstance(kind, OptionKind) else value

    def _ite(self, condition: Truth, then: Value, otherwise: Value) -> Value:
        made = choose(condition, then, otherwise)
        if all(self.scope.is_ground(v) for v in (condition, then, otherwise)):
            self.scope.ground(made)
        return made

    def _quantified(self, term: Quant, m: Moment, e: Environment) -> Truth:
        variables, body = [term.var], term.body
        while isinstance(body, Quant) and body.quantifier == term.quantifier and body.var not in variables:
            variables.append(body.var)
            body = body.body

        def inside(*values: Value) -> Truth:
            inner = e
            for var, value in zip(variables, values, strict=True):
                inner = inner.bind(var, value)
            return self.value(body, m, inner)

        return self.scope.quantified(term.quantifier == "every", [v.kind for v in variables], inside)

    # -- symbols over the free variables of a term -----------------------------------------------------------------
    def _symbol_for(
        self,
        term: Term[Any],
        base: str,
        kind: Kind[Any],
        m: Moment,
        e: Environment,
        define: Callable[[Environment, Value], Iterable[Truth]],
        stated: int,
    ) -> Value:
        """Return the value of a symbol over the term's free variables, and rely on what `define` says of it, in so
        many facts at most.
        """
        order = free_in_order(term)
        variables = [v for v in order if self._argument(e[v], v.kind)]
        fixed = tuple(self._key(e[v]) for v in order if v not in variables)

        def over(values: Sequence[Value], made: Sequence[Value]) -> Iterable[Truth]:
            inner = e
            for var, value in zip(variables, values, strict=True):
                inner = inner.bind(var, value)
            return define(inner, made[0])

        place = (term, m.number, *fixed)
        kinds = [v.kind for v in variables]
        values = [_optional(e[v], v.kind) for v in variables]
        return self.choice(place, kinds, values, [kind], over, base, m.label, stated)[0]

    def _argument(self, value: Value, kind: Kind[Any]) -> bool:
        """Return whether a variable becomes an argument: what is no constant of the whole query."""
        if isinstance(kind, (SetKind, ListKind, ThresholdKind)):
            return False
        return not isinstance(value, bool)

    def _named(self, term: Named[Any], m: Moment, e: Environment) -> Value:
        scope = self.scope
        if isinstance(scope, Finite) or isinstance(term.kind, ThresholdKind) or not worth_naming(term.term):
            return self.value(term.term, m, e)

        def define(inner: Environment, symbol: Value) -> Iterator[Truth]:
            yield from self._same_everywhere(symbol, self.value(term.term, m, inner), term.kind)

        return self._symbol_for(term, term.name, term.kind, m, e, define, 2)

    def _same_everywhere(self, symbol: Value, value: Value, kind: Kind[Any]) -> Iterator[Truth]:
        scope = self.scope
        if isinstance(kind, OptionKind):
            option = as_option(value)
            yield iff(symbol.none, option.none)
            if option.none is not True:
                yield scope.same(symbol.value, option.value)
        elif isinstance(kind, SetKind):
            yield scope.every((_member_kind(kind),), lambda x: iff(symbol.contains(x), value.contains(x)))
        elif isinstance(kind, ListKind):
            of = _member_kind(kind)
            yield scope.every((of,), lambda x: iff(symbol.contains(x), value.contains(x)))
            yield scope.every((of, of), lambda x, y: iff(symbol.before(x, y), value.before(x, y)))
        else:
            yield scope.same(symbol, value)

    # -- choices ---------------------------------------------------------------------------------------------------
    def _first(self, term: First[Any], m: Moment, e: Environment) -> Value:
        scope, of = self.scope, _member_kind(term.of.kind)

        def qualifies(inner: Environment) -> tuple[Callable[[Expr], Truth], Callable[[Expr, Expr], Truth]]:
            listed, among = self.value(term.of, m, inner), self.value(term.among, m, inner)
            return (lambda x: conj((listed.contains(x), among.contains(x)))), listed.before

        if isinstance(scope, Finite):
            good, before = qualifies(e)
            values = scope.values(of)
            chosen = values[-1]
            for x in reversed(values[:-1]):
                others = (implies(good(y), before(x, y)) for y in values if y is not x)
                chosen = choose(conj((good(x), *others)), x, chosen)
            return Option(neg(disj(good(x) for x in values)), chosen)

        def define(inner: Environment, symbol: Value) -> Iterator[Truth]:
            good, before = qualifies(inner)
            yield scope.every((of,), lambda x: implies(symbol.none, neg(good(x))))
            yield implies(neg(symbol.none), good(symbol.value))
            yield scope.every(
                (of,),
                lambda x: implies(
                    conj((neg(symbol.none), good(x))), disj((scope.same(x, symbol.value), before(symbol.value, x)))
                ),
            )

        return self._symbol_for(term, "first", OptionKind(of), m, e, define, 3)

    def _max(self, term: MaxOf, m: Moment, e: Environment) -> Value:
        scope, kind = self.scope, term.var.kind
        if isinstance(scope, Finite):
            result = self.value(term.default, m, e)
            for x in scope.values(kind):
                result = choose(self.value(term.body, m, e.bind(term.var, x)), x, result)
            return result

        def define(inner: Environment, symbol: Value) -> Iterator[Truth]:
            """The greatest of an endless set is any of its members: a bound of exploration ends where it may."""

            def holds(x: Expr) -> Truth:
                return self.value(term.body, m, inner.bind(term.var, x))

            default = self.value(term.default, m, inner)
            yield scope.every((kind,), lambda x: implies(holds(x), x <= symbol))
            some = scope.some((kind,), holds)
            yield implies(some, conj((holds(symbol), scope.in_range(symbol, cast(IntKind, kind)))))
            yield disj((some, scope.same(symbol, default)))

        def guarded(inner: Environment, symbol: Value) -> Iterator[Truth]:
            facts = list(define(inner, symbol))
            meant = scope.some((kind,), lambda x: self.value(term.body, m, inner.bind(term.var, x)))
            if not bounded_above(term.body, term.var):
                meant = conj((meant, scope.some((kind,), lambda u: self._above(term, m, inner, u))))
            yield implies(meant, facts[0])
            yield from facts[1:]

        return self._symbol_for(term, "greatest", kind, m, e, guarded, 3)

    def _above(self, term: MaxOf, m: Moment, e: Environment, end: Expr) -> Truth:
        """Return the fact that no value of which the condition holds is above an end."""
        return self.scope.every(
            (term.var.kind,), lambda x: implies(self.value(term.body, m, e.bind(term.var, x)), x <= end)
        )

    # -- thresholds ------------------------------------------------------------------------------------------------
    def _at_least(self, term: AtLeast, of: Callable[[Term[Any]], Value]) -> Truth:
        size, inside = of(term.threshold), of(term.of)
        kind = _member_kind(term.of.kind)
        if isinstance(self.scope, Finite):
            return self.count(inside, kind) >= size
        collection = term.of
        while isinstance(collection, Named):
            collection = collection.term
        if isinstance(collection, SetOf) and len(collection.items) == 1:
            item = of(collection.items[0])
            return conj((size.one(), neg(item.none))) if isinstance(item, Option) else size.one()
        return size.reached(inside, kind.name)

    def count(self, of: SetValue, kind: EntityKind[Any]) -> Expr:
        """Return a set's number of members in the finite scope."""
        assert isinstance(self.scope, Finite)
        found = [of.contains(x) for x in self.scope.values(kind)]
        return z3.Sum([z3.IntVal(0), *(z3.IntVal(int(x)) if isinstance(x, bool) else z3.If(x, 1, 0) for x in found)])

    def _lesser(self, left: Value, right: Value) -> Value:
        if isinstance(self.scope, Finite):
            return z3.If(left <= right, left, right)
        return ThresholdValue(
            lambda s, sort: disj((left.reached(s, sort), right.reached(s, sort))),
            lambda: disj((left.one(), right.one())),
            None,
        )

    def _size(self, term: SizeOf, m: Moment, e: Environment) -> Value:
        scope, kind = self.scope, _member_kind(term.of.kind)
        if not isinstance(scope, Unbounded):
            return self.count(self.value(term.of, m, e), kind)

        cell: Any = term.of
        while isinstance(cell, (Named, Elems)):
            cell = cell.term if isinstance(cell, Named) else cell.of
        if isinstance(cell, Get):
            expr = self._size_held(cell, kind, m, e)
            return scope.size(self.value(term.of, m, e), kind, expr)

        def define(inner: Environment, symbol: Value) -> Iterator[Truth]:
            yield from scope.size_axioms(self.value(term.of, m, inner), kind, symbol.expr)

        made = self._symbol_for(term, "size", ThresholdKind("size"), m, e, define, 2)
        return scope.size(self.value(term.of, m, e), kind, made.expr)

    def _size_held(self, cell: Get[Any], kind: EntityKind[Any], m: Moment, e: Environment) -> Expr:
        """Return the size of what a cell holds, as a function of its keys, so that equal keys have equal sizes."""
        scope, state, moment = self.scope, cell.state, m.where(cell)
        assert isinstance(scope, Unbounded)
        keys = [_optional(self.value(k, m, e), kind_) for k, kind_ in zip(cell.keys, state.keys, strict=True)]

        def define(values: Sequence[Value], made: Sequence[Value]) -> Iterator[Truth]:
            yield from scope.size_axioms(SetValue(moment.read(state, values).contains), kind, made[0].expr)

        place = ("size", state, moment.number)
        made = self.choice(place, state.keys, keys, [ThresholdKind("size")], define, "size", moment.label, 2)
        return made[0].expr

    def _ids(self, kind: EntityKind[Any]) -> Callable[[Expr, Expr], Truth]:
        scope = self.scope
        if isinstance(scope, Unbounded):
            return scope.order(kind)
        assert isinstance(scope, Finite)
        values = scope.values(kind)
        pairs = [(x, y) for i, x in enumerate(values) for y in values[i + 1 :]]
        return lambda a, b: disj(conj((scope.same(a, x), scope.same(b, y))) for x, y in pairs)


def worth_naming(term: Term[Any]) -> bool:
    """Return whether a named term gets a symbol of its own: not where its definition is as short as its name."""
    return not isinstance(term, (Get, Var, Lit, Named)) and any(children(child) for child in children(term))


def bounded_above(condition: Term[bool], var: Var[Any], counters: frozenset[Var[Any]] = frozenset()) -> bool:
    """Return whether the form of a condition shows that it holds of no endless set of values of a counter.

    `counters` are the counters of the quantifiers around it, which name no end: each has a value above any other.
    """
    match condition:
        case Named():
            return bounded_above(condition.term, var, counters)
        case Nary(operator="and"):
            some = any(bounded_above(one, var, counters) for one in condition.terms)
            return some or any(_undercuts(one, condition, var) for one in condition.terms)
        case Nary(operator="or"):
            return all(bounded_above(one, var, counters) for one in condition.terms)
        case Quant(quantifier="some") if not isinstance(condition.var.kind, IntKind):
            return bounded_above(condition.body, var, counters)
        case Quant(quantifier="some"):
            return bounded_above(condition.body, var, counters | {condition.var})
        case Compare() if condition.left is var:
            return free(condition.right).isdisjoint(counters | {var})
        case Eq():
            other = condition.right if condition.left is var else condition.left if condition.right is var else None
            return other is not None and free(other).isdisjoint(counters | {var})
        case Lit():
            return condition.value is False
    return False


def _undercuts(one: Term[bool], among: Nary, var: Var[Any]) -> bool:
    """Return whether a part of a condition says that no other value of which the rest holds is smaller: as `min_of`."""
    if not isinstance(one, Quant) or one.quantifier != "every":
        return False
    rest = nary("and", (part for part in among.terms if part is not one))
    smallest = Implies(substitute(rest, {var: one.var}), Compare("<=", var, one.var))
    return one.body is smallest


def _optional(value: Value, kind: Kind[Any]) -> Value:
    return as_option(value) if isinstance(kind, OptionKind) else value


def _member_kind(kind: Kind[Any]) -> EntityKind[Any]:
    assert isinstance(kind, (SetKind, ListKind))
    return cast(EntityKind[Any], kind.of)


def _set_operation(operator: str, left: SetValue, right: SetValue) -> SetValue:
    if operator == "&":
        return SetValue(lambda x: conj((left.contains(x), right.contains(x))))
    if operator == "|":
        return SetValue(lambda x: disj((left.contains(x), right.contains(x))))
    return SetValue(lambda x: conj((left.contains(x), neg(right.contains(x)))))


def _kept(listed: ListValue, among: SetValue) -> ListValue:
    return ListValue(
        lambda x: conj((listed.contains(x), among.contains(x))),
        lambda x, y: conj((listed.before(x, y), among.contains(x), among.contains(y))),
    )


def _joined(left: ListValue, right: ListValue) -> ListValue:
    def before(x: Expr, y: Expr) -> Truth:
        new = neg(left.contains(y))
        across = conj((left.contains(x), right.contains(y), new))
        return disj((left.before(x, y), across, conj((neg(left.contains(x)), new, right.before(x, y)))))

    return ListValue(lambda x: disj((left.contains(x), right.contains(x))), before)
