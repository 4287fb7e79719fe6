"""Records that controllers wrote once, and those that no row is about: read over, or read as today."""

from pathlib import Path

from fencepost.checkers.conformance import LogResult, conform
from fencepost.checkers.operations.about import About
from fencepost.checkers.operations.moments import when
from fencepost.checkers.operations.story import story
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft.protocol import KRAFT
from fencepost.traces import Batch, MetadataLog, Record, find_log, read_log

from . import RECORDED
from .alter import Message, batch_at, rebuilt

FENCING = {1: "FENCE_BROKER_RECORD", -1: "UNFENCE_BROKER_RECORD"}


def judged(path: Path) -> LogResult:
    """Return what is found in a log."""
    (log,) = conform([path], KRAFT).logs
    return log


def as_once(record: Record, level: int) -> Message:
    """Return a record as a controller wrote it at a level of metadata.version below 3.3-IV2."""
    data = dict(record.data)
    if record.type == "FEATURE_LEVEL_RECORD" and data["featureLevel"] == 7:
        return record.type, record.version, {**data, "featureLevel": level}
    if record.type == "REGISTER_BROKER_RECORD":
        return record.type, 0, {name: value for name, value in data.items() if name != "inControlledShutdown"}
    if record.type == "BROKER_REGISTRATION_CHANGE_RECORD" and data.get("fenced"):
        return FENCING[data["fenced"]], 0, {"id": data["brokerId"], "epoch": data["brokerEpoch"]}
    return record.type, record.version, data


def test_what_was_written_before_3_3_iv2_is_judged_as_today(tmp_path: Path) -> None:
    """At 3.3-IV1 brokers are unfenced by UnfenceBroker: the same rows explain it, and the log says so in a note.

    The tables begin at 3.3-IV3: format and registrations at a lower level are no rows, and nothing else is missing.
    """
    log, unfenced = read_log(find_log(RECORDED / "metadata-upgrade")), 0
    upgrade = [one for one in _all(log) if one.type == "FEATURE_LEVEL_RECORD"][1].offset
    for old in [batch for batch in log.batches if batch.base_offset < upgrade]:
        news = [as_once(one, 5) for one in _records(old)]
        unfenced += sum(type == "UNFENCE_BROKER_RECORD" for type, _, _ in news)
        if news != [(one.type, one.version, one.data) for one in _records(old)]:
            batch = batch_at(log, old.base_offset)
            log = read_log(find_log(rebuilt(log, batch, news, tmp_path / str(old.base_offset))))
    found = judged(Path(log.path))
    early = [one for one in _all(log) if one.offset < upgrade]
    beyond = [one.offset for one in early if one.type in ("FEATURE_LEVEL_RECORD", "REGISTER_BROKER_RECORD")]
    assert ([one.offset for one in found.violations], unfenced) == (beyond, 3)
    note = "3 UNFENCE_BROKER_RECORD are the old form of BROKER_REGISTRATION_CHANGE_RECORD, and checked as such."
    assert note in found.notes


def test_a_credential_in_the_bootstrap_cuts_no_result() -> None:
    """The SCRAM users of a bootstrap are a part of its activation, and no record is passed through."""
    log = judged(RECORDED / "scram-bootstrap-4.4.0")
    assert (log.verdict, log.violations) == (Verdict.CONFORMS, [])
    assert (log.rows["AC1"], log.rows["SC12"]) == (1, 5)
    assert (log.as_json()["passed"], log.passed_through) == ({}, 0)


def test_a_migration_state_is_read_over_with_a_note(tmp_path: Path) -> None:
    """What controllers of 3.4 to 3.9 write in their bootstrap is no violation, and not silently left out."""
    log = judged(_with_migration_state(0, tmp_path))
    assert (log.verdict, log.violations) == (Verdict.CONFORMS, [])
    assert log.passed["ZK_MIGRATION_STATE_RECORD"] == 1
    assert any(note.startswith("1 ZK_MIGRATION_STATE_RECORD is read over") for note in log.notes)


def test_a_migration_state_that_there_is_not_is_a_violation(tmp_path: Path) -> None:
    """There are five states of a migration, 0 to 4: no controller writes a sixth."""
    log = judged(_with_migration_state(5, tmp_path))
    assert [violation.rule for violation in log.violations] == ["undecodable"]


def test_a_fence_of_old_is_no_record_of_today(tmp_path: Path) -> None:
    """From 3.3-IV2 on a controller writes BrokerRegistrationChange: its old form there is a violation."""
    log = read_log(find_log(RECORDED / "first-boot"))
    old, record = next(
        (batch, one)
        for batch in log.batches
        for one in batch.records
        if isinstance(one, Record) and one.type == "BROKER_REGISTRATION_CHANGE_RECORD" and one.data.get("fenced")
    )
    news = [as_once(one, 7) if one == record else (one.type, one.version, one.data) for one in _records(old)]
    found = judged(rebuilt(log, old, news, tmp_path / "altered"))
    assert [(one.rule, one.offset) for one in found.violations] == [("undecodable", record.offset)]


def _records(batch: Batch) -> list[Record]:
    return [one for one in batch.records if isinstance(one, Record)]


UPGRADED = Path(__file__).parent / "fixtures" / "kraft-version"
"""A log of 3.9.2, which wrote a FeatureLevel of kraft.version at 33, and from 65 on of 4.1.2; each has snapshots."""


def test_a_level_that_later_releases_read_over_is_in_the_snapshots_of_earlier_ones() -> None:
    """The snapshot of 3.9 has the FeatureLevel of kraft.version, those of 4.1 leave it out: all of them conform."""
    (found,) = conform([UPGRADED], None).logs
    assert (found.verdict, found.violations, found.doubts) == (Verdict.CONFORMS, [], [])
    assert [span.releases for span in found.spans] == [("3.9",), ("4.1",)]
    assert found.snapshots_compared == 5


def test_what_controllers_read_over_sets_nothing() -> None:
    """A story names a level that only Raft keeps without asking rows, and has no event for state 0, no migration."""
    source = find_log(UPGRADED)
    found = story(source, when("0", source), when("40", source), About())
    events = {one["offset"]: one for one in found["events"]}
    assert 3 not in events
    assert found["untold"]["ZK_MIGRATION_STATE_RECORD"] == 1
    assert "level 1 of kraft.version, which Raft keeps" in events[33]["words"]
    assert events[33]["explained"] is None


def _all(log: MetadataLog) -> list[Record]:
    return [one for batch in log.batches for one in _records(batch)]


def _with_migration_state(state: int, directory: Path) -> Path:
    """Write a log whose bootstrap has a ZkMigrationState in place of a SCRAM user."""
    log = read_log(find_log(RECORDED / "scram-bootstrap-4.4.0"))
    old = batch_at(log, 9)
    instead: Message = ("ZK_MIGRATION_STATE_RECORD", 0, {"zkMigrationState": state})
    news = [instead if one.offset == 9 else (one.type, one.version, one.data) for one in _records(old)]
    # Without the bootstrap checkpoint beside it, which would show the state there.
    return rebuilt(log, old, news, directory / "altered") / "00000000000000000000.log"
