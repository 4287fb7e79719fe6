"""The whole cluster: it starts, survives what happens to it, forgets what it may, and repeats itself to the byte."""

import dataclasses
from typing import Any

import pytest

from fencepost.reference.kraft import levels
from fencepost.reference.kraft import messages as m
from fencepost.reference.kraft.errors import ApiError, Errors
from fencepost.reference.kraft.settings import Settings
from fencepost.reference.kraft.simulation.cluster import FIRST_CONTROLLER, Cluster, ClusterConfig
from fencepost.reference.kraft.simulation.controller_node import ControllerNode
from fencepost.reference.simulator import SECOND, Process


def started(seconds: float = 20, **config: Any) -> Cluster:
    """Return a cluster that has run for a while."""
    cluster = Cluster(ClusterConfig(**{"seed": 1, **config}))
    client = Process(cluster.simulator, "client")
    cluster.network.attach(client)
    client.start()
    cluster.start()
    cluster.run(seconds)
    return cluster


def ask(cluster: Cluster, request: Any, node: ControllerNode | None = None) -> Any:
    """Send a request to a controller, the active one unless it is said, and return the answer."""
    target, answers = node or cluster.active, list[Any]()
    assert target is not None
    client = cluster.network.processes["client"]
    cluster.network.call(client, target.name, request, answers.append, 10 * SECOND, lambda: None)
    cluster.run(3)
    return answers[0] if answers else None


def create(cluster: Cluster, *names: str, partitions: int = 3, replicas: int = 3) -> Any:
    """Create topics."""
    return ask(
        cluster, m.CreateTopicsRequest(topics=tuple(m.TopicRequest(name, partitions, replicas) for name in names))
    )


def only_active(cluster: Cluster) -> ControllerNode:
    """Return the one active controller."""
    (node,) = (node for node in cluster.controllers.values() if node.active)
    return node


@pytest.mark.parametrize("controllers", [1, 3, 5])
def test_a_cluster_gets_ready_within_seconds(controllers: int) -> None:
    """One controller is active, all are registered, every broker runs unfenced; the log begins as a real one."""
    cluster = started(controllers=controllers)
    assert cluster.problems() == []
    controller = only_active(cluster).controller
    assert controller is not None
    assert sorted(controller.managers.cluster.controllers) == sorted(cluster.controllers)
    log = only_active(cluster).disk.log
    assert [name for name, _ in log.batches[0].control] == ["LeaderChange", "KRaftVersion", "KRaftVoters"]
    assert [one.type for one in log.batches[1].records][:2] == ["BEGIN_TRANSACTION_RECORD", "FEATURE_LEVEL_RECORD"]


def test_an_old_level_has_no_controller_registrations() -> None:
    """Below 3.7-IV0 no controller registers; when the level is reached they all do, and a restart does it again."""
    cluster = started(level=levels.LEVELS["3.6-IV2"], brokers=1)
    controller = only_active(cluster).controller
    assert controller is not None
    assert len(controller.managers.cluster.controllers) == 0
    update = m.UpdateFeaturesRequest(updates=((levels.METADATA_VERSION, levels.LEVELS["3.7-IV0"], m.UPGRADE),))
    ask(cluster, update)
    registered = dict(controller.managers.cluster.controllers)
    assert sorted(registered) == sorted(cluster.controllers)
    standby = next(node for node in cluster.controllers.values() if not node.active)
    standby.crash()
    standby.start()
    cluster.run(5)
    again = controller.managers.cluster.controllers
    changed = [node for node in registered if again[node].incarnation_id != registered[node].incarnation_id]
    assert changed == [standby.config.node_id]


def test_a_standby_refuses_and_the_next_controller_has_everything() -> None:
    """A standby answers NOT_CONTROLLER; after the active one crashed, the next has all topics and serves."""
    cluster = started()
    old = only_active(cluster)
    standby = next(node for node in cluster.controllers.values() if not node.active)
    answer = ask(cluster, m.CreateTopicsRequest(topics=(m.TopicRequest("a", 1, 1),)), standby)
    assert isinstance(answer, ApiError)
    assert answer.error is Errors.NOT_CONTROLLER
    assert [one.error for one in create(cluster, "a", "b")] == [Errors.NONE] * 2
    cluster.hold(old)
    old.crash()
    cluster.run(10)
    new = only_active(cluster)
    assert new is not old
    assert new.controller is not None
    assert sorted(new.controller.managers.replication.topic_ids) == ["a", "b"]
    assert cluster.problems() == [f"{old.name} is down"]
    cluster.release(old)
    cluster.run(10)
    assert cluster.problems() == []


def test_all_controllers_agree_on_the_state() -> None:
    """What each controller has in memory is made of the same log, so that it is the same."""
    cluster = started()
    create(cluster, "a", "b", "c")
    cluster.brokers[1].kill()
    cluster.run(30)
    states = []
    for node in cluster.controllers.values():
        assert node.controller is not None
        managers = node.controller.managers
        states.append((dict(managers.replication.partitions), dict(managers.cluster.registrations)))
    assert states[0] == states[1] == states[2]


def test_heartbeats_that_wait_too_long_are_answered_so() -> None:
    """With a slow controller heartbeats pass half their interval in the queue and are not run; no broker is fenced."""
    cluster = started()
    node = only_active(cluster)
    assert node.controller is not None
    node.controller.queue.processing_ns = 700_000_000
    cluster.run(30)
    assert node.controller.metrics.timed_out_broker_heartbeats > 0
    node.controller.queue.processing_ns = 0
    cluster.run(30)
    assert cluster.problems() == []


SMALL = Settings(metadata_log_max_record_bytes_between_snapshots=3_000, metadata_max_retention_bytes=10_000)


def test_logs_stay_short_and_whoever_is_behind_gets_a_snapshot() -> None:
    """With little room all nodes forget the beginning; a lost disk is filled from a snapshot, and states agree."""
    cluster = started(settings=SMALL)
    create(cluster, "a", "b")
    standby = next(node for node in cluster.controllers.values() if not node.active)
    cluster.hold(standby)
    standby.crash()
    standby.disk.wipe()
    cluster.run(120)
    logs = [node.disk.log for node in cluster.controllers.values() if node is not standby]
    logs += [disk.log for disk in cluster.broker_metadata.values()]
    for log in logs:
        assert log.start_offset > 0
        assert len(log.snapshots) >= 1
        assert log.size < 20_000
    cluster.release(standby)
    cluster.run(20)
    assert cluster.problems() == []
    active = only_active(cluster).controller
    assert active is not None
    assert standby.controller is not None
    assert dict(standby.controller.managers.replication.partitions) == dict(active.managers.replication.partitions)
    assert standby.disk.log.start_offset > 0
    for process in cluster.processes():
        process.crash()
    cluster.run(40)
    assert cluster.problems() == [], "from snapshots all come up again"


def test_a_fatal_fault_ends_the_process_and_is_told() -> None:
    """A record that cannot be replayed ends the controller's process; it is started again, and `fatal` lists it."""
    cluster = started()
    node = next(node for node in cluster.controllers.values() if not node.active)
    assert node.controller is not None
    node.controller.managers.replays.pop("NO_OP_RECORD")
    cluster.run(2)
    assert [one.node for one in cluster.fatal] == [node.config.node_id]
    assert "NO_OP_RECORD" in cluster.fatal[0].cause
    cluster.run(10)
    assert cluster.problems() == []
    assert node.starts == 2


def test_problems_are_told() -> None:
    """A broker that is down, a controller that cannot be reached and a partition without its leader are all named."""
    cluster = started()
    create(cluster, "a", partitions=1, replicas=2)
    active = only_active(cluster).controller
    assert active is not None
    (partition,) = active.managers.replication.partitions.values()
    (other,) = (replica for replica in partition.replicas if replica != partition.leader)
    broker = cluster.brokers[partition.leader]
    cluster.hold(broker)
    broker.kill()
    cluster.run(15)
    found = cluster.problems()
    assert f"{broker.name} is down" in found
    assert f"broker {broker.config.broker_id} is fenced" in found
    lonely = next(node for node in cluster.controllers.values() if not node.active)
    cluster.faults.cut([lonely.name], cluster.network.names())
    cluster.run(5)
    assert any(one.startswith(f"controller {lonely.config.node_id} is ") for one in cluster.problems())
    cluster.faults.heal_all()
    key = next(iter(active.managers.replication.partitions))
    stuck = dataclasses.replace(partition, leader=-1, isr=(other,))
    active.managers.replication.partitions[key] = stuck
    assert any("a-0 has no leader" in one for one in cluster.problems())


def trace(seed: int) -> str:
    """Return the log of a run, with the answers that a client got."""
    cluster = started(seed=seed)
    answers = [create(cluster, "a", "b")]
    only_active(cluster).crash()
    cluster.brokers[2].lose_power(cluster.simulator.random("test"))
    cluster.run(60)
    log = only_active(cluster).disk.log
    batches = [(b.base_offset, b.epoch, b.timestamp_ms, b.size, b.records, b.control) for b in log.batches]
    return repr((answers, batches, cluster.simulator.events, cluster.network.sent))


def test_a_seed_is_a_run() -> None:
    """The same seed gives the same log, answers and number of events; another seed others."""
    assert trace(5) == trace(5) != trace(6)


def test_names_tell_controllers_from_brokers() -> None:
    """Controllers are numbered from 3000, brokers from 1; racks are dealt in turn."""
    cluster = Cluster(ClusterConfig(seed=1, racks=2))
    assert [process.name for process in cluster.processes()][:4] == [
        f"controller-{FIRST_CONTROLLER}", "controller-3001", "controller-3002", "broker-1"
    ]  # fmt: skip
    assert [broker.config.rack for broker in cluster.brokers.values()] == ["rack-0", "rack-1", "rack-0", "rack-1"]


def test_brokers_ask_the_next_controller_again() -> None:
    """After the active controller crashed every broker goes on with the next one: none is fenced for silence."""
    cluster = started()
    old = only_active(cluster)
    cluster.hold(old)
    old.crash()
    cluster.run(60)
    new = only_active(cluster)
    assert new is not old
    assert new.controller is not None
    registrations = new.controller.managers.cluster.registrations
    assert len(registrations) == len(cluster.brokers)
    assert [one.id for one in registrations.values() if one.fenced] == []
