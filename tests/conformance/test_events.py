"""Event traces checked against the tables: a recording of random requests, right and wrong, and alterations of it."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.conformance.lockstep.compiled import CompiledRows
from fencepost.checkers.conformance.lockstep.controller_state import ControllerState
from fencepost.checkers.conformance.requests.log_cursor import LogCursor
from fencepost.checkers.conformance.requests.outcomes import Outcome, Reading
from fencepost.checkers.conformance.requests.results import EventResult
from fencepost.checkers.conformance.requests.traces import EventMonitor, session_timeout
from fencepost.checkers.verdicts import ExitCode, Refusal, Verdict
from fencepost.model.kraft import state as k
from fencepost.model.kraft.protocol import KRAFT
from fencepost.traces import MetadataLog, find_logs, read_log
from fencepost.traces import events as trace
from fencepost.traces.event_files import read_events

from .interpreted import ran
from .lockstep.plain import of_the_interpreter

RECORDED = Path(__file__).resolve().parents[2] / "traces" / "recorded" / "fake-chaos-elr"
TIMEOUT = 500
PREFIX = 183
LONGER = 240

Judge = Callable[[Sequence[trace.Event]], EventResult]


@pytest.fixture(scope="module")
def log() -> MetadataLog:
    """The log of the recording."""
    (source,) = find_logs([str(RECORDED)])
    return read_log(source)


@pytest.fixture(scope="module")
def events() -> list[trace.Event]:
    """The first events of the recording."""
    found = read_events(RECORDED / "events.ndjson.gz")
    return [event for event, _ in zip(found, range(LONGER), strict=False)]


@pytest.fixture(scope="module")
def monitor() -> EventMonitor:
    """The tables, prepared for checks."""
    return EventMonitor(KRAFT)


@pytest.fixture(scope="module")
def judged(monitor: EventMonitor, log: MetadataLog) -> Judge:
    """What the tables say of events."""
    return lambda events: monitor.judge(log, events, TIMEOUT)


def altered(events: Sequence[trace.Event], line: int, **fields: Any) -> list[trace.Event]:
    """Return the events with one of them changed."""
    assert any(event.line == line for event in events)
    return [replace(event, **fields) if event.line == line else event for event in events]


def test_a_prefix_conforms(events: list[trace.Event], judged: Judge) -> None:
    """Every answer of the first requests, nine kinds of them, is what the rows say, and every record is theirs."""
    result = judged(events[:PREFIX])
    assert result.differences == []
    assert (result.events, sum(result.judged.values()), result.not_judged) == (PREFIX, PREFIX, {})
    assert result.verdict is Verdict.CONFORMS
    assert result.exit_code is ExitCode.AS_DECLARED
    assert len(result.judged) == 9
    # What the controller wrote by itself is distinguished: it activates, registers, idles.
    assert set(result.between) == {"AC1", "NO1", "CR1"}


def test_the_state_goes_on_as_rows_say(
    events: list[trace.Event], judged: Judge, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a request the state is the one that the interpreter makes of its row, though its records come from the log.

    Offsets are the log's, where the tables count results.
    """
    outcomes, take, compared = CompiledRows.outcomes, LogCursor.take, list[str]()
    asked: list[tuple[Outcome, ControllerState]] = []
    counted = {k.log_end.state, k.registration_offset.state, k.shutdown_offset.state}  # type: ignore[attr-defined]

    def watched(self: CompiledRows, reading: Reading, controller: ControllerState, guard: bool = True) -> list[Outcome]:
        found, before = outcomes(self, reading, controller, guard), controller.copy()
        before.cells.others = controller.cells.others
        asked.extend((one, before) for one in found)
        return found

    def compare(self: LogCursor, outcome: Outcome, now: int, counts: bool = True) -> None:
        part, *others = outcome.parts
        asked_in = next(state for one, state in asked if one is outcome)
        asked.clear()
        _, changed = ran(part.row, part.binding, asked_in)
        told = {cell: value for cell, value in changed.items() if cell[0] not in counted}
        take(self, outcome, now, counts)
        if not others:
            assert {cell: self.controller.read(*cell) for cell in told} == told, part.row.id
            compared.append(part.row.id)

    monkeypatch.setattr(CompiledRows, "outcomes", watched)
    monkeypatch.setattr(LogCursor, "take", compare)
    assert judged(events[:PREFIX]).verdict is Verdict.CONFORMS
    assert {"R1", "R3", "HB2", "HB6", "HB8", "CT3", "A14", "RA3", "PI3", "CP5"} <= set(compared)


ALTERATIONS: list[tuple[int, dict[str, Any], str]] = [
    (4, {"broker_epoch": 27}, "brokerEpoch"),
    (16, {"error": "DUPLICATE_BROKER_REGISTRATION", "broker_epoch": -1}, "DUPLICATE_BROKER_REGISTRATION"),
    (19, {"is_fenced": True}, "isFenced"),
    (20, {"should_shut_down": True}, "shouldShutDown"),
    (33, {"is_caught_up": True}, "isCaughtUp"),
    (21, {"error": "STALE_BROKER_EPOCH"}, "STALE_BROKER_EPOCH"),
    (25, {"error": "TOPIC_ALREADY_EXISTS"}, "TOPIC_ALREADY_EXISTS"),
    (32, {"answers": ("INELIGIBLE_REPLICA",)}, "INELIGIBLE_REPLICA"),
    (35, {"error": "NOT_CONTROLLER"}, "NOT_CONTROLLER"),
    (36, {"answers": ("NO_REASSIGNMENT_IN_PROGRESS",)}, "NO_REASSIGNMENT_IN_PROGRESS"),
    (52, {"answers": ("NONE", "ELECTION_NOT_NEEDED")}, "ELECTION_NOT_NEEDED"),
    (88, {"answers": ("NONE",) * 3}, "NOT_LEADER_OR_FOLLOWER"),
    (89, {"start": 1000}, "end"),
    (144, {"error": "INVALID_PARTITIONS"}, "INVALID_PARTITIONS"),
]


@pytest.mark.representative("4-brokerEpoch", "21-STALE_BROKER_EPOCH", "35-NOT_CONTROLLER", "144-INVALID_PARTITIONS")
@pytest.mark.parametrize(("line", "fields", "word"), ALTERATIONS, ids=[f"{x[0]}-{x[2]}" for x in ALTERATIONS])
def test_an_altered_answer_is_found(
    events: list[trace.Event], judged: Judge, line: int, fields: dict[str, Any], word: str
) -> None:
    """One answer changed is one difference: on its line, naming the answer, with the rows that say otherwise."""
    (one,) = judged(altered(events[: line + 20], line, **fields)).differences
    assert (one.line, one.what) in {(line, "answer"), (line, "both")}
    assert word in one.message
    assert one.expected
    assert all(answer.rows for answer in one.expected)


def test_plain_and_compiled_rows_agree(events: list[trace.Event], log: MetadataLog, judged: Judge) -> None:
    """The interpreter evaluates requests, right and wrong, as the compiled rows do."""
    wrong = events[:PREFIX]
    for line, fields, _ in ALTERATIONS:
        wrong = altered(wrong, line, **fields)
    told = judged(wrong).as_json()
    assert len(told["differences"]) >= len(ALTERATIONS)
    monitor = EventMonitor(KRAFT)
    of_the_interpreter(monitor)
    assert monitor.judge(log, wrong, TIMEOUT).as_json() == told


def test_an_altered_request_is_found(events: list[trace.Event], judged: Judge) -> None:
    """A request changed so that it would have been answered and written otherwise is found on its line."""
    asks = judged(altered(events[:40], 20, want_fence=True)).differences
    assert asks[0].line == 20
    isr = events[31].partitions[0]  # type: ignore[attr-defined]
    moved = judged(altered(events[:40], 32, partitions=(replace(isr, isr=(4, 1), epochs=(32, 26)),))).differences
    assert [(one.line, one.what) for one in moved] == [(32, "records")]


def test_a_dropped_request_is_found(events: list[trace.Event], judged: Judge) -> None:
    """What a request wrote that is not in the trace is unexplained before the next one; its row is named."""
    (one,) = judged([event for event in events[:60] if event.line != 34]).differences
    assert (one.line, one.what, one.offset) == (35, "log", 42)
    assert "A14 could have written them" in one.message


def test_a_shifted_end_of_the_log_is_found(events: list[trace.Event], judged: Judge) -> None:
    """A request that is said to have come when its own records were in the log already is found on its line."""
    found = judged(altered(events[:60], 35, log_end=44)).differences
    assert {one.line for one in found} == {35}
    assert found[0].what == "log"


def test_an_end_beyond_the_log_is_found(events: list[trace.Event], judged: Judge) -> None:
    """A request that is said to have come when the log was longer than it is is found."""
    found = judged(altered(events[:60], 60, log_end=10_000)).differences
    assert {one.line for one in found} == {60}
    assert any("it ends at offset 4631" in one.message for one in found)


def test_what_cannot_be_asked_is_counted(events: list[trace.Event], judged: Judge) -> None:
    """A request that no row can be asked about is counted by kind and reason, and leaves the verdict open."""
    strange = trace.OtherRequest(line=41, t_ms=events[39].t_ms, log_end=45, error="NONE", name="Vote", columns={})
    result = judged([*events[:40], strange])
    assert (result.verdict, result.exit_code) == (Verdict.UNDECIDED, ExitCode.INCONCLUSIVE)
    assert {name: sum(counts.values()) for name, counts in result.not_judged.items()} == {"Vote": 1}
    assert result.differences == []


def test_a_trace_that_begins_late_is_undecided(events: list[trace.Event], judged: Judge) -> None:
    """Where brokers were registered before the trace began, what they reported is unknown, and there is no verdict."""
    result = judged(events[100:120])
    assert result.notes
    assert result.verdict is not Verdict.CONFORMS


def test_the_session_timeout_is_read(tmp_path: Path) -> None:
    """The session timeout is that of the `meta.json` beside the trace, if there is one and it says so."""
    assert session_timeout(RECORDED / "events.ndjson.gz") == TIMEOUT
    assert session_timeout(tmp_path / "events.ndjson") is None
    (tmp_path / "meta.json").write_text(json.dumps({"props": {}}))
    assert session_timeout(tmp_path / "events.ndjson") is None


def test_a_session_that_is_over_is_asked_of_the_clock(
    monitor: EventMonitor, log: MetadataLog, events: list[trace.Event]
) -> None:
    """A broker may be fenced for its silence when its session can be over: not with a timeout of ten minutes."""
    known = monitor.judge(log, events, TIMEOUT)
    assert known.between["F1"] >= 1
    assert not [one for one in known.differences if one.what == "log"]
    found = monitor.judge(log, events, 600_000).differences
    assert {one.what for one in found if "F1" in one.message} == {"log"}


def test_a_log_in_pieces_is_refused(monitor: EventMonitor, log: MetadataLog, events: list[trace.Event]) -> None:
    """A log with a gap, or without its beginning, is refused: one sentence says what is missing."""
    holed = replace(log, batches=log.batches[:30] + log.batches[31:])
    with pytest.raises(Refusal, match=r"records are missing after offset \d+; give the whole log"):
        monitor.judge(holed, events)
    headless = replace(log, batches=log.batches[30:])
    with pytest.raises(Refusal, match=r"records are missing before offset \d+"):
        monitor.judge(headless, events)
    with pytest.raises(Refusal, match=r"begins at offset \d+.* Give the snapshot"):
        monitor.judge(replace(headless, segments=()), events)


def test_a_log_that_begins_with_a_snapshot(monitor: EventMonitor) -> None:
    """Where a log goes on from a snapshot, requests are asked in the state that the snapshot holds."""
    (source,) = find_logs([str(RECORDED.parent / "snapshots")])
    whole = read_log(source)
    snapshot = next(one for one in whole.snapshots if one.end_offset > 0)
    kept = tuple(one for one in whole.batches if one.base_offset >= snapshot.end_offset)
    log = replace(whole, batches=kept, segments=())
    taken = next(one.data["name"] for one in snapshot.records if one.type == "TOPIC_RECORD")
    event = trace.CreateTopics(
        line=1, t_ms=0, log_end=snapshot.end_offset, error="TOPIC_ALREADY_EXISTS", name=taken, partitions=1,
        replication=1, assignment=None, configs=(),
    )  # fmt: skip
    assert monitor.judge(log, [event]).differences == []
    (one,) = monitor.judge(log, [replace(event, name="another")]).differences
    assert (one.line, one.what) == (1, "both")


def test_values_of_no_kind_are_not_judged(events: list[trace.Event], judged: Judge) -> None:
    """A request whose values are none that the tables have is reported as not checked, with the value."""
    last = events[39]
    odd = trace.ElectLeaders(
        line=41, t_ms=last.t_ms, log_end=last.log_end, error="INVALID_REQUEST", type="ANY", partitions=(), answers=()
    )
    result = judged([*events[:40], odd])
    assert result.verdict is Verdict.UNDECIDED
    assert "elections of type ANY" in next(iter(result.not_judged["ElectLeaders"]))


def test_answers_without_an_order_are_told_in_one(events: list[trace.Event], judged: Judge) -> None:
    """Answers whose order is open are compared as a set; where they differ, document and sentence list them."""
    last = events[39]
    request = trace.AlterUserScramCredentials(
        line=41, t_ms=last.t_ms, log_end=last.log_end, error="NONE", deletions=(("bob", 1), ("alice", 1)),
        upsertions=(), answers=(("bob", "NONE"), ("alice", "RESOURCE_NOT_FOUND")),
    )  # fmt: skip
    (one,) = judged([*events[:40], request]).differences
    assert "[('alice', 'RESOURCE_NOT_FOUND'), ('bob', 'NONE')]" in one.message
    told = json.loads(json.dumps(one.as_json()))
    assert told["recorded"]["answers"] == [["alice", "RESOURCE_NOT_FOUND"], ["bob", "NONE"]]
    assert told["expected"][0]["told"]["answers"] == [[name, "RESOURCE_NOT_FOUND"] for name in ("alice", "bob")]


def test_the_first_of_the_recording(monitor: EventMonitor, log: MetadataLog) -> None:
    """Of the first 400 answers all that the active controller gave are what the rows say."""
    result = monitor.judge(log, list(read_events(RECORDED / "events.ndjson.gz"))[:400], TIMEOUT)
    assert (result.differences, result.not_judged, result.corrected) == ([], {}, [])
    assert sum(result.judged.values()) + result.inactive == result.events == 400
    assert result.verdict is Verdict.CONFORMS


@pytest.mark.nightly("test_the_first_of_the_recording")
def test_the_whole_recording(monitor: EventMonitor, log: MetadataLog) -> None:
    """Of 3,584 answers all are what the rows say, with the four epochs that the controller's own log puts right."""
    result = monitor.judge_file(log, RECORDED / "events.ndjson.gz")
    assert (result.events, sum(result.judged.values()), result.inactive, result.not_judged) == (3584, 3571, 13, {})
    assert result.differences == []
    assert [one.split(":")[0] for one in result.corrected] == ["line 1660", "line 2637", "line 2776", "line 2827"]
    assert result.verdict is Verdict.CONFORMS


@pytest.mark.nightly("test_an_altered_answer_is_found[21-STALE_BROKER_EPOCH]")
def test_without_the_controllers_log_the_trace_is_believed(monitor: EventMonitor, log: MetadataLog) -> None:
    """Where nothing says that another epoch came, a right one that was refused is a difference."""
    events = list(read_events(RECORDED / "events.ndjson.gz"))
    # The records that the first of these answers continue are in front of them.
    found = [(one.line, one.request) for one in monitor.judge(log, events[1600:1670], TIMEOUT).differences]
    assert [one for one in found if one[0] > 1650] == [(1660, "AllocateProducerIds")]
