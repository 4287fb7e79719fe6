"""The recorded quorum of Kafka 4.3.1 under kill -9 of its leaders: what its logs and lines show of the loop."""

import os
import shutil
from pathlib import Path

import pytest

from fencepost.checkers.conformance.quorum import Tail, judge_quorum
from fencepost.checkers.conformance.quorum.results import RULES
from fencepost.checkers.verdicts import ExitCode, Verdict
from fencepost.model.kraft_loop.protocol import KRAFT_LOOP
from fencepost.model.kraft_voters import KRAFT_VOTERS
from fencepost.traces import find_logs

from .altered import LAST, RECORDED, THIRD, Copied

NOT_SHOWN = {
    *("epoch-checkpoint", "transaction-aborted", "snapshot"),
    *("voters-change", "voters-level", "elected-by-voters"),
}
"""Rules about what this recording does not have."""


def test_it_conforms(tmp_path: Path) -> None:
    """Ten logs and all lines agree; every rule was asked but those about what the recording does not have."""
    copied = Copied(tmp_path)
    found = copied.judged()
    assert (found.verdict, found.violations, found.doubts) == (Verdict.CONFORMS, [], [])
    assert {rule for rule, count in found.asked.items() if not count} == NOT_SHOWN
    assert (found.epochs, found.committed, len(found.ends), found.other_lines) == (10, 815, 10, 0)
    assert (found.lines["claim"], found.lines["renounced"]) == (10, 3)
    assert found.tails == [Tail(str(copied.path), 815, 815, (12,))]


def test_without_lines_less_is_known_to_be_committed(tmp_path: Path) -> None:
    """The logs alone show what lies in front of the last epoch in which a controller wrote, and no more."""
    found = Copied(tmp_path, lines=False).judged()
    assert (found.verdict, found.committed) == (Verdict.CONFORMS, 505)
    assert "the controller's record at 506 of epoch 12" in found.committed_by


def test_a_high_watermark_is_believed(tmp_path: Path) -> None:
    """What the caller says is committed counts as committed, of every log."""
    found = Copied(tmp_path, lines=False).judged(high_watermark=700)
    assert (found.committed, found.committed_by) == (700, "--high-watermark")


def test_a_rule_names_what_there_is() -> None:
    """Every rule is an instance of rows or properties that the tables of the loop or of the voters have."""
    ids = {one.id for tables in (KRAFT_LOOP, KRAFT_VOTERS) for one in (*tables.rows, *tables.properties)}
    assert {claim for rule in RULES.values() for claim in rule.claims} <= ids


def _empty(copied: Copied) -> str:
    (copied.log(LAST) / "00000000000000000000.log").write_bytes(b"")
    return "it holds no batch"


def _damaged(copied: Copied) -> str:
    file = copied.log(THIRD) / "00000000000000000000.log"
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 0xFF
    file.write_bytes(bytes(data))
    return "cannot be read (the checksum"


def _no_log(copied: Copied) -> str:
    (copied.log(LAST) / "00000000000000000000.log").write_bytes(b"no batch at all, and nothing that looks like one" * 9)
    return "no Kafka record batch is in here"


def _cut_lines(copied: Copied) -> str:
    file = copied.path / "controller.log.gz"
    file.write_bytes(file.read_bytes()[:999])
    return "cannot be read to its end"


def _bad_state(copied: Copied) -> str:
    (copied.log(LAST) / "quorum-state").write_text("{}")
    return "this is no quorum state of Raft"


@pytest.mark.parametrize("harm", [_empty, _damaged, _no_log, _cut_lines, _bad_state])
def test_what_cannot_be_read_is_inconclusive(tmp_path: Path, harm: object) -> None:
    """Where one log, or file beside it, cannot be read, nothing is violated and nothing conforms."""
    copied = Copied(tmp_path)
    told = harm(copied)  # type: ignore[operator]
    found = copied.judged()
    assert (found.verdict, found.exit_code, found.violations) == (Verdict.INCONCLUSIVE, ExitCode.INCONCLUSIVE, [])
    assert any(told in doubt for doubt in found.doubts)


def test_a_torn_end_is_what_a_kill_may_leave(tmp_path: Path) -> None:
    """The last batch of a log, cut by a kill, is reported and makes no doubt."""
    copied = Copied(tmp_path)
    file = copied.log(LAST) / "00000000000000000000.log"
    file.write_bytes(file.read_bytes()[:-5])
    found = copied.judged()
    assert (found.verdict, found.ends[str(copied.log(LAST))]) == (Verdict.CONFORMS, 814)
    assert any("was not written whole" in note for note in found.notes)


def test_one_log_alone_has_no_verdict(tmp_path: Path) -> None:
    """Of one log nothing is said of a quorum, nor of two of which one is empty."""
    copied = Copied(tmp_path)
    found = judge_quorum(find_logs([copied.log(LAST)]))
    assert (found.verdict, found.asked["committed-prefix"]) == (Verdict.INCONCLUSIVE, 0)
    found = judge_quorum(find_logs([copied.log(LAST)]), missing=[str(tmp_path)])
    assert found.verdict is Verdict.INCONCLUSIVE
    assert f"{tmp_path}: no log is in it" in found.doubts


def test_nothing_known_to_be_committed_is_inconclusive(tmp_path: Path) -> None:
    """Two logs of one epoch that are the same show nothing of what is committed."""
    copied = Copied(tmp_path, lines=False)
    for name in (LAST, THIRD):
        copied.batches(name, lambda batches: [one for one in batches if one.epoch == 1])
    found = judge_quorum(find_logs([copied.log(LAST), copied.log(THIRD)]))
    assert (found.verdict, found.committed, found.violations) == (Verdict.INCONCLUSIVE, 0, [])
    assert any("nothing shows what is committed" in doubt for doubt in found.doubts)


BESIDE = Path(os.environ.get("FENCEPOST_RECORDED") or RECORDED.parents[2] / "shared" / "recorded") / "kraft"
"""Further recordings, each with one log and the lines of all its controllers, where they are."""


@pytest.mark.representative(
    "first-boot", "elr-index-fault-4.4.0", "kraft-version-3.9-then-4.1", "elr-directory-fault-4.4.0",
    "rolling-restart", "delete-recreate", "metadata-upgrade", "reassignment", "scram-bootstrap-4.4.0",
    "suspects-4.4.0", "min-isr-while-isr-empty-4.4.0", "static-settings-elr-4.4.0",
)  # fmt: skip
@pytest.mark.slow
@pytest.mark.parametrize(
    "recording", [one.parent for one in sorted(BESIDE.glob("*/controller.log.gz"))], ids=lambda one: str(one.name)
)
def test_the_lines_of_every_recording_agree_with_its_log(tmp_path: Path, recording: Path) -> None:
    """Controllers of 3.9 to 4.4: no line contradicts the log, of which there are two copies."""
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        for file in (*recording.glob("*.log"), *recording.glob("controller.log.gz")):
            if name == "one" or file.suffix == ".log":
                shutil.copy(file, tmp_path / name)
    found = judge_quorum(find_logs([tmp_path]))
    assert (found.violations, found.verdict) == ([], Verdict.CONFORMS)
    assert all(found.asked[rule] for rule in ("claim", "commit", "append", "answer"))
    assert found.other_lines > 0
