"""Snapshots: those that real controllers took, those that are taken here, and what loading one gives."""

from functools import cache
from typing import Any

import pytest

from fencepost.reference.kraft.controller.snapshots import snapshot_messages
from fencepost.reference.kraft.levels import LEVELS, METADATA_VERSION
from fencepost.reference.kraft.records import Message
from fencepost.reference.timeline import LATEST
from fencepost.traces.logs import read_log
from fencepost.traces.records import Record
from tests.cases import each

from .replayed import RECORDED, Replayed, message_of, recorded_names

IMAGES = (
    "FEATURE_LEVEL_RECORD",
    "REGISTER_BROKER_RECORD",
    "REGISTER_CONTROLLER_RECORD",
    "TOPIC_RECORD",
    "CONFIG_RECORD",
    "CLIENT_QUOTA_RECORD",
    "PRODUCER_IDS_RECORD",
    "ACCESS_CONTROL_ENTRY_RECORD",
    "USER_SCRAM_CREDENTIAL_RECORD",
)
"""The images of the recorded snapshots in their order; partitions follow their topic."""


@cache
def recorded_pairs() -> tuple[tuple[int, Replayed, tuple[Message, ...]], ...]:
    """Return (end offset, the log up to it replayed, the recorded snapshot) of the run with snapshots."""
    log = read_log(RECORDED / "snapshots")
    records = [record for record in log.records() if isinstance(record, Record)]
    pairs = []
    for snapshot in sorted(log.snapshots, key=lambda one: one.end_offset):
        if snapshot.end_offset == 0:
            continue
        state = Replayed()
        for record in records:
            if record.offset < snapshot.end_offset:
                state.replay(message_of(record), record.offset)
        pairs.append((snapshot.end_offset, state, tuple(map(message_of, snapshot.records))))
    return tuple(pairs)


def told(message: Message) -> tuple[str, int, Any]:
    """Return a record without the order in which Kafka's hash maps are iterated."""
    data = dict(message.data)
    for field in ("features", "endPoints"):
        if field in data:
            data[field] = sorted(data[field], key=lambda one: one["name"])
    return message.type, message.version, repr(sorted(data.items()))


def test_our_snapshot_has_the_records_of_the_recorded_one() -> None:
    """The 13 snapshots of the recorded run and those taken here of the same log have the same records, all of them."""
    pairs = recorded_pairs()
    assert len(pairs) == 13
    assert sum(len(records) for _, _, records in pairs) > 3000
    for end_offset, state, recorded in pairs:
        ours = snapshot_messages(state, LATEST)
        assert sorted(map(told, ours)) == sorted(map(told, recorded)), end_offset


def test_images_are_in_kafkas_order() -> None:
    """Both have features first, metadata.version before all, then brokers, controllers, topics, and so on."""
    for _, state, recorded in recorded_pairs():
        for records in (recorded, snapshot_messages(state, LATEST)):
            types = [one.type for one in records if one.type != "PARTITION_RECORD"]
            assert types == sorted(types, key=IMAGES.index)
            assert records[0].data["name"] == "metadata.version"
            partitions = [one for one in records if one.type in ("TOPIC_RECORD", "PARTITION_RECORD")]
            topic = ""
            for one in partitions:
                topic = one.data["topicId"] if one.type == "TOPIC_RECORD" else topic
                assert one.data["topicId"] == topic


def test_only_hash_maps_make_the_order_differ() -> None:
    """Brokers, controllers and a topic's partitions are in the recorded order; what Kafka hashes is sorted here."""
    for _, state, recorded in recorded_pairs():
        ours = snapshot_messages(state, LATEST)
        for type_ in ("REGISTER_BROKER_RECORD", "REGISTER_CONTROLLER_RECORD"):
            assert [told(one) for one in ours if one.type == type_] == [
                told(one) for one in recorded if one.type == type_
            ]
        for topic in {one.data["topicId"] for one in ours if one.type == "TOPIC_RECORD"}:
            of_topic = [
                [
                    one.data["partitionId"]
                    for one in records
                    if one.type == "PARTITION_RECORD" and one.data["topicId"] == topic
                ]
                for records in (ours, recorded)
            ]
            assert of_topic[0] == of_topic[1]


def test_loading_a_snapshot_and_taking_it_again_gives_the_same() -> None:
    """Whether a node has replayed the log, loaded Kafka's snapshot or ours: it takes the same snapshot, to the byte."""
    for _, state, recorded in recorded_pairs():
        ours = snapshot_messages(state, LATEST)
        assert snapshot_messages(Replayed().replay_all(ours), LATEST) == ours
        assert snapshot_messages(Replayed().replay_all(recorded), LATEST) == ours


@each("name", recorded_names())
def test_every_recorded_log_is_replayed_and_its_snapshot_loaded(name: str) -> None:
    """No recorded log has a record that does not fit; a node that loads the end's snapshot is where the log ends."""
    log = read_log(RECORDED / name)
    state, count = Replayed(), 0
    for record in log.records():
        if isinstance(record, Record):
            state.replay(message_of(record), record.offset)
            count += 1
    assert count > 50
    ours = snapshot_messages(state, LATEST)
    assert snapshot_messages(Replayed().replay_all(ours), LATEST) == ours


def test_the_state_of_the_migration_from_zookeeper_changes_nothing() -> None:
    """A log of a cluster that was migrated is replayed: its ZkMigrationStateRecord is read, and the state stays."""
    state = Replayed()
    state.replay(Message("FEATURE_LEVEL_RECORD", 0, {"name": METADATA_VERSION, "featureLevel": LEVELS["3.9-IV0"]}), 0)
    before = snapshot_messages(state, LATEST)
    assert len(before) == 1
    state.replay(Message("ZK_MIGRATION_STATE_RECORD", 0, {"zkMigrationState": 1}), 1)
    assert snapshot_messages(state, LATEST) == before


def test_a_snapshot_is_read_at_an_epoch() -> None:
    """A snapshot taken later of an earlier epoch is the one that would have been taken then, whatever came after."""
    log = read_log(RECORDED / "delete-recreate")
    records = [record for record in log.records() if isinstance(record, Record)]
    state, taken = Replayed(), {}
    for index, record in enumerate(records):
        state.replay(message_of(record), record.offset)
        if index % 100 == 99:
            state.registry.create(record.offset)
            taken[record.offset] = snapshot_messages(state, LATEST)
    assert len(taken) > 4
    for epoch, messages in taken.items():
        assert snapshot_messages(state, epoch) == messages


def test_what_only_a_higher_level_knows_is_left_out() -> None:
    """Below their metadata.version, registrations of controllers and directories are not in a snapshot."""
    state = Replayed()
    data = {"incarnationId": "A" * 22, "endPoints": [], "features": []}
    controller = Message("REGISTER_CONTROLLER_RECORD", 0, {"controllerId": 3000, "zkMigrationReady": False, **data})
    broker = Message(
        "REGISTER_BROKER_RECORD",
        4,
        {"brokerId": 1, "brokerEpoch": 5, "fenced": False, "logDirs": ["abcdefghijklmnopqrstuA"], **data},
    )
    for level, version, expected in (
        (LEVELS["3.3-IV3"], 1, ["REGISTER_BROKER_RECORD"]),
        (LEVELS["4.3-IV0"], 4, ["REGISTER_BROKER_RECORD", "REGISTER_CONTROLLER_RECORD"]),
    ):
        state = Replayed()
        level_record = Message("FEATURE_LEVEL_RECORD", 0, {"name": "metadata.version", "featureLevel": level})
        state.replay_all((level_record, broker, controller))
        _, *rest = snapshot_messages(state, LATEST)
        assert [one.type for one in rest] == expected
        assert (rest[0].version, "logDirs" in rest[0].data) == (version, version == 4)


def test_without_metadata_version_there_is_no_snapshot() -> None:
    """Before the bootstrap records nothing says in which versions to write."""
    with pytest.raises(RuntimeError, match=r"no metadata.version"):
        snapshot_messages(Replayed(), LATEST)


def test_a_snapshot_forgets_eligible_replicas_while_they_are_off() -> None:
    """D21: who replays the log keeps them, who loads a snapshot taken meanwhile has none: two states of one log."""
    partition = {"partitionId": 0, "topicId": "A" * 22, "replicas": [1, 2], "isr": [], "leader": -1}
    settled = {"removingReplicas": [], "addingReplicas": [], "leaderEpoch": 1, "partitionEpoch": 2}
    eligible = {"eligibleLeaderReplicas": [2], "lastKnownElr": [1], "directories": ["B" * 22, "C" * 22]}
    log = [
        Message("FEATURE_LEVEL_RECORD", 0, {"name": "metadata.version", "featureLevel": LEVELS["4.4-IV2"]}),
        Message("FEATURE_LEVEL_RECORD", 0, {"name": "eligible.leader.replicas.version", "featureLevel": 1}),
        Message("TOPIC_RECORD", 0, {"name": "t", "topicId": "A" * 22}),
        Message("PARTITION_RECORD", 2, {**partition, **settled, **eligible}),
        Message("FEATURE_LEVEL_RECORD", 0, {"name": "eligible.leader.replicas.version", "featureLevel": 0}),
    ]
    replayed = Replayed().replay_all(log)
    loaded = Replayed().replay_all(snapshot_messages(replayed, LATEST))
    kept = [state.replication.partitions["A" * 22, 0] for state in (replayed, loaded)]
    assert [(one.elr, one.last_known_elr) for one in kept] == [((2,), (1,)), ((), ())]
