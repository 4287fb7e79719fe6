"""What Raft writes into a log as control records: the leader of each epoch, and the level of kraft.version.

No metadata record has either.
"""

from __future__ import annotations

from collections.abc import Iterable

from fencepost.traces import AnyRecord, Batch, ControlRecord
from fencepost.traces.record_types import KRAFT_VERSION, LEADER_CHANGE

RAFT_FEATURE = "kraft.version"
"""The feature that has the level, as registrations name it."""


def leader_of(record: AnyRecord) -> int | None:
    """Return the node that a leader change names, None for any other record and for one that names none."""
    if not isinstance(record, ControlRecord) or record.type != LEADER_CHANGE:
        return None
    found = record.data.get("leaderId")
    return found if isinstance(found, int) else None


def leaders(batches: Iterable[Batch]) -> dict[int, int]:
    """Return the leader of each epoch whose leader change can be read; an epoch that names two has none."""
    found: dict[int, set[int]] = {}
    for batch in batches:
        for record in batch.records if batch.is_control and batch.epoch >= 0 else ():
            node = leader_of(record)
            if node is not None:
                found.setdefault(batch.epoch, set()).add(node)
    return {epoch: min(nodes) for epoch, nodes in found.items() if len(nodes) == 1}


def opens(batch: Batch) -> bool:
    """Whether a batch is the one with which a leader opens its epoch."""
    return batch.is_control and any(isinstance(r, ControlRecord) and r.type == LEADER_CHANGE for r in batch.records)


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
