"""`fencepost story`: what recorded logs tell, each read off the dump beside the log by hand."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from fencepost.checkers.conformance.by_class import in_bulk, run_units
from fencepost.checkers.operations.about import About
from fencepost.checkers.operations.moments import when
from fencepost.checkers.operations.story import story
from fencepost.traces import (
    Batch,
    MetadataLog,
    Record,
    Undecodable,
    batches,
    build_batch,
    find_log,
    placed,
    read_log,
    write_log,
)
from tests.widths import too_wide

Says = Callable[..., Any]
LOG = "00000000000000000000.log"


def told(document: dict[str, Any]) -> list[tuple[int, int, str]]:
    """The events of a story: first and last offset, and the sentence."""
    return [(one["offset"], one["last_offset"], one["words"]) for one in document["events"]]


def test_a_fence_is_told_with_the_leaders_that_it_took(fencepost_says: Says, recorded: Path) -> None:
    """The fence of broker 1 at 170 moved two leaders and left s-0 without; at 187 s-0 has an unclean leader."""
    said = fencepost_says("story", recorded / "reassignment", "--from", 160, "--to", 190, "--json")
    document = said.document
    assert (said.code, document["verdict"]) == (0, "told")
    assert told(document)[:6] == [
        (163, 164, "r-1 [0 4]; r-4 [0 4]"),
        (167, 170, "broker 1 is fenced; r-3 1→0 [0 2]; s-1 1→2 [2]; s-0 1→– []{1}"),
        (175, 175, "s-1 (reassignment over: replicas [3 1 2])"),
        (
            182,
            183,
            "broker 1 registers again (another process), fenced until it has caught up; s-0 {1}→{} (1 registers after "
            "an unclean shutdown)",
        ),
        (184, 184, "broker 1 reports its cordoned log directories: none"),
        (186, 187, "broker 1 is unfenced; s-0 –→1 [1] unclean"),
    ]
    fence = document["events"][1]
    assert fence["time"] == "2026-11-21T07:13:02.693Z"
    assert fence["counts"] == {"partitions": 3, "leader_moved": 2, "leaderless": 1, "isr_shrank": 3, "elr_changed": 1}
    assert [row["id"] for row in fence["rows"]] == ["F1", "HB4", "HB5"]
    assert "missed heartbeats are not in the log" in fence["may_come_from"][0]
    assert document["rows"]["F1"].startswith("F1. On FenceStaleBroker(b)")


@pytest.mark.slow
def test_the_rows_are_those_that_why_tells(fencepost_says: Says, recorded: Path) -> None:
    """A record that `why` explains by rows has the same rows here: those of its whole result, and those of a part."""
    log = recorded / "rolling-restart"
    chain = fencepost_says("why", log, "broker", "1", "--at", "62", "--json").document["chain"]
    events = fencepost_says("story", log, "--from", 43, "--to", 62, "--json").document["events"]
    compared = 0
    for link in chain:
        (event,) = [one for one in events if one["offset"] <= link["offset"] <= one["last_offset"]]
        mine = {row["id"] for row in event["rows"]} | set(event["partly"])
        assert {row["id"] for row in link["rows"]} <= mine
        compared += 1
    assert compared == 4


@pytest.mark.representative("about0-offsets0", "about3-offsets3")
@pytest.mark.parametrize(
    ("about", "offsets"),
    [
        (("--partition", "s-0"), [167, 182, 186]),
        (("--topic", "s"), [167, 175, 182, 186]),
        (("--broker", "1", "--topic", "s"), [167, 175, 182, 186]),
        (("--broker", "3"), []),
    ],
)
def test_a_filter_leaves_out_what_does_not_concern_it(
    fencepost_says: Says, recorded: Path, about: tuple[str, ...], offsets: list[int]
) -> None:
    """Only results that touch what is asked about are printed, and of these no other partition is named."""
    span = ("--from", "165", "--to", "187")
    document = fencepost_says("story", recorded / "reassignment", *span, *about, "--json").document
    assert [one["offset"] for one in document["events"]] == offsets
    named = {one["partition"] for event in document["events"] for one in event["partitions"]}
    assert not {name for name in named if name.startswith("r-")}


@pytest.mark.parametrize("begin", ["07:13:02.693", "2026-11-21T07:13:02.693Z", "167"])
def test_a_moment_is_an_offset_or_a_time(fencepost_says: Says, recorded: Path, begin: str) -> None:
    """The fence at 07:13:02.693 has offsets 167 to 170: the story begins with it, however that is written."""
    arguments = ("story", recorded / "reassignment", "--from", begin, "--to", "07:13:05", "--no-rows", "--json")
    events = fencepost_says(*arguments).document["events"]
    assert [one["offset"] for one in events] == [167, 175]
    assert [one["explained"] for one in events] == [None, None]


def stories(path: Path, most: int | None = None) -> dict[str, Any]:
    """The story of a whole log."""
    source = find_log(str(path))
    return story(source, when("0", source), when("end", source), About(), most=most)


@dataclass(frozen=True)
class Begun:
    """The beginning of a recording, with four brokers, and records made like its own that go on from there."""

    log: MetadataLog
    batches: tuple[Batch, ...]
    records: tuple[Record, ...]

    def like(self, type: str, **fields: Any) -> tuple[str, int, dict[str, Any]]:
        """Return the recording's first record of a type with some fields replaced."""
        record = next(one for one in self.records if one.type == type)
        return record.type, record.version, {**record.data, **fields}

    @property
    def topic(self) -> str:
        """The id of the topic."""
        return str(next(one for one in self.records if one.type == "TOPIC_RECORD").data["topicId"])

    def partition(self, number: int, order: tuple[int, ...]) -> tuple[str, int, dict[str, Any]]:
        """Return the record that creates a partition, led by its first replica."""
        created = [one.data for one in self.records if one.type == "PARTITION_RECORD"]
        homes = {b: home for one in created for b, home in zip(one["replicas"], one["directories"], strict=True)}
        place = {"replicas": list(order), "isr": list(order), "leader": order[0],
                 "directories": [homes[b] for b in order]}  # fmt: skip
        return self.like("PARTITION_RECORD", partitionId=number, **place)

    def change(self, number: int, **fields: Any) -> tuple[str, int, dict[str, Any]]:
        """Return a change of a partition that has the given fields only."""
        type, version, _ = self.like("PARTITION_CHANGE_RECORD")
        return type, version, {"topicId": self.topic, "partitionId": number, **fields}

    def written(self, directory: Path, *added: list[tuple[str, int, dict[str, Any]]]) -> Path:
        """Write the log with one batch more for each list of records, five seconds apart."""
        last = self.batches[-1]
        made, offset = [*self.batches], last.last_offset + 1
        for number, records in enumerate(added):
            time = last.max_timestamp + 1000 + 5000 * number
            made.append(build_batch(records, base_offset=offset, epoch=last.epoch, timestamp=time))
            offset += len(records)
        write_log(
            replace(self.log, batches=placed(made, self.log.segments[0].name), trailing_zeros=()), directory
        )  # fmt: skip
        return directory


@pytest.fixture
def begun(recorded: Path) -> Begun:
    """The recording `rolling-restart` up to offset 23."""
    log = read_log(recorded / "rolling-restart")
    records = [one for batch in log.batches for one in batch.metadata_records]
    return Begun(log, tuple(batch for batch in log.batches if batch.last_offset <= 23), tuple(records))


@pytest.fixture
def large(begun: Begun, tmp_path: Path) -> Path:
    """Four brokers, a topic of 300 partitions on brokers 1, 2 and 3, and the fence of broker 1 at offset 626."""
    fence = next(one for one in begun.records if one.offset == 53)
    orders = [((1, 2, 3), (2, 1, 3), (3, 1, 2))[number % 3] for number in range(300)]
    moved = []
    for number, order in enumerate(orders):
        isr = [one for one in order if one != 1]
        moved.append(begun.change(number, isr=isr, **({"leader": isr[0]} if number % 3 == 0 else {})))
    made = [begun.like("TOPIC_RECORD", name="big"), *(begun.partition(n, order) for n, order in enumerate(orders))]
    return begun.written(tmp_path / "large", made, [*moved, (fence.type, fence.version, {**fence.data})])


def test_a_change_without_a_row_may_stand_behind_changes_of_another_kind(begun: Begun, tmp_path: Path) -> None:
    """In a large batch what no row explains is found first where it was met before: the story is the same."""
    made = [begun.like("TOPIC_RECORD", name="big"), *(begun.partition(number, (1, 2, 3)) for number in range(28))]
    odd = {"leader": 3, "isr": [2]}
    first = [*(begun.change(n, isr=[1, 2]) for n in range(10)), *(begun.change(n, **odd) for n in (10, 11))]
    again = [*(begun.change(n, isr=[1, 3]) for n in range(14, 24)), *(begun.change(n, **odd) for n in (24, 25))]
    with patch.object(batches, "_LARGE", 1), patch.object(run_units, "SHORTEST", 2):
        document = stories(begun.written(tmp_path / "odd", made, first, again))
    told_of = {one["partition"]: one["words"] for event in document["events"] for one in event["partitions"]}
    assert [told_of[f"big-{n}"] for n in (0, 10, 14, 25)] == [
        "big-0 [1 2]",
        "big-10 1→3 [2]",
        "big-14 [1 3]",
        "big-25 1→3 [2]",
    ]


def test_a_fence_of_many_partitions_is_one_line(fencepost_says: Says, large: Path) -> None:
    """300 ISRs shrink and 100 leaders move by the fence of broker 1: one event that counts them, and its rows."""
    said = fencepost_says("story", large, "--from", 24, "--json")
    created, fence = said.document["events"]
    assert created["words"] == "topic big is created: 300 partitions of 3 replicas"
    assert (fence["records"], fence["results"], len(fence["partitions"]), fence["more"]) == (301, 1, 200, 100)
    assert fence["counts"] == {"partitions": 300, "leader_moved": 100, "isr_shrank": 300}
    assert fence["words"].startswith("broker 1 is fenced; of 300 partitions (big-0, ")
    assert "100 get another leader, 300 have a smaller ISR" in fence["words"]
    assert "F1" in [row["id"] for row in fence["rows"]]
    (one,) = fencepost_says("story", large, "--partition", "big-299", "--from", 325, "--json").document["events"]
    assert (one["words"], one["offset"]) == ("broker 1 is fenced; big-299 [3 2]", fence["offset"])


def test_an_acl_on_a_new_topic_is_no_configuration_of_it(begun: Begun, tmp_path: Path) -> None:
    """Records that name the topic as their resource are described as what they are, beside the topic's creation."""
    resource = {"resourceType": 2, "resourceName": "big"}
    acl = {**resource, "id": begun.topic, "patternType": 3, "principal": "User:eve", "host": "*", "operation": 3,
           "permissionType": 3}  # fmt: skip
    setting = {"name": "retention.ms", "value": "1000"}
    made = [
        begun.like("TOPIC_RECORD", name="big"),
        ("ACCESS_CONTROL_ENTRY_RECORD", 0, acl),
        ("CONFIG_RECORD", 0, {**resource, **setting}),
        ("CONFIG_RECORD", 0, {**resource, **setting, "resourceType": 16}),
        begun.partition(0, (1, 2)),
    ]
    (*_, last) = stories(begun.written(tmp_path / "acl", made), most=0)["events"]
    assert last["words"].split("; ") == [
        "topic big is created: 1 partition of 2 replicas, retention.ms=1000",
        "an ACL is made for User:eve on big",
        "client metrics big: retention.ms=1000",
    ]


@pytest.mark.representative("reassignment")
@pytest.mark.slow
@pytest.mark.parametrize("name", ["rolling-restart", "reassignment"])
def test_what_is_read_in_runs_is_told_as_record_by_record(recorded: Path, name: str) -> None:
    """Offsets, counts, partitions and rows come out the same whether large batches are read in runs or not."""
    plain = stories(recorded / name)
    with patch.object(batches, "_LARGE", 1), patch.object(run_units, "SHORTEST", 2), patch.object(in_bulk, "LONG", 1):
        in_runs = stories(recorded / name)
    assert spread(in_runs) == spread(plain)
    assert len(spread(plain)) > 60


def spread(document: dict[str, Any]) -> list[Any]:
    """The story of each partition at its offset, and of all else, with the rows: however it is put together."""
    found = []
    for event in document["events"]:
        rows = [row["id"] for row in event["rows"]]
        heads = [one for one in event["words"].split("; ") if one.startswith(("broker ", "controller "))]
        found += [(event["offset"], one, rows) for one in heads if event["counts"]["partitions"] == 0]
        found += [(one["offset"], one["words"], one["changed"], rows) for one in event["partitions"]]
    return sorted(found, key=repr)


def test_damage_is_inconclusive_and_what_is_in_front_of_it_is_told(
    fencepost_says: Says, recorded: Path, tmp_path: Path
) -> None:
    """Behind a flipped byte the state is not known: the story ends there with 3; without a beginning it is refused."""
    whole = (recorded / "reassignment" / LOG).read_bytes()
    (tmp_path / LOG).write_bytes(whole[:12000] + bytes([whole[12000] ^ 1]) + whole[12001:])
    said = fencepost_says("story", tmp_path, "--no-rows", "--json")
    assert (said.code, said.document["verdict"]) == (3, "inconclusive")
    assert "cannot be read" in said.document["ends"]
    assert 10 < len(said.document["events"]) < 60
    (tmp_path / LOG).write_bytes(whole[:30] + bytes([whole[30] ^ 1]) + whole[31:])
    lost = fencepost_says("story", tmp_path)
    assert lost.code == 3
    assert "the state at the log's end is not known" in lost.sentence


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--from", "x"), "--from x: give an offset, a time such as 2026-11-20T10:32:00Z or 10:32, or end"),
        (("--to", "x"), "--to x: give an offset"),
        (("--from", "90", "--to", "20"), "--from 90 is behind --to 20: give an earlier --from"),
        (("--from", "900"), "offset 900 is behind the log's end, at offset "),
        (("--from", "2027-01-01"), "2027-01-01 is behind the log's end, at offset 246 (2026-11-21 07:13:20 UTC)"),
        (("--intervals", "--from", "08:00"), "08:00 is behind the log's end, at offset 246 (2026-11-21 07:13:20 UTC)"),
        (("--to", "2020-01-01"), "no record up to 2020-01-01: the log begins at offset 0 (2026-11-21 07:12:21 UTC)"),
        (("--from", "200", "--to", "07:12:30"), "offset 200 is behind the last record that counts, at offset 55"),
        (("--at", "900"), "offset 900 is behind the log's end, at offset 246"),
        (("--at", "3", "--to", "9"), "--at: is one moment, so that --to cannot be asked; leave out either"),
        (("--broker", "17"), "nothing is said of broker 17; the brokers are 0, 1, 2, 3, 4"),
        (("--topic", "nope"), "there is no topic nope; the topics are r, s"),
        (("--partition", "s-9"), "topic s never had a partition s-9"),
        (("--partition", "s"), "--partition s: give a topic's name and a partition's number, as in orders-0"),
    ],
)
def test_what_the_log_does_not_have_is_refused(
    fencepost_says: Says, recorded: Path, options: tuple[str, ...], sentence: str
) -> None:
    """A moment that is none, and what no record is about, is one sentence and exit code 2."""
    said = fencepost_says("story", recorded / "reassignment", "--no-rows", *options)
    assert said.code == 2
    assert sentence in said.sentence


def test_rows_are_asked_of_some_records_of_small_batches(recorded: Path) -> None:
    """Of 20 records rows are asked; from the first other one on there are none, and the document says from where."""
    document = stories(recorded / "reassignment", most=20)
    at = document["rows_asked_up_to"]
    assert 10 < at < 60
    assert {one["explained"] for one in document["events"] if one["offset"] >= at} == {None}
    assert any(one["rows"] for one in document["events"] if one["offset"] < at)


def test_the_page_has_times_offsets_and_names(fencepost_says: Says, recorded: Path) -> None:
    """The page fits the terminal, and names partitions, created before its beginning, by their topics."""
    page = fencepost_says("story", recorded / "reassignment", "--from", 140, "--to", 190)
    assert too_wide(page.out) == []
    assert "07:13:02.693  broker 1 is fenced; r-3 1→0 [0 2]; s-1 1→2 [2]; s-0 1→– []{1} @167-170" in page.out
    assert "why: a session that expires" in page.out
    assert "iGqyLTCSRNWHDr9Vz46GZQ" not in page.out


def test_secrets_are_not_told() -> None:
    """The value of a password is hidden, and of a credential the name alone is printed."""
    from fencepost.traces.in_words import in_words

    config = {"resourceType": 4, "resourceName": "1", "name": "ssl.key.password", "value": "hunter2"}
    assert in_words("CONFIG_RECORD", config, {}) == "broker 1: ssl.key.password=[hidden]"
    credential = {"name": "alice", "salt": "c2FsdA==", "storedKey": "a", "serverKey": "b", "iterations": 4096}
    assert in_words("USER_SCRAM_CREDENTIAL_RECORD", credential, {}) == "SCRAM credentials of alice are set"


def test_records_of_unknown_types_end_a_story_unless_they_are_read_over(
    fencepost_says: Says, recorded: Path, tmp_path: Path
) -> None:
    """Without --skip-unknown story, health and conform end with 3 and name the option; with it they go on."""
    log = read_log(recorded / "rolling-restart")
    at = next(n for n, one in enumerate(log.batches) if [r.type for r in one.records] == ["NO_OP_RECORD"])
    old = log.batches[at]
    odd = Undecodable(old.base_offset, old.base_timestamp, "unknown", None, b"\1\xff\3\0")
    batches = (*log.batches[:at], replace(old, records=(odd,), raw=None), *log.batches[at + 1 :])
    write_log(replace(log, batches=batches), tmp_path)
    for command in (("story",), ("health", "--no-findings"), ("conform",)):
        name, *options = command
        said = fencepost_says(name, tmp_path, *options)
        assert (said.code, "--skip-unknown" in said.out + said.err) == (3, True)
        assert fencepost_says(name, tmp_path, *options, "--skip-unknown").code in (0, 1)
    story = fencepost_says("story", tmp_path, "--skip-unknown", "--json").document
    assert story["ends"] is None
    assert "Records of unknown types read over: 1. What they change is not shown." in story["notes"]


@pytest.mark.representative("168-offsets0", "07:12:23-offsets3", "2026-11-21T07:13:02.7-offsets4")
@pytest.mark.parametrize(
    ("at", "offsets"),
    [
        ("168", [167]),
        ("07:13:02", [167]),
        ("07:13:02.693", [167]),
        ("07:12:23", [12, 14]),
        ("2026-11-21T07:13:02.7", []),
        ("240", [240]),
    ],
)
def test_a_moment_has_its_own_events(fencepost_says: Says, recorded: Path, at: str, offsets: list[int]) -> None:
    """`--at` prints the event of an offset, or those of the second or less that a time names, and no others."""
    document = fencepost_says("story", recorded / "reassignment", "--at", at, "--json").document
    assert [one["offset"] for one in document["events"]] == offsets
    assert (document["from"], document["to"]["asked"], document["lanes"]) == (at, at, None)


def test_what_comes_behind_a_moment_counts_for_its_causes(fencepost_says: Says, recorded: Path) -> None:
    """Of the fence at 170 the later registration shows the cause with `--at`, each cause on lines of its own, the most
    likely first; up to 170 alone nothing is most likely."""
    log = recorded / "reassignment"
    page = fencepost_says("story", log, "--at", 170).out
    first = "why: most likely a session that expires: missed heartbeats are not in the log"
    assert page.index(first) < page.index("or: a heartbeat, which is not in the log")
    assert "because another process of it registers 4.9 s later (@183)" in " ".join(page.split())
    assert "most likely" not in fencepost_says("story", log, "--from", 170, "--to", 170).out


def test_a_beginning_before_the_log_is_noted(fencepost_says: Says, recorded: Path) -> None:
    """A story that begins before the first record says where the log begins."""
    page = fencepost_says("story", recorded / "reassignment", "--from", "2020-01-01", "--to", "07:12:22").out
    assert "The log begins at offset 0 (2026-11-21 07:12:21 UTC), behind 2020-01-01." in page


@pytest.mark.representative("60-60", "wide-100")
@pytest.mark.parametrize(("columns", "width"), [("60", 60), ("180", 180), ("12", 100), ("wide", 100), ("", 100)])
def test_the_page_is_as_wide_as_columns_says(
    fencepost_says: Says, recorded: Path, monkeypatch: pytest.MonkeyPatch, columns: str, width: int
) -> None:
    """Where output is no terminal, too, COLUMNS is the width of a page; what is no width counts as not set."""
    monkeypatch.setenv("COLUMNS", columns)
    for command in (("story", "--at", "170"), ("health", "--at", "170", "--no-findings")):
        lines = fencepost_says(command[0], recorded / "reassignment", *command[1:]).out.splitlines()
        longest = max(len(line) for line in lines if "/" not in line)
        assert width - 25 < longest <= width
