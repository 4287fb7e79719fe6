"""What a controller of Kafka 4.4.0 does that is seldom seen: refusals that write, and whole configurations."""

import gzip
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.conformance import conform
from fencepost.checkers.conformance.reading.monitor import Monitor
from fencepost.checkers.conformance.reading.options import Options
from fencepost.checkers.conformance.requests.refusals import Refusals, refusals_beside
from fencepost.checkers.conformance.requests.topics import first_partitions
from fencepost.checkers.conformance.requests.traces import EventMonitor
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft.protocol import KRAFT
from fencepost.reference.kraft.controller.hash_tables import first_of
from fencepost.traces import events as trace
from fencepost.traces import find_logs, read_log
from fencepost.traces.event_files import read_events
from tests.conformance.alter import with_record

GROWTH = Path(__file__).parent / "refused_growth"
SETTINGS = Path(__file__).parent / "cluster_settings"
FAKE = Path(__file__).resolve().parents[2] / "traces" / "recorded" / "fake-chaos-elr"
REFUSED, ADDED = 287, 151
ADDED_AS_REASSIGNED = 81


@pytest.fixture(scope="module")
def monitor() -> EventMonitor:
    """The tables, prepared for checks."""
    return EventMonitor(KRAFT)


def test_a_refused_request_adds_the_partitions_before_the_refused_one(monitor: EventMonitor) -> None:
    """D30: two partitions are asked for, the second one has no active replica: the first is written all the same."""
    (source,) = find_logs([str(GROWTH)])
    log, events = read_log(source), list(read_events(GROWTH / "events.ndjson.gz"))
    (refused,) = [one for one in events if one.line == REFUSED]
    assert (refused.request, refused.error) == ("CreatePartitions", "INVALID_REPLICATION_FACTOR")
    (written,) = [one for batch in log.batches for one in batch.records if one.offset == ADDED]
    assert (written.type, written.data["partitionId"]) == ("PARTITION_RECORD", 3)
    result = monitor.judge_file(log, GROWTH / "events.ndjson.gz")
    assert result.differences == []
    assert result.rows["CP6"] >= 1
    # What is refused before any row is asked is counted by name, and leaves nothing open.
    assert result.verdict is Verdict.CONFORMS
    assert sum(result.unasked["CreateTopics"].values()) > 1
    told = [replace(one, error="NONE") if one.line == REFUSED else one for one in events[: REFUSED + 5]]
    (difference,) = monitor.judge(log, told, 1500).differences
    assert difference.line in {REFUSED, REFUSED + 1}


def test_what_a_refused_request_would_have_written_is_a_difference(monitor: EventMonitor) -> None:
    """A request that is said to be refused by the validator, and wrote its records, is no refusal."""
    (source,) = find_logs([str(GROWTH)])
    events = list(read_events(GROWTH / "events.ndjson.gz"))
    made = next(one for one in events if one.request == "CreateTopics" and one.error == "NONE" and one.configs)  # type: ignore[attr-defined]
    told = [replace(one, error="INVALID_CONFIG") if one is made else one for one in events[: made.line + 5]]
    result = monitor.judge(read_log(source), told, 1500)
    assert result.verdict is Verdict.VIOLATES


def test_a_heartbeat_is_asked_where_its_unfence_stands(monitor: EventMonitor) -> None:
    """A heartbeat that came when its broker's fence was being written unfences it: it is not asked before the fence."""
    (source,) = find_logs([str(SETTINGS)])
    result = monitor.judge_file(read_log(source), SETTINGS / "events.ndjson.gz")
    assert (result.verdict, result.differences, result.events) == (Verdict.CONFORMS, [], 30)
    assert result.between["F1"] == 5


def test_several_settings_of_the_cluster_are_one_result() -> None:
    """A result that writes the cluster's minimum, deletes two other values and forgets who was eligible is a row's."""
    (log,) = conform([SETTINGS], KRAFT).logs
    assert (log.verdict, log.violations, log.records) == (Verdict.CONFORMS, [], 1396)


def test_a_minimum_that_forgets_nobody_is_found() -> None:
    """With eligible leader replicas on, such a result without its ClearElr is explained by no row."""
    (source,) = find_logs([str(SETTINGS)])
    log = read_log(source)
    (batch,) = [one for one in log.batches if one.base_offset == 979]
    assert [one.type for one in batch.records] == ["CONFIG_RECORD"] * 3 + ["CLEAR_ELR_RECORD"]
    assert batch.records[0].data["name"] == "min.insync.replicas"
    kept = replace(batch, records=tuple(one for one in batch.records if one.type != "CLEAR_ELR_RECORD"))
    short = replace(log, batches=tuple(kept if one is batch else one for one in log.batches if one.base_offset <= 979))
    assert Monitor(KRAFT, Options()).judge(short).violations != []


def test_the_epoch_that_came_is_the_controllers() -> None:
    """A refusal whose epoch the trace has wrong is put right by the controller's own line; no other request is."""
    refusals = refusals_beside(FAKE / "events.ndjson.gz")
    stale = [one for one in read_events(FAKE / "events.ndjson.gz") if one.error == "STALE_BROKER_EPOCH"]
    found = {one.line: refusals.really_sent(one) for one in stale}
    assert {line: came for line, came in found.items() if came is not None} == {
        1660: 434,
        2637: 2677,
        2776: 2981,
        2827: 3433,
    }


def test_a_line_of_the_controller_speaks_of_one_request(tmp_path: Path) -> None:
    """A line counts once, near its time and for the epoch that it names; a log that cannot be read shows nothing."""
    line = (
        "5000 3000 INFO QuorumController allocateProducerIds: event failed with StaleBrokerEpochException in 1 "
        "microseconds. Exception message: Expected broker epoch 7, but got broker epoch 6"
    )
    sent = trace.AllocateProducerIds(
        line=1, t_ms=5100, log_end=9, error="STALE_BROKER_EPOCH", broker=1, broker_epoch=7, start=0, length=0
    )
    refusals = Refusals([line, "something else"])
    assert refusals.really_sent(replace(sent, t_ms=9000)) is None
    assert refusals.really_sent(replace(sent, broker_epoch=8)) is None
    assert refusals.really_sent(replace(sent, error="NONE")) is None
    assert refusals.really_sent(sent) == 6
    assert refusals.really_sent(sent) is None
    (tmp_path / "controller.log.gz").write_bytes(gzip.compress(line.encode())[:20])
    assert refusals_beside(tmp_path / "events.ndjson").really_sent(sent) is None


def test_a_partition_that_is_added_has_as_many_replicas_as_one_that_there_is(tmp_path: Path) -> None:
    """A log does not show which partition of its topic Kafka asked; a number of replicas that none has is found."""
    (source,) = find_logs([str(FAKE.with_name("suspects-4.4.0"))])

    def fewer(data: dict[str, Any]) -> dict[str, Any]:
        return {**data, **{name: data[name][:-1] for name in ("replicas", "isr", "directories")}}

    (log,) = conform([with_record(read_log(source), ADDED_AS_REASSIGNED, fewer, tmp_path)], KRAFT).logs
    assert log.violations[0].offset == ADDED_AS_REASSIGNED


@pytest.mark.parametrize("changed", [False, True])
def test_which_partition_is_asked(changed: bool) -> None:
    """The order of Kafka's hash table is that of the reference, which is written apart."""
    for count in range(1, 100):
        assert first_partitions(count, changed) == {first_of(count, again) for again in {False, changed}}
