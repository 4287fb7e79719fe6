"""Requests about access control, SCRAM credentials, delegation tokens and client quotas, some of them wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from fencepost.reference.kraft import messages as m
from fencepost.reference.kraft.broker.image import MetadataImage

from .workload import Administrator, WorkloadPlan

T = TypeVar("T")

SECRET_KEY = "the secret key of a simulated cluster"
"""delegation.token.secret.key, where a run asks for tokens and no other is set."""

_USERS = ("alice", "bob", "carol")
_MINUTE_MS = 60_000
_AGAIN = 0.4
"""How many of the entries that are created were asked for before."""

_NO_TOKEN = b"the HMAC of no token"
_DRY = 0.2
"""How many of the alterations of quotas only validate."""


class SecurityAdministrator(Administrator):
    """Asks in the name of a few users; knows the tokens that were issued to them by their HMACs."""

    def started(self) -> None:
        """Begin to ask for things."""
        self.hmacs: list[bytes] = []
        self.asked: list[m.AclBinding] = []
        super().started()

    def ask(self, kind: str, request: m.Request) -> None:
        """Send a request; a token that is the answer is kept."""
        assert self._channel is not None
        self.sent[kind] = self.sent.get(kind, 0) + 1
        self._channel.send(request, self._answered)

    def _answered(self, answer: Any) -> None:
        if isinstance(answer, m.DelegationTokenResponse) and answer.hmac and answer.hmac not in self.hmacs:
            self.hmacs.append(answer.hmac)

    def _user(self) -> str:
        return self._random.choice(_USERS)

    def _acl(self) -> m.AclBinding:
        """An access control entry, now and then one that was asked for before."""
        draw = self._random
        if self.asked and draw.random() < _AGAIN:
            return draw.choice(self.asked)
        self.asked.append(self._new_acl())
        return self.asked[-1]

    def _new_acl(self) -> m.AclBinding:
        draw = self._random
        return m.AclBinding(
            resource_type=draw.choice((2, 2, 3, 4, 8)),
            resource_name=draw.choice(("topic-1", "topic-", "*", "")),
            pattern_type=draw.choice((3, 3, 4)),
            principal=draw.choice((f"User:{self._user()}", f"User:{self._user()}", "nobody")),
            host=draw.choice(("*", "*", "10.0.0.1", "10.0.0.0/8", "10.0.0.0/33")),
            operation=draw.choice((2, 3, 4, 8)),
            permission_type=draw.choice((2, 3, 3)),
        )

    def _some(self, one: Callable[[], T]) -> tuple[T, ...]:
        """One of them mostly, now and then two or three."""
        return tuple(one() for _ in range(self._random.choice((1, 1, 1, 2, 3))))

    def grant(self, image: MetadataImage) -> m.Request | None:
        """Create access control entries, of which one may stand there twice."""
        return m.CreateAclsRequest(self._some(self._acl))

    def withdraw(self, image: MetadataImage) -> m.Request | None:
        """Delete the entries of a user, of an operation, or for a name; an unknown pattern now and then."""
        return m.DeleteAclsRequest(self._some(self._filter))

    def _filter(self) -> m.AclBinding:
        draw = self._random
        return m.AclBinding(
            resource_type=1,
            resource_name=draw.choice((None, None, "topic-1")),
            pattern_type=draw.choice((1, 2, 3, 9)),
            principal=draw.choice((None, f"User:{self._user()}")),
            host=None,
            operation=draw.choice((1, 3, 4)),
            permission_type=1,
        )

    def alter_credentials(self, image: MetadataImage) -> m.Request | None:
        """Delete passwords and give others; with too few iterations, of no mechanism, or a user twice now and then."""
        drops, puts = self._random.choice(((0, 1), (0, 1), (1, 0), (1, 1), (0, 2), (2, 0), (2, 2)))
        return m.AlterUserScramCredentialsRequest(
            deletions=tuple(self._credential() for _ in range(drops)),
            upsertions=tuple(self._upsertion() for _ in range(puts)),
        )

    def _credential(self) -> tuple[str, int]:
        draw = self._random
        return draw.choice((*_USERS, *_USERS, "")), draw.choice((1, 2, 2, 9))

    def _upsertion(self) -> m.ScramUpsertion:
        draw = self._random
        return m.ScramUpsertion(
            *self._credential(), draw.choice((4096, 8192, 100)), draw.randbytes(8), draw.randbytes(32)
        )

    def issue_token(self, image: MetadataImage) -> m.Request | None:
        """Ask for a token, for oneself or for another owner."""
        draw, by = self._random, f"User:{self._user()}"
        owner = draw.choice((None, None, f"User:{self._user()}"))
        renewers = draw.choice(((), (f"User:{self._user()}",), ("Group:all",)))
        lifetime = draw.choice((-1, _MINUTE_MS, 5 * _MINUTE_MS))
        return m.CreateDelegationTokenRequest(by=by, owner=owner, renewers=renewers, max_lifetime_ms=lifetime)

    def renew_token(self, image: MetadataImage) -> m.Request | None:
        """Renew a token that was issued once, or none."""
        by, hmac = f"User:{self._user()}", self._random.choice((*self.hmacs, _NO_TOKEN))
        return m.RenewDelegationTokenRequest(by=by, hmac=hmac, renew_period_ms=_MINUTE_MS)

    def end_token(self, image: MetadataImage) -> m.Request | None:
        """Let a token end at once, or a little later, or none."""
        by, hmac = f"User:{self._user()}", self._random.choice((*self.hmacs, _NO_TOKEN))
        period = self._random.choice((-1, 0, _MINUTE_MS))
        return m.ExpireDelegationTokenRequest(by=by, hmac=hmac, expiry_period_ms=period)

    def limit(self, image: MetadataImage) -> m.Request | None:
        """Set or remove quotas; a key is now and then none of the entity's, and an entity is named twice."""
        alterations = self._some(self._alteration)
        return m.AlterClientQuotasRequest(alterations, validate_only=self._random.random() < _DRY)

    def _alteration(self) -> m.ClientQuotaAlteration:
        draw, user = self._random, self._user()
        entity = draw.choice(
            ((("user", user),), (("user", None), ("client-id", "client")), (("ip", "10.0.0.1"),), (("group", "all"),))
        )
        return m.ClientQuotaAlteration(entity, self._some(self._change))

    def _change(self) -> tuple[str, float | None]:
        draw = self._random
        keys = ("producer_byte_rate", "request_percentage", "controller_mutation_rate", "connection_creation_rate")
        return draw.choice(keys), draw.choice((None, 1000.0, 2000.0, -1.0))


_MAKERS: Mapping[str, Callable[[Any, MetadataImage], m.Request | None]] = {
    "grant": SecurityAdministrator.grant,
    "withdraw": SecurityAdministrator.withdraw,
    "alter_credentials": SecurityAdministrator.alter_credentials,
    "issue_token": SecurityAdministrator.issue_token,
    "renew_token": SecurityAdministrator.renew_token,
    "end_token": SecurityAdministrator.end_token,
    "limit": SecurityAdministrator.limit,
}
SecurityAdministrator.makers = _MAKERS

SECURITY_WORK = WorkloadPlan(interval_ms=2000, weights={**dict.fromkeys(_MAKERS, 1.0), "alter_credentials": 2.0})
"""Every other second a request."""
