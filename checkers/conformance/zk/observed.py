"""Counts events in a healthy cluster's recording that look wrong and are not, so that none is taken for a violation.

Attempts that were refused, changes that failed, lines that say a write which was none, writes without a line, lines of
a controller whose epoch was over, and the states that controllers started with.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from fencepost.checkers.document import Document
from fencepost.traces.zk import EpochLines
from fencepost.traces.zk.causes import (
    Cause,
    ElectionByNewerController,
    ElectionFailed,
    InvalidPartitionTransition,
    InvalidReplicaTransition,
    NoLeadership,
    NoLiveReplica,
    NothingToLeave,
    ReplicaLeads,
    WrittenByNewerController,
)
from fencepost.traces.zk.controller_lines import (
    PartitionAssigned,
    PartitionChanged,
    PartitionChangeFailed,
    PartitionElected,
    ReplicaChanged,
    ReplicaChangeFailed,
)

from .history import History
from .known import Term
from .term_lines import TermLines

_REASONS: Mapping[type, str] = {
    ElectionFailed: "no eligible leader",
    NoLiveReplica: "no live replica",
    NoLeadership: "no state in ZooKeeper",
    ElectionByNewerController: "a newer controller wrote",
    WrittenByNewerController: "a newer controller wrote",
    ReplicaLeads: "the replica leads",
    NothingToLeave: "no state in ZooKeeper",
}


@dataclass(slots=True)
class Observed(Document):
    """Counts of what is legal and easily taken for a fault.

    `refused` are changes that the state machines refused, the state kept, and `failed` those that could not be made,
    each by its states in Kafka's names and the reason; `repeated` are lines that name a leadership as changed which
    was so before; `unlined` are writes of state znodes that no controller's line reports, those requested by leaders
    and the controllers' own; `late` are lines of an epoch that are younger than the first line of a later one; `starts`
    are the states in which controllers first name partitions and replicas; `changes` those that were made.
    """

    DOCUMENT = (
        "refused_attempts=refused:most_common failed_changes=failed:most_common lines_that_repeat=repeated "
        "writes_without_a_line=unlined:most_common lines_of_a_former_epoch=late first_states=starts:most_common "
        "changes:most_common"
    )

    refused: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    repeated: int = 0
    unlined: Counter[str] = field(default_factory=Counter)
    late: int = 0
    starts: Counter[str] = field(default_factory=Counter)
    changes: Counter[str] = field(default_factory=Counter)


def observed(epochs: Iterable[EpochLines], terms: Mapping[Term, TermLines], history: History | None) -> Observed:
    """Count over the lines of every epoch and term, and the writes of a history where there is one."""
    found = Observed()
    for epoch in epochs:
        _changes(found, epoch)
    found.late = _late(list(terms.values()))
    if history is not None:
        claimed = {id(write) for lines in terms.values() for write in lines.anchors.values()}
        for write in history.writes.values():
            if id(write) not in claimed:
                found.unlined["by a controller" if write.raises else "an ISR that its leader asked for"] += 1
        found.repeated = sum(
            unit.leadership is not None and number not in lines.anchors
            for lines in terms.values()
            for number, unit in enumerate(lines.units)
        )
    else:
        found.repeated = sum(map(_repeats, terms.values()))
    return found


def _changes(found: Observed, epoch: EpochLines) -> None:
    met = set[Any]()
    for entry in epoch.entries:
        message, cause = entry.message, entry.cause
        match message:
            case ReplicaChanged() | ReplicaChangeFailed():
                entity: Any = (message.partition, message.replica)
            case PartitionAssigned() | PartitionElected() | PartitionChanged() | PartitionChangeFailed():
                entity = message.partition
            case _:
                continue
        if entity not in met:
            met.add(entity)
            found.starts[message.source] += 1
        if isinstance(message, PartitionAssigned):
            target = "NewPartition"
        else:
            target = "OnlinePartition" if isinstance(message, PartitionElected) else message.target
        meaning = None if cause is None else cause.meaning
        if isinstance(meaning, InvalidPartitionTransition | InvalidReplicaTransition):
            found.refused[f"{meaning.actual} → {meaning.target}"] += 1
        elif isinstance(message, PartitionChangeFailed | ReplicaChangeFailed):
            found.failed[f"{message.source} → {target}: {_reason(cause)}"] += 1
        else:
            found.changes[f"{message.source} → {target}"] += 1


def _reason(cause: Cause | None) -> str:
    if cause is None:
        return "no reason given"
    meaning = cause.meaning
    return cause.name if meaning is None else _REASONS[type(meaning)]


def _late(terms: Sequence[TermLines]) -> int:
    """Lines of a term behind the first line of the next, by the clock: a controller that did not know."""
    ordered = sorted((one for one in terms if one.units), key=lambda one: one.term.epoch)
    starts: dict[int, str] = {}
    for earlier, later in pairwise(ordered):
        starts[earlier.term.epoch] = min(unit.entry.time for unit in later.units)
    return sum(
        unit.entry.time > starts[one.term.epoch] for one in ordered if one.term.epoch in starts for unit in one.units
    )


def _repeats(lines: TermLines) -> int:
    """Lines after a removal from the ISR that name the version which the same controller named before."""
    last: dict[Any, int] = {}
    count = 0
    for unit in _told(lines):
        assert unit.leadership is not None
        count += unit.claims is None and last.get(unit.partition) == unit.leadership.version
        last[unit.partition] = unit.leadership.version
    return count


def _told(lines: TermLines) -> Iterable[Any]:
    return (unit for unit in lines.units if unit.leadership is not None)
