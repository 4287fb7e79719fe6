"""What a divergence comes from: each kind of planted fault is distinguished, and what cannot be is left open."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.cause import Cause, told_apart
from fencepost.checkers.conformance import LogResult, Violation, conform
from fencepost.checkers.conformance.explain.sensitivity import Alteration, Sensitivity, Survival
from fencepost.checkers.verdicts import Verdict
from fencepost.model.language import Protocol
from fencepost.model.releases import RELEASES
from fencepost.traces import MetadataLog, Undecodable, read_log

from . import RECORDED
from .alter import (
    Message,
    batch_at,
    ending_with,
    rewritten,
    until,
    with_batch_twice,
    with_byte_flipped,
    with_epoch,
    with_record,
    without_batch,
    written,
)

FENCE = 167
"""Of the recording, the first of four records of one result: three changes of partitions, and the fence behind them."""

CHANGE = 50
"""Of the recording, a change of a partition's ISR."""

SHORT = 60
"""Of the recording, where it is cut in tests that are about the first of these."""


@cache
def recorded(last: int | None = None) -> MetadataLog:
    """Return a recording of 247 records, or it up to an offset."""
    log = read_log(RECORDED / "reassignment")
    return log if last is None else replace(until(log, last), snapshots=())


def judged(path: Path, protocol: Protocol | None = None) -> LogResult:
    """Return the result of a log under the releases in force, or under one."""
    (log,) = conform([path], protocol, ask_others=True).logs
    return log


def first(path: Path, protocol: Protocol | None = None) -> Violation:
    """Return the first violation of a log."""
    return judged(path, protocol).violations[0]


STRUCTURAL: dict[str, Callable[[MetadataLog, Path], Path]] = {
    "gap": lambda log, to: without_batch(log, CHANGE, to),
    "order": lambda log, to: with_batch_twice(log, CHANGE, to),
    "epoch": lambda log, to: with_epoch(log, CHANGE, 99, to),
}


@pytest.mark.representative("gap", "epoch")
@pytest.mark.parametrize("rule", STRUCTURAL)
def test_lost_repeated_and_foreign_batches_are_damage(rule: str, tmp_path: Path) -> None:
    """A fault of offsets and epochs is reported as a damaged log, with the offset."""
    found = first(STRUCTURAL[rule](recorded(SHORT), tmp_path / "log"))
    assert (found.rule, found.cause) == (rule, Cause.DAMAGED_LOG)
    assert found.evidence[0].offset == found.offset


def test_a_wrong_checksum_is_damage(tmp_path: Path) -> None:
    """A batch that cannot be read leaves the log undecided, and that is reported as damage."""
    log = judged(with_byte_flipped(recorded(SHORT), CHANGE, tmp_path / "log"))
    assert log.verdict is Verdict.UNDECIDED
    assert [one.cause for one in log.doubts] == [Cause.DAMAGED_LOG]
    assert log.as_json()["undecided"][0]["cause"] == "damaged_log"


def test_a_record_that_stands_twice_is_damage(tmp_path: Path) -> None:
    """A record that is repeated under right offsets and checksums is reported as damage, with the record it repeats."""
    found = first(ending_with(recorded(SHORT), CHANGE, lambda all: [*all, all[-1]], tmp_path / "log"))
    assert found.cause is Cause.DAMAGED_LOG
    assert f"offset {CHANGE} says" in found.evidence[0].message


def test_a_historical_defect_is_named(tmp_path: Path) -> None:
    """A fence in front of the changes that it makes is what a defect of the museum writes, and the defect is named."""
    found = first(ending_with(recorded(), FENCE, lambda all: [all[-1], *all[:-1]], tmp_path / "log"))
    assert found.cause is Cause.KNOWN_DEFECT
    assert "fence-order" in found.evidence[0].message


def _of_release(name: str) -> Callable[[Message], Message]:
    """Return a change that has controllers register as a release."""

    def changed(message: Message) -> Message:
        kind, version, data = message
        if kind != "REGISTER_CONTROLLER_RECORD":
            return message
        level = RELEASES[name].newest_level
        features = [
            {**one, "maxSupportedVersion": level} if one["name"] == "metadata.version" else one
            for one in data["features"]
        ]
        return kind, version, {**data, "features": features}

    return changed


def test_another_release_than_the_leader_told_is_named(tmp_path: Path) -> None:
    """A leader that registers as 3.9 and writes what 4.3 does: the cause is another release, with the offsets."""
    found = first(rewritten(recorded(), _of_release("3.9"), tmp_path / "log"))
    assert found.cause is Cause.OTHER_RELEASE
    assert "4.3 explain offsets 0 to 246" in found.evidence[0].message


def test_another_release_than_was_asked_for_is_named() -> None:
    """A log checked with the tables of 3.9 diverges by its release, and every divergence says which explains it."""
    log = judged(RECORDED / "first-boot", RELEASES["3.9"].for_logs)
    assert log.verdict is Verdict.VIOLATES
    assert {one.cause for one in log.violations} == {Cause.OTHER_RELEASE}
    assert all(" explain offsets 0 to " in one.evidence[0].message for one in log.violations)


@pytest.mark.parametrize("value", [b"\x01\x7f\x00", b"\x01\x05\x00\x01"])
def test_a_record_that_cannot_be_read_is_told_apart(value: bytes, tmp_path: Path) -> None:
    """A type that no known release has leaves the log undecided; bytes that are none of their type are damage."""
    log, old = recorded(SHORT), batch_at(recorded(SHORT), CHANGE)
    odd = Undecodable(CHANGE, old.base_timestamp, "", None, value)
    batch = replace(old, records=(*old.records[: CHANGE - old.base_offset], odd), raw=None)
    kept = [one for one in log.batches if one.base_offset < old.base_offset]
    path = written(replace(log, batches=(*kept, batch), trailing_zeros=()), tmp_path / "log")
    if value[1] == 0x7F:
        found = judged(path)
        assert found.violations == []
        assert [(one.first, one.cause) for one in found.doubts] == [(CHANGE, Cause.NOT_MODELLED)]
    else:
        violation = first(path)
        assert (violation.rule, violation.offset, violation.cause) == ("undecodable", CHANGE, Cause.DAMAGED_LOG)


def test_what_diverges_alike_again_and_again_is_not_modelled(tmp_path: Path) -> None:
    """The same divergence in many batches is no accident of bytes: what Kafka does there is not in the tables."""

    def changed(message: Message) -> Message:
        kind, version, data = message
        if kind == "PARTITION_CHANGE_RECORD" and data.get("isr") and len(data) == 3:
            data = {**data, "leader": 77}
        return kind, version, data

    log = judged(rewritten(recorded(), changed, tmp_path / "log"))
    alike = [one for one in log.violations if one.cause is Cause.NOT_MODELLED]
    assert len(alike) >= 3
    assert "batches diverge alike" in told_apart(alike[0].evidence)


def test_a_snapshot_that_has_another_value_shows_damage(tmp_path: Path) -> None:
    """Kafka's snapshot has the partition otherwise, so that the record that diverges was altered later."""
    log = read_log(RECORDED / "snapshots")
    last = next(one for one in log.snapshots if one.end_offset > 100)
    log = replace(log, batches=tuple(one for one in log.batches if one.last_offset <= last.end_offset + 5))
    changes = [
        record
        for batch in log.batches
        for record in batch.metadata_records
        if record.type == "PARTITION_CHANGE_RECORD" and record.offset < last.end_offset and record.data.get("isr")
    ]
    offset = changes[-1].offset
    path = with_record(log, offset, lambda data: {**data, "isr": [77]}, tmp_path / "log")
    found = first(path)
    assert found.offset == offset
    assert found.cause is Cause.DAMAGED_LOG
    assert "Kafka's state was another" in told_apart(found.evidence)


@pytest.mark.representative("leader-77")
@pytest.mark.parametrize(("field", "value"), [("isr", [9]), ("leader", 77)])
def test_one_altered_value_cannot_be_told_apart(field: str, value: Any, tmp_path: Path) -> None:
    """A value altered under a right checksum may be damage, a defect or a wrong table: that cannot be distinguished."""

    def altered(data: dict[str, Any]) -> dict[str, Any]:
        return {**data, field: value}

    found = first(with_record(recorded(SHORT), CHANGE, altered, tmp_path / "log"))
    assert found.cause is Cause.CANNOT_TELL
    assert found.as_json()["cause"] == "cannot_tell"
    assert told_apart(found.evidence).startswith("cause: cannot tell")
    assert field != "leader" or "with leader 2 in place of 77, A14 explains the batch" in told_apart(found.evidence)


def test_a_log_that_conforms_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is replayed a second time where there is no violation."""

    def refused(*_: Any) -> None:
        raise AssertionError("asked of a log that conforms")

    monkeypatch.setattr("fencepost.checkers.conformance.by_term.tell_causes", refused)
    assert judged(RECORDED / "first-boot").verdict is Verdict.CONFORMS


def test_a_verdict_says_what_it_covers() -> None:
    """A log's rows and properties are counted against those of the tables, and no other is counted."""
    log = judged(RECORDED / "first-boot")
    said = log.as_json()["covered"]
    shown = {*log.rows, *(row for several in log.classes for row in several)}
    assert 0 < said["rows"] == len(shown) < said["rows_of_tables"]
    assert said["rows_of_tables"] == said["rows"] + len(log.rows_never_seen)
    met = [one for one in log.properties.values() if one.with_premise]
    assert (said["properties"], said["properties_of_tables"]) == (len(met), len(log.properties))
    assert said["instances"] == sum(one.with_premise for one in met)


def test_alterations_that_are_found_are_those_that_no_row_explains() -> None:
    """What is still explained, or undecided, is not counted as found."""
    survival = Survival(Alteration("R.f", "another"), ("A",), "open")
    measured = Sensitivity({survival.alteration: 9}, {survival: 6}, undecided=1)
    assert measured.found() == {"alterations": 9, "alterations_found": 2}
