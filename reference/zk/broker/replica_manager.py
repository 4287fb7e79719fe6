"""A broker's handling of LeaderAndIsr, StopReplica and UpdateMetadata: outdated requests are refused first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from fencepost.reference.zk.log_lines import (
    BrokerLog,
    leader_and_isr_struct,
    listed,
    stop_replica_struct,
    update_metadata_struct,
)
from fencepost.reference.zk.messages import (
    NONE,
    ControlRequest,
    ControlResponse,
    Error,
    LeaderAndIsrPartition,
    LeaderAndIsrRequest,
    StopReplicaPartition,
    StopReplicaRequest,
    UpdateMetadataPartition,
    UpdateMetadataRequest,
)
from fencepost.reference.zk.names import EPOCH_DURING_DELETE, LEADER_DURING_DELETE, NO_EPOCH, RECOVERING, TopicPartition
from fencepost.reference.zk.zookeeper import SessionExpired

from .hosted import HostedPartition

STALE_CONTROLLER, STALE_BROKER, STORAGE = "STALE_CONTROLLER_EPOCH", "STALE_BROKER_EPOCH", "KAFKA_STORAGE_ERROR"
INCONSISTENT_TOPIC, UNKNOWN = "INCONSISTENT_TOPIC_ID", "UNKNOWN_SERVER_ERROR"


class Tell(Protocol):
    """Takes a step of the broker."""

    def __call__(self, name: str, outcome: str = "", **parameters: Any) -> None:
        """Tell what happened, how it ended, and to what."""


class ReplicaManager:
    """The replicas of one broker under one registration, and its cache of the cluster's metadata."""

    def __init__(
        self,
        broker: int,
        broker_epoch: int,
        log: BrokerLog,
        tell: Tell,
        now_ns: Callable[[], int],
        read_config: Callable[[str], None] = lambda topic: None,
    ) -> None:
        self.broker, self.broker_epoch, self.log, self.tell, self.now_ns = broker, broker_epoch, log, tell, now_ns
        self._read_config = read_config
        self.controller = -1
        self.controller_epoch = -1
        self.hosted: dict[TopicPartition, HostedPartition] = {}
        self.offline: set[TopicPartition] = set()
        self.live: frozenset[int] = frozenset()
        self.metadata: dict[TopicPartition, UpdateMetadataPartition] = {}

    def handle(self, request: ControlRequest) -> ControlResponse:
        """Take a request of a controller."""
        if isinstance(request, LeaderAndIsrRequest):
            return self._leader_and_isr(request)
        if isinstance(request, StopReplicaRequest):
            return self._stop_replica(request)
        assert isinstance(request, UpdateMetadataRequest)
        return self._update_metadata(request)

    # -- what is out of date ---------------------------------------------------------------------------------------
    def stale_broker(self, request: ControlRequest) -> bool:
        """Whether a request was meant for an earlier registration of this broker."""
        return request.broker_epoch < self.broker_epoch

    def stale_controller(self, request: ControlRequest) -> bool:
        """Whether a request comes from a controller that is known to have a successor."""
        return request.controller_epoch < self.controller_epoch

    def stale_leader_and_isr(self, current: int, requested: int) -> bool:
        """Whether a LeaderAndIsr says nothing new of a partition: only a greater leader epoch is taken."""
        return requested <= current

    def other_topic(self, known: str, received: str) -> bool:
        """Whether a log that is here was made for another topic of the same name; an id that is not given fits all."""
        return bool(known and received) and known != received

    def stale_stop_replica(self, current: int, requested: int) -> bool:
        """Whether a StopReplica is older than what the partition knows; some carry no epoch, and are taken."""
        return requested not in (EPOCH_DURING_DELETE, NO_EPOCH) and requested < current

    def _refused(self, request: ControlRequest) -> Error:
        if self.stale_broker(request):
            return STALE_BROKER
        return STALE_CONTROLLER if self.stale_controller(request) else NONE

    def _accept(self, request: ControlRequest) -> None:
        self.controller, self.controller_epoch = request.controller, request.controller_epoch

    # -- LeaderAndIsr ----------------------------------------------------------------------------------------------
    def _leader_and_isr(self, request: LeaderAndIsrRequest) -> ControlResponse:
        number, partitions = request.correlation, request.partitions
        sender = f"controller {request.controller} epoch {request.controller_epoch}"
        refused = self._refused(request)
        if refused == STALE_BROKER:
            self._tell_all(request, refused)
            return ControlResponse(refused)
        self._line(
            "INFO",
            f"Handling LeaderAndIsr request correlationId {number} from controller {request.controller} for "
            f"{len(partitions)} partitions",
        )
        for partition, state in partitions.items():
            self._line(
                "TRACE",
                f"Received LeaderAndIsr request {leader_and_isr_struct(partition, state)} correlation id {number} from "
                f"{sender}",
            )
        if refused != NONE:
            self._line(
                "WARN",
                f"Ignoring LeaderAndIsr request from controller {request.controller} with correlation id {number} "
                f"since its controller epoch {request.controller_epoch} is old. Latest known controller epoch is "
                f"{self.controller_epoch}",
            )
            self._tell_all(request, refused)
            return ControlResponse(refused)
        self._accept(request)
        errors: dict[TopicPartition, Error] = {}
        news = [one for one, state in partitions.items() if not self._passed_over(request, one, state, errors)]
        leaders = [one for one in news if partitions[one].leadership.leader == self.broker]
        followers = [one for one in news if one not in leaders]
        for number_, one in enumerate((*leaders, *followers)):
            try:
                errors[one] = self._become(request, one, partitions[one], sender)
            except SessionExpired:
                return self._broken(request, (*leaders, *followers)[number_:], leaders, sender)
        self._line(
            "INFO",
            f"Finished LeaderAndIsr request in 1ms correlationId {number} from controller {request.controller} for "
            f"{len(partitions)} partitions",
        )
        return ControlResponse(partitions=errors)

    def _broken(
        self, request: LeaderAndIsrRequest, rest: tuple[TopicPartition, ...], leaders: list[TopicPartition], sender: str
    ) -> ControlResponse:
        """An exception ends the request: what was done stays done, of the rest nothing is."""
        of = f"LeaderAndIsr request correlationId {request.correlation}"
        if rest[0] in leaders:
            for one in rest[1:]:
                if one in leaders:
                    self._line(
                        "TRACE",
                        f"Handling {of} from {sender} starting the become-leader transition for partition {one}",
                    )
            for one in leaders:
                self._line("ERROR", f"Error while processing {of} received from {sender} for partition {one}")
        else:
            of = f"LeaderAndIsr request with correlationId {request.correlation}"
            self._line("ERROR", f"Error while processing {of} received from {sender}")
        for one in rest:
            self._told(request, one, request.partitions[one], UNKNOWN)
        return ControlResponse(UNKNOWN)

    def _passed_over(
        self,
        request: LeaderAndIsrRequest,
        partition: TopicPartition,
        state: LeaderAndIsrPartition,
        errors: dict[TopicPartition, Error],
    ) -> bool:
        """Whether a partition of a request is not to be led or followed; then why is noted in `errors`."""
        asked = state.leadership
        found = self.hosted.get(partition) or HostedPartition()
        if partition in self.offline:
            why = "as the local replica for the partition is in an offline log directory"
            self._ignored("WARN", request, partition, why)
            self._told(request, partition, state, STORAGE)
            errors[partition] = STORAGE
            return True
        topic_id = request.topic_ids.get(partition.topic, "")
        if self.other_topic(found.topic_id, topic_id):
            self._line(
                "ERROR",
                f"Topic ID in memory: {found.topic_id} does not match the topic ID for partition {partition} "
                f"received: {topic_id}.",
            )
            self._told(request, partition, state, INCONSISTENT_TOPIC)
            errors[partition] = INCONSISTENT_TOPIC
            return True
        if self.stale_leader_and_isr(found.leader_epoch, asked.leader_epoch):
            relation = "matches" if asked.leader_epoch == found.leader_epoch else "is smaller than"
            known = "" if relation == "matches" else f" {found.leader_epoch}"
            why = f"since its associated leader epoch {asked.leader_epoch} {relation} the current leader epoch{known}"
            self._ignored("INFO" if relation == "matches" else "WARN", request, partition, why)
            self._told(request, partition, state, "ignored")
            errors[partition] = STALE_CONTROLLER
            return True
        return False

    def _become(
        self, request: LeaderAndIsrRequest, partition: TopicPartition, state: LeaderAndIsrPartition, sender: str
    ) -> Error:
        asked, number = state.leadership, request.correlation
        found = self.hosted.get(partition) or HostedPartition()
        leads = asked.leader == self.broker
        kind = "become-leader transition for" if leads else "become-follower transition for"
        of = f"partition {partition}" if leads else f"partition {partition} with leader {asked.leader}"
        which = f"LeaderAndIsr request correlationId {number} from {sender}"
        self._line("TRACE", f"Handling {which} starting the {kind} {of}")
        if partition not in self.hosted:
            # A log is created with the configuration of its topic.
            self._read_config(partition.topic)
        self.hosted[partition] = found
        found.topic_id = found.topic_id or request.topic_ids.get(partition.topic, "")
        if not leads and asked.leader not in self.live:
            self._line(
                "ERROR",
                f"Received LeaderAndIsrRequest with correlation id {number} from {sender} for partition {partition} "
                f"(last update controller epoch {asked.controller_epoch}) but cannot become follower since the new "
                f"leader {asked.leader} is unavailable.",
            )
            outcome = "leader unknown"
        else:
            outcome = "leader" if leads else "follower"
            self._line("INFO", self._started(request, partition, state, found))
            if leads and asked.recovery == RECOVERING:
                self._line(
                    "INFO",
                    f"The topic partition {partition} was marked as RECOVERING. Marking the topic partition as "
                    "RECOVERED.",
                )
            found.leader, found.leader_epoch, found.isr = asked.leader, asked.leader_epoch, asked.isr
            found.replicas, found.version = state.replicas, asked.version
            found.role = "leader" if leads else "follower"
            found.since_ns, found.proposal = self.now_ns(), None
            found.late_ns.clear()
        self._line("TRACE", f"Completed {which} for the {kind} {of}")
        self._told(request, partition, state, outcome)
        return NONE

    def _started(
        self,
        request: LeaderAndIsrRequest,
        partition: TopicPartition,
        state: LeaderAndIsrPartition,
        before: HostedPartition,
    ) -> str:
        asked = state.leadership
        previous = "None" if before.leader_epoch < 0 else f"Some({before.leader})"
        ending = f"Previous leader {previous} and previous leader epoch was {before.leader_epoch}."
        if asked.leader != self.broker:
            return (
                f"Follower {partition} starts at leader epoch {asked.leader_epoch} from offset 0 with partition epoch "
                f"{asked.version} and high watermark 0. Current leader is {asked.leader}. {ending}"
            )
        return (
            f"Leader {partition} with topic id Some({request.topic_ids.get(partition.topic, '')}) starts at leader "
            f"epoch {asked.leader_epoch} from offset 0 with partition epoch {asked.version}, high watermark 0, ISR "
            f"[{listed(asked.isr, ',')}], adding replicas [{listed(state.adding, ',')}] and removing replicas "
            f"[{listed(state.removing, ',')}] . {ending}"
        )

    def _ignored(self, level: str, request: LeaderAndIsrRequest, partition: TopicPartition, why: str) -> None:
        self._line(
            level,
            f"Ignoring LeaderAndIsr request from controller {request.controller} with correlation id "
            f"{request.correlation} epoch {request.controller_epoch} for partition {partition} {why}",
        )

    def _told(
        self, request: LeaderAndIsrRequest, partition: TopicPartition, state: LeaderAndIsrPartition, outcome: str
    ) -> None:
        asked = state.leadership
        self.tell(
            "LeaderAndIsr", outcome, **_common(self.broker, request), partition=str(partition), leader=asked.leader,
            leader_epoch=asked.leader_epoch, isr=list(asked.isr), replicas=list(state.replicas), is_new=state.is_new,
            topic_id=request.topic_ids.get(partition.topic, ""),
        )  # fmt: skip

    def _tell_all(self, request: LeaderAndIsrRequest, outcome: str) -> None:
        for partition, state in request.partitions.items():
            self._told(request, partition, state, outcome)

    # -- StopReplica -----------------------------------------------------------------------------------------------
    def _stop_replica(self, request: StopReplicaRequest) -> ControlResponse:
        refused, number = self._refused(request), request.correlation
        if refused != STALE_BROKER:
            self._line(
                "INFO",
                f"Handling StopReplica request correlationId {number} from controller {request.controller} for "
                f"{len(request.partitions)} partitions",
            )
            for partition, stop in request.partitions.items():
                self._line(
                    "TRACE",
                    f"Received StopReplica request {stop_replica_struct(partition, stop)} correlation id {number} from "
                    f"controller {request.controller} epoch {request.controller_epoch} for partition {partition}",
                )
        if refused == STALE_CONTROLLER:
            self._line(
                "WARN",
                f"Ignoring StopReplica request from controller {request.controller} with correlation id {number} "
                f"since its controller epoch {request.controller_epoch} is old. Latest known controller epoch is "
                f"{self.controller_epoch}",
            )
        if refused == NONE:
            self._accept(request)
        errors = {}
        for partition, stop in request.partitions.items():
            error = refused if refused != NONE else self._stop(request, partition, stop)
            errors[partition] = error
            self.tell(
                "StopReplica", "" if error == NONE else error, **_common(self.broker, request),
                partition=str(partition), delete=stop.delete, leader_epoch=stop.leader_epoch,
            )  # fmt: skip
        return ControlResponse(refused) if refused != NONE else ControlResponse(partitions=errors)

    def _stop(self, request: StopReplicaRequest, partition: TopicPartition, stop: StopReplicaPartition) -> Error:
        found = self.hosted.get(partition)
        if partition in self.offline:
            self._line(
                "WARN",
                f"Ignoring StopReplica request (delete={'true' if stop.delete else 'false'}) from controller "
                f"{request.controller} with correlation id {request.correlation} epoch {request.controller_epoch} for "
                f"partition {partition} as the local replica for the partition is in an offline log directory",
            )
            return STORAGE
        if found is not None and self.stale_stop_replica(found.leader_epoch, stop.leader_epoch):
            self._line(
                "WARN",
                f"Ignoring StopReplica request (delete={'true' if stop.delete else 'false'}) from controller "
                f"{request.controller} with correlation id {request.correlation} epoch {request.controller_epoch} for "
                f"partition {partition} since its associated leader epoch {stop.leader_epoch} is smaller than the "
                f"current leader epoch {found.leader_epoch}",
            )
            return "FENCED_LEADER_EPOCH"
        if stop.delete:
            self.hosted.pop(partition, None)
        elif found is not None:
            found.role, found.proposal = "stopped", None
        return NONE

    # -- UpdateMetadata --------------------------------------------------------------------------------------------
    def _update_metadata(self, request: UpdateMetadataRequest) -> ControlResponse:
        refused, number = self._refused(request), request.correlation
        sender = f"controller {request.controller} epoch {request.controller_epoch} with correlation id {number}"
        if refused == NONE:
            self._accept(request)
            self.live = frozenset(request.live_brokers)
            deleted = [
                one for one, state in request.partitions.items() if state.leadership.leader == LEADER_DURING_DELETE
            ]
            for partition, state in request.partitions.items():
                if partition in deleted:
                    self.metadata.pop(partition, None)
                    self._line(
                        "TRACE",
                        f"Deleted partition {partition} from metadata cache in response to UpdateMetadata request sent "
                        f"by {sender}",
                    )
                else:
                    self.metadata[partition] = state
                    self._line(
                        "TRACE",
                        f"Cached leader info {update_metadata_struct(partition, state)} for partition {partition} in "
                        f"response to UpdateMetadata request sent by {sender}",
                    )
            if request.partitions:
                self._line(
                    "INFO",
                    f"Add {len(request.partitions) - len(deleted)} partitions and deleted {len(deleted)} partitions "
                    f"from metadata cache in response to UpdateMetadata request sent by {sender}",
                )
        elif refused == STALE_CONTROLLER:
            self._line(
                "WARN",
                f"Received update metadata request with correlation id {number} from an old controller "
                f"{request.controller} with epoch {request.controller_epoch}. Latest known controller epoch is "
                f"{self.controller_epoch}",
            )
        self.tell(
            "UpdateMetadata", "" if refused == NONE else refused, **_common(self.broker, request),
            partitions={str(one): _brief(state) for one, state in request.partitions.items()},
            live=list(request.live_brokers),
        )  # fmt: skip
        return ControlResponse(refused)

    # -- directories -----------------------------------------------------------------------------------------------
    def fail_directory(self, partitions: set[TopicPartition]) -> None:
        """Lose the directory in which some partitions lie."""
        self.offline |= partitions
        for partition in partitions:
            self.hosted.pop(partition, None)

    def _line(self, level: str, text: str) -> None:
        self.log.from_broker(level, text)


def _common(broker: int, request: ControlRequest) -> dict[str, int]:
    return {
        "broker": broker,
        "broker_epoch": request.broker_epoch,
        "controller": request.controller,
        "controller_epoch": request.controller_epoch,
    }


def _brief(state: UpdateMetadataPartition) -> dict[str, Any]:
    one = state.leadership
    return {"leader": one.leader, "leader_epoch": one.leader_epoch, "isr": list(one.isr), "version": one.version}
