"""The interface between the Raft layer and the state machine above it, and the values that they exchange."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from fencepost.reference.kraft.records import Message

WALL_CLOCK_START_MS = 1_750_000_000_000
"""The wall clock, in milliseconds since 1970, when the virtual clock shows 0."""


def wall_clock_ms(now_ns: int) -> int:
    """Return the wall clock in milliseconds at a time of the virtual clock."""
    return WALL_CLOCK_START_MS + now_ns // 1_000_000


@dataclass(frozen=True, slots=True, eq=False)
class CommittedBatch:
    """A batch of the log: offsets, the leader's epoch, when it was made, its records, its size in bytes.

    A control batch, which Raft writes for itself, has its records, as (type, data), in `control`; `records` is empty.
    Nodes share the object, and never change it.
    """

    base_offset: int
    last_offset: int
    epoch: int
    timestamp_ms: int
    records: tuple[Message, ...]
    control: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    size: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class LoadedSnapshot:
    """The state up to an offset: `end_offset` is exclusive, `epoch` that of the last record that it covers.

    `timestamp_ms` is when it was made, `last_contained_timestamp_ms` that of the last batch that it covers.
    `kraft_version` is the level of kraft.version up to there, None where the one who writes it says it. `voters` are
    the ids of the voters there, empty where the log had none.
    """

    end_offset: int
    epoch: int
    records: tuple[Message, ...]
    timestamp_ms: int = 0
    last_contained_timestamp_ms: int = 0
    kraft_version: int | None = None
    voters: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Voter:
    """A voter: its id, the name of its process in the network, the id of its directory, where it listens.

    `max_kraft_version` is the highest level of kraft.version that its software knows.
    """

    id: int
    process: str
    directory_id: str = "AAAAAAAAAAAAAAAAAAAAAA"
    host: str = "localhost"
    port: int = 9093
    max_kraft_version: int = 1


class RaftListener(Protocol):
    """Notifications of a node to its state machine.

    The calls come one at a time, never from inside a call to the client.
    """

    def handle_commit(self, batches: Sequence[CommittedBatch]) -> None:
        """Take batches that are committed, each once and in the order of their offsets."""

    def handle_load_snapshot(self, snapshot: LoadedSnapshot) -> None:
        """Take a snapshot in place of everything below its end; what follows begins there."""

    def handle_leader_change(self, leader: int | None, epoch: int) -> None:
        """Handle the leader, or that none is known; `leader` is this node only after all below the epoch's start."""


class RaftClient(Protocol):
    """Calls of a state machine to its node (org.apache.kafka.raft.RaftClient)."""

    def prepare_append(self, epoch: int, records: Sequence[Message]) -> int:
        """Give records their offsets and return the last of them; they will be in one batch, perhaps with others.

        Raises NotLeaderError unless the node leads in `epoch`.
        """
        ...

    def schedule_prepared_append(self) -> None:
        """Let what was prepared be written, after the linger at the latest."""

    def resign(self, epoch: int) -> None:
        """Give up the leadership of an epoch, soon; without effect if it is over."""

    def deliver_again(self, offset: int) -> None:
        """Deliver what is committed from an offset on once more, soon, as to a listener that begins there.

        Kafka has no such call; only the repair of D1 makes it.
        """

    def log_end_offset(self) -> int:
        """Return the offset after the last one of the log, committed or not."""
        ...

    def create_snapshot(self, end_offset: int, epoch: int, messages: Sequence[Message]) -> None:
        """Keep a snapshot of what is committed below `end_offset`; `epoch` is that of the record before it.

        Raises ValueError for one that reaches above what is committed. One that is not above the latest is left out.
        """
