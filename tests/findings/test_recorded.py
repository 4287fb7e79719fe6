"""What recordings of real Kafka show of the findings, at the offsets that their pages name."""

import functools
import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.conformance import PASSED_THROUGH, Monitor, Options, conform
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft import KRAFT
from fencepost.traces import find_log, read_log
from tests.conformance.alter import until

RECORDED = Path(__file__).resolve().parents[2] / "traces" / "recorded"


@functools.cache
def listed(recording: str) -> frozenset[tuple[str, str, int]]:
    """Return what `conform` lists of a recording: finding, row or property, offset."""
    [log] = conform([RECORDED / recording / "00000000000000000000.log"], KRAFT).logs
    assert log.verdict is Verdict.CONFORMS
    return frozenset((one.finding, one.by, one.offset) for one in log.findings)


def payload(recording: str, offset: int) -> dict[str, Any]:
    """Return the data of the record at an offset, as Kafka's own dump has it."""
    with gzip.open(RECORDED / recording / "dump.txt.gz", "rt", encoding="utf-8") as lines:
        told = [one for one in lines if one.startswith(f"| offset: {offset} ") and "payload: " in one]
    data: dict[str, Any] = json.loads(told[-1].split("payload: ", 1)[1])["data"]
    return data


def timeline(recording: str) -> list[tuple[str, str]]:
    """Return what was done to a recorded cluster and what it answered."""
    told = json.loads((RECORDED / recording / "meta.json").read_text(encoding="utf-8"))["timeline"]
    return [(one["step"], one.get("result", "")) for one in told]


@pytest.mark.parametrize(
    ("recording", "finding", "by", "offset"),
    [
        ("suspects-4.4.0", "D5", "P18d", 218),
        ("suspects-4.4.0", "D15", "P5", 69),
        ("suspects-4.4.0", "D23", "F2", 89),
        ("elr-directory-fault-4.4.0", "D5", "P18d", 66),
        ("elr-index-fault-4.4.0", "D6", "P18", 53),
        ("node-config-moved-4.4.0", "D31", "D31", 128),
        ("node-config-moved-4.4.0", "D31", "D31", 199),
        ("node-config-moved-4.4.0", "D31", "D31", 411),
        ("min-isr-while-isr-empty-4.4.0", "D33", "P35", 98),
        ("min-isr-while-isr-empty-4.4.0", "D33", "P35", 100),
        ("min-isr-while-isr-empty-4.4.0", "D33", "P35", 222),
        ("min-isr-while-isr-empty-4.4.0", "D33", "P26", 222),
        ("levels-down-and-up-4.4.0", "D33", "P35", 166),
        ("classes-4.4.0/unfence-elr", "D34", "P32", 15),
        ("classes-4.4.0/unfence-no-elr", "D34", "P36", 13),
        ("classes-4.4.0/unfence-two-brokers", "D34", "P32", 19),
        ("classes-4.4.0/unfence-leader-without-isr", "D34", "P1w", 15),
    ],
)
def test_a_recording_shows_the_finding(recording: str, finding: str, by: str, offset: int) -> None:
    """Conform lists the finding at the offset that its page names."""
    assert (finding, by, offset) in listed(recording)


def test_a_failover_under_one_configuration_shows_none() -> None:
    """D31 is listed where the leader changes to a node of another configuration, and nowhere else.

    At 129, 200 and 412 the same node opens another epoch; later moves find no node's value that decides.
    """
    assert {offset for finding, _, offset in listed("node-config-moved-4.4.0") if finding == "D31"} == {128, 199, 411}
    assert not [one for one in listed("suspects-4.4.0") if one[0] == "D31"]


D33_AT = {"min-isr-while-isr-empty-4.4.0": {98, 100, 222}, "levels-down-and-up-4.4.0": {166}, "suspects-4.4.0": set()}
"""Where D33 is listed, by recording."""


def cleared(recording: str) -> set[int]:
    """Return the offsets of the records that forget eligible leader replicas."""
    log = read_log(find_log(RECORDED / recording))
    records = (one for batch in log.batches if not batch.is_control for one in batch.metadata_records)
    return {one.offset for one in records if one.type == "CLEAR_ELR_RECORD"}


def test_d33_is_shown_where_a_candidate_is_forgotten() -> None:
    """D33 is listed where a ClearElr forgets a candidate, and at none of the others of the same recordings."""
    for recording, offsets in D33_AT.items():
        assert {offset for finding, _, offset in listed(recording) if finding == "D33"} == offsets
        assert cleared(recording) > offsets


@functools.cache
def listed_up_to(offset: int) -> frozenset[tuple[str, str, int]]:
    """Return what is listed of the random requests up to an offset."""
    log = Monitor(KRAFT, Options(PASSED_THROUGH)).judge(until(read_log(find_log(RECORDED / "fake-chaos-elr")), offset))
    assert log.verdict is Verdict.CONFORMS
    return frozenset((one.finding, one.by, one.offset) for one in log.findings)


SOON, LATER = 210, 560
"""The offsets up to which the random requests are checked in every run, and every night."""


@pytest.mark.representative("D6-P18-191", "D11-P7s-203", "D15-P5-165")
@pytest.mark.parametrize(
    ("finding", "by", "offset"), [("D6", "P18", 191), ("D11", "P7s", 203), ("D14", "P13b", 537), ("D15", "P5", 165)]
)
def test_random_requests_show_the_finding(finding: str, by: str, offset: int) -> None:
    """One real controller, asked at random, comes to break the claim at the offset that the page names."""
    assert (finding, by, offset) in listed_up_to(SOON if offset < SOON else LATER)


@pytest.mark.nightly("test_random_requests_show_the_finding")
@pytest.mark.parametrize(
    ("finding", "by", "offset"), [("D5", "P18d", 1943), ("D12", "OD4", 1487), ("D24", "CF14", 4540)]
)
def test_many_random_requests_show_the_finding(finding: str, by: str, offset: int) -> None:
    """Asked thousands of times it comes to break further claims, at the offsets that the pages name."""
    assert (finding, by, offset) in listed("fake-chaos-elr")


def test_d6_the_broker_cannot_come_back() -> None:
    """D6c: after the topic is deleted the broker never registers again; controllers follow one another."""
    steps = timeline("elr-index-fault-4.4.0")
    [at] = [n for n, (step, _) in enumerate(steps) if step == "delete-topic gone"]
    later = dict(steps[at:])
    assert later["wait-brokers 3 5"].startswith("ERR")
    epochs = [result.split("epoch ")[1].split(" ")[0] for step, result in steps if step == "quorum"]
    assert int(epochs[-1]) > int(epochs[0]) > 1


def test_d6_one_partition_is_written_twice_in_one_result() -> None:
    """The index lists a partition twice, so that two equal records take the same broker out."""
    first, second = payload("fake-chaos-elr", 1691), payload("fake-chaos-elr", 1692)
    assert first == second
    assert first["eligibleLeaderReplicas"] == []


def test_d7_the_unregistered_broker_is_eligible() -> None:
    """One result makes broker 2 an eligible leader replica and unregisters it."""
    assert payload("suspects-4.4.0", 181)["eligibleLeaderReplicas"] == [2]
    assert payload("suspects-4.4.0", 182)["brokerId"] == 2


def test_d8_the_cancel_is_refused() -> None:
    """The partition has no ISR and broker 0 among its eligible leader replicas; the cancel is refused."""
    steps = timeline("suspects-4.4.0")
    [at] = [n for n, (step, _) in enumerate(steps) if step == "reassign d8-0:cancel"]
    assert "I=[] E=[0]" in steps[at - 1][1]
    assert "InvalidReplicaAssignmentException" in steps[at][1]


def test_d14_the_old_reassignment_goes_on() -> None:
    """Asked for [0,1,2,3] the partition ends with [1,2,3]: the broker to be removed before was removed all the same."""
    steps = dict(timeline("suspects-4.4.0"))
    assert steps["reassign d14-0:0,1,2,3"] == "OK d14-0=ok"
    assert "removingReplicas" not in payload("suspects-4.4.0", 79)
    assert "d14-0 L=1 R=[1, 2, 3]" in steps["describe"]


def test_d17_a_new_partition_has_too_many_replicas() -> None:
    """A topic with three replicas a partition gets one with five while partition 0 is being reassigned."""
    assert len(payload("suspects-4.4.0", 80)["replicas"]) == 5
    assert len(payload("suspects-4.4.0", 81)["replicas"]) == 5
    created = [step for step, _ in timeline("suspects-4.4.0") if step.startswith("create-assigned d17 ")]
    assert created == ["create-assigned d17 0:0,1,2"]
