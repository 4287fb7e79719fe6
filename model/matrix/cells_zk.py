"""Cells of the matrix for the ZooKeeper era (S4)."""

from __future__ import annotations

from .cell import Cell, Finding

ZK_CELLS: tuple[Cell, ...] = (
    Cell(
        "M1",
        "zk",
        Finding.CLOSED,
        "Once the controller has handled a death, it names no dead broker as leader. Until then ZooKeeper does: "
        "there is no fencing, only a znode that is gone.",
        claim="M1",
        protocol="zk+guarantees",
        bound="beliefs",
    ),
    Cell(
        "M2",
        "zk",
        Finding.PROVED,
        "The leader epoch in the state znode rises with every change of the leader, by a conditional write.",
        claim="ZI11w",
    ),
    Cell(
        "M3",
        "zk",
        Finding.VIOLATED,
        "A broker whose session expires is replaced, registers again, and serves beside its successor until it is "
        "notified.",
        claim="M3",
        protocol="zk+guarantees",
        bound="beliefs",
        length=19,
    ),
    Cell(
        "M4",
        "zk",
        Finding.VIOLATED,
        "Nothing stops a broker that its controller cannot reach: it serves by the last request that it received. This is what "
        "KIP-343 was written for.",
        claim="M4",
        protocol="zk+guarantees",
        bound="beliefs",
        length=22,
    ),
    Cell(
        "M5",
        "zk",
        Finding.PROVED,
        "With truncation by leader epochs (KIP-101, KIP-279, KIP-320), under ZDA1 to ZDA5 and DA4 (spec/data-evidence.md). The first four hold "
        "where brokers lose nothing when they stop; else the last member of an ISR may lead without what it lost (zk-data+loses-"
        "the-last, 9 rows), and a follower that restarted may count by what it fetched before (KIP-903 is KRaft's; zk-data+joins-by-"
        "earlier-fetches, 14 rows). Of the controller it takes DG1 to DG7 only, which are proved of zk.",
        claim="AcknowledgedIsKept",
        protocol="zk-data",
    ),
    Cell(
        "M6",
        "zk",
        Finding.PROVED,
        "Since KIP-380 the znode's czxid is the broker's epoch: the same id under a larger epoch is failed and "
        "started up again.",
        claim="ZI10",
    ),
    Cell(
        "M7",
        "zk",
        Finding.PROVED,
        "Every write asks for the version of /controller_epoch, so those of a replaced controller fail.",
        claim="ZI1w",
    ),
    Cell(
        "M8",
        "zk",
        Finding.CLOSED,
        "The target and the old replicas stand in the topic's znode until the end, so the next controller goes on. "
        "A reassignment that is changed and taken back while its leader dies may never end (ZI13 at the bound "
        "cancelled, 58 rows), with no failover in it.",
        claim="ZI13",
        bound="reassignment",
    ),
    Cell(
        "M9",
        "zk",
        Finding.CLOSED,
        "A session that is gone is a watch that fires: the controller takes the broker's leaders away.",
        claim="M9",
        protocol="zk+guarantees",
        bound="beliefs",
    ),
)
