"""Sessions: a protocol in one scope, with what is assumed of a state before a row."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fencepost.model.language import Always, Assumption, Protocol, Row, State, Step, Term, Var
from fencepost.model.language.footprint import variables
from fencepost.model.language.kinds import IntKind
from fencepost.model.language.terms import Implies, Named, Nary, Not, Quant

from .definitions import NOTHING, Leave, Need
from .logic import Expr, Truth, Value, expression, neg
from .lowering import Environment, Lowering
from .moments import Base, Initial, Moment, Stepping, Without
from .scope import Scope, Symbol

Signature = tuple[Any, ...]


@dataclass(frozen=True, eq=False)
class Formula:
    """Facts, and the numbers of the definitions that they rely on."""

    facts: tuple[Truth, ...]
    needs: frozenset[Need]


@dataclass(frozen=True, eq=False)
class Part:
    """An arbitrary part of a stage: a predicate on the bindings of its records, one for each signature of binders."""

    signatures: Mapping[Signature, Symbol]
    extra: tuple[Signature, tuple[Value, ...]] | None = None


@dataclass(frozen=True, eq=False)
class Goal:
    """A way in which a row may break a property: satisfiable facts are a counterexample to induction.

    `stage` is the stage that is done last, `part` what of it is done (all of it where None). For a step that begins
    inside the row, `since` is the part of the stage that was done before, or the number of stages done.
    """

    formula: Formula
    stage: int | None
    part: Part | None = None


def spoken_of(row: Row, guard: Term[bool], claim: Term[bool]) -> frozenset[State[Any]]:
    """Return the state variables that the question whether a row keeps a property can speak of."""
    found = set(variables(claim) | variables(guard))
    updates = [update for stage in row.stages for update in stage.updates]
    while True:
        more = {
            state
            for update in updates
            if update.target.state in found
            for term in (update.target, update.when, update.value)
            for state in variables(term)
        }
        if more <= found:
            return frozenset(found)
        found |= more


class Session:
    """A protocol in one scope. `assumed` are the properties that hold before every row."""

    def __init__(self, protocol: Protocol, scope: Scope, assumed: Sequence[Always]) -> None:
        self.protocol, self.scope, self.assumed = protocol, scope, tuple(assumed)
        self.lowering = Lowering(scope)
        self._used: Counter[Var[Any]] | None = None
        self._people: dict[tuple[Var[Any], int], tuple[Value, list[Truth]]] = {}
        self.base = Base(scope, None if scope.finite else self._rely)
        self.initial = Initial(scope)
        background = {state: tuple(self._background(self.base, (state,))) for state in protocol.states}
        # A model of few entities is read as a whole, so that all of its cells must be in range; for any number of
        # entities what holds of a variable matters where something reads it.
        self._numbers = {} if scope.finite else {s: self.lowering.range_of(s, f) for s, f in background.items()}
        whole = tuple(fact for facts in background.values() for fact in facts) if scope.finite else ()
        self.ranges = Formula(whole, frozenset(self._numbers.values()))
        self._given = [self.ranges] if scope.finite else []
        given: list[Always | Assumption] = [*protocol.assumptions, *self.assumed]
        self.hypotheses = {a.id: self.formula([(a.term, self.base)]) for a in given}
        # Whatever is asked begins with them, and a process that is forked has them made.
        self.lowering.make(need for one in self.hypotheses.values() for need in one.needs)
        self._claims = {self.hypotheses[a.id]: a.term for a in given}
        self._kept: dict[tuple[str, frozenset[State[Any]]], list[Formula]] = {}
        self._idles: dict[tuple[Formula, State[Any]], bool] = {}
        # In the protocol's order: what Z3 answers within its resources depends on the order of what it is given.
        self._spoken = {
            formula: tuple(state for state in protocol.states if state in variables(term))
            for formula, term in self._claims.items()
        }
        self._speaking: dict[State[Any], list[Formula]] = {}
        for formula, states in self._spoken.items():
            for state in states:
                self._speaking.setdefault(state, []).append(formula)

    def before(self, speaks: frozenset[State[Any]]) -> list[Formula]:
        """Return what is known of the state before a row, as far as it can matter where these variables are spoken of.

        An invariant is left out where it speaks of a variable of which nothing else does, and is true whatever the rest
        if that variable has its initial value. Leaving out what is assumed never proves too much.
        """
        if ("all", speaks) not in self._kept:
            self._kept["all", speaks] = self._known(speaks, self._spoken)
        return self._kept["all", speaks]

    def near(self, speaks: frozenset[State[Any]]) -> list[Formula]:
        """Return the same without every invariant that speaks of anything else: few, and often enough."""
        if ("near", speaks) not in self._kept:
            near = [formula for formula, states in self._spoken.items() if speaks.issuperset(states)]
            self._kept["near", speaks] = self._known(speaks, near)
        return self._kept["near", speaks]

    def _rely(self, state: State[Any]) -> None:
        self.lowering.rely(self._numbers[state])

    def chosen(self, ids: Iterable[str]) -> list[Formula]:
        """Return these hypotheses."""
        return [*self._given, *(self.hypotheses[id] for id in ids)]

    def named(self, formulas: Iterable[Formula]) -> list[str]:
        """Return the ids of the hypotheses among formulas, in the order of the protocol."""
        told = set(formulas)
        return [id for id, formula in self.hypotheses.items() if formula in told]

    def _known(self, speaks: frozenset[State[Any]], formulas: Iterable[Formula]) -> list[Formula]:
        kept = dict.fromkeys(formulas)
        counts = Counter(state for formula in kept for state in self._spoken[formula])
        alone = deque(state for state in self.protocol.states if counts[state] == 1 and state not in speaks)
        while alone:
            state = alone.popleft()
            formula = next((one for one in self._speaking[state] if one in kept), None)
            if formula is not None and self._idle(formula, state):
                del kept[formula]
                for other in self._spoken[formula]:
                    counts[other] -= 1
                    if counts[other] == 1 and other not in speaks:
                        alone.append(other)
        return [*self._given, *kept]

    def _idle(self, formula: Formula, state: State[Any]) -> bool:
        """Return whether an invariant is true of every state in which a variable has its initial value."""
        key = (formula, state)
        if key not in self._idles:
            claim = self._claims[formula]
            value = self.lowering.value(claim, Without(self.base, state), Environment())
            self._idles[key] = value is True
        return self._idles[key]

    def everything(self) -> list[Formula]:
        """Return all that is known of the state before a row."""
        return self.before(frozenset(self.protocol.states))

    def _background(self, base: Base, states: Iterable[State[Any]]) -> Iterator[Truth]:
        for state in states:
            yield from self.scope.every_one(
                state.keys,
                lambda *keys, state=state: self.scope.well_formed(
                    base.symbol(state).apply(
                        [a for k, v in zip(state.keys, keys, strict=True) for a in self.scope.arguments(v, k)]
                    ),
                    state.kind,
                ),
            )

    def formula(self, terms: Iterable[tuple[Term[bool], Moment]], environment: Environment | None = None) -> Formula:
        """Return terms, each at its moment, as facts."""
        with self.lowering.collecting() as needs:
            facts = tuple(self.lowering.value(t, m, environment or Environment()) for t, m in terms)
        return Formula(facts, frozenset(needs))

    def denied(self, term: Term[bool], moment: Moment, environment: Environment) -> Formula:
        """Return facts that say that a term is false at a moment; what is said of all is denied of someone new."""
        self._used = Counter()
        with self.lowering.collecting() as needs:
            facts = tuple(self._denied(term, moment, environment))
        self._used = None
        return Formula(facts, frozenset(needs))

    def _someone(self, var: Var[Any]) -> tuple[Value, Sequence[Truth]]:
        """Return somebody new. Two goals may share him, so that what is defined of him is defined once."""
        if self._used is None:
            value, facts = self.scope.any_value(var.name, var.kind)
        else:
            key = var, self._used[var]
            self._used[var] += 1
            if key not in self._people:
                self._people[key] = self.scope.any_value(var.name, var.kind)
            value, facts = self._people[key]
        if isinstance(var.kind, IntKind):
            self.scope.ranged(value)
        return value, facts

    def _denied(self, term: Term[bool], moment: Moment, environment: Environment) -> Iterator[Truth]:
        if isinstance(term, Named):
            yield from self._denied(term.term, moment, environment)
        elif isinstance(term, Quant) and term.quantifier == "every":
            value, facts = self._someone(term.var)
            yield from facts
            yield from self._denied(term.body, moment, environment.bind(term.var, value))
        elif isinstance(term, Implies):
            yield from self._held(term.left, moment, environment)
            yield from self._denied(term.right, moment, environment)
        elif isinstance(term, Nary) and term.operator == "or":
            for part in term.terms:
                yield from self._denied(part, moment, environment)
        elif isinstance(term, Not):
            yield from self._held(term.term, moment, environment)
        else:
            yield neg(self.lowering.value(term, moment, environment))

    def _held(self, term: Term[bool], moment: Moment, environment: Environment) -> Iterator[Truth]:
        if isinstance(term, Nary) and term.operator == "and":
            for part in term.terms:
                yield from self._held(part, moment, environment)
        elif isinstance(term, Not):
            yield from self._denied(term.term, moment, environment)
        elif isinstance(term, Quant) and term.quantifier == "some":
            value, facts = self._someone(term.var)
            yield from facts
            yield from self._held(term.body, moment, environment.bind(term.var, value))
        else:
            yield self.lowering.value(term, moment, environment)

    def held(self, term: Term[bool], moment: Moment, environment: Environment) -> Formula:
        """Return facts that say that a term is true at a moment; what is said of some is said of someone new."""
        with self.lowering.collecting() as needs:
            facts = tuple(self._held(term, moment, environment))
        return Formula(facts, frozenset(needs))

    def expressions(self, formulas: Iterable[Formula], known: set[Need], leave: Leave = NOTHING) -> Iterator[Expr]:
        """Yield formulas with the definitions they rely on, save those known."""
        for formula in formulas:
            stated = (fact for _, fact in self.lowering.axioms(sorted(formula.needs), known, leave))
            for fact in (*stated, *formula.facts):
                if fact is not True:
                    yield expression(fact)

    def start(self) -> Formula:
        """Return what holds of the first state."""
        terms = [self.protocol.begin, *(a.term for a in self.protocol.assumptions)]
        opened = self.formula([(term, self.initial) for term in terms])
        free = [state for state in self.protocol.states if state.initial is None]
        return Formula((*opened.facts, *self._background(self.initial, free)), opened.needs)

    def initially(self, claim: Always) -> Goal:
        """Return how a property may fail in the first state."""
        return Goal(self.denied(claim.term, self.initial, Environment()), None)

    def stuttering(self, claim: Step, params: Iterable[Var[Any]] = ()) -> Goal:
        """Return how a step property may fail where nothing changes; `params` are those of the rows it is about."""
        environment, facts = parameters(self, params)
        denied = self.denied(claim.term, Stepping(self.base, self.base), environment)
        return Goal(Formula((*facts, *denied.facts), denied.needs), None)


def parameters(session: Session, params: Iterable[Var[Any]]) -> tuple[Environment, tuple[Truth, ...]]:
    """Return an arbitrary value for each parameter, and what holds of them because of their kinds."""
    environment, facts = Environment(), []
    for var in params:
        value, more = session.scope.any_value(var.name, var.kind)
        if isinstance(var.kind, IntKind):
            session.scope.ranged(value)
        environment = environment.bind(var, value)
        facts += more
    return environment, tuple(facts)


__all__ = ["Formula", "Goal", "Part", "Session", "Signature", "parameters", "spoken_of"]
