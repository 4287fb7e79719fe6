"""A batch parsed into results: sequences of rows whose records, in order, are exactly the batch.

A batch is no result: several share one, without a mark between them. The hard state at every place is determined by the
records alone, so a parse is a path over places, its edges the rows that write exactly the records between two of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

from fencepost.checkers.conformance.classes.changes import Change
from fencepost.checkers.conformance.records.wire import BoundRecord
from fencepost.checkers.conformance.state.replay import HardState

from .attempts import Attempt
from .further import Further
from .matching import Edge, Matcher, TooMuchWork
from .placing import END

MOST_FAULTS = 6
"""The number of records of one unit that are reported one by one; from there on the rest of it is not parsed."""


@dataclass(frozen=True, slots=True)
class Block:
    """The result between neighbouring places that every parse uses: one edge, or several that stay ambiguous."""

    start: int
    end: int
    edges: tuple[Edge, ...]
    rows: tuple[str, ...] = field(init=False)
    """The ids of the rows that may have written it, in order of id; none for records that no row is about."""

    def __post_init__(self) -> None:
        rows = tuple(sorted({edge.row.id for edge in self.edges if edge.row is not None}))
        object.__setattr__(self, "rows", rows)


@dataclass(slots=True)
class Fault:
    """A record that no parse explains, with what stopped the rows that came furthest; `at` equals the unit's length
    where records are missing at its end. Where the unit is `unparsed`, its parse took too much work: `furthest` is the
    place at which the longest readings stop, 0 where that is not known either."""

    at: int
    attempts: list[Attempt] = field(default_factory=list)
    exhausted: bool = False
    unparsed: bool = False
    furthest: int = 0


@dataclass(slots=True)
class Parse:
    """A unit parsed: its blocks, the changes that each record makes, and the records that no row explains."""

    blocks: list[Block]
    changes: list[tuple[Change, ...]]
    faults: list[Fault]


@dataclass(slots=True)
class _Unit:
    """The records of a unit in the state in front of it; None among them is one that no row is about.

    `runs` has for every place the records that a row which begins there may write, `changes` what every record changes,
    as far as that was found.
    """

    state: HardState
    matcher: Matcher
    records: Sequence[BoundRecord | None]
    offsets: Sequence[int]
    runs: Sequence[Sequence[BoundRecord]]
    changes: list[tuple[Change, ...]] = field(default_factory=list)


def parse(
    state: HardState,
    matcher: Matcher,
    records: Sequence[BoundRecord | None],
    offsets: Sequence[int],
    unit: Sequence[BoundRecord] | None = None,
) -> Parse:
    """Parse a unit and leave the state as it was; None among the records is one that no row is about.

    `unit` is the same in runs, where it can be read so. Where it takes too much work, the last fault says so.
    """
    runs = _runs(records) if unit is None else [unit] * len(records)
    asked = _Unit(state, matcher, records, offsets, runs)
    matcher.forgiven = set()
    matcher.exhausted = set()
    matcher.work, matcher.longest = 0, 0
    faults: list[Fault] = []
    try:
        return _parsed(asked, faults)
    except TooMuchWork:
        matcher.shorter, matcher.attempts = False, None
        left = replayed(state, records, offsets, asked.changes)
        return Parse(left.blocks, left.changes, [*faults, Fault(0, unparsed=True, furthest=matcher.longest)])


def _parsed(asked: _Unit, faults: list[Fault]) -> Parse:
    matcher, records, offsets = asked.matcher, asked.records, asked.offsets
    while True:
        blocks = _attempt(asked)
        if blocks is not None:
            return Parse(blocks, asked.changes, faults)
        fault = _fault(asked)
        place = offsets[fault.at] if fault.at < len(records) else END
        if place in matcher.forgiven or len(faults) == MOST_FAULTS:
            return Parse([Block(0, len(records), ())], asked.changes, faults)
        faults.append(fault)
        matcher.forgiven.add(place)


def explained(
    state: HardState, matcher: Matcher, records: Sequence[BoundRecord | None], offsets: Sequence[int]
) -> list[Block] | None:
    """Return the blocks of a unit where rows explain all of it, None where they do not; leaves the state as it was.

    The reasons that stop rows are not collected: that would cost more than the answer. The matcher's `exhausted` is
    set where bindings ran out before the answer.
    """
    matcher.forgiven = set()
    matcher.exhausted = set()
    matcher.work = 0
    try:
        return _attempt(_Unit(state, matcher, records, offsets, _runs(records)))
    except TooMuchWork:
        matcher.shorter = False
        matcher.exhausted.add(offsets[0])
        return None


def replayed(
    state: HardState,
    records: Sequence[BoundRecord | None],
    offsets: Sequence[int],
    known: Sequence[tuple[Change, ...]] = (),
) -> Parse:
    """Return the changes by each record of a unit, in one block that no row is about; the state stays as it was.

    `known` are those that were found already; they hold where they are of all records, and the state is known.
    """
    if state.is_known and len(known) == len(records):
        state.at_offset(offsets[-1])
        return Parse([Block(0, len(records), ())], list(known), [])
    changes: list[tuple[Change, ...]] = []
    for record, offset in zip(records, offsets, strict=True):
        if changes:
            state.apply(changes[-1])
        state.at_offset(offset)
        changes.append(() if record is None else state.changes(record))
    for made in reversed(changes[:-1]):
        state.undo(made)
    return Parse([Block(0, len(records), ())], changes, [])


def _attempt(asked: _Unit) -> list[Block] | None:
    matcher, length = asked.matcher, len(asked.records)
    matcher.furthest, matcher.could_be_shorter = 0, False
    blocks = blocks_of(_edges(asked), length)
    if blocks is None and not matcher.forgiven:
        matcher.longest = matcher.furthest
    if blocks is None and matcher.could_be_shorter:
        matcher.shorter = True
        blocks = blocks_of(_edges(asked), length)
        matcher.shorter = False
    return blocks


def _edges(asked: _Unit) -> list[list[Edge]]:
    """Return the edges from every place that can be reached.

    Changes of records that are not known yet are found and added. Where they are known, no state behind the last place
    that can be reached is made. A state that is not known is not the same once changes are taken back: they are found
    anew.
    """
    state, matcher, records, offsets = asked.state, asked.matcher, asked.records, asked.offsets
    runs, changes = asked.runs, asked.changes
    if not state.is_known:
        changes.clear()
    edges: list[list[Edge]] = [[] for _ in records]
    made: list[tuple[Change, ...]] = []
    reached, last = {0}, 0
    further = Further(state, matcher, made)
    is_known = len(changes) == len(records)
    try:
        for at, record in enumerate(records):
            if is_known and at > last:
                break
            state.at_offset(offsets[at])
            if at in reached:
                if record is None:
                    edges[at] = [Edge(at, at + 1, None)]
                else:
                    edges[at] = matcher.edges(runs[at], at)
                    edges[at] += further.edges(runs[at], at, edges[at])
                    further.begin(edges[at], at)
                    if offsets[at] in matcher.forgiven:
                        edges[at].append(Edge(at, at + 1, None))
                ends = [edge.end for edge in edges[at]]
                reached.update(ends)
                last = max([last, *(end for end in ends if end < len(records))])
                matcher.furthest = max(matcher.furthest, at)
            if at == len(changes):
                changes.append(() if record is None else matcher.changes(record))
            state.apply(changes[at])
            made.append(changes[at])
    finally:
        for one in reversed(made):
            state.undo(one)
    state.at_offset(offsets[-1])
    return edges


def _runs(records: Sequence[BoundRecord | None]) -> list[list[BoundRecord]]:
    """For every place, the records up to the next one that no row is about; those in front of the place are there
    only so that places can be counted, and are not read."""
    if None not in records:
        return [list(cast(Sequence[BoundRecord], records))] * len(records)
    filler = next((r for r in records if r is not None), None)
    runs: list[list[BoundRecord]] = [[]] * len(records)
    end = len(records)
    shared: list[BoundRecord] | None = None
    for at in range(len(records) - 1, -1, -1):
        if records[at] is None:
            end, shared = at, None
        elif filler is not None:
            if shared is None:
                shared = [r if r is not None else filler for r in records[:end]]
            runs[at] = shared
    return runs


def blocks_of(edges: list[list[Edge]], length: int) -> list[Block] | None:
    """Return the blocks of all complete parses, None where there is no complete parse."""
    completes = [False] * length + [True]
    for at in range(length - 1, -1, -1):
        completes[at] = any(completes[edge.end] for edge in edges[at])
    if not completes[0]:
        return None
    blocks: list[Block] = []
    at = 0
    while at < length:
        # Grow the block until no edge jumps over its end: that place is used by every parse.
        kept = [edge for edge in edges[at] if completes[edge.end]]
        end = max(edge.end for edge in kept)
        inner = min(edge.end for edge in kept)
        live = {edge.end for edge in kept}
        while inner < end:
            if inner in live:
                further = [edge for edge in edges[inner] if completes[edge.end]]
                kept += further
                live.update(edge.end for edge in further)
                end = max(end, *(edge.end for edge in further))
            inner += 1
        blocks.append(Block(at, end, tuple(kept)))
        at = end
    return blocks


def _fault(asked: _Unit) -> Fault:
    """Return the record at which the parses that came furthest stop, with what stopped them."""
    matcher, offsets = asked.matcher, asked.offsets
    matcher.attempts, matcher.furthest = [], 0
    _edges(asked)
    at, attempts, matcher.attempts = matcher.furthest, matcher.attempts, None
    shown = [a for a in attempts if a.at == at] or attempts
    last = min(at, len(asked.records) - 1)
    return Fault(at, _distinct(shown), offsets[last] in matcher.exhausted)


def _distinct(attempts: list[Attempt]) -> list[Attempt]:
    """One attempt a row and reason. Those that agree in the most fields come first, then those of the fewest writes."""

    def order(attempt: Attempt) -> tuple[bool, int, int, int]:
        # A row of which nothing was found but that something is missing says the least.
        begun = attempt.kind == "group" and attempt.at > attempt.start
        # So does a guard that is false of a parameter which was tried, not read.
        tried = attempt.kind == "guard" and not attempt.agreeing
        rank = 0 if begun else 4 if tried else ("field", "guard", "other", "group").index(attempt.kind) + 1
        # The request whose one record it is comes before what writes it with many others.
        others = sum(len(stage.written) for stage in attempt.row.stages)
        return (not attempt.whole, rank, -attempt.agreeing, others)

    found: dict[tuple[str, str, str], Attempt] = {}
    for attempt in sorted(attempts, key=order):
        found.setdefault((attempt.row.id, attempt.kind, attempt.field), attempt)
    best: dict[str, Attempt] = {}
    for attempt in found.values():
        best.setdefault(attempt.row.id, attempt)
    return list(best.values())
