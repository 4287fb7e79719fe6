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
    not_for("nothing meets active and not stale(b, epoch) and reported_offset[b] ≤ offset and target = SHUTDOWN and carried(m)", "K18s", "tiny small failover death lengths overtaken bounce"),
    not_for("none of its rows fires: VE3", "P5a", "tiny moved shutdown failover death lengths overtaken stopping bounce"),
    not_for("nothing meets not fenced[x] and fenced[x]′", "K17", "moved shutdown overtaken"),
    not_for("nothing meets fenced[x]", "K16", "moved shutdown"),
    not_for("none of its rows fires: V1.5n, V1.5s, V1.7, V1.11", "K19 K18s K18 KL", "moved"),
    not_for("none of its rows fires: V1.2, V1.1, V1.1b", "K20 K22", "moved small shutdown failover death lengths stopping"),
    not_for("none of its rows fires: V1.1, V1.1b", "K21", "moved small shutdown failover death lengths stopping"),
    not_for("none of its rows fires: VB5", "KH", "moved"),
    not_for("none of its rows fires: VH1, VH2, VH3, VH4", "KA", "moved"),
    not_for("nothing meets leader[p] ≠ none and not (leader[p] ≠ none)′ and leader[p] = x", "P16", "moved shutdown overtaken"),
    not_for("none of its rows fires: V1.8, V1.1, V1.1b", "P7f", "moved shutdown"),
    not_for("nothing meets leader[p]′ = x and leader[p] ≠ x", "P15", "death overtaken bounce"),
    not_for("nothing changes leader_epoch, leader", "P9e", "overtaken"),
)  # fmt: skip
