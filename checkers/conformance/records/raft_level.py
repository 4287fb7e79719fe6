"""The level of kraft.version, which Raft writes into a log as a control record: no metadata record has it."""

from __future__ import annotations

from collections.abc import Iterable

from fencepost.traces import AnyRecord, Batch, ControlRecord
from fencepost.traces.record_types import KRAFT_VERSION

RAFT_FEATURE = "kraft.version"
"""The feature that has the level, as registrations name it."""


def raft_level_of(record: AnyRecord) -> int | None:
    """Return the level that a control record gives kraft.version, None for any other record."""
    if not isinstance(record, ControlRecord) or record.type != KRAFT_VERSION:
        return None
    found = record.data.get("kRaftVersion")
    return found if isinstance(found, int) else None


def raft_level(batches: Iterable[Batch]) -> int | None:
    """Return the level that the last control record in batches says, None where none says one."""
    found = [level for batch in batches for one in batch.control_records if (level := raft_level_of(one)) is not None]
    return found[-1] if found else None
