"""Logs with another meaning, by fixed seeds: each violates, or is one that may be as well, for a reason named here."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from fencepost.checkers.conformance import PASSED_THROUGH, Monitor, Options
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft.protocol import KRAFT
from fencepost.traces import read_log
from tests.cases import each

from . import RECORDED
from .meanings import (
    BATCH_DOUBLED,
    BATCH_DROPPED,
    BATCHES_SWAPPED,
    FIELD_ALTERED,
    PARTITION_LEFT_OUT,
    RECORD_DOUBLED,
    RECORD_DROPPED,
    RECORDS_SWAPPED,
    Alterations,
    Altered,
)

MONITOR = Monitor(KRAFT, Options(PASSED_THROUGH))
ASKED = "a log does not show what was asked, or when: another request, or none, writes the altered log as it is"
CHOSEN = "a client, a broker or another node chooses the value, and no later record depends on it"
LAST = "a topic with fewer partitions may have been asked for"
SET = "the field is a set: in which order its members stand says nothing"
PROPOSED = "a leader may propose another ISR, or the same in another order, and no later record depends on it"
GIVEN_UP = "another target may have been asked for: the reassignment is given up later, whatever it was"
ORDER = "no row says in which order these records of a result come"
ONE_RESULT = {
    "PARTITION_RECORD",
    "TOPIC_RECORD",
    "BEGIN_TRANSACTION_RECORD",
    "END_TRANSACTION_RECORD",
    "CLEAR_ELR_RECORD",
}
"""Records that belong to a result with others: none of them may be left out, or come again, by itself."""

FIELDS = {
    ("REGISTER_CONTROLLER_RECORD", "controllerId"): CHOSEN,
    ("REGISTER_CONTROLLER_RECORD", "endPoints"): CHOSEN,
    ("REGISTER_CONTROLLER_RECORD", "features"): CHOSEN,
    ("REGISTER_CONTROLLER_RECORD", "incarnationId"): CHOSEN,
    ("REGISTER_BROKER_RECORD", "endPoints"): CHOSEN,
    ("REGISTER_BROKER_RECORD", "features"): CHOSEN,
    ("REGISTER_BROKER_RECORD", "incarnationId"): CHOSEN,
    ("REGISTER_BROKER_RECORD", "logDirs"): CHOSEN,
    ("REGISTER_BROKER_RECORD", "rack"): CHOSEN,
    ("CONFIG_RECORD", "name"): CHOSEN,
    ("CONFIG_RECORD", "resourceName"): CHOSEN,
    ("CONFIG_RECORD", "value"): CHOSEN,
    ("FEATURE_LEVEL_RECORD", "featureLevel"): ASKED,
    ("TOPIC_RECORD", "name"): CHOSEN,
    **{("USER_SCRAM_CREDENTIAL_RECORD", field): CHOSEN
       for field in ("name", "mechanism", "iterations", "salt", "storedKey", "serverKey")},
    **{("ACCESS_CONTROL_ENTRY_RECORD", field): CHOSEN
       for field in ("id", "resourceType", "resourceName", "patternType", "principal", "host", "operation",
                     "permissionType")},
    **{("DELEGATION_TOKEN_RECORD", field): CHOSEN
       for field in ("tokenId", "owner", "requester", "renewers", "issueTimestamp", "maxTimestamp",
                     "expirationTimestamp")},
    **{("CLIENT_QUOTA_RECORD", field): CHOSEN for field in ("entity", "key", "value")},
    **{("REMOVE_" + record, field): ASKED
       for record, field in (("DELEGATION_TOKEN_RECORD", "tokenId"), ("ACCESS_CONTROL_ENTRY_RECORD", "id"),
                             ("USER_SCRAM_CREDENTIAL_RECORD", "name"), ("USER_SCRAM_CREDENTIAL_RECORD", "mechanism"))},
    ("BROKER_REGISTRATION_CHANGE_RECORD", "fenced"): ASKED,
    ("BROKER_REGISTRATION_CHANGE_RECORD", "inControlledShutdown"): ASKED,
}  # fmt: skip
"""Fields of which another value may conform, each with the reason."""


SETS = ("removingReplicas", "addingReplicas")


def reason(altered: Altered, scenario: str) -> str:
    """Return why an altered log may conform, empty where there is no reason."""
    match altered.kind:
        case "batch dropped" | "batch doubled" | "batches swapped":
            return ASKED
        case "records swapped":
            return ORDER
        case "partition left out":
            return LAST
        case "record dropped" | "record doubled":
            last = altered.kind == RECORD_DROPPED and altered.type == "PARTITION_RECORD" and is_last(altered, scenario)
            return LAST if last else "" if altered.type in ONE_RESULT else ASKED
    if altered.type == "PARTITION_CHANGE_RECORD":
        return of_a_change(altered, scenario)
    return FIELDS.get((altered.type, altered.field), "")


def is_last(altered: Altered, scenario: str) -> bool:
    """Whether the partition is the one of its topic with the highest number."""
    topic, number = altered.was["topicId"], altered.was["partitionId"]
    records = alterations(scenario).log.records()
    return number == max(one.data["partitionId"] for one in records if one.data.get("topicId") == topic and
                         "partitionId" in one.data)  # fmt: skip


def of_a_change(altered: Altered, scenario: str) -> str:
    """Return why another value in a change of a partition may conform."""
    was, now, field = altered.was, altered.now, altered.field
    if field in SETS and sorted(was[field]) == sorted(now[field]):
        return SET
    if was.keys() == {"topicId", "partitionId", "isr"}:
        return PROPOSED if field == "isr" else ""
    if field in SETS and was.get("addingReplicas") and given_up(altered, scenario):
        return GIVEN_UP
    return ""


def given_up(altered: Altered, scenario: str) -> bool:
    """Whether the next change of the partition's replicas puts those back that it had before it gained any."""
    was = altered.was
    before = [broker for broker in was["replicas"] if broker not in was["addingReplicas"]]
    log = alterations(scenario).log
    later = (one.data for batch in log.batches if batch.base_offset > altered.offset for one in batch.metadata_records)
    same = (one for one in later if all(one.get(name) == was[name] for name in ("topicId", "partitionId")))
    return next((one["replicas"] for one in same if "replicas" in one), None) == before


@cache
def alterations(scenario: str) -> Alterations:
    """Return the altered versions of a recording."""
    return Alterations(read_log(RECORDED / scenario))


def judged(scenario: str, seeds: range) -> Counter[str]:
    """Check the altered versions of a recording, and return how many there are of each outcome."""
    found: Counter[str] = Counter()
    for seed in seeds:
        altered = alterations(scenario).altered(seed)
        if altered is None:
            continue
        result = MONITOR.judge(altered.log, bear=0)
        result.as_json()
        if result.verdict is Verdict.VIOLATES:
            found["violates"] += 1
            continue
        why = reason(altered, scenario)
        what = f"{scenario}, seed {seed}: {altered.kind}, {altered.type} {altered.field} at {altered.offset}"
        assert why, f"{what}: {result.verdict}"
        found[f"{altered.kind}: {why}"] += 1
    return found


@pytest.mark.representative("first-boot-30")
@pytest.mark.parametrize(("scenario", "count"), [("first-boot", 30), ("first-boot", 100), ("rolling-restart", 100)])
def test_another_meaning_is_seen_or_may_be(scenario: str, count: int) -> None:
    """Of so many altered logs each violates, or is one that a controller might have written, for a reason above."""
    found = judged(scenario, range(count))
    assert found["violates"] > 0.6 * found.total()


def test_the_recordings_conform_before_they_are_altered() -> None:
    """What an alteration is compared with has no violation."""
    for scenario in ("first-boot", "rolling-restart"):
        assert MONITOR.judge(alterations(scenario).log).verdict is Verdict.CONFORMS


@each(
    "kind",
    [
        RECORD_DROPPED, RECORD_DOUBLED, RECORDS_SWAPPED, BATCH_DROPPED, BATCH_DOUBLED, BATCHES_SWAPPED, FIELD_ALTERED,
        PARTITION_LEFT_OUT,
    ],
)  # fmt: skip
def test_every_kind_is_drawn(kind: str) -> None:
    """Each kind of alteration is among the seeds, keeps the offsets without a gap, and changes some record."""
    before = alterations("first-boot").log
    drawn = (alterations("first-boot").altered(seed) for seed in range(200))
    altered = next(one for one in drawn if one is not None and one.kind == kind)
    offsets = [record.offset for record in altered.log.records()]
    assert offsets == list(range(offsets[0], offsets[0] + len(offsets)))
    assert list(altered.log.records()) != list(before.records())


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("scenario", "seeds"),
    [("first-boot", 6000), ("rolling-restart", 6000), ("delete-recreate", 3000), ("reassignment", 6000),
     ("scram-bootstrap-4.4.0", 3000)],
)  # fmt: skip
def test_twenty_thousand_altered_logs(scenario: str, seeds: int, capsys: pytest.CaptureFixture[str]) -> None:
    """The same of five recordings, 24,000 seeds together, of which a sixth hits upon nothing that could be altered."""
    found = judged(scenario, range(seeds))
    with capsys.disabled():
        print(f"\n{scenario}: {found.total()} altered logs")
        for outcome, count in found.most_common():
            print(f"  {count:6} {outcome}")
