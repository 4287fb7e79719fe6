"""Metadata that is kept, so that a snapshot has it, but that nothing here decides by: ACLs, SCRAM, tokens, quotas."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any

from fencepost.reference.kraft.errors import ReplayError
from fencepost.reference.kraft.records import Message
from fencepost.reference.timeline import TimelineMap

if TYPE_CHECKING:
    from fencepost.reference.timeline import SnapshotRegistry

Data = Mapping[str, Any]


class AclControlManager:
    """The access control entries by their ids, and `existing` without them."""

    def __init__(self, registry: SnapshotRegistry) -> None:
        self.records: TimelineMap[Hashable, Message] = TimelineMap(registry)
        self.existing: TimelineMap[Hashable, bool] = TimelineMap(registry)

    def replay(self, message: Message) -> None:
        """Apply an AccessControlEntry or its removal; raises ReplayError where the id, or the entry, is gone already.

        An id that is there gets the new entry: no fault. `existing` keeps what such an id had before, and two ids of
        one entry are in it once, so that the second of them cannot be removed (AclControlManager).
        """
        identifier = message.data["id"]
        if message.type == "REMOVE_ACCESS_CONTROL_ENTRY_RECORD":
            removed = self.records.pop(identifier, None)
            if removed is None:
                raise ReplayError(f"Unable to replay the removal of ACL {identifier}: no acl with that ID found")
            if self.existing.pop(_entry(removed), None) is None:
                raise ReplayError(f"Unable to replay the removal of ACL {identifier}: acl not found in existingAcls")
        else:
            self.records[identifier] = message
            self.existing[_entry(message)] = True


def _entry(message: Message) -> Hashable:
    """What an AccessControlEntry says but for its id."""
    return tuple(sorted((name, value) for name, value in message.data.items() if name != "id"))


class ScramControlManager:
    """The SCRAM credentials by user and mechanism."""

    def __init__(self, registry: SnapshotRegistry) -> None:
        self.records: TimelineMap[Hashable, Message] = TimelineMap(registry)

    def replay(self, message: Message) -> None:
        """Apply a UserScramCredential or its removal; raises ReplayError for one that is not there."""
        key = message.data["name"], message.data["mechanism"]
        if message.type == "USER_SCRAM_CREDENTIAL_RECORD":
            self.records[key] = message
        elif self.records.pop(key, None) is None:
            raise ReplayError(f"Unable to find credential for user {key[0]} with mechanism {key[1]}.")


class DelegationTokenControlManager:
    """The delegation tokens by their ids."""

    def __init__(self, registry: SnapshotRegistry) -> None:
        self.records: TimelineMap[Hashable, Message] = TimelineMap(registry)

    def replay(self, message: Message) -> None:
        """Apply a DelegationToken or its removal."""
        if message.type == "DELEGATION_TOKEN_RECORD":
            self.records[message.data["tokenId"]] = message
        else:
            self.records.pop(message.data["tokenId"], None)


class ClientQuotaControlManager:
    """The quotas by entity, whatever the order of its parts, and key."""

    def __init__(self, registry: SnapshotRegistry) -> None:
        self.records: TimelineMap[Hashable, Message] = TimelineMap(registry)

    def replay(self, message: Message) -> None:
        """Apply a ClientQuota, which may say that a quota is no more."""
        data = message.data
        parts = sorted(
            (one["entityType"], one["entityName"] or "", one["entityName"] is None) for one in data["entity"]
        )
        key = tuple(parts), data["key"]
        if data["remove"]:
            self.records.pop(key, None)
        else:
            self.records[key] = message


class PassedThrough:
    """The four of them, and which of them replays which record."""

    def __init__(self, registry: SnapshotRegistry) -> None:
        self.acls = AclControlManager(registry)
        self.scram = ScramControlManager(registry)
        self.tokens = DelegationTokenControlManager(registry)
        self.quotas = ClientQuotaControlManager(registry)
        self._by_type = {
            "ACCESS_CONTROL_ENTRY_RECORD": self.acls.replay,
            "REMOVE_ACCESS_CONTROL_ENTRY_RECORD": self.acls.replay,
            "USER_SCRAM_CREDENTIAL_RECORD": self.scram.replay,
            "REMOVE_USER_SCRAM_CREDENTIAL_RECORD": self.scram.replay,
            "DELEGATION_TOKEN_RECORD": self.tokens.replay,
            "REMOVE_DELEGATION_TOKEN_RECORD": self.tokens.replay,
            "CLIENT_QUOTA_RECORD": self.quotas.replay,
        }
        self.types = frozenset(self._by_type)

    def replay(self, message: Message) -> None:
        """Apply a record of one of `types`."""
        self._by_type[message.type](message)
