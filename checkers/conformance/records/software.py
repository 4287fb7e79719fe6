"""Finds the software that wrote a log: the levels that registered nodes support, and metadata.version."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fencepost.model.kraft.levels import METADATA_VERSION_LEVELS, NAMES_OF_LEVELS
from fencepost.model.releases import RELEASES
from fencepost.traces import Batch, Record, Snapshot
from fencepost.traces.record_types import (
    FEATURE_LEVEL_RECORD,
    REGISTER_BROKER_RECORD,
    REGISTER_CONTROLLER_RECORD,
    UNREGISTER_BROKER_RECORD,
    UNREGISTER_CONTROLLER_RECORD,
    ZK_MIGRATION_STATE_RECORD,
)

METADATA_VERSION = "metadata.version"
FIRST_LEVEL = 7
"""The lowest metadata.version that has tables, 3.3-IV3."""

_OLDEST = list(RELEASES)[-1]
"""The oldest release that has tables, 3.7."""
_FIRST_SUPPORTED = METADATA_VERSION_LEVELS[f"{_OLDEST}-IV0"]
"""Nodes of the releases that have tables support this level or a higher one."""


_OF_SOFTWARE = (
    FEATURE_LEVEL_RECORD,
    REGISTER_BROKER_RECORD,
    UNREGISTER_BROKER_RECORD,
    REGISTER_CONTROLLER_RECORD,
    UNREGISTER_CONTROLLER_RECORD,
    ZK_MIGRATION_STATE_RECORD,
)


@dataclass(frozen=True, slots=True)
class Registration:
    """The registration of a controller: the highest metadata.version that it can do, and whether the migration from
    ZooKeeper is switched on in its server.properties."""

    highest: int
    migrating: bool


def registration_of(data: Mapping[str, Any]) -> Registration | None:
    """Return what a registration record says of metadata.version, None where it does not name that feature."""
    features: Sequence[Mapping[str, Any]] = data.get("features") or ()
    for one in features:
        if one.get("name") == METADATA_VERSION and isinstance(one.get("maxSupportedVersion"), int):
            return Registration(one["maxSupportedVersion"], bool(data.get("zkMigrationReady")))
    return None


@dataclass(slots=True)
class Software:
    """The registrations and the metadata.version that the records noted so far leave in force.

    `controllers` has what each registered controller says of metadata.version, `registered` the ids of all of them.
    `brokers` has the highest metadata.version that each registered broker supports, 0 for one that names none.
    `level` is the metadata.version in force, None where no record gave one, `lowest` the lowest since it was set.
    `migration` is the last record of the state of the migration from ZooKeeper, None where there is none, and
    `in_zookeeper_mode` are the registered brokers that still run in that mode. `noted` counts the records taken.
    """

    controllers: dict[int, Registration] = field(default_factory=dict)
    registered: set[int] = field(default_factory=set)
    brokers: dict[int, int] = field(default_factory=dict)
    level: int | None = None
    lowest: int | None = None
    migration: Record | None = None
    in_zookeeper_mode: set[int] = field(default_factory=set)
    noted: int = 0

    def note(self, written: Batch | Snapshot) -> None:
        """Take the records of a batch or snapshot."""
        for record in written.records_of(_OF_SOFTWARE):
            data, self.noted = record.data, self.noted + 1
            if record.type == REGISTER_CONTROLLER_RECORD:
                found = registration_of(data)
                self.registered.add(data.get("controllerId", -1))
                if found is not None:
                    self.controllers[data["controllerId"]] = found
            elif record.type == UNREGISTER_CONTROLLER_RECORD:
                self.controllers.pop(data.get("controllerId", -1), None)
                self.registered.discard(data.get("controllerId", -1))
            elif record.type == REGISTER_BROKER_RECORD:
                found, broker = registration_of(data), data.get("brokerId", -1)
                self.brokers[broker] = 0 if found is None else found.highest
                self.in_zookeeper_mode.discard(broker)
                if data.get("isMigratingZkBroker"):
                    self.in_zookeeper_mode.add(broker)
            elif record.type == UNREGISTER_BROKER_RECORD:
                self.brokers.pop(data.get("brokerId", -1), None)
                self.in_zookeeper_mode.discard(data.get("brokerId", -1))
            elif record.type == ZK_MIGRATION_STATE_RECORD:
                self.migration = record
            elif data.get("name") == METADATA_VERSION and isinstance(data.get("featureLevel"), int):
                self.level = data["featureLevel"]
                self.lowest = self.level if self.lowest is None else min(self.lowest, self.level)

    def agreed(self) -> Registration | None:
        """Return the registration that all controllers share, None where they differ, or where there are none."""
        said = set(self.controllers.values())
        return said.pop() if len(said) == 1 else None

    @property
    def highest(self) -> dict[str, int]:
        """The highest metadata.version that each registered node supports, by `broker ID` and `controller ID`."""
        found = {f"broker {one}": highest for one, highest in sorted(self.brokers.items()) if highest}
        return found | {f"controller {one}": said.highest for one, said in sorted(self.controllers.items())}

    @property
    def is_migrating(self) -> bool:
        """Whether the cluster waits for, or is in, the migration from ZooKeeper."""
        return self.migration is not None and self.migration.data.get("zkMigrationState") in (1, 2)

    @property
    def is_silent(self) -> bool:
        """Whether no record shows which software it is: there is neither a metadata.version nor a registration."""
        return self.level is None and not self.brokers and not self.registered

    def older_software(self) -> str:
        """Return a sentence where all nodes that registered are older than the tables, empty elsewhere."""
        if self.controllers or not self.brokers or max(self.brokers.values()) >= _FIRST_SUPPORTED:
            return ""
        highest = max(self.brokers.values())
        if not highest:
            # From 3.3 on every log begins with its metadata.version, and every broker names the levels it supports.
            wrote = "3.2 or older (no metadata.version)" if self.level is None else ""
        else:
            name = NAMES_OF_LEVELS.get(highest, "")
            release = name.partition("-")[0]
            wrote = f"{release} (its brokers support metadata.version up to {highest}, {name})" if name else ""
        return f"written by Kafka {wrote}; tables are known from {_OLDEST} on" if wrote else ""

    def silence(self) -> str:
        """Return a sentence about records of which nothing says the software: from 3.3 on a log begins with it."""
        return (
            "written by Kafka 3.2 or older, or its beginning is lost (no metadata.version, and no registration); "
            f"tables are known from {_OLDEST} on"
        )

    def low_level(self) -> str:
        """Return a sentence where metadata.version was below the lowest that has tables, empty elsewhere."""
        if self.lowest is None or not 0 < self.lowest < FIRST_LEVEL:
            return ""
        level, first = NAMES_OF_LEVELS[self.lowest], NAMES_OF_LEVELS[FIRST_LEVEL]
        return f"written at metadata.version {self.lowest} ({level}); the tables begin at {FIRST_LEVEL} ({first})"
