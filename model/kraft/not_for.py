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
    not_for("no controlled shutdown begins where the broker leads, and none ends", "B15 B16", "tiny reassignment unclean directories configurations growth"),
    not_for("once there is a partition nobody registers for the first time, or after an unclean stop", "P31", "tiny lag small directories configurations growth together"),
    not_for("no partition is left without a leader that could be elected", "P34", "tiny restart lag small reassignment removal configurations growth"),
    not_for("the preferred replica is not elected once another has led", "P39", "tiny restart lag small configurations"),
    not_for("nobody comes into an ISR, and no leader changes", "P29 P32", "configurations growth"),
    not_for("metadata.version stays as it is, or falls by so much that it is refused", "L19", "tiny restart lag small reassignment unclean directories removal configurations cluster everything growth together"),
    not_for("eligible leader replicas are switched on from the start, and the cluster gets no minimum", "L21", "tiny restart lag small reassignment unclean directories removal growth"),
    not_for("directories, features and heartbeats that shut down do not come together here: AD3 breaks it at the bound together", "P1 P3", "directories"),
    not_for("no heartbeat asks for fencing or for a shutdown", "B8 B9", "directories"),
    not_for("only the topic's minimum changes", "C5 C6 C7 C8 C18", "removal"),
    not_for("nobody becomes an eligible leader replica who could be forgotten", "C11", "configurations"),
    not_for("what is asked for are partitions that cannot be placed, or none", "C15", "configurations"),
    not_for("no broker and no controller registers", "K1 K2 K3 K6 K7 K7c K12 L24 L25", "lower"),
    not_for("the log is formatted at once, and only features change then", "L9 L10 L22", "lower"),
    not_for("there is one broker, which registers once", "K1 K2 K3 K6", "together"),
    not_for("every broker has always read the whole log: what is assumed of its heartbeats decides", "K4", "together"),
    not_for("there is one broker, and nothing moves from it to another", "P5 P13b P14 P15 W2", "together"),
    not_for("there is one broker, and no reassignment that could be taken back", "C17", "everything together"),
    not_for("the directory that the replica is put into is none of the broker's", "P28", "together"),
    not_for("when the only directory fails nobody is left to lead", "P36", "everything together"),
    not_for("only upgrades go up, and only downgrades down: what is assumed of features decides", "L18", "everything together"),
    not_for("no topic is deleted, no broker unregistered and no configuration asked for", "P18 P18d B6 C3 C4 C5 C6 C7 C8 C11 C12 C14 C18", "together"),
    not_for("every configuration that is asked for is valid, permitted and meant", "C3", "everything"),
    not_for("the cluster's and the nodes' own values stay as they are", "C6 C7 C8 C18", "everything"),
)  # fmt: skip
