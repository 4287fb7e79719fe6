"""What znodes say: the data of Kafka's paths is read into its class and written again."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from fencepost.traces import TraceError
from fencepost.traces.zk import TopicPartition, data_of, path_of, read_znode_history, reading_of
from fencepost.traces.zk import znode_data as kinds
from fencepost.traces.zk.values import ReplicaAssignment
from tests.cases import each

RECORDED = Path(__file__).resolve().parents[3] / "traces" / "recorded" / "zk"


def test_every_recorded_data_is_read_and_written() -> None:
    """All data of the seven runs is read, counted by its class, and written with its columns in the same order."""
    counted: Counter[str] = Counter()
    for history in sorted(RECORDED.glob("*/znode-history.ndjson.gz")):
        for transaction in read_znode_history(history):
            for one in transaction.operations:
                reading = reading_of(one.path or "", one.data, transaction.place) if one.has_data else None
                if reading is not None:
                    counted[type(reading).__name__] += 1
                    assert json.dumps(data_of(reading)) == json.dumps(one.data)
                    number = (one.path or "").rpartition("_")[2]
                    assert path_of(reading, int(number) if number.isdecimal() else 0) == one.path
    assert counted == {
        "PartitionState": 732, "TopicAssignment": 68, "BrokerRegistration": 60, "ControllerEpoch": 28,
        "Controller": 21, "IsrChange": 10, "TopicDeletion": 10, "Reassignments": 2, "LogDirEvent": 2,
    }  # fmt: skip


PARTITION = TopicPartition("a-b", 3)
SAMPLES: list[tuple[str, Any, kinds.Reading]] = [
    (
        "/controller",
        {"version": 2, "brokerid": 1, "timestamp": "5", "kraftControllerEpoch": -1},
        kinds.Controller(1, "5"),
    ),
    ("/controller", {"version": 1, "brokerid": 1, "timestamp": "5"}, kinds.Controller(1, "5", 1, None)),
    ("/controller_epoch", 7, kinds.ControllerEpoch(7)),
    (
        "/brokers/ids/4",
        {"endpoints": ["PLAINTEXT://a:1"], "version": 5},
        kinds.BrokerRegistration(4, ("PLAINTEXT://a:1",), {"endpoints": ["PLAINTEXT://a:1"], "version": 5}),
    ),
    (
        "/brokers/topics/a-b",
        {
            "partitions": {"3": [1, 2]},
            "topic_id": "x",
            "adding_replicas": {"3": [2]},
            "removing_replicas": {},
            "version": 3,
        },
        kinds.TopicAssignment("a-b", "x", {3: ReplicaAssignment((1, 2), (2,), ())}),
    ),
    (
        "/brokers/topics/a-b",
        {"partitions": {"3": [1, 2]}, "version": 1},
        kinds.TopicAssignment("a-b", None, {3: ReplicaAssignment((1, 2), (), ())}, 1),
    ),
    (
        "/brokers/topics/a-b/partitions/3/state",
        {"controller_epoch": 2, "leader": 1, "version": 1, "leader_recovery_state": 1, "leader_epoch": 3, "isr": [1]},
        kinds.PartitionState(PARTITION, 1, 3, (1,), 2, kinds.RECOVERING),
    ),
    (
        "/admin/reassign_partitions",
        {"version": 1, "partitions": [{"topic": "a-b", "partition": 3, "replicas": [2, 1]}]},
        kinds.Reassignments(((PARTITION, (2, 1)),)),
    ),
    ("/admin/delete_topics/a-b", None, kinds.TopicDeletion("a-b")),
    (
        "/admin/preferred_replica_election",
        {"version": 1, "partitions": [{"topic": "a-b", "partition": 3}]},
        kinds.PreferredElection((PARTITION,)),
    ),
    (
        "/isr_change_notification/isr_change_0000000000",
        {"version": 1, "partitions": [{"topic": "a-b", "partition": 3}]},
        kinds.IsrChange((PARTITION,)),
    ),
    (
        "/log_dir_event_notification/log_dir_event_0000000000",
        {"version": 1, "broker": 2, "event": 1},
        kinds.LogDirEvent(2),
    ),
]


@each(("path", "data", "reading"), SAMPLES)
def test_data_is_read_and_written(path: str, data: Any, reading: kinds.Reading) -> None:
    """A path's data is read into the class that says it, and path and data are made from it again."""
    assert reading_of(path, data) == reading
    assert json.dumps(data_of(reading)) == json.dumps(data)
    assert path_of(reading) == path


@each(
    "path", ["/", "/brokers", "/brokers/ids", "/brokers/topics", "/config/topics/a", "/brokers/topics/a/partitions/0"]
)
def test_another_path_says_nothing(path: str) -> None:
    """Paths that no controller reads have no reading, and null has none where it says nothing."""
    assert reading_of(path, {"version": 1}) is None
    assert reading_of("/brokers/ids/1", None) is None


@each(
    ("path", "data", "said"),
    [
        ("/brokers/topics/a/partitions/0/state", {"leader": 1}, "lacks 'leader_epoch'"),
        ("/brokers/topics/a/partitions/0/state", 5, "is of another layout"),
        (
            "/brokers/topics/a/partitions/0/state",
            {"leader": "1", "leader_epoch": 1, "isr": [], "controller_epoch": 1},
            "'1' is no whole number",
        ),
        ("/brokers/topics/a", {"partitions": {"x": [1]}}, "is of another layout"),
        ("/brokers/topics/a", {"partitions": {"0": 1}}, "1 is no list"),
        ("/controller_epoch", "x", "is of another layout"),
        ("/controller", {"version": 1}, "lacks 'brokerid'"),
        ("/brokers/ids/1", {"endpoints": [1]}, "1 is no text"),
    ],
)
def test_wrong_data_is_one_sentence(path: str, data: Any, said: str) -> None:
    """Data of another layout is reported with its place and its path."""
    with pytest.raises(TraceError) as caught:
        reading_of(path, data, "h:7")
    assert str(caught.value).startswith(f"h:7: {path}: the data ")
    assert said in str(caught.value)
