"""Cells stored by class, and what is evaluated once for all entities of one: as if each had been asked."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.checkers.bench.conform_logs import write_case
from fencepost.checkers.conformance.by_class.claims_by_class import ByClass
from fencepost.checkers.conformance.classes.classes import ClassedTable, Classes
from fencepost.checkers.conformance.classes.frames import MISSING, UNKNOWN
from fencepost.checkers.conformance.classes.tables import Indexed
from fencepost.checkers.conformance.evaluation.inert import is_inert
from fencepost.checkers.conformance.reading import units
from fencepost.checkers.conformance.reading.monitor import Monitor, Reading
from fencepost.checkers.conformance.reading.options import Options
from fencepost.checkers.conformance.results.results import LogResult
from fencepost.checkers.conformance.state.touched import Touched
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft.protocol import KRAFT
from fencepost.reference.kraft.episodes.happenings import recorded
from fencepost.traces import MetadataLog
from fencepost.traces.batches import build_batch
from fencepost.traces.logs import read_log
from fencepost.traces.scale.logs import LogPlan, LogWriter

pytestmark = pytest.mark.usefixtures("by_class")

RECORDED = Path(__file__).parents[2] / "traces" / "recorded"
PAIRED = (False, False, True)
PLACES = (None, 0, None)

entities = st.tuples(st.sampled_from("ab"), st.integers(0, 2))
values = st.one_of(
    st.integers(0, 2), st.just(UNKNOWN), st.frozensets(st.integers(0, 2), max_size=2), st.sampled_from("ab")
)
writes = st.lists(
    st.tuples(st.integers(0, 2), entities, st.integers(0, 2), st.one_of(values, st.just(MISSING))), max_size=30
)


def written(changes: list[Any]) -> tuple[list[ClassedTable], list[Indexed]]:
    """The same writes, and cells taken out, in tables by class and in plain ones."""
    classes = Classes("Partition", PAIRED, PLACES)
    mine, plain = [ClassedTable(classes, slot) for slot in range(3)], [Indexed() for _ in range(3)]
    for slot, entity, other, value in changes:
        keys = (entity, other) if PAIRED[slot] else (entity,)
        for table in (mine[slot], plain[slot]):
            if value is MISSING:
                table.pop(keys, None)
            else:
                table[keys] = value
    return mine, plain


@given(writes)
def test_tables_by_class_hold_what_plain_ones_do(changes: list[Any]) -> None:
    """Whatever is written, every cell reads the same, and the same cells are there."""
    mine, plain = written(changes)
    for one, other in zip(mine, plain, strict=True):
        assert dict(one.items()) == dict(other)
        assert len(one) == len(other)


@given(writes, values)
def test_indexes_by_class_find_what_plain_ones_do(changes: list[Any], value: Any) -> None:
    """An index over classes gives the entities that one over cells gives, unknown cells among them."""
    mine, plain = written(changes)
    for slot in (0, 1):
        assert set(mine[slot].find(0, False, (), value)) == set(plain[slot].find(0, False, (), value))
    for other in range(3):
        assert set(mine[2].find(0, False, (other,), value)) == set(plain[2].find(0, False, (other,), value))
    for entity in [("a", 0), ("b", 1)]:
        assert set(mine[2].find(1, False, (entity,), value)) == set(plain[2].find(1, False, (entity,), value))


@given(writes, writes, values)
def test_an_index_that_was_asked_follows_what_is_written(before: list[Any], after: list[Any], value: Any) -> None:
    """An index that was made between two writes finds what one made behind them finds."""
    mine, _ = written(before)
    fresh, _ = written([*before, *after])
    for table in mine:
        table.find(0, False, (0,) if PAIRED[table.slot] else (), value)
    for slot, entity, other, said in after:
        keys = (entity, other) if PAIRED[slot] else (entity,)
        if said is MISSING:
            mine[slot].pop(keys, None)
        else:
            mine[slot][keys] = said
    for one, other in zip(mine, fresh, strict=True):
        rest = (0,) if PAIRED[one.slot] else ()
        assert set(one.find(0, False, rest, value)) == set(other.find(0, False, rest, value))


@given(writes)
def test_entities_of_a_class_have_the_same_cells(changes: list[Any]) -> None:
    """Two entities are in one class if and only if their cells say the same, parts of their own ids apart."""
    mine, _ = written(changes)
    classes = mine[0].classes
    said = {
        entity: tuple(
            tuple(
                "own" if slot == 1 and value == entity[0] else value
                for keys, value in sorted(table.items(), key=repr)
                if keys[0] == entity
            )
            for slot, table in enumerate(mine)
        )
        for entity in classes.entities
    }
    for one in classes.entities:
        for other in classes.entities:
            if classes.of(one) == classes.of(other):
                assert said[one] == said[other]


@pytest.mark.representative("10-100-0")
@pytest.mark.parametrize(("few", "short", "several"), [(1000, 100, 0), (10, 100, 0), (10, 100, 1000), (1000, 3, 0)])
def test_a_log_judged_by_class_from_some_place_on_is_judged_as_from_its_start(
    few: int, short: int, several: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether partitions become many or a unit is large, what is asked by class from there on says the same."""
    log = read_log(RECORDED / "reassignment")
    whole = repr(Monitor(KRAFT).judge(log))
    monkeypatch.setattr(units, "FEW", few)
    monkeypatch.setattr(units, "SHORT", short)
    monkeypatch.setattr(units, "SEVERAL", several)
    reading = Reading(Monitor(KRAFT), log)
    assert reading.units.local is None
    assert repr(reading.result()) == whole
    assert (reading.units.local is None) is ((few, short) == (1000, 100))


MANY = 60


def created(change: dict[int, dict[str, Any]]) -> MetadataLog:
    """A recorded log up to its first topic, created with many partitions that are alike but for changes."""
    log = read_log(RECORDED / "rolling-restart")
    at = next(n for n, b in enumerate(log.batches) if any(r.type == "TOPIC_RECORD" for r in b.metadata_records))
    batch = log.batches[at]
    topic = next(r for r in batch.metadata_records if r.type == "TOPIC_RECORD")
    first = next(r for r in batch.metadata_records if r.type == "PARTITION_RECORD")
    messages = [(topic.type, topic.version, topic.data)]
    for number in range(MANY):
        said = {**first.data, "topicId": topic.data["topicId"], "partitionId": number, **change.get(number, {})}
        messages.append((first.type, first.version, said))
    made = build_batch(
        messages, base_offset=batch.base_offset, epoch=batch.epoch, timestamp=batch.base_timestamp, segment="made"
    )
    return replace(log, batches=(*log.batches[:at], made), snapshots=())


def judged(log: MetadataLog) -> tuple[LogResult, int]:
    """What is found in a log, and how many evaluations were made for a class."""
    reading = Reading(Monitor(KRAFT), log)
    result = reading.result()
    assert reading.units.local is not None
    return result, reading.units.local.evaluated


def test_partitions_that_are_created_alike_are_judged_once() -> None:
    """Far fewer evaluations are made than a topic has partitions, and what is found is the same."""
    result, evaluated = judged(created({}))
    assert result.verdict is Verdict.CONFORMS
    assert 0 < evaluated < MANY // 2
    assert repr(result) == repr(Monitor(KRAFT, Options(by_class=False)).judge(created({})))


@pytest.mark.representative("change1-1")
@pytest.mark.parametrize("number", [0, 1, MANY - 1])
@pytest.mark.parametrize("change", [{"leaderEpoch": 1}, {"partitionId": MANY + 7}, {"isr": []}])
def test_one_that_is_created_otherwise_is_found(number: int, change: dict[str, Any]) -> None:
    """Of many partitions that are created alike the one that is not violates, reported as without classes."""
    log = created({number: change})
    result, _ = judged(log)
    assert result.verdict is Verdict.VIOLATES
    assert repr(result) == repr(Monitor(KRAFT, Options(by_class=False)).judge(log))


def test_steps_that_say_nothing_of_what_stays_are_found() -> None:
    """P26, P35, P40 and K1 hold where nothing changes, whatever the state; P31 and P36 need not."""
    inert = {id: is_inert(KRAFT.property(id).term) for id in ("P26", "P35", "P40", "K1", "P31", "P36")}  # type: ignore[union-attr]
    assert inert == {"P26": True, "P35": True, "P40": True, "K1": True, "P31": False, "P36": False}


def test_no_two_steps_of_a_log_have_one_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was evaluated in the step of one unit is not used in a step of a later one."""
    numbers: list[int] = []
    version = ByClass.version

    def noted(self: ByClass, touched: Touched) -> int:
        numbers.append(version(self, touched))
        return numbers[-1]

    monkeypatch.setattr(ByClass, "version", noted)
    Monitor(KRAFT).judge(read_log(RECORDED / "rolling-restart"))
    of_steps = [one for one in numbers if one < 0]
    assert len(of_steps) > 10
    assert len(of_steps) == len(set(of_steps))


def test_changes_that_are_alike_are_judged_once(tmp_path: Path) -> None:
    """Twice the partitions and twice the changes, each in a batch of its own, cost no further evaluation."""
    made = []
    for times in (1, 2):
        folder = tmp_path / str(times)
        write_case(folder, 120 * times, "single", 60 * times)
        log = read_log(folder)
        made.append(judged(log))
        assert repr(made[-1][0]) == repr(Monitor(KRAFT, Options(by_class=False)).judge(log))
    assert [result.records for result, _ in made] == [60, 120]
    assert 0 < made[0][1] == made[1][1]


def test_a_broker_that_registers_anew_leaves_what_was_evaluated(tmp_path: Path) -> None:
    """Where a broker is restarted again and again, ever fewer evaluations are made: its epoch is only compared."""
    beginning, episodes = recorded(3, 6, 1)
    (restart, *_) = (one for one in episodes if one.kind == "restart")
    writer, evaluated = LogWriter(beginning, [restart]), []
    for times in (1, 2, 3):
        folder = tmp_path / str(times)
        folder.mkdir()
        plan = LogPlan(1, 0, beginning.records + times * restart.records)
        writer.write(plan, lambda name: (folder / name).open("xb"), {})  # noqa: B023
        result, made = judged(read_log(folder))
        evaluated.append(made)
    assert repr(result) == repr(Monitor(KRAFT, Options(by_class=False)).judge(read_log(folder)))
    assert evaluated[2] - evaluated[1] < (evaluated[1] - evaluated[0]) / 2
