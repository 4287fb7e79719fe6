"""A log at an offset: the state there, and what changed an entity by which row."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from fencepost.checkers.conformance import PASSED_THROUGH, Monitor, Options
from fencepost.checkers.conformance.classes.frames import UNKNOWN
from fencepost.checkers.conformance.explain.entities import BROKER, PARTITION, TOPIC, Concerning, Entities, changes_text
from fencepost.checkers.conformance.explain.history import Past, past
from fencepost.checkers.verdicts import Refusal
from fencepost.model.kraft.protocol import KRAFT
from fencepost.traces import MetadataLog, Record, Undecodable, find_log, read_log

from . import RECORDED, alter
from .plain_replay import held, replayed

MONITOR = Monitor(KRAFT, Options(PASSED_THROUGH))
REPLAY = Monitor(KRAFT, Options(PASSED_THROUGH, replay_only=True))
CAUSES = {row.id: (row.event.name, row.finding or "") for row in KRAFT.rows}


def records_up_to(log: MetadataLog, offset: int) -> list[Record]:
    """The metadata records of a log up to an offset, which is included."""
    return [record for record in log.records() if isinstance(record, Record) and record.offset <= offset]


@pytest.fixture(scope="module")
def rolling() -> MetadataLog:
    """A recorded log that conforms."""
    return read_log(RECORDED / "rolling-restart")


@pytest.fixture(scope="module")
def snapshots() -> MetadataLog:
    """A recorded log of many segments and snapshots."""
    return read_log(find_log(RECORDED / "snapshots"))


@pytest.mark.representative("first-boot-offsets0", "reassignment/00000000000000000000.log-offsets5")
@pytest.mark.parametrize(
    ("scenario", "offsets"),
    [
        ("first-boot", (1, 12, 40, 94)),
        ("rolling-restart", (13, 28, 75, 137, 150, 268)),
        ("controller-failover/00000000000000000000.log", (100, 411, 800)),
        ("delete-recreate", (150, 333, 630)),
        ("kill-nine-elr/00000000000000000000.log", (90, 250)),
        ("reassignment/00000000000000000000.log", (100, 200)),
    ],
)
def test_the_state_is_what_a_plain_replay_says(scenario: str, offsets: tuple[int, ...]) -> None:
    """In the middle of a batch and at its end, the brokers, topics and partitions are those of a replay into dicts."""
    log = read_log(RECORDED / scenario)
    for offset in offsets:
        expected = replayed(records_up_to(log, offset))
        assert held(Entities(past(REPLAY, log, offset))) == expected, offset
    assert expected[BROKER]
    assert expected[PARTITION]


@pytest.mark.representative("86")
@pytest.mark.parametrize("end", [86, 574, 1103, 1673])
def test_the_state_at_a_snapshot_is_what_the_snapshot_holds(snapshots: MetadataLog, end: int) -> None:
    """At the last offset that a checkpoint sums up, the state lists exactly what the checkpoint holds."""
    (snapshot,) = [one for one in snapshots.snapshots if one.end_offset == end]
    assert held(Entities(past(REPLAY, snapshots, end - 1))) == replayed(snapshot.records)


def test_the_state_is_the_same_whether_rows_are_asked_or_not(rolling: MetadataLog) -> None:
    """Without rows the same records change the same cells, and no record has a row."""
    asked, replayed_only = past(MONITOR, rolling, 200), past(REPLAY, rolling, 200)
    assert list(map(dict, asked.state.frame.tables)) == list(map(dict, replayed_only.state.frame.tables))
    assert [step.changes for step in asked.steps] == [step.changes for step in replayed_only.steps]
    assert all(step.causes for step in asked.steps)
    assert not any(step.causes for step in replayed_only.steps)


@pytest.mark.parametrize("sort", [BROKER, PARTITION])
def test_rows_are_evaluated_for_the_units_about_an_entity(rolling: MetadataLog, sort: str) -> None:
    """Every record about the entity has the rows that it has where all are evaluated; most other records have none."""
    whole = past(MONITOR, rolling, 200)
    wants = Concerning(1) if sort == BROKER else Concerning(None, "b-0")
    some = past(REPLAY, rolling, 200, wants)
    entity = 1 if sort == BROKER else Entities(some).partition("b-0")
    mine = list(some.of(sort, entity))
    assert mine
    assert mine == list(whole.of(sort, entity))
    assert [one.changes for one in some.steps] == [one.changes for one in whole.steps]
    assert sum(one.is_asked for one in some.steps) < len(some.steps) / 2
    assert not any(one.causes for one in some.steps if not one.is_asked)


def test_the_brokers_of_a_partition_are_followed(rolling: MetadataLog) -> None:
    """With the brokers of a partition the rows of their fences and registrations are evaluated too."""
    wants = Concerning(None, "b-0", with_brokers=True)
    some = past(REPLAY, rolling, 200, wants)
    partition = Entities(some).partition("b-0")
    replicas = some.state.read((Entities(some).numbers["replicas"], (partition,)))
    begins = next(iter(some.of(PARTITION, partition))).offset
    steps = [one for broker in replicas for one in some.of(BROKER, broker) if one.offset > begins]
    assert steps
    assert all(one.is_asked for one in steps)


def without_first_segments(folder: Path) -> MetadataLog:
    """The log of snapshots as it is when what lies below offset 241 was deleted."""
    for path in sorted((RECORDED / "snapshots").iterdir()):
        if path.name[0].isdigit() and int(path.name[:20]) >= 241:
            shutil.copy(path, folder)
    return read_log(find_log(folder))


def test_a_log_without_its_beginning_is_read_from_its_snapshot(snapshots: MetadataLog, tmp_path: Path) -> None:
    """Behind the first snapshot the state is that of the whole log; in front of it nothing is known, which is said."""
    log = without_first_segments(tmp_path)
    for offset in (332, 400):
        assert held(Entities(past(REPLAY, log, offset))) == held(Entities(past(REPLAY, snapshots, offset)))
    found = past(MONITOR, log, 400)
    assert found.first == 332
    assert found.steps
    assert all(332 <= step.offset <= 400 for step in found.steps)
    assert any("332-0000000001.checkpoint" in note for note in found.notes)
    with pytest.raises(Refusal, match="first snapshot ends at offset 332"):
        past(MONITOR, log, 300)
    with pytest.raises(Refusal, match="in front of the log's first record, at offset 241"):
        past(MONITOR, log, 240)


def test_the_history_of_a_partition_is_its_records_with_their_rows(rolling: MetadataLog) -> None:
    """The steps of a partition are its own records in order, each explained by rows of the tables, with its changes."""
    found = past(MONITOR, rolling, 150)
    entities = Entities(found)
    partition = entities.partition("a-0")
    steps = list(found.of(PARTITION, partition))
    own = [
        record.offset
        for record in records_up_to(rolling, 150)
        if (record.data.get("topicId"), record.data.get("partitionId")) == partition
    ]
    assert [step.offset for step in steps] == own
    assert [[cause.row for cause in step.causes] for step in steps[:3]] == [["CT3"], ["HB6"], ["A14"]]
    assert all((c.event, c.finding) == CAUSES[c.row] for step in steps for c in step.causes)
    assert changes_text(entities, steps[1], PARTITION, partition) == [
        "isr [1, 2, 3] -> [2, 3]",
        "leader 1 -> 2",
        "leaderEpoch 0 -> 1",
        "partitionEpoch 0 -> 1",
    ]


def test_the_changes_of_a_history_lead_to_the_state(rolling: MetadataLog) -> None:
    """Each change begins with the value that the one before it left, and the last leaves the value of the state."""
    found = past(MONITOR, rolling, 250)
    for entity in Entities(found).there(PARTITION):
        values: dict[object, object] = {}
        for step in found.of(PARTITION, entity):
            for change in step.changes:
                assert values.get(change.cell, change.old) == change.old
                values[change.cell] = change.new
        assert values == {cell: found.state.read(cell) for cell in values}  # type: ignore[arg-type]
        assert len(values) > 5


def test_an_ambiguous_record_names_every_row(rolling: MetadataLog) -> None:
    """Why a broker was fenced is not in a log: the step of the fence has all rows that may have written it."""
    result = MONITOR.judge(rolling)
    found = past(MONITOR, rolling, 80)
    fences = [step for step in found.of(BROKER, 1) if step.record == "Fence"]
    assert [step.offset for step in fences] == [53, 60]
    assert tuple(cause.row for cause in fences[0].causes) in result.classes
    assert len(fences[0].causes) > 1
    assert [c.finding for c in fences[1].causes], "a broker that is fenced already is fenced again"


def test_rows_that_are_findings_are_named(rolling: MetadataLog) -> None:
    """Where the monitor reports a finding by a row, the step at its offset bears the finding."""
    reported = {(f.offset, f.by, f.finding) for f in MONITOR.judge(rolling).findings if f.by in CAUSES}
    assert reported
    last = max(offset for offset, _, _ in reported)
    found = past(MONITOR, rolling, last)
    told = {(step.offset, cause.row, cause.finding) for step in found.steps for cause in step.causes if cause.finding}
    # The monitor reports a result at its last record; each record of the result has its row.
    assert reported <= told


def test_a_record_that_no_row_explains_has_no_row(rolling: MetadataLog, tmp_path: Path) -> None:
    """A record that was altered changes the state as it says, and its step names no row."""
    directory = alter.with_record(rolling, 136, lambda data: {**data, "isr": [4]}, tmp_path)
    found = past(MONITOR, read_log(find_log(directory)), 136)
    (step,) = [step for step in found.steps if step.offset == 136]
    assert step.causes == ()
    assert held(Entities(found))[PARTITION]["FFraXgTnQ-6aTIZQYOUejw", 2]["isr"] == (4,)


def test_a_topic_is_the_one_that_is_there_at_the_offset() -> None:
    """A name that was deleted and used again means the topic of that offset; in between there is none."""
    log = read_log(RECORDED / "delete-recreate")
    topics: dict[str, list[tuple[str, int, int]]] = {}
    gone = {r.data["topicId"]: r.offset for r in records_up_to(log, 636) if r.type == "REMOVE_TOPIC_RECORD"}
    for record in records_up_to(log, 636):
        if record.type == "TOPIC_RECORD":
            id = record.data["topicId"]
            topics.setdefault(record.data["name"], []).append((id, record.offset, gone.get(id, 637)))
    name, (first, second) = next((n, lives[:2]) for n, lives in topics.items() if len(lives) > 1)
    for id, _, end in (first, second):
        assert Entities(past(MONITOR, log, end - 1)).partition(f"{name}-0") == (id, 0)
    assert first[0] != second[0]
    with pytest.raises(Refusal, match=f"no topic {name} is there at offset {first[2]}: it was deleted at offset"):
        Entities(past(MONITOR, log, first[2])).partition(f"{name}-0")


def test_what_was_damaged_is_unknown_behind_it(rolling: MetadataLog, tmp_path: Path) -> None:
    """An offset in a damaged batch is refused; behind it only what was written since is known, and it is said."""
    log = read_log(find_log(alter.with_byte_flipped(rolling, 125, tmp_path)))
    batch = alter.batch_at(rolling, 125)
    with pytest.raises(Refusal, match="is in a damaged part"):
        past(MONITOR, log, 125)
    assert held(Entities(past(MONITOR, log, 124))) == replayed(records_up_to(rolling, 124))
    found: Past = past(MONITOR, log, batch.last_offset + 30)
    assert any("unknown" in note for note in found.notes)
    whole = held(Entities(past(MONITOR, rolling, batch.last_offset + 30)))
    known = [
        (step, change)
        for step in found.steps
        if step.offset > batch.last_offset
        for change in step.changes
        if found.state.layout.name(change.cell).startswith("isr[")
    ]
    assert known
    for _, change in known:
        assert found.state.read(change.cell) == whole[PARTITION][change.cell[1][0]]["isr"]


def test_a_gap_is_no_state(rolling: MetadataLog, tmp_path: Path) -> None:
    """An offset whose records are missing is refused with its neighbours."""
    log = read_log(find_log(alter.without_batch(rolling, 25, tmp_path)))
    with pytest.raises(Refusal, match="the records between offsets 24 and 32 are missing"):
        past(MONITOR, log, 27)


def test_the_leader_change_has_the_state_before_it() -> None:
    """A record of Raft changes nothing: the state at its offset is that of the record in front of it."""
    log = read_log(RECORDED / "controller-failover" / "00000000000000000000.log")
    changes = [batch.base_offset for batch in log.batches if batch.is_control and batch.base_offset > 0]
    assert changes
    for offset in changes[:2]:
        assert held(Entities(past(MONITOR, log, offset))) == held(Entities(past(MONITOR, log, offset - 1)))
    empty = held(Entities(past(MONITOR, log, 0)))
    assert empty == {BROKER: {}, TOPIC: {}, PARTITION: {}}


def with_record(log: MetadataLog, offset: int, record: Record | Undecodable) -> MetadataLog:
    """The log with another record at an offset."""
    batches = (
        replace(batch, records=tuple(record if one.offset == offset else one for one in batch.records))
        for batch in log.batches
    )
    return replace(log, batches=tuple(batches))


def test_a_broker_that_was_unregistered_keeps_its_history(rolling: MetadataLog) -> None:
    """A broker that is gone is not among those that are there, and what happened to it can still be asked."""
    last = max(record.offset for record in rolling.records() if record.type == "NO_OP_RECORD")  # type: ignore[union-attr]
    before = held(Entities(past(REPLAY, rolling, last - 1)))[BROKER]
    assert list(before) == [1, 2, 3, 4]
    data = {"brokerId": 4, "brokerEpoch": before[4]["epoch"]}
    log = with_record(rolling, last, Record(last, 0, "UNREGISTER_BROKER_RECORD", 0, data))
    found = past(REPLAY, log, last)
    entities = Entities(found)
    assert entities.there(BROKER) == [1, 2, 3]
    assert entities.broker(4) == 4
    assert list(found.of(BROKER, 4))[-1].offset == last
    with pytest.raises(Refusal, match="nothing is said of broker 5; the brokers are 1, 2, 3, 4"):
        entities.broker(5)


def test_behind_a_record_that_cannot_be_read_only_what_follows_is_known(rolling: MetadataLog) -> None:
    """A record in the middle of a batch that no controller could read takes the state with it, up to what follows."""
    log = with_record(rolling, 46, Undecodable(46, 0, "made so"))
    assert held(Entities(past(REPLAY, log, 45))) == replayed(records_up_to(rolling, 45))
    found = past(REPLAY, log, 47)
    isr = Entities(found).numbers["isr"]
    topic = "ajHzRkICS4uNtC-AcmuxAg"
    assert found.state.read((isr, ((topic, 2),))) == past(REPLAY, rolling, 47).state.read((isr, ((topic, 2),)))
    assert found.state.read((isr, ((topic, 0),))) is UNKNOWN
    assert any("missing or damaged" in note for note in found.notes)
