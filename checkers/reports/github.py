"""GitHub's workflow commands: a problem as an annotation at its file and line."""

from __future__ import annotations

import os
from collections.abc import Mapping

from .cases import Case, Problem, Report, encodable


def workflow_commands(report: Report, environment: Mapping[str, str] = os.environ) -> list[str]:
    """Return the workflow commands of a report, one a problem: errors, and warnings where nothing was decided."""
    root = environment.get("GITHUB_WORKSPACE", "")
    return [_annotation(case, one, root) for case in report.cases for one in case.problems]


def _annotation(case: Case, problem: Problem, root: str) -> str:
    given = {"title": f"{case.protocol}: {case.name}"}
    if problem.spot is not None:
        given = {"file": _below(problem.spot.file, root), **given}
        if problem.spot.line is not None:
            given["line"] = str(problem.spot.line)
    told = ",".join(f"{name}={_property(value)}" for name, value in given.items())
    word = "warning" if problem.is_open else "error"
    return f"::{word} {told}::{_data(chr(10).join(problem.text()))}"


def _below(file: str, root: str) -> str:
    """A file as an annotation names it: from the workspace, where it lies in there."""
    whole = os.path.abspath(file)
    if root and os.path.commonpath((os.path.abspath(root), whole)) == os.path.abspath(root):
        return os.path.relpath(whole, root)
    return file


def _data(text: str) -> str:
    """Text as a command's message: one line."""
    return encodable(text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))


def _property(text: str) -> str:
    """Text as the value of a command's property."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
