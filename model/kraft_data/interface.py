"""Assumptions of `kraft-data` about the controller: for each, the claims of `kraft` that state it."""

from __future__ import annotations

from dataclasses import dataclass

from fencepost.model.kraft import KRAFT
from fencepost.model.kraft.interface_properties import PROPERTIES
from fencepost.model.language import Protocol

CONTROLLER_TABLES: Protocol = KRAFT.claiming(*PROPERTIES)
"""The tables of `kraft` with the two claims that only this interface needs; exploring `kraft` does not ask them."""


@dataclass(frozen=True)
class Granted:
    """An assumption of `kraft-data` about the controller: one sentence, the rows that rely on it, the claims of `kraft`.

    `besides` are findings that `kraft` declares for one of the claims: ways in which Kafka 4.4 does otherwise.
    """

    about: str
    rows: tuple[str, ...]
    claims: tuple[str, ...]
    besides: tuple[str, ...] = ()


_EVERY = tuple(f"DC{number}" for number in (1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 14, 15, 16, 18, 19, 20))
INTERFACE: tuple[Granted, ...] = (
    Granted(
        "Every change raises the partition epoch by one, and the leader epoch by one or not at all.", _EVERY, ("P8",)
    ),
    Granted(
        "Another leader, or none, has another leader epoch.",
        ("DC3", "DC4", "DC5", "DC6", "DC10", "DC11", "DC14", "DC15", "DC16", "DC19", "DC20"),
        ("P9",),
    ),
    Granted("The leader is in the ISR.", _EVERY, ("P1", "P1w"), ("D26", "D34")),
    Granted("No broker is both in the ISR and in the ELR.", ("DC2", "DC3", "DC5"), ("P4",)),
    Granted(
        "There is an ELR only below min.insync.replicas, or beside a leader just chosen from it.",
        ("DC2", "DC3", "DC6"),
        ("P6",),
    ),
    Granted(
        "A broker comes into the ISR by a proposal of the leader under the current epochs, and into the ELR from the ISR; a leader from the ELR "
        "is alone in the ISR.",
        ("DC4", "DC6", "DC12", "DC14", "DC15", "DC16"),
        ("P29", "P30", "P42"),
    ),
    Granted(
        "A proposal counts with the broker epochs under which its members fetched.", ("DC12", "DC13", "DC16"), ("P16",)
    ),
    Granted("A proposal that is accepted becomes the ISR as it is.", ("DC12",), ("P21", "P43")),
    Granted(
        "A clean election takes a member of the ISR or of the ELR, or a proposed one.",
        ("DC4", "DC5", "DC6", "DC11", "DC14", "DC15", "DC16"),
        ("P10", "P11"),
    ),
    Granted(
        "A leader that was elected otherwise is alone in the ISR, and the election is marked (RECOVERING).",
        ("DC19", "DC20"),
        ("P11",),
    ),
    Granted("Another min.insync.replicas makes no broker eligible.", ("DC17", "DC18"), ("C12",)),
    Granted(
        "A broker that stopped uncleanly is in no ISR and no ELR once it has registered, under a larger broker epoch.",
        ("DC7", "DC8", "DC9", "DC10", "DC11", "DC15", "DC20"),
        ("P31", "K1"),
    ),
)
