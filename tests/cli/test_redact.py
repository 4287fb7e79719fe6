"""`fencepost redact`: no name of the log is left, and what `conform` says of it stays the same."""

import base64
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.conformance import conform
from fencepost.traces import ControlRecord, MetadataLog, Record, read_log, write_log
from fencepost.traces.redaction import Redaction, texts_of

Says = Callable[..., Any]
LOG = "00000000000000000000.log"

NAMING = {
    "TOPIC_RECORD": ("name",),
    "CLEAR_ELR_RECORD": ("topicName",),
    "CONFIG_RECORD": ("resourceName",),
    "REGISTER_BROKER_RECORD": ("rack",),
    "ACCESS_CONTROL_ENTRY_RECORD": ("resourceName", "principal", "host"),
    "USER_SCRAM_CREDENTIAL_RECORD": ("name", "salt", "storedKey", "serverKey"),
    "REMOVE_USER_SCRAM_CREDENTIAL_RECORD": ("name",),
    "DELEGATION_TOKEN_RECORD": ("owner", "requester", "renewers", "tokenId"),
    "REMOVE_DELEGATION_TOKEN_RECORD": ("tokenId",),
}
"""The fields that name something, said here once more; hosts of end points and entities of quotas are beside."""

OF_KAFKA = {"", "*", "kafka-cluster", "__consumer_offsets", "__transaction_state", "__share_group_state"}


def records(log: MetadataLog) -> Iterator[Record | ControlRecord]:
    """Every record of a log and its snapshots."""
    for batch in (*log.batches, *(batch for one in log.snapshots for batch in one.batches)):
        for record in batch.records:
            assert isinstance(record, (Record, ControlRecord))
            yield record


def names(log: MetadataLog) -> set[str]:
    """The names, hosts and secrets of a log."""
    found: set[str] = set()
    for record in records(log):
        for name in NAMING.get(record.type, ()):
            found.update(texts_of(record.data.get(name)))
        ends = [
            *record.data.get("endPoints", ()),
            *(e for v in record.data.get("voters", ()) for e in v.get("endpoints", ())),
        ]
        found.update(one["host"] for one in ends)
        found.update(one["entityName"] for one in record.data.get("entity", ()) if one["entityName"])
    return {one for one in found if one not in OF_KAFKA and not one.isdecimal()}


def violations(path: Path) -> list[Any]:
    """The verdict on a log, with what it violates where, what it shows, and how many results each row has."""
    (result,) = conform([str(path)], None, causes=False).logs
    wrong = [(one.rule, one.offset, one.folded) for one in result.violations]
    shown = [(one.finding, one.by, one.offset) for one in result.findings]
    return [result.verdict, wrong, shown, result.rows, result.records, len(result.doubts)]


def redacted(fencepost_says: Says, log: Path, to: Path) -> dict[str, Any]:
    """Redact a log; what the command says."""
    said = fencepost_says("redact", log, "--to", to, "--json")
    assert said.code == 0, said.out
    return dict(said.document)


CLUSTER = "kafka-cluster"
SECURE = "scram-bootstrap-4.4.0"


@pytest.mark.representative("scram-bootstrap-4.4.0")
@pytest.mark.slow
@pytest.mark.parametrize("name", ["reassignment", SECURE, "upgrade-3.9-to-4.4", "suspects-4.4.0"])
def test_no_name_is_left_and_the_log_is_judged_the_same(
    fencepost_says: Says, recorded: Path, tmp_path: Path, name: str
) -> None:
    """Neither the bytes nor any field has a name, host or secret of the original; verdict, rows and offsets stay."""
    before = read_log(recorded / name)
    redacted(fencepost_says, recorded / name, tmp_path / "out")
    after = read_log(tmp_path / "out")
    whole = b"".join(path.read_bytes() for path in sorted((tmp_path / "out").iterdir()))
    old = names(before)
    assert old
    assert not {one for one in old if len(one) > 3 and one.encode() in whole}
    assert not {one for record in records(after) for one in texts_of(record.data)} & old
    secrets = {one for one in old if len(one) > 20 and one.endswith("=")}
    assert not {one for one in secrets if base64.b64decode(one) in whole}
    assert [r.offset for r in records(after)] == [r.offset for r in records(before)]
    assert violations(tmp_path / "out") == violations(recorded / name)


def test_security_is_redacted(recorded: Path, tmp_path: Path) -> None:
    """A user is one user in credentials, ACLs, quotas and tokens; hosts stay addresses; numbers and `*` stay."""
    log = read_log(recorded / "reassignment")
    topic = {"resourceType": 2, "resourceName": "r"}
    node = {"resourceType": 4, "resourceName": "1"}
    alice = {"entityType": "user", "entityName": "alice"}
    data: list[tuple[str, dict[str, Any]]] = [
        ("USER_SCRAM_CREDENTIAL_RECORD", {"name": "alice", "mechanism": 1, "salt": "c2VjcmV0", "iterations": 8192}),
        ("ACCESS_CONTROL_ENTRY_RECORD", {**topic, "principal": "User:alice", "host": "10.1.2.3"}),
        ("ACCESS_CONTROL_ENTRY_RECORD", {**node, "resourceName": CLUSTER, "principal": "User:*", "host": "*"}),
        ("CLIENT_QUOTA_RECORD", {"entity": [alice], "key": "producer_byte_rate"}),
        ("CONFIG_RECORD", {**node, "name": "ssl.key.password", "value": "1234"}),
        ("CONFIG_RECORD", {**topic, "name": "retention.ms", "value": "1000"}),
        ("CONFIG_RECORD", {**topic, "name": "cleanup.policy", "value": "compact,delete"}),
        ("CONFIG_RECORD", {**node, "name": "listeners", "value": "10.1.2.3"}),
    ]
    redaction = Redaction({"retention.ms", "cleanup.policy", "listeners"})
    redaction.log(log)
    scram, acl, cluster, quota, password, retention, policy, listeners = (
        redaction.record(Record(0, 0, type, 0, said)).data
        for type, said in data  # type: ignore[union-attr]
    )
    assert scram["name"] == quota["entity"][0]["entityName"] == acl["principal"].removeprefix("User:") == "user-1"
    assert (len(base64.b64decode(scram["salt"])), scram["salt"] != "c2VjcmV0", scram["iterations"]) == (6, True, 8192)
    assert acl["host"].startswith("198.18.")
    assert acl["resourceName"] == redaction.topic("r") != "r"
    assert (cluster["resourceName"], cluster["principal"], cluster["host"]) == (CLUSTER, "User:*", "*")
    assert (password["value"], password["name"][:8]) == ("value-1", "setting.")
    assert (retention["value"], policy["value"], listeners["value"]) == ("1000", "compact,delete", "value-2")


def test_names_that_collide_still_collide(recorded: Path, tmp_path: Path) -> None:
    """Topics whose names differ in a dot and an underscore get names that do, and no others get such ones."""
    log = read_log(recorded / "reassignment")
    topic = next(one for one in records(log) if one.type == "TOPIC_RECORD")
    assert isinstance(topic, Record)
    called = ["a.b", "a_b", "plain", "über", "n" * 250]
    some = tuple(replace(topic, offset=at, data={**topic.data, "name": one}) for at, one in enumerate(called))
    batch = replace(log.batches[1], records=some, base_offset=0, last_offset=len(some) - 1)
    redaction = Redaction(())
    redaction.log(replace(log, batches=(batch,), snapshots=()))
    dotted, underscored, plain, unfit, long = map(redaction.topic, called)
    assert dotted != underscored
    assert dotted.replace(".", "_") == underscored.replace(".", "_")
    assert not set(plain) & set("._")
    assert (unfit.endswith("!"), len(long)) == (True, 250)


@pytest.mark.slow
def test_a_violation_stays_where_it_is(fencepost_says: Says, recorded: Path, tmp_path: Path) -> None:
    """A log with an altered record violates at the same offset, by the same rule, redacted or not."""
    log = read_log(recorded / "reassignment")
    number, at = next(
        (number, at)
        for number, batch in enumerate(log.batches)
        for at, one in enumerate(batch.records)
        if isinstance(one, Record) and one.type == "PARTITION_CHANGE_RECORD" and one.offset > 100
    )
    batch = log.batches[number]
    one = batch.records[at]
    assert isinstance(one, Record)
    wrong = replace(one, data={**one.data, "isr": [1, 1]})
    changed = replace(batch, records=(*batch.records[:at], wrong, *batch.records[at + 1 :]))
    write_log(replace(log, batches=(*log.batches[:number], changed), trailing_zeros=()), tmp_path / "wrong")
    redacted(fencepost_says, tmp_path / "wrong", tmp_path / "out")
    mine = violations(tmp_path / "out")
    assert mine == violations(tmp_path / "wrong")
    assert mine[1]


def test_nothing_is_overwritten_and_damage_is_refused(fencepost_says: Says, recorded: Path, tmp_path: Path) -> None:
    """A directory with something in it, a file, a damaged log and a text are one sentence each; nothing is written."""
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "precious").write_text("x")
    for to in (tmp_path / "full", tmp_path / "full" / "precious"):
        said = fencepost_says("redact", recorded / "reassignment", "--to", to)
        assert (said.code, "nothing is overwritten" in said.sentence) == (2, True)
    assert (tmp_path / "full" / "precious").read_text() == "x"
    whole = (recorded / "reassignment" / LOG).read_bytes()
    (tmp_path / LOG).write_bytes(whole[:12000] + bytes([whole[12000] ^ 1]) + whole[12001:])
    said = fencepost_says("redact", tmp_path / LOG, "--to", tmp_path / "out")
    assert (said.code, "cannot be read" in said.sentence) == (2, True)
    dump = fencepost_says("redact", recorded / "reassignment" / "dump.txt.gz", "--to", tmp_path / "out")
    assert (dump.code, "give the binary log" in dump.sentence) == (2, True)
    assert not (tmp_path / "out").exists()


def test_the_document_says_what_was_replaced(fencepost_says: Says, recorded: Path, tmp_path: Path) -> None:
    """The counts by kind name nothing of the original."""
    document = redacted(fencepost_says, recorded / "reassignment", tmp_path / "out")
    assert document["replaced"]["topic"] == 2
    assert document["files"][0] == LOG
    assert "127.0.0.1" not in json.dumps(document)
