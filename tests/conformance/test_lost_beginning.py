"""Logs whose beginning is lost: an access control entry, credential, token or quota made there may be removed."""

from dataclasses import replace
from pathlib import Path

import pytest

from fencepost.checkers.conformance import conform
from fencepost.checkers.verdicts import Verdict
from fencepost.traces import MetadataLog, build_batch, placed

from .alter import Message, batch_at, with_byte_flipped, without_batch, written
from .test_security import ISSUED, MONITOR, entry, no_credential, no_entry, no_token, of, quota, token, whole
from .test_security import credential as credential_of

ENDS = {
    "an entry": (entry(), no_entry(entry()[2]["id"])),
    "a credential": (credential_of(), no_credential("grace", 1)),
    "a token": (token(), no_token(ISSUED["tokenId"])),
    "a quota": (quota(entity=of(("user", "grace"))), quota(entity=of(("user", "grace")), value=0.0, remove=True)),
}
"""A record of each domain, and the one by which it is removed."""


def made(what: str) -> tuple[MetadataLog, int]:
    """Return a real log with a record of a domain behind its end and then its removal, and the offset of the first."""
    log, (there, gone) = whole(), ENDS[what]
    last = log.batches[-1]
    at, more = last.last_offset + 1, []
    for number, messages in enumerate(([there], [("NO_OP_RECORD", 0, {})], [gone])):
        more.append(build_batch(messages, base_offset=at + number, epoch=last.epoch, timestamp=0, segment=last.segment))
    batches = placed([*log.batches, *more], last.segment)
    return replace(log, batches=batches, segments=log.segments[-1:], snapshots=(), trailing_zeros=()), at


def removed_only(what: str) -> MetadataLog:
    """Return the log with the removal alone: without a beginning that is lost it violates."""
    log, at = made(what)
    nothing: Message = ("NO_OP_RECORD", 0, {})
    old = batch_at(log, at)
    instead = build_batch([nothing], base_offset=at, epoch=old.epoch, timestamp=0, segment=old.segment)
    batches = [instead if one is old else one for one in log.batches]
    return replace(log, batches=placed(batches, old.segment))


@pytest.mark.representative("a token")
@pytest.mark.parametrize("what", ENDS)
def test_whole_the_log_conforms(what: str) -> None:
    """With the record and its removal nothing is wrong: the tests below lose the record, and nothing else."""
    assert MONITOR.judge(made(what)[0]).verdict is Verdict.CONFORMS


@pytest.mark.representative("an entry", "a token")
@pytest.mark.parametrize("what", ENDS)
def test_without_its_snapshot_a_log_is_undecided(what: str, tmp_path: Path) -> None:
    """A log that begins behind a missing snapshot violates nothing, whatever it removes: it is not checked."""
    log, at = made(what)
    name = f"{at + 1:020d}.log"
    batches = placed([one for one in log.batches if one.base_offset > at], name)
    segment = replace(log.segments[-1], name=name, base_offset=at + 1)
    (found,) = conform([written(replace(log, batches=batches, segments=(segment,)), tmp_path)], None).logs
    assert (found.verdict, found.violations) == (Verdict.UNDECIDED, [])
    assert "no snapshot of what came before is beside it" in found.doubts[0].message


@pytest.mark.representative("a credential")
@pytest.mark.parametrize("what", ENDS)
def test_behind_what_cannot_be_read_nothing_violates(what: str, tmp_path: Path) -> None:
    """A removal behind an unreadable batch, in which the record was made, is no violation, and the log is undecided."""
    log, at = made(what)
    (found,) = conform([with_byte_flipped(log, at, tmp_path)], None).logs
    assert (found.verdict, found.violations) == (Verdict.UNDECIDED, [])


@pytest.mark.representative("an entry")
@pytest.mark.parametrize("what", ENDS)
def test_behind_a_gap_the_gap_alone_violates(what: str, tmp_path: Path) -> None:
    """Where offsets are missing the gap is a violation; the removal of what was made in it is none."""
    log, at = made(what)
    (found,) = conform([without_batch(log, at, tmp_path)], None).logs
    assert [one.rule for one in found.violations] == ["gap"]


@pytest.mark.representative("a token")
@pytest.mark.parametrize("what", ENDS)
def test_with_its_beginning_the_removal_violates(what: str) -> None:
    """Where every record is there, and none made what is removed, the removal is the violation."""
    log = removed_only(what)
    [violation] = MONITOR.judge(log).violations
    assert violation.offset == max(one.last_offset for one in log.batches)


@pytest.mark.representative("an entry")
@pytest.mark.parametrize("what", ENDS)
def test_what_is_known_again_is_asked_again(what: str, tmp_path: Path) -> None:
    """Behind a gap a second removal, which follows the first, violates: that one was seen."""
    log, at = made(what)
    last = log.batches[-1]
    again = build_batch(
        [ENDS[what][1]], base_offset=last.last_offset + 1, epoch=last.epoch, timestamp=0, segment=last.segment
    )
    twice = replace(log, batches=placed([*log.batches, again], last.segment))
    (found,) = conform([without_batch(twice, at, tmp_path)], None).logs
    rules = [(one.rule, one.offset) for one in found.violations]
    # A token may be removed again: it is looked up in an image that is behind.
    assert rules[1:] == ([] if what == "a token" else [("unexplained", last.last_offset + 1)])
