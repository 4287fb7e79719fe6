"""`fencepost simulate --logs N --records M --to DIR`: logs of any size conform, and planted faults are found."""

import hashlib
import json
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet

from fencepost.checkers.conformance import conform
from fencepost.checkers.conformance.planted import KINDS, NoRoom, plant
from fencepost.reference.kraft.episodes.happenings import recorded
from fencepost.traces import read_log
from fencepost.traces.record_tables import record_table
from fencepost.traces.scale.logs import LogPlan, LogWriter

Says = Callable[..., Any]

FEW = ("--partitions", "12")
FEWEST = ("--partitions", "4")
"""The place where a fault is reported: what a broker's fence should write is sought among all its partitions."""


@pytest.fixture(scope="module")
def writer() -> LogWriter:
    """Return what writes logs of four brokers and 12 standing partitions."""
    return LogWriter(*recorded(4, 12, 1))


@cache
def few_partitions() -> LogWriter:
    """Return what writes logs of four brokers and four standing partitions."""
    return LogWriter(*recorded(4, 4, 1))


def digests(directory: Path) -> dict[str, str]:
    """Return the digest of each file below a directory, by its path there."""
    return {
        str(path.relative_to(directory)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(directory.rglob("*"))
        if path.is_file()
    }


def records_of(directory: Path) -> list[Any]:
    """Return the records of the log in a directory."""
    log = read_log(directory)
    assert not log.quarantined
    return list(log.records())


# -- what is written ---------------------------------------------------------------------------------------------------
def test_a_log_has_its_records_one_after_the_other(writer: LogWriter, tmp_path: Path) -> None:
    """A log has every offset from 0 on once, whole batches with right checksums, and as many records as were asked."""
    written = writer.write(LogPlan(3, 0, 5000, 50_000), lambda name: (tmp_path / name).open("xb"), {})
    found = records_of(tmp_path)
    assert [record.offset for record in found] == list(range(written.records))
    assert 5000 <= written.records < 6000
    assert not any(type(record).__name__ == "Undecodable" for record in found)
    times = [record.timestamp for record in found]
    assert times == sorted(times)


def test_segments_are_rolled_at_their_size(writer: LogWriter, tmp_path: Path) -> None:
    """Each segment is named by its first offset and no larger than asked; the next batch would not have fitted."""
    most = 20_000
    written = writer.write(LogPlan(3, 0, 5000, most), lambda name: (tmp_path / name).open("xb"), {})
    sizes = [path.stat().st_size for path in sorted(tmp_path.iterdir())]
    log = read_log(tmp_path)
    assert len(sizes) == written.segments > 5
    assert sum(sizes) == written.bytes
    for segment, size in zip(log.segments, sizes, strict=True):
        batches = [batch for batch in log.batches if batch.segment == segment.name]
        assert batches[0].base_offset == segment.base_offset
        assert size <= most
    for before, after in pairwise(log.batches):
        if before.segment != after.segment:
            assert before.position + before.size + after.size > most


def test_a_broker_epoch_is_the_offset_of_its_registration(writer: LogWriter, tmp_path: Path) -> None:
    """Every registration's first record is at the offset that is the broker's epoch, wherever its episode is."""
    writer.write(LogPlan(3, 0, 6000), lambda name: (tmp_path / name).open("xb"), {})
    epochs: dict[int, int] = {}
    registrations = 0
    log = read_log(tmp_path)
    for batch in log.batches:
        for record in batch.metadata_records:
            if record.type == "REGISTER_BROKER_RECORD":
                assert record.data["brokerEpoch"] == batch.base_offset
                epochs[record.data["brokerId"]] = record.data["brokerEpoch"]
                registrations += 1
            elif record.type == "BROKER_REGISTRATION_CHANGE_RECORD":
                assert record.data["brokerEpoch"] == epochs[record.data["brokerId"]]
    assert registrations > 8


def test_topics_do_not_accumulate(writer: LogWriter, tmp_path: Path) -> None:
    """However long a log is, no more topics are there at once than those that stand and those of one episode."""
    writer.write(LogPlan(3, 0, 6000), lambda name: (tmp_path / name).open("xb"), {})
    there: set[str] = set()
    most = made = 0
    for record in records_of(tmp_path):
        if record.type == "TOPIC_RECORD":
            assert record.data["topicId"] not in there
            there.add(record.data["topicId"])
            made += 1
        elif record.type == "REMOVE_TOPIC_RECORD":
            there.remove(record.data["topicId"])
        most = max(most, len(there))
    assert most == 1 + 3
    assert made > 50


# -- the command -------------------------------------------------------------------------------------------------------
def test_one_seed_is_the_same_bytes_whatever_the_number_of_processes(fencepost_says: Says, tmp_path: Path) -> None:
    """A log is a function of seed and number: two processes, and fewer logs, change no byte; two logs differ."""
    words = ("simulate", "--records", "1200", *FEW, "--faults", "2", "--seed", "5")
    alone = fencepost_says(*words, "--logs", "3", "--to", tmp_path / "alone", "--json").document
    fencepost_says(*words, "--logs", "3", "--jobs", "2", "--to", tmp_path / "together")
    found = digests(tmp_path / "alone")
    assert found == digests(tmp_path / "together")
    assert len(set(found.values())) == len(found) == 4
    assert [log["records"] >= 1200 for log in alone["logs"]] == [True] * 3
    fencepost_says("simulate", "--records", "1200", *FEW, "--seed", "5", "--to", tmp_path / "one")
    fencepost_says("simulate", "--records", "1200", *FEW, "--seed", "5", "--logs", "2", "--to", tmp_path / "two")
    one, two = digests(tmp_path / "one"), digests(tmp_path / "two")
    assert {path: digest for path, digest in two.items() if path in one} == one
    fencepost_says("simulate", "--records", "1200", *FEW, "--seed", "6", "--to", tmp_path / "other")
    assert set(digests(tmp_path / "other").values()) & set(one.values()) == {one["planted.json"]}


@pytest.mark.slow
def test_logs_conform_and_nothing_is_planted_unasked(fencepost_says: Says, tmp_path: Path) -> None:
    """Two logs of small segments conform; the list of planted faults is empty."""
    words = ("--logs", "2", "--records", "500", *FEW, "--segment-bytes", "30000")
    said = fencepost_says("simulate", *words, "--to", tmp_path)
    assert said.code == 0
    assert said.out.startswith("written: 2 logs, ")
    assert json.loads((tmp_path / "planted.json").read_text()) == []
    result = conform([tmp_path], None)
    assert [log.verdict.value for log in result.logs] == ["conforms"] * 2
    assert not any(log.violations for log in result.logs)
    assert all(log.records > 450 for log in result.logs)


@pytest.mark.slow
def test_every_planted_fault_is_found_at_its_offset_and_nothing_else(fencepost_says: Says, tmp_path: Path) -> None:
    """Of logs with faults every violation is at the offset of a fault, by a rule named there, and none is missed."""
    said = fencepost_says(
        "simulate", "--logs", "2", "--records", "600", *FEWEST, "--faults", "6", "--seed", "2", "--to", tmp_path
    )  # fmt: skip
    assert said.code == 0
    planted = json.loads((tmp_path / "planted.json").read_text())
    assert len(planted) == 6
    assert len({one["kind"] for one in planted}) >= 3
    expected = {(one["log"], one["offset"]): one["expected"] for one in planted}
    found = {
        (Path(log.path).parent.name, violation.offset): violation.rule
        for log in conform([tmp_path], None, causes=False).logs
        for violation in log.violations
    }
    assert found.keys() == expected.keys()
    assert {at: rule for at, rule in found.items() if rule not in expected[at]} == {}


@pytest.mark.representative("_ids_again")
@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS, ids=lambda one: one.__name__)
def test_a_fault_of_each_kind_is_found(tmp_path: Path, kind: Any) -> None:
    """The first and the last fault of each kind is one violation, at its offset, by a rule that is expected."""
    writer = few_partitions()
    candidates = [(place, ask) for place, one in enumerate(writer.episodes) for ask in kind(one)]
    for which, (place, ask) in {"first": candidates[0], "last": candidates[-1]}.items():
        alteration = ask.make()
        alone = LogWriter(writer.beginning, [writer.episodes[place]])
        folder = tmp_path / which
        folder.mkdir()
        plan = LogPlan(1, 0, writer.beginning.records + 2 * writer.episodes[place].records)
        written = alone.write(plan, lambda name: (folder / name).open("xb"), {0: alteration.episode})  # noqa: B023
        (log,) = conform([folder], None, causes=False).logs
        assert [one.offset for one in log.violations] == [written.altered[0] + alteration.offset]
        assert log.violations[0].rule in alteration.expected


def test_faults_keep_apart(writer: LogWriter) -> None:
    """No two faults are in one episode or in neighbouring ones; more than there is room for are refused."""
    plans = [LogPlan(7, number, 6000) for number in range(3)]
    faults = plant(writer, plans, 20)
    places = sorted((one.log, one.place) for one in faults)
    assert len(places) == 20
    assert all(b[0] != a[0] or b[1] > a[1] + 1 for a, b in pairwise(places))
    assert faults == plant(writer, plans, 20)
    with pytest.raises(NoRoom, match="write longer logs"):
        plant(writer, plans, 150)


@pytest.mark.nightly("test_one_seed_is_the_same_bytes_whatever_the_number_of_processes")
@pytest.mark.spark
@pytest.mark.slow
def test_tasks_of_spark_write_the_same_bytes(fencepost_says: Says, tmp_path: Path) -> None:
    """Logs that tasks of a Spark session write are those that one process writes."""
    words = ("simulate", "--logs", "2", "--records", "2000", *FEW, "--faults", "1")
    fencepost_says(*words, "--to", tmp_path / "here")
    said = fencepost_says(*words, "--to", (tmp_path / "there").as_uri(), "--spark", "--master", "local[1]")
    assert said.code == 0
    assert digests(tmp_path / "there") == digests(tmp_path / "here")


def test_a_table_of_records_is_that_of_the_log(fencepost_says: Says, tmp_path: Path) -> None:
    """`--as records` writes the rows that a table of the log written without it has, but for places in files."""
    words = ("simulate", "--logs", "2", "--records", "3000", *FEW, "--faults", "2")
    fencepost_says(*words, "--to", tmp_path / "logs")
    assert fencepost_says(*words, "--as", "records", "--to", tmp_path / "tables").code == 0
    for name in ("log-0", "log-1"):
        table = parquet.read_table(tmp_path / "tables" / "records" / f"{name}.parquet")
        made = record_table(read_log(tmp_path / "logs" / name), name)
        places = ["file", "position"]
        assert table.drop_columns(places).to_pylist() == made.drop_columns(places).to_pylist()
        assert table["file"].null_count == table.num_rows
    planted = [(tmp_path / folder / "planted.json").read_bytes() for folder in ("logs", "tables")]
    assert planted[0] == planted[1]


def test_only_the_kinds_that_are_asked_for_happen(fencepost_says: Says, tmp_path: Path) -> None:
    """`--episodes` leaves every other kind out, and the log conforms: brokers fall silent, and none restarts."""
    words = ("simulate", "--records", "1500", *FEW, "--episodes", "silence", "--to", tmp_path / "logs")
    said = fencepost_says(*words, "--json")
    assert list(said.document["episodes"]) == ["beginning", "silence"]
    registered = [one for one in records_of(tmp_path / "logs" / "log-0") if one.type == "REGISTER_BROKER_RECORD"]
    assert len(registered) == 4
    assert conform([tmp_path / "logs"], None).verdict.value == "conforms"


# -- what is refused ---------------------------------------------------------------------------------------------------
def test_nothing_is_written_over(fencepost_says: Says, tmp_path: Path) -> None:
    """A folder that holds something, or a file, is refused and left as it is, behind a URI too."""
    (tmp_path / "precious").write_text("mine")
    for place in (tmp_path, tmp_path / "precious", tmp_path.as_uri()):
        said = fencepost_says("simulate", "--records", "10", *FEW, "--to", place)
        assert said.code == 2
        assert "something is there already" in said.sentence
    assert list(tmp_path.iterdir()) == [tmp_path / "precious"]


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (("--records", "5"), "--records is for logs that are written by --to DIR"),
        (("--as", "records"), "--as is for logs that are written by --to DIR"),
        (("--to", "OUT", "--records", "9", "--as", "text"), "--as text: write logs or records"),
        (("--spark",), "--spark is for logs that are written by --to DIR"),
        (("--to", "OUT"), "add --records M"),
        (("--to", "OUT", "--records", "0"), "--records 0"),
        (("--to", "OUT", "--records", "9", "--faults", "slow"), "--faults slow: with --to it is how many"),
        (("--to", "OUT", "--records", "9", "--faults", "3"), "--faults 3: room was found for 0"),
        (("--to", "OUT", "--records", "9", "--time", "3s"), "--time: logs that are made of recorded episodes"),
        (("--to", "OUT", "--records", "9", "--brokers", "2"), "--brokers 2: take 3 to 50"),
        (("--to", "OUT", "--records", "9", "--episodes", "silence,rain"), "--episodes silence,rain: of 4 brokers"),
        (("--episodes", "lag"), "--episodes is for logs that are written by --to DIR"),
        (("--to", "OUT", "--records", "9", "--spark", "--jobs", "2"), "--jobs: Spark has processes of its own"),
    ],
    ids=lambda one: " ".join(one) if isinstance(one, tuple) else "",
)
def test_what_does_not_fit_is_one_sentence(
    fencepost_says: Says, tmp_path: Path, arguments: tuple[str, ...], part: str
) -> None:
    """An option that does not fit ends with 2, with a sentence that says what would fit, and writes nothing."""
    out = tmp_path / "out"
    said = fencepost_says("simulate", *(str(out) if word == "OUT" else word for word in arguments))
    assert said.code == 2
    assert part in said.sentence
    assert not out.exists()
