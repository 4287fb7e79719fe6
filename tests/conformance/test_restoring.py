"""Snapshots that are restored in runs of records come out as those that are restored record by record."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import pytest

from fencepost.checkers.conformance.by_class import run_units
from fencepost.checkers.conformance.reading.monitor import Monitor
from fencepost.checkers.conformance.reading.options import Options
from fencepost.checkers.conformance.reading.restoring import FoundEntities, restore
from fencepost.checkers.conformance.state.replay import HardState
from fencepost.model.kraft.protocol import KRAFT
from fencepost.traces import MetadataLog, Record, batches, read_log, write_log

from . import RECORDED

pytestmark = pytest.mark.usefixtures("by_class")

MONITOR = Monitor(KRAFT)


@contextmanager
def short_runs() -> Iterator[None]:
    """Read every batch into columns, take two records for a run."""
    with patch.object(batches, "_LARGE", 1), patch.object(run_units, "SHORTEST", 2):
        yield


def cells(state: HardState) -> list[dict[object, object]]:
    """What every table of a state holds."""
    return [{keys: table.get(keys) for keys in table} for table in state.frame.tables]


def told(state: HardState, found: FoundEntities) -> set[tuple[Any, ...]]:
    """The entities of a record that a snapshot had, however they were read."""
    entities = state.classes.entities if state.classes is not None else []
    return {*found.entities, *((entities[at],) for numbers in found.numbers for at in numbers.tolist())}


def test_a_snapshot_tells_the_same_in_runs_as_record_by_record() -> None:
    """State, entities and their order are the same, and no record was left to be read one by one."""
    with short_runs():
        log = read_log(RECORDED / "snapshots")
        for snapshot in log.snapshots[1:]:
            mine, plain = HardState(MONITOR.layout), HardState(MONITOR.layout)
            found = restore(mine, MONITOR.wire, snapshot)
            other = restore(plain, MONITOR.wire, snapshot, by_class=False)
            assert cells(mine) == cells(plain)
            assert {sort: list(one) for sort, one in mine.domains.items()} == {
                sort: list(one) for sort, one in plain.domains.items()
            }
            assert {record: told(mine, one) for record, one in found.told.items()} == {
                record: told(plain, one) for record, one in other.told.items()
            }
            assert len(other.singly) == len(snapshot.records)
            assert not found.singly


def altered(log: MetadataLog, seed: int) -> MetadataLog:
    """A log one of whose snapshots says something else of a partition, or leaves it out or has it twice."""
    lot = Random(seed)
    log = replace(log, snapshots=log.snapshots[:4])
    number = lot.randrange(1, len(log.snapshots))
    snapshot = log.snapshots[number]
    batch = snapshot.batches[1]
    place = lot.choice([at for at, one in enumerate(batch.records) if "PARTITION_RECORD" in str(one)])
    record = batch.records[place]
    assert isinstance(record, Record)
    how = lot.choice(("isr", "leader", "partitionEpoch", "partitionId", "removingReplicas", "twice"))
    data = dict(record.data)
    if how in ("isr", "removingReplicas"):
        data[how] = [1, 1] if how == "removingReplicas" else list(data["isr"])[:-1]
    elif how != "twice":
        data[how] += 1
    # A record that is there a second time takes the next one's place: the numbering stays whole.
    at = place + 1 if how == "twice" and place + 1 < len(batch.records) else place
    records = (
        *batch.records[:at],
        replace(record, data=data, offset=batch.records[at].offset),
        *batch.records[at + 1 :],
    )
    changed = replace(snapshot, batches=(snapshot.batches[0], replace(batch, records=records), *snapshot.batches[2:]))
    return replace(log, snapshots=(*log.snapshots[:number], changed, *log.snapshots[number + 1 :]))


@pytest.mark.nightly("tests/conformance/test_layers.py::test_a_log_is_judged_with_a_layer_as_without")
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_an_altered_snapshot_is_told_in_runs_as_record_by_record(seed: int, tmp_path: Path) -> None:
    """What is found of one altered record of a snapshot is the same to the letter, and it is found."""
    write_log(altered(read_log(RECORDED / "snapshots"), seed), tmp_path)
    with short_runs():
        mine = MONITOR.judge(read_log(tmp_path))
    plain = Monitor(KRAFT, Options(by_class=False)).judge(read_log(tmp_path))
    assert repr(mine) == repr(plain)
    assert mine.violations
