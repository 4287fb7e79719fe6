"""Metadata logs found on disk or behind a URI, read whole (`read_log`) or batch by batch (`iterate_log`)."""

from __future__ import annotations

import contextlib
import os
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from .dump_reader import DumpedFile, scan_dump
from .errors import TraceError
from .names import (
    META_PROPERTIES,
    METADATA_DIRECTORY,
    METADATA_TOPIC_ID,
    PARTITION_METADATA,
    SnapshotId,
    is_bootstrap_name,
    is_dump_name,
    leftover_kind,
    parse_segment_name,
    parse_snapshot_name,
    read_as,
    without_gz,
)
from .records import Batch, ControlRecord, Item, MetadataLog, Quarantined, Segment, Snapshot, TrailingZeros
from .segments import Joins, scan
from .storage import (
    base_name,
    directory_of,
    expand_glob,
    join,
    kind_of,
    leads_nowhere,
    list_directory,
    open_file,
    position_of,
    size_of,
    text_lines,
)

if TYPE_CHECKING:
    from .forks import Fork

_ADVICE = "give a __cluster_metadata-0 directory, its .log or .checkpoint files, or kafka-dump-log text"
_SNIFFED = 1 << 12
HIDES_CONTROL_RECORDS = (
    "The text does not show the control records, which name the leaders: make it anew with kafka-dump-log "
    "--cluster-metadata-decoder and without --skip-record-metadata to have them read, too."
)
NO_BATCH_LINES = "the text has no batch lines: offsets may be counted, epochs and batches are unknown"


@dataclass(frozen=True, slots=True)
class LogSource:
    """A metadata log that was found and not yet read; small, and sent to another process at no cost.

    `segments` and `snapshots` are paths or URIs in log order; for `dump` the one segment is the text itself. `unread`
    are the names of files that Kafka has not finished, or has deleted: they are no part of the log. `unreadable` is the
    sentence why there is something that cannot even be looked into, with which reading it raises; empty for none. With
    `skip_unknown` a replay skips records of types that are not known here, as forks write them. `fork`
    is the declaration by which these are read, None for a shipped one whose sign is in the log.
    """

    path: str
    source: Literal["binary", "dump"]
    segments: tuple[str, ...]
    snapshots: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    unreadable: str = ""
    skip_unknown: bool = False
    fork: Fork | None = None

    @property
    def size(self) -> int:
        """The bytes of its files where they lie, snapshots and all; what lies behind a URI counts for nothing."""
        return sum(map(size_of, (*self.segments, *self.snapshots)))


def find_logs(paths: Iterable[str | os.PathLike[str]], keep: bool = False) -> tuple[LogSource, ...]:
    """The metadata logs that files, directories, globs and URIs name, in the order given, none twice.

    A directory that is itself a log directory means that log; any other one for every log directory below it,
    at any depth. Several files of one directory, a segment among them, are one log. With `keep` what is there and
    cannot be read is found too, as a source that is `unreadable`: a directory that is called as a log's is, or has
    files called as its files are, and nothing that is read. Raises TraceError for a path that names no log at all.
    """
    expanded = {path: expand_glob(path) for path in [os.fspath(given) for given in paths]}
    if not expanded:
        raise TraceError(f"no path is given: {_ADVICE}")
    for path, matching in expanded.items():
        if not matching:
            raise TraceError(f"{path}: no file or directory matches: check the pattern, or {_ADVICE}")
    everything = list(dict.fromkeys(each for matching in expanded.values() for each in matching))
    together = files_of_one_log(everything)
    found: dict[str, LogSource] = {}
    for each in everything:
        if each in together:
            found.setdefault(together[each].path, together[each])
            continue
        for source in _sources_at(each, keep, each not in expanded):
            found.setdefault(source.path, source)
    return tuple(found.values())


def files_of_one_log(paths: Iterable[str]) -> dict[str, LogSource]:
    """The logs of which several files are among the paths, a segment at least, by each of these files."""
    folders: dict[str, dict[str, str]] = {}
    for path in paths:
        name = base_name(path)
        if parse_segment_name(name) is not None or parse_snapshot_name(name) is not None:
            folders.setdefault(directory_of(path), {})[path] = name
    found: dict[str, LogSource | None] = {}
    for folder, names in folders.items():
        if len(names) > 1 and any(parse_segment_name(name) is not None for name in names.values()):
            found |= dict.fromkeys(names, log_of_files(folder, tuple(dict.fromkeys(names.values()))))
    return {path: source for path, source in found.items() if source is not None}


def find_log(path: str | os.PathLike[str]) -> LogSource:
    """The one log at a path; raises TraceError if there is none there, or more than one."""
    sources = find_logs([path])
    if len(sources) > 1:
        some = ", ".join(one.path for one in sources[:2])
        raise TraceError(f"{os.fspath(path)}: {len(sources)} logs lie below this directory: name one, such as {some}")
    return sources[0]


def read_log(source: str | os.PathLike[str] | LogSource, progress: Callable[[int], None] | None = None) -> MetadataLog:
    """Read a whole metadata log into memory.

    Takes a segment, a checkpoint, a log directory, or kafka-dump-log text, gzipped or not, as a path or URI, or what
    `find_logs` found. Damage is reported in `quarantined`. `progress` is called with the bytes read so far, as they lie
    on disk. Raises TraceError for what is no metadata log at all.
    """
    found = _readable(source if isinstance(source, LogSource) else find_log(source))
    try:
        return _read_dump(found, progress) if found.source == "dump" else _read_binary(found, progress)
    except OSError as error:
        raise TraceError(f"{found.path}: cannot be read ({error}): check disk and permissions") from error


def iterate_log(source: str | os.PathLike[str] | LogSource, joins: Joins | None = None) -> Iterator[Item]:
    """Read the segments of a log (snapshots apart) item by item, in log order: memory is one batch, not the log.

    With `joins` neighbouring batches of one record may be read together (`SingleBatches`) where the log is binary.

    Raises as `read_log` does, some of it only on the way.
    """
    found = _readable(source if isinstance(source, LogSource) else find_log(source))
    if found.source == "binary":
        yield from _refused_if_no_batches(
            found.path, (item for path in found.segments for item in _scan_file(path, joins=joins))
        )
        return
    for file, item in _scan_dump_file(found.segments[0], fork=found.fork):
        if file.snapshot is None:
            yield item


def iterate_file(path: str) -> Iterator[Item]:
    """Read one binary segment or checkpoint file item by item; raises TraceError as `read_log` does."""
    return _refused_if_no_batches(path, _scan_file(path))


def read_snapshot(path: str | os.PathLike[str]) -> Snapshot:
    """Read one checkpoint file; raises TraceError if the path names none, or if a part of it is unreadable."""
    log = read_log(path)
    if not log.snapshots:
        raise TraceError(f"{os.fspath(path)}: this is no snapshot: give a .checkpoint file")
    if log.quarantined:
        damage = log.quarantined[0]
        raise TraceError(f"{log.path}: bytes {damage.start} to {damage.end} are unreadable ({damage.reason})")
    return log.snapshots[0]


def _readable(source: LogSource) -> LogSource:
    if source.unreadable:
        raise TraceError(source.unreadable)
    return source


def _scan_file(path: str, progress: Callable[[int], None] | None = None, joins: Joins | None = None) -> Iterator[Item]:
    with open_file(path) as stream:
        for item in scan(stream, without_gz(base_name(path)), joins=joins):
            if progress is not None:
                progress(position_of(stream))
            yield item


def _refused_if_no_batches(path: str, items: Iterable[Item]) -> Iterator[Item]:
    """The items; at their end, TraceError if no batch was among them and the beginning is not even a damaged one."""
    seen_batch = False
    first: Item | None = None
    for item in items:
        seen_batch = seen_batch or isinstance(item, Batch)
        first = first or item
        yield item
    if not seen_batch and isinstance(first, Quarantined) and first.kind in ("magic", "length"):
        raise TraceError(f"{path}: no Kafka record batch is in here (byte {first.start}: {first.reason}): {_ADVICE}")


def _sources_at(path: str, keep: bool, is_matched: bool) -> list[LogSource]:
    try:
        if is_matched and leads_nowhere(path):
            raise _Unreadable(f"{path}: is a link to what is not there: copy what it leads to")
        return _found_at(path, keep)
    except _Unreadable as error:
        if not keep:
            raise
        return [LogSource(path, "binary", (), unreadable=str(error))]


class _Unreadable(TraceError):
    """Something is there, and cannot be looked into."""


@contextlib.contextmanager
def _looking_into() -> Iterator[None]:
    try:
        yield
    except TraceError as error:
        raise _Unreadable(str(error)) from error


def _found_at(path: str, keep: bool) -> list[LogSource]:
    with _looking_into():
        kind = kind_of(path)
    if kind == "missing":
        raise TraceError(f"{path}: there is no such file or directory: {_ADVICE}")
    if kind == "file":
        with _looking_into():
            return [_file_source(path)]
    others: list[str] = []
    sources = list(_walk(path, path, keep, others))
    if not sources:
        beside = f"; on Spark {others[0]}, which has Parquet, is read as a table of records" if others else ""
        raise TraceError(f"{path}: no metadata log lies in or below this directory: {_ADVICE}{beside}")
    return sources


def _is_metadata(path: str) -> bool:
    """Whether the topic that a `partition.metadata` names is the metadata log's (Uuid.METADATA_TOPIC_ID)."""
    with open_file(path) as file:
        try:
            return METADATA_TOPIC_ID.encode() in file.read(_SNIFFED)
        except (EOFError, OSError, zlib.error) as error:
            raise TraceError(f"{path}: the file cannot be read ({error}): {_ADVICE}") from error


def _walk(directory: str, top: str, keep: bool, others: list[str], is_link: bool = False) -> Iterator[LogSource]:
    """The logs in and below a directory; `others` takes the directories of Parquet files that were passed over."""
    try:
        with _looking_into():
            listing = list_directory(directory)
            is_named = directory != top and PARTITION_METADATA in listing.files
            # A partition of a topic has files with the names of the metadata log's.
            if is_named and not _is_metadata(join(directory, PARTITION_METADATA)):
                return
            source = _directory_source(directory, listing.files)
            if METADATA_DIRECTORY in listing.files:
                there = join(directory, METADATA_DIRECTORY)
                what = "a link to what is not there" if leads_nowhere(there) else "a file"
                raise _Unreadable(f"{there}: is {what}, and a log is a directory: copy it whole")
    except _Unreadable as error:
        if not keep:
            raise
        yield LogSource(directory, "binary", (), unreadable=str(error))
        return
    if source is not None:
        yield source
        if directory == top:
            return
    if any(name.endswith(".parquet") for name in listing.files):
        # Of a table in partitions the folder above them is the table.
        others.append(re.sub(r"([/\\][^/\\=]+=[^/\\]*)+$", "", directory))
    # A link leads to a log or to the directory of a node, and no further: it may lead anywhere. What lies below the top
    # is found there.
    links = tuple(name for name in listing.links if not _is_below(join(directory, name), top))
    below = (*listing.directories, *links)
    # What else lies in a directory of a node are partitions of other topics, whose files have the same names.
    if is_link or METADATA_DIRECTORY in below or META_PROPERTIES in listing.files:
        below = tuple(name for name in below if name == METADATA_DIRECTORY)
    is_empty = source is None and base_name(directory) == METADATA_DIRECTORY
    for name in below:
        for found in _walk(join(directory, name), top, keep, others, name in links):
            is_empty = False
            yield found
    if is_empty:
        sentence = f"{directory}: nothing in it can be read: {_what_is_read(listing.files)}"
        if not keep:
            raise _Unreadable(sentence)
        yield LogSource(directory, "binary", (), unreadable=sentence)


def _is_below(path: str, top: str) -> bool:
    return Path(path).resolve().is_relative_to(Path(top).resolve())


def _what_is_read(names: tuple[str, ...]) -> str:
    """Return the content of a directory that has no readable file, and the expected file names, as a text."""
    there = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "") if names else "no file"
    return f"it has {there}, and segments are read as .log or .log.gz"


def log_of_files(directory: str, names: tuple[str, ...]) -> LogSource | None:
    """The log that files of a directory are by their names, `unreadable` where a part has a name that is not read; None
    where they are none."""
    try:
        return _directory_source(directory, names)
    except _Unreadable as error:
        return LogSource(directory, "binary", (), unreadable=str(error))


def _directory_source(directory: str, names: tuple[str, ...]) -> LogSource | None:
    """The log that the files of a directory are, None where they are none.

    Raises _Unreadable where a part of it has a name under which it is not read: one packed otherwise than by gzip, or
    not yet copied. What lies in front of the first segment, or beside its like, is not needed.
    """
    chosen = [name for name in names if not (name.endswith(".gz") and without_gz(name) in names)]
    segments = sorted(name for name in chosen if parse_segment_name(name) is not None)
    snapshots = sorted(name for name in chosen if parse_snapshot_name(name) is not None)
    dumps = [name for name in chosen if is_dump_name(name)]
    unread = {name: meant for name in names if (meant := read_as(name)) is not None}
    has_log = bool(segments) or not all(map(is_bootstrap_name, snapshots))
    read = {without_gz(name) for name in (segments if has_log else dumps)}
    missing = [
        name
        for name, meant in unread.items()
        if meant not in read and (not read or (parse_segment_name(meant) is not None and meant > min(read)))
    ]
    if missing:
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        raise _Unreadable(
            f"{join(directory, missing[0])}{more}: a part of the log that is not read, as its name ends in "
            f".{missing[0].rpartition('.')[2]}: unpack it, or pack it with gzip; segments are read as .log or .log.gz"
        )
    # A node's data directory has the records that it was formatted with; its log lies below.
    if has_log:
        return LogSource(
            directory,
            "binary",
            tuple(join(directory, name) for name in segments),
            tuple(join(directory, name) for name in sorted(snapshots, key=_snapshot_order)),
            tuple(name for name in names if leftover_kind(name) is not None or name in unread),
        )
    return LogSource(directory, "dump", (join(directory, dumps[0]),)) if dumps else None


def hides_control_records(batch: Batch) -> bool:
    """Whether a batch was read from a text that does not show its control records."""
    return batch.is_control and any(isinstance(one, ControlRecord) and not one.data for one in batch.records)


def _snapshot_order(name: str) -> tuple[SnapshotId, str]:
    return parse_snapshot_name(name) or SnapshotId(0, 0), name


def _file_source(path: str) -> LogSource:
    if parse_snapshot_name(base_name(path)) is not None:
        return LogSource(path, "binary", (), (path,))
    with open_file(path) as stream:
        try:
            head = stream.read1(_SNIFFED)
        except (EOFError, OSError, zlib.error) as error:
            raise TraceError(f"{path}: the file cannot be read ({error}): {_ADVICE}") from error
    # A batch begins with its offset, whose first byte is zero; text has one only where a dump prints raw values.
    is_dump = head.startswith((b"Dumping ", b"baseOffset: "))
    is_text = (is_dump or b"\0" not in head) and bool(head.strip()) and parse_segment_name(base_name(path)) is None
    return LogSource(path, "dump" if is_text else "binary", (path,))


def _read_binary(found: LogSource, progress: Callable[[int], None] | None) -> MetadataLog:
    items, before = dict[str, list[Item]](), 0
    for path in (*found.segments, *found.snapshots):
        items[path] = list(_scan_file(path, _after(before, progress)))
        before += size_of(path)
    everything = list(_refused_if_no_batches(found.path, (item for each in items.values() for item in each)))

    def batches_of(path: str) -> list[Batch]:
        return [item for item in items[path] if isinstance(item, Batch)]

    segments, batches = [], []
    for path in found.segments:
        read = batches_of(path)
        segments.append(segment_of(path, read[0].base_offset if read else 0))
        batches += read
    snapshots = []
    for path in found.snapshots:
        end_offset, epoch = snapshot_id(path)
        snapshots.append(Snapshot(end_offset, epoch, without_gz(base_name(path)), tuple(batches_of(path))))
    return MetadataLog(
        path=found.path,
        source="binary",
        segments=tuple(segments),
        batches=tuple(batches),
        snapshots=tuple(snapshots),
        quarantined=tuple(item for item in everything if isinstance(item, Quarantined)),
        trailing_zeros=tuple(item for item in everything if isinstance(item, TrailingZeros)),
        notes=leftover_notes(found),
    )


def segment_of(path: str, first: int) -> Segment:
    """The segment that a file is; `first` is the offset of its first batch, which counts where the name has none."""
    name = without_gz(base_name(path))
    named = parse_segment_name(name)
    return Segment(name, first if named is None else named)


def snapshot_id(path: str) -> SnapshotId:
    """Return the id in a snapshot's name, zeros for another name."""
    return parse_snapshot_name(without_gz(base_name(path))) or SnapshotId(0, 0)


def leftover_notes(source: LogSource) -> tuple[str, ...]:
    """Sentences about the files that were not read."""
    return tuple(f"{name} is {leftover_kind(name) or 'under another name'}: it was not read." for name in source.unread)


def _after(before: int, progress: Callable[[int], None] | None) -> Callable[[int], None] | None:
    """Return a callback for the bytes read of a file that adds the bytes of earlier files."""
    return None if progress is None else lambda done: progress(before + done)


def _scan_dump_file(
    path: str, progress: Callable[[int], None] | None = None, fork: Fork | None = None
) -> Iterator[tuple[DumpedFile, Item]]:
    with open_file(path) as stream:
        try:
            for found in scan_dump(text_lines(stream, path, "replace"), base_name(path), fork):
                if progress is not None:
                    progress(position_of(stream))
                yield found
        except (EOFError, OSError, zlib.error) as error:
            raise TraceError(f"{path}: the text cannot be read to its end ({error}): copy it again") from error


def _read_dump(found: LogSource, progress: Callable[[int], None] | None) -> MetadataLog:
    files: dict[str, tuple[DumpedFile, list[Batch]]] = {}
    quarantined = []
    for file, item in _scan_dump_file(found.segments[0], progress, found.fork):
        _, batches = files.setdefault(file.path, (file, []))
        if isinstance(item, Batch):
            batches.append(item)
        elif isinstance(item, Quarantined):
            quarantined.append(item)
    directories = {path.rpartition("/")[0] for path in files}
    if len(directories) > 1:
        raise TraceError(
            f"{found.path}: the text holds dumps of {len(directories)} directories ({', '.join(sorted(directories))}): "
            "split it, one text for each log"
        )
    segments = sorted(
        ((file, batches) for file, batches in files.values() if file.snapshot is None),
        key=lambda pair: pair[0].base_offset or 0,
    )
    snapshots = [
        Snapshot(file.snapshot.end_offset, file.snapshot.epoch, file.name, tuple(batches))
        for file, batches in files.values()
        if file.snapshot is not None
    ]
    everything = (batch for _, batches in files.values() for batch in batches)
    notes = [HIDES_CONTROL_RECORDS] if any(map(hides_control_records, everything)) else []
    is_bare = any(batch.epoch < 0 for _, batches in segments for batch in batches)
    return MetadataLog(
        path=found.path,
        source="dump",
        segments=tuple(
            Segment(file.name, file.base_offset if file.base_offset is not None else batches[0].base_offset)
            for file, batches in segments
            if batches or file.base_offset is not None
        ),
        batches=tuple(batch for _, batches in segments for batch in batches),
        snapshots=tuple(sorted(snapshots, key=lambda each: (each.end_offset, each.epoch))),
        quarantined=tuple(quarantined),
        notes=(*notes, *([NO_BATCH_LINES] if is_bare else ())),
    )
