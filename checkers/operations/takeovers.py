"""Takeovers of AutoMQ: what becomes of a failed node's log and streams, from the record that begins it to the last.

A takeover begins where the key `__a.failover` names a failed node with the one that reads its log, which writes in the
failed one's name from then on, and ends where the key names it no more. (Read in AutoMQ's source; no log of a running
one was seen.)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from fencepost.traces import Record
from fencepost.traces.forks import Fork

from .moments import Moment, spelled

FAILOVER = "__a.failover"
LOG, OBJECT, STREAM, RANGE, KEYS = (
    "NODE_WALMETADATA_RECORD",
    "S3_STREAM_SET_OBJECT_RECORD",
    "S3_STREAM_RECORD",
    "RANGE_RECORD",
    "KVRECORD",
)
OPEN = 1
"""The state of a stream that is open."""

TOPIC, NUMBER = "0", "1"
"""The tags of a stream with its topic's id, and the partition's number, which is hexadecimal."""


@dataclass(slots=True)
class Takeover:
    """The takeover of a failed node's log; `streams` are those closed, with the node that continues each."""

    failed: int
    by: int
    began: Moment
    opened: Moment | None = None
    objects: int = 0
    streams: dict[int, int | None] = field(default_factory=dict)
    ended: Moment | None = None

    def as_json(self, now: int | None) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "failed": self.failed,
            "by": self.by,
            "began": self.began.as_json(now),
            "opened": None if self.opened is None else self.opened.as_json(now),
            "objects": self.objects,
            "closed": sorted(self.streams),
            "ended": None if self.ended is None else self.ended.as_json(now),
        }

    @property
    def words(self) -> str:
        """How far it is."""
        words = ["its log is opened" if self.opened is not None else "its log is not opened"]
        words.append(f"{self.objects} object{'' if self.objects == 1 else 's'} saved from it")
        closed = ", ".join(map(str, sorted(self.streams)))
        words.append(f"stream{'' if len(self.streams) == 1 else 's'} {closed} closed" if closed else "no stream closed")
        return ", ".join(words)


def takeovers_of(fork: Fork) -> Takeovers | None:
    """Return what follows takeovers by the records of a fork, None where it has not the records that tell of them."""
    return Takeovers(fork) if {LOG, OBJECT, STREAM, RANGE, KEYS} <= fork.by_name.keys() else None


class Takeovers:
    """Follows the records of AutoMQ's own in their order.

    `owners` has the number of the newest range of each stream, and its node; `streams` whether each is open, and
    `partitions` whose they are.
    """

    def __init__(self, fork: Fork) -> None:
        self.fork = fork
        self.found: list[Takeover] = []
        self.owners: dict[int, tuple[int, int]] = {}
        self.partitions: dict[int, tuple[str, int]] = {}
        self.streams: dict[int, bool] = {}

    @property
    def running(self) -> list[Takeover]:
        """Return the takeovers that have no end."""
        return [one for one in self.found if one.ended is None]

    def of(self, node: int) -> Takeover | None:
        """Return the takeover of a node's log that has no end, None where there is none."""
        return next((one for one in self.running if one.failed == node), None)

    def note(self, record: Record) -> str:
        """Take a record; return what it says of a takeover, empty where that is nothing."""
        at = Moment(record.offset, record.timestamp if record.timestamp >= 0 else None)
        data = record.data
        match record.type:
            case "REMOVE_S3_STREAM_RECORD":
                for one in (self.owners, self.partitions, self.streams):
                    one.pop(data["streamId"], None)
            case _ if record.type == KEYS:
                parts = self.fork.by_name[KEYS].parts(self.fork.shown(record))
                values = [one["value"] for one in parts if one["key"] == FAILOVER]
                return "; ".join(filter(None, (self._named(one, at) for one in values)))
            case _ if record.type == LOG and data["failoverMode"]:
                found = self.of(data["nodeId"])
                if found is not None:
                    found.opened = at
                    since = f"takeover since @{found.began.offset}"
                    return f"node {found.by} opens the log of the failed node {found.failed} ({since})"
            case _ if record.type == OBJECT:
                found = self.of(data["nodeId"])
                if found is not None:
                    found.objects += 1
                    return f"object {data['objectId']} holds what the log of the failed node {found.failed} had"
            case _ if record.type == STREAM:
                return self._stream(data)
            case _ if record.type == RANGE:
                return self._range(data)
        return ""

    def open_at(self, node: int) -> list[int]:
        """Return the streams that are open at a node."""
        return sorted(
            one for one, is_open in self.streams.items() if is_open and self.owners.get(one, (0, -1))[1] == node
        )

    def away(self, leaders: Mapping[tuple[str, int], Any]) -> Iterator[tuple[tuple[str, int], int, list[int]]]:
        """Yield the partitions whose streams are open at another node than the leader: that node, and the streams."""
        found: dict[tuple[tuple[str, int], int], list[int]] = {}
        for stream, partition in self.partitions.items():
            leader, owner = leaders.get(partition), self.owners.get(stream)
            if isinstance(leader, int) and owner is not None and self.streams.get(stream) and owner[1] != leader:
                found.setdefault((partition, owner[1]), []).append(stream)
        for (partition, node), streams in found.items():
            yield partition, node, streams

    def _named(self, value: Any, at: Moment) -> str:
        """Take the value of the key: those that it names are running, those that it names no more are over."""
        if not isinstance(value, list):
            return ""
        nodes = [one for one in value if isinstance(one, dict) and isinstance(one.get("n"), int)]
        said = []
        for one in self.running:
            if one.failed not in [node["n"] for node in nodes]:
                one.ended = at
                over = f"is over{self._after(one, at)}: {one.words}"
                said.append(f"the takeover of the log of node {one.failed} by node {one.by} {over}")
        for node in nodes:
            if self.of(node["n"]) is None:
                self.found.append(Takeover(node["n"], node.get("t", -1), at))
                said.append(
                    f"the takeover of the log of the failed node {node['n']} by node {node.get('t', '?')} begins"
                )
        return "; ".join(said)

    @staticmethod
    def _after(one: Takeover, at: Moment) -> str:
        if one.began.time is None or at.time is None:
            return ""
        return f" after {spelled((at.time - one.began.time) / 1000)} (begun @{one.began.offset})"

    def _stream(self, data: dict[str, Any]) -> str:
        stream = data["streamId"]
        tags = {one["key"]: one["value"] for one in data.get("tags") or ()}
        if TOPIC in tags and NUMBER in tags:
            try:
                self.partitions[stream] = tags[TOPIC], int(tags[NUMBER], 16)
            except ValueError:
                self.partitions.pop(stream, None)
        self.streams[stream] = data["streamState"] == OPEN
        found = self.of(self.owners.get(stream, (-1, -1))[1])
        if found is None or data["streamState"] == OPEN:
            return ""
        found.streams[stream] = None
        return f"stream {stream} of the failed node {found.failed} is closed"

    def _range(self, data: dict[str, Any]) -> str:
        stream, index, node = data["streamId"], data["rangeIndex"], data["nodeId"]
        before = self.owners.get(stream)
        if before is not None and index < before[0]:
            return ""
        self.owners[stream] = index, node
        if before is None or before[1] == node:
            return ""
        for one in self.found:
            if one.failed == before[1] and one.streams.get(stream, node) is None:
                one.streams[stream] = node
        start = data["startOffset"]
        return f"stream {stream} goes on at node {node}, before that at node {before[1]}, from offset {start} on"
