"""States compared with each other class by class: of which entities a cell may differ, and which have some values."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from fencepost.arrays import np
from fencepost.checkers.conformance.classes.classes import ClassedTable, Classes, Numbers, Row
from fencepost.checkers.conformance.classes.frames import MISSING, UNKNOWN
from fencepost.checkers.conformance.classes.groups import alike

from .replay import HardState


def numbers_in(one: Classes, other: Classes) -> Numbers:
    """Return the numbers that the entities of some classes have among others, -1 where they are not there."""
    return np.array([other.index.get(entity, -1) for entity in one.entities], np.int64)


def suspects(
    mine: Classes, theirs: Classes, at: Numbers, tables: Collection[int], slots_of: Mapping[int, int]
) -> list[Any]:
    """Return the entities of one state of which a cell in some tables may be another one in the other state.

    `at` are their numbers there (`numbers_in`).
    """
    slots = [slot for number, slot in slots_of.items() if number in tables]
    count = len(mine.entities)
    if not count:
        return []
    there, here = mine.of_number[:count].astype(np.int64), theirs.of_number[at].astype(np.int64)
    differs = at < 0
    for places in alike(there * len(theirs.rows) + here):
        rows = mine.rows[there.item(places[0])], theirs.rows[here.item(places[0])]
        counted = _same_but_counts(rows, slots, mine, theirs)
        if counted is None:
            differs[places] = True
            continue
        for slot in counted:
            my_own, their_own = mine.own[slot], theirs.own[slot]
            assert my_own is not None
            assert their_own is not None
            differs[places] |= my_own.counts[places] != their_own.counts[at[places]]
    return [mine.entities[number] for number in np.flatnonzero(differs).tolist()]


def _same_but_counts(rows: tuple[Row, Row], slots: Collection[int], mine: Classes, theirs: Classes) -> list[int] | None:
    """Return the slots with numbers of the entities' own, still to be compared; None where the rows differ."""
    counted: list[int] = []
    for slot in slots:
        my_own, their_own = mine.own[slot], theirs.own[slot]
        one, other = rows[0][slot], rows[1][slot]
        if my_own is not None and one is my_own and other is their_own:
            if my_own.place is None:
                counted.append(slot)
        elif one is my_own or other is their_own or one != other:
            return None
    return counted


def keys_of(table: ClassedTable, entities: Iterable[Any]) -> Iterator[Row]:
    """Yield the keys of the cells of some entities that something has written, in the order in which they were met."""
    classes, slot = table.classes, table.slot
    for entity in sorted((one for one in entities if one in classes), key=classes.index.__getitem__):
        row = classes.rows[classes.of(entity)][slot]
        if classes.paired[slot]:
            yield from ((entity, *rest) for rest, _ in row)
        elif row is not MISSING:
            yield (entity,)


def having(state: HardState, wanted: Mapping[int, Any]) -> Numbers:
    """Return the numbers of the entities whose cells in some tables have a value, or one that is known and not the
    first (`UNKNOWN`).

    Of the tables the first has a cell of each.
    """
    classes, initial = state.classes, state.layout.initial
    assert classes is not None
    slots = [state.layout.slots[number] for number in wanted]
    whole, single = list[int](), list[int]()
    for number in classes.present() if slots else ():
        row = classes.rows[number]
        if row[slots[0]] is MISSING:
            continue
        if any(row[slot] is not None and row[slot] is classes.own[slot] for slot in slots):
            inside = classes.members(number)
            some = [one for one in inside if has([state.read((n, (one,))) for n in wanted], wanted, initial)]
            single += [classes.index[one] for one in some]
            continue
        found = [initial[n] if row[slot] is MISSING else row[slot] for n, slot in zip(wanted, slots, strict=True)]
        if has(found, wanted, initial):
            whole.append(number)
    in_whole = np.zeros(len(classes.rows), np.bool_)
    in_whole[whole] = True
    return np.concatenate((np.flatnonzero(in_whole[classes.of_number[: len(classes.entities)]]), single)).astype(
        np.int64
    )


def has(found: Collection[Any], wanted: Mapping[int, Any], initial: Sequence[Any]) -> bool:
    """Whether cells have the values that are wanted: for `UNKNOWN` any that is known and not the first."""
    return all(
        value is not UNKNOWN and (value != initial[number] if constant is UNKNOWN else value == constant)
        for value, (number, constant) in zip(found, wanted.items(), strict=True)
    )
