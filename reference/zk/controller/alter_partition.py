"""AlterPartition: a leader asks for other in-sync replicas, and the controller checks and writes them."""

from __future__ import annotations

from dataclasses import replace

from fencepost.reference.zk.log_lines import new_leadership
from fencepost.reference.zk.messages import NONE, AlterPartitionRequest, AlterPartitionResponse, Error
from fencepost.reference.zk.names import RECOVERED, RECOVERING, Leadership
from fencepost.reference.zk.zookeeper import BadVersion, NoNode, SessionExpired

from .shared import Shared
from .store import ControllerMoved


class AlterPartition:
    """Decides a request; the order of the checks is Kafka's, and the first that fails is the answer."""

    def __init__(self, shared: Shared) -> None:
        self.shared = shared

    def decide(self, request: AlterPartitionRequest) -> AlterPartitionResponse:
        """Check a request and carry it out, in one step.

        Whatever goes wrong is answered with UNKNOWN_SERVER_ERROR: not even another controller's election makes this one
        resign here.
        """
        error = self.refused_broker(request)
        if error != NONE:
            answer = AlterPartitionResponse(top_error=error)
        else:
            answer = self._decide(request)
        self.tell(request, answer.top_error if answer.top_error != NONE else answer.error)
        return answer

    def tell(self, request: AlterPartitionRequest, outcome: str) -> None:
        """Tell the step: done for an outcome of NONE."""
        self.shared.tell(
            "AlterPartition",
            "" if outcome == NONE else outcome,
            broker=request.broker,
            broker_epoch=request.broker_epoch,
            partition=str(request.partition),
            leader_epoch=request.leader_epoch,
            isr=list(request.isr),
            recovery=request.recovery,
            partition_epoch=request.version,
        )

    def refused_broker(self, request: AlterPartitionRequest) -> Error:
        """Return why nothing of this broker is taken, NONE otherwise: only its current registration may ask."""
        known = self.shared.context.live.get(request.broker)
        return NONE if known == request.broker_epoch else "STALE_BROKER_EPOCH"

    def refused(self, request: AlterPartitionRequest, now: Leadership) -> Error:
        """Return why a request is refused, given the leadership in memory; NONE if it is not."""
        if request.version > now.version or request.leader_epoch > now.leader_epoch:
            # The leader knows more than this controller: so there must be a newer one.
            return "NOT_CONTROLLER"
        if request.leader_epoch < now.leader_epoch:
            return "FENCED_LEADER_EPOCH"
        if self.repeated(request, now):
            return NONE
        if request.version < now.version:
            return "INVALID_UPDATE_VERSION"
        if request.recovery == RECOVERING and (len(request.isr) > 1 or now.recovery == RECOVERED):
            return "INVALID_REQUEST"
        return self.ineligible(request)

    def repeated(self, request: AlterPartitionRequest, now: Leadership) -> bool:
        """Whether a request asks for what is: its answer was lost, and it is asked again."""
        return (request.broker, request.isr, request.recovery) == (now.leader, now.isr, now.recovery)

    def ineligible(self, request: AlterPartitionRequest) -> Error:
        """Return the error of brokers that are down or shutting down: they may not become in sync.

        Whether the replica lies in a failed directory is not asked.
        """
        context = self.shared.context
        live = context.live_brokers()
        return NONE if all(one in live for one in request.isr) else "INELIGIBLE_REPLICA"

    def _decide(self, request: AlterPartitionRequest) -> AlterPartitionResponse:
        shared, context, partition = self.shared, self.shared.context, request.partition
        answer = self._answer(request)
        if answer.top_error == NONE:
            # Every replica is sent the partition's state, whether it was changed or not.
            shared.batch.new()
            shared.batch.add_update_metadata(context.live_or_shutting_down(), [partition])
        return answer

    def _answer(self, request: AlterPartitionRequest) -> AlterPartitionResponse:
        shared, context, partition = self.shared, self.shared.context, request.partition
        now = context.leadership.get(partition)
        if now is None:
            return AlterPartitionResponse(error="UNKNOWN_TOPIC_OR_PARTITION")
        error = self.refused(request, now)
        if error != NONE:
            return AlterPartitionResponse(error=error)
        if self.repeated(request, now):
            return AlterPartitionResponse(leadership=now)
        wanted = Leadership(
            request.broker, request.leader_epoch, request.isr, context.epoch, request.version, request.recovery
        )
        try:
            # One write, which checks the controller epoch first and then the version: nothing is read before it.
            wanted = replace(wanted, version=shared.store.set_leadership(partition, wanted))
        except BadVersion:
            return AlterPartitionResponse(error="INVALID_UPDATE_VERSION")
        except (NoNode, SessionExpired):
            return AlterPartitionResponse(error="UNKNOWN_SERVER_ERROR")
        except ControllerMoved:
            return AlterPartitionResponse(top_error="UNKNOWN_SERVER_ERROR")
        shared.log.controller("DEBUG", f"ISR for partition {partition} updated to {new_leadership(wanted)}.")
        context.set_leadership(partition, wanted)
        return AlterPartitionResponse(leadership=wanted)
