"""The small text files of a broker's log directory: checkpoints of offsets and of leader epochs, partition.metadata.

A checkpoint (org.apache.kafka.server.common.CheckpointFile) has its version, which is 0, in the first line, the number
of entries in the second, then an entry a line, its words separated by one space; a file that was never written is
empty. The format functions write the bytes that Kafka writes; each parser takes the text of a whole file and the path
for its complaint, and raises TraceError.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeAlias

from fencepost.traces.errors import TraceError

LEADER_EPOCHS = "leader-epoch-checkpoint"
HIGH_WATERMARKS = "replication-offset-checkpoint"
RECOVERY_POINTS = "recovery-point-offset-checkpoint"
LOG_STARTS = "log-start-offset-checkpoint"

_NUMBER = re.compile(r"-?[0-9]{1,19}")
_TOPIC = re.compile(r"[A-Za-z0-9._-]{1,249}")
_UUID = re.compile(r"[A-Za-z0-9_-]{22}")
_LARGEST_INT, _LARGEST_LONG = 2**31 - 1, 2**63 - 1


class EpochEntry(NamedTuple):
    """A leader epoch and the offset of its first record (LeaderEpochFileCache)."""

    epoch: int
    start_offset: int


LeaderEpochs: TypeAlias = tuple[EpochEntry, ...]
"""A leader-epoch-checkpoint, in the file's order."""

Checkpoint: TypeAlias = Mapping[tuple[str, int], int]
"""A checkpoint of offsets: an offset for each topic and partition number."""


class PartitionMetadata(NamedTuple):
    """The content of partition.metadata: the version of its format, 0 or 1, and the topic's id."""

    version: int
    topic_id: str


def parse_leader_epochs(text: str, path: str) -> LeaderEpochs:
    """Return the entries of a leader-epoch-checkpoint; order and repetition are not checked here."""
    return tuple(
        EpochEntry(_whole(words[0], _LARGEST_INT, path, line), _whole(words[1], _LARGEST_LONG, path, line))
        for line, words in _entries(text, 2, path)
    )


def format_leader_epochs(entries: Iterable[EpochEntry]) -> str:
    """Return the text of a leader-epoch-checkpoint."""
    return _checkpoint(f"{epoch} {start}" for epoch, start in entries)


def parse_offsets(text: str, path: str) -> Checkpoint:
    """Return the offsets of a checkpoint of high watermarks, recovery points or log starts."""
    found: dict[tuple[str, int], int] = {}
    for line, (topic, number, offset) in _entries(text, 3, path):
        if not _TOPIC.fullmatch(topic):
            raise TraceError(f"{path}: line {line} has {topic!r} where a topic's name should be")
        partition = (topic, _whole(number, _LARGEST_INT, path, line))
        if partition in found:
            raise TraceError(f"{path}: line {line} names {topic}-{number} again")
        found[partition] = _whole(offset, _LARGEST_LONG, path, line)
    return found


def format_offsets(offsets: Checkpoint) -> str:
    """Return the text of a checkpoint of offsets."""
    return _checkpoint(f"{topic} {partition} {offset}" for (topic, partition), offset in offsets.items())


def parse_partition_metadata(text: str, path: str) -> PartitionMetadata:
    """Return what a partition.metadata says (org.apache.kafka.storage.internals.checkpoint.PartitionMetadataFile)."""
    lines = text.splitlines()
    words = [line.partition(": ") for line in lines]
    if [name for name, _, _ in words] != ["version", "topic_id"]:
        raise TraceError(f"{path}: it should have two lines, version and topic_id, and has {_shown(text)}")
    version = _whole(words[0][2], _LARGEST_INT, path, 1)
    if version > 1:
        raise TraceError(f"{path}: its version is {version}, and 0 and 1 are known")
    if not _UUID.fullmatch(words[1][2]):
        raise TraceError(f"{path}: {words[1][2]!r} is no topic id")
    return PartitionMetadata(version, words[1][2])


def format_partition_metadata(found: PartitionMetadata) -> str:
    """Return the text of a partition.metadata."""
    return f"version: {found.version}\ntopic_id: {found.topic_id}"


def _checkpoint(lines: Iterable[str]) -> str:
    entries = list(lines)
    return "".join(f"{line}\n" for line in ("0", str(len(entries)), *entries))


def _entries(text: str, width: int, path: str) -> list[tuple[int, list[str]]]:
    """Return the words of each entry with the number of its line, from 1."""
    lines = text.splitlines()
    if not lines:
        # Kafka makes the file when it opens it, and takes an empty one for no entries.
        return []
    if len(lines) < 2:
        raise TraceError(
            f"{path}: a checkpoint begins with its version and the number of its entries, and this is {_shown(text)}"
        )
    if lines[0] != "0":
        raise TraceError(f"{path}: the first line says version {lines[0]!r}, and checkpoints have version 0")
    count, found = _whole(lines[1], _LARGEST_INT, path, 2), lines[2:]
    if count != len(found):
        raise TraceError(f"{path}: the second line says {count} entries, and {len(found)} follow")
    entries = [(number, line.split(" ")) for number, line in enumerate(found, start=3)]
    for number, words in entries:
        if len(words) != width:
            raise TraceError(f"{path}: line {number} should have {width} words, and is {_shown(' '.join(words))}")
    return entries


def _whole(word: str, largest: int, path: str, line: int) -> int:
    if not _NUMBER.fullmatch(word):
        raise TraceError(f"{path}: line {line} has {_shown(word)} where a number should be")
    number = int(word)
    if not 0 <= number <= largest:
        raise TraceError(f"{path}: line {line} has {word}, which is not between 0 and {largest}")
    return number


def _shown(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:60] + "...") if text else "empty"
