"""SCRAM credentials of users: put there, altered and deleted (KIP-554, ScramControlManager)."""

from __future__ import annotations

import base64
import hashlib
import hmac
from typing import TYPE_CHECKING

from fencepost.reference.kraft.errors import Errors, ReplayError
from fencepost.reference.kraft.levels import LEVELS
from fencepost.reference.kraft.messages import AlterUserScramCredentialsRequest, ScramUpsertion
from fencepost.reference.kraft.records import Message
from fencepost.reference.kraft.results import ControllerResult
from fencepost.reference.timeline import TimelineMap

from .hash_tables import JavaTable

if TYPE_CHECKING:
    from fencepost.reference.timeline import SnapshotRegistry

    from .features import FeatureControlManager

SCRAM = LEVELS["3.5-IV2"]
"""The level of metadata.version from which on there are credentials."""

DIGESTS = {1: "sha256", 2: "sha512"}
"""The mechanisms by their numbers on the wire; any other number is none."""

ITERATIONS = range(4096, 16_385)
CREDENTIAL, REMOVAL = "USER_SCRAM_CREDENTIAL_RECORD", "REMOVE_USER_SCRAM_CREDENTIAL_RECORD"


class ScramControlManager:
    """The credentials by user and mechanism."""

    def __init__(self, registry: SnapshotRegistry, features: FeatureControlManager) -> None:
        self.records: TimelineMap[tuple[str, int], Message] = TimelineMap(registry)
        self._features = features

    def alter(self, request: AlterUserScramCredentialsRequest) -> ControllerResult[dict[str, Errors]]:
        """Delete and put credentials; a user who is named twice gets neither, and keeps an error that came before.

        Deletions come before upserts, and the users of each in the order of Java's hash table.
        """
        refused: JavaTable[Errors] = JavaTable()
        deletions: JavaTable[tuple[str, int]] = JavaTable()
        upsertions: JavaTable[ScramUpsertion] = JavaTable()
        for deletion in request.deletions:
            user, mechanism = deletion
            if user in refused:
                continue
            if deletions.pop(user, None) is not None:
                refused[user] = Errors.DUPLICATE_RESOURCE
                continue
            error = self._refusal(user, mechanism)
            if error is Errors.NONE and (user, mechanism) not in self.records:
                error = Errors.RESOURCE_NOT_FOUND
            if error is Errors.NONE:
                deletions[user] = deletion
            else:
                refused[user] = error
        for upsertion in request.upsertions:
            user = upsertion.user
            if user in refused:
                continue
            if deletions.pop(user, None) is not None or upsertions.pop(user, None) is not None:
                refused[user] = Errors.DUPLICATE_RESOURCE
                continue
            error = self._refusal(user, upsertion.mechanism)
            if error is Errors.NONE and upsertion.iterations not in ITERATIONS:
                error = Errors.UNACCEPTABLE_CREDENTIAL
            if error is Errors.NONE:
                upsertions[user] = upsertion
            else:
                refused[user] = error
        records = [Message(REMOVAL, 0, {"name": user, "mechanism": one}) for _, (user, one) in deletions.in_order()]
        records += [_record(one) for _, one in upsertions.in_order()]
        done = (user for table in (deletions, upsertions) for user, _ in table.in_order())
        answers = dict.fromkeys(done, Errors.NONE) | dict(refused.in_order())
        return ControllerResult(tuple(records), answers, atomic=True)

    def replay(self, message: Message) -> None:
        """Apply a credential or its removal; raises ReplayError for the removal of one that is not there."""
        key = message.data["name"], message.data["mechanism"]
        if message.type == CREDENTIAL:
            self.records[key] = message
        elif self.records.pop(key, None) is None:
            raise ReplayError(f"Unable to find credential to delete: user {key[0]} with mechanism {key[1]}.")

    def _refusal(self, user: str, mechanism: int) -> Errors:
        if self._features.metadata_version_or_throw() < SCRAM:
            return Errors.UNSUPPORTED_VERSION
        if not user:
            return Errors.UNACCEPTABLE_CREDENTIAL
        return Errors.NONE if mechanism in DIGESTS else Errors.UNSUPPORTED_SASL_MECHANISM


def _record(upsertion: ScramUpsertion) -> Message:
    """The record of a credential: of the salted password only the two keys are kept (RFC 5802)."""
    digest, salted = DIGESTS[upsertion.mechanism], upsertion.salted_password
    client_key = hmac.new(salted, b"Client Key", digest).digest()
    return Message(
        CREDENTIAL,
        0,
        {
            "name": upsertion.user,
            "mechanism": upsertion.mechanism,
            "salt": _text(upsertion.salt),
            "storedKey": _text(hashlib.new(digest, client_key).digest()),
            "serverKey": _text(hmac.new(salted, b"Server Key", digest).digest()),
            "iterations": upsertion.iterations,
        },
    )


def _text(value: bytes) -> str:
    return base64.b64encode(value).decode("ascii")
