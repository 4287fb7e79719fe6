"""Logs that begin after offset 0: with which snapshot, what is skipped, and what is said where none fits."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from fencepost.checkers.cli.main import main
from fencepost.checkers.conformance import PASSED_THROUGH, LogResult, Monitor, Options
from fencepost.checkers.conformance.classes.frames import UNKNOWN
from fencepost.checkers.conformance.reading.restoring import restore
from fencepost.checkers.conformance.state.replay import HardState
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft.protocol import KRAFT
from fencepost.traces import (
    MetadataLog,
    Record,
    Snapshot,
    build_batch,
    build_snapshot,
    find_log,
    placed,
    read_log,
    segment_name,
)

from . import RECORDED, alter, toy
from .toy import NOTHING, Message, changes, fences, three_brokers, unfences

TOY = Monitor(toy.TOY)
MONITOR = Monitor(KRAFT, Options(PASSED_THROUGH))
UP: list[Message] = [toy.registers(n, n) for n in (1, 2, 3)] + [unfences(n, n) for n in (1, 2, 3)]
WHOLE: list[Message] = [*UP, toy.topic(), toy.partition(0, [1, 2, 3])]


def snapshot(end: int, *messages: Message, epoch: int = 1) -> Snapshot:
    """A snapshot of a toy log."""
    return build_snapshot(list(messages), end_offset=end, epoch=epoch, timestamp=0, last_contained_timestamp=0)


def late(made: MetadataLog, first: int, *snapshots: Snapshot) -> MetadataLog:
    """The part of a log from an offset on, in a segment of that name, with snapshots beside it."""
    name = segment_name(first)
    batches = placed([batch for batch in made.batches if batch.base_offset >= first], name)
    return replace(made, batches=batches, segments=(replace(made.segments[0], name=name, base_offset=first),)
                   , snapshots=snapshots)  # fmt: skip


@pytest.fixture(scope="module")
def made() -> MetadataLog:
    """A toy log: three brokers and a partition up to offset 8, broker 1 leaves at 9 and 10, and is back at 11."""
    return toy.log(*three_brokers(), [changes(0, isr=[2, 3], leader=2), fences(1, 1)], [unfences(1, 1)])


@pytest.fixture(scope="module")
def recorded() -> MetadataLog:
    """A recorded log of many segments and snapshots."""
    return read_log(RECORDED / "snapshots")


@pytest.fixture(scope="module")
def told_in_full(recorded: MetadataLog) -> LogResult:
    """What is said of the whole recorded log."""
    return MONITOR.judge(recorded)


def undecided(result: LogResult) -> str:
    """Check that nothing was checked and that there is one reason, and return it."""
    assert (result.verdict, result.violations, result.records) == (Verdict.UNDECIDED, [], 0)
    (doubt,) = result.doubts
    return doubt.message


# -- the snapshot that fits --------------------------------------------------------------------------------------------
def test_records_before_the_snapshots_end_are_skipped_and_counted(made: MetadataLog) -> None:
    """A log from 4 with a snapshot that ends at 9 is checked from 9; five records before are counted and reported."""
    result = TOY.judge(late(made, 4, snapshot(9, *WHOLE)))
    assert (result.verdict, result.first_offset, result.skipped, result.records) == (Verdict.CONFORMS, 9, 5, 3)
    assert result.began_with == "00000000000000000009-0000000001.checkpoint"
    (note,) = result.notes
    assert "offsets 4 to 8 before its end, 5 records, were skipped" in note
    assert result.properties["T-within"].judged > 0


def test_what_is_judged_starts_from_what_the_snapshot_says(made: MetadataLog) -> None:
    """A snapshot in which broker 1 is in no ISR makes the change that takes it out of one unexplained, at 9."""
    result = TOY.judge(late(made, 9, snapshot(9, *UP, toy.topic(), toy.partition(0, [2, 3]))))
    assert (result.violations[0].rule, result.violations[0].offset) == ("unexplained", 9)


def test_a_property_that_is_false_in_the_snapshot_is_reported_at_its_end(made: MetadataLog) -> None:
    """A leader outside the ISR in the state that the log begins with violates, in the snapshot's name."""
    result = TOY.judge(late(made, 9, snapshot(9, *UP, toy.topic(), toy.partition(0, [2, 3], leader_=1))))
    first = result.violations[0]
    assert (first.rule, first.offset, first.segment) == ("T-member", 9, snapshot(9).segment)


def test_the_first_snapshot_begins_and_the_later_ones_are_compared(made: MetadataLog) -> None:
    """Of snapshots at 7, 9 and 11 the log from 4 takes that at 7; the others are compared, an altered one is found."""
    first, second = snapshot(7, *UP), snapshot(9, *WHOLE)
    third = snapshot(11, *UP, toy.topic(), toy.partition(0, [1, 2, 3]))
    result = TOY.judge(late(made, 4, first, second, third))
    assert (result.first_offset, result.skipped, result.snapshots_compared) == (7, 3, 2)
    assert {(v.rule, v.offset, v.segment) for v in result.violations} == {("snapshot", 11, third.segment)}
    assert {v.message.split("[")[0] for v in result.violations} == {"isr", "leader", "leader_epoch"}


def test_snapshots_in_front_of_the_beginning_are_not_compared_and_said(made: MetadataLog) -> None:
    """A snapshot that sums up what the log does not hold is counted in a note, and is no reason for doubt."""
    result = TOY.judge(late(made, 9, snapshot(7, *UP), snapshot(9, *WHOLE)))
    assert (result.verdict, result.first_offset, result.snapshots_compared) == (Verdict.CONFORMS, 9, 0)
    assert any(note.startswith("1 older snapshot") for note in result.notes)


def test_of_two_snapshots_of_one_end_that_of_the_logs_epoch_begins(made: MetadataLog) -> None:
    """The log from 4 is of epoch 1: the snapshot of epoch 2 is not the beginning, and its epoch is found wrong."""
    other = snapshot(9, *UP, toy.topic(), toy.partition(0, [2, 3]), epoch=2)
    for first in (4, 9):
        result = TOY.judge(late(made, first, other, snapshot(9, *WHOLE)))
        assert result.began_with == snapshot(9).segment
        assert {v.segment for v in result.violations} == {other.segment}
        assert any("replicas" in v.message for v in result.violations)
        assert any("epoch 2 before offset 9, the log epoch 1" in v.message for v in result.violations) is (first == 4)


def test_damage_in_front_of_the_beginning_does_not_matter(made: MetadataLog, tmp_path: Path) -> None:
    """An unreadable batch below the snapshot's end is reported, and leaves nothing undecided."""
    directory = alter.with_byte_flipped(late(made, 4, snapshot(9, *WHOLE)), 7, tmp_path)
    result = TOY.judge(read_log(find_log(directory)))
    assert (result.verdict, result.in_doubt, len(result.quarantined)) == (Verdict.CONFORMS, 0, 1)
    assert "1 unreadable range lies before offset 9, where the check begins." in result.notes


def test_damage_that_may_reach_over_the_beginning_does(made: MetadataLog, tmp_path: Path) -> None:
    """An unreadable first batch after the snapshot's end leaves the log undecided there."""
    directory = alter.with_byte_flipped(late(made, 4, snapshot(9, *WHOLE)), 9, tmp_path)
    result = TOY.judge(read_log(find_log(directory)))
    assert (result.verdict, result.doubts[0].first, result.in_doubt) == (Verdict.UNDECIDED, 9, 1)


# -- no snapshot that fits ---------------------------------------------------------------------------------------------
def test_a_gap_between_snapshot_and_log(made: MetadataLog) -> None:
    """A snapshot that ends at 7 says nothing of a log from 9: the two missing offsets are named."""
    said = undecided(TOY.judge(late(made, 9, snapshot(7, *UP))))
    assert "begins at offset 9" in said
    assert "ends in front of it, and offsets 7 to 8 are missing" in said


def test_every_snapshot_that_does_not_fit_is_told_why(made: MetadataLog, tmp_path: Path) -> None:
    """One ends inside a batch, one beyond the log, one has no footer, one is damaged: each has its reason."""
    whole = snapshot(9, *WHOLE)
    unfinished = replace(whole, batches=whole.batches[:-1])
    log = late(made, 4, unfinished)
    assert "has no header or no footer" in undecided(TOY.judge(log))
    assert "ends at offset 8, inside a batch" in undecided(TOY.judge(late(made, 4, snapshot(8, *UP, toy.topic()))))
    assert "ends at offset 20, beyond the log's end 12" in undecided(TOY.judge(late(made, 4, snapshot(20, *WHOLE))))
    alter.written(late(made, 4, whole), tmp_path)
    path = tmp_path / whole.segment
    path.write_bytes(path.read_bytes()[:-1] + b"\xff")
    result = TOY.judge(read_log(find_log(tmp_path)))
    assert result.verdict is Verdict.UNDECIDED
    assert any(f"{whole.segment} is damaged" in doubt.message for doubt in result.doubts)
    assert result.in_doubt == 0


def test_the_beginning_of_a_segment_from_offset_0_may_not_be_missing(made: MetadataLog) -> None:
    """A segment of the name 0 whose first batches are gone has a gap; it does not begin where it now begins."""
    result = TOY.judge(replace(made, batches=made.batches[2:]))
    assert (result.violations[0].rule, result.violations[0].offset) == ("gap", 4)
    assert "offsets 0 to 3 are missing" in result.violations[0].message


# -- recorded logs -----------------------------------------------------------------------------------------------------
def test_the_command_says_where_judging_began(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of recorded segments from 241 with snapshots that end at 332 and 440, `--json` says 332 and what is skipped."""
    names = ("00000000000000000241.log", "00000000000000000332-0000000001.checkpoint")
    for name in (*names, "00000000000000000440-0000000001.checkpoint"):
        shutil.copy(RECORDED / "snapshots" / name, tmp_path)
    main(["conform", str(tmp_path), "--json"])
    (log,) = json.loads(capsys.readouterr().out)["logs"]
    skipped = sum(r.offset < 332 for r in read_log(tmp_path).records() if isinstance(r, Record))
    assert (log["first_offset"], log["began_with"], log["skipped"]) == (332, names[1], skipped)
    assert (log["end_offset"], log["snapshots_compared"], skipped > 80) == (523, 1, True)
    main(["conform", str(tmp_path)])
    assert f"offsets 241 to 331 before its end, {skipped} records, were skipped" in " ".join(
        capsys.readouterr().out.split()
    )


@pytest.mark.nightly("test_a_recorded_snapshot_restores_what_the_log_replays_to")
@pytest.mark.parametrize("end", [682, 1103, 1301])
def test_a_recorded_log_cut_at_a_snapshot_shows_nothing_new(
    end: int, recorded: MetadataLog, told_in_full: LogResult
) -> None:
    """What is wrong of a log that begins with a snapshot is wrong of the whole log, there or as what follows."""
    known = {offset for v in told_in_full.violations for offset in (v.offset, *v.folded)}
    kept = [batch for batch in recorded.batches if batch.base_offset >= end]
    first = next(i for i, segment in enumerate(recorded.segments) if segment.name == kept[0].segment)
    segments = (replace(recorded.segments[first], base_offset=end), *recorded.segments[first + 1 :])
    result = MONITOR.judge(replace(recorded, batches=tuple(kept), segments=segments))
    assert result.first_offset == end
    assert result.records == sum(len(batch.metadata_records) for batch in kept)
    assert {v.offset for v in result.violations} <= known
    assert not [v for v in result.violations if v.rule == "snapshot"]


def test_a_recorded_snapshot_restores_what_the_log_replays_to(recorded: MetadataLog) -> None:
    """Every cell that a log shows of what a snapshot names is, restored from the snapshot, as the log has it."""
    replayed, by_end = HardState(MONITOR.layout), {one.end_offset: one for one in recorded.snapshots}
    names, compared = [state.name for state in MONITOR.layout.numbers], 0
    for record in recorded.records():
        if record.offset in by_end:
            restored = HardState(MONITOR.layout)
            restore(restored, MONITOR.wire, by_end[record.offset])
            restored.at_offset(record.offset)
            met = {entity for entities in restored.domains.values() for entity in entities}
            for number in range(len(names)):
                for keys in {*replayed.frame.tables[number], *restored.frame.tables[number]}:
                    if all(key in met for key in keys):
                        there, here = restored.read((number, keys)), replayed.read((number, keys))
                        assert there in (here, UNKNOWN), (record.offset, names[number], keys)
                        compared += 1
        bound = MONITOR.wire.bind(record) if isinstance(record, Record) else None
        if bound is not None:
            replayed.meet(bound)
            replayed.apply(replayed.changes(bound))
        replayed.at_offset(record.offset + 1)
    assert compared > 5000


def test_a_snapshot_at_the_end_of_a_log_leaves_nothing_to_judge(made: MetadataLog) -> None:
    """Where the snapshot ends with the log, everything is skipped, and the log is undecided, not conforming."""
    after = [NOTHING]
    name = segment_name(12)
    last = build_batch(after, base_offset=12, epoch=1, timestamp=0, segment=name)
    only = replace(made, batches=placed([last], name), segments=(replace(made.segments[0], name=name, base_offset=12),))
    result = TOY.judge(replace(only, snapshots=(snapshot(13, *WHOLE),)))
    assert (result.verdict, result.skipped, result.first_offset) == (Verdict.UNDECIDED, 1, 13)
    assert "nothing to check" in result.doubts[0].message
