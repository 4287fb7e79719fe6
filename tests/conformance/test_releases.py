"""Which releases explain a log: recordings, recordings at older levels, and logs that tell two releases apart."""

from pathlib import Path

import pytest

from fencepost.checkers.conformance import conform
from fencepost.checkers.verdicts import Verdict
from fencepost.model.releases import RELEASES
from fencepost.traces import read_log

from . import RECORDED, alter
from .alter import Message
from .releases import CHANGE, Cluster, Releases, at_level

ALL = list(RELEASES)
NEW_INCARNATION = "N" * 21 + "w"


@pytest.fixture(scope="module")
def releases() -> Releases:
    """Every release, made ready once."""
    return Releases()


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """A folder for the log that is checked, apart from those that it is made of."""
    (tmp_path / "altered").mkdir()
    return tmp_path / "altered"


# -- recordings ------------------------------------------------------------------------------------------------------
@pytest.mark.representative("first-boot-explaining0")
@pytest.mark.parametrize(
    ("scenario", "explaining"),
    [
        ("first-boot", ["4.4", "4.3"]),
        ("rolling-restart", ["4.4", "4.3"]),
        ("reassignment", ["4.4", "4.3"]),
        ("metadata-upgrade", ["4.4", "4.3"]),
        ("elr-directory-fault-4.4.0", ["4.4"]),
        ("elr-index-fault-4.4.0", ["4.4"]),
        ("suspects-4.4.0", ["4.4"]),
    ],
)
def test_a_recording_is_explained_by_its_release_and_newer_ones(
    releases: Releases, scenario: str, explaining: list[str]
) -> None:
    """The release that wrote a recording explains it; older ones lack, before all else, its level."""
    found = releases.result(RECORDED / scenario)
    assert found.verdict is Verdict.CONFORMS
    assert [RELEASES[name].protocol for name in explaining] == list(found.releases)
    assert {one.rule for one in found.refused.values()} == {"MV"}
    assert len(found.refused) == len(ALL) - len(explaining)


@pytest.mark.nightly("test_a_completion_that_does_not_come_is_explained_by_3_8_to_4_2")
def test_reassignment_is_refused_by_4_2_at_the_completions_that_it_would_not_have_written() -> None:
    """With 1, 2 and 4 as target and 1 and 2 in sync a reassignment ends, and so does another: 4.2 would wait for 4."""
    (log,) = conform([RECORDED / "reassignment"], RELEASES["4.2"].for_logs).logs
    assert [(one.rule, one.offset) for one in log.violations] == [("MV", 4), ("unexplained", 102), ("unexplained", 103)]
    assert all("PARTITION_CHANGE_RECORD" in one.message for one in log.violations[1:])


def test_the_levels_that_a_release_lacks_are_refused_where_they_are_finalized(releases: Releases) -> None:
    """A log that goes up level by level is refused by each release at the first level beyond it, for nothing else."""
    assert releases.refusing(RECORDED / "metadata-upgrade") == {
        "4.2": ("MV", 196),
        "4.1": ("MV", 190),
        "4.0": ("MV", 165),
        "3.9": ("MV", 137),
        "3.8": ("MV", 135),
        "3.7": ("MV", 124),
    }


# -- the rules apart from the level ----------------------------------------------------------------------------------
@pytest.mark.representative("suspects-4.4.0-29-explaining2-refused2")
@pytest.mark.parametrize(
    ("scenario", "level", "explaining", "refused"),
    [
        ("rolling-restart", 25, ["4.4", "4.3", "4.2", "4.1", "4.0"], {}),
        ("reassignment", 25, ["4.4", "4.3"], {"4.2": 102, "4.1": 102, "4.0": 102}),
        ("suspects-4.4.0", 29, ["4.4", "4.3"], {"4.2": 120}),
        ("kill-nine-elr", 25, ["4.4", "4.3", "4.2", "4.1"], {"4.0": 92}),
    ],
)
def test_at_an_older_level_the_rules_tell(
    releases: Releases,
    tmp_path: Path,
    here: Path,
    scenario: str,
    level: int,
    explaining: list[str],
    refused: dict[str, int],
) -> None:
    """At a level that all of 4.x know, a log is refused where its controller followed a rule that came later.

    In turn: nothing newer than 4.0; completions; reported directories that leave the eligible leader replicas; a last
    known leader that is fenced and not elected.
    """
    path = alter.continued(at_level(scenario, level, tmp_path), 250, [], here)
    found = releases.result(path)
    assert [RELEASES[name].protocol for name in explaining] == list(found.releases)
    told = {name: one.offset for name, one in found.refused.items() if one.rule == "unexplained"}
    assert told == {RELEASES[name].protocol: at for name, at in refused.items()}


def test_a_completion_that_does_not_come_is_explained_by_3_8_to_4_2(
    releases: Releases, tmp_path: Path, here: Path
) -> None:
    """The same proposal without the completion that 4.3 makes of it was written by a release that waits."""

    def waits(messages: list[Message]) -> list[Message]:
        type_, version, data = messages[0]
        return [(type_, version, {"topicId": data["topicId"], "partitionId": 3, "isr": [0, 1, 2, 3]})]

    alter.ending_with(at_level("reassignment", 25, tmp_path), 102, waits, here)
    assert releases.explaining(here) == ["4.2", "4.1", "4.0"]


def test_a_directory_that_empties_the_eligible_leader_replicas_is_explained_by_4_2(
    releases: Releases, tmp_path: Path, here: Path
) -> None:
    """When a replica's directory is reported, 4.2 drops the partition's eligible leader replicas."""

    def forgets(data: dict[str, object]) -> dict[str, object]:
        return {**data, "eligibleLeaderReplicas": []}

    whole = at_level("suspects-4.4.0", 29, tmp_path)
    last = alter.batch_at(whole, 120)
    altered = alter.ending_with(
        whole,
        120,
        lambda ms: [(t, v, forgets(d) if i == 120 - last.base_offset else d) for i, (t, v, d) in enumerate(ms)],
        here,
    )
    assert releases.explaining(altered) == ["4.2"]


@pytest.mark.representative("last_known0-explaining0")
@pytest.mark.parametrize(
    ("last_known", "explaining"), [({"lastKnownElr": [-1]}, ["4.4", "4.3", "4.2"]), ({}, ["4.1", "4.0"])]
)
def test_who_is_remembered_tells_4_1_from_4_2(
    releases: Releases, here: Path, last_known: dict[str, list[int]], explaining: list[str]
) -> None:
    """A leaderless partition gives up replicas while its ISR stays: 4.2 writes that none led, 4.1 nothing."""
    cluster = Cluster(until=165, level=25)
    key = next(key for key in cluster.partitions if key[1] == 0)
    for broker in (1, 2, 0):
        cluster.fence(broker)
    assert (cluster.partitions[key]["leader"], cluster.partitions[key]["isr"]) == (-1, [0])
    cluster.append(
        ("CONFIG_RECORD", 0, {"resourceType": 4, "resourceName": "", "name": "min.insync.replicas", "value": "1"}),
        ("FEATURE_LEVEL_RECORD", 0, {"name": "eligible.leader.replicas.version", "featureLevel": 1}),
    )
    cluster.append(cluster.change(key, replicas=[0], leader=-1, directories=cluster.directories(0), **last_known))
    assert releases.explaining(cluster.written(here)) == explaining


def test_a_last_known_leader_that_is_fenced_is_elected_by_4_0_only(
    releases: Releases, tmp_path: Path, here: Path
) -> None:
    """4.0 makes the broker that comes back the leader before it is unfenced; that its claim P7 falls is declared."""

    def elects(messages: list[Message]) -> list[Message]:
        (type_, version, data), *rest = messages
        elected = {"isr": [0], "leader": 0, "leaderRecoveryState": 1, "lastKnownElr": []}
        return [(type_, version, {**data, **elected}), *rest]

    alter.ending_with(at_level("kill-nine-elr", 25, tmp_path), 89, elects, here)
    found = releases.result(here)
    assert found.releases == ("kraft@4.0",)
    assert ("E7", "P7") in {(one.finding, one.by) for one in found.findings}


# -- 3.7 to 3.9 ------------------------------------------------------------------------------------------------------
def test_every_release_explains_what_none_does_otherwise(releases: Releases, here: Path) -> None:
    """Three brokers, topics and restarts up to the level 3.7-IV4: nothing in it shows a release."""
    cluster = Cluster()
    cluster.append(("NO_OP_RECORD", 0, {}))
    assert releases.explaining(cluster.written(here)) == ALL


@pytest.mark.representative("True-explaining0")
@pytest.mark.parametrize(("cleans", "explaining"), [(True, ALL[:5]), (False, ALL[5:])])
def test_a_restart_that_cleans_up_tells_4_0_from_3_9(
    releases: Releases, here: Path, cleans: bool, explaining: list[str]
) -> None:
    """From 4.0 on a broker that registers as a new process leaves every ISR first; up to 3.9 it stays."""
    cluster = Cluster()
    changes = cluster.retreat(1) if cleans else []
    cluster.append(*changes, cluster.registration(1, of=1, incarnationId=NEW_INCARNATION))
    assert releases.explaining(cluster.written(here)) == explaining


@pytest.mark.parametrize(
    ("told", "explaining"), [([("ZK_MIGRATION_STATE_RECORD", 0, {"zkMigrationState": 0})], ALL), ([], ALL[:5])]
)
def test_the_bootstrap_tells_4_0_from_3_9(
    releases: Releases, here: Path, told: list[Message], explaining: list[str]
) -> None:
    """Up to 3.9 a new cluster says that it does not come from ZooKeeper; from 4.0 on that is read over where it
    stands, as in the log of a cluster that was upgraded, and is not missed."""
    bootstrap: list[Message] = [
        ("BEGIN_TRANSACTION_RECORD", 0, {"name": "Bootstrap records"}),
        ("FEATURE_LEVEL_RECORD", 0, {"name": "metadata.version", "featureLevel": 19}),
        *told,
        ("END_TRANSACTION_RECORD", 0, {}),
    ]
    alter.continued(read_log(RECORDED / "rolling-restart"), 1, [bootstrap], here)
    assert releases.explaining(here) == explaining


def test_a_feature_left_out_is_accepted_by_3_8_and_3_7(releases: Releases, here: Path) -> None:
    """A registration that does not name a finalized feature was accepted up to 3.8, though the broker cannot do it."""
    cluster = Cluster()
    cluster.append(("FEATURE_LEVEL_RECORD", 0, {"name": "group.version", "featureLevel": 1}))
    features = [one for one in cluster.brokers[0][2]["features"] if one["name"] != "group.version"]
    fields = {"incarnationId": NEW_INCARNATION, "logDirs": ["D" * 21 + "w"], "features": features}
    cluster.append(cluster.registration(3, of=0, **fields))
    assert releases.explaining(cluster.written(here)) == ["3.8", "3.7"]


@pytest.mark.representative("True-explaining0")
@pytest.mark.parametrize(("completes", "explaining"), [(True, ["3.7"]), (False, ALL[:-1])])
def test_a_smaller_target_tells_3_7_from_all_others(
    releases: Releases, here: Path, completes: bool, explaining: list[str]
) -> None:
    """With 0 fenced, [2, 0, 1] becomes [0, 3] in 3.7 once 3 is in sync; all others wait for 0."""
    cluster = Cluster()
    key = next(key for key in cluster.partitions if key[1] == 0)
    third = cluster.join(3)
    cluster.fence(0)
    where = dict(zip((0, 1, 2, 3), [*cluster.directories(0, 1, 2), third], strict=True))
    asked = {"replicas": [0, 3, 1, 2], "removingReplicas": [1, 2], "addingReplicas": [3]}
    cluster.append(cluster.change(key, **asked, directories=[where[b] for b in (0, 3, 1, 2)]))
    done = {"leader": 3, "replicas": [0, 3], "removingReplicas": [], "addingReplicas": []}
    cluster.append(
        cluster.change(key, isr=[3], **done, directories=[where[0], where[3]])
        if completes
        else cluster.change(key, isr=[1, 2, 3])
    )
    assert cluster.batches[-1][0][0] == CHANGE
    assert releases.explaining(cluster.written(here)) == explaining


# -- what is reported ------------------------------------------------------------------------------------------------
def test_what_is_cut_short_is_not_reported(releases: Releases) -> None:
    """A release that refuses a log is read no further than needed; the result is the whole one of the best release."""
    (alone,) = conform([RECORDED / "rolling-restart"], RELEASES["4.4"].whole).logs
    beside = releases.result(RECORDED / "rolling-restart")
    assert (beside.protocol, beside.rows, beside.records) == (alone.protocol, alone.rows, alone.records)
    assert alone.refused == {}


def test_where_no_release_explains_a_log_the_best_is_reported_whole(
    releases: Releases, tmp_path: Path, here: Path
) -> None:
    """With a wrong record at the end the release with the fewest violations is reported, with all of them."""
    whole = at_level("reassignment", 25, tmp_path)
    alter.ending_with(whole, 235, lambda ms: [(t, v, {**d, "leader": 77}) for t, v, d in ms], here)
    found = releases.result(here)
    assert (found.verdict, found.releases, found.protocol) == (Verdict.VIOLATES, (), "kraft")
    assert [one.offset for one in found.violations if one.rule == "unexplained"] == [235]
    assert list(found.refused) == [one.protocol for one in RELEASES.values()]
