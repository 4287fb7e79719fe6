"""Brokers that beat, fall silent or leave: what the controller writes of it (S3:230-250, ReplicationControlManager)."""

from __future__ import annotations

from fencepost.reference.kraft.errors import ApiError, Errors
from fencepost.reference.kraft.levels import CORDONED_DIRECTORIES, DIRECTORIES
from fencepost.reference.kraft.messages import BrokerHeartbeatRequest, BrokerHeartbeatResponse, UnregisterBrokerRequest
from fencepost.reference.kraft.records import Message
from fencepost.reference.kraft.results import ControllerResult

from .directories import directories_cordoned, directories_offline
from .fan_out import broker_fenced, broker_in_controlled_shutdown, broker_unfenced, broker_unregistered
from .heartbeats import BrokerControlState
from .replication_state import ReplicationState, bounded


def process_heartbeat(
    state: ReplicationState, request: BrokerHeartbeatRequest, registration_offset: int | None
) -> ControllerResult[BrokerHeartbeatResponse]:
    """Decide what a broker is from now on, and write what that changes.

    `registration_offset` is the offset of the broker's registration in the log, None if it is in none. Raises
    STALE_BROKER_EPOCH. That the broker was heard of is noted before, when the request arrives.
    """
    broker, epoch = request.broker_id, request.broker_epoch
    if registration_offset is None:
        raise ApiError(Errors.STALE_BROKER_EPOCH, f"Receive a heartbeat from broker {broker} before registration")
    state.cluster.check_epoch(broker, epoch)
    heartbeats = state.cluster.active_heartbeats()
    current, following = heartbeats.next_state(
        request,
        registration_offset,
        lambda: state.indexes.leaderships.any_of(broker),
        state.cluster.in_controlled_shutdown(broker),
    )
    records = _transition(state, broker, epoch, following) if following is not current else []
    fenced = following in (BrokerControlState.FENCED, BrokerControlState.SHUTDOWN_NOW)
    heartbeats.touch(broker, fenced, request.current_metadata_offset)
    level = state.features.metadata_version_or_throw()
    if level >= DIRECTORIES:
        records += directories_offline(state, broker, epoch, request.offline_log_dirs)
    if level >= CORDONED_DIRECTORIES:
        records += directories_cordoned(state, broker, epoch, request.cordoned_log_dirs)
    response = BrokerHeartbeatResponse(
        is_caught_up=request.current_metadata_offset >= registration_offset,
        is_fenced=fenced,
        in_controlled_shutdown=following is BrokerControlState.CONTROLLED_SHUTDOWN,
        should_shut_down=following is BrokerControlState.SHUTDOWN_NOW,
    )
    return ControllerResult(tuple(records), response)


def _transition(state: ReplicationState, broker: int, epoch: int, following: BrokerControlState) -> list[Message]:
    match following:
        case BrokerControlState.UNFENCED:
            return broker_unfenced(state, broker, epoch)
        case BrokerControlState.CONTROLLED_SHUTDOWN:
            return broker_in_controlled_shutdown(state, broker, epoch)
        case _:
            return broker_fenced(state, broker)


def process_expired_heartbeat(state: ReplicationState, request: BrokerHeartbeatRequest) -> None:
    """Note a heartbeat that waited in the queue for too long: the broker is not silent, but nothing is decided."""
    state.cluster.check_epoch(request.broker_id, request.broker_epoch)
    fenced = state.cluster.registrations[request.broker_id].fenced
    state.cluster.active_heartbeats().touch(request.broker_id, fenced, request.current_metadata_offset)


def maybe_fence_stale_broker(state: ReplicationState, now_ns: int) -> ControllerResult[bool]:
    """Fence one broker whose session is over; true where another look is due at once.

    One at a time, so that what becomes of one is seen before the next.
    """
    heartbeats = state.cluster.active_heartbeats()
    session = heartbeats.tracker.remove_expired(now_ns)
    if session is None:
        return ControllerResult((), False)
    broker, epoch = session
    registration = state.cluster.registrations.get(broker)
    if registration is None:
        heartbeats.remove(broker)
        return ControllerResult((), True)
    if registration.epoch != epoch or ("D23" in state.repaired and registration.fenced):
        return ControllerResult((), True)
    records = broker_fenced(state, broker)
    heartbeats.fence(broker)
    return ControllerResult(tuple(records), True)


def unregister_broker(state: ReplicationState, request: UnregisterBrokerRequest) -> ControllerResult[None]:
    """Take a broker out of the cluster, alive or not; raises BROKER_ID_NOT_REGISTERED, POLICY_VIOLATION."""
    registration = state.cluster.registrations.get(request.broker_id)
    if registration is None:
        raise ApiError(Errors.BROKER_ID_NOT_REGISTERED, f"Broker ID {request.broker_id} is not currently registered")
    records = bounded(broker_unregistered(state, request.broker_id, registration.epoch))
    return ControllerResult(tuple(records), None)
