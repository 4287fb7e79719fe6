"""A log read up to an offset: the hard state after the record there, and which record changed what by which row.

The monitor reads the log and passes every unit on; records are replayed as the tables' records declare.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from operator import is_
from typing import Any

from fencepost.checkers.cause import Cause as OfDoubt
from fencepost.checkers.conformance.classes.changes import Change
from fencepost.checkers.conformance.matching.parsing import Parse
from fencepost.checkers.conformance.reading.monitor import Monitor
from fencepost.checkers.conformance.reading.options import FULL_BATCH
from fencepost.checkers.conformance.reading.units import Item, Wants, about
from fencepost.checkers.conformance.records.wire import BoundRecord
from fencepost.checkers.conformance.state.replay import HardState
from fencepost.checkers.verdicts import ExitCode, Refusal
from fencepost.model.language import Row
from fencepost.traces import Batch, MetadataLog, Quarantined, Snapshot, Undecodable


@dataclass(frozen=True, slots=True)
class Cause:
    """A row that may have written a record, with its event, and the finding that the row is, empty for none."""

    row: str
    event: str
    finding: str


@dataclass(frozen=True, slots=True)
class Step:
    """A record: its name in the tables, the entities that it is about with their sorts, every cell that it changed, and
    the rows that may have written it; none where no row explains it, or none was evaluated (`is_asked` is false).
    `result` is the offset of the first record of the result that it is a part of, its own where no row explains it."""

    offset: int
    record: str
    about: tuple[tuple[str, Any], ...]
    changes: tuple[Change, ...]
    causes: tuple[Cause, ...]
    result: int
    is_asked: bool = True


@dataclass(frozen=True, slots=True)
class Past:
    """A log up to an offset, which is included.

    `state` is the hard state after the record at `offset`. `steps` are the records up to there that changed something
    or are about an entity, from the offset `first` on, where the log begins or the state is first known; `snapshot` is
    what it was known from.
    `notes` are sentences about what is not known, or was taken from a snapshot. `log` holds the batches that were read.
    """

    offset: int
    state: HardState
    steps: tuple[Step, ...]
    first: int
    snapshot: Snapshot | None
    notes: tuple[str, ...]
    log: MetadataLog

    def of(self, sort: str, entity: object) -> Iterator[Step]:
        """Yield the steps that changed a cell of an entity or are about it, each with these changes alone.

        A cell of two entities is the first one's: where a replica lies is said of its partition, not of the broker.
        """
        own = [0 in positions for positions in key_positions(self.state, sort)]
        for step in self.steps:
            mine = tuple(c for c in step.changes if own[c.cell[0]] and c.cell[1][0] == entity)
            if mine or (sort, entity) in step.about:
                yield replace(step, changes=mine)


def key_positions(state: HardState, sort: str) -> list[tuple[int, ...]]:
    """Return for every table of the state which of its keys are entities of a sort."""
    return [tuple(at for at, kind in enumerate(one.keys) if str(kind) == sort) for one in state.layout.states]


def past(monitor: Monitor, log: MetadataLog, offset: int, wants: Wants | None = None) -> Past:
    """Read a log up to an offset.

    A monitor that replays only evaluates rows for the units that `wants` selects.
    Raises `Refusal` for an offset that is not in the log, is damaged, or at which nothing of the state is known.
    """
    _require(log, offset)
    begins = min([log.batches[0].base_offset, *(s.base_offset for s in log.segments)])
    anchor, is_behind = _anchor(log, offset, begins > 0)
    reader = _Reader(monitor, offset, is_behind, wants)
    kept = _up_to(log, offset, anchor)
    result = monitor.judge(kept, reader, wants=None if wants is None else reader.wants)
    if reader.state is None and is_behind:
        _refuse_start(log, offset, begins, result.first_offset, [d.message for d in result.doubts])
    if begins > 0 and offset < result.first_offset:
        _refuse_start(log, offset, begins, result.first_offset, [])
    for doubt in result.doubts:
        if doubt.cause is OfDoubt.NOT_MODELLED and doubt.first is not None and doubt.first <= offset:
            raise Refusal(
                f"{log.path}: the state at offset {offset} is not known: {doubt.message.rstrip('.')}; ask for an "
                f"offset in front of {doubt.first}",
                ExitCode.INCONCLUSIVE,
            )
    state = reader.state or HardState(monitor.layout)
    state.at_offset(offset + 1)
    notes = list(result.notes)
    if state.frame.open:
        notes.append(
            f"A part of the log in front of offset {offset} is missing or damaged: what was not written since is "
            "unknown."
        )
    snapshot = next((s for s in log.snapshots if begins > 0 and s.end_offset == result.first_offset), None)
    return Past(offset, state, tuple(reader.steps), result.first_offset, snapshot, tuple(notes), kept)


class _Reader:
    """Receives every unit: replays its records up to the offset, and keeps their changes and the rows that wrote them.

    The monitor forgets cells where a record that it misses may have written them. Here no record is assumed missing:
    the state is replayed beside the monitor's, and taken over from it where that begins anew, at a snapshot or damage.
    """

    def __init__(self, monitor: Monitor, offset: int, is_behind: bool, wants: Wants | None) -> None:
        self.offset, self.is_behind, self._wants = offset, is_behind, wants
        self.is_replay = monitor.options.replay_only
        self.causes = {row.id: _cause(row) for row in monitor.protocol.rows}
        self.state: HardState | None = None
        self.steps: list[Step] = []
        self._begun: list[Any] = []
        self._doubts = 0
        self._is_over = False

    def wants(self, state: HardState, items: Sequence[Item], changes: Sequence[tuple[Change, ...]]) -> bool:
        """Return whether rows are evaluated for a unit, of which the monitor by itself only replays the records."""
        return self._wants is not None and items[0].record.offset <= self.offset and self._wants(state, items, changes)

    def __call__(self, state: HardState, items: Sequence[Item], parse: Parse) -> None:
        if self._is_over:
            return
        self._is_over = items[0].record.offset > self.offset
        begun = list(state.frame.tables)
        is_anew = not self._begun or not all(map(is_, begun, self._begun))
        if is_anew and (self.is_behind or not self._is_over):
            self.state, self._doubts = state.copy(), state.doubts
        self._begun = begun
        # The monitor replayed the same records, in the same state unless it forgot cells.
        is_same = self._doubts == state.doubts
        is_asked = not self.is_replay or any(block.edges for block in parse.blocks) or bool(parse.faults)
        rows = rows_of(parse, len(items))
        first = list(range(len(items)))
        for block in parse.blocks:
            if block.edges and all(rows[at] for at in range(block.start, block.end)):
                first[block.start : block.end] = [block.start] * (block.end - block.start)
        for item, candidates, start, made in zip(items, rows, first, parse.changes, strict=True):
            if self.state is None or item.record.offset > self.offset:
                break
            if isinstance(item.record, Undecodable):
                self.state.lose()
            elif item.bound is not None:
                result = items[start].record.offset
                self._replay(self.state, item.bound, candidates, result, made if is_same else None, is_asked)

    def _replay(
        self,
        state: HardState,
        record: BoundRecord,
        rows: Sequence[str],
        result: int,
        made: tuple[Change, ...] | None,
        is_asked: bool,
    ) -> None:
        """Replay a record; `made` is what it changes where that is known already."""
        offset = record.wire.offset
        state.meet(record)
        state.at_offset(offset)
        changes = state.changes(record) if made is None else made
        state.apply(changes)
        entities = about(record)
        if changes or entities:
            causes = tuple(self.causes[row] for row in rows)
            seen = state.layout.seen(changes)
            self.steps.append(Step(offset, record.record.name, entities, seen, causes, result, is_asked))


def rows_of(parse: Parse, length: int) -> list[list[str]]:
    """Return the rows that may have written each record of a unit; none of one at which the parse stopped."""
    found: list[set[str]] = [set() for _ in range(length)]
    for block in parse.blocks:
        for edge in block.edges:
            if edge.row is not None:
                for at in range(edge.start, edge.end):
                    found[at].add(edge.row.id)
    for fault in parse.faults:
        if fault.at < length:
            found[fault.at].clear()
    return [sorted(rows) for rows in found]


def _cause(row: Row) -> Cause:
    return Cause(row.id, row.event.name, row.finding or "")


# -- which offset ------------------------------------------------------------------------------------------------------
def _require(log: MetadataLog, offset: int) -> None:
    """Raise `Refusal` for an offset at which the log has no batch that could be read."""
    if not log.batches:
        raise Refusal(f"{log.path}: no batch of the log itself is here that can be read; give its segments")
    first, end = log.batches[0].base_offset, max(b.last_offset for b in log.batches)
    if any(b.base_offset <= offset <= b.last_offset for b in log.batches):
        return
    for one in log.quarantined:
        begins, ends = one.first_offset, one.last_offset
        if begins is not None and ends is not None and begins <= offset <= ends:
            raise Refusal(_damaged(log, offset, one))
    if offset < first:
        raise Refusal(f"{log.path}: offset {offset} is in front of the log's first record, at offset {first}")
    if offset > end:
        raise Refusal(f"{log.path}: offset {offset} is behind the log's end; its last record is at offset {end}")
    before = max((b for b in log.batches if b.last_offset < offset), key=lambda b: b.last_offset)
    after = min((b for b in log.batches if b.base_offset > offset), key=lambda b: b.base_offset)
    for one in log.quarantined:
        if _place(before) < (one.segment, one.start) < _place(after):
            raise Refusal(_damaged(log, offset, one))
    raise Refusal(
        f"{log.path}: there is no record at offset {offset}; "
        f"the records between offsets {before.last_offset} and {after.base_offset} are missing"
    )


def _damaged(log: MetadataLog, offset: int, one: Quarantined) -> str:
    return (
        f"{log.path}: offset {offset} is in a damaged part ({one.segment}, bytes {one.start} to {one.end}: "
        f"{one.reason}); ask for an offset in front of it or behind it"
    )


def _refuse_start(log: MetadataLog, offset: int, begins: int, known: int, doubts: list[str]) -> None:
    if known > offset and known > begins:
        raise Refusal(
            f"{log.path}: the state at offset {offset} is not known, since the log begins at offset {begins} and its "
            f"first snapshot ends at offset {known}; ask for an offset from {known} on"
        )
    ends = sorted(s.end_offset for s in log.snapshots if s.end_offset > offset)
    told = f"; ask for an offset from {ends[0]} on, where a snapshot has it" if ends else ""
    why = doubts[0] if doubts else "no record up to there says anything."
    raise Refusal(f"{log.path}: the state at offset {offset} is not known{told}: {why}")


def _place(batch: Batch) -> tuple[str, int]:
    return (batch.segment, batch.position)


def _anchor(log: MetadataLog, offset: int, is_cut: bool) -> tuple[int | None, bool]:
    """Return the record whose unit shows the state at an offset, and whether the state is that in front of the unit.

    It is the last record of the tables up to the offset, but where a part that was lost lies between the two, or the
    log does not begin at its beginning and has none: then it is the first one behind the offset. A record of Raft is in
    no unit.
    """
    last: int | None = None
    behind: int | None = None
    lost = False
    before: Batch | None = None
    for batch in log.batches:
        if batch.base_offset <= offset and before is not None:
            lost = lost or _is_lost(log, before, batch)
        of_raft = {record.offset for record in batch.control_records}
        for at in batch.offsets:
            if at in of_raft:
                continue
            if at <= offset:
                last, lost = at, False
            elif behind is None:
                behind = at
        before = batch
    return (behind, True) if lost or (last is None and is_cut) else (last, False)


def _is_lost(log: MetadataLog, before: Batch, after: Batch) -> bool:
    """Whether something is missing or damaged between two neighbouring batches."""
    damaged = any(_place(before) < (one.segment, one.start) < _place(after) for one in log.quarantined)
    return damaged or after.base_offset > before.last_offset + 1


def _up_to(log: MetadataLog, offset: int, anchor: int | None) -> MetadataLog:
    """Return the log up to the unit of an offset and one batch more, which shows the state behind the unit."""
    wanted = max(offset, anchor or 0)
    for at, batch in enumerate(log.batches):
        if batch.base_offset > wanted and not batch.is_control and 0 < len(batch.records) < FULL_BATCH:
            kept, last = log.batches[: at + 1], _place(batch)
            damage = tuple(one for one in log.quarantined if (one.segment, one.start) < last)
            return replace(log, batches=kept, quarantined=damage)
    return log
