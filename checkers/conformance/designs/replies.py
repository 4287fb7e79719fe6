"""Where the tables keep what an answer says besides its error: the cells of the broker that asked, word by word."""

from __future__ import annotations

from collections.abc import Mapping

NO_ERROR = "NONE"
"""The first word of an answer without an error; only such an answer says more."""

NOTHING = "0"
"""What stands for a number that an answer does not give: words without a cell may say this and nothing else."""

ANSWERS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "kip631-v1": {"Register": ("broker_epoch", "next_lease"), "Heartbeat NONE ACTIVE": ("next_lease",)},
    "kip631-v2": {"Register": ("granted",), "Heartbeat": ("told_caught_up", "told_fenced", "told_shutdown")},
}
"""By protocol and event, or event and what the row says: the variables that have the words behind it, in order."""
