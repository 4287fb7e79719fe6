"""Replication with a real controller: the ISR follows the replicas, and what is acknowledged stays."""

from contextlib import nullcontext

import pytest

from fencepost.reference.kraft import messages as m
from fencepost.reference.kraft.broker.ledger import Acknowledged, Ledger
from fencepost.reference.kraft.broker.partition_state import CommittedPartitionState
from fencepost.reference.kraft.errors import Errors
from fencepost.reference.kraft.injected.replication import REPLICATION
from fencepost.reference.kraft.settings import Settings
from fencepost.reference.simulator import SECOND

from .broker_cluster import BrokerCluster, directory, name_of

ALL = (1, 2, 3)


def cut_off(cluster: BrokerCluster, broker: int, *others: int) -> None:
    """Cut a broker off from other brokers, not from the controller."""
    cluster.network.faults.cut([name_of(broker)], [name_of(other) for other in others])


def test_entries_reach_everybody_and_are_acknowledged() -> None:
    """A producer is answered when all in-sync replicas have its entries; the others learn the high watermark."""
    cluster = BrokerCluster().start()
    topic = cluster.create("t", ALL)
    answer = cluster.produce(topic, 1, 2, 3)
    assert (answer.error, answer.base_offset) == (Errors.NONE, 0)
    assert [cluster.values(broker, topic) for broker in ALL] == [[1, 2, 3]] * 3
    cluster.run(1)
    assert {cluster.replica(broker, topic).log.high_watermark for broker in ALL} == {3}


def test_a_follower_that_lags_leaves_the_isr_and_comes_back() -> None:
    """After `replica.lag.time.max.ms` at most one and a half times; it is back when it has caught up."""
    cluster = BrokerCluster().start()
    topic = cluster.create("t", ALL)
    cut_off(cluster, 3, 1, 2)
    cluster.produce(topic, 1)
    cluster.run(28)
    assert cluster.registration(topic).isr == ALL
    cluster.run(20)
    assert cluster.registration(topic).isr == (1, 2)
    assert cluster.replica(1, topic).log.high_watermark == 1
    cluster.network.faults.heal_all()
    cluster.run(5)
    assert cluster.registration(topic).isr == (1, 2, 3)
    assert cluster.values(3, topic) == [1]


def test_below_the_minimum_nothing_is_acknowledged() -> None:
    """With fewer in sync than min.insync.replicas a producer is refused, and the high watermark stays."""
    cluster = BrokerCluster().start()
    topic = cluster.create("t", ALL)
    cluster.produce(topic, 1)
    for broker in (2, 3):
        cluster.brokers[broker].kill()
    cluster.run(14)
    assert cluster.registration(topic).isr == (1,)
    assert cluster.produce(topic, 2).error is Errors.NOT_ENOUGH_REPLICAS
    assert cluster.replica(1, topic).log.high_watermark == 1


def test_a_written_entry_waits_for_the_minimum() -> None:
    """What was written before the ISR shrank below the minimum is not acknowledged until it has grown again."""
    cluster = BrokerCluster().start()
    topic = cluster.create("t", ALL)
    for broker in (2, 3):
        cluster.brokers[broker].kill()
    assert cluster.produce(topic, 1, wait=14) is None
    assert cluster.registration(topic).isr == (1,)
    assert cluster.replica(1, topic).log.high_watermark == 0
    cluster.brokers[2].start()
    cluster.run(10)
    assert cluster.registration(topic).isr == (1, 2)
    assert cluster.replica(1, topic).log.high_watermark == 1


def test_a_new_leader_is_followed_and_the_old_one_truncates() -> None:
    """An entry that only the old leader had goes when it follows the leader that was elected without it."""
    cluster = BrokerCluster().start()
    topic = cluster.create("t", ALL)
    cluster.produce(topic, 1)
    cut_off(cluster, 1, 2, 3)
    assert cluster.produce(topic, 99, wait=1) is None
    cluster.brokers[1].kill()
    cluster.run(14)
    leader = cluster.registration(topic).leader
    assert leader in (2, 3)
    cluster.produce(topic, 2)
    cluster.network.faults.heal_all()
    cluster.brokers[1].start()
    cluster.run(10)
    assert cluster.values(1, topic) == [1, 2]
    assert set(cluster.registration(topic).isr) == set(ALL)


def test_one_proposal_at_a_time() -> None:
    """While an AlterPartition is not answered its partition proposes nothing else."""
    cluster = BrokerCluster().start()
    topic = cluster.create("t", ALL)
    for broker in (2, 3):
        cut_off(cluster, 1, broker)
    cluster.controller.refused = m.AlterPartitionRequest
    cluster.controller.refuse_until_ns = cluster.simulator.now_ns + 60 * SECOND
    cluster.produce(topic, 1, wait=0)
    cluster.run(46)
    state = cluster.replica(1, topic).state
    assert not isinstance(state, CommittedPartitionState)
    assert (state.isr, state.maximal_isr) == (ALL, ALL)
    follower = cluster.replica(1, topic).followers[2]
    cluster.replica(1, topic).maybe_shrink_isr()
    cluster.replica(1, topic)._maybe_expand_isr(follower)
    assert cluster.replica(1, topic).state is state


def test_an_unclean_election_ends_with_the_next_proposal() -> None:
    """A leader elected uncleanly is RECOVERING until its first AlterPartition says that it has recovered."""
    cluster = BrokerCluster(elr=0).start()
    topic = cluster.create("t", ALL, unclean_leader_election_enable="true")
    cluster.produce(topic, 1)
    for broker in (2, 3):
        cluster.brokers[broker].kill()
    cluster.run(14)
    cluster.brokers[1].kill()
    cluster.run(14)
    cluster.brokers[2].start()
    cluster.run(6)
    assert (cluster.registration(topic).leader, cluster.registration(topic).leader_recovery_state) == (2, 1)
    cluster.brokers[3].start()
    cluster.run(10)
    assert (cluster.registration(topic).isr, cluster.registration(topic).leader_recovery_state) == ((2, 3), 0)


def test_a_deleted_topic_is_gone_from_the_disks() -> None:
    """Every broker deletes the logs of a topic that is gone; one that was down does so when it is back."""
    cluster = BrokerCluster().start()
    topic = cluster.create("t", ALL)
    cluster.produce(topic, 1)
    cluster.brokers[3].kill()
    cluster.ask(m.DeleteTopicsRequest(topic_ids=(topic,)))
    assert [cluster.values(broker, topic) for broker in ALL] == [[], [], [1]]
    cluster.brokers[3].start()
    cluster.run(12)
    assert cluster.brokers[3].disk.find((topic, 0)) is None


def test_a_reassignment_moves_the_data() -> None:
    """The added replica fetches all, joins the ISR, and the removed one deletes its log."""
    cluster = BrokerCluster(brokers=4).start()
    topic = cluster.create("t", ALL)
    cluster.produce(topic, 1, 2)
    one = m.ReassignablePartition("t", 0, (2, 3, 4))
    cluster.ask(m.AlterPartitionReassignmentsRequest(partitions=(one,)), wait=5)
    assert cluster.registration(topic).replicas == (2, 3, 4)
    assert set(cluster.registration(topic).isr) == {2, 3, 4}
    assert cluster.values(4, topic) == [1, 2]
    assert cluster.brokers[1].disk.find((topic, 0)) is None


def test_directories_are_told_to_the_controller() -> None:
    """A broker with several directories chooses one for a new replica and says which; the controller records it."""
    cluster = BrokerCluster(directories=2).start()
    topic = cluster.create("t", ALL, ALL)
    cluster.run(2)
    for number in (0, 1):
        for broker, known in zip(ALL, cluster.registration(topic, number).directories, strict=True):
            found = cluster.brokers[broker].disk.find((topic, number))
            assert found is not None
            assert found[0].id == known
    assert cluster.registration(topic, 0).directories != cluster.registration(topic, 1).directories


def test_a_failed_directory_moves_its_leaders() -> None:
    """The leader in a directory that fails is reported at once, and another replica leads; the broker stays up."""
    cluster = BrokerCluster(directories=2).start()
    topic = cluster.create("t", ALL, ALL)
    cluster.run(2)
    failed = cluster.registration(topic, 0).directories[0]
    cluster.brokers[1].fail_directory(failed)
    cluster.run(3)
    assert (cluster.registration(topic, 0).leader, cluster.registration(topic, 0).isr) == (2, (2, 3))
    assert cluster.registration(topic, 1).leader == 1
    assert cluster.brokers[1].alive


def test_a_broker_without_directories_halts() -> None:
    """When its last directory fails a broker ends."""
    cluster = BrokerCluster().start()
    cluster.brokers[1].fail_directory(directory(1))
    assert not cluster.brokers[1].alive


# -- losing data -------------------------------------------------------------------------------------------------------
def last_replica_standing(elr: int) -> tuple[BrokerCluster, Ledger]:
    """The ISR shrinks to one replica as the others shut down; that one loses its disk and is the first to come back."""
    ledger = Ledger()
    cluster = BrokerCluster(elr=elr, observer=ledger).start()
    topic = cluster.create("t", ALL)
    sent = cluster.simulator.now_ns
    answer = cluster.produce(topic, 1, 2)
    assert answer.error is Errors.NONE
    ledger.acknowledged((topic, 0), Acknowledged(0, (1, 2), sent, answer.min_insync_replicas))
    for broker in (2, 3):
        cluster.brokers[broker].terminate()
        cluster.run(7)
    assert cluster.registration(topic).isr == (1,)
    cluster.brokers[1].lose_disk(directory(1), directory(1, 0, 1))
    cluster.run(14)
    cluster.brokers[1].start()
    cluster.run(10)
    for broker in (2, 3):
        cluster.brokers[broker].start()
    cluster.run(20)
    ledger.check_all(cluster.brokers.values())
    assert cluster.registration(topic).leader in ALL
    return cluster, ledger


def test_the_last_replica_standing_loses_data_without_elr() -> None:
    """KIP-966: with ELR off the emptied broker is elected cleanly and what was acknowledged is gone everywhere."""
    _, ledger = last_replica_standing(elr=0)
    assert [(loss.offset, loss.value, loss.found) for loss in ledger.losses] == [(0, 1, None)]
    assert ledger.violations == []
    assert "eligible leader replicas are off" in ledger.losses[0].excuse
    text = str(ledger.losses[0])
    assert "t-0: 1 was acknowledged at offset 0, broker 1 has nothing there" in text
    assert "broker 1 lost 2 entries (disk loss)" in text


def test_the_last_replica_standing_loses_nothing_with_elr() -> None:
    """With ELR on the eligible replica that is back first leads, with all that was acknowledged."""
    cluster, ledger = last_replica_standing(elr=1)
    assert ledger.losses == []
    assert set(cluster.registration(topic_of(cluster)).isr) == set(ALL)
    assert [cluster.values(broker, topic_of(cluster)) for broker in ALL] == [[1, 2]] * 3


def topic_of(cluster: BrokerCluster) -> str:
    """Return the id of the only topic."""
    return str(next(iter(cluster.controller.controller.managers.replication.topics)))


@pytest.mark.parametrize("injected", [False, True])
def test_a_broker_that_comes_back_empty_needs_its_epoch(injected: bool) -> None:
    """KIP-903: a fetch of an emptied broker's last life lets it into the ISR only if epochs are not asked."""
    ledger = Ledger()
    cluster = BrokerCluster(brokers=2, settings=Settings(min_insync_replicas=1), elr=0, observer=ledger).start()
    topic = cluster.create("t", (1, 2))
    cluster.produce(topic, 1)
    cluster.brokers[2].kill()
    cluster.run(14)
    leader = cluster.replica(1, topic)
    follower = leader.followers[2]
    assert cluster.registration(topic).isr == (1,)
    cluster.brokers[2].lose_disk(directory(2), directory(2, 0, 1))
    # Its new life is fenced until it is ready: long enough for an old fetch to be taken for a new one.
    cut_off(cluster, 2, 1)
    cluster.brokers[2].start()
    cluster.run(6)
    assert follower.broker_epoch != cluster.controller.controller.managers.cluster.registrations[2].epoch
    with REPLICATION["members-by-id"].injected() if injected else nullcontext():
        leader._maybe_expand_isr(follower)
        cluster.run(1)
    assert (2 in cluster.registration(topic).isr) is injected


def test_power_loss_loses_only_what_was_not_written_back() -> None:
    """What is older than the write-back time is there after a power loss; a killed process loses nothing."""
    cluster = BrokerCluster().start()
    topic = cluster.create("t", ALL)
    cluster.produce(topic, 1, 2)
    cluster.run(61)
    cluster.produce(topic, 3, 4, 5)
    cluster.brokers[2].kill()
    assert cluster.values(2, topic) == [1, 2, 3, 4, 5]
    losses = set()
    for _ in range(20):
        log = cluster.brokers[3].disk.find((topic, 0))
        assert log is not None
        lost = cluster.brokers[3].disk.lose_power(cluster.simulator.now_ns, cluster.simulator.random("power"))
        losses.add(lost.get((topic, 0), 0))
    assert cluster.values(3, topic)[:2] == [1, 2]
    assert losses - {0}
