"""Properties that bounds of `zk-data` cannot test, with the reason."""

from __future__ import annotations

from fencepost.model.language import NotFor, not_for

NOT_FOR: tuple[NotFor, ...] = (
    not_for("it takes two records", "W7", "quiet"),
    not_for("no broker stops", "W8", "quiet logs"),
    not_for("no leader writes the ISR", "W4 W5 W11", "logs back"),
    not_for("nothing is appended", "W6 W7 W9", "back"),
)
