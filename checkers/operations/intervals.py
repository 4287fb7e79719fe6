"""From when to when partitions were leaderless or under min ISR, and brokers fenced or in controlled shutdown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from fencepost.checkers.conformance.classes.changes import Change
from fencepost.checkers.conformance.classes.frames import UNKNOWN
from fencepost.checkers.conformance.records.static_settings import StaticSettings
from fencepost.checkers.conformance.state.replay import HardState
from fencepost.traces import LogSource

from .about import About
from .moments import Moment, When, iso, require_begun
from .replaying import Replaying
from .watching import Cells, Id, Watch

OF_PARTITIONS = {"offline": "leaderless", "under_min_isr": "under_min_isr"}
"""Fields of the document for partitions, by the names of `conditions`."""

OF_BROKERS = ("fenced", "in_controlled_shutdown")


@dataclass(slots=True)
class Interval:
    """A time in which something held of a partition or a broker; `end` is None where it held to the last record.

    `replicas` are those of the partition when it began, of a broker itself. Where a part of the log is missing
    it ends at the snapshot behind, and begins there anew if it still holds: neither is exact.
    """

    sort: str
    name: str
    topic: str | None
    condition: str
    begin: Moment
    replicas: tuple[int, ...]
    end: Moment | None = None


class Intervals(Watch):
    """Follows a log as `Watch` does, and keeps every interval, those that are over too."""

    def __init__(self, min_insync: int | None = None) -> None:
        super().__init__(min_insync)
        self.found: list[Interval] = []
        self._open: dict[tuple[str, Any], Interval] = {}

    def begins(self, state: HardState, at: Moment) -> None:
        """Take the state of a snapshot: what held before it has held until there, at most."""
        for one in self._open.values():
            one.end = at
        self._open.clear()
        super().begins(state, at)
        cells = Cells(state)
        for broker in cells.keys("registered"):
            self._note_broker(broker, at)

    def _partition(self, cells: Cells, partition: Id, at: Moment, moved: bool) -> None:
        super()._partition(cells, partition, at, moved)
        for name, condition in OF_PARTITIONS.items():
            holds = (name, partition) in self.since
            if self._turns(condition, partition, holds, at):
                replicas = cells("replicas", partition)
                self._begun(
                    Interval(
                        "partition", self.called(partition), self.names.get(partition[0]), condition, at,
                        () if replicas is UNKNOWN else tuple(replicas),
                    ),
                    partition,
                )  # fmt: skip

    def _broker(self, broker: int, changed: dict[str, Change], cells: Cells, at: Moment) -> None:
        super()._broker(broker, changed, cells, at)
        self._note_broker(broker, at)

    def _note_broker(self, broker: int, at: Moment) -> None:
        life = self.brokers[broker]
        for condition, since in zip(OF_BROKERS, (life.fenced_since, life.shutdown_since), strict=True):
            if self._turns(condition, broker, since is not None, at):
                self._begun(Interval("broker", str(broker), None, condition, at, (broker,)), broker)

    def _turns(self, condition: str, entity: Any, holds: bool, at: Moment) -> bool:
        """Whether a condition begins to hold of an entity; one that holds no longer is ended."""
        under_way = self._open.get((condition, entity))
        if under_way is not None and not holds:
            under_way.end = at
            del self._open[condition, entity]
        return holds and under_way is None

    def _begun(self, one: Interval, entity: Any) -> None:
        self._open[one.condition, entity] = one
        self.found.append(one)


def intervals(
    source: LogSource, begin: When, end: When, about: About, static: StaticSettings | None = None
) -> dict[str, Any]:
    """Return the intervals that reach into the time between two moments as a JSON document.

    Raises `Refusal` where the log has no such moment or does not tell the state at its end, or says nothing of what is
    asked about; `TraceError` where it cannot be read.
    """
    settings = static or StaticSettings()
    watch = Intervals(settings.min_insync)
    replaying = Replaying(source, end, settings)
    replaying.run(watch)
    last = replaying.last
    assert last is not None
    require_begun(source.path, begin, last, replaying.beyond is None)
    about.require_known(source.path, replaying.state, watch.names)
    now = last.time if end.time is None else max(end.time, last.time or end.time)
    found = [one for one in watch.found if _reaches(one, begin) and _concerns(about, one)]
    return {
        "path": source.path,
        "from": begin.text,
        "to": {"asked": end.text, "offset": last.offset, "timestamp": last.time, "time": iso(last.time)},
        "about": about.as_json(),
        "known_from": None if replaying.first is None else replaying.first.as_json(),
        "totals": {name: _total(name, found, now) for name in (*OF_PARTITIONS.values(), *OF_BROKERS)},
        "intervals": [_as_json(one, now) for one in found],
        "notes": list(replaying.notes),
    }


def _reaches(one: Interval, begin: When) -> bool:
    """Whether an interval is not over before a moment."""
    if one.end is None:
        return True
    if begin.offset is not None:
        return one.end.offset > begin.offset
    return begin.time is None or one.end.time is None or one.end.time > begin.time


def _concerns(about: About, one: Interval) -> bool:
    is_broker = one.sort == "broker"
    return (
        (about.broker is None or about.broker in one.replicas)
        and (about.topic is None or (not is_broker and one.topic == about.topic))
        and (about.partition is None or (not is_broker and one.name == about.partition))
    )


def _seconds(one: Interval, now: int | None) -> float | None:
    end = now if one.end is None else one.end.time
    return None if end is None or one.begin.time is None else max(0, end - one.begin.time) / 1000


def _total(condition: str, found: Iterable[Interval], now: int | None) -> dict[str, Any]:
    mine = [one for one in found if one.condition == condition]
    spans = [seconds for one in mine if (seconds := _seconds(one, now)) is not None]
    return {
        "intervals": len(mine),
        "entities": len({one.name for one in mine}),
        "under_way": sum(one.end is None for one in mine),
        "seconds": round(sum(spans), 3),
        "longest_seconds": max(spans, default=None),
    }


def _as_json(one: Interval, now: int | None) -> dict[str, Any]:
    return {
        "sort": one.sort,
        "name": one.name,
        "condition": one.condition,
        "from": one.begin.as_json(now),
        "to": None if one.end is None else one.end.as_json(now),
        "seconds": _seconds(one, now),
    }
