"""Checks units of many records at once: equivalent records are parsed, replayed and evaluated together.

Where that cannot be done nothing has changed, and the unit is checked record by record.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from fencepost.arrays import np
from fencepost.checkers.conformance.by_class.bulk_claims import BulkClaims, ClaimsOf, Undecided, merged
from fencepost.checkers.conformance.by_class.claims_by_class import ByClass
from fencepost.checkers.conformance.by_class.in_bulk import LONG, BulkParser, Stretch
from fencepost.checkers.conformance.by_class.local import Local
from fencepost.checkers.conformance.by_class.matching_by_class import ClassMatcher, Kept
from fencepost.checkers.conformance.by_class.run_units import RunUnit
from fencepost.checkers.conformance.by_class.transitions import Before, Transition, Transitions, Undo
from fencepost.checkers.conformance.classes.changes import Change
from fencepost.checkers.conformance.classes.frames import MISSING, Env, Frame
from fencepost.checkers.conformance.classes.groups import Counted, Went, alike
from fencepost.checkers.conformance.classes.tables import Overlay
from fencepost.checkers.conformance.matching.parsing import Block
from fencepost.checkers.conformance.state.properties import Plan
from fencepost.checkers.conformance.state.touched import Touched
from fencepost.model.language import Var

from .units import Item, Units


@dataclass(slots=True)
class _Outcome:
    """The counts of a unit, kept until all of it is decided."""

    counted: Counted = field(default_factory=list)
    rows: Counter[str] = field(default_factory=Counter)
    classes: Counter[tuple[str, ...]] = field(default_factory=Counter)
    unjudged: Counter[str] = field(default_factory=Counter)
    possible: set[str] = field(default_factory=set)
    tallies: list[tuple[Block, int]] = field(default_factory=list)


class Bulk:
    """Checks units of runs for `Units`, in their state."""

    def __init__(self, units: Units, local: Local) -> None:
        self.units, self.local, self.state = units, local, units.state
        assert isinstance(units.matcher, ClassMatcher)
        assert isinstance(units.properties.known, ByClass)
        self.parser = BulkParser(units.matcher, local)
        self.transitions = Transitions(units.state, local)
        self.claims = BulkClaims(units.properties, units.properties.known, local)

    def judge(self, unit: RunUnit) -> bool:
        """Check a unit; False, with nothing changed, where it has to be checked record by record."""
        units = self.units
        if any(units.properties.broken.values()) or (units.roots.any and units.stops(*unit.bounds)):
            return False
        blocks = self.parser.parse(unit)
        if blocks is None or any(edge.is_further for one in blocks if isinstance(one, Block) for edge in one.edges):
            return False
        undo: list[Undo | tuple[Change, ...]] = []
        kept = units.properties.counts()
        out = _Outcome()
        try:
            for one in blocks:
                if isinstance(one, Stretch):
                    self._stretch(unit, one, out, undo)
                else:
                    self._block(unit, one, out, undo)
        except Undecided:
            self.transitions.take_back(undo)
            units.properties.count_again(kept)
            return False
        ends = units.stops(*unit.bounds)
        if ends:
            self.transitions.take_back(undo)
            self._stop(unit, [at for at in range(len(unit)) if unit.offset(at) in ends])
        self._conclude(unit, blocks, out)
        return True

    # -- what the rows make of it ----------------------------------------------------------------------------------
    def _stretch(self, unit: RunUnit, one: Stretch, out: _Outcome, undo: list[Undo | tuple[Change, ...]]) -> None:
        """Check records that are a result each."""
        which = np.zeros(one.end - one.start, np.int64)
        for number, (edges, places) in enumerate(one.parts):
            which[places - one.start] = number
            self._row_of_stretch(edges, len(places), out)
        for _, part in self.transitions.steps(unit, one.start, one.end):
            if not isinstance(part, list):
                raise Undecided
            self._results(part, which, one, out)
            undo.append(self.transitions.make(part))
        self.state.at_offset(unit.offset(one.end - 1) + 1)

    def _row_of_stretch(self, edges: tuple[Kept, ...], times: int, out: _Outcome) -> None:
        rows = tuple(sorted({one.row.id for one in edges}))
        if any(one.row.finding for one in edges) or not self.state.layout.marks.keys().isdisjoint(rows):
            raise Undecided
        out.possible |= set(rows)
        if len(rows) == 1:
            out.rows[rows[0]] += times
        else:
            out.classes[rows] += times
        for name in edges[0].unjudged:
            out.unjudged[name] += times

    def _results(self, part: Sequence[Transition], which: Any, one: Stretch, out: _Outcome) -> None:
        """Evaluate the claims about every record, every result and its row, in the state before them."""
        claims, version = self.units.properties.claims, self.state.version
        went = [self._went(some) for some in part]
        # Each record is a result of its own: the claims about either are evaluated for the same step.
        alone = self._alone([*claims.of_records, *claims.of_results], went)
        kinds, counts = [one.kind for one in went], [len(some.who) for some in part]
        who, ways = np.concatenate([some.who for some in part]), np.repeat(np.arange(len(part)), counts)
        numbers = which[np.concatenate([some.places for some in part]) - one.start]
        asked: list[ClaimsOf] = []
        for places in alike(numbers):
            edges = one.parts[numbers.item(places.item(0))][0]
            is_sure = len(edges) == 1
            rows = [edge.row.id for edge in edges]
            of_row: Sequence[Plan] = claims.of_rows.get(rows[0], ()) if is_sure else claims.of_each(rows)
            if not all(plan.by_entity for plan in of_row if plan.inert):
                raise Undecided
            those = [places[some] for some in alike(ways[places])]
            here = [Went(kinds[ways.item(some.item(0))], who[some]) for some in those]
            bound = edges[0].env if of_row and is_sure else ()
            asked += self.claims.asked_of(alone, here, self._evaluated(bound), of_row, bound)
        self.claims.each(asked, version, out.counted)

    def _after(self, plans: Sequence[Plan], went: Sequence[Went], version: int, counted: Counted) -> None:
        """Evaluate claims for entities that only their own cells concern, in the state before their transition."""
        self.claims.own(self._alone(plans, went), went, version, self._evaluated(()), counted)

    def _alone(self, plans: Sequence[Plan], went: Sequence[Went]) -> list[Plan]:
        """Return the claims of entities that only their own cells concern; the others must not be concerned."""
        alone, rest = self.claims.alone(plans, set())
        if any(number in plan.reads for plan in rest for one in went for number, _ in one.kind[2]):
            raise Undecided
        return alone

    def _evaluated(self, bound: tuple[Any, ...]) -> Any:
        """Return what asks claims of one entity in the step that the present state is in front of."""

        def evaluate(asked: ClaimsOf, at: int) -> None:
            number = int(asked.went.who[at])
            changes = self._changes(asked.went, number)
            self.state.apply(changes)
            before = self.state.before(changes)
            self.claims.evaluate(
                asked, at, before, self.local.traced(bound, self.local.classes.entities[number], before)
            )
            self.state.undo(changes)

        return evaluate

    def _changes(self, one: Went, number: int) -> tuple[Change, ...]:
        """Return the changes of one of the entities that made the same transition."""
        classes, entity = self.local.classes, self.local.classes.entities[number]
        initial, counts = self.state.layout.initial, dict(zip(self._counted(one), one.kind[3], strict=True))
        found = []
        for table, rest in one.kind[2]:
            old = self.state.read((table, (entity, *rest)))
            if table in counts:
                adds, value = counts[table]
                new = old + value if adds else value
            else:
                new = classes.said(one.kind[1], entity, self.local.shape.slots[table], rest)
                new = initial[table] if new is MISSING else new
            found.append(Change((table, (entity, *rest)), old, new))
        return tuple(found)

    def _counted(self, one: Went) -> list[int]:
        return sorted(table for table, _ in one.kind[2] if table in self.local.shape.counted)

    @staticmethod
    def _went(one: Transition) -> Went:
        if one.kind is None:
            raise Undecided
        return Went(one.kind, one.who)

    # -- a result of many records ----------------------------------------------------------------------------------
    def _block(self, unit: RunUnit, block: Block, out: _Outcome, undo: list[Undo | tuple[Change, ...]]) -> None:
        if not self.state.layout.marks.keys().isdisjoint(block.rows):
            raise Undecided
        out.possible |= set(block.rows)
        out.tallies.append((block, block.end - 1))
        old, properties = dict[Any, Any](), self.units.properties
        went: list[Went] = []
        touched = Touched(self.state)
        whole: list[Change] = []
        few, end = block.end - block.start <= LONG, unit.offset(block.start) - 1
        # Few are replayed one by one: no query about the state in front of all of them is evaluated by class.
        before = None if few else Before(self.local.classes)
        steps = self.transitions.singly if few else self.transitions.steps
        for at, part in steps(unit, block.start, block.end):
            if isinstance(part, list):
                some = merged([self._went(one) for one in part])
                self._after(properties.claims.of_records, some, self.state.version, out.counted)
                undo.append(self.transitions.make(part))
                went += some
                continue
            if part is None:
                raise Undecided
            here = Touched(self.state)
            for cells in (touched, here):
                cells.add(part)
            self.state.apply(part)
            self.state.at_offset(unit.offset(at) + 1)
            undo.append(part)
            whole += part
            for change in part:
                old.setdefault(change.cell, change.old)
            step = self.state.before(part, unit.offset(at) - 1)
            self.claims.at_once(partial(properties.after_record, here, step))
        self.state.at_offset(unit.offset(block.end - 1) + 1)
        if went and before is not None:
            frame = self._before(before, old, end)
            self._boundary(block, merged([*went, *self._singles(touched, old)]), touched, before, frame, out)
        elif whole or block.rows:
            self._small(block, touched, self.state.before(whole, end))

    def _small(self, block: Block, touched: Touched, before: Frame) -> None:
        """Evaluate the claims behind a result of few records."""
        properties = self.units.properties
        self.claims.at_once(partial(properties.after_result, touched, before))
        self.claims.at_once(partial(properties.of_block, block, touched, before))

    def _singles(self, touched: Touched, old: Mapping[Any, Any]) -> list[Went]:
        """Return the transitions of entities by single records."""
        found = []
        for entity, (number, cells) in touched.entities.items():
            index, signs = self.local.classes.index[entity], []
            for table in sorted(table for table, _ in cells if table in self.local.shape.counted):
                one, new = old[table, (entity,)], self.state.read((table, (entity,)))
                if not (isinstance(one, int) and isinstance(new, int)):
                    raise Undecided
                signs.append((True, new - one))
            kind = (number, self.local.classes.of(entity), cells, tuple(signs))
            found.append(Went(kind, np.array([index])))
        return found

    def _boundary(
        self, block: Block, went: Sequence[Went], touched: Touched, before: Before, frame: Frame, out: _Outcome
    ) -> None:
        """Evaluate the claims behind a result of many records: `frame` is the state in front of it."""
        properties, claims = self.units.properties, self.units.properties.claims
        others = sorted(touched.others, key=repr)
        numbers = {number for number, _ in others}
        cells = {number for one in went for number, _ in one.kind[2]}
        version = self.claims.by_class.version(touched)

        def evaluate(asked: ClaimsOf, at: int) -> None:
            self.claims.evaluate(asked, at, frame)

        # A claim about all rows but some reads no parameter of any, and is evaluated as one about all rows.
        of_block = list(claims.of_block(block))
        of_all = [plan for plan, binding in of_block if plan.inert and not binding]
        alone, rest = self.claims.alone([*claims.of_results, *of_all], numbers)
        self.claims.own(alone, went, version, evaluate, out.counted, before)
        for plan in rest:
            concerned = [cell for cell in others if cell[0] in plan.reads]
            if not concerned and cells.isdisjoint(plan.reads):
                continue
            asked = self.claims.by_class.instances_of
            # Claims that others' cells concern, too, are evaluated by instances.
            is_theirs = bool(concerned) or plan.sibling is not None
            if not (is_theirs and asked.ask(plan, concerned, went, frame, version, out.counted, before)):
                some = [*concerned, *self.claims.cells(plan, went, frame, version, before)]
                self.claims.at_once(partial(properties.ask, plan, some, frame))
        for plan, binding in of_block:
            if not plan.inert or binding:
                self._of_row(plan, binding, went, others, cells, frame, before, version, out)

    def _of_row(
        self,
        plan: Plan,
        binding: Mapping[Var[Any], Any],
        went: Sequence[Went],
        others: Sequence[Any],
        cells: set[int],
        frame: Frame,
        before: Before,
        version: int,
        out: _Outcome,
    ) -> None:
        properties = self.units.properties
        concerned = [cell for cell in others if cell[0] in plan.reads]
        if not plan.inert:
            env: Env = dict(binding)

            def asked() -> list[Any]:
                return [
                    one
                    for _ in properties.instances(plan, [plan.every], frame, env, 0)
                    if (one := properties.count(plan, plan.body(frame, env))) is False
                ]

            self.claims.at_once(asked)
        elif cells.isdisjoint(plan.reads):
            self.claims.at_once(partial(properties.ask, plan, concerned, frame, binding))
        else:
            bound = self.local.unnamed(binding)
            if concerned or not plan.by_entity or bound is None:
                raise Undecided

            def evaluate(asked: ClaimsOf, at: int) -> None:
                self.claims.evaluate(asked, at, frame, binding)

            self.claims.each(self.claims.asked_of((), went, evaluate, [plan], bound), version, out.counted, before)

    def _before(self, before: Before, old: Mapping[Any, Any], end: int) -> Frame:
        """Return the state in front of a result whose records have changed the present one."""
        real = self.state.frame
        tables = list(real.tables)
        for number, slot in self.local.shape.slots.items():
            tables[number] = before.table(slot)
        for (number, keys), value in old.items():
            if number not in self.local.shape.slots:
                if not isinstance(tables[number], Overlay):
                    tables[number] = Overlay(tables[number])
                tables[number].over[keys] = value
        if self.state.layout.log_end is not None:
            tables[self.state.layout.log_end] = {(): end}
        return Frame(tables, real.domains, real, real.open)

    # -- what is left of it ----------------------------------------------------------------------------------------
    def _stop(self, unit: RunUnit, places: Sequence[int]) -> None:
        """Go over a unit once more, and stop where snapshots end in it."""
        undo: list[Undo | tuple[Change, ...]] = []
        at = 0
        for place in [*places, len(unit)]:
            self.transitions.advance(unit, at, place, undo)
            self.state.at_offset(unit.offset(place - 1) + 1)
            if place < len(unit):
                self.units.before_record(unit.offset(place))
                # The snapshot may leave cells in doubt.
                unit.changes.clear()
            at = place

    def _conclude(self, unit: RunUnit, blocks: Sequence[Block | Stretch], out: _Outcome) -> None:
        """Count a unit that was decided, in the state behind it."""
        units = self.units
        for found, times in out.counted:
            self.claims.by_class.add(found, times)
        units.rows.update(out.rows)
        units.classes.update(out.classes)
        units.unjudged.update(out.unjudged)
        units.possible |= out.possible
        for block, last in out.tallies:
            if block.edges:
                units.tally(block, Item(unit.wire_record(last), unit.piece(last).batch, unit[last]))
        units.explained(unit, blocks)
        unit.forget()
        units.history.note_unit(unit)
