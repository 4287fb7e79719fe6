"""The function that Spark sends to its workers: it looks at the worker's package before it uses it.

It is sent by value, and imports nothing of ours at first: a worker without the package, or with another one, can still
say so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from .counting import accumulators

ANSWERS = ("fencepost.checkers.conformance.spark.tasks", "answers")
"""The module and the name of the function that checks the logs of a group."""


def shipped(
    payload: bytes, expected: tuple[str, str], schema: Any, does: tuple[str, str] = ANSWERS
) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """Return the function for `mapInArrow`. `expected` are the driver's version and hash of tables, `schema` is that
    of what tasks answer, and `does` the module and the name of what a worker with the package calls. What tasks say of
    logs, or of parts of them, is counted where a watcher is set: the records of a log in parts by its parts."""
    counts = accumulators() if {"logs", "row", "records"} & set(schema.names) else {}

    def task(batches: Iterable[Any]) -> Iterator[Any]:
        import platform
        from importlib import import_module

        import pyarrow

        wrong, host = "", platform.node()
        try:
            version = import_module("fencepost").__version__
            if version != expected[0]:
                wrong = f"fencepost is {expected[0]} on the driver and {version} on executor {host}"
            else:
                from fencepost.checkers.conformance.spark.versions import here

                if here() != expected:
                    wrong = (
                        f"fencepost {expected[0]} has other tables on executor {host} (hash {here()[1]}) than on the "
                        f"driver (hash {expected[1]})"
                    )
        except ImportError as error:
            wrong = f"executor {host} cannot import fencepost as the driver does ({error})"
        if wrong:
            yield pyarrow.RecordBatch.from_pylist([{"kind": "mismatch", "mismatch": wrong}], schema=schema)
            return
        for found in getattr(import_module(does[0]), does[1])(payload, batches):
            if not isinstance(found, list):
                if counts:
                    # A row without a checked part has no records.
                    records = [one for one in found.column("records").to_pylist() if one is not None]
                    counts["parts"].add(len(records))
                    counts["records"].add(sum(records))
                yield found
                continue
            import_module("fencepost.checkers.conformance.spark.counting").count(counts, found)
            yield import_module("fencepost.checkers.conformance.spark.tables").batch_of(found, schema)

    return task
