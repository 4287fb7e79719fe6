"""Recorded quorums of Kafka 4.4.0 whose voters changed or whose log was trimmed: majorities, epochs, snapshots."""

import shutil
from pathlib import Path

import pytest

from fencepost.checkers.conformance.quorum import QuorumResult, Tail, judge_quorum
from fencepost.checkers.verdicts import Verdict
from fencepost.traces import find_logs

from .altered import RECORDED

JOINED, TRIMMED = RECORDED / "quorum" / "voters-join-4.4.0", RECORDED / "quorum" / "trimmed-4.4.0"


def judged(place: Path) -> QuorumResult:
    """Check the logs of the nodes below a folder together."""
    return judge_quorum(find_logs(sorted(path for path in place.iterdir() if path.is_dir())))


def test_a_majority_is_of_the_newest_voters() -> None:
    """One of the three voters that joined has 111 to 115: an uncommitted tail, though LeaderChange names it alone."""
    found = judged(JOINED)
    assert (found.verdict, found.violations, found.doubts) == (Verdict.CONFORMS, [], [])
    assert (found.committed, found.committed_by.partition(",")[0]) == (205, "2 of 3 voters")
    assert Tail(str(JOINED / "3000"), 111, 115, (1,), 2, str(JOINED / "3001")) in found.tails


def test_a_trimmed_log_conforms() -> None:
    """The oldest entry of leader-epoch-checkpoint lies at the end of the oldest snapshot; 3000 is no voter any more."""
    found = judged(TRIMMED)
    assert (found.verdict, found.violations) == (Verdict.CONFORMS, [])
    assert (found.committed, found.asked["epoch-checkpoint"]) == (425, 3)


@pytest.mark.parametrize(
    ("node", "text", "said"),
    [
        ("3000", "2 372", "begins it at 372"),
        ("3000", "3 441", "does not name it"),
        ("3002", "1 298\n2 358", "begins it at 358"),
        ("3002", "1 299\n2 357", "begins it at 299"),
        ("3002", "2 357", "does not name it"),
        ("3002", "1 298", "does not name it"),
    ],
)
def test_a_checkpoint_that_no_trimming_makes_is_found(tmp_path: Path, node: str, text: str, said: str) -> None:
    """An entry behind the oldest snapshot's end, one that moved though it is not the oldest, and one left out."""
    place = tmp_path / "quorum"
    shutil.copytree(TRIMMED, place)
    entries = text.splitlines()
    (place / node / "leader-epoch-checkpoint").write_text("\n".join(["0", str(len(entries)), *entries, ""]))
    found = judged(place)
    assert [(one.rule, said in one.message) for one in found.violations] == [("epoch-checkpoint", True)]


def test_a_trimmed_log_without_its_snapshots_is_not_accused(tmp_path: Path) -> None:
    """A copy of the segments alone does not say how far the log is trimmed."""
    place = tmp_path / "quorum"
    shutil.copytree(TRIMMED, place)
    for snapshot in place.rglob("*.checkpoint"):
        snapshot.unlink()
    assert judged(place).violations == []


def test_static_voters_are_in_quorum_state(tmp_path: Path) -> None:
    """A log without LeaderChange, KRaftVoters or snapshot is counted with the voters of a quorum-state of format 0."""
    place = tmp_path / "quorum"
    shutil.copytree(TRIMMED, place)
    for snapshot in place.rglob("*.checkpoint"):
        snapshot.unlink()
    (place / "3002" / "leader-epoch-checkpoint").unlink()
    for node in ("3000", "3002"):
        for segment in sorted((place / node).glob("*.log"))[:-1]:
            segment.unlink()
        voters = '[{"voterId":3000},{"voterId":3001},{"voterId":3002}]'
        (place / node / "quorum-state").write_text(
            '{"clusterId":"","leaderId":3002,"leaderEpoch":2,"votedId":-1,"appliedOffset":0,'
            f'"currentVoters":{voters},"data_version":0}}'
        )
    found = judged(place)
    assert (found.committed, found.committed_by.partition(",")[0]) == (441, "2 of 3 voters")
