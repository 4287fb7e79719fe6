"""Life cycles of KIP-343: a broker as the controller sees it, and as its own process does."""

from __future__ import annotations

from fencepost.model.language.lives import Life

from .state import BrokerState, b, fenced, running, state

LIVES = (
    Life(
        "a broker, as the controller sees it",
        "The states of S0:70-73. Initial is not among them: it is the state in which a broker asks, and the controller never "
        "keeps it.",
        b,
        {one.value: state[b].is_(one) for one in BrokerState},
        "Inactive",
        apart=("HF1",),
    ),
    Life(
        "a broker's own process",
        "Whether it takes new requests (S0:44): it fences itself when its own timer is over, whatever the controller thinks.",
        b,
        {"not running": ~running[b], "fenced": fenced[b], "serving": ~fenced[b]},
        "not running",
        apart=("HF1",),
    ),
)
"""The life cycles of KIP-343; their transitions are derived from the rows."""
