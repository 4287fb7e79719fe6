"""The findings' pages as they are installed, and what an operator does about a finding that a log shows."""

from __future__ import annotations

from pathlib import Path

import fencepost

FOLDER = Path(fencepost.__file__).resolve().parent / "spec" / "findings"

ACTIONS = {
    "D5": "before a log directory fails on such a broker, restart the controllers from a newer snapshot",
    "D7": "none, unless the partition goes offline: then only an unclean election helps",
    "D14": "cancel a reassignment first, then reassign again",
    "D15": "none, unless the partition goes offline: then only an unclean election helps",
    "D23": "none",
    "D31": "set unclean.leader.election.enable for topics or the cluster, and for no single node",
}
"""What to do about a finding, by its id; of any other the page tells."""


def action(finding: str) -> str:
    """Return what an operator does about a finding: `none` where nothing is to be done."""
    found = ACTIONS.get(finding)
    if found is not None:
        return found
    return f"read fencepost show {finding}" if page(finding) else "none is known"


def page(finding: str) -> str:
    """Return the text of a finding's page, empty where there is none."""
    file = FOLDER / f"{finding}.md"
    return file.read_text(encoding="utf-8") if finding.isalnum() and file.is_file() else ""
