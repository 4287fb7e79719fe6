"""A controller in the situation that a recorded line begins with, and records in the recorded terms.

`traces/recorded/oracle/README.md` describes the fields of a line. Nothing here knows the tables or their
adapters: two readings of one recording that agree say more than one reading used twice.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from fencepost.reference.kraft.controller.cluster import ClusterControlManager
from fencepost.reference.kraft.controller.configurations import ConfigurationControlManager
from fencepost.reference.kraft.controller.features import FeatureControlManager
from fencepost.reference.kraft.controller.partitions import PartitionRegistration
from fencepost.reference.kraft.controller.registrations import broker_record
from fencepost.reference.kraft.controller.replication import ReplicationControlManager
from fencepost.reference.kraft.levels import (
    ELR_VERSION,
    LEVELS,
    METADATA_VERSION,
    SUPPORTED_FEATURES,
    register_broker_version,
)
from fencepost.reference.kraft.messages import TOPIC_RESOURCE, BrokerRegistrationRequest
from fencepost.reference.kraft.records import UNASSIGNED_DIRECTORY, Message
from fencepost.reference.kraft.settings import Settings
from fencepost.reference.timeline import SnapshotRegistry

Line = Mapping[str, Any]
TOPIC = "oracletopicAAAAAAAAAAw"
CLUSTER = "recorded"
_UNCLEAN = "unclean.leader.election.enable"

_SHORT = {
    "isr": "isr",
    "leader": "ld",
    "replicas": "rep",
    "removingReplicas": "rem",
    "addingReplicas": "add",
    "leaderRecoveryState": "rec",
    "eligibleLeaderReplicas": "elr",
    "lastKnownElr": "last",
}


def registration(line: Line, **more: Any) -> PartitionRegistration:
    """Return the partition that a line begins with."""
    return PartitionRegistration(
        replicas=tuple(line["rep"]),
        directories=(UNASSIGNED_DIRECTORY,) * len(line["rep"]),
        isr=tuple(line["isr"]),
        removing_replicas=tuple(line.get("rem", ())),
        adding_replicas=tuple(line.get("add", ())),
        elr=tuple(line.get("elr", ())),
        last_known_elr=tuple(line.get("last", ())),
        leader=line["ld"],
        leader_recovery_state=line.get("rec", 0),
        **more,
    )


def change_told(message: Message) -> dict[str, Any]:
    """Return a change of a partition by the recorded names; eligible leader replicas are a set, written sorted."""
    told: dict[str, Any] = {"v": message.version}
    told |= {short: message.data[name] for name, short in _SHORT.items() if name in message.data}
    if "elr" in told:
        told["elr"] = sorted(told["elr"])
    return told


class Situation:
    """The managers of an active controller, brought into a situation by records, as its log would."""

    def __init__(self, line: Line) -> None:
        registry, settings = SnapshotRegistry(), Settings()
        self.features = FeatureControlManager(registry, SUPPORTED_FEATURES)
        self.configurations = ConfigurationControlManager(registry, settings, self.features)
        self.cluster = ClusterControlManager(registry, CLUSTER, settings, self.features)
        self.replication = ReplicationControlManager(
            registry, settings, self.features, self.configurations, self.cluster, random.Random(0)
        )
        self.features.replay({"name": METADATA_VERSION, "featureLevel": LEVELS[line["mv"]]})
        if line.get("E") == 1:
            self.features.replay({"name": ELR_VERSION, "featureLevel": 1})
        self.cluster.activate(0)

    def broker(self, broker: int, epoch: int, fenced: bool, in_controlled_shutdown: bool, offset: int = 0) -> None:
        """Register a broker; `offset` is that of its registration in the log."""
        request = BrokerRegistrationRequest(
            broker_id=broker, cluster_id=CLUSTER, incarnation_id=UNASSIGNED_DIRECTORY, log_dirs=()
        )
        version = register_broker_version(self.features.metadata_version_or_throw())
        self.cluster.replay(broker_record(request, version, epoch, fenced, in_controlled_shutdown), offset)

    def topic(self, line: Line, **epochs: int) -> None:
        """Create the one topic with the one partition that a line begins with."""
        self.replication.replay(Message("TOPIC_RECORD", 0, {"name": "t", "topicId": TOPIC}))
        level = self.features.metadata_version_or_throw()
        partition = registration(line, **epochs).to_record(TOPIC, 0, level, elr_enabled=True)
        self.replication.replay(partition)
        for key, value in (("min.insync.replicas", line.get("min")), (_UNCLEAN, line.get("unclean"))):
            if value is not None:
                resource = {"resourceType": TOPIC_RESOURCE, "resourceName": "t"}
                self.configurations.replay({**resource, "name": key, "value": str(value).lower()})


def told(message: Message) -> dict[str, Any]:
    """Return a record by the recorded names."""
    if message.type == "PARTITION_CHANGE_RECORD":
        return {"t": "PartitionChange", "p": message.data["partitionId"], **change_told(message)}
    if message.type == "BROKER_REGISTRATION_CHANGE_RECORD":
        return {
            "t": "BrokerRegistrationChange",
            "v": message.version,
            "fenced": message.data.get("fenced", 0),
            "ics": message.data.get("inControlledShutdown", 0),
            "dirs": len(message.data.get("logDirs", ())),
        }
    raise ValueError(f"no recorded answer has a {message.type}")
