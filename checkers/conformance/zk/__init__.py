"""Recordings of ZooKeeper-era clusters checked against the tables: state-change.log, alone or with znode histories."""

from .judge import ZkJudge, conform_recordings
from .results import ZkResult

__all__ = ["ZkJudge", "ZkResult", "conform_recordings"]
