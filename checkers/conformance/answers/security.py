"""Adapters for requests about access control, SCRAM credentials, delegation tokens and client quotas.

A line becomes the event of a trace, and the adapters of traces (`requests/security.py`) ask the rows about it, in the
state that the line begins with. Until when a token lives is taken from Kafka's answer, as from a trace: the rows say
what is written then, and the settings that decide it are the controller's. In which order the parts of a request are
written no row says.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from fencepost.checkers.conformance.records.wire import id_part
from fencepost.checkers.conformance.requests.adapting import at
from fencepost.model.kraft import security as rows
from fencepost.model.kraft import security_records as k
from fencepost.model.kraft.levels import METADATA_VERSION_LEVELS
from fencepost.model.kraft.protocol import KRAFT
from fencepost.model.kraft.state import mv
from fencepost.model.language import RecordValue
from fencepost.model.language.interpreter import CellKey
from fencepost.traces import events as trace

from .judge import Answered, Kind, Question, asked, put, sent
from .state import TRUTH, Line, any_in, cell


# -- the state that a line begins with ---------------------------------------------------------------------------------
def _cells(line: Line) -> dict[CellKey, Any]:
    cells: dict[CellKey, Any] = {}
    if "mv" in line:
        cells[cell(mv)] = METADATA_VERSION_LEVELS[line["mv"]]
    for number, one in enumerate(line.get("acls", ()), 1):
        cells |= {at(k.granted, number): True, at(k.says, number): tuple(one), at(k.in_force, tuple(one)): True}
    cells |= {at(k.has_credential, tuple(one)): True for one in line.get("credentials", ())}
    for one in line.get("tokens", ()):
        cells |= _token(*one)
    for entity, key, number in line.get("quotas", ()):
        cells[at(k.rate, (_entity(entity), key))] = number
    return cells


def _token(
    identifier: str, owner: str, requester: str, renewers: list[str], issued: int, latest: int, expires: int
) -> dict[CellKey, Any]:
    return {
        at(k.has_token, identifier): True,
        at(rows.published, identifier): True,
        at(k.owner, identifier): owner,
        at(k.requester, identifier): requester,
        at(k.renewers, identifier): frozenset(renewers),
        at(k.issued_at, identifier): issued,
        at(k.latest, identifier): latest,
        at(k.expires_at, identifier): expires,
    }


def _entity(parts: list[list[str | None]]) -> Any:
    return id_part([{"entityType": kind, "entityName": name} for kind, name in parts])


# -- the request -------------------------------------------------------------------------------------------------------
def _entries(told: list[list[Any]]) -> tuple[trace.AclEntry, ...]:
    columns = [one.name for one in fields(trace.AclEntry)]
    return tuple(trace.AclEntry(**dict(zip(columns, one, strict=True))) for one in told)


def _text(number: Any) -> str | None:
    return None if number is None else repr(float(number))


def _alteration(entity: list[list[Any]], changes: list[list[Any]]) -> trace.QuotaAlteration:
    return trace.QuotaAlteration(
        entity=tuple((kind, name) for kind, name in entity),
        changes=tuple((key, _text(number)) for key, number in changes),
    )


def _request(line: Line) -> trace.Event:
    """Return the request of a line; a token is named by its id, and the times of an answer are Kafka's."""
    match line["op"]:
        case "createAcls":
            return sent(trace.CreateAcls, acls=_entries(line["asked"]))
        case "deleteAcls":
            return sent(trace.DeleteAcls, filters=_entries(line["filters"]))
        case "alterScram":
            deletions, upsertions = (tuple(map(tuple, line[name])) for name in ("deletions", "upsertions"))
            return sent(trace.AlterUserScramCredentials, deletions=deletions, upsertions=upsertions)
        case "alterQuotas":
            alterations = tuple(_alteration(*one) for one in line["asked"])
            return sent(trace.AlterClientQuotas, alterations=alterations, validate_only=line["dry"])
        case "createToken" | "renewToken" | "expireToken":
            return _about_token(line, line["out"])
        case other:
            raise ValueError(f"nothing is called {other}")


def _about_token(line: Line, out: Mapping[str, Any]) -> trace.Event:
    answered = {"t_ms": line.get("now", 0), "error": out["error"], "by": line["by"], "expires": out["expires"]}
    if line["op"] == "createToken":
        owner, renewers = line["owner"] or line["by"], tuple(line["renewers"])
        return sent(
            trace.CreateDelegationToken, **answered, owner=owner, renewers=renewers, token=_ISSUED, latest=out["latest"]
        )
    answered["token"] = line["token"] if any(line["token"] == one[0] for one in line["tokens"]) else ""
    if line["op"] == "renewToken":
        return sent(trace.RenewDelegationToken, **answered)
    return sent(trace.ExpireDelegationToken, **answered, at_once=line["period"] < 0)


_ISSUED = "new"
"""The id of a token that is issued."""


def _ask(line: Line) -> Question:
    if line["op"] == "sweepTokens":
        return asked("SweepDelegationTokens", {"now": line["now"]}, _cells(line))
    return put(_request(line), _cells(line))


# -- the answer --------------------------------------------------------------------------------------------------------
def _record(record: RecordValue) -> dict[str, Any]:
    said = record.fields
    match record.record.name:
        case "AccessControlEntry":
            return {"t": "AccessControlEntry", "says": list(said["binding"])}
        case "RemoveAccessControlEntry":
            return {"t": "RemoveAccessControlEntry", "entry": said["acl"]}
        case "UserScramCredential" | "RemoveUserScramCredential":
            user, mechanism = said["credential"]
            told = {"t": record.record.name, "user": user, "mechanism": mechanism}
            return {**told, "iterations": said["iterations"]} if "iterations" in said else told
        case "DelegationToken":
            return {
                "t": "DelegationToken", "token": said["token"], "owner": said["owner"], "requester": said["requester"],
                "renewers": sorted(said["renewers"]), "issued": said["issued"], "latest": said["latest"],
                "expires": said["expires"],
            }  # fmt: skip
        case "RemoveDelegationToken":
            return {"t": "RemoveDelegationToken", "token": said["token"]}
    entity, key = said["quota"]
    removed = record.record.only["remove"]
    return {"t": "ClientQuota", "of": entity, "key": key, "remove": removed, "value": said.get("rate")}


_IN_NO_TABLE = ("stored", "server")
"""The fields of a credential's record that are computed from the password."""


def _plain(record: Mapping[str, Any]) -> dict[str, Any]:
    """A record of Kafka in the terms of the tables: an entity has no order, a removal no value, renewers are a set."""
    told = {name: one for name, one in record.items() if name not in _IN_NO_TABLE}
    if "entity" in told:
        told["of"] = _entity(told.pop("entity"))
        told["value"] = None if told["remove"] else told["value"]
    if "renewers" in told:
        told["renewers"] = sorted(set(told["renewers"]))
    return told


def _tell(line: Line, found: Answered) -> Mapping[str, Any]:
    records = [_record(one.value) for one in found.records]
    if line["op"] == "sweepTokens":
        return {"more": False, "recs": records}
    told = {**found.told, "recs": records}
    if line["op"] in ("createToken", "renewToken", "expireToken"):
        return {**told, **_times(line, records)}
    del told["error"]
    return told


def _times(line: Line, records: list[dict[str, Any]]) -> dict[str, Any]:
    """The times of an answer are those of the token that is written, or now where it is taken away."""
    names = ("issued", "latest", "expires") if line["op"] == "createToken" else ("expires",)
    [record] = records or [{}]
    ends = line["now"] if record.get("t") == "RemoveDelegationToken" else 0
    return {name: record.get(name, ends) for name in names}


def _same(name: str, kafka: Any, tables: Any) -> bool:
    """Compare a field: records and the users of an answer in any order; how many entries there are, no row says."""
    if name in ("entries", "quotas"):
        return True
    if name == "recs":
        return sorted(map(_key, map(_plain, kafka))) == sorted(map(_key, tables))
    if name == "answers" and isinstance(tables, frozenset):
        return {tuple(one) for one in kafka} == tables and len(kafka) == len(tables)
    if name == "deleted":
        return [len(one) for one in kafka] == list(tables)
    return bool((list(tables) if isinstance(tables, tuple) else tables) == kafka)


def _key(record: Mapping[str, Any]) -> str:
    return json.dumps(record, sort_keys=True, default=repr)


def _of_many(line: Line) -> str:
    return "no row says how many tokens are swept at once" if "many" in line else ""


def _without_keys(line: Line) -> str:
    return "an entity without a key is asked of no row" if any(not keys for _, keys in line["asked"]) else ""


def _kind(name: str, columns: dict[str, tuple[Any, ...]], skip: Callable[[Line], str] = lambda line: "") -> Kind:
    """Return a kind whose lines have these columns."""
    return Kind(name, KRAFT, _ask, _tell, skip, _same, columns=columns)


_ACLS = {"op": ("createAcls", "deleteAcls")}
_TOKENS = {"op": ("createToken", "renewToken", "expireToken", "sweepTokens"), "enabled": TRUTH}
_TIMES = ("now", "maxLifetime", "expiry", "lifetime", "period")

ACLS = _kind("acls", any_in("mv", "acls", "asked", "filters") | _ACLS)
SCRAM = _kind("scram", any_in("mv", "credentials", "deletions", "upsertions") | {"op": ("alterScram",)})
TOKENS = _kind(
    "tokens", any_in("mv", "tokens", "many", "by", "owner", "renewers", "token", *_TIMES) | _TOKENS, _of_many
)
QUOTAS = _kind("quotas", any_in("quotas", "asked") | {"op": ("alterQuotas",), "dry": TRUTH}, _without_keys)
