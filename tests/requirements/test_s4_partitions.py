"""S4 on partitions (lines 8-33), checked against the rows: states, valid changes, and the four selectors."""

from itertools import product
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fencepost.model.zk.calls import PARTITION_CALLS
from fencepost.model.zk.outcomes import Outcome
from fencepost.model.zk.state import (
    PartitionState,
    Strategy,
    acting,
    aim,
    assigned,
    call,
    controller_epoch,
    due,
    elected,
    exists_,
    gone,
    informed,
    isr,
    knows,
    leader,
    leader_epoch,
    live,
    own_epoch,
    partition_state,
    replicas,
    session,
    shutting_down,
    stated,
    told,
    unclean,
    version,
    written_in,
)
from tests.cases import each

from .cluster import Cluster, Done, cell, delete, passed

NEW, ONLINE, OFFLINE, NONEXISTENT = (
    PartitionState.NEW,
    PartitionState.ONLINE,
    PartitionState.OFFLINE,
    PartitionState.NONEXISTENT,
)
PAGE = {
    (NONEXISTENT, NEW),
    (NEW, ONLINE),
    (ONLINE, ONLINE),
    (OFFLINE, ONLINE),
    (NEW, OFFLINE),
    (ONLINE, OFFLINE),
    (OFFLINE, NONEXISTENT),
}
"""The valid changes as lines 17-32 list them."""

BROKERS = 4
SOME = st.sets(st.integers(0, BROKERS - 1)).map(frozenset)
LISTS = st.permutations(range(BROKERS)).flatmap(lambda one: st.integers(1, BROKERS).map(lambda n: tuple(one[:n])))
CALLS = {strategy: one for one, (to, strategy) in PARTITION_CALLS.items() if to is ONLINE}


def asked(to: PartitionState, how: Strategy = Strategy.NONE, **state: Any) -> Done:
    """Let a controller of epoch 1, in a state that is given, be asked to change partition 0."""
    cluster = Cluster(BROKERS, controllers=1)
    one = next(one for one, (state_, strategy) in PARTITION_CALLS.items() if (state_, strategy) == (to, how))
    given_: dict[Any, Any] = {
        cell(session, 0): state.get("session", True),
        cell(elected): 0,
        cell(controller_epoch): state.get("epoch", 1),
        cell(acting, 0): True,
        cell(own_epoch, 0): 1,
        cell(exists_, 0): True,
        cell(call, 0): one,
        cell(due, 0, 0): True,
        cell(partition_state, 0, 0): state.get("state", ONLINE),
        cell(live, 0): state.get("live", frozenset(range(BROKERS))),
        cell(shutting_down, 0): state.get("leaving", frozenset()),
        cell(replicas, 0): state.get("assigned", (0, 1, 2)),
        cell(assigned, 0, 0): state.get("assigned", (0, 1, 2)),
        cell(aim, 0): state.get("target", ()),
        cell(unclean, 0): state.get("unclean", False),
    }
    if "isr" in state:
        given_ |= {
            cell(stated, 0): True,
            cell(leader, 0): min(state["isr"], default=None),
            cell(isr, 0): state["isr"],
            cell(leader_epoch, 0): 5,
            cell(version, 0): 8,
            cell(written_in, 0): state.get("written_in", 1),
            cell(knows, 0, 0): True,
        }
    cluster.put(*given_.items())
    return cluster.do("PartitionState", c=0, p=0, to=to, how=how)


def unchanged(done: Done) -> set[str]:
    """Return the names of the variables that a change has changed, but for what the thread has yet to do."""
    cells = set(done.before) | set(done.after)
    differ = {state for state, keys in cells if done.before.read(state, keys) != done.after.read(state, keys)}
    return {state.name for state in differ} - {due.state.name}


@each(("old", "to"), list(product(PartitionState, PartitionState)))
def test_partitions_change_only_as_listed(old: PartitionState, to: PartitionState) -> None:
    """Every change of the page's list is made, every other refused and the state kept, but for Offline to Offline."""
    how = Strategy.OFFLINE if to is ONLINE else Strategy.NONE
    state = {"isr": frozenset({0, 1})} if old in (ONLINE, OFFLINE) else {}
    done = asked(to, how, state=old, **state)
    valid = (old, to) in PAGE or old is to is OFFLINE
    assert (done.outcome is Outcome.ILLEGAL) is not valid
    assert not done.now(due, 0, 0)
    assert done.now(partition_state, 0, 0) is (to if valid else old)


@pytest.mark.parametrize(("old", "to"), [(NEW, OFFLINE), (ONLINE, OFFLINE), (OFFLINE, NONEXISTENT), (NONEXISTENT, NEW)])
def test_nothing_but_the_state_changes(old: PartitionState, to: PartitionState) -> None:
    """Going Offline, NonExistent or New is a change of state: nothing is written, and no broker is notified."""
    assert unchanged(asked(to, state=old, isr=frozenset({0, 1}))) == {partition_state.state.name}


@settings(deadline=None)
@given(assigned=LISTS, live=SOME)
def test_the_first_live_replica_leads_a_new_partition(assigned: tuple[int, ...], live: frozenset[int]) -> None:
    """The first live replica leads, all live ones are the ISR and are notified; with none the partition stays new."""
    done = asked(ONLINE, Strategy.OFFLINE, state=NEW, assigned=assigned, live=live)
    there = [one for one in assigned if one in live]
    if not there:
        assert (done.outcome, done.now(partition_state, 0, 0)) == (Outcome.NO_LEADER, NEW)
        assert unchanged(done) == set()
        return
    assert done.now(partition_state, 0, 0) is ONLINE
    assert (done.now(leader, 0), done.now(isr, 0)) == (there[0], frozenset(there))
    assert (done.now(stated, 0), done.now(leader_epoch, 0), done.now(version, 0)) == (True, 0, 0)
    assert (done.now(told, 0, 0), done.now(informed, 0)) == (frozenset(there), live)


def wanted(
    how: Strategy,
    assigned: tuple[int, ...],
    target: tuple[int, ...],
    live: frozenset[int],
    isr: frozenset[int],
    leaving: frozenset[int],
    unclean: bool,
) -> tuple[int, frozenset[int], frozenset[int]] | None:
    """Return leader, ISR and receivers as lines 25-28 say, with what Kafka asks beyond; None without a leader."""
    online = live - leaving
    match how:
        case Strategy.OFFLINE | Strategy.UNCLEAN:
            clean = [one for one in assigned if one in isr & online]
            anyone = [one for one in assigned if one in online]
            if clean:
                return clean[0], isr & online, frozenset(anyone)
            if anyone and (unclean or how is Strategy.UNCLEAN):
                return anyone[0], frozenset({anyone[0]}), frozenset(anyone)
        case Strategy.REASSIGN:
            fit = [one for one in target if one in isr & online]
            if fit:
                return fit[0], isr, frozenset(target)
        case Strategy.PREFERRED:
            if assigned[0] in isr & online:
                return assigned[0], isr, frozenset(assigned)
        case Strategy.SHUTDOWN:
            fit = [one for one in assigned if one in (isr & live) - leaving]
            if fit:
                return fit[0], isr - leaving, frozenset(assigned) & live
    return None


@settings(deadline=None)
@given(
    how=st.sampled_from(sorted(CALLS, key=lambda one: one.value)),
    old=st.sampled_from([ONLINE, OFFLINE]),
    assigned=LISTS,
    target=LISTS,
    live=SOME,
    isr_=SOME,
    leaving=SOME,
    allowed=st.booleans(),
)
@example(Strategy.OFFLINE, OFFLINE, (0, 1), (), frozenset({1}), frozenset({0}), frozenset(), True)
@example(Strategy.OFFLINE, OFFLINE, (0, 1), (), frozenset({1}), frozenset({0}), frozenset(), False)
@example(Strategy.UNCLEAN, OFFLINE, (0, 1), (), frozenset({1}), frozenset({0}), frozenset(), False)
@example(Strategy.OFFLINE, OFFLINE, (0, 1), (), frozenset({1}), frozenset({0, 1}), frozenset(), False)
@example(Strategy.REASSIGN, OFFLINE, (0, 1), (1, 2), frozenset({1, 2}), frozenset({0, 1}), frozenset(), False)
@example(Strategy.REASSIGN, ONLINE, (0, 1), (2, 1), frozenset({1, 2}), frozenset({0, 1}), frozenset(), False)
@example(Strategy.PREFERRED, OFFLINE, (0, 1), (), frozenset({0, 1}), frozenset({0, 1}), frozenset(), False)
@example(Strategy.PREFERRED, ONLINE, (0, 1), (), frozenset({1}), frozenset({0, 1}), frozenset(), False)
@example(Strategy.SHUTDOWN, OFFLINE, (0, 1), (), frozenset({0, 1}), frozenset({0, 1}), frozenset({0}), False)
@example(Strategy.SHUTDOWN, ONLINE, (0, 1), (), frozenset({0, 1}), frozenset({0}), frozenset({0}), False)
def test_selectors_choose_leader_isr_and_receivers(
    how: Strategy,
    old: PartitionState,
    assigned: tuple[int, ...],
    target: tuple[int, ...],
    live: frozenset[int],
    isr_: frozenset[int],
    leaving: frozenset[int],
    allowed: bool,
) -> None:
    """Leader, ISR and receivers are the selector's, written under the next leader epoch; else nothing changes."""
    members = (isr_ & frozenset(assigned)) or frozenset(assigned[:1])
    done = asked(
        ONLINE,
        how,
        state=old,
        assigned=assigned,
        target=target,
        live=live,
        isr=members,
        leaving=leaving & live,
        unclean=allowed,
    )
    found = wanted(how, assigned, target, live, members, leaving & live, allowed)
    if found is None:
        assert (done.outcome, done.now(partition_state, 0, 0)) == (Outcome.NO_LEADER, old)
        assert unchanged(done) == set()
        return
    assert done.now(partition_state, 0, 0) is ONLINE
    assert (done.now(leader, 0), done.now(isr, 0), done.now(told, 0, 0)) == found
    assert (done.now(leader_epoch, 0), done.now(version, 0)) == (6, 9)
    assert done.now(informed, 0) == live


@each(
    ("old", "circumstances", "outcome"),
    [
        (NEW, {"session": False}, Outcome.SESSION_EXPIRED),
        (NEW, {"epoch": 2}, Outcome.EPOCH_MOVED),
        (NEW, {"isr": frozenset({1}), "epoch": 2}, Outcome.EPOCH_MOVED),
        (OFFLINE, {"isr": frozenset({1}), "session": False}, Outcome.SESSION_EXPIRED),
        (OFFLINE, {}, Outcome.NO_STATE),
        (OFFLINE, {"isr": frozenset({1}), "written_in": 2, "epoch": 2}, Outcome.NEWER_CONTROLLER),
        (OFFLINE, {"isr": frozenset({1}), "epoch": 2}, Outcome.EPOCH_MOVED),
    ],
)
def test_a_leader_that_cannot_be_written_is_none(
    old: PartitionState, circumstances: dict[str, Any], outcome: Outcome
) -> None:
    """Where the write fails no broker leads and none is notified: the state is kept, or the controller resigns."""
    done = asked(ONLINE, Strategy.OFFLINE, state=old, **circumstances)
    resigned = outcome is Outcome.EPOCH_MOVED
    assert done.outcome is outcome
    assert done.now(acting, 0) is not resigned
    assert done.now(version, 0) == done.was(version, 0)
    assert (done.now(told, 0, 0), done.now(informed, 0)) == (frozenset(), frozenset())
    assert done.now(partition_state, 0, 0) is (NONEXISTENT if resigned else old)
    assert not done.now(due, 0, 0)


def test_a_partition_lives_as_the_states_tell() -> None:
    """NonExistent, New with replicas and no leader, Online when one is elected, Offline when it dies."""
    cluster = Cluster(3).start(0, 1, 2)
    assert cluster.read(partition_state, 0, 0) is NONEXISTENT
    done = cluster.create(0, 1, 2)
    assert passed(done, partition_state, 0, 0) == [NONEXISTENT, NEW, ONLINE]
    for one in done:
        if one.now(partition_state, 0, 0) is NEW:
            assert one.now(assigned, 0, 0) == (0, 1, 2)
            assert (one.now(knows, 0, 0), one.now(stated, 0)) == (False, False)
    assert cluster.read(leader, 0) == 0
    assert passed(cluster.lose(0), partition_state, 0, 0) == [ONLINE, OFFLINE, ONLINE]
    assert (cluster.read(leader, 0), cluster.read(isr, 0)) == (1, frozenset({1, 2}))


def test_a_deleted_partition_is_nonexistent() -> None:
    """A partition that is deleted passes Offline, and ends NonExistent like one that never was."""
    cluster = Cluster(2).start(0, 1)
    cluster.create(0, 1)
    assert passed(delete(cluster), partition_state, 0, 0) == [ONLINE, OFFLINE, NONEXISTENT]
    assert (cluster.read(exists_, 0), cluster.read(gone, 0), cluster.read(stated, 0)) == (False, True, False)


def test_the_controller_reads_the_replicas_of_a_new_partition() -> None:
    """On its way to New a partition's replicas come from its topic's znode into memory."""
    cluster = Cluster(3).start(0, 1, 2)
    cluster.do("CreateTopic", p=0, target=(2, 0))
    assert cluster.read(assigned, 0, 0) == ()
    cluster.do("TopicChange", c=0)
    first = cluster.step()
    assert first is not None
    assert first.now(partition_state, 0, 0) is NEW
    assert first.now(assigned, 0, 0) == cluster.read(replicas, 0) == (2, 0)
