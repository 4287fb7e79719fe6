"""Requests about access control, credentials, tokens and quotas in lock step: the reference does what the rows say."""

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fencepost.checkers.conformance.lockstep import Given
from fencepost.model.kraft.security import SECURITY
from fencepost.reference.kraft import levels
from fencepost.reference.kraft import messages as m
from fencepost.traces.steps import Step
from tests.cases import examples
from tests.reference.kraft.single_node import bootstrap

from .watched import FORMATTED, Watched, judged

KEY, DAY, HOUR = "secret", 86_400_000, 3_600_000
ALICE, BOB, EVE = "User:alice", "User:bob", "User:eve"
NUMBERS = st.integers(0, 15)


def acl(**other: Any) -> m.AclBinding:
    """Return an access control entry, or with other fields a filter."""
    said: dict[str, Any] = {
        "resource_type": 2, "resource_name": "t", "pattern_type": 3, "principal": ALICE, "host": "*", "operation": 3,
        "permission_type": 3,
    }  # fmt: skip
    return m.AclBinding(**{**said, **other})


EVERYTHING = acl(
    resource_type=1, resource_name=None, pattern_type=1, principal=None, host=None, operation=1, permission_type=1
)
ACLS = (
    acl(), acl(resource_type=8), acl(resource_name=""), acl(principal="alice"), acl(host="10.0.0.0/8"),
    acl(host="10/x"), acl(pattern_type=4), acl(operation=16), acl(permission_type=1), acl(host=""), acl(pattern_type=2),
    acl(resource_name="*"),
)  # fmt: skip
FILTERS = (
    EVERYTHING, acl(), acl(pattern_type=2), acl(pattern_type=1, resource_name=None), replace(EVERYTHING, operation=0),
    replace(EVERYTHING, principal=BOB), replace(EVERYTHING, pattern_type=2, resource_name="tt"),
)  # fmt: skip
ENTITIES = (
    (("user", "u"),), (("user", None), ("client-id", "c")), (("ip", "10.0.0.1"),), (("ip", "nowhere"),),
    (("ip", "10.0.0.1"), ("user", "u")), (("group", "g"),), (("user", ""),), (("client-id", "c"), ("user", None)),
)  # fmt: skip
KEYS = ("producer_byte_rate", "request_percentage", "connection_creation_rate", "sleep_rate")
VALUES = (None, 1000.0, 0.5, -1.0, float("inf"), 2000.0)


class Asking(Watched):
    """A controller that is asked about security; `tokens` are those that it has issued."""

    def __init__(self, at_once: bool = True, level: int = levels.LATEST_PRODUCTION, key: str | None = KEY) -> None:
        super().__init__(
            at_once,
            bootstrap(level, elr=int(level == levels.LATEST_PRODUCTION)),
            metadata_max_idle_interval_ms=0,
            delegation_token_secret_key=key,
            delegation_token_max_lifetime_ms=3 * HOUR,
            delegation_token_expiry_time_ms=HOUR,
        )
        self.tokens: list[bytes] = [b"of no user"]
        self.lead()

    def grant(self, a: int, b: int, c: int) -> Any:
        """Create an entry."""
        return self.ask(m.CreateAclsRequest((ACLS[a % len(ACLS)],)))

    def withdraw(self, a: int, b: int, c: int) -> Any:
        """Delete entries."""
        return self.ask(m.DeleteAclsRequest((FILTERS[a % len(FILTERS)],)))

    def several(self, a: int, b: int, c: int) -> Any:
        """Ask for several things at once, some of them refused, some named twice."""
        draw = random.Random(a * 256 + b * 16 + c)
        some = draw.randint(0, 3)

        def user() -> str:
            return draw.choice(("alice", "bob", "carol", ""))

        match draw.choice(("grant", "withdraw", "scram", "scram", "limit")):
            case "grant":
                return self.ask(m.CreateAclsRequest(tuple(draw.choices(ACLS, k=some))))
            case "withdraw":
                return self.ask(m.DeleteAclsRequest(tuple(draw.choices(FILTERS, k=some))))
            case "scram":
                puts = tuple(
                    m.ScramUpsertion(user(), draw.choice((1, 2, 9)), draw.choice((4096, 99)), b"salt", b"hash")
                    for _ in range(some)
                )
                drops = tuple((user(), draw.choice((1, 2))) for _ in range(draw.randint(0, 3)))
                return self.ask(m.AlterUserScramCredentialsRequest(deletions=drops, upsertions=puts))
        asked = tuple(
            m.ClientQuotaAlteration(
                draw.choice(ENTITIES),
                tuple((draw.choice(KEYS), draw.choice(VALUES)) for _ in range(draw.randint(1, 3))),
            )
            for _ in range(some)
        )
        return self.ask(m.AlterClientQuotasRequest(asked, validate_only=draw.random() < 0.2))

    def upsert(self, a: int, b: int, c: int) -> Any:
        """Put a credential there."""
        user, iterations = ("alice", "bob", "")[a % 3], (4096, 16384, 4095, 16385)[c % 4]
        return self.ask(
            m.AlterUserScramCredentialsRequest(
                upsertions=(m.ScramUpsertion(user, b % 4, iterations, b"salt", b"hash"),)
            )
        )

    def drop(self, a: int, b: int, c: int) -> Any:
        """Delete a credential."""
        return self.ask(m.AlterUserScramCredentialsRequest(deletions=((("alice", "bob", "")[a % 3], b % 4),)))

    def issue(self, a: int, b: int, c: int) -> Any:
        """Ask for a token, for oneself or for another, and note its HMAC."""
        renewers = ((), (BOB,), ("Group:g",))[a % 3]
        request = m.CreateDelegationTokenRequest(
            by=ALICE, owner=(None, EVE)[b % 2], renewers=renewers, max_lifetime_ms=(-1, HOUR // 2, DAY)[c % 3]
        )
        answer = self.ask(request)
        if isinstance(answer, m.DelegationTokenResponse) and answer.hmac:
            self.tokens.append(answer.hmac)
        return answer

    def renew(self, a: int, b: int, c: int) -> Any:
        """Renew a token."""
        by, hmac = (ALICE, BOB, EVE)[b % 3], self.tokens[a % len(self.tokens)]
        return self.ask(m.RenewDelegationTokenRequest(by=by, hmac=hmac, renew_period_ms=(-1, HOUR // 4)[c % 2]))

    def end(self, a: int, b: int, c: int) -> Any:
        """Let a token end at once, or at another time."""
        by, hmac = (ALICE, BOB, EVE)[b % 3], self.tokens[a % len(self.tokens)]
        return self.ask(m.ExpireDelegationTokenRequest(by=by, hmac=hmac, expiry_period_ms=(-1, 0, HOUR // 4)[c % 3]))

    def limit(self, a: int, b: int, c: int) -> Any:
        """Alter a quota."""
        change = (KEYS[b % len(KEYS)], VALUES[c % len(VALUES)])
        asked = m.ClientQuotaAlteration(ENTITIES[a % len(ENTITIES)], (change,))
        return self.ask(m.AlterClientQuotasRequest((asked,), validate_only=c > 12))

    def wait(self, a: int, b: int, c: int) -> None:
        """Let time pass, so that the task runs."""
        self.clock.run((a + 1) * HOUR // 4 * 1_000_000)


MOVES = ("grant", "withdraw", "upsert", "drop", "issue", "renew", "end", "limit", "several", "wait")
SEQUENCES = st.lists(st.tuples(st.sampled_from(MOVES), NUMBERS, NUMBERS, NUMBERS), min_size=5, max_size=40)


def played(moves: list[tuple[str, int, int, int]]) -> list[Step]:
    """Put a controller through moves and return what it did."""
    node = Asking()
    for name, *numbers in moves:
        getattr(node, name)(*numbers)
    assert node.fatal is None
    return node.steps


def agrees(moves: list[tuple[str, int, int, int]]) -> None:
    """Ask a controller, and compare each of its steps with the rows."""
    judge, divergences = judged(played(moves))
    assert [one.text() for one in divergences] == []
    assert not [reason for _, reason in judge.out.not_judged if "no row" in reason or "not reported" in reason]


@given(moves=SEQUENCES)
@settings(deadline=None, max_examples=examples(20), suppress_health_check=list(HealthCheck))
def test_the_reference_does_what_the_tables_say(moves: list[tuple[str, int, int, int]]) -> None:
    """Whatever is asked, every step is a row, and none has a form that no row reads."""
    agrees(moves)


@pytest.mark.nightly("test_the_reference_does_what_the_tables_say")
@given(moves=SEQUENCES)
@settings(deadline=None, max_examples=100, suppress_health_check=list(HealthCheck))
def test_the_reference_does_what_the_tables_say_of_many_requests(moves: list[tuple[str, int, int, int]]) -> None:
    """So it is for a hundred sequences of requests."""
    agrees(moves)


def whole_story() -> list[Step]:
    """Return the steps of a controller that gives every answer of the newest level."""
    moves = [(name, a, b, c) for name in MOVES[:4] for a in range(12) for b in range(4) for c in range(4)]
    moves += [("limit", a, b, c) for a in range(8) for b in range(4) for c in (1, 1, 2, 3, 4, 5, 13, 18, 0, 0)]
    moves += [("several", a, b, 0) for a in range(16) for b in range(16)]
    tokens = [("issue", a, b, c) for a in range(3) for b in range(2) for c in range(3)]
    asked = [(name, a, b, c) for name in ("renew", "end") for a in range(10) for b in range(3) for c in (1, 2)]
    at_once = [("end", a, b, 0) for a in range(20) for b in range(3)]
    moves += [*tokens, *asked, ("wait", 2, 0, 0), *asked, ("wait", 1, 0, 0), *tokens, *at_once]
    return played(moves)


def early_story(key: str | None) -> list[Step]:
    """Return the steps of a controller at the lowest level, where tokens may be switched off."""
    node = Asking(level=LOWEST, key=key)
    for name, *numbers in (("grant", 4, 0, 0), ("upsert", 0, 1, 0), ("drop", 0, 1, 0), *OF_TOKENS):
        getattr(node, name)(*numbers)
    return node.steps


LOWEST = 7
OF_TOKENS = (("issue", 0, 0, 0), ("renew", 0, 0, 0), ("end", 0, 0, 0))
STORIES = (whole_story, lambda: early_story(None), lambda: early_story(KEY))


def test_every_row_fires() -> None:
    """Over the three stories every row fires: none is held to nothing."""
    fired: set[str] = set()
    for number, one in enumerate(STORIES):
        formatted = {levels.METADATA_VERSION: LOWEST} if number else FORMATTED.formatted
        judge, divergences = judged(one(), given=Given(formatted))
        assert [divergence.text() for divergence in divergences] == []
        fired |= judge.out.rows.keys()
    assert {row.id for table in SECURITY for row in table.rows} <= fired


def test_an_altered_step_is_a_divergence() -> None:
    """A step whose records are lost, or whose answer is another, is noticed."""
    node = Asking()
    node.grant(0, 0, 0)
    [step] = [one for one in node.steps if one.name == "createAcls"]
    assert step.request is not None
    for altered in (replace(step, records=()), replace(step, request=replace(step.request, error="INVALID_REQUEST"))):
        _, divergences = judged([altered if one is step else one for one in node.steps])
        assert len(divergences) == 1


def test_a_removed_token_is_found_until_its_removal_is_published() -> None:
    """Until its removal is committed a token is found: it is removed twice, and a renewal makes it anew."""
    node = Asking(at_once=False)
    node.commit()
    node.clock.run()
    manager = node.controller.managers.security.tokens
    node.ask(m.CreateDelegationTokenRequest(by=ALICE))
    [identifier] = manager.records
    hmac = manager.hmac_of(identifier)
    end, renew = m.ExpireDelegationTokenRequest(by=ALICE, hmac=hmac), m.RenewDelegationTokenRequest(by=ALICE, hmac=hmac)
    node.ask(renew)
    node.commit()
    node.clock.run()
    for request in (end, end, renew):
        node.ask(request)
    node.commit()
    node.clock.run()
    found = [(one.name, [record.type for record in one.records]) for one in node.steps if one.request is not None]
    token, removal = "DELEGATION_TOKEN_RECORD", "REMOVE_DELEGATION_TOKEN_RECORD"
    assert found == [
        ("createDelegationToken", [token]),
        ("renewDelegationToken", []),
        ("expireDelegationToken", [removal]),
        ("expireDelegationToken", [removal]),
        ("renewDelegationToken", [token]),
    ]
    assert list(manager.records) == [identifier]
    _, divergences = judged(node.steps)
    assert [one.text() for one in divergences] == []
