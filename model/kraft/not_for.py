"""What the bounds of the KRaft slices are not for: properties that nothing puts to the test there, with the reason."""

from __future__ import annotations

from fencepost.model.language import NotFor, not_for

NOT_FOR: tuple[NotFor, ...] = (
    not_for("no broker comes back as a new process", "K2", "tiny lag reassignment unclean directories removal configurations cluster"),
    not_for("brokers register once", "K3", "reassignment unclean configurations"),
    not_for("one broker registers once", "K1", "configurations cluster"),
    not_for("there is one broker", "K6", "configurations cluster"),
    not_for(
        "every broker has always read the whole log: what its heartbeat says decides",
        "K4", "tiny restart small reassignment unclean directories removal configurations",
    ),
    not_for("no heartbeat keeps a broker fenced", "K11", "directories removal"),
    not_for("no leader is taken from outside the ISR", "P11 P12", "tiny directories removal configurations"),
    not_for("no other leader is ever elected", "P10", "configurations"),
    not_for("nothing is reassigned", "P14", "tiny"),
    not_for("replicas stay as they are", "P15", "tiny directories removal configurations"),
    not_for("no controlled shutdown begins", "K12", "tiny reassignment unclean directories configurations cluster"),
    not_for("no controlled shutdown ends", "K8", "tiny reassignment unclean directories configurations"),
)  # fmt: skip
