"""State of a fork's own records and tags, under paths, with the offset of each change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from fencepost.traces.record_types import REMOVE_TOPIC_RECORD
from fencepost.traces.records import Record

from .fork import Condition, Fork, filled

At = tuple[int, int]
"""The offset of a record, and its time in milliseconds since 1970."""


@dataclass(slots=True)
class Entry:
    """The state under a path; `since` is when each field got its value, `partition` whose tags they are."""

    value: dict[str, Any] = field(default_factory=dict)
    since: dict[str, At] = field(default_factory=dict)
    partition: tuple[str, int] | None = None

    def put(self, said: Mapping[str, Any], at: At) -> None:
        """Take the values of some fields."""
        for name, value in said.items():
            if name not in self.value or self.value[name] != value:
                self.since[name] = at
            self.value[name] = value


class ForkState:
    """The state of a fork at a place of a log."""

    def __init__(self, fork: Fork) -> None:
        self.fork = fork
        self.entries: dict[str, Entry] = {}

    def apply(self, record: Record) -> None:
        """Replay one record: one of the fork's own, or one of Kafka's with tags, or that removes a topic."""
        at = record.offset, record.timestamp
        own = self.fork.by_name.get(record.type)
        if own is not None:
            for said in own.parts(self.fork.shown(record)) if own.state or own.removes else ():
                if own.removes:
                    self.entries.pop(filled(own.removes, said), None)
                else:
                    self.entries.setdefault(filled(own.state, said), Entry()).put(said, at)
            return
        if record.type == REMOVE_TOPIC_RECORD:
            gone = [
                path
                for path, one in self.entries.items()
                if one.partition and one.partition[0] == record.data["topicId"]
            ]
            for path in gone:
                del self.entries[path]
            return
        for tag, value in self.fork.tags_of(record):
            if not tag.state:
                continue
            entry = self.entries.setdefault(filled(tag.state, record.data), Entry())
            entry.partition = (record.data.get("topicId", ""), record.data.get("partitionId", -1))
            entry.put({tag.name: value}, at)
            for name in tag.drops if isinstance(value, int) and value < 0 else ():
                entry.value.pop(name, None)

    def since(self, record: Record) -> dict[str, int]:
        """Return when each tag of a record, by its name, got the value that it has in front of it."""
        found = {}
        for tag, _ in self.fork.tags_of(record):
            entry = self.entries.get(filled(tag.state, record.data)) if tag.state else None
            if entry is not None and tag.name in entry.value:
                found[tag.name] = entry.since[tag.name][1]
        return found

    def conditions(self) -> Iterator[tuple[Condition, str, Entry]]:
        """Yield what health notes: each condition that holds, with the path and the entry of which it does."""
        for one in self.fork.conditions:
            for path, entry in self.entries.items():
                if (path == one.of or path.startswith(f"{one.of.rstrip('/')}/")) and one.holds(entry.value):
                    yield one, path, entry
