"""Recordings of which a part is gone conform as far as they reach; what is altered within is still found."""

from collections.abc import Sequence

import pytest

from fencepost.checkers.conformance.zk import ZkResult
from fencepost.checkers.conformance.zk.alter import altered
from fencepost.checkers.verdicts import Verdict
from fencepost.traces.zk import Entry, Record

from . import judge, recorded

CUT = [
    ("kill-nine", 4, 353, None),
    ("kill-nine", 3, None, 1000),
    ("rolling-restart", 2, 640, None),
    ("topic-deletion", 1, 433, None),
    ("topic-deletion", 1, None, 433),
    ("topic-deletion", 4, 788, None),
    ("reassignment", 3, None, 700),
]
"""Recording, broker, and the numbers of the first and of the last record that are left of its log."""

IN_TIME = [
    ("kill-nine", 1795244541152, False),
    ("kill-nine", 1795244557219, True),
    ("rolling-restart", 1795244506783, True),
    ("topic-deletion", 1795345665248, False),
    ("topic-deletion", 1795345670373, True),
    ("topic-deletion", 1795345677684, True),
    ("reassignment", 1795245170845, False),
    ("leaders-write", 1795344999877, True),
]
"""Recording, a time in milliseconds, and whether what was logged from then on is left, else what was before."""


def _said(result: ZkResult) -> list[tuple[str, str, int, str]]:
    return [(one.rule, one.segment, one.offset, one.message) for one in result.violations]


def _cut(name: str, broker: int, first: int | None, last: int | None) -> list[Record]:
    records = recorded(name)[0]
    ours = [one for one in records if one.file.endswith(f"broker-{broker}.log.gz")]
    return [one for one in records if not one.file.endswith(f"broker-{broker}.log.gz")] + ours[first:last]


def _in_time(records: Sequence[Record], time: int, later: bool) -> list[Record]:
    return [one for one in records if isinstance(one, Entry) and (one.time_ms >= time) == later]


@pytest.mark.representative("topic-deletion-1-433-None-True")
@pytest.mark.parametrize("alone", [False, True])
@pytest.mark.parametrize(("name", "broker", "first", "last"), CUT)
def test_one_log_that_is_cut_is_no_violation(
    name: str, broker: int, first: int | None, last: int | None, alone: bool
) -> None:
    """A log that begins or ends in the middle of a batch conforms beside the others, with a history and without."""
    result = judge().told(name, _cut(name, broker, first, last), None if alone else recorded(name)[1])
    assert _said(result) == []
    assert result.verdict is Verdict.CONFORMS
    assert result.rows


@pytest.mark.representative("topic-deletion-1795345665248-False-True")
@pytest.mark.parametrize("alone", [False, True])
@pytest.mark.parametrize(("name", "time", "later"), IN_TIME)
def test_logs_that_are_cut_at_one_time_are_no_violation(name: str, time: int, later: bool, alone: bool) -> None:
    """What all brokers logged before or after a time conforms, with the whole history and without one."""
    records, transactions = recorded(name)
    result = judge().told(name, _in_time(records, time, later), None if alone else transactions)
    assert _said(result) == []
    assert result.rows


def test_a_line_that_looks_like_the_beginning_of_a_term_may_be_none() -> None:
    """A log that begins with an UpdateMetadata for no partitions, in the middle of a term, is said to do so."""
    result = judge().told("topic-deletion", _cut("topic-deletion", 1, 433, None), None)
    assert any("state-change.broker-1.log.gz begins in the middle of epoch 2" in note for note in result.notes)
    whole = judge().told("topic-deletion", recorded("topic-deletion")[0], None)
    assert not any("begins in the middle" in note for note in whole.notes)


@pytest.mark.representative("leaders-write")
@pytest.mark.parametrize("name", ["kill-nine", "leaders-write"])
def test_a_history_that_ends_before_the_logs_is_judged_to_its_end(name: str) -> None:
    """Lines after the end of a history are left out, and counted in a note; those before it are checked against it."""
    records, transactions = recorded(name)
    part = transactions[: len(transactions) // 2]
    result = judge().told(name, records, part)
    assert _said(result) == []
    assert any("The history ends before the logs do" in note for note in result.notes)
    early = next(one for one in altered(_in_time(records, part[-1].time_ms, False), part, 3) if "stranger" in one.kind)
    found = judge().told(name, records, early.transactions)
    assert (early.segment, early.offset) in [(one.segment, one.offset) for one in found.violations]


def test_a_history_that_begins_in_the_middle_leaves_the_logs_alone() -> None:
    """A history without its beginning is not checked, which is said; the logs are, by themselves."""
    records, transactions = recorded("kill-nine")
    result = judge().told("kill-nine", records, transactions[len(transactions) // 2 :])
    assert (_said(result), result.verdict) == ([], Verdict.CONFORMS)
    assert any("the state before it is not known: it is not checked" in note for note in result.notes)
    nothing = judge().told("kill-nine", (), transactions[len(transactions) // 2 :])
    assert nothing.verdict is not Verdict.CONFORMS


@pytest.mark.representative("a line that skips a version")
@pytest.mark.parametrize(
    "kind", ["a line with a stranger in the ISR", "a change that no table has", "a line that skips a version"]
)
def test_alterations_within_cut_logs_are_found(kind: str) -> None:
    """A line with a stranger, a change from another state and a skipped version are found where the log is left."""
    records, transactions = recorded("rolling-restart")
    cut = _in_time(records, 1795244506783, True)
    for one in (one for one in altered(cut, transactions, 2) if one.kind == kind):
        result = judge().told("altered", one.records, transactions)
        assert any(found.segment == one.segment for found in result.violations), f"{one.kind} at {one.offset}"
