"""Access control, credentials, tokens and quotas in the reference: simulated runs, replay, the order of an entity."""

import random
from pathlib import Path

import pytest

from fencepost.checkers.cli.simulated import judged_alone
from fencepost.checkers.conformance import conform
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft.protocol import KRAFT
from fencepost.model.kraft.security import SECURITY
from fencepost.reference.kraft import levels
from fencepost.reference.kraft import messages as m
from fencepost.reference.kraft.controller.features import FeatureControlManager
from fencepost.reference.kraft.controller.security import SecurityManagers
from fencepost.reference.kraft.errors import Errors, ReplayError
from fencepost.reference.kraft.records import Message
from fencepost.reference.kraft.settings import Settings
from fencepost.reference.kraft.simulation.output import write_run
from fencepost.reference.kraft.simulation.plan import Plan
from fencepost.reference.kraft.simulation.run import Run
from fencepost.reference.timeline import SnapshotRegistry

ALICE = "SCRAM-SHA-256=[name=alice,password=secret]"
SOON = Settings(delegation_token_expiry_check_interval_ms=20_000, delegation_token_secret_key="secret")
PLAN = Plan(seed=7, seconds=120, security=True, scram=(ALICE,), settings=SOON, faults="none")


def managers() -> SecurityManagers:
    """Return managers at the newest level."""
    registry = SnapshotRegistry()
    features = FeatureControlManager(registry, levels.SUPPORTED_FEATURES)
    features.replay({"name": levels.METADATA_VERSION, "featureLevel": levels.LATEST_PRODUCTION})
    return SecurityManagers(registry, features, SOON, random.Random(1))


def test_a_run_with_such_requests_is_judged_by_the_rows() -> None:
    """Every step is a row, every table has some that fire, and the sweep removes tokens."""
    found = judged_alone(PLAN)
    assert [one.text() for one in found.divergences] == []
    assert found.outcome.violations == []
    for table in SECURITY:
        assert any(found.rows[row.id] for row in table.rows)
    assert found.rows["TK18"]


RUNS = ((7, None), (8, None), (9, levels.LEVELS["3.3-IV3"]), (10, levels.LEVELS["4.4-IV0"]), (11, None))
"""Seeds, with the level of metadata.version where it is not the newest."""

NEVER = dict.fromkeys(("TK1", "TK5", "TK11"), "who asks for tokens has set delegation.token.secret.key")
"""Rows that fire in no such run, with the reason."""


@pytest.mark.nightly("test_a_run_with_such_requests_is_judged_by_the_rows")
def test_every_row_fires_in_some_run() -> None:
    """Over five seeds of five minutes every row fires but those that are listed, and every step is a row."""
    fired: set[str] = set()
    for seed, level in RUNS:
        found = judged_alone(Plan(seed=seed, seconds=300, security=True, settings=SOON, faults="none", level=level))
        assert [one.text() for one in found.divergences] == []
        assert found.outcome.violations == []
        fired |= {row for row, count in found.rows.items() if count}
    assert {row.id for table in SECURITY for row in table.rows} - fired == NEVER.keys()


def test_its_log_conforms_and_a_user_is_in_the_bootstrap(tmp_path: Path) -> None:
    """The logs of the controllers are explained, the credential that was formatted as a part of the activation."""
    run = Run(PLAN)
    run.execute()
    write_run(run, tmp_path / "run", ())
    for log in conform([tmp_path / "run"], KRAFT).logs:
        assert (log.verdict, log.violations, log.passed) == (Verdict.CONFORMS, [], {})
        assert log.rows["AC1"] == 1


def test_the_command_that_repeats_it_says_so() -> None:
    """Requests and users are part of what a run is."""
    words = PLAN.command()
    assert "--security-requests" in words
    assert "--add-scram 'SCRAM-SHA-256=[name=alice,password=secret]'" in words


@pytest.mark.parametrize(
    ("message", "said"),
    [
        (Message("REMOVE_ACCESS_CONTROL_ENTRY_RECORD", 0, {"id": "x"}), "no acl with that ID found"),
        (Message("REMOVE_USER_SCRAM_CREDENTIAL_RECORD", 0, {"name": "u", "mechanism": 1}), "Unable to find credential"),
    ],
)
def test_a_removal_of_what_never_was_ends_a_controller(message: Message, said: str) -> None:
    """At replay an access control entry or a credential that is not there is a fault, as in Kafka."""
    with pytest.raises(ReplayError, match=said):
        managers().replay(message)


def test_a_token_that_is_not_there_is_removed_without_a_fault() -> None:
    """Kafka takes any removal of a token."""
    made = managers()
    made.replay(Message("REMOVE_DELEGATION_TOKEN_RECORD", 0, {"tokenId": "x"}))
    assert not made.tokens.records


def test_of_two_entries_that_say_the_same_the_second_removal_is_a_fault() -> None:
    """An id that is given twice is none; but what two ids say is in force once, and gone with the first."""
    made = managers()
    acl = m.AclBinding(
        resource_type=2, resource_name="t", pattern_type=3, principal="User:u", host="*", operation=3, permission_type=3
    )
    (record,) = made.acls.create(m.CreateAclsRequest((acl, acl))).records
    made.replay(record)
    made.replay(record)
    made.replay(Message(record.type, 0, {**record.data, "id": "another"}))
    made.replay(Message("REMOVE_ACCESS_CONTROL_ENTRY_RECORD", 0, {"id": "another"}))
    with pytest.raises(ReplayError, match="existingAcls"):
        made.replay(Message("REMOVE_ACCESS_CONTROL_ENTRY_RECORD", 0, {"id": record.data["id"]}))


def test_a_user_who_is_named_twice_is_refused_and_an_earlier_error_stands() -> None:
    """Neither of two upserts is done; the error of a first deletion is kept."""
    made = managers()
    twice = [m.ScramUpsertion("alice", mechanism, 4096, b"s", b"p") for mechanism in (1, 2)]
    bob = m.ScramUpsertion("bob", 1, 4096, b"s", b"p")
    request = m.AlterUserScramCredentialsRequest(deletions=(("bob", 1),), upsertions=(*twice, bob))
    result = made.scram.alter(request)
    assert result.records == ()
    assert result.response == {"alice": Errors.DUPLICATE_RESOURCE, "bob": Errors.RESOURCE_NOT_FOUND}
