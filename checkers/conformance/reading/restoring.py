"""A snapshot replayed in a state that knows nothing: in runs where its batches are large, else record by record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from fencepost.checkers.conformance.by_class.changes_by_class import changes_of
from fencepost.checkers.conformance.by_class.local import Local
from fencepost.checkers.conformance.by_class.run_units import Runs, RunUnit
from fencepost.checkers.conformance.by_class.transitions import Transitions
from fencepost.checkers.conformance.classes.classes import Numbers
from fencepost.checkers.conformance.records.wire import BoundRecord, WireBinding
from fencepost.checkers.conformance.state.replay import HardState
from fencepost.model.language import Record
from fencepost.traces import Batch, Snapshot
from fencepost.traces import Record as WireRecord


@dataclass(frozen=True, slots=True)
class FoundEntities:
    """The entities that records name: those of the classed sort by their numbers where they were read in runs."""

    entities: set[tuple[Any, ...]] = field(default_factory=set)
    numbers: list[Numbers] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Restored:
    """The contents of a snapshot: the entities of each record type of the tables, the records read one by one, and the
    others in runs.

    Of all other records it is known that the tables have them, that nothing is wrong in them, and that controllers
    write them.
    """

    told: dict[Record, FoundEntities] = field(default_factory=dict)
    singly: list[WireRecord] = field(default_factory=list)
    units: list[RunUnit] = field(default_factory=list)


def restore(
    state: HardState, wire: WireBinding, snapshot: Snapshot, by_class: bool = True, log: Runs | None = None
) -> Restored:
    """Replay a snapshot's records in a state that knows nothing; return its contents.

    `log` are the runs of the log whose snapshot it is, where there are such.
    """
    return _Restoring(state, wire, by_class, log).all(snapshot.batches)


class _Restoring:
    def __init__(self, state: HardState, wire: WireBinding, by_class: bool, log: Runs | None) -> None:
        self.state, self.wire, self.log = state, wire, log
        self.local = Local(state) if by_class and state.classes is not None else None
        self.found = Restored()

    def all(self, batches: Sequence[Batch]) -> Restored:
        """Replay the records of batches."""
        local, name = self.local, self.state.layout.protocol.name
        runs = None if local is None else Runs(self.wire, name, self.log)
        for batch in batches:
            unit = None if runs is None or local is None else runs.unit([batch], self.state, local)
            if unit is None:
                self._singly(batch.metadata_records)
            else:
                self._in_runs(unit)
        return self.found

    def _singly(self, records: Sequence[WireRecord]) -> None:
        self.found.singly.extend(records)
        for record in records:
            bound = self.wire.bind(record)
            if bound is not None:
                self.state.meet(bound)
                self._apply(bound)
                self._told(bound.record).entities.add(bound.entities)

    def _apply(self, bound: BoundRecord) -> None:
        self.state.apply(changes_of(self.state, self.local, bound))

    def _in_runs(self, unit: RunUnit) -> None:
        assert self.local is not None
        self.found.units.append(unit)
        transitions = Transitions(self.state, self.local)
        for piece in unit.pieces:
            at, is_known = piece.start, piece.who is not None
            while at < piece.end:
                # The first of a run is the one that most often has more than its entity.
                self._apply(unit[at])
                at += 1
                behind = transitions.at_once(unit, piece, at) if is_known and at < piece.end else None
                is_known = behind is not None
                at = at if behind is None else behind
        unit.forget()
        for piece in unit.pieces:
            if piece.bound is not None:
                self._told(piece.record).entities.add(piece.bound.entities)
            elif piece.who is not None:
                self._told(piece.record).numbers.append(piece.who)

    def _told(self, record: Record) -> FoundEntities:
        return self.found.told.setdefault(record, FoundEntities())
