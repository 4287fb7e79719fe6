"""Partitions with equal cells in lock step: one of each class represents all, until a step treats some otherwise.

What a row does to a partition depends on its own cells, on those of its topic and of brokers, and not on its number. So
partitions of a topic whose cells are equal stay equal while the controller writes equal records about them. A request
that names one of them, or records that differ, set partitions apart before the rows are evaluated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from fencepost.checkers.conformance.records.wire import entity_text
from fencepost.checkers.conformance.requests.adapters import of_all
from fencepost.checkers.conformance.requests.adapting import topic_named
from fencepost.model.kraft.state import PARTITION
from fencepost.model.language.state import State
from fencepost.traces import Record
from fencepost.traces import events as e
from fencepost.traces.steps import Step, WrittenRecord

from .claims import Known
from .controller_state import ControllerState, Shape

Partition = tuple[str, int]
"""The id of a topic, and a partition's number."""

_ABOUT = ("PARTITION_RECORD", "PARTITION_CHANGE_RECORD")
_SORT = str(PARTITION)
_IDS = ("topicId", "partitionId")

Content = tuple[Any, ...]
"""The content of records about one partition, without the partition's own id."""


@dataclass(slots=True, eq=False)
class _Class:
    """The partition that has cells, and those that it represents: at least one."""

    first: Partition
    others: dict[Partition, None]


class Classes:
    """Classes of partitions, each with more than one member."""

    def __init__(self, shape: Shape, classes: Iterable[Sequence[Partition]]) -> None:
        self._of: dict[Partition, _Class] = {}
        for members in classes:
            self._make(members)
        # Two partitions of a topic have different numbers, which no row reads but to distinguish partition 0.
        self._index = shape.named.get("index")
        numbered = [(shape.numbers[one], one.keys) for one in shape.states if PARTITION in one.keys]
        self._single = [number for number, keys in numbered if len(keys) == 1]
        self._several = [(number, [str(key) for key in keys]) for number, keys in numbered if len(keys) > 1]

    def _make(self, members: Sequence[Partition]) -> None:
        """Make the first of some partitions the representative of all."""
        first, *others = members
        if others:
            self._of |= dict.fromkeys(members, _Class(first, dict.fromkeys(others)))
        else:
            self._of.pop(first, None)

    @property
    def of(self) -> dict[Partition, Partition]:
        """For each partition that has no cells of its own, its representative."""
        return {one: found.first for one, found in self._of.items() if one != found.first}

    def count(self, partition: Partition) -> int:
        """Return how many partitions one represents, itself included."""
        found = self._of.get(partition)
        return 1 if found is None else 1 + len(found.others)

    # -- a step ----------------------------------------------------------------------------------------------------
    def has_another_for(self, record: WrittenRecord | Record) -> bool:
        """Whether a record is about a partition that another one represents."""
        if record.type not in _ABOUT:
            return False
        partition = _about(record)
        found = self._of.get(partition)
        return found is not None and found.first != partition

    def written(self, step: Step) -> Iterator[tuple[int, WrittenRecord]]:
        """Yield the records of a step but those about partitions that another one represents, each with its offset."""
        for offset, one in enumerate(step.records, step.base_offset):
            if not self.has_another_for(one):
                yield offset, one

    def set_apart(self, step: Step, controller: ControllerState) -> list[tuple[Partition, Partition]]:
        """Give cells to each partition that a step names, and to one of each group that it writes other records about.

        `controller` is in the state before the step. Return pairs: the partition that represented it, and the new one.
        """
        says: dict[Partition, Content] = {}
        for one in step.records:
            if one.type in _ABOUT and (partition := _about(one)) in self._of:
                says[partition] = (*says.get(partition, ()), _content(one))
        for partition in self._named(step, controller):
            says[partition] = (*says.get(partition, ()), partition)
        groups: dict[_Class, dict[Content, list[Partition]]] = {}
        for partition, content in says.items():
            groups.setdefault(self._of[partition], {}).setdefault(content, []).append(partition)
        found = []
        for former, by_content in groups.items():
            if sum(map(len, by_content.values())) == 1 + len(former.others):
                # Those of which equal records are written stay together; the first one's stay where they are.
                del by_content[says[former.first]]
            for members in by_content.values():
                old, new = self._leave(former, members)
                self._copy(old, new, controller)
                found.append((old, new))
        return found

    def _leave(self, former: _Class, members: Sequence[Partition]) -> tuple[Partition, Partition]:
        """Move partitions from their class to one of their own; return those that had cells and those that have them
        now.

        Some partition stays.
        """
        first = former.first
        for one in members:
            former.others.pop(one, None)
        if first in dict.fromkeys(members):
            former.first = next(iter(former.others))
            del former.others[former.first]
            members = [first, *(one for one in members if one != first)]
        if not former.others:
            del self._of[former.first]
        self._make(members)
        return first, former.first if members[0] == first else members[0]

    def _named(self, step: Step, controller: ControllerState) -> list[Partition]:
        """Return the partitions in classes that a request names."""
        request, found = step.request, list[Partition]()
        match request:
            case e.AlterPartition():
                found = [(one.topic, one.partition) for one in request.partitions]
            case e.AssignReplicasToDirs():
                found = [(one.topic, one.partition) for one in request.directories]
            case e.AlterPartitionReassignments():
                found = [(topic_named(controller, request.name) or "", request.partition)]
            case e.ElectLeaders() if of_all(request):
                found = list(self._of)
            case e.ElectLeaders():
                found = [(topic_named(controller, name) or "", number) for name, number in request.partitions or ()]
        return [one for one in dict.fromkeys(found) if one in self._of]

    # -- cells -----------------------------------------------------------------------------------------------------
    def _copy(self, old: Partition, new: Partition, controller: ControllerState) -> None:
        """Give a partition the cells of another one of its topic."""
        tables, domains = controller.cells.tables, controller.domains
        for number in self._single:
            if old in tables[number]:
                tables[number][new] = tables[number][old]
        if self._index is not None:
            tables[self._index][new] = new[1]
        for number, sorts in self._several:
            table = tables[number]
            for key in product(*[(old,) if sort == _SORT else tuple(domains[sort]) for sort in sorts]):
                if key in table:
                    table[tuple(new if one == old else one for one in key)] = table[key]
        domains[_SORT][new] = None


def copy_known(former: Partition, new: Partition, broken: Known, marked: dict[tuple[State[Any], str], str]) -> None:
    """Copy the known facts of one partition, claims that are `broken` and marks, to another one."""
    for instances in broken.values():
        instances |= {tuple(new if each == former else each for each in one) for one in instances if former in one}
    text = entity_text(former)
    marked |= {(mark, entity_text(new)): finding for (mark, about), finding in marked.items() if about == text}


def _about(one: WrittenRecord | Record) -> Partition:
    return one.data["topicId"], one.data["partitionId"]


def _content(one: WrittenRecord) -> Content:
    values = [
        (name, tuple(value) if isinstance(value, list) else value)
        for name, value in one.data.items()
        if name not in _IDS
    ]
    return (one.type, one.version, *values)
