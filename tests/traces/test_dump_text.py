"""kafka-dump-log text: partial texts, old releases, texts that are no dump, and Java's notation."""

import contextlib
import gzip
import json
import random
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.checkers.cli.main import main
from fencepost.traces import ControlRecord, Quarantined, Record, TraceError, Undecodable, build_batch, read_log
from fencepost.traces.dump_writer import record_line
from fencepost.traces.json_text import java_double, json_text
from fencepost.traces.record_types import LEADER_CHANGE
from tests.attack import mutations
from tests.cases import each

RECORDED = Path(__file__).resolve().parents[2] / "traces" / "recorded"
EXAMPLE = Path(__file__).parent / "fixtures" / "published-example.txt"
ADVICE = "make the text with kafka-dump-log --cluster-metadata-decoder"


def _dump(name: str) -> list[str]:
    with gzip.open(RECORDED / name / "dump.txt.gz", "rt", encoding="utf-8") as stream:
        return stream.read().splitlines()


COMMANDS = (
    ("story", "--no-rows"),
    ("show",),
    ("why", "broker", "1", "--no-rows"),
    ("health", "--no-findings"),
    ("conform",),
)


def _written(directory: Path, lines: list[str]) -> Path:
    path = directory / "some-dump.txt"
    path.write_bytes(("\n".join(lines) + "\n").encode("utf-8", "surrogatepass"))
    return path


def test_published_example() -> None:
    """The example of KIP-631 (S2:187-193) reads as seven records, its nulls kept, with counted offsets and a note."""
    log = read_log(EXAMPLE)
    records = list(log.records())
    assert all(isinstance(record, Record) for record in records)
    assert [(record.offset, record.type) for record in records if isinstance(record, Record)] == [
        (0, "TOPIC_RECORD"),
        (1, "PARTITION_RECORD"),
        (2, "PARTITION_CHANGE_RECORD"),
        (3, "PARTITION_CHANGE_RECORD"),
        (4, "PARTITION_CHANGE_RECORD"),
        (5, "PARTITION_CHANGE_RECORD"),
        (6, "FENCE_BROKER_RECORD"),
    ]
    partition = records[1]
    assert isinstance(partition, Record)
    assert partition.data["removingReplicas"] is None
    assert [batch.epoch for batch in log.batches] == [-1]
    assert log.notes == ("the text has no batch lines: offsets may be counted, epochs and batches are unknown",)


def test_text_without_record_metadata(tmp_path: Path) -> None:
    """With --skip-record-metadata the offsets come from the batch lines, and control records show nothing."""
    lines = []
    for line in _dump("rolling-restart"):
        if line.startswith("|"):
            before, has_payload, payload = line.partition("payload: ")
            line = f"| payload: {payload}" if has_payload else ""
            assert before
        lines.append(line)
    full, bare = read_log(RECORDED / "rolling-restart"), read_log(_written(tmp_path, lines))
    for ours, theirs in zip(full.batches, bare.batches, strict=True):
        assert (ours.base_offset, ours.epoch, ours.count) == (theirs.base_offset, theirs.epoch, theirs.count)
        for record, other in zip(ours.records, theirs.records, strict=True):
            assert record.offset == other.offset
            if isinstance(record, Record):
                assert isinstance(other, Record)
                assert (record.type, record.version, record.data) == (other.type, other.version, other.data)
            else:
                assert isinstance(other, ControlRecord)
                assert (other.type, other.data) == (LEADER_CHANGE, {})


@pytest.mark.parametrize("prefix", ["", "dump.txt:", "17:"])
def test_lines_cut_out_of_a_dump(tmp_path: Path, prefix: str) -> None:
    """Record lines alone, as a search leaves them with its own prefix, keep their offsets and timestamps."""
    lines = [prefix + line for line in _dump("rolling-restart") if "PARTITION_CHANGE_RECORD" in line]
    whole = [
        (record.offset, record.timestamp, record.data)
        for record in read_log(RECORDED / "rolling-restart").records()
        if isinstance(record, Record) and record.type == "PARTITION_CHANGE_RECORD"
    ]
    found = list(read_log(_written(tmp_path, lines)).records())
    assert [(each.offset, each.timestamp, each.data) for each in found if isinstance(each, Record)] == whole


def test_old_control_lines(tmp_path: Path) -> None:
    """Where an older release prints only the control type, the record's kind is known and its content empty."""
    lines = _dump("rolling-restart")[:4]
    assert "LeaderChange: " in lines[3]
    lines[3] = lines[3].partition("LeaderChange: ")[0] + "controlType: LEADER_CHANGE(2)"
    record = next(iter(read_log(_written(tmp_path, [*lines, *_dump("rolling-restart")[4:]])).records()))
    assert isinstance(record, ControlRecord)
    assert (record.type, record.data) == ("LeaderChange", {})


def test_what_the_tool_could_not_read(tmp_path: Path) -> None:
    """An invalid batch, a value that the tool could not decode, and bytes at the end are read as what they are."""
    lines = _dump("rolling-restart")
    damaged = next(number for number, line in enumerate(lines) if line.startswith("baseOffset: ") and number > 5)
    lines[damaged] = lines[damaged].replace("isvalid: true", "isvalid: false")
    prefix = lines[-1].partition("payload: ")[0]
    lines[-1] = prefix + "payload: Error at 268, skipping. Unknown metadata id 99"
    lines.append("Found 17 invalid bytes at the end of 00000000000000000000.log")
    log = read_log(_written(tmp_path, lines))
    end = log.batches[-1].position + log.batches[-1].size
    assert [(each.kind, each.end) for each in log.quarantined][1:] == [("torn", end + 17)]
    first = log.quarantined[0]
    assert isinstance(first, Quarantined)
    assert first.kind == "crc"
    last = log.batches[-1].records[-1]
    assert isinstance(last, Undecodable)
    assert last.reason == (
        "kafka-dump-log says: Error at 268, skipping. Unknown metadata id 99; the tool is older than the record, whose "
        "content is not known here"
    )


def test_a_dump_of_raw_values_says_how_to_make_it(tmp_path: Path) -> None:
    """--print-data-log without the decoder prints a record's bytes: the way to have them decoded is said of each."""
    lines = _dump("rolling-restart")
    raw = [line.partition("payload: ")[0] + "payload: \x01\x19\0\0" if "payload: {" in line else line for line in lines]
    log = read_log(_written(tmp_path, raw))
    reasons = {one.reason for one in log.quarantined}
    assert len(reasons) == len(log.quarantined) > 9
    assert all(f"the record is not the JSON of a metadata record: {ADVICE}" in one for one in reasons)


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (["hello"], f"the text is no dump of a metadata log: {ADVICE}, or give the binary files"),
        (["payload: rubbish"], f"line 1: the record is not the JSON of a metadata record: {ADVICE}"),
        (["baseOffset: 0 lastOffset: 0 count: 1"], f"the dump shows batches but no records: {ADVICE}"),
        (
            ["| offset: 3 CreateTime: 5 keySize: 1 valueSize: 1 sequence: -1 headerKeys: [] key: k payload: v"],
            "line 1: the record has a key, and metadata records have none: "
            "dump the files of a __cluster_metadata-0 directory",
        ),
    ],
)
def test_text_that_is_no_dump(tmp_path: Path, lines: list[str], sentence: str) -> None:
    """A text that is no dump of a metadata log is refused in one sentence that says what to do."""
    with pytest.raises(TraceError) as caught:
        read_log(_written(tmp_path, lines))
    assert str(caught.value).removeprefix("some-dump.txt").lstrip(":, ") == sentence


def test_dumps_of_two_logs_are_refused(tmp_path: Path) -> None:
    """A text that holds the dumps of two directories is two logs, and is refused with their names."""
    first = _dump("rolling-restart")
    second = [line.replace("data-3000-0", "data-3001-0") for line in first]
    path = _written(tmp_path, [*first, *second])
    with pytest.raises(TraceError) as caught:
        read_log(path)
    assert str(caught.value) == (
        f"{path}: the text holds dumps of 2 directories "
        "(data-3000-0/__cluster_metadata-0, data-3001-0/__cluster_metadata-0): split it, one text for each log"
    )


def test_the_batch_of_a_cut_line_is_unreadable(tmp_path: Path) -> None:
    """A dump whose last line was cut gives every batch but that line's, and says which line it is."""
    lines = _dump("rolling-restart")
    lines[-1] = lines[-1][:-9]
    log = read_log(_written(tmp_path, lines))
    assert list(log.records())[-1].offset == 267
    (lost,) = log.quarantined
    assert (lost.kind, lost.first_offset, lost.last_offset) == ("text", 268, 268)
    assert lost.reason.startswith(f"some-dump.txt, line {len(lines)}: the record is not the JSON of a metadata record")


@pytest.mark.parametrize("left_out", [1, 3])
def test_records_that_a_paste_lost_are_counted(tmp_path: Path, left_out: int) -> None:
    """A batch of which lines are missing is unreadable as a whole: half a result would be another result."""
    lines = _dump("rolling-restart")
    first = next(number for number, line in enumerate(lines) if "count: 5 " in line)
    log = read_log(_written(tmp_path, lines[: first + 1] + lines[first + 1 + left_out :]))
    (lost,) = log.quarantined
    assert lost.reason == (
        f"some-dump.txt, line {first + 1}: the text holds {5 - left_out} of the 5 records of the batch at "
        f"{lost.first_offset}"
    )


@pytest.mark.parametrize("prefix", ["> ", "kafka-0  | ", "{number}:", "2026-11-29T10:00:{number:02}Z stdout F "])
def test_what_stands_in_front_of_each_line_is_left_out(tmp_path: Path, prefix: str) -> None:
    """A quotation's, docker compose's, grep's and a container log's own beginning of a line is no part of the dump."""
    lines = [prefix.format(number=number) + line for number, line in enumerate(_dump("rolling-restart"))]
    plain, pasted = read_log(RECORDED / "rolling-restart" / "dump.txt.gz"), read_log(_written(tmp_path, lines))
    assert pasted.batches == plain.batches
    assert pasted.segments == plain.segments


REPEATED = pytest.mark.nightly("test_a_mutated_text_ends_no_command_with_a_defect[few]")


@pytest.mark.parametrize(("seed", "texts"), [(11, 30), pytest.param(12, 400, marks=REPEATED)], ids=["few", "many"])
def test_a_mutated_text_ends_no_command_with_a_defect(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], seed: int, texts: int
) -> None:
    """Of texts with words changed, lines lost, doubled, exchanged or cut, none ends a command with exit code 70."""
    lines, chance, codes = _dump("rolling-restart")[:60], random.Random(seed), Counter[int]()
    for number in range(texts):
        command, *options = COMMANDS[number % len(COMMANDS)]
        code = main([command, str(_written(tmp_path, mutations.lines(lines, chance))), *options])
        codes[code] += 1
        assert code in {0, 2, 3} | ({6} if command == "conform" else set()), capsys.readouterr().err
    assert codes[0] > texts // 10
    assert codes[3] > codes[2]


@pytest.mark.representative("0")
@pytest.mark.parametrize("seed", range(3))
def test_a_mutated_text_is_read_or_refused(tmp_path: Path, seed: int) -> None:
    """Of a hundred mutated texts each is read, with what is lost set apart, or refused in one sentence."""
    lines, chance, lost = _dump("rolling-restart")[:60], random.Random(seed), 0
    for _ in range(100):
        with contextlib.suppress(TraceError):
            lost += bool(read_log(_written(tmp_path, mutations.lines(lines, chance))).quarantined)
    assert lost > 30


def test_record_line_counts_bytes() -> None:
    """The sizes in a record line are those of the encoded key and value."""
    batch = build_batch([("CLEAR_ELR_RECORD", 0, {"topicName": "t"})], base_offset=7, epoch=1, timestamp=5)
    assert record_line(batch.records[0], batch) == (
        "| offset: 7 CreateTime: 5 keySize: -1 valueSize: 6 sequence: -1 headerKeys: [] "
        'payload: {"type":"CLEAR_ELR_RECORD","version":0,"data":{"topicName":"t"}}'
    )


@each(
    ("value", "printed"),
    [
        (0.0, "0.0"),
        (-0.0, "-0.0"),
        (1.0, "1.0"),
        (1000.0, "1000.0"),
        (1234567.0, "1234567.0"),
        (9999999.0, "9999999.0"),
        (10000000.0, "1.0E7"),
        (12345678.9, "1.23456789E7"),
        (0.001, "0.001"),
        (0.00099, "9.9E-4"),
        (0.1, "0.1"),
        (-2.5, "-2.5"),
        (1e22, "1.0E22"),
        (5e-324, "4.9E-324"),
        (1.7976931348623157e308, "1.7976931348623157E308"),
        (float("nan"), '"NaN"'),
        (float("-inf"), '"-Infinity"'),
    ],
)
def test_java_notation(value: float, printed: str) -> None:
    """Doubles print as Java prints them (the values are those of Double.toString's documentation and their edges)."""
    assert java_double(value) == printed


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_java_notation_names_the_number(value: float) -> None:
    """Java's notation of a double reads back as the same double."""
    assert float(java_double(value)) == value


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    )
)
def test_json_text_is_json(value: object) -> None:
    """What is printed reads back as the value, whatever characters it holds."""
    assert json.loads(json_text(value)) == value


def test_control_characters_print_as_jackson_prints_them() -> None:
    """Control characters print in upper-case hexadecimal or by their short names, all other characters plainly."""
    assert json_text('\x1f\n"\\é\x7f') == '"\\u001F\\n\\"\\\\é\x7f"'
