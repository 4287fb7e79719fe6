"""Cells of the matrix for KRaft (S3, Kafka 4.4)."""

from __future__ import annotations

from .cell import Cell, Finding

KRAFT_CELLS: tuple[Cell, ...] = (
    Cell(
        "M1",
        "kraft",
        Finding.VIOLATED,
        "Partitions move before the fence; but where a broker puts a replica into a directory that has failed, a "
        "partition can get a leader outside its ISR, which a fence passes by (finding D26; a heartbeat that unfences its "
        "broker and reports the directory does it too, D34). Of all other partitions it is proved (M1w).",
        claim="M1",
        protocol="kraft+guarantees",
        bound="assignment",
        length=7,
        defects=("D26", "D34"),
        repaired=(("kraft+repaired", ("M1",)),),
    ),
    Cell(
        "M2",
        "kraft",
        Finding.PROVED,
        "Another leader has another leader epoch, in the same record; and leader epochs only rise (P8).",
        claim="P9",
    ),
    Cell(
        "M3",
        "kraft",
        Finding.VIOLATED,
        "A broker serves what it led in the metadata that it has read: until it reads on, two serve. Their epochs "
        "differ, so the older one cannot commit.",
        claim="M3",
        protocol="kraft+guarantees",
        bound="beliefs",
        length=8,
    ),
    Cell(
        "M4",
        "kraft",
        Finding.VIOLATED,
        "A broker never fences itself: cut off from the controllers it serves on, until a node refuses it.",
        claim="M4",
        protocol="kraft+guarantees",
        bound="beliefs",
        length=6,
    ),
    Cell(
        "M5",
        "kraft",
        Finding.VIOLATED,
        "With eligible leader replicas (ELR) on, a replica that a reassignment removed and another adds again is elected cleanly with an empty "
        "log (D15, D15b), and switching ELR off and on keeps replicas eligible that have fallen behind (D21): both lose "
        "acknowledged records of a real 4.4.0. Repaired, only replicas are eligible (P5), none that is added (RA3e), and none while "
        "ELR is off (E0); under DA1 to DA5 and what spec/data.md leaves out (4.4.0 does not keep DA5, by its byte code) every "
        "acknowledged record is in the log of every later leader up to the next unclean election. That takes no setting and no word: "
        "the last known leader is elected, marked, with unclean leaders off.",
        length=5,
        defects=("D21", "D15", "D15b"),
        repaired=(("kraft+repaired", ("P5", "RA3e", "E0")), ("kraft-data", ("AcknowledgedIsKept",))),
    ),
    Cell(
        "M6",
        "kraft",
        Finding.VIOLATED,
        "A new process registers with a larger epoch, and begins fenced; but of a partition whose leader is outside its ISR (findings "
        "D26, D34) it stays the leader. Of all other partitions it is proved that it leads nothing (M6w).",
        claim="M6",
        protocol="kraft+guarantees",
        bound="bounced",
        length=8,
        defects=("D26", "D34"),
        repaired=(("kraft+repaired", ("M6",)),),
    ),
    Cell(
        "M7",
        "kraft",
        Finding.PROVED,
        "What a controller that was replaced appends is never committed: of an epoch that is over no more is committed, and what is "
        "committed stays. Only its claimer appends in an epoch, and not once its Raft client knows of a newer one (QL6a). It may "
        "still answer a heartbeat that needs no record.",
        claim="QL6c",
        protocol="kraft-loop",
    ),
    Cell(
        "M8",
        "kraft",
        Finding.VIOLATED,
        "A controlled shutdown that waits for the other brokers waits no more under the next controller (D10). Repaired it does (K8f). Else "
        "what was begun is finished, or begun again: a transaction that was left open is closed (QV4), a write that is not committed "
        "is answered NOT_CONTROLLER, so that the caller asks again (QL23), and reassignments are in the log. A fence or an unfence of more than "
        "10,000 records may be cut in between (D13), which no row shows.",
        length=5,
        defects=("D10",),
        repaired=(("kraft+repaired", ("K8f",)), ("kraft-loop", ("QL23",))),
    ),
    Cell(
        "M9",
        "kraft",
        Finding.PROVED,
        "A session that is over is fenced, also where the broker died before this controller was elected (until "
        "3.9 not: D19), if the controller fences each stale broker in its turn (fairness of FenceStaleBroker for each).",
        claim="M9",
        protocol="kraft+guarantees",
    ),
)
