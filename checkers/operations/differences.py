"""Differences between two moments of a metadata log: topics, brokers, finalized features, partitions."""

from __future__ import annotations

from collections import Counter
from typing import Any

from fencepost.checkers.conformance.classes.changes import Change
from fencepost.checkers.conformance.explain.entities import plain
from fencepost.checkers.conformance.records.static_settings import StaticSettings
from fencepost.checkers.conformance.records.wire import BoundRecord
from fencepost.checkers.conformance.state.replay import HardState
from fencepost.traces import ControlRecord, LogSource

from .moments import Moment, When, iso
from .replaying import Replaying
from .results import CELLS, Group
from .sentences import COUNTED, kinds_of, way
from .watching import Cells
from .why import STATUS

_LEVEL = "feature_level"


class _Silent:
    def begins(self, state: HardState, at: Moment) -> None:
        """Nothing is noted."""

    def leads(self, node: int | None, epoch: int, at: Moment) -> None:
        """Nothing is noted."""

    def quorum(self, record: ControlRecord, words: str, at: Moment) -> None:
        """Nothing is noted of the quorum's voters: the reading itself has them."""

    def changed(self, state: HardState, record: BoundRecord, changes: tuple[Change, ...], at: Moment) -> None:
        """Nothing is noted."""


def differences(source: LogSource, one: When, other: When, static: StaticSettings | None = None) -> dict[str, Any]:
    """Return what differs between the states of a log at two moments as a JSON document, the first one's value first.

    Raises `Refusal` where the log has no such moment or does not tell the state there, `TraceError` where it cannot be
    read.
    """
    found = [_at(source, each, static) for each in (one, other)]
    before, after = (Cells(each.state) for each in found)
    names = {topic: str(cells("name", topic)) for cells in (before, after) for topic in cells.keys("live")}
    old, new = ({names[topic]: topic for topic in cells.keys("live")} for cells in (before, after))
    partitions = _partitions(before, after, names)
    counts = Counter(kind for each in partitions for kind in each["kinds"])
    return {
        "path": source.path,
        "at": _moment(found[0], one),
        "and": _moment(found[1], other),
        "topics": {
            "created": sorted(name for name in new if old.get(name) != new[name]),
            "deleted": sorted(name for name in old if new.get(name) != old[name]),
        },
        "brokers": _brokers(before, after),
        "features": _features(before, after),
        "counts": {"partitions": len(partitions), **{name: counts[name] for name in COUNTED if counts[name]}},
        "partitions": partitions,
        "notes": [note for each in found for note in each.notes],
    }


def _at(source: LogSource, when: When, static: StaticSettings | None) -> Replaying:
    replaying = Replaying(source, when, static)
    replaying.run(_Silent())
    return replaying


def _moment(replaying: Replaying, asked: When) -> dict[str, Any]:
    assert replaying.last is not None
    last = replaying.last
    return {"asked": asked.text, "offset": last.offset, "timestamp": last.time, "time": iso(last.time)}


def _brokers(before: Cells, after: Cells) -> list[dict[str, Any]]:
    found = []
    for broker in sorted({*before.keys("registered"), *after.keys("registered")}):
        pairs = {name: (before(name, broker), after(name, broker)) for name in STATUS}
        changed = {name: [plain(old), plain(new)] for name, (old, new) in pairs.items() if old != new}
        if changed:
            found.append({"broker": broker, "changed": changed})
    return found


def _features(before: Cells, after: Cells) -> list[dict[str, Any]]:
    levels = [dict(cells.state.frame.tables[cells.numbers[_LEVEL]].items()) for cells in (before, after)]
    return [
        {"feature": keys[0], "level": [before(_LEVEL, *keys), after(_LEVEL, *keys)]}
        for keys in sorted({*levels[0], *levels[1]})
        if before(_LEVEL, *keys) != after(_LEVEL, *keys)
    ]


def _partitions(before: Cells, after: Cells, names: dict[Any, str]) -> list[dict[str, Any]]:
    found = []
    there = {*before.keys("exists"), *after.keys("exists")}
    for one in sorted(there, key=lambda id: (names.get(id[0], ""), id[1])):
        old, new = ({name: cells(name, one) for name in CELLS} for cells in (before, after))
        if old == new:
            continue
        group = Group((one,), (-1,), old, new)
        name = f"{names.get(one[0], one[0])}-{one[1]}"
        changed = {cell: [plain(old[cell]), plain(new[cell])] for cell in CELLS if old[cell] != new[cell]}
        kinds = list(kinds_of(group))
        found.append({"partition": name, "kinds": kinds, "changed": changed, "words": f"{name} {way(group)}"})
    return found
