"""What administrators ask for: drawn from the seed alone, all kinds of it, one thing a request."""

import random
from dataclasses import fields

from fencepost.reference.kraft import messages as m
from fencepost.reference.kraft.levels import LATEST_PRODUCTION, LEVELS
from fencepost.reference.kraft.simulation.workload import WEIGHTS, Administrator, WorkloadPlan
from fencepost.reference.simulator import SECOND

from .broker_cluster import CONTROLLER, BrokerCluster, name_of


def worked(seed: int, level: int, seconds: int) -> tuple[BrokerCluster, Administrator]:
    """Let an administrator work on a cluster for a while, with one broker that is down."""
    cluster = BrokerCluster(4, level=level, elr=int(level == LATEST_PRODUCTION), seed=seed)
    plan = WorkloadPlan(interval_ms=200)

    def image() -> object:
        run = cluster.brokers[1].run
        return None if run is None else run.image

    administrator = Administrator(
        cluster.simulator, cluster.network, plan, [CONTROLLER], name_of, image,  # type: ignore[arg-type]
        lambda broker: not cluster.brokers[broker].alive, cordon=lambda draw: cluster.brokers[2].cordon([]),
    )  # fmt: skip
    cluster.network.attach(administrator)
    cluster.start()
    administrator.start()
    cluster.run(seconds / 2)
    cluster.brokers[4].kill()
    cluster.run(seconds / 2)
    return cluster, administrator


def asked(cluster: BrokerCluster) -> list[tuple[int, m.Request]]:
    """Return what the controller was asked by anybody but brokers, with the times."""
    own = (
        m.BrokerHeartbeatRequest,
        m.BrokerRegistrationRequest,
        m.AlterPartitionRequest,
        m.AssignReplicasToDirsRequest,
    )
    return [(at, request) for at, request, _ in cluster.controller.requests if not isinstance(request, own)]


def test_everything_is_asked_for_and_most_of_it_succeeds() -> None:
    """Each kind of request occurs, the controller never faults, and brokers go on."""
    # Seed 1 meets the index of eligible replicas that a deleted topic stays in, at which a controller gives up.
    cluster, administrator = worked(2, LEVELS["3.7-IV1"], 240)
    assert set(administrator.sent) == set(WEIGHTS) - {"cordon_directory"}
    assert cluster.controller.fatal == []
    assert cluster.controller.controller.active
    assert len(cluster.controller.controller.managers.replication.partitions) > 5
    assert cluster.controller.controller.managers.features.metadata_version_or_throw() > LEVELS["3.7-IV1"]


def test_one_thing_a_request() -> None:
    """A request names one topic, one partition, one resource, one feature, as the event trace has it."""
    cluster, _ = worked(2, LATEST_PRODUCTION, 60)
    for _, request in asked(cluster):
        for one in fields(request):
            value = getattr(request, one.name)
            if isinstance(value, tuple):
                assert len(value) == 1, request


def test_a_seed_is_a_workload() -> None:
    """The same seed asks for the same at the same times; another asks for something else."""
    runs = [asked(worked(seed, LATEST_PRODUCTION, 20)[0]) for seed in (3, 3, 4)]
    assert runs[0] == runs[1]
    assert runs[0] != runs[2]


def test_plans_differ() -> None:
    """Swarm testing: each run leaves out some kinds and does others more often, but always creates topics."""
    plans = [WorkloadPlan.drawn(random.Random(seed)) for seed in range(20)]
    left_out = {tuple(kind for kind, weight in plan.weights.items() if not weight) for plan in plans}
    assert len(left_out) > 10
    assert all(plan.weights["create_topic"] > 0 for plan in plans)
    assert {plan.interval_ms * 1_000_000 < SECOND * 2 for plan in plans} == {True, False}
