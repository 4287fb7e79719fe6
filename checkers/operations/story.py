"""The events of a metadata log in sentences: each result with its time, its offsets, and why, as rows say it.

Many partitions of one result are counted, neighbouring results of the same rows are printed together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from fencepost.checkers.conformance.classes.frames import UNKNOWN
from fencepost.checkers.conformance.explain.entities import plain
from fencepost.checkers.conformance.records.foreign import bears
from fencepost.checkers.conformance.records.static_settings import StaticSettings
from fencepost.checkers.conformance.records.wire import BoundRecord
from fencepost.checkers.conformance.state.replay import HardState
from fencepost.checkers.counting import counted
from fencepost.checkers.verdicts import ExitCode, Refusal
from fencepost.model.kraft.levels import NAMES_OF_LEVELS
from fencepost.model.language import sentence
from fencepost.traces import Batch, ControlRecord, LogSource, followed
from fencepost.traces.in_words import directory, in_words, setting
from fencepost.traces.record_types import (
    LEADER_CHANGE,
    PARTITION_CHANGE_RECORD,
    PARTITION_RECORD,
    REGISTER_BROKER_RECORD,
    REMOVE_TOPIC_RECORD,
)
from fencepost.traces.records import HIDDEN

from .about import About
from .lanes import Lanes
from .moments import END, Moment, When, iso, require_begun, shown
from .records import BROKER, OF_BROKERS, TOPIC
from .results import SOON, Group, Head, Result, Results
from .sentences import COUNTED, involved, kinds_of, of_broker_record, way
from .watching import Cells, Id
from .why import UNTOLD

if TYPE_CHECKING:
    from numpy.typing import NDArray

NAMED = 4
"""The number of partitions of one event that its sentence lists; more are counted."""

LISTED = 200
"""So many partitions of one event are listed in the document; `more` counts the rest."""

KEPT = 1 << 16
"""Of so many pairs of cells, before a change and after it, is kept how they are counted."""

ASKED = 1000
"""Of so many records in small batches the rows are asked unless an option says otherwise: it takes 2 ms a record."""


@dataclass(frozen=True, slots=True)
class _Listed:
    """A partition of an event, of which the words and the document are made where they are needed.

    `registering` are the brokers whose registration is of the same result.
    """

    partition: Id
    offset: int
    group: Group
    registering: set[Any]

    @property
    def is_created(self) -> bool:
        """Whether it was not there before."""
        return self.group.before["exists"] is not True and self.group.after["exists"] is True


@dataclass(slots=True)
class _Event:
    """An event of the story: results of the same rows, one after the other."""

    first: Moment
    last: Moment
    rows: tuple[str, ...]
    words: list[str]
    brokers: list[int]
    counts: Counter[str]
    listed: list[_Listed]
    records: int
    results: int
    only_partitions: bool
    partitions: int = 0
    leads: bool = False
    partly: tuple[str, ...] = ()
    is_asked: bool = True
    of_brokers: tuple[int, ...] = ()
    types: Counter[str] = field(default_factory=Counter)
    borne: tuple[str, ...] = ()


def story(
    source: LogSource,
    begin: When,
    end: When,
    about: About,
    static: StaticSettings | None = None,
    most: int | None = ASKED,
    *,
    until: When | None = None,
    with_lanes: bool = True,
    with_partitions: bool = True,
) -> dict[str, Any]:
    """Return what happened in a log between two moments as a JSON document.

    With `until` what begins behind it is read, as evidence of what came before, but makes no event.
    Without `with_lanes` there are no lanes, without `with_partitions` of each event only the partitions that are named.
    Of small batches rows are evaluated for the first `most` records of the story, None for all.
    Where the log does not show the state from some record on, `ends` says so, and the story has what is in front of it.
    Raises `Refusal` where there is nothing at all to tell, where the log has no such moment, or says nothing of what is
    asked about; `TraceError` where it cannot be read.
    """
    lanes: Lanes | None = None

    def counts(batch: Batch) -> bool:
        is_told = _counts(begin, batch)
        if is_told and lanes is not None and not lanes.is_open:
            lanes.begins(results.state, results.clock[batch.base_offset])
        return is_told

    results = Results(source, end, counts, static, most)
    # Lanes have a point for each result, what is kept of one is found by its own moment, and times may go back.
    results.joins = not with_lanes and until is None and about == About() and begin.time is None and end.text == END
    if with_lanes:
        lanes = Lanes(results.clock, None if static is None else static.min_insync)
    telling = _Telling(results, begin, about, lanes, until)
    telling.with_partitions = with_partitions
    return _document(results, telling)


Shown = Callable[[list[dict[str, Any]]], bool]
"""Is given events in their order, as the document has them, and says whether to look for more."""


def follow(
    source: LogSource,
    begin: When,
    about: About,
    static: StaticSettings | None = None,
    most: int | None = ASKED,
    *,
    shown: Shown,
    keep: bool = True,
) -> dict[str, Any]:
    """Return what happened in a log, as `story` does, while it grows: `shown` is called whenever its end is reached.

    What begins at the `end` are the records that are appended from then on; of appended records all rows are asked.
    Without `keep` events that were shown are not in the document, and take no memory.
    Raises as `story` does, and `TraceError` for a log that does not grow where it lies, and one that was cut back.
    """

    def counts(batch: Batch) -> bool:
        return telling.is_live if begin.text == END else _counts(begin, batch)

    def wait() -> bool:
        is_more = shown(telling.taken(keep))
        telling.is_live, results.most = True, None
        return is_more

    results = Results(source, When(END), counts, static, most)
    telling = _Telling(results, begin, about)
    results.items = followed(source, wait)
    found = _document(results, telling)
    shown(telling.taken(keep))
    return found


def _document(results: Results, telling: _Telling) -> dict[str, Any]:
    ends = None
    try:
        results.tell(telling)
    except Refusal as refusal:
        if refusal.code is not ExitCode.INCONCLUSIVE or not telling.count_of_events:
            raise
        ends = str(refusal)
    if ends is None:
        telling.require_known()
    return telling.document(ends)


def _counts(begin: When, batch: Batch) -> bool:
    """Whether a batch has a record from a moment on."""
    if begin.offset is not None:
        return batch.last_offset >= begin.offset
    return begin.time is None or batch.max_timestamp >= begin.time


@dataclass(frozen=True, slots=True)
class _Size:
    """How many partitions a result has, how many of them went through each kind of change, and records of each type."""

    partitions: int
    counts: Counter[str]
    types: Counter[str]

    @classmethod
    def of(cls, heads: Sequence[Head], groups: Sequence[Group]) -> _Size:
        """Return that of a result; a record of a topic that changes partitions counts once."""
        counts, types = Counter[str](), Counter(head.record.type for head in heads)
        own = {head.record.offset for head in heads}
        for group in groups:
            for name in kinds_of(group):
                counts[name] += len(group.members)
            types[_written_as(group)] += sum(offset not in own for offset in group.offsets)
        return cls(sum(len(group.members) for group in groups), counts, +types)


class _Telling:
    """Receives results and makes events of them."""

    def __init__(
        self, results: Results, begin: When, about: About, lanes: Lanes | None = None, until: When | None = None
    ) -> None:
        self.results, self.begin, self.about, self.lanes, self.until = results, begin, about, lanes, until
        self.events: list[_Event] = []
        self.shown = self.dropped = 0
        self.rows: set[str] = set()
        self.is_live, self.with_partitions = False, True
        self._ways: dict[tuple[frozenset[str], str], int] = {}
        self._known: dict[tuple[int, int, bool], tuple[Group, int]] = {}
        self.names: dict[str, str] = {}
        self.untold: Counter[str] = Counter()
        self.count = self.records = 0

    # -- what the log says -----------------------------------------------------------------------------------------
    def begins(self, state: HardState, at: Moment) -> None:
        """Take the names of a snapshot's topics."""
        cells = Cells(state)
        for topic in cells.keys("live"):
            self.names[topic] = str(cells("name", topic))
        self.results.clock.at(at)
        if self.lanes is not None:
            self.lanes.begins(state, at)

    def leads(self, node: int | None, epoch: int, at: Moment) -> None:
        """Tell who leads from here on."""
        self.results.nearby.leads(at.offset, at.time)
        if self.lanes is not None:
            self.lanes.leads(node, epoch, at, self._is_asked(at, at))
        if not self._is_asked(at, at):
            return
        self.records += 1
        if self._is_about_raft(LEADER_CHANGE):
            who = "a controller" if node is None else f"controller {node}"
            words = [f"{who} is the leader of the metadata quorum, epoch {epoch}"]
            self.events.append(
                _Event(at, at, (), words, [], Counter(), [], 1, 1, False, leads=True, types=Counter((LEADER_CHANGE,)))
            )

    def quorum(self, record: ControlRecord, words: str, at: Moment) -> None:
        """Tell what a record of Raft changes of the controller quorum."""
        if not self._is_asked(at, at):
            return
        self.records += 1
        if not self._is_about_raft(record.type):
            return
        if words:
            self.events.append(
                _Event(at, at, (), [words], [], Counter(), [], 1, 1, False, leads=True, types=Counter((record.type,)))
            )
        elif record.type != HIDDEN:
            self.untold[record.type] += 1

    def _is_about_raft(self, type: str) -> bool:
        about = self.about
        is_of_all = about.partition is None and about.broker is None and about.topic is None
        return is_of_all and (not about.types or type in about.types)

    def changed(self, state: HardState, record: BoundRecord, changes: tuple[Any, ...], at: Moment) -> None:
        """A batch that cannot be read to its end has no events."""

    def wants(self, result: Result) -> bool:
        """Whether something of a batch is asked for."""
        if self._is_over(result.first):
            return False
        return any(self._kept(group) for group in result.groups) or any(map(self._concerns, result.heads))

    def told(self, state: HardState, result: Result) -> None:
        """Tell a result, or a part of it, where it is asked for."""
        for head in result.heads:
            data = head.record.data
            if head.record.type == "TOPIC_RECORD":
                self.names[data["topicId"]] = data["name"]
            elif head.record.type == "REMOVE_TOPIC_RECORD" and "name" in head.changes:
                self.names[data["topicId"]] = str(head.changes["name"].old)
        if self.lanes is not None:
            self.lanes.told(state, result)
        if not self._is_asked(result.first, result.last):
            return
        self.count += result.times
        self.records += result.records
        groups = [kept for group in result.groups if (kept := self._kept(group)) is not None]
        if not groups and not any(map(self._concerns, result.heads)):
            return
        if result.is_asked or result.times == 1:
            self._tell(result, groups, _Size.of(result.heads, groups))
            return
        for part, listed, size in self._alike(result, groups):
            self._tell(part, listed, size)

    def _alike(self, result: Result, groups: Sequence[Group]) -> Iterator[tuple[Result, Sequence[Group], _Size]]:
        """Yield several batches of which no row was asked in parts that are printed as one event each.

        Of its partitions each has those that are listed, in the order of the batches.
        """
        ways = [self._way(group) for group in groups]
        sizes = [len(group.members) for group in groups]
        offsets = np.concatenate([np.array(group.offsets, np.int64) for group in groups])
        order = np.argsort(offsets, kind="stable")
        offsets, group_of = offsets[order], np.repeat(np.arange(len(groups)), sizes)[order]
        place_of = np.concatenate([np.arange(size) for size in sizes])[order]
        way_of = np.array(ways)[group_of]
        kinds = {one: number for number, one in enumerate({one for one, _ in self._ways})}
        kind_of = np.array([kinds[one] for one, _ in self._ways])[way_of]
        for start, end in pairwise([0, *(np.flatnonzero(np.diff(kind_of)) + 1).tolist(), len(order)]):
            times = len(np.unique(offsets[start:end]))
            first, last = self.results.clock[offsets.item(start)], self.results.clock[offsets.item(end - 1)]
            listed = range(start, min(end, start + self._most()))
            yield (
                Result(first, last, (), records=times, times=times, is_asked=False),
                [_one_of(groups[group_of.item(at)], place_of.item(at)) for at in listed],
                self._size_of(way_of[start:end]),
            )

    def _way(self, group: Group) -> int:
        """Return the number of what is counted of a group's partitions and the type of their records."""
        # Groups of equal classes share their cells; those of a way are kept beside, so that no others get their place.
        key = id(group.before), id(group.after), bool(group.directories)
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= KEPT:
                self._known.clear()
            way = frozenset(kinds_of(group)), _written_as(group)
            known = self._known[key] = group, self._ways.setdefault(way, len(self._ways))
        return known[1]

    def _size_of(self, way_of: NDArray[np.int64]) -> _Size:
        """Return what is counted of partitions by the numbers of their ways."""
        counts, types = Counter[str](), Counter[str]()
        for (kinds, type), count in zip(
            self._ways, np.bincount(way_of, minlength=len(self._ways)).tolist(), strict=True
        ):
            if count:
                types[type] += count
                for name in kinds:
                    counts[name] += count
        return _Size(len(way_of), counts, types)

    def _most(self) -> int:
        """How many partitions of an event are listed: those that are named, or all that the document has."""
        return LISTED if self.with_partitions or self.results.borne else NAMED

    def _tell(self, result: Result, groups: Sequence[Group], size: _Size) -> None:
        if self._is_more_of_the_last(result, size):
            return
        event = self._event(result, groups, size)
        if not event.words and not event.partitions:
            self.untold.update(head.record.type for head in result.heads)
            return
        if not self._joined(event):
            self.events.append(event)

    def _is_asked(self, first: Moment, last: Moment) -> bool:
        """Whether something from one moment to another reaches into the story."""
        begin = self.begin
        if self._is_over(first):
            return False
        if begin.text == END:
            return self.is_live or self.results.items is None
        if begin.offset is not None:
            return last.offset >= begin.offset
        return begin.time is None or last.time is None or last.time >= begin.time

    def _is_over(self, at: Moment) -> bool:
        return self.until is not None and self.until.is_over(at.offset, -1 if at.time is None else at.time)

    # -- what is asked about ---------------------------------------------------------------------------------------
    def called(self, partition: Id) -> str:
        """Return a partition as Kafka prints it: topic-number."""
        return f"{self.topic(partition[0])}-{partition[1]}"

    def topic(self, id: str) -> str:
        """Return the name of a topic, its id where no record has one."""
        found = self.names.get(id)
        if found is None:
            told = Cells(self.results.state)("name", id)
            found = self.names[id] = str(told) if isinstance(told, str) else id
        return found

    def _kept(self, group: Group) -> Group | None:
        """The partitions of a group that the story is about, None where there is none."""
        about = self.about
        if about.types and _written_as(group) not in about.types:
            return None
        if about.broker is not None and about.broker not in involved(group):
            return None
        if about.partition is None and about.topic is None:
            return group
        found = [
            (one, offset)
            for one, offset in zip(group.members, group.offsets, strict=True)
            if about.partition in (None, self.called(one)) and about.topic in (None, self.topic(one[0]))
        ]
        if not found:
            return None
        members, offsets = zip(*found, strict=True)
        return Group(members, offsets, group.before, group.after, group.directories)

    def _concerns(self, head: Head) -> bool:
        """Whether a record about no partition is by itself what the story is about."""
        about, data = self.about, head.record.data
        if about.partition is not None or (about.types and head.record.type not in about.types):
            return False
        fork = self.results.fork.taken
        if fork is not None and fork.owns(head.record):
            named = fork.by_name[head.record.type].broker
            is_of_broker = about.broker is not None and bool(named) and data.get(named) == about.broker
            return about.topic is None and (about.broker is None or is_of_broker)
        is_config, kind = head.record.type == "CONFIG_RECORD", data.get("resourceType")
        broker = data.get("brokerId", data.get("id"))
        if about.broker is not None and not (
            (head.record.type in OF_BROKERS and broker == about.broker)
            or (is_config and kind == BROKER and data["resourceName"] == str(about.broker))
        ):
            return False
        return about.topic is None or about.topic in (
            self.topic(data["topicId"]) if "topicId" in data else None,
            data.get("topicName"),
            _configures(head),
        )

    def require_known(self) -> None:
        """Refuse what nothing in the log is about, and a beginning behind its end."""
        path, last = self.results.source.path, self.results.last
        if last is not None:
            require_begun(path, self.begin, last, self.results.beyond is None)
        self.about.require_known(path, self.results.state, self.names)

    # -- events ----------------------------------------------------------------------------------------------------
    def _event(self, result: Result, groups: Sequence[Group], of: _Size) -> _Event:
        counts, size, most = of.counts, of.partitions, LISTED if result.heads else self._most()
        listed: list[_Listed] = []
        registering = {
            head.bound.entities[0]
            for head in result.heads
            if head.bound is not None and head.record.type == REGISTER_BROKER_RECORD
        }
        for group in groups:
            for one, offset in zip(group.members, group.offsets, strict=True):
                if len(listed) == most:
                    break
                self.topic(one[0])  # a later record may take the name away
                listed.append(_Listed(one, offset, group, registering))
        words = list(dict.fromkeys(filter(None, (self._head_with_tags(head, groups) for head in result.heads))))
        brokers = [head.bound.entities[0] for head in result.heads if head.bound and head.record.type in OF_BROKERS]
        made = {self.topic(one.partition[0]) for one in listed if one.is_created}
        created = [t for t in made if any(_makes(head, t) for head in result.heads)]
        if created and counts["created"] == size:
            words = [one for one in words if not one.startswith("topic ") or "is created" not in one]
            words = [*(self._created(t, result, groups) for t in sorted(created)), *words]
            counts = Counter()
        borne: dict[str, list[str]] = {}
        for entry in listed if self.results.borne else ():
            if entry.offset in self.results.borne:
                borne.setdefault(self.results.borne[entry.offset], []).append(self.called(entry.partition))
        if size > NAMED:
            words += [f"{_some(names)}: {said}" for said, names in borne.items()]
        return _Event(
            result.first, result.last, result.rows, words, brokers, counts, listed, result.records, result.times,
            not result.heads, size, partly=result.partly, is_asked=result.is_asked,
            of_brokers=tuple(head.record.offset for head in result.heads if head.record.type in OF_BROKERS),
            types=of.types,
            borne=tuple(sorted(borne)),
        )  # fmt: skip

    def _created(self, topic: str, result: Result, groups: Sequence[Group]) -> str:
        own = [one for one in groups if any(self.topic(id[0]) == topic for id in one.members)]
        size = sum(sum(self.topic(id[0]) == topic for id in one.members) for one in own)
        replicas = len(own[0].after["replicas"]) if own else 0
        told = [f"{counted(size, 'partition')} of {counted(replicas, 'replica')}"]
        told += [setting(h.record.data) for h in result.heads if _configures(h) == topic]
        return f"topic {topic} is created: {', '.join(told)}"

    def _head_with_tags(self, head: Head, groups: Sequence[Group]) -> str:
        words, unread = self._head(head, groups), self._unread(head.record.offset)
        return f"{words or head.record.type}{unread}" if unread else words

    def _unread(self, offset: int) -> str:
        record, words = self.results.tagged.get(offset), self.results.borne.get(offset)
        unread = "" if record is None else f" (with {bears(record, self.results.fork.taken)}, not read)"
        return f"{f' ({words})' if words else ''}{unread}"

    def _head(self, head: Head, groups: Sequence[Group]) -> str:
        data = head.record.data
        fork = self.results.fork.taken
        if fork is not None and fork.owns(head.record):
            return self.results.of_takeovers.get(head.record.offset) or fork.words(head.record)
        if head.record.type in OF_BROKERS and head.bound is not None:
            return of_broker_record(head)
        if head.record.type == "TOPIC_RECORD":
            return f"topic {data['name']} is created"
        if head.record.type == "REMOVE_TOPIC_RECORD":
            return f"topic {self.topic(data['topicId'])} is deleted"
        topic = data["topicName"] if head.record.type == "CLEAR_ELR_RECORD" else _configures(head)
        if topic is not None and any(
            self.topic(one[0]) == topic and group.before["exists"] is not True
            for group in groups
            for one in group.members[:1]
        ):
            return ""
        return in_words(head.record.type, data, NAMES_OF_LEVELS)

    def _partition(self, listed: _Listed) -> dict[str, Any]:
        one, offset, group = listed.partition, listed.offset, listed.group
        before, after = group.before, group.after
        changed = {
            name: [plain(before[name]), plain(after[name])]
            for name in after
            if name != "exists" and before[name] != after[name]
        }
        return {
            "partition": self.called(one),
            "topic": self.topic(one[0]),
            "number": one[1],
            "offset": offset,
            "created": listed.is_created,
            "changed": changed,
            "directories": {str(b): [_where(old), _where(new)] for b, (old, new) in group.directories.items()},
            "words": f"{self.called(one)} {way(group, listed.registering)}".rstrip() + self._unread(offset),
        }  # fmt: skip

    def _is_more_of_the_last(self, result: Result, size: _Size) -> bool:
        """Join a result with the last event where that lists no more partitions: then only numbers are needed."""
        last = self.events[-1] if len(self.events) > self.shown else None
        if last is None or len(last.listed) < self._most() or result.heads or self.results.borne:
            return False
        return self._joined(
            _Event(
                result.first, result.last, result.rows, [], [], size.counts, [], result.records, result.times, True,
                size.partitions, is_asked=result.is_asked, types=size.types,
            )
        )  # fmt: skip

    def _joined(self, event: _Event) -> bool:
        """Whether an event is printed together with the last one: results of the same rows about partitions alone."""
        last = self.events[-1] if len(self.events) > self.shown else None
        if last is None or last.leads or not (event.only_partitions and last.only_partitions):
            return False
        is_soon = None not in (last.last.time, event.first.time) and event.first.time - last.last.time <= SOON  # type: ignore[operator]
        is_alike = event.rows == last.rows and event.is_asked == last.is_asked and (event.rows or not event.is_asked)
        if last.borne != event.borne or not is_alike or not is_soon or set(event.counts) != set(last.counts):
            return False
        last.last = event.last
        last.counts += event.counts
        last.listed += event.listed[: LISTED - len(last.listed)]
        last.types += event.types
        last.records += event.records
        last.results += event.results
        last.partitions += event.partitions
        return True

    # -- what was shown --------------------------------------------------------------------------------------------
    @property
    def count_of_events(self) -> int:
        """How many events there are, with those that were shown and not kept."""
        return self.dropped + len(self.events)

    def taken(self, keep: bool) -> list[dict[str, Any]]:
        """Return the events that were not yet shown, which nothing joins any more; they go unless `keep` is said."""
        found = self.events[self.shown :]
        self.rows.update(row for event in found for row in event.rows)
        self.shown = len(self.events)
        if not keep:
            self.dropped, self.shown = self.dropped + len(self.events), 0
            self.events.clear()
        return [self._as_json(event) for event in found]

    # -- as JSON ---------------------------------------------------------------------------------------------------
    def document(self, ends: str | None) -> dict[str, Any]:
        """Return the whole story."""
        results, last = self.results, self.results.last
        assert last is not None
        asked = results.asked if self.until is None else self.until
        if self.until is not None and self.events:
            last = self.events[-1].last
        rows = sorted(self.rows | {row for event in self.events for row in event.rows})
        return {
            "path": results.source.path,
            "from": self.begin.text,
            "to": {"asked": asked.text, "offset": last.offset, "timestamp": last.time, "time": iso(last.time)},
            "about": self.about.as_json(),
            "known_from": None if results.first is None else results.first.as_json(),
            "counts": {"records": self.records, "results": self.count, "events": self.count_of_events},
            "untold": dict(sorted(self.untold.items())),
            "events": [self._as_json(event) for event in self.events],
            "rows": {id: sentence(results.protocol.row(id)) for id in rows},
            "rows_asked_up_to": None if results.unasked is None else results.unasked.offset,
            "ends": ends,
            "notes": [*results.notes, *self._begins_later()],
            "lanes": None if self.lanes is None else self.lanes.document(self.called, self.topic, self.about, last),
        }

    def _begins_later(self) -> Iterator[str]:
        """Say that the log begins behind the moment from which on it is asked."""
        first, begin = self.results.first, self.begin
        late_time = first is not None and None not in (begin.time, first.time) and begin.time < first.time  # type: ignore[operator]
        if first is not None and (late_time or (begin.offset is not None and 0 < begin.offset < first.offset)):
            yield f"The log begins at offset {first.offset} ({shown(first.time)}), behind {begin.text}."

    def _as_json(self, event: _Event) -> dict[str, Any]:
        rows = [self.results.protocol.row(id) for id in event.rows]
        events = list(dict.fromkeys(row.event.name for row in rows))
        listed = [self._partition(one) for one in event.listed[: None if self.with_partitions else NAMED]]
        return {
            "offset": event.first.offset,
            "last_offset": event.last.offset,
            "timestamp": event.first.time,
            "time": iso(event.first.time),
            "last_timestamp": event.last.time,
            "records": event.records,
            "types": dict(event.types),
            "results": event.results,
            "words": "; ".join([*event.words, *_of_partitions(event, listed)]),
            "brokers": event.brokers,
            "counts": {"partitions": event.partitions, **{n: event.counts[n] for n in COUNTED if event.counts[n]}},
            "partitions": listed,
            "more": event.partitions - len(listed),
            "rows": [{"id": row.id, "event": row.event.name, "finding": row.finding or None} for row in rows],
            "partly": list(event.partly),
            "certain": len(rows) == 1 and not event.partly,
            "may_come_from": [UNTOLD.get(one, one) for one in events],
            "likely": self._likely(event, {row.id: row.event.name for row in rows}),
            "explained": None if event.leads or not event.is_asked else bool(rows),
        }  # fmt: skip

    def _likely(self, event: _Event, rows: dict[str, str]) -> dict[str, Any] | None:
        """Return the most likely row of an event, by what the log shows near it, null where it does not."""
        found = (self.results.nearby.likely(offset, rows) for offset in event.of_brokers)
        return next((one.as_json() for one in found if one is not None), None)


def _of_partitions(event: _Event, listed: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """The words for the partitions of an event: one by one where they are few, else counted."""
    if not event.counts:
        return
    if event.partitions <= NAMED and event.partitions == len(listed):
        yield from (one["words"] for one in listed)
        return
    told = [f"{event.counts[name]:,} {words[event.counts[name] != 1]}" for name, words in COUNTED.items()
            if event.counts[name]]  # fmt: skip
    named = [one["partition"] for one in listed[:NAMED]]
    yield f"of {counted(event.partitions, 'partition')} ({', '.join(named)}, …) {', '.join(told)}"


def _one_of(group: Group, place: int) -> Group:
    """The partition at a place of a group."""
    return Group((group.members[place],), (group.offsets[place],), group.before, group.after, group.directories)


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more


def _written_as(group: Group) -> str:
    """The type of the records of a group's transition; the one that deletes partitions is a topic's."""
    if group.before["exists"] is not True:
        return PARTITION_RECORD
    return PARTITION_CHANGE_RECORD if group.after["exists"] is True else REMOVE_TOPIC_RECORD


def _makes(head: Head, topic: str) -> bool:
    return head.record.type == "TOPIC_RECORD" and head.record.data["name"] == topic


def _configures(head: Head) -> str | None:
    """The name of the topic of which a record sets a configuration, None for any other record."""
    data = head.record.data
    is_of_topic = head.record.type == "CONFIG_RECORD" and data["resourceType"] == TOPIC
    return str(data["resourceName"]) if is_of_topic else None


def _where(id: Any) -> str | None:
    return None if id is UNKNOWN else directory(id)
