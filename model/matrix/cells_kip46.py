"""Cells of the matrix for KIP-46 (S1)."""

from __future__ import annotations

from .cell import Cell, Finding

KIP46_CELLS: tuple[Cell, ...] = (
    Cell(
        "M1",
        "kip46",
        Finding.SILENT,
        "Nothing is fenced and nothing is led in S1: leaders are the ZooKeeper-era controller's.",
    ),
    Cell("M2", "kip46", Finding.SILENT, "S1 has no leader epochs."),
    Cell("M3", "kip46", Finding.SILENT, "S1 does not say who serves."),
    Cell(
        "M4", "kip46", Finding.SILENT, "What is watched is the registration in ZooKeeper; nothing reaches the broker."
    ),
    Cell(
        "M5",
        "kip46",
        Finding.SILENT,
        "S1 has no elections and no logs. That a task may be complete when its replicas have left the ISR again, with the last "
        "copy, is declared violated (M5 of the design, 15 rows; kip46+completes-in-sync repairs it).",
    ),
    Cell(
        "M6",
        "kip46",
        Finding.VIOLATED,
        "A broker that came back, of which the controller has not heard yet, is healed all the same.",
        claim="M6",
        bound="tiny",
        length=5,
    ),
    Cell("M7", "kip46", Finding.SILENT, "One controller at a time is taken for granted; S1 has no epochs."),
    Cell(
        "M8",
        "kip46",
        Finding.PROVED,
        "Failures and tasks are znodes: the next controller takes them up, with the time of the first failure.",
        claim="M8",
    ),
    Cell(
        "M9",
        "kip46",
        Finding.VIOLATED,
        "A broker that dies while there is no controller leaves no entry, and is never healed (SH11). Comparing "
        "live brokers with assignments at a failover repairs it (kip46+compares-brokers).",
        claim="SI7",
        bound="tiny",
        length=3,
    ),
)
