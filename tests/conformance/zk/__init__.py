"""Recordings of ZooKeeper-era clusters checked against the tables."""

from functools import lru_cache
from pathlib import Path

from fencepost.checkers.conformance.zk import ZkJudge, ZkResult
from fencepost.model.zk import ZK
from fencepost.traces.zk import Record, Transaction, read_recording

RECORDED = Path(__file__).parents[3] / "traces" / "recorded" / "zk"
NAMES = ("first-boot", "kill-nine", "reassignment", "rolling-restart")
LATER = ("topic-deletion", "leaders-write", "log-dir-failure")
PARTS = RECORDED.parent / "zk-parts"


@lru_cache(maxsize=1)
def judge() -> ZkJudge:
    """Return the tables, made ready once."""
    return ZkJudge(ZK)


@lru_cache(maxsize=4)
def recorded(name: str) -> tuple[tuple[Record, ...], tuple[Transaction, ...]]:
    """Return the records and the transactions of a recording."""
    found = read_recording(RECORDED / name)
    return tuple(found.records()), tuple(found.transactions())


@lru_cache(maxsize=8)
def judged(name: str, alone: bool = False) -> ZkResult:
    """Check a recording once, with its history or its logs alone."""
    records, transactions = recorded(name)
    return judge().told(name, records, None if alone else transactions)
