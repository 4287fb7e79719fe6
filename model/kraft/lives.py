"""Life cycles of KRaft: a broker as the metadata has it."""

from __future__ import annotations

from fencepost.model.language.lives import Life

from .state import b, fenced, ics, registered, shutdown_offset, soft_fenced

LIVES = (
    Life(
        "a broker, as the metadata has it",
        "The states of Kafka's BrokerControlState, from the registration: fenced, and in controlled shutdown.",
        b,
        {"not registered": ~registered[b], "FENCED": fenced[b], "UNFENCED": ~ics[b], "CONTROLLED_SHUTDOWN": ics[b]},
        "not registered",
        also=(soft_fenced[b], shutdown_offset[b]),
    ),
)
"""The life cycles of KRaft; their transitions are derived from the rows."""
