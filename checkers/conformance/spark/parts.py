"""Checks one log in parts, each from the exact state in front of it: the results are those of one reading.

A first pass replays the log, evaluates no row, and keeps the state at each cut. Then every part is checked by itself,
as if all in front of it were clean. Where that is not so, what follows is checked again in one piece, from the end of
the parts that are known to be right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol, TypeAlias

from fencepost.checkers.conformance.reading.concluding import committed_end, ended, joined
from fencepost.checkers.conformance.reading.cursor import Cursor
from fencepost.checkers.conformance.reading.monitor import Monitor, Reading
from fencepost.checkers.conformance.reading.remembered import REMEMBERED, History
from fencepost.checkers.conformance.reading.restoring import Restored
from fencepost.checkers.conformance.reading.snapshots import may_doubt
from fencepost.checkers.conformance.records.wire import BoundRecord
from fencepost.checkers.conformance.results.progress import Progress
from fencepost.checkers.conformance.results.results import LogResult, PropertyEvidence, Read
from fencepost.checkers.conformance.results.roots import Named
from fencepost.checkers.conformance.state.replay import HardState, is_mark
from fencepost.checkers.conformance.state.saved_state import restored, same, saved
from fencepost.traces import ControlRecord, MetadataLog, Record, Snapshot, Undecodable

ASKED = 10_000
"""With more entities than these in a state it takes long to ask what is broken in it: nothing is assumed to be."""

Turns: TypeAlias = Mapping[int, Monitor]
Broken: TypeAlias = Mapping[tuple[str, int], frozenset[tuple[Any, ...]]]
"""Instances of claims that do not hold, by the claim's id and the number of a part of it."""


class Judges(Protocol):
    """Checks a log, and lets the caller say how it is read the first time."""

    def log(self, log: MetadataLog, progress: Progress | None = None, read: Read | None = None) -> LogResult:
        """Check a log."""


@dataclass(frozen=True)
class Earlier:
    """The memory of a check beside the state: instances of claims that are broken, by claim and part of it, the rows
    that may have written something, and the marks that these left, by the variable's name."""

    broken: Broken = field(default_factory=dict)
    possible: frozenset[str] = frozenset()
    marked: frozenset[tuple[str, Named]] = frozenset()

    @staticmethod
    def of(reading: Reading) -> Earlier:
        """Return what a reading remembers."""
        units = reading.units
        return Earlier(
            _broken(reading),
            frozenset(units.possible),
            frozenset((ghost.name, entity) for ghost, entity in units.marked),
        )

    def then(self, other: Earlier) -> Earlier:
        """Return the memory behind a part that was checked as if nothing were remembered."""
        return Earlier(other.broken, self.possible | other.possible, self.marked | other.marked)

    def put(self, reading: Reading, monitors: Sequence[Monitor]) -> None:
        """Restore this memory in a reading under some monitors."""
        units = reading.units
        for key, found in self.broken.items():
            units.properties.broken[key] = set(found)
        units.possible |= self.possible
        ghosts = {state.name: state for one in monitors for state in one.layout.states if is_mark(state)}
        units.marked |= {(ghosts[name], entity) for name, entity in self.marked}


@dataclass(frozen=True)
class Place:
    """A place between two batches: the number of the next batch, and the snapshots that the replay compared."""

    at: int
    compared: tuple[str, ...]


@dataclass(frozen=True)
class Carried:
    """The state that the replay of a log leaves between two batches, from which a check goes on.

    `at` is the number of the next batch. `turned` are the offsets at which other tables came into
    force, `restored` the snapshots from which the state was taken, `left` how many snapshots are still to be compared,
    `compared` those that the replay compared since they may leave cells in doubt, `damage` how many unreadable ranges
    follow. The other fields are those of `Cursor` and `Reading`.
    """

    at: int
    start: int
    expected: int | None
    epoch: int | None
    damage: int
    turned: tuple[int, ...]
    restored: tuple[str, ...]
    left: int
    begins_late: bool
    read_over: tuple[Record, ...]
    compared: tuple[str, ...]
    state: bytes

    @property
    def place(self) -> Place:
        """The position, which is all that a task that checks the log in front of it needs."""
        return Place(self.at, self.compared)


@dataclass(frozen=True)
class Part:
    """The results of a part of a log.

    `ids` are the rows of all tables up to its end, `protocol` names the last of these tables, `old` counts records of
    old types, `earlier` is what is remembered of it. What it found is what one reading finds there if it is `exact` and
    earlier parts left broken what was `assumed`; `clean` if the state behind it is that of the replay, besides. Of one
    that is `doubted` something was not explained.
    """

    out: LogResult
    ids: tuple[str, ...]
    protocol: str
    old: Mapping[str, int]
    assumed: Broken
    earlier: Earlier
    exact: bool
    clean: bool
    doubted: bool


# -- readings ----------------------------------------------------------------------------------------------------------
class _FirstPass(Reading):
    """Replays a log up to the last cut; ends at the first violation, behind which nothing is cut."""

    def __init__(
        self,
        monitor: Monitor,
        log: MetadataLog,
        turns: Turns | None,
        cuts: Sequence[int],
        keep: Callable[[Carried], None],
    ) -> None:
        super().__init__(monitor, log, None, 0, turns)
        self.units.replay_only = True
        self.units.stops = self._stops
        self.cuts, self.keep = sorted(set(cuts)), keep
        self.compared: list[str] = []
        self.over: list[tuple[int, int]] = []
        self.unsure = False

    def _stops(self, first: int, last: int) -> Sequence[int]:
        """Return where a unit is stopped at: a snapshot that is not going to be compared is passed over."""
        found = self.snapshots.between(first, last)
        if found and not may_doubt(self.state, self.options.facts):
            self.over.append((first, last))
            return ()
        return found

    def _ends(self, snapshot: Snapshot, between: bool) -> None:
        """Compare a snapshot where that may leave cells in doubt.

        Otherwise the task that checks the part does: if it finds that cells are, the parts behind it are dropped.
        """
        if not self.lost:
            if not may_doubt(self.state, self.options.facts):
                return
            self.compared.append(snapshot.segment)
            # The state that is to be compared is not known any more where its unit was replayed in one piece.
            self.unsure = self.unsure or any(first < snapshot.end_offset <= last for first, last in self.over)
        super()._ends(snapshot, between)

    def pauses(self, cursor: Cursor) -> bool:
        """Keep the state where a cut is due and the state is known."""
        offset = self.batches[cursor.at].base_offset
        if self.out.violations or self.unsure:
            return True
        due = [one for one in self.cuts if one <= offset]
        if due and not self.lost:
            del self.cuts[: len(due)]
            if self.out.batches:
                self.keep(self._carried(cursor))
        return not self.cuts

    def _carried(self, cursor: Cursor) -> Carried:
        return Carried(
            cursor.at,
            cursor.start,
            cursor.expected,
            cursor.epoch,
            len(cursor.damage),
            tuple(self.turned),
            tuple(self.restored),
            self.snapshots.left,
            self.units.begins_late,
            tuple(self.read_over),
            tuple(self.compared),
            saved(self.state),
        )


class _PartOf(Reading):
    """Reads a part of a log up to the place `end`, None for the log's end."""

    def __init__(
        self,
        monitor: Monitor,
        log: MetadataLog,
        turns: Turns | None,
        bear: int | None,
        end: Place | None,
        progress: Any,
    ) -> None:
        super().__init__(monitor, log, None, bear, turns, progress)
        self.end = end
        self.assumed: Broken = {}
        self.stands_at: Cursor | None = None

    def pauses(self, cursor: Cursor) -> bool:
        """End where the next part begins."""
        is_end = self.end is not None and cursor.at == self.end.at
        self.stands_at = cursor if is_end else None
        return is_end

    def go_on_to_the_end(self) -> None:
        """Continue from the end of the reading in front of a part to the end of the log."""
        if self.stands_at is not None:
            self.end = None
            self.go_on(self.stands_at)
            self.units.conclude()

    def rejoins(self, carried: Carried) -> bool:
        """Whether the reading is where the replay left a state, and knows the same."""
        at = self.stands_at
        if (
            at is None
            or self.lost
            or (at.expected, at.epoch, len(at.damage)) != (carried.expected, carried.epoch, carried.damage)
        ):
            return False
        return same(self.state, restored(self.monitor.layout, carried.state))

    def _compare(self, snapshot: Snapshot) -> bool:
        """Compare a snapshot with the state; the replay has to have known if cells are in doubt from here on."""
        doubts = super()._compare(snapshot)
        if doubts and self.end is not None and snapshot.segment not in self.end.compared:
            self.units.doubted = True
        return doubts

    def go_on_from(self, carried: Carried, earlier: Earlier | None) -> None:
        """Read from a place on; where `earlier` is None it is not known what earlier parts found."""
        first, units = self.monitor, self.units
        self.out.committed_end = committed_end(self.log, self.options)
        for offset in carried.turned:
            self.monitor = self.turns[offset]
            units.turn(HardState(self.monitor.layout), self.monitor.plans, self.monitor.claims)
        self.turned, self.restored = list(carried.turned), list(carried.restored)
        self.state = restored(self.monitor.layout, carried.state)
        units.resume(self.state)
        self.read_over = list(carried.read_over)
        self.snapshots.leave(carried.left)
        units.begins_late, units.is_part = carried.begins_late, earlier is None
        if earlier is None:
            self.assumed = _broken_in(self)
        else:
            earlier.put(self, (first, *(self.turns[offset] for offset in carried.turned)))
            units.history = _Past(partial(_noted, first, self.log, self.turns, carried))
        damage = self.damage[len(self.damage) - carried.damage :]
        self.go_on(Cursor(carried.start, carried.at, carried.expected, carried.epoch, damage))
        units.conclude()

    def found(self) -> Part:
        """Return what was found."""
        units, is_last = self.units, self.end is None
        violates = bool(self.out.violations)
        return Part(
            self.out,
            units.ids,
            self.monitor.protocol.name,
            dict(self.old),
            self.assumed,
            Earlier.of(self),
            not units.rests_on_earlier,
            not violates and (is_last or not units.doubted),
            units.doubted,
        )


def _broken(reading: Reading) -> Broken:
    return {key: frozenset(found) for key, found in reading.units.properties.broken.items() if found}


def _broken_in(reading: Reading) -> Broken:
    """Return the claims that do not hold in the state of a reading, which has them for broken; nothing is counted.

    Of a state of many entities none are returned.
    """
    if sum(map(len, reading.state.domains.values())) > ASKED:
        return {}
    properties = reading.units.properties
    for _ in properties.begin():
        pass
    properties.evidence = {id: PropertyEvidence() for id in properties.evidence}
    return _broken(reading)


class _Past(History):
    """The last records about every entity; those in front of where reading began are looked up when first asked for."""

    def __init__(self, before: Callable[[], History]) -> None:
        super().__init__()
        self._before = before
        self._found: History | None = None

    def of(self, sort: str, entity: Any) -> Sequence[tuple[int, BoundRecord]]:
        """Return the last records about an entity, oldest first."""
        if self._found is None:
            self._found = self._before()
        return (*self._found.of(sort, entity), *super().of(sort, entity))[-REMEMBERED:]


def _noted(monitor: Monitor, log: MetadataLog, turns: Turns, carried: Carried) -> History:
    """Return the last records about every entity in front of a place."""
    history = History()
    waiting = [one for name in carried.restored for one in log.snapshots if one.segment == name]
    for batch in log.whole[: carried.at]:
        while waiting and waiting[0].end_offset <= batch.base_offset:
            snapshot = waiting.pop(0)
            history.note_snapshot(snapshot.end_offset, Restored(singly=list(snapshot.records)), monitor.wire)
        if batch.last_offset < carried.start:
            continue
        if batch.base_offset in carried.turned:
            monitor = turns[batch.base_offset]
        for each in batch.records:
            bound = None if isinstance(each, ControlRecord | Undecodable) else monitor.wire.bind(each)
            if bound is not None:
                history.note(each.offset, bound)
    return history


# -- the steps ---------------------------------------------------------------------------------------------------------
def replayed_at(
    monitor: Monitor, log: MetadataLog, turns: Turns | None, cuts: Sequence[int], keep: Callable[[Carried], None]
) -> None:
    """Call `keep` with the carried state at the first place behind each of some offsets where a log can be cut.

    There no result is open, the state is known, and no violation is found in front of it that the replay finds. A cut
    without such a place is left out.
    """
    _FirstPass(monitor, log, turns, cuts, keep).all()


def judged_part(
    monitor: Monitor,
    log: MetadataLog,
    turns: Turns | None,
    carried: Carried | None,
    end: Place | None,
    progress: Callable[[int], None] | None = None,
) -> Part:
    """Check the batches between a place, None for the log's beginning, and another, None for its end.

    The check goes up to the first violation, and behind the beginning as if all in front were clean.
    """
    reading = _PartOf(monitor, log, turns, 0, end, progress)
    if carried is None:
        reading.all()
    else:
        reading.go_on_from(carried, None)
    return reading.found()


def right(parts: Sequence[Part], broken: Broken | None = None) -> int:
    """Return how many parts at the front are clean, and right as they are; in front of them `broken` is broken."""
    broken = broken or {}
    for number, one in enumerate(parts):
        if one.assumed != broken or not one.exact or not one.clean:
            return number
        broken = one.earlier.broken
    return len(parts)


def composed(
    monitor: Monitor,
    log: MetadataLog,
    turns: Turns | None,
    carried: Sequence[Carried],
    parts: Sequence[Part],
    bear: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> LogResult:
    """Return the result on the log of those on its parts; the first part that is not right is checked here again.

    If all behind it are right, and the state in front of them is that of the replay, they are used; else they are
    checked here too. `bear` is as for `Monitor.judge`.
    """
    good = list(parts[: right(parts)])
    if len(good) < len(parts):
        wrong = parts[len(good)]
        follows = not good or good[-1].earlier.broken == wrong.assumed
        if bear == 0 and follows and wrong.exact and wrong.out.violations:
            # The first violation is found: the query is only whether there is one.
            return whole([*good, wrong])
        behind = parts[len(good) + 1 :]
        place = carried[len(good)].place if behind else None
        reading = _PartOf(monitor, log, turns, bear, place, progress)
        if good:
            earlier = Earlier()
            for one in good:
                earlier = earlier.then(one.earlier)
            reading.go_on_from(carried[len(good) - 1], earlier)
        else:
            reading.all()
        if behind and _stand_behind(reading, behind, carried[len(good)]):
            return whole([*good, reading.found(), *behind])
        reading.go_on_to_the_end()
        good.append(reading.found())
    return whole(good)


def _stand_behind(reading: _PartOf, parts: Sequence[Part], carried: Carried) -> bool:
    """Whether parts are right behind what was read with all that is remembered, though that was not clean.

    In the same state they find the same. What would be folded under a fault in front of them is something that is not
    explained, or a violation, and they have none.
    """
    if any(one.doubted for one in parts) or right(parts, _broken(reading)) < len(parts):
        return False
    return reading.rejoins(carried)


def whole(parts: Sequence[Part]) -> LogResult:
    """Return the result on a log of those on its parts, which are right."""
    old: Counter[str] = Counter()
    for one in parts:
        old.update(one.old)
    return ended(joined([one.out for one in parts], parts[-1].ids), old, parts[-1].protocol)
