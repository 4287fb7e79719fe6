"""What a log must be before any row is asked: contiguous, in order, of epochs that never fall, and readable."""

from dataclasses import replace
from pathlib import Path

import pytest

from fencepost.checkers.conformance import LogResult, Monitor, Options
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft.protocol import KRAFT
from fencepost.traces import MetadataLog, TraceError, build_snapshot, find_log, read_log

from . import RECORDED, alter, toy
from .toy import NOTHING, changes, fences, three_brokers, unfences

MONITOR = Monitor(KRAFT)
TOY = Monitor(toy.TOY)


@pytest.fixture(scope="module")
def rolling() -> MetadataLog:
    """A recorded log that conforms as it is."""
    return read_log(RECORDED / "rolling-restart")


def judged(directory: Path) -> LogResult:
    """Check the one log of a directory."""
    return MONITOR.judge(read_log(find_log(directory)))


def test_the_log_conforms_when_nothing_is_altered(rolling: MetadataLog, tmp_path: Path) -> None:
    """Written again without a change, the log conforms: what the other tests find is due to what they alter."""
    assert judged(alter.written(rolling, tmp_path)).verdict is Verdict.CONFORMS


def test_a_dropped_batch_is_a_gap(rolling: MetadataLog, tmp_path: Path) -> None:
    """Without the batch 25 to 31 the gap at 32 is all that is reported: what it may have held is unknown from there."""
    result = judged(alter.without_batch(rolling, 25, tmp_path))
    assert result.verdict is Verdict.VIOLATES
    gap = result.violations[0]
    assert (gap.rule, gap.offset) == ("gap", 32)
    assert "offsets 25 to 31" in gap.message
    assert {v.rule for v in result.violations} == {"gap"}
    assert result.in_doubt > 200


def test_a_repeated_batch_is_out_of_order_and_read_once(rolling: MetadataLog, tmp_path: Path) -> None:
    """A batch that comes twice is one violation of order; its second copy changes nothing."""
    result = judged(alter.with_batch_twice(rolling, 125, tmp_path))
    assert [(v.rule, v.offset) for v in result.violations] == [("order", 125)]


def test_a_changed_field_is_unexplained_where_it_stands(rolling: MetadataLog, tmp_path: Path) -> None:
    """One replica in one ISR changed, the checksum right: the record is found, with its partition and both values."""
    result = judged(alter.with_record(rolling, 136, lambda data: {**data, "isr": [4]}, tmp_path))
    first = result.violations[0]
    assert (first.rule, first.offset) == ("unexplained", 136)
    assert first.entity == "partition FFraXgTnQ-6aTIZQYOUejw-2"
    assert "isr" in first.message


def test_a_record_missing_from_a_group_is_found(rolling: MetadataLog, tmp_path: Path) -> None:
    """Of nine records of a controlled shutdown one is left out: the row that would also write it is named."""
    result = judged(alter.without_record(rolling, 140, tmp_path))
    first = result.violations[0]
    assert first.rule == "unexplained"
    assert 135 <= first.offset <= 143
    assert "ajHzRkICS4uNtC-AcmuxAg-3" in "\n".join((first.message, *first.screen))


def test_a_falling_epoch_is_a_violation(rolling: MetadataLog, tmp_path: Path) -> None:
    """A batch of a smaller leader epoch after a greater one was never part of one log."""
    result = judged(alter.with_epoch(rolling, 125, 0, tmp_path))
    assert ("epoch", 125) in [(v.rule, v.offset) for v in result.violations]


def test_an_epoch_begins_with_a_leader_change(rolling: MetadataLog, tmp_path: Path) -> None:
    """A greater epoch whose first batch is no leader change is reported where it begins."""
    result = judged(alter.with_epoch(rolling, 125, 2, tmp_path))
    assert ("epoch", 125) in [(v.rule, v.offset) for v in result.violations]


def test_a_flipped_byte_leaves_what_it_touched_undecided(rolling: MetadataLog, tmp_path: Path) -> None:
    """A damaged batch is quarantined with its bytes; the log is undecided, neither conforming nor violating."""
    batch = alter.batch_at(rolling, 125)
    result = judged(alter.with_byte_flipped(rolling, 125, tmp_path))
    (damage,) = result.quarantined
    assert (damage["kind"], damage["start"], damage["end"]) == ("crc", batch.position, batch.position + batch.size)
    assert result.verdict is Verdict.UNDECIDED
    assert result.violations == []
    assert result.doubts[0].first == 125


def test_a_fault_after_damage_is_found_where_the_log_shows_it_anyway(tmp_path: Path) -> None:
    """What records after the damage say is known again: raising a broker under a former epoch violates."""
    made = toy.log(*three_brokers(), [toy.NOTHING], [toy.registers(1, 10)], [unfences(1, 10)], [unfences(1, 4)])
    damaged = read_log(find_log(alter.with_byte_flipped(made, 9, tmp_path)))
    result = TOY.judge(damaged)
    assert [(v.rule, v.offset) for v in result.violations] == [("unexplained", 12)]
    assert result.in_doubt == 3


def test_a_snapshot_after_damage_makes_the_state_known_again(tmp_path: Path) -> None:
    """From the end of the next snapshot on every record is checked as if nothing had been lost."""
    brokers = [toy.registers(n, n) for n in (1, 2, 3)]
    up = [unfences(n, n) for n in (1, 2, 3)]
    snapshot = build_snapshot(
        [*brokers, *up, toy.topic(), toy.partition(0, [1, 2, 3])],
        end_offset=10, epoch=1, timestamp=0, last_contained_timestamp=0,
    )  # fmt: skip
    made = toy.log(*three_brokers(), [NOTHING], [changes(0, isr=[2, 3], leader=3), fences(1, 1)])
    directory = alter.with_byte_flipped(replace(made, snapshots=(snapshot,)), 9, tmp_path)
    result = TOY.judge(read_log(find_log(directory)))
    assert [(v.rule, v.offset) for v in result.violations] == [("unexplained", 10)]
    assert any("known again" in note for note in result.notes)
    blind = TOY.judge(replace(read_log(find_log(directory)), snapshots=()))
    assert blind.violations == []


def test_a_torn_tail_leaves_the_log_undecided(rolling: MetadataLog, tmp_path: Path) -> None:
    """A file that ends inside a batch is undecided there; all before it was judged."""
    result = judged(alter.torn(rolling, 5, tmp_path))
    assert result.verdict is Verdict.UNDECIDED
    assert [d["kind"] for d in result.quarantined] == ["torn"]
    assert result.records == MONITOR.judge(rolling).records - 1


def test_an_empty_log_is_undecided_and_says_why() -> None:
    """A log without a record to check is never conforming."""
    empty = TOY.judge(toy.log())
    assert empty.verdict is Verdict.UNDECIDED
    assert "nothing to check" in empty.doubts[0].message
    nothing = TOY.judge(replace(toy.log(), batches=()))
    assert nothing.verdict is Verdict.UNDECIDED


def test_what_is_above_the_committed_end_is_marked() -> None:
    """Violations at or above the high watermark are possibly uncommitted; below it they are not."""
    made = toy.log(*three_brokers(), [changes(0, isr=[7])], [toy.registers(9, 1)])
    result = Monitor(toy.TOY, Options(high_watermark=10)).judge(made)
    marked = {v.offset: v.possibly_uncommitted for v in result.violations if v.rule == "unexplained"}
    assert marked == {9: False, 10: True}
    assert (result.committed_end, result.uncommitted) == (10, 1)


def test_a_log_that_starts_late_starts_from_its_snapshot() -> None:
    """Segments from an offset on and a snapshot with that end: its state is the start, the rest is checked."""
    whole = toy.log(*three_brokers(), [changes(0, isr=[2, 3], leader=2), fences(1, 1)], [unfences(1, 1)])
    snapshot = build_snapshot(
        [
            *(toy.registers(n, n) for n in (1, 2, 3)), *(unfences(n, n) for n in (1, 2, 3)), toy.topic(),
            toy.partition(0, [1, 2, 3]),
        ],
        end_offset=9, epoch=1, timestamp=0, last_contained_timestamp=0,
    )  # fmt: skip
    late = tuple(batch for batch in whole.batches if batch.base_offset >= 9)
    result = TOY.judge(
        replace(whole, batches=late, segments=(replace(whole.segments[0], base_offset=9),), snapshots=(snapshot,))
    )
    assert result.verdict is Verdict.CONFORMS
    assert (result.first_offset, result.records) == (9, 3)
    assert any("snapshot" in note for note in result.notes)


def test_a_log_that_starts_late_without_a_snapshot_is_undecided() -> None:
    """What held before is unknown, so nothing is checked, and the sentence says what to give."""
    whole = toy.log(*three_brokers())
    late = tuple(batch for batch in whole.batches if batch.base_offset >= 4)
    result = TOY.judge(replace(whole, batches=late, segments=(replace(whole.segments[0], base_offset=4),)))
    assert result.verdict is Verdict.UNDECIDED
    assert "Give the snapshot" in result.doubts[0].message
    assert result.violations == []


def _with_snapshot(*messages: toy.Message) -> MetadataLog:
    snapshot = build_snapshot(list(messages), end_offset=9, epoch=1, timestamp=0, last_contained_timestamp=0)
    return replace(toy.log(*three_brokers(), [NOTHING]), snapshots=(snapshot,))


def test_a_snapshot_is_held_against_the_log() -> None:
    """A snapshot that sums up the log is compared in silence; one that says otherwise or leaves out is a violation."""
    brokers = [toy.registers(n, n) for n in (1, 2, 3)]
    good = TOY.judge(_with_snapshot(*brokers, toy.topic(), toy.partition(0, [1, 2, 3])))
    assert (good.verdict, good.snapshots_compared) == (Verdict.CONFORMS, 1)
    other = TOY.judge(_with_snapshot(*brokers, toy.topic(), toy.partition(0, [1, 3, 2])))
    assert {(v.rule, v.offset) for v in other.violations} == {("snapshot", 9)}
    assert any("replicas" in v.message and "[1, 3, 2]" in v.message for v in other.violations)
    short = TOY.judge(_with_snapshot(*brokers[:2], toy.topic(), toy.partition(0, [1, 2, 3])))
    assert [(v.rule, v.entity) for v in short.violations] == [("snapshot", "broker 3")]


def test_an_undecodable_record_is_a_violation() -> None:
    """A value of a field that is none of its kind is undecodable, at its offset."""
    result = MONITOR.judge(toy.log([("CONFIG_RECORD", 0, _setting("min.insync.replicas", "many"))]))
    assert ("undecodable", 1) in [(v.rule, v.offset) for v in result.violations]
    assert any("'many' is no number" in v.message for v in result.violations)


def _setting(name: str, value: str) -> dict[str, object]:
    return {"resourceType": 4, "resourceName": "", "name": name, "value": value}


def test_paths_without_a_log_are_refused(tmp_path: Path) -> None:
    """A missing file and an empty directory are errors of the caller, reported in a sentence."""
    from fencepost.checkers.conformance import conform

    with pytest.raises(TraceError):
        conform([tmp_path / "missing"], KRAFT)
    with pytest.raises(TraceError):
        conform([tmp_path], KRAFT)
