"""Zombies and successors: a controller whose time is over goes on, and nothing of it reaches ZooKeeper or a broker."""

import pytest

from fencepost.reference.simulator import SECOND
from fencepost.reference.zk import paths
from fencepost.reference.zk.names import Leadership, Replica, ReplicaState
from fencepost.reference.zk.names import PartitionState as P

from .scripted import Scripted, with_bug


def test_a_zombie_s_writes_fail_but_its_memory_goes_on() -> None:
    """A controller whose session is gone creates nothing, yet its replicas get online in its memory, as recorded."""
    script = Scripted()
    zombie = script.controller
    zombie.thread.after_steps(2, lambda: script.cluster.server.expire(zombie.client.session))
    since = len(script.steps)
    script.administrator.create_topic("t", {0: (1, 2), 1: (2, 3)})
    script.wait(1)
    own = [s for s in script.steps[since:] if s.node == zombie.id and s.epoch == 1]
    elections = [s for s in own if s.name == "PartitionState" and s.parameters["to"] == "OnlinePartition"]
    assert [s.outcome for s in elections] == ["session expired"] * 2
    assert [s.refused.by for s in elections if s.refused] == ["session"] * 2 or elections[0].refused is None
    online = [s for s in own if s.name == "ReplicaState" and s.parameters["to"] == "OnlineReplica"]
    assert [s.outcome for s in online] == [""] * 4
    failed = [line for line in zombie.log.state_change_lines if "failed to change state for partition t-0" in line]
    assert failed[0].endswith("from NewPartition to NewPartition (state.change.logger)")
    assert all(s.epoch == 2 for s in script.steps[since:] for w in s.writes if w.path.endswith("/state"))
    script.wait(5)
    assert script.cluster.problems() == []


def test_a_controller_that_was_replaced_is_fenced_by_the_epoch_s_version() -> None:
    """/controller is removed while a session is in order: the old controller's next write meets BADVERSION."""
    script = Scripted()
    old = script.controller
    # Every candidate hears of it in time; let the old one stand still meanwhile, in the middle of a creation.
    old.thread.after_steps(2, lambda: (script.administrator.delete_controller(), old.pause(SECOND)))
    since = len(script.steps)
    script.administrator.create_topic("t", {0: (2, 3), 1: (3, 4)})
    script.wait(4)
    assert script.controller is not old
    fenced = [s for s in script.steps[since:] if s.node == old.id and s.outcome == "epoch moved"]
    assert [(s.refused.error, s.refused.by) for s in fenced if s.refused] == [("BADVERSION", "epoch")]
    assert script.names("Resign", since, node=old.id)
    assert script.cluster.problems() == []


def test_a_candidate_that_comes_late_is_told_that_the_znode_exists() -> None:
    """Only one of several candidates makes /controller, and each election raises the epoch by one."""
    script = Scripted()
    for epoch in range(2, 6):
        script.administrator.delete_controller()
        script.wait(1)
        assert script.cluster.server.nodes[paths.CONTROLLER_EPOCH].data == epoch
        active = [one.id for one in script.cluster.brokers.values() if one.controller.is_active]
        assert active == [script.controller.id]


def test_a_new_controller_begins_with_dead_brokers_replicas_ineligible() -> None:
    """At a failover replicas on dead brokers start as ineligible, and then go offline, with no deletion."""
    script = Scripted()
    controller, dead = script.controller, script.other()
    (partition,) = script.create("t", (dead.id, *(one for one in (1, 2, 3, 4) if one != dead.id)))
    since = len(script.steps)
    for broker in (dead, controller):
        script.cluster.hold(broker.id)
        broker.kill()
    script.wait(6)
    elected = script.names("Elect", since)[0]
    assert elected.memory is not None
    started = elected.memory["replicas"]["t-0"]
    assert started[str(dead.id)] in ("ReplicaDeletionIneligible", "OnlineReplica")
    context = script.controller.shared.context
    assert context.replica_state(Replica(partition, dead.id)) is ReplicaState.OFFLINE
    assert dead.id not in script.leadership(partition).isr
    assert context.state(partition) is P.ONLINE


def test_a_newer_controller_s_leadership_is_not_overwritten() -> None:
    """A controller that finds a higher controller epoch in a state znode leaves the partition as it is."""
    script = Scripted()
    dead = script.other()
    (partition,) = script.create("t", (dead.id, script.controller.id))
    node = script.cluster.server.nodes[paths.state_path(partition)]
    node.data = paths.leadership_data(Leadership(dead.id, 4, (dead.id, script.controller.id), 9, node.version))
    script.cluster.hold(dead.id)
    dead.kill()
    script.wait(5)
    assert script.state(partition) is P.OFFLINE
    assert {s.outcome for s in script.names("PartitionState", partition="t-0", strategy="OFFLINE")} == {
        "newer controller"
    }
    assert script.leadership(partition).leader_epoch == 4


@pytest.mark.parametrize("bug", [None, "Z5"])
def test_the_last_member_s_rule_is_what_keeps_it(bug: str | None) -> None:
    """Without the guard of the last replica in sync a dead broker empties the list; with it, it does not."""

    def left() -> tuple[int, ...]:
        script = Scripted()
        dead = script.other()
        (partition,) = script.create("t", (dead.id,))
        script.cluster.hold(dead.id)
        dead.kill()
        script.wait(5)
        return script.leadership(partition).isr

    if bug is None:
        assert len(left()) == 1
    else:
        with with_bug(bug):
            assert left() == ()
