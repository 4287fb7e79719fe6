"""What Raft decides of a log: its uncommitted tail, its control records in the middle, and results that are cut."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.cli.main import main
from fencepost.checkers.conformance import PASSED_THROUGH, Monitor, Options
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft.protocol import KRAFT
from fencepost.traces import (
    Batch,
    MetadataLog,
    Undecodable,
    build_batch,
    build_control_batch,
    build_snapshot,
    placed,
    read_log,
)

from . import RECORDED, alter, toy
from .test_beginning import UP, WHOLE, snapshot
from .toy import NOTHING, Message, changes, fences, three_brokers, unfences

TOY = Monitor(toy.TOY)
VOTER = {"version": 0, "leaderId": 1, "voters": [{"voterId": 1}], "grantingVoters": [{"voterId": 1}]}
VOTERS: list[tuple[str, dict[str, Any]]] = [
    ("KRaftVersion", {"version": 0, "kRaftVersion": 1}),
    ("KRaftVoters", {"version": 0, "voters": []}),
]
LEADER: list[tuple[str, dict[str, Any]]] = [("LeaderChange", VOTER)]
BROKEN = changes(0, isr=[7])
"""A partition change that no row writes."""


def grown(made: MetadataLog, *more: tuple[str, Sequence[Any]] | Sequence[Any], epoch: int = 1) -> MetadataLog:
    """A log with batches at its end: of messages, or, as ("control", messages), of Raft's own; "epoch" begins one."""
    batches: list[Batch] = list(made.batches)
    segment = made.segments[-1].name
    for one in more:
        end = batches[-1].last_offset + 1
        if one[0] == "epoch":
            epoch += 1
            one = ("control", LEADER)
        if one[0] == "control":
            batches.append(build_control_batch(one[1], base_offset=end, epoch=epoch, timestamp=0, segment=segment))
        else:
            batches.append(build_batch(one, base_offset=end, epoch=epoch, timestamp=0, segment=segment))
    return replace(made, batches=placed(batches, segment))


# -- the tail ----------------------------------------------------------------------------------------------------------
def test_a_violation_in_the_tail_alone_is_told_as_such() -> None:
    """At 10 with a high watermark of 10 the log violates, and the verdict says that no quorum may have the record."""
    made = toy.log(*three_brokers(), [NOTHING], [BROKEN])
    result = Monitor(toy.TOY, Options(high_watermark=10)).judge(made)
    assert (result.verdict, result.uncommitted) == (Verdict.VIOLATES, 1)
    assert {(v.offset, v.possibly_uncommitted) for v in result.violations} == {(10, True)}
    assert "only at or above offset 10, in the tail that may be uncommitted" in result.tail
    assert result.as_json()["tail"] == result.tail


def test_a_violation_below_the_high_watermark_is_no_matter_of_the_tail() -> None:
    """With a violation among committed records the verdict says nothing of the tail, whatever else stands there."""
    made = toy.log(*three_brokers(), [BROKEN], [toy.registers(9, 1)])
    result = Monitor(toy.TOY, Options(high_watermark=10)).judge(made)
    assert {v.possibly_uncommitted for v in result.violations} == {False, True}
    assert result.tail == ""


def test_a_snapshot_tells_what_is_committed() -> None:
    """What a snapshot sums up is committed; a smaller high watermark does not take that back."""
    made = replace(toy.log(*three_brokers(), [NOTHING], [BROKEN]), snapshots=(snapshot(9, *WHOLE),))
    for told, committed in ((None, 9), (3, 9), (10, 10), (11, 11)):
        result = Monitor(toy.TOY, Options(high_watermark=told)).judge(made)
        assert result.committed_end == committed
        assert (result.tail != "") is (committed <= 10)


def test_without_snapshot_and_high_watermark_nothing_is_known_to_be_committed() -> None:
    """Every violation is possibly uncommitted then, and the verdict says how to know more."""
    result = TOY.judge(toy.log(*three_brokers(), [BROKEN]))
    assert "nothing says which records are committed" in result.tail
    assert "--high-watermark" in result.tail
    assert TOY.judge(toy.log(*three_brokers())).tail == ""


def test_the_command_says_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The page and the document of `conform` have the sentence, with the exit code of a log that does not conform."""
    rolling = alter.until(read_log(RECORDED / "rolling-restart"), 115)
    alter.with_record(rolling, 111, lambda data: {**data, "leader": 3}, tmp_path)
    assert main(["conform", str(tmp_path), "--high-watermark", "106", "--json"]) == 6
    (log,) = json.loads(capsys.readouterr().out)["logs"]
    assert log["tail"].startswith("only at or above offset 106")
    assert log["possibly_uncommitted"] > 0
    assert main(["conform", str(tmp_path), "--high-watermark", "106"]) == 6
    assert "in the tail that may be uncommitted" in " ".join(capsys.readouterr().out.split())
    assert main(["conform", str(tmp_path), "--high-watermark", "112", "--json"]) == 6
    assert json.loads(capsys.readouterr().out)["logs"][0]["tail"] == ""


# -- epochs and control records ----------------------------------------------------------------------------------------
def test_several_leader_changes_are_no_disturbance() -> None:
    """Epochs that rise, each with its leader change, leave gaps in the offsets of records and nothing else."""
    made = grown(toy.log(*three_brokers()), ("epoch", ()), [NOTHING], ("epoch", ()), ("epoch", ()), [NOTHING])
    result = TOY.judge(made)
    assert (result.verdict, result.control_records, result.records, result.end_offset) == (Verdict.CONFORMS, 4, 10, 14)


def test_a_smaller_epoch_after_a_larger_one_is_corruption() -> None:
    """A batch of epoch 1 after one of epoch 2 was never in one log with it: found where it begins."""
    made = grown(toy.log(*three_brokers()), ("epoch", ()), [NOTHING])
    late = build_batch([NOTHING], base_offset=11, epoch=1, timestamp=0, segment=made.segments[0].name)
    result = TOY.judge(replace(made, batches=placed([*made.batches, late], made.segments[0].name)))
    assert [(v.rule, v.offset) for v in result.violations] == [("epoch", 11)]
    assert "falls from 2 to 1" in result.violations[0].message


def test_an_epoch_has_one_leader_change() -> None:
    """A second one in the same epoch, and a log that does not open with one, are found where they stand."""
    result = TOY.judge(grown(toy.log(*three_brokers()), ("control", LEADER)))
    assert [(v.rule, v.offset) for v in result.violations] == [("epoch", 9)]
    made = toy.log(*three_brokers())
    opening = build_batch([NOTHING], base_offset=0, epoch=1, timestamp=0, segment=made.segments[0].name)
    result = TOY.judge(replace(made, batches=placed([opening, *made.batches[1:]], made.segments[0].name)))
    assert [(v.rule, v.offset) for v in result.violations] == [("epoch", 0)]


def test_voters_in_the_middle_do_not_disturb_results() -> None:
    """Voters change between two results, and between the two batches of one result: every row is found nevertheless."""
    plain = toy.log(*three_brokers(), [changes(0, isr=[2, 3], leader=2), fences(1, 1)], [unfences(1, 1)])
    parted = grown(
        toy.log(*three_brokers()),
        ("control", VOTERS), [changes(0, isr=[2, 3], leader=2)], ("control", VOTERS[1:]), [fences(1, 1), NOTHING],
        ("control", VOTERS), [unfences(1, 1)],
    )  # fmt: skip
    result = Monitor(toy.TOY, Options(full_batch=1)).judge(parted)
    assert (result.verdict, result.control_records) == (Verdict.CONFORMS, 6)
    assert result.classes == TOY.judge(plain).classes


def test_voters_in_a_snapshots_header_do_not_disturb_it() -> None:
    """A snapshot of a dynamic quorum has the voters in its header, before the records: compared, it agrees."""
    made = toy.log(*three_brokers())
    messages = [(r.type, r.version, r.data) for r in snapshot(9, *WHOLE).records]
    dynamic = build_snapshot(
        messages, end_offset=9, epoch=1, timestamp=0, last_contained_timestamp=0, voters=VOTERS[1][1]
    )
    assert [r.type for r in dynamic.batches[0].records] == ["SnapshotHeader", "KRaftVersion", "KRaftVoters"]
    result = TOY.judge(replace(made, snapshots=(dynamic,)))
    assert (result.verdict, result.snapshots_compared) == (Verdict.CONFORMS, 1)


def test_what_belongs_into_snapshots_is_found_in_a_log() -> None:
    """A snapshot's footer among the records of a log, and a control record of no known type, violate."""
    footer = [("SnapshotFooter", {"version": 0})]
    result = TOY.judge(grown(toy.log(*three_brokers()), ("control", footer), [NOTHING]))
    assert [(v.rule, v.offset) for v in result.violations] == [("undecodable", 9)]
    made = grown(toy.log(*three_brokers()), ("control", VOTERS[:1]), [NOTHING])
    unknown = Undecodable(9, 0, "control type 9 is unknown", b"\0\0\0\x09", b"\0\0")
    batches = [replace(b, records=(unknown,)) if b.base_offset == 9 else b for b in made.batches]
    result = TOY.judge(replace(made, batches=tuple(batches)))
    assert [(v.rule, v.offset) for v in result.violations] == [("undecodable", 9)]
    assert "could not read this control record: control type 9 is unknown" in result.violations[0].message


def test_a_record_that_cannot_be_read_where_a_result_goes_on() -> None:
    """An unreadable record in place of the fence that a result needs is found there, and is all that is found."""
    made = grown(toy.log(*three_brokers()), [changes(0, isr=[2, 3], leader=2), fences(1, 1)], [NOTHING])
    last = made.batches[-2]
    broken = replace(last, records=(last.records[0], Undecodable(10, 0, "the body does not parse", None, b"\1\5\0\1")))
    result = TOY.judge(replace(made, batches=(*made.batches[:-2], broken, made.batches[-1])))
    assert [(v.rule, v.offset) for v in result.violations] == [("undecodable", 10)]
    assert result.in_doubt == 1


def test_a_static_quorum_has_no_voters_in_its_log() -> None:
    """The recorded log of a static quorum, without KRaftVersion and KRaftVoters, opens as others do."""
    log = read_log(RECORDED / "suspects-4.4.0")
    assert {r.type for b in log.batches if b.is_control for r in b.records} == {"LeaderChange"}
    result = Monitor(KRAFT, Options(PASSED_THROUGH)).judge(replace(log, batches=log.batches[:4]))
    assert (result.verdict, result.control_records) == (Verdict.CONFORMS, 1)


# -- results that are longer than a batch ------------------------------------------------------------------------------
def fan_out(topics: int, each: int, full: int, after: Sequence[Message] = ()) -> MetadataLog:
    """A recorded log of three brokers, then topics of many partitions on brokers 1 and 2, then broker 1 is fenced.

    The fencing is cut into batches of `full` records; `after` follows in a batch of its own.
    """
    log = read_log(RECORDED / "first-boot")
    made = replace(log, batches=tuple(b for b in log.batches if b.last_offset < 27), snapshots=())
    ids = [f"UlJaWRrdSlqrvTgogzAb{chr(ord('a') + number)}A" for number in range(topics)]
    directories = ["PK5CjpjMfUVJla65utFaLg", "AOteVHWrA6Pd-w4q4jSAAw"]
    creations: list[list[Message]] = []
    for number, id_ in enumerate(ids):
        whole = {
            "topicId": id_, "replicas": [1, 2], "isr": [1, 2], "removingReplicas": [], "addingReplicas": [],
            "leader": 1, "leaderEpoch": 0, "partitionEpoch": 0, "directories": directories,
        }  # fmt: skip
        partitions: list[Message] = [("PARTITION_RECORD", 2, {"partitionId": n, **whole}) for n in range(each)]
        creations.append([("TOPIC_RECORD", 0, {"name": f"wide{number}", "topicId": id_}), *partitions])
    change = {"isr": [2], "leader": 2}
    result: list[Message] = [
        ("PARTITION_CHANGE_RECORD", 2, {"partitionId": n, "topicId": id_, **change}) for id_ in ids for n in range(each)
    ]
    result.append(("BROKER_REGISTRATION_CHANGE_RECORD", 0, {"brokerId": 1, "brokerEpoch": 20, "fenced": 1}))
    parts = [result[at : at + full] for at in range(0, len(result), full)]
    return grown(made, *creations, *parts, *([after] if after else []))


def judged(log: MetadataLog, full: int) -> Any:
    """Check a log of KRaft whose results are cut at so many records."""
    return Monitor(KRAFT, Options(PASSED_THROUGH, full_batch=full)).judge(log)


def assert_fenced(result: Any) -> None:
    """Check that the log conforms and shows one fencing."""
    assert (result.verdict, result.violations) == (Verdict.CONFORMS, [])
    assert [(count, "F1" in rows) for rows, count in result.classes.items()] == [(1, True)]


@pytest.mark.nightly("test_a_fan_out_over_several_batches")
def test_a_fan_out_of_more_than_ten_thousand_partitions() -> None:
    """10,050 partition changes, cut at 10,000, and the fence in the next batch are one result."""
    log = fan_out(2, 5025, 10_000)
    assert [len(batch.records) for batch in log.batches[-2:]] == [10_000, 51]
    assert_fenced(judged(log, 10_000))


def test_a_fan_out_over_several_batches() -> None:
    """The same at a smaller size, over two batches and over seven."""
    assert_fenced(judged(fan_out(2, 60, 100), 100))
    assert_fenced(judged(fan_out(2, 60, 20), 20))


def test_a_result_that_fills_its_batch_ends_there() -> None:
    """A result of exactly the size at which results are cut is followed by an empty append, which writes no batch."""
    log = fan_out(1, 99, 100, after=[NOTHING])
    assert [len(batch.records) for batch in log.batches[-2:]] == [100, 1]
    assert_fenced(judged(log, 100))
    assert_fenced(judged(fan_out(1, 99, 100), 100))


def small_fan_out(partitions: int, full: int) -> MetadataLog:
    """A toy log in which broker 1 leaves some partitions that it leads and is fenced, cut into batches of `full`."""
    ids = [f"AAAAAAAAAAAAAAAAAAAA{chr(ord('A') + number)}Q" for number in range(partitions)]
    created = [
        (kind, version, {**data, "topicId": id_, **({"name": id_} if kind == "TOPIC_RECORD" else {})})
        for id_ in ids
        for kind, version, data in (toy.topic(), toy.partition(0, [1, 2, 3]))
    ]
    result = [changes(0, topicId=id_, isr=[2, 3], leader=2) for id_ in ids] + [fences(1, 1)]
    parts = [result[at : at + full] for at in range(0, len(result), full)]
    return grown(toy.log(*three_brokers()[:2]), created, *parts)


def test_a_batch_that_is_not_full_is_not_continued() -> None:
    """Where the batch has room, the fence in the next one belongs to another result, and the log violates."""
    log = small_fan_out(5, 4)
    assert Monitor(toy.TOY, Options(full_batch=4)).judge(log).verdict is Verdict.CONFORMS
    assert Monitor(toy.TOY, Options(full_batch=5)).judge(log).verdict is Verdict.VIOLATES


def test_a_result_whose_rest_was_never_written_is_undecided() -> None:
    """A full batch at the end of the log, or before another epoch, may lack its rest: a doubt, and no violation."""
    whole = small_fan_out(5, 4)
    log = replace(whole, batches=whole.batches[:-1])
    end = log.batches[-1].last_offset
    for one in (log, grown(log, ("epoch", ()), [NOTHING])):
        result = Monitor(toy.TOY, Options(full_batch=4)).judge(one)
        assert (result.verdict, [v for v in result.violations if v.rule == "unexplained"]) == (Verdict.UNDECIDED, [])
        (doubt,) = result.doubts
        assert doubt.first == end
        assert "its rest is not there" in doubt.message
    assert Monitor(toy.TOY, Options(full_batch=5)).judge(log).verdict is Verdict.VIOLATES


def test_the_helpers_of_this_file_write_what_they_say() -> None:
    """A grown log is contiguous, and its epochs rise where they should."""
    made = grown(toy.log(UP[:3]), ("control", VOTERS), ("epoch", ()), [NOTHING])
    assert [(b.base_offset, b.last_offset, b.epoch) for b in made.batches] == [
        (0, 0, 1), (1, 3, 1), (4, 5, 1), (6, 6, 2), (7, 7, 2),
    ]  # fmt: skip
