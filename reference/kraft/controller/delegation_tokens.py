"""Delegation tokens: issued, renewed, expired by request and by a task (KIP-48, DelegationTokenControlManager).

Kafka looks tokens up in a cache that is filled from the metadata image which its node last published, and never in the
records that were just written: here that is the state at the stable offset. So a token that was removed may be found
once more, until its removal is stable, and one that is new is not found before.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fencepost.reference.kraft.errors import Errors
from fencepost.reference.kraft.levels import LEVELS
from fencepost.reference.kraft.messages import (
    CreateDelegationTokenRequest,
    DelegationTokenResponse,
    ExpireDelegationTokenRequest,
    RenewDelegationTokenRequest,
)
from fencepost.reference.kraft.records import Message
from fencepost.reference.kraft.results import ControllerResult
from fencepost.reference.kraft.settings import LONG, Settings
from fencepost.reference.timeline import TimelineMap

if TYPE_CHECKING:
    from fencepost.reference.timeline import SnapshotRegistry

    from .features import FeatureControlManager

TOKENS = LEVELS["3.6-IV2"]
"""The level of metadata.version from which on there are tokens."""

MOST_SWEPT = 1000
"""So many tokens are removed at once; if there may be more the task runs again soon."""

USER_TYPE = "User"
TOKEN, REMOVAL = "DELEGATION_TOKEN_RECORD", "REMOVE_DELEGATION_TOKEN_RECORD"


@dataclass(frozen=True, slots=True)
class Token:
    """A token: whose it is, who asked for it, who may renew it, and its times in milliseconds."""

    identifier: str
    owner: str
    requester: str
    renewers: tuple[str, ...]
    issued: int
    latest: int
    expires: int

    def is_over(self, now: int) -> bool:
        """Whether the token has ended."""
        return self.latest < now or self.expires < now

    def renewed_by(self, principal: str) -> bool:
        """Whether a principal may renew the token."""
        return principal == self.owner or principal in self.renewers

    def record(self) -> Message:
        """Return the record of the token."""
        data = {
            "owner": self.owner,
            "requester": self.requester,
            "renewers": list(self.renewers),
            "issueTimestamp": self.issued,
            "maxTimestamp": self.latest,
            "expirationTimestamp": self.expires,
            "tokenId": self.identifier,
        }
        return Message(TOKEN, 0, data)

    @classmethod
    def of(cls, message: Message) -> Token:
        """Return the token that a record says."""
        said = message.data
        times = said["issueTimestamp"], said["maxTimestamp"], said["expirationTimestamp"]
        return cls(said["tokenId"], said["owner"], said["requester"], tuple(said["renewers"]), *times)


class DelegationTokenControlManager:
    """The tokens by their ids.

    `published` returns the epoch of the timeline at which the node last published its metadata, `now_ms` the time,
    `new_id` a token's id.
    """

    def __init__(
        self, registry: SnapshotRegistry, features: FeatureControlManager, settings: Settings, new_id: Callable[[], str]
    ) -> None:
        self.records: TimelineMap[str, Message] = TimelineMap(registry)
        self._features, self._settings, self._new_id = features, settings, new_id
        self.published: Callable[[], int] = lambda: registry.latest_epoch
        self.now_ms: Callable[[], int] = lambda: 0

    def create(self, request: CreateDelegationTokenRequest) -> ControllerResult[DelegationTokenResponse]:
        """Issue a token to the owner that is named, or to the requester."""
        now, settings, refused = self.now_ms(), self._settings, self._refusal()
        if refused is not Errors.NONE:
            return _refused(refused)
        lifetime = settings.delegation_token_max_lifetime_ms
        if request.max_lifetime_ms > 0:
            lifetime = min(lifetime, request.max_lifetime_ms)
        if any(one.partition(":")[0] != USER_TYPE for one in request.renewers):
            return _refused(Errors.INVALID_PRINCIPAL_TYPE)
        latest = min(LONG, now + lifetime)
        expires = min(latest, now + settings.delegation_token_expiry_time_ms)
        owner = request.owner or request.by
        return self._answer(Token(self._new_id(), owner, request.by, request.renewers, now, latest, expires))

    def renew(self, request: RenewDelegationTokenRequest) -> ControllerResult[DelegationTokenResponse]:
        """Let a token end later, never later than it may at most."""
        now, token, refused = self.now_ms(), self._found(request.hmac), self._refusal()
        if refused is not Errors.NONE:
            return _refused(refused)
        if token is None:
            return _refused(Errors.DELEGATION_TOKEN_NOT_FOUND)
        if token.is_over(now):
            return _refused(Errors.DELEGATION_TOKEN_EXPIRED, token)
        if not token.renewed_by(request.by):
            return _refused(Errors.DELEGATION_TOKEN_OWNER_MISMATCH, token)
        period = self._settings.delegation_token_expiry_time_ms
        if request.renew_period_ms > 0:
            period = min(period, request.renew_period_ms)
        return self._answer(replace(token, expires=min(token.latest, now + period)))

    def expire(self, request: ExpireDelegationTokenRequest) -> ControllerResult[DelegationTokenResponse]:
        """Let a token end at another time; with a negative period it is removed, though it be over."""
        now, token, refused = self.now_ms(), self._found(request.hmac), self._refusal()
        if refused is not Errors.NONE:
            return _refused(refused)
        if token is None:
            return _refused(Errors.DELEGATION_TOKEN_NOT_FOUND)
        if not token.renewed_by(request.by):
            return _refused(Errors.DELEGATION_TOKEN_OWNER_MISMATCH, token)
        if request.expiry_period_ms < 0:
            answer = DelegationTokenResponse(error=Errors.NONE, token_id=token.identifier, expires_ms=now)
            return ControllerResult((_removal(token.identifier),), answer, atomic=True)
        if token.is_over(now):
            return _refused(Errors.DELEGATION_TOKEN_EXPIRED, token)
        return self._answer(replace(token, expires=min(token.latest, now + request.expiry_period_ms)))

    def sweep(self) -> ControllerResult[bool]:
        """Remove tokens that are over; answers whether there may be more of them."""
        now = self.now_ms()
        over = [one.identifier for one in self._published().values() if one.is_over(now)][:MOST_SWEPT]
        return ControllerResult(tuple(map(_removal, over)), len(over) == MOST_SWEPT)

    def replay(self, message: Message) -> None:
        """Apply a token, or its removal: to remove one that is not there is no fault."""
        if message.type == TOKEN:
            self.records[message.data["tokenId"]] = message
        else:
            self.records.pop(message.data["tokenId"], None)

    def hmac_of(self, identifier: str) -> bytes:
        """Return the HMAC by which a token is requested; computing it takes only the secret key."""
        key = (self._settings.delegation_token_secret_key or "").encode()
        return hmac.new(key, identifier.encode(), hashlib.sha512).digest()

    def _published(self) -> Mapping[str, Token]:
        return {name: Token.of(one) for name, one in sorted(self.records.items_at(self.published()).items())}

    def _found(self, asked: bytes) -> Token | None:
        return next((one for name, one in self._published().items() if self.hmac_of(name) == asked), None)

    def _refusal(self) -> Errors:
        if self._settings.delegation_token_secret_key is None:
            return Errors.DELEGATION_TOKEN_AUTH_DISABLED
        return Errors.UNSUPPORTED_VERSION if self._features.metadata_version_or_throw() < TOKENS else Errors.NONE

    def _answer(self, token: Token) -> ControllerResult[DelegationTokenResponse]:
        answer = DelegationTokenResponse(
            error=Errors.NONE,
            token_id=token.identifier,
            hmac=self.hmac_of(token.identifier),
            issued_ms=token.issued,
            expires_ms=token.expires,
            latest_ms=token.latest,
        )
        return ControllerResult((token.record(),), answer, atomic=True)


def _refused(error: Errors, token: Token | None = None) -> ControllerResult[DelegationTokenResponse]:
    answer = DelegationTokenResponse(error=error, token_id="" if token is None else token.identifier)
    return ControllerResult((), answer, atomic=True)


def _removal(identifier: str) -> Message:
    return Message(REMOVAL, 0, {"tokenId": identifier})
