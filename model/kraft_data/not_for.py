"""Properties that bounds of `kraft-data` cannot test, with the reason."""

from __future__ import annotations

from fencepost.model.language import NotFor, not_for

NOT_FOR: tuple[NotFor, ...] = (
    not_for("there is one leader epoch", "ElectedHadAcknowledged ToldEndDoesNotGoBack W1 W2 W12", "deep"),
    not_for(
        "a log that is truncated has nothing to keep",
        "TruncationKeepsShared",
        "tiny members minimum restarts unclean configurations one pair deep marked configured",
    ),
    not_for("no broker follows", "TruncationKeepsRead", "alone"),
    not_for("there is no broker to be proposed", "DP10", "one configured"),
    not_for("no broker leaves an ISR that is too small", "DP4", "deep"),
    not_for("no election is unclean", "DP3", "one pair deep configured"),
    not_for(
        "no election is unclean", "W3", "tiny members records minimum restarts configurations one pair deep configured"
    ),
)  # fmt: skip
