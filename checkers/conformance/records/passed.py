"""The types of records that are read over where the tables of a protocol are not about them, as those of KRaft are:
access control, credentials, tokens and quotas."""

from __future__ import annotations

from fencepost.traces import CodecError, Undecodable, decode_value
from fencepost.traces.record_types import (
    ACCESS_CONTROL_ENTRY_RECORD,
    CLIENT_QUOTA_RECORD,
    DELEGATION_TOKEN_RECORD,
    REMOVE_ACCESS_CONTROL_ENTRY_RECORD,
    REMOVE_DELEGATION_TOKEN_RECORD,
    REMOVE_USER_SCRAM_CREDENTIAL_RECORD,
    USER_SCRAM_CREDENTIAL_RECORD,
)

NOT_KNOWN = "known here"
"""The end of a dump reader's message about a type, or a version, that no schema has."""

PASSED_THROUGH = frozenset(
    {
        ACCESS_CONTROL_ENTRY_RECORD,
        REMOVE_ACCESS_CONTROL_ENTRY_RECORD,
        USER_SCRAM_CREDENTIAL_RECORD,
        REMOVE_USER_SCRAM_CREDENTIAL_RECORD,
        DELEGATION_TOKEN_RECORD,
        REMOVE_DELEGATION_TOKEN_RECORD,
        CLIENT_QUOTA_RECORD,
    }
)

UNKNOWN_TYPES = "unknown types"
"""Represents, among the types that are skipped, those that no known release has: a newer one's, or a fork's."""


def fault_of(record: Undecodable) -> str:
    """Return the kind of error with which a record's bytes do not decode, empty where its bytes are not known."""
    if record.value is None:
        return ""
    try:
        decode_value(record.value)
    except CodecError as error:
        return error.kind
    return ""


def is_unknown(record: Undecodable) -> bool:
    """Return whether a record cannot be read since its type, or the type's version, is not known here."""
    if record.value is None:
        # A text has no bytes: it names the type.
        return record.reason.endswith(NOT_KNOWN)
    return fault_of(record) in ("type", "version")
