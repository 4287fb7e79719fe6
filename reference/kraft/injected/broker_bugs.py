"""Bugs of registrations, heartbeats and fencing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fencepost.reference.kraft import messages as m
from fencepost.reference.kraft.controller.fan_out import registration_change
from fencepost.reference.kraft.controller.quorum_controller import QuorumController
from fencepost.reference.kraft.records import Message
from fencepost.reference.kraft.results import ControllerResult

from .bug import Bug, wrap, wrap_operation, wrap_replay


def _two_at_once(controller: QuorumController) -> None:
    def make(fence: Callable[[int], ControllerResult[bool]]) -> Callable[[int], ControllerResult[bool]]:
        def fence_all(now_ns: int) -> ControllerResult[bool]:
            records: tuple[Message, ...] = ()
            while True:
                result = fence(now_ns)
                records += result.records
                if not result.response:
                    return ControllerResult(records, False)

        return fence_all

    wrap(controller.managers.replication, "maybe_fence_stale_broker", make)


def _latest_offset(controller: QuorumController) -> None:
    def make(process: Callable[..., Any]) -> Callable[..., Any]:
        def against_the_end(request: m.BrokerHeartbeatRequest, registered_at: int | None) -> Any:
            return process(request, controller.offsets.next_write_offset - 1)

        return against_the_end

    wrap(controller.managers.replication, "process_heartbeat", make)


def _every_heartbeat(controller: QuorumController) -> None:
    cluster = controller.managers.cluster

    def make(activate: Callable[..., None]) -> Callable[..., None]:
        def activated(now_ns: int, last_offset: int = -1) -> None:
            activate(now_ns, last_offset)
            heartbeats = cluster.active_heartbeats()

            def begin(broker: int, offset: int) -> None:
                heartbeats.brokers[broker].controlled_shutdown_offset = offset

            heartbeats.begin_controlled_shutdown = begin  # type: ignore[method-assign]

        return activated

    wrap(cluster, "activate", make)


def _after_activation(change: Callable[[QuorumController], None]) -> Callable[[QuorumController], None]:
    """Change the heartbeats of a controller each time that it has become active."""

    def install(controller: QuorumController) -> None:
        def make(activate: Callable[..., None]) -> Callable[..., None]:
            def activated(now_ns: int, last_offset: int = -1) -> None:
                activate(now_ns, last_offset)
                change(controller)

            return activated

        wrap(controller.managers.cluster, "activate", make)

    return install


def _forget_fenced(controller: QuorumController) -> None:
    cluster = controller.managers.cluster
    for registration in cluster.registrations.values():
        if registration.fenced:
            cluster.active_heartbeats().remove(registration.id)


def _forget_contacts(controller: QuorumController) -> None:
    controller.managers.cluster.active_heartbeats().tracker.contacts.clear()


def _offset_of_the_batch(controller: QuorumController) -> None:
    def make(replay: Callable[[Message, int], None]) -> Callable[[Message, int], None]:
        def guessed(message: Message, offset: int) -> None:
            replay(message, offset)
            controller.managers.cluster.registration_offsets[message.data["brokerId"]] = message.data["brokerEpoch"]

        return guessed

    wrap_replay(controller, "REGISTER_BROKER_RECORD", make)


def _contact_when_it_runs(controller: QuorumController) -> None:
    cluster, replication = controller.managers.cluster, controller.managers.replication
    track = cluster.track

    def make(process: Callable[..., Any]) -> Callable[..., Any]:
        def tracked(request: m.BrokerHeartbeatRequest, registered_at: int | None) -> Any:
            track(request.broker_id, request.broker_epoch, controller.scheduler.now_ns)
            return process(request, registered_at)

        return tracked

    cluster.track = lambda broker, epoch, now_ns: False  # type: ignore[method-assign]
    wrap(replication, "process_heartbeat", make)
    replication.process_expired_heartbeat = lambda request: None  # type: ignore[method-assign]


def _fence_the_same_incarnation(controller: QuorumController) -> None:
    def make(register: Callable[[Any], ControllerResult[Any]]) -> Callable[[Any], ControllerResult[Any]]:
        def fenced(request: m.BrokerRegistrationRequest) -> ControllerResult[Any]:
            epoch = controller.offsets.next_write_offset
            result = register(request)
            *others, record = result.records
            data = {**record.data, "fenced": True, "inControlledShutdown": False, "brokerEpoch": epoch}
            return ControllerResult(
                (*others, record._replace(data=data)), m.BrokerRegistrationResponse(epoch), result.atomic
            )

        return fenced

    wrap_operation(controller, m.BrokerRegistrationRequest, make)


def _no_cleanup(controller: QuorumController) -> None:
    controller.managers.replication.cleanup = lambda broker, clean: []  # type: ignore[method-assign]


def _always_clean(controller: QuorumController) -> None:
    def make(cleanup: Callable[[int, bool], list[Message]]) -> Callable[[int, bool], list[Message]]:
        return lambda broker, clean: cleanup(broker, True)

    wrap(controller.managers.replication, "cleanup", make)


def _fenced_first(controller: QuorumController) -> None:
    def make(fence: Callable[[int], ControllerResult[bool]]) -> Callable[[int], ControllerResult[bool]]:
        def fenced_first(now_ns: int) -> ControllerResult[bool]:
            result = fence(now_ns)
            return ControllerResult((*result.records[-1:], *result.records[:-1]), result.response)

        return fenced_first

    wrap(controller.managers.replication, "maybe_fence_stale_broker", make)


def _mark_again(controller: QuorumController) -> None:
    def make(process: Callable[..., Any]) -> Callable[..., Any]:
        def marked(request: m.BrokerHeartbeatRequest, registered_at: int | None) -> Any:
            result = process(request, registered_at)
            if not result.response.in_controlled_shutdown or result.records:
                return result
            change = registration_change(request.broker_id, request.broker_epoch, 1, inControlledShutdown=1)
            return ControllerResult((change,), result.response, result.atomic)

        return marked

    wrap(controller.managers.replication, "process_heartbeat", make)


BUGS = (
    Bug("J7", "KAFKA-13173", "all silent brokers are fenced in one result, each from the same partitions", _two_at_once, seeds=10),
    Bug("J9", "KAFKA-13959", "a broker is unfenced only when it has read up to the end of the log", _latest_offset),
    Bug("J10", "KAFKA-14292", "every heartbeat of a controlled shutdown moves the offset that all must have read", _every_heartbeat),
    Bug("J12", "KAFKA-13841", "a new active controller does not know the brokers that are fenced", _after_activation(_forget_fenced)),
    Bug("J22", "KAFKA-15213", "the offset of a registration is guessed before its record has one", _offset_of_the_batch),
    Bug("J23", "KAFKA-15019", "a heartbeat that waits in a busy controller's queue is no contact", _contact_when_it_runs),
    Bug("J27", "KAFKA-16162", "the same process registers again, and is fenced with a new epoch", _fence_the_same_incarnation),
    Bug("J32", "KAFKA-18106", "a new process registers, and the partitions of the old one stay as they are", _no_cleanup),
    Bug("J33", "KAFKA-18138", "a new active controller has heard of no broker, so none can fall silent", _after_activation(_forget_contacts)),
    Bug("E1", "KAFKA-18635", "every restart counts as a clean one", _always_clean),
    Bug("fence-order", "ReplicationControlManager.generateLeaderAndIsrUpdates", "a silent broker is fenced before its partitions move", _fenced_first),
    Bug("mark-again", "ReplicationControlManager.generateLeaderAndIsrUpdates", "every heartbeat of a controlled shutdown writes the mark again", _mark_again),
)  # fmt: skip
