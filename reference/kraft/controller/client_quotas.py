"""Client quotas: of users, client ids and addresses (KIP-546, ClientQuotaControlManager)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from fencepost.reference.kraft.errors import Errors
from fencepost.reference.kraft.messages import AlterClientQuotasRequest, ClientQuotaAlteration
from fencepost.reference.kraft.records import Message
from fencepost.reference.kraft.results import ControllerResult
from fencepost.reference.timeline import TimelineMap
from fencepost.traces.addresses import is_address

from .hash_tables import java_order

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
    """The quotas by entity, whatever the order of its parts, and key.

    In records an entity's parts, and the keys that are altered together, stand in the order of Java's hash tables. An
    address must be numeric: no resolver of host names is available here.
    """

    def __init__(self, registry: SnapshotRegistry) -> None:
        self.records: TimelineMap[tuple[Entity, str], Message] = TimelineMap(registry)

    def alter(self, request: AlterClientQuotasRequest) -> ControllerResult[dict[Entity, Errors]]:
        """Alter quotas; of an entity that is refused, or named again, what is asked then is not done.

        Of two names of one type in an entity the later one counts: Kafka makes a table of them.
        """
        answers: dict[Entity, Errors] = {}
        records: list[Message] = []
        for one in request.alterations:
            entity = frozenset(dict(one.entity).items())
            keys = [key for key, _ in one.changes]
            if entity in answers or len(set(keys)) < len(keys):
                answers[entity] = Errors.INVALID_REQUEST
                continue
            found = self._records(one, entity)
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

    def _records(self, asked: ClientQuotaAlteration, of: Entity) -> list[Message] | None:
        """The records of one entity, None where something of it is refused."""
        keys = _keys_of(of)
        if keys is None:
            return None
        names, values = dict(of), dict(asked.changes)
        found, entity = [], [{"entityType": kind, "entityName": names[kind]} for kind in java_order(names, sized=True)]
        for key in java_order(values, sized=True):
            value = values[key]
            present = self.records.get((of, key))
            if value is None:
                if present is not None:
                    found.append(Message(QUOTA, 0, {"entity": entity, "key": key, "value": 0.0, "remove": True}))
                continue
            if key not in keys or not _allowed(key, value):
                return None
            if present is None or present.data["value"] != value:
                found.append(Message(QUOTA, 0, {"entity": entity, "key": key, "value": value, "remove": False}))
        return found


def _keys_of(entity: Entity) -> tuple[str, ...] | None:
    """The keys that an entity may have, None for an entity that cannot be."""
    names = dict(entity)
    if not names or any(name == "" for name in names.values()):
        return None
    if set(names) == {IP}:
        address = names[IP]
        return (_OF_ADDRESSES,) if address is None or is_address(address) else None
    return (*_LONGS, *_DOUBLES) if set(names) <= {USER, CLIENT_ID} else None


def _allowed(key: str, value: float) -> bool:
    if not math.isfinite(value) or value <= 0:
        return False
    if key in _DOUBLES:
        return True
    return value <= (_LARGEST_INT if key == _OF_ADDRESSES else _LARGEST_LONG) and abs(value % 1) <= _EPSILON
