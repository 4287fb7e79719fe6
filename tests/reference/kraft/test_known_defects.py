"""What Kafka 4.4.0 does and should not, with its own classes as witnesses (spec/findings), and each repair."""

import pytest

from fencepost.reference.kraft import messages as m
from fencepost.reference.kraft.errors import Errors
from fencepost.reference.kraft.records import UNASSIGNED_DIRECTORY

from .bench import Bench, directory


def with_an_eligible_broker(*repaired: str) -> tuple[Bench, str]:
    """Three brokers, a topic on them that needs two in sync; 3 and then 2 are fenced, so that 2 is eligible."""
    bench = Bench(repaired=repaired)
    bench.start(1, 2, 3)
    topic = bench.create("t", [1, 2, 3], min_isr="2")
    bench.fence(3, 2)
    assert (bench.partition(topic).isr, bench.partition(topic).elr) == ((1,), (2,))
    return bench, topic


@pytest.mark.parametrize("repair", ["", "D5"])
def test_a_topic_deleted_without_isr_stays_in_the_index_of_directories(repair: str) -> None:
    """D5: deleted with an empty ISR, a topic makes the heartbeat that reports its directory offline fail."""
    bench = Bench(repaired=[repair])
    bench.start(1)
    topic = bench.create("t", [1])
    bench.fence(1)
    assert bench.partition(topic).isr == ()
    bench.delete(topic)
    bench.heartbeat(1)
    if repair:
        bench.heartbeat(1, offline_log_dirs=(directory(1),))
    else:
        with pytest.raises(RuntimeError, match="existed in isrMembers, but not in the topics map"):
            bench.heartbeat(1, offline_log_dirs=(directory(1),))


def test_without_elr_the_directories_of_a_deleted_topic_are_forgotten() -> None:
    """D5 needs eligible leader replicas: else the last member stays in the ISR."""
    bench = Bench(elr=False)
    bench.start(1)
    topic = bench.create("t", [1])
    bench.fence(1)
    bench.delete(topic)
    bench.heartbeat(1)
    assert not bench.heartbeat(1, offline_log_dirs=(directory(1),)).is_fenced


@pytest.mark.parametrize("repair", ["", "D6", "D6c"])
def test_a_broker_that_was_eligible_for_a_deleted_topic_cannot_register(repair: str) -> None:
    """D6c: min.insync.replicas changed, the topic deleted, and the broker can come back only after a clean stop."""
    bench, topic = with_an_eligible_broker(repair)
    bench.configure("t", "min.insync.replicas", "1")
    assert bench.records[-1].type == "CLEAR_ELR_RECORD"
    assert bench.partition(topic).elr == ()
    assert bench.replication.indexes.elrs.of(2) == ([] if repair else [(topic, 0)])
    bench.delete(topic)
    if repair:
        bench.register(2)
        return
    for _ in range(3):
        with pytest.raises(RuntimeError, match="existed in isrMembers, but not in the topics map"):
            bench.register(2)
    with pytest.raises(RuntimeError, match="existed in isrMembers"):
        bench.apply(bench.replication.unregister_broker(m.UnregisterBrokerRequest(broker_id=2)))
    bench.register(2, clean=True)


def test_an_index_entry_that_is_there_twice_becomes_one_of_partition_0() -> None:
    """D6, further: eligible, cleared, eligible again and out, a broker has an entry of partition 0 in the index."""
    bench = Bench()
    bench.start(1, 2, 3)
    topic = bench.create("t", [1, 3], [1, 2], min_isr="2")
    bench.fence(2)
    bench.configure("t", "min.insync.replicas", "1")
    bench.configure("t", "min.insync.replicas", "2")
    bench.heartbeat(2)
    bench.propose(topic, 1, [1, 2])
    bench.fence(2)
    assert bench.replication.indexes.elrs.of(2) == [(topic, 1), (topic, 1)]
    bench.heartbeat(2)
    bench.propose(topic, 1, [1, 2])
    assert bench.replication.indexes.elrs.of(2) == [(topic, 0)]


@pytest.mark.parametrize("repair", ["", "D7"])
def test_an_unregistered_broker_stays_eligible(repair: str) -> None:
    """D7: with it among the eligible ones, the last known leader cannot bring the partition back."""
    bench = Bench(repaired=[repair])
    bench.start(1, 2)
    topic = bench.create("t", [1, 2], min_isr="2")
    bench.apply(bench.replication.unregister_broker(m.UnregisterBrokerRequest(broker_id=1)))
    assert (bench.partition(topic).isr, bench.partition(topic).elr) == ((2,), () if repair else (1,))
    bench.start(2)
    assert bench.partition(topic).leader == (2 if repair else -1)


def cancelled_without_isr(*repaired: str) -> tuple[Bench, str, str]:
    """A reassignment from 1 and 2 to 3 and 4 of which none is in sync, and the answer to its cancellation."""
    bench = Bench(repaired=repaired)
    bench.start(1, 2, 3, 4)
    topic = bench.create("t", [1, 2], min_isr="2")
    bench.fence(2)
    bench.reassign("t", [3, 4])
    bench.fence(1)
    assert (bench.partition(topic).isr, bench.partition(topic).elr) == ((), (1, 2))
    return bench, topic, bench.reassign("t", None)


def test_a_cancel_is_refused_though_somebody_could_lead_cleanly() -> None:
    """D8: with an empty ISR the answer is INVALID_REPLICA_ASSIGNMENT, whatever the ELR; repaired, it is granted."""
    assert cancelled_without_isr()[2] == "INVALID_REPLICA_ASSIGNMENT"
    bench, topic, error = cancelled_without_isr("D8")
    assert error == "NONE"
    assert (bench.partition(topic).replicas, bench.partition(topic).elr) == ((1, 2), (1, 2))
    bench.heartbeat(1)
    assert bench.partition(topic).leader == 1
    assert bench.partition(topic).leader_recovery_state == 0


@pytest.mark.parametrize("repair", ["", "D9"])
def test_a_last_known_leader_that_is_no_replica_cannot_be_unfenced(repair: str) -> None:
    """D9: unclean elections and a cancelled reassignment leave such a one, by plain operations alone."""
    bench = Bench(repaired=[repair])
    bench.start(1, 2, 3, 4)
    topic = bench.create("t", [1, 2], min_isr="2", unclean="true")
    bench.reassign("t", [3, 4])
    bench.propose(topic, 0, [1, 2, 3])
    bench.fence(2, 1)
    assert bench.partition(topic).isr == (3,)
    bench.fence(4)
    for broker in (1, 2, 3):
        bench.register(broker)
    bench.heartbeat(4)
    assert (bench.partition(topic).leader, bench.partition(topic).leader_recovery_state) == (4, 1)
    bench.reassign("t", None)
    now = bench.partition(topic)
    assert (now.replicas, now.isr, now.leader, now.elr) == ((1, 2), (1,), -1, (4,))
    bench.register(1)
    bench.register(4)
    now = bench.partition(topic)
    assert (now.replicas, now.isr, now.elr, now.last_known_elr) == ((1, 2), (), (), (4,))
    if repair:
        assert not bench.heartbeat(4).is_fenced
    else:
        with pytest.raises(ValueError, match="Replica 4 is not assigned"):
            bench.heartbeat(4)


def test_who_was_told_to_shut_down_can_be_unfenced_but_not_lead() -> None:
    """D11: the mark of a controlled shutdown goes only with a new process."""
    bench = Bench()
    bench.start(1, 2)
    topic = bench.create("t", [1, 2])
    bench.heartbeat(1, want_shut_down=True)
    bench.heartbeat(2)
    assert bench.heartbeat(1, want_shut_down=True).should_shut_down
    assert not bench.heartbeat(1).is_fenced
    assert not bench.cluster.is_active(1)
    assert bench.propose(topic, 0, [2, 1]).error is Errors.INELIGIBLE_REPLICA


@pytest.mark.parametrize("repair", ["", "D12"])
def test_that_no_directory_is_left_cannot_be_written(repair: str) -> None:
    """D12: every heartbeat of such a broker writes the same record again, which changes nothing."""
    bench = Bench(repaired=[repair])
    bench.start(1, 2)
    written = []
    for broker in (1, 2, 1, 2):
        bench.heartbeat(broker, offline_log_dirs=(directory(broker),))
        written.append(len(bench.records))
    assert written == ([1, 1, 0, 0] if repair else [1, 1, 1, 1])
    assert bench.cluster.has_online_directory(1, directory(1)) is not bool(repair)


def test_a_fence_of_many_leaderships_is_no_batch() -> None:
    """D13: the records of a fence, and of an unfence, may be split, and so be cut in between."""
    bench = Bench(elr=False)
    bench.start(1)
    bench.create("t", *[[1]] * 20)
    request = m.BrokerHeartbeatRequest(
        broker_id=1, broker_epoch=bench.cluster.registrations[1].epoch, current_metadata_offset=0, want_fence=True
    )
    result = bench.replication.process_heartbeat(request, 0)
    assert (len(result.records), result.atomic) == (21, False)


@pytest.mark.parametrize("repair", ["", "D14"])
def test_a_reassignment_does_not_override_the_one_under_way(repair: str) -> None:
    """D14: the target 1, 2, 3, 4 during 1, 2, 3 to 2, 3, 4 answers NONE, and the partition loses 1 all the same."""
    bench = Bench(repaired=[repair])
    bench.start(1, 2, 3)
    topic = bench.create("t", [1, 2, 3])
    bench.register(4)
    assert bench.reassign("t", [2, 3, 4]) == "NONE"
    assert bench.partition(topic).replicas == (2, 3, 4, 1)
    assert bench.reassign("t", [1, 2, 3, 4]) == "NONE"
    bench.heartbeat(4)
    bench.propose(topic, 0, [1, 2, 3, 4])
    assert bench.partition(topic).replicas == ((1, 2, 3, 4) if repair else (2, 3, 4))


def test_a_replica_is_added_and_removed_at_once() -> None:
    """D14b: back to 1, 2, 3 during 1, 2, 3 to 2, 3, 4, replica 4 is in both lists."""
    bench = Bench()
    bench.start(1, 2, 3, 4)
    topic = bench.create("t", [1, 2, 3])
    bench.propose(topic, 0, [1, 2])
    bench.reassign("t", [2, 3, 4])
    bench.reassign("t", [1, 2, 3])
    now = bench.partition(topic)
    assert (now.replicas, now.adding_replicas, now.removing_replicas) == ((1, 2, 3, 4), (4,), (4,))


@pytest.mark.parametrize("repair", ["", "D15"])
def test_a_removed_replica_stays_eligible(repair: str) -> None:
    """D15: replicas 1 and 2 are eligible for a partition on 3 alone, which is offline when 3 comes back unclean."""
    bench = Bench(repaired=[repair])
    bench.start(1, 2, 3)
    topic = bench.create("t", [1, 2, 3], min_isr="2")
    # The least that is asked for follows the replication factor of partition 0, the one that is reassigned.
    assert bench.reassign("t", [3]) == "NONE"
    now = bench.partition(topic)
    assert (now.replicas, now.isr, now.leader) == ((3,), (3,), 3)
    assert now.elr == (() if repair else (1, 2))
    bench.start(3)
    assert bench.partition(topic).leader == (3 if repair else -1)


@pytest.mark.parametrize("repair", ["", "D16"])
def test_one_partition_twice_in_a_request(repair: str) -> None:
    """D16: both proposals are built from the same partition and answered NONE; repaired, the second is refused."""
    bench = Bench(repaired=[repair])
    bench.start(1, 2, 3)
    topic = bench.create("t", [1, 2, 3])
    data = [
        m.AlterPartitionData(
            topic_id=topic, partition=0, leader_epoch=0, partition_epoch=0, new_isr=tuple((b, -1) for b in isr)
        )
        for isr in ((1, 2), (1, 3))
    ]
    request = m.AlterPartitionRequest(
        broker_id=1, broker_epoch=bench.cluster.registrations[1].epoch, partitions=tuple(data)
    )
    answers = bench.apply(bench.replication.alter_partition(request))
    assert [one.error.name for one in answers] == ["NONE", "INVALID_UPDATE_VERSION" if repair else "NONE"]
    assert bench.partition(topic).partition_epoch == (1 if repair else 2)


@pytest.mark.parametrize(("repair", "replicas"), [("", 6), ("D17", 3)])
def test_partitions_added_during_a_reassignment(repair: str, replicas: int) -> None:
    """D17: a new partition gets as many replicas as an old one has while it is moved."""
    bench = Bench(repaired=[repair])
    bench.start(*range(1, 7))
    topic = bench.create("t", [1, 2, 3])
    bench.reassign("t", [4, 5, 6])
    request = m.CreatePartitionsRequest(topics=(m.PartitionsRequest("t", 2),))
    [answer] = bench.apply(bench.replication.create_partitions(request))
    assert answer.error is Errors.NONE
    assert len(bench.partition(topic, 1).replicas) == replicas


@pytest.mark.parametrize(("repair", "added"), [("", {1, 2}), ("D30", {1})])
def test_a_refused_request_adds_partitions(repair: str, added: set[int]) -> None:
    """D30: what is placed before a partition that no broker could lead is added, though the request is refused."""
    numbers = set()
    for seed in range(20):
        bench = Bench(repaired=[repair])
        bench.start(1, 2)
        topic = bench.create("t", [1])
        # A broker that is shutting down by its registration alone: the placer takes it, and it cannot lead.
        change = {"brokerId": 2, "brokerEpoch": bench.cluster.registrations[2].epoch, "inControlledShutdown": 1}
        bench.replay(type(bench.records[0])("BROKER_REGISTRATION_CHANGE_RECORD", 0, change))
        bench.replication.state.random.seed(seed)
        request = m.CreatePartitionsRequest(topics=(m.PartitionsRequest("t", 3),))
        [answer] = bench.apply(bench.replication.create_partitions(request))
        assert answer.error is Errors.INVALID_REPLICATION_FACTOR
        numbers.add(len(bench.replication.state.topics[topic].partitions))
    assert numbers == added


def test_a_preferred_election_may_elect_somebody_else() -> None:
    """D18: of a partition without a leader it elects any replica that may lead, and answers NONE."""
    bench = Bench()
    bench.start(1, 2)
    topic = bench.create("t", [1, 2], min_isr="2")
    bench.fence(1, 2)
    assert bench.partition(topic).leader == -1
    # A broker that is active by its registration alone: the unfence was cut before the partition's record.
    change = {"brokerId": 2, "brokerEpoch": bench.cluster.registrations[2].epoch, "fenced": -1}
    bench.replay(type(bench.records[0])("BROKER_REGISTRATION_CHANGE_RECORD", 0, change))
    request = m.ElectLeadersRequest(election_type=0, partitions=(("t", 0),))
    [answer] = bench.apply(bench.replication.elect_leaders(request))
    assert (answer.error, bench.partition(topic).leader) == (Errors.NONE, 2)


def test_elr_off_and_on_keeps_stale_members() -> None:
    """D21: an eligible replica that lost its disk while ELR was off is elected cleanly."""
    bench = Bench()
    bench.start(1, 3)
    topic = bench.create("t", [1, 3], min_isr="2")
    bench.fence(3)
    assert bench.partition(topic).elr == (3,)
    feature = {"name": "eligible.leader.replicas.version"}
    bench.features.replay({**feature, "featureLevel": 0})
    bench.start(3)
    bench.features.replay({**feature, "featureLevel": 1})
    bench.fence(1)
    now = bench.partition(topic)
    assert (now.leader, now.isr, now.leader_recovery_state) == (3, (3,), 0)


@pytest.mark.parametrize(("repair", "written"), [("", 1), ("D23", 0)])
def test_the_session_of_a_fenced_broker_fences_it_again(repair: str, written: int) -> None:
    """D23: the record is redundant."""
    bench = Bench(repaired=[repair])
    bench.start(1)
    bench.fence(1)
    bench.now_ns += 20_000_000_000
    assert bench.apply(bench.replication.maybe_fence_stale_broker(bench.now_ns))
    assert len(bench.records) == written


def test_a_replica_in_a_lost_directory_is_changed_twice() -> None:
    """Two records are built from one state: the first says where the replica is, the second that it leaves the ISR."""
    bench = Bench()
    bench.start(1, 2, dirs=2)
    topic = bench.create("t", [1, 2])
    assert bench.partition(topic).directories == (UNASSIGNED_DIRECTORY,) * 2
    request = m.AssignReplicasToDirsRequest(
        broker_id=1,
        broker_epoch=bench.cluster.registrations[1].epoch,
        assignments=((directory(7), topic, 0), (directory(1), topic, 5), (directory(1), directory(1), 0)),
    )
    answers = bench.apply(bench.replication.assign_replicas_to_dirs(request))
    assert [one.error.name for one in answers] == ["NONE", "UNKNOWN_TOPIC_OR_PARTITION", "UNKNOWN_TOPIC_ID"]
    now = bench.partition(topic)
    assert (now.isr, now.leader, now.directories[0], now.partition_epoch) == ((2,), 2, directory(7), 2)


@pytest.mark.parametrize("repair", ["", "D27"])
def test_a_number_with_white_space_fails_every_change_of_its_partitions(repair: str) -> None:
    """D27: min.insync.replicas " 1 " is accepted, and then no replica can be fenced, shut down or registered again."""
    bench = Bench(repaired=[repair])
    bench.start(1, 2)
    topic = bench.create("t", [1, 2], min_isr=" 1 ")
    if repair:
        bench.fence(1)
        bench.register(1)
        assert bench.partition(topic).leader == 2
        return
    for wish in ("want_fence", "want_shut_down"):
        with pytest.raises(ValueError, match='For input string: " 1 "'):
            bench.heartbeat(1, **{wish: True})
    with pytest.raises(ValueError, match='For input string: " 1 "'):
        bench.register(1)
    bench.configure("t", "min.insync.replicas", "1")
    bench.fence(1)
    assert bench.partition(topic).leader == 2
