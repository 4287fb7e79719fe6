"""The findings' pages as they are installed, and what an operator does about a finding that a log shows."""

from __future__ import annotations

from pathlib import Path

import fencepost

FOLDER = Path(fencepost.__file__).resolve().parent / "spec" / "findings"


def action(finding: str) -> str:
    """Return what an operator does about a finding: `none` where nothing is to be done."""
    # The tables are read only where a finding is printed.
    from fencepost.model.findings.advice import ACTIONS

    found = ACTIONS.get(finding)
    if found is not None:
        return found
    return f"read fencepost show {finding}" if page(finding) else "none is known"


def page(finding: str) -> str:
    """Return the text of a finding's page, empty where there is none."""
    file = FOLDER / f"{finding}.md"
    return file.read_text(encoding="utf-8") if finding.isalnum() and file.is_file() else ""
