"""`fencepost conform` for event traces of designs: KIP-343, KIP-46 and KIP-631 as references run them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fencepost.checkers.counting import counted
from fencepost.checkers.verdicts import Refusal
from fencepost.traces.errors import TraceError

from .conform_many import begun, by_verdict, followed, paragraph, problems, unread
from .outcome import Outcome

if TYPE_CHECKING:
    from fencepost.checkers.conformance import ConformResult
    from fencepost.checkers.conformance.designs.conform import DesignResult
    from fencepost.checkers.conformance.spark.cluster import Cluster
    from fencepost.model.language import Protocol


def design_traces(paths: Sequence[str]) -> dict[str, list[str]]:
    """Return those of some paths that are traces of designs, or directories with some, each with its traces.

    Beside traces a file that should be NDJSON and cannot be read is one too: nothing says that it is anything else.
    """
    from fencepost.traces.storage import is_uri, kind_of

    files: dict[str, list[Path]] = {}
    for path in paths:
        try:
            kind = kind_of(path)
        except TraceError:
            continue
        if kind == "directory" and not is_uri(path):
            files[path] = sorted(Path(path).glob("*.ndjson*"))
        elif kind == "file" and not is_uri(path):
            files[path] = [Path(path)]
    if not any(files.values()):
        return {}
    from fencepost.traces.design_steps import is_design_trace

    found = {path: [one for one in below if is_design_trace(one)] for path, below in files.items()}
    if not any(found.values()):
        return {}
    for path, below in files.items():
        found[path] = [one for one in below if one in found[path] or _is_damaged(one)]
    return {path: [str(one) for one in traces] for path, traces in found.items() if traces}


def _is_damaged(file: Path) -> bool:
    """Whether a file has a name of NDJSON, and its first line cannot be read."""
    from fencepost.traces.event_files import lines_of

    if ".ndjson" not in file.name:
        return False
    try:
        next(lines_of(file), None)
    except TraceError:
        return True
    return False


def conform_designs(
    others: Sequence[str],
    paths: Sequence[str],
    spark: Cluster | bool,
    sensitivity: bool,
    jobs: int = 1,
    own: Protocol | None = None,
) -> Outcome:
    """Check event traces of designs, with the tables of `own` if given; raises `Refusal` for other paths among them."""
    if others:
        raise Refusal(
            f"{others[0]}: is no event trace of a design, as {paths[0]} is; check metadata logs in a run of their own"
        )
    if sensitivity:
        raise Refusal("--sensitivity: a trace of a design has every cell, nothing in it is unobserved; leave it out")
    from fencepost.checkers.conformance.designs import conform_traces

    result = followed(
        lambda follow: conform_traces(paths, own=own, spark=spark, jobs=jobs, follow=follow), "traces", bool(spark)
    )
    findings = [{"path": log.path, **one.as_json()} for log in result.logs for one in log.findings]
    return Outcome(
        "conform", result.verdict.value, result.exit_code, result.as_json(), page(result), result.table_hash, findings
    )


def page(result: ConformResult) -> list[str]:
    """Return the result as text of at most 100 columns: a paragraph a trace."""
    lines: list[str] = []
    for log in begun(result):
        lines += unread(log) or _trace(log)  # type: ignore[arg-type]
    lines += by_verdict(result, "traces")
    return lines


def _trace(log: DesignResult) -> list[str]:
    lines = paragraph(f"{log.path}: {log.verdict.value}: {counted(log.records, 'step')} of {log.protocol}", "  ")
    lines += problems(log, entities=False)  # a message has the node already
    for finding in log.findings:
        count = log.declared[finding.by]
        times = "once" if count == 1 else f"{count} times"
        lines += paragraph(f"declared violation {finding.finding} ({times}): {finding.message}")
    for note in log.notes:
        lines += paragraph(note)
    lines += paragraph(
        "rows exercised: " + (", ".join(f"{row} {count}" for row, count in sorted(log.rows.items())) or "none")
    )
    if log.rows_never_seen:
        lines += paragraph(f"rows never exercised: {', '.join(log.rows_never_seen)}")
    if log.idle:
        told = ", ".join(f"{name} {count}" for name, count in sorted(log.idle.items()))
        lines += paragraph(f"steps that change nothing, and no row applies: {told}")
    return [*lines, *paragraph(f"changes compared: {sum(log.cells.values())} of {len(log.cells)} variables")]
