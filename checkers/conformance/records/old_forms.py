"""Records that controllers wrote once and still read: the old form of another record, or what is read over today."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from fencepost.model.kraft.levels import METADATA_VERSION_LEVELS
from fencepost.traces import Record
from fencepost.traces.record_types import (
    BROKER_REGISTRATION_CHANGE_RECORD,
    FEATURE_LEVEL_RECORD,
    FENCE_BROKER_RECORD,
    UNFENCE_BROKER_RECORD,
    ZK_MIGRATION_STATE_RECORD,
)

LEVEL = "metadata_version"
"""The variable that says at which metadata.version a controller writes."""


@dataclass(frozen=True, slots=True)
class OldForm:
    """The present form of an old record type: a record of type `now`, its fields renamed, with some constants.

    Controllers wrote it at levels of metadata.version below `until`, which is called `name`.
    """

    now: str
    until: int
    name: str
    renamed: Mapping[str, str] = field(default_factory=dict)
    constants: Mapping[str, Any] = field(default_factory=dict)


_CHANGED = "3.3-IV2"


def _fencing(change: int) -> OldForm:
    return OldForm(
        BROKER_REGISTRATION_CHANGE_RECORD,
        METADATA_VERSION_LEVELS[_CHANGED],
        _CHANGED,
        {"id": "brokerId", "epoch": "brokerEpoch"},
        {"fenced": change, "inControlledShutdown": 0, "logDirs": []},
    )


OLD_FORMS = {FENCE_BROKER_RECORD: _fencing(1), UNFENCE_BROKER_RECORD: _fencing(-1)}
"""By type (Kafka 3.3, ReplicationControlManager.handleBrokerFenced: isBrokerRegistrationChangeRecordSupported)."""

READ_OVER = {ZK_MIGRATION_STATE_RECORD: ("zkMigrationState", range(5))}
"""Types that a controller of today replays as nothing, each with a field and the values that it may have.

Controllers of 3.4 to 3.9 wrote a ZkMigrationState at activation, and along a migration (QuorumController.replay).
"""

KRAFT_VERSION = "kraft.version"
"""The feature whose level Raft keeps, in control records."""


def is_read_over(record: Record) -> bool:
    """Whether a controller of today replays a record as nothing.

    Controllers of 3.9 and 4.0 could write a FeatureLevel of kraft.version, and had it in their snapshots; later ones
    read over it, and leave it out (KAFKA-18979). A node's snapshots are of its own release, not of the leader's.
    """
    is_level = record.type == FEATURE_LEVEL_RECORD and record.data.get("name") == KRAFT_VERSION
    return is_level or record.type in READ_OVER


def as_now(record: Record) -> Record | None:
    """Return a record in an old form as it would be written today, None for any other."""
    old = OLD_FORMS.get(record.type)
    if old is None:
        return None
    said = {old.renamed.get(name, name): value for name, value in record.data.items()}
    return replace(record, type=old.now, data={**said, **old.constants})


def illegal(record: Record, level: Any) -> str:
    """Return why a record of an old type cannot occur at a level of metadata.version, empty where it can.

    `level` is no number where it is not known.
    """
    old = OLD_FORMS.get(record.type)
    if old is not None:
        if isinstance(level, int) and level >= old.until:
            return (
                f"A {record.type} is written below metadata.version {old.until} ({old.name}) only, and it is {level}."
            )
        return ""
    if record.type in READ_OVER:
        name, values = READ_OVER[record.type]
        if record.data.get(name) not in values:
            return f"{name} {record.data.get(name)} is no value of a {record.type}."
    return ""


def note(type: str, count: int) -> str:
    """Return a sentence about the records of an old type in a log."""
    what = f"{count} {type} {'is' if count == 1 else 'are'}"
    if type in OLD_FORMS:
        return f"{what} the old form of {OLD_FORMS[type].now}, and checked as such."
    return f"{what} read over: controllers of 3.4 to 3.9 wrote it, those of today take no notice."
