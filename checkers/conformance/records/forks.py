"""The declaration of a fork by which a log is read: the one that is given, or the shipped one whose sign is in it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from fencepost.checkers.verdicts import Refusal
from fencepost.model.language import Protocol
from fencepost.traces import Batch, LogSource, MetadataLog, Record, Snapshot, Undecodable, iterate_log, read_log
from fencepost.traces.forks import SHIPPED, Fork, ForkState, shipped

if TYPE_CHECKING:
    from fencepost.model.registry import Family


class Reader:
    """Reads what no release of Apache Kafka has by a fork's declaration.

    It is looked for when the first such record is met, so that other logs cost nothing: in the batches of all
    `snapshots`, then in those of the `log`.
    """

    def __init__(
        self, given: Fork | None, snapshots: Callable[[], Iterable[Batch]], log: Callable[[], Iterable[Batch]]
    ) -> None:
        self._read = ((snapshots, " in a snapshot"), (log, ""))
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
            self._taken = self._signed()
        return self._taken

    def _signed(self) -> Fork | None:
        for read, where in self._read:
            batches = list(read())
            for one in map(shipped, SHIPPED):
                sign = one.signed(batches)
                if sign:
                    self.sign = f"{sign}{where}"
                    return one
        return None

    @property
    def note(self) -> str:
        """A sentence that says by which declaration the log is read; empty where it is by none."""
        fork = self._taken
        if fork is None or not fork.name:
            return ""
        why = "as --fork says" if self._is_given else self.sign
        return f"Read by the declaration of {fork.name}, a fork of Kafka ({why})."

    def batch(self, batch: Batch) -> Batch:
        """Return a batch as tables read it: the fork's own records are read, and what its tags say."""
        fork = self.fork
        return batch if fork is None else fork.with_tags(fork.batch(batch))

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


def tables_of(fork: Fork | None) -> Protocol | None:
    """Return the tables that a fork names, None where it has none; raises as `family_of`."""
    found = family_of(fork)
    return None if found is None else found.whole


def family_of(fork: Fork | None) -> Family | None:
    """Return the protocol that a fork names, one of a Python file beside its declaration too; None where it has none.

    Raises `Refusal` for a name that is none, `TableError` for tables that are wrong.
    """
    if fork is None or not fork.rows:
        return None
    from fencepost.checkers.named import family, is_own
    from fencepost.model.registry import UnknownProtocol

    beside = os.path.join(os.path.dirname(fork.file), fork.rows)
    try:
        return family(beside if ".py" in fork.rows and is_own(beside) else fork.rows)
    except UnknownProtocol as error:
        raise Refusal(f"{fork.file}: rows: {error}") from None


def reader_of_log(log: MetadataLog, given: Fork | None) -> Reader:
    """Return what reads a log in memory."""

    return Reader(given, lambda: (batch for one in log.snapshots for batch in one.batches), lambda: log.whole)


def reader_of_source(source: LogSource) -> Reader:
    """Return what reads a log from its files; the fork that is given is the source's."""

    def snapshots() -> Iterator[Batch]:
        for path in source.snapshots:
            for one in read_log(replace(source, segments=(), snapshots=(path,))).snapshots:
                yield from one.batches

    def log() -> Iterator[Batch]:
        if source.segments:
            yield from (one for one in iterate_log(source) if isinstance(one, Batch))

    return Reader(source.fork, snapshots, log)


def with_snapshots(log: MetadataLog, reader: Reader) -> MetadataLog:
    """Return a log with its snapshots as tables read them."""
    if not any(batch.undecodable or batch.kept_raw for one in log.snapshots for batch in one.batches):
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
