"""`fencepost conform` for recordings of ZooKeeper-era clusters: what was read, and which rows it exercised."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fencepost.checkers.counting import counted
from fencepost.checkers.verdicts import Refusal, Verdict

from .conform_many import begun, by_verdict, followed, paragraph, problems, unread
from .outcome import Outcome
from .terminal import watching

if TYPE_CHECKING:
    from fencepost.checkers.conformance import ConformResult
    from fencepost.checkers.conformance.spark.cluster import Cluster
    from fencepost.checkers.conformance.zk import ZkResult
    from fencepost.model.language import Protocol


def conform_zk(
    others: Sequence[str], paths: Sequence[str], spark: Cluster | bool, sensitivity: bool, jobs: int = 1
) -> Outcome:
    """Check recordings of ZooKeeper-era clusters; raises `Refusal` where other paths are among them."""
    if others:
        raise Refusal(
            f"{others[0]}: is no recording of a ZooKeeper-era cluster, as {paths[0]} is; check metadata logs in a "
            "run of their own"
        )
    if sensitivity and spark:
        raise Refusal("--sensitivity reads one log after the other in this process; leave out --spark")
    from fencepost.checkers.conformance.zk import conform_recordings
    from fencepost.model.registry import find
    from fencepost.traces.zk_recordings import recordings_below

    protocol = find("zk").whole
    recordings = [one for path in paths for one in recordings_below(path)]
    result = followed(
        lambda follow: conform_recordings(recordings, protocol, spark=spark, jobs=jobs, follow=follow),
        "recordings",
        bool(spark),
    )
    document, shown = result.as_json(), page(result, protocol)
    if sensitivity and not result.stopped:
        from fencepost.checkers.conformance.zk.sensitivity import measured

        for log, path in zip(document["logs"], recordings, strict=True):
            if log["verdict"] == Verdict.INCONCLUSIVE.value:
                continue
            with watching(f"altering lines and writes of {path}"):
                found = measured(path, protocol)
            log["sensitivity"] = found.as_json()
            shown += ["", f"how much is seen of {path}", *found.text()]
    findings = [{"path": log.path, **one.as_json()} for log in result.logs for one in log.findings]
    return Outcome("conform", result.verdict.value, result.exit_code, document, shown, result.table_hash, findings)


def page(result: ConformResult, protocol: Protocol) -> list[str]:
    """Return the result as text of at most 100 columns: a paragraph a recording, the screen of the first violation."""
    lines: list[str] = []
    for log in begun(result):
        lines += unread(log) or _recording(log, protocol)  # type: ignore[arg-type]
    lines += by_verdict(result, "recordings")
    first = next((v for log in result.logs for v in log.violations if v.screen), None)
    if first is not None:
        lines += ["", *first.screen]
    return lines


def _recording(log: ZkResult, protocol: Protocol) -> list[str]:
    held = f"{counted(log.records, 'record')}, {counted(log.transactions, 'transaction')} of ZooKeeper"
    lines = paragraph(f"{log.path}: {log.verdict.value}: {held}", "  ")
    lines += problems(log)
    if log.findings:
        found = [one.finding for one in log.findings]
        lines += paragraph("findings: " + ", ".join(f"{name} ({found.count(name)})" for name in dict.fromkeys(found)))
    for note in log.notes:
        lines += paragraph(note)
    return [*lines, *_rows(log, protocol), *_observed(log)]


def _observed(log: ZkResult) -> list[str]:
    """Say what is legal and looks wrong."""
    found = log.observed
    told = [
        ("attempts refused, the state kept", dict(found.refused)),
        ("changes that failed", dict(found.failed)),
        ("writes that no controller's line shows", dict(found.unlined)),
        ("first states under a controller", dict(found.starts)),
    ]
    sentences = [f"{title}: {_counts(counts)}" for title, counts in told if counts]
    if found.repeated:
        sentences.append(f"lines that name a leadership as changed which was the same before: {found.repeated}")
    if found.late:
        sentences.append(f"lines of a controller that are younger than its successor's first: {found.late}")
    lines = [line for sentence in sentences for line in paragraph(sentence, "      ")]
    return lines and ["  legal, though it may look wrong:", *lines]


def _rows(log: ZkResult, protocol: Protocol) -> list[str]:
    """Say which rows a recording exercised and which it never did, by table."""
    untold = set(log.rows_untold)
    never = [row for row in log.rows_never_seen if row not in untold]
    seen = len(protocol.rows) - len(log.rows_never_seen)
    lines = [f"  rows exercised: {seen} of the {seen + len(never)} that a recording can show"]
    lines += _by_table(protocol, {row: f"{row} {count}" for row, count in log.rows.items()})
    if log.ambiguous:
        classes = {" or ".join(rows): count for rows, count in log.classes.items()}
        lines += paragraph(f"one of several: {_counts(classes)}", "      ")
    if never:
        lines.append(f"  rows never exercised: {len(never)}")
        lines += _by_table(protocol, {row: row for row in never})
    if untold:
        lines += paragraph(
            f"{len(untold)} more rows leave neither line nor znode: they lead from one call of an operation to the "
            "next, or refuse"
        )
    if log.inferred:
        lines += paragraph(f"inferred, in no line: {_counts(log.inferred)}")
    return lines


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items()) if count) or "none"


def _by_table(protocol: Protocol, rows: dict[str, str]) -> list[str]:
    """Rows in the order of the tables, a paragraph a table."""
    found = ((table.name, [rows[row.id] for row in table.rows if row.id in rows]) for table in protocol.tables)
    return [line for name, told in found if told for line in paragraph(f"{name}: {', '.join(told)}", "      ")]
