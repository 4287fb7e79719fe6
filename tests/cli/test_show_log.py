"""`fencepost show LOG`: its state at an offset, one partition or broker, the shell's tree, its rows."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from fencepost.checkers.cli.terminal import WIDTH
from fencepost.model.kraft.protocol import KRAFT
from fencepost.traces import Record, read_log
from tests.widths import too_wide

Says = Callable[..., Any]
COMMON = ["command", "verdict", "exit_code", "seconds", "version", "table_hash", "findings"]


@pytest.fixture
def rolling(recorded: Path) -> Path:
    """A recorded log that conforms."""
    return recorded / "rolling-restart"


def document(fencepost_says: Says, *arguments: object) -> dict[str, Any]:
    """The JSON document of `show`, after a check of what every document has."""
    said = fencepost_says("show", *arguments, "--json")
    assert list(said.document)[: len(COMMON)] == COMMON
    assert (said.code, said.document["verdict"]) == (0, "shown")
    assert said.document["table_hash"] == KRAFT.hash
    return dict(said.document)


@pytest.mark.representative("options0", "options3")
@pytest.mark.parametrize(
    "options",
    [("--at", "150"), ("--at", "150", "--partition", "a-0"), ("--at", "268", "--broker", "1"), ("--coverage",)],
)
def test_pages_of_a_log_fit_in_100_columns(fencepost_says: Says, rolling: Path, options: tuple[str, ...]) -> None:
    """No line is wider than the terminal, and none holds a colour code where there is no terminal."""
    said = fencepost_says("show", rolling, *options)
    assert said.code == 0
    assert too_wide(said.out) == []
    assert "\x1b" not in said.out


def test_the_whole_state_has_every_entity(fencepost_says: Says, rolling: Path) -> None:
    """Brokers, topics and partitions are listed with their values, in JSON and as rows of the page."""
    found = document(fencepost_says, rolling, "--at", "150")
    assert (found["offset"], found["epoch"], found["first_offset"], found["notes"]) == (150, 1, 0, [])
    state = found["state"]
    assert state["cluster"]["metadata_version"] == 30
    assert [one["id"] for one in state["Broker"]] == [1, 2, 3, 4]
    assert [one["name"] for one in state["Topic"]] == ["a", "b", "solo"]
    partitions = {one["name"]: one for one in state["Partition"]}
    assert list(partitions) == [f"a-{n}" for n in range(6)] + [f"b-{n}" for n in range(4)] + [
        f"solo-{n}" for n in range(4)
    ]
    first = partitions["a-0"]
    assert (first["replicas"], first["isr"], first["leader"], first["partition_epoch"]) == ([1, 2, 3], [1, 2, 3], 1, 6)
    page = fencepost_says("show", rolling, "--at", "150").out
    first_row = next(line for line in page.splitlines() if line.startswith(" a-0 "))
    assert "[1, 2, 3]" in first_row
    assert " ".join(page.split()).startswith(f"{rolling}: the hard state after offset 150 (2026-")


def test_a_partition_has_its_state_and_history(fencepost_says: Says, rolling: Path) -> None:
    """The state, and each record with its changes and the row that allowed it, in JSON and on the page."""
    found = document(fencepost_says, rolling, "--at", "75", "--partition", "a-0")
    assert found["entity"]["name"] == "a-0"
    assert found["state"]["isr"] == [1, 3]
    assert [(step["offset"], [row["id"] for row in step["rows"]]) for step in found["history"]] == [
        (26, ["CT3"]),
        (46, ["HB6"]),
        (65, ["A14"]),
        (75, ["HB6"]),
    ]
    assert {c["state"]: (c["old"], c["new"]) for c in found["history"][-1]["changes"]} == {
        "isr": ([1, 2, 3], [1, 3]),
        "leader": (2, 1),
        "leader_epoch": (1, 2),
        "partition_epoch": (2, 3),
    }
    page = fencepost_says("show", rolling, "--at", "75", "--partition", "a-0").out
    assert "its history up to offset 75: 4 records" in page.splitlines()
    assert "isr [1, 2, 3] -> [1, 3]" in page
    assert "Heartbeat HB6" in page


def test_an_ambiguous_fence_and_a_finding_of_a_broker(fencepost_says: Says, rolling: Path) -> None:
    """Where several rows may have written a record all are named, and a row that is a finding is named as one."""
    found = document(fencepost_says, rolling, "--at", "80", "--broker", "1")
    steps = {step["offset"]: step for step in found["history"]}
    assert steps[53]["ambiguous"]
    assert {row["event"] for row in steps[53]["rows"]} == {"FenceStaleBroker", "Heartbeat"}
    assert found["findings"]
    for one in found["findings"]:
        assert one["finding"] in {row["finding"] for row in steps[one["offset"]]["rows"]}
    assert found["state"]["epoch"] == 61
    assert found["cells"] == []
    assert {step["record"] for step in found["history"]} & {"Partition", "PartitionChange"} == set()
    page = fencepost_says("show", rolling, "--at", "80", "--broker", "1").out
    assert f"finding {found['findings'][0]['finding']}" in " ".join(page.split())


def test_the_state_of_a_log_that_begins_at_a_snapshot(fencepost_says: Says, recorded: Path, tmp_path: Path) -> None:
    """The page says from which snapshot the state is known; in front of it the offset is refused."""
    for path in (recorded / "snapshots").iterdir():
        if path.name[0].isdigit() and 241 <= int(path.name[:20]) <= 440:
            shutil.copy(path, tmp_path)
    found = document(fencepost_says, tmp_path, "--at", "400")
    assert found["first_offset"] == 332
    assert "00000000000000000332-0000000001.checkpoint" in found["notes"][0]
    assert found["state"]["Partition"]
    sentence = fencepost_says("show", tmp_path, "--at", "300").sentence
    assert sentence.endswith("its first snapshot ends at offset 332; ask for an offset from 332 on")


def test_the_tree_lists_prints_and_finds(fencepost_says: Says, rolling: Path) -> None:
    """A directory lists its names with a slash for directories, a leaf prints its text, /** lists all below."""
    at = (rolling, "--at", "53", "--tree")
    assert fencepost_says("show", *at, "/brokers").out.splitlines() == ["1/", "2/", "3/", "4/"]
    assert fencepost_says("show", *at, "brokers/1/").out.splitlines() == [
        "inControlledShutdown",
        "isFenced",
        "registration",
    ]
    assert fencepost_says("show", *at, "/brokers/1/isFenced").out == "true\n"
    assert fencepost_says("show", *at, "/image/configs/**").out.splitlines() == [
        "/image/configs/",
        "/image/configs/BROKER/",
        "/image/configs/BROKER/min.insync.replicas",
    ]
    assert fencepost_says("show", *at, "/brokers/1/is*").out.splitlines() == ["/brokers/1/isFenced:", "  true"]
    long = fencepost_says("show", *at, "/image/cluster/brokers/1").out
    assert long.count("\n") == 1
    assert len(long) > WIDTH


def test_the_tree_in_json(fencepost_says: Says, rolling: Path) -> None:
    """Each node that a path names has its own path, and its children or its text; /** gives paths."""
    nodes = document(fencepost_says, rolling, "--at", "53", "--tree", "/brokers/1/is*")["nodes"]
    assert nodes == [{"path": "/brokers/1/isFenced", "text": "true"}]
    nodes = document(fencepost_says, rolling, "--at", "53", "--tree", "/image/topics")["nodes"]
    assert nodes == [{"path": "/image/topics", "children": ["byId/", "byName/"]}]
    paths = document(fencepost_says, rolling, "--at", "53", "--tree", "/**")["paths"]
    assert paths[0] == "/"
    assert "/image/topics/byName/a/0" in paths


def test_the_coverage_adds_up_and_is_drawn(fencepost_says: Says, rolling: Path, tmp_path: Path) -> None:
    """Every record is in one count and every row in one kind, in JSON; the page names them all; the SVG is XML."""
    svg = tmp_path / "coverage.svg"
    found = document(fencepost_says, rolling, "--coverage", "--svg", svg)
    records = found["records"]
    total = sum(isinstance(record, Record) for record in read_log(rolling).records())
    assert sum(count for kind, count in records.items() if kind != "total") == records["total"] == total
    rows = [row for table in found["tables"] for row in table["rows"]]
    assert [row["id"] for row in rows] == [row.id for table in KRAFT.tables for row in table.rows]
    assert sum(row["certain"] for row in rows) + found["results"]["ambiguous"] == found["results"]["explained"]
    root = ElementTree.parse(svg).getroot()
    assert sum(1 for one in root.iter() if one.get("data-row")) == len(rows)
    page = fencepost_says("show", rolling, "--coverage").out
    said = page.replace(",", " ").split()
    assert [row["id"] for row in rows if row["id"] not in said] == []


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--at", "-1"), "--at -1: give an offset, a time such as"),
        (("--at", "269"), "offset 269 is behind the log's end; its last record is at offset 268"),
        (("--at", "150", "--partition", "a-9"), "topic a has no partition 9 at offset 150; the partitions are 0, 1, 2"),
        (("--at", "150", "--partition", "nowhere-0"), "no topic nowhere is there at offset 150; the topics are a, b,"),
        (("--at", "20", "--partition", "a-0"), "no topic a is there at offset 20; there are no topics"),
        (
            ("--at", "150", "--partition", "a"),
            "--partition a: give a topic's name and a partition's number, as in foo-0",
        ),
        (("--at", "150", "--broker", "9"), "nothing is said of broker 9; the brokers are 1, 2, 3, 4"),
        (("--at", "150", "--tree", "/image/nothing"), "there is no nothing in /image, which has acls, clientQuotas"),
        (("--tree", "/brokers"), "--tree needs a moment; give --at OFFSET, too"),
        (("--at", "1", "--broker", "1", "--partition", "a-0"), "ask for different things; give one of them"),
        (("--coverage", "--at", "1"), "--coverage is about the whole log; leave out --at"),
        (("--svg", "x.svg"), "--svg draws the coverage; give --coverage, too"),
        (("--coverage", "--svg", "/nowhere/x.svg"), "--svg: /nowhere is no directory"),
    ],
)
def test_what_cannot_be_shown_is_one_sentence(
    fencepost_says: Says, rolling: Path, options: tuple[str, ...], sentence: str
) -> None:
    """What the log does not have, or options that do not go together, end with code 2 and one sentence."""
    said = fencepost_says("show", rolling, *options)
    assert said.code == 2
    assert sentence in said.sentence


def test_a_damaged_offset_is_refused(fencepost_says: Says, rolling: Path, tmp_path: Path) -> None:
    """An offset in a batch whose checksum differs is refused with the bytes; the ones around it are shown."""
    batch = next(b for b in read_log(rolling).batches if b.base_offset <= 125 <= b.last_offset)
    content = bytearray((rolling / batch.segment).read_bytes())
    content[batch.position + batch.size - 1] ^= 0xFF
    (tmp_path / batch.segment).write_bytes(bytes(content))
    said = fencepost_says("show", tmp_path, "--at", batch.base_offset)
    assert said.code == 2
    assert f"is in a damaged part ({batch.segment}, bytes {batch.position} to" in said.sentence
    assert fencepost_says("show", tmp_path, "--at", batch.base_offset - 1).code == 0
    behind = document(fencepost_says, tmp_path, "--at", batch.last_offset + 1)
    assert behind["state"]["cluster"]["metadata_version"] == "unknown"
    assert "missing or damaged" in behind["notes"][-1]
    at_the_end = (tmp_path, "--at", 268, "--tree")
    assert fencepost_says("show", *at_the_end, "/image/features/metadataVersion").out == "unknown\n"
    assert "/image/topics/" in fencepost_says("show", *at_the_end, "/**").out.splitlines()


def test_a_text_dump_is_shown_as_its_log(fencepost_says: Says, rolling: Path) -> None:
    """What Kafka's dump tool printed has the same state and history as the bytes."""
    options = ("--at", "150", "--partition", "b-1")
    binary = document(fencepost_says, rolling, *options)
    text = document(fencepost_says, rolling / "dump.txt.gz", *options)
    assert (text["state"], text["history"]) == (binary["state"], binary["history"])
    assert text["history"]


def test_a_deleted_topic_is_told_as_deleted(fencepost_says: Says, recorded: Path) -> None:
    """A name whose topic was deleted is refused with the offset of the deletion."""
    path = recorded / "delete-recreate"
    records = [record for record in read_log(path).records() if isinstance(record, Record)]
    removed = next(record for record in records if record.type == "REMOVE_TOPIC_RECORD")
    name = next(
        record.data["name"]
        for record in records
        if record.type == "TOPIC_RECORD" and record.data["topicId"] == removed.data["topicId"]
    )
    said = fencepost_says("show", path, "--at", removed.offset, "--partition", f"{name}-0")
    assert said.code == 2
    assert said.sentence.endswith(
        f"no topic {name} is there at offset {removed.offset}: it was deleted at offset {removed.offset}"
    )
    before = document(fencepost_says, path, "--at", removed.offset - 1, "--partition", f"{name}-0")
    assert before["entity"]["id"] == [removed.data["topicId"], 0]


def test_options_of_logs_are_refused_for_tables(fencepost_says: Says) -> None:
    """A protocol has no offsets."""
    said = fencepost_says("show", "kraft", "--at", "3")
    assert said.code == 2
    assert said.sentence.endswith("--at asks something of a recorded log; name a log, not a protocol")


def test_several_logs_are_refused(fencepost_says: Says, recorded: Path) -> None:
    """A directory with several logs below it is no log with an offset."""
    said = fencepost_says("show", recorded / "controller-failover" / "others", "--at", "3")
    assert said.code == 2
    assert "logs lie below this directory" in said.sentence
