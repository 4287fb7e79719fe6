"""Names of variables of KIP-343 that a printed run leaves out: messages, beliefs of processes, and ghosts that only properties read."""

from __future__ import annotations

HIDDEN: tuple[str, ...] = (
    "czxid", "believes", "metadata", "other", "asked", "asked_incarnation", "asked_target", "answered", "answer_error",
    "answer_state", "unanswered", "of_former", "heard", "timed_out", "accepted", "leader_in",
)  # fmt: skip
"""Names of state variables."""
