"""Where the tables keep what an answer says besides its error: the cells of the broker that asked, word by word."""

from __future__ import annotations

from collections.abc import Mapping

NO_ERROR = "NONE"
"""The first word of an answer without an error; only such an answer says more."""

ANSWERS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "kip343": {"Heartbeat": ("state",)},
    "kip631-v2": {"Register": ("granted",), "Heartbeat": ("told_caught_up", "told_fenced", "told_shutdown")},
}
"""By protocol and event, the variables that have the words behind `NONE` after the row was run, in their order."""
