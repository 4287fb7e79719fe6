"""Each operation of the ZooKeeper-era controller, in a cluster that the test drives."""

from __future__ import annotations

from typing import Any

import pytest

from fencepost.reference.zk import paths
from fencepost.reference.zk.controller.elections import OFFLINE_UNCLEAN
from fencepost.reference.zk.controller.shared import Steps
from fencepost.reference.zk.messages import ElectLeadersRequest, ReassignmentRequest
from fencepost.reference.zk.names import RECOVERED, RECOVERING, Replica, ReplicaAssignment, ReplicaState, TopicPartition
from fencepost.reference.zk.names import PartitionState as P
from tests.cases import each

from .scripted import Scripted, table


def test_a_topic_is_created_in_four_moves() -> None:
    """Partitions new, replicas new, partitions led, replicas online: and the first live replica leads."""
    script = Scripted()
    since = len(script.steps)
    (partition,) = script.create("t", (2, 3, 1))
    moves = [(s.name, s.parameters["to"]) for s in script.steps[since:] if s.name in ("PartitionState", "ReplicaState")]
    assert list(dict.fromkeys(moves)) == [
        ("PartitionState", "NewPartition"),
        ("ReplicaState", "NewReplica"),
        ("PartitionState", "OnlinePartition"),
        ("ReplicaState", "OnlineReplica"),
    ]
    one = script.leadership(partition)
    assert (one.leader, one.isr, one.leader_epoch, one.version) == (2, (2, 3, 1), 0, 0)
    assert [s.parameters["is_new"] for s in script.names("LeaderAndIsr", since, partition="t-0")] == [True] * 3


def result_of(steps: Steps[Any]) -> Any:
    """Take all steps of the event thread at once; returns their result."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


@pytest.mark.parametrize("in_sync_is_up", [True, False])
def test_no_election_passes_over_a_member_of_the_isr(in_sync_is_up: bool) -> None:
    """An unclean election too finds no leader while a member of the ISR is up, though assigned no longer."""
    script = Scripted()
    (partition,) = script.create("t", (1, 2))
    shared, partitions = script.controller.shared, script.controller.controller.operations.partitions
    shared.context.set_assignment(partition, ReplicaAssignment((3, 4)))
    if not in_sync_is_up:
        shared.context.set_shutting_down(1, True)
        shared.context.set_shutting_down(2, True)
    assert result_of(partitions.handle([partition], P.ONLINE, OFFLINE_UNCLEAN)) == {
        partition: "no leader" if in_sync_is_up else ""
    }
    assert script.leadership(partition).leader == (1 if in_sync_is_up else 3)


def test_a_topic_without_live_replicas_waits_for_one() -> None:
    """No replica up: the partition stays new, and gets its leader when a broker comes."""
    script = Scripted()
    broker = script.other()
    script.cluster.hold(broker.id)
    broker.kill()
    script.wait(5)
    (partition,) = script.create("t", (broker.id,))
    assert script.state(partition) is P.NEW
    assert script.cluster.leadership(partition) is None
    script.cluster.release(broker.id)
    script.wait(2)
    assert script.state(partition) is P.ONLINE
    assert script.leadership(partition).leader == broker.id


def test_a_dead_leader_is_replaced_and_leaves_the_replicas_in_sync() -> None:
    """A broker dies: the next live replica in sync leads, the dead one leaves; it comes back and catches up."""
    script = Scripted()
    dead = script.other()
    second = script.other(dead.id)
    (partition,) = script.create("t", (dead.id, second.id))
    script.cluster.hold(dead.id)
    dead.kill()
    script.wait(5)
    one = script.leadership(partition)
    assert (one.leader, one.isr) == (second.id, (second.id,))
    assert script.controller.shared.context.replica_state(Replica(partition, dead.id)) is ReplicaState.OFFLINE
    script.cluster.release(dead.id)
    script.wait(5)
    assert script.leadership(partition).isr == (second.id, dead.id)
    assert script.leadership(partition).leader_epoch == one.leader_epoch


def test_the_last_replica_in_sync_stays() -> None:
    """A partition whose only replica dies keeps it in sync without a leader, and it leads again when it is back."""
    script = Scripted()
    dead = script.other()
    (partition,) = script.create("t", (dead.id,))
    script.cluster.hold(dead.id)
    dead.kill()
    script.wait(5)
    one = script.leadership(partition)
    assert (one.leader, one.isr) == (-1, (dead.id,))
    assert script.state(partition) is P.OFFLINE
    script.cluster.release(dead.id)
    script.wait(2)
    assert script.leadership(partition).leader == dead.id


@pytest.mark.parametrize("unclean", [False, True])
def test_unclean_elections_are_a_choice_of_the_topic(unclean: bool) -> None:
    """With no replica in sync alive another one leads only where the topic allows it, and is recovering then."""
    script = Scripted()
    first = script.other()
    second = script.other(first.id)
    (partition,) = script.create("t", (first.id, second.id), unclean=unclean)
    script.cluster.hold(second.id)
    second.kill()
    script.wait(5)
    script.cluster.hold(first.id)
    first.kill()
    script.wait(5)
    script.cluster.release(second.id)
    script.wait(0.7)
    one = script.leadership(partition)
    if unclean:
        assert (one.leader, one.isr, one.recovery) == (second.id, (second.id,), RECOVERING)
        script.cluster.release(first.id)
        script.wait(6)
        assert script.leadership(partition).recovery == RECOVERED
    else:
        assert (one.leader, one.isr, one.recovery) == (-1, (first.id,), RECOVERED)


def test_a_bounce_is_a_failure_and_a_startup() -> None:
    """A broker that is back before the controller has looked is sent everything again, under its new epoch."""
    script = Scripted()
    broker = script.other()
    (partition,) = script.create("t", (broker.id, script.controller.id))
    epoch = script.controller.shared.context.live[broker.id]
    since = len(script.steps)
    broker.stop()
    broker.start()
    script.wait(2)
    begun = [s.parameters["operation"] for s in script.names("Begin", since)]
    assert begun == ["onBrokerFailure", "onBrokerStartup"]
    assert script.controller.shared.context.live[broker.id] > epoch
    told = script.names("LeaderAndIsr", since, broker=broker.id, partition=str(partition))
    assert told[-1].outcome in ("leader", "follower")


def test_the_page_s_example_of_a_reassignment() -> None:
    """{1,2,3} to {4,5,6}: assignment and leadership go through the six states of the page's table, in its order."""
    script = Scripted(brokers=6)
    (partition,) = script.create("t", (1, 2, 3))
    answer = script.ask(ReassignmentRequest({partition: (4, 5, 6)}), 12)
    assert answer.partitions == {partition: "NONE"}
    old, new, both = (1, 2, 3), (4, 5, 6), (1, 2, 3, 4, 5, 6)
    page = [
        (old, "1/{1,2,3}"),
        (both, "1/{1,2,3}"),
        (both, "1/{1,2,3,4,5,6}"),
        (both, "4/{1,2,3,4,5,6}"),
        (both, "4/{4,5,6}"),
        (new, "4/{4,5,6}"),
    ]
    found = table(script, partition)
    assert [one for one in found if one in page] == page
    assert (found[0], found[-1]) == (page[0], page[-1])
    for broker in old:
        replicas = script.broker(broker).replicas
        assert replicas is not None
        assert partition not in replicas.hosted


def test_a_reassignment_can_be_changed_and_cancelled() -> None:
    """The latest target counts; a cancelled reassignment goes back to the replicas that were there before."""
    script = Scripted()
    (partition,) = script.create("t", (1, 2))
    down = script.other(1, 2)
    faults = script.cluster.network.faults
    # The added replicas cannot fetch, so nothing can be finished.
    cut = faults.cut([script.broker(one).name for one in (1, 2)], [script.broker(one).name for one in (3, 4)])
    assert down.id in (3, 4)
    script.ask(ReassignmentRequest({partition: (3, 4)}))
    assert script.replicas(partition) == [3, 4, 1, 2]
    script.ask(ReassignmentRequest({partition: (1, 4)}))
    assert script.replicas(partition) == [1, 4, 2]
    assert script.ask(ReassignmentRequest({partition: None})).partitions == {partition: "NONE"}
    assert script.replicas(partition) in ([1, 2], [2, 1])
    assert script.leadership(partition).isr == (1, 2)
    faults.heal(cut)
    again = script.ask(ReassignmentRequest({partition: None}))
    assert again.partitions == {partition: "NO_REASSIGNMENT_IN_PROGRESS"}


def test_only_added_replicas_have_to_be_alive() -> None:
    """A target may keep a replica whose broker is down, but not add one."""
    script = Scripted()
    dead = script.other()
    kept = next(one for one in (1, 2, 3, 4) if one != dead.id)
    (partition,) = script.create("t", (kept, dead.id))
    script.cluster.hold(dead.id)
    dead.kill()
    script.wait(5)
    other = next(one for one in (1, 2, 3, 4) if one not in (kept, dead.id))
    assert script.ask(ReassignmentRequest({partition: (kept, dead.id)})).partitions == {partition: "NONE"}
    (second,) = script.create("u", (kept, other))
    refused = script.ask(ReassignmentRequest({second: (kept, dead.id)}))
    assert refused.partitions == {second: "INVALID_REPLICA_ASSIGNMENT"}


def test_the_old_znode_wishes_reassignments_and_is_removed_when_they_are_done() -> None:
    """/admin/reassign_partitions begins reassignments, and each that is done leaves it; the last one removes it."""
    script = Scripted()
    first, second = script.create("t", (1, 2), (2, 3))
    script.administrator.wish_reassignments({first: (3, 4), second: (4, 1)})
    script.wait(10)
    assert (script.replicas(first), script.replicas(second)) == ([3, 4], [4, 1])
    assert paths.REASSIGN_PARTITIONS not in script.cluster.server.nodes


@each("steps", range(1, 40, 2))
def test_a_reassignment_survives_the_controller_s_death_after_any_step(steps: int) -> None:
    """The controller dies after some step of a reassignment: the next one goes on, and gets to its end."""
    script = Scripted()
    script.controller.kill()
    script.wait(5)
    (partition,) = script.create("t", (1, 2))
    controller = script.controller
    script.cluster.hold(controller.id)
    controller.thread.after_steps(steps, controller.kill)
    script.administrator.ask(ReassignmentRequest({partition: (3, 4)}))
    script.wait(8)
    controller.thread.after_steps(0, None)
    script.cluster.release_all()
    script.wait(15)
    assert script.cluster.problems() == []
    # If the request itself died with the controller nothing was asked for.
    assert script.replicas(partition) == ([3, 4] if script.names("Reassignment", phase="U1") else [1, 2])


def test_a_preferred_leader_is_elected_when_it_is_in_sync() -> None:
    """A preferred election moves the leadership back; it asks for nothing where that leader leads already."""
    script = Scripted()
    dead = script.other()
    second = script.other(dead.id)
    (partition,) = script.create("t", (dead.id, second.id))
    dead.stop()
    script.wait(2)
    dead.start()
    script.wait(5)
    assert script.leadership(partition).leader == second.id
    answer = script.ask(ElectLeadersRequest((partition,), "PREFERRED"))
    assert answer.partitions == {partition: "NONE"}
    assert script.leadership(partition).leader == dead.id
    answer = script.ask(ElectLeadersRequest((partition,), "PREFERRED"))
    assert answer.partitions == {partition: "ELECTION_NOT_NEEDED"}


def test_a_wished_election_is_done_and_forgotten() -> None:
    """/admin/preferred_replica_election elects, and is removed; the next wish is seen as well."""
    script = Scripted()
    (partition,) = script.create("t", (1, 2))
    for _ in range(2):
        script.administrator.wish_elections([partition])
        script.wait(1)
        assert paths.PREFERRED_ELECTION not in script.cluster.server.nodes
    assert len(script.names("ForgetElections")) == 2


def test_a_controlled_shutdown_moves_leaderships_before_the_broker_stops() -> None:
    """Who asks to shut down leads nothing any more and is in sync nowhere, but where it is alone."""
    script = Scripted()
    broker, second = script.other(), script.controller
    led, followed, alone = script.create("t", (broker.id, second.id), (second.id, broker.id), (broker.id,))
    since = len(script.steps)
    script.cluster.hold(broker.id)
    broker.terminate()
    script.wait(3)
    assert not broker.alive
    assert (script.leadership(led).leader, script.leadership(led).isr) == (second.id, (second.id,))
    assert script.leadership(followed).isr == (second.id,)
    assert script.leadership(alone).isr == (broker.id,)
    moved = next(s for s in script.steps[since:] if s.name == "PartitionState" and s.parameters["partition"] == "t-0")
    crash = next(s for s in script.steps[since:] if s.name == "Crash")
    assert moved.parameters["strategy"] == "CONTROLLED_SHUTDOWN"
    assert script.steps.index(moved) < script.steps.index(crash)
    # The broker that shuts down is also notified of the new leader.
    assert broker.id in [one.broker for one in moved.sent if one.kind == "LeaderAndIsr"]


def test_a_topic_is_deleted_with_all_its_znodes() -> None:
    """Leaders go one by one, the last member stays; then brokers delete, and ZooKeeper forgets the topic."""
    script = Scripted()
    (partition,) = script.create("t", (1, 2))
    since = len(script.steps)
    script.administrator.delete_topic("t")
    script.wait(3)
    nodes = script.cluster.server.nodes
    assert [path for path in nodes if path[-2:] == "/t" or "/t/" in path] == []
    assert script.state(partition) is P.NON_EXISTENT
    written = [
        w.data for s in script.steps[since:] for w in s.writes if w.path == paths.state_path(partition) and w.data
    ]
    assert [(one["leader"], one["isr"]) for one in written] == [(-1, [2]), (-1, [2])]
    stops = [one for s in script.steps[since:] for one in s.sent if one.kind == "StopReplica"]
    assert {one.fields["leader_epoch"] for one in stops} == {-2}
    assert [one.fields["delete"] for one in stops] == [False, False, True, True]


def test_a_deletion_waits_for_a_broker_that_is_down() -> None:
    """A dead replica makes its topic ineligible, and goes offline for the next try, when its broker is back."""
    script = Scripted()
    dead, alive = script.other(), script.controller
    (partition,) = script.create("t", (dead.id, alive.id))
    script.cluster.hold(dead.id)
    dead.kill()
    script.wait(5)
    script.administrator.delete_topic("t")
    script.wait(2)
    context = script.controller.shared.context
    assert context.ineligible == {"t"}
    moves = [
        s.parameters["to"] for s in script.names("ReplicaState", replica=dead.id, partition="t-0") if not s.outcome
    ]
    assert moves[-2:] == ["ReplicaDeletionIneligible", "OfflineReplica"]
    assert context.replica_state(Replica(partition, alive.id)) is ReplicaState.DELETION_SUCCESSFUL
    script.cluster.release(dead.id)
    script.wait(3)
    assert paths.topic_path("t") not in script.cluster.server.nodes


@each("steps", range(1, 30, 3))
def test_a_deletion_survives_the_controller_s_death_after_any_step(steps: int) -> None:
    """How far a deletion got is only in memory: the next controller deletes again, and finishes."""
    script = Scripted()
    script.create("t", (1, 2), (3, 4))
    controller = script.controller
    script.cluster.hold(controller.id)
    controller.thread.after_steps(steps, controller.kill)
    script.administrator.delete_topic("t")
    script.wait(6)
    controller.thread.after_steps(0, None)
    script.cluster.release_all()
    script.wait(10)
    assert script.cluster.problems() == []
    assert paths.topic_path("t") not in script.cluster.server.nodes


def test_more_partitions_are_created_but_not_for_a_topic_to_be_deleted() -> None:
    """A topic that grows gets its new partitions; one that waits to be deleted has its znode written back."""
    script = Scripted()
    script.create("t", (1, 2))
    script.administrator.add_partitions("t", {1: (2, 3)})
    script.wait(1)
    assert script.leadership(TopicPartition("t", 1)).leader == 2
    dead = script.other()
    script.create("u", (dead.id,))
    script.cluster.hold(dead.id)
    dead.kill()
    script.wait(5)
    script.administrator.delete_topic("u")
    script.wait(1)
    script.administrator.add_partitions("u", {1: (1, 2)})
    script.wait(1)
    assert list(script.cluster.server.nodes[paths.topic_path("u")].data["partitions"]) == ["0"]


def test_a_failed_directory_takes_its_replicas_offline() -> None:
    """The controller asks by LeaderAndIsr which replicas are lost, and moves what they led."""
    script = Scripted()
    broker, second = script.other(), script.controller
    lost, kept = script.create("t", (broker.id, second.id), (broker.id, second.id))
    broker.fail_directory({lost})
    script.wait(3)
    assert script.leadership(lost).leader == second.id
    assert script.leadership(kept).leader == broker.id
    assert script.controller.shared.context.offline_replicas == {broker.id: {lost}}
    assert any("Mark replicas t-0 on broker" in line for line in script.controller.log.state_change_lines)
    broker.stop()
    broker.start()
    script.wait(5)
    assert script.controller.shared.context.offline_replicas == {}
    assert set(script.leadership(lost).isr) == {broker.id, second.id}
