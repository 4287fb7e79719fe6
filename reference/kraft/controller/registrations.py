"""Registrations of brokers and controllers: from a request to its record, to what is kept of it, and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fencepost.reference.kraft.levels import CORDONED_DIRECTORIES, DIRECTORIES, register_broker_version
from fencepost.reference.kraft.messages import (
    BrokerRegistrationRequest,
    ControllerRegistrationRequest,
    Endpoint,
    FeatureRange,
)
from fencepost.reference.kraft.records import Message
from fencepost.traces.record_types import REGISTER_BROKER_RECORD, REGISTER_CONTROLLER_RECORD

from .directory_ids import in_order


@dataclass(frozen=True, slots=True)
class BrokerRegistration:
    """A broker's registration in the log.

    `directories` are in the order of their ids; `cordoned_directories` is None where the broker has never reported any,
    which a heartbeat that reports none changes (ReplicationControlManager.handleAssignReplicasToDirs).
    """

    id: int
    epoch: int
    incarnation_id: str
    listeners: tuple[Endpoint, ...]
    features: tuple[FeatureRange, ...]
    rack: str | None
    fenced: bool
    in_controlled_shutdown: bool
    directories: tuple[str, ...]
    cordoned_directories: tuple[str, ...] | None = None
    is_migrating_zk_broker: bool = False

    @staticmethod
    def of_record(data: Mapping[str, Any]) -> BrokerRegistration:
        """Return what a RegisterBroker record says."""
        cordoned = data.get("cordonedLogDirs")
        return BrokerRegistration(
            id=data["brokerId"],
            epoch=data["brokerEpoch"],
            incarnation_id=data["incarnationId"],
            listeners=endpoints_of(data),
            features=ranges_of(data),
            rack=data.get("rack"),
            fenced=data["fenced"],
            in_controlled_shutdown=data.get("inControlledShutdown", False),
            directories=in_order(data.get("logDirs", ())),
            cordoned_directories=None if cordoned is None else tuple(cordoned),
            is_migrating_zk_broker=data.get("isMigratingZkBroker", False),
        )

    def to_record(self, level: int) -> Message:
        """Return the record of this state, as a snapshot has it at a level of metadata.version."""
        return _broker_record(
            register_broker_version(level),
            {
                "brokerId": self.id,
                "isMigratingZkBroker": self.is_migrating_zk_broker,
                "incarnationId": self.incarnation_id,
                "brokerEpoch": self.epoch,
                "endPoints": endpoint_data(self.listeners),
                "features": range_data(self.features),
                "rack": self.rack,
                "fenced": self.fenced,
                "inControlledShutdown": self.in_controlled_shutdown,
            },
            self.directories if level >= DIRECTORIES else (),
            self.cordoned_directories if level >= CORDONED_DIRECTORIES else None,
        )

    @property
    def all_cordoned(self) -> bool:
        """Whether there are directories, and every one of them is cordoned."""
        cordoned = self.cordoned_directories
        return bool(self.directories) and cordoned is not None and set(self.directories) <= set(cordoned)


@dataclass(frozen=True, slots=True)
class ControllerRegistration:
    """A controller's registration in the log, without epoch and session; a dead one stays (ControllerRegistration)."""

    id: int
    incarnation_id: str
    zk_migration_ready: bool
    listeners: tuple[Endpoint, ...]
    features: tuple[FeatureRange, ...]

    @staticmethod
    def of_record(data: Mapping[str, Any]) -> ControllerRegistration:
        """Return what a RegisterController record says."""
        return ControllerRegistration(
            id=data["controllerId"],
            incarnation_id=data["incarnationId"],
            zk_migration_ready=data["zkMigrationReady"],
            listeners=endpoints_of(data),
            features=ranges_of(data),
        )

    def to_record(self) -> Message:
        """Return the record of this state."""
        data = {
            "controllerId": self.id,
            "incarnationId": self.incarnation_id,
            "zkMigrationReady": self.zk_migration_ready,
            "endPoints": endpoint_data(self.listeners),
            "features": range_data(self.features),
        }
        return Message(REGISTER_CONTROLLER_RECORD, 0, data)


def broker_record(
    request: BrokerRegistrationRequest,
    version: int,
    epoch: int,
    fenced: bool,
    in_controlled_shutdown: bool,
    cordoned: Sequence[str] | None = None,
) -> Message:
    """Return the record of a broker's registration, with the fields that its version has (MetadataVersion)."""
    data = {
        "brokerId": request.broker_id,
        "isMigratingZkBroker": request.is_migrating_zk_broker,
        "incarnationId": request.incarnation_id,
        "brokerEpoch": epoch,
        "endPoints": endpoint_data(request.listeners),
        "features": range_data(request.features),
        "rack": request.rack,
        "fenced": fenced,
        "inControlledShutdown": in_controlled_shutdown,
    }
    return _broker_record(version, data, request.log_dirs, cordoned)


def _broker_record(
    version: int, data: dict[str, Any], directories: Sequence[str], cordoned: Sequence[str] | None
) -> Message:
    if version < 2:
        del data["isMigratingZkBroker"]
    if version >= 3 and directories:
        data["logDirs"] = list(directories)
    if version >= 4 and cordoned is not None:
        data["cordonedLogDirs"] = list(cordoned)
    return Message(REGISTER_BROKER_RECORD, version, data)


def controller_record(request: ControllerRegistrationRequest) -> Message:
    """Return the record of a controller's registration."""
    return ControllerRegistration(
        request.controller_id, request.incarnation_id, False, request.listeners, request.features
    ).to_record()


def endpoint_data(listeners: Iterable[Endpoint]) -> list[dict[str, Any]]:
    """Return listeners as a record has them."""
    return [
        {"name": one.name, "host": one.host, "port": one.port, "securityProtocol": one.security_protocol}
        for one in listeners
    ]


def range_data(features: Iterable[FeatureRange]) -> list[dict[str, Any]]:
    """Return the ranges of features as a record has them."""
    return [
        {"name": one.name, "minSupportedVersion": one.lowest, "maxSupportedVersion": one.highest} for one in features
    ]


def endpoints_of(data: Mapping[str, Any]) -> tuple[Endpoint, ...]:
    """Return the listeners of a registration record by their names: in Kafka they are a map."""
    listeners = (Endpoint(one["name"], one["host"], one["port"], one["securityProtocol"]) for one in data["endPoints"])
    return tuple(sorted(listeners, key=lambda one: one.name))


def ranges_of(data: Mapping[str, Any]) -> tuple[FeatureRange, ...]:
    """Return the ranges of features of a registration record by their names: in Kafka they are a map."""
    ranges = (
        FeatureRange(one["name"], one["minSupportedVersion"], one["maxSupportedVersion"]) for one in data["features"]
    )
    return tuple(sorted(ranges, key=lambda one: one.name))
