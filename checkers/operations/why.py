"""Why a broker or a partition is as it is: the records back to the one that began it, each with the rows that fit.

A chain goes back to where the broker was active, or the partition had a leader and every replica in the ISR. Records of
one batch that the same row may have written belong together: a fence, and the leaders that it took away.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fencepost.checkers.conformance.classes.frames import UNKNOWN
from fencepost.checkers.conformance.explain.entities import BROKER, PARTITION, Entities, members, plain
from fencepost.checkers.conformance.explain.history import Past, Step
from fencepost.checkers.conformance.reading.monitor import Monitor
from fencepost.checkers.conformance.records.control_records import leader_of, opens
from fencepost.checkers.conformance.records.software import Software
from fencepost.model.kraft.levels import NAMES_OF_LEVELS
from fencepost.model.language import sentence
from fencepost.traces import Record
from fencepost.traces.forks import Fork, ForkState, own_records
from fencepost.traces.in_words import directory

from .likely import Nearby
from .moments import iso
from .takeovers import takeovers_of

STATUS = ("registered", "epoch", "fenced", "in_controlled_shutdown")
"""The cells by which a broker is active or not."""

WORDS = {
    "leader": "leader",
    "isr": "ISR",
    "elr": "ELR",
    "last_known": "last known ELR",
    "replicas": "replicas",
    "adding": "adding replicas",
    "removing": "removing replicas",
    "recovery": "leader recovery state",
}
"""Kafka's names of the reported cells of a partition."""

FORK = "fork"
"""The event name of a link that is a record of a fork's own."""

UNTOLD = {
    "FenceStaleBroker": "a session that expires: missed heartbeats are not in the log",
    "Heartbeat": "a heartbeat, which is not in the log: nor is who asked the broker to stop",
    "ExpiredHeartbeat": "a heartbeat that comes after the session expired: neither is in the log",
    "RegisterBroker": "a registration: whether the process crashed, or was restarted, is not in the log",
    "UnregisterBroker": "a request to unregister the broker: who sent it is not in the log",
    "AlterPartition": "a proposal of the partition's leader: whether a replica lagged is not in the log",
    "Reassign": "a request to reassign: who sent it is not in the log",
    "CancelReassignment": "a request to cancel: who sent it is not in the log",
    "ElectPreferred": "a request for the preferred leader: who sent it is not in the log",
    "ElectUnclean": "a request for an unclean election: who sent it is not in the log",
    "CreateTopic": "a request to create the topic: who sent it is not in the log",
    "CreatePartitions": "a request for more partitions: who sent it is not in the log",
    "AssignReplicasToDirs": "a broker that reports where a replica lies",
    "HeartbeatWithOfflineDirectories": "a heartbeat that reports failed log directories, which is not in the log",
    "OfflineDirectories": "a heartbeat that reports failed log directories, which is not in the log",
    "Balance": "the controller's periodic balance of leaders",
    "Rescue": "the controller's periodic unclean election",
}
"""The origin of a link that no record begins, by the event of the row that may have written it."""


BEGINS_SESSIONS = "4.0"
"""The release whose controllers begin a session for each fenced broker when they become active: KAFKA-19130."""

SOON = 5_000
"""A broker that was refused registers so many milliseconds after its session is over: it tries again all the time."""


@dataclass(frozen=True, slots=True)
class Link:
    """A record of the chain, and the records of its result that are about others (`beside`)."""

    step: Step
    sort: str
    entity: Any
    beside: tuple[tuple[Step, str, Any], ...]


def why(
    monitor: Monitor, past: Past, entities: Entities, sort: str, entity: Any, fork: Fork | None = None
) -> tuple[dict[str, Any], frozenset[int]]:
    """Return the chain behind the state of a broker or a partition as a JSON document: the oldest link first.

    Of a `fork`'s log the records of the takeover that a partition waited for are links, too. Beside the document are
    the offsets of links for which no rows were evaluated: without them the chain may lack records.
    """
    return _Chain(monitor, past, entities, fork).document(sort, entity)


class _Chain:
    def __init__(self, monitor: Monitor, past: Past, entities: Entities, fork: Fork | None) -> None:
        self.monitor, self.past, self.entities, self.fork = monitor, past, entities, fork
        self.layout = past.state.layout
        self.times = {record.offset: record.timestamp for batch in past.log.batches for record in batch.records}
        self.nearby = Nearby.of(past.log.path, past.log.batches)
        # No row explains what a fork's controller writes by rules of its own: its results are taken to be batches.
        batches = past.log.batches if fork is not None and fork.rules else ()
        begins = {at: batch.base_offset for batch in batches for at in batch.offsets}
        own = {begins[one.offset] for one in past.steps if one.offset in begins and one.is_asked and not one.causes}
        self.results = {
            one.offset: begins[one.offset] if begins.get(one.offset) in own else one.result for one in past.steps
        }
        self.by_result: dict[int, list[Step]] = {}
        for step in past.steps:
            self.by_result.setdefault(self.results[step.offset], []).append(step)

    def document(self, sort: str, entity: Any) -> tuple[dict[str, Any], frozenset[int]]:
        links: dict[tuple[int, str], Link] = {}
        own = self._episode(sort, entity, self.past.offset)
        for step in own:
            self._add(links, step, sort, entity)
            if sort == PARTITION:
                for other, broker in self._causing(step, entity):
                    for one in self._episode(BROKER, broker, other.offset):
                        self._add(links, one, BROKER, broker)
        ordered = [links[key] for key in sorted(links)]
        others = [*self._takeover(sort, entity, own), *self._tags(sort, entity)]
        rows = {cause.row for link in ordered for cause in link.step.causes}
        rows |= {row["id"] for link in others for row in link["rows"]}
        document = {
            "entity": {"sort": sort.lower(), "name": self.entities.called(sort, entity)},
            "state": self._state(sort, entity),
            "chain": sorted([*(self._link(link) for link in ordered), *others], key=lambda one: one["offset"]),
            "began": self._began(ordered),
            "rows": {id: sentence(self.monitor.protocol.row(id)) for id in sorted(rows)},
        }
        return document, frozenset(link.step.offset for link in ordered if not link.step.is_asked)

    # -- which records ---------------------------------------------------------------------------------------------
    def _episode(self, sort: str, entity: Any, offset: int) -> list[Step]:
        """The steps of an entity up to an offset since it was last whole, that of the last change included."""
        watched = STATUS if sort == BROKER else tuple(WORDS)
        values = {name: self._now(name, entity) for name in (*STATUS, *WORDS, "exists") if self._has(name, sort)}
        found: list[Step] = []
        for step in reversed(list(self.past.of(sort, entity))):
            changed = {self._name(c): c for c in step.changes if len(c.cell[1]) == 1}
            if step.offset <= offset and any(name in changed for name in watched):
                if found and self._is_whole(sort, values):
                    break
                found.append(step)
            elif sort == BROKER and found and self._waits(step, found[-1]):
                found.append(step)
            values.update({name: c.old for name, c in changed.items() if name in values})
        return found[::-1]

    def _waits(self, step: Step, registration: Step) -> str:
        """Say that a registration had to wait for the session that another fence of a fenced broker ends.

        Empty where the log does not show that: a controller of the release that begins such sessions became active
        after the broker was fenced, and the broker registers right behind the fence.
        """
        times, mine = self.times, {self._name(one) for one in registration.changes}
        if step.record != "Fence" or step.changes or not {"epoch", "incarnation"} <= mine:
            return ""
        if not 0 <= times[registration.offset] - times[step.offset] <= SOON:
            return ""
        before = (one.offset for one in self.past.of(*step.about[0]) if one.offset < step.offset and one.changes)
        fenced = max(before, default=-1)
        software, began = Software(), None
        for batch in self.past.log.batches:
            if batch.base_offset < step.offset:
                software.note(batch)
                began = batch if opens(batch) else began
        if began is None or began.base_offset < fenced:
            return ""
        leader = next(leader_of(one) for one in began.control_records if leader_of(one) is not None)
        nodes = software.highest
        highest = nodes.get(f"controller {leader}", max(nodes.values(), default=0))
        if not NAMES_OF_LEVELS.get(highest, "").startswith(f"{BEGINS_SESSIONS}-"):
            return ""
        waited = (times[step.offset] - times[began.base_offset]) / 1000
        return (
            f"is fenced once more, {waited:g} s after controller {leader} became active (@{began.base_offset}): a "
            f"controller of {BEGINS_SESSIONS} begins a session for each fenced broker then, and refuses its new "
            "process as a duplicate until that is over (KAFKA-19130); one of 4.1 does not"
        )

    def _has(self, name: str, sort: str) -> bool:
        return any(one.name == name and [str(key) for key in one.keys] == [sort] for one in self.layout.states)

    def _now(self, name: str, entity: Any) -> Any:
        return self.past.state.read((self.entities.numbers[name], (entity,)))

    def _name(self, change: Any) -> str:
        return str(self.layout.states[change.cell[0]].name)

    @staticmethod
    def _is_whole(sort: str, values: Mapping[str, Any]) -> bool:
        if sort == BROKER:
            is_active = values["registered"] is True and not values["fenced"] and not values["in_controlled_shutdown"]
            return bool(is_active) or values["registered"] is False
        if values.get("exists") is False:
            return True
        is_led = values["leader"] is not None
        if UNKNOWN in values.values():
            return False
        return is_led and set(values["replicas"]) <= set(values["isr"]) and not values["adding"] | values["removing"]

    def _causing(self, step: Step, partition: Any) -> Iterator[tuple[Step, int]]:
        """The records of brokers in a partition's result: of those that led, lead now, or left or joined ISR or ELR."""
        involved: set[Any] = set()
        for change in step.changes:
            name = self._name(change)
            if name == "leader" and change.cell[1] == (partition,):
                involved |= {change.old, change.new}
            elif name in ("isr", "elr") and change.cell[1] == (partition,):
                involved |= set(members(change.old)) ^ set(members(change.new))
        for other in self._together(step):
            for sort, broker in other.about:
                if sort == BROKER and broker in involved and self._is_status(other):
                    yield other, broker

    def _is_status(self, step: Step) -> bool:
        return any(self._name(change) in STATUS for change in step.changes)

    def _together(self, step: Step) -> list[Step]:
        """The other records of the result that a record is a part of."""
        return [other for other in self.by_result[self.results[step.offset]] if other.offset != step.offset]

    def _add(self, links: dict[tuple[int, str], Link], step: Step, sort: str, entity: Any) -> None:
        beside = [
            (other, its, partition)
            for other in (self._together(step) if sort == BROKER else ())
            for its, partition in other.about
            if its == PARTITION and any(one == entity for _, one in self._causing(other, partition))
        ]
        links[step.offset, sort] = Link(step, sort, entity, tuple(beside))

    # -- as JSON ---------------------------------------------------------------------------------------------------
    def _state(self, sort: str, entity: Any) -> dict[str, Any]:
        names = STATUS if sort == BROKER else tuple(WORDS)
        return {name: plain(self._now(name, entity)) for name in names}

    def _link(self, link: Link) -> dict[str, Any]:
        time = self.times[link.step.offset]
        rows = {cause.row: cause.event for cause in link.step.causes}
        likely = self.nearby.likely(link.step.offset, rows) if link.sort == BROKER else None
        return {
            **self._record(link.step, link.sort, link.entity),
            "timestamp": time if time >= 0 else None,
            "time": iso(time if time >= 0 else None),
            "rows": _causes(link.step),
            "likely": None if likely is None else likely.as_json(),
            "findings": self._findings(link),
            "same_result": [self._record(step, sort, entity) for step, sort, entity in link.beside],
        }

    def _findings(self, link: Link) -> list[str]:
        """The findings that a link shows whichever row wrote it."""
        mine = {self._name(c): c for c in link.step.changes if c.cell[1] == (link.entity,)}
        return ["D33"] if link.sort == PARTITION and _takes_candidates(mine) else []

    def _record(self, step: Step, sort: str, entity: Any) -> dict[str, Any]:
        name = self.entities.called(sort, entity)
        return {"offset": step.offset, "sort": sort.lower(), "name": name, "words": self._words(step, sort, entity)}

    def _words(self, step: Step, sort: str, entity: Any) -> str:
        name = self.entities.called(sort, entity)
        mine = {self._name(c): c for c in step.changes if c.cell[1] == (entity,)}
        if sort == BROKER:
            return f"broker {name} {self._session(step) or of_broker(mine)}"
        if "exists" in mine and mine["exists"].new is True:
            leader, isr = (plain(mine[n].new) if n in mine else None for n in ("leader", "isr"))
            return f"{name} is created: leader {'none' if leader is None else leader}, ISR {isr}"
        told = [f"{WORDS[n]} {_shown(mine[n].old)} → {_shown(mine[n].new)}" for n in WORDS if n in mine]
        if _takes_candidates(mine):
            told.append("no replica may lead now but by an unclean election (finding D33)")
        return f"{name}: {'; '.join(told) or 'changes nothing of leader or ISR'}{_unclean(mine)}"

    def _session(self, step: Step) -> str:
        """Say which wait the next registration behind a fence shows, empty for none."""
        later = (one for one in self.past.of(*step.about[0]) if one.offset > step.offset and one.changes)
        registration = None if step.changes else next(later, None)
        return "" if registration is None else self._waits(step, registration)

    def _began(self, links: list[Link]) -> list[dict[str, Any]]:
        """Return the origins of links that no other link began, as far as the matching rows show them."""
        found = []
        told_of = {step.offset for link in links if link.sort == BROKER for step, _, _ in link.beside}
        roots = [
            link
            for at, link in enumerate(links)
            if (self._is_first(link) if link.sort == BROKER else at == 0 and link.step.offset not in told_of)
        ]
        for link in roots:
            events = list(dict.fromkeys(cause.event for cause in link.step.causes))
            told = [UNTOLD.get(event, f"{event}, of which the log shows no more") for event in events]
            found.append(
                {
                    "offset": link.step.offset,
                    "name": f"{'broker ' if link.sort == BROKER else ''}{self.entities.called(link.sort, link.entity)}",
                    "certain": len(link.step.causes) == 1,
                    "may_come_from": told or [self._unexplained()],
                }
            )
        return found

    def _takeover(self, sort: str, entity: Any, own: Sequence[Step]) -> Iterator[dict[str, Any]]:
        """The records of AutoMQ's own by which a partition's streams moved from a node that failed to its leader."""
        found = takeovers_of(self.fork) if sort == PARTITION and self.fork is not None else None
        if found is None or self.fork is None or not own:
            return
        left = {
            one for step in own for change in step.changes if self._name(change) in ("leader", "replicas")
            for one in (members(change.old) if self._name(change) == "replicas" else [change.old])
        }  # fmt: skip
        for record in own_records(self.past.log.batches, self.fork):
            words = found.note(record)
            if not words or not own[0].offset < record.offset <= self.past.offset:
                continue
            data = record.data
            nodes = {data["nodeId"]} if "nodeId" in data else {one.failed for one in found.found}
            stream = data.get("streamId")
            if found.partitions.get(stream, entity) == entity if stream is not None else nodes & left:
                yield self._own(record, words, [])

    def _tags(self, sort: str, entity: Any) -> Iterator[dict[str, Any]]:
        """The records of a partition that bear tags of a fork's."""
        if sort != PARTITION or self.fork is None or not self.fork.tags:
            return
        state, steps = ForkState(self.fork), {one.offset: one for one in self.past.steps}
        for record in own_records(self.past.log.batches, self.fork):
            words = "" if self.fork.owns(record) else self.fork.words_of_tags(record, state.since(record))
            state.apply(record)
            of = record.data.get("topicId"), record.data.get("partitionId")
            if words and of == entity and record.offset <= self.past.offset:
                yield self._own(record, words, _causes(steps[record.offset]) if record.offset in steps else [])

    def _own(self, record: Record, words: str, rows: list[dict[str, Any]]) -> dict[str, Any]:
        time = record.timestamp if record.timestamp >= 0 else None
        name = "" if self.fork is None else self.fork.name
        return {
            "offset": record.offset, "sort": FORK, "name": name, "words": words, "timestamp": time, "time": iso(time),
            "rows": rows, "likely": None, "findings": [], "same_result": [],
        }  # fmt: skip

    def _unexplained(self) -> str:
        if self.fork is not None and self.fork.rules:
            return f"a rule of {self.fork.name}'s controller, which no table here has: see fencepost show fork"
        return "no row explains this record: see fencepost conform"

    def _is_first(self, link: Link) -> bool:
        return self._episode(BROKER, link.entity, link.step.offset)[0].offset == link.step.offset


def _causes(step: Step) -> list[dict[str, Any]]:
    return [{"id": one.row, "event": one.event, "finding": one.finding or None} for one in step.causes]


def _unclean(mine: Mapping[str, Any]) -> str:
    """Say that a new leader was elected uncleanly; empty for any other change of a partition.

    A leader that comes from the ISR or the ELR changes that one: what a record leaves as it was did not have it.
    """
    leader = mine["leader"].new if "leader" in mine else None
    if not isinstance(leader, int) or "replicas" in mine or "isr" not in mine:
        return ""
    was = {name: members(mine[name].old) if name in mine else () for name in ("isr", "elr", "last_known")}
    if UNKNOWN in (mine["isr"].old, mine["elr"].old if "elr" in mine else None):
        return ""
    if leader in was["isr"] or leader in was["elr"]:
        return ""
    empty = "the ISR and the ELR were empty" if not was["isr"] and not was["elr"] else "it was in neither ISR nor ELR"
    known = f"; {leader} is the last known leader" if leader in was["last_known"] else ""
    return f"; an unclean election: {empty}{known}, so that acknowledged records may be lost"


def _takes_candidates(mine: Mapping[str, Any]) -> bool:
    """Whether a partition without a leader loses its candidates, the last known leader among them."""
    last_known = mine.get("last_known")
    return (
        last_known is not None
        and bool(members(last_known.old))
        and not members(last_known.new)
        and "leader" not in mine
    )


def of_broker(mine: Mapping[str, Any]) -> str:
    """Return what becomes of a broker, by the changes of its cells by their names."""
    if "registered" in mine:
        return "registers for the first time" if mine["registered"].new is True else "is unregistered"
    if "epoch" in mine:
        again = "another process" if "incarnation" in mine else "the same process"
        fenced = "; it was not fenced before" if "fenced" in mine else ""
        return f"registers again ({again}), fenced until it has caught up{fenced}{_directories(mine)}"
    if "fenced" in mine:
        return "is fenced" if mine["fenced"].new is True else "is unfenced"
    if "in_controlled_shutdown" in mine:
        return "begins a controlled shutdown" if mine["in_controlled_shutdown"].new is True else "ends its shutdown"
    return "changes nothing of its state"


def _directories(mine: Mapping[str, Any]) -> str:
    """Say which log directories a registration names no more, and which it names newly."""
    if "directories" not in mine:
        return ""
    old, new = (set(members(one)) for one in (mine["directories"].old, mine["directories"].new))
    told = [
        f"{word} log director{'ies' if len(some) > 1 else 'y'} {', '.join(sorted(map(directory, some)))}"
        for word, some in (("without", old - new), ("with the new", new - old if old else set()))
        if some
    ]
    return "".join(f", {one}" for one in told)


def _shown(value: Any) -> str:
    found = plain(value)
    return "none" if found is None else str(found)
