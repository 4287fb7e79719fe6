"""Access control, SCRAM credentials, delegation tokens and client quotas in logs: damage and its legal neighbours."""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.conformance import PASSED_THROUGH, LogResult, Monitor, Options, conform
from fencepost.checkers.conformance.records.legality import never_written
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft.protocol import KRAFT
from fencepost.traces import MetadataLog, Record, build_batch, build_snapshot, find_log, placed, read_log
from tests.cases import each

from . import RECORDED
from .alter import Message, continued

MONITOR = Monitor(KRAFT, Options(PASSED_THROUGH))
Change = Callable[[list[Message]], list[Message]]
ACL, NOWHERE = "1m2E9bwdTFOflmV1fNyg_Q", "AAAAAAAAAAAAAAAAAAAAAQ"
"""An entry at the end of the log, and an id of nothing."""
ENTRY = {
    "id": "AAAAAAAAAAAAAAAAAAAABQ",
    "resourceType": 3,
    "resourceName": "g",
    "patternType": 4,
    "principal": "User:grace",
    "host": "*",
    "operation": 3,
    "permissionType": 2,
}
SCRAM = {"name": "grace", "mechanism": 1, "salt": "AAAA", "storedKey": "AAAA", "serverKey": "AAAA", "iterations": 4096}
ISSUED: dict[str, Any] = {
    "owner": "User:grace",
    "requester": "User:grace",
    "renewers": ["User:bob"],
    "issueTimestamp": 100,
    "maxTimestamp": 900,
    "expirationTimestamp": 300,
    "tokenId": "AAAAAAAAAAAAAAAAAAAABg",
}
ALICE = [{"entityType": "user", "entityName": "alice"}]
QUOTA = {"entity": ALICE, "key": "producer_byte_rate", "value": 7.0, "remove": False}


def entry(**other: Any) -> Message:
    """Return an AccessControlEntry."""
    return "ACCESS_CONTROL_ENTRY_RECORD", 0, {**ENTRY, **other}


def no_entry(id: str = ACL) -> Message:
    """Return the removal of an access control entry."""
    return "REMOVE_ACCESS_CONTROL_ENTRY_RECORD", 0, {"id": id}


def credential(**other: Any) -> Message:
    """Return a UserScramCredential."""
    return "USER_SCRAM_CREDENTIAL_RECORD", 0, {**SCRAM, **other}


def no_credential(name: str, mechanism: int) -> Message:
    """Return the removal of a credential."""
    return "REMOVE_USER_SCRAM_CREDENTIAL_RECORD", 0, {"name": name, "mechanism": mechanism}


def token(**other: Any) -> Message:
    """Return a DelegationToken."""
    return "DELEGATION_TOKEN_RECORD", 0, {**ISSUED, **other}


def no_token(id: str) -> Message:
    """Return the removal of a delegation token."""
    return "REMOVE_DELEGATION_TOKEN_RECORD", 0, {"tokenId": id}


def quota(**other: Any) -> Message:
    """Return a ClientQuota."""
    return "CLIENT_QUOTA_RECORD", 0, {**QUOTA, **other}


def of(*parts: tuple[str, str | None]) -> list[dict[str, str | None]]:
    """Return an entity of client quotas."""
    return [{"entityType": kind, "entityName": name} for kind, name in parts]


END = 160
"""What is in front of this offset of the log has all that is continued; the records behind it say nothing of that."""


@cache
def whole() -> MetadataLog:
    """A real log that has all four domains; alice and frank have credentials at END, ACL is an entry."""
    return read_log(find_log(RECORDED / "scram-bootstrap-4.4.0"))


def judged(directory: Path, *batches: list[Message]) -> LogResult:
    """Return what is found in the log with batches behind its last record of these domains."""
    return MONITOR.judge(read_log(continued(whole(), END, batches, directory / "log")))


BY_ADDRESS = {"key": "connection_creation_rate", "value": 5.0}
CASES = {
    "an entry is removed that never was": ([no_entry(NOWHERE)], "granted[", [no_entry()]),
    "an entry is removed twice": ([no_entry(), no_entry()], "granted[", [no_entry()]),
    "an id of an entry is given twice": ([entry(), entry(resourceName="h")], "granted[", [entry()]),
    "an entry is there twice": ([entry(), entry(id=NOWHERE)], "in_force[", [entry(), entry(id=NOWHERE, host="1")]),
    "an unknown resource type": ([entry(resourceType=8)], "resource_code[", [entry(resourceType=7)]),
    "any resource type": ([entry(resourceType=1)], "resource_code[", [entry(resourceType=2)]),
    "an unknown pattern": ([entry(patternType=2)], "pattern_code[", [entry(patternType=3)]),
    "an unknown operation": ([entry(operation=16)], "operation_code[", [entry(operation=15)]),
    "an unknown permission": ([entry(permissionType=1)], "permission_code[", [entry(permissionType=3)]),
    "no name of a resource": ([entry(resourceName="")], "resource_name[", [entry(resourceName="*")]),
    "a credential is removed that never was": (
        [no_credential("nobody", 1)], "has_credential[", [no_credential("alice", 1)],
    ),
    "a credential of another mechanism is removed": (
        [no_credential("frank", 1)], "has_credential[", [no_credential("frank", 2)],
    ),
    "a mechanism that there is not": ([credential(mechanism=3)], "mechanism[", [credential(mechanism=2)]),
    "a credential of no user": ([credential(name="")], "scram_user[", [credential()]),
    "too few iterations": ([credential(iterations=4095)], "hashed_enough", [credential(iterations=4096)]),
    "too many iterations": ([credential(iterations=16385)], "hashed_enough", [credential(iterations=16384)]),
    "a token is removed that never was": ([no_token(NOWHERE)], "owner[", [token(), no_token(ISSUED["tokenId"])]),
    "another owner of a token": (
        [token(), token(owner="User:eve")], "owner", [token(), token(expirationTimestamp=400)],
    ),
    "a token that lives too long": ([token(expirationTimestamp=901)], "until ≤ end", [token(expirationTimestamp=900)]),
    "a renewal beyond the end": ([token(), token(expirationTimestamp=901)], "owner[", [token(), token()]),
    "an entity of an unknown type": ([quota(entity=of(("group", "a")))], "quota_kinds[", [quota()]),
    "an address with a user": (
        [quota(entity=of(("ip", "1.2.3.4"), ("user", "a")))], "quota_kinds[",
        [quota(entity=of(("client-id", "i"), ("user", "a")))],
    ),
    "an entity without a name": ([quota(entity=of(("user", "")))], "quota_names[", [quota(entity=of(("user", None)))]),
    "no entity": ([quota(entity=[])], "quota_kinds[", [quota(entity=of(("client-id", None)))]),
    "a key that there is not": ([quota(key="sleep_rate")], "quota_key[", [quota(key="request_percentage")]),
    "a key of addresses for a user": (
        [quota(**BY_ADDRESS)], "quota_key[", [quota(entity=of(("ip", "::1")), **BY_ADDRESS)],
    ),
    "a value that it has already": ([quota(), quota()], "rate[", [quota(), quota(value=8.0)]),
    "a quota is removed that is not set": (
        [quota(key="consumer_byte_rate", value=0.0, remove=True)], "rate[", [quota(value=0.0, remove=True)],
    ),
}  # fmt: skip
"""Records behind a real log, what the sentence about its last record names, and the legal neighbour."""


@pytest.mark.representative(
    "an entry is removed that never was",
    "an entry is there twice",
    "an unknown resource type",
    "an id of an entry is given twice",
)
@pytest.mark.parametrize("case", CASES)
def test_what_no_controller_writes_is_a_violation(case: str, tmp_path: Path) -> None:
    """A record that no 4.4.0 controller writes there violates, at its offset, with the reason; nothing else does."""
    damage, reason, _ = CASES[case]
    found = judged(tmp_path, damage)
    [violation] = found.violations
    assert (violation.rule, violation.offset) == ("unexplained", found.end_offset - 1)
    assert reason in violation.message


VALUES = {
    "a quota of nothing": ([quota(value=0.0)], "above 0", [quota(value=1.0)]),
    "half a byte": ([quota(value=0.5)], "whole number", [quota(key="request_percentage", value=0.5)]),
    "more connections than there are": (
        [quota(entity=of(("ip", "::1")), key="connection_creation_rate", value=2.0**31)], "whole number",
        [quota(entity=of(("ip", "::1")), key="connection_creation_rate", value=2.0**31 - 1)],
    ),
    "no number": ([quota(key="request_percentage", value=float("nan"))], "finite", [quota(value=2.0**63)]),
}  # fmt: skip
"""As CASES, where the number says that no controller writes it."""


@pytest.mark.parametrize("case", VALUES)
def test_a_value_that_no_quota_has_is_a_violation(case: str, tmp_path: Path) -> None:
    """The numbers that 4.4.0 refuses as values of client quotas stand in no log, and the reason is said."""
    damage, reason, _ = VALUES[case]
    violation = judged(tmp_path, damage).violations[0]
    assert violation.rule == "undecodable"
    assert reason in violation.message


def test_a_release_before_took_numbers_that_are_none() -> None:
    """Until 4.3 no controller asked whether a value is finite: a NaN is above all, infinity above what is not whole."""
    whole, other = "producer_byte_rate", "request_percentage"
    for key, value, taken in (
        (other, math.inf, True), (whole, math.inf, False), (whole, math.nan, True), (other, -math.inf, False),
    ):  # fmt: skip
        record = Record(1, 0, "CLIENT_QUOTA_RECORD", 0, quota(key=key, value=value)[2])
        assert (never_written(record, "kraft 4.3") == "") is taken
        assert never_written(record, "kraft") != ""


@pytest.mark.representative(
    "an entry is removed that never was", "an entry is there twice", "an unknown resource type", "half a byte"
)
@pytest.mark.parametrize("case", CASES | VALUES)
def test_its_neighbour_conforms(case: str, tmp_path: Path) -> None:
    """What differs from the damage in one point, and is legal, conforms: in one batch, and in batches of their own."""
    legal = (CASES | VALUES)[case][2]
    assert judged(tmp_path / "one", legal).verdict is Verdict.CONFORMS
    if len(legal) > 1:
        assert judged(tmp_path / "more", *([one] for one in legal)).verdict is Verdict.CONFORMS


def test_the_order_of_an_entity_says_nothing(tmp_path: Path) -> None:
    """A quota of a user and a client id is one, in whichever order its record names them: its removal finds it."""
    there = quota(entity=of(("user", "u"), ("client-id", "c")))
    gone = quota(entity=of(("client-id", "c"), ("user", "u")), value=0.0, remove=True)
    assert judged(tmp_path, [there], [gone]).verdict is Verdict.CONFORMS


def test_what_stands_between_is_explained_by_itself(tmp_path: Path) -> None:
    """A damaged record among sound ones of other domains is one violation; theirs are explained around it."""
    found = judged(tmp_path, [quota(), no_entry(NOWHERE), credential(), token(), entry()])
    assert [(one.rule, one.entity) for one in found.violations] == [("unexplained", f"acl {NOWHERE}")]


def test_below_their_levels_nothing_of_them_is_written(tmp_path: Path) -> None:
    """Credentials came with metadata.version 3.5-IV2 and tokens with 3.6-IV2: an older level has neither."""
    log = read_log(find_log(RECORDED / "metadata-upgrade"))
    end = next(one.offset for batch in log.batches for one in batch.metadata_records if one.type == "TOPIC_RECORD")
    for number, (message, row) in enumerate(((credential(), "SC12"), (token(), "TK4"))):
        (found,) = conform([continued(log, end, [[message]], tmp_path / str(number))], KRAFT).logs
        [violation] = found.violations
        assert row in violation.message
        assert "metadata_version = 7" in violation.message


# -- snapshots ---------------------------------------------------------------------------------------------------------
LEFT_OUT: dict[str, Change] = {
    "an entry": lambda said: [one for one in said if one[0] != "ACCESS_CONTROL_ENTRY_RECORD"],
    "a credential": lambda said: [one for one in said if one[0] != "USER_SCRAM_CREDENTIAL_RECORD"],
    "a token": lambda said: [one for one in said if one[0] != "DELEGATION_TOKEN_RECORD"],
    "a quota": lambda said: [one for one in said if one[0] != "CLIENT_QUOTA_RECORD"],
}
OTHERWISE: dict[str, tuple[str, str, Any, str]] = {
    "what an entry says": ("ACCESS_CONTROL_ENTRY_RECORD", "operation", 4, "says["),
    "iterations": ("USER_SCRAM_CREDENTIAL_RECORD", "iterations", 9000, "iterations["),
    "the end of a token": ("DELEGATION_TOKEN_RECORD", "expirationTimestamp", 250, "expires_at["),
    "the owner of a token": ("DELEGATION_TOKEN_RECORD", "owner", "User:eve", "owner["),
    "the value of a quota": ("CLIENT_QUOTA_RECORD", "value", 8.0, "rate["),
}
ALL = [entry(), credential(), token(), quota()]


def summed_up(change: Change) -> LogResult:
    """Check a log that ends with one of each, with a snapshot of its end in which records are changed."""
    log = read_log(find_log(RECORDED / "snapshots"))
    whole = log.snapshots[1]
    batches = [batch for batch in log.batches if batch.last_offset < whole.end_offset]
    last = batches[-1]
    end = last.last_offset + 1
    more = build_batch(ALL, base_offset=end, epoch=last.epoch, timestamp=last.base_timestamp, segment=last.segment)
    said = [(one.type, one.version, dict(one.data)) for one in whole.records]
    made = build_snapshot(
        [*said, *change(list(ALL))],
        end_offset=end + len(ALL),
        epoch=last.epoch,
        timestamp=0,
        last_contained_timestamp=0,
    )
    name = f"{end + len(ALL):020d}-{last.epoch:010d}.checkpoint"
    snapshot = replace(made, segment=name, batches=placed(made.batches, name))
    return MONITOR.judge(
        replace(log, batches=(*batches, more), segments=log.segments[:1], snapshots=(snapshot,), trailing_zeros=())
    )


def test_a_snapshot_that_says_the_same_is_compared_in_silence() -> None:
    """With an entry, a credential, a token and a quota in it, in any order of an entity's parts."""
    found = summed_up(lambda said: said)
    assert (found.verdict, found.snapshots_compared, found.violations) == (Verdict.CONFORMS, 1, [])


@pytest.mark.parametrize("what", LEFT_OUT)
def test_what_a_snapshot_leaves_out_is_found(what: str) -> None:
    """Without its only record of one of the four domains a snapshot lacks what the log has."""
    [violation] = summed_up(LEFT_OUT[what]).violations
    assert violation.rule == "snapshot"


@each("what", OTHERWISE)
def test_what_a_snapshot_says_otherwise_is_found(what: str) -> None:
    """A field of a record in a snapshot that differs from the log is reported by its cell."""
    type_, name, value, cell = OTHERWISE[what]
    found = summed_up(lambda said: [(t, v, {**d, name: value} if t == type_ else d) for t, v, d in said])
    assert {one.rule for one in found.violations} == {"snapshot"}
    assert any(one.message.startswith(cell) for one in found.violations)


def test_a_state_that_a_snapshot_tells_is_known() -> None:
    """A log that begins by a snapshot knows what that says: what is removed behind it must have been there."""
    log = read_log(find_log(RECORDED / "snapshots"))
    whole = next(one for one in log.snapshots if one.end_offset > 1400)
    after = [batch for batch in log.batches if batch.base_offset >= whole.end_offset]
    for message, verdict in ((no_credential("nobody", 1), Verdict.VIOLATES), (credential(), Verdict.CONFORMS)):
        last = after[-1]
        more = build_batch(
            [message], base_offset=last.last_offset + 1, epoch=last.epoch, timestamp=0, segment=last.segment
        )
        segments = tuple(one for one in log.segments if one.name in {batch.segment for batch in after})
        made = replace(log, batches=(*after, more), segments=segments, snapshots=(whole,), trailing_zeros=())
        assert MONITOR.judge(made).verdict is verdict
