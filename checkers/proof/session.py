"""Sessions: a protocol in one scope, with what is assumed of a state before a row, and what each row has to keep."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import reduce
from typing import Any

from fencepost.model.language import (
    AFTER_EVERY_RECORD,
    BOOL,
    Always,
    Assumption,
    Protocol,
    Row,
    Stage,
    State,
    Step,
    Term,
    Update,
    Var,
    all_of,
    exists,
)
from fencepost.model.language.footprint import touched, variables
from fencepost.model.language.kinds import EntityKind, IntKind
from fencepost.model.language.terms import Implies, Named, Nary, Not, Quant

from .definitions import NOTHING, Leave, Need
from .finite import Finite
from .logic import Expr, Truth, Value, conj, disj, expression, neg
from .lowering import Environment, Lowering
from .moments import After, Base, Initial, Moment, Stepping, Without, untold
from .ranges import counters_written, leaves_range, stays_in_range, written_later
from .scope import Inexpressible, Scope, Symbol

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
        self.base = Base(scope)
        self.initial = Initial(scope)
        self.background = {state: tuple(self._background(self.base, (state,))) for state in protocol.states}
        given: list[Always | Assumption] = [*protocol.assumptions, *self.assumed]
        self.hypotheses = {a.id: self.formula([(a.term, self.base)]) for a in given}
        self._claims = {self.hypotheses[a.id]: a.term for a in given}
        self._kept: dict[tuple[str, frozenset[State[Any]]], list[Formula]] = {}
        self._idles: dict[tuple[Formula, State[Any]], bool] = {}
        self.invariants = [(variables(term), formula) for formula, term in self._claims.items()]

    def before(self, speaks: frozenset[State[Any]]) -> list[Formula]:
        """Return what is known of the state before a row, as far as it can matter where these variables are spoken of.

        An invariant is left out where it speaks of a variable of which nothing else does, and is true whatever the rest
        if that variable has its initial value. Leaving out what is assumed never proves too much.
        """
        if ("all", speaks) not in self._kept:
            self._kept["all", speaks] = self._known(speaks, list(self.invariants))
        return self._kept["all", speaks]

    def near(self, speaks: frozenset[State[Any]]) -> list[Formula]:
        """Return the same without every invariant that speaks of anything else: few, and often enough."""
        if ("near", speaks) not in self._kept:
            near = [(states, f) for states, f in self.invariants if states <= speaks]
            self._kept["near", speaks] = self._known(speaks, near)
        return self._kept["near", speaks]

    def chosen(self, ids: Iterable[str], speaks: frozenset[State[Any]]) -> list[Formula]:
        """Return these hypotheses, with what holds of every state of the variables that are spoken of."""
        formulas = [self.hypotheses[id] for id in ids]
        known = speaks.union(*(variables(self._claims[one]) for one in formulas))
        return [self._ranges(known), *formulas]

    def named(self, formulas: Iterable[Formula]) -> list[str]:
        """Return the ids of the hypotheses among formulas, in the order of the protocol."""
        told = set(formulas)
        return [id for id, formula in self.hypotheses.items() if formula in told]

    def _ranges(self, known: frozenset[State[Any]]) -> Formula:
        facts = (fact for state in self.protocol.states if state in known for fact in self.background[state])
        return Formula(tuple(facts), frozenset())

    def _known(self, speaks: frozenset[State[Any]], kept: list[tuple[frozenset[State[Any]], Formula]]) -> list[Formula]:
        while True:
            counts = Counter(state for states, _ in kept for state in states)
            alone = {state for state, count in counts.items() if count == 1 and state not in speaks}
            left = [(states, f) for states, f in kept if not any(s in alone and self._idle(f, s) for s in states)]
            if len(left) == len(kept):
                break
            kept = left
        known = speaks.union(*(states for states, _ in kept))
        return [self._ranges(known), *(formula for _, formula in kept)]

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
            for fact in (*self.lowering.axioms(sorted(formula.needs), known, leave), *formula.facts):
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


Never = Callable[["RowSession", Formula], bool]
"""Whether a fact cannot be where a row is enabled."""


class RowSession:
    """A row in a session: its parameters, its guard, and the moments that it goes through.

    `never` is asked about updates that may write one cell for many bindings: what is never carried out is left out.
    The row is disabled where a write of it would put a counter below its start, as in exploration. `stays` is asked
    whether a write that might do so never does; `leaving` are the facts of those left, `own_guard` is the guard without
    the condition that none of them does.
    """

    def __init__(self, session: Session, row: Row, never: Never | None = None, stays: Never | None = None) -> None:
        self.session, self.row, self.scope = session, row, session.scope
        self.environment, facts = parameters(session, row.params)
        guard = session.held(session.protocol.assumed_guard(row), session.base, self.environment)
        self.guard = Formula((*facts, *guard.facts), guard.needs)
        self.moments: list[Moment] = [session.base]
        self.idle: list[frozenset[Update]] = []
        self._parts: dict[tuple[int, Signature | None], tuple[Part, Formula, Moment, Moment]] = {}
        self.own_guard = self.guard
        self.leaving: tuple[Formula, ...] = ()
        for stage in row.stages:
            idle = frozenset(
                u for u in stage.updates if never is not None and untold(u) and never(self, self._may_write(u))
            )
            self.idle.append(idle)
            self.moments.append(After(session.lowering, self.moments[-1], stage, self.environment, idle=idle))
        self._disable_out_of_range(stays)

    def _disable_out_of_range(self, stays: Never | None) -> None:
        """Add to the guard that no write leaves a counter outside its range: exploration disables the row there, too.

        Writes whose form shows that they stay in range add nothing, nor do those that `stays` confirms. A value that a
        later stage may replace is that at the end of the row.
        """
        unsure = [
            (update, now, last, self._out_of_range(update, now, last))
            for index, (stage, now, idle) in enumerate(zip(self.row.stages, self.moments, self.idle, strict=False))
            for update in stage.updates
            if update not in idle and counters_written(update, self.scope.limited)
            for last in (self.moments[-1] if written_later(self.row, index, update) else None,)
        ]
        left = [one for one in unsure if stays is None or not stays(self, one[3])]
        if not left:
            return
        self.leaving = tuple(leaves for _, _, _, leaves in left)
        with suppress(Inexpressible), self.session.lowering.collecting() as needs:
            lowering = self.session.lowering
            facts = [stays_in_range(lowering, update, now, self.environment, last) for update, now, last, _ in left]
            self.guard = Formula((*self.guard.facts, *facts), self.guard.needs | needs)

    def _out_of_range(self, update: Update, now: Moment, last: Moment | None) -> Formula:
        """Return the fact that an update is carried out for some binding and leaves the range of a counter."""
        binding, facts = parameters(self.session, update.binders)
        with self.session.lowering.collecting() as needs:
            environment = Environment({**self.environment, **binding})
            fact = leaves_range(self.session.lowering, update, now, environment, last)
        return Formula((*facts, fact), frozenset(needs))

    def _may_write(self, update: Update) -> Formula:
        """Return the fact that an update of the next stage is carried out for some binding."""
        environment, facts = parameters(self.session, update.binders)
        held = self.session.held(update.when, self.moments[-1], Environment({**self.environment, **environment}))
        return Formula((*facts, *held.facts), held.needs)

    def goals(self, claim: Always | Step, still: bool = False) -> Iterator[Goal]:
        """Yield every way in which the row may break a property.

        There is none if the row writes nothing that the property reads, unless it is a step property of this very row.
        `still` says that the property allows a step that changes nothing, whatever the state.
        """
        bound = isinstance(claim, Step) and claim.by_name
        if touched(self.row).isdisjoint(variables(claim.term)) and not bound:
            return
        if claim.scope != AFTER_EVERY_RECORD or not self.row.stages:
            last = len(self.row.stages)
            moment = self.moments[last]
            at = Stepping(self.session.base, moment) if isinstance(claim, Step) else moment
            yield self.goal(claim, at, last - 1, None)
            return
        moved = True
        for index, stage in enumerate(self.row.stages):
            if not variables(claim.term).isdisjoint(u.target.state for u in stage.updates):
                moved = True
                steps = isinstance(claim, Step)
                yield from self._steps(claim, index, stage) if steps else self._states(claim, index, stage)
            elif isinstance(claim, Step) and moved and not still:
                moved = False
                yield self.goal(claim, Stepping(self.moments[index], self.moments[index + 1]), index, None)
        if isinstance(claim, Step) and not still and all(map(_may_be_left_out, self.row.stages)):
            base = self.session.base
            yield self.goal(claim, Stepping(base, base), len(self.row.stages) - 1, None, self._nothing_written())

    def _nothing_written(self) -> Formula:
        """Return that no stage writes a record: then the firing has no moment, and is a step to the state itself."""
        written = [one for stage in self.row.stages for one in stage.written]
        nothing = all_of(*(~reduce(lambda term, var: exists(var, term), one.binders, one.when) for one in written))
        return self.session.held(nothing, self.session.base, self.environment)

    def goal(
        self, claim: Always | Step, at: Moment, stage: int, part: Part | None, more: Formula | None = None
    ) -> Goal:
        """Return the way in which a property is broken at a moment, after a stage or a part of it."""
        environment = self.environment if isinstance(claim, Step) and claim.by_name else Environment()
        formula = self.session.denied(claim.term, at, environment)
        if more is not None:
            formula = Formula((*more.facts, *formula.facts), formula.needs | more.needs)
        return Goal(formula, stage, part)

    def _states(self, claim: Always | Step, index: int, stage: Stage) -> Iterator[Goal]:
        if all(not w.binders for w in stage.written):
            yield self.goal(claim, self.moments[index + 1], index, None)
            return
        part, formula, at, _ = self._parted(index, stage, None)
        yield self.goal(claim, at, index, part, formula)

    def _steps(self, claim: Always | Step, index: int, stage: Stage) -> Iterator[Goal]:
        if all(not w.binders for w in stage.written):
            yield self.goal(claim, Stepping(self.moments[index], self.moments[index + 1]), index, None)
            return
        for signature in signatures(stage):
            part, formula, now, later = self._parted(index, stage, signature)
            yield self.goal(claim, Stepping(now, later), index, part, formula)

    def _parted(self, index: int, stage: Stage, signature: Signature | None) -> tuple[Part, Formula, Moment, Moment]:
        """Return an arbitrary part of a stage, with one more binding of a signature if one is given; made once."""
        key = index, signature
        if key not in self._parts:
            part, facts = self._part(stage)
            now = self._after(index, stage, part)
            if signature is None:
                self._parts[key] = part, Formula(facts, frozenset()), now, now
                return self._parts[key]
            names: list[Value] = []
            for kind in signature:
                value, more = self.scope.any_value("one more", kind)
                names.append(value)
                facts = (*facts, *more)
            facts = (*facts, neg(part.signatures[signature].apply(names)))
            with self.session.lowering.collecting() as needs:
                writes = disj(self._writes(stage, signature, names))
            larger = Part(part.signatures, (signature, tuple(names)))
            formula = Formula((*facts, writes), frozenset(needs))
            self._parts[key] = larger, formula, now, self._after(index, stage, larger)
        return self._parts[key]

    def _writes(self, stage: Stage, signature: Signature, names: Sequence[Value]) -> Iterator[Truth]:
        for written in stage.written:
            if tuple(v.kind for v in written.binders) == signature:
                environment = self.environment
                for var, value in zip(written.binders, names, strict=True):
                    environment = environment.bind(var, value)
                yield self.session.lowering.value(written.when, self.session.base, environment)

    def _part(self, stage: Stage) -> tuple[Part, tuple[Truth, ...]]:
        made = {
            signature: self.scope.symbol(
                "chosen", [s for kind in signature for s in self.scope.argument_sorts(kind)], _truth_kind()
            )
            for signature in signatures(stage)
        }
        facts: list[Truth] = []
        if isinstance(self.scope, Finite):
            # The interpreter names a binding by its values alone, whatever their kinds.
            for one, other in itertools.combinations(made, 2):
                if len(one) == len(other):
                    pairs = zip(
                        itertools.product(*(enumerate(self.scope.values(k)) for k in one)),
                        itertools.product(*(enumerate(self.scope.values(k)) for k in other)),
                        strict=False,
                    )
                    for left, right in pairs:
                        if [i for i, _ in left] == [i for i, _ in right]:
                            a, b = made[one].apply([v for _, v in left]), made[other].apply([v for _, v in right])
                            facts.append(a == b)
        return Part(made), tuple(facts)

    def _after(self, index: int, stage: Stage, part: Part) -> After:
        def chosen(binders: tuple[Var[Any], ...], values: Sequence[Value]) -> Truth:
            signature = tuple(v.kind for v in binders)
            found = part.signatures[signature].apply(list(values))
            if part.extra is not None and part.extra[0] == signature:
                same = [self.scope.same(a, b) for a, b in zip(values, part.extra[1], strict=True)]
                return disj((found, conj(same)))
            return found

        return After(self.session.lowering, self.moments[index], stage, self.environment, chosen, self.idle[index])


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


def signatures(stage: Stage) -> tuple[Signature, ...]:
    """Return the kinds of the binders that tell the bindings of a stage apart."""
    depth = max((len(w.binders) for w in stage.written), default=0)
    return tuple(dict.fromkeys(tuple(v.kind for v in u.binders[:depth]) for u in stage.updates))


def _may_be_left_out(stage: Stage) -> bool:
    """Whether a stage has no moment where it writes nothing: all that it has are records for elements of a kind."""
    return bool(stage.written) and all(one.binders for one in stage.written)


def _truth_kind() -> Any:
    return BOOL


__all__ = ["EntityKind", "Formula", "Goal", "Part", "RowSession", "Session", "parameters"]
