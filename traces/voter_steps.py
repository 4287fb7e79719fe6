"""Steps of a quorum whose voters change: what a node's Raft client did, and the log that it has then, as values.

Logs are told by their control batches alone, as Kafka's Raft writes them: `kraft-voters` has no other records. These
steps are judged beside a running quorum and are in no trace.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

ELECTED, FETCHED, COMMITTED, LEFT, ASKED, CHANGED = "elected", "fetched", "committed", "left", "asked", "changed"

TOLD: Mapping[str, tuple[str, ...]] = {
    ELECTED: ("epoch", "granting"),
    FETCHED: ("epoch",),
    COMMITTED: ("end",),
    LEFT: (),
    ASKED: (),
    CHANGED: ("what", "controller", "own", "seen", "answer"),
}
"""What each step says.

- `elected`: a node leads in an epoch, by the votes of others and its own; the log is that with which it was elected.
- `fetched`: the log of a follower of an epoch's leader changed. `committed`: the leader has committed so many control
  batches. `left`: a node leads no more. `asked`: a controller asked by itself to become a voter.
- `changed`: a request to "add", "remove" or "update" a controller was answered, with Kafka's name of the error;
  `seen` says that the leader has seen the controller fetch from the end of its log.
"""


class ControlBatch(NamedTuple):
    """A control batch of a log: its epoch, the ids of the voters that it names, empty where it names none."""

    epoch: int
    voters: tuple[int, ...]


class VoterStep(NamedTuple):
    """A step of a node, and the control batches of its log then."""

    node: int
    name: str
    values: Mapping[str, Any]
    log: tuple[ControlBatch, ...]
