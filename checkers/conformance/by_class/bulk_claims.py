"""Evaluates the claims of a protocol for runs of records: once for each transition of their entities."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fencepost.arrays import np
from fencepost.checkers.conformance.classes.changes import Cell
from fencepost.checkers.conformance.classes.classes import Numbers
from fencepost.checkers.conformance.classes.frames import Frame
from fencepost.checkers.conformance.classes.groups import Counted, Kind, Went, of_way
from fencepost.checkers.conformance.classes.questions import Bound, Question
from fencepost.checkers.conformance.state.properties import Plan, Properties, Through
from fencepost.checkers.conformance.state.replay import HardState
from fencepost.model.language import Var

from .asking import Asking
from .claims_by_class import ByClass
from .local import HasNumbers, Local

Evaluate = Callable[["ClaimsOf", int], object]
"""Evaluates claims for one of the entities that made the same transition, given by its index among them."""


@dataclass(frozen=True, slots=True, eq=False)
class ClaimsOf:
    """Claims, and those about a row, to evaluate for entities of the same transition, and how to do so for one."""

    key: Question
    plans: tuple[Plan, ...]
    of_row: tuple[Plan, ...]
    went: Went
    evaluate: Evaluate


class Undecided(Exception):
    """A query cannot be evaluated for many entities at once."""


class BulkClaims:
    """Evaluates claims for entities of the same transition; raises `Undecided` where each needs its own evaluation.

    All these entities made a transition to a state in which only their own cells differ.
    """

    def __init__(self, properties: Properties, by_class: ByClass, local: Local) -> None:
        self.properties, self.by_class, self.local = properties, by_class, local
        self.state: HardState = properties.state

    def alone(self, plans: Sequence[Plan], others: set[int]) -> tuple[list[Plan], list[Plan]]:
        """Return the claims that concern none but the entity whose cell has changed, and all others."""
        mine = [plan for plan in plans if plan.by_entity and others.isdisjoint(plan.reads)]
        return mine, [plan for plan in plans if plan not in mine]

    def own(
        self,
        plans: Sequence[Plan],
        went: Sequence[Went],
        version: int,
        evaluate: Evaluate,
        counted: Counted,
        numbers: HasNumbers | None = None,
    ) -> None:
        """Evaluate claims that are about one entity each for entities of some transitions; add the counts."""
        self.each(self.asked_of(plans, went, evaluate), version, counted, numbers)

    def asked_of(
        self,
        plans: Sequence[Plan],
        went: Iterable[Went],
        evaluate: Evaluate,
        of_row: Sequence[Plan] = (),
        bound: tuple[Any, ...] = (),
    ) -> list[ClaimsOf]:
        """Return the claims to evaluate for entities of some transitions, and those about a row with its parameters."""
        if not plans and not of_row:
            return []
        ids = [self.local.number(tuple([id(plan) for plan in some])) for some in (plans, of_row) if some]
        what = ("row" if of_row else "claims", *ids)
        number = self.local.number(Bound(bound)) if of_row else -1
        return [ClaimsOf(of_way(what, one.kind, number), tuple(plans), tuple(of_row), one, evaluate) for one in went]

    def each(
        self, asked: Sequence[ClaimsOf], version: int, counted: Counted, numbers: HasNumbers | None = None
    ) -> None:
        """Evaluate all of some claims; add the counts."""
        if not asked:
            return
        real = self.state.frame
        # What is read beside an entity's own cells is before and after the same.
        frame = Frame(real.tables, real.domains, real, real.open)
        counts = [len(one.went.who) for one in asked]
        which, starts = np.repeat(np.arange(len(asked)), counts), np.cumsum([0, *counts]).tolist()
        keys = np.repeat([self.local.number(one.key) for one in asked], counts)
        asking = Asking(
            self.local, "claims", keys, np.concatenate([one.went.who for one in asked]), frame, version, numbers
        )

        def evaluate(_: Question, at: int) -> None:
            number = which.item(at)
            asked[number].evaluate(asked[number], at - starts[number])

        if not asking.all(lambda at: asked[which.item(at)].key, evaluate):
            raise Undecided
        counted += asking.counted()

    def evaluate(self, asked: ClaimsOf, at: int, before: Frame, binding: Mapping[Var[Any], Any] | None = None) -> None:
        """Evaluate claims for one entity in the step from a state to the present one; cache the result by class."""
        entity = self.local.classes.entities[asked.went.who[at]]
        cells = [(number, (entity, *rest)) for number, rest in asked.went.kind[2]]
        self.by_class.evaluate(asked.key, asked.plans, cells, entity, before, asked.of_row, binding)

    def cells(
        self, plan: Plan, went: Sequence[Went], before: Frame, version: int, numbers: HasNumbers
    ) -> Iterator[Cell]:
        """Yield the cells of a claim that concern other entities, for entities of some transitions from a state."""
        entities = self.local.classes.entities
        for one in went:
            read = [cell for cell in one.kind[2] if cell[0] in plan.reads]
            who = self._concerning(plan, one, [number for number, _ in read], before, version, numbers)
            for number, rest in read:
                yield from ((number, (entities[at], *rest)) for at in who.tolist())

    def _concerning(
        self, plan: Plan, one: Went, read: Sequence[int], before: Frame, version: int, numbers: HasNumbers
    ) -> Numbers:
        """Return those of some entities for which an inner quantifier asks something, all where that is not known."""
        through = {at for number in read for pattern in plan.reads[number] for at in pattern}
        if not through or not all(isinstance(at, Through) and not at.at for at in through):
            return one.who
        asked = [at for at in through if isinstance(at, Through)]
        key = of_way(("through", id(plan)), one.kind)

        def evaluate(key: Question, at: int) -> None:
            entity = self.local.classes.entities[one.who[at]]
            traced = self.local.tracer.step(entity, before)
            self.local.keep(key, any(True for at in asked for _ in at.asking(entity, traced)))

        keys = np.full(len(one.who), self.local.number(one.kind))
        asking = Asking(self.local, key.what, keys, one.who, before, version, numbers)
        if not asking.all(lambda _: key, evaluate):
            return one.who
        return one.who[np.array(asking.results, np.bool_)[asking.which]]

    # -- claims of which nothing is kept ---------------------------------------------------------------------------
    def at_once(self, found: Callable[[], Iterable[Any]]) -> None:
        """Evaluate claims and count them; raises `Undecided`, with nothing counted, where a claim is broken."""
        kept = self.properties.counts()
        if list(found()):
            self.properties.count_again(kept)
            # Nothing was broken before: a violation is to be found and reported record by record.
            for instances in self.properties.broken.values():
                instances.clear()
            raise Undecided


def merged(went: Sequence[Went]) -> list[Went]:
    """Return the same with one for each way."""
    by_kind: dict[Kind, list[Numbers]] = {}
    for one in went:
        by_kind.setdefault(one.kind, []).append(one.who)
    return [Went(kind, np.concatenate(who)) for kind, who in by_kind.items()]
