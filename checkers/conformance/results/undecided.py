"""The reasons why a log, or a dump text of one, cannot be checked: sentences that say what to give instead."""

from __future__ import annotations

from collections.abc import Iterable

from fencepost.checkers.cause import Cause
from fencepost.traces import Batch, MetadataLog, Quarantined
from fencepost.traces.logs import NO_BATCH_LINES
from fencepost.traces.names import is_bootstrap_name

from .results import Doubt, LogResult


def nothing_in(log: MetadataLog) -> str:
    """Return why a log without batches cannot be checked."""
    if any(is_bootstrap_name(snapshot.segment) for snapshot in log.snapshots):
        return (
            "bootstrap.checkpoint holds the records that its node was formatted with, and is no log: give the "
            "directory __cluster_metadata-0 that lies beside it."
        )
    return "The log holds no batch: there is nothing to check."


def lost(one: Quarantined) -> tuple[str, Cause]:
    """Return what is undecided where a range could not be read, and what that comes from."""
    if one.kind == "text":
        return f"{one.reason}; what these records touched is undecided.", Cause.CANNOT_TELL
    where = f"{one.segment}, bytes {one.start} to {one.end}"
    if one.kind in ("missing", "conflict"):
        where = f"Offsets {one.first_offset} to {one.last_offset}"
    return f"{where}: {one.reason}; what these records touched is undecided.", Cause.DAMAGED_LOG


def undecided_without_batch_lines(out: LogResult, log: MetadataLog, batches: Iterable[Batch]) -> None:
    """Turn the violations of a dump text without batch lines into doubts: offsets are counted, lines may be missing."""
    if out.violations and log.source == "dump" and any(batch.epoch < 0 for batch in batches):
        first = out.violations[0]
        message = f"{NO_BATCH_LINES}; give the whole dump. First open: {first.message}"
        out.doubts.append(Doubt(first.offset, None, message))
        out.violations.clear()
