"""S4 on replicas (lines 35-55), checked against the rows: states, valid changes, and the brokers to notify."""

from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fencepost.model.zk.calls import REPLICA_CALLS
from fencepost.model.zk.outcomes import Outcome
from fencepost.model.zk.state import (
    ReplicaState,
    acting,
    assigned,
    cached_isr,
    cached_leader,
    call,
    controller_epoch,
    deleting,
    due_replicas,
    elected,
    erased,
    exists_,
    follows,
    informed,
    isr,
    knows,
    leader,
    leader_epoch,
    leads,
    live,
    own_epoch,
    replica_state,
    replicas,
    session,
    stated,
    stopped,
    told,
    version,
    written_in,
)
from tests.cases import each

from .cluster import Cluster, Done, cell, delete, passed

NEW, ONLINE, OFFLINE, NONEXISTENT = (
    ReplicaState.NEW,
    ReplicaState.ONLINE,
    ReplicaState.OFFLINE,
    ReplicaState.NONEXISTENT,
)
STARTED, SUCCESSFUL, INELIGIBLE = (
    ReplicaState.DELETION_STARTED,
    ReplicaState.DELETION_SUCCESSFUL,
    ReplicaState.DELETION_INELIGIBLE,
)
PAGE = {(NONEXISTENT, NEW), (NEW, ONLINE), (ONLINE, ONLINE), (OFFLINE, ONLINE), (NEW, OFFLINE), (ONLINE, OFFLINE)}
"""The valid changes as lines 45-51 list them; the last one, Offline to NonExistent, has steps in between."""
DELETION = {(OFFLINE, STARTED), (STARTED, SUCCESSFUL), (SUCCESSFUL, NONEXISTENT)}
"""The steps of Offline to NonExistent."""
BEYOND = {(OFFLINE, OFFLINE), (OFFLINE, INELIGIBLE), (STARTED, INELIGIBLE), (INELIGIBLE, OFFLINE), (INELIGIBLE, ONLINE)}
"""What Kafka has beyond the page."""
BROKERS = frozenset(range(4))


def asked(old: ReplicaState, to: ReplicaState, r: int = 1, **state: Any) -> Done:
    """Let a controller of epoch 1, which knows partition 0 on brokers 0, 1 and 2, be asked to change replica `r`."""
    cluster = Cluster(4, controllers=1)
    one = next(one for one, state_ in REPLICA_CALLS.items() if state_ is to)
    given_: dict[Any, Any] = {
        cell(session, 0): state.get("session", True),
        cell(elected): 0,
        cell(controller_epoch): state.get("epoch", 1),
        cell(acting, 0): True,
        cell(own_epoch, 0): 1,
        cell(exists_, 0): True,
        cell(call, 0): one,
        cell(due_replicas, 0, 0): frozenset({r}),
        cell(replica_state, 0, 0, r): old,
        cell(live, 0): BROKERS,
        cell(replicas, 0): (0, 1, 2),
        cell(assigned, 0, 0): state.get("assigned", (0, 1, 2)),
        cell(deleting, 0, 0): state.get("deleting", False),
    }
    if state.get("led", True):
        members = state.get("isr", frozenset({0, 1, 2}))
        led_by = state.get("leader", min(members))
        given_ |= {
            cell(stated, 0): state.get("stated", True),
            cell(leader, 0): led_by,
            cell(isr, 0): members,
            cell(leader_epoch, 0): 5,
            cell(version, 0): 8,
            cell(written_in, 0): 1,
            cell(knows, 0, 0): True,
            cell(cached_leader, 0, 0): led_by,
            cell(cached_isr, 0, 0): members,
        }
    cluster.put(*given_.items())
    return cluster.do("ReplicaState", c=0, p=0, r=r, to=to)


def sent(done: Done) -> dict[str, frozenset[int]]:
    """Return who gets which request for partition 0, by the requests' names in the state."""
    kinds = {"told": told, "stopped": stopped, "erased": erased}
    found = {name: done.now(one, 0, 0) for name, one in kinds.items()} | {"informed": done.now(informed, 0)}
    return {name: to for name, to in found.items() if to}


@each(("old", "to"), list(product(ReplicaState, ReplicaState)))
def test_replicas_change_only_as_listed(old: ReplicaState, to: ReplicaState) -> None:
    """The page's changes are made, Offline to NonExistent in Kafka's three steps; of all others only Kafka's own."""
    done = asked(old, to)
    valid = (old, to) in PAGE | DELETION | BEYOND
    assert (done.outcome is Outcome.ILLEGAL) is not valid
    assert done.now(replica_state, 0, 0, 1) is (to if valid else old)
    assert done.now(due_replicas, 0, 0) == frozenset()


def test_the_page_has_four_of_the_seven_states() -> None:
    """What only deletion needs apart, the states are the page's four."""
    assert set(ReplicaState) - {STARTED, SUCCESSFUL, INELIGIBLE} == {one for change in PAGE for one in change}


def test_a_new_replica_hears_who_leads() -> None:
    """It gets LeaderAndIsr with the present leader and ISR, all live brokers UpdateMetadata; nothing is written."""
    done = asked(NONEXISTENT, NEW, r=3, assigned=(0, 1, 2, 3))
    assert sent(done) == {"told": frozenset({3}), "informed": BROKERS}
    assert done.now(version, 0) == 8
    assert (done.now(cached_leader, 0, 0), done.now(cached_isr, 0, 0)) == (0, frozenset({0, 1, 2}))


def test_a_new_replica_of_a_partition_without_a_leader_hears_nothing() -> None:
    """Where no leader was ever elected there is nothing to tell."""
    assert sent(asked(NONEXISTENT, NEW, led=False)) == {}


def test_the_leader_does_not_become_new() -> None:
    """The replica that leads cannot be created again: its state is kept."""
    done = asked(NONEXISTENT, NEW, r=0)
    assert (done.outcome, done.now(replica_state, 0, 0, 0)) == (Outcome.IS_LEADER, NONEXISTENT)


@pytest.mark.parametrize(("before", "after"), [((0, 2), (0, 2, 1)), ((1, 0, 2), (1, 0, 2))])
def test_a_replica_that_comes_online_is_assigned(before: tuple[int, ...], after: tuple[int, ...]) -> None:
    """From New to Online the replica is appended to the assigned ones if it is missing, and no broker is notified."""
    done = asked(NEW, ONLINE, assigned=before)
    assert done.now(assigned, 0, 0) == after
    assert sent(done) == {}


@pytest.mark.parametrize("old", [ONLINE, OFFLINE])
def test_a_replica_that_comes_back_hears_who_leads(old: ReplicaState) -> None:
    """To Online from Online or Offline it gets LeaderAndIsr, all live brokers UpdateMetadata; nothing is written."""
    done = asked(old, ONLINE)
    assert sent(done) == {"told": frozenset({1}), "informed": BROKERS}
    assert done.now(version, 0) == 8


@settings(deadline=None)
@given(
    old=st.sampled_from([NEW, ONLINE]),
    members=st.sets(st.integers(0, 2), min_size=1).map(frozenset),
    r=st.integers(0, 2),
    lead=st.integers(0, 2),
)
def test_a_replica_that_goes_offline_leaves_the_isr(
    old: ReplicaState, members: frozenset[int], r: int, lead: int
) -> None:
    """It is stopped, not deleted; it leaves the ISR, the last member apart, and the others hear of the new epoch."""
    led_by = sorted(members)[lead % len(members)]
    done = asked(old, OFFLINE, r=r, isr=members, leader=led_by)
    assert done.now(replica_state, 0, 0, r) is OFFLINE
    assert sent(done)["stopped"] == frozenset({r})
    assert "erased" not in sent(done)
    assert sent(done)["told"] == frozenset({0, 1, 2}) - {r}
    assert sent(done)["informed"] == BROKERS
    left = members if members == {r} else members - {r}
    assert done.now(isr, 0) == left
    if r in members:
        assert done.now(leader, 0) == (None if led_by == r else led_by)
        assert (done.now(leader_epoch, 0), done.now(version, 0)) == (6, 9)
    else:
        assert (done.now(leader, 0), done.now(leader_epoch, 0), done.now(version, 0)) == (led_by, 5, 8)


@pytest.mark.parametrize(
    ("circumstances", "outcome", "new"),
    [
        ({"session": False}, Outcome.SESSION_EXPIRED, ONLINE),
        ({"stated": False}, Outcome.NO_STATE, ONLINE),
        ({"stated": False, "deleting": True}, Outcome.NO_STATE, ONLINE),
        ({"epoch": 2}, Outcome.EPOCH_MOVED, NONEXISTENT),
    ],
)
def test_a_smaller_isr_that_cannot_be_written_is_none(
    circumstances: dict[str, Any], outcome: Outcome, new: ReplicaState
) -> None:
    """Where the write fails no broker is notified, and the state is kept; of a topic that goes, too."""
    done = asked(ONLINE, OFFLINE, **circumstances)
    assert (done.outcome, done.now(replica_state, 0, 0, 1)) == (outcome, new)
    assert done.now(version, 0) == done.was(version, 0)
    assert "told" not in sent(done)
    assert done.now(due_replicas, 0, 0) == frozenset()
    assert ("stopped" in sent(done)) is (outcome is not Outcome.EPOCH_MOVED)


def test_a_replica_of_a_partition_without_a_leader_goes_offline() -> None:
    """It has no ISR to leave: it is stopped, all live brokers get UpdateMetadata, and nothing is written."""
    done = asked(ONLINE, OFFLINE, led=False)
    assert done.now(replica_state, 0, 0, 1) is OFFLINE
    assert sent(done) == {"stopped": frozenset({1}), "informed": BROKERS}
    assert not done.now(stated, 0)


def test_a_replica_is_deleted_by_its_broker() -> None:
    """From Offline to NonExistent it gets StopReplica with deletion first; then it is no assigned replica any more."""
    assert sent(asked(OFFLINE, STARTED)) == {"erased": frozenset({1})}
    assert sent(asked(STARTED, SUCCESSFUL)) == {}
    gone = asked(SUCCESSFUL, NONEXISTENT)
    assert sent(gone) == {}
    assert gone.now(assigned, 0, 0) == (0, 2)


def test_a_replica_lives_as_the_states_tell() -> None:
    """New when its topic is created, Online, Offline when its broker dies, Online again, NonExistent deleted."""
    cluster = Cluster(2).start(0, 1)
    assert passed(cluster.create(0, 1), replica_state, 0, 0, 1) == [NONEXISTENT, NEW, ONLINE]
    assert passed(cluster.lose(1), replica_state, 0, 0, 1) == [ONLINE, OFFLINE]
    assert passed(cluster.return_(1), replica_state, 0, 0, 1) == [OFFLINE, ONLINE]
    done = delete(cluster)
    assert passed(done, replica_state, 0, 0, 1) == [ONLINE, OFFLINE, STARTED, SUCCESSFUL, NONEXISTENT]


def test_a_replica_that_a_reassignment_adds_is_new() -> None:
    """An added replica is New until all of the target are in the ISR."""
    cluster = Cluster(3).start(0, 1, 2)
    cluster.create(0, 1)
    cluster.do("AlterReassignment", c=0, p=0, target=(0, 2))
    assert passed(cluster.finish(), replica_state, 0, 0, 2) == [NONEXISTENT, NEW]
    cluster.alter(frozenset({0, 1, 2}), b=0)
    cluster.do("ResumeReassignment", c=0, p=0)
    assert passed(cluster.finish(), replica_state, 0, 0, 2) == [NEW, ONLINE]


def test_new_replicas_lead_against_the_page() -> None:
    """At a creation the leader is made leader while its replica is New, which the page rules out."""
    cluster = Cluster(2).start(0, 1)
    done = cluster.create(0, 1)
    [election] = [one for one in done if one.now(stated, 0) and not one.was(stated, 0)]
    assert (election.now(leader, 0), election.now(replica_state, 0, 0, 0)) == (0, NEW)
    assert 0 in election.now(told, 0, 0)


def test_online_replicas_lead_or_follow() -> None:
    """Replicas that are Online become leader or follower by the request that each gets."""
    cluster = Cluster(2).start(0, 1)
    for b in (0, 1):
        cluster.do("UpdateMetadata", c=0, b=b)
    cluster.create(0, 1)
    for b in (0, 1):
        assert cluster.read(replica_state, 0, 0, b) is ONLINE
        cluster.do("LeaderAndIsr", c=0, b=b, p=0)
    assert [cluster.read(leads, b, 0) for b in (0, 1)] == [True, False]
    assert [cluster.read(follows, b, 0) for b in (0, 1)] == [None, 0]
