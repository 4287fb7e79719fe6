"""Rows in a session: the moments that a row goes through, and every way in which it may break a property."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache, partial, reduce
from typing import Any

from fencepost.checkers.written_once import WRITTEN_ONCE, conflicts, of_any_number
from fencepost.model.language import AFTER_EVERY_RECORD, BOOL, Always, Row, Stage, Step, Update, Var, all_of, exists
from fencepost.model.language.footprint import touched, variables
from fencepost.model.language.kinds import ThresholdKind

from .finite import Finite
from .logic import Truth, Value, conj, disj, neg
from .lowering import Environment
from .moments import After, Moment, Stepping, key_arguments, untold
from .ranges import leaves_range, may_leave, stays_in_range, written_later
from .scope import Inexpressible
from .session import Formula, Goal, Part, Session, Signature, parameters

Never = Callable[["RowSession", Formula], bool]
"""Whether a fact cannot be where a row is enabled."""
Stays = Callable[["RowSession", int, Callable[[], Formula]], bool]
"""The same of the fact that a write leaves a range, made where it is looked at; with its number among such."""


class RowSession:
    """A row in a session: its parameters, its guard, and the moments that it goes through.

    `never` is asked about updates that may write one cell for many bindings: what is never carried out is left out.
    The row is disabled where a write of it would put a counter below its start, as in exploration. `stays` is asked
    whether a write that might do so never does; `leaving` are the facts of those left, `own_guard` is the guard without
    the condition that none of them does.
    """

    def __init__(self, session: Session, row: Row, never: Never | None = None, stays: Stays | None = None) -> None:
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

    def _disable_out_of_range(self, stays: Stays | None) -> None:
        """Add to the guard that no write leaves a counter outside its range: exploration disables the row there, too.

        Writes whose form shows that they stay in range add nothing, nor do those that `stays` confirms. A value that a
        later stage may replace is that at the end of the row.
        """
        unsure = [
            (update, now, last, cache(partial(self._out_of_range, update, now, last)))
            for index, (stage, now, idle) in enumerate(zip(self.row.stages, self.moments, self.idle, strict=False))
            for update in stage.updates
            if update not in idle and may_leave(update, self.scope.limited)
            for last in (self.moments[-1] if written_later(self.row, index, update) else None,)
        ]
        left = [one for number, one in enumerate(unsure) if stays is None or not stays(self, number, one[3])]
        if not left:
            return
        self.leaving = tuple(leaves() for _, _, _, leaves in left)
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
        if claim.id == WRITTEN_ONCE:
            yield from self.conflicts()
            return
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

    def conflicts(self) -> Iterator[Goal]:
        """Yield every way in which a stage may write a cell twice with different values.

        Sizes of sets that are not counted count as different: what is proved of them holds whatever they are.
        """
        counted = isinstance(self.scope, Finite)
        for index, (stage, now) in enumerate(zip(self.row.stages, self.moments, strict=False)):
            for term in conflicts(stage, of_any_number, lambda kind: counted or not isinstance(kind, ThresholdKind)):
                yield Goal(self.session.held(term, now, self.environment), index)

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
            facts = (*facts, neg(part.signatures[signature].apply(self._named(names, signature))))
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
                            a = made[one].apply(self._named([v for _, v in left], one))
                            facts.append(a == made[other].apply(self._named([v for _, v in right], other)))
        return Part(made), tuple(facts)

    def _named(self, values: Sequence[Value], signature: Signature) -> list[Any]:
        """Return the values of binders as arguments of the predicate that says which records are written."""
        return key_arguments(self.scope, signature, values)

    def _after(self, index: int, stage: Stage, part: Part) -> After:
        def chosen(binders: tuple[Var[Any], ...], values: Sequence[Value]) -> Truth:
            signature = tuple(v.kind for v in binders)
            found = part.signatures[signature].apply(self._named(values, signature))
            if part.extra is not None and part.extra[0] == signature:
                same = [self.scope.equal(a, b, k) for a, b, k in zip(values, part.extra[1], signature, strict=True)]
                return disj((found, conj(same)))
            return found

        return After(self.session.lowering, self.moments[index], stage, self.environment, chosen, self.idle[index])


def signatures(stage: Stage) -> tuple[Signature, ...]:
    """Return the kinds of the binders that tell the bindings of a stage apart."""
    depth = max((len(w.binders) for w in stage.written), default=0)
    return tuple(dict.fromkeys(tuple(v.kind for v in u.binders[:depth]) for u in stage.updates))


def _may_be_left_out(stage: Stage) -> bool:
    """Whether a stage has no moment where it writes nothing: all that it has are records for elements of a kind."""
    return bool(stage.written) and all(one.binders for one in stage.written)


def _truth_kind() -> Any:
    return BOOL


__all__ = ["Never", "RowSession", "Stays", "signatures"]
