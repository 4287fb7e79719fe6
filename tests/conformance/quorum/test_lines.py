"""Lines of the controllers' own logs, altered one at a time: each is found at its line, under its rule."""

from pathlib import Path

import pytest

from fencepost.checkers.verdicts import Verdict

from .altered import Copied

CASES = {
    "a claim of another epoch": (
        "Becoming the active controller at epoch 9,", "Becoming the active controller at epoch 8,",
        {"claim", "renounce"},
    ),
    "a claim that writes next elsewhere": ("next write offset 437.", "next write offset 438.", {"claim"}),
    "a claim that writes next in front of its epoch": ("next write offset 437.", "next write offset 436.", {"claim"}),
    "a claim by another node": (
        "[QuorumController id=3000] Becoming the active controller at epoch 9,",
        "[QuorumController id=3001] Becoming the active controller at epoch 9,",
        {"claim", "append", "commit"},
    ),
    "an epoch with another leader": (
        "id=3002] In the new epoch 9, the leader is 3000.", "id=3002] In the new epoch 9, the leader is 3001.",
        {"one-leader"},
    ),
    "a high watermark in front of its epoch": (
        "High watermark set to LogOffsetMetadata(offset=437,", "High watermark set to LogOffsetMetadata(offset=436,",
        {"commit", "committed-record"},
    ),
    "a high watermark of another node": (
        "[RaftManager id=3000] High watermark set to LogOffsetMetadata(offset=437,",
        "[RaftManager id=3001] High watermark set to LogOffsetMetadata(offset=437,",
        {"one-leader"},
    ),
    "a renunciation that keeps too little": (
        "reverting to the last committed offset 480", "reverting to the last committed offset 479", {"renounce"},
    ),
    "a renunciation that keeps what is not committed": (
        "reverting to the last committed offset 814", "reverting to the last committed offset 815", {"renounce"},
    ),
    "a renunciation of another epoch": (
        "at epoch 11 in 40161 microseconds", "at epoch 10 in 40161 microseconds", {"renounce"},
    ),
    "a commit of another epoch": (
        "id=3001] Completing purgatory items up to offset 134 and epoch 5.",
        "id=3001] Completing purgatory items up to offset 134 and epoch 4.",
        {"committed-record"},
    ),
    "a commit inside a batch": (
        "id=3000] Replaying commits from the active node up to offset 720 and epoch 12.",
        "id=3000] Replaying commits from the active node up to offset 719 and epoch 12.",
        {"commit"},
    ),
    "an append by a node that has not claimed": (
        "id=3001] Appended 9 record(s) in 1 batch(es), ending with offset 9.",
        "id=3002] Appended 9 record(s) in 1 batch(es), ending with offset 9.",
        {"append"},
    ),
    "an append in front of its epoch": (
        "id=3002] Appended 25 record(s) in 1 batch(es), ending with offset 251.",
        "id=3002] Appended 25 record(s) in 1 batch(es), ending with offset 201.",
        {"append"},
    ),
    "an End where there is none": (
        "id=3000] Replayed EndTransactionRecord() at offset 9.",
        "id=3000] Replayed EndTransactionRecord() at offset 8.",
        {"transaction-line"},
    ),
}  # fmt: skip
"""What a line says, what it says instead, and the rules under which that is found."""


@pytest.mark.representative(*list(CASES)[::3])
@pytest.mark.parametrize("name", CASES)
def test_an_altered_line_is_found(tmp_path: Path, name: str) -> None:
    """The first violation is of that line, and all of them are under the rules that forbid it."""
    old, new, rules = CASES[name]
    copied = Copied(tmp_path)
    number = copied.line(old, new, copied.times(old))
    found = copied.judged()
    assert found.verdict is Verdict.VIOLATES
    assert {one.rule for one in found.violations} == rules
    assert number in {one.line for one in found.violations}
    assert {one.log for one in found.violations} == {str(copied.path / "controller.log.gz")}


def test_an_answer_before_its_commit(tmp_path: Path) -> None:
    """The topics are deleted by what ends at 48: an answer that waits for 49 leaves too early, QL2 and QL14."""
    copied = Copied(tmp_path)
    waits = "deleteTopics(608061154) will be completed when the log reaches offset"
    copied.line(f"{waits} 48.", f"{waits} 49.")
    answers = copied.line("Processed deleteTopics(608061154) in", "Processed deleteTopics(608061154) in")
    (found,) = copied.judged().violations
    assert (found.rule, found.line, found.offset, found.claims) == ("answer", answers, 49, ("QL2", "QL14"))


def test_an_atomic_result_is_one_batch(tmp_path: Path) -> None:
    """A line says that more records are atomic than the batch has that ends there: QL8."""
    copied = Copied(tmp_path)
    old = copied.first("Atomically appended 1 record(s) ending with offset ")
    new = old.replace("appended 1 record", "appended 9 record")
    number = copied.line(old, new)
    (found,) = copied.judged().violations
    assert (found.rule, found.line) == ("append", number)


def test_lines_of_other_forms_are_counted(tmp_path: Path) -> None:
    """A line that is not understood says nothing: it is counted, and the verdict is as before."""
    copied = Copied(tmp_path)
    old = copied.first("In the new epoch 9, the leader is 3000.")
    copied.line(old, old.replace("In the new epoch", "In some new epoch"))
    found = copied.judged()
    assert (found.verdict, found.other_lines, found.lines["led"]) == (Verdict.CONFORMS, 1, 47)


def test_lines_of_another_cluster_are_left_out(tmp_path: Path) -> None:
    """Where meta.properties name another cluster than the controller that began to log, its lines say nothing here."""
    copied = Copied(tmp_path)
    properties = copied.path / "meta.properties"
    properties.write_text("cluster.id=16VtPPz5pE3HFmkazauhuA\nnode.id=3002\n")
    assert copied.judged().lines["claim"] == 10
    properties.write_text("cluster.id=another\nnode.id=3002\n")
    found = copied.judged()
    assert (found.verdict, found.lines, found.committed) == (Verdict.CONFORMS, {}, 505)
    assert any("is of another cluster (16VtPPz5pE3HFmkazauhuA)" in note for note in found.notes)


def test_without_a_claim_that_is_understood_nobody_is_taken_for_a_standby(tmp_path: Path) -> None:
    """Where a release had another text for claims, its appends and answers are no violations."""
    copied = Copied(tmp_path)
    old = "Becoming the active controller at epoch"
    copied.line(old, "Being the active controller at epoch", copied.times(old))
    found = copied.judged()
    assert (found.verdict, found.other_lines, found.asked["claim"]) == (Verdict.CONFORMS, 10, 0)
