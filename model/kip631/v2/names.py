"""Names of variables that no process has: answers in flight, history, and the logs of topics."""

from __future__ import annotations

HIDDEN = (
    "granted", "told", "told_caught_up", "told_fenced", "told_shutdown", "leader_at", "epoch_at", "leader_in", "created_at",
    "removed_at", "logs",
    # of failovers that lose what is not committed
    "replaced", "epoch_known", "told_at", "past_registered", "past_incarnation", "past_broker_epoch", "past_fenced",
    "past_replicas", "past_isr", "past_adding", "past_removing", "past_created_at", "past_removed_at",
)  # fmt: skip
"""Cells that a recorded run does not tell."""
