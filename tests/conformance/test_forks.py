"""Logs of forks that are not declared, with record types and tags of their own: nothing said rests on them.

The two logs were made by hand in the shapes that the public sources of AutoMQ 1.7.3 and of Inkless 0.47 write, and
kafka-dump-log 4.4.0 reads their batches; no log of a running fork is among them.
"""

from dataclasses import replace
from pathlib import Path

import pytest

from fencepost.checkers.cause import Cause
from fencepost.checkers.conformance import PASSED_THROUGH, LogResult, Monitor, Options, conform
from fencepost.checkers.conformance.explain.history import past
from fencepost.checkers.conformance.records.foreign import bears, kind_of, unread_of
from fencepost.checkers.conformance.records.passed import UNKNOWN_TYPES
from fencepost.checkers.operations.about import about_of
from fencepost.checkers.operations.moments import END, when
from fencepost.checkers.operations.records import records
from fencepost.checkers.operations.story import story
from fencepost.checkers.verdicts import ExitCode, Refusal, Verdict
from fencepost.model.kraft.protocol import KRAFT
from fencepost.traces import LogSource, Record, Undecodable, find_log, read_log, write_log
from fencepost.traces.codec import decode_value, encode_value, unknown_tags
from fencepost.traces.forks import fork_of
from fencepost.traces.redaction import Redaction

FORKS = Path(__file__).parent / "fixtures" / "forks"
AUTOMQ, INKLESS = FORKS / "automq", FORKS / "inkless"
NOTHING = fork_of("none")


def judged(path: Path) -> LogResult:
    """Return what `conform` says of the one log at a path, read by no declaration."""
    (found,) = conform([path], None, fork=NOTHING).logs
    return found


def undeclared(path: Path) -> LogSource:
    """Return the log at a path, to be read by no declaration."""
    return replace(find_log(str(path)), fork=NOTHING)


def test_behind_a_record_type_of_a_fork_nothing_is_decided() -> None:
    """AutoMQ's log is undecided from its first own record on, in one sentence: the feature by which the fork is known,
    the api key, and how many records of which keys are not read. No violation or finding is behind it."""
    found = judged(AUTOMQ)
    assert (found.verdict, found.violations, found.findings) == (Verdict.UNDECIDED, [], [])
    (doubt,) = found.doubts
    assert (doubt.first, doubt.last, doubt.cause) == (7, 103, Cause.NOT_MODELLED)
    assert doubt.message.startswith(
        "offset 3 finalizes automq.version, a feature of no Apache Kafka, and offset 7: api key 513 is no metadata"
    )
    assert "71 records are not read, of 9 kinds: api key 501 (16), api key 503 (10)" in doubt.message


def test_behind_a_tag_of_a_fork_nothing_is_decided() -> None:
    """Inkless' log is undecided from the first record on that bears a tag which no release has; the switch of a topic
    is no violation."""
    found = judged(INKLESS)
    assert (found.verdict, found.violations, found.findings) == (Verdict.UNDECIDED, [], [])
    (doubt,) = found.doubts
    assert (doubt.first, doubt.last, doubt.cause) == (47, 103, Cause.NOT_MODELLED)
    assert doubt.message.startswith("offset 47: PARTITION_CHANGE_RECORD bears tag 100 (8 bytes), which no release of")


def test_a_tag_is_read_over_where_the_user_says_so() -> None:
    """With --skip-unknown the records are checked as a controller of Kafka's reads them: without their tags."""
    found = Monitor(KRAFT, Options(PASSED_THROUGH | {UNKNOWN_TYPES}, fork=NOTHING)).judge(read_log(INKLESS))
    assert found.end_offset == 104
    assert {one.offset for one in found.violations} <= set(range(47, 55))


@pytest.mark.parametrize("offset", [7, 50, 103])
def test_the_state_behind_a_record_that_is_not_read_is_not_known(offset: int) -> None:
    """What is at such an offset is refused as undecided, in the words of the reason."""
    with pytest.raises(Refusal, match=rf"the state at offset {offset} is not known: .* api key 513") as refused:
        past(Monitor(KRAFT, Options(PASSED_THROUGH, replay_only=True, fork=NOTHING)), read_log(AUTOMQ), offset)
    assert refused.value.code is ExitCode.INCONCLUSIVE


def test_the_state_in_front_of_it_is_known_also_within_its_batch() -> None:
    """Offsets 1 to 8 of AutoMQ's log are one batch; the broker of offset 6 is registered there."""
    found = past(Monitor(KRAFT, Options(PASSED_THROUGH, replay_only=True, fork=NOTHING)), read_log(AUTOMQ), 6)
    assert list(found.state.values_of("registered")) == [True]
    assert found.state.value_of("metadata_version") == 21


def test_behind_a_tag_the_state_is_what_kafka_reads() -> None:
    """Each of two changes of t3-0 that bear tags raises the epoch of the partition, the first that of its leader."""
    found = past(Monitor(KRAFT, Options(PASSED_THROUGH, replay_only=True)), read_log(INKLESS), 54)
    layout = found.state.layout
    epochs = {
        name: {found.state.read((layout.numbers[one], (partition,)))}
        for one in layout.states
        if (name := one.name) in ("leader_epoch", "partition_epoch")
        for partition in found.state.domains["Partition"]
        if partition == ("etjApLlITuaL4ubGMFkFBw", 0)
    }
    assert epochs == {"leader_epoch": {1}, "partition_epoch": {2}}


def test_a_story_says_what_can_be_read() -> None:
    """Records that share a batch with one that is not read have their words; the story ends there and says so."""
    source = undeclared(AUTOMQ)
    document = story(source, when("0", source, "--from"), when(END, source, "--to"), about_of(None, None, None, ()))
    words = " ".join(event["words"] for event in document["events"])
    assert "automq.version is 6" in words
    assert "broker 1 registers for the first time" in words
    assert "api key 513" in document["ends"]


def test_a_story_names_the_tags_and_asks_no_row_of_them() -> None:
    """Of records that bear tags the story says which, and not that no row explains them."""
    source = undeclared(INKLESS)
    document = story(source, when("0", source, "--from"), when(END, source, "--to"), about_of(None, None, None, ()))
    tagged = [one for one in document["events"] if 47 <= one["last_offset"] <= 54]
    assert [(one["rows"], one["explained"]) for one in tagged] == [([], None)] * 2
    words = [one["words"] for event in tagged for one in event["partitions"]]
    assert words[0] == "t3-0 (epochs alone) (with tag 100 (8 bytes), not read)"
    assert len(words) == 8
    assert document["notes"] == [
        "From offset 47 on 8 records bear tags 100, 101 and 102, which no release of Kafka known here has: what they "
        "change is not known."
    ]


def test_show_counts_and_lists_what_is_not_read() -> None:
    """Of a partition all that was not read may be, too, so that it is counted; without a choice each is listed."""
    source = undeclared(AUTOMQ)
    everything = records(source, when("0", source, "a"), when(END, source, "b"), about_of(None, None, None, ()))
    assert sum(everything["counts"]["unread"].values()) == 71
    assert everything["counts"]["records"] == everything["counts"]["shown"] == 103
    seventh = next(one for one in everything["records"] if one["offset"] == 7)
    assert (seventh["type"], seventh["version"], seventh["unread"]["bytes"]) == ("api key 513", 0, 18)
    of_one = records(source, when("0", source, "a"), when(END, source, "b"), about_of("orders-0", None, None, ()))
    assert (of_one["counts"]["shown"], sum(of_one["counts"]["unread"].values())) == (3, 71)
    source = undeclared(INKLESS)
    tagged = records(source, when("51", source, "a"), when("51", source, "b"), about_of(None, None, None, ()))
    assert [one["unread_tags"] for one in tagged["records"]] == [
        [{"tag": 100, "bytes": 8}, {"tag": 101, "bytes": 38}, {"tag": 102, "bytes": 4}]
    ]


@pytest.mark.parametrize("log", [AUTOMQ, INKLESS])
def test_a_redacted_copy_keeps_what_is_not_read_as_zeros(log: Path, tmp_path: Path) -> None:
    """Api keys, tags and sizes are those of the log; of the bytes none is left, and `conform` says the same of both."""
    before = read_log(log)
    write_log(Redaction(()).log(before), tmp_path)
    after = read_log(tmp_path)
    pairs = list(
        zip(
            (one for batch in before.batches for one in unread_of(batch)),
            (one for batch in after.batches for one in unread_of(batch)),
            strict=True,
        )
    )
    assert len(pairs) == {AUTOMQ: 71, INKLESS: 8}[log]
    for old, new in pairs:
        if isinstance(old, Record):
            assert isinstance(new, Record)
            assert new.raw is not None
            assert bears(old) == bears(new) != ""
            assert new.raw.endswith(bytes(4))
        else:
            assert not isinstance(new, Record)
            assert old.value is not None
            assert new.value == old.value[:4] + bytes(len(old.value) - 4)
    (one,) = judged(log).doubts
    (other,) = judged(tmp_path).doubts
    assert one.first == other.first


@pytest.mark.parametrize(
    ("record", "kind"),
    [
        (Undecodable(1, 0, "", None, b"\1\xff\3\0"), "api key 511"),
        (Undecodable(1, 0, "", None, b"\1\5\x09"), "PARTITION_CHANGE_RECORD version 9"),
        (Undecodable(1, 0, "", None, b"\1\5\0\1"), "undecodable"),
        (Undecodable(1, 0, "'KVRECORD' is no metadata record known here"), "KVRECORD"),
        (Undecodable(1, 0, "kafka-dump-log says: Error at 7, skipping. Unknown metadata id 513; it is not known here"),
         "api key 513"),
    ],
)  # fmt: skip
def test_what_is_not_read_is_named(record: Undecodable, kind: str) -> None:
    """By the key or the version in its frame; of a text by the type that it gives, or the key that its tool gives."""
    assert kind_of(record) == kind


def test_a_tag_beside_those_of_the_type_is_written_in_order() -> None:
    """Tags ascend: one that is not known is written among the record's own, and is read with its size."""
    data = {"partitionId": 1, "topicId": "A" * 22, "leader": 3, "directories": ["A" * 21 + "Q"]}
    value = encode_value("PARTITION_CHANGE_RECORD", 1, data, [(7, b"xyz"), (100, b"")])
    assert [(one.tag, one.size) for one in unknown_tags(value)] == [(7, 3), (100, 0)]
    found = decode_value(value)
    assert {name: found.data[name] for name in ("partitionId", "leader")} == {"partitionId": 1, "leader": 3}
    assert not found.canonical
