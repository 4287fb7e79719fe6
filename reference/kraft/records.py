"""A metadata record on its way into the log, and the readers of its fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

NO_LEADER = -1
"""The leader of a partition that has none."""

NO_LEADER_CHANGE = -2
"""The leader in a PartitionChange that leaves the leader, and its epoch, as they are."""

UNASSIGNED_DIRECTORY = "AAAAAAAAAAAAAAAAAAAAAQ"
LOST_DIRECTORY = "AAAAAAAAAAAAAAAAAAAAAg"
MIGRATING_DIRECTORY = "AAAAAAAAAAAAAAAAAAAAAA"


class Message(NamedTuple):
    """A metadata record: the type that kafka-dump-log prints ("TOPIC_RECORD"), its version, its data as it prints them.

    Tagged fields at their default are left out of `data`, as in a dump; nullable fields that are not tagged are there.
    """

    type: str
    version: int
    data: Mapping[str, Any]
