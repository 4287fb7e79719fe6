"""What the bounds of the KRaft slices are not for: properties that nothing puts to the test there, with the reason."""

from __future__ import annotations

from fencepost.model.language import NotFor, not_for

NOT_FOR: tuple[NotFor, ...] = (
    not_for("no broker comes back as a new process", "K2", "tiny lag reassignment unclean directories removal configurations cluster growth"),
    not_for("brokers register once in each of their processes", "K3", "small reassignment unclean configurations growth"),
    not_for("there is one broker, which registers once", "K1", "configurations cluster"),
    not_for("there is one broker", "K6", "configurations cluster everything"),
    not_for(
        "every broker has always read the whole log: what is assumed of its heartbeats decides",
        "K4", "tiny restart small reassignment unclean directories removal configurations everything growth",
    ),
    not_for("no heartbeat keeps a broker fenced", "K11", "restart small directories removal"),
    not_for("no leader is taken from outside the ISR", "P11 P12", "tiny restart lag small directories removal configurations growth"),
    not_for("no other leader is ever elected", "P10", "configurations growth"),
    not_for("nothing is reassigned", "P14", "tiny restart lag small everything"),
    not_for("replicas stay as they are", "P15", "tiny restart lag small directories removal configurations everything growth"),
    not_for("no controlled shutdown begins", "K12", "tiny reassignment unclean directories configurations cluster growth"),
    not_for("no controlled shutdown ends", "K8", "tiny reassignment unclean directories configurations growth"),
    not_for("the directory that the replica is put into is none of the broker's", "P28", "everything"),
    not_for("there is one broker, and nothing moves from it to another", "P5 P13b W2", "everything"),
)  # fmt: skip
