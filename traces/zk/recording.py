"""The recording of one ZooKeeper-era cluster: its brokers' logs and the history of its znodes, found by their names.

All lines of one controller epoch are in one broker's file, in the order in which its one thread wrote them; epochs are
ordered by their number, never by time or file.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fencepost.files import json_value
from fencepost.traces.errors import TraceError
from fencepost.traces.storage import base_name, kind_of, read_text, size_of
from fencepost.traces.zk_recordings import CONTROLLER, HISTORY, STATE_CHANGE, files_of

from .controller_lines import ATTEMPTS, TRANSITIONS
from .controller_log import ControllerLog, read_controller_log
from .entries import Entry, Record, Unparsed
from .state_change import read_state_change
from .znode_tree import Znode, read_znodes
from .znodes import Transaction, read_znode_history

_FINAL, _META = "final-znodes.json", "meta.json"


@dataclass(frozen=True, slots=True)
class BrokerLog:
    """The log files of one broker, in order of time; the broker is None where the names do not say it."""

    broker: int | None
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EpochLines:
    """The lines of one controller epoch in file order, and the files they are in: one, unless something is wrong.

    Lines whose head has no epoch are here by the epoch of the controller's line before them.
    """

    epoch: int
    controllers: tuple[int, ...]
    files: tuple[str, ...]
    entries: tuple[Entry, ...]

    @property
    def transitions(self) -> tuple[Entry, ...]:
        """The changes of partitions and replicas that were made, in order."""
        return tuple(entry for entry in self.entries if isinstance(entry.message, TRANSITIONS))

    @property
    def attempts(self) -> tuple[Entry, ...]:
        """The changes that were refused or failed, in order."""
        return tuple(entry for entry in self.entries if isinstance(entry.message, ATTEMPTS))


@dataclass(frozen=True, slots=True)
class Gathered:
    """All records of a recording: by controller epoch, and for each broker what it wrote as a broker.

    `before_any` are controllers' lines without an epoch that stand before every line with one. `kinds` counts the
    kinds of lines, `records` all records with the unparsed ones.
    """

    epochs: tuple[EpochLines, ...]
    brokers: Mapping[int, tuple[Entry, ...]]
    before_any: tuple[Entry, ...]
    unparsed: tuple[Unparsed, ...]
    kinds: Mapping[str, int]
    records: int


@dataclass(frozen=True, slots=True)
class ZkRecording:
    """The files of one cluster, nothing of them read yet but `meta`; `missing` says what is not there, a sentence each.

    The history and the final znodes are None where there is no such file.
    """

    path: str
    state_change: tuple[BrokerLog, ...]
    controller: tuple[BrokerLog, ...]
    history: str | None
    final: str | None
    meta: Mapping[str, Any]
    missing: tuple[str, ...]

    @property
    def name(self) -> str:
        """The name of the folder, or of the one file."""
        return base_name(self.path)

    def records(self) -> Iterator[Record]:
        """Yield the records of every state-change.log, broker after broker."""
        for log in self.state_change:
            for file in log.files:
                yield from read_state_change(file)

    def gathered(self) -> Gathered:
        """Return all records, by controller epoch and by broker."""
        return gather(self.records())

    def controller_logs(self) -> tuple[ControllerLog, ...]:
        """Return the parsed lines of every controller.log."""
        return tuple(read_controller_log(file) for log in self.controller for file in log.files)

    def transactions(self) -> Iterator[Transaction]:
        """Yield the transactions of the znode history, none where there is no history."""
        if self.history is not None:
            yield from read_znode_history(self.history)

    def final_znodes(self) -> dict[str, Znode] | None:
        """Return the znodes at the end, None where they were not kept."""
        return None if self.final is None else read_znodes(self.final)


def gather(records: Iterator[Record]) -> Gathered:
    """Return records by controller epoch and by broker, in the order given within each."""
    epochs: dict[int, list[Entry]] = {}
    brokers: dict[int, list[Entry]] = {}
    before_any: list[Entry] = []
    unparsed: list[Unparsed] = []
    kinds: Counter[str] = Counter()
    last: dict[int, int] = {}
    for record in records:
        if isinstance(record, Unparsed):
            unparsed.append(record)
            continue
        kinds[record.message.kind] += 1
        sender = record.sender
        if sender.role == "Broker":
            brokers.setdefault(sender.id, []).append(record)
            continue
        epoch = last.get(sender.id) if sender.epoch is None else sender.epoch
        if epoch is None:
            before_any.append(record)
        else:
            last[sender.id] = epoch
            epochs.setdefault(epoch, []).append(record)
    return Gathered(
        epochs=tuple(
            EpochLines(
                epoch,
                tuple(dict.fromkeys(entry.sender.id for entry in entries)),
                tuple(dict.fromkeys(entry.file for entry in entries)),
                tuple(entries),
            )
            for epoch, entries in sorted(epochs.items())
        ),
        brokers={broker: tuple(entries) for broker, entries in sorted(brokers.items())},
        before_any=tuple(before_any),
        unparsed=tuple(unparsed),
        kinds=dict(sorted(kinds.items())),
        records=sum(kinds.values()) + len(unparsed),
    )


def recording_size(path: str | Path) -> int:
    """The bytes of the files of a recording where they lie, 0 where they cannot be listed."""
    try:
        return sum(map(size_of, files_of(str(path))))
    except TraceError:
        return 0


def read_recording(path: str | Path) -> ZkRecording:
    """Return the files of the cluster in a directory, or of one file alone.

    Raises `TraceError` where there is neither a state-change.log nor a znode history, or two histories.
    """
    place = str(path)
    if kind_of(place) == "missing":
        raise TraceError(f"{place}: there is no such directory; give one with the logs of a ZooKeeper-era cluster")
    names = files_of(place)
    alone = kind_of(place) == "file"
    there = {base_name(name): name for name in names}
    histories = [name for name in there if HISTORY.fullmatch(name)]
    state_change, controller = _logs(there, STATE_CHANGE), _logs(there, CONTROLLER)
    if not state_change and not histories:
        raise TraceError(
            f"{place}: holds neither state-change*.log nor znode-history.ndjson; "
            "give the directory with the logs of one ZooKeeper-era cluster"
        )
    if len(histories) > 1:
        raise TraceError(
            f"{place}: holds {len(histories)} znode histories ({', '.join(sorted(histories))}); "
            "give each cluster a directory of its own"
        )
    history = there[histories[0]] if histories else None
    meta = _meta(there[_META]) if _META in there and not alone else {}
    return ZkRecording(
        path=place,
        state_change=state_change,
        controller=controller,
        history=history,
        final=there.get(_FINAL),
        meta=meta,
        missing=tuple(_missing(place, state_change, controller, history, meta)),
    )


def _logs(there: Mapping[str, str], pattern: re.Pattern[str]) -> tuple[BrokerLog, ...]:
    found: dict[int | None, list[tuple[tuple[int, str, int], str]]] = {}
    for name, path in there.items():
        match = pattern.fullmatch(name)
        if match is not None:
            broker = None if match[1] is None else int(match[1])
            found.setdefault(broker, []).append((_age(match[2]), path))
    return tuple(
        BrokerLog(broker, tuple(path for _, path in sorted(files)))
        for broker, files in sorted(found.items(), key=lambda each: -1 if each[0] is None else each[0])
    )


def _age(rolled: str | None) -> tuple[int, str, int]:
    """Return the key that sorts a log's files by time: numbered ones from the largest, dated ones, the one in use."""
    if rolled is None:
        return 2, "", 0
    return (0, "", -int(rolled)) if rolled.isdecimal() else (1, rolled, 0)


def _meta(path: str) -> Mapping[str, Any]:
    try:
        found = json_value(read_text(path))
    except ValueError as error:
        raise TraceError(f"{path}: is no JSON ({error}); correct the file or take it away") from error
    if not isinstance(found, dict):
        raise TraceError(f"{path}: is no JSON object; correct the file or take it away")
    return found


def _missing(
    place: str,
    state_change: tuple[BrokerLog, ...],
    controller: tuple[BrokerLog, ...],
    history: str | None,
    meta: Mapping[str, Any],
) -> Iterator[str]:
    if not state_change:
        yield f"{place}: no state-change.log, so no transition of either state machine is known"
    if history is None:
        yield f"{place}: no znode-history.ndjson, so what was written to ZooKeeper is known from the logs alone"
    if not controller:
        yield f"{place}: no controller.log, so ISRs changed by leaders and start states are unknown"
    brokers = meta.get("brokers")
    for broker in brokers if isinstance(brokers, list) and state_change else ():
        if broker not in {log.broker for log in state_change}:
            yield f"{place}: no state-change.log of broker {broker}, so epochs that it was controller in are missing"
