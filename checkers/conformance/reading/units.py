"""Checks the records of a batch: parses them into results, replays each, and evaluates every property after it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fencepost.checkers.conformance.by_class.claims_by_class import ByClass
from fencepost.checkers.conformance.by_class.in_bulk import Stretch
from fencepost.checkers.conformance.by_class.local import Local
from fencepost.checkers.conformance.by_class.matching_by_class import matcher_of
from fencepost.checkers.conformance.by_class.run_units import RunUnit
from fencepost.checkers.conformance.classes.changes import Change
from fencepost.checkers.conformance.classes.frames import UNKNOWN, Frame
from fencepost.checkers.conformance.matching.parsing import Block, Fault, Parse, parse, replayed
from fencepost.checkers.conformance.plans.plans import Plans
from fencepost.checkers.conformance.printed_rows.claims import AskedClaims
from fencepost.checkers.conformance.printed_rows.units import PrintedUnits
from fencepost.checkers.conformance.records.wire import BoundRecord, entity_text
from fencepost.checkers.conformance.results.results import Doubt, LogFinding, LogResult, Violation
from fencepost.checkers.conformance.results.roots import Named, Roots
from fencepost.checkers.conformance.state.printed_states import BEFORE_RECORD, BEFORE_RESULT
from fencepost.checkers.conformance.state.properties import NOTHING_KNOWN, Broken, Claims, Properties
from fencepost.checkers.conformance.state.replay import HardState, is_mark
from fencepost.checkers.conformance.state.touched import Touched
from fencepost.checkers.unexplained import UNEXPLAINED
from fencepost.model.language.state import State
from fencepost.model.language.terms import Get
from fencepost.model.language.walk import nodes
from fencepost.traces import Batch, Record, Snapshot, Undecodable

from .concluding import tell
from .remembered import History
from .screen import divergence


@dataclass(slots=True)
class Item:
    """A record of a unit, with its batch; `bound` is None where no row is evaluated for it.

    A record that is `passed` is skipped: it may be within a result, and the records beside it are one result.
    """

    record: Record | Undecodable
    batch: Batch
    bound: BoundRecord | None
    passed: bool = False


FEW, SHORT = 1000, 300
"""The limits of entities and of a unit's records below which entities are evaluated singly: the search for the result
of an equivalent entity would cost more, however long the log is, and pays where much is evaluated again at once."""

SEVERAL = 10_000
"""The number of entities below which units of few records are explained by printed rows though others are by class."""

MANY = 20_000
"""The number of entities below which records are replayed singly: their changes are found without the others."""

Watcher = Callable[[HardState, Sequence[Item], Parse], None]
"""Receives every parsed unit, before it is checked, with the state in front of it, which it must leave as it is."""

Wants = Callable[[HardState, Sequence[Item], Sequence[tuple[Change, ...]]], bool]
"""Whether rows are evaluated for a unit whose records are only replayed otherwise; receives the state in front of it,
which it leaves as it is, and what each record changes."""


class Units:
    """Checks one unit after another: the batches that hold whole results. The results are added to `out`.

    `before_record` is called with every offset before the record there is replayed, `watch` with every unit.
    `full_batch` is the number of records at which a result is cut. With `replay_only` records are replayed, not
    checked, and rows are evaluated for the units that `wants` selects. `again` are options of the command that asks
    again. `stops` returns behind which of the offsets from one to another a snapshot ends. With `bear` a unit is
    checked only until there are more violations than that.
    """

    def __init__(
        self,
        state: HardState,
        plans: Plans,
        claims: Claims,
        out: LogResult,
        before_record: Callable[[int], None],
        watch: Watcher | None = None,
        full_batch: int = 10_000,
        replay_only: bool = False,
        again: str = "",
        by_class: bool = True,
        stops: Callable[[int, int], Sequence[int]] = lambda first, last: (),
        wants: Wants | None = None,
        bear: int | None = None,
    ) -> None:
        self.bear = bear
        self.full_batch, self._cut = full_batch, False
        self.state, self.out, self.before_record, self.watch = state, out, before_record, watch
        self.replay_only, self.wants, self.again = replay_only, wants, again
        self.by_class, self.stops = by_class, stops
        self.local: Local | None = None
        self.printed: PrintedUnits | None = None
        self.asked: AskedClaims | None = None
        self._small, self._few = True, MANY if replay_only else FEW
        self.plans = [plans]
        self.properties = Properties(claims, state)
        self._localize(anew=True)
        self.roots, self.history = Roots(), History()
        self.rows: Counter[str] = Counter()
        self.classes: Counter[tuple[str, ...]] = Counter()
        self.unjudged: Counter[str] = Counter()
        self.possible: set[str] = set()
        self.marked: set[tuple[State[Any], Named]] = set()
        self.begins_late = False
        # Of a part of a log: what earlier parts found is not known, and was asked for; cells were forgotten.
        self.is_part, self.rests_on_earlier, self.doubted = False, False, False
        self._findings_by_ghost = _findings_by_ghost(state, plans)

    def turn(self, state: HardState, plans: Plans, claims: Claims) -> None:
        """Continue under another protocol, in a state that holds what the one so far did."""
        self.state, self.properties = state, self.properties.turn(claims, state)
        self.plans.append(plans)
        self._localize(anew=True)
        self._findings_by_ghost = _findings_by_ghost(state, plans)

    def resume(self, state: HardState) -> None:
        """Continue in a state under the same protocol."""
        self.state = self.properties.state = state
        self._localize(anew=True)

    def begin(self) -> Iterator[Broken]:
        """Yield what is false already in the state at which the log starts."""
        self._localize()
        if not self.replay_only:
            yield from self.properties.begin()

    def _localize(self, anew: bool = False) -> None:
        """Evaluate by class where the state is known and has more than a few entities; `anew` in another state."""
        state = self.state
        state.is_evaluated = not self.by_class
        if self.by_class and not self._is_small():
            state.classify()
        classes = state.classes if self.by_class and not self._small else None
        before = self.local
        if classes is None:
            self.local = None
        elif before is None or before.classes is not classes:
            self.local = Local(state)
        if anew or self.local is not before:
            self.matcher = matcher_of(state, self.plans[-1], self.local)
            self.properties.known = NOTHING_KNOWN if self.local is None else ByClass(self.properties, self.local)
        self.matcher.is_bounded = self.by_class and state.is_known

    def _is_small(self) -> bool:
        """Whether each entity is still asked by itself: there are few, and no unit was large."""
        shape = self.state.layout.classed
        self._small = self._small and (shape is None or len(self.state.domains.get(shape.sort, ())) < self._few)
        return self._small

    def expect(self, records: int, in_snapshot: bool = False) -> None:
        """Know how many records the next unit has, before it is read; one in a snapshot may be an entity."""
        self._small = self._small and (records < self._few if in_snapshot else records <= SHORT)
        self._localize()

    def judge(self, items: Sequence[Item], cut: bool = False, unit: RunUnit | None = None) -> None:
        """Check a unit; its records' entities must have been met. `unit` is the same in runs, where there is one.

        With `cut` nothing can follow the unit, so that records that are missing at its end were perhaps never written.
        """
        if not items:
            return
        self._localize()
        self._cut = cut and len(items[-1].batch.records) >= self.full_batch
        end = items[-1].record.offset + 1
        self._judge([item for item in items if not item.passed] or items, unit)
        if self.local is not None:
            self.local.forget()
        self.state.at_offset(end)

    def prepare(self) -> Local | None:
        """Make ready for a unit; return what is kept by class, None where nothing is."""
        self._localize()
        return self.local

    def _judge(self, items: Sequence[Item], unit: RunUnit | None) -> None:
        records, offsets = [i.bound for i in items], [i.record.offset for i in items]
        is_asked = not self.replay_only
        if self.replay_only:
            if self.watch is None and not self.stops(offsets[0], offsets[-1]):
                self._replay_on(records, offsets)
                return
            found = replayed(self.state, records, offsets)
            is_asked = self.wants is not None and self.wants(self.state, items, found.changes)
        if is_asked:
            if unit is not None and unit.local is self.local:
                unit.hold([record for record in records if record is not None])
            else:
                unit = None
            printed = self._by_printed_rows(records, offsets) if unit is None else None
            self.asked = None if printed is None or self.printed is None else self.printed.asked
            found = printed or parse(self.state, self.matcher, records, offsets, unit)
        if self.watch is not None:
            self.watch(self.state, items, found)
        if self.replay_only:
            self._replay(offsets, found.changes)
            return
        faults: dict[int, list[Fault]] = {}
        for fault in found.faults:
            faults.setdefault(min(fault.at, len(items) - 1), []).append(fault)
        for request in _requests(found.blocks):
            self._request(request, items, found.changes, faults)
            if self.has_enough:
                return

    @property
    def has_enough(self) -> bool:
        """Whether there are more violations than are to be found."""
        return self.bear is not None and len(self.out.violations) > self.bear

    def _by_printed_rows(self, records: Sequence[BoundRecord | None], offsets: Sequence[int]) -> Parse | None:
        """Return a unit as printed rows explain it, None where they cannot: then the simple matcher parses it."""
        state = self.state
        if not self.by_class or not state.is_known or state.doubts or not self._is_printed(len(records)):
            return None
        if self.stops(offsets[0] - 1, offsets[-1]):
            # A snapshot ends here: what it does not say may be forgotten.
            return None
        plans = self.plans[-1]
        if self.printed is None or self.printed.state is not state or self.printed.plans is not plans:
            self.printed = PrintedUnits(state, plans, self.properties)
        return self.printed.parse(records, offsets)

    def _is_printed(self, records: int) -> bool:
        """Whether printed rows explain a unit of so many records: what they copy of the state is not much."""
        classes = self.state.classes
        return self.local is None or classes is None or (records <= SHORT and len(classes.entities) < SEVERAL)

    def _replay(self, offsets: Sequence[int], changes: Sequence[tuple[Change, ...]]) -> None:
        for offset, made in zip(offsets, changes, strict=True):
            self.before_record(offset)
            self.state.apply(made)
            self.state.at_offset(offset + 1)

    def _replay_on(self, records: Sequence[BoundRecord | None], offsets: Sequence[int]) -> None:
        """Replay records one after the other; no snapshot ends among them, in front of which a cell may be doubted."""
        for record, offset in zip(records, offsets, strict=True):
            self.before_record(offset)
            self.state.at_offset(offset)
            if record is not None:
                self.state.apply(self.matcher.changes(record))
            self.state.at_offset(offset + 1)

    def violate(self, rule: str, offset: int, batch: Batch, entity: str, message: str) -> Violation:
        """Note a violation at an offset in a batch, and return it."""
        uncommitted = offset >= self.out.committed_end
        violation = Violation(rule, offset, batch.segment, entity, message, batch.position, uncommitted)
        self.out.violations.append(violation)
        return violation

    def conclude(self) -> None:
        """Put what was counted into the result."""
        out = self.out
        out.rows, out.classes = dict(self.rows), dict(self.classes)
        out.ambiguous = sum(self.classes.values())
        out.unjudged_fields = dict(self.unjudged)
        out.properties = self.properties.evidence
        tell(out, self.ids)

    @property
    def ids(self) -> tuple[str, ...]:
        """The rows of the tables that were asked so far."""
        return tuple(dict.fromkeys(plan.row.id for plans in self.plans for plan in plans.rows))

    def _request(
        self,
        blocks: Sequence[Block],
        items: Sequence[Item],
        changes: Sequence[tuple[Change, ...]],
        faults: Mapping[int, Sequence[Fault]],
    ) -> None:
        """Check blocks that are one result; claims about the states between results are evaluated behind the last."""
        touched = Touched(self.state)
        for block in blocks:
            self._block(block, items, changes, faults, touched)
            if self.has_enough:
                return
        made = [one for block in blocks for one in changes[block.start : block.end] if one]
        whole = made[0] if len(made) == 1 else [change for one in made for change in one]
        first, last = items[blocks[0].start], items[blocks[-1].end - 1]
        self._boundary(blocks, first, last, whole, touched)

    def _block(
        self,
        block: Block,
        items: Sequence[Item],
        changes: Sequence[tuple[Change, ...]],
        faults: Mapping[int, Sequence[Fault]],
        touched: Touched,
    ) -> None:
        self.possible |= set(block.rows)
        for row in block.rows:
            for ghost in self.state.layout.marks.get(row, ()):
                bounds = (item.bound for item in items[block.start : block.end] if item.bound is not None)
                self.marked |= {(ghost, entity) for bound in bounds for entity in about(bound)}
        sound = block.edges and not any(block.start <= at < block.end for at in faults)
        if sound:
            self.tally(block, items[block.end - 1])
        for at in range(block.start, block.end):
            item = items[at]
            self.before_record(item.record.offset)
            for fault in faults.get(at, ()):
                self._unexplained(fault, items, at)
            if self.has_enough:
                return
            made, asked, end = changes[at], self.asked, item.record.offset - 1
            here = Touched(self.state)
            if asked is None:
                touched.add(made)
                here.add(made)
            self.state.apply(made)
            self.state.at_offset(item.record.offset + 1)
            if asked is not None:
                asked.states.written(made)
            if item.bound is None:
                if asked is not None:
                    asked.states.write(BEFORE_RECORD, made)
                continue
            self.history.note(item.record.offset, item.bound)
            for broken in (
                self.properties.after_record(here, self.state.before(made, end))
                if asked is None
                else self._after_record_printed(asked, made, end)
            ):
                self._broken(broken, item)
            if self.roots.any and at not in faults and block.edges:
                self.roots.explained(item.record.offset, about(item.bound))

    def _boundary(
        self, blocks: Sequence[Block], first: Item, last: Item, whole: Sequence[Change], touched: Touched
    ) -> None:
        if not whole and not any(block.rows for block in blocks):
            return
        end = first.record.offset - 1
        if self.asked is not None:
            self._boundary_by_printed_claims(self.asked, blocks, last, whole, end)
            return
        before = self.state.before(whole, end)
        for broken in self.properties.after_result(touched, before):
            self._broken(broken, last)
        for block in blocks:
            for broken in self.properties.of_block(block, touched, before):
                self._broken(broken, last)

    def _after_record_printed(self, asked: AskedClaims, changes: Sequence[Change], end: int) -> list[Broken]:
        """Return the properties that a record broke that is behind the offset `end`, as printed claims say."""
        asked.states.at_offset(end + 1, BEFORE_RECORD)
        broken = asked.after_record(changes, _Before(self.state, changes, end))
        asked.states.write(BEFORE_RECORD, changes)
        return broken

    def _boundary_by_printed_claims(
        self, asked: AskedClaims, blocks: Sequence[Block], last: Item, whole: Sequence[Change], end: int
    ) -> None:
        asked.states.at_offset(end + 1, BEFORE_RESULT)
        before = _Before(self.state, whole, end)
        for broken in asked.after_result(whole, before):
            self._broken(broken, last)
        for block in blocks:
            for broken in asked.of_block(block, whole, before):
                self._broken(broken, last)
        asked.states.write(BEFORE_RESULT, whole)

    def tally(self, block: Block, last: Item) -> None:
        """Count the rows of a block that is explained, and note the findings that they are."""
        rows = block.rows
        if not rows:
            return
        if len(rows) == 1:
            self.rows[rows[0]] += 1
        else:
            self.classes[rows] += 1
        self.unjudged.update(block.edges[0].unjudged)
        for row in {edge.row.id: edge.row for edge in block.edges if edge.row is not None}.values():
            # A row that leaves a mark shows its finding where a property breaks.
            if row.finding and row.id not in self.state.layout.marks:
                others = [id for id in rows if id != row.id]
                beside = f", if it was not {' or '.join(others)}" if others else ""
                message = f"Row {row.id} wrote this, which is finding {row.finding}{beside}."
                offset, entity = last.record.offset, named(last.bound)
                self.out.findings.append(LogFinding(row.finding, row.id, offset, entity, message, not others))

    def explained(self, unit: RunUnit, blocks: Iterable[Block | Stretch]) -> None:
        """Note that the records of a unit are explained, those of blocks that some row is."""
        for block in blocks if self.roots.any else ():
            if isinstance(block, Stretch) or block.edges:
                for at in range(block.start, block.end):
                    self.roots.explained(unit.offset(at), about(unit[at]))

    def failed_over(self, changes: Sequence[Change], offset: int) -> None:
        """Note what is known to go wrong where another node leads from an offset on; the changes say which."""
        if changes and not self.replay_only:
            broken = list(self.properties.after_failover(self.state.before(changes)))
            for id, first in {one.claim.id: one for one in reversed(broken)}.items():
                more = sum(one.claim.id == id for one in broken) - 1
                times = f" for this and {more} more" if more else ""
                message = f"{id} does not hold at this change of the leader{times}: {first.claim.about}"
                self.out.findings.append(LogFinding(id, id, offset, first.entity, message))

    # -- what is wrong ---------------------------------------------------------------------------------------------
    def _unexplained(self, fault: Fault, items: Sequence[Item], at: int) -> None:
        item = items[at]
        offset, bound = item.record.offset, item.bound
        concerned = () if bound is None else about(bound)
        if fault.unparsed:
            last = items[-1].record.offset
            stop = items[fault.furthest] if 0 < fault.furthest < len(items) else None
            stops = f" The longest readings stop at offset {stop.record.offset}, {named(stop.bound)}." if stop else ""
            message = (
                f"It takes too much work to find which rows wrote offsets {offset} to {last}, which may be one result: "
                f"none is known to write them all.{stops} Every property was asked of what they change; their rows "
                "were not."
            )
            self.out.doubts.append(Doubt(offset, last, message))
            return
        # What a missing record would have written is not known from here on; all else is as the log says.
        self.doubted = True
        self.state.doubt(cell for attempt in fault.attempts[:1] for cell in attempt.cells)
        if self.roots.folds(offset, concerned):
            return
        if fault.exhausted:
            message = f"Offset {offset} was not explained by any of the bindings tried, and there are more."
            self.out.doubts.append(Doubt(offset, offset, message))
            return
        past_end = fault.at >= len(items)
        if past_end and self._cut:
            message = (
                f"A result that is longer than a batch is cut after offset {offset}, and its rest is not there: its "
                "leader may have lost the quorum, or the log may end too early."
            )
            self.out.doubts.append(Doubt(offset, None, message))
            return
        if not isinstance(item.record, Record):
            # The record is reported as what cannot be read, and the state is lost behind it.
            return
        shown = divergence(
            self.state, self.out.path, item.record, item.batch, bound, fault, self.history, past_end, self.again
        )
        violation = self.violate(UNEXPLAINED, offset, item.batch, named(bound), shown.sentence)
        violation.screen = shown.lines
        missing = [entity for attempt in fault.attempts for entity in attempt.missing]
        self.roots.add(offset, (*concerned, *missing), violation.folded.append)

    def broken_at_start(self, broken: Broken, snapshot: Snapshot) -> None:
        """Note a property that is false already in the state of the snapshot with which a log begins."""
        claim, offset = broken.claim, snapshot.end_offset
        message = f"{claim.id} does not hold in the snapshot {snapshot.segment}: {claim.about or 'It does not hold.'}"
        if claim.expected == "violated":
            self.out.findings.append(LogFinding(claim.finding or claim.id, claim.id, offset, broken.entity, message))
        else:
            self.out.violations.append(Violation(claim.id, offset, snapshot.segment, broken.entity, message))

    def _broken(self, broken: Broken, item: Item) -> None:
        claim, offset = broken.claim, item.record.offset
        text = claim.about or "It does not hold."
        message = f"{claim.id} does not hold after this record: {text}"
        declared = self._declared(broken)
        if declared:
            self.out.findings.append(LogFinding(declared, claim.id, offset, broken.entity, message))
            return
        concerned = (*broken.entities, *(() if item.bound is None else about(item.bound)))
        if not self.roots.folds(offset, concerned):
            self.violate(claim.id, offset, item.batch, broken.entity, message)

    def _declared(self, broken: Broken) -> str:
        """Return the finding that a broken property shows, "" for none: the rows to blame must have been possible."""
        claim = broken.claim
        if claim.expected == "violated" and (
            not claim.by or self.begins_late or not self.possible.isdisjoint(claim.by)
        ):
            return claim.finding or claim.id
        self.rests_on_earlier |= self.is_part and claim.expected == "violated"
        for ghost in {node.state for node in nodes(claim.term) if isinstance(node, Get)}:
            if is_mark(ghost) and (self.begins_late or any((ghost, one) in self.marked for one in broken.entities)):
                return self._findings_by_ghost.get(ghost, claim.id)
            self.rests_on_earlier |= self.is_part and is_mark(ghost)
        return ""


class _Before:
    """The state in front of some changes of a log's state, made when it is first called for."""

    __slots__ = ("_changes", "_end", "_found", "_state")

    def __init__(self, state: HardState, changes: Sequence[Change], end: int) -> None:
        self._state, self._changes, self._end = state, changes, end
        self._found: Frame | None = None

    def __call__(self) -> Frame:
        if self._found is None:
            self._found = self._state.before(self._changes, self._end)
        return self._found


def _findings_by_ghost(state: HardState, plans: Plans) -> dict[State[Any], str]:
    """The finding of the row that writes a ghost, by the ghost."""
    rows, marks = {plan.row.id: plan.row for plan in plans.rows}, state.layout.marks
    return {ghost: rows[id].finding for id in marks if id in rows for ghost in marks[id]}


def _requests(blocks: Sequence[Block]) -> list[list[Block]]:
    """Put blocks together that are parts of one request: every edge of a further one says so."""
    found: list[list[Block]] = []
    for block in blocks:
        if found and block.edges and all(edge.is_further for edge in block.edges):
            found[-1].append(block)
        else:
            found.append([block])
    return found


def about(bound: BoundRecord) -> tuple[Named, ...]:
    """Return the entities that a record is about, each with the name of its sort."""
    return tuple([one for one in bound.named if one[1] is not UNKNOWN and one[1] is not None])


def named(bound: BoundRecord | None) -> str:
    """Return the entities that a record is about as text, empty for none."""
    if bound is None:
        return ""
    return ", ".join(f"{sort.lower()} {entity_text(value)}" for sort, value in about(bound))
