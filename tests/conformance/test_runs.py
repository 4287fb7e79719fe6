"""Units that are judged in runs of records come out as those that are judged record by record."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from unittest.mock import patch

import pytest

from fencepost.checkers.conformance import bulk, in_bulk, run_units
from fencepost.checkers.conformance.bulk import Bulk
from fencepost.checkers.conformance.monitor import Monitor
from fencepost.checkers.conformance.options import Options
from fencepost.checkers.conformance.results import LogResult
from fencepost.checkers.conformance.run_units import RunUnit
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft.protocol import KRAFT
from fencepost.traces import MetadataLog, Record, batches, read_log, write_log
from fencepost.traces.lazy_records import LazyRecords

from . import RECORDED

pytestmark = pytest.mark.usefixtures("by_class")

SCENARIOS = ("rolling-restart", "delete-recreate", "reassignment", "controller-failover", "kill-nine-elr", "snapshots")
MONITOR = Monitor(KRAFT)


@contextmanager
def short_runs() -> Iterator[list[bool]]:
    """Read every batch into columns, take two records for a run; yields which units were judged at once."""
    decided: list[bool] = []
    judge = Bulk.judge

    def noted(self: Bulk, unit: RunUnit) -> bool:
        decided.append(judge(self, unit))
        return decided[-1]

    with (
        patch.object(batches, "_LARGE", 1),
        patch.object(run_units, "SHORTEST", 2),
        patch.object(in_bulk, "LONG", 1),
        patch.object(bulk, "LONG", 1),
        patch.object(Bulk, "judge", noted),
    ):
        yield decided


def both(path: Path, options: Options | None = None) -> tuple[LogResult, LogResult, list[bool]]:
    """What is found of a log in runs, and record by record, and which units were judged at once."""
    options = options or Options()
    with short_runs() as decided:
        log = read_log(path)
        assert any(isinstance(batch.records, LazyRecords) for batch in log.batches)
        mine = Monitor(KRAFT, options).judge(log)
    return mine, Monitor(KRAFT, replace(options, by_class=False)).judge(read_log(path)), decided


@pytest.mark.representative("rolling-restart", "reassignment")
@pytest.mark.parametrize("name", SCENARIOS)
def test_a_recording_is_judged_in_runs_as_record_by_record(name: str) -> None:
    """Verdict, rows, findings, notes and the counts of every property are the same to the letter."""
    mine, plain, decided = both(RECORDED / name)
    assert repr(mine) == repr(plain)
    assert any(decided)


def altered(log: MetadataLog, seed: int) -> tuple[MetadataLog, str]:
    """A log in which one record of a partition says something else or is another's, and what was done to it."""
    lot = Random(seed)
    places = [
        (number, place)
        for number, batch in enumerate(log.batches)
        for place, record in enumerate(batch.records)
        if isinstance(record, Record) and record.type in ("PARTITION_CHANGE_RECORD", "PARTITION_RECORD")
    ]
    number, place = lot.choice(places)
    batch = log.batches[number]
    record = batch.records[place]
    assert isinstance(record, Record)
    data = dict(record.data)
    how = lot.choice(("isr", "leader", "partitionId", "isr is left out"))
    if how == "isr":
        data["isr"] = list(reversed(data.get("isr") or [1, 2]))
    elif how == "leader":
        data["leader"] = lot.choice((-1, 0, 1, 2, 3))
    elif how == "partitionId":
        data["partitionId"] += 1
    elif record.type == "PARTITION_CHANGE_RECORD":
        data.pop("isr", None)
    records = (*batch.records[:place], replace(record, data=data), *batch.records[place + 1 :])
    changed = replace(batch, records=records)
    return replace(log, batches=(*log.batches[:number], changed, *log.batches[number + 1 :])), how


@pytest.mark.representative("rolling-restart-0", "reassignment-6")
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("name", ["rolling-restart", "reassignment"])
def test_an_altered_recording_is_judged_in_runs_as_record_by_record(name: str, seed: int, tmp_path: Path) -> None:
    """What is found of one altered record is the same to the letter, violations and their reports included."""
    log, _ = altered(read_log(RECORDED / name), seed)
    write_log(log, tmp_path)
    mine, plain, _ = both(tmp_path)
    assert repr(mine) == repr(plain)


def test_some_alterations_are_violations() -> None:
    """Of the alterations that the test above makes of one recording at least three are violations."""
    found = 0
    for seed in range(8):
        found += (
            MONITOR.judge(altered(read_log(RECORDED / "reassignment"), seed)[0], bear=0).verdict is Verdict.VIOLATES
        )
        if found == 3:
            return
    pytest.fail(f"{found} are")
