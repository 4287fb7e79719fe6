"""A fork that a test invents, declared in under 40 lines: three record types, two tags, one changed row."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from fencepost.checkers.cli.main import main
from fencepost.checkers.conformance import LogResult, conform
from fencepost.checkers.operations.about import about_of
from fencepost.checkers.operations.moments import END, when
from fencepost.checkers.operations.records import records
from fencepost.checkers.operations.story import story
from fencepost.checkers.verdicts import Verdict
from fencepost.traces import (
    Batch,
    Record,
    Undecodable,
    build_batch,
    encode_value,
    find_log,
    placed,
    read_log,
    write_log,
)
from fencepost.traces.codec import unknown_tags
from fencepost.traces.forks import Fork, fork_of
from fencepost.traces.redaction import Redaction

ZONED = Path(__file__).parent / "fixtures" / "forks" / "zoned"
RECORDED = Path(__file__).parents[2] / "traces" / "recorded" / "kill-nine-elr"
FENCED = 77
"""The batch with which the recording fences a broker that was killed: six partitions, then the broker."""

OWN = (
    ("ZONE_RECORD", 0, {"zoneId": 1, "name": "north", "owner": "A" * 21 + "Q"}),
    ("ZONE_RECORD", 1, {"zoneId": 2, "name": "south", "owner": "A" * 22, "weight": 7, "note": "near"}),
    ("ZONE_LEASE_RECORD", 0, {"zoneId": 1, "brokers": [], "plan": "{}"}),
    ("ZONE_LEASE_RECORD", 0, {"zoneId": 2, "brokers": [0, 2], "plan": '{"rack":"r1","n":3}'}),
    ("REMOVE_ZONE_RECORD", 0, {"zoneId": 1}),
)


@pytest.fixture(scope="module")
def fork() -> Fork:
    """Return the fork as its file declares it."""
    return fork_of(str(ZONED / "zoned.toml"))


@pytest.fixture(scope="module")
def log(fork: Fork, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a log as the fork's controller would write it: the fence in front of the partitions, records behind it."""
    recorded = read_log(RECORDED)
    batches: list[Batch] = [one for one in recorded.batches if one.last_offset < FENCED]
    old = next(one for one in recorded.batches if one.base_offset == FENCED)
    last, *first = [(one.type, one.version, one.data) for one in reversed(old.metadata_records)]
    fenced = build_batch([last, *reversed(first)], base_offset=FENCED, epoch=old.epoch, timestamp=old.base_timestamp)
    tagged = list(fenced.metadata_records)
    for at, tags in ((1, [(90, bytes([0, 0, 0, 2]))]), (2, [(90, bytes([0, 0, 0, 1])), (91, b"\6crash")])):
        one = tagged[at]
        tagged[at] = replace(one, raw=encode_value(one.type, one.version, one.data, tags))
    start = old.last_offset + 1
    own = tuple(
        Undecodable(start + at, old.base_timestamp, "", None, encoded(fork, type, version, data))
        for at, (type, version, data) in enumerate(OWN)
    )
    behind = replace(fenced, base_offset=start, last_offset=start + len(OWN) - 1, records=own, count=len(OWN), raw=None)
    batches += [replace(fenced, records=tuple(tagged), raw=None), behind]
    to = tmp_path_factory.mktemp("zoned")
    write_log(replace(recorded, batches=placed(batches, recorded.segments[0].name), snapshots=()), to)
    return to


def encoded(fork: Fork, type: str, version: int, data: dict[str, object]) -> bytes:
    """Return the bytes of a record of the fork's own."""
    return fork.encode(Record(0, 0, type, version, data))


def conformed(log: Path, fork: Fork | None) -> LogResult:
    """Return what `conform` says of the log."""
    (found,) = conform([log], None, fork=fork).logs
    return found


def test_the_declaration_is_short() -> None:
    """Its tables have fewer than 40 lines that are not empty."""
    lines = (ZONED / "zoned.toml").read_text().splitlines()
    assert len([one for one in lines if one]) < 40


def test_without_its_declaration_nothing_is_decided_behind_the_first_tag(log: Path) -> None:
    """No shipped fork has a sign in the log."""
    found = conformed(log, None)
    assert (found.verdict, found.violations, found.fork) == (Verdict.UNDECIDED, [], None)
    assert found.doubts[0].first == FENCED + 1


def test_the_log_is_judged_by_the_changed_row(fork: Fork, log: Path) -> None:
    """It conforms to the fork's rows, and violates Kafka's: the declaration says of no rule that it is unknown."""
    found = conformed(log, fork)
    assert (found.verdict, found.protocol, found.rows["F1"]) == (Verdict.CONFORMS, "zoned", 1)
    by_kafka = conformed(log, replace(fork, rows=""))
    assert by_kafka.verdict is Verdict.VIOLATES
    assert {one.offset for one in by_kafka.violations} >= {FENCED}


def test_its_records_are_read_and_told(fork: Fork, log: Path) -> None:
    """Each of the fork's records has a line in the story, and its fields in the list; tags are beside the partition."""
    source = replace(find_log(str(log)), fork=fork)
    about = about_of(None, None, None, ())
    document = story(source, when("77", source, "--from"), when(END, source, "--to"), about)
    words = [one["words"] for one in document["events"]]
    assert words[-5:] == [
        "zone 1 is called north",
        "zone 2 is called south",
        "zone 1 has no lease",
        "zone 2: 0, 2 (rack r1 n 3)",
        "zone 1 is gone",
    ]
    assert any("(in zone 1, reason crash)" in part["words"] for one in document["events"] for part in one["partitions"])
    listed = records(source, when("84", source, "--from"), when(END, source, "--to"), about)
    assert listed["records"][1]["data"] == OWN[1][2]
    assert listed["records"][3]["data"]["plan"] == {"rack": "r1", "n": 3}
    assert listed["counts"]["unread"] == {}


def test_its_state_is_shown(fork: Fork, log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Under the name of the fork, with what was removed left out."""
    assert main(["show", str(log), "--at", "end", "--tree", "/zoned/**", "--fork", fork.file]) == 0
    paths = capsys.readouterr().out.split()
    assert "/zoned/zones/2/weight" in paths
    assert not [one for one in paths if one.startswith("/zoned/zones/1/")]
    assert len([one for one in paths if one.endswith("/zone")]) == 2


def test_redaction_blanks_its_texts_and_keeps_its_numbers(fork: Fork, log: Path, tmp_path: Path) -> None:
    """Texts, those in JSON and in tags too, become letters x of their length; what is not the fork's is kept."""
    write_log(Redaction((), fork).log(read_log(log)), tmp_path)
    after = read_log(tmp_path)
    read = [fork.read(one) for batch in after.batches for one in batch.undecodable]
    assert [one.data for one in read if one is not None] == [
        {"zoneId": 1, "name": "xxxxx", "owner": "A" * 21 + "Q"},
        {"zoneId": 2, "name": "xxxxx", "owner": "A" * 22, "weight": 7, "note": "xxxx"},
        {"zoneId": 1, "brokers": [], "plan": "{}"},
        {"zoneId": 2, "brokers": [0, 2], "plan": '{"xxxx":"xx","n":3}'},
        {"zoneId": 1},
    ]
    tags = [one for batch in after.batches for record in batch.kept_raw for one in unknown_tags(record.raw or b"")]
    assert [one.payload for one in tags] == [bytes([0, 0, 0, 2]), bytes([0, 0, 0, 1]), b"\6xxxxx"]


def test_what_it_says_of_the_cells_of_kafka_is_believed(fork: Fork, log: Path) -> None:
    """Behind a record that may change a leader by its declaration neither the verdict nor the state is known."""
    text = fork.text.replace('removes = "zones/{zoneId}"\n', 'removes = "zones/{zoneId}"\nchanges = ["leader"]\n')
    wild = replace(fork_of_text(text, fork.file), rows="")
    found = conformed(log, replace(wild, rules=("fences first",)))
    assert [(one.first, "leader" in one.message) for one in found.doubts][-1] == (FENCED, False)
    source = replace(find_log(str(log)), fork=wild)
    document = story(source, when("0", source, "--from"), when(END, source, "--to"), about_of(None, None, None, ()))
    assert "offset 88" in document["ends"]


def fork_of_text(text: str, file: str) -> Fork:
    """Return the fork of a text."""
    from fencepost.traces.forks import declared

    return declared(text, file)
