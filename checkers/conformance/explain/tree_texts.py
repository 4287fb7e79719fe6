"""How Kafka prints what the tree shows: registrations, access control, quotas, tokens; secrets are never printed."""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable, Mapping
from typing import Any

from fencepost.checkers.conformance.classes.frames import UNKNOWN
from fencepost.traces.times import utc

CONFIG_TYPES = {2: "TOPIC", 4: "BROKER", 8: "BROKER_LOGGER", 16: "CLIENT_METRICS", 32: "GROUP"}
MECHANISMS = {1: "SCRAM-SHA-256", 2: "SCRAM-SHA-512"}
SECURITY_PROTOCOLS = {0: "PLAINTEXT", 1: "SSL", 2: "SASL_PLAINTEXT", 3: "SASL_SSL"}
RESOURCES = {2: "TOPIC", 3: "GROUP", 4: "CLUSTER", 5: "TRANSACTIONAL_ID", 6: "DELEGATION_TOKEN", 7: "USER"}
PATTERNS = {3: "LITERAL", 4: "PREFIXED"}
OPERATIONS = {
    2: "ALL", 3: "READ", 4: "WRITE", 5: "CREATE", 6: "DELETE", 7: "ALTER", 8: "DESCRIBE", 9: "CLUSTER_ACTION",
    10: "DESCRIBE_CONFIGS", 11: "ALTER_CONFIGS", 12: "IDEMPOTENT_WRITE", 13: "CREATE_TOKENS", 14: "DESCRIBE_TOKENS",
    15: "TWO_PHASE_COMMIT",
}  # fmt: skip
PERMISSIONS = {2: "DENY", 3: "ALLOW"}

ACL_FIELDS: tuple[tuple[str, Mapping[int, str]], ...] = (
    ("resourceType", RESOURCES),
    ("resourceName", {}),
    ("patternType", PATTERNS),
    ("principal", {}),
    ("host", {}),
    ("operation", OPERATIONS),
    ("permissionType", PERMISSIONS),
)
QUOTA_ENTITIES = (("client-id", "clientId"), ("ip", "ip"), ("user", "user"))


def java(value: Any) -> str:
    """Return a value as Kafka prints it: sets in order, what is not known as `unknown`."""
    if value is UNKNOWN:
        return "unknown"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, enum.Enum):
        return value.name
    if isinstance(value, frozenset):
        value = tuple(sorted(value))
    if isinstance(value, tuple):
        return "[" + ", ".join(map(java, value)) + "]"
    return str(value)


def said_text(offset: int, epoch: int, timestamp: int) -> str:
    """Return the provenance of a state: offset, epoch, and time (milliseconds since 1970) of the last record."""
    time = "unknown"
    if timestamp >= 0 and (found := utc(timestamp)) is not None:
        time = found.isoformat(timespec="milliseconds")
    return f"offset {offset}, epoch {epoch if epoch >= 0 else 'unknown'}, time {time}"


def listeners_text(data: Mapping[str, Any]) -> str:
    """Return the listeners of a registration record."""
    points = sorted(data.get("endPoints") or (), key=lambda one: str(one["name"]))
    return "[" + ", ".join(map(_endpoint, points)) + "]"


def _endpoint(one: Mapping[str, Any]) -> str:
    protocol = SECURITY_PROTOCOLS.get(one["securityProtocol"], one["securityProtocol"])
    return (
        f"Endpoint(listenerName='{one['name']}', securityProtocol={protocol}, host='{one['host']}', port={one['port']})"
    )


def features_text(data: Mapping[str, Any]) -> str:
    """Return the features that a registration record supports, each with its first and last level."""
    features = sorted(data.get("features") or (), key=lambda one: str(one["name"]))
    ranges = (f"{one['name']}: {one['minSupportedVersion']}-{one['maxSupportedVersion']}" for one in features)
    return "{" + ", ".join(ranges) + "}"


def rack_text(data: Mapping[str, Any]) -> str:
    """Return the rack of a registration record."""
    rack = data.get("rack")
    return "Optional.empty" if rack is None else f"Optional[{rack}]"


def controller_text(data: Mapping[str, Any], incarnation: str) -> str:
    """Return the registration of a controller."""
    ready = java(bool(data.get("zkMigrationReady")))
    return (
        f"ControllerRegistration(id={data['controllerId']}, incarnationId={incarnation}, zkMigrationReady={ready}, "
        f"listeners={listeners_text(data)}, supportedFeatures={features_text(data)})"
    )


def acl_text(data: Mapping[str, Any]) -> str:
    """Return an access control entry."""
    return "StandardAcl(" + ", ".join(f"{n}={names.get(data[n], data[n])}" for n, names in ACL_FIELDS) + ")"


def token_text(data: Mapping[str, Any]) -> str:
    """Return a delegation token, of which everything is secret but its times."""
    times = ", ".join(f"{name}={data[name]}" for name in ("issueTimestamp", "maxTimestamp", "expirationTimestamp"))
    return f"DelegationTokenData(owner=[redacted], renewers=[redacted], {times})"


def quota_name(entity: Iterable[Mapping[str, Any]]) -> str:
    """Return the directory of a quota's entity: clientId(...), ip(...) and user(...), joined by an underscore."""
    parts = {one["entityType"]: one["entityName"] for one in entity}
    shown = []
    for type_, label in QUOTA_ENTITIES:
        if type_ in parts:
            name = "" if parts[type_] is None else re.sub(r"([\\()])", r"\\\1", str(parts[type_]))
            shown.append(f"{label}({name})")
    return directory_name("_".join(shown))


def directory_name(name: str) -> str:
    """Return a name as a part of a path: a slash in it as %2F."""
    return name.replace("/", "%2F")
