"""A task of health or story over many logs: it reads those of its group, one at a time."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator

import pyarrow as pa

from fencepost.checkers.conformance.spark.tasks import AT_ONCE, Plan, sources

from .spark_tables import SCHEMAS, Asked, answered

NAMED = (__name__, "told")
"""The function that a worker calls."""


def told(payload: bytes, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Answer the rows of the logs of a group, each as soon as its files are there."""
    plan: Plan = pickle.loads(payload)
    asked = plan.maker(*plan.given)
    assert isinstance(asked, Asked)
    schema = SCHEMAS[asked.kind]
    for number, job in sources(plan, batches):
        rows = answered(number, job.path, job.source, asked)
        for first in range(0, len(rows), AT_ONCE):
            yield pa.RecordBatch.from_pylist(rows[first : first + AT_ONCE], schema=schema)
