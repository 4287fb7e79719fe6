"""Logs for scale that tasks of a Spark session write, one log a task."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from fencepost.checkers.verdicts import ExitCode, Refusal

from .simulate_scale import Done, Task, write_task

if TYPE_CHECKING:
    from fencepost.checkers.conformance.spark.cluster import Cluster

WRITES = (__name__, "answers")
"""The function that writes the logs of a task, for `shipped`."""


def answers(payload: bytes, batches: Iterable[Any]) -> Iterator[Any]:
    """Write the logs of pickled tasks, a row each, and say of each what was written or what was wrong."""
    import pyarrow

    for batch in batches:
        for row in batch.to_pylist():
            try:
                found = {"kind": "done", "answer": pickle.dumps(write_task(pickle.loads(row["task"])))}
            except Exception as error:
                found = {"kind": "failed", "mismatch": f"{type(error).__name__}: {error}"}
            yield pyarrow.RecordBatch.from_pylist([found], schema=_schema())


def _schema() -> Any:
    import pyarrow

    return pyarrow.schema([("kind", pyarrow.string()), ("mismatch", pyarrow.string()), ("answer", pyarrow.binary())])


def written_on(cluster: Cluster, tasks: Sequence[Task]) -> list[Done]:
    """Write logs on Spark; raises `Refusal` where a worker cannot, or has another package."""
    from fencepost.checkers.conformance.spark.cluster import opened, reason_of
    from fencepost.checkers.conformance.spark.shipped import shipped
    from fencepost.checkers.conformance.spark.versions import here

    with opened(cluster) as session:
        rows = [(bytearray(pickle.dumps(task)),) for task in tasks]
        try:
            given = session.createDataFrame(session.sparkContext.parallelize(rows, len(rows)), "task binary")
            said = given.mapInArrow(
                shipped(b"", here(), _schema(), WRITES), "kind string, mismatch string, answer binary"
            ).collect()
        except Exception as error:
            raise Refusal(
                f"Spark could not write the logs ({reason_of(error)}); what is written there is not whole",
                ExitCode.INCONCLUSIVE,
            ) from error
    wrong = sorted({row["mismatch"] for row in said if row["mismatch"] is not None})
    if wrong:
        raise Refusal(f"Spark's workers could not write the logs: {wrong[0]}", ExitCode.INCONCLUSIVE)
    done: list[Done] = [pickle.loads(bytes(row["answer"])) for row in said]
    return sorted(done, key=lambda one: one.number)
