"""Recordings of ZooKeeper-era clusters held against the tables: state-change.log, alone or with a history of znodes."""

from .judge import ZkJudge, conform_recordings
from .results import ZkResult

__all__ = ["ZkJudge", "ZkResult", "conform_recordings"]
