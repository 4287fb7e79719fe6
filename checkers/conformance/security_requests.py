"""Adapters for requests about access control, SCRAM credentials, delegation tokens and client quotas.

A trace has columns for one part of them: one entry or filter, one user, one key of one entity. Whether a token was
found in the published metadata is told by the answer alone.
"""

from __future__ import annotations

import ipaddress
import math
from collections.abc import Iterator
from typing import Any

from fencepost.model.kraft import security as rows
from fencepost.model.kraft import security_records as k
from fencepost.traces import events as trace

from .adapting import Adapter, Asked, Upcoming, at, only_error, recorded_error, value
from .outcomes import Outcome, Part, Reading
from .wire import id_part

NEW = "a new one"
"""Stands for the id of what was not created."""

_ANY, _MATCH, _PREFIXED = 1, 2, 4
_IN_FILTERS = (range(2, 8), range(_MATCH, 5), range(2, 16), range(2, 4))
"""The codes of resource types, patterns, operations and permissions that a filter may have, beside ANY."""


# -- access control ----------------------------------------------------------------------------------------------------
def _create(event: trace.CreateAcls, situation: Asked, upcoming: Upcoming) -> Iterator[Reading]:
    created = [one.entities[0] for one in upcoming if one is not None and one.record is k.ACL_ENTRY]
    binding = (
        event.resource_type, event.resource_name or "", event.pattern_type, event.principal or "", event.host or "",
        event.operation, event.permission_type,
    )  # fmt: skip
    params = {
        "a": created[0] if created else NEW,
        "v": binding,
        "readable": ":" in (event.principal or "") and bool(event.host),
        "range": "/" in (event.host or ""),
        "good_range": _is_range(event.host or ""),
    }
    yield Reading((Part("CreateAcl", params),))


def _is_range(host: str) -> bool:
    address, _, length = host.partition("/")
    try:
        return length.isascii() and length.isdigit() and int(length) <= ipaddress.ip_address(address).max_prefixlen
    except ValueError:
        return False


def _delete(event: trace.DeleteAcls, situation: Asked, upcoming: Upcoming) -> Iterator[Reading]:
    asked = (event.resource_type, event.pattern_type, event.operation, event.permission_type)
    readable = all(code in (_ANY, *known) for code, known in zip(asked, _IN_FILTERS, strict=True))
    cells = {
        at(rows.matches, one): readable and _matches(event, value(situation, k.says, one))
        for one in situation.hard.domains["Acl"]
        if value(situation, k.granted, one)
    }
    yield Reading((Part("DeleteAcls", {"readable": readable}, cells),), others={rows.matches.state: False})


def _matches(event: trace.DeleteAcls, said: tuple[Any, ...]) -> bool:
    kind, name, pattern, principal, host, operation, permission = said
    return (
        event.resource_type in (_ANY, kind)
        and event.pattern_type in (_ANY, _MATCH, pattern)
        and (event.resource_name is None or _named(event, name, pattern))
        and event.principal in (None, principal)
        and event.host in (None, host)
        and event.operation in (_ANY, operation)
        and event.permission_type in (_ANY, permission)
    )


def _named(event: trace.DeleteAcls, name: str, pattern: int) -> bool:
    asked = event.resource_name or ""
    if event.pattern_type != _MATCH:
        return asked == name
    return asked.startswith(name) if pattern == _PREFIXED else name in (asked, "*")


def _deleted(event: trace.DeleteAcls, outcome: Outcome) -> dict[str, Any]:
    return {**only_error(event, outcome), "deleted": len(list(outcome.parts[0].written))}


# -- credentials and tokens --------------------------------------------------------------------------------------------
def _credential(event: trace.AlterUserScramCredentials, situation: Asked, upcoming: Upcoming) -> Iterator[Reading]:
    params = {"c": (event.user, event.mechanism), "twice": False}
    if event.iterations is None:
        yield Reading((Part("DeleteScramCredential", params),))
    else:
        yield Reading((Part("UpsertScramCredential", {**params, "iterations": event.iterations}),))


_DISABLED = "DELEGATION_TOKEN_AUTH_DISABLED"


def _issue(event: trace.CreateDelegationToken, situation: Asked, upcoming: Upcoming) -> Iterator[Reading]:
    params = {
        "k": event.token or NEW,
        "holder": event.owner,
        "by": event.by,
        "renewers": frozenset(event.renewers),
        "now": event.t_ms,
        "end": event.latest or event.t_ms,
        "until": event.expires or event.t_ms,
        "enabled": event.error != _DISABLED,
        "of_users": all(one.startswith("User:") for one in event.renewers),
    }
    yield Reading((Part("CreateDelegationToken", params),))


def _renew(event: trace.RenewDelegationToken, situation: Asked, upcoming: Upcoming) -> Iterator[Reading]:
    yield _about_token("RenewDelegationToken", event, situation, {})


def _expire(event: trace.ExpireDelegationToken, situation: Asked, upcoming: Upcoming) -> Iterator[Reading]:
    yield _about_token("ExpireDelegationToken", event, situation, {"at_once": event.at_once})


def _about_token(
    name: str, event: trace.RenewDelegationToken | trace.ExpireDelegationToken, situation: Asked, more: dict[str, Any]
) -> Reading:
    token = event.token or NEW
    # Where no other end is written, any will do.
    writes = event.error == "NONE" and not more.get("at_once")
    params = {
        "k": token, "by": event.by, "now": event.t_ms, "until": event.expires if writes else 0,
        "enabled": event.error != _DISABLED, **more,
    }  # fmt: skip
    cells = {at(rows.published, token): bool(event.token)}
    return Reading((Part(name, params, cells),), others={rows.published.state: False})


# -- quotas ------------------------------------------------------------------------------------------------------------
def _quota(event: trace.AlterClientQuotas, situation: Asked, upcoming: Upcoming) -> Iterator[Reading]:
    entity = id_part([{"entityType": kind, "entityName": name} for kind, name in event.entity])
    addresses = [name for kind, name in event.entity if kind == "ip"]
    params: dict[str, Any] = {
        "q": (entity, event.key),
        "resolves": all(_is_address(name) for name in addresses),
        "validate_only": bool(event.validate_only),
    }
    if event.value is None:
        yield Reading((Part("RemoveClientQuota", params),))
        return
    number = float(event.value)
    whole = event.key in ("producer_byte_rate", "consumer_byte_rate", "connection_creation_rate")
    allowed = math.isfinite(number) and number > 0 and not (whole and abs(number % 1) > 1e-6)
    yield Reading((Part("SetClientQuota", {**params, "rate": number, "allowed": allowed}),))


def _is_address(name: str | None) -> bool:
    try:
        return name is None or bool(ipaddress.ip_address(name))
    except ValueError:
        return False


SECURITY: dict[str, Adapter] = {
    "CreateAcls": Adapter(("CreateAcl",), _create, only_error, recorded_error),
    "DeleteAcls": Adapter(
        ("DeleteAcls",), _delete, _deleted, lambda event: {"error": event.error, "deleted": event.deleted}
    ),
    "AlterUserScramCredentials": Adapter(
        ("UpsertScramCredential", "DeleteScramCredential"), _credential, only_error, recorded_error
    ),
    "CreateDelegationToken": Adapter(("CreateDelegationToken",), _issue, only_error, recorded_error),
    "RenewDelegationToken": Adapter(("RenewDelegationToken",), _renew, only_error, recorded_error),
    "ExpireDelegationToken": Adapter(("ExpireDelegationToken",), _expire, only_error, recorded_error),
    "AlterClientQuotas": Adapter(("SetClientQuota", "RemoveClientQuota"), _quota, only_error, recorded_error),
}
"""The adapters by the name of the request."""
