"""The types of records that are read over where the tables of a protocol are not about them, as those of KRaft are:
access control, credentials, tokens and quotas."""

from __future__ import annotations

from fencepost.traces.record_types import (
    ACCESS_CONTROL_ENTRY_RECORD,
    CLIENT_QUOTA_RECORD,
    DELEGATION_TOKEN_RECORD,
    REMOVE_ACCESS_CONTROL_ENTRY_RECORD,
    REMOVE_DELEGATION_TOKEN_RECORD,
    REMOVE_USER_SCRAM_CREDENTIAL_RECORD,
    USER_SCRAM_CREDENTIAL_RECORD,
)

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
