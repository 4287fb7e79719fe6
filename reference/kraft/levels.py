"""The levels of metadata.version by name, what each allows, and the features that this server knows."""

from __future__ import annotations

_NAMES = """
3.0-IV1 3.1-IV0 3.2-IV0 3.3-IV0 3.3-IV1 3.3-IV2 3.3-IV3 3.4-IV0 3.5-IV0 3.5-IV1 3.5-IV2 3.6-IV0 3.6-IV1 3.6-IV2
3.7-IV0 3.7-IV1 3.7-IV2 3.7-IV3 3.7-IV4 3.8-IV0 3.9-IV0 4.0-IV0 4.0-IV1 4.0-IV2 4.0-IV3 4.1-IV0 4.1-IV1 4.2-IV0
4.2-IV1 4.3-IV0 4.4-IV0 4.4-IV1 4.4-IV2 4.5-IV0
"""

LEVELS: dict[str, int] = {name: level for level, name in enumerate(_NAMES.split(), start=1)}
"""The number of each metadata.version by its name."""

NAMES: dict[int, str] = {level: name for name, level in LEVELS.items()}
"""The name of each metadata.version by its number."""

METADATA_VERSION = "metadata.version"
KRAFT_VERSION = "kraft.version"
ELR_VERSION = "eligible.leader.replicas.version"

MINIMUM = LEVELS["3.3-IV3"]
"""The lowest metadata.version that Kafka 4 runs at."""

LATEST_PRODUCTION = LEVELS["4.4-IV2"]
"""The metadata.version that Kafka 4.4.0 formats with."""

METADATA_CHANGES = frozenset(LEVELS[name] for name in (
    "3.4-IV0", "3.5-IV2", "3.6-IV1", "3.6-IV2", "3.7-IV0", "3.7-IV2", "4.0-IV1", "4.3-IV0", "4.4-IV1", "4.4-IV2",
))  # fmt: skip
"""Levels below which no downgrade goes, since they change what is written (MetadataVersion)."""

TRANSACTIONS = LEVELS["3.6-IV1"]
NO_SHRINK_BUMP = LEVELS["3.6-IV0"]
CONTROLLER_REGISTRATION = LEVELS["3.7-IV0"]
DIRECTORIES = LEVELS["3.7-IV2"]
ELR_RECORDS = LEVELS["4.0-IV1"]
ELR_BY_DEFAULT = LEVELS["4.1-IV0"]
CORDONED_DIRECTORIES = LEVELS["4.3-IV0"]
UNREGISTER_CONTROLLER = LEVELS["4.4-IV2"]

SUPPORTED_FEATURES: dict[str, tuple[int, int]] = {
    METADATA_VERSION: (MINIMUM, LATEST_PRODUCTION),
    KRAFT_VERSION: (0, 1),
    "transaction.version": (0, 2),
    "group.version": (0, 1),
    ELR_VERSION: (0, 1),
    "share.version": (0, 2),
    "streams.version": (0, 1),
}
"""The features of Kafka 4.4.0, with the lowest and the highest level that a server of that release supports."""


def register_broker_version(level: int) -> int:
    """Return the version of a RegisterBroker record at a level of metadata.version (MetadataVersion)."""
    if level >= CORDONED_DIRECTORIES:
        return 4
    if level >= DIRECTORIES:
        return 3
    return 2 if level >= LEVELS["3.4-IV0"] else 1


def partition_version(level: int) -> int:
    """Return the version of Partition and PartitionChange records at a level of metadata.version."""
    if level >= ELR_RECORDS:
        return 2
    return 1 if level >= DIRECTORIES else 0
