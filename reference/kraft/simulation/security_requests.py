"""Requests about access control, SCRAM credentials, delegation tokens and client quotas, some of them wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fencepost.reference.kraft import messages as m
from fencepost.reference.kraft.broker.image import MetadataImage

from .workload import Administrator, WorkloadPlan

SECRET_KEY = "the secret key of a simulated cluster"
"""delegation.token.secret.key, where a run asks for tokens and no other is set."""

_USERS = ("alice", "bob", "carol")
_MINUTE_MS = 60_000


class SecurityAdministrator(Administrator):
    """Asks in the name of a few users; knows the tokens that were issued to them by their HMACs."""

    def started(self) -> None:
        """Begin to ask for things."""
        self.hmacs: list[bytes] = []
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
        draw = self._random
        return m.AclBinding(
            resource_type=draw.choice((2, 2, 3, 4, 8)),
            resource_name=draw.choice(("topic-1", "topic-", "*", "")),
            pattern_type=draw.choice((3, 3, 4)),
            principal=draw.choice((f"User:{self._user()}", f"User:{self._user()}", "nobody")),
            host=draw.choice(("*", "*", "10.0.0.1", "10.0.0.0/8")),
            operation=draw.choice((2, 3, 4, 8)),
            permission_type=draw.choice((2, 3, 3)),
        )

    def grant(self, image: MetadataImage) -> m.Request | None:
        """Create an access control entry."""
        return m.CreateAclsRequest((self._acl(),))

    def withdraw(self, image: MetadataImage) -> m.Request | None:
        """Delete the entries of a user, of an operation, or for a name."""
        draw = self._random
        return m.DeleteAclsRequest(
            (
                m.AclBinding(
                    resource_type=1,
                    resource_name=draw.choice((None, None, "topic-1")),
                    pattern_type=draw.choice((1, 2, 3)),
                    principal=draw.choice((None, f"User:{self._user()}")),
                    host=None,
                    operation=draw.choice((1, 3, 4)),
                    permission_type=1,
                ),
            )
        )

    def put_credential(self, image: MetadataImage) -> m.Request | None:
        """Give a user a password, now and then with too few iterations or a mechanism that there is not."""
        draw = self._random
        one = m.ScramUpsertion(
            self._user(),
            draw.choice((1, 2, 2, 9)),
            draw.choice((4096, 8192, 100)),
            draw.randbytes(8),
            draw.randbytes(32),
        )
        return m.AlterUserScramCredentialsRequest(upsertions=(one,))

    def drop_credential(self, image: MetadataImage) -> m.Request | None:
        """Delete a user's password, which may not be there."""
        return m.AlterUserScramCredentialsRequest(deletions=((self._user(), self._random.choice((1, 2))),))

    def issue_token(self, image: MetadataImage) -> m.Request | None:
        """Ask for a token, for oneself or for somebody else."""
        draw, by = self._random, f"User:{self._user()}"
        owner = draw.choice((None, None, f"User:{self._user()}"))
        renewers = draw.choice(((), (f"User:{self._user()}",), ("Group:all",)))
        lifetime = draw.choice((-1, _MINUTE_MS, 5 * _MINUTE_MS))
        return m.CreateDelegationTokenRequest(by=by, owner=owner, renewers=renewers, max_lifetime_ms=lifetime)

    def renew_token(self, image: MetadataImage) -> m.Request | None:
        """Renew a token that was issued once."""
        if not self.hmacs:
            return None
        by, hmac = f"User:{self._user()}", self._random.choice(self.hmacs)
        return m.RenewDelegationTokenRequest(by=by, hmac=hmac, renew_period_ms=_MINUTE_MS)

    def end_token(self, image: MetadataImage) -> m.Request | None:
        """Let a token end at once, or a little later."""
        if not self.hmacs:
            return None
        by, hmac = f"User:{self._user()}", self._random.choice(self.hmacs)
        period = self._random.choice((-1, 0, _MINUTE_MS))
        return m.ExpireDelegationTokenRequest(by=by, hmac=hmac, expiry_period_ms=period)

    def limit(self, image: MetadataImage) -> m.Request | None:
        """Set or remove a quota; a key is now and then none of the entity's."""
        draw, user = self._random, self._user()
        entity = draw.choice(
            ((("user", user),), (("user", None), ("client-id", "client")), (("ip", "10.0.0.1"),), (("group", "all"),))
        )
        keys = ("producer_byte_rate", "request_percentage", "controller_mutation_rate", "connection_creation_rate")
        change = draw.choice(keys), draw.choice((None, 1000.0, 2000.0, -1.0))
        return m.AlterClientQuotasRequest((m.ClientQuotaAlteration(entity, (change,)),))


_MAKERS: Mapping[str, Callable[[Any, MetadataImage], m.Request | None]] = {
    "grant": SecurityAdministrator.grant,
    "withdraw": SecurityAdministrator.withdraw,
    "put_credential": SecurityAdministrator.put_credential,
    "drop_credential": SecurityAdministrator.drop_credential,
    "issue_token": SecurityAdministrator.issue_token,
    "renew_token": SecurityAdministrator.renew_token,
    "end_token": SecurityAdministrator.end_token,
    "limit": SecurityAdministrator.limit,
}
SecurityAdministrator.makers = _MAKERS

SECURITY_WORK = WorkloadPlan(interval_ms=2000, weights=dict.fromkeys(_MAKERS, 1.0))
"""Every other second a request."""
