"""The stage that checks recordings on Spark, and its comparison with the stage that checks them in one process."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from fencepost.checkers.messages import without_messages
from fencepost.checkers.verdicts import ExitCode, Refusal, worst

from .stages import Stage, timed

NAME = "spark"
"""The name of the stage."""

LONG = frozenset({"fake-chaos-elr"})
"""Recordings that the stage leaves out: checking them takes longer than checking all others together."""

SPLIT = 128 << 10
"""A log of more bytes is checked by several tasks, so that both ways are taken."""


def on_spark(protocol: str, paths: Sequence[str], cores: int) -> Stage:
    """Check every log below the paths on Spark, on so many cores of this machine, whatever master is set elsewhere."""
    return timed(NAME, lambda: _on_spark(protocol, paths, cores))


def _on_spark(name: str, paths: Sequence[str], cores: int) -> Stage:
    from fencepost.checkers.conformance.results.results import ConformResult, LogResult
    from fencepost.checkers.conformance.spark.api import conform
    from fencepost.checkers.conformance.spark.cluster import Cluster, opened
    from fencepost.checkers.conformance.spark.tables import results_of, rows_in
    from fencepost.checkers.named import family

    master, protocol = f"local[{cores}]", family(name).whole
    try:
        with without_messages(), opened(Cluster(master=master)) as session:
            tables = conform(paths, protocol, session, ask_others=False, split_bytes=SPLIT)
            how = {row.path: row for row in tables.logs.select("path", "parts", "worker").collect()}
            found = results_of(rows_in(tables.answers.toArrow()), LogResult)
            tables.release()
    except Refusal as refusal:
        raise Refusal(f"{refusal} (--no-spark leaves this out)", refusal.code) from refusal
    logs = tuple(found[number] for number in sorted(found))
    fields = {
        "master": master,
        "workers": len({row.worker for row in how.values()}),
        "logs": [
            {
                "path": log.path,
                "verdict": log.verdict.value,
                "records": log.records,
                "parts": how[log.path].parts,
                "document": digest(log.as_json()),
            }
            for log in logs
        ],
    }
    cut = [log for log in logs if how[log.path].parts is not None]
    line = f"{len(logs)} logs on Spark, {sum(log.records for log in logs):,} records"
    line += "".join(f", {Path(log.path).name} in {how[log.path].parts} parts" for log in cut)
    result = ConformResult(logs, 0.0, (protocol,), {})
    return Stage(NAME, result.verdict.value, result.exit_code, (line,), fields)


def beside(spark: Stage, alone: Stage) -> Stage:
    """Return the stage on Spark with what a comparison to the stage of the single process adds: a log of which both do
    not say the same, to the byte, is a disagreement."""
    said = {log["path"]: digest(log) for log in alone.fields.get("logs", ())}
    logs = [log for log in spark.fields.get("logs", ()) if log["path"] in said]
    if not logs:
        return spark
    differ = [log["path"] for log in logs if log["document"] != said[log["path"]]]
    fields = {**spark.fields, "compared": len(logs), "differ": differ}
    if not differ:
        first = f"{spark.lines[0]}; each as in one process"
        return replace(spark, lines=(first, *spark.lines[1:]), fields=fields)
    names = ", ".join(Path(path).name for path in differ)
    told = f"{len(differ)} of {len(logs)} say something else in one process: {names}"
    return replace(
        spark,
        verdict="engines disagree",
        code=worst([spark.code, ExitCode.DISAGREEMENT]),
        lines=(*spark.lines, told),
        fields=fields,
    )


def digest(log: Mapping[str, Any]) -> str:
    """Return a digest of all results for a log, which may be long."""
    return hashlib.sha256(json.dumps(log, sort_keys=True).encode()).hexdigest()
