"""Access control entries: created once, deleted by filters (AclControlManager)."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from fencepost.reference.kraft.errors import ApiError, Errors, ReplayError
from fencepost.reference.kraft.levels import LEVELS
from fencepost.reference.kraft.messages import ANY, MATCH, AclBinding, CreateAclsRequest, DeleteAclsRequest, DeletedAcls
from fencepost.reference.kraft.records import Message
from fencepost.reference.kraft.results import MAX_RECORDS_PER_USER_OP, ControllerResult
from fencepost.reference.timeline import TimelineMap, TimelineSet
from fencepost.traces.addresses import is_range

if TYPE_CHECKING:
    from fencepost.reference.timeline import SnapshotRegistry

    from .features import FeatureControlManager

RESOURCE_TYPES, PATTERNS, OPERATIONS, PERMISSIONS = range(2, 8), range(3, 5), range(2, 16), range(2, 4)
"""The codes that an entry may have; a filter may also have ANY, and MATCH as its pattern."""

LITERAL, PREFIXED = 3, 4
RANGES_OF_ADDRESSES = LEVELS["4.4-IV1"]
"""The level of metadata.version from which on a host may be a range of addresses."""

ENTRY, REMOVAL = "ACCESS_CONTROL_ENTRY_RECORD", "REMOVE_ACCESS_CONTROL_ENTRY_RECORD"
_FIELDS = {
    "resource_type": "resourceType",
    "resource_name": "resourceName",
    "pattern_type": "patternType",
    "principal": "principal",
    "host": "host",
    "operation": "operation",
    "permission_type": "permissionType",
}


class AclControlManager:
    """The entries by their ids, and what all of them say. `new_id` draws an id."""

    def __init__(self, registry: SnapshotRegistry, features: FeatureControlManager, new_id: Callable[[], str]) -> None:
        self.records: TimelineMap[str, Message] = TimelineMap(registry)
        self._in_force: TimelineSet[AclBinding] = TimelineSet(registry)
        self._features, self._new_id = features, new_id

    def create(self, request: CreateAclsRequest) -> ControllerResult[tuple[Errors, ...]]:
        """Create what is not in force yet; an entry that is, or that the request has twice, is answered NONE too."""
        answers: list[Errors] = []
        records: list[Message] = []
        created: set[AclBinding] = set()
        for acl in request.acls:
            try:
                self._check(acl)
            except ApiError as error:
                answers.append(error.error)
                continue
            answers.append(Errors.NONE)
            if acl not in self._in_force and acl not in created:
                created.add(acl)
                records.append(_record(self._unused_id(), acl))
        if len(records) > MAX_RECORDS_PER_USER_OP:
            raise RuntimeError(f"a list of {len(records)} records is longer than {MAX_RECORDS_PER_USER_OP}")
        return ControllerResult(tuple(records), tuple(answers), atomic=True)

    def delete(self, request: DeleteAclsRequest) -> ControllerResult[tuple[DeletedAcls, ...]]:
        """Delete what a filter matches; raises INVALID_REQUEST for more than 10,000 entries in all."""
        answers: list[DeletedAcls] = []
        gone: dict[str, Message] = {}
        for one in request.filters:
            if _is_unknown(one):
                answers.append(DeletedAcls(Errors.INVALID_REQUEST))
                continue
            found = {id: binding_of(record) for id, record in self.records.items() if matches(one, binding_of(record))}
            answers.append(DeletedAcls(Errors.NONE, tuple(found.values())))
            gone |= {id: Message(REMOVAL, 0, {"id": id}) for id in found}
            if len(gone) > MAX_RECORDS_PER_USER_OP:
                raise ApiError(
                    Errors.INVALID_REQUEST, "Cannot remove more than 10000 acls in a single delete operation."
                )
        return ControllerResult(tuple(gone.values()), tuple(answers), atomic=True)

    def replay(self, message: Message) -> None:
        """Apply an entry, or its removal; raises ReplayError for the removal of an id that is not there.

        An id that is there already gets the new entry: what it said before stays in force, and no id says so.
        """
        identifier = message.data["id"]
        if message.type == ENTRY:
            self.records[identifier] = message
            self._in_force.add(binding_of(message))
            return
        removed = self.records.pop(identifier, None)
        if removed is None:
            raise ReplayError(f"Unable to replay the removal of ACL {identifier}: no acl with that ID found.")
        if binding_of(removed) not in self._in_force:
            raise ReplayError(f"Unable to replay the removal of ACL {identifier}: acl not found in existingAcls.")
        self._in_force.discard(binding_of(removed))

    def _unused_id(self) -> str:
        while (identifier := self._new_id()) in self.records:
            pass
        return identifier

    def _check(self, acl: AclBinding) -> None:
        """Raise an ApiError for an entry that cannot be, in Kafka's order."""
        codes = (
            (acl.resource_type, RESOURCE_TYPES, "resourceType"),
            (acl.pattern_type, PATTERNS, "patternType"),
            (acl.operation, OPERATIONS, "operation"),
            (acl.permission_type, PERMISSIONS, "permissionType"),
        )
        for code, known, name in codes:
            if code not in known:
                raise ApiError(Errors.INVALID_REQUEST, f"Invalid {name} {code}")
        if not acl.resource_name:
            raise ApiError(Errors.INVALID_REQUEST, "Resource name should not be empty")
        if ":" not in (acl.principal or ""):
            raise ApiError(Errors.INVALID_REQUEST, f"Could not parse principal from `{acl.principal}`")
        if not acl.host:
            raise ApiError(Errors.INVALID_REQUEST, "Host pattern cannot be null or empty")
        if "/" in acl.host:
            if self._features.metadata_version_or_throw() < RANGES_OF_ADDRESSES:
                raise ApiError(Errors.UNSUPPORTED_VERSION, "CIDR-based ACL host patterns require 4.4-IV1 or higher.")
            if not is_range(acl.host):
                raise ApiError(Errors.INVALID_REQUEST, f"Invalid CIDR notation '{acl.host}'")


def matches(of: AclBinding, acl: AclBinding) -> bool:
    """Whether a filter is for an entry (AclBindingFilter.matches)."""
    return (
        of.resource_type in (ANY, acl.resource_type)
        and _pattern_matches(of, acl)
        and of.principal in (None, acl.principal)
        and of.host in (None, acl.host)
        and of.operation in (ANY, acl.operation)
        and of.permission_type in (ANY, acl.permission_type)
    )


def _pattern_matches(of: AclBinding, acl: AclBinding) -> bool:
    name = acl.resource_name or ""
    if of.pattern_type not in (ANY, MATCH, acl.pattern_type):
        return False
    if of.resource_name is None:
        return True
    if of.pattern_type != MATCH:
        return of.resource_name == name
    return of.resource_name.startswith(name) if acl.pattern_type == PREFIXED else name in (of.resource_name, "*")


def _is_unknown(of: AclBinding) -> bool:
    return (
        of.resource_type not in (ANY, *RESOURCE_TYPES)
        or of.pattern_type not in (ANY, MATCH, *PATTERNS)
        or of.operation not in (ANY, *OPERATIONS)
        or of.permission_type not in (ANY, *PERMISSIONS)
    )


def binding_of(message: Message) -> AclBinding:
    """Return what an AccessControlEntry says."""
    said: dict[str, Any] = {name: message.data[wire] for name, wire in _FIELDS.items()}
    return AclBinding(**said)


def _record(identifier: str, acl: AclBinding) -> Message:
    said = dataclasses.asdict(acl)
    return Message(ENTRY, 0, {"id": identifier, **{wire: said[name] for name, wire in _FIELDS.items()}})
