"""How much the monitor sees of a log: fields altered one at a time, and the rows that the log shows left out in turn.

Both are measured while the log is read once: the state in front of a unit is that which its records say, whichever rows
explain them, so that an altered unit, or another set of rows, is evaluated from the same state.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypedDict

from fencepost.checkers.conformance.classes.frames import UNKNOWN
from fencepost.checkers.conformance.matching.matching import Edge, Matcher
from fencepost.checkers.conformance.matching.parsing import Block, Parse, explained, parse
from fencepost.checkers.conformance.plans.plans import Plans, RowPlan
from fencepost.checkers.conformance.reading.monitor import Monitor
from fencepost.checkers.conformance.reading.options import Options
from fencepost.checkers.conformance.reading.units import Item
from fencepost.checkers.conformance.records.passed import PASSED_THROUGH
from fencepost.checkers.conformance.records.wire import BoundRecord
from fencepost.checkers.conformance.results.results import CountOfRows, counts_of_rows
from fencepost.checkers.conformance.state.replay import HardState
from fencepost.checkers.document import Document
from fencepost.checkers.unexplained import UNEXPLAINED
from fencepost.model.language import Protocol
from fencepost.model.language.kinds import BoolKind, EntityKind, EnumKind, IntKind, Kind, ListKind, OptionKind, SetKind
from fencepost.traces import MetadataLog

COLUMNS = 100

MOST_VALUES = 4
"""How many other values one change of one field is tried with: a log of many brokers says no more by all of them."""

LONGEST = 200
"""The most records of a unit that are altered: each alteration asks its whole unit again."""

ANOTHER, NONE, DROPPED, ADDED, SWAPPED = "another", "none", "one dropped", "one added", "first two swapped"


# -- fields altered ----------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Alteration:
    """A kind of alteration: the record and field (`Record.field`), and what was done to the field's value."""

    field: str
    change: str


@dataclass(frozen=True, slots=True)
class Survival:
    """An alteration that rows explain: the rows that may have written the altered record, and why they may."""

    alteration: Alteration
    rows: tuple[str, ...]
    reason: str


class Altered(TypedDict):
    """The number of alterations of one kind that were tried for one field."""

    field: str
    change: str
    asked: int


class Survived(TypedDict):
    """Alterations of one kind that rows explain, with the reason."""

    field: str
    change: str
    rows: list[str]
    reason: str
    count: int


@dataclass(frozen=True, slots=True)
class Sensitivity(Document):
    """How many altered records of a log some row still explains.

    `asked` counts the alterations of each kind, `survivals` those that are still explained, by rows and reason;
    `undecided` counts those for which the bindings tried ran out. `left_out` counts records that were not altered,
    since their unit is not explained as it is, or too long, or the state there is not known. Only the altered record's
    own unit is evaluated: a property or a later record may find what a row explains, so `share` is an upper bound.
    """

    DOCUMENT = "asked=total still_explained share=rounded_share undecided left_out alterations survivals=survived"

    asked: Mapping[Alteration, int]
    survivals: Mapping[Survival, int]
    undecided: int = 0
    left_out: int = 0

    @property
    def total(self) -> int:
        """The number of alterations that were tried."""
        return sum(self.asked.values())

    @property
    def still_explained(self) -> int:
        """How many of them some row explains."""
        return sum(self.survivals.values())

    @property
    def share(self) -> float:
        """The part of the alterations that some row explains, from 0 to 1; 0 where none was asked."""
        return self.still_explained / self.total if self.total else 0.0

    @property
    def rounded_share(self) -> float:
        """The same part to four decimals."""
        return round(self.share, 4)

    @property
    def alterations(self) -> list[Altered]:
        """The number of alterations of each kind that were tried, by field."""
        return [
            {"field": one.field, "change": one.change, "asked": self.asked[one]}
            for one in sorted(self.asked, key=_order)
        ]

    @property
    def survived(self) -> list[Survived]:
        """The alterations that some row explains, with how many of each are, in the order of their fields."""
        return [
            {
                "field": one.alteration.field,
                "change": one.alteration.change,
                "rows": list(one.rows),
                "reason": one.reason,
                "count": count,
            }
            for one, count in self._survivals()
        ]

    def found(self) -> dict[str, int]:
        """Return how many single alterations were asked, and of how many the log would not conform for sure."""
        return {"alterations": self.total, "alterations_found": self.total - self.still_explained - self.undecided}

    def text(self) -> list[str]:
        """Return the measure as lines of at most 100 columns."""
        kinds: Counter[Alteration] = Counter()
        for survival, count in self.survivals.items():
            kinds[survival.alteration] += count
        lines = [
            f"fields altered one at a time: {self.total}, of these {self.still_explained} ({self.share:.1%}) "
            f"still explained by a row, {self.found()['alterations_found']} found"
        ]
        if self.undecided:
            lines.append(f"  undecided, since the bindings tried ran out: {self.undecided}")
        if self.left_out:
            lines.append(
                f"  records not altered (unexplained, in a long unit, or the state is unknown): {self.left_out}"
            )
        for one in sorted(self.asked, key=_order):
            lines.append(f"  {f'{one.field}, {one.change}':<52} {kinds[one]:>6} of {self.asked[one]:>6}")
        if self.survivals:
            lines.append("still explained, by which rows and why:")
        for survival, count in self._survivals():
            one = survival.alteration
            rows = " or ".join(survival.rows)
            lines += _folded(f"{count:>6}  {one.field}, {one.change}: {rows}; {survival.reason}")
        return lines

    def _survivals(self) -> list[tuple[Survival, int]]:
        return sorted(
            self.survivals.items(), key=lambda item: (_order(item[0].alteration), item[0].rows, item[0].reason)
        )


def alterations(log: MetadataLog, protocol: Protocol, options: Options | None = None) -> Sensitivity:
    """Alter every field of option-, list- and set-kind that a record of a log says, one at a time, and ask again.

    An option becomes another value or none; a list or set loses or gains one member; the first two of a list change
    places. Other values are entities that the log has named up to there. Raises `TableError` where the protocol's
    records do not fit the wire.
    """
    monitor = Monitor(protocol, _options(options))
    watching = _Altering(monitor.plans)
    monitor.judge(log, watching.unit)
    return Sensitivity(watching.asked, watching.survivals, watching.undecided, watching.left_out)


class _Altering:
    def __init__(self, plans: Plans) -> None:
        self.plans = plans
        self.by_row = {one.row: one.plan for one in plans.rows}
        self.asked: Counter[Alteration] = Counter()
        self.survivals: Counter[Survival] = Counter()
        self.undecided = self.left_out = 0
        self._matcher: Matcher | None = None

    def unit(self, state: HardState, items: Sequence[Item], found: Parse) -> None:
        records = [item.bound for item in items]
        if found.faults or state.frame.open or len(items) > LONGEST:
            self.left_out += sum(record is not None for record in records)
            return
        if self._matcher is None:
            self._matcher = Matcher(state, self.plans)
        matcher, offsets = self._matcher, [item.record.offset for item in items]
        for at, record in enumerate(records):
            if record is None:
                continue
            for name, change, value in _altered(state, record):
                alteration = Alteration(f"{record.record.name}.{name}", change)
                self.asked[alteration] += 1
                other = replace(record, values={**record.values, name: value})
                blocks = explained(state, matcher, [*records[:at], other, *records[at + 1 :]], offsets)
                if blocks is not None:
                    block = _holding(blocks, at)
                    reason = self._reason(_holding(found.blocks, at), block, at, alteration.field)
                    self.survivals[Survival(alteration, block.rows, reason)] += 1
                elif matcher.exhausted:
                    self.undecided += 1

    def _reason(self, before: Block, after: Block, at: int, field: str) -> str:
        """Why rows explain the altered record: the reason that takes the least for granted."""
        found = [
            _why(self.by_row[edge.row], edge, [e for e in _over(before, at) if e.row is edge.row], field)
            for edge in _over(after, at)
            if edge.row is not None
        ]
        return min(found)[1]


def _why(plan: RowPlan, edge: Edge, before: Sequence[Edge], field: str) -> tuple[int, str]:
    """Return a reason with its rank: the fewer things must be otherwise than in the log, the smaller."""
    if not before:
        return 3, "another row writes the altered record"
    mine = edge.binding
    apart = min(({v for v in mine if v not in e.binding or e.binding[v] != mine[v]} for e in before), key=len)
    if field in edge.unjudged or not apart:
        return 0, "the row, as far as a log shows it, leaves the value open"
    unseen = sorted({plan.cells[v].state.name for v in apart if v in plan.cells})
    if unseen:
        return 1, f"with another {', '.join(unseen)}, which a log does not show"
    told = sorted(v.name for v in apart)
    return 2, f"as the result of another {plan.row.event.name} ({', '.join(told)}), which a log does not show"


def _holding(blocks: Sequence[Block], at: int) -> Block:
    return next(block for block in blocks if block.start <= at < block.end)


def _over(block: Block, at: int) -> list[Edge]:
    return [edge for edge in block.edges if edge.start <= at < edge.end]


def _altered(state: HardState, record: BoundRecord) -> Iterator[tuple[str, str, Any]]:
    """Yield the fields that a record says with what is done to each and the value that it has then."""
    for field in record.record.fields:
        value = record.values.get(field.name, UNKNOWN)
        if value is UNKNOWN:
            continue
        match field.kind:
            case OptionKind(of=of):
                if value is not None:
                    yield field.name, NONE, None
                for other in _others(state, of, () if value is None else (value,)):
                    yield field.name, ANOTHER, other
            case ListKind(of=of):
                for at in range(min(len(value), MOST_VALUES)):
                    yield field.name, DROPPED, value[:at] + value[at + 1 :]
                for other in _others(state, of, value):
                    yield field.name, ADDED, (*value, other)
                if len(value) > 1 and value[0] != value[1]:
                    yield field.name, SWAPPED, (value[1], value[0], *value[2:])
            case SetKind(of=of):
                for member in sorted(value, key=str)[:MOST_VALUES]:
                    yield field.name, DROPPED, value - {member}
                for other in _others(state, of, value):
                    yield field.name, ADDED, value | {other}


def _others(state: HardState, kind: Kind[Any], but: Sequence[Any]) -> list[Any]:
    """Return values of a kind that are none of some, the first few in a fixed order."""
    match kind:
        case EntityKind(name=name):
            values: list[Any] = sorted(state.domains.get(name, ()), key=str)
        case EnumKind():
            values = list(kind.enum.__members__.values())
        case BoolKind():
            values = [False, True]
        case IntKind():
            values = [value + 1 for value in but]
        case _:
            values = []
    return [value for value in values if value not in but][:MOST_VALUES]


# -- rows left out -----------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Removal(Document):
    """The contents of a log without one row: `results` of the log it may have written.

    `offset` is that of the first record which no other row explains, None where others explain all; `instead` counts
    the results in front of it by the rows that explain them instead.
    """

    DOCUMENT = "row results offset instead=instead_of_it"

    row: str
    results: int
    offset: int | None
    instead: Mapping[tuple[str, ...], int]

    @property
    def instead_of_it(self) -> list[CountOfRows]:
        """How many results other rows explain, by these rows."""
        return counts_of_rows(self.instead)


@dataclass(frozen=True, slots=True)
class WithoutRows:
    """The rows that a log shows, each left out in turn."""

    removals: tuple[Removal, ...]

    @property
    def missed(self) -> int:
        """How many rows the log does not conform without."""
        return sum(one.offset is not None for one in self.removals)

    def text(self) -> list[str]:
        """Return the measure as lines of at most 100 columns."""
        asked = len(self.removals)
        lines = [f"rows left out in turn: {asked}, of these {self.missed} without which it does not conform"]
        for one in self.removals:
            others = "; ".join(f"{' or '.join(rows)} ({count})" for rows, count in sorted(one.instead.items()))
            if one.offset is None:
                said = f"conforms: {others} instead"
            else:
                said = f"{UNEXPLAINED} at offset {one.offset}" + (f"; before it {others} instead" if others else "")
            lines += _folded(f"{one.row:>6}  {one.results} {'result' if one.results == 1 else 'results'}, {said}")
        return lines


def without_rows(log: MetadataLog, protocol: Protocol, options: Options | None = None) -> WithoutRows:
    """Leave out each row that a log shows, and ask whether other rows explain what it may have written.

    Raises `TableError` where the protocol's records do not fit the wire.
    """
    monitor = Monitor(protocol, _options(options))
    watching = _Without(monitor)
    monitor.judge(log, watching.unit)
    return WithoutRows(
        tuple(
            Removal(row, watching.results[row], watching.offset.get(row), watching.instead[row])
            for row in (plan.row.id for plan in monitor.plans.rows)
            if row in watching.results
        )
    )


class _Without:
    def __init__(self, monitor: Monitor) -> None:
        self.monitor = monitor
        self.matchers: dict[str, Matcher] = {}
        self.results: Counter[str] = Counter()
        self.offset: dict[str, int] = {}
        self.instead: dict[str, Counter[tuple[str, ...]]] = {}

    def unit(self, state: HardState, items: Sequence[Item], found: Parse) -> None:
        if found.faults:
            return
        shown: dict[str, list[Block]] = {}
        for block in found.blocks:
            for row in block.rows:
                shown.setdefault(row, []).append(block)
        for row, blocks in shown.items():
            self.results[row] += len(blocks)
            if row not in self.offset:
                self._ask(state, items, row, blocks)

    def _ask(self, state: HardState, items: Sequence[Item], row: str, blocks: Sequence[Block]) -> None:
        if row not in self.matchers:
            variant = self.monitor.protocol.without(row, why="to see whether a log needs the row")
            self.matchers[row] = Matcher(
                state, Plans(variant, self.monitor.layout.compiler, self.monitor.options.facts.chained)
            )
            self.instead[row] = Counter()
        there = parse(state, self.matchers[row], [i.bound for i in items], [i.record.offset for i in items])
        end = len(items)
        if there.faults:
            end = min(fault.at for fault in there.faults)
            self.offset[row] = items[min(end, len(items) - 1)].record.offset
        for block in blocks:
            if block.end <= end:
                for other in there.blocks:
                    if other.start < block.end and block.start < other.end and other.rows:
                        self.instead[row][other.rows] += 1


def _options(options: Options | None) -> Options:
    return Options(PASSED_THROUGH) if options is None else options


def _order(one: Alteration) -> tuple[str, str]:
    return one.field, one.change


def _folded(line: str) -> list[str]:
    return textwrap.wrap(line, COLUMNS, subsequent_indent=" " * 8, break_on_hyphens=False)
