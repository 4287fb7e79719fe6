"""The answer of the tables to a request: the rows that apply to its parts, their answers, and their records."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Any

from fencepost.checkers.conformance.classes.classed import sorts_of
from fencepost.checkers.conformance.records.wire import BoundRecord
from fencepost.model.language import Event, Row, Var
from fencepost.model.language.interpreter import CellKey, RecordValue
from fencepost.model.language.kinds import Kind
from fencepost.model.language.records import Record
from fencepost.model.language.state import State


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a request as an event of the tables: its parameters by name, and the cells that it brings along."""

    event: str
    params: Mapping[str, Any]
    cells: Mapping[CellKey, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reading:
    """A request as events of the tables, all evaluated in the same state; their records follow one after the other.

    With `chained` parts a refusal ends the request. With `unordered` parts their records are in any order. The cells
    of parts in `apart` are set for each alone. Of parts in one group of `together`, by their numbers, none is done
    where one is refused. A request that `only_validates` writes nothing. `others` are values that are chosen outside
    the controller, where the request does not choose them. `told` is the part of the answer that no row determines.
    """

    parts: tuple[Part, ...]
    chained: bool = False
    unordered: bool = False
    apart: bool = False
    together: tuple[tuple[int, ...], ...] = ()
    only_validates: bool = False
    others: Mapping[State[Any], Any] = field(default_factory=dict)
    told: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Expected:
    """A record that a row writes, with the version that it has on the wire, None where the tables do not say it."""

    value: RecordValue
    version: int | None

    @property
    def key(self) -> tuple[Record, tuple[Any, ...]]:
        """The record's declaration and what it is about."""
        record = self.value.record
        return record, tuple(self.value.fields.get(f.name) for f in record.about)

    def is_written(self, bound: BoundRecord) -> bool:
        """Whether a record of a log is this one; entities that no row determines are compared with what is there."""
        fields = self.value.fields
        return (
            bound.record is self.value.record
            and not bound.problems
            and fields.keys() == bound.values.keys()
            and all(bound.values[name] == value for name, value in fields.items())
            and (self.version is None or self.version == bound.wire.version)
        )


@dataclass(frozen=True, slots=True)
class PartOutcome:
    """The outcome of one row for one part: its answer, its records by stage, and its changes to soft cells.

    `reply` are the further values of the answer that the event declares, with the soft cells as they are after the row,
    each evaluated at first use.
    """

    row: Row
    binding: Mapping[Var[Any], Any]
    answer: Any
    records: tuple[tuple[Expected, ...], ...]
    soft: Mapping[CellKey, Any]
    reply: Mapping[str, Callable[[], Any]]

    @property
    def error(self) -> str:
        """The error by Kafka's name; an exception is UNKNOWN_SERVER_ERROR, an answer that is no error is NONE."""
        if self.row.throws:
            return "UNKNOWN_SERVER_ERROR"
        return self.answer.name if isinstance(self.answer, enum.Enum) and hasattr(type(self.answer), "NONE") else "NONE"

    @property
    def written(self) -> Iterator[RecordValue]:
        """The records, in order as far as there is one."""
        return (one.value for group in self.records for one in group)


@dataclass(frozen=True)
class Outcome:
    """The outcome of a request in the tables: an outcome a part, fewer where a refusal or an exception ended it."""

    parts: tuple[PartOutcome, ...]
    unordered: bool = False
    told: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def thrown(self) -> str:
        """The exception with which the request ends, empty for none."""
        return next((part.row.throws for part in self.parts if part.row.throws), "")

    @property
    def rows(self) -> tuple[str, ...]:
        """The ids of the rows, one a part."""
        return tuple(part.row.id for part in self.parts)

    @property
    def soft(self) -> dict[CellKey, Any]:
        """The changes to soft cells; none of a request that ends with an exception."""
        return {} if self.thrown else {cell: value for part in self.parts for cell, value in part.soft.items()}

    @cached_property
    def groups(self) -> tuple[tuple[Expected, ...], ...]:
        """The records in groups: the order of the groups is fixed, that inside a group is open."""
        if self.thrown:
            return ()
        groups = tuple(group for part in self.parts for group in part.records if group)
        return (tuple(one for group in groups for one in group),) if self.unordered and groups else groups

    def ends(self, records: Sequence[BoundRecord | None]) -> int | None:
        """Return how many of the records at the front are exactly what is written, None where they are not."""
        at = 0
        for group in self.groups:
            here = records[at : at + len(group)]
            if len(here) < len(group) or not _same(group, here):
                return None
            at += len(group)
        return at


def _same(group: Sequence[Expected], records: Sequence[BoundRecord | None]) -> bool:
    waiting: dict[Any, list[Expected]] = {}
    for one in group:
        waiting.setdefault(one.key, []).append(one)
    for record in records:
        if record is None:
            return False
        candidates = waiting.get((record.record, record.entities), [])
        found = next((one for one in candidates if one.is_written(record)), None)
        if found is None:
            return False
        candidates.remove(found)
    return True


def lacking(part: Part, events: Mapping[str, Event]) -> str:
    """Return why a protocol with these events cannot be evaluated for a part, empty where it can."""
    event = events.get(part.event)
    if event is None:
        return f"the tables have no event {part.event}"
    names = {var.name for var in event.params}
    if names != set(part.params):
        odd = ", ".join(sorted(names ^ set(part.params)))
        return f"the parameters of the tables' {part.event} are others than the request's ({odd})"
    return ""


def brought_by(reading: Reading, events: Mapping[str, Event]) -> tuple[dict[CellKey, Any], list[tuple[Kind[Any], Any]]]:
    """Return the cells that a request sets, and the values that come along in it with their kinds."""
    cells = {cell: value for part in reading.parts for cell, value in part.cells.items()}
    kinds = [(var.kind, part.params[var.name]) for part in reading.parts for var in events[part.event].params]
    return cells, kinds + kinds_of(cells)


def kinds_of(cells: Mapping[CellKey, Any]) -> list[tuple[Kind[Any], Any]]:
    """Return the values in cells and their keys, each with its kind, as far as they name entities."""
    found = [(state.kind, value) for (state, _), value in cells.items() if _naming(state)[0]]
    return found + [(kind, keys[at]) for state, keys in cells for at, kind in _naming(state)[1]]


@cache
def _naming(state: State[Any]) -> tuple[bool, tuple[tuple[int, Kind[Any]], ...]]:
    """Return whether the values of a variable name entities, and those of its keys that do."""
    of_keys = tuple((at, kind) for at, kind in enumerate(state.keys) if any(sorts_of(kind)))
    return any(sorts_of(state.kind)), of_keys


def chains(reading: Reading, outcomes_of: Callable[[Part], Iterable[PartOutcome]]) -> Iterator[tuple[PartOutcome, ...]]:
    """Yield an outcome for each part, for each choice of rows; an exception ends a request, a refusal a chained one."""
    if not reading.parts:
        yield ()
        return
    # A request of all partitions has as many parts: too many for a call within a call.
    chosen: list[PartOutcome] = []
    open_ = [iter(outcomes_of(reading.parts[0]))]
    while open_:
        one = next(open_[-1], None)
        if one is None:
            open_.pop()
            del chosen[-1:]
        elif one.row.throws or (reading.chained and one.error != "NONE") or len(open_) == len(reading.parts):
            yield (*chosen, one)
        else:
            chosen.append(one)
            open_.append(iter(outcomes_of(reading.parts[len(open_)])))


def outcomes(reading: Reading, outcomes_of: Callable[[Part], Iterable[PartOutcome]]) -> Iterator[Outcome]:
    """Yield an outcome of a request for each choice of rows; one that only validates has no records."""
    for parts in chains(reading, outcomes_of):
        parts = done(parts, reading.together)
        if reading.only_validates:
            parts = tuple(replace(part, records=()) for part in parts)
        yield Outcome(parts, reading.unordered, reading.told)


def done(parts: tuple[PartOutcome, ...], together: Iterable[Sequence[int]]) -> tuple[PartOutcome, ...]:
    """Leave out parts that are not done since another part, of the same group, is refused."""
    left_out: set[int] = set()
    for group in together:
        if any(parts[number].error != "NONE" for number in group):
            left_out.update(number for number in group if parts[number].error == "NONE")
    return tuple(one for number, one in enumerate(parts) if number not in left_out)
