"""Logs of Kafka's own classes, and alterations: a record that a result has twice is explained by D6 or by nothing."""

from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.conformance import LogResult, conform
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft import KRAFT
from fencepost.traces import MetadataLog, find_log, read_log

from . import RECORDED
from .alter import batch_at, rebuilt, with_record

CLASSES = RECORDED / "classes-4.4.0"
FINDINGS = {
    "stale-index-register": {("D6", 17), ("D6", 22)},
    "stale-index-unregister": {("D6", 17), ("D6", 22)},
    "unfence-elr": {("D34", 15)},
    "unfence-leader-without-isr": {("D34", 15), ("D34", 16)},
    "unfence-no-elr": {("D34", 13)},
    "unfence-two-brokers": {("D34", 19)},
}
"""What each log shows: findings, with the offset."""


def judged(path: Path) -> LogResult:
    """Return what is found in a log."""
    [log] = conform([path], KRAFT).logs
    return log


def read(name: str) -> MetadataLog:
    """Return the log of a case."""
    return read_log(find_log(CLASSES / name))


def messages(log: MetadataLog, offset: int) -> list[tuple[str, int, dict[str, Any]]]:
    """Return the records of the batch with an offset."""
    return [(one.type, one.version, dict(one.data)) for one in batch_at(log, offset).metadata_records]


@pytest.mark.parametrize("name", FINDINGS)
def test_a_log_of_the_classes_conforms_with_its_finding(name: str) -> None:
    """Every record is some row's, and the finding is named at the offset of the result that shows it."""
    log = judged(CLASSES / name)
    assert ([one.message for one in log.violations], log.verdict) == ([], Verdict.CONFORMS)
    assert {(one.finding, one.offset) for one in log.findings} == FINDINGS[name]


def test_every_log_of_the_classes_is_judged() -> None:
    """No case is left out."""
    assert {one.name for one in CLASSES.iterdir()} == FINDINGS.keys()


@pytest.mark.representative("stale-index-register--1")
@pytest.mark.parametrize(
    ("name", "times"),
    [
        ("stale-index-register", 1),
        ("stale-index-unregister", 1),
        # Once less in the other log could be a proposal of the leader in front of the result.
        ("stale-index-register", -1),
    ],
)
def test_a_partition_stands_as_often_as_the_index_has_it(name: str, times: int, tmp_path: Path) -> None:
    """The record of partition 0 once less, or once more, than its entries are is a violation."""
    log = read(name)
    made = messages(log, 25)
    again = next(at for at, one in enumerate(made) if one in made[:at])
    altered = made[:again] + made[again + 1 :] if times < 0 else [*made[:again], made[again], *made[again:]]
    assert judged(rebuilt(log, batch_at(log, 25), altered, tmp_path)).verdict is Verdict.VIOLATES


def test_an_index_that_is_right_explains_no_record_twice(tmp_path: Path) -> None:
    """Without the ClearElr that leaves the index as it is, the same repeated record is a violation."""
    log = read("unfence-two-brokers")
    offset = next(
        one.offset
        for batch in log.batches
        if not batch.is_control
        for one in batch.metadata_records
        if one.type == "PARTITION_CHANGE_RECORD" and len(batch.metadata_records) > 1
    )
    made = messages(log, offset)
    again = next(at for at, one in enumerate(made) if one[0] == "PARTITION_CHANGE_RECORD")
    altered = [*made[:again], made[again], *made[again:]]
    assert judged(rebuilt(log, batch_at(log, offset), altered, tmp_path)).verdict is Verdict.VIOLATES


def test_a_heartbeat_with_two_parts_writes_both(tmp_path: Path) -> None:
    """Without its election, or with the failed directory still among those that are left, the result is no row's."""
    log = read("unfence-elr")
    batch = batch_at(log, 15)
    made = messages(log, 15)
    fewer = [one for one in made if one[0] != "PARTITION_CHANGE_RECORD"]
    assert len(fewer) == len(made) - 1
    assert judged(rebuilt(log, batch, fewer, tmp_path / "fewer")).verdict is Verdict.VIOLATES
    records = [one for each in log.batches if not each.is_control for one in each.metadata_records]
    [every] = [one.data["logDirs"] for one in records if one.type == "REGISTER_BROKER_RECORD"]
    last = records[-1]
    assert set(last.data["logDirs"]) < set(every)
    other = with_record(log, last.offset, lambda data: {**data, "logDirs": every}, tmp_path / "other")
    assert judged(other).verdict is Verdict.VIOLATES
