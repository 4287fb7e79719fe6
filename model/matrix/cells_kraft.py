"""What KRaft (S3, Kafka 4.4) gives of the nine guarantees."""

from __future__ import annotations

from .cell import Cell, Finding

KRAFT_CELLS: tuple[Cell, ...] = (
    Cell(
        "M1",
        "kraft",
        Finding.PROVED,
        "At the end of every result a leader is registered and not fenced: partitions move before the fence.",
        claim="M1",
        protocol="kraft+guarantees",
    ),
    Cell(
        "M2",
        "kraft",
        Finding.PROVED,
        "Another leader has another leader epoch, in the same record.",
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
        "A leader elected cleanly was in the ISR or an eligible leader replica. Switching ELR off and on again can "
        "leave stale eligible replicas (finding D21).",
        claim="P10",
    ),
    Cell(
        "M6",
        "kraft",
        Finding.PROVED,
        "A new process registers with a larger epoch, begins fenced, and leads nothing.",
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
        Finding.PROVED,
        "A failover changes no partition: what was begun is in the log.",
        claim="M8",
        protocol="kraft+guarantees",
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
