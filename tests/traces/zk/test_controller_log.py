"""controller.log: what conformance needs is read, all else is counted."""

import gzip
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from fencepost.traces import TraceError
from fencepost.traces.zk import TopicPartition, read_controller_log, read_recording
from fencepost.traces.zk.controller_log import CONTROLLER_LOG, TopicPartitionReplica
from fencepost.traces.zk.values import BrokerState, LeaderAndIsr, ReplicaAssignment
from tests.cases import each

RECORDED = Path(__file__).resolve().parents[3] / "traces" / "recorded" / "zk"
KILL_NINE = {
    "broker-epochs": 16,
    "brokers": 12,
    "elected": 4,
    "election": 5,
    "isr": 78,
    "partition-machine": 4,
    "ready": 4,
    "replica-machine": 4,
}
ISR_CHANGES = {
    "first-boot": 0,
    "kill-nine": 78,
    "leaders-write": 0,
    "log-dir-failure": 9,
    "reassignment": 28,
    "rolling-restart": 43,
    "topic-deletion": 26,
}
RUNS = sorted(path.name for path in RECORDED.iterdir() if path.is_dir())
STATE = (
    "LeaderAndIsr(leader=4, leaderEpoch=4, isrWithBrokerEpoch=List(BrokerState(brokerId=4, brokerEpoch=-1)), "
    "leaderRecoveryState=RECOVERED, partitionEpoch=10)"
)
TAKEN = LeaderAndIsr(4, 4, (BrokerState(4, -1),), "RECOVERED", 10)
THREE = TopicPartition("three", 2)
SAMPLES: list[tuple[str, str, dict[str, Any]]] = [
    (
        "Elected",
        "3 successfully elected as the controller. Epoch incremented to 2 and epoch zk version is now 5",
        {"broker": 3, "epoch": 2, "zk_version": 5},
    ),
    ("Resigned", "Resigned", {}),
    ("Ready", "Ready to serve as the new controller with epoch 7", {"epoch": 7}),
    ("ControllerMoved", "Controller moved to another broker when processing BrokerChange.", {"event": "BrokerChange"}),
    (
        "BrokersChanged",
        "Newly added brokers: 2,3, deleted brokers: , bounced brokers: 4, all live brokers: 1,2,3,4",
        {"added": (2, 3), "deleted": (), "bounced": (4,), "live": (1, 2, 3, 4)},
    ),
    (
        "BrokerEpochs",
        "Updated broker epochs cache: HashMap(1 -> 352, 2 -> 277)",
        {"verb": "Updated", "epochs": ((1, 352), (2, 277))},
    ),
    ("BrokerEpochs", "Initialized broker epochs cache: Map()", {"epochs": (), "collection": "Map"}),
    ("BrokerShutDown", "Shutting down broker 4", {"broker": 4}),
    ("IsrUpdated", f"ISR for partition three-2 updated to {STATE}.", {"partition": THREE, "state": TAKEN}),
    (
        "IsrNotUpdated",
        f"Failed to update ISR to {STATE} for partition three-2, bad ZK version.",
        {"partition": THREE, "state": TAKEN},
    ),
    (
        "LeaderEpochRaised",
        "Updated leader epoch for partition three-2 to 9, zkVersion=12",
        {"partition": THREE, "leader_epoch": 9, "partition_epoch": 12},
    ),
    (
        "AssignmentUpdated",
        "Successfully updated assignment of partition three-2 to ReplicaAssignment(replicas=1,2, addingReplicas=2, "
        "removingReplicas=)",
        {"partition": THREE, "assignment": ReplicaAssignment((1, 2), (2,), ())},
    ),
    (
        "ElectionStarted",
        "Starting replica leader election (UNCLEAN) for partitions three-2 triggered by AdminClientTriggered",
        {"election": "UNCLEAN", "partitions": (THREE,), "trigger": "AdminClientTriggered"},
    ),
    (
        "ElectionStarted",
        "Starting replica leader election (PREFERRED) for partitions  triggered by ZkTriggered",
        {"partitions": ()},
    ),
    ("DeletionStarted", "Starting topic deletion for topics a.b,c-d", {"topics": ("a.b", "c-d")}),
    (
        "PartitionMachineStarted",
        "Started partition state machine with initial state -> HashMap(three-2 -> OnlinePartition, "
        "a-b-0 -> OfflinePartition)",
        {"states": ((THREE, "OnlinePartition"), (TopicPartition("a-b", 0), "OfflinePartition"))},
    ),
    (
        "ReplicaMachineStarted",
        "Started replica state machine with initial state -> HashMap([Topic=one,Partition=0,Replica=2] -> "
        "OnlineReplica, [Topic=a-b,Partition=1,Replica=3] -> OfflineReplica)",
        {
            "states": (
                (TopicPartitionReplica("one", 0, 2), "OnlineReplica"),
                (TopicPartitionReplica("a-b", 1, 3), "OfflineReplica"),
            )
        },
    ),
]


def test_every_class_has_a_sample() -> None:
    """No class of line is without a sample below."""
    assert {name for name, _, _ in SAMPLES} == {one.__name__ for one in CONTROLLER_LOG.classes}


@each(("name", "text", "fields"), SAMPLES)
def test_a_line_is_read_and_written(name: str, text: str, fields: dict[str, Any]) -> None:
    """A line is read as its class with its values, and the class writes the same text."""
    found = CONTROLLER_LOG.read(text)
    assert found is not None
    assert type(found).__name__ == name
    assert {key: getattr(found, key) for key in fields} == fields
    assert found.text == text


@each("run", RUNS)
def test_every_record_is_read_or_counted(run: str) -> None:
    """The entries and the others are all the lines that begin with a date."""
    for file in sorted((RECORDED / run).glob("controller*.gz")):
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            dated = sum(line.startswith("[2026-") for line in lines)
        log = read_controller_log(file)
        assert len(log.entries) + log.others == dated


def test_the_kinds_of_a_run_are_counted() -> None:
    """A run with kills has as many elections, resignations and ISR changes as were counted."""
    logs = read_recording(RECORDED / "kill-nine").controller_logs()
    kinds = Counter(entry.message.kind for log in logs for entry in log.entries)
    assert kinds == KILL_NINE
    assert sum(log.others for log in logs) == 345


@each("run", RUNS)
def test_a_new_controllers_epochs_are_those_of_its_lines(run: str) -> None:
    """Every epoch of state-change.log was won by the broker that writes in it, and the znode agrees."""
    recording = read_recording(RECORDED / run)
    elected = {
        entry.message.epoch: (entry.broker, entry.message.zk_version)  # type: ignore[attr-defined]
        for log in recording.controller_logs()
        for entry in log.entries
        if entry.message.kind == "elected"
    }
    assert {one.epoch: one.controllers for one in recording.gathered().epochs} == {
        epoch: (broker,) for epoch, (broker, _) in elected.items()
    }
    won = {
        one.data: (transaction.writer, one.version)
        for transaction in recording.transactions()
        if transaction.happened
        for one in transaction.operations
        if one.op == "set" and one.path == "/controller_epoch"
    }
    assert won == elected


@each("run", RUNS)
def test_isr_changes_of_leaders_are_written(run: str) -> None:
    """Every ISR that a leader changed is in the znode history, with the same leader, members and version."""
    recording = read_recording(RECORDED / run)
    written = {
        (one.path, one.version, one.data["leader"], one.data["leader_epoch"], tuple(one.data["isr"]))
        for transaction in recording.transactions()
        if transaction.happened
        for one in transaction.operations
        if one.path and one.path.endswith("/state") and one.op in ("create", "set")
    }
    changes = [
        entry.message for log in recording.controller_logs() for entry in log.entries if entry.message.kind == "isr"
    ]
    assert len(changes) == ISR_CHANGES[run]
    for one in changes:
        state, (topic, partition) = one.state, one.partition  # type: ignore[attr-defined]
        path = f"/brokers/topics/{topic}/partitions/{partition}/state"
        assert (path, state.partition_epoch, state.leader, state.leader_epoch, state.isr) in written


def test_what_is_no_log_is_one_sentence(tmp_path: Path) -> None:
    """A missing file and a file without dates are reported in one sentence with the file's name."""
    file = tmp_path / "controller.log"
    with pytest.raises(TraceError, match="there is no such file; give a controller"):
        read_controller_log(file)
    file.write_text("nothing\n", encoding="utf-8")
    with pytest.raises(TraceError, match="begins with a date in brackets; give a controller"):
        read_controller_log(file)
