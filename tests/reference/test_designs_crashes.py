"""KIP-343's and KIP-46's processes die after each of their steps in turn: every step is a row, and all ends well."""

from typing import Any

import pytest

from fencepost.checkers.conformance.designs import DesignJudge
from fencepost.model.registry import find
from fencepost.reference.kip46 import cluster as kip46
from fencepost.reference.kip46.state import NEVER, Set
from fencepost.reference.kip46.state import Settings as HealSettings
from fencepost.reference.kip343 import cluster as kip343
from fencepost.reference.kip343.names import BrokerState, Settings
from fencepost.reference.simulator import MILLISECOND, SECOND
from fencepost.traces.design_steps import Header
from tests.reference.dying import dies_after

TIMEOUTS = Settings(
    controller_timeout=3000, broker_timeout=4500, heartbeat_period=1000, session_timeout=4000, mixed=False
)
HEALING = HealSettings(interval=5_000, chunk_limit=3)
REPLICAS = {0: Set({1, 2}), 1: Set({2, 3}), 2: Set({1, 3}), 3: Set({1, 4})}


def judged(design: str, header: Header, cluster: Any) -> list[str]:
    """Return what is wrong with the steps of a cluster."""
    judge = DesignJudge(find(design).whole, header)
    for step in cluster.journal.steps:
        judge.step(step)
    assert not judge.tally.unjudged
    return [str(one) for one in judge.divergences]


def header_of(design: str, cluster: Any, settings: Settings | HealSettings) -> Header:
    """Return the header of a cluster that has not been started."""
    return Header(design=design, settings={**settings._asdict(), "initial": cluster.journal.cells.initial()})


def heartbeats(steps: int, victim: str) -> tuple[str, str]:
    """Run KIP-343: a broker dies, one shuts down, the session of one that is cut off expires.

    The victim dies after so many steps of its own. Returns after which step that was, and what is wrong.
    """
    cluster = kip343.Cluster(1, TIMEOUTS, brokers=3)
    header = header_of("kip343", cluster, TIMEOUTS)
    cluster.start()
    cluster.run(6)
    node: Any = cluster.controller if victim == "controller" else cluster.brokers[1]
    last = dies_after(cluster, node, steps, 5 * SECOND)
    cluster.brokers[3].crash()
    cluster.brokers[1].shut_down()
    # Without heartbeats the controller learns of the new registration from ZooKeeper.
    expired = cluster.brokers[2]
    cut = cluster.network.faults.cut([expired.name], [one.name for one in cluster.controllers])
    cluster.simulator.after(2 * SECOND, lambda: cluster.network.faults.heal(cut))
    cluster.zookeeper.expire(expired.id, cluster.state.registered[expired.id])
    expired.after(300 * MILLISECOND, expired.reregister)
    cluster.run(9)
    for process in (*cluster.controllers, *cluster.brokers.values()):
        process.start()
    cluster.run(20)
    assert {cluster.state.state[one] for one in cluster.brokers} == {BrokerState.ACTIVE}
    assert all(cluster.state.leader[one] in cluster.state.isr[one] for (one,) in cluster.state.leader)
    assert not any(cluster.state.fenced[one] for one in cluster.brokers)
    return (last or [""])[0], "\n".join(judged("kip343", header, cluster))


def heals(steps: int, victim: str) -> tuple[str, str]:
    """Run KIP-46: a broker stays away and is healed; the victim dies after so many steps of its own, and is back soon.

    Returns after which step that was, and what is wrong.
    """
    cluster = kip46.Cluster(3, HEALING, REPLICAS)
    header = header_of("kip46", cluster, HEALING)
    cluster.start()
    cluster.run(1)
    node: Any = cluster.controller if victim == "controller" else cluster.brokers[3]
    last = dies_after(cluster, node, steps, 700 * MILLISECOND)
    cluster.brokers[1].crash()
    cluster.run(60)
    state = cluster.state
    assert (state.failed[1], state.head, state.running_task) == (NEVER, None, None)
    for partition in REPLICAS:
        assert 1 not in state.replicas[partition]
        assert len(state.isr[partition]) >= state.desired[partition] == 2
    return (last or [""])[0], "\n".join(judged("kip46", header, cluster))


CONTROLLER_343 = {
    "ControllerTimer", "ElectLeader", "Heartbeat", "IsrChange", "SeeDeregistration", "SeeRegistration",
}  # fmt: skip
BROKER_343 = {"BeginShutdown", "HeartbeatReply", "SendHeartbeat", "UpdateMetadata"}
CONTROLLER_46 = {
    "CompleteTask", "DeleteFailedBroker", "OnBrokerFailure", "PersistChunk", "PlaceReplicas", "StartTask", "TimerFires",
}  # fmt: skip


@pytest.mark.representative("heartbeats-broker-10-kinds1")
@pytest.mark.parametrize(
    ("run", "victim", "most", "kinds"),
    [
        (heartbeats, "controller", 45, CONTROLLER_343),
        (heartbeats, "broker", 10, BROKER_343),
        (heals, "controller", 14, CONTROLLER_46),
        (heals, "broker", 3, {"CatchUp"}),
    ],
)
def test_a_process_may_die_after_every_step(run: Any, victim: str, most: int, kinds: set[str]) -> None:
    """Wherever it dies each step of the run is a row, and all ends well; it died after a step of every kind."""
    after = set()
    for steps in range(1, most + 1):
        died, wrong = run(steps, victim)
        assert wrong == "", (steps, died)
        after.add(died)
    assert after >= kinds, after
