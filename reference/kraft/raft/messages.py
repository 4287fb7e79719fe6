"""Messages between Raft nodes: Kafka's requests and answers of the quorum, without what an abstract Raft can spare.

`epoch` is the sender's. `leader` is the id of the leader that the sender knows of in that epoch, −1 for none. Answers
to fetches bear the `sequence` of their request, so that an old one is not taken for the one that is waited for.
"""

from __future__ import annotations

from typing import NamedTuple

from .client import CommittedBatch, LoadedSnapshot
from .log import OffsetAndEpoch

NONE = -1
"""No node."""


class Vote(NamedTuple):
    """A candidate asks for a vote in `epoch`; or, with `pre_vote`, whether it would get one in the epoch after it."""

    epoch: int
    candidate: int
    last_epoch: int
    end_offset: int
    pre_vote: bool


class VoteAnswer(NamedTuple):
    """A voter's answer to a vote request."""

    epoch: int
    leader: int
    voter: int
    granted: bool
    pre_vote: bool


class BeginQuorumEpoch(NamedTuple):
    """A leader makes itself known to a voter that does not fetch from it."""

    epoch: int
    leader: int


class EndQuorumEpoch(NamedTuple):
    """A leader has resigned; voters stand for election in the order of `successors`."""

    epoch: int
    leader: int
    successors: tuple[int, ...]


class Fetch(NamedTuple):
    """A replica whose log ends at `offset`, after a record of `last_epoch`, asks for more."""

    epoch: int
    replica: int
    sequence: int
    offset: int
    last_epoch: int
    high_watermark: int


class FetchAnswer(NamedTuple):
    """A leader's answer: batches; or where the logs diverge; or the snapshot to fetch first.

    Other nodes only name the leader.
    """

    epoch: int
    leader: int
    sequence: int
    high_watermark: int = -1
    batches: tuple[CommittedBatch, ...] = ()
    diverging: OffsetAndEpoch | None = None
    snapshot: OffsetAndEpoch | None = None


class FetchSnapshot(NamedTuple):
    """A replica asks for a snapshot."""

    epoch: int
    replica: int
    sequence: int
    snapshot: OffsetAndEpoch


class FetchSnapshotAnswer(NamedTuple):
    """The snapshot, None if there is none such, or from a node that does not lead."""

    epoch: int
    leader: int
    sequence: int
    snapshot: LoadedSnapshot | None


class VoterRequest(NamedTuple):
    """A controller sends by itself that it wants to vote ("add"), or what it knows ("update"); none is answered."""

    epoch: int
    what: str
    controller: int


RaftMessage = (
    Vote
    | VoteAnswer
    | BeginQuorumEpoch
    | EndQuorumEpoch
    | Fetch
    | FetchAnswer
    | FetchSnapshot
    | FetchSnapshotAnswer
    | VoterRequest
)
"""Everything that goes between Raft nodes."""

MESSAGES = (
    Vote, VoteAnswer, BeginQuorumEpoch, EndQuorumEpoch, Fetch, FetchAnswer, FetchSnapshot, FetchSnapshotAnswer,
    VoterRequest,
)  # fmt: skip
"""Their types, by which a process dispatches received messages."""
