"""A snapshot held against the state that its log replays to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fencepost.arrays import np
from fencepost.checkers.conformance.classes.changes import Cell
from fencepost.checkers.conformance.classes.classed import assignments
from fencepost.checkers.conformance.classes.classes import ClassedTable, Numbers
from fencepost.checkers.conformance.classes.frames import MISSING, UNKNOWN
from fencepost.checkers.conformance.records.facts import LogFacts
from fencepost.checkers.conformance.records.old_forms import READ_OVER, illegal
from fencepost.checkers.conformance.records.wire import WireBinding
from fencepost.checkers.conformance.results.roots import Named
from fencepost.checkers.conformance.state.compared_by_class import has, having, keys_of, numbers_in, suspects
from fencepost.checkers.conformance.state.replay import HardState
from fencepost.model.language import Record, Var
from fencepost.model.language.effects import Assign
from fencepost.model.language.kinds import EntityKind
from fencepost.model.language.render import value_text
from fencepost.model.language.terms import TRUE, Get, Lit
from fencepost.model.language.walk import free
from fencepost.traces import Record as WireRecord
from fencepost.traces import Snapshot, Undecodable

from .restoring import FoundEntities

Difference = tuple[tuple[Named, ...], str]
"""The entities that a difference is about, each with its sort, and a sentence."""


@dataclass(frozen=True, slots=True)
class Differing:
    """A cell that a snapshot has otherwise than the log, or an entity that it leaves out; then there is no `cell`.

    `finding` is the known finding of it. No snapshot has a cell that is `untold`: that is no fault, but a node that
    loads a snapshot goes on otherwise than one that replays the log.
    """

    entities: tuple[Named, ...]
    message: str
    cell: Cell | None = None
    finding: str = ""
    untold: bool = False


def unreadable(snapshot: Snapshot) -> str:
    """Return why nothing can be taken from a snapshot, as the end of a sentence about it; empty where all can."""
    if not snapshot.is_complete:
        return "has no header or no footer"
    expected, epoch = 0, snapshot.batches[0].epoch
    for batch in snapshot.batches:
        if batch.epoch != epoch:
            return f"holds a batch of epoch {batch.epoch}, at its record {expected}, and one of epoch {epoch}"
        unknown = {record.offset for record in batch.undecodable}
        for place, offset in enumerate(batch.offsets):
            if offset != expected:
                return f"holds record {offset} where its record {expected} was due"
            if offset in unknown and isinstance(record := batch.records[place], Undecodable):
                return f"holds a record that no controller could read, its record {offset}: {record.reason}"
            expected += 1
    return ""


def strange(
    wire: WireBinding, snapshot: Snapshot, records: Iterable[WireRecord], passed_through: frozenset[str]
) -> Iterator[Difference]:
    """Yield what the tables cannot take from some of a snapshot's records: types and values that they do not know."""
    for record in records:
        bound = wire.bind(record)
        where = f"record {record.offset} of the snapshot {snapshot.segment}"
        if bound is not None:
            for problem in bound.problems:
                yield (), f"In {where}, a {bound.record.name}, {problem}."
        elif record.type in READ_OVER:
            wrong = illegal(record, None)
            if wrong:
                yield (), f"In {where}: {wrong}"
        elif record.type not in passed_through:
            yield (), f"No record of the tables is a {record.type}, as {where} is."


def differences(
    fresh: HardState,
    told: Mapping[Record, FoundEntities],
    snapshot: Snapshot,
    state: HardState,
    facts: LogFacts,
    by_class: bool = True,
) -> Iterator[Differing]:
    """Yield what a snapshot says otherwise than the log, or leaves out; `fresh` is the state that it restored.

    Compared are the cells of what a record of the snapshot names, and those of no entity; but not those that records
    set to constants alone: the value of such a cell may be in a field that the tables do not read. Entities of one
    class are compared at once, with `by_class`.
    """
    at = numbers_in(fresh.classes, state.classes) if by_class and fresh.classes and state.classes else None
    read_over = fresh.layout.raft_feature
    left_out = {one: kind for one, kind in _left_out(fresh, state, told, at) if one != read_over}
    for cell in _compared(fresh, state, list(told), at):
        if read_over in _entities(fresh, cell):
            continue
        there, here = fresh.read(cell), state.read(cell)
        if there != here and UNKNOWN not in (there, here) and not set(_entities(fresh, cell)) & left_out.keys():
            name, number = fresh.layout.name(cell), cell[0]
            message = (
                f"{name} is {value_text(there)} in the snapshot {snapshot.segment}, {value_text(here)} in the log."
            )
            untold = fresh.layout.states[number].name in facts.rebuilt
            finding = "" if untold or there != fresh.layout.initial[number] else omission(fresh, number, facts)
            yield Differing(_entities(fresh, cell), message, cell, finding, untold)
    for entity, kind in left_out.items():
        message = (
            f"The snapshot {snapshot.segment} has no {kind} record for {value_text(entity[1])}, which the log has."
        )
        yield Differing((entity,), message)


def omission(state: HardState, number: int, facts: LogFacts) -> str:
    """Return the finding by which snapshots of a state leave out a table, empty where they do not."""
    for one in facts.left_out:
        name, value = one.while_
        if state.layout.states[number].name in one.variables and state.value_of(name) == value:
            return one.finding
    return ""


def may_doubt(state: HardState, facts: LogFacts) -> bool:
    """Whether a snapshot that is right may leave cells of a state in doubt: those that it does not have."""
    left_out = [number for number in range(len(state.layout.states)) if omission(state, number, facts)]
    rebuilt = [number for number, one in enumerate(state.layout.states) if one.name in facts.rebuilt]
    return any(_is_written(state, number) for number in (*left_out, *rebuilt))


def _is_written(state: HardState, number: int) -> bool:
    """Whether a cell of a table holds something else than at first."""
    initial, table = state.layout.initial[number], state.frame.tables[number]
    if isinstance(table, ClassedTable):
        slot = table.slot
        found = (table.classes.rows[one][slot] for one in table.classes.present())
        if table.classes.paired[slot]:
            return any(value != initial for pairs in found for _, value in pairs)
        return any(value is not MISSING and value != initial for value in found)
    return any(value != initial for value in table.values())


def unsure(state: HardState, facts: LogFacts) -> Iterator[Cell]:
    """Yield the cells that a restored state has, which its snapshot left out: others may know what they hold."""
    for number in range(len(state.layout.states)):
        if omission(state, number, facts):
            (sort,) = (str(kind) for kind in state.layout.states[number].keys)
            yield from ((number, (entity,)) for entity in state.domains[sort])


def _left_out(
    fresh: HardState, state: HardState, told: Mapping[Record, FoundEntities], at: Numbers | None
) -> Iterator[tuple[Named, str]]:
    """Yield the entities that a snapshot should name, each with the name of the record that is missing.

    `at` are the numbers in the log's state of the classed entities that the snapshot has.
    """
    for kind in fresh.layout.protocol.records:
        if len(kind.about) == 1:
            wanted, there = _alive(kind, state, list(told)), told.get(kind, FoundEntities())
            named = {about[0] for about in there.entities}
            found: set[Any]
            if at is not None and wanted.keys() <= state.layout.slots.keys():
                found = set(_unlisted(state, wanted, [at[numbers] for numbers in there.numbers]))
            else:
                found = {keys[0] for keys in _having(state, wanted)}
                numbers = [number for some in there.numbers for number in some.tolist()]
                named |= {fresh.classes.entities[number] for number in numbers} if fresh.classes is not None else set()
            for entity in sorted(found - named, key=str):
                yield (str(kind.about[0].kind), entity), kind.name


def _unlisted(state: HardState, wanted: Mapping[int, Any], listed: Sequence[Numbers]) -> list[Any]:
    """Return the classed entities whose cells have some values, without those that are given by their numbers."""
    assert state.classes is not None
    entities = state.classes.entities
    is_listed = np.zeros(len(entities) + 1, np.bool_)
    for numbers in listed:
        is_listed[numbers] = True
    found = having(state, wanted)
    return [entities[number] for number in found[~is_listed[found]].tolist()]


def _compared(fresh: HardState, state: HardState, told: Sequence[Record], at: Numbers | None) -> list[Cell]:
    layout = fresh.layout
    of_told = {number for record in told for number in _said(record, fresh)}
    of_any = {number for record in layout.protocol.records for number in _said(record, fresh)}
    doubtful = None
    if at is not None and fresh.classes is not None and state.classes is not None:
        doubtful = suspects(fresh.classes, state.classes, at, of_told, layout.slots)
    cells: dict[Cell, None] = {}
    for number, keyed in enumerate(layout.states):
        if number == layout.log_end or keyed.name in layout.given:
            continue
        if not keyed.keys and number in of_any:
            cells[number, ()] = None
        elif number in of_told:
            both = (fresh.frame.tables[number], state.frame.tables[number])
            if doubtful is not None and number in layout.slots:
                found = (keys for table in both for keys in keys_of(table, doubtful))
            else:
                found = (keys for table in both for keys in table)
            for keys in found:
                if all(entity in fresh.domains[sort] for sort, entity in _entities(fresh, (number, keys))):
                    cells[number, keys] = None
    return list(cells)


def _entities(state: HardState, cell: Cell) -> tuple[Named, ...]:
    """The entities among a cell's keys, each with its sort."""
    kinds = state.layout.states[cell[0]].keys
    return tuple(
        (str(kind), key)
        for kind, key in zip(kinds, cell[1], strict=True)
        if isinstance(kind, EntityKind) and key is not None
    )


def _alive(kind: Record, state: HardState, told: Sequence[Record]) -> dict[int, Any]:
    """Return the cells of an entity for which a snapshot must have a record of this kind, as far as the state shows:
    a value by table, `UNKNOWN` for any known one but the first; empty where there is no such entity.

    A kind that also sets a cell to a constant founds its entities: they are there while the constant is. Of other kinds
    an entity is there while none of the cells that the kind sets is as it was at first.
    """
    carried, founded = _carried(kind, state), _founded(kind, state)
    first = state.layout.initial
    if not carried:
        return {}
    if founded:
        return founded
    if kind in told or not _founded_elsewhere(kind, state):
        return {number: UNKNOWN for number in carried if first[number] is not UNKNOWN}
    return {}


def _having(state: HardState, wanted: Mapping[int, Any]) -> Iterator[tuple[Any, ...]]:
    """Yield the keys of the cells of entities whose cells have some values, one by one."""
    tables = [state.frame.tables[number] for number in wanted]
    for keys in tables[0] if tables else ():
        if has([state.read((number, keys)) for number in wanted], wanted, state.layout.initial):
            yield keys


def _founded_elsewhere(kind: Record, state: HardState) -> bool:
    """Whether what a kind sets is also set by one that founds the same entities: a snapshot holds only that one."""
    carried = set(_carried(kind, state))
    return any(
        carried & set(_carried(other, state))
        for other in state.layout.protocol.records
        if other is not kind and len(other.about) == 1 and _founded(other, state)
    )


def _carried(record: Record, state: HardState) -> tuple[int, ...]:
    """The tables that a record sets, for what it is about, to what one of its fields says."""
    fields: set[Var[Any]] = {f.value for f in record.fields}
    return tuple(dict.fromkeys(number for number, value in _own(record, state) if free(value) & fields))


def _founded(record: Record, state: HardState) -> dict[int, Any]:
    """The tables that a record sets, for what it is about, to another constant than what they hold at first."""
    return {
        number: value.value
        for number, value in _own(record, state)
        if isinstance(value, Lit) and value.value != state.layout.initial[number]
    }


def _own(record: Record, state: HardState) -> Iterator[tuple[int, Any]]:
    about, numbers = tuple(field.value for field in record.about), state.layout.numbers
    for effect in record.replay:
        if (
            isinstance(effect, Assign)
            and isinstance(effect.target, Get)
            and effect.target.keys == about
            and effect.target.state in numbers
        ):
            yield numbers[effect.target.state], effect.value


def _said(record: Record, state: HardState) -> set[int]:
    """The tables that a record sets to something else than a constant."""
    numbers = state.layout.numbers
    return {
        numbers[assign.target.state]
        for effect in record.replay
        for _, _, assign in assignments(effect, (), TRUE)
        if assign.target.state in numbers and not isinstance(assign.value, Lit)
    }
