"""Reversible collections: state that can be read as of an earlier offset, and taken back to it (S3:136-160)."""

from .collections import TimelineMap, TimelineSet, TimelineValue
from .registry import LATEST, SnapshotRegistry

__all__ = ["LATEST", "SnapshotRegistry", "TimelineMap", "TimelineSet", "TimelineValue"]
