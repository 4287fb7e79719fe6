"""The leaders of a log: the node that each leader epoch names in its leader change."""

from __future__ import annotations

from collections.abc import Iterable

from fencepost.traces import AnyRecord, Batch, ControlRecord
from fencepost.traces.record_types import LEADER_CHANGE


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
