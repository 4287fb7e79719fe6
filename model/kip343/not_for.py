"""Properties that bounds of KIP-343 cannot test, with the reason."""

from __future__ import annotations

from fencepost.model.language import NotFor, not_for

NOT_FOR: tuple[NotFor, ...] = (
    not_for("no broker is a legacy one", "HI6", "tiny lossy small incarnations"),
    not_for("time does not pass, and no timer ends", "HI3", "incarnations"),
    not_for("the controller does not fail", "M7w", "roll"),
    not_for("no broker fences itself while it runs", "HI22", "incarnations failover roll"),
    not_for("no timer of a broker ends", "HI23", "incarnations failover roll"),
    not_for("no heartbeat is refused", "HI12", "leaders failover roll legacy"),
    not_for("no controller takes over from another", "HI19", "leaders roll"),
    not_for("every broker keeps handling traffic", "HI17 HI18", "failover"),
    not_for("no controller fails, and the one in office took it with the cluster's formation", "HI37", "leaders roll"),
    not_for("processes and their znodes stay as they are", "HI38", "leaders failover"),
    not_for("no broker shuts down", "HI39 HI40", "failover roll"),
    not_for("no state changes while a controller is in office", "HI16", "failover"),
)  # fmt: skip
