"""The findings' pages as they are installed, and what an operator does about a finding that a log shows."""

from __future__ import annotations

from pathlib import Path

import fencepost

FOLDER = Path(fencepost.__file__).resolve().parent / "spec" / "findings"

_INDEX = "do not delete the topic before every broker was restarted cleanly; restart controllers from a newer snapshot"
ACTIONS = {
    "D5": "before a log directory fails on such a broker, restart the controllers from a newer snapshot",
    "D6": _INDEX,
    "D6c": _INDEX,
    "D7": "none, unless the partition goes offline: then only an unclean election helps",
    "D11": "restart the broker, so that its partitions get leaders that may be in sync",
    "D12": "stop the broker: its disks have failed, and its replicas still count as online",
    "D14": "cancel a reassignment first, then reassign again",
    "D15": "before the removed replica is added again, set min.insync.replicas of the topic once, or records are lost",
    "D20": "none: the next controller writes the bootstrap again",
    "D23": "none",
    "D24": "do not set the cluster's min.insync.replicas again to the value that it has",
    "D26": "none, if the leader is alive: its next proposal puts it back into the ISR",
    "D30": "count the partitions before asking for more of them again",
    "D31": "set unclean.leader.election.enable for topics or the cluster, and for no single node",
    "D33": "before min.insync.replicas is set, bring back the brokers of every partition without a leader",
    "K7": "register that controller once with the new software, or unregister it",
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
