"""SARIF 2.1.0: a result for each problem at the row's line, the replayed run as its code flow."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from fencepost.checkers.verdicts import ExitCode

from .cases import RULES, Case, Moment, Problem, Report, Spot, encodable

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
"""The schema that the document names."""
ROOT = "%SRCROOT%"
"""The base of relative paths: the folder in which the command ran, which is a checkout's own in a workflow."""


def sarif(report: Report) -> dict[str, Any]:
    """Return a report as a SARIF document."""
    rules = list(RULES)
    problems = [(case, one) for case in report.cases for one in case.problems]
    # GitHub refuses a document with a result that is at no place in a file.
    results = [_result(case, one, one.spot, rules) for case, one in problems if one.spot is not None]
    placeless = [_notification(case, one) for case, one in problems if one.spot is None]
    succeeded = report.code not in (ExitCode.USAGE, ExitCode.INTERNAL, ExitCode.STOPPED)
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "fencepost",
                        "version": report.version,
                        "rules": [{"id": id, "shortDescription": {"text": text}} for id, text in RULES.items()],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "invocations": [
                    {
                        "executionSuccessful": succeeded,
                        "exitCode": int(report.code),
                        **({"toolExecutionNotifications": placeless} if placeless else {}),
                    }
                ],
                "results": results,
            }
        ],
    }


def sarif_text(report: Report) -> str:
    """Return a report as the text of a SARIF document."""
    return encodable(json.dumps(sarif(report), ensure_ascii=False, indent=1) + "\n")


def _text(case: Case, problem: Problem) -> str:
    return "\n".join((f"{case.protocol}: {problem.message}", *problem.lines))


def _level(problem: Problem) -> str:
    """An error where it was shown, a warning where nothing was decided."""
    return "warning" if problem.is_open else "error"


def _notification(case: Case, problem: Problem) -> dict[str, Any]:
    """A problem that is about no file, as a notification of the run."""
    said = f"{_text(case, problem)}\nThis is no result, since it is at no place in a file."
    return {"level": _level(problem), "message": {"text": said}, "associatedRule": {"id": problem.rule}}


def _result(case: Case, problem: Problem, spot: Spot, rules: list[str]) -> dict[str, Any]:
    """A problem as a result at a place; a step of its run that is at none is at that of the problem."""
    key = "\n".join((case.protocol, case.stage, case.name, problem.rule, problem.subject))
    found: dict[str, Any] = {
        "ruleId": problem.rule,
        "ruleIndex": rules.index(problem.rule),
        "level": _level(problem),
        "message": {"text": _text(case, problem)},
        "partialFingerprints": {"fencepost/v1": hashlib.sha256(key.encode()).hexdigest()},
    }
    logical = {"name": problem.subject or case.name, "fullyQualifiedName": f"{case.protocol}: {case.name}"}
    found["locations"] = [{"logicalLocations": [logical], "physicalLocation": _physical(spot)}]
    if problem.about is not None and problem.about != spot:
        about = {"text": f"{case.name} is claimed here"}
        found["relatedLocations"] = [{"physicalLocation": _physical(problem.about), "message": about}]
    if problem.run:
        steps = [_step(number, one, spot) for number, one in enumerate(problem.run)]
        found["codeFlows"] = [{"message": {"text": problem.message}, "threadFlows": [{"locations": steps}]}]
    return found


def _step(number: int, moment: Moment, spot: Spot) -> dict[str, Any]:
    """A step of a run, with the state after it."""
    location = {
        "message": {"text": moment.text},
        "logicalLocations": [{"name": moment.row}],
        "physicalLocation": _physical(moment.spot or spot),
    }
    state: Mapping[str, Any] = {name: {"text": value} for name, value in moment.state.items()}
    return {"location": location, "executionOrder": number, **({"state": state} if state else {})}


def _physical(spot: Spot) -> dict[str, Any]:
    """A place as SARIF has it: below the root where it is below the current folder."""
    path = Path(spot.file)
    if path.is_absolute():
        artifact = {"uri": path.as_uri()}
    else:
        artifact = {"uri": quote(path.as_posix()), "uriBaseId": ROOT}
    found: dict[str, Any] = {"artifactLocation": artifact}
    if spot.line is not None:
        found["region"] = {"startLine": max(spot.line, 1)}
    elif spot.byte is not None:
        found["region"] = {"byteOffset": spot.byte}
    return found
