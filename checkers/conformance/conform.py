"""Recorded logs held against the tables: every log below the paths, under one release or several."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from fencepost.checkers.verdicts import Verdict
from fencepost.model.language import Protocol
from fencepost.traces import LogSource, MetadataLog, find_logs, read_log

from .monitor import Monitor, Options
from .passed import PASSED_THROUGH
from .results import ConformResult, LogResult
from .zk.judge import conform_recordings, recordings_below


def conform(
    paths: Iterable[str | os.PathLike[str]],
    protocol: Protocol | Sequence[Protocol],
    *,
    high_watermark: int | None = None,
    spark: bool = False,
    given: Mapping[str, Any] | None = None,
    passed_through: frozenset[str] = PASSED_THROUGH,
) -> ConformResult:
    """Judge every log below the paths.

    With several protocols (releases, the newest first) a log conforms if one of them explains it, `releases` names all
    that do, and what is reported is the first that does, or the one with the fewest violations; `refused` has the first
    violation under each of the others. `given` are values of
    variables that no log shows, by name; `high_watermark` is the offset below which the logs are known to be committed.
    With `spark` each log is one task of a Spark job. Where every path is a ZooKeeper-era recording, those are judged,
    under the first protocol. Raises `TraceError` for paths without a log, `TableError` where a
    protocol's records do not fit the wire, `Refusal` where Spark is asked for and cannot run.
    """
    started = time.monotonic()
    protocols = [protocol] if isinstance(protocol, Protocol) else list(protocol)
    options = Options(passed_through, dict(given or {}), high_watermark)
    listed = [os.fspath(path) for path in paths]
    recordings = [recordings_below(path) for path in listed]
    if recordings and all(recordings):
        return conform_recordings([one for found in recordings for one in found], protocols[0], spark=spark)
    sources = find_logs(listed)
    if spark:
        from .spark import judge_all

        logs = judge_all(sources, protocols, options)
    else:
        judge = Judge(protocols, options)
        logs = tuple(judge.source(source) for source in sources)
    scope: dict[str, Any] = {
        "protocols": [one.name for one in protocols],
        "given": {name: str(value) for name, value in options.given.items()},
        "high_watermark": high_watermark,
        "passed_through": sorted(passed_through),
    }
    return ConformResult(logs, time.monotonic() - started, protocols[0].hash, scope)


class Judge:
    """One or more protocols made ready to judge any number of logs."""

    def __init__(self, protocols: Sequence[Protocol], options: Options) -> None:
        self.monitors = [Monitor(one, options) for one in protocols]

    def source(self, source: LogSource) -> LogResult:
        """Read a log and judge it."""
        return self.log(read_log(source))

    def log(self, log: MetadataLog) -> LogResult:
        """Judge a log under every protocol, and return the result under the one that fits best."""
        order = (Verdict.CONFORMS, Verdict.UNDECIDED, Verdict.VIOLATES)
        results: list[LogResult] = []
        best: LogResult | None = None
        for monitor in self.monitors:
            # What has more violations than the best so far is not reported, so the rest of it need not be known.
            result = monitor.judge(log, bear=None if best is None else len(best.violations))
            results.append(result)
            best = min((best or result, result), key=lambda one: (order.index(one.verdict), len(one.violations)))
        assert best is not None
        fitting = tuple(result.protocol for result in results if result.verdict is Verdict.CONFORMS)
        refused = {result.protocol: result.violations[0] for result in results if result.violations}
        return replace(best, releases=fitting, refused=refused if len(results) > 1 else {})
