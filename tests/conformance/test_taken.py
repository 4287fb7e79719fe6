"""Which entities a row's records have been found for, one by one and a run at once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from fencepost.checkers.conformance.by_class.bulk_claims import BulkClaims, Undecided
from fencepost.checkers.conformance.by_class.claims_by_class import ByClass
from fencepost.checkers.conformance.by_class.local import Local
from fencepost.checkers.conformance.by_class.taken import Sure, Taken, numbers_of
from fencepost.checkers.conformance.reading.monitor import Monitor
from fencepost.checkers.conformance.state.properties import Broken, Properties
from fencepost.checkers.conformance.state.replay import HardState
from fencepost.model.kraft.protocol import KRAFT
from fencepost.model.language import Always

pytestmark = pytest.mark.usefixtures("by_class")

MONITOR = Monitor(KRAFT)
PARTITIONS = [("AAAAAAAAAAAAAAAAAAAAAQ", number) for number in range(5)]


def local() -> Local:
    """What is kept by class of a state that has met five partitions."""
    state = HardState(MONITOR.layout)
    for one in PARTITIONS:
        state.see("Partition", one)
    return Local(state)


def of(*numbers: int) -> npt.NDArray[np.bool_]:
    """Entities by their numbers."""
    return np.isin(np.arange(len(PARTITIONS)), numbers)


def test_what_was_found_one_by_one_counts_where_all_are_asked_for() -> None:
    """Records that were found one by one are there when those of some entities are asked for by their numbers."""
    mine, taken = local(), Taken()
    for one in PARTITIONS[:3]:
        taken.add((one,))
    assert taken.first_without(mine, of(0, 2)) is None
    assert taken.first_without(mine, of(4, 0, 3)) == PARTITIONS[3]
    assert (PARTITIONS[1],) in taken
    assert (PARTITIONS[4],) not in taken
    assert taken.first_without(mine, of()) is None
    assert taken.first_without(mine, np.zeros(0, np.bool_)) is None


def test_what_a_write_is_sure_of_is_asked_anew_where_an_entity_has_changed() -> None:
    """An entity of another class, or of which more was counted, is one that changed; others are as they were."""
    mine = local()
    classes, slots = mine.classes, mine.shape.slots
    sure = Sure(classes)
    sure.note(np.array([0, 1, 2]), True)
    assert np.flatnonzero(sure.mask()).tolist() == [0, 1, 2]
    assert sure.changed().tolist() == []
    number, counted = next((n, slots[n]) for n in sorted(mine.shape.counted))
    mine.state.frame.tables[number][PARTITIONS[1],] = 7
    assert sure.changed().tolist() == [1]
    sure.forget(sure.changed())
    assert np.flatnonzero(sure.mask()).tolist() == [0, 2]
    before = classes.of(PARTITIONS[1])
    mine.state.frame.tables[number][PARTITIONS[1],] = 8
    assert (classes.of(PARTITIONS[1]), sure.changed().tolist()) == (before, [1])
    assert classes.said(before, PARTITIONS[1], counted, ()) == 8


def test_entities_that_an_index_finds_are_told_by_their_numbers() -> None:
    """What an index gives by class, what it lists and all of them come out as numbers of entities, in order."""
    mine = local()
    assert numbers_of(mine.classes, None).tolist() == [0, 1, 2, 3, 4]
    assert numbers_of(mine.classes, [PARTITIONS[3], PARTITIONS[1]]).tolist() == [1, 3]
    number = next(n for n, one in enumerate(mine.state.layout.states) if one.name == "exists")
    for one in PARTITIONS[1:3]:
        mine.state.frame.tables[number][one,] = True
    found = mine.classes.find(mine.shape.slots[number], False, (), True)
    assert found is not None
    assert numbers_of(mine.classes, found).tolist() == [1, 2]


def test_what_is_broken_at_once_is_told_again_record_by_record() -> None:
    """A claim that is found broken leaves nothing behind: no count, and no note that would suppress its report."""
    mine = local()
    properties = Properties(MONITOR.claims, mine.state)
    claims = BulkClaims(properties, ByClass(properties, mine), mine)
    plan = next(one for one in MONITOR.claims.plans if isinstance(one.claim, Always))
    before = repr(properties.evidence)

    def found() -> list[Broken]:
        properties.count(plan, False)
        properties.broken[plan.claim.id, plan.part].add((PARTITIONS[0],))
        return [Broken(plan.claim, ())]

    with pytest.raises(Undecided):
        claims.at_once(found)
    assert not any(properties.broken.values())
    assert repr(properties.evidence) == before
