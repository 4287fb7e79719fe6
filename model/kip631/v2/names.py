"""What the tables keep beyond what a process could tell: answers on their way, history, and the logs of topics."""

from __future__ import annotations

HIDDEN = (
    "granted", "told", "told_caught_up", "told_fenced", "told_shutdown", "leader_at", "epoch_at", "leader_in", "created_at",
    "removed_at", "logs",
)  # fmt: skip
"""Cells that a recorded run does not tell."""
