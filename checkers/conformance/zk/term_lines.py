"""The lines of one controller in one term, and which write of a history each of them claims."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from fencepost.model.zk.state import ReplicaState
from fencepost.traces.zk import Entry, TopicPartition
from fencepost.traces.zk.controller_lines import LeaderAndIsrSent, UpdateMetadataSummary

from .history import History, Write
from .known import Term
from .leaderships import Leadership
from .lines import Unit

_SUMMARIES = (UpdateMetadataSummary,)

_OVER = -1
"""The value of a mark that may be over whichever brokers are live."""

_ON_ITS_WAY = 5000
"""The milliseconds that a request may be on its way."""


@dataclass
class TermLines:
    """A term with its lines: those checked so far, the live brokers it may have seen, what it sent.

    `anchors` are the zxids of the writes that lines claim, by the number of the line's unit; `requested` are the
    replicas that requests about a version of a partition say, with the number of the unit. `cut` says that the log
    begins in the middle of the term; `ends` is when its file ends, in milliseconds. `unsettled` are the partitions that
    were written where the log does not reach: what their lines begin with is not known. `marks` are the replicas that
    were marked as offline for their directory, each with the number of the live brokers at the last write before.
    """

    term: Term
    units: Sequence[Unit]
    traced: bool
    anchors: dict[int, Write] = field(default_factory=dict)
    next: int = 0
    done: set[int] = field(default_factory=set)
    lives: list[frozenset[int]] = field(default_factory=list)
    seen: set[TopicPartition] = field(default_factory=set)
    requested: dict[tuple[TopicPartition | None, int], list[tuple[int, tuple[int, ...]]]] = field(default_factory=dict)
    waiting: dict[int, list[Entry]] = field(default_factory=dict)
    stopping: dict[int, int] = field(default_factory=dict)
    cut: bool = False
    ends: int | None = None
    batches: int = 0
    unsettled: set[TopicPartition] = field(default_factory=set)
    marks: dict[tuple[TopicPartition, int], int] = field(default_factory=dict)
    written_at: int = 0

    def __post_init__(self) -> None:
        for number, unit in enumerate(self.units):
            message = unit.entry.message
            if isinstance(message, LeaderAndIsrSent):
                key = (message.partition, message.state.partition_epoch)
                self.requested.setdefault(key, []).append((number, message.state.replicas))

    def wrote(self) -> None:
        """Note that a checked line claims a write: the lines in front of it are in order with the history."""
        self.written_at = max(0, len(self.lives) - 1)

    def mark(self, partition: TopicPartition, broker: int) -> None:
        """Note that a replica was marked as offline for its directory."""
        self.marks[partition, broker] = self.written_at

    def created_again(self, partition: TopicPartition) -> None:
        """Note that a partition of an old name was made: a broker that takes its replica answers that it is well."""
        for key in self.marks:
            if key[0] == partition:
                self.marks[key] = _OVER

    def lost_sets(self, partition: TopicPartition, lost: frozenset[int]) -> list[frozenset[int]]:
        """Return which replicas may be in lost directories where some are known to be: a broker's death ends its marks.

        When the controller hears of a death no line says.
        """
        over = frozenset(one for one in lost if self._may_be_over(partition, one))
        return list(dict.fromkeys((lost, lost - over, *(lost - {one} for one in sorted(over)))))

    def _may_be_over(self, partition: TopicPartition, broker: int) -> bool:
        marked = self.marks.get((partition, broker), _OVER)
        return marked == _OVER or any(broker not in alive for alive in self.lives[marked:])

    def pending(self, partition: TopicPartition) -> list[int]:
        """Return the numbers of the units about a partition that are not checked yet."""
        return [
            number
            for number in range(self.next, len(self.units))
            if number not in self.done and self.units[number].partition == partition
        ]

    def farewell(self, partition: TopicPartition) -> list[int]:
        """Return the numbers of the units that say that a partition's replicas are gone, before it is created again."""
        found = []
        for number in self.pending(partition):
            unit = self.units[number]
            if unit.assigned is not None and unit.leadership is None:
                break
            if unit.observation is not None and unit.observation.params.get("to") is ReplicaState.NONEXISTENT:
                found.append(number)
        return found

    def is_in_front(self, write: Write) -> bool:
        """Whether the line of a write may be outside the log: lines follow their writes."""
        return self.cut and write.transaction.time_ms <= self.units[0].entry.time_ms

    def is_behind(self, write: Write) -> bool:
        """Whether the line of a write may be behind the end of the log, or in a batch that the log breaks off in."""
        one = write.transaction
        return self.ends_before(one.time_ms) or one.zxid > self._whole_to

    def ends_before(self, time_ms: int) -> bool:
        """Whether the log ends before a time, so that it has no line of it."""
        return self.ends is not None and self.ends < time_ms

    @cached_property
    def _whole_to(self) -> float:
        """The zxid of the last write before a batch that has no end in the log: a batch ends with what it sends."""
        last = max((n for n, unit in enumerate(self.units) if isinstance(unit.entry.message, _SUMMARIES)), default=-1)
        if last == len(self.units) - 1:
            return math.inf
        return max((write.transaction.zxid for n, write in self.anchors.items() if n <= last), default=-1)

    def is_outside(self, time_ms: int) -> bool:
        """Whether something that was received then may have been sent where the log does not reach."""
        begins = self.units[0].entry.time_ms if self.cut and self.units else None
        return (begins is not None and time_ms <= begins + _ON_ITS_WAY) or self.ends_before(time_ms)

    @property
    def last_anchor(self) -> int:
        """The zxid of the last write that has a line, −1 where none has."""
        return max((write.transaction.zxid for write in self.anchors.values()), default=-1)


def anchored(lines: TermLines, history: History) -> None:
    """Join the lines of a term to its writes by partition and version, those that agree first.

    A line and a write that are left and are of one version are joined too, though one of them is wrong. Where a topic
    was created again, versions recur: then lines and writes are joined in order.
    """
    left = {key: list(writes) for key, writes in history.by_key.items() if key[0] == lines.term}
    last: dict[TopicPartition, Leadership] = {}
    open_lines: list[tuple[int, Unit, list[Write]]] = []
    for number, unit in enumerate(lines.units):
        said, p = unit.leadership, unit.partition
        if p is not None and unit.assigned is not None and said is None:
            last.pop(p, None)
        if said is None or p is None:
            continue
        writes = left.get((lines.term, p, said.version), [])
        alike = [write for write in writes if write.leadership.same == said.same]
        if lines.cut and len(alike) > 1:
            # The lines of an earlier topic of the name may be gone: a line follows its write.
            alike = [one for one in alike if one.transaction.time_ms <= unit.entry.time_ms][-1:] or alike
        same = next(iter(alike), None)
        if unit.claims is None and p not in last:
            # The line that a line repeats may be outside the log.
            repeats = same is not None and lines.is_in_front(same)
        else:
            repeats = unit.claims is None and last[p].version == said.version and last[p].same == said.same
        last[p] = said
        if same is not None and not repeats and (unit.claims or same.raises):
            writes.remove(same)
            lines.anchors[number] = same
        elif unit.claims or not any(one.same == said.same for one in history.leaderships.of(p, said.version)):
            # Any other line repeats what was written before, by a leader's wish or in another term.
            open_lines.append((number, unit, writes))
    for number, unit, writes in open_lines:
        said = unit.leadership
        write = next((one for one in writes if said is not None and (one.raises or _alike(one.leadership, said))), None)
        if write is not None:
            writes.remove(write)
            lines.anchors[number] = write


def _alike(one: Leadership, other: Leadership) -> bool:
    return (one.leader, one.isr) == (other.leader, other.isr)
