"""What brokers cannot do, expired sessions and lost directories, is explained; what only looks like it is not."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import pytest

from fencepost.checkers.conformance.zk import ZkResult
from fencepost.checkers.verdicts import Verdict
from fencepost.traces.zk import BrokerState, Entry, Operation, Record, TopicPartition, Transaction, read_recording
from fencepost.traces.zk.broker_lines import LeaderAndIsrIgnored, LeaderStarted, StopReplicaIgnored, TransitionStarted
from fencepost.traces.zk.broker_problems import BecomeLeaderFailed
from fencepost.traces.zk.controller_lines import LeaderAndIsrSent, PartitionElected, ReplicasMarkedOffline
from fencepost.traces.zk.values import OfflineDirectory, SameLeaderEpoch

from . import PARTS, RECORDED, judge

THREE = "state-change.broker-3.log.gz"
FOUR = "state-change.broker-4.log.gz"
HISTORY = "znode-history.ndjson.gz"
Recording = tuple[tuple[Record, ...], tuple[Transaction, ...]]


@lru_cache(maxsize=2)
def _read(name: str) -> Recording:
    found = read_recording((PARTS if name == "session-expiry" else RECORDED) / name)
    return tuple(found.records()), tuple(found.transactions())


@lru_cache(maxsize=1)
def _of_three() -> tuple[Entry, ...]:
    """Return what broker 3 logged, which the session of was expired; its own terms as controller left out."""
    return tuple(
        one
        for one in _read("session-expiry")[0]
        if isinstance(one, Entry) and one.file.endswith(THREE) and one.sender.role == "Broker"
    )


def _said(result: ZkResult) -> list[tuple[str, str, int, str]]:
    return [(one.rule, one.segment, one.offset, one.message) for one in result.violations]


def _of(records: Sequence[Record], kind: type) -> list[Entry]:
    return [one for one in records if isinstance(one, Entry) and isinstance(one.message, kind)]


def _message(one: Entry) -> Any:
    return one.message


def _without(gone: Sequence[Entry]) -> ZkResult:
    """Check broker 3's lines without some of them."""
    left = {id(one) for one in gone}
    return judge().told("altered", [one for one in _of_three() if id(one) not in left], None)


# -- sessions ----------------------------------------------------------------------------------------------------------
@pytest.mark.representative("True")
@pytest.mark.parametrize("alone", [False, True])
def test_a_cluster_whose_sessions_expire_conforms(alone: bool) -> None:
    """Controllers that stand still past their session, and brokers that cannot create logs: every line is a row."""
    records, transactions = _read("session-expiry")
    result = judge().told("session-expiry", records, None if alone else transactions)
    assert _said(result) == []
    assert (result.verdict, result.quarantined) == (Verdict.CONFORMS, [])
    assert result.rows["LI7"] == 72


def test_the_lines_of_one_broker_suffice() -> None:
    """Sixteen partitions twice not led, and twenty twice not followed that the same requests ask for."""
    result = judge().told("three", _of_three(), None)
    assert _said(result) == []
    assert result.rows["LI7"] == 72
    assert len(_of(_of_three(), BecomeLeaderFailed)) == 36


def test_without_its_exception_a_second_start_is_a_violation() -> None:
    """Who begins to lead in an epoch that it leads in already does what no row does: so without the failures' lines."""
    result = _without(_of(_of_three(), BecomeLeaderFailed))
    again = [one.line for one in _of(_of_three(), TransitionStarted) if _message(one).correlation_id == 23]
    assert {one.offset for one in result.violations if one.rule == "unexplained"} == set(again)
    assert len(again) == 16


def test_an_exception_is_told_of_every_partition() -> None:
    """A line that is missing of those that tell of one exception is found at the others."""
    lines = _of(_of_three(), BecomeLeaderFailed)
    for gone in (lines[0], lines[7], lines[-1]):
        request = [one for one in lines if _message(one).correlation_id == _message(gone).correlation_id]
        last = [one for one in request if one is not gone][-1]
        result = _without([gone])
        assert ("gap", last.line) in [(one.rule, one.offset) for one in result.violations]


def test_who_led_before_the_exception_leads() -> None:
    """A partition that was led when the exception came is at its leader epoch: without the line that says so, a gap."""
    started = next(one for one in _of(_of_three(), LeaderStarted) if _message(one).partition.topic == "wide1")
    result = _without([started])
    same = next(
        one
        for one in _of(_of_three(), LeaderAndIsrIgnored)
        if _message(one).partition == _message(started).partition and isinstance(_message(one).reason, SameLeaderEpoch)
    )
    assert ("unexplained", same.line) in [(one.rule, one.offset) for one in result.violations]


# -- directories -------------------------------------------------------------------------------------------------------
def test_a_cluster_whose_directories_fail_conforms() -> None:
    """What brokers answer of lost directories is a row each, and a broker's restart ends what it lost."""
    records, transactions = _read("log-dir-failure")
    result = judge().told("log-dir-failure", records, transactions)
    assert _said(result) == []
    ignored = [one for kind in (LeaderAndIsrIgnored, StopReplicaIgnored) for one in _of(records, kind)]
    offline = [one for one in ignored if isinstance(getattr(one.message, "reason", None), OfflineDirectory)]
    assert (result.rows["LI8"] + result.rows["SR5"], len(offline)) == (29, 29)


def _elected_by(one: Entry, leader: int, isr: tuple[int, ...]) -> Entry:
    message = one.message
    assert isinstance(message, PartitionElected)
    state = replace(message.state, leader=leader, members=tuple(BrokerState(n, -1) for n in isr))
    return replace(one, message=replace(message, state=state))


def _told_by(one: Operation, leader: int, isr: tuple[int, ...]) -> Operation:
    if one.op != "set" or not (one.path or "").endswith("/state"):
        return one
    return replace(one, data={**one.data, "leader": leader, "isr": list(isr)})


def test_a_leader_in_a_lost_directory_is_a_violation() -> None:
    """Where line and write agree on a leader whose replica was just marked as offline, no row explains either."""
    records, transactions = _read("log-dir-failure")
    place = next(
        n
        for n, one in enumerate(records)
        if isinstance(one, Entry)
        and isinstance(one.message, PartitionElected)
        and one.message.partition == TopicPartition("b", 3)
        and one.message.state.leader_epoch == 2
    )
    line = records[place]
    assert isinstance(line, Entry)
    number = next(
        n
        for n, one in enumerate(transactions)
        if one.happened
        and any(
            op.path == "/brokers/topics/b/partitions/3/state" and op.op == "set" and op.data["leader_epoch"] == 2
            for op in one.operations
        )
    )
    write = transactions[number]
    for leader, isr in ((4, (4,)), (4, (4, 1))):
        altered = [*records[:place], _elected_by(line, leader, isr), *records[place + 1 :]]
        wrote = replace(write, operations=tuple(_told_by(one, leader, isr) for one in write.operations))
        result = judge().told("altered", altered, [*transactions[:number], wrote, *transactions[number + 1 :]])
        assert (HISTORY, write.zxid) in [(one.segment, one.offset) for one in result.violations] or (
            FOUR,
            line.line,
        ) in [(one.segment, one.offset) for one in result.violations]


def _lives_on(transactions: Sequence[Transaction], broker: int) -> list[Transaction]:
    """Return a history in which a broker neither goes nor registers after its first registration."""
    path, found, registered = f"/brokers/ids/{broker}", [], False
    session = ""
    for one in transactions:
        creates = any(op.op == "create" and op.path == path for op in one.operations) and one.happened
        if creates and not registered:
            registered, session = True, one.session
        elif creates or any(op.op == "delete" and op.path == path for op in one.operations):
            one = replace(one, operations=tuple(replace(op, op="sync", path=None) for op in one.operations))
        elif one.session == session and any(op.op == "closeSession" for op in one.operations):
            one = replace(one, operations=tuple(replace(op, op="sync") for op in one.operations))
        found.append(one)
    return found


def test_a_lost_directory_does_not_come_back_by_itself() -> None:
    """Were the broker never away, its election after its directory was lost would have no row."""
    records, transactions = _read("log-dir-failure")
    elected = next(
        one for one in _of(records, PartitionElected)
        if _message(one).partition == TopicPartition("b", 3) and _message(one).state.leader_epoch == 2
    )  # fmt: skip
    result = judge().told("altered", records, _lives_on(transactions, 1))
    assert ("unexplained", FOUR, elected.line) in [(one.rule, one.segment, one.offset) for one in result.violations]


@pytest.mark.parametrize("change", [lambda reason: SameLeaderEpoch(7), lambda reason: SameLeaderEpoch(-1)])
def test_a_lost_directory_is_no_leader_epoch(change: Callable[[Any], Any]) -> None:
    """The same line with a leader epoch that the broker is not at as its reason is found."""
    records, transactions = _read("log-dir-failure")
    place = next(
        n
        for n, one in enumerate(records)
        if isinstance(one, Entry)
        and isinstance(one.message, LeaderAndIsrIgnored)
        and isinstance(one.message.reason, OfflineDirectory)
    )
    one = records[place]
    assert isinstance(one, Entry)
    wrong = replace(one, message=replace(one.message, reason=change(None)))
    result = judge().told("altered", [*records[:place], wrong, *records[place + 1 :]], transactions)
    assert one.line in [found.offset for found in result.violations]


def test_marks_are_read_where_they_stand() -> None:
    """Two lines of the recording say what a broker lost, one of each broker that did."""
    records, _ = _read("log-dir-failure")
    assert [_message(one).broker for one in _of(records, ReplicasMarkedOffline)] == [1, 4]
    assert len(_of(records, LeaderAndIsrSent)) > 100
