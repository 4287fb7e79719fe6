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
        Finding.SILENT,
        "A deposed controller's append fails in Raft, under the tables; the reference's simulation holds the log "
        "to it (L6), with elections in every run.",
    ),
    Cell(
        "M8",
        "kraft",
        Finding.SILENT,
        "In these tables every write is committed at once, so a failover has nothing hard to lose; that FO1 "
        "writes no partition is a frame condition. A tail that is cut is not modelled yet.",
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
