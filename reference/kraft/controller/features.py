"""The finalized features, metadata.version before all: what may be written (S3:252-256, FeatureControlManager)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from fencepost.reference.kraft.errors import ApiError, Errors, ReplayError
from fencepost.reference.kraft.levels import (
    CONTROLLER_REGISTRATION,
    ELR_RECORDS,
    ELR_VERSION,
    KRAFT_VERSION,
    METADATA_CHANGES,
    METADATA_VERSION,
    NAMES,
)
from fencepost.reference.kraft.messages import (
    SAFE_DOWNGRADE,
    UNSAFE_DOWNGRADE,
    UPGRADE,
    FeatureRange,
    UpdateFeaturesRequest,
)
from fencepost.reference.kraft.records import Message
from fencepost.reference.kraft.results import ControllerResult
from fencepost.reference.timeline import TimelineMap
from fencepost.traces.record_types import CLEAR_ELR_RECORD, FEATURE_LEVEL_RECORD, NO_OP_RECORD

from .hash_tables import java_order

if TYPE_CHECKING:
    from fencepost.reference.timeline import SnapshotRegistry

    from .cluster import ClusterControlManager
    from .configurations import ConfigurationControlManager

_DISABLED = (0, 0)
"""The range of a feature that a node does not mention."""

_NEEDS_METADATA_VERSION = {ELR_VERSION: ELR_RECORDS}
"""The lowest metadata.version that a feature at any level above 0 depends on."""


class KRaftVersionAccessor(Protocol):
    """Access to the level of kraft.version (org.apache.kafka.controller.KRaftVersionAccessor)."""

    @property
    def kraft_version(self) -> int:
        """The level."""

    def upgrade_kraft_version(self, level: int) -> str:
        """Let a higher level be written into the log; return Kafka's name of the error, NONE for none."""


class StandaloneLevel:
    """A level of kraft.version that no log has: for a controller without Raft."""

    def __init__(self, level: int = 0) -> None:
        self.kraft_version = level

    def upgrade_kraft_version(self, level: int) -> str:
        """Take the level."""
        self.kraft_version = level
        return Errors.NONE.name


class FeatureControlManager:
    """The levels of all features; `supported` is what this controller's software can do, name to (lowest, highest).

    `voters` are the ids in controller.quorum.voters, each of which must have registered before a level may change. A
    dynamic quorum leaves that setting empty: there levels change also while a voter has not registered (real 4.4.0, two
    quorums side by side). `kraft_version` is its level or, as no metadata record has it, the object that knows it.
    """

    def __init__(
        self,
        registry: SnapshotRegistry,
        supported: Mapping[str, tuple[int, int]],
        voters: Collection[int] = (),
        node_id: int = -1,
        kraft_version: KRaftVersionAccessor | int = 0,
    ) -> None:
        self.finalized: TimelineMap[str, int] = TimelineMap(registry)
        self.supported = supported
        self.voters = voters
        self.node_id = node_id
        self._raft: KRaftVersionAccessor = (
            StandaloneLevel(kraft_version) if isinstance(kraft_version, int) else kraft_version
        )

    # -- reading ---------------------------------------------------------------------------------------------------
    @property
    def metadata_version(self) -> int | None:
        """The level of metadata.version, None before the bootstrap records."""
        return self.finalized.get(METADATA_VERSION)

    def metadata_version_or_throw(self) -> int:
        """Return the level of metadata.version; raises RuntimeError where none is known, as Kafka fails then."""
        level = self.finalized.get(METADATA_VERSION)
        if level is None:
            raise RuntimeError("Unknown metadata version for FeatureControlManager")
        return level

    @property
    def kraft_version(self) -> int:
        """The level of kraft.version, which is the Raft layer's; one that is set is kept in place of Raft's."""
        return self._raft.kraft_version

    @kraft_version.setter
    def kraft_version(self, level: int) -> None:
        self._raft = StandaloneLevel(level)

    @property
    def elr_enabled(self) -> bool:
        """Whether eligible leader replicas are on; metadata.version alone does not switch them on."""
        return self.finalized.get(ELR_VERSION, 0) >= 1

    # -- updating --------------------------------------------------------------------------------------------------
    def update(
        self,
        request: UpdateFeaturesRequest,
        cluster: ClusterControlManager,
        configurations: ConfigurationControlManager,
    ) -> ControllerResult[ApiError | None]:
        """Finalize features, all or none: the response is the error of the first one that is refused, else None.

        Several are visited in the order of their hashes. Where eligible leader replicas are switched on the minimum of
        in-sync replicas is fixed first, for the whole cluster (ConfigurationControlManager).
        """
        self.metadata_version_or_throw()
        proposed = dict(self.finalized.items()) | {name: level for name, level, _ in request.updates}
        records: list[Message] = []
        # QuorumController puts them into a HashMap.
        updates = {name: (level, kind) for name, level, kind in request.updates}
        for name in java_order(updates):
            level, kind = updates[name]
            reason = self._refusal(name, level, kind, proposed, cluster)
            if reason is None and name == KRAFT_VERSION and kind == UPGRADE and not request.validate_only:
                reason = self._refused_by_raft(level)
            if reason is not None:
                message = f"Invalid update version {level} for feature {name}. {reason}"
                return ControllerResult((), ApiError(Errors.INVALID_UPDATE_VERSION, message))
            records.extend(self._records(name, level, kind))
        if request.validate_only:
            return ControllerResult((), None)
        if any(name == ELR_VERSION and level > 0 for name, level, _ in request.updates):
            records = [*configurations.elr_safety_records(), *records]
        if "D21" in configurations.settings.repaired and any(one[:2] == (ELR_VERSION, 0) for one in request.updates):
            # Eligible leader replicas are not maintained while they are off: none may be there when they are turned on.
            records.append(Message(CLEAR_ELR_RECORD, 0, {"topicName": ""}))
        return ControllerResult(tuple(records), None, atomic=True)

    def _refusal(
        self, name: str, level: int, kind: int, proposed: Mapping[str, int], cluster: ClusterControlManager
    ) -> str | None:
        if kind not in (UPGRADE, SAFE_DOWNGRADE, UNSAFE_DOWNGRADE):
            return "The controller does not support the given upgrade type."
        if name == METADATA_VERSION:
            current = self.metadata_version_or_throw()
        else:
            current = self.kraft_version if name == KRAFT_VERSION else self.finalized.get(name, 0)
        if level < 0:
            return "A feature version cannot be less than 0."
        reason = self._not_supported(name, level, cluster)
        if reason is not None:
            return reason
        if level < current and kind == UPGRADE:
            return "Can't downgrade the version of this feature without a safe or unsafe downgrade."
        if level > current and kind != UPGRADE:
            return "Can't downgrade to a newer version."
        if name == METADATA_VERSION:
            return _metadata_version_refusal(current, level, kind)
        if name == KRAFT_VERSION:
            return "Can't downgrade the version of this feature." if level < current else None
        return self._dependency_missing(name, level, proposed)

    def _not_supported(self, name: str, level: int, cluster: ClusterControlManager) -> str | None:
        """Ask this controller, the registered brokers, then the other controllers; each voter must have registered."""
        lowest, highest = self.supported.get(name, _DISABLED)
        if not lowest <= level <= highest:
            return f"Local controller {self.node_id} only supports versions {lowest}-{highest}"
        for broker in cluster.registrations.values():
            if not _supports(broker.features, name, level):
                return f"Broker {broker.id} does not support this feature at that level."
        if self.metadata_version_or_throw() < CONTROLLER_REGISTRATION:
            return None
        for controller in cluster.controllers.values():
            if controller.id != self.node_id and not _supports(controller.features, name, level):
                return f"Controller {controller.id} does not support this feature at that level."
        for voter in self.voters:
            if voter != self.node_id and voter not in cluster.controllers:
                return f"controller {voter} has not registered, and may not support this feature"
        return None

    def _dependency_missing(self, name: str, level: int, proposed: Mapping[str, int]) -> str | None:
        if name not in self.supported:
            return f"Feature {name} not found."
        needed = _NEEDS_METADATA_VERSION.get(name, 0)
        if level > 0 and proposed.get(METADATA_VERSION, 0) < needed:
            return f"{name} could not be set to {level} because it depends on {METADATA_VERSION} level {needed}"
        return None

    def _refused_by_raft(self, level: int) -> str | None:
        """Let the Raft layer write the level as a control record, unless a voter may not know it."""
        answer = self._raft.upgrade_kraft_version(level)
        return None if answer == Errors.NONE.name else f"Not every voter is known to support {KRAFT_VERSION} {level}."

    def _records(self, name: str, level: int, kind: int) -> Iterable[Message]:
        if name != KRAFT_VERSION:
            yield feature_level_record(name, level)
        elif kind == UPGRADE:
            # The NoOp gives the answer something to wait for. An upgrade to the current level writes one too.
            yield Message(NO_OP_RECORD, 0, {})

    # -- replay ----------------------------------------------------------------------------------------------------
    def replay(self, data: Mapping[str, Any]) -> None:
        """Apply a FeatureLevel record; raises ReplayError for a level that this software does not support."""
        name, level = data["name"], data["featureLevel"]
        lowest, highest = self.supported.get(name, _DISABLED)
        if not lowest <= level <= highest:
            raise ReplayError(
                f"Tried to apply FeatureLevelRecord {name}={level}, but this controller only supports "
                f"versions {lowest}-{highest}"
            )
        if name == KRAFT_VERSION:
            return
        if level == 0:
            self.finalized.pop(name, None)
        else:
            self.finalized[name] = level


def feature_level_record(name: str, level: int) -> Message:
    """Return the record that finalizes a feature at a level."""
    return Message(FEATURE_LEVEL_RECORD, 0, {"name": name, "featureLevel": level})


def _supports(ranges: Iterable[FeatureRange], name: str, level: int) -> bool:
    lowest, highest = next(((one.lowest, one.highest) for one in ranges if one.name == name), _DISABLED)
    return lowest <= level <= highest


def _metadata_version_refusal(current: int, level: int, kind: int) -> str | None:
    if level not in NAMES:
        return "Unknown metadata.version."
    if level >= current or not any(level < changed <= current for changed in METADATA_CHANGES):
        return None
    if kind == UNSAFE_DOWNGRADE:
        return "Unsafe metadata downgrade is not supported in this version."
    return "Refusing to perform the requested downgrade because it might delete metadata information."
