"""Records of types that no known release has, as forks write them: behind one nothing is decided."""

import gzip
from dataclasses import replace
from pathlib import Path

import pytest

from fencepost.checkers.cause import Cause
from fencepost.checkers.conformance import PASSED_THROUGH, LogResult, Monitor, Options, conform
from fencepost.checkers.conformance.records.passed import UNKNOWN_TYPES, is_unknown
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft.protocol import KRAFT
from fencepost.traces import MetadataLog, Undecodable, read_log

from . import RECORDED

TYPE_511, VERSION_9, TRUNCATED = b"\1\xff\3\0", b"\1\5\x09", b"\1\5\0\1"


def with_unknown(log: MetadataLog, at: int, value: bytes = TYPE_511) -> MetadataLog:
    """Return a log with a record in place of the NoOp of a batch of its own that is the first from an offset on."""
    place = next(
        number
        for number, one in enumerate(log.batches)
        if one.base_offset >= at and [each.type for each in one.metadata_records] == ["NO_OP_RECORD"]
    )
    old = log.batches[place]
    odd = Undecodable(old.base_offset, old.base_timestamp, "unknown", None, value)
    batch = replace(old, records=(odd,), raw=None)
    return replace(log, batches=(*log.batches[:place], batch, *log.batches[place + 1 :]))


def judged(log: MetadataLog, *more: str) -> LogResult:
    """Check a log, reading over what is named beside what always is."""
    return Monitor(KRAFT, Options(PASSED_THROUGH | set(more))).judge(log)


@pytest.mark.parametrize("value", [TYPE_511, VERSION_9])
def test_nothing_is_decided_behind_a_record_of_an_unknown_type(value: bytes) -> None:
    """No violation, finding or coverage is reported behind it: the log is undecided from there on, with the cause."""
    recorded = read_log(RECORDED / "rolling-restart")
    whole, log = judged(recorded), with_unknown(recorded, 40, value)
    found = judged(log)
    assert whole.findings
    assert (found.verdict, found.violations, found.findings) == (Verdict.UNDECIDED, [], [])
    (doubt,) = found.doubts
    assert (doubt.first, doubt.last, doubt.cause) == (
        found.end_offset - 1, log.batches[-1].last_offset, Cause.NOT_MODELLED
    )  # fmt: skip
    assert "--skip-unknown" in doubt.message
    assert found.records < whole.records


def test_the_user_may_have_such_records_read_over() -> None:
    """Then the log is checked as it would be without it, and the record is counted as passed through."""
    log = with_unknown(read_log(RECORDED / "rolling-restart"), 40)
    plain, found = judged(read_log(RECORDED / "rolling-restart")), judged(log, UNKNOWN_TYPES)
    assert found.verdict is Verdict.CONFORMS
    assert found.passed[UNKNOWN_TYPES] == 1
    mine, theirs = ([(one.finding, one.offset) for one in each.findings] for each in (found, plain))
    assert mine == theirs


def test_bytes_that_do_not_parse_are_damage_still() -> None:
    """A record of a known type whose bytes are cut is no record of a fork."""
    odd = Undecodable(3, 0, "the body does not parse", None, TRUNCATED)
    assert not is_unknown(odd)
    log = with_unknown(read_log(RECORDED / "rolling-restart"), 40, TRUNCATED)
    assert [one.rule for one in judged(log, UNKNOWN_TYPES).violations][:1] == ["undecodable"]


def test_an_unknown_type_of_a_text_is_known_by_its_name(tmp_path: Path) -> None:
    """A dump names the type: one that no schema has leaves the log undecided from there on, too."""
    text = gzip.decompress((RECORDED / "first-boot" / "dump.txt.gz").read_bytes()).decode()
    first = next(line for line in text.splitlines() if '"type":"NO_OP_RECORD"' in line)
    (tmp_path / "dump.txt").write_text(text.replace(first, first.replace("NO_OP_RECORD", "INKLESS_RECORD"), 1))
    (found,) = conform([tmp_path / "dump.txt"], None).logs
    assert found.violations == []
    assert found.verdict is Verdict.UNDECIDED
    assert any("'INKLESS_RECORD' is no metadata record known here" in one.message for one in found.doubts)


def test_what_an_older_tool_could_not_read_is_undecided(tmp_path: Path) -> None:
    """The dump of a newer log by an older kafka-dump-log says so in place of the record: no controller is at fault."""
    text = gzip.decompress((RECORDED / "first-boot" / "dump.txt.gz").read_bytes()).decode()
    first = next(line for line in text.splitlines() if '"type":"NO_OP_RECORD"' in line)
    said = "Error at 1, skipping. org.apache.kafka.common.errors.UnsupportedVersionException: Unknown metadata id 29"
    (tmp_path / "dump.txt").write_text(text.replace(first, f"{first.partition('payload: ')[0]}payload: {said}", 1))
    (found,) = conform([tmp_path / "dump.txt"], None).logs
    assert (found.violations, found.verdict) == ([], Verdict.UNDECIDED)
    assert any("the tool is older than the record" in one.message for one in found.doubts)
