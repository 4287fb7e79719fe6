"""Requests that no broker sends, and what a controller of Kafka 4.4.0 answered: put to the tables and the reference."""

from pathlib import Path

import pytest

from fencepost.checkers.cli.answers_events import replay_events
from fencepost.checkers.conformance import conform
from fencepost.checkers.conformance.requests.results import EventResult
from fencepost.checkers.conformance.requests.traces import EventMonitor
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft.protocol import KRAFT
from fencepost.traces import find_logs, read_log

RECORDED = Path(__file__).parent / "odd_requests"
EVENTS = RECORDED / "events.ndjson.gz"
LINES, INACTIVE = 636, 182


@pytest.fixture(scope="module")
def judged() -> EventResult:
    """What the tables say of every request."""
    (source,) = find_logs([str(RECORDED)])
    return EventMonitor(KRAFT).judge_file(read_log(source), EVENTS)


def test_the_reference_answers_as_kafka_did() -> None:
    """Every request that ran has Kafka's answer and records; one whose deadline passed in the queue never ran."""
    found = replay_events(EVENTS, RECORDED)
    assert found.differences == []
    assert (found.inactive, found.expired, found.unknown) == (INACTIVE, 1, {})
    assert sum(found.requests.values()) == LINES - INACTIVE - 1


def test_the_tables_answer_as_kafka_did(judged: EventResult) -> None:
    """No request differs.

    A replica that is named twice is written twice, what is only validated writes nothing, and a leader that has not
    claimed yet may say that it is not active.
    """
    assert judged.differences == []
    assert judged.inactive == INACTIVE
    assert judged.rows["AD4"] > judged.judged["AssignReplicasToDirs"]


def test_what_no_row_is_asked_about_is_counted(judged: EventResult) -> None:
    """A name that is none, a factor that no cluster can host and a deadline that passed are counted with the reason."""
    reasons = {(name, reason) for name, by in judged.unasked.items() for reason in by}
    assert (judged.not_judged, judged.verdict) == ({}, Verdict.CONFORMS)
    assert len(reasons) == 4
    assert ("BrokerHeartbeat", "its deadline passed before its turn came: it never ran") in reasons
    assert any("INVALID_TOPIC_EXCEPTION" in reason for _, reason in reasons)
    assert sum(judged.judged.values()) == LINES - INACTIVE - 4


def test_the_log_alone_conforms() -> None:
    """A replica that is named twice with one directory is a record that changes nothing, explained by the request."""
    (log,) = conform([RECORDED], KRAFT).logs
    assert (log.violations, log.records) == ([], 294)
