"""The controller's metrics by Kafka's names (QuorumControllerMetrics, ControllerMetadataMetrics)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fencepost.reference.kraft.records import NO_LEADER

if TYPE_CHECKING:
    from .quorum_controller import QuorumController


@dataclass
class Durations:
    """A histogram in milliseconds, of which count, mean and maximum are kept."""

    count: int = 0
    total_ms: float = 0.0
    max_ms: float = 0.0

    def record(self, nanoseconds: int) -> None:
        """Add one duration."""
        milliseconds = nanoseconds / 1e6
        self.count += 1
        self.total_ms += milliseconds
        self.max_ms = max(self.max_ms, milliseconds)

    def document(self) -> dict[str, float]:
        """Return the histogram as a JSON object."""
        mean = self.total_ms / self.count if self.count else 0.0
        return {"count": self.count, "mean": round(mean, 3), "max": round(self.max_ms, 3)}


@dataclass
class QuorumControllerMetrics:
    """Counters of one controller; all other metrics are read from its state on request."""

    new_active_controllers: int = 0
    timed_out_broker_heartbeats: int = 0
    operations_started: int = 0
    operations_timed_out: int = 0
    metadata_errors: int = 0
    unclean_leader_elections: int = 0
    elections_from_eligible_leader_replicas: int = 0
    event_queue_time: Durations = field(default_factory=Durations)
    event_queue_processing_time: Durations = field(default_factory=Durations)


def kafka_metrics(controller: QuorumController) -> dict[str, Any]:
    """Return a controller's metrics by the names that Kafka gives them.

    Gauges of metadata are of the state in memory; offsets are −1 where nothing was replayed yet.
    """
    metrics, offsets, managers = controller.metrics, controller.offsets, controller.managers
    partitions = managers.replication.partitions.values()
    registrations = managers.cluster.registrations.values()
    applied = offsets.next_write_offset - 1 if controller.active else offsets.last_committed_offset
    return {
        "ActiveControllerCount": int(controller.active),
        "ActiveBrokerCount": sum(not one.fenced for one in registrations),
        "FencedBrokerCount": sum(one.fenced for one in registrations),
        "GlobalTopicCount": len(managers.replication.topics),
        "GlobalPartitionCount": len(partitions),
        "OfflinePartitionsCount": sum(one.leader == NO_LEADER for one in partitions),
        "PreferredReplicaImbalanceCount": sum(one.leader != one.replicas[0] for one in partitions),
        "UncleanLeaderElectionsPerSec": metrics.unclean_leader_elections,
        "ElectionFromEligibleLeaderReplicasPerSec": metrics.elections_from_eligible_leader_replicas,
        "LastAppliedRecordOffset": applied,
        "LastCommittedRecordOffset": offsets.last_committed_offset,
        "NewActiveControllersCount": metrics.new_active_controllers,
        "TimedOutBrokerHeartbeatCount": metrics.timed_out_broker_heartbeats,
        "EventQueueOperationsStartedCount": metrics.operations_started,
        "EventQueueOperationsTimedOutCount": metrics.operations_timed_out,
        "MetadataErrorCount": metrics.metadata_errors,
        "EventQueueTimeMs": metrics.event_queue_time.document(),
        "EventQueueProcessingTimeMs": metrics.event_queue_processing_time.document(),
    }
