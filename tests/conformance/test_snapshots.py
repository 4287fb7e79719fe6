"""Snapshots held against the log beside which they lie: what they say otherwise, leave out, or cannot be asked for."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.conformance import PASSED_THROUGH, LogResult, Monitor, Options
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft.protocol import KRAFT
from fencepost.traces import Batch, MetadataLog, Snapshot, Undecodable, build_snapshot, find_log, placed, read_log

from . import RECORDED, alter, toy
from .test_beginning import UP, WHOLE, snapshot
from .toy import NOTHING, Message, three_brokers

pytestmark = pytest.mark.usefixtures("by_class")

TOY = Monitor(toy.TOY)
MONITOR = Monitor(KRAFT, Options(PASSED_THROUGH))
PLAIN = Monitor(KRAFT, Options(PASSED_THROUGH, by_class=False))
END = 86
Change = Callable[[list[Message]], list[Message]]


@pytest.fixture(scope="module")
def recorded() -> MetadataLog:
    """A recorded log up to offset 99, with the bootstrap snapshot and that which ends at 86."""
    log = read_log(RECORDED / "snapshots")
    batches = tuple(batch for batch in log.batches if batch.last_offset < 100)
    return replace(log, batches=batches, segments=log.segments[:1], snapshots=log.snapshots[:2], trailing_zeros=())


def altered(whole: Snapshot, change: Change) -> Snapshot:
    """A snapshot with other records, right in every other way."""
    messages = change([(r.type, r.version, dict(r.data)) for r in whole.records])
    made = build_snapshot(
        messages, end_offset=whole.end_offset, epoch=whole.epoch, timestamp=0, last_contained_timestamp=0
    )
    return replace(made, segment=whole.segment, batches=placed(made.batches, whole.segment))


def judged(log: MetadataLog, change: Change, which: int = 1) -> LogResult:
    """Check a log one of whose snapshots has other records: by class and entity by entity the same is found."""
    snapshots = list(log.snapshots)
    snapshots[which] = altered(snapshots[which], change)
    made = replace(log, snapshots=tuple(snapshots))
    result = MONITOR.judge(made)
    assert repr(result) == repr(PLAIN.judge(made))
    return result


def with_unreadable(batch: Batch) -> Batch:
    """A batch whose last record is of no known type."""
    last = Undecodable(batch.last_offset, 0, "type 99 is unknown", None, b"\1\x63\0")
    return replace(batch, records=(*batch.records[:-1], last))


def setting(type_: str, at: int, **data: Any) -> Change:
    """Set fields of one of the records of a type."""

    def change(messages: list[Message]) -> list[Message]:
        place = [n for n, one in enumerate(messages) if one[0] == type_][at]
        type__, version, old = messages[place]
        return [*messages[:place], (type__, version, {**old, **data}), *messages[place + 1 :]]

    return change


def without(type_: str, *at: int) -> Change:
    """Leave out some records of a type, all of them if none is named."""

    def change(messages: list[Message]) -> list[Message]:
        places = [n for n, one in enumerate(messages) if one[0] == type_]
        gone = {places[n] for n in at} if at else set(places)
        return [one for n, one in enumerate(messages) if n not in gone]

    return change


# -- what a snapshot says ----------------------------------------------------------------------------------------------
def test_the_snapshot_agrees_when_nothing_is_altered(recorded: MetadataLog) -> None:
    """Built again without a change, the snapshot is compared in silence: what the others find is what they alter."""
    result = judged(recorded, lambda messages: messages)
    assert (result.verdict, result.snapshots_compared, result.violations) == (Verdict.CONFORMS, 1, [])


@pytest.mark.representative("change-partition 2kp91_o7SlCkuYL-MtEasQ-0-isr", "change-broker 1-fenced")
@pytest.mark.parametrize(
    ("change", "entity", "said"),
    [
        (setting("PARTITION_RECORD", 0, isr=[1, 0]), "partition 2kp91_o7SlCkuYL-MtEasQ-0", "isr"),
        (setting("PARTITION_RECORD", 3, leader=0), "partition 2kp91_o7SlCkuYL-MtEasQ-3", "leader"),
        (setting("PARTITION_RECORD", 3, leaderEpoch=1), "partition 2kp91_o7SlCkuYL-MtEasQ-3", "leader_epoch"),
        (setting("PARTITION_RECORD", 3, partitionEpoch=4), "partition 2kp91_o7SlCkuYL-MtEasQ-3", "partition_epoch"),
        (setting("REGISTER_BROKER_RECORD", 1, fenced=True), "broker 1", "fenced"),
        (setting("REGISTER_BROKER_RECORD", 1, brokerEpoch=18), "broker 1", "epoch"),
        (setting("REGISTER_BROKER_RECORD", 1, inControlledShutdown=True), "broker 1", "in_controlled_shutdown"),
        (setting("FEATURE_LEVEL_RECORD", 0, featureLevel=29), "", "metadata_version"),
        (setting("FEATURE_LEVEL_RECORD", 5, featureLevel=2), "feature share.version", "feature_level"),
        (setting("CONFIG_RECORD", 0, value="2"), "", "cluster_min_insync"),
        (setting("TOPIC_RECORD", 0, name="other"), "topic 2kp91_o7SlCkuYL-MtEasQ", "name"),
    ],
)  # fmt: skip
def test_an_altered_record_is_found_at_the_snapshots_end(
    change: Change, entity: str, said: str, recorded: MetadataLog
) -> None:
    """One field of one record of a snapshot altered, the checksum right: found with the entity and what differs."""
    result = judged(recorded, change)
    assert {(v.rule, v.offset, v.segment) for v in result.violations} == {
        ("snapshot", END, recorded.snapshots[1].segment)
    }
    assert any(v.entity == entity and v.message.startswith(said) for v in result.violations)


@pytest.mark.representative(
    "change-has no Partition record0", "change-has no RegisterBroker record for 0",
)  # fmt: skip
@pytest.mark.parametrize(
    ("change", "said"),
    [
        (without("PARTITION_RECORD", 7), "has no Partition record"),
        (without("PARTITION_RECORD"), "has no Partition record"),
        (without("TOPIC_RECORD", 2), "has no Topic record"),
        (without("REGISTER_BROKER_RECORD", 0), "has no RegisterBroker record for 0"),
        (without("REGISTER_CONTROLLER_RECORD", 2), "has no RegisterController record for 3002"),
        (without("REGISTER_CONTROLLER_RECORD"), "has no RegisterController record for 3000"),
        (without("FEATURE_LEVEL_RECORD", 0), "metadata_version is 0 in the snapshot"),
        (without("FEATURE_LEVEL_RECORD", 1), "has no FeatureLevel record"),
        (without("FEATURE_LEVEL_RECORD"), "has no FeatureLevel record"),
    ],
)
def test_what_a_snapshot_leaves_out_is_found(change: Change, said: str, recorded: MetadataLog) -> None:
    """Without one record of a type, or all of them, the snapshot lacks what the log has."""
    result = judged(recorded, change)
    assert {(v.rule, v.offset) for v in result.violations} == {("snapshot", END)}
    assert any(said in v.message for v in result.violations)


def test_what_the_tables_do_not_know_is_no_part_of_a_snapshot(recorded: MetadataLog) -> None:
    """A record that is read over, and a value of no kind, are found in a snapshot where they say what cannot be."""
    for state, said in ((1, []), (9, [True])):
        old: Message = ("ZK_MIGRATION_STATE_RECORD", 0, {"zkMigrationState": state})
        result = judged(recorded, lambda messages, old=old: [*messages, old])
        assert ["ZK_MIGRATION_STATE_RECORD" in v.message for v in result.violations] == said
    result = judged(recorded, setting("CONFIG_RECORD", 0, value="many"))
    assert any("'many' is no number" in v.message for v in result.violations)


def test_a_snapshot_whose_records_are_not_in_order_is_refused(recorded: MetadataLog) -> None:
    """A batch of a snapshot that comes twice, bears another epoch or cannot be read violates at the snapshot's end."""
    whole = recorded.snapshots[1]
    for batches, said in (
        ((*whole.batches[:2], *whole.batches[1:]), "was due"),
        ((*whole.batches[:1], replace(whole.batches[1], epoch=7), *whole.batches[2:]), "epoch 7"),
        ((whole.batches[0], with_unreadable(whole.batches[1]), *whole.batches[2:]), "no controller could read"),
    ):
        other = replace(whole, batches=batches)
        result = MONITOR.judge(replace(recorded, snapshots=(other,)))
        assert [(v.rule, v.offset, said in v.message) for v in result.violations] == [("snapshot", END, True)]


# -- where a snapshot ends ---------------------------------------------------------------------------------------------
def with_snapshots(*snapshots: Snapshot) -> MetadataLog:
    """A toy log up to offset 9, with snapshots."""
    return replace(toy.log(*three_brokers(), [NOTHING]), snapshots=snapshots)


def test_a_snapshot_that_ends_inside_a_batch_is_compared_there() -> None:
    """At offset 8, between topic and partition, the snapshot has the topic alone; that is noted."""
    result = TOY.judge(with_snapshots(snapshot(8, *UP, toy.topic())))
    assert (result.verdict, result.snapshots_compared) == (Verdict.CONFORMS, 1)
    assert any("ends inside a batch" in note for note in result.notes)
    result = TOY.judge(with_snapshots(snapshot(8, *WHOLE)))
    assert {(v.rule, v.offset) for v in result.violations} == {("snapshot", 8)}


def test_a_snapshot_at_the_logs_end_is_compared_and_one_beyond_is_not() -> None:
    """What ends with the log is compared; what ends later leaves the log undecided, and says what to give."""
    other = toy.partition(0, [1, 3, 2])
    result = TOY.judge(with_snapshots(snapshot(10, *UP, toy.topic(), other)))
    assert [(v.rule, v.offset) for v in result.violations] == [("snapshot", 10)] * 2
    result = TOY.judge(with_snapshots(snapshot(14, *UP, toy.topic(), other)))
    assert (result.verdict, result.violations, result.snapshots_compared) == (Verdict.UNDECIDED, [], 0)
    (doubt,) = result.doubts
    assert "ends at offset 14, beyond the log's end 10" in doubt.message
    assert "Give the segments up to its end" in doubt.message


def test_a_snapshot_that_ends_at_a_control_record_is_compared() -> None:
    """A snapshot that ends right after the leader change of offset 0 says nothing, and agrees."""
    result = TOY.judge(with_snapshots(snapshot(1)))
    assert (result.verdict, result.snapshots_compared) == (Verdict.CONFORMS, 1)


def test_two_snapshots_of_one_end_and_different_epochs() -> None:
    """Both are compared; the one whose epoch is not that of the record before its end violates by its name alone."""
    right, wrong = snapshot(9, *WHOLE), snapshot(9, *WHOLE, epoch=3)
    result = TOY.judge(with_snapshots(right, wrong))
    assert result.snapshots_compared == 2
    assert [(v.rule, v.offset, v.segment) for v in result.violations] == [("snapshot", 9, wrong.segment)]
    assert "epoch 3 before offset 9, the log epoch 1" in result.violations[0].message


# -- files -------------------------------------------------------------------------------------------------------------
def test_a_damaged_checkpoint_leaves_the_log_known(tmp_path: Path) -> None:
    """A checkpoint with a wrong checksum is not compared and undecided; the log's records are checked nevertheless."""
    made = with_snapshots(snapshot(9, *WHOLE))
    path = alter.written(made, tmp_path) / made.snapshots[0].segment
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(bytes(data))
    result = TOY.judge(read_log(find_log(tmp_path)))
    assert (result.verdict, result.violations, result.in_doubt) == (Verdict.UNDECIDED, [], 0)
    (doubt,) = result.doubts
    assert doubt.message.startswith(f"The snapshot {path.name} is damaged: bytes ")
    assert [one["segment"] for one in result.quarantined] == [path.name]


def test_a_checkpoint_without_a_footer_is_not_compared() -> None:
    """An unfinished snapshot says nothing of the log: undecided, with its name."""
    whole = snapshot(9, *UP)
    result = TOY.judge(with_snapshots(replace(whole, batches=whole.batches[:-1])))
    assert (result.verdict, result.snapshots_compared) == (Verdict.UNDECIDED, 0)
    assert "has no header or no footer" in result.doubts[0].message


def test_unfinished_and_deleted_files_are_ignored_and_said(tmp_path: Path) -> None:
    """Files that Kafka has not finished or has deleted are named in notes and change nothing."""
    alter.written(with_snapshots(snapshot(9, *WHOLE)), tmp_path)
    names = {
        "00000000000000000010-0000000001.checkpoint.part": "an unfinished snapshot",
        "00000000000000000005-0000000001.checkpoint.deleted": "a deleted snapshot",
        "00000000000000000000.log.deleted": "a deleted segment",
    }
    for name in names:
        (tmp_path / name).write_bytes(b"half of it")
    result = TOY.judge(read_log(tmp_path))
    assert (result.verdict, result.snapshots_compared) == (Verdict.CONFORMS, 1)
    assert set(result.notes) == {f"{name} is {kind}: it was not read." for name, kind in names.items()}


# -- the snapshot that opens a log -------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def formatted() -> MetadataLog:
    """A recorded log of 4.4.0 up to its first registration, whose bootstrap snapshot holds the features."""
    log = read_log(RECORDED / "elr-index-fault-4.4.0")
    return replace(log, batches=log.batches[:3])


def test_the_opening_of_a_log_repeats_its_bootstrap_snapshot(formatted: MetadataLog) -> None:
    """As recorded the features of the snapshot are those of the first batch, in their order."""
    assert [r.type for r in formatted.snapshots[0].records] == ["FEATURE_LEVEL_RECORD"] * 6
    assert MONITOR.judge(formatted).verdict is Verdict.CONFORMS


@pytest.mark.parametrize(
    ("change", "offset"),
    [
        (setting("FEATURE_LEVEL_RECORD", 2, featureLevel=0), 6),
        (lambda messages: [messages[0], messages[2], messages[1], *messages[3:]], 5),
        (without("FEATURE_LEVEL_RECORD", 5), 9),
        (lambda messages: [*messages, messages[0]], 11),
    ],
    ids=["another level", "another order", "one missing", "one more"],
)
def test_an_opening_that_differs_is_found_where_it_does(change: Change, offset: int, formatted: MetadataLog) -> None:
    """A bootstrap snapshot that does not fit violates at the record of the first batch that is another."""
    result = judged(formatted, change, 0)
    assert [(v.rule, v.offset, v.segment) for v in result.violations] == [
        ("snapshot", offset, "00000000000000000000-0000000000.checkpoint")
    ]
    assert "the batch at offset 3" in result.violations[0].message


def test_a_nodes_own_bootstrap_file_may_differ_and_leaves_it_undecided(formatted: MetadataLog) -> None:
    """`bootstrap.checkpoint` is what one node was formatted with, maybe not the first leader: told, no violation."""
    own = replace(formatted.snapshots[0], segment="bootstrap.checkpoint")
    assert MONITOR.judge(replace(formatted, snapshots=(own,))).verdict is Verdict.CONFORMS
    other = altered(own, setting("FEATURE_LEVEL_RECORD", 0, featureLevel=30))
    result = MONITOR.judge(replace(formatted, snapshots=(other,)))
    assert (result.verdict, result.violations) == (Verdict.UNDECIDED, [])
    assert "bootstrap.checkpoint says what opens the log otherwise" in result.doubts[0].message


def test_a_damaged_or_unfinished_bootstrap_snapshot_is_not_passed_over(formatted: MetadataLog, tmp_path: Path) -> None:
    """The snapshot of end offset 0 counts as the others do: without a footer, or unreadable, the log is undecided."""
    whole = formatted.snapshots[0]
    unfinished = replace(formatted, snapshots=(replace(whole, batches=whole.batches[:-1]),))
    assert "has no header or no footer" in MONITOR.judge(unfinished).doubts[0].message
    alter.written(formatted, tmp_path)
    path = tmp_path / whole.segment
    path.write_bytes(path.read_bytes()[:-1] + b"\xff")
    assert MONITOR.judge(read_log(tmp_path)).verdict is Verdict.UNDECIDED
