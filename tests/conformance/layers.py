"""Layers of speed of `conform`, each as a context in which every log uses it, and logs that are checked in them."""

from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from fencepost.checkers.conformance.by_class import in_bulk, run_units
from fencepost.checkers.conformance.by_class.claims_by_class import ByClass
from fencepost.checkers.conformance.by_class.matching_by_class import ClassMatcher
from fencepost.checkers.conformance.by_class.run_units import RunUnit
from fencepost.checkers.conformance.classes.frames import MISSING, Env, Frame, restore
from fencepost.checkers.conformance.classes.members import Members
from fencepost.checkers.conformance.evaluation import quantified
from fencepost.checkers.conformance.evaluation.quantified import Candidates
from fencepost.checkers.conformance.printed_rows.units import PrintedUnits
from fencepost.checkers.conformance.reading import bulk, units
from fencepost.checkers.conformance.reading.bulk import Bulk
from fencepost.checkers.conformance.reading.monitor import Monitor
from fencepost.checkers.conformance.reading.options import Options
from fencepost.checkers.conformance.results.results import LogResult
from fencepost.model.kraft.protocol import KRAFT
from fencepost.traces import MetadataLog, Record, batches, read_log
from fencepost.traces.lazy_records import LazyRecords

Used = list[bool]
"""Of each decision of a layer whether the layer took it."""


@contextmanager
def noting(owner: type, method: str, took: Callable[[Any], bool]) -> Iterator[Used]:
    """Yield, of each call of a method, whether what it returns says that the layer did its work."""
    real, used = getattr(owner, method), Used()

    def noted(self: Any, *given: Any, **named: Any) -> Any:
        found = real(self, *given, **named)
        used.append(took(found))
        return found

    with patch.object(owner, method, noted):
        yield used


def asked_by_class() -> AbstractContextManager[Used]:
    """Evaluate once what is the same for all entities of a class."""
    return noting(ByClass, "version", lambda found: True)


@contextmanager
def in_columns() -> Iterator[Used]:
    """Read every batch into columns."""
    with patch.object(batches, "_LARGE", 1), noting(LazyRecords, "__len__", lambda found: True) as used:
        yield used


@contextmanager
def short_runs() -> Iterator[list[bool]]:
    """Read every batch into columns, take two records for a run; yields which units were checked at once."""
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


@contextmanager
def printed_beside_runs() -> Iterator[Used]:
    """Explain units that have no run by printed rows, whose states follow what units in runs have changed."""
    with (
        short_runs(),
        patch.object(units, "SEVERAL", 10_000),
        noting(PrintedUnits, "parse", lambda found: found is not None) as used,
    ):
        yield used


@contextmanager
def entities_left_out() -> Iterator[Used]:
    """Ask quantifiers of the classes that do not refute them, however few entities there are."""
    left, fewer = Candidates._left, Used()

    def noted(self: Candidates, found: Collection[Any] | None, frame: Frame, env: Env) -> Any:
        some = left(self, found, frame, env)
        if some is not None:
            old = env.get(self.var, MISSING)
            kept = Members(some.classes, some.numbers, some.beside)
            restore(env, self.var, old)
            fewer.append(len(kept) < len(some.classes.entities if found is None else found))
            some = replace(some, numbers=iter(kept.numbers))
        return some

    with patch.object(quantified, "FEW", 0), patch.object(Candidates, "_left", noted):
        yield fewer


def rows_that_read_on() -> AbstractContextManager[Used]:
    """Ask rows that read what follows of each record, and all others by class."""
    return noting(ClassMatcher, "_kept", lambda found: any(one.reads_on is not None for one in found or ()))


def both(path: Path, options: Options | None = None) -> tuple[LogResult, LogResult, list[bool]]:
    """Return what is found of a log in runs, and record by record, and which units were checked at once."""
    options = options or Options()
    with short_runs() as decided:
        log = read_log(path)
        assert any(isinstance(batch.records, LazyRecords) for batch in log.batches)
        mine = Monitor(KRAFT, options).judge(log)
    return mine, Monitor(KRAFT, replace(options, by_class=False)).judge(read_log(path)), decided


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


def beginning_late(log: MetadataLog, end: int) -> MetadataLog:
    """Return a log that begins with its snapshot of an offset."""
    kept = tuple(batch for batch in log.batches if batch.base_offset >= end)
    first = next(at for at, segment in enumerate(log.segments) if segment.name == kept[0].segment)
    return replace(
        log, batches=kept, segments=(replace(log.segments[first], base_offset=end), *log.segments[first + 1 :])
    )
