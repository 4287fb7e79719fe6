"""Batches parsed into results, on the toy."""

from typing import Any

import pytest

from fencepost.checkers.conformance import LogResult, Monitor, Options
from fencepost.checkers.verdicts import Verdict

from . import toy
from .toy import NOTHING, changes, fences, partition, registers, three_brokers, topic, unfences

MONITOR = Monitor(toy.TOY)


def judged(*more: list[toy.Message], monitor: Monitor = MONITOR) -> LogResult:
    """Check the toy's usual beginning (it ends at offset 8) with more batches after it."""
    return monitor.judge(toy.log(*three_brokers(), *more))


def test_a_log_in_which_every_record_is_a_rows_conforms() -> None:
    """The usual beginning is three registrations, three times up, and one creation of two records; each has one row."""
    result = judged()
    assert result.verdict is Verdict.CONFORMS
    assert result.rows == {"RG": 3, "UP": 3, "MK": 1}
    assert (result.ambiguous, result.violations, result.records, result.batches) == (0, [], 8, 4)
    assert result.control_records == 1


def test_several_results_in_one_batch_are_told_apart() -> None:
    """Five results of one to two records in one batch are found though no mark is between them."""
    result = judged(
        [
            NOTHING,
            changes(0, isr=[1, 3]),
            changes(0, isr=[3], leader=3),
            fences(1, 1),
            unfences(1, 1),
            changes(0, isr=[3, 1]),
        ]
    )
    assert result.verdict is Verdict.CONFORMS
    assert result.rows == {"RG": 3, "UP": 4, "MK": 1, "NO": 1, "SH": 1, "GR": 1}
    assert result.classes == {("DOWN", "LOST"): 1}


def test_rows_that_a_log_cannot_tell_apart_are_counted_as_ambiguous() -> None:
    """Going down by a heartbeat and by its absence write the same: neither is counted, the pair is named."""
    result = judged([changes(0, isr=[2, 3], leader=2), fences(1, 1)])
    assert result.ambiguous == 1
    assert result.classes == {("DOWN", "LOST"): 1}
    assert "DOWN" not in result.rows
    assert result.rows_never_seen == ("AGAIN", "GR", "SH", "NO")


def _two_partitions() -> list[list[toy.Message]]:
    return [
        [registers(1, 1), registers(2, 2)],
        [unfences(1, 1), unfences(2, 2)],
        [topic(), partition(0, [1, 2])],
        [("TOPIC_RECORD", 0, {"name": "b", "topicId": "AAAAAAAAAAAAAAAAAAAABg"}), _other()],
    ]


def _other() -> toy.Message:
    kind, version, data = partition(0, [1, 2])
    return kind, version, {**data, "topicId": "AAAAAAAAAAAAAAAAAAAABg"}


def _other_changes(**data: Any) -> toy.Message:
    kind, version, found = changes(0, **data)
    return kind, version, {**found, "topicId": "AAAAAAAAAAAAAAAAAAAABg"}


@pytest.mark.parametrize("swapped", [False, True])
def test_the_order_inside_a_group_is_free(swapped: bool) -> None:
    """The partitions of a broker that leaves may come in any order."""
    group = [changes(0, isr=[2], leader=2), _other_changes(isr=[2], leader=2)]
    result = MONITOR.judge(toy.log(*_two_partitions(), [*(reversed(group) if swapped else group), fences(1, 1)]))
    assert result.verdict is Verdict.CONFORMS
    assert result.classes == {("DOWN", "LOST"): 1}


def test_the_order_of_groups_is_fixed() -> None:
    """The broker's own record before its partitions is no result of any row."""
    result = judged([fences(1, 1), changes(0, isr=[2, 3], leader=2)])
    assert result.verdict is Verdict.VIOLATES
    (violation,) = [v for v in result.violations if v.rule == "unexplained"]
    assert violation.offset == 9
    assert "PartitionChange(AAAAAAAAAAAAAAAAAAAABQ-0)" in violation.message


def test_a_group_must_be_complete() -> None:
    """A broker that leaves only one of its two partitions is a divergence at the record where the other is missing."""
    result = MONITOR.judge(toy.log(*_two_partitions(), [changes(0, isr=[2], leader=2), fences(1, 1)]))
    first = result.violations[0]
    assert (first.rule, first.offset, first.entity) == ("unexplained", 10, "broker 1")
    assert "PartitionChange(AAAAAAAAAAAAAAAAAAAABg-0)" in first.message


def test_a_result_never_spans_two_batches() -> None:
    """The end of a batch is the end of a result, so the fence in the next batch does not complete it."""
    result = judged([changes(0, isr=[2, 3], leader=2)], [fences(1, 1)])
    assert [(v.rule, v.offset) for v in result.violations] == [("unexplained", 9)]
    assert "incomplete" in result.violations[0].message


def test_a_result_longer_than_a_full_batch_goes_on_in_the_next() -> None:
    """Where a result is cut at the size of a full batch, its rest at the start of the next batch belongs to it."""
    monitor = Monitor(toy.TOY, Options(full_batch=1))
    result = judged([changes(0, isr=[2, 3], leader=2)], [fences(1, 1)], monitor=monitor)
    assert result.verdict is Verdict.CONFORMS
    assert result.classes == {("DOWN", "LOST"): 1}


def test_offsets_decide_what_depends_on_them() -> None:
    """The epoch of a registration is the offset at which its result begins; one less is a divergence in that field."""
    result = judged([changes(0, isr=[2, 3], leader=2), registers(1, 8)])
    assert [(v.rule, v.offset) for v in result.violations] == [("unexplained", 10)]
    assert "epoch 9, the log 8" in result.violations[0].message
    assert judged([changes(0, isr=[2, 3], leader=2), registers(1, 9)]).rows["RG"] == 4


def test_one_fault_does_not_hide_the_next_and_what_follows_is_folded() -> None:
    """A wrong field is reported and adopted; a later fault of the same entity is folded, one of another is reported."""
    result = MONITOR.judge(
        toy.log(
            *_two_partitions(),
            [changes(0, isr=[1], leader=2), NOTHING],
            [changes(0, isr=[2], leader=2)],
            [_other_changes(isr=[2, 1])],
        )
    )
    unexplained = [v for v in result.violations if v.rule == "unexplained"]
    assert [v.offset for v in unexplained] == [9, 12]
    assert unexplained[0].folded.count(11) == 1
    assert [v.entity for v in unexplained] == [f"partition {toy.TOPIC_ID}-0", "partition AAAAAAAAAAAAAAAAAAAABg-0"]


def test_a_row_with_a_finding_is_reported_where_it_explains_a_record() -> None:
    """Bringing up a broker that is up is a declared finding: reported with its offset, and the log still conforms."""
    result = judged([unfences(2, 2)])
    assert result.verdict is Verdict.CONFORMS
    (found,) = result.findings
    assert (found.finding, found.by, found.offset, found.entity, found.certain) == ("T1", "AGAIN", 9, "broker 2", True)


def test_records_that_no_table_is_about_pass_through() -> None:
    """Access control passes through and is counted; a type that is not known to pass is unexplained, once for all."""
    removal = ("REMOVE_ACCESS_CONTROL_ENTRY_RECORD", 0, {"id": "AAAAAAAAAAAAAAAAAAAABQ"})
    strange = ("REMOVE_TOPIC_RECORD", 0, {"topicId": toy.TOPIC_ID})
    monitor = Monitor(toy.TOY, Options(passed_through=frozenset({"REMOVE_ACCESS_CONTROL_ENTRY_RECORD"})))
    passed = judged([removal, NOTHING], monitor=monitor)
    assert (passed.verdict, passed.passed_through, passed.rows["NO"]) == (Verdict.CONFORMS, 1, 1)
    unknown = judged([strange, NOTHING], [strange], monitor=monitor)
    assert [(v.rule, v.offset, v.folded) for v in unknown.violations] == [("unexplained", 9, [11])]


def test_a_group_of_two_records_of_a_stage_in_one_batch_with_other_results() -> None:
    """A fan-out between two other results is cut out exactly, whatever surrounds it."""
    batch = [NOTHING, changes(0, isr=[2], leader=2), _other_changes(isr=[2], leader=2), fences(1, 1), NOTHING, NOTHING]
    result = MONITOR.judge(toy.log(*_two_partitions(), batch))
    assert result.verdict is Verdict.CONFORMS
    assert (result.rows["NO"], result.classes) == (3, {("DOWN", "LOST"): 1})


def test_more_bindings_than_the_limit_leave_a_log_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the bindings tried ran out before one fitted, the record is undecided, never unexplained."""
    monkeypatch.setattr("fencepost.checkers.conformance.matching.matching.MOST_BINDINGS", 0)
    result = MONITOR.judge(toy.log([registers(1, 1)]))
    assert result.verdict is Verdict.UNDECIDED
    assert [(d.first, d.last) for d in result.doubts] == [(1, 1)]
    assert result.violations == []
