"""The rules of the ledger notice what is wrong: each known mistake of a Raft breaks one of them within a few seeds."""

from typing import Any

import pytest

from fencepost.reference.kraft.raft import RaftNode, ReplicatedLog
from fencepost.reference.kraft.raft.messages import NONE, Vote
from fencepost.reference.kraft.raft.roles import Following

from .quorum import Machine, Quorum
from .test_invariants import drawn, play


def votes_for_a_shorter_log(patch: pytest.MonkeyPatch) -> None:
    """The first candidate gets the vote, whatever its log."""

    def grants(node: RaftNode, vote: Vote) -> bool:
        if vote.pre_vote:
            return node.role.would_vote(True)
        return node.leader == NONE and node.disk.voted_for in (NONE, vote.candidate)

    patch.setattr(RaftNode, "_grants", grants)


def votes_twice(patch: pytest.MonkeyPatch) -> None:
    """Everybody who asks gets a vote in the same epoch."""

    def grants(node: RaftNode, vote: Vote) -> bool:
        return node.role.would_vote(True) if vote.pre_vote else node.leader == NONE

    patch.setattr(RaftNode, "_grants", grants)


def forgets_its_epoch(patch: pytest.MonkeyPatch) -> None:
    """A crash takes quorum-state away, the log stays."""

    def crashed(machine: Machine) -> None:
        disk = machine.disk
        disk.voted_for, disk.leader, disk.epoch = NONE, NONE, disk.log.last_epoch

    patch.setattr(Machine, "crashed", crashed)


def takes_less_than_a_majority(patch: pytest.MonkeyPatch) -> None:
    """Half of the voters are enough."""
    patch.setattr(RaftNode, "majority", property(lambda node: max(1, len(node.voters) // 2)))


def truncates_nothing(patch: pytest.MonkeyPatch) -> None:
    """A follower keeps what the leader does not have."""
    patch.setattr(Following, "_truncate", lambda self, parts: None)


def compares_no_epochs(patch: pytest.MonkeyPatch) -> None:
    """A leader takes any log that is not longer than its own for a part of it."""
    patch.setattr(ReplicatedLog, "covers", lambda self, offset, epoch: offset <= self.end_offset)


MISTAKES = [
    votes_for_a_shorter_log,
    votes_twice,
    forgets_its_epoch,
    takes_less_than_a_majority,
    truncates_nothing,
    compares_no_epochs,
]


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.__name__)
def test_a_mistake_is_noticed(mistake: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Within twenty seeds a run with the mistake fails."""
    mistake(monkeypatch)
    failures = []
    for seed in range(20):
        try:
            play(Quorum(seed, 3 + seed % 3, observers=1, metadata_max_retention_bytes=3000), drawn(seed, 80))
        except (AssertionError, RuntimeError, ValueError) as failure:
            failures.append(failure)
            break
    assert failures
