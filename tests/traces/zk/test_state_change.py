"""state-change.log: every line of the recordings is read, counted by kind, and written back byte for byte."""

import gzip
import json
from collections import Counter
from pathlib import Path

import pytest

from fencepost.traces import TraceError
from fencepost.traces.zk import Entry, Record, Unparsed, read_state_change, text_of, write_state_change
from tests.cases import each

RECORDED = Path(__file__).resolve().parents[3] / "traces" / "recorded" / "zk"
LOGS = sorted(RECORDED.glob("*/state-change*.log.gz"))
KINDS = json.loads((Path(__file__).parent / "kinds.json").read_text(encoding="utf-8"))
LINE = "[2026-11-21 07:00:49,218] INFO [Controller id=1 epoch=1] Sending StopReplica request for 1 replicas to broker 1"


def test_there_are_recordings() -> None:
    """Seven runs are there, with the logs of four brokers each: the tests below are about something."""
    assert len(LOGS) == 28
    assert sorted(KINDS) == [
        "first-boot",
        "kill-nine",
        "leaders-write",
        "log-dir-failure",
        "reassignment",
        "rolling-restart",
        "topic-deletion",
    ]


@each("name", KINDS)
def test_every_record_is_read_as_its_kind(name: str) -> None:
    """No record of a run is unparsed, and there are as many of each kind as were counted when it was recorded."""
    records = [record for log in sorted((RECORDED / name).glob("state-change*")) for record in read_state_change(log)]
    assert [record for record in records if isinstance(record, Unparsed)] == []
    assert Counter(record.kind for record in records if isinstance(record, Entry)) == KINDS[name]


@pytest.mark.parametrize("log", LOGS, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_records_are_written_byte_for_byte(log: Path, tmp_path: Path) -> None:
    """What was read from a log is written to the same bytes, stack traces included; gzipped, too."""
    with gzip.open(log) as packed:
        content = packed.read()
    copy, packed_copy = tmp_path / "copy.log", tmp_path / "copy.log.gz"
    write_state_change(copy, read_state_change(log))
    write_state_change(packed_copy, read_state_change(log))
    assert copy.read_bytes() == content
    assert gzip.decompress(packed_copy.read_bytes()) == content


def test_a_record_knows_its_place_and_its_time() -> None:
    """A record has its file, the line it begins at (stack traces counted), its time in both forms, and its sender."""
    log = RECORDED / "kill-nine" / "state-change.broker-2.log.gz"
    with gzip.open(log, "rt", encoding="utf-8") as lines:
        written = list(lines)
    records = list(read_state_change(log))
    for record in records:
        assert isinstance(record, Entry)
        assert written[record.line - 1].startswith(f"[{record.time}] {record.level} {record.sender.text} ")
        assert record.place == f"{log}:{record.line}"
    first = records[0]
    assert isinstance(first, Entry)
    assert (first.time, first.time_ms) == ("2026-11-21 07:02:08,825", 1795244528825)


def read(tmp_path: Path, text: str | bytes, name: str = "state-change.log") -> list[Record]:
    """Write a log and read it."""
    log = tmp_path / name
    log.write_bytes(text if isinstance(text, bytes) else text.encode())
    return list(read_state_change(log))


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (f"{LINE} (state.change.logger)x", "the line does not end with the logger's name"),
        (f"{LINE[:80]}", "the line does not end with the logger's name"),
        (f"{LINE} (kafka.controller.KafkaController)", "the line does not end with the logger's name"),
        (LINE.replace("for 1 ", "for 01 ") + " (state.change.logger)", "no kind of line of a controller"),
        (LINE.replace("Sending", "Posting") + " (state.change.logger)", "no kind of line of a controller"),
        (LINE.replace("epoch=1", "epoch=x") + " (state.change.logger)", "neither a controller nor a broker"),
        (LINE.replace("Controller id=1 epoch=1", "Broker id=1") + " (state.change.logger)", "no kind of line of a br"),
        (LINE.replace("Controller", "Observer") + " (state.change.logger)", "neither a controller nor a broker"),
        ("[2026-11-21 07:00:49,218] INFO", "the line does not end with the logger's name"),
    ],
)
def test_another_line_is_unparsed_with_its_place(line: str, reason: str, tmp_path: Path) -> None:
    """A line that no kind explains is neither an error nor dropped: it is a record with its place and a reason."""
    good = f"{LINE} (state.change.logger)\n"
    records = read(tmp_path, f"{good}{line}\n\tat a.b(c)\n{good}")
    (bad,) = [record for record in records if isinstance(record, Unparsed)]
    assert (len(records), bad.line, bad.lines) == (3, 2, (line, "\tat a.b(c)"))
    assert reason in bad.reason
    assert "".join(map(text_of, records)) == f"{good}{line}\n\tat a.b(c)\n{good}"


KRAFT = [
    f"[2026-03-01 10:00:03,657] INFO [Broker id=0] {said} (state.change.logger)"
    for said in (
        "Transitioning 2 partition(s) to local followers.",
        "Creating new partition orders-0 with topic id yAKEixxUT1yJzTyrH9xg3A.",
        "Follower orders-0 starts at leader epoch 1 from offset 0 with partition epoch 1 and high watermark 0. "
        "Current leader is -1. Previous leader Some(-1) and previous leader epoch was 1.",
    )
]
"""What a KRaft broker writes to its state-change.log."""


def test_the_log_of_a_kraft_broker_is_named(tmp_path: Path) -> None:
    """A KRaft broker's file is refused with what to give instead; behind a controller's line it is a migration's."""
    text = "\n".join(KRAFT) + "\n"
    with pytest.raises(TraceError, match=r"KRaft broker's state-change\.log.*give the directory __cluster_metadata-0"):
        read(tmp_path, text)
    assert len(read(tmp_path, f"{LINE} (state.change.logger)\n{text}")) == 4


def test_a_log_may_begin_in_the_middle_of_a_record(tmp_path: Path) -> None:
    """Lines without a date in front of the first date are one unparsed record, at line 1."""
    records = read(tmp_path, f"\tat a.b(c)\n\tat d.e(f)\n{LINE} (state.change.logger)\n")
    assert isinstance(records[0], Unparsed)
    assert (records[0].line, records[0].lines) == (1, ("\tat a.b(c)", "\tat d.e(f)"))
    assert (records[1].line, len(records)) == (3, 2)


def test_bytes_that_are_no_text_survive(tmp_path: Path) -> None:
    """A line with bytes that are no UTF-8 is unparsed, and written back as it was."""
    content = LINE.encode() + b" \xff\xfe (state.change.logger)\n"
    records = read(tmp_path, content)
    assert isinstance(records[0], Unparsed)
    write_state_change(tmp_path / "copy", records)
    assert (tmp_path / "copy").read_bytes() == content


def test_an_empty_log_has_no_records(tmp_path: Path) -> None:
    """A broker that wrote nothing leaves a file without bytes, which is a log."""
    assert read(tmp_path, "") == []


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.log", b"no log\nat all\n", "none of its first lines begins with a date"),
        ("a.log", b"x\n" * 5000, "none of its first lines begins with a date"),
        ("a.log", f"{LINE} (kafka.server.KafkaServer)\n".encode() * 3, "every line is of another logger (kafka.server"),
        ("a.log.gz", b"", "the file is empty"),
        (
            "a.log.gz",
            gzip.compress(f"{LINE} (state.change.logger)\n".encode() * 500)[:-20],
            "cannot be read to its end",
        ),
        ("a.log.gz", b"\x1f\x8b" + bytes(40), "cannot be read to its end"),
    ],
)
def test_what_is_no_log_is_one_sentence(name: str, content: bytes, said: str, tmp_path: Path) -> None:
    """A damaged file, one cut off in its packing, or another file is reported in one sentence with its name."""
    with pytest.raises(TraceError) as caught:
        read(tmp_path, content, name)
    assert str(caught.value).startswith(f"{tmp_path / name}: ")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_log_is_one_sentence(tmp_path: Path) -> None:
    """A file that does not exist is reported by its name."""
    with pytest.raises(TraceError, match="there is no such file"):
        list(read_state_change(tmp_path / "state-change.log"))


def test_a_damaged_log_is_read_up_to_the_damage(tmp_path: Path) -> None:
    """Records are yielded lazily: those before the end of a cut file come before the error."""
    log = tmp_path / "a.log.gz"
    texts = [f"{LINE.replace(' 1 replicas', f' {n} replicas')} (state.change.logger)\n" for n in range(20000)]
    packed = gzip.compress("".join(texts).encode())
    log.write_bytes(packed[: len(packed) // 2])
    found: list[Record] = []
    with pytest.raises(TraceError):
        found.extend(read_state_change(log))
    assert len(found) > 1000
    assert text_of(found[999]) == texts[999]
