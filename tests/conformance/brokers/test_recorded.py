"""The recorded cluster of Kafka 4.4.0 under kill -9: what its brokers have, and what is said of what is missing."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.conformance.brokers import judge_recording
from fencepost.checkers.conformance.brokers.history import cluster_history
from fencepost.checkers.verdicts import ExitCode, Verdict
from fencepost.traces import TraceError, read_log
from fencepost.traces.brokers import recording_of

from .altered import HIGH_WATERMARKS, RECORDED, Copied


def test_it_conforms() -> None:
    """Every rule was put to the test, and no acknowledged record is missing but after the unclean election."""
    found = judge_recording(str(RECORDED))
    assert (found.verdict, found.violations, found.doubts) == (Verdict.CONFORMS, [], [])
    assert (found.brokers, found.partitions, found.acknowledged) == ((1, 2, 3), 4, 1418)
    assert all(found.asked.values())
    assert found.found + found.unclean == found.asked["acknowledged"] == 2462
    assert found.unclean == 84


def test_the_unclean_election_is_needed() -> None:
    """Without the mark of the one unclean election the lost records of topic alone violate, and nothing else does."""
    from fencepost.checkers.conformance.brokers.judge import judge
    from fencepost.traces.brokers import read_recording

    history = cluster_history(read_log(RECORDED))
    (marked,) = [one for one in history.current().values() if one.unclean]
    assert (marked.name, [one.epoch for one in marked.unclean]) == ("alone-0", [4])
    marked.unclean.clear()
    found = judge(read_recording(str(RECORDED)), history)
    assert {(one.rule, one.partition) for one in found.violations} == {
        ("acknowledged", "alone-0"),
        ("one-record", "alone-0"),
    }


def test_the_scenario_is_in_the_log() -> None:
    """A clean leader was taken from the eligible leader replicas, and every broker led, was fenced, and came back."""
    steps = [one["step"] for one in json.loads((RECORDED / "meta.json").read_text())["timeline"]]
    assert [step for step in steps if step.startswith("kill")] == [
        "kill -9 1", "kill -9 3", "kill -9 1", "kill -9 3", "kill -9 1", "kill -9 2",
    ]  # fmt: skip
    assert sum(step.startswith("cut 3") for step in steps) == 5
    history = cluster_history(read_log(RECORDED))
    assert all(set(one.leaders.values()) == {1, 2, 3} or one.name == "ledger-0" for one in history.current().values())
    changes = [
        record.data
        for batch in read_log(RECORDED).batches
        for record in batch.metadata_records
        if record.type == "PARTITION_CHANGE_RECORD"
    ]
    assert any(one.get("leader") == 2 and one.get("isr") == [2] and one["eligibleLeaderReplicas"] for one in changes)


def _without_ledger(copied: Copied) -> str:
    (copied.path / "ledger.ndjson.gz").unlink()
    return "there is no ledger"


def _with_an_empty_ledger(copied: Copied) -> str:
    copied.ledger(lambda lines: [])
    return "the ledger has no acknowledged record"


def _without_a_folder(copied: Copied) -> str:
    shutil.rmtree(copied.folder(1, "ledger-1"))
    return "no folder ledger-1 of broker 1 is in"


def _without_a_broker(copied: Copied) -> str:
    shutil.rmtree(copied.path / "brokers" / "2")
    return "of broker 2 is in"


def _without_epochs(copied: Copied) -> str:
    (copied.folder(1, "ledger-1") / "leader-epoch-checkpoint").unlink()
    return "has no leader-epoch-checkpoint"


def _without_metadata(copied: Copied) -> str:
    (copied.folder(3, "ledger-1") / "partition.metadata").unlink()
    return "has no partition.metadata"


def _damaged(copied: Copied) -> str:
    file = copied.folder(3, "ledger-1") / "00000000000000000000.log.gz"
    import gzip

    data = bytearray(gzip.decompress(file.read_bytes()))
    data[len(data) // 2] ^= 0xFF
    file.write_bytes(gzip.compress(bytes(data)))
    return "cannot be read (the checksum"


@pytest.mark.parametrize(
    "take_away",
    [
        _without_ledger,
        _with_an_empty_ledger,
        _without_a_folder,
        _without_a_broker,
        _without_epochs,
        _without_metadata,
        _damaged,
    ],
)
def test_what_is_missing_is_inconclusive(tmp_path: Path, take_away: Any) -> None:
    """Where something is not there, nothing is violated and nothing conforms: a sentence says what is unknown."""
    copied = Copied(tmp_path)
    told = take_away(copied)
    found = copied.judged()
    assert (found.verdict, found.exit_code) == (Verdict.INCONCLUSIVE, ExitCode.INCONCLUSIVE)
    assert found.violations == []
    assert any(told in doubt for doubt in found.doubts)


def test_a_lost_tail_is_said_and_then_no_violation(tmp_path: Path) -> None:
    """A broker that lost its tail after the end violates; named in lost_tails, its records are counted as lost."""
    copied = Copied(tmp_path)
    copied.batches(2, "ledger-0", lambda batches: [one for one in batches if one.last_offset < 300])
    found = copied.judged()
    assert {one.rule for one in found.violations} == {"acknowledged", "high-watermark"}
    meta = json.loads((copied.path / "meta.json").read_text())
    (copied.path / "meta.json").write_text(json.dumps({**meta, "lost_tails": [2]}))
    found = copied.judged()
    assert (found.verdict, found.violations) == (Verdict.CONFORMS, [])
    assert found.lost > 0
    assert any("broker 2 has lost what it had of ledger-0 from" in note for note in found.notes)
    copied.offset(2, "recovery-point-offset-checkpoint", ("ledger", 0), 340)
    assert {one.rule for one in copied.judged().violations} == {"recovery-point"}


def test_a_torn_end_after_a_kill_is_no_damage(tmp_path: Path) -> None:
    """A last batch that was not written whole is what kill -9 may leave: a note of a killed broker."""
    import gzip

    copied = Copied(tmp_path)
    copied.offset(2, HIGH_WATERMARKS, ("ledger", 0), 300)
    file = max(copied.folder(2, "ledger-0").glob("*.log.gz"))
    file.write_bytes(gzip.compress(gzip.decompress(file.read_bytes()) + bytes(16) + b"\2" + bytes(13)))
    found = copied.judged()
    assert found.verdict is Verdict.CONFORMS
    assert any("was not written whole" in note for note in found.notes)


def test_the_folder_of_a_deleted_topic_is_left_out(tmp_path: Path) -> None:
    """A folder of a topic that the metadata log deleted is not checked, and that is said."""
    from fencepost.checkers.conformance.brokers.judge import judge
    from fencepost.traces.brokers import read_recording

    history = cluster_history(read_log(RECORDED))
    history.deleted.add(next(one.topic_id for one in history.partitions.values() if one.topic == "alone"))
    found = judge(read_recording(str(RECORDED)), history)
    assert found.violations == []
    assert found.partitions == 3
    assert sum("is of a topic that was deleted" in note for note in found.notes) == 3


def test_a_recording_is_known_by_its_folder(tmp_path: Path) -> None:
    """A metadata log has brokers' directories beside it where a folder `brokers` with folders is there."""
    assert recording_of(str(RECORDED)) == str(RECORDED)
    assert recording_of(str(RECORDED.parent / "kill-nine-elr")) is None
    copied = Copied(tmp_path)
    inner = copied.path / "__cluster_metadata-0"
    inner.mkdir()
    for file in copied.path.glob("0*"):
        file.rename(inner / file.name)
    assert recording_of(str(inner)) == str(copied.path)
    assert copied.judged().verdict is Verdict.CONFORMS


def test_damaged_files_are_one_sentence(tmp_path: Path) -> None:
    """A checkpoint, a ledger, meta.properties or meta.json that cannot be read is refused in one line with its path."""
    for name, text, told in (
        ("brokers/1/replication-offset-checkpoint", "0\n9\n", "the second line says 9 entries, and 0 follow"),
        ("brokers/1/meta.properties", "version=1\n", "it has no line node.id=NUMBER"),
        ("ledger.ndjson", '{"id": 1}\n', "line 1 is none of a ledger"),
        ("meta.json", '{"lost_tails": "2"}', "lost_tails should be a list"),
    ):
        copied = Copied(tmp_path / name.replace("/", "-"))
        (copied.path / name).write_text(text)
        if name == "ledger.ndjson":
            (copied.path / "ledger.ndjson.gz").unlink()
        with pytest.raises(TraceError, match=told) as refused:
            copied.judged()
        assert name in str(refused.value)
        assert "\n" not in str(refused.value)
