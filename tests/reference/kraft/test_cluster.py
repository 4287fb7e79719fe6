"""Registrations: what a record makes of them, what is lost with a controller, what the repairs keep."""

from typing import Any

import pytest

from fencepost.reference.kraft.controller.cluster import ClusterControlManager
from fencepost.reference.kraft.controller.features import feature_level_record
from fencepost.reference.kraft.errors import ApiError, Errors, ReplayError
from fencepost.reference.kraft.levels import ELR_VERSION, LEVELS, METADATA_VERSION
from fencepost.reference.kraft.messages import (
    BrokerHeartbeatRequest,
    BrokerRegistrationRequest,
    ControllerRegistrationRequest,
    FeatureRange,
    UnregisterControllerRequest,
)
from fencepost.reference.kraft.records import LOST_DIRECTORY, MIGRATING_DIRECTORY, UNASSIGNED_DIRECTORY, Message
from fencepost.reference.kraft.settings import Settings
from tests.cases import each

from .replayed import Replayed

SECOND = 1_000_000_000
A, B, C = "AaaaaaaaaaaaaaaaaaaaaA", "BbbbbbbbbbbbbbbbbbbbbA", "CcccccccccccccccccccccA"
MINE, THINE = "mmmmmmmmmmmmmmmmmmmmmA", "ttttttttttttttttttttttA"[:22]


def active(level: str = "4.4-IV2", **settings: Any) -> Replayed:
    """Return managers of an active controller at a level of metadata.version."""
    state = Replayed(Settings(**settings))
    state.replay(feature_level_record(METADATA_VERSION, LEVELS[level]), 0)
    state.cluster.activate(0)
    return state


def request(
    broker: int = 1, incarnation: str = MINE, dirs: tuple[str, ...] = (A,), **more: Any
) -> BrokerRegistrationRequest:
    """Return a registration that is fine."""
    fields = {"cluster_id": "cluster", "features": (FeatureRange(METADATA_VERSION, 7, 40),), **more}
    return BrokerRegistrationRequest(broker_id=broker, incarnation_id=incarnation, log_dirs=dirs, **fields)


def register(state: Replayed, asked: BrokerRegistrationRequest, offset: int = 10, now: int = 0) -> list[Message]:
    """Register a broker and replay what is written."""
    result = state.cluster.register(asked, offset, now, state.replication.cleanup)
    state.replay_all(result.records, offset)
    return list(result.records)


def change(state: Replayed, broker: int = 1, epoch: int = 10, **fields: Any) -> None:
    """Replay a registration change."""
    state.replay(
        Message("BROKER_REGISTRATION_CHANGE_RECORD", 3, {"brokerId": broker, "brokerEpoch": epoch, **fields}), 50
    )


def refused(error: Errors, call: Any, *arguments: Any) -> None:
    """Assert that a call is refused with an error."""
    with pytest.raises(ApiError) as raised:
        call(*arguments)
    assert raised.value.error is error


# -- registering -------------------------------------------------------------------------------------------------------
def test_a_registration_is_kept_as_its_record_says() -> None:
    """A new broker is fenced at the offset of its result's first record.

    The record has the directories as they were sent, the state has them in the order of Kafka's `Uuid.compareTo`.
    """
    state = active()
    [record] = register(state, request(dirs=(C, A), rack="r"))
    assert (record.version, record.data["brokerEpoch"], record.data["logDirs"]) == (4, 10, [C, A])
    assert "cordonedLogDirs" not in record.data
    registration = state.cluster.registrations[1]
    assert (registration.epoch, registration.fenced, registration.rack) == (10, True, "r")
    assert registration.directories == (A, C)
    assert registration.cordoned_directories is None
    assert dict(state.cluster.directory_owners) == {A: 1, C: 1}
    assert state.cluster.registration_offsets[1] == 10
    assert state.cluster.active_heartbeats().usable_brokers() == [(1, True)]


@pytest.mark.parametrize(
    ("level", "version", "fields"),
    [
        ("3.3-IV3", 1, set()),
        ("3.4-IV0", 2, {"isMigratingZkBroker"}),
        ("3.7-IV2", 3, {"isMigratingZkBroker", "logDirs"}),
        ("4.3-IV0", 4, {"isMigratingZkBroker", "logDirs"}),
    ],
)
def test_the_record_has_the_fields_of_its_version(level: str, version: int, fields: set[str]) -> None:
    """metadata.version decides the version of the record, and with it what can be said (MetadataVersion)."""
    [record] = register(active(level), request())
    assert record.version == version
    assert {"isMigratingZkBroker", "logDirs", "cordonedLogDirs"} & set(record.data) == fields


def test_the_same_process_keeps_what_it_is() -> None:
    """A process that registers again keeps epoch, fencing and mark; the offset of its record moves."""
    state = active()
    register(state, request())
    change(state, fenced=-1, inControlledShutdown=1)
    [record] = register(state, request(dirs=(B,)), 60)
    assert (record.data["brokerEpoch"], record.data["fenced"], record.data["inControlledShutdown"]) == (10, False, True)
    assert state.cluster.registration_offsets[1] == 60
    assert dict(state.cluster.directory_owners) == {B: 1}


def test_another_process_must_wait_for_the_session() -> None:
    """Only heartbeats make a session; it holds off another process of the id, of a fenced broker too."""
    state = active()
    register(state, request())
    register(state, request(incarnation=THINE), 20)
    state.cluster.track(1, 20, SECOND)
    refused(Errors.DUPLICATE_BROKER_REGISTRATION, register, state, request(incarnation=MINE), 30, 10 * SECOND)
    register(state, request(incarnation=MINE), 30, 10 * SECOND + 1)
    assert state.cluster.registrations[1].epoch == 30


def test_every_finalized_feature_must_be_supported() -> None:
    """A feature that is not mentioned counts as one at 0; one that is not finalized counts as finalized at 0."""
    state = active()
    state.replay(feature_level_record(ELR_VERSION, 1), 1)
    whole = FeatureRange(METADATA_VERSION, 7, 40)
    refused(Errors.UNSUPPORTED_VERSION, register, state, request())
    refused(Errors.UNSUPPORTED_VERSION, register, state, request(features=(whole, FeatureRange(ELR_VERSION, 0, 0))))
    unknown = FeatureRange("no.such", 1, 2)
    refused(Errors.UNSUPPORTED_VERSION, register, state, request(features=(unknown, FeatureRange(ELR_VERSION, 0, 1))))
    refused(Errors.INVALID_REGISTRATION, register, state, request(features=(FeatureRange(ELR_VERSION, 0, 1),)))
    register(state, request(features=(whole, FeatureRange(ELR_VERSION, 0, 1))))


def test_a_controller_that_is_not_active_registers_nobody() -> None:
    """Without heartbeats there is no registration: a fault, no answer."""
    state = active()
    state.cluster.deactivate()
    assert state.cluster.tracker is None
    assert not state.cluster.track(1, 1, 0)
    with pytest.raises(RuntimeError, match="not active"):
        register(state, request())


# -- replay ------------------------------------------------------------------------------------------------------------
def test_changes_say_what_changes() -> None:
    """No directories means no change, no cordoned ones means none or no change as the field is there or not."""
    state = active()
    register(state, request(dirs=(A, B)))
    change(state, fenced=-1)
    assert state.cluster.is_active(1)
    change(state, cordonedLogDirs=[])
    assert state.cluster.registrations[1].cordoned_directories == ()
    change(state, cordonedLogDirs=[B])
    change(state, logDirs=[A])
    assert dict(state.cluster.directory_owners) == {A: 1}
    change(state, logDirs=[], inControlledShutdown=1)
    registration = state.cluster.registrations[1]
    assert (registration.directories, registration.cordoned_directories) == ((A,), (B,))
    assert (state.cluster.registrations[1].fenced, state.cluster.is_active(1)) == (False, False)
    state.replay(Message("FENCE_BROKER_RECORD", 0, {"id": 1, "epoch": 10}), 51)
    assert state.cluster.registrations[1].fenced
    state.replay(Message("UNFENCE_BROKER_RECORD", 0, {"id": 1, "epoch": 10}), 52)
    assert not state.cluster.registrations[1].fenced
    state.replay(Message("UNREGISTER_BROKER_RECORD", 0, {"brokerId": 1, "brokerEpoch": 10}), 53)
    assert not dict(state.cluster.registrations) | dict(state.cluster.directory_owners)
    assert 1 not in state.cluster.registration_offsets


@each(
    "message",
    [
        Message("FENCE_BROKER_RECORD", 0, {"id": 2, "epoch": 10}),
        Message("FENCE_BROKER_RECORD", 0, {"id": 1, "epoch": 11}),
        Message("UNREGISTER_BROKER_RECORD", 0, {"brokerId": 1, "brokerEpoch": 9}),
        Message("BROKER_REGISTRATION_CHANGE_RECORD", 0, {"brokerId": 1, "brokerEpoch": 10, "fenced": 2}),
        Message("UNREGISTER_CONTROLLER_RECORD", 0, {"controllerId": 3000}),
        Message("TOPIC_RECORD", 0, {"name": "t", "topicId": A}),
    ],
)
def test_a_record_that_does_not_fit_is_fatal(message: Message) -> None:
    """Records of a broker must name its epoch; a record that does not fit ends the process (S3:122)."""
    state = active()
    register(state, request())
    with pytest.raises(ReplayError):
        state.cluster.replay(message, 60)


def test_a_directory_has_one_owner() -> None:
    """A directory of another broker is refused in a request, and fatal in a record."""
    state = active()
    register(state, request())
    refused(Errors.INVALID_REGISTRATION, register, state, request(2))
    [record] = register(state, request(2, dirs=(B,)), 20)
    with pytest.raises(ReplayError, match="already assigned"):
        state.cluster.replay(Message(record.type, 4, {**record.data, "brokerId": 3, "logDirs": [A]}), 30)


# -- directories -------------------------------------------------------------------------------------------------------
def test_the_directory_of_a_new_replica() -> None:
    """It is known only where there is one; without directories it is MIGRATING, of nobody UNASSIGNED."""
    state = active()
    register(state, request(1))
    register(state, request(2, dirs=(B, C)), 20)
    old = active("3.6-IV2")
    register(old, request(3))
    directories = [state.cluster.default_directory(broker) for broker in (1, 2, 9)]
    assert directories == [A, UNASSIGNED_DIRECTORY, UNASSIGNED_DIRECTORY]
    assert old.cluster.default_directory(3) == MIGRATING_DIRECTORY


def test_what_counts_as_online() -> None:
    """UNASSIGNED and MIGRATING do, LOST does not, any other must be registered unless none is."""
    state = active()
    register(state, request())
    told = [state.cluster.has_online_directory(1, one) for one in (A, B, UNASSIGNED_DIRECTORY, MIGRATING_DIRECTORY)]
    assert told == [True, False, True, True]
    assert not state.cluster.has_online_directory(1, LOST_DIRECTORY)
    assert not state.cluster.has_online_directory(9, UNASSIGNED_DIRECTORY)
    old = active("3.6-IV2")
    register(old, request())
    assert old.cluster.has_online_directory(1, B)


def test_a_broker_without_an_open_directory_gets_no_replicas() -> None:
    """A placer uses brokers that are not shutting down and have a directory that is not cordoned."""
    state = active()
    for broker, directory in ((1, A), (2, B), (3, C)):
        register(state, request(broker, dirs=(directory,), rack=f"r{broker}"), broker * 10)
        change(state, broker, broker * 10, fenced=-1)
    change(state, 2, 20, cordonedLogDirs=[B])
    state.cluster.active_heartbeats().begin_controlled_shutdown(3, 60)
    assert state.cluster.all_directories_cordoned(2)
    assert not state.cluster.all_directories_cordoned(9)
    assert list(state.cluster.usable_brokers()) == [(1, "r1", False)]


# -- epochs ------------------------------------------------------------------------------------------------------------
def test_requests_of_brokers_name_their_epoch() -> None:
    """Unknown brokers and other epochs are STALE_BROKER_EPOCH."""
    state = active()
    register(state, request())
    state.cluster.check_epoch(1, 10)
    refused(Errors.STALE_BROKER_EPOCH, state.cluster.check_epoch, 1, 11)
    refused(Errors.STALE_BROKER_EPOCH, state.cluster.check_epoch, 2, 10)


# -- controllers -------------------------------------------------------------------------------------------------------
def test_controllers_register_and_are_taken_away() -> None:
    """Another process overwrites, nothing is asked but the level; a controller stays until it is unregistered."""
    cluster: ClusterControlManager = active("3.6-IV2").cluster
    refused(Errors.UNSUPPORTED_VERSION, cluster.register_controller, _controller(MINE))
    cluster = active("4.4-IV1").cluster
    for incarnation in (MINE, THINE):
        result = cluster.register_controller(_controller(incarnation))
        assert result.atomic
        cluster.replay(result.records[0], 5)
    assert cluster.controllers[3000].incarnation_id == THINE
    gone = UnregisterControllerRequest(controller_id=3000)
    refused(Errors.UNSUPPORTED_VERSION, cluster.unregister_controller, gone)
    cluster = active().cluster
    refused(Errors.CONTROLLER_ID_NOT_REGISTERED, cluster.unregister_controller, gone)
    cluster.replay(cluster.register_controller(_controller(MINE)).records[0], 5)
    cluster.replay(cluster.unregister_controller(gone).records[0], 6)
    assert 3000 not in cluster.controllers


def _controller(incarnation: str) -> ControllerRegistrationRequest:
    return ControllerRegistrationRequest(controller_id=3000, incarnation_id=incarnation)


# -- failover and repairs ----------------------------------------------------------------------------------------------
def test_a_new_active_controller_takes_the_unfenced_for_alive() -> None:
    """It has heard of nobody: the unfenced count as heard of at the claim, the fenced not at all (KAFKA-19130)."""
    state = active()
    register(state, request(1))
    register(state, request(2, dirs=(B,)), 20)
    change(state, fenced=-1)
    state.cluster.activate(7 * SECOND)
    assert state.cluster.tracker is not None
    assert state.cluster.tracker.contacts == {(1, 10): 7 * SECOND}
    assert state.cluster.active_heartbeats().usable_brokers() == [(1, False), (2, True)]


def _shutting_down(repaired: frozenset[str]) -> Replayed:
    """Return a cluster with broker 1 in controlled shutdown since 60, and broker 2, which has read up to 50."""
    state = active(repaired=repaired)
    for broker, directory in ((1, A), (2, B)):
        register(state, request(broker, dirs=(directory,)), broker * 10)
        change(state, broker, broker * 10, fenced=-1)
    change(state, inControlledShutdown=1)
    state.cluster.active_heartbeats().touch(2, False, 50)
    state.cluster.active_heartbeats().begin_controlled_shutdown(1, 60)
    return state


def _next(state: Replayed) -> str:
    beat = BrokerHeartbeatRequest(broker_id=1, broker_epoch=10, current_metadata_offset=99, want_shut_down=True)
    return state.cluster.active_heartbeats().next_state(beat, 10, lambda: False)[1].value


@pytest.mark.parametrize("repaired", [frozenset[str](), frozenset({"D10"})])
def test_a_failover_forgets_where_a_controlled_shutdown_began(repaired: frozenset[str]) -> None:
    """The next controller lets the broker go at once; with the repair D10 all must have read up to the claim."""
    state = _shutting_down(repaired)
    assert _next(state) == "CONTROLLED_SHUTDOWN"
    state.cluster.deactivate()
    state.cluster.activate(SECOND, last_offset=70)
    state.cluster.active_heartbeats().touch(2, False, 69)
    assert _next(state) == ("CONTROLLED_SHUTDOWN" if repaired else "SHUTDOWN_NOW")
    state.cluster.active_heartbeats().touch(2, False, 70)
    assert _next(state) == "SHUTDOWN_NOW"


@pytest.mark.parametrize("repaired", [frozenset[str](), frozenset({"D10"})])
def test_registering_again_forgets_where_a_controlled_shutdown_began(repaired: frozenset[str]) -> None:
    """The same without a failover, when the same process registers again."""
    state = _shutting_down(repaired)
    register(state, request(), 80)
    state.cluster.active_heartbeats().touch(2, False, 50)
    assert _next(state) == ("CONTROLLED_SHUTDOWN" if repaired else "SHUTDOWN_NOW")


@pytest.mark.parametrize("repaired", [frozenset[str](), frozenset({"D22"})])
def test_registering_again_forgets_what_is_cordoned(repaired: frozenset[str]) -> None:
    """Until its next heartbeat a process that registers again has nothing cordoned; the repair D22 says it again."""
    state = active(repaired=repaired)
    register(state, request(dirs=(A, B)))
    change(state, cordonedLogDirs=[B])
    [record] = register(state, request(dirs=(A, B)), 60)
    assert record.data.get("cordonedLogDirs") == ([B] if repaired else None)
    assert state.cluster.registrations[1].cordoned_directories == ((B,) if repaired else None)
