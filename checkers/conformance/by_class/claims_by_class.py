"""Evaluates the claims of a protocol once for all entities of a class that made the same transition."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import Any, Final, TypeAlias

from fencepost.arrays import np
from fencepost.checkers.conformance.classes.changes import Cell
from fencepost.checkers.conformance.classes.frames import MISSING, Env, Frame
from fencepost.checkers.conformance.classes.groups import Counted, Went, alike, of_way
from fencepost.checkers.conformance.classes.questions import Bound, Question
from fencepost.checkers.conformance.classes.siblings import Asked
from fencepost.checkers.conformance.results.results import PropertyEvidence
from fencepost.checkers.conformance.state.properties import Known, Pattern, Plan, Properties
from fencepost.checkers.conformance.state.touched import Touched
from fencepost.model.language import Step, Var

from .instances import Earlier, Instances
from .local import NOT_LOCAL, Local

BEGUN: Final = ("begun",)
"""Takes the place of counted numbers where no step led to the state."""


_Named: TypeAlias = tuple[Sequence[Plan], int]
"""Claims, with the number that the questions about them have."""


class ByClass(Known):
    """Evaluates the claims of some properties by class; where a claim does not hold they are evaluated one by one."""

    uses_indexes = False

    def __init__(self, properties: Properties, local: Local) -> None:
        self.properties, self.local = properties, local
        self.instances_of = Instances(self, local)
        self._counted: dict[frozenset[Any], tuple[int, ...]] = {}
        self._kept: dict[tuple[int, frozenset[int]], tuple[Sequence[Plan], _Named]] = {}
        self._kinds: tuple[Touched, Frame, int, dict[Any, list[Any]]] | None = None

    def asks(self, touched: Touched) -> bool:
        """Whether what was touched is known by class."""
        return touched.classes is self.local.classes

    def answered(self, plans: Sequence[Plan], touched: Touched, before: Frame) -> Mapping[Plan, Set[Any]]:
        """Evaluate claims for the touched cells; return those that are known to hold of all entities but some.

        For these, each claim's own, it is evaluated singly. One that is broken may hold again: it is evaluated singly.
        """
        if not self.asks(touched):
            return {}
        version, kinds = self.version(touched), self.kinds(touched, before)
        others = frozenset([number for number, _ in touched.others])
        if any(self.properties.broken.values()):
            plans = [plan for plan in plans if not self.properties.is_broken(plan)]
            alone = self._alone(plans, others)
        else:
            kept = self._kept.get((id(plans), others))
            if kept is None:
                # The claims are kept beside: others may not have their number.
                kept = self._kept[id(plans), others] = plans, self._alone(plans, others)
            alone = kept[1]
        left = self.together(alone, kinds, before, version)
        if not left and not others:
            return dict.fromkeys(alone[0], frozenset())
        # The claims are evaluated each by itself where it is known that they cannot be evaluated together.
        never = {kind: some for kind, is_never in left.items() if is_never for some in [kinds[kind]]}
        found: dict[Plan, set[Any]] = {
            plan: {one for kind in left if kind not in never for one in kinds[kind]} for plan in alone[0]
        }
        for plan in alone[0] if never else ():
            single = self._named((plan,))
            found[plan].update(one for kind in self.together(single, never, before, version) for one in never[kind])
        for plan in plans:
            concerned = [cell for cell in touched.others if cell[0] in plan.reads]
            if concerned and self.instances(plan, concerned, touched, before, version):
                found[plan] = set()
        return found

    def _alone(self, plans: Sequence[Plan], others: frozenset[int]) -> _Named:
        """Return the claims that concern none but the entity whose cell has changed."""
        return self._named([plan for plan in plans if plan.by_entity and others.isdisjoint(plan.reads)])

    def _named(self, plans: Sequence[Plan]) -> _Named:
        return plans, self.local.number(tuple([id(plan) for plan in plans]))

    def begun(self, plans: Sequence[Plan], frame: Frame) -> set[Plan]:
        """Evaluate claims for all entities of the present state; return those that are known to hold."""
        shape, classes, found = self.local.shape, self.local.classes, set[Plan]()
        numbers = classes.of_number[: len(classes.entities)]
        went = [
            Went((number := numbers.item(who[0]), number, classes.written_in(number, shape.slots), BEGUN), who)
            for who in alike(numbers)
        ]
        for plan in plans:
            others = [(n, keys) for n in sorted(plan.reads) if n not in shape.slots for keys in frame.tables[n]]
            counted: Counted = []
            earlier = Earlier(self.local, frame, ())
            if went and self.instances_of.ask(
                plan, others, went, frame, self.properties.state.version, counted, earlier
            ):
                for one, times in counted:
                    self.add(one, times)
                found.add(plan)
        return found

    def version(self, touched: Touched) -> int:
        """Return a number for the states before and after, met again only where nothing else has changed."""
        if not touched.others:
            return self.properties.state.version
        return self.local.step()

    def kinds(self, touched: Touched, before: Frame) -> dict[Any, list[Any]]:
        """Return the entities that were touched by how: their class before, that after, the cells, what was counted."""
        known, writes = self._kinds, self.properties.state.writes
        if known is not None and known[0] is touched and known[1] is before and known[2] == writes:
            return known[3]
        found: dict[Any, list[Any]] = {}
        of = self.local.classes.of
        for entity, (old, cells) in touched.entities.items():
            found.setdefault((old, of(entity), cells, self._counts(entity, cells, before)), []).append(entity)
        self._kinds = touched, before, writes, found
        return found

    def _counts(self, entity: Any, cells: frozenset[tuple[int, Any]], before: Frame) -> tuple[Any, ...]:
        """Return by how much each number of an entity's own was counted up; one that was not there, as it is."""
        tables = self._counted.get(cells)
        if tables is None:
            tables = tuple(sorted(number for number, _ in cells if number in self.local.shape.counted))
            self._counted[cells] = tables
        after, found = self.properties.state.frame, []
        for number in tables:
            old, new = (frame.tables[number].get((entity,), MISSING) for frame in (before, after))
            both = isinstance(old, int) and isinstance(new, int)
            found.append((both, new - old if both else new))
        return tuple(found)

    def together(
        self, named: _Named, kinds: Mapping[Any, Sequence[Any]], before: Frame, version: int
    ) -> dict[Any, bool]:
        """Evaluate claims about cells that entities themselves touched, once a class of these entities.

        Return the transitions for whose entities that does not decide the claims, each with whether it never does;
        nothing is counted of them.
        """
        plans, name = named
        left: dict[Any, bool] = {}
        for kind, entities in kinds.items():
            key = of_way(("claims", name), kind)
            counted: list[tuple[Any, int]] = []

            def evaluate(entity: Any, key: Question = key, cells: Any = kind[2]) -> Any:
                own = [(number, (entity, *rest)) for number, rest in cells]
                return self.evaluate(key, plans, own, entity, before)

            if not self._counted_of(key, entities, before, version, evaluate, counted):
                left[kind] = self.local.is_never(key)
                continue
            for found, times in counted:
                self.add(found, times)
        return left

    def _counted_of(
        self,
        key: Question,
        entities: Sequence[Any],
        before: Frame,
        version: int,
        evaluate: Callable[[Any], Any],
        counted: list[tuple[Any, int]],
    ) -> bool:
        """Add the counts of entities of the same transition, so many times; False where these do not decide a claim."""
        for some in self.local.by_parents(entities):
            rest = some
            while rest:
                found, others = self.local.shared(key, rest, before, version)
                if found is MISSING:
                    found, others = evaluate(rest[0]), rest
                    if found is not NOT_LOCAL:
                        found, others = self.local.shared(key, rest, before, version)
                if found is NOT_LOCAL or found is MISSING:
                    return False
                counted.append((found, len(rest) - len(others)))
                rest = others
        return True

    def evaluate(
        self,
        key: Question,
        plans: Sequence[Plan],
        cells: Sequence[Cell],
        entity: Any,
        before: Frame,
        of_row: Sequence[Plan] = (),
        binding: Mapping[Var[Any], Any] | None = None,
    ) -> Any:
        """Evaluate claims for one entity under the tracer; return the counts, which are not added yet.

        Claims about a row, with its parameters, are evaluated whatever changed where they are not inert.
        """
        evidence = self.properties.evidence
        kept = {plan.claim.id: evidence[plan.claim.id] for plan in (*plans, *of_row)}
        evidence.update({id: PropertyEvidence() for id in kept})
        traced, real = self.local.tracer.step(entity, before), self.properties.state.frame
        self.properties.state.frame = real if traced.after is None else traced.after
        try:
            broken: list[Any] = []
            for plan in plans:
                broken += self.properties.ask(plan, cells, traced)
            for plan in of_row:
                if plan.inert:
                    broken += self.properties.ask(plan, cells, traced, binding)
                else:
                    env = dict(binding or {})
                    broken += [one for one in self._each(plan, [plan.every], traced, env) if one is False]
        finally:
            self.properties.state.frame = real
        every = [(id, *_counted(evidence[id])) for id in kept]
        counted = [one for one in every if any(one[1:])]
        evidence.update(kept)
        for plan in (*plans, *of_row) if broken else ():
            self.properties.broken[plan.claim.id, plan.part].clear()
        found = NOT_LOCAL if broken else tuple(counted)
        self.local.keep(key, found)
        return found if self.local.tracer.local else NOT_LOCAL

    def add(self, counted: Iterable[tuple[str, int, int, int]], times: int) -> None:
        """Count what was counted of one entity for so many."""
        for id, judged, with_premise, unknown in counted:
            one = self.properties.evidence[id]
            one.judged += judged * times
            one.with_premise += with_premise * times
            one.unknown += unknown * times

    def instances(self, plan: Plan, others: Sequence[Cell], touched: Touched, before: Frame, version: int) -> bool:
        """Evaluate a claim about an entity for affected ones, each class once; False where that does not decide it."""
        index = self.local.classes.index
        went = [
            Went(kind, np.array([index[one] for one in entities]))
            for kind, entities in self.kinds(touched, before).items()
        ]
        counted: Counted = []
        earlier = Earlier(self.local, before, list(touched.entities))
        if not self.instances_of.ask(plan, others, went, before, version, counted, earlier):
            return False
        for found, times in counted:
            self.add(found, times)
        return True

    def instance(
        self,
        key: Question,
        plan: Plan,
        patterns: Sequence[Pattern],
        env: Env,
        entity: Any,
        before: Frame,
        sibling: Asked | None = None,
    ) -> Any:
        """Evaluate instances of a claim for one entity under the tracer; return the counts, which are not added yet."""
        evidence, id = self.properties.evidence, plan.claim.id
        kept, evidence[id] = evidence[id], PropertyEvidence()
        traced = self.local.tracer.step(entity, before, sibling)
        frame = traced if isinstance(plan.claim, Step) or traced.after is None else traced.after
        whole = self._each(plan, patterns, frame, env)
        found: Any = NOT_LOCAL if any(one is False for one in whole) else ((id, *_counted(evidence[id])),)
        evidence[id] = kept
        self.local.keep(key, found)
        return found if self.local.tracer.local else NOT_LOCAL

    def _each(self, plan: Plan, patterns: Sequence[Pattern], frame: Frame, env: Env) -> list[Any]:
        """Return what instances of a claim come to, each counted."""
        return [
            self.properties.count(plan, plan.body(frame, env))
            for _ in self.properties.instances(plan, patterns, frame, env, 0)
        ]

    def of_row(self, plan: Plan, binding: Mapping[Var[Any], Any], touched: Touched, before: Frame) -> set[Any] | None:
        """Evaluate a claim about a row for the touched entities, by class; return those of which that does not decide
        it, None where it decides nothing."""
        if not self.asks(touched) or not plan.by_entity or self.properties.is_broken(plan):
            return None
        if any(number in plan.reads for number, _ in touched.others):
            return None
        version = self.version(touched)
        left = set[Any]()
        for kind, entities in self.kinds(touched, before).items():
            bound = self.local.bound(binding, entities[0]) if len(entities) == 1 else self.local.unnamed(binding)
            asked = ("row", self.local.number((id(plan),)))
            key = None if bound is None else of_way(asked, kind, self.local.number(Bound(bound)))
            counted: list[tuple[Any, int]] = []

            def evaluate(entity: Any, key: Question | None = key, cells: Any = kind[2]) -> Any:
                assert key is not None
                own = [(number, (entity, *rest)) for number, rest in cells if number in plan.reads]
                return self.evaluate(key, (), own, entity, before, (plan,), binding)

            if key is None or not self._counted_of(key, entities, before, version, evaluate, counted):
                left.update(entities)
                continue
            for found, times in counted:
                self.add(found, times)
        return left


def _counted(one: PropertyEvidence) -> tuple[int, int, int]:
    return one.judged, one.with_premise, one.unknown
