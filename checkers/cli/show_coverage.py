"""`fencepost show LOG --coverage`: the rows that a log exercised, how often, and those that it never did."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from fencepost.checkers.counting import counted, noun
from fencepost.checkers.plain import plain
from fencepost.checkers.unexplained import UNEXPLAINED
from fencepost.checkers.verdicts import ExitCode

from .outcome import Outcome
from .reports import write_file
from .terminal import watching

if TYPE_CHECKING:
    from fencepost.checkers.conformance.explain.coverage import Coverage, RowCoverage, Seen
    from fencepost.checkers.conformance.records.static_settings import StaticSettings
    from fencepost.traces.forks import Fork


def show_coverage(
    path: str, svg: Path | None, static: StaticSettings | None = None, fork: Fork | None = None
) -> Outcome:
    """Return the rows that the one log at a path exercised, and draw them into a file where one is given.

    Raises `TraceError` where there is no log or more than one, `Refusal` for a file that cannot be written.
    """
    from fencepost.checkers.conformance.explain.coverage import coverage
    from fencepost.checkers.conformance.records.forks import fork_in
    from fencepost.checkers.operations.past import monitor
    from fencepost.traces import find_log, read_log

    log = read_log(find_log(path))
    reader = monitor(static=static, fork=fork, own=fork_in(log, fork))
    with watching(f"reading {path}"):
        found = coverage(reader, log)
    fields = {**found.as_json(), "svg": None if svg is None else str(svg)}
    page = _page(found)
    if svg is not None:
        from .coverage_picture import picture

        write_file("--svg", svg, plain(picture(found)))
        page += ["", f"drawn into {svg}"]
    findings = [{"path": found.judged.path, **one.as_json()} for one in found.judged.findings]
    return Outcome("show", "shown", ExitCode.AS_DECLARED, fields, page, reader.protocol.hash, findings)


def _page(found: Coverage) -> list[str]:
    result = found.judged
    lines = [
        f"{result.path} ({result.verdict.value}): {result.records} {noun(result.records, 'record')}, {found.results} "
        f"{noun(found.results, 'result')} explained",
        f"  {found.certain} {noun(found.certain, 'record')} in results of one row, {found.ambiguous} in results "
        f"that several rows may have written, {found.unexplained} {UNEXPLAINED}, {found.passed_through} passed through",
        f"  {counted(len(found.rows), 'row')}: {found.count('certain')} shown for certain, {found.count('ambiguous')} "
        f"only as one of several, {found.count('never')} never, {found.count('silent')} write no record and are in no "
        "log",
    ]
    kinds: tuple[tuple[Seen, str], ...] = (
        ("certain", "for certain"),
        ("ambiguous", "one of several"),
        ("never", "never"),
        ("silent", "write nothing"),
    )
    for table in found.tables:
        possible = len(table.rows) - table.count("silent")
        shown = table.count("certain") + table.count("ambiguous")
        told = f"{shown} of {possible} rows shown" if possible else "no row writes a record"
        lines += ["", f"{table.table.upper()}: {told}"]
        for seen, label in kinds:
            rows = [row for row in table.rows if row.seen == seen]
            if rows:
                lines.append(f"  {label + ':':<16}{', '.join(_counted(row) for row in rows)}")
    return lines


def _counted(row: RowCoverage) -> str:
    if row.seen == "certain":
        return f"{row.row} {row.certain}" + (f" (and {row.ambiguous} ambiguous)" if row.ambiguous else "")
    return f"{row.row} {row.ambiguous}" if row.seen == "ambiguous" else row.row
