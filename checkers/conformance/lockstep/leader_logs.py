"""The log of each claim of leadership: the records that it found, its own on top, and the state after them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from fencepost.checkers.conformance.records.wire import BoundRecord
from fencepost.model.kraft import state as k

from . import gaps
from .cells import Change
from .compiled import CompiledRows
from .controller_state import ControllerState

REGISTRATION = "RegisterBroker"
"""The record whose offset a controller remembers, a broker each."""

DELETION = "RemoveTopic"
"""The record that takes a topic away."""

MANY = 2000
"""The number of records kept above the state from which an earlier end of the log is restored."""


@dataclass(slots=True)
class LeaderLog:
    """One claim: the state along its log, and the state `base` with the records `kept` since, to make it again.

    `base` is None where no record is ever taken back: the state along the log is that of every later claim then.
    `end` is the offset of the next record, None before the first step. `since` are the times, in nanoseconds, of the
    contacts that count.
    """

    node: int
    controller: ControllerState
    base: ControllerState | None
    end: int | None = None
    kept: list[tuple[int, BoundRecord]] = field(default_factory=list)
    since: dict[int, int] = field(default_factory=dict)
    raised: dict[int, tuple[int, int]] = field(default_factory=dict)

    def raise_registrations(self, snapshot: int) -> None:
        """Set the offset of registrations that were loaded from a snapshot to the snapshot's last offset.

        That is where Kafka has them then, in the soft state of this node alone: `raised` has, by broker, the offset in
        the log and the present one.
        """
        number = self.controller.shape.numbers[k.registration_offset.state]
        table = self.controller.cells.tables[number]
        self.raised = {broker: (offset, snapshot) for broker, offset in table.items() if offset < snapshot}
        self.controller.apply([(number, broker, snapshot) for broker in self.raised])

    def replayed(self, offset: int, record: BoundRecord) -> None:
        """Note a record of the log."""
        if self.base is not None and (record.record.replay or record.record.about):
            self.kept.append((offset, record))

    def settle(self, rows: CompiledRows, stable: int) -> None:
        """Keep no longer apart what is committed: everything below an offset."""
        if self.base is None or len(self.kept) < MANY:
            return
        below = next((n for n, (offset, _) in enumerate(self.kept) if offset >= stable), len(self.kept))
        _play(rows, self.base, self.kept[:below])
        del self.kept[:below]

    def state_below(self, rows: CompiledRows, offset: int) -> ControllerState:
        """Return the state that the records below an offset make, as a copy."""
        if all(one < offset for one, _ in self.kept[-1:]):
            found = self.controller.copy()
            number = found.shape.numbers[k.registration_offset.state]
            table = found.cells.tables[number]
            own = [(broker, *both) for broker, both in self.raised.items() if table.get(broker) == both[1]]
            found.apply([(number, broker, offset) for broker, offset, _ in own])
            return found
        assert self.base is not None
        found = self.base.copy()
        _play(rows, found, [(at, record) for at, record in self.kept if at < offset])
        return found


def _play(rows: CompiledRows, controller: ControllerState, records: list[tuple[int, BoundRecord]]) -> None:
    for offset, record in records:
        controller.at_offset(offset)
        changed = rows.replay(record, controller)
        after_replay(controller, offset, record, changed)


def after_replay(
    controller: ControllerState, offset: int, record: BoundRecord, changed: Sequence[Change]
) -> Sequence[Change]:
    """Remember the offset of a registration, which is no field of its record; forget what a deleted topic leaves.

    Return what was changed for a gap of the tables, none for most records.
    """
    if record.record.name == REGISTRATION:
        number = controller.shape.numbers[k.registration_offset.state]
        controller.apply([(number, record.entities[0], offset)])
    elif record.record.name == DELETION:
        _forget_topic(controller, record.entities[0])
    elif record.record.name == gaps.CHANGE:
        return gaps.mend(controller, changed)
    return ()


def _forget_topic(controller: ControllerState, topic: str) -> None:
    """Forget the entities of a deleted topic of which nothing is said any more: its id never comes back.

    A partition that some index still names stays (D5, D6). Without this a long run would ask ever more of the dead.
    """
    shape, tables = controller.shape, controller.cells.tables
    left = [shape.numbers[one.state] for one in (k.location, k.elr_index)]
    own = [p for p in controller.domains["Partition"] if p[0] == topic]
    haunting = {key[0] for number in left for key in tables[number] if key[0][0] == topic}
    for partition in own:
        if partition not in haunting:
            _forget(controller, "Partition", partition)
    if not haunting:
        _forget(controller, "Topic", topic)


def _forget(controller: ControllerState, sort: str, entity: Any) -> None:
    del controller.domains[sort][entity]
    for number, state in enumerate(controller.shape.states):
        if len(state.keys) == 1 and str(state.keys[0]) == sort:
            controller.cells.tables[number].pop(entity, None)
