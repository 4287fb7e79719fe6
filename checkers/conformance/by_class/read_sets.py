"""The reads of evaluations beside their entity's own cells: once known to hold in a state, they are not repeated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fencepost.arrays import np
from fencepost.checkers.conformance.classes.frames import MISSING, Frame
from fencepost.checkers.conformance.classes.tables import anywhere, find

from .names import Answer, Names
from .tracer import ANY_NUMBER, CELL, EVERYWHERE, Compared, Read, Symbol, meant

if TYPE_CHECKING:
    import numpy.typing as npt


class ReadSet:
    """The reads of evaluations beside the entity's own cells, one object for all that read the same.

    These reads are known to hold in the states of one `version`, for entities whose ids name some others, by the
    numbers of these (`Classes.parent_of`); of what names nothing of the entity's, `fixed`, for all of them.
    """

    __slots__ = ("fixed", "named", "parents", "version")

    def __init__(self, reads: tuple[Read | Compared, ...]) -> None:
        names = [type(read.value) is Symbol or Symbol in [type(key) for key in read.keys] for read in reads]
        self.fixed = tuple(read for read, by_name in zip(reads, names, strict=True) if not by_name)
        self.named = tuple(read for read, by_name in zip(reads, names, strict=True) if by_name)
        self.version: int | None = None
        self.parents: npt.NDArray[np.bool_] = np.zeros(0, np.bool_)

    @property
    def shared(self) -> ReadSet:
        """The part of a read set that is the same whatever the names."""
        return self

    def known(self, version: int, number: int) -> bool:
        """Whether it is known to be read so again in a version, for a number of what ids name."""
        if self.version != version:
            return False
        return not self.named or (number < len(self.parents) and bool(self.parents[number]))

    def holds(self, frame: Frame, version: int) -> bool:
        """Whether what names nothing of the entity's, and is not shared, is read so again in a state."""
        if self.version != version:
            if not all(still(one, frame, None) for one in self.fixed):
                return False
            self.version, self.parents = version, np.zeros(0, np.bool_)
        return True

    def is_again(self, number: int, frame: Frame, version: int, entity: Any) -> bool:
        """Whether it is read so again in a state, for an entity whose id names others that have a number."""
        if self.known(version, number):
            return True
        if not self.holds(frame, version) or not all(still(one, frame, entity) for one in self.named):
            return False
        if number >= len(self.parents):
            self.parents = np.concatenate((self.parents, np.zeros(number + 1 - len(self.parents), np.bool_)))
        self.parents[number] = True
        return True


class NamedReads(ReadSet):
    """The reads of an answer, with the names that it has for one class: compared without a list of them."""

    __slots__ = ("answer", "common", "names")

    def __init__(self, answer: Answer, common: ReadSet, names: Names) -> None:
        super().__init__(())
        self.answer, self.common, self.names = answer, common, names

    @property
    def shared(self) -> ReadSet:
        """The part of a read set that is the same whatever the names."""
        return self.common

    def known(self, version: int, number: int) -> bool:
        """Whether it is known to be read so again in a version, for a number of what ids name."""
        return self.version == version and self.common.known(version, number)

    def holds(self, frame: Frame, version: int) -> bool:
        """Whether what names nothing of the entity's, and is not shared, is read so again in a state."""
        if self.version != version:
            names = self.names
            if not all(check(frame, names) for check in self.answer.checks or ()):
                return False
            self.version = version
        return True

    def is_again(self, number: int, frame: Frame, version: int, entity: Any) -> bool:
        """Whether it is read so again in a state, for an entity whose id names others that have a number."""
        return self.common.is_again(number, frame, version, entity) and self.holds(frame, version)


def still(read: Read | Compared, frame: Frame, entity: Any) -> bool:
    """Whether what was read is so in a state, of an entity."""
    if isinstance(read, Compared):
        return read.still(entity, frame)
    state = frame.after if read.after else frame
    if state is None:
        return False
    if read.sort:
        return bool(len(state.domains.get(read.sort, ())) == read.found)
    keys = tuple([meant(one, entity, frame) for one in read.keys])
    table = state.tables[read.number]
    if read.position == EVERYWHERE:
        return bool(anywhere(table, read.value) == read.found)
    if read.position == CELL:
        there = table.get(keys, MISSING)
        return isinstance(there, int) if read.found is ANY_NUMBER else bool(there == read.found)
    found = find(table, read.position, read.members, keys, meant(read.value, entity, frame))
    return found is not None and frozenset(found) == read.found
