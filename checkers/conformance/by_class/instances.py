"""Claims about entities of the classed sort that others' cells affect, evaluated once a class.

Others are those of other sorts, and an entity's sibling: the one of its sort that the claim reads (`siblings`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from fencepost.arrays import np
from fencepost.checkers.conformance.classes.changes import Cell
from fencepost.checkers.conformance.classes.classes import Classes, Numbers
from fencepost.checkers.conformance.classes.frames import Frame
from fencepost.checkers.conformance.classes.groups import Counted, Went
from fencepost.checkers.conformance.classes.questions import Patterns, Question
from fencepost.checkers.conformance.classes.siblings import Asked, Sibling, Siblings
from fencepost.checkers.conformance.state.properties import Pattern, Plan, Through, concerned_by

from .asking import Asking, packed
from .local import HasNumbers, Local
from .taken import numbers_of
from .transitions import Before

if TYPE_CHECKING:
    import numpy.typing as npt

    from .claims_by_class import ByClass

MOST: Final = 40
"""The number of patterns of instances that are distinguished; beyond it the instances are evaluated one by one."""


@dataclass(frozen=True, slots=True)
class _Besides:
    """The siblings of all entities by their numbers, -1 for none, whose ids' numbers are more `by` so much.

    `of` is the sibling that a claim names."""

    of: Sibling
    by: int
    numbers: Numbers

    def classes(self, classes: Classes, who: Numbers) -> Numbers:
        """Return the classes of some entities' siblings, -1 where there is none."""
        there = self.numbers[who]
        return np.where(there < 0, -1, classes.of_number[there])


class Instances:
    """Evaluates claims whose first variable is an entity of the classed sort, the others being none that ids name."""

    def __init__(self, by_class: ByClass, local: Local) -> None:
        self.by_class, self.local, self.classes = by_class, local, local.classes
        self.siblings = Siblings(local.classes, local.shape.slots, local.shape.counted)
        self._fits: dict[Plan, bool] = {}

    def ask(
        self,
        plan: Plan,
        others: Sequence[Cell],
        went: Sequence[Went],
        before: Frame,
        version: int,
        counted: Counted,
        numbers: HasNumbers,
    ) -> bool:
        """Evaluate the instances of a claim that the cells changed by some transitions affect; add the counts.

        `others` are the changed cells of other sorts, `numbers` the entities' own in the state before. False, with
        nothing counted, where these do not decide the claim.
        """
        if not self._is_fit(plan):
            return False
        besides = self._besides(plan.sibling) if plan.sibling is not None else None
        if plan.sibling is not None and besides is None:
            return False
        patterns: list[Pattern] = []
        concerned = self._by_others(plan, others, before, patterns)
        kinds = np.zeros(len(self.classes.entities), np.int64)
        for place, one in enumerate(went, start=1):
            kinds[one.who] = place
            self._by_own(plan, one, before, patterns, concerned)
            if len(patterns) > MOST:
                return False
            if besides is not None and not self._by_siblings(plan, one, before, besides, numbers, patterns, concerned):
                return False
        where, asked = np.flatnonzero(concerned), list[tuple[Any, int]]()
        for bits in distinct(concerned[where]):
            those = where[concerned[where] == bits]
            some = tuple(one for at, one in enumerate(patterns) if bits >> at & 1)
            bound = self.local.number(Patterns(plan.vars, frozenset(some)))
            found = self._asking(plan, bound, some, those, kinds[those], went, besides, before, version, numbers)
            if found is None:
                return False
            asked += found.counted()
        counted += asked
        return True

    def _asking(
        self,
        plan: Plan,
        bound: int,
        some: Sequence[Pattern],
        who: Numbers,
        kinds: Numbers,
        went: Sequence[Went],
        besides: _Besides | None,
        before: Frame,
        version: int,
        numbers: HasNumbers,
    ) -> Asking | None:
        """Evaluate instances of some patterns of entities: `kinds` are their transitions, 0 for those without one."""
        classes, projection = self.classes.of_number[who], self.local.projection(("instance", id(plan)))
        beside = None if besides is None else besides.classes(self.classes, who)

        def question(at: int) -> Question:
            kind = went[kinds.item(at) - 1].kind if kinds[at] else None
            first, last, counted = (classes.item(at),) * 2 + ((),) if kind is None else (kind[0], kind[1], kind[3])
            what = ("instance", id(plan)) if beside is None else ("sibling", id(plan), beside.item(at))
            return Question(what, first, last, bound=bound, counted=counted)

        def evaluate(key: Question, at: int) -> None:
            entity = self.classes.entities[who[at]]
            fixed = [((entity,), *one[1:]) for one in some]
            sibling = None if besides is None else self._asked(besides, who.item(at))
            self.by_class.instance(key, plan, fixed, {}, entity, before, sibling)
            projection.note(self.local.tracer.own_cells)

        while True:
            generation = projection.generation
            ways = [0, *[projection.of_way(*one.kind[:2], one.kind[3]) for one in went]]
            keys, labels = np.where(kinds > 0, np.array(ways)[kinds], projection.of(classes)), None
            if beside is not None:
                others = np.where(beside < 0, 0, projection.of(beside) + 1)
                if (len(projection) + 1) ** 2 < 1 << 16:
                    labels = (others * len(projection) + keys).astype(np.uint16)
                keys = packed(others, keys)
            elif len(projection) < 1 << 16:
                labels = keys.astype(np.uint16)
            sheet = ("instance", id(plan), bound, generation)
            asking = Asking(self.local, sheet, keys, who, before, version, numbers, labels)
            if not asking.all(question, evaluate):
                return None
            if projection.generation == generation:
                return asking

    def _is_fit(self, plan: Plan) -> bool:
        found = self._fits.get(plan)
        if found is None:
            first = bool(plan.vars) and str(plan.vars[0].kind) == self.local.shape.sort
            mine = plan.by_entity or plan.sibling is not None
            found = first and mine and not any(self.local.tracer.names(one.kind) for one in plan.vars[1:])
            self._fits[plan] = found
        return found

    def _by_others(
        self, plan: Plan, others: Sequence[Cell], before: Frame, patterns: list[Pattern]
    ) -> npt.NDArray[np.int64]:
        """Return for each entity which instances of it changed cells of other sorts concern: bit n for pattern n."""
        found = np.zeros(len(self.classes.entities), np.int64)
        for number, keys in others:
            for first, *rest in plan.reads[number]:
                bit = _bit((None, *[concerned_by(at, keys, before) for at in rest]), patterns)
                for who in self._concerned(first, keys, before):
                    found[who] |= bit
        return found

    def _by_own(
        self, plan: Plan, one: Went, before: Frame, patterns: list[Pattern], concerned: npt.NDArray[np.int64]
    ) -> None:
        """Mark the instances affected by entities' own changed cells, for entities of the same transition."""
        for number, rest in one.kind[2]:
            for first, *places in plan.reads.get(number, ()):
                if first != 0:
                    continue
                # No other variable is found through an entity of the sort: the value in its place is not read.
                concerned[one.who] |= _bit(
                    (None, *[concerned_by(at, (None, *rest), before) for at in places]), patterns
                )

    def _besides(self, sibling: Sibling) -> _Besides | None:
        """Return the siblings of all entities, None where an entity's own cells do not name its sibling."""
        by = self.siblings.by(sibling)
        if by is None or not self.siblings.are_known(sibling, self.classes.present()):
            return None
        return _Besides(sibling, by, self.siblings.numbers(sibling, by))

    def _asked(self, besides: _Besides, number: int) -> Asked:
        entities, there = self.classes.entities, besides.numbers.item(number)
        return Asked(besides.of, entities[number], None if there < 0 else entities[there], besides.by)

    def _by_siblings(
        self,
        plan: Plan,
        one: Went,
        before: Frame,
        besides: _Besides,
        numbers: HasNumbers,
        patterns: list[Pattern],
        concerned: npt.NDArray[np.int64],
    ) -> bool:
        """Add entities whose siblings made a transition; False where the former siblings are not known."""
        real = self.by_class.properties.state.frame
        asked = {at for number, _ in one.kind[2] for (at, *_) in plan.reads.get(number, ()) if isinstance(at, Through)}
        entity = self.classes.entities[one.who[0]]
        for at in asked:
            for frame in at.asking(entity, before):
                if frame is not real and not (
                    isinstance(numbers, Before) and self.siblings.are_known(besides.of, numbers.there())
                ):
                    return False
                those = self.siblings.numbers(besides.of, -besides.by)[one.who]
                concerned[those[those >= 0]] |= _bit(plan.every, patterns)
        return True

    def _concerned(self, at: int | Through | None, keys: tuple[Any, ...], before: Frame) -> Sequence[Numbers]:
        if isinstance(at, int):
            return [np.array([self.classes.index[keys[at]]])]
        everyone = [np.arange(len(self.classes.entities))]
        if at is None:
            return everyone
        found = at.found(keys, before)
        return everyone if found is None else [numbers_of(self.classes, one) for one in found]


def distinct(numbers: Numbers) -> list[int]:
    """Return which numbers there are, none negative, in order."""
    few = int(numbers.max(initial=0)) < 1 << 16
    found: list[int] = (np.flatnonzero(np.bincount(numbers)) if few else np.unique(numbers)).tolist()
    return found


def _bit(pattern: Pattern, patterns: list[Pattern]) -> int:
    """Return the bit of a pattern among some, to which it is added."""
    if pattern not in patterns:
        patterns.append(pattern)
    return 1 << min(patterns.index(pattern), MOST)


class Earlier:
    """The entities' own numbers as they were in front of a step that changed those of a few."""

    def __init__(self, local: Local, before: Frame, entities: Sequence[Any]) -> None:
        self.local, self.before = local, before
        self.entities = {local.classes.index[one]: one for one in entities}
        self._tables = {slot: number for number, slot in local.shape.slots.items()}

    def numbers(self, place: int | None, slot: int, who: Numbers) -> npt.NDArray[np.int64]:
        """Return the number at an index of the ids of some entities, or the number counted for them in a slot."""
        found = self.local.classes.numbers(place, slot, who)
        if place is not None or not self.entities:
            return found
        found, table = found.copy(), self.before.tables[self._tables[slot]]
        for at in np.flatnonzero(np.isin(who, list(self.entities))).tolist():
            old = table.get((self.entities[int(who[at])],))
            if isinstance(old, int):
                found[at] = old
        return found
