"""What a broker refuses, what a leader asks, and in which order the controller checks that."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fencepost.reference.zk.broker import ReplicaManager
from fencepost.reference.zk.controller.alter_partition import AlterPartition
from fencepost.reference.zk.controller.context import ControllerContext
from fencepost.reference.zk.log_lines import BrokerLog
from fencepost.reference.zk.messages import (
    AlterPartitionRequest,
    LeaderAndIsrPartition,
    LeaderAndIsrRequest,
    StopReplicaPartition,
    StopReplicaRequest,
    UpdateMetadataRequest,
)
from fencepost.reference.zk.names import (
    EPOCH_DURING_DELETE,
    NO_EPOCH,
    RECOVERED,
    RECOVERING,
    Leadership,
    ReplicaAssignment,
    TopicPartition,
)
from fencepost.reference.zk.zookeeper import SessionExpired
from tests.cases import each

T0 = TopicPartition("t", 0)


def manager() -> tuple[ReplicaManager, list[tuple[str, str]]]:
    """Return broker 1 with broker epoch 10, which knows brokers 1 and 2, and a list of its reports."""
    told: list[tuple[str, str]] = []

    def tell(name: str, outcome: str = "", **parameters: Any) -> None:
        told.append((name, outcome))

    replicas = ReplicaManager(1, 10, BrokerLog(1, lambda: 0), tell, lambda: 0)
    common: dict[str, Any] = {"controller": 2, "controller_epoch": 5, "broker_epoch": 10, "correlation": 0}
    replicas.handle(UpdateMetadataRequest(**common, partitions={}, live_brokers=(1, 2)))
    told.clear()
    return replicas, told


def leadership_request(
    leader: int = 1, leader_epoch: int = 3, controller_epoch: int = 5, broker_epoch: int = 10, topic_id: str = "id"
) -> LeaderAndIsrRequest:
    """Return a LeaderAndIsr of t-0."""
    leadership = Leadership(leader, leader_epoch, (1, 2), controller_epoch, 0)
    return LeaderAndIsrRequest(
        controller=2, controller_epoch=controller_epoch, broker_epoch=broker_epoch, correlation=1,
        partitions={T0: LeaderAndIsrPartition(leadership, (1, 2), (), (), False)}, topic_ids={"t": topic_id},
    )  # fmt: skip


@each(
    ("more", "outcome"),
    [
        ({}, "leader"),
        ({"leader": 2}, "follower"),
        ({"leader": 3}, "leader unknown"),
        ({"controller_epoch": 4}, "STALE_CONTROLLER_EPOCH"),
        ({"broker_epoch": 9}, "STALE_BROKER_EPOCH"),
        ({"broker_epoch": 9, "controller_epoch": 4}, "STALE_BROKER_EPOCH"),
    ],
)
def test_a_broker_takes_only_what_is_up_to_date(more: dict[str, int], outcome: str) -> None:
    """Epochs of broker and controller come first; who follows has to know its leader as alive."""
    replicas, told = manager()
    replicas.handle(leadership_request(**more))
    assert told == [("LeaderAndIsr", outcome)]


@pytest.mark.parametrize(("epoch", "outcome"), [(2, "ignored"), (3, "ignored"), (4, "leader")])
def test_only_a_greater_leader_epoch_is_taken(epoch: int, outcome: str) -> None:
    """The same leader epoch says nothing new, a smaller one is from the past."""
    replicas, told = manager()
    replicas.handle(leadership_request())
    replicas.handle(leadership_request(leader_epoch=epoch))
    assert told[-1] == ("LeaderAndIsr", outcome)


@each(
    ("topic_id", "more", "outcome"),
    [
        ("id", {}, "leader"),
        ("", {}, "leader"),
        ("another", {}, "INCONSISTENT_TOPIC_ID"),
        ("another", {"leader_epoch": 0}, "INCONSISTENT_TOPIC_ID"),
        ("another", {"controller_epoch": 4}, "STALE_CONTROLLER_EPOCH"),
        ("another", {"broker_epoch": 9}, "STALE_BROKER_EPOCH"),
    ],
)
def test_a_log_is_of_one_topic(topic_id: str, more: dict[str, int], outcome: str) -> None:
    """A broker with the log of an earlier topic refuses another of the name, before it looks at leader epochs.

    Epochs of broker and controller come first. An id that is not given fits every log.
    """
    replicas, told = manager()
    replicas.handle(leadership_request())
    before = replicas.hosted[T0].leader_epoch
    response = replicas.handle(leadership_request(topic_id=topic_id, **{"leader_epoch": 4, **more}))
    assert told[-1] == ("LeaderAndIsr", outcome)
    assert (replicas.hosted[T0].leader_epoch, replicas.hosted[T0].topic_id) == (
        4 if outcome == "leader" else before,
        "id",
    )
    if outcome == "INCONSISTENT_TOPIC_ID":
        assert response.partitions == {T0: outcome}
        assert "Topic ID in memory: id does not match the topic ID for partition t-0 received: another." in "".join(
            replicas.log.state_change_lines
        )


def test_a_deleted_log_is_of_no_topic() -> None:
    """After StopReplica with deletion the broker takes the next topic of the name, from its first leader epoch on."""
    replicas, told = manager()
    replicas.handle(leadership_request())
    stop = {T0: StopReplicaPartition(EPOCH_DURING_DELETE, True)}
    replicas.handle(
        StopReplicaRequest(controller=2, controller_epoch=5, broker_epoch=10, correlation=2, partitions=stop)
    )
    replicas.handle(leadership_request(leader_epoch=0, topic_id="another"))
    assert told[-1] == ("LeaderAndIsr", "leader")


@each(("epoch", "error"), [(2, "FENCED_LEADER_EPOCH"), (3, ""), (4, ""), (NO_EPOCH, ""), (EPOCH_DURING_DELETE, "")])
def test_a_late_stop_replica_is_fenced(epoch: int, error: str) -> None:
    """A StopReplica of an earlier leader epoch deletes nothing; the two that stand for no epoch do."""
    replicas, told = manager()
    replicas.handle(leadership_request())
    request = StopReplicaRequest(
        controller=2, controller_epoch=5, broker_epoch=10, correlation=2,
        partitions={T0: StopReplicaPartition(epoch, True)},
    )  # fmt: skip
    replicas.handle(request)
    assert told[-1] == ("StopReplica", error)
    assert (T0 in replicas.hosted) == bool(error)


# -- AlterPartition ----------------------------------------------------------------------------------------------------
class Known:
    """The part of a controller that the checks look at."""

    def __init__(self, now: Leadership) -> None:
        self.context = ControllerContext()
        self.context.add_live({1: 10, 2: 11, 3: 12})
        self.context.set_shutting_down(3, True)
        self.context.set_assignment(T0, ReplicaAssignment((1, 2, 3)))
        self.context.set_leadership(T0, now)


NOW = Leadership(1, 5, (1, 2), 1, 7)
ASKED = {"broker": 1, "broker_epoch": 10, "leader_epoch": 5, "isr": (1,), "recovery": RECOVERED, "version": 7}


def refused(now: Leadership = NOW, **more: Any) -> str:
    """Return what the checks say to a request."""
    rules = AlterPartition(Known(now))  # type: ignore[arg-type]
    request = AlterPartitionRequest(partition=T0, **(ASKED | more))
    error = rules.refused_broker(request)
    return error if error != "NONE" else rules.refused(request, now)


@each(
    ("more", "error"),
    [
        ({}, "NONE"),
        ({"broker_epoch": 9}, "STALE_BROKER_EPOCH"),
        ({"broker": 4}, "STALE_BROKER_EPOCH"),
        ({"version": 8}, "NOT_CONTROLLER"),
        ({"leader_epoch": 6}, "NOT_CONTROLLER"),
        ({"leader_epoch": 6, "version": 6}, "NOT_CONTROLLER"),
        ({"leader_epoch": 4, "version": 8}, "NOT_CONTROLLER"),
        ({"leader_epoch": 4}, "FENCED_LEADER_EPOCH"),
        ({"leader_epoch": 4, "version": 6}, "FENCED_LEADER_EPOCH"),
        ({"isr": (1, 2), "version": 6}, "NONE"),
        ({"version": 6}, "INVALID_UPDATE_VERSION"),
        ({"recovery": RECOVERING}, "INVALID_REQUEST"),
        ({"isr": (1, 2, 3)}, "INELIGIBLE_REPLICA"),
        ({"isr": (1, 2, 3), "version": 6}, "INVALID_UPDATE_VERSION"),
        ({"isr": (1, 2, 3), "recovery": RECOVERING}, "INVALID_REQUEST"),
    ],
)
def test_the_first_check_that_fails_is_the_answer(more: dict[str, Any], error: str) -> None:
    """Broker, then who is ahead, then who is behind, then the repeated wish, the version, the recovery, who is up."""
    assert refused(**more) == error


def test_a_recovering_leader_may_not_ask_for_several() -> None:
    """While a leader recovers it is alone in sync."""
    assert refused(Leadership(1, 5, (1,), 1, 7, RECOVERING), recovery=RECOVERING, isr=(1, 2)) == "INVALID_REQUEST"
    assert refused(Leadership(1, 5, (1,), 1, 7, RECOVERING), recovery=RECOVERED, isr=(1, 2)) == "NONE"


# -- assignments -------------------------------------------------------------------------------------------------------
lists = st.lists(st.integers(1, 6), unique=True, min_size=1, max_size=5).map(tuple)


@given(lists, lists, lists)
@settings(deadline=None)
def test_a_reassignment_keeps_where_it_came_from(
    before: tuple[int, ...], first: tuple[int, ...], second: tuple[int, ...]
) -> None:
    """Whatever the targets, and however often changed: target and origin can be read from the assignment."""
    assignment = ReplicaAssignment(before)
    for target in (first, second):
        assignment = assignment.reassign_to(target)
        assert assignment.target == target
        assert set(assignment.origin) == set(before)
        assert assignment.replicas[: len(target)] == target
        assert set(assignment.adding) == set(target) - set(before)
        assert set(assignment.removing) == set(before) - set(target)
    assert set(assignment.reassign_to(assignment.origin).replicas) == set(before)


def test_an_exception_ends_a_request_where_it_comes() -> None:
    """A log needs its topic's configuration: without a session the request ends there; who led leads."""
    one, two, three = (TopicPartition("t", number) for number in range(3))
    read: list[str] = []

    def fails_the_second_time(topic: str) -> None:
        read.append(topic)
        if len(read) == 2:
            raise SessionExpired

    told: list[tuple[str, str]] = []
    log = BrokerLog(1, lambda: 0)

    def tell(name: str, outcome: str = "", **parameters: Any) -> None:
        told.append((parameters["partition"], outcome))

    replicas = ReplicaManager(1, 10, log, tell, lambda: 0, fails_the_second_time)
    leads = Leadership(1, 0, (1, 2), 5, 0)
    follows = Leadership(2, 0, (1, 2), 5, 0)
    request = LeaderAndIsrRequest(
        controller=2, controller_epoch=5, broker_epoch=10, correlation=1,
        partitions={
            three: LeaderAndIsrPartition(follows, (1, 2), (), (), True),
            one: LeaderAndIsrPartition(leads, (1, 2), (), (), True),
            two: LeaderAndIsrPartition(leads, (1, 2), (), (), True),
        },
        topic_ids={"t": "id"},
    )  # fmt: skip
    assert replicas.handle(request).error == "UNKNOWN_SERVER_ERROR"
    assert told == [("t-0", "leader"), ("t-1", "UNKNOWN_SERVER_ERROR"), ("t-2", "UNKNOWN_SERVER_ERROR")]
    assert set(replicas.hosted) == {one}
    assert sum("Error while processing LeaderAndIsr" in line for line in log.state_change_lines) == 2
    told.clear()
    replicas.handle(request)
    assert told[0] == ("t-0", "ignored")
    assert ("t-1", "leader") in told
