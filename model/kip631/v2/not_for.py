"""Properties that bounds of KIP-631's second version cannot test, with the reason."""

from __future__ import annotations

from fencepost.model.language import NotFor, not_for

NOT_FOR: tuple[NotFor, ...] = (
    not_for("no process supports less than it has to: what is assumed of registrations decides", "K7", "tiny small logs"),
    not_for("no heartbeat comes late: what is assumed of them decides", "K4", "leaders reassignment busy"),
    not_for("no process registers another incarnation", "K1 K2 K7 M6", "leaders"),
    not_for("no process registers again", "K3", "leaders"),
    not_for("no broker shuts down", "K8", "reassignment logs busy"),
    not_for("no broker that has a log starts again", "K13r", "tiny late leaders small"),
    not_for("the ISR never grows", "P7", "tiny late logs busy"),
    not_for("no heartbeat asks to be fenced", "P7f", "busy"),
    not_for("leaders stay as they are", "P9 M5", "logs busy"),
    not_for("one broker leads", "M2", "logs"),
    not_for("nothing is reassigned", "P14", "leaders small"),
    not_for("the controller does not fail", "M7 M8", "late leaders small logs busy"),
    not_for("no broker is unregistered", "K23", "tiny"),
    not_for("brokers stay in the state in which they begin", "K25", "reassignment"),
    not_for("no broker is fenced", "K17", "logs busy"),
    not_for("there is always a controller", "K24", "logs busy late leaders small"),
    not_for("leaders and leader epochs stay as they are", "P9e", "logs busy"),
    not_for("no broker is made leader", "P15", "logs busy"),
    not_for("no partition loses its leader", "P16", "logs busy"),
    not_for("the brokers are registered from the start, and none registers again", "K20 K21 K22", "leaders"),
    not_for("no broker is unregistered", "K31", "tiny leaders small"),
    not_for("every unregistration is one of KIP-500 mode", "K31", "late"),
    not_for("no broker starts its log manager", "K33", "late leaders"),
    not_for("every broker has a process", "K35", "late leaders reassignment busy"),
    not_for("no broker is unregistered", "K23", "leaders small"),
    not_for("no broker reads metadata, and none stops", "K29", "reassignment"),
)  # fmt: skip
