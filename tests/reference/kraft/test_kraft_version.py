"""kraft.version in the reference: Raft's log has the level, so that neither a restart nor a failover forgets it."""

from pathlib import Path

import pytest

from fencepost.checkers.conformance.records.control_records import raft_level
from fencepost.reference.kraft import messages as m
from fencepost.reference.kraft.levels import KRAFT_VERSION
from fencepost.reference.kraft.raft import ReplicatedLog
from fencepost.reference.kraft.raft.accumulator import control_batch
from fencepost.reference.kraft.raft.client import LoadedSnapshot
from fencepost.reference.kraft.settings import Settings
from fencepost.reference.kraft.simulation.cluster import Cluster, ClusterConfig
from fencepost.reference.kraft.simulation.written import controller_disk, write_controllers
from fencepost.reference.simulator import Process
from fencepost.traces import find_log, read_log

from .simulation.test_whole_cluster import ask, only_active, started

UPGRADE = m.UpdateFeaturesRequest(updates=((KRAFT_VERSION, 1, m.UPGRADE),))


def levels(cluster: Cluster) -> dict[int, int]:
    """Return the level that each controller goes by."""
    return {
        node: one.controller.managers.features.kraft_version
        for node, one in cluster.controllers.items()
        if one.controller is not None
    }


def controls(cluster: Cluster) -> list[list[str]]:
    """Return the types of the records of each control batch of the active controller's log."""
    log = only_active(cluster).disk.log
    return [[type_ for type_, _ in batch.control] for batch in log.batches if batch.control]


def upgraded(**config: object) -> Cluster:
    """Return a cluster of a static quorum whose kraft.version was raised to 1."""
    cluster = started(brokers=1, dynamic_quorum=False, **config)
    assert set(levels(cluster).values()) == {0}
    assert ask(cluster, UPGRADE) is None
    return cluster


def test_an_upgrade_is_a_control_record_before_its_no_op() -> None:
    """Raft writes the level and the voters in one batch; the controller's NoOp is behind it, as 4.4.0 has it."""
    cluster = upgraded()
    assert [one for one in controls(cluster) if one != ["LeaderChange"]] == [["KRaftVersion", "KRaftVoters"]]
    batches = only_active(cluster).disk.log.batches
    at = next(n for n, one in enumerate(batches) if [type_ for type_, _ in one.control][:1] == ["KRaftVersion"])
    assert [one.type for one in batches[at + 1].records] == ["NO_OP_RECORD"]
    assert set(levels(cluster).values()) == {1}


def test_to_the_level_that_it_has_writes_no_second() -> None:
    """The same upgrade again is answered, and Raft writes nothing."""
    cluster = upgraded()
    before = controls(cluster)
    assert ask(cluster, UPGRADE) is None
    assert controls(cluster) == before


def test_a_restart_of_all_keeps_the_level() -> None:
    """All controllers of a static quorum go down and start again: each goes by level 1, and a downgrade is refused."""
    cluster = upgraded()
    for node in cluster.controllers.values():
        node.crash()
    for node in cluster.controllers.values():
        node.start()
    cluster.run(15)
    assert levels(cluster) == dict.fromkeys(cluster.controllers, 1)
    refused = ask(cluster, m.UpdateFeaturesRequest(updates=((KRAFT_VERSION, 0, m.SAFE_DOWNGRADE),)))
    assert refused.error.name == "INVALID_UPDATE_VERSION"


def test_behind_a_snapshot_the_level_is_the_snapshot_s() -> None:
    """The record of the level is cut away with the log below a snapshot: the snapshot has it, new nodes learn it."""
    settings = Settings(metadata_log_max_record_bytes_between_snapshots=1, metadata_max_retention_bytes=1)
    cluster = upgraded(settings=settings)
    cluster.run(60)
    log = only_active(cluster).disk.log
    assert log.start_offset > 0
    assert not any(batch.control and batch.control[0][0] == "KRaftVersion" for batch in log.batches)
    standby = next(node for node in cluster.controllers.values() if not node.active)
    standby.crash()
    standby.disk.wipe()
    standby.start()
    cluster.run(20)
    assert levels(cluster) == dict.fromkeys(cluster.controllers, 1)


def test_what_is_truncated_is_not_the_level() -> None:
    """A level that was written and truncated again, or that a snapshot below does not have, is none."""
    log = ReplicatedLog()
    log.append(control_batch(0, 1, 0, [("LeaderChange", {})]))
    log.append(control_batch(1, 1, 0, [("KRaftVersion", {"version": 0, "kRaftVersion": 1})]))
    assert (log.kraft_version(), log.kraft_version(1), log.kraft_version(2)) == (1, 0, 1)
    log.truncate_to(1)
    assert log.kraft_version() == 0
    log.start_at(LoadedSnapshot(9, 1, (), kraft_version=1))
    assert log.kraft_version() == 1


@pytest.mark.parametrize("dynamic", [False, True])
def test_the_disk_says_the_level(dynamic: bool, tmp_path: Path) -> None:
    """Written out, the log has the level where Raft wrote it, and the bootstrap checkpoint that of the format."""
    cluster = started(brokers=1, dynamic_quorum=False) if not dynamic else started(brokers=1)
    ask(cluster, UPGRADE)
    disk = controller_disk(only_active(cluster))
    assert disk.kraft_version == 1
    paths = write_controllers(cluster, tmp_path)
    log = read_log(find_log(paths[only_active(cluster).config.node_id]))
    assert raft_level(log.batches) == 1
    bootstrap = next(one for one in log.snapshots if one.end_offset == 0)
    assert raft_level(bootstrap.batches) == (1 if dynamic else None)


def test_quorum_state_keeps_its_format_until_it_is_written() -> None:
    """An upgrade leaves the file in format 0 with the static voters; the next election writes format 1 (4.4.0)."""
    cluster = upgraded()
    first = only_active(cluster)
    state = controller_disk(first).quorum_state
    assert state is not None
    assert state.text() == (
        '{"clusterId":"","leaderId":3000,"leaderEpoch":1,"votedId":-1,"appliedOffset":0,'
        '"currentVoters":[{"voterId":3000},{"voterId":3001},{"voterId":3002}],"data_version":0}'
    )
    first.crash()
    cluster.run(15)
    state = controller_disk(only_active(cluster)).quorum_state
    assert state is not None
    assert (state.kraft_version, "currentVoters" in state.text()) == (1, False)


@pytest.mark.parametrize("dynamic", [False, True])
def test_a_voter_that_never_registered_holds_up_features_of_a_static_quorum(dynamic: bool) -> None:
    """Kafka asks registrations of the ids in controller.quorum.voters, which a dynamic quorum leaves empty (4.4.0)."""
    cluster = Cluster(ClusterConfig(seed=1, brokers=1, dynamic_quorum=dynamic))
    absent = cluster.controllers[3002]
    client = Process(cluster.simulator, "client")
    cluster.network.attach(client)
    client.start()
    cluster.hold(absent)
    for process in cluster.processes():
        if process is not absent:
            process.start()
    cluster.run(20)
    log = only_active(cluster).disk.log
    before = log.end_offset
    refused = ask(cluster, m.UpdateFeaturesRequest(updates=(("share.version", 1, m.SAFE_DOWNGRADE),)))
    written = [one.type for batch in log.batches if batch.base_offset >= before for one in batch.records]
    assert ("FEATURE_LEVEL_RECORD" in written) is dynamic
    if dynamic:
        assert refused is None
    else:
        assert "controller 3002 has not registered" in str(refused)
