"""What a broker knows of the cluster: committed records only, a transaction at its end, a snapshot as a whole."""

from typing import Any

import pytest

from fencepost.reference.kraft.broker.image import TOPIC, Delta, PartitionImage
from fencepost.reference.kraft.broker.loader import MetadataLoader
from fencepost.reference.kraft.raft.client import CommittedBatch, LoadedSnapshot
from fencepost.reference.kraft.records import MIGRATING_DIRECTORY, Message


class Loaded:
    """A loader with the deltas that it published."""

    def __init__(self, repaired: frozenset[str] = frozenset()) -> None:
        self.deltas: list[Delta] = []
        self.offsets: list[int] = []
        self.loader = MetadataLoader(self._published, repaired)
        self.next = 0

    def _published(self) -> None:
        self.deltas.append(self.loader.image.take_delta())
        self.offsets.append(self.loader.image.offset)

    def commit(self, *records: Message) -> Delta:
        """Load one batch; a control batch without records."""
        last = self.next + max(len(records), 1) - 1
        self.loader.handle_commit([CommittedBatch(self.next, last, 1, 0, records)])
        self.next = last + 1
        return self.deltas[-1]


def topic(name: str = "t", topic_id: str = "T") -> Message:
    """Return a topic's record."""
    return Message("TOPIC_RECORD", 0, {"name": name, "topicId": topic_id})


def partition(topic_id: str = "T", number: int = 0, **more: Any) -> Message:
    """Return a partition's record."""
    data = {
        "partitionId": number, "topicId": topic_id, "replicas": [1, 2], "isr": [1, 2], "removingReplicas": [],
        "addingReplicas": [], "leader": 1, "leaderEpoch": 0, "partitionEpoch": 0,
    }  # fmt: skip
    return Message("PARTITION_RECORD", 0, data | more)


def change(topic_id: str = "T", number: int = 0, **more: Any) -> Message:
    """Return a change of a partition."""
    return Message("PARTITION_CHANGE_RECORD", 0, {"partitionId": number, "topicId": topic_id} | more)


BEGIN, END, ABORT = (Message(f"{kind}_TRANSACTION_RECORD", 0, {}) for kind in ("BEGIN", "END", "ABORT"))


def test_a_transaction_is_applied_at_its_end() -> None:
    """Nothing of it is visible before, and the offset that heartbeats report stays before it (S2:18-20)."""
    loaded = Loaded()
    loaded.commit(topic("before", "B"))
    assert not loaded.commit(BEGIN, topic())
    assert not loaded.commit(partition())
    assert (loaded.loader.image.topics, loaded.offsets[-1]) == ({"B": "before"}, 0)
    assert list(loaded.commit(END).before) == [("T", 0)]
    assert (loaded.loader.image.topics, loaded.offsets[-1]) == ({"B": "before", "T": "t"}, 4)


def test_an_aborted_transaction_leaves_nothing() -> None:
    """What was in it was never there, and the offset goes on."""
    loaded = Loaded()
    loaded.commit(BEGIN, topic(), partition())
    assert not loaded.commit(ABORT, topic("u", "U"))
    assert (loaded.loader.image.topics, loaded.offsets[-1]) == ({"U": "u"}, 4)


def test_control_batches_move_the_offset() -> None:
    """A batch without records counts as applied, so that heartbeats report it."""
    loaded = Loaded()
    assert not loaded.commit()
    assert loaded.offsets == [0]


def test_changes_merge_as_the_controller_merges_them() -> None:
    """The leader epoch grows with a leader in the record, also the same one; the partition epoch always."""
    loaded = Loaded()
    loaded.commit(topic(), partition())
    delta = loaded.commit(change(isr=[1]), change(leader=1), change(leader=-1, isr=[]))
    now = loaded.loader.image.partitions["T", 0]
    assert (now.leader, now.leader_epoch, now.partition_epoch, now.isr) == (-1, 2, 3, ())
    assert delta.before["T", 0] == PartitionImage((1, 2), (1, 2), 1, 0, 0, directories=(MIGRATING_DIRECTORY,) * 2)


def test_elr_is_cleared_where_there_is_some() -> None:
    """ClearElr raises the partition epoch only of partitions that had eligible or last known replicas."""
    loaded = Loaded()
    loaded.commit(topic(), partition(isr=[1], eligibleLeaderReplicas=[2]), partition(number=1))
    loaded.commit(Message("CLEAR_ELR_RECORD", 0, {"topicName": ""}))
    image = loaded.loader.image
    assert [(one.elr, one.partition_epoch) for one in image.partitions.values()] == [((), 1), ((), 0)]


def test_a_deleted_topic_takes_its_configuration_along() -> None:
    """A topic of the same name that is created later begins without it."""
    loaded = Loaded()
    setting = {"resourceType": 2, "resourceName": "t", "name": "min.insync.replicas", "value": "2"}
    loaded.commit(topic(), partition(), Message("CONFIG_RECORD", 0, setting))
    assert loaded.loader.image.config("T", 1, "min.insync.replicas") == "2"
    delta = loaded.commit(Message("REMOVE_TOPIC_RECORD", 0, {"topicId": "T"}), topic("t", "U"))
    assert (delta.deleted_topics, list(delta.before)) == ({"T": "t"}, [("T", 0)])
    assert loaded.loader.image.config("U", 1, "min.insync.replicas") is None


def test_a_snapshot_without_a_topic_removes_it() -> None:
    """A topic whose removal is only in a snapshot is in the delta as deleted (S2:280-281); what is equal is not."""
    loaded = Loaded()
    loaded.commit(topic(), partition(), topic("u", "U"), partition("U"))
    loaded.loader.handle_load_snapshot(LoadedSnapshot(10, 1, (topic("u", "U"), partition("U"), partition("U", 1))))
    delta = loaded.deltas[-1]
    assert (delta.deleted_topics, delta.before.keys(), loaded.offsets[-1]) == ({"T": "t"}, {("T", 0), ("U", 1)}, 9)


def test_a_snapshot_ends_an_open_transaction() -> None:
    """What was held back is void: the snapshot has it or it is not committed."""
    loaded = Loaded()
    loaded.commit(BEGIN, topic())
    loaded.loader.handle_load_snapshot(LoadedSnapshot(5, 1, (topic("u", "U"),)))
    assert loaded.loader.image.topics == {"U": "u"}
    loaded.next = 5
    loaded.commit(topic("v", "V"))
    assert loaded.loader.image.topics == {"U": "u", "V": "v"}


def test_a_broker_goes_on_as_it_is_registered() -> None:
    """Registration changes fence, unfence and mark; shutting down is never unmarked; no directories change nothing."""
    loaded = Loaded()
    register = {"brokerId": 1, "brokerEpoch": 7, "incarnationId": "i", "fenced": True, "logDirs": ["a", "b"]}
    step = {"brokerId": 1, "brokerEpoch": 7}
    loaded.commit(Message("REGISTER_BROKER_RECORD", 3, register))
    assert loaded.loader.image.alive_epoch(1) is None
    loaded.commit(Message("BROKER_REGISTRATION_CHANGE_RECORD", 2, step | {"fenced": -1}))
    assert loaded.loader.image.alive_epoch(1) == 7
    loaded.commit(Message("BROKER_REGISTRATION_CHANGE_RECORD", 2, step | {"inControlledShutdown": 1, "logDirs": ["a"]}))
    loaded.commit(Message("BROKER_REGISTRATION_CHANGE_RECORD", 2, step | {"fenced": 1}))
    broker = loaded.loader.image.brokers[1]
    assert (broker.fenced, broker.in_controlled_shutdown, broker.directories) == (True, True, ("a",))
    loaded.commit(Message("UNREGISTER_BROKER_RECORD", 0, step))
    assert loaded.loader.image.brokers == {}


# -- configurations of deleted topics ----------------------------------------------------------------------------------
def config(value: str | None, name: str = "t") -> Message:
    """Return the record of a topic's min.insync.replicas."""
    data = {"resourceType": TOPIC, "resourceName": name, "name": "min.insync.replicas", "value": value}
    return Message("CONFIG_RECORD", 0, data)


def removed(topic_id: str = "T") -> Message:
    """Return the record of a topic's deletion."""
    return Message("REMOVE_TOPIC_RECORD", 0, {"topicId": topic_id})


@pytest.mark.parametrize(
    ("loads", "kept"),
    [
        ([[topic(), config("2"), removed(), topic("t", "U")]], "2"),
        ([[topic()], [config("2"), removed(), topic("t", "U")]], "2"),
        ([[topic(), config("2")], [removed(), topic("t", "U")]], None),
        ([[topic(), config("2")], [config("3"), removed(), topic("t", "U")]], None),
        ([[topic(), config("2")], [config(None), config("3"), removed(), topic("t", "U")]], None),
        ([[topic(), config("2")], [config(None)], [config("3"), removed(), topic("t", "U")]], "3"),
        ([[topic(), config("2"), removed()], [topic("t", "U")]], "2"),
        ([[topic(), config("2"), removed(), topic("t", "U")], [removed("U"), topic("t", "V")]], None),
    ],
)
@pytest.mark.parametrize("repaired", [frozenset[str](), frozenset({"D28"})])
def test_a_deleted_topics_configuration_stays(
    loads: list[list[Message]], kept: str | None, repaired: frozenset[str]
) -> None:
    """It is forgotten only if it was there before what is loaded at once (D28); repaired, always.

    As real Kafka has it: `test_a_deleted_topics_configuration_stays` in `tests/kafka`.
    """
    loaded = Loaded(repaired)
    for records in loads:
        loaded.commit(*records)
    image = loaded.loader.image
    (topic_id,) = image.topics
    assert image.config(topic_id, 1, "min.insync.replicas") == (None if repaired else kept)
    assert ("t" in image.inherited) or repaired or kept is None
