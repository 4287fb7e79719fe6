"""Clusters with deletions, and with leaders that write their ISRs themselves, conform; what is altered is found."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import pytest

from fencepost.checkers.conformance.zk import ZkResult
from fencepost.checkers.verdicts import Verdict
from fencepost.traces.zk import Entry, Operation, Record, Transaction, Unparsed, Znode, read_recording
from fencepost.traces.zk.controller_lines import ReplicaChanged

from . import LATER, RECORDED, judge, recorded

HISTORY = "znode-history.ndjson.gz"


@lru_cache(maxsize=2)
def _read(name: str) -> tuple[tuple[Record, ...], tuple[Transaction, ...], dict[str, Znode] | None]:
    found = read_recording(RECORDED / name)
    return tuple(found.records()), tuple(found.transactions()), found.final_znodes()


def _places(result: ZkResult) -> list[tuple[str, int]]:
    return [(violation.segment, violation.offset) for violation in result.violations]


def _said(result: ZkResult) -> list[tuple[str, str, int, str]]:
    return [(one.rule, one.segment, one.offset, one.message) for one in result.violations]


def _states(transactions: Sequence[Transaction]) -> list[int]:
    """Return the numbers of the transactions that write a state znode."""
    return [
        number
        for number, transaction in enumerate(transactions)
        if transaction.happened
        and any(one.op in ("create", "set") and (one.path or "").endswith("/state") for one in transaction.operations)
    ]


def _with(transactions: Sequence[Transaction], number: int, change: Callable[[Operation], Operation]) -> ZkResult:
    """Check a history alone in which the operations of one transaction are changed."""
    one = transactions[number]
    changed = replace(one, operations=tuple(map(change, one.operations)))
    return judge().told("altered", (), [*transactions[:number], changed, *transactions[number + 1 :]])


def _data(**columns: Callable[[Any], Any]) -> Callable[[Operation], Operation]:
    """Return a change of the data of an operation, column by column."""

    def change(one: Operation) -> Operation:
        if not isinstance(one.data, dict):
            return one
        return replace(one, data={**one.data, **{name: new(one.data) for name, new in columns.items()}})

    return change


@pytest.mark.representative("leaders-write")
@pytest.mark.parametrize("name", LATER)
def test_later_clusters_conform(name: str) -> None:
    """Logs and history, logs alone, the history alone: no false alarm, nothing unparsed."""
    records, transactions, final = _read(name)
    for lines, history in ((records, transactions), (records, None), ((), transactions)):
        result = judge().told(name, lines, history, final=final)
        assert _said(result) == []
        assert (result.verdict, result.quarantined) == (Verdict.CONFORMS, [])


@pytest.mark.parametrize("broker", [1, 2, 3, 4])
def test_one_brokers_log_conforms_where_a_topic_was_made_again(broker: int) -> None:
    """A broker that was never controller reports two topics of one name: no line of it contradicts the other."""
    result = judge().source(str(RECORDED / "topic-deletion" / f"state-change.broker-{broker}.log.gz"))
    assert _said(result) == []


@pytest.mark.representative("kill-nine")
@pytest.mark.parametrize("name", ["kill-nine", "reassignment", "rolling-restart"])
def test_a_term_keeps_what_is_known_when_another_term_is_missing(name: str) -> None:
    """With the logs of one of several controllers a line that claims a write does not unsettle the other partitions."""
    for file in sorted((RECORDED / name).glob("state-change*")):
        assert _said(judge().source(str(file))) == []


def test_isrs_that_leaders_wrote_are_counted_as_theirs() -> None:
    """Below 2.7 each leader writes its ISR: as many as keep the leader epoch, and no AlterPartition is inferred."""
    records, transactions, _ = _read("leaders-write")
    result = judge().told("leaders-write", records, transactions)
    own = sum(len(transactions[n].operations) == 1 for n in _states(transactions))
    assert result.inferred["ISRs written by their leaders"] == own > 20
    assert "AlterPartition" not in result.inferred


@pytest.mark.representative("change-ZA1", "change-unexplained")
@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (_data(isr=lambda data: [*data["isr"], 9]), "ZA1"),
        (_data(isr=lambda data: [*data["isr"], data["isr"][0]]), "unexplained"),
        (_data(isr=lambda data: [one for one in data["isr"] if one != data["leader"]] or [9]), "ZA2"),
        (_data(controller_epoch=lambda data: data["controller_epoch"] + 1), "epoch"),
    ],
)
def test_a_leaders_own_write_is_held_to_the_assumptions(change: Callable[[Operation], Operation], rule: str) -> None:
    """A leader that leaves itself out, takes in who is no replica, or names an epoch to come is found in place."""
    _, transactions, _ = _read("leaders-write")
    for number in [n for n in _states(transactions) if len(transactions[n].operations) == 1][::18]:
        result = _with(transactions, number, change)
        rules = {v.rule for v in result.violations if (v.segment, v.offset) == (HISTORY, transactions[number].zxid)}
        assert rules & {rule, "ZA1"}


def test_a_leader_may_not_write_where_the_controller_does() -> None:
    """Where AlterPartition is in use, one ISR that its leader writes past the controller is reported."""
    _, transactions, _ = _read("topic-deletion")
    wishes = [
        number
        for number in _states(transactions)
        if transactions[number].operations[-1].data["leader"] == transactions[number].writer
        and transactions[number].operations[-1].op == "set"
    ]
    one = transactions[wishes[0]]
    alone = replace(one, operations=(replace(one.operations[-1], multi=None),))
    altered = [*transactions[: wishes[0]], alone, *transactions[wishes[0] + 1 :]]
    assert (HISTORY, one.zxid) in _places(judge().told("altered", (), altered))


@pytest.mark.representative("change0")
@pytest.mark.parametrize(
    "change",
    [
        _data(isr=lambda data: [*data["isr"], 9]),
        _data(isr=lambda data: [*data["isr"], data["isr"][0]]),
        _data(controller_epoch=lambda data: data["controller_epoch"] + 1),
    ],
)
def test_a_controllers_write_names_its_epoch_and_replicas_once(change: Callable[[Operation], Operation]) -> None:
    """Another controller epoch, a stranger or a broker twice in the ISR is found at the write, by the history alone."""
    _, transactions, _ = _read("topic-deletion")
    for number in _states(transactions)[::200]:
        assert (HISTORY, transactions[number].zxid) in _places(_with(transactions, number, change))


@pytest.mark.representative("1-another broker")
@pytest.mark.parametrize("name", ["no epoch", "another broker"])
@pytest.mark.parametrize("election", [0, 1])
def test_controller_and_epoch_are_written_together(election: int, name: str) -> None:
    """An election without its epoch, and one that names another broker, are found where they stand."""
    _, transactions, _ = _read("topic-deletion")
    elections = [
        n
        for n, t in enumerate(transactions)
        if t.happened and (t.operations[0].op, t.operations[0].path) == ("create", "/controller")
    ]
    assert len(elections) == 2
    number = elections[election]
    one = transactions[number]
    other = replace(one.operations[0], data={**one.operations[0].data, "brokerid": 9})
    operations = (replace(one.operations[0], multi=None),) if name == "no epoch" else (other, *one.operations[1:])
    altered = [*transactions[:number], replace(one, operations=operations), *transactions[number + 1 :]]
    assert (HISTORY, one.zxid) in _places(judge().told("altered", (), altered))


def _deleted(transactions: Sequence[Transaction]) -> list[Transaction]:
    return [
        one
        for one in transactions
        if one.happened and any(op.op == "delete" and (op.path or "").endswith("/state") for op in one.operations)
    ]


def test_a_deletion_that_nobody_asked_for_is_found() -> None:
    """Without the wish in /admin/delete_topics each state znode that goes is reported at its zxid."""
    _, transactions, _ = _read("topic-deletion")
    asked = [n for n, t in enumerate(transactions) if t.happened and t.operations[0].path == "/admin/delete_topics/d"]
    altered = [one for number, one in enumerate(transactions) if number != asked[0]]
    gone = [one.zxid for one in _deleted(transactions) if "/d/" in (one.operations[-1].path or "")]
    assert gone
    assert {(HISTORY, zxid) for zxid in gone} <= set(_places(judge().told("altered", (), altered)))


def test_a_deletion_without_its_last_step_is_found() -> None:
    """Where no line says that a replica is gone, the deletion of the partition's state znode is reported."""
    records, transactions, _ = _read("topic-deletion")
    for zxid, path in [(one.zxid, one.operations[-1].path or "") for one in _deleted(transactions)][::12]:
        _, _, _, topic, _, number, _ = path.split("/")
        dropped = [
            one
            for one in records
            if not (
                isinstance(one, Entry)
                and isinstance(one.message, ReplicaChanged)
                and (one.message.partition.topic, str(one.message.partition.partition)) == (topic, number)
                and one.message.target == "NonExistentReplica"
            )
        ]
        assert len(dropped) < len(records)
        assert (HISTORY, zxid) in _places(judge().told("altered", dropped, transactions))


@pytest.mark.representative("a last write", "no znode")
@pytest.mark.parametrize("lost", ["a last write", "all behind it", "a version", "another leader", "no znode"])
def test_a_write_that_the_end_of_a_history_lost_is_found(lost: str) -> None:
    """The znodes at the end say what is missing: a last write, a version, a znode that was not deleted."""
    _, transactions, final = _read("topic-deletion")
    assert final is not None
    path = min((one for one in final if one.endswith("/state")), key=lambda one: final[one].mzxid)
    node = final[path]
    others: dict[str, tuple[Sequence[Transaction], dict[str, Znode]]] = {
        "a last write": ([one for one in transactions if one.zxid != node.mzxid], final),
        "all behind it": ([one for one in transactions if one.zxid < node.mzxid], final),
        "a version": (transactions, {**final, path: replace(node, version=node.version + 1)}),
        "another leader": (transactions, {**final, path: replace(node, data={**node.data, "leader": 9})}),
        "no znode": (transactions, {one: found for one, found in final.items() if one != path}),
    }
    told, znodes = others[lost]
    assert ("final-znodes.json", node.mzxid) in _places(judge().told("altered", (), told, final=znodes))


def _half(records: Sequence[Record], first: bool) -> list[Record]:
    """Return the first or the second half of each file."""
    found: list[Record] = []
    for file in dict.fromkeys(one.file for one in records):
        ours = [one for one in records if one.file == file]
        found += ours[: len(ours) // 2] if first else ours[len(ours) // 2 :]
    return found


@pytest.mark.parametrize("first", [True, False])
def test_logs_whose_older_or_newer_files_are_gone_conform(first: bool) -> None:
    """Changes outside all logs are not required, and a log that begins within an epoch is said to."""
    for name in ("kill-nine", "rolling-restart"):
        result = judge().told(name, _half(recorded(name)[0], first), None)
        assert _said(result) == []
        assert any("begins in the middle of epoch" in note for note in result.notes) == (not first)


def test_a_log_that_begins_within_a_stack_trace_says_so() -> None:
    """Lines without a date in front of the first record belong to one that is gone: they are left out, and reported."""
    records = recorded("kill-nine")[0]
    rest = Unparsed(
        records[0].file, 1, ("\tat java.lang.Thread.run(Thread.java:840)",), "the line has no date in front"
    )
    result = judge().told("kill-nine", (rest, *records), None)
    assert (_said(result), result.quarantined) == ([], [])
    assert any("begins in the middle of a record" in note for note in result.notes)
