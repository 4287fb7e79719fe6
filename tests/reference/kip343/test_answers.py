"""What the controller and the brokers of KIP-343's reference answer and do, one request at a time."""

from typing import Any

import pytest

from fencepost.reference.kip343.cluster import Cluster
from fencepost.reference.kip343.controller import Controller
from fencepost.reference.kip343.names import (
    BrokerState,
    Error,
    IsrChange,
    IsrChangeRequest,
    IsrChangeResponse,
    MetadataHeartbeatRequest,
    MetadataHeartbeatResponse,
    Settings,
)
from fencepost.traces.design_steps import DesignStep

ACTIVE, STOPPING, INACTIVE = BrokerState.ACTIVE, BrokerState.STOPPING, BrokerState.INACTIVE
SETTINGS = Settings(
    controller_timeout=3000, broker_timeout=4500, heartbeat_period=1000, session_timeout=6000, mixed=False
)


@pytest.fixture
def cluster() -> Cluster:
    """Return a cluster of three brokers that has been running for ten seconds, all active."""
    cluster = Cluster(1, SETTINGS, brokers=3)
    cluster.start()
    cluster.run(10)
    assert [cluster.state.state[one] for one in cluster.brokers] == [ACTIVE] * 3
    return cluster


def controller_of(cluster: Cluster) -> Controller:
    """Return the node that is the controller."""
    assert cluster.controller is not None
    return cluster.controller


def asked(cluster: Cluster, node: Controller, request: Any) -> tuple[list[Any], DesignStep | None]:
    """Have a node serve a request; returns its answers, and the step that it reported, if any."""
    answers: list[Any] = []
    before = len(cluster.journal.steps)
    node.serve("operator", request, answers.append)
    steps = cluster.journal.steps[before:]
    return answers, steps[0] if steps else None


def beat(cluster: Cluster, broker: int, incarnation: int, target: BrokerState = ACTIVE) -> tuple[str, DesignStep]:
    """Have the controller take a heartbeat; returns its answer and the step."""
    answers, step = asked(cluster, controller_of(cluster), MetadataHeartbeatRequest(broker, incarnation, target))
    assert step is not None
    assert [str(one) for one in answers] == [step.answer]
    return step.answer, step


def led(cluster: Cluster) -> tuple[int, int, int, int]:
    """Return a partition with its leader, its epoch and the leader's incarnation."""
    partition = 0
    leader = cluster.state.leader[partition]
    assert leader is not None
    return partition, leader, cluster.state.leader_epoch[partition], cluster.state.incarnation[leader]


# -- heartbeats --------------------------------------------------------------------------------------------------------
def test_a_negative_broker_id_is_an_invalid_request(cluster: Cluster) -> None:
    """A heartbeat with a negative id is refused, and changes nothing."""
    answer, step = beat(cluster, -2, 5)
    assert (answer, step.parameters["valid"], step.changed) == ("INVALID_REQUEST", False, ())


def test_an_old_incarnation_is_refused(cluster: Cluster) -> None:
    """A heartbeat of an earlier incarnation is refused, and changes nothing."""
    answer, step = beat(cluster, 2, cluster.state.incarnation[2] - 1)
    assert (answer, step.changed) == ("INVALID_INCARNATION_ID", ())


def test_a_newer_incarnation_is_taken_over(cluster: Cluster) -> None:
    """A heartbeat of an incarnation as yet unheard of is as good as any, and the earlier one is old from then on."""
    old = cluster.state.incarnation[2]
    assert beat(cluster, 2, old + 7)[0] == "NONE Active"
    assert cluster.state.incarnation[2] == old + 7
    assert beat(cluster, 2, old)[0] == "INVALID_INCARNATION_ID"


@pytest.mark.parametrize("state", [BrokerState.INITIAL, INACTIVE, ACTIVE, STOPPING])
@pytest.mark.parametrize("target", [ACTIVE, STOPPING])
def test_the_target_is_granted_from_any_state(cluster: Cluster, state: BrokerState, target: BrokerState) -> None:
    """A broker that sends heartbeats reaches the state that it wants, back from stopping to active too."""
    cluster.state.state[3] = state
    answer, _ = beat(cluster, 3, cluster.state.incarnation[3], target)
    assert (answer, cluster.state.state[3]) == (f"NONE {target.value}", target)
    assert cluster.state.last_contact[3] == cluster.journal.now_ms


def test_who_is_not_the_controller_does_not_answer_heartbeats(cluster: Cluster) -> None:
    """No error is named for a heartbeat to another node: there is neither an answer nor a step."""
    other = next(one for one in cluster.controllers if not one.active)
    assert asked(cluster, other, MetadataHeartbeatRequest(1, 1, ACTIVE)) == ([], None)


# -- ISR changes -------------------------------------------------------------------------------------------------------
def isr_change(cluster: Cluster, **other: Any) -> tuple[Error, frozenset[int]]:
    """Have the controller take an ISR change by the leader to itself alone, but for what is other than it should be."""
    partition, leader, epoch, incarnation = led(cluster)
    of_request = {name: other.pop(name) for name in ("broker", "incarnation") if name in other}
    change = IsrChange(partition, epoch, frozenset({leader}))._replace(**other)
    request = IsrChangeRequest(leader, incarnation, (change,))._replace(**of_request)
    (answer,), step = asked(cluster, controller_of(cluster), request)
    error = answer.results[0] if answer.error is Error.NONE else answer.error
    assert step is not None
    assert step.answer == error.value
    return error, cluster.state.isr[partition]


def test_the_leader_changes_the_isr(cluster: Cluster) -> None:
    """The leader in its epoch, in its present incarnation, gets the ISR that it asks for."""
    _, leader, _, _ = led(cluster)
    assert isr_change(cluster) == (Error.NONE, frozenset({leader}))


def test_only_the_controller_changes_an_isr(cluster: Cluster) -> None:
    """A node that is not the controller says so, before it looks at anything else, and changes nothing."""
    partition, leader, epoch, incarnation = led(cluster)
    other = next(one for one in cluster.controllers if not one.active)
    change = IsrChange(partition, epoch, frozenset())
    answers, step = asked(cluster, other, IsrChangeRequest(leader, incarnation - 1, (change,)))
    assert answers == [IsrChangeResponse(Error.NOT_CONTROLLER)]
    assert step is not None
    assert (step.answer, step.changed) == ("NOT_CONTROLLER", ())


@pytest.mark.parametrize("by", [-1, 1])
def test_another_incarnation_changes_no_isr(cluster: Cluster, by: int) -> None:
    """An earlier incarnation is wrong, and so is a later one that the controller has not heard of."""
    _, _, _, incarnation = led(cluster)
    before = cluster.state.isr[0]
    assert isr_change(cluster, incarnation=incarnation + by) == (Error.INVALID_INCARNATION_ID, before)


def test_another_broker_or_another_epoch_changes_no_isr(cluster: Cluster) -> None:
    """A broker that does not lead the partition, or leads it in another epoch, is answered so."""
    _, leader, epoch, _ = led(cluster)
    before, other = cluster.state.isr[0], leader % 3 + 1
    refused = (Error.NOT_LEADER_FOR_PARTITION, before)
    assert isr_change(cluster, broker=other, incarnation=cluster.state.incarnation[other]) == refused
    assert isr_change(cluster, leader_epoch=epoch - 1) == refused


def test_an_isr_is_never_empty(cluster: Cluster) -> None:
    """An ISR without anybody, without its leader, or with somebody who has no replica, is an invalid request."""
    _, leader, _, _ = led(cluster)
    before = cluster.state.isr[0]
    for isr in (frozenset[int](), cluster.state.replicas[0] - {leader}, frozenset({leader, 99})):
        assert isr_change(cluster, isr=isr) == (Error.INVALID_REQUEST, before)


def test_a_request_of_several_partitions_has_a_result_for_each_in_its_order(cluster: Cluster) -> None:
    """S0:120: each partition is decided by itself, and results come in the order of the request."""
    state, (partition, leader, epoch, incarnation) = cluster.state, led(cluster)
    foreign = next(one for (one,) in state.leader if state.leader[one] != leader)
    before, alone = state.isr[foreign], frozenset({leader})
    changes = (
        IsrChange(foreign, state.leader_epoch[foreign], alone),
        IsrChange(partition, epoch, frozenset()),
        IsrChange(partition, epoch, alone),
    )
    began = len(cluster.journal.steps)
    (answer,), _ = asked(cluster, controller_of(cluster), IsrChangeRequest(leader, incarnation, changes))
    results = [Error.NOT_LEADER_FOR_PARTITION, Error.INVALID_REQUEST, Error.NONE]
    assert answer == IsrChangeResponse(Error.NONE, tuple(results))
    steps = [one for one in cluster.journal.steps[began:] if one.name == "IsrChange"]
    assert [(one.parameters["p"], one.answer) for one in steps] == [
        (one.partition, error.value) for one, error in zip(changes, results, strict=True)
    ]
    assert (state.isr[foreign], state.isr[partition]) == (before, alone)


def test_an_error_of_the_whole_request_leaves_every_partition(cluster: Cluster) -> None:
    """S0:116-120: with a top-level error there are no results, and no ISR is changed."""
    state, (_, leader, _, incarnation) = cluster.state, led(cluster)
    changes = tuple(IsrChange(one, state.leader_epoch[one], frozenset({leader})) for (one,) in state.leader)
    before = [state.isr[one] for (one,) in state.leader]
    assert len(before) > 1
    (answer,), _ = asked(cluster, controller_of(cluster), IsrChangeRequest(leader, incarnation - 1, changes))
    assert answer == IsrChangeResponse(Error.INVALID_INCARNATION_ID)
    assert [state.isr[one] for (one,) in state.leader] == before


# -- silence, registrations, leaders -----------------------------------------------------------------------------------
def test_the_controller_waits_for_its_timeout_and_no_longer(cluster: Cluster) -> None:
    """A broker that dies is inactive one millisecond after the timeout since its last heartbeat came in."""
    cluster.brokers[2].crash()
    cluster.run(5)
    (timed_out,) = (one for one in cluster.journal.steps if one.name == "ControllerTimer")
    assert timed_out.time_ms == cluster.state.last_contact[2] + SETTINGS.controller_timeout + 1
    assert cluster.state.state[2] is INACTIVE


def test_an_inactive_broker_leads_nothing_and_a_stopping_one_gets_nothing(cluster: Cluster) -> None:
    """Leaders move away from an inactive broker; a stopping one becomes leader of nothing, even alone in sync."""
    _, leader, _, _ = led(cluster)
    cluster.brokers[leader].crash()
    cluster.run(5)
    assert cluster.state.leader[0] not in (None, leader)
    controller = controller_of(cluster)
    for broker in cluster.state.replicas[0]:
        cluster.state.state[broker] = STOPPING
    assert controller.able_to_lead(0) == []
    assert controller.leader_for(0) == cluster.state.leader[0]


def test_a_broker_with_a_newer_registration_is_inactive_until_it_heartbeats(cluster: Cluster) -> None:
    """The same process, registered anew after its session expired, is a new incarnation, and inactive at first."""
    old = cluster.state.incarnation[2]
    cut = cluster.network.faults.cut(["broker-2"], [one.name for one in cluster.controllers])
    cluster.zookeeper.expire(2, old)
    cluster.run(1)
    assert (cluster.state.state[2], cluster.state.incarnation[2]) == (INACTIVE, old)
    cluster.brokers[2].reregister()
    cluster.run(1)
    assert (cluster.state.state[2], cluster.state.incarnation[2]) == (INACTIVE, cluster.state.registered[2])
    assert cluster.state.registered[2] > old
    cluster.network.faults.heal(cut)
    cluster.run(2)
    assert cluster.state.state[2] is ACTIVE


def test_a_new_controller_begins_with_all_inactive(cluster: Cluster) -> None:
    """What was in memory is gone: every leader waits for its broker's next heartbeat."""
    controller_of(cluster).resign()
    cluster.elect_controller()
    assert {cluster.state.state[one] for one in cluster.brokers} == {INACTIVE}
    assert [cluster.state.incarnation[one] for one in cluster.brokers] == [
        cluster.state.registered[one] for one in cluster.brokers
    ]
    cluster.run(3)
    assert {cluster.state.state[one] for one in cluster.brokers} == {ACTIVE}


def test_a_legacy_broker_is_active_without_heartbeats() -> None:
    """An older registration is active at once and for ever, is never fenced, and its leader writes ISRs itself."""
    cluster = Cluster(2, SETTINGS, brokers=3)
    for broker in cluster.brokers.values():
        broker.legacy = True
    cluster.start()
    cluster.run(20)
    names = {one.name for one in cluster.journal.steps}
    assert not names & {"SendHeartbeat", "ControllerTimer", "BrokerTimer", "IsrChange"}
    assert {cluster.state.state[one] for one in cluster.brokers} == {ACTIVE}
    partition, leader, _, _ = led(cluster)
    follower = min(cluster.state.replicas[partition] - {leader})
    cluster.lagging.add(follower)
    cluster.run(3)
    write = cluster.journal.steps[-1]
    assert (write.name, write.answer, write.node) == ("WriteIsr", "NONE", f"broker-{write.parameters['b']}")
    assert follower not in cluster.state.isr[partition]


def test_errors_are_no_contact_and_inactive_is_none_either() -> None:
    """Only an answer that names a state in which brokers handle requests unfences a broker."""
    cluster = Cluster(3, SETTINGS, brokers=3)
    broker = cluster.brokers[1]
    assert broker.is_contact(MetadataHeartbeatResponse(Error.NONE, ACTIVE))
    assert broker.is_contact(MetadataHeartbeatResponse(Error.NONE, STOPPING))
    assert not broker.is_contact(MetadataHeartbeatResponse(Error.NONE, INACTIVE))
    assert not broker.is_contact(MetadataHeartbeatResponse(Error.INVALID_INCARNATION_ID))
