"""The stories for which KIP-343 was written, each as the steps of a run in their order."""

from collections.abc import Iterable

from fencepost.reference.kip343.cluster import Cluster
from fencepost.reference.kip343.names import BrokerState, Settings
from fencepost.traces.design_steps import DesignStep

SETTINGS = Settings(
    controller_timeout=3000, broker_timeout=4500, heartbeat_period=1000, session_timeout=6000, mixed=False
)
ROUTINE = ("SendHeartbeat", "IsrChange", "UpdateMetadata")


def running() -> Cluster:
    """Return a cluster of three brokers that has been running for ten seconds."""
    cluster = Cluster(1, SETTINGS, brokers=3)
    cluster.start()
    cluster.run(10)
    return cluster


def transcript(steps: Iterable[DesignStep], broker: int) -> list[str]:
    """Return the steps that concern a broker, equal ones that follow each other once, without the routine."""
    told: list[str] = []
    for step in steps:
        if step.parameters.get("b", broker) == broker and step.name not in ROUTINE and step.name != "ElectLeader":
            line = " ".join([step.name, step.answer or str(step.parameters.get("error", ""))]).strip()
            told += [line] if not told or line not in told[-2:] else []
    return told


def test_cut_off_from_the_controller_but_not_from_zookeeper() -> None:
    """The broker is inactive after the shorter timeout, fenced after the longer one, and serves again with an answer.

    All the while it is registered: without the heartbeat it would not have been noticed.
    """
    cluster = running()
    leader = cluster.state.leader[0]
    assert leader is not None
    incarnation, before = cluster.state.registered[leader], len(cluster.journal.steps)
    cut = cluster.network.faults.cut([f"broker-{leader}"], [one.name for one in cluster.controllers])
    cluster.run(3.9)
    # Between the two timeouts another broker leads already, and the old leader serves still.
    assert cluster.state.leader[0] != leader
    assert (cluster.state.state[leader], cluster.brokers[leader].serves) == (BrokerState.INACTIVE, True)
    cluster.run(6)
    assert not cluster.brokers[leader].serves
    assert cluster.state.registered[leader] == incarnation
    cluster.network.faults.heal(cut)
    cluster.run(2.5)
    assert cluster.brokers[leader].serves
    assert transcript(cluster.journal.steps[before:], leader) == [
        "ControllerTimer",
        "BrokerTimer",
        "Heartbeat NONE Active",
        "HeartbeatReply NONE",
    ]


def test_two_processes_with_one_id() -> None:
    """The later registration has the larger incarnation: the earlier process is refused, and fences itself."""
    cluster = running()
    before = len(cluster.journal.steps)
    cluster.zookeeper.expire(2, cluster.state.registered[2])
    cluster.others[2].start()
    cluster.run(8)
    steps = cluster.journal.steps[before:]
    told = transcript(steps, 2)
    assert told[:2] == ["ExpireSession", "StartAnother"]
    assert "HeartbeatReply INVALID_INCARNATION_ID" in told
    (fenced,) = (one for one in steps if one.name == "BrokerTimer")
    assert fenced.parameters == {"b": 2}
    assert cluster.state.state[2] is BrokerState.ACTIVE
    assert not cluster.brokers[2].serves


def test_a_controller_outage_fences_every_broker() -> None:
    """Without a controller for longer than the broker-side timeout no broker serves, though ZooKeeper is healthy."""
    cluster = running()
    for controller in cluster.controllers:
        controller.crash()
    cluster.run(5)
    assert [broker.serves for broker in cluster.brokers.values()] == [False] * 3
    assert all(cluster.state.registered[one] for one in cluster.brokers)
    cluster.controllers[0].start()
    cluster.run(8)
    assert [broker.serves for broker in cluster.brokers.values()] == [True] * 3


def test_controlled_shutdown_moves_the_leaders_first() -> None:
    """A broker that wants to stop keeps serving until its leaderships are elsewhere, and is never without one."""
    cluster = running()
    leader = cluster.state.leader[0]
    assert leader is not None
    before = len(cluster.journal.steps)
    cluster.brokers[leader].shut_down()
    cluster.run(4)
    steps = cluster.journal.steps[before:]
    elected = [one.parameters["leader"] for one in steps if one.name == "ElectLeader"]
    assert elected
    assert not {None, leader} & {*elected}
    assert transcript(steps, leader) == [
        "BeginShutdown",
        "Heartbeat NONE Stopping",
        "HeartbeatReply NONE",
        "StopBroker",
        "ExpireSession",
        "SeeDeregistration",
    ]
