"""Markdown for people: a table of the stages, then each problem with the run that shows it."""

from __future__ import annotations

import re

from fencepost.checkers.plain import one_line

from .cases import Case, Report, encodable

_MARKUP = re.compile(r"[|`\[\]]")
_SIGN = {"passed": "✓", "failed": "✗", "inconclusive": "?"}


def markdown(report: Report) -> str:
    """Return a report as a page of Markdown."""
    counts = ", ".join(f"{report.count(one)} {one}" for one in ("passed", "failed", "inconclusive"))
    lines = [
        f"## fencepost {report.command}: {report.verdict}",
        "",
        f"Exit code {int(report.code)}; {len(report.cases)} cases: {counts}; {report.seconds:.0f} s.",
        "",
    ]
    if report.stages:
        lines += ["|  | protocol | step | verdict | cases | seconds |", "| --- | --- | --- | --- | --- | --- |"]
    for (protocol, stage), (verdict, seconds) in report.stages.items():
        cases = report.of_stage(protocol, stage)
        outcomes = {case.outcome for case in cases}
        sign = next(_SIGN[one] for one in ("failed", "inconclusive", "passed") if one in outcomes)
        lines.append(f"| {sign} | {_cell(protocol)} | {_cell(stage)} | {verdict} | {len(cases)} | {seconds:.1f} |")
    lines += [f"\n{note}" for note in report.notes]
    for case in report.cases:
        if case.problems:
            lines += _problems(case)
    return encodable("\n".join(lines).rstrip() + "\n")


def _problems(case: Case) -> list[str]:
    """Return the problems of a case, each in a block of its own."""
    lines = ["", f"### {_SIGN[case.outcome]} {_cell(case.protocol)}: {_cell(case.name)}"]
    for one in case.problems:
        text = "\n".join(one.text())
        fence = "```"
        while fence in text:
            fence += "`"
        lines += ["", f"{fence}text", text, fence]
    return lines


def _cell(text: str) -> str:
    """Text in a cell of a table, or in a heading: one line, in which nothing is markup."""
    return _MARKUP.sub(r"\\\g<0>", one_line(text)).replace("<", "&lt;")
