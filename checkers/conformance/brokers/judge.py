"""A recording of brokers' directories checked against its metadata log: each folder, each two of them, the ledger."""

from __future__ import annotations

from itertools import combinations, pairwise

from fencepost.traces import MetadataLog, read_log
from fencepost.traces.brokers import BrokerDirectory, PartitionDirectory, Recording, read_recording

from .acknowledged import judge_ledger
from .copies import Copy
from .history import ClusterHistory, PartitionHistory, cluster_history
from .matching import match_logs
from .results import DataResult


def judge_recording(path: str, log: MetadataLog | None = None) -> DataResult:
    """Read a recording and check its brokers' directories; `log` is its metadata log, read where it is not given.

    Raises TraceError where a file cannot be read at all.
    """
    return judge(read_recording(path), cluster_history(read_log(path) if log is None else log))


def judge(recording: Recording, history: ClusterHistory) -> DataResult:
    """Compare directories and ledger with each partition's history in the metadata log."""
    result = DataResult(recording.path, tuple(sorted({one.broker for one in recording.directories})))
    if not history.is_whole:
        result.doubts.append(
            "a part of the metadata log is missing or unreadable: which epochs it gave to whom is known in part"
        )
    copies: dict[tuple[str, int], list[Copy]] = {key: [] for key in history.current()}
    for directory in recording.directories:
        for folder in directory.partitions:
            copy = _copy(directory, folder, history, recording.lost_tails, result)
            if copy is not None:
                copies[folder.topic, folder.partition].append(copy)
    for key, found in copies.items():
        if found:
            _partition(history.current()[key], found, result)
    _missing(recording, history, copies, result)
    judge_ledger(recording.ledger, history, copies, result)
    _scope(recording, result)
    return result


def _copy(
    directory: BrokerDirectory,
    folder: PartitionDirectory,
    history: ClusterHistory,
    lost_tails: frozenset[int],
    result: DataResult,
) -> Copy | None:
    """Return a folder as a copy of a partition that there is, None for one of a deleted topic."""
    partition = history.current().get((folder.topic, folder.partition))
    told = None if folder.metadata is None else folder.metadata.topic_id
    if told in history.deleted and history.names[told] == folder.topic:
        result.notes.append(f"{folder.path} is of a topic that was deleted ({told}): it was not checked")
        return None
    name = f"{folder.topic}-{folder.partition}"
    result.asked["topic-id"] += told is not None
    if partition is None:
        result.violate("topic-id", directory.broker, name, None, "the metadata log has no such partition")
        return None
    if told is None:
        result.doubts.append(f"{folder.path} has no partition.metadata: whether it is of this topic is unknown")
    elif told != partition.topic_id:
        message = f"partition.metadata says topic id {told}, and the metadata log {partition.topic_id}"
        result.violate("topic-id", directory.broker, name, None, message)
        return None
    key = (folder.topic, folder.partition)
    return Copy(
        broker=directory.broker,
        partition=partition,
        folder=folder,
        stopped_cleanly=directory.stopped_cleanly,
        lost_tail=directory.broker in lost_tails and not directory.stopped_cleanly,
        high_watermark=(directory.high_watermarks or {}).get(key),
        recovery_point=(directory.recovery_points or {}).get(key),
        log_start=(directory.log_starts or {}).get(key, folder.base_offset or 0),
        is_compacted=folder.topic in history.compacted,
    )


def _partition(partition: PartitionHistory, copies: list[Copy], result: DataResult) -> None:
    result.partitions += 1
    for copy in copies:
        result.batches += len(copy.folder.batches)
        _damage(copy, result)
        _checkpointed_epochs(copy, result)
        _batches(copy, result)
        _offsets(copy, result)
    if any(copy.is_compacted for copy in copies):
        result.notes.append(f"{partition.name} is compacted by each broker for itself: its logs were not compared")
        return
    for one, other in combinations(copies, 2):
        if not (one.is_broken or other.is_broken):
            match_logs(one, other, result)


def _damage(copy: Copy, result: DataResult) -> None:
    """Report bytes that cannot be read: a torn end is what a stop may leave, anything else hides records."""
    for one in copy.folder.quarantined:
        last = copy.folder.quarantined[-1] is one and one.kind == "torn"
        after = any(batch.segment == one.segment and batch.position > one.start for batch in copy.folder.batches)
        if last and not after and not copy.stopped_cleanly:
            result.notes.append(f"{copy.folder.path}: the last batch of {one.segment} was not written whole")
        else:
            copy.is_broken = True
            result.doubts.append(
                f"{copy.folder.path}: bytes {one.start} to {one.end} of {one.segment} cannot be read ({one.reason})"
            )


def _checkpointed_epochs(copy: Copy, result: DataResult) -> None:
    if copy.folder.epochs is None:
        result.doubts.append(f"{copy.folder.path} has no leader-epoch-checkpoint")
        return
    entries = copy.folder.epochs
    for one in entries:
        result.asked["epoch-given"] += 1
        if not copy.was_given(one.epoch):
            copy.violate(
                result, "epoch-given", one.start_offset,
                f"its leader-epoch checkpoint has epoch {one.epoch}, in which the metadata log gave it no leader",
            )  # fmt: skip
    for earlier, later in pairwise(entries):
        result.asked["epoch-order"] += 1
        if earlier.epoch >= later.epoch or earlier.start_offset >= later.start_offset:
            copy.violate(
                result, "epoch-order", later.start_offset,
                f"its leader-epoch checkpoint has epoch {later.epoch} from {later.start_offset} on after epoch "
                f"{earlier.epoch} from {earlier.start_offset} on",
            )  # fmt: skip
    # A checkpoint is flushed at once and the log later, so after an unclean stop it may know more than the log.
    if entries and copy.stopped_cleanly and entries[-1].start_offset > copy.end_offset:
        copy.violate(
            result, "epoch-order", entries[-1].start_offset,
            f"its leader-epoch checkpoint begins epoch {entries[-1].epoch} at {entries[-1].start_offset}, beyond the "
            f"log's end {copy.end_offset}",
        )  # fmt: skip


def _batches(copy: Copy, result: DataResult) -> None:
    for earlier, later in pairwise(copy.folder.batches):
        result.asked["log-order"] += 1
        gap = later.base_offset > earlier.last_offset + 1 and not copy.is_compacted and not copy.is_broken
        if later.base_offset <= earlier.last_offset or gap:
            copy.is_broken = True
            copy.violate(
                result, "log-order", later.base_offset,
                f"a batch that ends at {earlier.last_offset} is followed by one from {later.base_offset} on",
            )  # fmt: skip
        if later.epoch < earlier.epoch:
            copy.violate(
                result, "log-order", later.base_offset,
                f"a batch of epoch {later.epoch} follows one of epoch {earlier.epoch}",
            )  # fmt: skip
    ungiven = set[int]()
    differs = False
    for batch in copy.folder.batches:
        result.asked["epoch-given"] += 1
        if not copy.was_given(batch.epoch) and batch.epoch not in ungiven:
            ungiven.add(batch.epoch)
            copy.violate(
                result, "epoch-given", batch.base_offset,
                f"a batch has epoch {batch.epoch}, in which the metadata log gave it no leader",
            )  # fmt: skip
        if copy.folder.epochs is None or batch.base_offset < copy.log_start:
            continue
        result.asked["epoch-checkpoint"] += 1
        told = copy.checkpointed(batch.base_offset)
        if told != batch.epoch and not differs:
            differs = True
            copy.violate(
                result, "epoch-checkpoint", batch.base_offset,
                f"a batch has epoch {batch.epoch}, and the leader-epoch checkpoint has "
                f"{'none' if told is None else told} for its offset",
            )  # fmt: skip


def _offsets(copy: Copy, result: DataResult) -> None:
    if copy.high_watermark is None:
        result.notes.append(f"no high watermark of {copy.name} on broker {copy.broker} was checkpointed")
    elif copy.high_watermark > copy.end_offset and copy.lost_tail:
        result.notes.append(
            f"broker {copy.broker} has lost what it had of {copy.name} from {copy.end_offset} on: its high watermark "
            f"was {copy.high_watermark}"
        )
    else:
        result.asked["high-watermark"] += 1
        if copy.high_watermark > copy.end_offset:
            message = f"its high watermark is {copy.high_watermark}, and its log ends at {copy.end_offset}"
            copy.violate(result, "high-watermark", copy.end_offset, message)
    if copy.recovery_point is not None:
        result.asked["recovery-point"] += 1
        if copy.recovery_point > copy.end_offset:
            message = f"its log was flushed up to {copy.recovery_point}, and ends at {copy.end_offset}"
            copy.violate(result, "recovery-point", copy.end_offset, message)


def _missing(
    recording: Recording, history: ClusterHistory, copies: dict[tuple[str, int], list[Copy]], result: DataResult
) -> None:
    """Report copies that should be there and are not: their content is unknown."""
    unrecorded = 0
    for key, partition in history.current().items():
        if not copies[key]:
            unrecorded += 1
            continue
        absent = set(partition.keepers) - {copy.broker for copy in copies[key]}
        refused = {
            one.broker for one in result.violations if one.rule == "topic-id" and one.partition == partition.name
        }
        for broker in sorted(absent - refused):
            result.doubts.append(
                f"no folder {partition.name} of broker {broker} is in {recording.path}, and it must have what was "
                "acknowledged"
            )
    if unrecorded:
        result.notes.append(f"{unrecorded} partitions of the metadata log are on no broker here: they were not checked")
    if not result.partitions and not result.violations:
        result.doubts.append("no broker's directory has a partition of the metadata log")


def _scope(recording: Recording, result: DataResult) -> None:
    killed = sorted({one.broker for one in recording.directories if not one.stopped_cleanly} - recording.lost_tails)
    if killed:
        result.notes.append(
            f"brokers {', '.join(map(str, killed))} did not stop cleanly; taken for killed processes, whose writes are "
            "kept: one that lost writes is named in lost_tails of meta.json"
        )
    for directory in recording.directories:
        for name in directory.unread:
            result.notes.append(f"{directory.path}/{name} is no current partition: it was not read")
