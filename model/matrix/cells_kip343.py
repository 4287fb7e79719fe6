"""Cells of the matrix for KIP-343 (S0)."""

from __future__ import annotations

from .cell import Cell, Finding

KIP343_CELLS: tuple[Cell, ...] = (
    Cell(
        "M1",
        "kip343",
        Finding.VIOLATED,
        "First the broker becomes Inactive, then its leaders are moved: in between it leads. No Inactive broker is "
        "made leader (HI7, proved).",
        claim="M1",
        bound="failover",
        length=4,
    ),
    Cell(
        "M2",
        "kip343",
        Finding.PROVED,
        "As in the ZooKeeper era: a change of the leader raises the leader epoch.",
        claim="M2",
    ),
    Cell(
        "M3",
        "kip343",
        Finding.VIOLATED,
        "A live leader is moved and serves until it hears; and by design the broker's timeout is the longer one "
        "(S0:50), so a cut-off leader outlives its replacement.",
        claim="M3",
        bound="leaders",
        length=9,
    ),
    Cell(
        "M4",
        "kip343",
        Finding.PROVED,
        "The point of the design: who gets no answer for the broker's timeout fences itself, if its timer is "
        "punctual. Legacy brokers of the first roll do not (HI10l, 4 rows).",
        claim="HI10",
        assumes=("HA4",),
    ),
    Cell(
        "M5",
        "kip343",
        Finding.PROVED,
        "By the interface: with logs and brokers of the ZooKeeper era it is proved for any controller that keeps DG1 to DG7 (spec/data-evidence.md), "
        "and kip343 keeps them. Assumed besides, as there: ZDA1 to ZDA5 and DA4. S0 does not say that a broker which comes back leaves "
        "the ISR (ZDA2; kip343+guarantees breaks DG8 in 5 rows), and gives an ISR change no version: it must be processed once and "
        "in order.",
        claim="AcknowledgedIsKept",
        protocol="zk-data+any-controller",
    ),
    Cell(
        "M6",
        "kip343",
        Finding.PROVED,
        "A new znode is a new incarnation id, and the broker begins Inactive.",
        claim="M6s",
    ),
    Cell(
        "M7",
        "kip343",
        Finding.VIOLATED,
        "An answer names neither controller nor epoch: that of a controller that has been replaced is contact for a broker that "
        "the new one has Inactive. No leader and no state of a broker changes without a controller in office (M7w, proved).",
        claim="M7",
        bound="failover",
        length=7,
    ),
    Cell(
        "M8",
        "kip343",
        Finding.PROVED,
        "States are memory, so after a failover every broker is Inactive and every leader moves; a leader that must be "
        "replaced is, in the end, if the controller turns to each partition (fairness of ElectLeader for each).",
        claim="M8",
    ),
    Cell(
        "M9",
        "kip343",
        Finding.PROVED,
        "A broker that is dead becomes Inactive in the end, however often controllers fail, if ZooKeeper ends each session, "
        "a controller takes office, and it sees each znode that is gone (weak fairness of these); within the controller's "
        "timeout where timers are punctual (HI8, proved assuming HA4).",
        claim="M9",
    ),
)
