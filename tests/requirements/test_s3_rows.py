"""S3 (the KRaft controller), sentence by sentence, against the rows of the event loop: writes, commits, failovers."""

import pytest

from fencepost.model.kraft_loop.protocol import KRAFT_LOOP
from fencepost.model.kraft_loop.state import Future, RecordKind

from .tables import Tables

VERSION = (RecordKind.VERSION,)
IN_TRANSACTION = (RecordKind.BEGIN, RecordKind.VERSION, RecordKind.END)
SHORT = 12


def quorum(*, transactions: bool = False) -> Tables:
    """Return three controllers and three requests, before any election."""
    tables = Tables(KRAFT_LOOP, Controller=3, Request=3)
    tables["transactions"] = transactions
    return tables


def elect(tables: Tables, n: int, at: int | None = None) -> None:
    """Let Raft elect a node, with the log of the newest epoch, cut at an offset if one is given; it hears of it."""
    newest = tables["raft_epoch"]
    tables.do("Elect", n=n, d=newest, at=tables["log_end", newest] if at is None else at)
    tables.do("HearOfEpoch", n=n, e=newest + 1)


def deliver(tables: Tables, *nodes: int) -> None:
    """Let Raft deliver to nodes, in order, all of what is committed."""
    for n in nodes:
        while (to := next((end for end in range(SHORT) if tables.row("HandleCommit", n=n, to=end)), None)) is not None:
            tables.do("HandleCommit", n=n, to=to)


def commit(tables: Tables, *nodes: int) -> None:
    """Let all that is in the newest log be committed, and be delivered to nodes."""
    tables.do("RaiseHighWatermark", at=tables["log_end", tables["raft_epoch"]])
    deliver(tables, *nodes)


def active(*, transactions: bool = False) -> Tables:
    """Return a quorum whose node 0 is active, all of its bootstrap committed; all nodes know the epoch and have it."""
    tables = quorum(transactions=transactions)
    elect(tables, 0)
    tables.do("HandleLeaderChangeToMe", n=0)
    tables.do("CompleteActivation", n=0)
    for n in (1, 2):
        tables.do("HearOfEpoch", n=n, e=1)
    commit(tables, 0, 1, 2)
    return tables


def write(tables: Tables, n: int = 0, r: int = 0, records: int = 1, *, atomic: bool = True) -> None:
    """Send a request to a node, which writes records for it."""
    tables.do("Send", r=r, n=n)
    tables.do("Write", r=r, n=n, to=tables["next_write", n] + records, atomic=atomic)


def state(tables: Tables, n: int) -> tuple[int, ...]:
    """Return which records are in effect on a node, by their epochs."""
    return tuple(tables["effect", n, o] for o in range(SHORT))


def ends(tables: Tables, e: int = 1) -> list[int]:
    """Return where batches end in the log of an epoch."""
    return [s for s in range(SHORT) if tables["log_ends", e, s]]


def test_a_state_is_what_its_log_makes_of_it() -> None:
    """What is in effect on every node, active or not, is the data of its log up to where it has applied it."""
    tables = active()
    write(tables, records=2)
    assert state(tables, 0)[:4] == (1, 1, 1, 0)
    assert state(tables, 1)[:4] == (1, 0, 0, 0)
    commit(tables, 0, 1, 2)
    assert {state(tables, n) for n in range(3)} == {state(tables, 0)}


def test_a_write_is_applied_at_once_and_answered_when_stable() -> None:
    """The state has the records, and the log, before they are committed; the future completes with the commit."""
    tables = active()
    before = tables["next_write", 0]
    write(tables, records=2)
    assert (tables["applied", 0], tables["log_end", 1], tables["next_write", 0]) == (before + 2,) * 3
    assert (tables["stable", 0], tables["future", 0], tables["parked_at", 0]) == (before, Future.PARKED, before + 2)
    tables.do("RaiseHighWatermark", at=before + 2)
    assert tables["future", 0] is Future.PARKED
    shown = state(tables, 0)
    deliver(tables, 0)
    assert (tables["stable", 0], tables["future", 0]) == (before + 2, Future.ANSWERED)
    assert state(tables, 0) == shown


def test_two_nodes_with_the_same_log_have_the_same_state() -> None:
    """Nodes that have applied as much have the same state: the active one, a standby, and one that has renounced."""
    tables = active()
    write(tables, records=2)
    commit(tables, 0, 1)
    tables.do("FaultInEvent", n=0)
    assert tables["applied", 0] == tables["applied", 1]
    assert state(tables, 0) == state(tables, 1) != state(tables, 2)
    deliver(tables, 2)
    assert state(tables, 2) == state(tables, 0)


def test_a_failover_transfers_no_state() -> None:
    """A standby claims once it has applied all of the log with which its epoch begins, and writes from its end on."""
    tables = active()
    write(tables)
    tables.do("RaiseHighWatermark", at=2)
    elect(tables, 1)
    assert tables.row("HandleLeaderChangeToMe", n=1) is None
    deliver(tables, 1)
    had = state(tables, 1)
    tables.do("HandleLeaderChangeToMe", n=1)
    tables.do("CompleteActivation", n=1)
    assert (tables["claim", 1], tables["next_write", 1], state(tables, 1)) == (2, 2, had)
    write(tables, n=1, r=1)
    assert state(tables, 1)[:3] == (1, 1, 2)


def test_only_the_elected_node_claims_an_epoch() -> None:
    """No other node may claim it, and the one that did not yet."""
    tables = quorum()
    elect(tables, 0)
    for n in (1, 2):
        tables.do("HearOfEpoch", n=n, e=1)
        assert tables.row("HandleLeaderChangeToMe", n=n) is None
    assert tables.row("HandleLeaderChangeToMe", n=0) == "QK1"
    tables.do("HandleLeaderChangeToMe", n=0)
    assert [tables["claim", n] for n in range(3)] == [1, 0, 0]
    assert tables.row("HandleLeaderChangeToMe", n=0) is None


def test_a_standby_applies_what_is_committed_and_no_more() -> None:
    """Batches are delivered one after the other, up to the high watermark."""
    tables = active()
    write(tables, records=2, atomic=False)
    assert [tables.row("HandleCommit", n=1, to=to) for to in (2, 3)] == [None, None]
    tables.do("RaiseHighWatermark", at=2)
    assert [tables.row("HandleCommit", n=1, to=to) for to in (2, 3)] == ["QC2", None]
    deliver(tables, 1)
    assert (tables["applied", 1], state(tables, 1)[:3]) == (2, (1, 1, 0))


def test_a_standby_refuses_and_writes_nothing() -> None:
    """A write at a standby is answered NOT_CONTROLLER; none of the rows that write applies there."""
    tables = active()
    tables.do("Send", r=0, n=1)
    assert tables.row("Write", r=0, n=1, to=1, atomic=True) is None
    assert tables.row("RunPeriodicTask", n=1, to=1) is None
    before = tables["log_end", 1]
    tables.do("RefuseStandby", r=0, n=1)
    assert (tables["future", 0], tables["log_end", 1]) == (Future.NOT_CONTROLLER, before)


def test_the_append_of_an_old_leader_is_refused() -> None:
    """Once its Raft client knows of a newer epoch nothing is appended: it refuses the request, and renounces."""
    tables = active()
    elect(tables, 1)
    tables.do("HearOfEpoch", n=0, e=2)
    tables.do("Send", r=0, n=0)
    assert tables.row("RunPeriodicTask", n=0, to=2) is None
    assert tables.row("Write", r=0, n=0, to=2, atomic=True) == "QW6"
    tables.do("Write", r=0, n=0, to=2, atomic=True)
    assert (tables["log_end", 1], tables["claim", 0], tables["future", 0]) == (1, 0, Future.NOT_CONTROLLER)


def test_a_request_that_is_refused_changes_nothing() -> None:
    """An ApiException is an answer: no record, no failover."""
    tables = active()
    tables.do("Send", r=0, n=0)
    had = (state(tables, 0), tables["log_end", 1], tables["claim", 0])
    tables.do("RefuseRequest", r=0, n=0)
    assert (state(tables, 0), tables["log_end", 1], tables["claim", 0]) == had
    assert tables["future", 0] is Future.REFUSED


@pytest.mark.parametrize(("transactions", "kinds"), [(False, VERSION), (True, IN_TRANSACTION)])
def test_the_bootstrap_is_a_transaction_where_there_are_some(transactions: bool, kinds: tuple[RecordKind, ...]) -> None:
    """On an empty log the activation writes metadata.version, between Begin and End if its level has these; once."""
    tables = active(transactions=transactions)
    assert tuple(tables["log_kind", 1, o] for o in range(tables["log_end", 1])) == kinds
    elect(tables, 1)
    tables.do("HandleLeaderChangeToMe", n=1)
    tables.do("CompleteActivation", n=1)
    assert tables.ran[-1] == "QA5"
    assert tables["log_end", 2] == len(kinds)


def test_who_renounces_is_a_standby() -> None:
    """It has no claim, no next offset and no tasks, and applies again what is committed."""
    tables = active()
    elect(tables, 1)
    tables.do("HearOfEpoch", n=0, e=2)
    tables.do("HandleLeaderChange", n=0)
    assert (tables["claim", 0], tables["next_write", 0], tables["armed", 0]) == (0, 0, False)
    tables.do("HandleLeaderChangeToMe", n=1)
    tables.do("CompleteActivation", n=1)
    write(tables, n=1)
    commit(tables, 0, 1)
    assert state(tables, 0)[:2] == (1, 2)


def opened() -> Tables:
    """Return an active controller with a transaction that is open, with a record in it; all committed."""
    tables = active(transactions=True)
    tables.do("BeginTransaction", n=0)
    write(tables, r=1)
    commit(tables, 0, 1)
    return tables


def test_an_open_transaction_holds_the_stable_offset() -> None:
    """What is committed of it is not stable on any node, and its writer waits, until End is committed."""
    tables = opened()
    assert [(tables["committed", n], tables["stable", n]) for n in (0, 1)] == [(5, 3), (5, 3)]
    assert (tables["future", 1], tables["stable", 0]) == (Future.PARKED, 3)
    tables.do("EndTransaction", n=0)
    commit(tables, 0, 1)
    assert [(tables["committed", n], tables["stable", n]) for n in (0, 1)] == [(6, 6), (6, 6)]
    assert (tables["future", 1], tables["stable", 0]) == (Future.ANSWERED, 6)


def test_a_request_past_its_deadline_is_not_run() -> None:
    """Once its deadline is over none of the rows that run it applies: it is timed out, and has written nothing."""
    tables = active()
    tables.do("Send", r=0, n=0)
    tables.do("PassDeadline", r=0)
    assert tables.row("Write", r=0, n=0, to=2, atomic=True) is None
    assert tables.row("WriteNothing", r=0, n=0) is None
    tables.do("TimeOut", r=0)
    assert (tables["future", 0], tables["wrote_in", 0], tables["log_end", 1]) == (Future.TIMED_OUT, 0, 1)


def test_no_request_and_no_task_before_the_activation() -> None:
    """Between the claim and the end of the activation no request is run, and no task; both are after it."""
    tables = quorum()
    elect(tables, 0)
    tables.do("HandleLeaderChangeToMe", n=0)
    tables.do("Send", r=0, n=0)
    asked = [("Write", {"r": 0, "to": 2, "atomic": True}), ("WriteNothing", {"r": 0}), ("RunPeriodicTask", {"to": 2})]
    assert [tables.row(event, n=0, **values) for event, values in asked] == [None, None, None]
    assert not tables["armed", 0]
    tables.do("CompleteActivation", n=0)
    assert [tables.row(event, n=0, **values) for event, values in asked] == ["QW5", "QW8", "QW12"]
    assert tables["armed", 0]


def test_a_read_shows_what_is_stable() -> None:
    """A read shows no record that is applied and not committed, and none of an open transaction."""
    tables = active()
    write(tables)
    assert [tables.row("Read", n=0, o=o) for o in (0, 1)] == ["QW15", None]
    commit(tables, 0)
    assert tables.row("Read", n=0, o=1) == "QW15"
    tables = opened()
    assert [tables.row("Read", n=n, o=4) for n in (0, 1)] == [None, None]


def test_a_record_that_cannot_be_applied_comes_into_no_log() -> None:
    """The process ends, the log is as it was, and the request gets no answer."""
    tables = active()
    tables.do("Send", r=0, n=0)
    tables.do("FailToReplay", r=0, n=0)
    assert (tables["log_end", 1], tables["claim", 0], tables["applied", 0]) == (1, 0, 0)
    assert tables["future", 0] is Future.LOST
    assert tables.row("HandleLeaderChangeToMe", n=0) is None


def test_a_write_without_records_waits_for_those_before_it() -> None:
    """It is answered at once where all is stable, and else when what was written before it is."""
    tables = active()
    tables.do("Send", r=0, n=0)
    tables.do("WriteNothing", r=0, n=0)
    assert tables["future", 0] is Future.ANSWERED
    write(tables, r=1)
    tables.do("Send", r=2, n=0)
    tables.do("WriteNothing", r=2, n=0)
    assert (tables["future", 2], tables["parked_at", 2]) == (Future.PARKED, 2)
    commit(tables, 0)
    assert (tables["future", 2], tables["stable", 0]) == (Future.ANSWERED, 2)


@pytest.mark.parametrize("event", ["HandleLeaderChange", "FaultInEvent"])
def test_who_renounces_answers_all_that_wait(event: str) -> None:
    """All that are in its purgatory are answered NOT_CONTROLLER, with records and without."""
    tables = active()
    write(tables, r=0)
    tables.do("Send", r=1, n=0)
    tables.do("WriteNothing", r=1, n=0)
    elect(tables, 1, at=1)
    tables.do("HearOfEpoch", n=0, e=2)
    tables.do(event, n=0)
    assert [tables["future", r] for r in (0, 1)] == [Future.NOT_CONTROLLER] * 2


def test_a_write_that_was_answered_not_controller_may_be_committed() -> None:
    """The next leader's log may have its records, or have lost them."""
    for kept, end in ((True, 2), (False, 1)):
        tables = active()
        write(tables)
        tables.do("FaultInEvent", n=0)
        assert tables["future", 0] is Future.NOT_CONTROLLER
        elect(tables, 1, at=end)
        if kept:
            tables.do("RaiseHighWatermark", at=end)
            deliver(tables, 1)
        assert (tables["log", 2, 1] == 1) is kept
        assert state(tables, 1)[:2] == (1, 1 if kept else 0)


def test_an_atomic_result_is_one_batch() -> None:
    """No batch ends inside it: it can neither be committed nor be cut in the middle."""
    tables = active()
    write(tables, records=3)
    assert ends(tables) == [1, 4]
    assert tables.row("RaiseHighWatermark", at=2) is None
    assert [tables.row("Elect", n=1, d=1, at=at) for at in (1, 2, 3, 4)] == ["QR1", None, None, "QR1"]


def test_another_result_is_split() -> None:
    """It is several batches, with an in-memory snapshot after each, and may be cut between any two."""
    tables = active()
    write(tables, records=3, atomic=False)
    assert ends(tables) == [1, 2, 3, 4]
    assert [s for s in range(SHORT) if tables["snapshot", 0, s]] == [1, 2, 3, 4]
    assert [tables.row("Elect", n=1, d=1, at=at) for at in (1, 2, 3, 4)] == ["QR1"] * 4


def test_who_renounces_has_the_state_of_what_is_stable() -> None:
    """What is stable stays, to its last record; what is not is gone, to its first."""
    tables = active()
    write(tables, r=0)
    commit(tables, 0)
    write(tables, r=1, records=2)
    tables.do("FaultInEvent", n=0)
    assert state(tables, 0)[:4] == (1, 1, 0, 0)
    assert (tables["applied", 0], tables["stable", 0]) == (2, 2)
    tables = opened()
    tables.do("FaultInEvent", n=0)
    assert (tables["applied", 0], tables["transaction", 0], state(tables, 0)[4]) == (3, 0, 0)


def test_an_abort_restores_what_was_before_the_transaction() -> None:
    """On the controller that writes the Abort, and on a standby that applies it."""
    tables = opened()
    before = (0, 1, *(0,) * (SHORT - 2))
    elect(tables, 1)
    assert state(tables, 1)[4] == 1
    tables.do("HandleLeaderChangeToMe", n=1)
    tables.do("CompleteActivation", n=1)
    assert (tables.ran[-1], state(tables, 1), tables["transaction", 1]) == ("QA4", before, 0)
    tables.do("HearOfEpoch", n=2, e=2)
    commit(tables, 1, 2)
    assert (tables.ran[-1], state(tables, 2), tables["transaction", 2]) == ("QC5", before, 0)
    assert (tables["stable", 1], tables["stable", 2]) == (6, 6)


def test_a_transaction_that_was_left_open_is_aborted() -> None:
    """The activation ends none: an Abort is written; and where it was the bootstrap this is written anew."""
    tables = opened()
    elect(tables, 1)
    tables.do("HandleLeaderChangeToMe", n=1)
    tables.do("CompleteActivation", n=1)
    assert (tables["log_kind", 2, 5], tables["log_end", 2]) == (RecordKind.ABORT, 6)
    tables = quorum(transactions=True)
    elect(tables, 0)
    tables.do("HandleLeaderChangeToMe", n=0)
    tables.do("CompleteActivation", n=0)
    tables.do("RaiseHighWatermark", at=2)
    elect(tables, 1, at=2)
    deliver(tables, 1)
    tables.do("HandleLeaderChangeToMe", n=1)
    tables.do("CompleteActivation", n=1)
    assert tables.ran[-1] == "QA3"
    assert tuple(tables["log_kind", 2, o] for o in range(2, 6)) == (RecordKind.ABORT, *IN_TRANSACTION)
    assert state(tables, 1)[:6] == (0, 0, 0, 0, 2, 0)


def test_an_active_controller_has_a_snapshot_at_its_stable_offset() -> None:
    """From the claim on, and wherever the stable offset moves; those below it are dropped."""
    tables = quorum()
    elect(tables, 0)
    tables.do("HandleLeaderChangeToMe", n=0)
    assert tables["snapshot", 0, 0]
    tables.do("CompleteActivation", n=0)
    write(tables, records=2, atomic=False)
    for at in (1, 2, 3):
        tables.do("RaiseHighWatermark", at=at)
        deliver(tables, 0)
        assert tables["stable", 0] == at
        assert [s for s in range(SHORT) if tables["snapshot", 0, s]] == list(range(at, 4))


def test_a_fault_costs_the_leadership() -> None:
    """An exception that is no answer is UNKNOWN_SERVER_ERROR, nothing is written, and the node is a standby."""
    tables = active()
    tables.do("Send", r=0, n=0)
    tables.do("Fail", r=0, n=0)
    assert (tables["future", 0], tables["claim", 0], tables["log_end", 1]) == (Future.UNKNOWN, 0, 1)
    assert tables.row("HandleLeaderChangeToMe", n=0) is None
    elect(tables, 0)
    tables.do("HandleLeaderChangeToMe", n=0)
    assert tables["claim", 0] == 2


def test_a_callback_of_a_replaced_listener_changes_nothing() -> None:
    """A batch that is delivered to it again is not applied."""
    tables = active()
    before = tables.cells()
    tables.do("HandleCommitOfReplacedListener", n=1, to=1)
    assert tables.cells() == before


def behind() -> Tables:
    """Return a quorum whose node 2 has applied nothing, and node 1 all."""
    tables = quorum()
    elect(tables, 0)
    tables.do("HandleLeaderChangeToMe", n=0)
    tables.do("CompleteActivation", n=0)
    for n in (1, 2):
        tables.do("HearOfEpoch", n=n, e=1)
    write(tables, records=2)
    commit(tables, 0, 1)
    return tables


def test_a_standby_that_is_behind_loads_a_snapshot() -> None:
    """Its state and its offsets are those of the node whose snapshot it is, and it goes on from there."""
    tables = behind()
    tables["effect", 2, 7] = 1
    tables.do("HandleLoadSnapshot", n=2, m=1)
    assert state(tables, 2) == state(tables, 1)
    assert [tables[name, 2] for name in ("applied", "committed", "stable")] == [3, 3, 3]
    assert tables.row("HandleLoadSnapshot", n=2, m=1) is None
    write(tables, r=1)
    commit(tables, 2)
    assert state(tables, 2)[3] == 1


def test_an_active_controller_that_is_to_load_a_snapshot_ends() -> None:
    """It is a fatal fault: the process begins again with an empty state."""
    tables = behind()
    tables["claim", 2], tables["next_write", 2] = 1, 0
    assert tables.row("HandleLoadSnapshot", n=2, m=1) == "QS2"
    tables.do("HandleLoadSnapshot", n=2, m=1)
    assert (tables["claim", 2], tables["applied", 2], any(state(tables, 2))) == (0, 0, False)
