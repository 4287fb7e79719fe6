"""Cells stored by class, and what is evaluated once for all entities of one: as if each had been asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.checkers.conformance.classes import ClassedTable, Classes
from fencepost.checkers.conformance.frames import MISSING, UNKNOWN
from fencepost.checkers.conformance.inert import is_inert
from fencepost.checkers.conformance.monitor import Monitor, Options
from fencepost.checkers.conformance.tables import Indexed
from fencepost.model.kraft.protocol import KRAFT
from fencepost.traces.logs import read_log

RECORDED = Path(__file__).parents[2] / "traces" / "recorded"
LOGS = ["rolling-restart", "reassignment", "delete-recreate", "kill-nine-elr", "controller-failover", "suspects-4.4.0"]
PAIRED = (False, False, True)
PLACES = (None, 0, None)

entities = st.tuples(st.sampled_from("ab"), st.integers(0, 2))
values = st.one_of(
    st.integers(0, 2), st.just(UNKNOWN), st.frozensets(st.integers(0, 2), max_size=2), st.sampled_from("ab")
)
writes = st.lists(
    st.tuples(st.integers(0, 2), entities, st.integers(0, 2), st.one_of(values, st.just(MISSING))), max_size=30
)


def written(changes: list[Any]) -> tuple[list[ClassedTable], list[Indexed]]:
    """The same writes, and cells taken out, in tables by class and in plain ones."""
    classes = Classes("Partition", PAIRED, PLACES)
    mine, plain = [ClassedTable(classes, slot) for slot in range(3)], [Indexed() for _ in range(3)]
    for slot, entity, other, value in changes:
        keys = (entity, other) if PAIRED[slot] else (entity,)
        for table in (mine[slot], plain[slot]):
            if value is MISSING:
                table.pop(keys, None)
            else:
                table[keys] = value
    return mine, plain


@given(writes)
def test_tables_by_class_hold_what_plain_ones_do(changes: list[Any]) -> None:
    """Whatever is written, every cell reads the same, and the same cells are there."""
    mine, plain = written(changes)
    for one, other in zip(mine, plain, strict=True):
        assert dict(one.items()) == dict(other)
        assert len(one) == len(other)


@given(writes, values)
def test_indexes_by_class_find_what_plain_ones_do(changes: list[Any], value: Any) -> None:
    """An index over classes gives the entities that one over cells gives, unknown cells among them."""
    mine, plain = written(changes)
    for slot in (0, 1):
        assert set(mine[slot].find(0, False, (), value)) == set(plain[slot].find(0, False, (), value))
    for other in range(3):
        assert set(mine[2].find(0, False, (other,), value)) == set(plain[2].find(0, False, (other,), value))
    for entity in [("a", 0), ("b", 1)]:
        assert set(mine[2].find(1, False, (entity,), value)) == set(plain[2].find(1, False, (entity,), value))


@given(writes)
def test_entities_of_a_class_have_the_same_cells(changes: list[Any]) -> None:
    """Two entities are in one class if and only if their cells say the same, parts of their own ids apart."""
    mine, _ = written(changes)
    classes = mine[0].classes
    said = {
        entity: tuple(
            tuple(
                "own" if slot == 1 and value == entity[0] else value
                for keys, value in sorted(table.items(), key=repr)
                if keys[0] == entity
            )
            for slot, table in enumerate(mine)
        )
        for entity in classes.of
    }
    for one in classes.of:
        for other in classes.of:
            if classes.of[one] == classes.of[other]:
                assert said[one] == said[other]


@pytest.mark.parametrize("name", LOGS)
def test_a_log_judged_by_class_is_judged_as_without(name: str) -> None:
    """Verdict, rows, ambiguous results, findings and the counts of every property are the same to the letter."""
    log = read_log(RECORDED / name)
    plain = Monitor(KRAFT, Options(by_class=False)).judge(log)
    assert repr(Monitor(KRAFT).judge(log)) == repr(plain)
    assert plain.rows


def test_steps_that_say_nothing_of_what_stays_are_found() -> None:
    """P26, P35 and P40 hold where nothing changes, whatever the state; K1, P31 and P36 need not."""
    inert = {id: is_inert(KRAFT.property(id).term) for id in ("P26", "P35", "P40", "K1", "P31", "P36")}  # type: ignore[union-attr]
    assert inert == {"P26": True, "P35": True, "P40": True, "K1": False, "P31": False, "P36": False}
