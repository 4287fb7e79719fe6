"""The lines of a controller's own log that say what its loop does, in the words of the recordings."""

import gzip
from pathlib import Path

import pytest

from fencepost.traces import TraceError
from fencepost.traces.loop_lines import (
    FORMS,
    Appended,
    Claim,
    Committed,
    FirstHighWatermark,
    Led,
    LoopLine,
    Parked,
    Renounced,
    Started,
    Transaction,
    parse_line,
    read_loop_lines,
)
from tests.cases import each

RECORDED = Path(__file__).resolve().parents[2] / "traces" / "recorded" / "controller-failover" / "controller.log.gz"


@each(
    ("text", "said"),
    [
        ("Becoming the active controller at epoch 2, next write offset 41.", Claim(7, 3000, 2, 41)),
        (
            "writeNoOpRecord: event failed with NotLeaderException (treated as NotControllerException) at epoch 9 in "
            "209 microseconds. Renouncing leadership and reverting to the last committed offset 480. Exception",
            Renounced(7, 3000, 9, 480),
        ),
        ("In the new epoch 4, the leader is (none).", Led(7, 3000, 4, None)),
        ("In the new epoch 5, the leader is 3001.", Led(7, 3000, 5, 3001)),
        ("Completing purgatory items up to offset 9 and epoch 1.", Committed(7, 3000, 9, 1, True, False)),
        ("Replaying commits from the active node up to offset 9 and epoch 1.", Committed(7, 3000, 9, 1, False, False)),
        (
            "Skipping handling commit for batch with no data records with offset 40 and epoch 2.",
            Committed(7, 3000, 40, 2, False, True),
        ),
        ("Appended 9 record(s) in 1 batch(es), ending with offset 9.", Appended(7, 3000, 9, 9, False)),
        ("Atomically appended 5 record(s) ending with offset 28.", Appended(7, 3000, 5, 28, True)),
        ("Replayed BeginTransactionRecord(name='Bootstrap records') at offset 1.", Transaction(7, 3000, "Begin", 1)),
        (
            "Read-only operation maybeFenceStaleBroker(240130120) will be completed when the log reaches offset 517",
            Parked(7, 3000, "maybeFenceStaleBroker(240130120)", 517, False),
        ),
        ("Creating new QuorumController with clusterId 16VtPPz-5_A", Started(7, 3000, "16VtPPz-5_A")),
        ("Creating new QuorumController with clusterId 16. ZK migration mode is enabled.", Started(7, 3000, "16")),
    ],
)
def test_each_form(text: str, said: LoopLine) -> None:
    """The text in front of the node's name, as another layout of log4j, is not read."""
    for prefix in ("1795244854753 3000 INFO QuorumController ", "[2026-11-21 07:00:54,753] INFO ", ""):
        found = parse_line(f"{prefix}[QuorumController id=3000] {text}", 7)
        assert found is not None
        assert found[1] == said


def test_the_line_of_raft() -> None:
    """The first high watermark of an epoch is printed by Raft's client."""
    text = (
        "[RaftManager id=3000] High watermark set to LogOffsetMetadata(offset=41, metadata=Optional[(segmentBaseOffset="
        "0,relativePositionInSegment=4460)]) for the first time for epoch 2 based on indexOfHw 1"
    )
    found = parse_line(text, 7)
    assert found == ("first-high-watermark", FirstHighWatermark(7, 3000, 2, 41))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[QuorumController id=3000] Processed handleCommit[baseOffset=1] in 300 us",
        "[QuorumController id=3000] Becoming the active controller at epoch 2.",
        "Becoming the active controller at epoch 2, next write offset 41.",
    ],
)
def test_other_lines_say_nothing(text: str) -> None:
    """A line of another form is none of these."""
    assert parse_line(text, 1) is None


def test_the_recording_has_every_form() -> None:
    """Every form that is read was written by a real controller; the lines are numbered from 1."""
    found = read_loop_lines(str(RECORDED))
    assert set(found.forms) == set(FORMS)
    assert (len(found.lines), found.others, found.lines[0].line) == (sum(found.forms.values()), 0, 1)


def test_a_file_that_is_cut_raises(tmp_path: Path) -> None:
    """A gzipped file without its end is no whole log."""
    file = tmp_path / "controller.log.gz"
    file.write_bytes(gzip.compress(b"a line\n" * 1_000)[:-9])
    with pytest.raises(TraceError, match="cannot be read to its end"):
        read_loop_lines(str(file))
