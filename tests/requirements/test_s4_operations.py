"""S4 on the controller's operations (lines 6 and 57-124), checked against the rows: what each does, in which order."""

from itertools import groupby
from typing import Any

import pytest

from fencepost.model.zk.outcomes import Error, Outcome
from fencepost.model.zk.protocol import ZK
from fencepost.model.zk.state import *
from fencepost.model.zk.twelve_steps import twelve_steps

from .cluster import Cluster, Done, changes, passed

P, R = PartitionState, ReplicaState
OLD, TARGET = (0, 1, 2), (3, 4, 5)
EVERY = frozenset({*OLD, *TARGET})


def strategies(done: list[Done]) -> list[Strategy]:
    """Return the selectors of the elections among some rows, in order."""
    return [one.parameters["how"] for one in done if one.parameters.get("to") is P.ONLINE]


def test_one_broker_is_the_controller() -> None:
    """No second controller is elected beside one; once its session is gone another one is, under the next epoch."""
    cluster = Cluster(2).start(0, 1)
    cluster.do("SessionEstablished", c=1)
    assert (cluster.read(elected), cluster.read(controller_epoch)) == (0, 1)
    assert cluster.refused("Elect", c=1)
    cluster.do("SessionExpired", c=0)
    cluster.elect(1)
    assert (cluster.read(elected), cluster.read(controller_epoch)) == (1, 2)
    assert cluster.read(acting, 0)
    cluster.do("SessionEstablished", c=0)
    assert not cluster.read(acting, 0)


def test_a_creation_has_four_calls_in_order() -> None:
    """Partitions to New, replicas to New, partitions to Online, replicas to Online: all of the topic in each call."""
    cluster = Cluster(2, partitions=2).start(0, 1)
    cluster.do("CreateTopic", p=0, target=(0, 1))
    cluster.do("CreateTopic", p=1, target=(1,))
    cluster.do("TopicChange", c=0)
    done = cluster.finish()
    assert changes(done) == [
        *((0, P.NEW), (1, P.NEW)),
        *((0, 0, R.NEW), (0, 1, R.NEW), (1, 1, R.NEW)),
        *((0, P.ONLINE), (1, P.ONLINE)),
        *((0, 0, R.ONLINE), (0, 1, R.ONLINE), (1, 1, R.ONLINE)),
    ]
    assert {one.outcome for one in done if one.parameters.keys() > {"c"}} == {Outcome.DONE}


def test_a_broker_failure_has_three_calls_in_order() -> None:
    """What it led to Offline, all that wait for a leader to Online, its replicas to Offline."""
    cluster = Cluster(3, partitions=3).start(0, 1, 2)
    cluster.create(0, 1, p=0)
    cluster.create(1, 0, p=1)
    cluster.do("BrokerGone", b=2)
    cluster.do("BrokerChange", c=0)
    cluster.finish()
    cluster.create(2, p=2)
    assert cluster.read(partition_state, 0, 2) is P.NEW
    done = cluster.lose(0)
    assert changes(done) == [
        *((0, P.OFFLINE),),
        *((0, P.ONLINE), (2, P.ONLINE)),
        *((0, 0, R.OFFLINE), (1, 0, R.OFFLINE)),
    ]
    assert strategies(done) == [Strategy.OFFLINE] * 2
    assert [cluster.read(leader, p) for p in (0, 1)] == [1, 1]
    assert [cluster.read(isr, p) for p in (0, 1)] == [frozenset({1})] * 2
    assert cluster.read(partition_state, 0, 2) is P.NEW


def test_the_others_hear_of_a_broker_that_hosted_nothing() -> None:
    """Where a failure changes no partition UpdateMetadata goes out all the same."""
    cluster = Cluster(2).start(0, 1)
    for b in (0, 1):
        cluster.do("UpdateMetadata", c=0, b=b)
    done = cluster.lose(1)
    assert changes(done) == []
    assert cluster.read(informed, 0) == frozenset({0})


def test_a_broker_startup_has_its_calls_in_order() -> None:
    """UpdateMetadata first, then its replicas to Online, then all that wait for a leader to Online."""
    cluster = Cluster(3, partitions=2).start(0, 1)
    cluster.create(0, 1, p=0)
    cluster.lose(1)
    cluster.create(1, 2, p=1)
    for b in cluster.read(informed, 0):
        cluster.do("UpdateMetadata", c=0, b=b)
    done = cluster.return_(1)
    assert done[0].now(informed, 0) == frozenset({0, 1})
    assert changes(done) == [(0, 1, R.ONLINE), (1, 1, R.ONLINE), (1, P.ONLINE)]
    assert strategies(done) == [Strategy.OFFLINE]
    assert 1 in cluster.read(told, 0, 0)
    assert (cluster.read(leader, 1), cluster.read(partition_state, 0, 1)) == (1, P.ONLINE)


def reassigned(cluster: Cluster) -> list[Done]:
    """Let partition 0 move from OLD to TARGET, and return all that was done."""
    since = len(cluster.log)
    cluster.do("AlterReassignment", c=0, p=0, target=TARGET)
    cluster.finish()
    cluster.alter(EVERY, b=0)
    cluster.do("ResumeReassignment", c=0, p=0)
    cluster.finish()
    return cluster.log[since:]


def six() -> Cluster:
    """Return a cluster of six brokers with partition 0 on the old replicas."""
    cluster = Cluster(6).start(*EVERY)
    cluster.create(*OLD)
    return cluster


PAGE_VALUES = [
    (frozenset(OLD), 0, frozenset(OLD)),
    (EVERY, 0, frozenset(OLD)),
    (EVERY, 0, EVERY),
    (EVERY, 3, EVERY),
    (EVERY, 3, frozenset(TARGET)),
    (frozenset(TARGET), 3, frozenset(TARGET)),
]
"""The assigned replicas, the leader and the ISR as lines 99-104 have them, with brokers that begin at 0."""


def values(done: list[Done]) -> list[tuple[frozenset[int], int | None, frozenset[int]]]:
    """Return what the znodes hold along some rows, but for what lies between the page's values: an ISR half shrunk."""
    seen = ((frozenset(one.now(replicas, 0)), one.now(leader, 0), one.now(isr, 0)) for one in done)
    return [found for found, _ in groupby(seen) if found[2] in (frozenset(OLD), EVERY, frozenset(TARGET))]


def test_a_reassignment_passes_the_values_of_the_example() -> None:
    """The znodes pass the page's six values in order, and the assigned replicas three sets; the target comes first."""
    done = reassigned(six())
    assert values(done) == PAGE_VALUES
    assert passed(done, replicas, 0) == [OLD, TARGET + OLD, TARGET]


def test_the_twelve_steps_pass_the_values_of_the_example() -> None:
    """With the page's own steps the znodes pass the same values; the list is OAR, then RAR, as in its example."""
    cluster = Cluster(6, protocol=twelve_steps(ZK)).start(*EVERY)
    cluster.create(*OLD)
    since = len(cluster.log)
    cluster.do("RequestReassignment", p=0, target=TARGET)
    cluster.do("OnPartitionReassignment", c=0, p=0)
    cluster.finish()
    assert cluster.refused("ReassignedReplicasInSync", c=0, p=0)
    cluster.alter(EVERY, b=0)
    cluster.do("ReassignedReplicasInSync", c=0, p=0)
    cluster.finish()
    done = cluster.log[since:]
    assert passed(done, replicas, 0) == [OLD, OLD + TARGET, TARGET]
    assert values(done) == PAGE_VALUES
    assert [row for row in (one.row for one in done) if row[0] == "T"] == [
        *("T0", "T1", "T2", "T3", "T4", "T6", "T7", "T8", "T9a", "T9b", "T9c", "T9", "T10", "T11", "T12")
    ]
    assert not cluster.read(requested, 0)


def test_a_reassignment_takes_its_steps_in_order() -> None:
    """The steps before and after the wait, by what each changes: states, lists, requests."""
    cluster = six()
    done = reassigned(cluster)
    [asked] = [one for one in done if one.event == "AlterPartition"]
    before, after = done[: done.index(asked)], done[done.index(asked) + 1 :]
    assert changes(before) == [(0, r, R.NEW) for r in TARGET]
    [bumped] = [one for one in before if one.now(leader_epoch, 0) != one.was(leader_epoch, 0)]
    assert bumped.was(replicas, 0) == TARGET + OLD
    assert bumped.now(told, 0, 0) >= EVERY
    assert changes(after) == [
        *((0, r, R.ONLINE) for r in TARGET),
        (0, P.ONLINE),
        *((0, r, R.OFFLINE) for r in OLD),
        *((0, r, R.DELETION_STARTED) for r in OLD),
        *((0, r, R.DELETION_SUCCESSFUL) for r in OLD),
        *((0, r, R.NONEXISTENT) for r in OLD),
    ]
    assert strategies(after)[-1] is Strategy.REASSIGN

    def when(variable: Any, *keys: Any) -> int:
        return next(i for i, one in enumerate(after) if one.now(variable, *keys) != one.was(variable, *keys))

    in_memory, moved, deleted, stored = when(assigned, 0, 0), when(leader, 0), when(erased, 0, 0), when(replicas, 0)
    assert in_memory < moved < when(isr, 0) < deleted < stored
    assert after[moved].now(assigned, 0, 0) == TARGET
    assert after[moved].now(isr, 0) == EVERY
    assert after[moved].now(told, 0, 0) >= frozenset(TARGET)
    assert after[-1].now(erased, 0, 0) == after[-1].now(stopped, 0, 0) == frozenset(OLD)
    assert (after[stored].now(adding, 0), after[stored].now(removing, 0)) == (frozenset(), frozenset())
    assert after[-1].now(informed, 0) == EVERY


def test_a_leader_that_stays_hears_of_the_smaller_list() -> None:
    """Where the leader is in the target none is elected: it hears of the list under the next leader epoch."""
    cluster = Cluster(3).start(0, 1, 2)
    cluster.create(0, 1)
    cluster.do("AlterReassignment", c=0, p=0, target=(0, 2))
    cluster.finish()
    cluster.alter(frozenset({0, 1, 2}), b=0)
    epoch = cluster.read(leader_epoch, 0)
    cluster.do("ResumeReassignment", c=0, p=0)
    done = cluster.finish()
    assert strategies(done) == []
    [told_by] = [one for one in done if one.now(leader_epoch, 0) == epoch + 1 != one.was(leader_epoch, 0)]
    assert (told_by.now(leader, 0), told_by.now(isr, 0)) == (0, frozenset({0, 1, 2}))
    assert told_by.now(assigned, 0, 0) == (0, 2)
    assert (cluster.read(isr, 0), cluster.read(replicas, 0)) == (frozenset({0, 2}), (0, 2))


def test_a_reassignment_waits_for_the_isr() -> None:
    """Until all of the target are in the ISR nothing of the old replicas is touched, however often it is resumed."""
    cluster = six()
    cluster.do("AlterReassignment", c=0, p=0, target=TARGET)
    cluster.finish()
    cluster.alter(frozenset({*OLD, 3, 4}), b=0)
    assert cluster.refused("ResumeReassignment", c=0, p=0)
    assert cluster.read(replicas, 0) == TARGET + OLD
    assert [cluster.read(replica_state, 0, 0, r) for r in TARGET] == [R.NEW] * 3
    assert [cluster.read(replica_state, 0, 0, r) for r in OLD] == [R.ONLINE] * 3


STEPS = len(reassigned(six()))


@pytest.mark.representative("1", "5", "21", "17", "29")
@pytest.mark.parametrize("steps", range(1, STEPS))
def test_a_crash_during_a_reassignment_is_recovered_forwards(steps: int) -> None:
    """Wherever the controller dies, the next one ends on the target, or the reassignment was never written."""
    cluster = six()
    since = len(cluster.log)
    cluster.do("AlterReassignment", c=0, p=0, target=TARGET)
    while len(cluster.log) - since < steps:
        if cluster.step() is None and cluster.read(isr, 0) != EVERY:
            cluster.alter(EVERY, b=0)
        elif not cluster.refused("ResumeReassignment", c=0, p=0):
            cluster.do("ResumeReassignment", c=0, p=0)
    written = cluster.read(replicas, 0) != OLD
    cluster.kill(0)
    cluster.elect(1)
    for _ in range(3):
        if not cluster.refused("ResumeReassignment", c=1, p=0):
            cluster.do("ResumeReassignment", c=1, p=0)
            cluster.finish(1)
        if cluster.read(cached_adding, 1, 0) and not cluster.read(isr, 0) >= frozenset(TARGET):
            cluster.alter(EVERY, b=cluster.read(leader, 0), c=1)
    assert cluster.read(replicas, 0) == (TARGET if written else OLD)
    assert (cluster.read(adding, 0), cluster.read(removing, 0)) == (frozenset(), frozenset())
    assert cluster.read(leader, 0) in cluster.read(replicas, 0)
    assert cluster.read(isr, 0) == frozenset(cluster.read(replicas, 0))


def test_a_startup_takes_up_reassignments() -> None:
    """A reassignment that waits for a broker goes on when it comes, and its added replica is notified."""
    cluster = Cluster(3).start(0, 1, 2)
    cluster.create(0, 1)
    cluster.do("AlterReassignment", c=0, p=0, target=(0, 2))
    cluster.finish()
    cluster.lose(2)
    cluster.return_(2)
    cluster.do("ResumeReassignment", c=0, p=0)
    cluster.finish()
    assert 2 in cluster.read(told, 0, 0)
    cluster.alter(frozenset({0, 1, 2}), b=0)
    cluster.do("ResumeReassignment", c=0, p=0)
    cluster.finish()
    assert cluster.read(replicas, 0) == (0, 2)


def over() -> list[Done]:
    """Let a controller and a broker die together, a topic be created meanwhile, and the next controller take over."""
    cluster = Cluster(4, partitions=3).start(0, 1, 2, 3)
    cluster.create(0, 1, 2, p=0)
    cluster.create(2, 3, p=1)
    cluster.kill(0)
    cluster.do("BrokerGone", b=2)
    cluster.do("CreateTopic", p=2, target=(1, 3))
    return cluster.elect(1)


def test_a_failover_begins_from_what_zookeeper_says() -> None:
    """Partitions begin New, Offline or Online; replicas Online, or DeletionIneligible on dead brokers."""
    first = over()[0]
    assert [first.now(partition_state, 1, p) for p in (0, 1, 2)] == [P.ONLINE, P.OFFLINE, P.NEW]
    assert [first.now(replica_state, 1, 0, r) for r in (0, 1, 2)] == [R.ONLINE, R.ONLINE, R.DELETION_INELIGIBLE]


def test_a_failover_starts_replicas_then_partitions() -> None:
    """UpdateMetadata first; replicas on live brokers to Online, the others to Offline; then leaders for all without."""
    done = over()
    assert done[0].now(informed, 1) == frozenset({0, 1, 3})
    assert changes(done) == [
        *((0, 0, R.ONLINE), (0, 1, R.ONLINE), (1, 3, R.ONLINE), (2, 1, R.ONLINE), (2, 3, R.ONLINE)),
        *((0, 2, R.OFFLINE), (1, 2, R.OFFLINE)),
        *((1, P.ONLINE), (2, P.ONLINE)),
    ]
    assert done[-1].now(isr, 0) == frozenset({0, 1})
    assert done[-1].now(told, 1, 0) == frozenset({0, 1})
    assert [done[-1].now(leader, p) for p in (0, 1, 2)] == [0, 3, 1]


def test_a_preferred_election_moves_the_leader_back() -> None:
    """The first assigned replica leads again once it is in the ISR; before that the leader stays."""
    cluster = Cluster(2).start(0, 1)
    cluster.create(0, 1)
    cluster.lose(0)
    cluster.return_(0)
    for expected in (1, 0):
        cluster.do("ElectLeaders", c=0, partitions=frozenset({0}))
        done = cluster.finish()
        assert changes(done) == [(0, P.ONLINE)]
        assert strategies(done) == [Strategy.PREFERRED]
        assert (cluster.read(leader, 0), cluster.read(partition_state, 0, 0)) == (expected, P.ONLINE)
        if expected:
            cluster.alter(frozenset({0, 1}), b=1)


def test_a_failover_takes_up_preferred_elections() -> None:
    """A preferred election that was asked for is carried out by the next controller."""
    cluster = Cluster(2).start(0, 1)
    cluster.create(0, 1)
    cluster.lose(0)
    cluster.return_(0)
    cluster.alter(frozenset({0, 1}), b=1)
    cluster.kill(0)
    cluster.elect(1)
    cluster.do("ElectLeaders", c=1, partitions=frozenset({0}))
    cluster.finish(1)
    assert cluster.read(leader, 0) == 0


def shut_down(cluster: Cluster, b: int) -> list[Done]:
    """Let a broker ask for its controlled shutdown, and return what the controller did."""
    asked = cluster.do("ControlledShutdown", c=0, b=b, asked_epoch=cluster.read(broker_epoch, b))
    assert asked.outcome is Error.NONE
    return [asked, *cluster.finish()]


def test_a_controlled_shutdown_moves_leaders_then_stops_followers() -> None:
    """What the broker leads moves; where it followed it is stopped and leaves the ISR; its only replicas stay."""
    cluster = Cluster(3, partitions=3).start(0, 1, 2)
    cluster.create(0, 1, 2, p=0)
    cluster.create(1, 0, 2, p=1)
    cluster.create(0, p=2)
    done = shut_down(cluster, 0)
    assert changes(done) == [(0, P.ONLINE), (1, 0, R.OFFLINE)]
    assert strategies(done) == [Strategy.SHUTDOWN]
    assert cluster.read(shutting_down, 0) == frozenset({0})
    assert [cluster.read(leader, p) for p in (0, 1, 2)] == [1, 1, 0]
    assert [cluster.read(isr, p) for p in (0, 1, 2)] == [frozenset({1, 2}), frozenset({1, 2}), frozenset({0})]
    assert (cluster.read(stopped, 0, 1), cluster.read(erased, 0, 1)) == (frozenset({0}), frozenset())
    assert 0 in cluster.read(told, 0, 0)


def test_a_controlled_shutdown_without_another_in_sync_leaves_the_leader() -> None:
    """Where no other replica is in the ISR the leader stays, and the partition keeps its state."""
    cluster = Cluster(2).start(0, 1)
    cluster.create(0, 1)
    cluster.alter(frozenset({0}), b=0)
    shut_down(cluster, 0)
    assert (cluster.read(leader, 0), cluster.read(isr, 0)) == (0, frozenset({0}))
    assert cluster.read(partition_state, 0, 0) is P.ONLINE
    assert not cluster.read(session, 1)
