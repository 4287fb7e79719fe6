"""Steps of the event loop: the action of every node of the controller quorum, and its state after it, as values.

Offsets are Kafka's: of last records, −1 for none; ends are exclusive. These steps are checked beside a running cluster
and are in no trace.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

FORMATTED, ELECTED, COMMITTED = "formatted", "elected", "high watermark"
QUEUED, WRITES, EXPIRED = "queued", "writes", "expired"
COMMITS, LOADS, HEARS, SNAPSHOT, ENDS = "commits", "loads", "hears of leader", "snapshot", "ends"

TOLD: Mapping[str, tuple[str, ...]] = {
    FORMATTED: ("transactions",),
    ELECTED: ("epoch", "last_epoch", "end"),
    COMMITTED: ("epoch", "end"),
    QUEUED: ("request",),
    WRITES: ("request", "event", "error", "fault", "atomic", "renounced"),
    EXPIRED: ("request",),
    COMMITS: ("base", "last", "epoch"),
    LOADS: ("end",),
    HEARS: ("leader", "epoch"),
    SNAPSHOT: ("end",),
    ENDS: ("replaying", "dropped"),
}
"""The fields of each step:

- `formatted`: whether the metadata.version of the cluster has transactions. `elected`: a node leads in an epoch, with a
  log that ends there, its last record of that epoch. `high watermark`: the leader knows what is committed.
- `queued`: a request came. `writes`: an event of the queue had its turn; `request` is None of what the controller does
  by itself, `error` an error's name, "" of a node that is not active. `expired`: a request waited past its deadline.
- `commits`: a committed batch was dealt with. `loads`: a snapshot was. `hears of leader`: who leads was, None for
  none.
- `snapshot`: a snapshot was made of what is stable. `ends`: the process is gone; `replaying` is the request whose
  records could not be applied, `dropped` the last offsets and epochs of the commits that were never dealt with.
"""


class Appended(NamedTuple):
    """A batch that a node gave to Raft: the offset of its last record, and the kind of each record."""

    last: int
    kinds: tuple[str, ...]


DATA, VERSION, BEGIN, END, ABORT = "data", "version", "begin", "end", "abort"
"""Kinds of records: `VERSION` says the metadata.version, the last three are about transactions."""


class LoopState(NamedTuple):
    """The state of a node after a step.

    `snapshots` are the epochs of those in memory, `tasks` whether any periodic task is scheduled, `parked` the requests
    in the purgatory with the offsets that they wait for. `memory` has the data records between two offsets, both
    included, that have been applied and not reverted: offset and epoch.
    """

    claim: int
    next_write: int
    committed: int
    stable: int
    transaction: int
    snapshots: tuple[int, ...]
    tasks: bool
    parked: tuple[tuple[int, int], ...]
    memory_from: int
    memory_to: int
    memory: tuple[tuple[int, int], ...]


class LoopStep(NamedTuple):
    """One thing that a node did: `name` is one of `TOLD`, `told` what that says.

    `appended` are the batches that it gave to Raft meanwhile, `answers` the requests that it answered, each with "" or
    the name of an error. `state` is None of what Raft does, and of a process that is gone.
    """

    time_ns: int
    node: int
    name: str
    told: Mapping[str, Any]
    appended: tuple[Appended, ...] = ()
    answers: tuple[tuple[int, str], ...] = ()
    state: LoopState | None = None
