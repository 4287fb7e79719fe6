"""Two copies of a partition compared: log matching where their epochs agree, and sameness below the high watermarks."""

from __future__ import annotations

from fencepost.traces import Batch

from .copies import Copy
from .results import DataResult


def match_logs(one: Copy, other: Copy, result: DataResult) -> None:
    """Compare two copies of one partition.

    A follower appends batches as it fetched them, so what is the same is the same batch, its checksum included. Up to
    the last offset at which both have a batch of one epoch, everything must be the same (log matching). Beyond it their
    epochs differ, which is allowed only above a high watermark, or where an unclean election came between.
    """
    start = max(one.log_start, other.log_start)
    mine, theirs = _by_offset(one, start), _by_offset(other, start)
    common = [offset for offset, batch in mine.items() if offset in theirs and theirs[offset].epoch == batch.epoch]
    top = max(common, default=-1)
    for offset in sorted(mine.keys() | theirs.keys()):
        if offset > top:
            break
        result.asked["log-matching"] += 1
        if same_batch(mine.get(offset), theirs.get(offset)):
            continue
        epoch = mine[top].epoch
        result.violate(
            "log-matching", None, one.name, offset,
            f"at {top} brokers {one.broker} and {other.broker} both have a batch of epoch {epoch}, and at {offset} "
            f"they differ: {shown_batch(mine.get(offset))}, {shown_batch(theirs.get(offset))}",
        )  # fmt: skip
        return
    _below_high_watermarks(one, other, top, result)


def _below_high_watermarks(one: Copy, other: Copy, top: int, result: DataResult) -> None:
    """Look for an offset below both high watermarks, beyond what matches, at which the copies have other epochs."""
    if one.high_watermark is None or other.high_watermark is None:
        return
    result.asked["committed-matching"] += 1
    limit = min(one.high_watermark, other.high_watermark, one.end_offset, other.end_offset)
    for batch in one.folder.batches:
        against = other.batch_at(batch.base_offset)
        if batch.base_offset <= top or batch.base_offset >= limit or against is None or against.epoch == batch.epoch:
            continue
        if any(min(batch.epoch, against.epoch) < unclean.epoch for unclean in one.partition.unclean):
            result.notes.append(
                f"{one.name}: brokers {one.broker} and {other.broker} differ from {batch.base_offset} on, after an "
                "unclean election"
            )
            return
        result.violate(
            "committed-matching", None, one.name, batch.base_offset,
            f"below both high watermarks brokers {one.broker} and {other.broker} differ: {shown_batch(batch)}, "
            f"{shown_batch(against)}",
        )  # fmt: skip
        return


def _by_offset(copy: Copy, start: int) -> dict[int, Batch]:
    return {batch.base_offset: batch for batch in copy.folder.batches if batch.base_offset >= start}


def same_batch(one: Batch | None, other: Batch | None) -> bool:
    """Whether two logs have the same batch: a replica appends a fetched batch unchanged, with its checksum."""
    # The checksum covers everything but base offset, length and epoch.
    return (
        one is not None
        and other is not None
        and (one.last_offset, one.epoch, one.size, one.crc) == (other.last_offset, other.epoch, other.size, other.crc)
    )


def shown_batch(batch: Batch | None) -> str:
    """Return what a log has at an offset, as words of a sentence."""
    if batch is None:
        return "no batch begins there"
    return f"records {batch.base_offset} to {batch.last_offset} of epoch {batch.epoch}, checksum {batch.crc:#010x}"
