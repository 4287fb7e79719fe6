"""The entries in the tree of a log that no state of the tables holds, from the newest record of each.

Listeners and racks of registrations, the text of configurations, access control, quotas,
credentials and tokens are in no row. The newest record of each is shown; nothing is computed from it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from fencepost.checkers.conformance.records.wire import as_key
from fencepost.traces import ControlRecord, Record
from fencepost.traces import record_types as types
from fencepost.traces.record_types import LEADER_CHANGE

from .history import Past


@dataclass(frozen=True, slots=True)
class Kept:
    """A type of record of which the newest is kept for each value of its key fields.

    `unless` is a field and the value by which the record says that the thing is gone.
    """

    type: str
    key: tuple[str, ...]
    unless: tuple[str, Any] | None = None


KEPT = {
    one.type: one
    for one in (
        Kept("REGISTER_BROKER_RECORD", ("brokerId",)),
        Kept("REGISTER_CONTROLLER_RECORD", ("controllerId",)),
        Kept("PRODUCER_IDS_RECORD", ()),
        Kept("TOPIC_RECORD", ("topicId",)),
        Kept("CONFIG_RECORD", ("resourceType", "resourceName", "name"), ("value", None)),
        Kept(types.ACCESS_CONTROL_ENTRY_RECORD, ("id",)),
        Kept(types.USER_SCRAM_CREDENTIAL_RECORD, ("name", "mechanism")),
        Kept(types.DELEGATION_TOKEN_RECORD, ("tokenId",)),
        Kept(types.CLIENT_QUOTA_RECORD, ("entity", "key"), ("remove", True)),
    )
}

REMOVED_BY = {
    types.REMOVE_ACCESS_CONTROL_ENTRY_RECORD: types.ACCESS_CONTROL_ENTRY_RECORD,
    types.REMOVE_USER_SCRAM_CREDENTIAL_RECORD: types.USER_SCRAM_CREDENTIAL_RECORD,
    types.REMOVE_DELEGATION_TOKEN_RECORD: types.DELEGATION_TOKEN_RECORD,
}


@dataclass(frozen=True, slots=True)
class Said:
    """A record that is the newest about a thing: its place in the order of reading, and its fields."""

    order: int
    data: Mapping[str, Any]


class Newest:
    """The newest records up to an offset, from the snapshot with which the log begins on.

    `leader` is the active controller
    and its epoch as the last leader change up to there says, None where there is none; `epoch` and `timestamp` (in
    milliseconds since 1970) are those of the last record.
    """

    def __init__(self, past: Past) -> None:
        self._of: dict[str, dict[tuple[Any, ...], Said]] = {type_: {} for type_ in KEPT}
        self.leader: tuple[int, int] | None = None
        self.epoch, self.timestamp = -1, -1
        order = 0
        for record in past.snapshot.records if past.snapshot is not None else ():
            order += 1
            self._read(record, order)
        for batch in past.log.batches:
            for one in batch.records:
                if not past.first <= one.offset <= past.offset:
                    continue
                order += 1
                self.epoch, self.timestamp = batch.epoch, one.timestamp
                if isinstance(one, ControlRecord) and one.type == LEADER_CHANGE:
                    self.leader = (int(one.data["leaderId"]), batch.epoch)
                elif isinstance(one, Record):
                    self._read(one, order)

    def of(self, type_: str) -> Iterator[tuple[tuple[Any, ...], Said]]:
        """Yield the newest records of a type by their key fields, those left out that were taken back."""
        yield from self._of[type_].items()

    def fields(self, type_: str, *key: Any) -> Mapping[str, Any]:
        """Return the fields of the newest record of a type about a key, empty where there is none."""
        found = self._of[type_].get(key)
        return found.data if found is not None else {}

    def order(self, type_: str, *key: Any) -> int:
        """Return the place of the newest record of a type about a key in the order of reading, 0 for none."""
        found = self._of[type_].get(key)
        return found.order if found is not None else 0

    def _read(self, record: Record, order: int) -> None:
        data = record.data
        if record.type in KEPT:
            kept = KEPT[record.type]
            key = tuple(as_key(data.get(name)) for name in kept.key)
            if kept.unless is not None and data.get(kept.unless[0]) == kept.unless[1]:
                self._of[kept.type].pop(key, None)
            else:
                self._of[kept.type][key] = Said(order, data)
        elif record.type in REMOVED_BY:
            kept = KEPT[REMOVED_BY[record.type]]
            self._of[kept.type].pop(tuple(as_key(data.get(name)) for name in kept.key), None)
