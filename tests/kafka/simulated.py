"""A simulated cluster that has worked for a while under faults, for published Kafka to read its log."""

from fencepost.reference.kraft.broker.broker import Broker
from fencepost.reference.kraft.settings import Settings
from fencepost.reference.kraft.simulation.cluster import Cluster, ClusterConfig, name_of
from fencepost.reference.kraft.simulation.faults import FaultInjector, draw_plans, parse_faults
from fencepost.reference.kraft.simulation.workload import Administrator, WorkloadPlan


def worked(seed: int, *, controllers: int, seconds: float, faults: str) -> Cluster:
    """Return a cluster after some simulated seconds of administrators' work, with faults of the kinds named.

    Snapshots are made often and segments are small, so that there are many of both.
    """
    settings = Settings(metadata_log_max_record_bytes_between_snapshots=20_000, metadata_log_segment_bytes=15_000)
    cluster = Cluster(ClusterConfig(seed=seed, controllers=controllers, settings=settings))
    cluster.start()
    cluster.run(20)

    def stopped(broker: int) -> bool:
        found = cluster.brokers.get(broker)
        return not isinstance(found, Broker) or not found.alive

    administrator = Administrator(
        cluster.simulator, cluster.network, WorkloadPlan(interval_ms=500), tuple(cluster.controllers), name_of,
        cluster.image, stopped,
    )  # fmt: skip
    cluster.network.attach(administrator)
    administrator.start()
    injector = FaultInjector(cluster, draw_plans(cluster.simulator.random("plans"), parse_faults(faults)))
    injector.start()
    cluster.run(seconds)
    injector.stop()
    administrator.crash()
    cluster.run(60)
    return cluster
