"""Conditions of partitions and brokers while a log is replayed, and the record since which each holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeAlias

from fencepost.checkers.conformance.classes.changes import Change
from fencepost.checkers.conformance.classes.frames import UNKNOWN
from fencepost.checkers.conformance.explain.entities import members
from fencepost.checkers.conformance.records.wire import BoundRecord
from fencepost.checkers.conformance.state.replay import HardState, Layout
from fencepost.model.kraft import state as k
from fencepost.model.kraft.state import Recovery
from fencepost.traces import ControlRecord

from .moments import Moment

Id: TypeAlias = tuple[str, int]
"""A partition: the id of its topic and its number."""

DEFAULT_MIN_INSYNC = 1
"""Kafka's default of min.insync.replicas, where neither the log nor an option says another value."""

_UNDECIDED = (k.unassigned.state.known, k.migrating.state.known)  # type: ignore[attr-defined]
"""The reserved ids of directories in which a replica has not failed."""

PROGRESS = ("isr", "replicas", "adding", "removing", "leader")
"""The cells of a partition of which a change is a step of its reassignment."""


@dataclass(frozen=True, slots=True)
class UncleanElection:
    """A leader that was in neither the ISR nor the ELR: records that were acknowledged may be lost."""

    partition: Id
    name: str
    at: Moment
    leader: int
    isr: tuple[int, ...]
    elr: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Forgotten:
    """The record since which a partition with an empty ISR has no candidate but for an unclean election.

    `elr` and `last_known` are the candidates in front of it.
    """

    at: Moment
    record: str
    elr: tuple[int, ...]
    last_known: tuple[int, ...]


@dataclass(slots=True)
class Registration:
    """One registration of a broker; `unfenced` is when it was unfenced first, None if never, `ended` by what it ended.

    It is ended by the next registration of the same broker, or when the broker is unregistered.
    """

    at: Moment
    epoch: Any
    unfenced: Moment | None = None
    ended: Moment | None = None


@dataclass(slots=True)
class BrokerLife:
    """The registrations, fences and unfences of a broker, and since when it is what it is.

    `unregistered` is when it was last unregistered, None while it is registered; `cordoned_since` since when some of
    its log directories are cordoned; `lost` has the log directories that it had and has no more, with the moment.
    """

    registrations: list[Registration] = field(default_factory=list)
    fences: list[Moment] = field(default_factory=list)
    unfences: list[Moment] = field(default_factory=list)
    fenced_since: Moment | None = None
    shutdown_since: Moment | None = None
    unregistered: Moment | None = None
    cordoned_since: Moment | None = None
    lost: dict[str, Moment] = field(default_factory=dict)


class Cells:
    """The cells of a hard state by the names of their tables."""

    def __init__(self, state: HardState) -> None:
        self.state, self.numbers = state, numbers_of(state.layout)

    def __call__(self, name: str, *keys: Any) -> Any:
        """Return the value of a cell."""
        return self.state.read((self.numbers[name], keys))

    def keys(self, name: str) -> list[Any]:
        """Return the first keys of a table's cells that are true."""
        table = self.state.frame.tables[self.numbers[name]]
        return [keys[0] for keys, value in table.items() if value is True]


@lru_cache(maxsize=32)
def numbers_of(layout: Layout) -> Mapping[str, int]:
    """Return the numbers of a layout's tables by their names."""
    return {one.name: number for number, one in enumerate(layout.states)}


class Watch:
    """Follows a log: which conditions hold of which partition since when, and what brokers did.

    `min_insync` is the static min.insync.replicas of the controllers. The conditions are those of `conditions`.
    """

    def __init__(self, min_insync: int | None = None) -> None:
        self.min_insync = DEFAULT_MIN_INSYNC if min_insync is None else min_insync
        self.since: dict[tuple[str, Id], Moment] = {}
        self.progress: dict[Id, Moment] = {}
        self.brokers: dict[int, BrokerLife] = {}
        self.unclean: list[UncleanElection] = []
        self.names: dict[str, str] = {}
        self.leaders: list[tuple[int | None, int, Moment]] = []
        self.partitions: dict[str, set[Id]] = {}
        self.forgotten: dict[Id, Forgotten] = {}
        self._number_of: dict[int, str] = {}
        self._last_cells: Cells | None = None

    # -- what the log says -----------------------------------------------------------------------------------------
    def begins(self, state: HardState, at: Moment) -> None:
        """Take the state of a snapshot: what holds in it has held for an unknown time."""
        cells = Cells(state)
        self.since.clear()
        self.progress.clear()
        self.brokers.clear()
        self.partitions.clear()
        self.forgotten.clear()
        for topic in cells.keys("live"):
            self.names[topic] = str(cells("name", topic))
        for partition in cells.keys("exists"):
            self._partition(cells, partition, at, True)
        for broker in cells.keys("registered"):
            life = self._life(broker)
            life.fenced_since = at if cells("fenced", broker) is True else None
            life.shutdown_since = at if cells("in_controlled_shutdown", broker) is True else None
            life.cordoned_since = at if _cordoned(cells, broker) else None

    def leads(self, node: int | None, epoch: int, at: Moment) -> None:
        """Note who leads from here on."""
        self.leaders.append((node, epoch, at))

    def quorum(self, record: ControlRecord, words: str, at: Moment) -> None:
        """Nothing is noted of the quorum's voters: the reading itself has them."""

    def changed(self, state: HardState, record: BoundRecord, changes: tuple[Change, ...], at: Moment) -> None:
        """Note what a record has changed."""
        if not self._number_of:
            self._number_of = {number: name for name, number in numbers_of(state.layout).items()}
        cells = self._cells(state)
        partitions: dict[Id, set[str]] = {}
        brokers: dict[int, dict[str, Change]] = {}
        for change in changes:
            name, keys = self._number_of[change.cell[0]], change.cell[1]
            if name == k.name.state.name and change.new is not None and change.new is not UNKNOWN:
                self.names[keys[0]] = str(change.new)
            of = state.layout.states[change.cell[0]].keys
            sort = str(of[0]) if of else ""
            if sort == "Partition":
                partitions.setdefault(keys[0], set()).add(name)
            elif sort == "Broker":
                brokers.setdefault(keys[0], {})[name] = change
            elif sort == "Topic":
                for one in self.partitions.get(keys[0], ()):
                    partitions.setdefault(one, set())
            elif name in ("cluster_min_insync", "cluster_min_set"):
                for found in self.partitions.values():
                    for one in found:
                        partitions.setdefault(one, set())
        for broker, changed in brokers.items():
            self._broker(broker, changed, cells, at)
            if "directories" in changed:
                for one in [one for found in self.partitions.values() for one in found]:
                    if cells("leader", one) == broker:
                        partitions.setdefault(one, set())
        by_partition: dict[Id, dict[str, Change]] = {}
        for change in changes:
            if change.cell[1] and change.cell[1][0] in partitions and len(change.cell[1]) == 1:
                by_partition.setdefault(change.cell[1][0], {})[self._number_of[change.cell[0]]] = change
        for partition, names in partitions.items():
            self._elected(partition, by_partition.get(partition, {}), cells, at)
            self._candidates(partition, by_partition.get(partition, {}), cells, at, record)
            self._partition(cells, partition, at, bool(names.intersection(PROGRESS)))

    def _cells(self, state: HardState) -> Cells:
        """Return the cells of a state, which is the same one for many records."""
        if self._last_cells is None or self._last_cells.state is not state:
            self._last_cells = Cells(state)
        return self._last_cells

    # -- partitions ------------------------------------------------------------------------------------------------
    def called(self, partition: Id) -> str:
        """Return a partition as Kafka prints it: topic-number."""
        return f"{self.names.get(partition[0], partition[0])}-{partition[1]}"

    def _partition(self, cells: Cells, partition: Id, at: Moment, moved: bool) -> None:
        if cells("exists", partition) is not True or cells("live", partition[0]) is False:
            held: set[str] = set()
            self.partitions.get(partition[0], set()).discard(partition)
        else:
            held = set(conditions(cells, partition, self.min_isr(cells, partition)))
            self.partitions.setdefault(partition[0], set()).add(partition)
        for name in CONDITIONS:
            if name in held:
                self.since.setdefault((name, partition), at)
            else:
                self.since.pop((name, partition), None)
        if "reassigning" not in held:
            self.progress.pop(partition, None)
        elif moved:
            self.progress[partition] = at

    def _elected(self, partition: Id, changed: dict[str, Change], cells: Cells, at: Moment) -> None:
        leader = changed.get("leader")
        if leader is None or not isinstance(leader.new, int) or "exists" in changed:
            return
        isr, elr = (changed[name].old if name in changed else cells(name, partition) for name in ("isr", "elr"))
        if UNKNOWN in (isr, elr):
            return
        is_moved = "replicas" in changed
        is_marked = "recovery" in changed and cells("recovery", partition) is Recovery.RECOVERING
        if is_unclean(leader.new, isr, elr, is_moved, is_marked):
            name = self.called(partition)
            self.unclean.append(UncleanElection(partition, name, at, leader.new, tuple(isr), tuple(sorted(elr))))

    def _candidates(
        self, partition: Id, changed: Mapping[str, Change], cells: Cells, at: Moment, record: BoundRecord
    ) -> None:
        """Note that a record leaves a partition without a candidate, or gives it one."""
        if may_be_elected(cells, partition):
            self.forgotten.pop(partition, None)
        elif partition not in self.forgotten:
            before = (changed[name].old if name in changed else () for name in ("elr", "last_known"))
            elr, last_known = (() if some is UNKNOWN else tuple(sorted(some)) for some in before)
            self.forgotten[partition] = Forgotten(at, record.wire.type, elr, last_known)

    def min_isr(self, cells: Cells, partition: Id) -> int:
        """Return the min.insync.replicas in force for a partition, as `min_isr_of` does."""
        return min_isr_of(cells, partition[0], self.min_insync)

    # -- brokers ---------------------------------------------------------------------------------------------------
    def _life(self, broker: int) -> BrokerLife:
        return self.brokers.setdefault(broker, BrokerLife())

    def _broker(self, broker: int, changed: dict[str, Change], cells: Cells, at: Moment) -> None:
        life = self._life(broker)
        newest = life.registrations[-1] if life.registrations else None
        is_registered, is_fenced = (cells(name, broker) is True for name in ("registered", "fenced"))
        if "registered" in changed or "epoch" in changed:
            if newest is not None and newest.ended is None:
                newest.ended = at
            if is_registered:
                unfenced = None if is_fenced else at
                life.registrations.append(Registration(at, cells("epoch", broker), unfenced))
        elif "fenced" in changed:
            (life.fences if is_fenced else life.unfences).append(at)
            if not is_fenced and newest is not None and newest.unfenced is None:
                newest.unfenced = at
        if "registered" in changed:
            life.unregistered = None if is_registered else at
        if "directories" in changed and is_registered:
            had, has = (set(members(one)) for one in (changed["directories"].old, changed["directories"].new))
            life.lost = {one: since for one, since in life.lost.items() if one not in has}
            life.lost |= dict.fromkeys(sorted(had - has), at)
        life.cordoned_since = (life.cordoned_since or at) if is_registered and _cordoned(cells, broker) else None
        life.fenced_since = (life.fenced_since or at) if is_registered and is_fenced else None
        is_leaving = is_registered and cells("in_controlled_shutdown", broker) is True
        life.shutdown_since = (life.shutdown_since or at) if is_leaving else None


def min_isr_of(cells: Cells, topic: str, static: int) -> int:
    """Return the smaller of min.insync.replicas in force and the replication factor, as brokers take it."""
    if cells("own_min_insync", topic) is True:
        found = cells("min_insync", topic)
    elif cells("cluster_min_set") is True:
        found = cells("cluster_min_insync")
    else:
        found = static
    size = cells("replication", topic)
    known = [int(one) for one in (found, size) if one is not UNKNOWN]
    return min(known, default=static)


def _cordoned(cells: Cells, broker: int) -> bool:
    return bool(members(cells("cordoned", broker)))


def may_be_elected(cells: Cells, partition: Id) -> bool:
    """Return False where a partition has no leader, an empty ISR, and neither an eligible nor a last known leader."""
    if cells("exists", partition) is not True or cells("leader", partition) is not None:
        return True
    return any(some is UNKNOWN or some for some in (cells(name, partition) for name in ("isr", "elr", "last_known")))


def failed_directory(cells: Cells, partition: Id) -> str | None:
    """Return the directory in which a partition's leader lies, where its broker has others and no longer that one."""
    leader = cells("leader", partition)
    if not isinstance(leader, int):
        return None
    where, there = cells("location", partition, leader), members(cells("directories", leader))
    return where if isinstance(where, str) and there and where not in (*there, *_UNDECIDED) else None


def is_unclean(leader: int, isr: Iterable[int], elr: Iterable[int], is_moved: bool, is_marked: bool) -> bool:
    """Whether a new leader was elected uncleanly: from neither ISR nor ELR before it, or the record marks it so.

    A reassignment that completes (`is_moved`) takes its new leader into the ISR with the same record.
    """
    return is_marked or (not is_moved and leader not in isr and leader not in elr)


CONDITIONS = (
    "offline",
    "under_min_isr",
    "at_min_isr",
    "under_replicated",
    "leader_recovering",
    "elr_in_use",
    "reassigning",
    "not_preferred",
    "led_in_failed_directory",
)
"""Conditions of a partition. The first four are Kafka's OfflinePartitionsCount, UnderMinIsr, AtMinIsr and
UnderReplicated, `not_preferred` its PreferredReplicaImbalanceCount, as the controller's state has them. Kafka counts no
partition whose leader lies in a directory that its broker no longer has."""


def conditions(cells: Cells, partition: Id, min_isr: int) -> Iterable[str]:
    """Yield the conditions that hold of a partition; of a cell that is not known none."""
    values = {name: cells(name, partition) for name in ("leader", "isr", "replicas", "adding", "removing")}
    yield from of_replication(values, min_isr)
    leader, replicas = values["leader"], values["replicas"]
    if UNKNOWN not in (leader, replicas) and leader not in replicas[:1]:
        yield "not_preferred"
    if failed_directory(cells, partition) is not None:
        yield "led_in_failed_directory"
    if cells("recovery", partition) is Recovery.RECOVERING:
        yield "leader_recovering"
    if cells("elr", partition) not in (UNKNOWN, frozenset()):
        yield "elr_in_use"


def of_replication(values: Mapping[str, Any], min_isr: int) -> Iterable[str]:
    """Yield those of the conditions that leader, replicas, ISR and reassignment of a partition decide."""
    isr, replicas, adding = values["isr"], values["replicas"], values["adding"]
    if values["leader"] is None:
        yield "offline"
    if isr is not UNKNOWN:
        if len(isr) < min_isr:
            yield "under_min_isr"
        elif len(isr) == min_isr:
            yield "at_min_isr"
        if UNKNOWN not in (replicas, adding) and not set(replicas) - set(adding) <= set(isr):
            yield "under_replicated"
    if adding not in (UNKNOWN, frozenset()) or values["removing"] not in (UNKNOWN, frozenset()):
        yield "reassigning"
