"""Checks the terms of controllers: the lines of each, in order, up to the write that is at hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from fencepost.checkers.conformance.classes.frames import UNKNOWN
from fencepost.checkers.unexplained import UNEXPLAINED
from fencepost.model.zk.state import PartitionState, Strategy
from fencepost.traces.storage import base_name
from fencepost.traces.zk import TopicPartition

from .checker import RecordingChecker
from .history import History, Write
from .known import CellValue, Term
from .leaderships import Leadership, Leaderships, no_znode, znode_cells
from .lines import Unit, place_of
from .observations import Observation, Place
from .requests import Requests, disagree
from .term_lines import TermLines

_RECENT = 6
"""The number of last sets of live brokers that a controller may still go by."""

_IN_ZOOKEEPER = ("session", "acting", "own_epoch", "live", "shutting_down")
"""The variables of a controller whose values are known without its lines."""

_OF_ZNODE = ("stated", "leader", "isr", "leader_epoch", "version", "written_in", "recovering")


class TermJudge:
    """Checks the lines of one term after the other, beside a history or alone."""

    def __init__(self, checker: RecordingChecker, leaderships: Leaderships, history: History | None) -> None:
        self.checker, self.leaderships, self.history = checker, leaderships, history
        self.requests = Requests(checker, leaderships, history)
        self.starts = {name: checker.rows.values_from("Elect", name) for name in ("partition_state", "replica_state")}

    # -- order -----------------------------------------------------------------------------------------------------
    def up_to(self, lines: TermLines, number: int) -> None:
        """Check the lines in front of a unit that claim no later write."""
        limit = lines.anchors[number].transaction.zxid
        for at in range(lines.next, number):
            if at not in lines.done and not (at in lines.anchors and lines.anchors[at].transaction.zxid > limit):
                self.judge(lines, at)
        while lines.next in lines.done:
            lines.next += 1

    def through(self, lines: TermLines, numbers: Sequence[int]) -> None:
        """Check the lines up to the last of some units, none where there are none."""
        for at in range(lines.next, max(numbers, default=-1) + 1):
            if at not in lines.done:
                self.judge(lines, at)

    def rest(self, lines: TermLines) -> None:
        """Check the lines that are left."""
        for at in range(lines.next, len(lines.units)):
            if at not in lines.done:
                self.judge(lines, at)
        lines.next = len(lines.units)

    def judge(self, lines: TermLines, at: int) -> bool:
        """Check one line; False where no row explains it."""
        if lines.cut and not lines.done:
            # Its writes in front of the log do not say all that it has done since.
            self.checker.state.forget(lines.term, but=_IN_ZOOKEEPER)
        lines.done.add(at)
        unit = lines.units[at]
        if unit.lone:
            self.checker.report(
                "gap",
                place_of(unit.entry),
                f"partition {unit.partition}",
                "The change of the replica's state that follows such a line is missing.",
            )
        if unit.assigned is not None and unit.partition is not None:
            self._assigned(lines, unit, unit.partition)
        elif unit.leadership is not None:
            # A later request of this version shows the replicas that were cached.
            requests = lines.requested.get((unit.partition, unit.leadership.version), ())
            replicas = next((replicas for number, replicas in requests if number > at), None)
            if replicas is not None:
                self.checker.tell([("assigned", (lines.term, unit.partition), replicas)])
        if unit.observation is None:
            self.requests.line(lines, unit.entry)
            return True
        one = self._around(lines, unit, at)
        if at in lines.anchors:
            one = self._as_written(unit, lines.anchors[at], one)
        p = unit.partition
        assert p is not None
        if self.history is None and unit.leadership is not None:
            one = self._alone(lines, unit, one, p, unit.leadership)
        if unit.leadership is not None:
            lines.seen.add(p)
        self._start(lines, one)
        if at in lines.anchors:
            lines.wrote()
        return self.checker.explain(one, chained=lines.traced)

    def is_in_the_middle(self, lines: TermLines) -> bool:
        """Whether a term names a partition or replica first in a state that no term begins with."""
        met: set[tuple[str, tuple[object, ...]]] = set()
        for one in (unit.observation for unit in lines.units if unit.observation is not None):
            for name, keys, value in one.before:
                if name in self.starts and (name, keys) not in met and value not in self.starts[name]:
                    return lines.traced
                met.add((name, keys))
        return False

    def in_time(self, lines: TermLines) -> None:
        """Report where the lines of one thread step back in time: in a file they are in the order of writing."""
        last = ""
        for unit in lines.units:
            entry = unit.entry
            if entry.time < last:
                self.checker.report(
                    "order",
                    place_of(entry),
                    f"controller {lines.term}",
                    f"This line is of {entry.time}, the one before it of {last}: one thread writes both, so a line "
                    "is out of order.",
                )
            last = entry.time

    def _start(self, lines: TermLines, one: Observation) -> None:
        """Report a partition or replica whose first state in a term is none that a term can begin with."""
        for name, keys, value in one.before:
            if name not in self.starts or not lines.traced or lines.cut:
                continue
            if lines.unsettled and keys[1] in lines.unsettled:
                continue
            if self.checker.state.value(name, *keys) is UNKNOWN and value not in self.starts[name]:
                self.checker.report(
                    "gap",
                    one.place,
                    one.entity,
                    f"A term of a controller does not begin with {value.name}: a line is missing or altered.",
                )

    # -- what is around a line -------------------------------------------------------------------------------------
    def _around(self, lines: TermLines, unit: Unit, at: int) -> Observation:
        """Return the event of a line with what its write says, and with the cells that change without a line."""
        one, c, p = unit.observation, lines.term, unit.partition
        assert one is not None
        assert p is not None
        write = lines.anchors.get(at)
        after, seen, brought = list(one.after), list(one.seen), list(one.brought)
        if self.history is not None and unit.leadership is not None:
            if write is not None:
                after += znode_cells(p, write.leadership)
            else:
                read = self._read_state(unit, p)
                cells = znode_cells(p, replace(read or unit.leadership, controller_epoch=0, recovering=None))
                brought += cells
                seen += cells
        brought += self._aims(c, p)
        if self.checker.state.value("lost", c, p) is UNKNOWN:
            # A failed directory has a line of its own.
            self.checker.tell([("lost", (c, p), frozenset())])
        open_cells: list[CellValue] = [(name, (p,), UNKNOWN) for name in _OF_ZNODE]
        alone = self.history is None
        return replace(
            one,
            after=after,
            seen=seen,
            brought=brought,
            worlds=lambda: [open_cells] if alone else self.worlds(lines, p, write is None),
        )

    def _as_written(self, unit: Unit, write: Write, one: Observation) -> Observation:
        """Return the observation of a line and its write; where these differ, a write that no row explains is wrong."""
        told, written = unit.leadership, write.leadership
        assert told is not None
        agree = told.recovering is None or told.recovering == written.recovering
        if told.same == written.same and agree and written.controller_epoch in (0, one.params["c"].epoch):
            return one
        if self.checker.rows.explain(one, self.checker.state) is None:
            return replace(one, place=place_of_write(write))
        self.checker.report(
            UNEXPLAINED,
            one.place,
            f"partition {unit.partition}",
            f"The line says {told}, and what was written with zxid {written.zxid} is {written}.",
        )
        return one

    def _read_state(self, unit: Unit, p: TopicPartition) -> Leadership | None:
        """Return the leadership that a line repeats; a line that claims a write has none."""
        told = unit.leadership
        assert told is not None
        if unit.claims:
            self.checker.report(
                "gap",
                place_of(unit.entry),
                f"partition {p}",
                f"The line claims a write of version {told.version}, and this controller has none in the history.",
            )
            return None
        other = self.leaderships.agrees(p, told)
        if other is None:
            return told
        disagree(self.checker, unit.entry, p, told, other)
        return None if other.version < 0 else other

    def _aims(self, c: Term, p: TopicPartition) -> list[CellValue]:
        """Return the target of a reassignment, as far as the topic's znode shows it: none where nothing is moved."""
        state = self.checker.state
        listed, adding, removing = (state.value(name, p) for name in ("replicas", "adding", "removing"))
        if UNKNOWN in (listed, adding, removing):
            return []
        moves = bool(adding or removing)
        return [("aim", (c,), tuple(b for b in listed if b not in removing) if moves else ())]

    def worlds(self, lines: TermLines, p: TopicPartition, late: bool) -> Iterator[Sequence[CellValue]]:
        """Yield the possible memory of a controller: brokers live or shutting down, replicas assigned or offline."""
        c, state = lines.term, self.checker.state
        lost = state.value("lost", c, p)
        for one in lines.lost_sets(p, frozenset() if lost is UNKNOWN else lost):
            others: list[CellValue] = [] if one == lost else [("lost", (c, p), one)]
            for world in self._memories(lines, p):
                yield [*world, *others]
        if late:
            # The cells that the controller read, and whether its session was live, are not known to the zxid.
            cells: list[CellValue] = [(name, (p,), UNKNOWN) for name in _OF_ZNODE]
            yield [*cells, ("session", (c,), UNKNOWN), ("controller_epoch", (), UNKNOWN)]

    def _memories(self, lines: TermLines, p: TopicPartition) -> Iterator[Sequence[CellValue]]:
        c, state = lines.term, self.checker.state
        down = state.value("shutting_down", c)
        down = frozenset() if down is UNKNOWN else down
        lives = list(dict.fromkeys(reversed(lines.lives)))[:_RECENT]
        assigned = [state.value("assigned", c, p)]
        listed, removing = state.value("replicas", p), state.value("removing", p)
        if UNKNOWN not in (listed, removing):
            assigned += [listed, tuple(b for b in listed if b not in removing)]
        for replicas in dict.fromkeys(one for one in assigned if one is not UNKNOWN):
            for live in lives:
                for shutting in dict.fromkeys((down & live, frozenset[int](), *(frozenset({b}) for b in sorted(live)))):
                    yield [("live", (c,), live), ("shutting_down", (c,), shutting), ("assigned", (c, p), replicas)]
        for live in lives:
            for one in live:
                yield [("live", (c,), live), ("shutting_down", (c,), (down & live) | {one})]

    def forget(self) -> None:
        """Forget every state znode: others may have written it since."""
        partitions = tuple(self.checker.state.domains["Partition"])
        self.checker.tell([(name, (p,), UNKNOWN) for p in partitions for name in _OF_ZNODE])

    # -- lines alone -----------------------------------------------------------------------------------------------
    def _alone(
        self, lines: TermLines, unit: Unit, one: Observation, p: TopicPartition, told: Leadership
    ) -> Observation:
        """Return the event of a line without a history: versions that are passed over are changes by leaders."""
        c, state = lines.term, self.checker.state
        version, epoch = state.value("version", p), state.value("leader_epoch", p)
        new = ("partition_state", (c, p), PartitionState.NEW) in one.before and told.version == 0
        if new:
            self._created_again(p)
            version, epoch = -1, -1
        known = version is not UNKNOWN and epoch is not UNKNOWN
        reads = unit.claims is None and (
            told.leader_epoch == epoch if known else bool(self.leaderships.of(p, told.version))
        )
        if known and told.version < version:
            self.checker.report(
                "order",
                one.place,
                one.entity,
                f"The line says version {told.version}, and version {version} has been written already.",
            )
        while known and version < told.version - (0 if reads else 1) and version >= 0:
            version += 1
            silent = Observation(
                "AlterPartition",
                {"c": c, "p": p},
                one.place,
                one.entity,
                after=[("version", (p,), version), ("isr", (p,), UNKNOWN), ("recovering", (p,), UNKNOWN)],
            )
            if self.checker.rows.explain(silent, state) is None:
                break
            state.tell(silent.after)
            self.checker.inferred["AlterPartition"] += 1
        other = self.leaderships.agrees(p, told)
        if other is not None:
            disagree(self.checker, unit.entry, p, told, other)
        cells = znode_cells(p, replace(told, controller_epoch=0 if unit.claims is None else c.epoch))
        isr, leader = frozenset(told.isr), frozenset({told.leader}) - {-1}
        before = state.value("isr", p)
        held = isr if before is UNKNOWN else isr | before
        whole: CellValue = ("lost", (c, p), frozenset())
        worlds: list[list[CellValue]] = [
            [("live", (c,), held | leader), ("shutting_down", (c,), held - isr)],
            [("live", (c,), leader), ("shutting_down", (c,), frozenset())],
            [("live", (c,), isr | leader), ("shutting_down", (c,), frozenset()), whole],
        ]
        if p not in lines.seen:
            # The term before may have written what it has no line for: it died, or was fenced in the middle of a batch.
            lag: list[CellValue] = [(name, (p,), UNKNOWN) for name in ("stated", "leader", "isr", "recovering")]
            for world in list(worlds):
                worlds.append(
                    [
                        *world,
                        *lag,
                        ("leader_epoch", (p,), told.leader_epoch - (not reads)),
                        ("version", (p,), told.version - (not reads)),
                    ]
                )
        assume: list[CellValue] = [("live", (c,), isr | leader), ("shutting_down", (c,), frozenset())]
        if unit.claims:
            # A controller that wrote was in office, and its session was live.
            assume += [("session", (c,), True), ("controller_epoch", (), c.epoch)]
        return replace(
            one, after=[*one.after, *cells], brought=[*one.brought, *assume], worlds=lambda: worlds, adopts=False
        )

    def _assigned(self, lines: TermLines, unit: Unit, p: TopicPartition) -> None:
        """Take over the replicas that a line reports; a partition that is assigned again is another one."""
        state = self.checker.state
        if unit.leadership is None:
            lines.created_again(p)
            if self.history is None:
                self._created_again(p)
        state.tell([("assigned", (lines.term, p), unit.assigned)])

    def _created_again(self, p: TopicPartition) -> None:
        """A partition has no state znode: where it had one, the topic was deleted and created again."""
        if self.leaderships.last(p) is not None:
            self.leaderships.recreated.add(p)
            self.checker.inferred["DeleteTopicZnodes"] += 1
        self.checker.tell(no_znode(p))


def place_of_write(write: Write) -> Place:
    """Return the place of a write in its history."""
    one, transaction = write.leadership, write.transaction
    return Place(base_name(transaction.file), one.zxid, transaction.line, f"the write of version {one.version}")


def silent_events(write: Write, c: Term, replicas: Iterable[int]) -> Iterator[Observation]:
    """Yield the events that a write without a line may be: a change that a leader asked for first."""
    p, one, place = write.partition, write.leadership, place_of_write(write)
    cells = znode_cells(p, one)

    def event(name: str, **params: Any) -> Observation:
        return Observation(name, {"c": c, "p": p, **params}, place, f"partition {p}", after=cells, about=((p,),))

    yield event("AlterPartition", wanted=frozenset(one.isr), wants_recovering=bool(one.recovering))
    for how in Strategy:
        yield event("PartitionState", to=PartitionState.ONLINE, how=how)
    for r in replicas:
        yield event("ReplicaState", r=r)
    yield event("UpdateLeaderEpoch")
