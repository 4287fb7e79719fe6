"""Tasks with tables of records: some pack records of many logs into blocks, others check the logs of blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa

from fencepost.checkers.conformance.many import Job
from fencepost.checkers.conformance.results.progress import Progress
from fencepost.checkers.conformance.results.results import Doubt, LogResult
from fencepost.checkers.verdicts import Verdict
from fencepost.traces.record_tables import columns_of, log_of_records

from .blocks import blocks, joined
from .questions import KeptJob
from .tables import MISMATCH
from .tasks import by_log, judged_by, prepared, some_at_once

MODULE = "fencepost.checkers.conformance.spark.record_tasks"
PACK, JUDGE = (MODULE, "packed_records"), (MODULE, "answers")
"""The module and the names of the functions that the two kinds of tasks call."""

BLOCKS = pa.schema(
    [
        ("group", pa.int64()),
        ("number", pa.int64()),
        ("first", pa.int64()),
        ("block", pa.binary()),
        (MISMATCH, pa.string()),
    ]
)
"""The schema of a shuffled row: the group and the number of a log, the lowest offset of a block, and the block."""

GATHERED = 32 << 20
"""Bytes of records that a task gathers before it packs them: the more there are, the fewer rows are shuffled."""


@dataclass(frozen=True, slots=True)
class RecordsPlan:
    """The input of every worker: how to make its checker, and the logs by number; `lacking` says how many records of a
    log have no offset. `attempt` is the attempt at a run that keeps the answers, under `hashes`; None for none."""

    maker: Callable[..., Any]
    given: tuple[Any, ...]
    blank: Callable[[str], LogResult]
    logs: Mapping[int, str]
    lacking: Mapping[int, int]
    attempt: int | None
    hashes: Mapping[int, str]


# -- packing -----------------------------------------------------------------------------------------------------------
def packed_records(payload: bytes, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Pack records, which come with the numbers and groups of their logs, into blocks."""
    gathered: list[pa.RecordBatch] = []
    size = 0
    for batch in batches:
        gathered.append(batch)
        size += batch.nbytes
        if size >= GATHERED:
            yield from _packed(gathered)
            gathered, size = [], 0
    if gathered:
        yield from _packed(gathered)


def _packed(batches: list[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    table = pa.Table.from_batches(batches).combine_chunks()
    if not table.num_rows:
        return
    number, group = (np.array(table[name], np.int64) for name in ("number", "group"))
    columns = columns_of(table)
    order = np.argsort(number, kind="stable")
    ends = [*(np.flatnonzero(np.diff(number[order])) + 1).tolist(), len(order)]
    start = 0
    for end in ends:
        at = order[start:end]
        start = end
        for first, block in blocks(columns.taken(at)):
            row = {"group": int(group[at[0]]), "number": int(number[at[0]]), "first": first, "block": block}
            yield pa.RecordBatch.from_pylist([row], schema=BLOCKS)


# -- checking ----------------------------------------------------------------------------------------------------------
def _checker(plan: RecordsPlan) -> Callable[..., LogResult]:
    return plan.maker(*plan.given).log  # type: ignore[no-any-return]


def answers(payload: bytes, batches: Iterable[pa.RecordBatch]) -> Iterator[list[dict[str, Any]]]:
    """Check the logs whose blocks come, sorted by the logs' numbers; yield rows of the tables."""
    plan, judge = prepared(payload, _checker)
    yield from some_at_once(by_log(batches, lambda row: row["block"], partial(_judged, plan, judge)))


def _judged(
    plan: RecordsPlan, judge: Callable[..., LogResult], number: int, group: int, parts: list[bytes]
) -> Iterator[dict[str, Any]]:
    path = plan.logs[number]

    def work(source: list[bytes], progress: Progress) -> LogResult:
        result = judge(log_of_records(path, joined(source)), progress)
        lacking = plan.lacking.get(number, 0)
        if lacking:
            result.doubts.append(Doubt(None, None, f"{lacking} of its records have no offset: they were not read."))
            result.verdict = Verdict.UNDECIDED if result.verdict is Verdict.CONFORMS else result.verdict
            result.releases = () if result.verdict is Verdict.UNDECIDED else result.releases
        return result

    job: Job[list[bytes]] = Job(path, parts, sum(map(len, parts)))
    if plan.attempt is not None:
        job = KeptJob(job.path, job.source, job.size, attempt=plan.attempt, known=plan.hashes[number])
    yield from judged_by(job, work, plan.blank, number, group)
