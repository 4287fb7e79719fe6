"""What is only kept: access control entries are replayed as Kafka's AclControlManager replays them."""

from __future__ import annotations

from typing import Any

import pytest

from fencepost.reference.kraft.controller.passed_through import PassedThrough
from fencepost.reference.kraft.errors import ReplayError
from fencepost.reference.kraft.records import Message
from fencepost.reference.timeline import SnapshotRegistry

FIRST, SECOND = "B" * 22, "C" * 22


def _added(identifier: str, host: str) -> Message:
    data: dict[str, Any] = {
        "id": identifier, "resourceType": 2, "resourceName": "a", "patternType": 3, "principal": "User:a",
        "host": host, "operation": 3, "permissionType": 3,
    }  # fmt: skip
    return Message("ACCESS_CONTROL_ENTRY_RECORD", 0, data)


def _removed(identifier: str) -> Message:
    return Message("REMOVE_ACCESS_CONTROL_ENTRY_RECORD", 0, {"id": identifier})


def test_an_id_that_is_there_is_replaced() -> None:
    """The same id twice is no fault: the second entry counts, and is removed by the id once."""
    kept = PassedThrough(SnapshotRegistry())
    for host in ("*", "*", "h"):
        kept.replay(_added(FIRST, host))
    assert [one.data["host"] for one in kept.acls.records.values()] == ["h"]
    kept.replay(_removed(FIRST))
    with pytest.raises(ReplayError, match="no acl with that ID"):
        kept.replay(_removed(FIRST))


def test_two_ids_of_one_entry_are_removed_once() -> None:
    """The set of entries has no ids: once one of two equal entries is removed, the removal of the other is a fault."""
    kept = PassedThrough(SnapshotRegistry())
    kept.replay(_added(FIRST, "*"))
    kept.replay(_added(SECOND, "*"))
    kept.replay(_removed(FIRST))
    with pytest.raises(ReplayError, match="not found in existingAcls"):
        kept.replay(_removed(SECOND))
