"""The names of all metadata record types and their fields, for declarations of the records that a row writes.

The names are those that kafka-dump-log prints. `RECORD_TYPES`, `CONTROL_TYPES` and `fields_of` come from the schema
file; the constants are written out so that a misspelt one fails at import, and a test holds the two together.
"""

from __future__ import annotations

from typing import Any, Final

from .errors import TraceError
from .schema import RecordSchema, record_schemas

REGISTER_BROKER_RECORD: Final = "REGISTER_BROKER_RECORD"
UNREGISTER_BROKER_RECORD: Final = "UNREGISTER_BROKER_RECORD"
TOPIC_RECORD: Final = "TOPIC_RECORD"
PARTITION_RECORD: Final = "PARTITION_RECORD"
CONFIG_RECORD: Final = "CONFIG_RECORD"
PARTITION_CHANGE_RECORD: Final = "PARTITION_CHANGE_RECORD"
FENCE_BROKER_RECORD: Final = "FENCE_BROKER_RECORD"
UNFENCE_BROKER_RECORD: Final = "UNFENCE_BROKER_RECORD"
REMOVE_TOPIC_RECORD: Final = "REMOVE_TOPIC_RECORD"
DELEGATION_TOKEN_RECORD: Final = "DELEGATION_TOKEN_RECORD"
USER_SCRAM_CREDENTIAL_RECORD: Final = "USER_SCRAM_CREDENTIAL_RECORD"
FEATURE_LEVEL_RECORD: Final = "FEATURE_LEVEL_RECORD"
CLIENT_QUOTA_RECORD: Final = "CLIENT_QUOTA_RECORD"
PRODUCER_IDS_RECORD: Final = "PRODUCER_IDS_RECORD"
BROKER_REGISTRATION_CHANGE_RECORD: Final = "BROKER_REGISTRATION_CHANGE_RECORD"
ACCESS_CONTROL_ENTRY_RECORD: Final = "ACCESS_CONTROL_ENTRY_RECORD"
REMOVE_ACCESS_CONTROL_ENTRY_RECORD: Final = "REMOVE_ACCESS_CONTROL_ENTRY_RECORD"
NO_OP_RECORD: Final = "NO_OP_RECORD"
ZK_MIGRATION_STATE_RECORD: Final = "ZK_MIGRATION_STATE_RECORD"
REMOVE_USER_SCRAM_CREDENTIAL_RECORD: Final = "REMOVE_USER_SCRAM_CREDENTIAL_RECORD"
BEGIN_TRANSACTION_RECORD: Final = "BEGIN_TRANSACTION_RECORD"
END_TRANSACTION_RECORD: Final = "END_TRANSACTION_RECORD"
ABORT_TRANSACTION_RECORD: Final = "ABORT_TRANSACTION_RECORD"
REMOVE_DELEGATION_TOKEN_RECORD: Final = "REMOVE_DELEGATION_TOKEN_RECORD"
REGISTER_CONTROLLER_RECORD: Final = "REGISTER_CONTROLLER_RECORD"
CLEAR_ELR_RECORD: Final = "CLEAR_ELR_RECORD"
UNREGISTER_CONTROLLER_RECORD: Final = "UNREGISTER_CONTROLLER_RECORD"

LEADER_CHANGE: Final = "LeaderChange"
SNAPSHOT_HEADER: Final = "SnapshotHeader"
SNAPSHOT_FOOTER: Final = "SnapshotFooter"
KRAFT_VERSION: Final = "KRaftVersion"
KRAFT_VOTERS: Final = "KRaftVoters"

RECORD_TYPES: Final = frozenset(name for name, schema in record_schemas().items() if not schema.is_control)
CONTROL_TYPES: Final = frozenset(name for name, schema in record_schemas().items() if schema.is_control)


def schema_of(record_type: str) -> RecordSchema:
    """The schema of a metadata or control record type; raises TraceError for a name that is none."""
    schema = record_schemas().get(record_type)
    if schema is None:
        raise TraceError(f"{record_type!r} is no record type; write one of {', '.join(sorted(RECORD_TYPES))}")
    return schema


def versions_of(record_type: str) -> tuple[int, ...]:
    """The versions of a record type, ascending; raises TraceError for a name that is none."""
    return tuple(sorted(schema_of(record_type).versions))


def fields_of(record_type: str, version: int | None = None) -> tuple[str, ...]:
    """The field names of a record type in the order in which a dump prints them, tagged fields included.

    Without a version: of the latest one. Raises TraceError for a type or version that does not exist.
    """
    schema = schema_of(record_type)
    structure = schema.versions.get(schema.latest_version if version is None else version)
    if structure is None:
        raise TraceError(
            f"{record_type} has no version {version}; it has {', '.join(map(str, sorted(schema.versions)))}"
        )
    return structure.printed


def default_of(record_type: str, field: str) -> Any:
    """The value that a field has where a record leaves it out; raises TraceError for a type or field that is none."""
    schema = schema_of(record_type)
    if field not in schema.defaults:
        raise TraceError(f"{record_type} has no field {field!r}; it has {', '.join(schema.defaults)}")
    return schema.defaults[field]
