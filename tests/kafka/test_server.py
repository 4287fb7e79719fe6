"""A controller of Kafka 4.4.0 starts from a directory that we wrote, goes on with its log, and is in our state."""

import dataclasses
import json
import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from fencepost.reference.kraft.controller.managers import Managers
from fencepost.reference.kraft.controller.snapshots import snapshot_messages
from fencepost.reference.kraft.levels import LEVELS
from fencepost.reference.kraft.raft.client import CommittedBatch
from fencepost.reference.kraft.records import Message
from fencepost.reference.kraft.settings import Settings
from fencepost.reference.kraft.simulation.plan import Plan
from fencepost.reference.kraft.simulation.run import Run
from fencepost.reference.kraft.simulation.written import controller_disk
from fencepost.reference.kraft.storage.layout import ControllerDisk, read_controller
from fencepost.reference.timeline import SnapshotRegistry

from .servers import take_over
from .simulated import worked

pytestmark = pytest.mark.kafka
KAFKA = Path(__file__).resolve().parents[1] / "reference" / "storage" / "recorded" / "controller-4.4.0"
SEEN = {
    "FEATURE_LEVEL_RECORD",
    "REGISTER_BROKER_RECORD",
    "REGISTER_CONTROLLER_RECORD",
    "TOPIC_RECORD",
    "PARTITION_RECORD",
    "CONFIG_RECORD",
    "PRODUCER_IDS_RECORD",
}
"""What every compared snapshot holds."""

OF_TRANSACTIONS = ("BEGIN_TRANSACTION_RECORD", "END_TRANSACTION_RECORD")


def recorded() -> ControllerDisk:
    """Return the disk of a controller that Kafka ran."""
    return read_controller(KAFKA)


def simulated(seed: int = 1, faults: str = "brokers") -> ControllerDisk:
    """Return the disk of a simulated controller that worked for a while, its cluster under faults."""
    return controller_disk(worked(seed, controllers=1, seconds=120, faults=faults).controllers[3000])


def end_of(disk: ControllerDisk) -> int:
    """Return the offset after the last one of a disk's log."""
    return disk.batches[-1].last_offset + 1


@dataclasses.dataclass(frozen=True)
class Taken:
    """What Kafka made of a disk: what was written of it, and what was found after Kafka's next snapshot."""

    disk: ControllerDisk
    written: ControllerDisk
    found: ControllerDisk

    def goes_on(self) -> None:
        """Hold that Kafka's log is ours, the next leader's epoch, and records of Kafka's."""
        ours = [(batch.base_offset, batch.epoch, batch.records, batch.control) for batch in self.written.batches]
        now = [(batch.base_offset, batch.epoch, batch.records, batch.control) for batch in self.found.batches]
        assert now[: len(ours)] == ours
        (base, epoch, records, control), *rest = now[len(ours) :]
        next_epoch = self.disk.batches[-1].epoch + 1
        begun = (end_of(self.disk), next_epoch, (), ["LeaderChange"])
        assert (base, epoch, records, [kind for kind, _ in control][:1]) == begun
        assert {record.type for _, _, records, _ in rest for record in records} & {
            "NO_OP_RECORD",
            "REGISTER_CONTROLLER_RECORD",
        }
        quorum = self.found.quorum_state
        assert quorum is not None
        assert (quorum.leader_id, quorum.leader_epoch) == (3000, next_epoch)

    def snapshots(self) -> tuple[tuple[Message, ...], tuple[Message, ...], list[Message]]:
        """Return the records of our snapshot at the offset of Kafka's, those of Kafka's, and the log up to there."""
        snapshot = max(self.found.snapshots, key=lambda one: one.end_offset)
        cluster = self.found.properties.cluster_id or ""
        managers = Managers(SnapshotRegistry(), cluster, Settings(), random.Random(0), [3000])
        log = []
        for batch in self.found.batches:
            for offset, record in enumerate(batch.records, start=batch.base_offset):
                if offset < snapshot.end_offset and record.type not in OF_TRANSACTIONS:
                    managers.replay(record, offset)
                    log.append(record)
        return snapshot_messages(managers, snapshot.end_offset - 1), snapshot.records, log

    def is_in_our_state(self) -> None:
        """Hold that Kafka's snapshot has the records of ours, but for configurations of topics that are deleted."""
        ours, kafkas, log = self.snapshots()
        assert {record.type for record in ours} >= SEEN
        left = left_behind(log)
        assert canonical(ours) == canonical(record for record in kafkas if record not in left or record in ours)


def taken(folder: Path, place: Path, disk: ControllerDisk) -> Taken:
    """Let Kafka start from a disk without our own snapshots, so that it replays everything, and make a snapshot."""
    disk = dataclasses.replace(disk, snapshots=[one for one in disk.snapshots if one.end_offset == 0])
    end = end_of(disk)
    written, found = take_over(
        folder,
        place,
        disk,
        lambda now: end_of(now) >= end + 3 and max(snapshot.end_offset for snapshot in now.snapshots) > end,
        "metadata.log.max.snapshot.interval.ms=1000",
    )
    return Taken(disk, written, found)


CONFIGURATION = {"resourceType": 2, "resourceName": "again", "name": "min.insync.replicas", "value": "2"}
FIRST, SECOND = "JEXY6aqzQY-32P5TStzaFg", "MvDxzVmcRsaTz33bUuRU6A"
DELETED = (
    Message("TOPIC_RECORD", 0, {"name": "again", "topicId": FIRST}),
    Message("CONFIG_RECORD", 0, CONFIGURATION),
    Message("REMOVE_TOPIC_RECORD", 0, {"topicId": FIRST}),
    Message("TOPIC_RECORD", 0, {"name": "again", "topicId": SECOND}),
)
"""A topic with a configuration is deleted, and there is a new one of its name."""


@pytest.fixture(scope="module")
def simulated_taken(server_jars: Path, tmp_path_factory: pytest.TempPathFactory) -> Taken:
    """What Kafka made of a simulated log behind which a topic was deleted and created again."""
    return taken(server_jars, tmp_path_factory.mktemp("taken"), followed_by(simulated(), *DELETED))


def test_it_goes_on_with_our_log(simulated_taken: Taken) -> None:
    """It replays the log, becomes active in the next epoch, and writes on at the next offset.

    The records that it wrote follow ours; ours are still there, unchanged.
    """
    simulated_taken.goes_on()


@pytest.mark.nightly("test_it_goes_on_with_our_log")
def test_it_goes_on_with_a_log_of_its_own(server_jars: Path, tmp_path: Path) -> None:
    """So it does with what we wrote of a log that Kafka wrote, and its snapshots."""
    disk = recorded()
    end = end_of(disk)
    Taken(disk, *take_over(server_jars, tmp_path, disk, lambda now: end_of(now) >= end + 3)).goes_on()


def test_it_is_in_our_state(simulated_taken: Taken) -> None:
    """Kafka replays a simulated log from its beginning, and its snapshot of it has the records of ours.

    So every record of the log was replayed by both to the same end: registrations, partitions, configurations,
    features, producer ids. Configurations that Kafka should have forgotten are the claim of another test.
    """
    simulated_taken.is_in_our_state()


@pytest.mark.nightly("test_it_is_in_our_state")
@pytest.mark.parametrize(("seed", "faults"), [(2, "all"), (3, "none")])
def test_it_is_in_our_state_of_other_runs(server_jars: Path, tmp_path: Path, seed: int, faults: str) -> None:
    """So it is with the logs of other clusters: under all faults, and under none."""
    taken(server_jars, tmp_path, simulated(seed, faults)).is_in_our_state()


def test_a_deleted_topics_configuration_stays(simulated_taken: Taken) -> None:
    """Kafka 4.4.0 gives a new topic the configuration of a deleted one of its name, where it replays both at once.

    Its image forgets a deleted topic's configuration only if it knew that before the delta; so a node that starts and
    reads set and removal together makes another snapshot than one that followed along, and than the controller's
    memory (ConfigurationsDelta, D28). Ours forgets it, as Kafka's ConfigurationControlManager does.
    """
    ours, kafkas, _ = simulated_taken.snapshots()
    assert [record.data for record in kafkas if record.data.get("resourceName") == "again"] == [CONFIGURATION]
    assert [record.data for record in ours if record.data.get("resourceName") == "again"] == []


def test_below_3_7_an_added_replica_is_migrating(server_jars: Path, tmp_path: Path) -> None:
    """Kafka writes a snapshot of it, whose record has no directories; of one that is elsewhere it would write none."""
    disk = controller_disk(below_3_7().cluster.controllers[3000])
    topic = "JEXY6aqzQY-32P5TStzaFg"
    partition = {
        "partitionId": 0, "topicId": topic, "replicas": [1], "isr": [1], "removingReplicas": [], "addingReplicas": [],
        "leader": 1, "leaderEpoch": 0, "partitionEpoch": 0,
    }  # fmt: skip
    moved = {"partitionId": 0, "topicId": topic, "replicas": [1, 2], "addingReplicas": [2]}
    disk = followed_by(
        disk,
        Message("TOPIC_RECORD", 0, {"name": "t", "topicId": topic}),
        Message("PARTITION_RECORD", 0, partition),
        Message("PARTITION_CHANGE_RECORD", 0, moved),
    )
    ours, kafkas, _ = taken(server_jars, tmp_path, disk).snapshots()
    found = [one for one in kafkas if one.type == "PARTITION_RECORD"]
    assert found == [Message("PARTITION_RECORD", 0, partition | moved | {"partitionEpoch": 1})]
    assert found == [one for one in ours if one.type == "PARTITION_RECORD"]


def below_3_7() -> Run:
    """Return a run of one controller at metadata.version 3.6-IV2, up to its first leader."""
    run = Run(Plan(seed=1, seconds=4, controllers=1, level=LEVELS["3.6-IV2"], faults="none"), lambda step: None)
    run.execute()
    return run


def followed_by(disk: ControllerDisk, *records: Message) -> ControllerDisk:
    """Return a disk whose log has further records, a batch each."""
    batches = list(disk.batches)
    for record in records:
        last = batches[-1]
        offset = last.last_offset + 1
        batches.append(CommittedBatch(offset, offset, last.epoch, last.timestamp_ms, (record,)))
    return dataclasses.replace(disk, batches=batches)


def left_behind(log: Iterable[Message]) -> list[Message]:
    """Return the configurations that topics of a log had when they were deleted."""
    names: dict[str, str] = {}
    found: list[Message] = []
    configurations: list[Message] = []
    for record in log:
        if record.type == "TOPIC_RECORD":
            names[record.data["topicId"]] = record.data["name"]
        elif record.type == "CONFIG_RECORD":
            configurations.append(record)
        elif record.type == "REMOVE_TOPIC_RECORD":
            name = names[record.data["topicId"]]
            found += [
                one for one in configurations if (one.data["resourceType"], one.data["resourceName"]) == (2, name)
            ]
    return found


def canonical(records: Iterable[Message]) -> list[tuple[str, int, str]]:
    """Return records in an order of their own; what Kafka keeps in hash maps is put in order too."""
    return sorted((one.type, one.version, json.dumps(_ordered(one.data), sort_keys=True)) for one in records)


def _ordered(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _ordered(one) for key, one in value.items()}
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return sorted((_ordered(one) for one in value), key=lambda one: json.dumps(one, sort_keys=True))
    return list(value) if isinstance(value, tuple) else value
