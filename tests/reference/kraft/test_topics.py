"""Topics created, enlarged, deleted; elections, reassignments and directories: answers by Kafka's names."""

from typing import Any

import pytest

from fencepost.reference.kraft import messages as m
from fencepost.reference.kraft.errors import ApiError, Errors
from fencepost.reference.kraft.levels import LEVELS
from fencepost.reference.kraft.records import MIGRATING_DIRECTORY, UNASSIGNED_DIRECTORY

from .bench import Bench, directory


@pytest.fixture
def bench() -> Bench:
    """Brokers 1, 2, 3 active, 4 fenced; topics a.b and old, the latter on 1 and 2."""
    bench = Bench()
    bench.start(1, 2, 3)
    bench.register(4)
    bench.create("a.b", [1])
    bench.create("old", [1, 2])
    return bench


def created(bench: Bench, *topics: m.TopicRequest, **more: bool) -> list[str]:
    """The errors of a request for topics."""
    answers = bench.apply(bench.replication.create_topics(m.CreateTopicsRequest(topics=topics, **more)))
    return [answer.error.name for answer in answers]


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        ({"name": "old"}, "TOPIC_ALREADY_EXISTS"),
        ({"name": "a.b"}, "TOPIC_ALREADY_EXISTS"),
        ({"name": "a_b"}, "INVALID_TOPIC_EXCEPTION"),
        ({"name": ".."}, "INVALID_TOPIC_EXCEPTION"),
        ({"name": ""}, "INVALID_TOPIC_EXCEPTION"),
        ({"name": "t" * 250}, "INVALID_TOPIC_EXCEPTION"),
        ({"name": "t/u"}, "INVALID_TOPIC_EXCEPTION"),
        ({"configs": (("min.insync.replicas", None),)}, "INVALID_CONFIG"),
        ({"configs": (("min.insync.replicas", "no"),), "replication_factor": 0}, "INVALID_CONFIG"),
        ({"replication_factor": 0}, "INVALID_REPLICATION_FACTOR"),
        ({"replication_factor": -2, "num_partitions": 0}, "INVALID_REPLICATION_FACTOR"),
        ({"num_partitions": 0}, "INVALID_PARTITIONS"),
        ({"num_partitions": -2}, "INVALID_PARTITIONS"),
        ({"replication_factor": 5}, "INVALID_REPLICATION_FACTOR"),
        ({"replication_factor": 4}, "NONE"),
        ({"assignments": ((0, (1, 2)),), "replication_factor": 2}, "INVALID_REQUEST"),
        ({"assignments": ((0, (1, 2)),), "num_partitions": 1}, "INVALID_REQUEST"),
        ({"assignments": ((0, (1, 2)), (0, (1, 2)))}, "INVALID_REPLICA_ASSIGNMENT"),
        ({"assignments": ((0, (1, 2)), (2, (1, 2)))}, "INVALID_REPLICA_ASSIGNMENT"),
        ({"assignments": ((0, (1, 2)), (1, (1, 2, 3)))}, "INVALID_REPLICA_ASSIGNMENT"),
        ({"assignments": ((0, ()),)}, "INVALID_REPLICA_ASSIGNMENT"),
        ({"assignments": ((0, (1, 1)),)}, "INVALID_REPLICA_ASSIGNMENT"),
        ({"assignments": ((0, (1, 9)),)}, "INVALID_REPLICA_ASSIGNMENT"),
        ({"assignments": ((0, (4,)),)}, "INVALID_REPLICA_ASSIGNMENT"),
        ({"assignments": ((0, (4, 2)),)}, "NONE"),
    ],
)
def test_the_answer_to_a_new_topic(bench: Bench, asked: dict[str, Any], error: str) -> None:
    """Each refusal has Kafka's name, and nothing is written for it (ReplicationControlManager.createTopics)."""
    assert created(bench, m.TopicRequest(**{"name": "t", **asked})) == [error]
    assert bool(bench.records) is (error == "NONE")


def test_the_records_of_a_new_topic(bench: Bench) -> None:
    """Topic, Config, then Partition; a fenced replica is not in sync; fields and their order are those of a dump."""
    configs = (("min.insync.replicas", "2"),)
    assert created(bench, m.TopicRequest("t", assignments=((0, (4, 2)),), configs=configs)) == ["NONE"]
    types = [record.type for record in bench.records]
    assert types == ["TOPIC_RECORD", "CONFIG_RECORD", "CLEAR_ELR_RECORD", "PARTITION_RECORD"]
    topic_id = bench.records[0].data["topicId"]
    assert len(topic_id) == 22
    assert bench.records[-1].version == 2
    assert list(bench.records[-1].data.items()) == [
        ("partitionId", 0),
        ("topicId", topic_id),
        ("replicas", [4, 2]),
        ("isr", [2]),
        ("removingReplicas", []),
        ("addingReplicas", []),
        ("leader", 2),
        ("leaderEpoch", 0),
        ("partitionEpoch", 0),
        ("directories", [directory(4), directory(2)]),
    ]


@pytest.mark.parametrize(("level", "version"), [("3.6-IV2", 0), ("3.9-IV0", 1), ("4.4-IV2", 2)])
def test_versions_follow_metadata_version(level: str, version: int) -> None:
    """Partitions are written in the version of their metadata.version; directories from 3.7-IV2 on."""
    bench = Bench(level=LEVELS[level], elr=False)
    bench.start(1, 2, dirs=1 if version else 0)
    topic = bench.create("t", [1, 2])
    assert bench.records[-1].version == version
    assert ("directories" in bench.records[-1].data) is bool(version)
    bench.fence(1)
    assert [record.version for record in bench.records] == [version, 0]
    bench.start(3, dirs=1 if version else 0)
    bench.reassign("t", [2, 3])
    assert bench.records[0].version == version
    if not version:
        assert bench.partition(topic).directories == (MIGRATING_DIRECTORY,) * 3


def test_what_is_only_validated_is_not_written(bench: Bench) -> None:
    """The answers are the same, and no record is written."""
    assert created(bench, m.TopicRequest("t"), m.TopicRequest("old"), validate_only=True) == [
        "NONE",
        "TOPIC_ALREADY_EXISTS",
    ]
    assert not bench.records


def test_too_many_partitions_are_refused_together(bench: Bench) -> None:
    """More than 10,000 partitions in one request are refused for all its topics (3.9; 4.4 for added ones)."""
    topics = tuple(m.TopicRequest(name, num_partitions=5001) for name in ("t", "u"))
    with pytest.raises(ApiError) as refused:
        bench.replication.create_topics(m.CreateTopicsRequest(topics=topics))
    assert refused.value.error is Errors.POLICY_VIOLATION
    added = m.CreatePartitionsRequest(topics=(m.PartitionsRequest("old", 10_002),))
    with pytest.raises(ApiError) as refused:
        bench.replication.create_partitions(added)
    assert refused.value.error is Errors.POLICY_VIOLATION


def test_more_records_than_a_batch_holds_are_refused(bench: Bench) -> None:
    """10,000 partitions and their topic are 10,001 records: POLICY_VIOLATION."""
    topics = (m.TopicRequest("t", num_partitions=10_000, replication_factor=1),)
    with pytest.raises(ApiError) as refused:
        bench.replication.create_topics(m.CreateTopicsRequest(topics=topics))
    assert refused.value.error is Errors.POLICY_VIOLATION


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        (m.PartitionsRequest("none", 2), "UNKNOWN_TOPIC_OR_PARTITION"),
        (m.PartitionsRequest("old", 1), "INVALID_PARTITIONS"),
        (m.PartitionsRequest("old", 3, ((1, 2),)), "INVALID_REPLICA_ASSIGNMENT"),
        (m.PartitionsRequest("old", 2, ((1, 2, 3),)), "INVALID_REPLICA_ASSIGNMENT"),
        (m.PartitionsRequest("old", 2, ((4, 9),)), "INVALID_REPLICA_ASSIGNMENT"),
        (m.PartitionsRequest("old", 2, ((2, 3),)), "NONE"),
        (m.PartitionsRequest("old", 3), "NONE"),
    ],
)
def test_the_answer_to_more_partitions(bench: Bench, asked: m.PartitionsRequest, error: str) -> None:
    """Each refusal has Kafka's name; what is added continues the numbers."""
    [answer] = bench.apply(bench.replication.create_partitions(m.CreatePartitionsRequest(topics=(asked,))))
    assert answer.error.name == error
    numbers = [record.data["partitionId"] for record in bench.records]
    assert numbers == (list(range(1, asked.count)) if error == "NONE" else [])


def test_deleting_a_topic_forgets_all_of_it(bench: Bench) -> None:
    """Name, partitions, configuration, and its places in the indexes; an unknown id is answered by itself."""
    topic = bench.create("x_y", [1, 2], min_isr="2")
    bench.delete(topic, UNASSIGNED_DIRECTORY)
    assert [record.type for record in bench.records] == ["REMOVE_TOPIC_RECORD"]
    assert "x_y" not in bench.replication.topic_ids
    assert bench.configurations.of(m.ConfigResource(m.TOPIC_RESOURCE, "x_y")) == {}
    assert (topic, 0) not in bench.replication.indexes.in_directory(directory(1))
    assert created(bench, m.TopicRequest("x.y")) == ["NONE"]


def test_elections(bench: Bench) -> None:
    """Preferred and unclean ones, those not needed and those impossible; of all partitions, only what was done."""
    topic = bench.create("t", [3, 1], min_isr="1")
    elect = bench.replication.elect_leaders

    def error(kind: int, name: str = "t", number: int = 0) -> str:
        request = m.ElectLeadersRequest(election_type=kind, partitions=((name, number),))
        return str(bench.apply(elect(request))[0].error.name)

    assert error(0) == error(1) == "ELECTION_NOT_NEEDED"
    assert error(0, "none") == error(0, "t", 1) == "UNKNOWN_TOPIC_OR_PARTITION"
    bench.fence(3)
    assert error(0) == "PREFERRED_LEADER_NOT_AVAILABLE"
    bench.heartbeat(3)
    bench.propose(topic, 0, [1, 3])
    assert bench.replication.indexes.imbalanced.at(2**63 - 1) == [(topic, 0)]
    answers = bench.apply(elect(m.ElectLeadersRequest(election_type=0)))
    assert [(one.topic, one.error.name) for one in answers] == [("t", "NONE")]
    assert bench.partition(topic).leader == 3
    bench.fence(1, 3)
    assert error(1) == "ELIGIBLE_LEADERS_NOT_AVAILABLE"
    with pytest.raises(ApiError, match="INVALID_REQUEST"):
        elect(m.ElectLeadersRequest(election_type=2))


def test_periodic_elections(bench: Bench) -> None:
    """The balance task gives the leadership back; the unclean task elects only where the topic allows it."""
    topic = bench.create("t", [3, 1], min_isr="2")
    bench.fence(3)
    bench.heartbeat(3)
    bench.propose(topic, 0, [1, 3])
    assert bench.apply(bench.replication.maybe_balance_partition_leaders()) is False
    assert bench.partition(topic).leader == 3
    bench.fence(1)
    bench.register(3)
    bench.register(1)
    assert (bench.partition(topic).leader, bench.partition(topic).elr) == (-1, ())
    assert bench.partition(topic).last_known_elr == (3,)
    bench.heartbeat(1)
    bench.apply(bench.replication.maybe_elect_unclean_leaders())
    assert not bench.records
    bench.configure("t", "unclean.leader.election.enable", "true")
    bench.apply(bench.replication.maybe_elect_unclean_leaders())
    now = bench.partition(topic)
    assert (now.leader, now.isr, now.leader_recovery_state) == (1, (1,), 1)


def test_reassignments(bench: Bench) -> None:
    """The target first, the removed behind it; complete when the added are in sync; its leader is demoted."""
    topic = bench.create("t", [1, 2, 3])
    bench.heartbeat(4)
    assert bench.reassign("t", [1, 2, 9]) == "INVALID_REPLICA_ASSIGNMENT"
    assert bench.reassign("t", None) == "NO_REASSIGNMENT_IN_PROGRESS"
    assert bench.reassign("t", [1], allow_replication_factor_change=False) == "INVALID_REPLICATION_FACTOR"
    assert bench.reassign("none", [1]) == "UNKNOWN_TOPIC_OR_PARTITION"
    assert bench.reassign("t", [2, 3, 4], allow_replication_factor_change=False) == "NONE"
    now = bench.partition(topic)
    assert (now.replicas, now.adding_replicas, now.removing_replicas) == ((2, 3, 4, 1), (4,), (1,))
    assert bench.replication.indexes.reassigning[topic] == (0,)
    answer = bench.propose(topic, 0, [1, 2, 3, 4])
    assert answer.error is Errors.NEW_LEADER_ELECTED
    now = bench.partition(topic)
    assert (now.replicas, now.isr, now.leader, now.is_reassigning) == ((2, 3, 4), (2, 3, 4), 2, False)
    assert topic not in bench.replication.indexes.reassigning
    assert bench.reassign("t", [1, 2, 3]) == "NONE"
    assert bench.reassign("t", None) == "NONE"
    assert bench.partition(topic).replicas == (2, 3, 4)


def test_a_failed_directory_takes_its_replicas_out(bench: Bench) -> None:
    """The partitions first, then the directories that are left; reported again it writes nothing."""
    bench.start(5, dirs=2)
    topic = bench.create("t", [5, 1])
    request = m.AssignReplicasToDirsRequest(
        broker_id=5, broker_epoch=bench.cluster.registrations[5].epoch, assignments=((directory(5, 1), topic, 0),)
    )
    bench.apply(bench.replication.assign_replicas_to_dirs(request))
    bench.heartbeat(5, offline_log_dirs=(directory(5, 1),))
    change, registration = bench.records
    assert (change.data["isr"], change.data["leader"]) == ([1], 1)
    assert (registration.version, registration.data["logDirs"]) == (2, [directory(5, 0)])
    bench.heartbeat(5, offline_log_dirs=(directory(5, 1),))
    assert not bench.records


def test_cordoned_directories(bench: Bench) -> None:
    """The set is written when it is another, the first time even if it is empty; all cordoned, nothing is placed."""
    bench.heartbeat(3, cordoned_log_dirs=())
    assert [record.data for record in bench.records] == [
        {"brokerId": 3, "brokerEpoch": bench.cluster.registrations[3].epoch, "cordonedLogDirs": []}
    ]
    bench.heartbeat(3, cordoned_log_dirs=())
    assert not bench.records
    bench.heartbeat(3, cordoned_log_dirs=(directory(3),))
    assert [record.version for record in bench.records] == [3]
    assert created(bench, m.TopicRequest("t", assignments=((0, (3,)),))) == ["INVALID_REPLICA_ASSIGNMENT"]
    assert created(bench, m.TopicRequest("t", replication_factor=4)) == ["INVALID_REPLICATION_FACTOR"]
    assert bench.reassign("old", [3, 1]) == "INVALID_REPLICA_ASSIGNMENT"
