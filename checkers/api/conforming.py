"""Whether logs conform to the tables, wherever they are named: by paths, or in a DataFrame."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Protocol, overload

from fencepost.checkers.conformance.conform import conform as conform_paths
from fencepost.checkers.conformance.results.results import ConformResult
from fencepost.checkers.verdicts import Refusal
from fencepost.model import language

from .given import Log, fork_given, settings_of

if TYPE_CHECKING:
    from fencepost.checkers.conformance.spark.job import SparkResult


class Frame(Protocol):
    """A DataFrame of pandas with a column `path`."""

    columns: Any

    def __getitem__(self, name: str) -> Any:
        """Return a column."""


class SparkFrame(Protocol):
    """A DataFrame of Spark."""

    sparkSession: Any


@overload
def conform(
    logs: Log | Iterable[Log] | Frame, protocol: language.Protocol | None = None, **how: Any
) -> ConformResult: ...


@overload
def conform(logs: SparkFrame, protocol: language.Protocol | None = None, **how: Any) -> SparkResult: ...


def conform(
    logs: Log | Iterable[Log] | Frame | SparkFrame, protocol: language.Protocol | None = None, **how: Any
) -> ConformResult | SparkResult:
    """Check logs against the tables: a path, several, or a DataFrame of either kind with a column `path`.

    Each leader's term is checked by the release that was in force where no protocol is given. A DataFrame of Spark is
    checked by `fencepost.spark.conform`, and its tables of results are returned; everything else in this process. `how`
    are the further arguments of either: `static`, `high_watermark`, `fork`, `jobs`.
    Raises `TraceError` for paths without a log, and for one log alone that cannot be read, and `Refusal` for a
    DataFrame without the column.
    """
    if hasattr(logs, "sparkSession"):
        from fencepost.checkers.conformance.spark.api import conform as on_spark

        return on_spark(logs, protocol, **how)
    paths: Any = logs
    if isinstance(logs, (str, os.PathLike)):
        paths = [logs]
    elif hasattr(logs, "columns"):
        if "path" not in logs.columns:
            raise Refusal("the DataFrame has no column path; give the paths of logs in a column of this name")
        paths = list(paths["path"])
    how["static"], how["fork"] = settings_of(how.get("static")), fork_given(how.get("fork"))
    how.setdefault("ask_others", True)
    return conform_paths(paths, protocol, stored=True, **how)


__all__ = ["conform"]
