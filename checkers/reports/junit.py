"""JUnit's XML: a suite a stage, a case for each thing that was asked; what is undecided is an error."""

from __future__ import annotations

import re

from junitparser import Error, Failure, JUnitXml, TestCase, TestSuite

from fencepost.checkers.plain import plain

from .cases import Case, Report

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML document may have."""


def junit(report: Report) -> bytes:
    """Return a report as JUnit's XML."""
    whole = JUnitXml(f"fencepost {report.command}")
    for (protocol, stage), (_, seconds) in report.stages.items():
        suite = TestSuite(_clean(f"{protocol}: {stage}" if stage else protocol))
        for case in report.of_stage(protocol, stage):
            suite.add_testcase(_case(case))
        suite.update_statistics()
        # The cases' seconds are those of the solver alone, where they are known at all.
        suite.time = seconds
        whole.append(suite)
    whole.tests, whole.failures, whole.errors, whole.skipped = (
        len(report.cases), report.count("failed"), report.count("inconclusive"), 0
    )  # fmt: skip
    whole.time = report.seconds
    found = whole.tostring()
    assert isinstance(found, bytes)
    return b'<?xml version="1.0" encoding="UTF-8"?>\n' + found + b"\n"


def _case(case: Case) -> TestCase:
    made = TestCase(_clean(case.name), _clean(f"{case.protocol}.{case.stage}" if case.stage else case.protocol))
    made.time = case.seconds
    if not case.problems:
        return made
    worst = next((one for one in case.problems if not one.is_open), case.problems[0])
    kind = Error if case.outcome == "inconclusive" else Failure
    result = kind(_clean(worst.message), worst.rule)
    result.text = _clean("\n\n".join("\n".join(one.text()) for one in case.problems))
    made.result = [result]
    return made


def _clean(text: str) -> str:
    """Text without what XML cannot have."""
    return _NO_XML.sub("�", plain(text))
