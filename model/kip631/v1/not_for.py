"""What the bounds of KIP-631's first version are not for: properties that nothing puts to the test there, with the reason."""

from __future__ import annotations

from fencepost.model.language import NotFor, not_for

NOT_FOR: tuple[NotFor, ...] = (
    not_for("no broker registers another incarnation", "K2 M6", "tiny moved small shutdown failover death lengths overtaken stopping"),
    not_for("no broker registers twice", "K3", "moved small shutdown failover death lengths stopping"),
    not_for("no lease ends", "K5e", "moved shutdown death"),
    not_for("no broker ends its shutdown", "K8", "tiny moved small failover death lengths overtaken bounce"),
    not_for("no broker becomes active or another incarnation", "M3f", "moved shutdown overtaken"),
    not_for("nobody leads", "M1 M2 M2w M5e", "overtaken"),
    not_for("the controller does not fail", "M8", "tiny moved small shutdown lengths overtaken stopping bounce"),
)  # fmt: skip
