"""Divergences by cause: a known defect of Kafka, another release, a damaged log, unmodelled, or undecided.

Evaluated for logs that violate only, after their check. Facts in the bytes, such as missing offsets, need no search.
For other divergences the log is replayed up to their batches, and the rows are evaluated for each batch once more with
one thing changed: a record left out that is there twice, two neighbours exchanged, a field as a row writes it, or a
historical defect put back into the tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from fencepost.checkers.cause import Cause, Evidence
from fencepost.checkers.conformance.by_class.matching_by_class import matcher_of
from fencepost.checkers.conformance.matching.attempts import Attempt, Unsaid
from fencepost.checkers.conformance.matching.matching import Matcher
from fencepost.checkers.conformance.matching.parsing import Block, Fault, Parse, explained, parse
from fencepost.checkers.conformance.reading.monitor import Monitor, Reading
from fencepost.checkers.conformance.reading.screen import text
from fencepost.checkers.conformance.reading.units import Item
from fencepost.checkers.conformance.records.old_forms import is_read_over
from fencepost.checkers.conformance.records.passed import fault_of
from fencepost.checkers.conformance.results.results import LogResult, Violation
from fencepost.checkers.conformance.state.replay import HardState
from fencepost.checkers.unexplained import UNEXPLAINED
from fencepost.traces import Batch, MetadataLog, Record, Undecodable

ASKED = 6
"""The number of first violations of a log for which the rows are evaluated once more."""

OF_DEFECTS = 2
"""The number of first batches for which historical defects are tried: each is evaluated for the whole batch."""

LONGEST = 200
"""The most records of a batch that is evaluated once more: each query evaluates all of it."""

NEAREST = 4
"""The number of nearest rows for which a change of one thing is searched."""

MOST_ENTITIES = 20_000
"""The size of clusters above which no historical defects are tried: each of their rows is evaluated for all."""

ALIKE = 3
"""The number of similar divergences, in as many batches, from which on no damage explains them."""

OF_BYTES: Mapping[str, str] = {
    "gap": "offsets are given one after the other: a log that lacks some is not whole",
    "order": "offsets only grow in a log: these batches are in it twice, or in the wrong place",
    "batch": "controllers write all batches in one form: other software wrote this one, or changed it",
    "election": "an election makes a leader by the votes of a majority, each voter once",
    "epoch": "leader epochs never fall in a log, and a leader change opens each: batches are lost, or of another log",
}
"""Rules that are about the log alone, whatever the records say, with what speaks for damage."""


def tell_causes(log: MetadataLog, result: LogResult, turns: Mapping[int, Monitor], first: Monitor) -> None:
    """Add to each violation of a log that has no evidence so far what speaks for its cause.

    `first` and `turns` are monitors that replay only, as `Monitor.judge` takes them.
    """
    for name, value in result.conforms_if.items():
        for violation in result.violations:
            message = f"the log conforms if {name} was {value} in server.properties, which no log shows"
            violation.evidence.append(Evidence(Cause.OTHER_SETTING, None, message))
    for violation in result.violations:
        if violation.rule in OF_BYTES and not violation.evidence:
            violation.evidence.append(Evidence(Cause.DAMAGED_LOG, violation.offset, OF_BYTES[violation.rule]))
    asked = [one for one in result.violations if not one.evidence and one.rule != "snapshot"][:ASKED]
    if asked:
        by_offset: dict[int, list[Violation]] = {}
        for one in asked:
            by_offset.setdefault(one.offset, []).append(one)
        reading = _Asking(first, log, turns, by_offset)
        seen = reading.result()
        _alike(reading.nearest)
        _held_against_snapshots(asked, seen)


class _Asking(Reading):
    """A log replayed once more, which asks the rows of the batches that violations are in.

    `nearest` has the violations that no row explains by what stopped the nearest row, each batch once.
    """

    def __init__(
        self,
        monitor: Monitor,
        log: MetadataLog,
        turns: Mapping[int, Monitor],
        violations: Mapping[int, Sequence[Violation]],
    ) -> None:
        super().__init__(monitor, log, turns=turns)
        self.violations = violations
        self.nearest: dict[tuple[str, str, str], list[Violation]] = {}
        self.before: Sequence[Item] = ()
        self.asked = 0

    def _flush(self, unit: list, cut: bool = False) -> None:  # type: ignore[type-arg]
        # A caller that watches has every record replayed by itself, which takes its time.
        first, last = (unit[0].base_offset, unit[-1].last_offset) if unit else (0, -1)
        near = any(0 < offset - last <= LONGEST for offset in self.violations) or (
            any(first <= offset <= last for offset in self.violations) and not self._is_long(unit)
        )
        self.units.watch = self._unit if near else None
        super()._flush(unit, cut)

    def _is_long(self, unit: Sequence[Batch]) -> bool:
        """Whether a unit has more records of the tables, none of them passed, than are evaluated once more."""
        records = (one for batch in unit for one in batch.records if isinstance(one, Record) and not is_read_over(one))
        bound = (one for one in records if self.monitor.wire.bind(one) is not None)
        return len(list(islice(bound, LONGEST + 1))) > LONGEST

    def _unit(self, state: HardState, items: Sequence[Item], found: Parse) -> None:
        if len(items) <= LONGEST:
            here = [one for item in items for one in self.violations.get(item.record.offset, ())]
            if here:
                self._ask(state, items, here)
        self.before = items

    def _ask(self, state: HardState, items: Sequence[Item], here: Sequence[Violation]) -> None:
        for item in items:
            for violation in here:
                if violation.offset == item.record.offset:
                    violation.evidence += _of_record(item, violation)
        records, offsets = [item.bound for item in items], [item.record.offset for item in items]
        matcher = matcher_of(state, self.monitor.plans, self.units.local)
        parsed = parse(state, matcher, records, offsets)
        if not parsed.faults or parsed.faults[0].unparsed or parsed.faults[0].exhausted:
            return
        fault = parsed.faults[0]
        unit = _Unit(self.monitor, state, matcher, items, self.before)
        self.asked += 1
        evidence = list(unit.evidence(fault, self.asked <= OF_DEFECTS))
        for violation in here:
            violation.evidence += evidence
        if fault.attempts:
            one = fault.attempts[0]
            record = items[min(fault.at, len(items) - 1)].record
            kind = record.type if isinstance(record, Record) else ""
            self.nearest.setdefault((kind, one.row.id, f"{one.kind} {one.field or one.term}"), []).append(here[0])


class _Unit:
    """A batch that no row explains, in the state in front of it; `before` is the batch in front."""

    def __init__(
        self, monitor: Monitor, state: HardState, matcher: Matcher, items: Sequence[Item], before: Sequence[Item]
    ) -> None:
        self.monitor, self.state, self.matcher = monitor, state, matcher
        self.items, self.before = items, before
        self.offsets = [item.record.offset for item in items]

    def evidence(self, fault: Fault, of_defects: bool) -> Iterator[Evidence]:
        """Yield what the rows say of the batch with one thing otherwise, with historical defects too if asked for."""
        at = min(fault.at, len(self.items) - 1)
        yield from self._repeated(at)
        yield from self._exchanged(at)
        if of_defects:
            yield from self._defects(at)
        for nearest in fault.attempts[:NEAREST]:
            found = self._nearest(at, nearest)
            if found is not None:
                yield found
                return

    def _explains(self, items: Sequence[Item], matcher: Matcher | None = None) -> Sequence[Block] | None:
        """Return the blocks of other records in place of the batch, None where no rows write them."""
        if not items:
            return ()
        records, offsets = [item.bound for item in items], self.offsets[: len(items)]
        return explained(self.state, matcher or self.matcher, records, offsets)

    def _repeated(self, at: int) -> Iterator[Evidence]:
        items, before = self.items, self.before
        if len(items) == len(before) and all(_says_the_same(*pair) for pair in zip(items, before, strict=True)):
            first, last = before[0].record.offset, before[-1].record.offset
            yield Evidence(
                Cause.DAMAGED_LOG, self.offsets[0], f"the batch says once more what {_span(first, last)} says"
            )
            return
        for place in (at, at - 1, at + 1):
            if not 0 <= place < len(items):
                continue
            twin = next((one for one in (*before, *items[:place]) if _says_the_same(one, items[place])), None)
            if twin is not None and self._explains([*items[:place], *items[place + 1 :]]) is not None:
                message = f"the record says once more what offset {twin.record.offset} says; without it rows explain "
                yield Evidence(Cause.DAMAGED_LOG, self.offsets[place], message + "the batch")
                return

    def _exchanged(self, at: int) -> Iterator[Evidence]:
        items = self.items
        for place in (at - 1, at):
            if 0 <= place < len(items) - 1 and not _says_the_same(items[place], items[place + 1]):
                other = [*items[:place], items[place + 1], items[place], *items[place + 2 :]]
                if self._explains(other) is not None:
                    first, last = self.offsets[place], self.offsets[place + 1]
                    message = f"rows explain the batch with the records at offsets {first} and {last} exchanged"
                    yield Evidence(Cause.DAMAGED_LOG, first, message)
                    return

    def _defects(self, at: int) -> Iterator[Evidence]:
        # The museum is loaded where a log diverges, and not before.
        from .defects import defects_of

        bound, classes = self.items[at].bound, self.state.classes
        if bound is None or (classes is not None and len(classes.entities) > MOST_ENTITIES):
            return
        for defect in defects_of(self.monitor, bound.record):
            blocks = self._explains(self.items, Matcher(self.state, defect.plans))
            rows = {row for block in blocks or () for row in block.rows} & defect.changed
            if rows:
                name, known_as = defect.entry.name, defect.entry.known_as
                called = f"{name} ({known_as})" if known_as else name
                message = (
                    f"with the historical defect {called} put back (fencepost show kraft+{name}), "
                    f"{' or '.join(sorted(rows))} explains the batch"
                )
                yield Evidence(Cause.KNOWN_DEFECT, self.offsets[at], message)

    def _nearest(self, at: int, nearest: Attempt) -> Evidence | None:
        """Return what alone would have to be otherwise for a row to explain the batch, None where more would."""
        row, items, offset = nearest.row.id, self.items, self.offsets[at]
        if nearest.kind == "group":
            message = f"a record is lost, or was never written: {row} would also write {nearest.detail}"
            return Evidence(Cause.CANNOT_TELL, offset, message)
        bound = items[at].bound
        if nearest.kind != "field" or bound is None:
            return None
        values = {name: value for name, value in bound.values.items() if name != nearest.field}
        if not isinstance(nearest.predicted, Unsaid):
            values[nearest.field] = nearest.predicted
        other = replace(items[at], bound=replace(bound, values=values))
        if self._explains([*items[:at], other, *items[at + 1 :]]) is None:
            return None
        told = f"{nearest.field} {text(nearest.predicted)} in place of {text(nearest.observed)}"
        message = f"one value is not as Kafka writes it: with {told}, {row} explains the batch"
        return Evidence(Cause.CANNOT_TELL, offset, message)


def _of_record(item: Item, violation: Violation) -> Iterator[Evidence]:
    """Yield what a record says by itself, whatever the state."""
    record = item.record
    if isinstance(record, Undecodable):
        kind = fault_of(record)
        if kind in ("type", "version"):
            message = "the record is of a type, or a version, that no known release has"
            yield Evidence(Cause.NOT_MODELLED, record.offset, message)
        elif kind in ("bytes", "trailing"):
            message = "the record's bytes do not parse as those of its type and version"
            yield Evidence(Cause.DAMAGED_LOG, record.offset, message)
    elif item.bound is None and violation.rule == UNEXPLAINED:
        message = f"the tables have no {record.type}"
        yield Evidence(Cause.NOT_MODELLED, record.offset, message)


def _says_the_same(one: Item, other: Item) -> bool:
    a, b = one.record, other.record
    if isinstance(a, Record) and isinstance(b, Record):
        return (a.type, a.version, a.data) == (b.type, b.version, b.data)
    return False


def _span(first: int, last: int) -> str:
    return f"offset {first}" if first == last else f"the batch at offsets {first} to {last}"


def _alike(nearest: Mapping[tuple[str, str, str], Sequence[Violation]]) -> None:
    """Note for similar divergences in several batches that no accident explains them."""
    for (kind, row, _), violations in nearest.items():
        if len(violations) < ALIKE:
            continue
        places = ", ".join(str(one.offset) for one in violations[:ALIKE])
        message = (
            f"{len(violations)} batches diverge alike, first at offsets {places}: each {kind} is nearest to {row} and "
            "differs from it in the same"
        )
        for one in violations:
            one.evidence.append(Evidence(Cause.NOT_MODELLED, None, message))


def others_explain(violation: Violation, releases: Sequence[str], first: int, last: int, registered: bool) -> None:
    """Say that the tables of other releases explain the offsets [first, last] in which a violation is."""
    told = ", though the leader registered as another" if registered else ""
    message = f"the tables of {' and '.join(releases)} explain offsets {first} to {last}{told}"
    violation.evidence.append(Evidence(Cause.OTHER_RELEASE, violation.offset, message))


def explained_by(strict: LogResult, by_term: LogResult) -> None:
    """Say of violations under one release which releases in force explain them; others have the evidence found there.

    `by_term` is the check of the same log by the releases that were in force.
    """
    reached = min((one.offset for one in by_term.violations), default=None)
    there = {(one.rule, one.offset): one.evidence for one in by_term.violations}
    for violation in strict.violations:
        if reached is None or violation.offset < reached:
            span = next((one for one in by_term.spans if one.first <= violation.offset <= one.last), None)
            if span is not None:
                others_explain(violation, span.releases, span.first, span.last, registered=False)
        else:
            violation.evidence += there.get((violation.rule, violation.offset), [])


def _held_against_snapshots(asked: Sequence[Violation], seen: LogResult) -> None:
    """Say where a snapshot, which Kafka wrote of its own state, has another value than the log of what diverges."""
    for differing in seen.violations:
        if differing.rule != "snapshot" or not differing.entity:
            continue
        for violation in asked:
            if violation.entity == differing.entity and violation.offset < differing.offset:
                message = f"Kafka's state was another: {differing.message}"
                violation.evidence.append(Evidence(Cause.DAMAGED_LOG, differing.offset, message))
