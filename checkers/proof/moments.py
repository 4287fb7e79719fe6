"""Moments: the states that a term can be read in, each a function over the state before the row, never a new symbol."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from fencepost.model.language import Kind, Stage, State, Update, Var
from fencepost.model.language.kinds import IntKind, OptionKind
from fencepost.model.language.terms import Before, Get, Next, Term
from fencepost.model.language.walk import children, free

from .finite import Finite
from .literals import literal_value
from .logic import Expr, Option, Truth, Value, as_option, choose, conj, disj, implies
from .scope import Scope, Symbol

if TYPE_CHECKING:
    from .lowering import Environment, Lowering

_numbers = itertools.count(1)
_reads: dict[Term[Any], tuple[frozenset[State[Any]], bool]] = {}


def reads(term: Term[Any]) -> tuple[frozenset[State[Any]], bool]:
    """Return the variables that a term reads in the state it is read in, and whether it also looks at the next one."""
    found = _reads.get(term)
    if found is None:
        if isinstance(term, Next):
            found = frozenset(), True
        elif isinstance(term, Before):
            found = frozenset(), False
        else:
            inside = [reads(child) for child in children(term)]
            own = frozenset((term.state,)) if isinstance(term, Get) else frozenset()
            found = own.union(*(states for states, _ in inside)), any(later for _, later in inside)
        _reads[term] = found
    return found


class Moment:
    """A state to read terms in; `before` is the state before the row, `after` the one that `next_` speaks of."""

    after: Moment | None = None
    label = "0"
    """How many stages were done, and with `?` how many of them in part: the same for a row whenever it is asked."""

    def __init__(self) -> None:
        self.number = next(_numbers)

    @property
    def before(self) -> Moment:
        """The moment before the row."""
        return self

    def read(self, state: State[Any], keys: Sequence[Expr]) -> Value:
        """Return the value of a cell."""
        raise NotImplementedError

    def where(self, term: Term[Any]) -> Moment:
        """Return the earliest moment in which the term has the same value as here."""
        return self


def key_arguments(scope: Scope, kinds: Sequence[Kind[Any]], keys: Sequence[Value]) -> list[Expr]:
    """Return values of some kinds as arguments of a symbol, options with one value for none."""
    pairs = zip(keys, kinds, strict=True)
    return [a for key, kind in pairs for a in scope.arguments(_one_none(scope, key, kind), kind)]


def _one_none(scope: Scope, key: Value, kind: Kind[Any]) -> Value:
    """Return a key with one value for none: what an option would hold beside none must not tell cells apart."""
    if not isinstance(kind, OptionKind):
        return key
    option = as_option(key)
    return (
        option
        if option.none is False
        else Option(option.none, choose(option.none, scope.default(kind.of), option.value))
    )


def _in_key_range(scope: Scope, state: State[Any], keys: Sequence[Value]) -> Truth:
    """Return whether every counter among the keys is in its range, True where that is plain from its form."""
    ranges = []
    for key, kind in zip(keys, state.keys, strict=True):
        if isinstance(kind, IntKind) and not scope.is_ranged(key):
            ranges.append(scope.in_range(key, kind))
        elif isinstance(kind, OptionKind) and isinstance(kind.of, IntKind):
            option = as_option(key)
            if not scope.is_ranged(option.value):
                ranges.append(disj((option.none, scope.in_range(option.value, kind.of))))
    return conj(ranges)


def _counts(kind: Kind[Any]) -> bool:
    """Return whether a kind of keys has counters."""
    return isinstance(kind, IntKind) or (isinstance(kind, OptionKind) and isinstance(kind.of, IntKind))


class Base(Moment):
    """Any state: every cell is a symbol. `relied` is called with each variable that is read."""

    def __init__(self, scope: Scope, relied: Callable[[State[Any]], None] | None = None) -> None:
        super().__init__()
        self.scope, self.relied = scope, relied
        self._symbols: dict[State[Any], Symbol] = {}

    def symbol(self, state: State[Any]) -> Symbol:
        """Return the symbol of a state variable."""
        if state not in self._symbols:
            sorts = [s for kind in state.keys for s in self.scope.argument_sorts(kind)]
            self._symbols[state] = self.scope.symbol(state.name, sorts, state.kind)
        return self._symbols[state]

    def read(self, state: State[Any], keys: Sequence[Value]) -> Value:
        """Return the symbol's value; outside the range of a counter among the keys, the initial value."""
        if self.relied is not None:
            self.relied(state)
        value = self.symbol(state).apply(key_arguments(self.scope, state.keys, keys))
        if state.initial is not None and any(map(_counts, state.keys)):
            inside = _in_key_range(self.scope, state, keys)
            return choose(inside, value, literal_value(self.scope, state.initial))
        return value


class Initial(Base):
    """The first state: declared values, and symbols for variables that may start anyhow."""

    def read(self, state: State[Any], keys: Sequence[Value]) -> Value:
        """Return the declared initial value."""
        if state.initial is None:
            return super().read(state, keys)
        return literal_value(self.scope, state.initial)


class Without(Moment):
    """A state in which one variable has its initial value everywhere."""

    def __init__(self, base: Base, state: State[Any]) -> None:
        super().__init__()
        self.base, self.state = base, state

    def read(self, state: State[Any], keys: Sequence[Value]) -> Value:
        """Return the value of a cell."""
        if state is not self.state or state.initial is None:
            return self.base.read(state, keys)
        return literal_value(self.base.scope, state.initial)


Chosen = Callable[[tuple[Var[Any], ...], Sequence[Value]], Truth]


class After(Moment):
    """The state after a stage, or after the part of it whose bindings are chosen."""

    def __init__(
        self,
        lowering: Lowering,
        previous: Moment,
        stage: Stage,
        environment: Environment,
        chosen: Chosen | None = None,
        idle: frozenset[Update] = frozenset(),
    ) -> None:
        super().__init__()
        self.lowering, self.scope, self.previous = lowering, lowering.scope, previous
        self.stage, self.environment, self.chosen = stage, environment, chosen
        self.label = f"{previous.label}{'+' if chosen is None else '?'}"
        self.depth = max((len(w.binders) for w in stage.written), default=0)
        self._updates: dict[State[Any], list[Update]] = {}
        for update in stage.updates:
            if update in idle:
                continue
            self._updates.setdefault(update.target.state, []).append(update)
        self.touched = frozenset(self._updates)

    @property
    def before(self) -> Moment:
        """The moment before the row."""
        return self.previous.before

    def where(self, term: Term[Any]) -> Moment:
        """Return the moment before the stage where the stage writes nothing that the term reads."""
        states, later = reads(term)
        return self if later or not states.isdisjoint(self.touched) else self.previous.where(term)

    def read(self, state: State[Any], keys: Sequence[Value]) -> Value:
        """Return the value that the stage's updates give the cell, or the one it had."""
        value = self.previous.read(state, keys)
        for update in self._updates.get(state, ()):
            value = self._updated(update, keys, value)
        return value

    def _updated(self, update: Update, keys: Sequence[Value], old: Value) -> Value:
        environment, binders, matches = self._matched(update, keys)

        def condition(extended: Environment) -> Truth:
            return self._condition(update, matches, extended)

        if not binders:
            return self._one(update, environment, condition(environment), old)
        if free(update.value).isdisjoint(binders):
            some = self.scope.some(
                [v.kind for v in binders], lambda *values: condition(extended(environment, binders, values))
            )
            return self._one(update, environment, some, old)
        if isinstance(self.scope, Finite):
            for values in itertools.product(*(self.scope.values(v.kind) for v in binders)):
                inner = extended(environment, binders, values)
                old = self._one(update, inner, condition(inner), old)
            return old
        inner = extended(environment, binders, self._witnesses(update, binders, keys))
        return self._one(update, inner, condition(inner), old)

    def _matched(self, update: Update, keys: Sequence[Value]) -> tuple[Environment, tuple[Var[Any], ...], list[Any]]:
        """Return what the keys tell of the binders, the binders that they do not tell, and what else has to hold of
        them.
        """
        environment, matches = self.environment, []
        binders = list(update.binders)
        for key, value, kind in zip(update.target.keys, keys, update.target.state.keys, strict=True):
            if isinstance(key, Var) and key in binders:
                binders.remove(key)
                environment = environment.bind(key, value)
                if isinstance(key.kind, IntKind) and not self.scope.is_ranged(value):
                    matches.append(partial(self._ranged, key.kind, value))
            else:
                matches.append(partial(self._same, key, value, kind))
        return environment, tuple(binders), matches

    def _ranged(self, kind: IntKind, value: Value, environment: Environment) -> Truth:
        return self.scope.in_range(value, kind)

    def _same(self, key: Term[Any], value: Value, kind: Kind[Any], environment: Environment) -> Truth:
        return self.scope.equal(self._value(key, environment), value, kind)

    def _condition(self, update: Update, matches: list[Any], environment: Environment) -> Truth:
        parts = [match(environment) for match in matches]
        if self.chosen is not None:
            binders = update.binders[: self.depth]
            parts.append(self.chosen(binders, [environment[v] for v in binders]))
        return conj((*parts, self._value(update.when, environment)))

    def _one(self, update: Update, environment: Environment, condition: Truth, old: Value) -> Value:
        return old if condition is False else choose(condition, self._value(update.value, environment), old)

    def _value(self, term: Term[Any], environment: Environment) -> Value:
        return self.lowering.value(term, self.previous, environment)

    def _witnesses(self, update: Update, binders: tuple[Var[Any], ...], keys: Sequence[Value]) -> list[Value]:
        """Return, for binders that the keys do not tell, a choice of values under which the cell is written, if there
        is one.

        All that write one cell in one stage agree on its value, so any choice will do.
        """
        scope, kinds = self.scope, [v.kind for v in binders]

        def define(keys: Sequence[Value], chosen: Sequence[Value]) -> Iterator[Truth]:
            environment, _, matches = self._matched(update, keys)
            written = self._condition(update, matches, extended(environment, binders, chosen))
            yield scope.every(
                kinds,
                lambda *values: implies(
                    self._condition(update, matches, extended(environment, binders, values)), written
                ),
            )

        place, state = (self.number, update), update.target.state
        return self.lowering.choice(
            place, state.keys, keys, kinds, define, f"choice of {state.name}", self.label, optional=True
        )


def untold(update: Update) -> tuple[Var[Any], ...]:
    """Return the binders of an update that its keys do not tell, where its value depends on them."""
    left = tuple(v for v in update.binders if v not in update.target.keys)
    return () if free(update.value).isdisjoint(left) else left


def extended(environment: Environment, variables: Sequence[Var[Any]], values: Sequence[Value]) -> Environment:
    """Return an environment with further variables bound."""
    for var, value in zip(variables, values, strict=True):
        environment = environment.bind(var, value)
    return environment


class Stepping(Moment):
    """One state with another as the next."""

    def __init__(self, now: Moment, later: Moment) -> None:
        super().__init__()
        self.now, self.after = now, later

    @property
    def before(self) -> Moment:
        """The moment before the row."""
        return self.now.before

    def read(self, state: State[Any], keys: Sequence[Value]) -> Value:
        """Return the value of a cell now."""
        return self.now.read(state, keys)

    def where(self, term: Term[Any]) -> Moment:
        """Return the state itself for a term that does not look at the next one."""
        return self if reads(term)[1] else self.now.where(term)


__all__ = [
    "After",
    "Base",
    "Chosen",
    "Initial",
    "Moment",
    "Stepping",
    "Without",
    "extended",
    "key_arguments",
    "reads",
    "untold",
]
