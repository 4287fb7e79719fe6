"""Recordings of ZooKeeper-era clusters in `story` and `health`, and the sentence where nothing can be said."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fencepost.traces.zk import read_recording
from tests.widths import too_wide

Says = Callable[..., Any]


@pytest.fixture
def killed(recorded: Path) -> Path:
    """A recording with brokers that are killed."""
    return recorded / "zk" / "kill-nine"


def test_the_story_tells_sessions_controllers_and_leaders(fencepost_says: Says, killed: Path) -> None:
    """A broker that is killed: its controller's znode and its own go with its session, and its partitions move."""
    said = fencepost_says("story", killed, "--from", "175", "--to", "187")
    assert said.code == 0
    assert too_wide(said.out) == []
    text = " ".join(said.out.split())
    for words in (
        "broker 4 is controller no longer: its ZooKeeper session ended",
        "broker 4 is gone: its ZooKeeper session ended",
        "broker 3 is elected controller",
        "two-2 4→– [1]",
    ):
        assert words in text


def test_a_story_leaves_out_what_is_not_asked(fencepost_says: Says, killed: Path) -> None:
    """Of one partition every state that the history writes for it is printed, and nothing else."""
    told = fencepost_says("story", killed, "--partition", "two-2", "--json").document
    assert (told["mode"], told["about"]["partition"]) == ("zookeeper", "two-2")
    path = "/brokers/topics/two/partitions/2/state"
    written = [
        transaction.zxid
        for transaction in read_recording(killed).transactions()
        for operation in transaction.operations
        if operation.path == path and operation.op in ("create", "set") and transaction.happened
    ]
    assert told["counts"]["changes"] == len(written) > 5
    assert {one["partition"] for event in told["events"] for one in event["partitions"]} == {"two-2"}


def test_health_is_that_of_the_final_znodes(fencepost_says: Says, killed: Path) -> None:
    """At the end leaders and ISRs are those of the znodes that were kept, and live brokers those that have one."""
    found = fencepost_says("health", killed, "--json").document
    final = json.loads((killed / "final-znodes.json").read_text(encoding="utf-8"))
    states = {path: one for path, one in final.items() if path.endswith("/state") and "/partitions/" in path}
    assert found["counts"]["partitions"] == len(states) > 0
    assert found["brokers"]["live"] == sorted(
        int(path.rpartition("/")[2]) for path in final if path.startswith("/brokers/ids/")
    )


def test_a_moment_without_a_leader_is_unhealthy(fencepost_says: Says, killed: Path) -> None:
    """Between a broker's end and its return a partition has no leader: it ends with 1 and says since when."""
    said = fencepost_says("health", killed, "--at", "310", "--json")
    assert (said.code, said.document["status"]) == (1, "unhealthy")
    offline = {one["partition"]: one for one in said.document["partitions"]["offline"]}
    assert offline["one-1"]["since"]["offset"] == 304
    assert 3 in {one["broker"] for one in said.document["brokers"]["gone"]}
    assert "no leader, ISR [3] of [3]" in fencepost_says("health", killed, "--at", "310").out
    # An hour and a minute are of the recording's own day, as in a metadata log.
    after = fencepost_says("health", killed, "--at", "07:02:53", "--json").document
    assert "one-1" not in {one["partition"] for one in after["partitions"]["offline"]}


@pytest.mark.parametrize(
    ("command", "options", "sentence"),
    [
        ("why", ("broker", "1"), "its znodes do not say why; fencepost story shows what happened"),
        ("story", ("--type", "PartitionChange"), "znodes have no types of records"),
        ("story", ("--intervals",), "--intervals asks a metadata log"),
        ("story", ("--broker", "9"), "nothing is said of broker 9; the brokers are 1, 2, 3, 4"),
        ("health", ("--and", "end"), "--and compares two moments of a metadata log"),
        ("health", ("--static", "min.insync.replicas=2"), "is about metadata logs"),
    ],
)
def test_what_cannot_be_asked_of_znodes_is_a_sentence(
    fencepost_says: Says, killed: Path, command: str, options: tuple[str, ...], sentence: str
) -> None:
    """A query that only a metadata log answers ends with 2 and says so."""
    said = fencepost_says(command, killed, *options)
    assert said.code == 2
    assert sentence in said.sentence


def test_a_recording_without_a_history_says_so(fencepost_says: Says, killed: Path, tmp_path: Path) -> None:
    """A state-change.log alone has no order of what happened to the cluster, which `conform` can check."""
    name = "state-change.broker-1.log.gz"
    (tmp_path / name).write_bytes((killed / name).read_bytes())
    said = fencepost_says("story", tmp_path)
    assert said.code == 2
    assert "holds no znode history" in said.sentence


@pytest.mark.parametrize("command", ["story", "health"])
def test_a_kraft_broker_s_logs_are_no_recording(fencepost_says: Says, tmp_path: Path, command: str) -> None:
    """The state-change.log of a KRaft broker is not read as one of ZooKeeper: its sentence names what to give."""
    said = "Transitioning 2 partition(s) to local leaders."
    line = f"[2026-03-01 10:00:03,657] INFO [Broker id=0] {said} (state.change.logger)\n"
    (tmp_path / "state-change.log").write_text(line, "utf-8")
    found = fencepost_says(command, tmp_path)
    assert found.code == 2
    assert "a KRaft broker's state-change.log" in found.sentence
    assert "give the directory __cluster_metadata-0" in found.sentence
