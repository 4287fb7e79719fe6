"""`fencepost show LOG --at OFFSET`: the hard state there, or one broker or partition and what changed it."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import RenderableType
from rich.markup import escape
from rich.table import Table as Grid

from fencepost.checkers.unexplained import NO_ROW
from fencepost.checkers.verdicts import ExitCode

from .outcome import Outcome
from .terminal import Unfolded, watching

if TYPE_CHECKING:
    from fencepost.checkers.conformance.explain.entities import Entities
    from fencepost.checkers.conformance.explain.history import Cause, Past, Step
    from fencepost.checkers.conformance.reading.units import Wants
    from fencepost.checkers.conformance.records.static_settings import StaticSettings
    from fencepost.traces import MetadataLog
    from fencepost.traces.forks import Fork, ForkState


LONGEST = 60
"""The longest text in a column of the whole state."""


def read_past(
    log: MetadataLog,
    offset: int,
    wants: Wants | None = None,
    static: StaticSettings | None = None,
    fork: Fork | None = None,
    own: Fork | None = None,
) -> tuple[Past, str]:
    """Replay a log up to an offset, as `operations.past` does, and show that it is read."""
    from fencepost.checkers.operations.past import read_past as replayed

    with watching(f"reading {log.path} up to offset {offset}"):
        return replayed(log, offset, wants, static, fork, own)


def log_at(path: str) -> MetadataLog:
    """Read the one log at a path; raises `TraceError` where there is none, or more than one."""
    from fencepost.traces import find_log, read_log

    with watching(f"reading {path}"):
        return read_log(find_log(path))


def show_state(path: str, offset: int, static: StaticSettings | None = None, fork: Fork | None = None) -> Outcome:
    """Return the whole hard state of a log after the record at an offset."""
    from fencepost.checkers.conformance.explain.entities import Entities
    from fencepost.checkers.conformance.explain.tree_records import Newest
    from fencepost.checkers.conformance.records.voters import Voters, quorum_in_words

    past, table_hash = read_past(log_at(path), offset, static=static, fork=fork)
    entities = Entities(past)
    registered = [key[0] for key, _ in Newest(past).of("REGISTER_CONTROLLER_RECORD")]
    quorum = Voters.up_to(past.log, offset, past.snapshot).as_json(registered)
    own = own_state(past, fork)
    kept = {} if own is None else {path: one.value for path, one in own.entries.items()}
    fields = {**_head_json(past), "quorum": quorum, "state": _state_json(entities)}
    if own is not None:
        fields["fork"] = {"name": own.fork.name, "state": kept}
    page: list[RenderableType] = [f"{past.log.path}: the hard state after {_place(past)}", *_notes(past)]
    page += [*(f"  {line}" for line in quorum_in_words(quorum)), ""]
    for sorts, numbers in _groups(entities).items():
        page += _table(entities, sorts, numbers)
    if own is not None:
        page += [own.fork.name.upper(), *(Unfolded(f"  {path}  {json.dumps(one)}") for path, one in kept.items())]
    return Outcome("show", "shown", ExitCode.AS_DECLARED, fields, page, table_hash)


def own_state(past: Past, fork: Fork | None) -> ForkState | None:
    """Return the state that a fork's own records leave up to an offset, None where the log has none."""
    from fencepost.checkers.conformance.records.forks import state_of

    return state_of(past.log, fork, past.snapshot, past.offset)


def show_entity(
    path: str,
    offset: int,
    partition: str | None,
    broker: int | None,
    static: StaticSettings | None = None,
    fork: Fork | None = None,
) -> Outcome:
    """Return one partition or broker of a log at an offset: its state, and every record that changed it up to there."""
    from fencepost.checkers.conformance.explain.entities import BROKER, PARTITION, Concerning, Entities, cells_of, plain
    from fencepost.checkers.conformance.records.forks import fork_in

    log = log_at(path)
    past, table_hash = read_past(log, offset, Concerning(broker, partition), static, fork, fork_in(log, fork))
    entities = Entities(past)
    sort, entity = (
        (PARTITION, entities.partition(partition))
        if partition is not None
        else (BROKER, entities.broker(broker if broker is not None else -1))
    )
    states = past.state.layout.states
    cells = [(cell, past.state.read(cell)) for cell in cells_of(past.state, sort, entity)]
    steps = list(past.of(sort, entity))
    title = f"{sort.lower()} {entities.called(sort, entity)}"
    gone = "" if entities.is_there(sort, entity) is not False else ", which is not there any more"
    page: list[RenderableType] = [f"{past.log.path}: {title}{gone} after {_place(past)}", *_notes(past)]
    width = max((len(_label(entities, sort, entity, cell)) for cell, _ in cells), default=0)
    for cell, value in cells:
        page.append(f"  {_label(entities, sort, entity, cell):<{width}}  {entities.shown(cell[0], value)}")
    page += ["", f"its history up to offset {offset}: {len(steps)} {'record' if len(steps) == 1 else 'records'}"]
    if steps:
        page.append(_history(entities, steps, sort, entity))
    fields = {
        **_head_json(past),
        "entity": {"sort": sort, "id": plain(entity), "name": entities.called(sort, entity)},
        "there": plain(entities.is_there(sort, entity)),
        "state": {
            states[number].name: plain(value) for (number, keys), value in cells if len(states[number].keys) == 1
        },
        "cells": [
            {"state": states[number].name, "keys": [plain(key) for key in keys], "value": plain(value)}
            for (number, keys), value in cells
            if len(states[number].keys) > 1
        ],
        "history": [_step_json(entities, step) for step in steps],
    }
    findings = [
        {"finding": cause.finding, "by": cause.row, "offset": step.offset, "certain": len(step.causes) == 1}
        for step in steps
        for cause in step.causes
        if cause.finding
    ]
    return Outcome("show", "shown", ExitCode.AS_DECLARED, fields, page, table_hash, findings)


# -- where -------------------------------------------------------------------------------------------------------------
def _place(past: Past) -> str:
    from fencepost.checkers.operations.moments import shown

    told = [f"offset {past.offset}"]
    batch, timestamp = _batch(past)
    if timestamp is not None:
        told.append(shown(timestamp))
    if batch is not None and batch.epoch >= 0:
        told.append(f"leader epoch {batch.epoch}")
    return told[0] + (f" ({', '.join(told[1:])})" if told[1:] else "")


def _batch(past: Past) -> tuple[Any, int | None]:
    """The batch of the offset, and the record's time in milliseconds since 1970, None where it is not known."""
    for batch in past.log.batches:
        offsets = batch.offsets
        if past.offset in offsets:
            timestamp = batch.records[offsets.index(past.offset)].timestamp
            return batch, timestamp if timestamp >= 0 else None
    return None, None


def _notes(past: Past) -> list[str]:
    return [f"  {note}" for note in past.notes]


def _head_json(past: Past) -> dict[str, Any]:
    batch, timestamp = _batch(past)
    return {
        "path": past.log.path,
        "offset": past.offset,
        "timestamp": timestamp,
        "epoch": batch.epoch if batch is not None and batch.epoch >= 0 else None,
        "first_offset": past.first,
        "notes": list(past.notes),
    }


# -- the whole state ---------------------------------------------------------------------------------------------------
def _groups(entities: Entities) -> dict[tuple[str, ...], list[int]]:
    """The tables of the state by the sorts of their keys, those without a key first."""
    from fencepost.checkers.conformance.explain.entities import declared

    found: dict[tuple[str, ...], list[int]] = {(): []}
    for number in declared(entities.state):
        found.setdefault(tuple(str(k) for k in entities.state.layout.states[number].keys), []).append(number)
    return found


def _rows(entities: Entities, sorts: tuple[str, ...], numbers: list[int]) -> list[tuple[Any, ...]]:
    """The keys of which a group of tables says something, of entities that are there."""
    if len(sorts) == 1:
        mine = {keys[0] for number in numbers for keys in entities.state.frame.tables[number]}
        return [(entity,) for entity in entities.there(sorts[0]) if entity in mine]
    there = [set(entities.there(sort)) for sort in sorts]
    said = {
        keys
        for number in numbers
        for keys, value in entities.state.frame.tables[number].items()
        if value != entities.state.layout.initial[number]
        and all(key is None or key in seen for key, seen in zip(keys, there, strict=True))
    }
    return sorted(said, key=lambda keys: [entities.called(s, k) for s, k in zip(sorts, keys, strict=True)])


def _table(entities: Entities, sorts: tuple[str, ...], numbers: list[int]) -> list[RenderableType]:
    from fencepost.checkers.conformance.explain.entities import THERE
    from fencepost.checkers.conformance.records.kafka_names import kafka_name
    from fencepost.checkers.conformance.records.wire import entity_text

    state, states = entities.state, entities.state.layout.states
    if not sorts:
        width = max((len(kafka_name(states[n])) for n in numbers), default=0)
        lines = [f"  {kafka_name(states[n]):<{width}}  {entities.shown(n, state.read((n, ())))}" for n in numbers]
        return ["CLUSTER", *lines, ""]
    rows = _rows(entities, sorts, numbers)
    title = ", ".join(f"{sort.upper()}S" for sort in sorts)
    if not rows:
        return [f"{title}: none", ""]
    columns, left_out, long = [], [], []
    names = [[entities.called(sort, key) for sort, key in zip(sorts, keys, strict=True)] for keys in rows]
    is_renamed = len(sorts) == 1 and any(name != [entity_text(keys[0])] for name, keys in zip(names, rows, strict=True))
    is_renamed = is_renamed and not any(isinstance(keys[0], tuple) for keys in rows)
    for number in numbers:
        values = [state.read((number, keys)) for keys in rows]
        if states[number].name == THERE.get(sorts[0]) or all(_in_key(v, k) for v, k in zip(values, rows, strict=True)):
            continue
        if values == [name[0] for name in names]:
            continue
        if len(rows) > 1 and all(value == values[0] == state.layout.initial[number] for value in values):
            left_out.append(f"{kafka_name(states[number])} {entities.shown(number, values[0])}")
        elif any(len(entities.shown(number, value)) > LONGEST for value in values):
            long.append(kafka_name(states[number]))
        else:
            columns.append(number)
    grid = Grid(box=box.SIMPLE_HEAD, padding=(0, 1), expand=False, pad_edge=False)
    for sort in sorts:
        grid.add_column(sort.lower(), no_wrap=len(sorts) == 1 and sort in THERE, overflow="fold", style="bold")
    if is_renamed:
        grid.add_column("id", overflow="fold")
    for number in columns:
        grid.add_column(_folded(kafka_name(states[number])), overflow="fold")
    for name, keys in zip(names, rows, strict=True):
        ids = [entity_text(keys[0])] if is_renamed else []
        cells = [entities.shown(number, state.read((number, keys))) for number in columns]
        grid.add_row(*map(escape, (*name, *ids, *cells)))
    below = [f"  of all of them: {', '.join(left_out)}"] if left_out else []
    below += [f"  too long for a row: {', '.join(long)}; --json has it"] if long else []
    return [title, grid, *below, ""]


def _folded(name: str) -> str:
    """A name as the head of a narrow column: a line a word."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=\.)| ", "\n", name.replace("_", " "))


def _in_key(value: Any, keys: tuple[Any, ...]) -> bool:
    """Whether a cell says no more than a part of its composite key."""
    return any(isinstance(key, tuple) and value in key for key in keys)


def _state_json(entities: Entities) -> dict[str, Any]:
    from fencepost.checkers.conformance.explain.entities import plain

    state, states = entities.state, entities.state.layout.states
    found: dict[str, Any] = {}
    for sorts, numbers in _groups(entities).items():
        if not sorts:
            found["cluster"] = {states[n].name: plain(state.read((n, ()))) for n in numbers}
            continue
        found[", ".join(sorts)] = [
            {
                **{states[n].name: plain(state.read((n, keys))) for n in numbers},
                "id": [plain(key) for key in keys] if len(keys) > 1 else plain(keys[0]),
                "name": ", ".join(entities.called(s, k) for s, k in zip(sorts, keys, strict=True)),
            }
            for keys in _rows(entities, sorts, numbers)
        ]
    return found


# -- one entity --------------------------------------------------------------------------------------------------------
def _label(entities: Entities, sort: str, entity: Any, cell: tuple[int, tuple[Any, ...]]) -> str:
    from fencepost.checkers.conformance.records.kafka_names import kafka_name

    state = entities.state.layout.states[cell[0]]
    pairs = zip(state.keys, cell[1], strict=True)
    others = [entities.called(str(kind), key) for kind, key in pairs if not (str(kind) == sort and key == entity)]
    return kafka_name(state) + (f"[{', '.join(others)}]" if others else "")


def _history(entities: Entities, steps: list[Step], sort: str, entity: Any) -> Grid:
    from fencepost.checkers.conformance.explain.entities import changes_text

    grid = Grid(box=box.SIMPLE_HEAD, padding=(0, 1), expand=False, pad_edge=False)
    grid.add_column("offset", no_wrap=True, justify="right", style="bold")
    grid.add_column("record", overflow="fold")
    grid.add_column("changed, old -> new", overflow="fold", ratio=2)
    grid.add_column("by row", overflow="fold", ratio=1)
    for step in steps:
        changed = "\n".join(changes_text(entities, step, sort, entity)) or "nothing"
        grid.add_row(str(step.offset), escape(step.record), escape(changed), escape(causes_text(step.causes)))
    return grid


def causes_text(causes: tuple[Cause, ...]) -> str:
    """Return the rows that may have written a record as text: by event, each row with the finding that it is."""
    if not causes:
        return f"{NO_ROW} it"
    events: dict[str, list[str]] = {}
    for cause in causes:
        events.setdefault(cause.event, []).append(cause.row + (f" (finding {cause.finding})" if cause.finding else ""))
    return "\nor ".join(f"{event} {' or '.join(rows)}" for event, rows in events.items())


def _step_json(entities: Entities, step: Step) -> dict[str, Any]:
    from fencepost.checkers.conformance.explain.entities import plain

    states = entities.state.layout.states
    return {
        "offset": step.offset,
        "record": step.record,
        "about": [{"sort": sort, "id": plain(one), "name": entities.called(sort, one)} for sort, one in step.about],
        "changes": [
            {
                "state": states[change.cell[0]].name,
                "keys": [plain(key) for key in change.cell[1]],
                "old": plain(change.old),
                "new": plain(change.new),
            }
            for change in step.changes
        ],
        "rows": [{"id": c.row, "event": c.event, "finding": c.finding or None} for c in step.causes],
        "ambiguous": len(step.causes) > 1,
    }
