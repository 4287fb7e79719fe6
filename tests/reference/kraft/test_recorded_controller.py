"""`fencepost answers --kind events`: a real controller's requests put to the reference, with the differences."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fencepost.reference.kraft.controller.hash_tables import first_of
from fencepost.reference.kraft.recorded import LogRecord, RecordedController, Replayed, log_records
from fencepost.reference.kraft.recorded_differences import same_records
from fencepost.reference.kraft.records import Message
from fencepost.reference.kraft.settings import Settings
from fencepost.traces import events as trace
from fencepost.traces import read_log
from fencepost.traces.event_files import read_events

FOLDER = Path(__file__).resolve().parents[3] / "traces" / "recorded" / "fake-chaos-elr"
SETTINGS = Settings(broker_session_timeout_ms=500)
MISRECORDED = {1660, 2637, 2776, 2827}
"""Lines whose request was sent with another broker epoch than the trace says."""


@pytest.fixture(scope="module")
def log() -> list[LogRecord]:
    """The log of the recorded controller."""
    return list(log_records(read_log(FOLDER)))


@pytest.fixture(scope="module")
def events() -> list[trace.Event]:
    """Its requests and answers."""
    return list(read_events(FOLDER / "events.ndjson.gz"))


def put(log: list[LogRecord], events: list[trace.Event], *repaired: str) -> Replayed:
    """Put requests to the reference along a log."""
    return RecordedController(log, replace(SETTINGS, repaired=frozenset(repaired))).put_all(events)


def test_every_answer_and_record_is_kafka_s(log: list[LogRecord], events: list[trace.Event]) -> None:
    """Of 3,584 requests all are answered and written as Kafka did, but for the four that were noted down wrongly.

    What the log has beside is what a controller writes by itself: its activation, its own registration, brokers that
    it fences, and nothing.
    """
    out = put(log, events)
    assert {one.line for one in out.differences} == MISRECORDED
    assert {one.request for one in out.differences} == {"AllocateProducerIds"}
    assert (sum(out.requests.values()), out.inactive, out.unknown) == (3571, 13, {})
    fences = out.injected.pop("BROKER_REGISTRATION_CHANGE_RECORD")
    assert (fences, out.injected.pop("NO_OP_RECORD"), out.injected.pop("LeaderChange")) == (28, 36, 3)
    assert out.injected.pop("REGISTER_CONTROLLER_RECORD") == 1
    assert set(out.injected) == {
        "BEGIN_TRANSACTION_RECORD", "FEATURE_LEVEL_RECORD", "CONFIG_RECORD", "END_TRANSACTION_RECORD",
        "PARTITION_CHANGE_RECORD",
    }  # fmt: skip
    assert out.written + sum(out.injected.values()) + 28 + 36 + 3 + 1 == len(log)


@pytest.mark.representative("D5-BrokerHeartbeat")
@pytest.mark.parametrize(("repair", "kafka"), [("D5", "BrokerHeartbeat"), ("D6c", "BrokerRegistration")])
def test_a_repair_is_a_difference(log: list[LogRecord], events: list[trace.Event], repair: str, kafka: str) -> None:
    """Repaired, the reference writes something else than the real controller did: the comparison sees it."""
    line = min({one.line for one in put(log, events, repair).differences} - MISRECORDED)
    event = events[line - 1]
    # D5 fails; with D6c a partition that is in the index twice is written twice, long before something fails.
    assert (event.request, event.error) == (kafka, "UNKNOWN_SERVER_ERROR" if repair == "D5" else "NONE")


ALTERED: list[tuple[str, Callable[[trace.Event], bool], dict[str, Any], str]] = [
    ("flag", lambda e: isinstance(e, trace.BrokerHeartbeat), {"is_fenced": True}, "isFenced"),
    ("epoch", lambda e: isinstance(e, trace.BrokerRegistration), {"broker_epoch": 99_999}, "brokerEpoch"),
    ("error", lambda e: isinstance(e, trace.CreateTopics), {"error": "POLICY_VIOLATION"}, "error"),
    ("part", lambda e: isinstance(e, trace.AlterPartition), {"answers": ("INVALID_REQUEST",)}, "answers"),
]


@pytest.mark.parametrize(("where", "fields", "column"), [one[1:] for one in ALTERED], ids=[one[0] for one in ALTERED])
def test_another_answer_is_a_difference(
    log: list[LogRecord], events: list[trace.Event], where: Any, fields: dict[str, Any], column: str
) -> None:
    """An answer that is altered differs on its line, in its column."""
    line = next(event.line for event in events if where(event) and event.error == "NONE")
    altered = [replace(event, **fields) if event.line == line else event for event in events[: line + 20]]
    differences = put(log, altered).differences
    assert (differences[0].line, column in {one.field for one in differences if one.line == line}) == (line, True)


def test_another_record_is_a_difference(log: list[LogRecord], events: list[trace.Event]) -> None:
    """A record that is altered in the log is one that the reference does not write."""
    place = next(n for n, one in enumerate(log) if one.message is not None and one.message.type == "PARTITION_RECORD")
    message = log[place].message
    assert message is not None
    other = replace(log[place], message=message._replace(data={**message.data, "leaderEpoch": 3}))
    differences = put([*log[:place], other, *log[place + 1 :]], events[:60]).differences
    assert "records" in {one.field for one in differences}


def test_records_of_a_fan_out_may_come_in_any_order() -> None:
    """Different partitions may change in any order; the changes of one may not, nor records of another kind."""

    def change(partition: int, isr: int) -> Message:
        return Message("PARTITION_CHANGE_RECORD", 2, {"topicId": "t", "partitionId": partition, "isr": [isr]})

    fence = Message("BROKER_REGISTRATION_CHANGE_RECORD", 0, {"brokerId": 1, "brokerEpoch": 5, "fenced": 1})
    one = [change(0, 1), change(1, 1), change(0, 2), fence]
    other = [change(1, 1), change(0, 1), change(0, 2), fence]
    assert same_records(one, other, ordered=False)
    assert not same_records(one, other, ordered=True)
    assert not same_records(one, [change(0, 2), change(1, 1), change(0, 1), fence], ordered=False)
    assert not same_records(one, [fence, *other[:3]], ordered=False)
    assert not same_records(one, other[:3], ordered=False)


def test_the_first_entry_of_a_hash_table() -> None:
    """Which partition is asked for the replication factor of further ones, as Kafka's hash table has it."""
    assert [first_of(count) for count in range(1, 12)] == [0, 0, 2, 2, 2, 5, 5, 5, 5, 5, 0]
    assert [first_of(count, again=True) for count in range(1, 6)] == [0, 0, 2, 2, 0]
    with pytest.raises(ValueError, match="no first entry"):
        first_of(0)
