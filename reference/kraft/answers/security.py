"""Recorded requests about access control, credentials, tokens and quotas, put to the managers of the reference.

`traces/recorded/oracle/README.md` describes the fields of a line; nothing here knows the tables' adapters.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable, Sequence
from typing import Any

from fencepost.reference.kraft import messages as m
from fencepost.reference.kraft.controller.features import FeatureControlManager
from fencepost.reference.kraft.controller.security import SecurityManagers
from fencepost.reference.kraft.errors import ApiError
from fencepost.reference.kraft.levels import LATEST_PRODUCTION, LEVELS, METADATA_VERSION, SUPPORTED_FEATURES
from fencepost.reference.kraft.records import Message
from fencepost.reference.kraft.settings import Settings
from fencepost.reference.timeline import SnapshotRegistry

from .situation import Line

_ENTRY, _REMOVED_ENTRY = "ACCESS_CONTROL_ENTRY_RECORD", "REMOVE_ACCESS_CONTROL_ENTRY_RECORD"
_FIELDS = ("resourceType", "resourceName", "patternType", "principal", "host", "operation", "permissionType")
_NAMES = tuple(one.name for one in dataclasses.fields(m.AclBinding))
_SALT, _SALTED = b"salt", b"salted password"


def _managers(line: Line, registry: SnapshotRegistry | None = None) -> SecurityManagers:
    registry = registry or SnapshotRegistry()
    features = FeatureControlManager(registry, SUPPORTED_FEATURES)
    level = LEVELS[line["mv"]] if "mv" in line else LATEST_PRODUCTION
    features.replay({"name": METADATA_VERSION, "featureLevel": level})
    settings = Settings(
        delegation_token_secret_key="secret" if line.get("enabled") else None,
        delegation_token_max_lifetime_ms=line.get("maxLifetime", 1),
        delegation_token_expiry_time_ms=line.get("expiry", 1),
    )
    return SecurityManagers(registry, features, settings, random.Random(0))


def _replay(managers: SecurityManagers, records: Sequence[Message]) -> None:
    for one in records:
        managers.replay(one)


# -- access control ----------------------------------------------------------------------------------------------------
def _entries(line: Line) -> SecurityManagers:
    managers = _managers(line)
    _replay(
        managers,
        [
            Message(_ENTRY, 0, {"id": str(number), **dict(zip(_FIELDS, one, strict=True))})
            for number, one in enumerate(line["acls"], 1)
        ],
    )
    return managers


def _binding(said: Sequence[Any]) -> m.AclBinding:
    return m.AclBinding(**dict(zip(_NAMES, said, strict=True)))


def _create_acls(line: Line) -> dict[str, Any]:
    managers = _entries(line)
    result = managers.acls.create(m.CreateAclsRequest(tuple(_binding(one) for one in line["asked"])))
    _replay(managers, result.records)
    records = [{"t": "AccessControlEntry", "says": [one.data[name] for name in _FIELDS]} for one in result.records]
    answers = [one.name for one in result.response]
    return {"answers": answers, "recs": records, "entries": len(list(managers.acls.records))}


def _delete_acls(line: Line) -> dict[str, Any]:
    managers, numbers = _entries(line), {tuple(one): number for number, one in enumerate(line["acls"], 1)}
    result = managers.acls.delete(m.DeleteAclsRequest(tuple(_binding(one) for one in line["filters"])))
    _replay(managers, result.records)
    deleted = [
        sorted(numbers[tuple(getattr(gone, name) for name in _NAMES)] for gone in one.deleted)
        for one in result.response
    ]
    gone = sorted(int(one.data["id"]) for one in result.records)
    return {
        "answers": [one.error.name for one in result.response],
        "deleted": deleted,
        "recs": [{"t": "RemoveAccessControlEntry", "entry": number} for number in gone],
        "entries": len(list(managers.acls.records)),
    }


# -- SCRAM credentials -------------------------------------------------------------------------------------------------
def _alter_scram(line: Line) -> dict[str, Any]:
    managers = _managers(line)
    there = [
        Message("USER_SCRAM_CREDENTIAL_RECORD", 0, {"name": user, "mechanism": mechanism})
        for user, mechanism in line["credentials"]
    ]
    _replay(managers, there)
    request = m.AlterUserScramCredentialsRequest(
        deletions=tuple((user, mechanism) for user, mechanism in line["deletions"]),
        upsertions=tuple(
            m.ScramUpsertion(user, mechanism, iterations, _SALT, _SALTED)
            for user, mechanism, iterations in line["upsertions"]
        ),
    )
    result = managers.scram.alter(request)
    _replay(managers, result.records)
    answers = [[user, error.name] for user, error in result.response.items()]
    return {"answers": answers, "recs": [_credential(one) for one in result.records]}


def _credential(record: Message) -> dict[str, Any]:
    said = record.data
    if record.type == "REMOVE_USER_SCRAM_CREDENTIAL_RECORD":
        return {"t": "RemoveUserScramCredential", "user": said["name"], "mechanism": said["mechanism"]}
    return {
        "t": "UserScramCredential", "user": said["name"], "mechanism": said["mechanism"],
        "iterations": said["iterations"], "stored": said["storedKey"], "server": said["serverKey"],
    }  # fmt: skip


# -- delegation tokens -------------------------------------------------------------------------------------------------
_TIMES = {"issued": "issueTimestamp", "latest": "maxTimestamp", "expires": "expirationTimestamp"}


def _with_tokens(line: Line) -> SecurityManagers:
    registry = SnapshotRegistry()
    managers = _managers(line, registry)
    many = [[f"many{number}", "User:many", "User:many", [], 0, 0, 0] for number in range(line.get("many", 0))]
    for identifier, owner, requester, renewers, *times in (*line["tokens"], *many):
        said = {"tokenId": identifier, "owner": owner, "requester": requester, "renewers": renewers}
        said |= dict(zip(_TIMES.values(), times, strict=True))
        managers.replay(Message("DELEGATION_TOKEN_RECORD", 0, said))
    # Kafka's cache has what the line says: everything is published.
    registry.create(0)
    managers.tokens.published = lambda: 0
    managers.tokens.now_ms = lambda: int(line["now"])
    return managers


def _create_token(line: Line) -> dict[str, Any]:
    request = m.CreateDelegationTokenRequest(
        by=line["by"], owner=line["owner"], renewers=tuple(line["renewers"]), max_lifetime_ms=line["lifetime"]
    )
    result = _with_tokens(line).tokens.create(request)
    told = result.response
    times = {"issued": told.issued_ms, "latest": told.latest_ms, "expires": told.expires_ms}
    return {"error": told.error.name, **times, "recs": [_token(one, told.token_id) for one in result.records]}


def _renew_token(line: Line) -> dict[str, Any]:
    tokens = _with_tokens(line).tokens
    asked = m.RenewDelegationTokenRequest(
        by=line["by"], hmac=tokens.hmac_of(line["token"]), renew_period_ms=line["period"]
    )
    result = tokens.renew(asked)
    records = [_token(one) for one in result.records]
    return {"error": result.response.error.name, "expires": result.response.expires_ms, "recs": records}


def _expire_token(line: Line) -> dict[str, Any]:
    tokens = _with_tokens(line).tokens
    asked = m.ExpireDelegationTokenRequest(
        by=line["by"], hmac=tokens.hmac_of(line["token"]), expiry_period_ms=line["period"]
    )
    result = tokens.expire(asked)
    records = [_token(one) for one in result.records]
    return {"error": result.response.error.name, "expires": result.response.expires_ms, "recs": records}


def _sweep_tokens(line: Line) -> dict[str, Any]:
    result = _with_tokens(line).tokens.sweep()
    if "many" in line:
        return {"more": result.response, "count": len(result.records)}
    return {"more": result.response, "recs": [_token(one) for one in result.records]}


def _token(record: Message, issued: str = "") -> dict[str, Any]:
    said = record.data
    if record.type == "REMOVE_DELEGATION_TOKEN_RECORD":
        return {"t": "RemoveDelegationToken", "token": said["tokenId"]}
    return {
        "t": "DelegationToken", "token": "new" if said["tokenId"] == issued else said["tokenId"],
        "owner": said["owner"], "requester": said["requester"], "renewers": list(said["renewers"]),
        **{short: said[name] for short, name in _TIMES.items()},
    }  # fmt: skip


# -- client quotas -----------------------------------------------------------------------------------------------------
def _alter_quotas(line: Line) -> dict[str, Any]:
    managers = _managers(line)
    for entity, key, value in line["quotas"]:
        parts = [{"entityType": kind, "entityName": name} for kind, name in entity]
        managers.replay(
            Message("CLIENT_QUOTA_RECORD", 0, {"entity": parts, "key": key, "value": value, "remove": False})
        )
    request = m.AlterClientQuotasRequest(
        tuple(
            m.ClientQuotaAlteration(
                tuple((kind, name) for kind, name in entity),
                tuple((key, None if value is None else float(value)) for key, value in changes),
            )
            for entity, changes in line["asked"]
        ),
        validate_only=line["dry"],
    )
    result = managers.quotas.alter(request)
    _replay(managers, result.records)
    records = [
        {
            "t": "ClientQuota", "entity": [[one["entityType"], one["entityName"]] for one in record.data["entity"]],
            "key": record.data["key"], "value": record.data["value"], "remove": record.data["remove"],
        }
        for record in result.records
    ]  # fmt: skip
    answers = [one.name for one in result.response.values()]
    return {"answers": answers, "recs": records, "quotas": len(list(managers.quotas.records))}


_OPERATIONS: dict[str, Callable[[Line], dict[str, Any]]] = {
    "createAcls": _create_acls, "deleteAcls": _delete_acls, "alterScram": _alter_scram, "alterQuotas": _alter_quotas,
    "createToken": _create_token, "renewToken": _renew_token, "expireToken": _expire_token,
    "sweepTokens": _sweep_tokens,
}  # fmt: skip


def _answer(line: Line) -> dict[str, Any]:
    try:
        return _OPERATIONS[line["op"]](line)
    except ApiError as refusal:
        return {"error": refusal.error.name}


KINDS: dict[str, Callable[[Line], dict[str, Any]]] = dict.fromkeys(("acls", "scram", "tokens", "quotas"), _answer)
"""The function that answers each kind of question."""
