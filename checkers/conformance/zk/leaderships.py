"""Every leadership that was seen, by the version of its znode: all lines about one version must agree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fencepost.traces.zk import TopicPartition

from .known import CellValue

NOBODY = -1


@dataclass(frozen=True, slots=True)
class Leadership:
    """The content of a state znode at one version; `isr` in its order, `zxid` 0 where only lines report it."""

    leader: int
    isr: tuple[int, ...]
    leader_epoch: int
    version: int
    controller_epoch: int = 0
    recovering: bool | None = None
    zxid: int = 0

    @staticmethod
    def of(state: Any, controller_epoch: int = 0, recovering: bool | None = None) -> Leadership:
        """Return the leadership that a line says, by its state."""
        epochs = state.leader_epoch, state.partition_epoch
        return Leadership(state.leader, state.isr, *epochs, controller_epoch, recovering)

    @property
    def same(self) -> tuple[int, tuple[int, ...], int]:
        """The fields that every line about this version must agree on."""
        return self.leader, self.isr, self.leader_epoch

    def __str__(self) -> str:
        isr = ", ".join(map(str, self.isr))
        return f"leader {self.leader}, ISR [{isr}], leader epoch {self.leader_epoch}, version {self.version}"


class Leaderships:
    """The leaderships of all partitions; `closed` says that a history has all there are."""

    def __init__(self, closed: bool) -> None:
        self.closed = closed
        self.recreated: set[TopicPartition] = set()
        self._all: dict[tuple[TopicPartition, int], list[Leadership]] = {}
        self._last: dict[TopicPartition, Leadership] = {}

    def add(self, partition: TopicPartition, one: Leadership) -> None:
        """Add a leadership that was written, or reported by a controller."""
        self._all.setdefault((partition, one.version), []).append(one)
        self._last[partition] = one

    def last(self, partition: TopicPartition) -> Leadership | None:
        """Return the leadership that was noted last, None where none was."""
        return self._last.get(partition)

    def of(self, partition: TopicPartition, version: int) -> list[Leadership]:
        """Return the leaderships at a version: several where a topic was created again."""
        return self._all.get((partition, version), [])

    def agrees(self, partition: TopicPartition, one: Leadership) -> Leadership | None:
        """Return None where a line agrees with what is known of the version, else what it disagrees with.

        Values that only lines report are taken over from the first of them.
        """
        known = self.of(partition, one.version)
        if any(other.same == one.same for other in known):
            return None
        if not self.closed and (not known or partition in self.recreated):
            self.add(partition, one)
            return None
        return known[-1] if known else Leadership(NOBODY, (), -1, -1)


def no_znode(partition: TopicPartition) -> list[CellValue]:
    """Return the cells of a state znode that does not exist."""
    return [
        ("stated", (partition,), False),
        ("leader", (partition,), None),
        ("isr", (partition,), frozenset()),
        ("leader_epoch", (partition,), -1),
        ("version", (partition,), -1),
        ("recovering", (partition,), False),
    ]


def znode_cells(partition: TopicPartition, one: Leadership) -> list[CellValue]:
    """Return the cells of a state znode that say a leadership."""
    found: list[CellValue] = [
        ("stated", (partition,), True),
        ("leader", (partition,), None if one.leader == NOBODY else one.leader),
        ("isr", (partition,), frozenset(one.isr)),
        ("leader_epoch", (partition,), one.leader_epoch),
        ("version", (partition,), one.version),
    ]
    if one.controller_epoch:
        found.append(("written_in", (partition,), one.controller_epoch))
    if one.recovering is not None:
        found.append(("recovering", (partition,), one.recovering))
    return found
