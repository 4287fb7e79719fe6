"""Lanes of a log over time: states of brokers, terms of controllers, the partitions in trouble, and counts of all.

All lists are bounded: of many partitions and brokers those in most trouble are kept, of many states the worst of each
stretch of time. What is kept is exact; how much is left out is said.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import nlargest, nsmallest
from operator import itemgetter
from typing import Any

from fencepost.checkers.conformance.explain.entities import members, plain
from fencepost.checkers.conformance.state.replay import HardState
from fencepost.traces.record_types import CONFIG_RECORD

from .about import About
from .moments import Clock, Moment
from .records import OF_BROKERS, TOPIC
from .results import CELLS, Group, Head, Result
from .sentences import kinds_of
from .watching import DEFAULT_MIN_INSYNC, Cells, Id, min_isr_of, of_replication

PARTITIONS = 24
"""So many partitions have a lane, those in most trouble; others with the same history share it."""

COMPARED = 2000
"""Of so many partitions, those in most trouble, histories are compared."""

NAMED = 20
"""So many of the partitions that share a lane are named."""

BROKERS = 64
"""So many brokers have a lane, those that changed most."""

STATES = 150
"""So many states of one lane, and counts of all, are kept; of more the worst of each of so many stretches of time."""

COUNTED = ("offline", "under_min_isr", "under_replicated", "reassigning")
"""The conditions by which all partitions are counted, as `conditions` calls them."""

TROUBLES = COUNTED[:2]
"""Conditions by whose duration partitions are chosen, the worst first."""

NOTED = {
    "unclean": "unclean", "candidates_gone": "recovering", "recovering": "recovering",
    "reassignment_begun": "reassigned", "reassignment_over": "reassigned", "reassignment_changed": "reassigned",
    "leader_moved": "moves", "leader_found": "moves", "leaderless": "moves",
    "isr_shrank": "changes", "isr_grew": "changes", "isr_changed": "changes",
}  # fmt: skip
"""Further reasons to choose partitions, by the names of the counts in a story."""

REASSIGNED = 3
"""So many changes of leader or ISR a change of a reassignment counts for where partitions are chosen."""

SHOWN = ("leader", "isr", "elr", "replicas", "adding", "removing")
"""The cells of a partition that its lane shows."""

_NOT_THERE: Mapping[str, Any] = dict.fromkeys(CELLS)

State = dict[str, Any]
"""A stretch of a lane: what it shows, `offset` and `timestamp` where it begins, `to` and `to_timestamp` where it ends.

`times` is how many states were there, of which it shows the worst.
"""


@dataclass(slots=True)
class _Trouble:
    """Of one condition: the milliseconds for which it held of partitions, and since when it holds."""

    spent: Counter[Id] = field(default_factory=Counter)
    since: dict[Id, int | None] = field(default_factory=dict)

    def begins(self, partition: Id, at: Moment) -> None:
        """Note that it holds: it is among those of which it held, whether times are known or not."""
        self.spent[partition] += 0
        self.since[partition] = at.time

    def ends(self, partition: Id, at: Moment) -> None:
        """Note that it holds no longer."""
        since = self.since.pop(partition, None)
        if since is not None and at.time is not None:
            self.spent[partition] += max(0, at.time - since)


class Lanes:
    """Follows the results of a log, and keeps what its lanes are made of.

    `static` is the min.insync.replicas of the controllers. `clock` knows the times of records. `is_open` says that the
    state in front of the first result was taken.
    """

    def __init__(self, clock: Clock, static: int | None) -> None:
        self.clock, self.static = clock, DEFAULT_MIN_INSYNC if static is None else static
        self.begin: Moment | None = None
        self.is_open = False
        self.terms: list[tuple[Moment, int | None, int]] = []
        self.brokers: dict[int, list[tuple[Moment, str]]] = {}
        self.counts = dict.fromkeys(("partitions", *COUNTED), 0)
        self._curve: list[array[int]] = [array("q") for _ in range(1 + len(self.counts))]
        self._groups: list[tuple[int, Sequence[Id], Sequence[int], Mapping[str, Any]]] = []
        self._results = 0
        self._there: defaultdict[str, set[Id]] = defaultdict(set)
        self._flags: dict[int, dict[str, Any]] = {}
        self._minima: dict[str, list[tuple[int, int]]] = {}
        self._troubles = {name: _Trouble() for name in TROUBLES}
        self._noted: dict[str, Counter[Id]] = {name: Counter() for name in dict.fromkeys(NOTED.values())}

    # -- what the log says -----------------------------------------------------------------------------------------
    def begins(self, state: HardState, at: Moment) -> None:
        """Take a whole state, as that of a snapshot: what was known before ends here."""
        self.begin, self.is_open = self.begin or at, True
        self._results += 1
        cells = Cells(state)
        registered = set(cells.keys("registered"))
        for broker in sorted(registered | set(self.brokers)):
            flags = {name: cells(name, broker) for name in ("registered", "fenced", "in_controlled_shutdown")}
            self._broker(broker, flags, at)
        alike: dict[tuple[Any, ...], list[Id]] = {}
        for partition in cells.keys("exists"):
            alike.setdefault(tuple(cells(name, partition) for name in CELLS), []).append(partition)
        gone = {one for found in self._there.values() for one in found} - {
            one for some in alike.values() for one in some
        }
        before = [*gone, *(one for some in alike.values() for one in some if one in self._there[one[0]])]
        groups = [Group(some, [at.offset] * len(some), _NOT_THERE, dict(zip(CELLS, values, strict=True)))
                  for values, some in alike.items()]  # fmt: skip
        for trouble in self._troubles.values():
            for one in before:
                trouble.ends(one, at)
        self._there.clear()
        for topic in {one[0] for some in alike.values() for one in some}:
            self._minimum(cells, topic, at.offset, anew=True)
        self.counts = dict.fromkeys(self.counts, 0)
        if gone:
            self._groups.append((self._results, sorted(gone), [at.offset] * len(gone), _NOT_THERE))
        for group in groups:
            self._partitions(cells, group)
        self._point(at)

    def leads(self, node: int | None, epoch: int, at: Moment, is_asked: bool) -> None:
        """Take who leads from here on; in front of what is asked (`is_asked`) only the last one counts."""
        if is_asked:
            self.begin = self.begin or at
        else:
            self.terms.clear()
        self.terms.append((at, node, epoch))

    def told(self, state: HardState, result: Result) -> None:
        """Take a result; `state` is the state after it."""
        self.begin = self.begin or result.first
        self._results += 1
        cells = Cells(state)
        for head in result.heads:
            if head.bound is not None and head.record.type in OF_BROKERS:
                changed = {name: change.new for name, change in head.changes.items()}
                self._broker(head.bound.entities[0], changed, self.clock[head.record.offset])
            elif _sets_minimum(head):
                self._changed(cells, head)
        for group in result.groups:
            self._partitions(cells, group)
        if result.groups or result.heads:
            self._point(result.last)

    def _broker(self, broker: int, changed: Mapping[str, Any], at: Moment) -> None:
        flags = self._flags.setdefault(broker, {})
        flags |= changed
        state = next(
            (word for name, of, word in (
                ("registered", (None, False), "unregistered"), ("fenced", (True,), "fenced"),
                ("in_controlled_shutdown", (True,), "in_controlled_shutdown"),
            ) if flags.get(name) in of),
            "active",
        )  # fmt: skip
        lane = self.brokers.setdefault(broker, [])
        if not lane or lane[-1][1] != state:
            lane.append((at, state))

    # -- partitions ------------------------------------------------------------------------------------------------
    def _partitions(self, cells: Cells, group: Group) -> None:
        before, after = group.before, group.after
        is_there, was_there = after["exists"] is True, before["exists"] is True
        self._groups.append((self._results, group.members, array("q", group.offsets), after))
        topics = Counter(map(itemgetter(0), group.members))
        turns: dict[int, tuple[set[str], set[str]]] = {}
        for topic, count in topics.items():
            least = self._minimum(cells, topic, group.offsets[0])
            if least not in turns:
                turns[least] = tuple(
                    set(of_replication(values, least)) if there else set()
                    for values, there in ((before, was_there), (after, is_there))
                )  # type: ignore[assignment]
            old, new = turns[least]
            self.counts["partitions"] += count * (is_there - was_there)
            for name in COUNTED:
                self.counts[name] += count * ((name in new) - (name in old))
        for one, offset in zip(group.members, group.offsets, strict=True) if self._turns(turns) else ():
            self._turn(one, turns[self._minima[one[0]][-1][1]], self.clock[offset])
        if is_there != was_there:
            for one in group.members:
                (self._there[one[0]].add if is_there else self._there[one[0]].discard)(one)
        elif is_there:
            for kind in {NOTED[name] for name in kinds_of(group) if name in NOTED}:
                self._noted[kind].update(group.members)

    def _turns(self, turns: Mapping[int, tuple[set[str], set[str]]]) -> bool:
        return any((name in old) != (name in new) for old, new in turns.values() for name in TROUBLES)

    def _turn(self, partition: Id, turned: tuple[set[str], set[str]], at: Moment) -> None:
        old, new = turned
        for name, trouble in self._troubles.items():
            if (name in old) != (name in new):
                (trouble.begins if name in new else trouble.ends)(partition, at)

    def _minimum(self, cells: Cells, topic: str, offset: int, anew: bool = False) -> int:
        """The min.insync.replicas of a topic as its partitions have it, which is known until it is set again."""
        known = self._minima.setdefault(topic, [])
        if anew or not known:
            least = min_isr_of(cells, topic, self.static)
            if not known or known[-1][1] != least:
                known.append((offset, least))
        return known[-1][1]

    def _changed(self, cells: Cells, head: Head) -> None:
        """Count partitions anew whose min.insync.replicas a record has changed."""
        data, at = head.record.data, self.clock[head.record.offset]
        for topic, partitions in self._there.items():
            is_another = data["resourceType"] == TOPIC and cells("name", topic) != data["resourceName"]
            if is_another or not partitions:
                continue
            old, least = self._minima[topic][-1][1], self._minimum(cells, topic, at.offset, anew=True)
            for one in partitions if old != least else ():
                values = {name: cells(name, one) for name in CELLS}
                turned = set(of_replication(values, old)), set(of_replication(values, least))
                for name in COUNTED:
                    self.counts[name] += (name in turned[1]) - (name in turned[0])
                self._turn(one, turned, at)

    def _point(self, at: Moment) -> None:
        """Keep the counts where they changed."""
        offsets, *curve = self._curve
        if offsets and all(one[-1] == count for one, count in zip(curve, self.counts.values(), strict=True)):
            return
        for one, count in zip(self._curve, (at.offset, *self.counts.values()), strict=True):
            one.append(count)

    # -- the document ----------------------------------------------------------------------------------------------
    def document(self, called: Callable[[Id], str], topic: Callable[[str], str], about: About, end: Moment) -> State:
        """Return the lanes up to a moment, as JSON; `called` names partitions, `topic` topics."""
        begin = self.begin or end
        asked = self._asked(called, topic, about)
        alike = self._alike(self._chosen(asked, lambda one: (topic(one[0]), one[1]), end))[:PARTITIONS]
        shown = self._states([some[0] for some in alike], end)
        terms = _stretches([(at, {"id": node, "epoch": epoch}) for at, node, epoch in self.terms], end)
        brokers = {
            one: _stretches([(at, {"state": state}) for at, state in lane], end)
            for one, lane in self.brokers.items()
            if about.broker in (None, one)
        }
        kept = sorted(nlargest(BROKERS, brokers, key=lambda one: (len(brokers[one]), -one)))
        curve = self._points()
        highest = list(_highest(curve))
        return {
            "begin": begin.as_json(),
            "end": end.as_json(),
            "terms": _thinned(terms, lambda some: some[-1]),
            "brokers": [{"broker": one, "states": _thinned(brokers[one], _worst_of_broker)} for one in kept],
            "partitions": [
                self._lane(shown[some[0]], some, called, topic) for some in alike
            ],
            "counts": highest,
            "left_out": {
                "brokers": len(brokers) - len(kept),
                "partitions": len(asked) - sum(map(len, alike)),
                "counts": len(curve) - len(highest),
            },
        }  # fmt: skip

    def _asked(self, called: Callable[[Id], str], topic: Callable[[str], str], about: About) -> set[Id]:
        """The partitions that were in trouble or changed, as far as they are asked about."""
        found = {one for some in (*(t.spent for t in self._troubles.values()), *self._noted.values()) for one in some}
        if about.partition is not None:
            found = {one for _, some, _, _ in self._groups for one in some if called(one) == about.partition}
        if about.topic is not None:
            found = {one for one in found if topic(one[0]) == about.topic}
        if about.broker is not None:
            replicas: set[Id] = set()
            for _, some, _, after in self._groups:
                if about.broker in members(after["replicas"]):
                    replicas.update(some)
            found &= replicas
        return found

    def _chosen(self, asked: Iterable[Id], named: Callable[[Id], tuple[str, int]], end: Moment) -> list[Id]:
        """The partitions in most trouble, the worst first, equal ones by their names."""
        for trouble in self._troubles.values():
            for one in [*trouble.since]:
                trouble.ends(one, end)

        unclean, recovering, reassigned, moves, changes = (
            self._noted[name] for name in ("unclean", "recovering", "reassigned", "moves", "changes")
        )
        spent = [trouble.spent for trouble in self._troubles.values()]

        def best_last(one: Id) -> tuple[Any, ...]:
            times = [(one not in mine, -mine[one]) for mine in spent]
            changed = REASSIGNED * reassigned[one] + moves[one] + changes[one]
            return (times, -unclean[one], -recovering[one], -changed, named(one))

        return nsmallest(COMPARED, asked, key=best_last)

    def _alike(self, chosen: Sequence[Id]) -> list[list[Id]]:
        """Partitions that had the same states by the same results, together; the order is that of the first of each."""
        wanted = dict.fromkeys(chosen)
        histories: dict[Id, list[tuple[Any, ...]]] = {one: [one[:1]] for one in chosen}
        for number, some, _, after in self._groups:
            state = (number, after["exists"], *(after[name] for name in SHOWN))
            if not wanted.keys().isdisjoint(some):
                for one in some:
                    if one in wanted:
                        histories[one].append(state)
        found: dict[tuple[Any, ...], list[Id]] = {}
        for one, history in histories.items():
            found.setdefault(tuple(history), []).append(one)
        return list(found.values())

    def _states(self, chosen: Sequence[Id], end: Moment) -> dict[Id, list[State]]:
        """The states of the chosen partitions, the times of which are none where they do not exist."""
        wanted = set(chosen)
        found: dict[Id, list[tuple[int, Mapping[str, Any] | None]]] = {
            one: [(offset, None) for offset, _ in self._minima.get(one[0], ())[1:]] for one in chosen
        }
        for _, some, offsets, after in self._groups:
            if not wanted.isdisjoint(some):
                for one, offset in zip(some, offsets, strict=True):
                    if one in wanted:
                        found[one].append((offset, after))
        return {one: _stretches(list(self._shown(one, some)), end) for one, some in found.items()}

    def _shown(
        self, partition: Id, found: list[tuple[int, Mapping[str, Any] | None]]
    ) -> Iterator[tuple[Moment, State | None]]:
        minima = self._minima.get(partition[0], [])
        last: Mapping[str, Any] | None = None
        shown: State | None = None
        for offset, after in sorted(found, key=lambda one: one[0]):
            last = after or last
            is_there = last is not None and last["exists"] is True
            least = minima[max(0, bisect_right(minima, (offset, 1 << 62)) - 1)][1] if minima else None
            before, shown = shown, None
            if is_there and last is not None:
                shown = {**{name: plain(last[name]) for name in SHOWN}, "min_isr": least}
            if shown != before:
                yield self.clock[offset], shown

    def _lane(
        self, states: list[State], some: Sequence[Id], called: Callable[[Id], str], topic: Callable[[str], str]
    ) -> State:
        one, *others = some
        spent = {f"{name}_seconds": self._troubles[name].spent[one] / 1000 for name in TROUBLES}
        return {
            "partition": called(one),
            "topic": topic(one[0]),
            "number": one[1],
            **spent,
            "unclean": self._noted["unclean"][one],
            "alike": {"count": len(others), "partitions": [called(other) for other in others[:NAMED]]},
            "states": _thinned(states, _worst_of_partition),
        }

    def _points(self) -> list[State]:
        names = ("offset", *self.counts)
        return [
            {**(found := dict(zip(names, point, strict=True))), "timestamp": self.clock[found["offset"]].time}
            for point in zip(*self._curve, strict=True)
        ]


def _sets_minimum(head: Head) -> bool:
    return head.record.type == CONFIG_RECORD and head.record.data["name"] == "min.insync.replicas"


def _stretches(states: Sequence[tuple[Moment, State | None]], end: Moment) -> list[State]:
    """States from each to the next, the last to the end; none where nothing is there."""
    found = []
    for number, (at, state) in enumerate(states):
        over = states[number + 1][0] if number + 1 < len(states) else None
        if state is not None:
            found.append({
                **state, "offset": at.offset, "timestamp": at.time, "to": None if over is None else over.offset,
                "to_timestamp": end.time if over is None else over.time, "times": 1,
            })  # fmt: skip
    return found


def _bin(one: State, first: State, last: State) -> int:
    """The stretch of time in which a state begins, of offsets where times are not known."""
    name = "offset" if None in (one["timestamp"], first["timestamp"], last["timestamp"]) else "timestamp"
    span = max(1, last[name] - first[name])
    return int((one[name] - first[name]) * STATES // span)


def _thinned(states: list[State], worst: Callable[[list[State]], State]) -> list[State]:
    """States that are at most `STATES` and one: of each stretch of time the worst, which takes the place of all."""
    if len(states) <= STATES:
        return states
    some: dict[int, list[State]] = {}
    for one in states:
        some.setdefault(_bin(one, states[0], states[-1]), []).append(one)
    return [
        {**worst(mine), "offset": mine[0]["offset"], "timestamp": mine[0]["timestamp"], "to": mine[-1]["to"],
         "to_timestamp": mine[-1]["to_timestamp"], "times": len(mine)}
        for mine in some.values()
    ]  # fmt: skip


def _worst_of_broker(states: list[State]) -> State:
    order = ("unregistered", "fenced", "in_controlled_shutdown", "active")
    return min(states, key=lambda one: order.index(one["state"]))


def _worst_of_partition(states: list[State]) -> State:
    return min(states, key=lambda one: (one["leader"] is not None, len(one["isr"])))


def _highest(curve: list[State]) -> Iterator[State]:
    """The points of a short curve; of a long one those with the highest counts of each stretch of time, and its end."""
    if len(curve) <= STATES:
        yield from curve
        return
    some: dict[int, list[State]] = {}
    for one in curve:
        some.setdefault(_bin(one, curve[0], curve[-1]), []).append(one)
    for mine in some.values():
        kept = {max(mine, key=lambda one, name=name: one[name])["offset"] for name in COUNTED}  # type: ignore[misc]
        kept.add(mine[-1]["offset"])
        yield from (one for one in mine if one["offset"] in kept)
