"""The declaration of a fork by which a log is read: the one that is given, or the shipped one whose sign is in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from fencepost.traces import Batch, LogSource, MetadataLog, Record, Snapshot, Undecodable, iterate_log, read_log
from fencepost.traces.forks import SHIPPED, Fork, ForkState, shipped


class Reader:
    """Reads what no release of Apache Kafka has by a fork's declaration.

    It is looked for when the first such record is met, so that other logs cost nothing: in the `batches` of the whole
    log, snapshots first.
    """

    def __init__(self, given: Fork | None, batches: Callable[[], Iterable[Batch]]) -> None:
        self._batches = batches
        self._is_given, self._taken = given is not None, given
        self._is_known = given is not None
        self.sign = ""

    @property
    def taken(self) -> Fork | None:
        """The fork by which the log is read, None where there is none, or nothing was met yet that is not Kafka's."""
        return self._taken

    @property
    def fork(self) -> Fork | None:
        """The fork by which the log is read; the log is searched for a sign where none was given."""
        if not self._is_known:
            self._is_known = True
            batches = list(self._batches())
            for one in map(shipped, SHIPPED):
                self.sign = one.signed(batches)
                if self.sign:
                    self._taken = one
                    break
        return self._taken

    @property
    def note(self) -> str:
        """A sentence that says by which declaration the log is read; empty where it is by none."""
        fork = self._taken
        if fork is None or not fork.name:
            return ""
        why = "as --fork says" if self._is_given else self.sign
        return f"Read by the declaration of {fork.name}, a fork of Kafka ({why})."

    def batch(self, batch: Batch) -> Batch:
        """Return a batch in which the fork's own records are read."""
        fork = self.fork
        return batch if fork is None else fork.batch(batch)

    def record(self, record: Undecodable) -> Record | None:
        """Return a record of the fork's own that changes none of Kafka's cells, None for any other."""
        fork = self.fork
        return None if fork is None else fork.harmless(record)

    def owns(self, record: Record) -> bool:
        """Return whether a record is one of the fork's own."""
        return self._taken is not None and self._taken.owns(record)

    @property
    def has_rules(self) -> bool:
        """Whether the log is read as that of a fork whose controller has rules of its own."""
        return self._taken is not None and bool(self._taken.rules)


def reader_of_log(log: MetadataLog, given: Fork | None) -> Reader:
    """Return what reads a log in memory."""

    def batches() -> Iterator[Batch]:
        for one in log.snapshots:
            yield from one.batches
        yield from log.whole

    return Reader(given, batches)


def reader_of_source(source: LogSource) -> Reader:
    """Return what reads a log from its files; the fork that is given is the source's."""

    def batches() -> Iterator[Batch]:
        for one in source.snapshots:
            yield from (batch for found in read_log(replace(source, segments=(), snapshots=(one,))).snapshots
                        for batch in found.batches)  # fmt: skip
        if source.segments:
            yield from (one for one in iterate_log(source) if isinstance(one, Batch))

    return Reader(source.fork, batches)


def with_snapshots(log: MetadataLog, reader: Reader) -> MetadataLog:
    """Return a log in whose snapshots a fork's own records are read."""
    if not any(batch.undecodable for one in log.snapshots for batch in one.batches):
        return log
    fork = reader.fork
    return log if fork is None else replace(log, snapshots=tuple(map(fork.snapshot, log.snapshots)))


def fork_in(log: MetadataLog, given: Fork | None) -> Fork | None:
    """Return the fork by which a log is read, None where no release of Apache Kafka left anything to be read by one."""
    batches = [*(batch for one in log.snapshots for batch in one.batches), *log.whole]
    is_odd = any(batch.undecodable or batch.kept_raw for batch in batches)
    return reader_of_log(log, given).fork if is_odd else None


def state_of(log: MetadataLog, given: Fork | None, snapshot: Snapshot | None, offset: int) -> ForkState | None:
    """Return the state that a fork's own records leave in a log up to an offset, from a snapshot on where there is one.

    None where the log has no such record.
    """
    reader = reader_of_log(log, given)
    found: ForkState | None = None
    start = 0 if snapshot is None else snapshot.end_offset
    batches = [one for one in log.whole if start <= one.last_offset and one.base_offset <= offset]
    for batch in (*(() if snapshot is None else snapshot.batches), *batches):
        is_odd = bool(batch.undecodable or batch.kept_raw) and reader.fork is not None
        if found is None and not is_odd:
            continue
        fork = reader.fork
        assert fork is not None
        found = found or ForkState(fork)
        is_of_log = batch in batches
        for record in (fork.batch(batch) if is_odd else batch).metadata_records:
            if not is_of_log or start <= record.offset <= offset:
                found.apply(record)
    return found
