"""Life cycles of KIP-631's second version: a broker as the metadata has it, and as its own process does."""

from __future__ import annotations

from fencepost.model.language.lives import Life

from .state import BrokerState, b, broker_state, fenced, registered, shutting_down

LIVES = (
    Life(
        "a broker, as the metadata has it",
        "Registered and fenced are what records say; a broker that wants to shut down is known to the active controller only.",
        b,
        {
            "not registered": ~registered[b],
            "fenced": fenced[b],
            "active": ~shutting_down[b],
            "active, shutting down": shutting_down[b],
        },
        "not registered",
    ),
    Life(
        "a broker's own process",
        "The states of S2:66-79. No arrow leads back from RUNNING to a fenced state: a broker that is fenced serves on.",
        b,
        {one.value: broker_state[b].is_(one) for one in BrokerState},
        "NOT_RUNNING",
    ),
)
"""The life cycles of version 2; their transitions are derived from the rows."""
