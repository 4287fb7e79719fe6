"""Steps of a quorum whose voters change: what a node's Raft client did, and the log that it has then, as values.

A log has here its control batches alone, as Kafka's Raft writes them: `kraft-voters` has no other records. These steps
are compared beside a running quorum and are in no trace.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

FORMATTED, ELECTED, FETCHED, COMMITTED = "formatted", "elected", "fetched", "committed"
LEFT, ASKED, CHANGED, LOST = "left", "asked", "changed", "lost"

TOLD: Mapping[str, tuple[str, ...]] = {
    FORMATTED: ("controllers", "voters", "dynamic", "knowing", "joining"),
    ELECTED: ("epoch", "granting"),
    FETCHED: ("epoch",),
    COMMITTED: ("end",),
    LEFT: (),
    ASKED: (),
    CHANGED: ("what", "controller", "own", "seen", "answer"),
    LOST: (),
}
"""The fields of each step.

- `formatted`: the ids of all controllers that there may be, of the first voters, of those that know kraft.version 1 and
  of those with auto-join; `dynamic` says that the quorum is formatted with kraft.version 1. It is the first step.
- `elected`: a node leads in an epoch, by the votes of others and its own; the log is that with which it was elected.
- `fetched`: the log of a follower of an epoch's leader changed. `committed`: the leader has committed so many control
  batches. `left`: a node leads no more. `asked`: a controller asked by itself to become a voter.
- `changed`: a request to "add", "remove" or "update" a controller, or to "upgrade" kraft.version, was answered, with
  Kafka's name of the error; `seen` says that the leader has seen the controller fetch from the end of its log.
- `lost`: the beginning of a node's log is deleted, or its disk was.
"""


class ControlBatch(NamedTuple):
    """A control batch of a log: its epoch, the ids of the voters that it names, empty where it names none."""

    epoch: int
    voters: tuple[int, ...]


class VoterStep(NamedTuple):
    """A step of a node, the control batches of its log then, and the time of the quorum in nanoseconds."""

    node: int
    name: str
    values: Mapping[str, Any]
    log: tuple[ControlBatch, ...] = ()
    time_ns: int = 0
