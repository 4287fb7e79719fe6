"""What a healthy cluster leaves without a line is no violation, and what it never leaves is one."""

from dataclasses import replace

from fencepost.checkers.verdicts import Verdict
from fencepost.traces.zk import Entry, Record, Transaction, Unparsed, gather
from fencepost.traces.zk.controller_lines import RemovedFromIsr, ReplicaChangeFailed

from . import judge, recorded


def _fenced(name: str) -> tuple[list[Record], tuple[Transaction, ...], int]:
    """Cut a controller's log in front of a batch of removals from ISRs: it was gone before it logged them."""
    records, transactions = recorded(name)
    removed = [x for e in gather(iter(records)).epochs for x in e.entries if isinstance(x.message, RemovedFromIsr)]
    # A removal that leaves no leader was written.
    cut = next(x for x in removed if isinstance(x.message, RemovedFromIsr) and x.message.state.leader == -1)
    kept = [
        x
        for x in records
        if not (isinstance(x, Entry) and x.file == cut.file and x.line >= cut.line and x.sender == cut.sender)
    ]
    return kept, transactions, len(removed)


def test_writes_of_a_controller_that_was_gone_before_it_logged_need_no_line() -> None:
    """The writes of an epoch's last batch may lack their lines: a controller fenced in its middle logs none of them."""
    records, transactions, removed = _fenced("kill-nine")
    # What brokers received of the lines that are gone is not asked.
    ours = [x for x in records if isinstance(x, Entry) and x.sender.role == "Controller"]
    result = judge().told("fenced", ours, transactions)
    assert [(v.rule, v.segment, v.offset, v.message) for v in result.violations] == []
    assert result.inferred["writes without a line"] > 0
    assert removed > 3


def test_refused_attempts_keep_the_state_and_are_no_violation() -> None:
    """A refused change is an event with a row of its own; with another state in it, it is a gap."""
    records, transactions = recorded("reassignment")
    place = next(
        n for n, x in enumerate(records) if isinstance(x, Entry) and isinstance(x.message, ReplicaChangeFailed)
    )
    entry = records[place]
    assert isinstance(entry, Entry)
    assert isinstance(entry.message, ReplicaChangeFailed)
    wrong = replace(entry, message=replace(entry.message, source="ReplicaDeletionSuccessful"))
    result = judge().told("refused", [*records[:place], wrong, *records[place + 1 :]], transactions)
    assert ("gap", entry.line) in [(v.rule, v.offset) for v in result.violations]


def test_unreadable_lines_are_quarantined_with_their_place() -> None:
    """A line that no kind explains is undecided, with its file and line: no controller did anything wrong there."""
    records, transactions = recorded("first-boot")
    broken = Unparsed("state-change.broker-2.log", 7, ("what is this",), "no kind reads like this")
    result = judge().told("broken", [*records, broken], transactions)
    assert (result.violations, result.verdict) == ([], Verdict.UNDECIDED)
    (doubt,) = result.doubts
    assert "state-change.broker-2.log, line 7: a release that is not known here" in doubt.message
    assert result.quarantined[0]["line"] == 7


def test_a_log_at_info_is_judged_by_what_it_has() -> None:
    """At INFO no change of a replica is logged, and none to Offline: what is left conforms all the same."""
    records, transactions = recorded("rolling-restart")
    told = [x for x in records if not isinstance(x, Entry) or x.level != "TRACE"]
    for history in (transactions, None):
        result = judge().told("info", told, history)
        assert [(v.rule, v.segment, v.offset, v.message) for v in result.violations] == []
        assert result.verdict is Verdict.CONFORMS


def test_one_wrong_line_is_one_violation() -> None:
    """What follows from a wrong line is not reported again: the observed state is taken over."""
    records, transactions = recorded("kill-nine")
    place = [n for n, x in enumerate(records) if isinstance(x, Entry) and isinstance(x.message, RemovedFromIsr)][5]
    entry = records[place]
    assert isinstance(entry, Entry)
    assert isinstance(entry.message, RemovedFromIsr)
    state = replace(entry.message.state, isr=(*entry.message.state.isr, 99))
    wrong = replace(entry, message=replace(entry.message, state=state))
    result = judge().told("wrong", [*records[:place], wrong, *records[place + 1 :]], transactions)
    assert [v.offset for v in result.violations] == [entry.line]
    assert result.violations[0].segment.startswith("state-change.broker-")
