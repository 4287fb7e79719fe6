"""Registrations of brokers and controllers, which are in the log, and the heartbeats, which are not (S3:226-248)."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from fencepost.reference.kraft.errors import ApiError, Errors, ReplayError
from fencepost.reference.kraft.levels import (
    CONTROLLER_REGISTRATION,
    DIRECTORIES,
    KRAFT_VERSION,
    METADATA_VERSION,
    UNREGISTER_CONTROLLER,
    register_broker_version,
)
from fencepost.reference.kraft.messages import (
    BrokerRegistrationRequest,
    BrokerRegistrationResponse,
    ControllerRegistrationRequest,
    UnregisterControllerRequest,
)
from fencepost.reference.kraft.records import LOST_DIRECTORY, MIGRATING_DIRECTORY, UNASSIGNED_DIRECTORY, Message
from fencepost.reference.kraft.results import ControllerResult
from fencepost.reference.timeline import TimelineMap
from fencepost.traces.record_types import (
    BROKER_REGISTRATION_CHANGE_RECORD,
    FENCE_BROKER_RECORD,
    REGISTER_BROKER_RECORD,
    REGISTER_CONTROLLER_RECORD,
    UNFENCE_BROKER_RECORD,
    UNREGISTER_BROKER_RECORD,
    UNREGISTER_CONTROLLER_RECORD,
)

from .directory_ids import in_order, is_reserved
from .heartbeats import BrokerHeartbeatManager, BrokerHeartbeatTracker
from .registrations import BrokerRegistration, ControllerRegistration, broker_record, controller_record

if TYPE_CHECKING:
    from fencepost.reference.kraft.settings import Settings
    from fencepost.reference.timeline import SnapshotRegistry

    from .features import FeatureControlManager

_NO_EPOCH = -2
"""The stored epoch of a broker that has no registration: no request can match it."""

_KNOWS_PREVIOUS_EPOCH = 3
"""The first version of BrokerRegistration that carries the epoch before a clean shutdown."""

_FENCED_CHANGES = {1: True, -1: False, 0: None}


class ClusterControlManager:
    """The registered brokers, with epoch and registration offset; `directory_owners` maps a directory to its broker."""

    def __init__(
        self, registry: SnapshotRegistry, cluster_id: str, settings: Settings, features: FeatureControlManager
    ) -> None:
        self.cluster_id, self.settings, self.features = cluster_id, settings, features
        self.registrations: TimelineMap[int, BrokerRegistration] = TimelineMap(registry)
        self.registration_offsets: TimelineMap[int, int] = TimelineMap(registry)
        self.directory_owners: TimelineMap[str, int] = TimelineMap(registry)
        self.controllers: TimelineMap[int, ControllerRegistration] = TimelineMap(registry)
        self.heartbeats: BrokerHeartbeatManager | None = None

    # -- being the active controller -------------------------------------------------------------------------------
    def activate(self, now_ns: int, last_offset: int = -1) -> None:
        """Begin to keep heartbeats: every unfenced broker counts as heard of now (BrokerHeartbeatTracker).

        `last_offset` is the end of the log at the claim; only the repair D10 looks at it: where a controlled shutdown
        began is lost with the last controller, so that all active brokers have to have read up to the claim.
        """
        timeout_ns = self.settings.broker_session_timeout_ms * 1_000_000
        heartbeats = self.heartbeats = BrokerHeartbeatManager(timeout_ns, self.settings.repaired)
        for registration in self.registrations.values():
            heartbeats.register(registration.id, registration.fenced)
            if registration.fenced:
                continue
            heartbeats.tracker.touch(registration.id, registration.epoch, now_ns)
            if "D10" in self.settings.repaired and registration.in_controlled_shutdown:
                heartbeats.begin_controlled_shutdown(registration.id, last_offset)

    def deactivate(self) -> None:
        """Forget all heartbeats."""
        self.heartbeats = None

    def active_heartbeats(self) -> BrokerHeartbeatManager:
        """Return the heartbeats; raises RuntimeError on a controller that is not active."""
        if self.heartbeats is None:
            raise RuntimeError("ClusterControlManager is not active.")
        return self.heartbeats

    @property
    def tracker(self) -> BrokerHeartbeatTracker | None:
        """When each session was last heard of, None on a controller that is not active."""
        return None if self.heartbeats is None else self.heartbeats.tracker

    def track(self, broker: int, epoch: int, now_ns: int) -> bool:
        """Note that a heartbeat has arrived, before its event runs; False on a controller that is not active."""
        if self.heartbeats is None:
            return False
        self.heartbeats.tracker.touch(broker, epoch, now_ns)
        return True

    # -- brokers ---------------------------------------------------------------------------------------------------
    def register(
        self,
        request: BrokerRegistrationRequest,
        new_epoch: int,
        now_ns: int,
        cleanup: Callable[[int, bool], list[Message]],
    ) -> ControllerResult[BrokerRegistrationResponse]:
        """Register a broker, in Kafka's order of checks (ClusterControlManager.registerBroker).

        `new_epoch` is the offset of the first record of the result. `cleanup` returns the records that take the last
        incarnation out of its partitions, given the broker and whether it was shut down cleanly.
        """
        heartbeats = self.active_heartbeats()
        broker = request.broker_id
        existing = self.registrations.get(broker)
        self._check_registration(request, existing, now_ns)
        fenced, shutting_down, epoch = True, False, new_epoch
        records: list[Message] = []
        cordoned = None
        if existing is not None and existing.incarnation_id == request.incarnation_id:
            fenced, shutting_down, epoch = existing.fenced, existing.in_controlled_shutdown, existing.epoch
            if "D22" in self.settings.repaired:
                cordoned = existing.cordoned_directories
        else:
            stored_epoch = _NO_EPOCH if existing is None else existing.epoch
            knows = request.version >= _KNOWS_PREVIOUS_EPOCH
            records += cleanup(broker, knows and request.previous_broker_epoch == stored_epoch)
            heartbeats.remove(broker)
        heartbeats.register(broker, fenced)
        version = register_broker_version(self.features.metadata_version_or_throw())
        records.append(broker_record(request, version, epoch, fenced, shutting_down, cordoned))
        return ControllerResult(tuple(records), BrokerRegistrationResponse(epoch))

    def _check_registration(
        self, request: BrokerRegistrationRequest, existing: BrokerRegistration | None, now_ns: int
    ) -> None:
        if request.cluster_id != self.cluster_id:
            raise ApiError(
                Errors.INCONSISTENT_CLUSTER_ID,
                f"Expected cluster ID {self.cluster_id}, but got cluster ID {request.cluster_id}",
            )
        if (
            existing is not None
            and self.active_heartbeats().tracker.has_valid_session(existing.id, existing.epoch, now_ns)
            and request.incarnation_id != existing.incarnation_id
        ):
            raise ApiError(Errors.DUPLICATE_BROKER_REGISTRATION, "Another broker is registered with that broker id.")
        if request.is_migrating_zk_broker:
            raise ApiError(Errors.BROKER_ID_NOT_REGISTERED, "Controller does not support registering ZK brokers.")
        if self.features.metadata_version_or_throw() >= DIRECTORIES:
            self._check_directories(request)
        self._check_features(request)

    def _check_directories(self, request: BrokerRegistrationRequest) -> None:
        directories = request.log_dirs
        if not directories:
            raise ApiError(Errors.INVALID_REGISTRATION, "No directories specified in request")
        if any(is_reserved(one) for one in directories):
            raise ApiError(Errors.INVALID_REGISTRATION, "Reserved directory ID in request")
        if len(set(directories)) != len(directories):
            raise ApiError(Errors.INVALID_REGISTRATION, "Duplicate directory ID in request")
        for directory in directories:
            owner = self.directory_owners.get(directory)
            if owner is not None and owner != request.broker_id:
                message = f"Broker {owner} is already registered with directory {directory}"
                raise ApiError(Errors.INVALID_REGISTRATION, message)

    def _check_features(self, request: BrokerRegistrationRequest) -> None:
        """Compare the ranges with what is finalized, and with Raft's level of kraft.version.

        A feature that is not mentioned counts as one at 0 only (QuorumController.registerBroker).
        """
        finalized = dict(self.features.finalized.items()) | {KRAFT_VERSION: self.features.kraft_version}
        for one in request.features:
            level = finalized.pop(one.name, 0)
            if not one.lowest <= level <= one.highest:
                raise _unsupported(request.broker_id, one.name, level, one.lowest, one.highest)
        if all(one.name != METADATA_VERSION for one in request.features):
            raise ApiError(Errors.INVALID_REGISTRATION, "Request features do not contain 'metadata.version'")
        for name, level in finalized.items():
            if level != 0:
                raise _unsupported(request.broker_id, name, level, 0, 0)

    def check_epoch(self, broker: int, epoch: int) -> None:
        """Raise STALE_BROKER_EPOCH unless a broker is registered at exactly this epoch."""
        registration = self.registrations.get(broker)
        if registration is None:
            raise ApiError(Errors.STALE_BROKER_EPOCH, f"No broker registration found for broker id {broker}")
        if registration.epoch != epoch:
            raise ApiError(
                Errors.STALE_BROKER_EPOCH, f"Expected broker epoch {registration.epoch}, but got broker epoch {epoch}"
            )

    def is_active(self, broker: int) -> bool:
        """Whether a broker is registered, not fenced, and not marked as in controlled shutdown."""
        registration = self.registrations.get(broker)
        return registration is not None and not registration.fenced and not registration.in_controlled_shutdown

    def in_controlled_shutdown(self, broker: int) -> bool:
        """Whether a broker is registered and marked as in controlled shutdown."""
        registration = self.registrations.get(broker)
        return registration is not None and registration.in_controlled_shutdown

    # -- directories (AssignReplicasToDirs) --------------------------------------------------------------------------
    def default_directory(self, broker: int) -> str:
        """Return the directory of a new replica, as far as there is no choice."""
        registration = self.registrations.get(broker)
        if registration is None:
            return UNASSIGNED_DIRECTORY
        if not registration.directories:
            return MIGRATING_DIRECTORY
        return registration.directories[0] if len(registration.directories) == 1 else UNASSIGNED_DIRECTORY

    def has_online_directory(self, broker: int, directory: str) -> bool:
        """Whether a directory of a broker is online, as far as its registration says."""
        registration = self.registrations.get(broker)
        if registration is None or directory == LOST_DIRECTORY:
            return False
        if directory in (UNASSIGNED_DIRECTORY, MIGRATING_DIRECTORY) or not registration.directories:
            return True
        return directory in registration.directories

    def all_directories_cordoned(self, broker: int) -> bool:
        """Whether a registered broker has directories, and every one of them is cordoned."""
        registration = self.registrations.get(broker)
        return registration is not None and registration.all_cordoned

    def usable_brokers(self) -> Iterator[tuple[int, str | None, bool]]:
        """Yield (id, rack, fenced) of the brokers that a placer may use, ascending (BrokerHeartbeatManager)."""
        for broker, fenced in self.active_heartbeats().usable_brokers():
            if not self.all_directories_cordoned(broker):
                yield broker, self.registrations[broker].rack, fenced

    # -- controllers (registerController) ----------------------------------------------------------------------------
    def register_controller(self, request: ControllerRegistrationRequest) -> ControllerResult[None]:
        """Register a controller; nothing but metadata.version is asked."""
        if self.features.metadata_version_or_throw() < CONTROLLER_REGISTRATION:
            message = "The current MetadataVersion is too old to support controller registrations."
            raise ApiError(Errors.UNSUPPORTED_VERSION, message)
        return ControllerResult((controller_record(request),), None, atomic=True)

    def unregister_controller(self, request: UnregisterControllerRequest) -> ControllerResult[None]:
        """Take a controller's registration away; the active controller keeps its own, whatever else holds."""
        if request.controller_id == self.features.node_id:
            raise ApiError(Errors.INVALID_REQUEST, "Controller cannot unregister itself while it is active.")
        if self.features.metadata_version_or_throw() < UNREGISTER_CONTROLLER:
            message = "The current MetadataVersion is too old to support controller unregistration."
            raise ApiError(Errors.UNSUPPORTED_VERSION, message)
        if request.controller_id not in self.controllers:
            message = f"Controller ID {request.controller_id} is not currently registered"
            raise ApiError(Errors.CONTROLLER_ID_NOT_REGISTERED, message)
        record = Message(UNREGISTER_CONTROLLER_RECORD, 0, {"controllerId": request.controller_id})
        return ControllerResult((record,), None, atomic=True)

    # -- replay ----------------------------------------------------------------------------------------------------
    def replay(self, message: Message, offset: int) -> None:
        """Apply one of the records that `REPLAYED` names; raises ReplayError where it does not fit."""
        data = message.data
        match message.type:
            case "REGISTER_BROKER_RECORD":
                self._replay_registration(data, offset)
            case "UNREGISTER_BROKER_RECORD":
                self._replay_unregistration(data)
            case "FENCE_BROKER_RECORD":
                self._replay_change(data["id"], data["epoch"], {"fenced": True})
            case "UNFENCE_BROKER_RECORD":
                self._replay_change(data["id"], data["epoch"], {"fenced": False})
            case "BROKER_REGISTRATION_CHANGE_RECORD":
                self._replay_change(data["brokerId"], data["brokerEpoch"], _changes_of(data))
            case "REGISTER_CONTROLLER_RECORD":
                self._replay_controller(data)
            case "UNREGISTER_CONTROLLER_RECORD":
                if self.controllers.pop(data["controllerId"], None) is None:
                    raise ReplayError(f"Unable to replay {message}: no controller registration found for that id")
            case _:
                raise ReplayError(f"{message.type} is no record of brokers or controllers")

    def _replay_registration(self, data: Mapping[str, Any], offset: int) -> None:
        broker = data["brokerId"]
        previous = self.registrations.get(broker)
        new = BrokerRegistration.of_record(data)
        self.registration_offsets[broker] = offset
        self.registrations[broker] = new
        self._update_directories(broker, () if previous is None else previous.directories, new.directories)
        if self.heartbeats is None:
            return
        begun = self.heartbeats.controlled_shutdown_offset(broker)
        if previous is not None:
            self.heartbeats.remove(broker)
        self.heartbeats.register(broker, new.fenced)
        same = previous is not None and previous.incarnation_id == new.incarnation_id
        if "D10" in self.settings.repaired and same and not new.fenced:
            self.heartbeats.begin_controlled_shutdown(broker, begun)

    def _replay_unregistration(self, data: Mapping[str, Any]) -> None:
        broker = data["brokerId"]
        self.registration_offsets.pop(broker, None)
        registration = self._registered(broker, data["brokerEpoch"])
        if self.heartbeats is not None:
            self.heartbeats.remove(broker)
        self._update_directories(broker, registration.directories, ())
        del self.registrations[broker]

    def _replay_change(self, broker: int, epoch: int, changes: Mapping[str, Any]) -> None:
        current = self._registered(broker, epoch)
        new = dataclasses.replace(current, **changes)
        if new != current:
            self.registrations[broker] = new
            self._update_directories(broker, current.directories, new.directories)
        if self.heartbeats is not None:
            self.heartbeats.register(broker, new.fenced)

    def _replay_controller(self, data: Mapping[str, Any]) -> None:
        self.controllers[data["controllerId"]] = ControllerRegistration.of_record(data)

    def _registered(self, broker: int, epoch: int) -> BrokerRegistration:
        registration = self.registrations.get(broker)
        if registration is None:
            raise ReplayError(f"Unable to replay a record of broker {broker}: no broker registration found for that id")
        if registration.epoch != epoch:
            raise ReplayError(f"Unable to replay a record of broker {broker}: no registration with epoch {epoch} found")
        return registration

    def _update_directories(self, broker: int, old: tuple[str, ...], new: tuple[str, ...]) -> None:
        if old == new:
            return
        # With the repair D12 a broker without any directory left has the lost one, which no broker owns.
        for directory in (one for one in old if one != LOST_DIRECTORY):
            if self.directory_owners.get(directory) != broker:
                raise ReplayError(f"BUG: directory {directory} is not assigned to broker {broker}")
            del self.directory_owners[directory]
        for directory in (one for one in new if one != LOST_DIRECTORY):
            owner = self.directory_owners.setdefault(directory, broker)
            if owner != broker:
                raise ReplayError(f"BUG: directory {directory} is already assigned to broker {owner}")


REPLAYED = frozenset((
    REGISTER_BROKER_RECORD, UNREGISTER_BROKER_RECORD, FENCE_BROKER_RECORD, UNFENCE_BROKER_RECORD,
    BROKER_REGISTRATION_CHANGE_RECORD, REGISTER_CONTROLLER_RECORD, UNREGISTER_CONTROLLER_RECORD,
))  # fmt: skip
"""The types of records that `ClusterControlManager.replay` applies."""


def _changes_of(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a BrokerRegistrationChange changes; no directories means no change, so that "none" cannot be said."""
    changes: dict[str, Any] = {}
    fenced = _fenced_change(data.get("fenced", 0))
    if fenced is not None:
        changes["fenced"] = fenced
    if data.get("inControlledShutdown", 0) == 1:
        changes["in_controlled_shutdown"] = True
    if data.get("logDirs"):
        changes["directories"] = in_order(data["logDirs"])
    if data.get("cordonedLogDirs") is not None:
        changes["cordoned_directories"] = tuple(data["cordonedLogDirs"])
    return changes


def _fenced_change(value: int) -> bool | None:
    if value not in _FENCED_CHANGES:
        raise ReplayError(f"unknown value {value} of the fenced field")
    return _FENCED_CHANGES[value]


def _unsupported(broker: int, name: str, level: int, lowest: int, highest: int) -> ApiError:
    return ApiError(
        Errors.UNSUPPORTED_VERSION,
        f"Unable to register because broker {broker} does not support finalized version {level} of {name}. "
        f"The broker wants a version between {lowest} and {highest}, inclusive.",
    )
