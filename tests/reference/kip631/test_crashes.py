"""A broker or the active controller dies after each of its steps in turn: every step is a row, and all ends well."""

from typing import Any

import pytest

from fencepost.checkers.conformance.designs import DesignJudge
from fencepost.model.registry import find
from fencepost.reference.kip631.simulation import Cluster
from fencepost.reference.kip631.v1 import simulation as v1
from fencepost.reference.kip631.v2 import simulation as v2
from fencepost.reference.kip631.v2.messages import AlterReassignmentRequest, CreateTopicRequest, RemoveTopicRequest
from fencepost.reference.simulator import SECOND
from tests.reference.dying import dies_after

SIMULATIONS: dict[str, Any] = {"v1": v1, "v2": v2}


def story(version: str, victim: str, steps: int) -> tuple[str, str]:
    """Run a cluster: brokers come up, one shuts down, one is cut off; with version 2 replicas and topics move.

    The victim dies after so many steps of its own, and is back a second later. Returns after which step that was, and
    what is wrong.
    """
    simulation = SIMULATIONS[version]
    cluster = Cluster(simulation.DESIGN, 1)
    told = []
    quorum, brokers = cluster.quorum, cluster.brokers
    assert quorum.active is not None
    node: Any = quorum.active if victim == "controller" else brokers[1]
    last = dies_after(cluster, node, steps, SECOND)
    cluster.start()
    cluster.operator.start()
    told += cluster.run(4)
    if version == "v2":
        partition = min(cluster.settings.replicas)
        target = frozenset(cluster.settings.brokers) - {cluster.settings.replicas[partition][0]}
        cluster.operator.ask(CreateTopicRequest(1))
        cluster.operator.ask(AlterReassignmentRequest(partition, target))
    brokers[1].terminate()
    names = [one.name for one in quorum.nodes]
    cut = cluster.network.faults.cut([brokers[2].name], names)
    told += cluster.run(6)
    if version == "v2":
        cluster.operator.ask(RemoveTopicRequest(1))
    cluster.network.faults.heal(cut)
    for _ in range(10):
        cluster.restart()
        told += cluster.run(2)
    state = {(variable, tuple(keys)): value for variable, keys, value in cluster.initial}
    judge = DesignJudge(find(simulation.DESIGN.name).whole, simulation.header(1))
    for step in told:
        judge.step(step)
        state |= {(one.variable, one.keys): one.value for one in step.changed}
    assert not judge.tally.unjudged
    for broker in brokers:
        assert (state["serving", (broker,)], state["fenced", (broker,)]) == (True, False), (steps, broker)
    for one in cluster.settings.replicas:
        assert state["leader", (one,)] in state["isr", (one,)], (steps, one)
    return (last or [""])[0], "\n".join(map(str, judge.divergences))


CONTROLLER = {"Register", "Heartbeat", "Commit", "ElectLeader"}
BROKER = {"StartBroker", "RecoverLogs", "RegisterReply", "HeartbeatReply", "ApplyMetadata", "BeginShutdown"}


@pytest.mark.representative("v1-broker-24-kinds1")
@pytest.mark.parametrize(
    ("version", "victim", "most", "kinds"),
    [
        ("v1", "controller", 60, CONTROLLER | {"LeaseExpires", "CatchUp", "ChooseLease"}),
        ("v1", "broker", 24, BROKER - {"RecoverLogs"} | {"BeginRegistration"}),
        ("v2", "controller", 70, CONTROLLER | {"SessionExpires", "AlterIsr", "AlterReassignment", "RemoveTopic"}),
        ("v2", "broker", 24, BROKER),
    ],
)
def test_a_process_may_die_after_every_step(version: str, victim: str, most: int, kinds: set[str]) -> None:
    """Wherever it dies each step of the run is a row, and all ends well; it died after a step of every kind."""
    after = set()
    for steps in range(1, most + 1):
        died, wrong = story(version, victim, steps)
        assert wrong == "", (steps, died)
        after.add(died)
    assert after >= kinds, after
