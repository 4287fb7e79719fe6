"""Properties that bounds of KIP-46 cannot test, with the reason."""

from __future__ import annotations

from fencepost.model.language import NotFor, not_for

NOT_FOR: tuple[NotFor, ...] = (
    not_for("the controller does not fail", "SI2 SI2c M8 SI13 SI14", "steady targets two-failures manual losing"),
    not_for(
        "healing is switched on", "SI8",
        "small queue submitted chunks chunks-of-four two-gone steady targets two-failures manual losing",
    ),
    not_for("no broker comes back", "SI12 SI1b", "chunks chunks-of-four two-gone"),
)  # fmt: skip
