"""Adapters for requests about access control, SCRAM credentials, delegation tokens and client quotas.

An entry that a request has twice is one part of it, and so is a user, by the first time that the user is named;
deletions come before upserts. An entry that several filters are for goes by the first of them. Whether a token was
found in the published metadata only the answer shows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fencepost.checkers.conformance.records.legality import unfit_quota
from fencepost.checkers.conformance.records.wire import id_part
from fencepost.model.kraft import security as rows
from fencepost.model.kraft import security_records as k
from fencepost.traces import events as trace
from fencepost.traces.addresses import is_address, is_range

from .adapting import Adapter, Asked, Upcoming, at, recorded, value
from .outcomes import Outcome, Part, Reading

NEW = "a new one"
"""The id of an entity that was not created."""

_ANY, _MATCH, _PREFIXED = 1, 2, 4
_IN_FILTERS = (range(2, 8), range(_MATCH, 5), range(2, 16), range(2, 4))
"""The codes of resource types, patterns, operations and permissions that a filter may have, beside ANY."""


# -- access control ----------------------------------------------------------------------------------------------------
def _binding(one: trace.AclEntry) -> tuple[Any, ...]:
    return (
        one.resource_type, one.resource_name or "", one.pattern_type, one.principal or "", one.host or "",
        one.operation, one.permission_type,
    )  # fmt: skip


def _create(event: trace.CreateAcls, controller: Asked, upcoming: Upcoming) -> Iterator[Reading]:
    created = {
        one.values["binding"]: one.entities[0] for one in upcoming if one is not None and one.record is k.ACL_ENTRY
    }
    parts = [
        Part(
            "CreateAcl",
            {
                "a": created.get(binding, f"{NEW} ({number})"),
                "v": binding,
                "readable": ":" in binding[3] and bool(binding[4]),
                "range": "/" in binding[4],
                "good_range": is_range(binding[4]),
            },
        )
        for number, binding in enumerate(dict.fromkeys(map(_binding, event.acls)))
    ]
    yield Reading(tuple(parts))


def _created(event: trace.CreateAcls, outcome: Outcome) -> dict[str, Any]:
    distinct = dict.fromkeys(map(_binding, event.acls))
    errors = dict(zip(distinct, (one.error for one in outcome.parts), strict=True))
    return {"error": "NONE", "answers": tuple(errors[_binding(one)] for one in event.acls)}


def _delete(event: trace.DeleteAcls, controller: Asked, upcoming: Upcoming) -> Iterator[Reading]:
    there = {one: value(controller, k.says, one) for one in controller.domains["Acl"]
             if value(controller, k.granted, one)}  # fmt: skip
    parts, again, gone = [], [], set[Any]()
    for of in event.filters:
        asked = (of.resource_type, of.pattern_type, of.operation, of.permission_type)
        readable = all(code in (_ANY, *known) for code, known in zip(asked, _IN_FILTERS, strict=True))
        found = {one for one, said in there.items() if readable and _matches(of, said)}
        # An unreadable filter matches no entry, and brings along no cell.
        cells = {at(rows.matches, one): one in found - gone for one in there} if readable else {}
        parts.append(Part("DeleteAcls", {"readable": readable}, cells))
        again.append(len(found & gone))
        gone |= found
    several = len(parts) > 1
    yield Reading(
        tuple(parts), unordered=several, apart=several, others={rows.matches.state: False}, told={"again": tuple(again)}
    )


def _matches(of: trace.AclEntry, said: tuple[Any, ...]) -> bool:
    kind, name, pattern, principal, host, operation, permission = said
    return (
        of.resource_type in (_ANY, kind)
        and of.pattern_type in (_ANY, _MATCH, pattern)
        and (of.resource_name is None or _named(of, name, pattern))
        and of.principal in (None, principal)
        and of.host in (None, host)
        and of.operation in (_ANY, operation)
        and of.permission_type in (_ANY, permission)
    )


def _named(of: trace.AclEntry, name: str, pattern: int) -> bool:
    asked = of.resource_name or ""
    if of.pattern_type != _MATCH:
        return asked == name
    return asked.startswith(name) if pattern == _PREFIXED else name in (asked, "*")


def _deleted(event: trace.DeleteAcls, outcome: Outcome) -> dict[str, Any]:
    """An entry that an earlier filter was for is counted again, but goes once."""
    counts = (len(list(one.written)) for one in outcome.parts)
    return {
        "error": "NONE",
        "answers": tuple(one.error for one in outcome.parts),
        "deleted": tuple(count + again for count, again in zip(counts, outcome.told["again"], strict=True)),
    }


# -- credentials and tokens --------------------------------------------------------------------------------------------
def _users(event: trace.AlterUserScramCredentials) -> dict[str, list[tuple[int, int | None]]]:
    """Return the parts about each user, deletions first: a mechanism, with the iterations of an upsert."""
    found: dict[str, list[tuple[int, int | None]]] = {}
    for user, mechanism in event.deletions:
        found.setdefault(user, []).append((mechanism, None))
    for user, mechanism, iterations in event.upsertions:
        found.setdefault(user, []).append((mechanism, iterations))
    return found


def _credentials(event: trace.AlterUserScramCredentials, controller: Asked, upcoming: Upcoming) -> Iterator[Reading]:
    parts = []
    for user, ((mechanism, iterations), *more) in _users(event).items():
        params: dict[str, Any] = {"c": (user, mechanism), "twice": bool(more)}
        if iterations is None:
            parts.append(Part("DeleteScramCredential", params))
        else:
            parts.append(Part("UpsertScramCredential", {**params, "iterations": iterations}))
    yield Reading(tuple(parts), unordered=len(parts) > 1)


def _altered(event: trace.AlterUserScramCredentials, outcome: Outcome) -> dict[str, Any]:
    errors = (one.error for one in outcome.parts)
    return {"error": "NONE", "answers": frozenset(zip(_users(event), errors, strict=True))}


_DISABLED = "DELEGATION_TOKEN_AUTH_DISABLED"


def _issue(event: trace.CreateDelegationToken, controller: Asked, upcoming: Upcoming) -> Iterator[Reading]:
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


def _renew(event: trace.RenewDelegationToken, controller: Asked, upcoming: Upcoming) -> Iterator[Reading]:
    yield _about_token("RenewDelegationToken", event, controller, {})


def _expire(event: trace.ExpireDelegationToken, controller: Asked, upcoming: Upcoming) -> Iterator[Reading]:
    yield _about_token("ExpireDelegationToken", event, controller, {"at_once": event.at_once})


def _about_token(
    name: str, event: trace.RenewDelegationToken | trace.ExpireDelegationToken, controller: Asked, more: dict[str, Any]
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
def _entity(one: trace.QuotaAlteration) -> Any:
    """An entity as a log has it; of two names of one type the later one counts."""
    return id_part([{"entityType": kind, "entityName": name} for kind, name in dict(one.entity).items()])


def _quotas(event: trace.AlterClientQuotas, controller: Asked, upcoming: Upcoming) -> Iterator[Reading]:
    """The keys of an entity are together; `twice` where the entity was named before, or the key is named again."""
    parts: list[Part] = []
    together, named = [], set[Any]()
    for one in event.alterations:
        if not one.changes:
            raise ValueError("an entity without a key")
        entity, keys = _entity(one), [key for key, _ in one.changes]
        addresses = [name for kind, name in dict(one.entity).items() if kind == "ip" and name is not None]
        told = {"resolves": all(map(is_address, addresses)), "validate_only": bool(event.validate_only)}
        before = len(parts)
        for key, said in dict(one.changes).items():
            twice = entity in named or keys.count(key) > 1
            parts.append(_quota({"q": (entity, key), "twice": twice, **told}, key, said))
        together.append(tuple(range(before, len(parts))))
        named.add(entity)
    yield Reading(tuple(parts), unordered=len(parts) > 1, together=tuple(together))


def _quota(params: dict[str, Any], key: str, said: str | None) -> Part:
    if said is None:
        return Part("RemoveClientQuota", params)
    number = float(said)
    return Part("SetClientQuota", {**params, "rate": number, "allowed": not unfit_quota(key, number)})


def _limited(event: trace.AlterClientQuotas, outcome: Outcome) -> dict[str, Any]:
    errors = dict.fromkeys(map(_entity, event.alterations), "NONE")
    for part in outcome.parts:
        entity, _ = next(value for var, value in part.binding.items() if var.name == "q")
        if part.error != "NONE":
            errors[entity] = part.error
    return {"error": "NONE", "answers": tuple(errors.values())}


SECURITY: dict[str, Adapter] = {
    "CreateAcls": Adapter(("CreateAcl",), _create, _created, recorded("answers")),
    "DeleteAcls": Adapter(("DeleteAcls",), _delete, _deleted, recorded("answers", "deleted")),
    "AlterUserScramCredentials": Adapter(
        ("UpsertScramCredential", "DeleteScramCredential"),
        _credentials,
        _altered,
        lambda event: {"error": event.error, "answers": frozenset(event.answers)},
    ),
    "CreateDelegationToken": Adapter(("CreateDelegationToken",), _issue),
    "RenewDelegationToken": Adapter(("RenewDelegationToken",), _renew),
    "ExpireDelegationToken": Adapter(("ExpireDelegationToken",), _expire),
    "AlterClientQuotas": Adapter(("SetClientQuota", "RemoveClientQuota"), _quotas, _limited, recorded("answers")),
}
"""The adapters by the name of the request."""
