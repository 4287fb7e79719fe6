"""What the bounds of KIP-46 are not for: properties that nothing puts to the test there, with the reason."""

from __future__ import annotations

from fencepost.model.language import NotFor, not_for

NOT_FOR: tuple[NotFor, ...] = (
    not_for("the controller does not fail", "SI2 M8", "steady targets manual losing"),
)  # fmt: skip
