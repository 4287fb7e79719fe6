"""What KRaft (S3, Kafka 4.4) gives of the nine guarantees."""

from __future__ import annotations

from .cell import Cell, Finding

KRAFT_CELLS: tuple[Cell, ...] = (
    Cell(
        "M1",
        "kraft",
        Finding.VIOLATED,
        "Partitions move before the fence; but where a broker puts a replica into a directory that has failed, a "
        "partition can get a leader outside its ISR, which a fence passes by (finding D26). Of all other "
        "partitions it is proved (M1w).",
        claim="M1",
        protocol="kraft+guarantees",
        bound="assignment",
        length=7,
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
        "A broker never fences itself: cut off from the controllers it serves on, until somebody refuses it.",
        claim="M4",
        protocol="kraft+guarantees",
        bound="beliefs",
        length=6,
    ),
    Cell(
        "M5",
        "kraft",
        Finding.PROVED,
        "A record acknowledged with acks=all is in the log of every later leader up to the next unclean election, with ELR on, under DA1 to "
        "DA5 and what spec/data.md leaves out (4.4.0 does not keep DA5, by its byte code); the controller elects from the ISR or the ELR (P10), where D26 has not been. Switching"
        " ELR off and on again can leave stale eligible replicas (finding D21).",
        claim="AcknowledgedIsKept",
        protocol="kraft-data",
    ),
    Cell(
        "M6",
        "kraft",
        Finding.PROVED,
        "A new process registers with a larger epoch, begins fenced, and leads nothing, where D26 has not been.",
        claim="M6",
        protocol="kraft+guarantees",
    ),
    Cell(
        "M7",
        "kraft",
        Finding.PROVED,
        "Only its claimer appends in an epoch, and not once its Raft client knows of a newer one; what it appended before is committed by "
        "nobody. It may still answer a heartbeat that needs no record.",
        claim="QL6a",
        protocol="kraft-loop",
    ),
    Cell(
        "M8",
        "kraft",
        Finding.PROVED,
        "What was answered is in the log of every later leader; of what was not, the tail may be cut, and whoever waited is told "
        "NOT_CONTROLLER and asks again. That FO1 writes no partition is a frame condition.",
        claim="QL2d",
        protocol="kraft-loop",
    ),
    Cell(
        "M9",
        "kraft",
        Finding.CLOSED,
        "A session that is over is fenced, also where the broker died before this controller was elected (until "
        "3.9 not: D19).",
        claim="M9",
        protocol="kraft+guarantees",
        bound="alone",
    ),
)
