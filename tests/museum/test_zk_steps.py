"""The page's reassignment with a crash after every step: the successor goes on to the target (S4:99-106)."""

import pytest

from fencepost.model.zk.protocol import ZK
from fencepost.model.zk.state import ReplicaState, assigned, isr, leader, replica_state, replicas, requested
from fencepost.model.zk.twelve_steps import twelve_steps
from tests.requirements.cluster import Cluster

OAR, RAR = (0, 1, 2), (3, 4, 5)
OVERLAPPING = (2, 3)
STEPS = twelve_steps(ZK)


def asked(target: tuple[int, ...]) -> Cluster:
    """Return a cluster whose partition is to move from brokers 0, 1, 2, and two candidates, the first elected."""
    cluster = Cluster(6, protocol=STEPS).start(0, 1, 2, 3, 4, 5)
    cluster.do("SessionEstablished", c=1)
    cluster.create(*OAR)
    cluster.do("RequestReassignment", p=0, target=target)
    return cluster


def go_on(cluster: Cluster, c: int, most: int | None = None) -> int:
    """Let a controller, and the leader that asks for every replica into the ISR, go on; return how many rows it were.

    It ends when nothing is left to be done, or after `most` rows.
    """
    since = len(cluster.log)

    def done() -> bool:
        return most is not None and len(cluster.log) - since >= most

    while not done():
        if cluster.step(c) is not None:
            continue
        if not cluster.refused("OnPartitionReassignment", c=c, p=0):
            cluster.do("OnPartitionReassignment", c=c, p=0)
        elif not cluster.refused("ReassignedReplicasInSync", c=c, p=0):
            cluster.do("ReassignedReplicasInSync", c=c, p=0)
        elif cluster.read(isr, 0) != frozenset(cluster.read(replicas, 0)):
            cluster.alter(frozenset(cluster.read(replicas, 0)), b=cluster.read(leader, 0), c=c)
        else:
            break
    return len(cluster.log) - since


def at_target(cluster: Cluster, c: int, target: tuple[int, ...]) -> bool:
    """Return whether the reassignment has ended: lists, ISR and leader are the target's, nothing is asked for."""
    return (
        cluster.read(replicas, 0) == cluster.read(assigned, c, 0) == target
        and cluster.read(isr, 0) == frozenset(target)
        and cluster.read(leader, 0) in target
        and not cluster.read(requested, 0)
        and all(
            cluster.read(replica_state, c, 0, r) is (ReplicaState.ONLINE if r in target else ReplicaState.NONEXISTENT)
            for r in range(6)
        )
    )


@pytest.mark.parametrize("target", [RAR, OVERLAPPING], ids=("apart", "overlapping"))
def test_without_a_crash_it_ends_at_the_target(target: tuple[int, ...]) -> None:
    """One controller takes the partition to its target, whatever OAR and RAR have in common."""
    cluster = asked(target)
    go_on(cluster, 0)
    assert at_target(cluster, 0, target)


EVERY = pytest.mark.parametrize("every", [4, 1])
"""After every which row something happens: after each of them every night."""


@pytest.mark.representative("overlapping-4")
@EVERY
@pytest.mark.parametrize("target", [RAR, OVERLAPPING], ids=("apart", "overlapping"))
def test_after_a_crash_at_any_step_the_successor_ends_it(target: tuple[int, ...], every: int) -> None:
    """After any number of rows the process may die: the next controller finds what it needs and goes on."""
    whole = go_on(asked(target), 0)
    assert whole > 20
    for rows in range(1, whole + 1, every):
        cluster = asked(target)
        go_on(cluster, 0, rows)
        assert cluster.read(replicas, 0) in (OAR, OAR + tuple(r for r in target if r not in OAR), target)
        cluster.kill(0)
        cluster.elect(1)
        go_on(cluster, 1)
        assert at_target(cluster, 1, target), f"after a crash {rows} rows into it"


@pytest.mark.representative("4")
@EVERY
def test_a_zombie_does_not_hinder_the_successor(every: int) -> None:
    """A controller whose session is gone goes on in memory at every step; nothing that it does reaches ZooKeeper."""
    whole = go_on(asked(RAR), 0)
    for rows in range(1, whole + 1, every):
        cluster = asked(RAR)
        go_on(cluster, 0, rows)
        cluster.do("SessionExpired", c=0)
        cluster.elect(1)
        before = (cluster.read(replicas, 0), cluster.read(isr, 0), cluster.read(leader, 0), cluster.read(requested, 0))
        cluster.finish(0)
        assert before == (
            cluster.read(replicas, 0),
            cluster.read(isr, 0),
            cluster.read(leader, 0),
            cluster.read(requested, 0),
        )
        go_on(cluster, 1)
        assert at_target(cluster, 1, RAR), f"with a zombie {rows} rows into it"
