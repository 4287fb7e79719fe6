"""Client quotas: of users, client ids and addresses (KIP-546, ClientQuotaControlManager)."""

from __future__ import annotations

import ipaddress
import math
from typing import TYPE_CHECKING

from fencepost.reference.kraft.errors import Errors
from fencepost.reference.kraft.messages import AlterClientQuotasRequest, ClientQuotaAlteration
from fencepost.reference.kraft.records import Message
from fencepost.reference.kraft.results import ControllerResult
from fencepost.reference.timeline import TimelineMap

if TYPE_CHECKING:
    from fencepost.reference.timeline import SnapshotRegistry

USER, CLIENT_ID, IP = "user", "client-id", "ip"
QUOTA = "CLIENT_QUOTA_RECORD"
_LONGS, _DOUBLES = ("producer_byte_rate", "consumer_byte_rate"), ("request_percentage", "controller_mutation_rate")
_OF_ADDRESSES = "connection_creation_rate"
_LARGEST_INT, _LARGEST_LONG = 2.0**31 - 1, 2.0**63
_EPSILON = 1e-6

Entity = frozenset[tuple[str, str | None]]


class ClientQuotaControlManager:
    """The quotas by entity, whatever the order of its parts, and key."""

    def __init__(self, registry: SnapshotRegistry) -> None:
        self.records: TimelineMap[tuple[Entity, str], Message] = TimelineMap(registry)

    def alter(self, request: AlterClientQuotasRequest) -> ControllerResult[dict[Entity, Errors]]:
        """Alter quotas; of an entity that is refused, or named again, what is asked then is not done."""
        answers: dict[Entity, Errors] = {}
        records: list[Message] = []
        for one in request.alterations:
            entity = frozenset(one.entity)
            keys = [key for key, _ in one.changes]
            if entity in answers or len(set(keys)) < len(keys):
                answers[entity] = Errors.INVALID_REQUEST
                continue
            found = self._records(one)
            answers[entity] = Errors.INVALID_REQUEST if found is None else Errors.NONE
            records += found or ()
        written = () if request.validate_only else tuple(records)
        return ControllerResult(written, answers, atomic=True)

    def replay(self, message: Message) -> None:
        """Apply a quota, which may say that it is no more."""
        data = message.data
        key = frozenset((one["entityType"], one["entityName"]) for one in data["entity"]), data["key"]
        if data["remove"]:
            self.records.pop(key, None)
        else:
            self.records[key] = message

    def _records(self, asked: ClientQuotaAlteration) -> list[Message] | None:
        """The records of one entity, None where something of it is refused."""
        keys = _keys_of(asked)
        if keys is None:
            return None
        found, entity = [], [{"entityType": kind, "entityName": name} for kind, name in asked.entity]
        for key, value in asked.changes:
            present = self.records.get((frozenset(asked.entity), key))
            if value is None:
                if present is not None:
                    found.append(Message(QUOTA, 0, {"entity": entity, "key": key, "value": 0.0, "remove": True}))
                continue
            if key not in keys or not _allowed(key, value):
                return None
            if present is None or present.data["value"] != value:
                found.append(Message(QUOTA, 0, {"entity": entity, "key": key, "value": value, "remove": False}))
        return found


def _keys_of(asked: ClientQuotaAlteration) -> tuple[str, ...] | None:
    """The keys that an entity may have, None for an entity that cannot be."""
    kinds = [kind for kind, _ in asked.entity]
    if len(set(kinds)) < len(kinds) or not kinds or any(name == "" for _, name in asked.entity):
        return None
    if set(kinds) == {IP}:
        return (_OF_ADDRESSES,) if is_address(asked.entity[0][1]) else None
    return (*_LONGS, *_DOUBLES) if set(kinds) <= {USER, CLIENT_ID} else None


def is_address(name: str | None) -> bool:
    """Whether a name is an address, or the default; a host's name is none here, where there is nobody to resolve it."""
    try:
        return name is None or bool(ipaddress.ip_address(name))
    except ValueError:
        return False


def _allowed(key: str, value: float) -> bool:
    if not math.isfinite(value) or value <= 0:
        return False
    if key in _DOUBLES:
        return True
    return value <= (_LARGEST_INT if key == _OF_ADDRESSES else _LARGEST_LONG) and abs(value % 1) <= _EPSILON
