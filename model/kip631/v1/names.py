"""Names of variables that a printed run leaves out: messages, metadata as brokers applied it, ghosts."""

from __future__ import annotations

HIDDEN: tuple[str, ...] = (
    "registered_at", "fenced_at", "led_at", "leads", "seen_epoch", "started", "asked", "answered", "answered_epoch", "phase",
    "sender", "asker", "says_epoch", "says_current", "says_target", "says_offset", "sent_at", "says_next", "says_lease",
    "supported", "told_active", "leader_in",
    # of failovers that lose what is not committed
    "replaced", "epoch_known", "past_registered", "past_incarnation", "past_broker_epoch", "past_fenced",
    "past_registered_at", "past_fenced_at", "past_answered", "past_answered_epoch", "past_isr", "past_leader",
    "past_leader_epoch", "past_led_at",
)  # fmt: skip
"""The names of those variables; a trace prints all others."""
