"""Properties that bounds of KIP-631's first version cannot test, with the reason."""

from __future__ import annotations

from fencepost.model.language import NotFor, not_for

NOT_FOR: tuple[NotFor, ...] = (
    not_for("no broker registers another incarnation", "K2 M6", "tiny moved small shutdown failover death lengths overtaken stopping"),
    not_for("no broker registers twice", "K3", "moved small shutdown failover death lengths stopping"),
    not_for("no lease ends", "K5e", "moved shutdown death"),
    not_for("no broker ends its shutdown", "K8", "tiny moved small failover death lengths overtaken bounce"),
    not_for("no broker becomes active or another incarnation", "M3f", "moved shutdown overtaken"),
    not_for("no broker leads", "M1 M2 M2w M5e", "overtaken"),
    not_for("the controller does not fail", "M8", "tiny moved small shutdown lengths overtaken stopping bounce"),
    not_for("no heartbeat that asks for a shutdown comes to the controller", "K18s", "tiny small failover death lengths overtaken bounce"),
    not_for("no broker joins an ISR", "P5a", "tiny moved shutdown failover death lengths overtaken stopping bounce"),
    not_for("no broker is fenced", "K17", "moved shutdown overtaken"),
    not_for("no broker is fenced at any time", "K16", "moved shutdown"),
    not_for("no heartbeat comes to the controller", "K19 K18s K18 KL", "moved"),
    not_for("brokers are registered from the start, and no process registers", "K20 K22", "moved small shutdown failover death lengths stopping"),
    not_for("brokers are registered from the start, and no process registers", "K21", "moved small shutdown failover death lengths stopping"),
    not_for("no broker sends a heartbeat", "KH", "moved"),
    not_for("no broker gets an answer to a heartbeat", "KA", "moved"),
    not_for("no partition loses its leader", "P16", "moved shutdown overtaken"),
    not_for("no broker is fenced, and none registers", "P7f", "moved shutdown"),
    not_for("no broker is made leader", "P15", "death overtaken bounce"),
    not_for("no process is refused an id", "K31", "tiny moved small shutdown failover death lengths overtaken stopping"),
    not_for("the controller does not fail", "K36", "tiny moved small shutdown lengths overtaken stopping bounce"),
    not_for("no request comes to the controller", "K30 K32", "moved"),
    not_for("no process comes, goes, or begins its shutdown", "K35", "moved small failover lengths"),
    not_for("leaders and leader epochs stay as they are", "P9e", "overtaken"),
)  # fmt: skip
