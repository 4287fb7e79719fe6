"""A snapshot held against the state that its log replays to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fencepost.model.language import Record, Var
from fencepost.model.language.effects import Assign
from fencepost.model.language.render import value_text
from fencepost.model.language.terms import Get
from fencepost.model.language.walk import free
from fencepost.traces import Snapshot

from .frames import UNKNOWN
from .replay import HardState
from .wire import WireBinding


def differences(
    fresh: HardState, wire: WireBinding, snapshot: Snapshot, state: HardState
) -> Iterator[tuple[tuple[str, Any], str]]:
    """Yield what a snapshot says otherwise than the log, or leaves out: the entity with its sort, and a sentence.

    Compared are the cells that a record of the snapshot sets to what a field says; a cell that it sets to a constant
    may stand in a field that the tables do not read.
    """
    bound = [one for record in snapshot.records if (one := wire.bind(record)) is not None]
    for record in bound:
        fresh.meet(record)
        fresh.apply(fresh.changes(record))
    told: dict[Record, set[Any]] = {}
    seen: set[tuple[int, Any]] = set()
    for record in bound:
        about = record.record.about
        if len(about) != 1:
            continue
        entity = record.values[about[0].name]
        told.setdefault(record.record, set()).add(entity)
        for number in _carried(record.record, fresh):
            if (number, entity) in seen:
                continue
            seen.add((number, entity))
            there, here = fresh.read((number, (entity,))), state.read((number, (entity,)))
            if there != here and UNKNOWN not in (there, here):
                cell = fresh.layout.name((number, (entity,)))
                message = (
                    f"{cell} is {value_text(there)} in the snapshot {snapshot.segment}, {value_text(here)} in the log."
                )
                yield (str(about[0].kind), entity), message
    for kind, entities in told.items():
        yield from _left_out(kind, entities, state, snapshot)


def _left_out(
    kind: Record, entities: set[Any], state: HardState, snapshot: Snapshot
) -> Iterator[tuple[tuple[str, Any], str]]:
    sort = str(kind.about[0].kind)
    carried = [n for n in _carried(kind, state) if state.layout.initial[n] is not UNKNOWN]
    live = {
        keys[0] for n in carried for keys, value in state.frame.tables[n].items() if value != state.layout.initial[n]
    }
    for entity in sorted(live - entities, key=str):
        yield (
            (sort, entity),
            f"The snapshot {snapshot.segment} has no {kind.name} record for {value_text(entity)}, which the log has.",
        )


def _carried(record: Record, state: HardState) -> tuple[int, ...]:
    """The tables that a record sets, for what it is about, to what one of its fields says."""
    about = record.about[0].value
    fields: set[Var[Any]] = {f.value for f in record.fields}
    return tuple(
        dict.fromkeys(
            state.layout.numbers[effect.target.state]
            for effect in record.replay
            if isinstance(effect, Assign)
            and isinstance(effect.target, Get)
            and effect.target.keys == (about,)
            and effect.target.state in state.layout.numbers
            and free(effect.value) & fields
        )
    )
