"""What the bounds of KIP-343 are not for: properties that nothing puts to the test there, with the reason."""

from __future__ import annotations

from fencepost.model.language import NotFor, not_for

NOT_FOR: tuple[NotFor, ...] = (
    not_for("no broker is a legacy one", "HI6", "tiny small incarnations"),
    not_for("time stands still, and no timer ends", "HI3", "incarnations"),
    not_for("the controller does not fail", "M7w", "roll"),
)  # fmt: skip
