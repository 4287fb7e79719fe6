"""Hidden cells have only values that the claims allow, and a record that implies another one demands it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pytest

from fencepost.checkers.conformance.monitor import Monitor
from fencepost.checkers.conformance.options import Options
from fencepost.checkers.conformance.passed import PASSED_THROUGH
from fencepost.checkers.conformance.results import LogResult
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft.protocol import KRAFT
from fencepost.model.language import Protocol
from fencepost.traces import MetadataLog, read_log

from . import RECORDED
from .alter import Message, batch_at, rebuilt

NO_OP: Message = ("NO_OP_RECORD", 0, {})
OF_STATIC = {"static_unclean": True}


@dataclass(frozen=True)
class Altered:
    """A recording in which the record at one offset is a NoOp, or the repetition of an earlier one.

    `found` is the offset of the first violation, `said` a part of its message; without `found` the log conforms, and
    `said` has the reason.
    """

    recording: str
    offset: int
    said: str
    found: int | None = None
    repeats: int | None = None
    data: Message | None = None


def _min_insync(kind: int, name: str, value: str) -> Message:
    return (
        "CONFIG_RECORD",
        0,
        {"resourceType": kind, "resourceName": name, "name": "min.insync.replicas", "value": value},
    )


STATIC, NINE, ROLLING, FAULT = (
    "static-settings-elr-4.4.0",
    "kill-nine-elr",
    "rolling-restart",
    "elr-directory-fault-4.4.0",
)
FOUND = [
    # What a topic's or the cluster's minimum clears is demanded, whichever row is said to have written it.
    Altered(STATIC, 332, "it would also write ClearElr(r)", 332),
    Altered(STATIC, 355, "it would also write ClearAllElr()", 355),
    Altered(STATIC, 377, "it would also write ClearAllElr()", 377),
    Altered(ROLLING, 187, "it would also write ClearElr(b)", 187, data=_min_insync(2, "b", "2")),
    Altered(ROLLING, 187, "it would also write ClearAllElr()", 187, data=_min_insync(4, "", "2")),
    Altered(NINE, 63, "it would also write ClearAllElr()", 63, repeats=27),
    # What clears without a minimum is no row's.
    Altered(NINE, 57, "CLEAR_ELR_RECORD", 57, repeats=53),
    # A topic's setting is not written where it stays the same.
    Altered(NINE, 63, "CONFIG_RECORD of name unc", 63, repeats=59),
    Altered(NINE, 63, "CONFIG_RECORD of name m1", 63, repeats=40),
    # Who is unfenced is not unfenced again.
    Altered(ROLLING, 71, "its guard asks fenced[b] where fenced[3] = false", 71, repeats=13),
    Altered(NINE, 63, "its guard asks fenced[b] where fenced[1] = false", 63, repeats=25),
    # What fences a leader names the partitions that it leaves.
    Altered(FAULT, 119, "it would also write PartitionChange", 122),
]
NOT_FOUND = [
    Altered(ROLLING, 54, "the expired session of a fenced broker fences it again (D23)", repeats=53),
    Altered(ROLLING, 82, "a broker that is silent may register again before the task fences it"),
    Altered(ROLLING, 12, "a feature is written again at the level that it has", repeats=4),
    Altered(ROLLING, 12, "the same process registers again", repeats=11),
    Altered(ROLLING, 12, "the same controller registers again", repeats=10),
    Altered(ROLLING, 14, "a later heartbeat names the cordoned directories"),
    Altered(FAULT, 122, "the leaders may have proposed the ISRs without the broker"),
    Altered("reassignment", 217, "a broker's setting is written again though it stays the same", repeats=213),
]
"""What no log can show: each is what Kafka may have written, for the reason given."""


@cache
def _log(recording: str) -> MetadataLog:
    return replace(read_log(RECORDED / recording), snapshots=())


@cache
def _monitor(recording: str, by_class: bool) -> Monitor:
    given = OF_STATIC if recording == STATIC else {}
    return Monitor(KRAFT, Options(PASSED_THROUGH, by_class=by_class, given=given))


def judged(one: Altered, directory: Path, by_class: bool = True) -> LogResult:
    """Return what is found of an altered recording."""
    log = _log(one.recording)
    batch = batch_at(log, one.offset)
    there = {
        r.offset: (r.type, r.version, dict(r.data)) for b in log.batches if not b.is_control for r in b.metadata_records
    }
    new = one.data or (NO_OP if one.repeats is None else there[one.repeats])
    messages = [new if r.offset == one.offset else there[r.offset] for r in batch.metadata_records]
    return _monitor(one.recording, by_class).judge(read_log(rebuilt(log, batch, messages, directory)))


def _name(one: Altered) -> str:
    return f"{one.recording}-{one.offset}-{'none' if one.repeats is None else one.repeats}"


@pytest.mark.representative(*(_name(FOUND[number]) for number in (1, 6, 7, 10, 11)), f"{ROLLING}-187-none0")
@pytest.mark.parametrize("one", FOUND, ids=_name)
def test_what_a_hidden_cell_cannot_be_is_found(one: Altered, tmp_path: Path) -> None:
    """A record that only an impossible value of a hidden cell would explain violates, at its offset."""
    result = judged(one, tmp_path)
    assert result.verdict is Verdict.VIOLATES
    # A claim about the row may be found broken at the record before the missing one.
    [found] = [each for each in result.violations if each.offset == one.found][:1]
    assert result.violations[0].offset in (one.found, one.found - 1)
    assert one.said in found.message


def test_what_kafka_may_have_written_conforms(tmp_path: Path) -> None:
    """What a hidden cell can be is not refused: the other alterations conform."""
    refused = []
    for number, one in enumerate(NOT_FOUND):
        (tmp_path / str(number)).mkdir()
        result = judged(one, tmp_path / str(number))
        refused += [(_name(one), v.offset, v.message) for v in result.violations]
    assert not refused


@pytest.mark.representative(_name(FOUND[6]))
@pytest.mark.parametrize("one", [FOUND[0], FOUND[6], FOUND[9]], ids=_name)
def test_without_classes_the_same_is_found(one: Altered, tmp_path: Path) -> None:
    """Evaluated record by record the log has the same violations as by class."""
    (tmp_path / "by-class").mkdir()
    (tmp_path / "plain").mkdir()
    by_class, plain = judged(one, tmp_path / "by-class"), judged(one, tmp_path / "plain", by_class=False)
    assert [v.message for v in plain.violations] == [v.message for v in by_class.violations]


def _asked(protocol: Protocol) -> dict[str, set[str]]:
    plans = Monitor(protocol, Options(PASSED_THROUGH)).plans.rows
    return {
        one.row.id: {str(part.term) for part in one.plan.conjuncts}
        for one in plans
        if one.row.event.name == "Heartbeat"
    }


def test_a_guard_implies_what_its_claims_say() -> None:
    """Rows about what the controller remembers of a heartbeat ask of the registration what B14 says that it is."""
    asked = _asked(KRAFT)
    assert {id for id, terms in asked.items() if "fenced[b]" in terms} == {"HB1", "HB2"}
    assert {id for id, terms in asked.items() if "not fenced[b]" in terms} == {"HB4", "HB5", "HB6", "HB7"}
    assert "not fenced[b] and in_controlled_shutdown[b]" in asked["HB10"]
    claims = tuple(one for one in KRAFT.properties if one.id != "B14")
    without = _asked(replace(KRAFT, name="kraft without B14", properties=claims))
    assert not any("fenced[b]" in term for terms in without.values() for term in terms)
