"""The stories of KIP-46, each as the steps of a run in their order."""

from fencepost.reference.kip46.cluster import Cluster
from fencepost.reference.kip46.state import NEVER, Set, Settings
from fencepost.traces.design_steps import DesignStep
from tests.cases import each

SETTINGS = Settings(interval=10_000, chunk_limit=3)
REPLICAS = {0: Set({1, 2}), 1: Set({2, 3}), 2: Set({1, 3}), 3: Set({1, 4}), 4: Set({1, 2})}


def running(settings: Settings = SETTINGS) -> Cluster:
    """Return a cluster with chunks of at most two partitions that has been running for a second."""
    cluster = Cluster(3, settings, REPLICAS)
    cluster.start()
    cluster.run(1)
    return cluster


def told(steps: list[DesignStep], *but: str) -> list[str]:
    """Return steps as texts of their names and first parameters, without some."""
    return [
        " ".join([one.name, *(str(value) for value in list(one.parameters.values())[:2] if isinstance(value, int))])
        for one in steps
        if one.name not in but
    ]


def test_the_walk_through_of_the_text() -> None:
    """A broker has a hard crash: entry, timer, after the interval tasks in chunks, then one task after the other."""
    cluster = running()
    cluster.brokers[1].crash()
    cluster.run(9.9)
    assert told(cluster.journal.steps) == ["ControllerFailover", "BrokerFails 1", "OnBrokerFailure 1"]
    noticed = cluster.journal.steps[-1]
    assert cluster.state.failed[1] == noticed.time_ms
    assert cluster.state.timer[1] == noticed.time_ms + 10_000
    cluster.run(60)
    steps = cluster.journal.steps[3:]
    assert told(steps, "CatchUp") == [
        "TimerFires 1",
        "PlaceReplicas 1 0",
        "PlaceReplicas 1 2",
        "PlaceReplicas 1 3",
        "PlaceReplicas 1 4",
        "PersistChunk 1 1",
        "PersistChunk 1 2",
        "DeleteFailedBroker 1",
        "StartTask 1",
        "CompleteTask 1",
        "StartTask 2",
        "CompleteTask 2",
    ]
    assert 0 <= steps[0].time_ms - (noticed.time_ms + 10_000) <= 20
    assert cluster.state.failed[1] == NEVER
    for partition in REPLICAS:
        assert 1 not in cluster.state.replicas[partition]
        assert cluster.state.isr[partition] == cluster.state.replicas[partition]


def test_who_is_back_in_time_is_not_healed() -> None:
    """If the broker is back before its timer fires, entry and timer are gone, and nothing ever moves."""
    cluster = running()
    cluster.brokers[1].crash()
    cluster.run(8)
    cluster.brokers[1].start()
    cluster.run(30)
    assert told(cluster.journal.steps[1:], "CatchUp") == [
        "BrokerFails 1",
        "OnBrokerFailure 1",
        "BrokerReturns 1",
        "OnBrokerStartup 1",
    ]
    assert (cluster.state.failed[1], cluster.state.timer[1]) == (NEVER, NEVER)
    assert {one: cluster.state.replicas[one] for one in REPLICAS} == REPLICAS


def test_who_is_back_while_a_task_runs_lets_it_finish_and_ends_the_rest() -> None:
    """The running task completes; the next, not yet started, has all replicas it wants and is dropped."""
    cluster = running()
    cluster.brokers[1].crash()
    while cluster.state.running_task is None:
        cluster.run(0.02)
    cluster.brokers[1].start()
    cluster.run(40)
    assert told(cluster.journal.steps, "CatchUp")[-5:] == [
        "StartTask 1",
        "BrokerReturns 1",
        "OnBrokerStartup 1",
        "CompleteTask 1",
        "DropTask 2",
    ]
    assert cluster.state.replicas[3] == REPLICAS[3]


def test_a_new_controller_keeps_the_first_failure_time() -> None:
    """A controller that begins halfway through the interval heals when the first one would have."""
    cluster = running()
    cluster.brokers[1].crash()
    cluster.run(5)
    failed = cluster.state.failed[1]
    assert cluster.controller is not None
    cluster.controller.crash()
    cluster.elect_controller()
    assert cluster.journal.steps[-1].name == "ControllerFailover"
    assert cluster.state.timer[1] == failed + 10_000
    cluster.run(10)
    (fires,) = (one for one in cluster.journal.steps if one.name == "TimerFires")
    assert 0 <= fires.time_ms - (failed + 10_000) <= 20


def test_a_timer_that_is_past_at_the_failover_fires_at_once() -> None:
    """Where there was no controller when a timer was due, the next one heals first of all."""
    cluster = running()
    cluster.brokers[1].crash()
    cluster.run(5)
    for controller in cluster.controllers:
        controller.crash()
    cluster.run(20)
    cluster.controllers[0].start()
    cluster.run(1.1)
    names = [one.name for one in cluster.journal.steps]
    assert names[names.index("ControllerFails") + 1 :][:2] == ["ControllerFailover", "TimerFires"]


@each("steps", range(1, 8))
def test_a_controller_may_die_after_any_step_of_healing(steps: int) -> None:
    """Wherever it dies between the timer and the deletion of the entry, all is moved in the end, nothing twice."""
    cluster = running()
    cluster.brokers[1].crash()
    while "TimerFires" not in {one.name for one in cluster.journal.steps}:
        cluster.run(0.001)
    controller = cluster.controller
    assert controller is not None
    cluster.journal.after_steps(controller.name, steps, controller.crash)
    cluster.run(1)
    controller.start()
    cluster.run(120)
    names = [one.name for one in cluster.journal.steps]
    assert names.count("ControllerFails") == 1
    assert (cluster.state.failed[1], cluster.state.head, cluster.state.running_task) == (NEVER, None, None)
    for partition in REPLICAS:
        assert 1 not in cluster.state.replicas[partition]
        assert len(cluster.state.isr[partition]) == cluster.state.desired[partition] == 2
    # Tasks made twice are dropped, since what they are for has been done.
    assert names.count("StartTask") == 2
    assert names.count("DropTask") == names.count("PersistChunk") - 2


def test_who_dies_while_there_is_no_controller_is_never_healed() -> None:
    """No process gets the callback, so there is no entry: as written, the replicas stay where they are."""
    cluster = running()
    for controller in cluster.controllers:
        controller.crash()
    cluster.brokers[1].crash()
    cluster.controllers[0].start()
    cluster.run(60)
    assert not {one.name for one in cluster.journal.steps} & {"OnBrokerFailure", "TimerFires", "PersistChunk"}
    assert 1 in cluster.state.replicas[0]


def test_an_interval_of_minus_one_switches_it_off() -> None:
    """The failure is seen, since leaders must move, but neither noted down nor healed."""
    cluster = running(Settings(NEVER, 3))
    cluster.brokers[1].crash()
    cluster.run(60)
    assert told(cluster.journal.steps[1:]) == ["BrokerFails 1", "OnBrokerFailure 1"]
    assert cluster.state.failed[1] == cluster.state.timer[1] == NEVER


def test_a_manual_task_is_neither_dropped_nor_overtaken() -> None:
    """An operator's task runs though its partitions lack nothing, and before the tasks that were made later."""
    cluster = running()
    cluster.submit(Set({1}), Set({3, 4}))
    cluster.submit(Set({1}), Set({2, 3}))
    cluster.run(60)
    assert told(cluster.journal.steps[1:], "CatchUp") == [
        "SubmitReassignment 1",
        "SubmitReassignment 2",
        "StartTask 1",
        "CompleteTask 1",
        "StartTask 2",
        "CompleteTask 2",
    ]
    assert cluster.state.replicas[1] == Set({2, 3})


def test_healing_waits_while_too_few_brokers_are_live() -> None:
    """Without enough live brokers nothing is planned; the next one that comes back lets it go on."""
    cluster = running()
    brokers = list(cluster.brokers.values())
    for broker in brokers[1:]:
        broker.crash()
    cluster.run(30)
    assert "PlaceReplicas" not in {one.name for one in cluster.journal.steps}
    brokers[2].start()
    cluster.run(5)
    assert "PlaceReplicas" in {one.name for one in cluster.journal.steps}
