"""Metadata records in words, from their own fields alone: no state is read, and no secret is printed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

METADATA_VERSION = "metadata.version"
KRAFT_VERSION = "kraft.version"

RESOURCES = {2: "topic", 4: "broker", 8: "broker logger", 16: "client metrics", 32: "group"}
"""Resource types of configurations, by their number on the wire."""

DIRECTORIES = {
    "AAAAAAAAAAAAAAAAAAAAAA": "MIGRATING",
    "AAAAAAAAAAAAAAAAAAAAAQ": "UNASSIGNED",
    "AAAAAAAAAAAAAAAAAAAAAg": "LOST",
}
"""The reserved ids of log directories by what they mean (DirectoryId)."""

MIGRATION_STATES = {0: "NONE", 1: "MIGRATION", 2: "PRE_MIGRATION", 3: "POST_MIGRATION"}
"""The states of the migration from ZooKeeper by their numbers on the wire (ZkMigrationState)."""

_MIGRATION = {
    0: "",
    1: "migration from ZooKeeper: the metadata is copied, and changes are written to both (MIGRATION)",
    2: "migration from ZooKeeper: the controllers wait for the brokers (PRE_MIGRATION)",
    3: "migration from ZooKeeper: it is over (POST_MIGRATION)",
}

_SECRET = re.compile(r"password|secret|jaas|keystore\.key|certificate", re.IGNORECASE)
"""The pattern of names of settings whose values Kafka keeps from its logs (ConfigDef.Type.PASSWORD)."""


def is_secret(setting: str) -> bool:
    """Whether the value of a setting is kept from logs."""
    return _SECRET.search(setting) is not None


def directory(id: Any) -> str:
    """Return the id of a log directory as text, a reserved one by its meaning."""
    return "none" if id is None else DIRECTORIES.get(str(id), str(id))


def setting(data: Mapping[str, Any]) -> str:
    """Return a configuration's name with its value, a secret one without."""
    name, value = data["name"], data["value"]
    return f"{name}={'deleted' if value is None else '[hidden]' if is_secret(name) else value}"


def in_words(type: str, data: Mapping[str, Any], levels: Mapping[int, str]) -> str:
    """Return what a record does that is about no partition; nothing for one that needs no telling.

    `levels` are the names of metadata.version by their numbers.
    """
    match type:
        case "UNREGISTER_BROKER_RECORD":
            return f"broker {data['brokerId']} is unregistered"
        case "FEATURE_LEVEL_RECORD":
            level = data["featureLevel"]
            if data["name"] == KRAFT_VERSION:
                return f"a record has level {level} of kraft.version, which Raft keeps: 4.1 and later read over it"
            return f"{data['name']} is {levels.get(level, level) if data['name'] == METADATA_VERSION else level}"
        case "CONFIG_RECORD":
            owner = RESOURCES.get(data["resourceType"], "resource")
            return f"{owner} {data['resourceName'] or 'default'}: {setting(data)}"
        case "BEGIN_TRANSACTION_RECORD":
            return f"a metadata transaction begins{_named(data)}"
        case "END_TRANSACTION_RECORD":
            return "the metadata transaction ends"
        case "ABORT_TRANSACTION_RECORD":
            return "what the former controller left half done is aborted"
        case "REGISTER_CONTROLLER_RECORD":
            return f"controller {data['controllerId']} is registered"
        case "UNREGISTER_CONTROLLER_RECORD":
            return f"controller {data['controllerId']} is unregistered"
        case "PRODUCER_IDS_RECORD":
            return f"broker {data['brokerId']} gets producer ids below {data['nextProducerId']}"
        case "CLEAR_ELR_RECORD":
            return f"eligible leaders of {data['topicName'] or 'all topics'} are forgotten"
        case "REMOVE_TOPIC_RECORD":
            return f"topic {data['topicId']} is deleted"
    return _of_security(type, data)


def _of_security(type: str, data: Mapping[str, Any]) -> str:
    match type:
        case "ACCESS_CONTROL_ENTRY_RECORD":
            return f"an ACL is made for {data['principal']} on {data['resourceName']}"
        case "REMOVE_ACCESS_CONTROL_ENTRY_RECORD":
            return f"ACL {data['id']} is removed"
        case "USER_SCRAM_CREDENTIAL_RECORD":
            return f"SCRAM credentials of {data['name']} are set"
        case "REMOVE_USER_SCRAM_CREDENTIAL_RECORD":
            return f"SCRAM credentials of {data['name']} are removed"
        case "DELEGATION_TOKEN_RECORD":
            return f"a delegation token of {data['owner']} is written"
        case "REMOVE_DELEGATION_TOKEN_RECORD":
            return "a delegation token is removed"
        case "CLIENT_QUOTA_RECORD":
            entity = ", ".join(f"{one['entityType']} {one['entityName'] or 'default'}" for one in data["entity"])
            return f"quota of {entity}: {data['key']}={'removed' if data.get('remove') else data['value']}"
        case "ZK_MIGRATION_STATE_RECORD":
            state = data["zkMigrationState"]
            return _MIGRATION.get(state, f"the migration from ZooKeeper is in state {state}")
    return ""


def _named(data: Mapping[str, Any]) -> str:
    return f": {data['name']}" if data.get("name") else ""
