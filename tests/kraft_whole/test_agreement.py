"""That rows of `kraft-whole` do what the rows of `kraft` do which they are made of."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pytest

from fencepost.model.kraft import state as k
from fencepost.model.kraft.brokers import be, off, want_down, want_fence
from fencepost.model.kraft.protocol import KRAFT
from fencepost.model.kraft_loop.state import armed, claim, n, to
from fencepost.model.kraft_whole.lifting import HARD, SOFT, STANDING, UNREAD, keys_of
from fencepost.model.kraft_whole.protocol import KRAFT_WHOLE
from fencepost.model.kraft_whole.rows import DOMAIN, LETTERS
from fencepost.model.kraft_whole.state import RECORDS, What, at_start, on_node, pending, soft_on
from fencepost.model.language import Evaluation, Row, Valuation, World, run
from fencepost.model.language.interpreter import CellKey, Execution
from fencepost.model.language.state import State

BROKERS = (0, 1)
SIZES = dict.fromkeys(KRAFT.sized_kinds(), 1) | {"Broker": 2, "offset": 4, "level": 40, "size": 2}
WORLD = World.of(SIZES, KRAFT.kinds)
WHOLE = World.of(dict.fromkeys(KRAFT_WHOLE.sized_kinds(), 4) | {"Broker": 2, "Controller": 1}, KRAFT_WHOLE.kinds)


def _standing() -> dict[CellKey, Any]:
    """The cells of `kraft` in the cluster that the whole is about."""
    cells: dict[CellKey, Any] = {}
    here = Evaluation(WORLD, Valuation())
    for state, value in STANDING.items():
        kinds = state.keys
        for keys in itertools.product(*(WORLD.values(kind) for kind in kinds)):
            found = here.value(value, {})
            cells[state, keys] = found
    return cells


FIXED = _standing()


def clusters() -> Iterator[dict[tuple[State[Any], tuple[Any, ...]], Any]]:
    """Yield every state of the domain whose leader is in the ISR, by variable of `kraft` and keys but the partition."""
    sessions = tuple(itertools.product(k.Contact, (False, True)))
    for fenced in itertools.product((False, True), repeat=2):
        for isr in ((0,), (1,), (0, 1), (1, 0)):
            for leader in (None, *isr):
                for soft in itertools.product(sessions, repeat=2):
                    values: dict[tuple[State[Any], tuple[Any, ...]], Any] = {
                        (HARD[1], ()): isr, (HARD[2], ()): leader, (HARD[3], ()): 1, (HARD[4], ()): 2,
                    }  # fmt: skip
                    for who in BROKERS:
                        values[HARD[0], (who,)] = fenced[who]
                        values[SOFT[0], (who,)], values[SOFT[1], (who,)] = soft[who]
                    yield values


def _in_kraft(values: dict[tuple[State[Any], tuple[Any, ...]], Any]) -> Valuation:
    cells = dict(FIXED)
    for (state, keys), value in values.items():
        cells[state, keys if keys_of(state) == state.keys else (0, *keys)] = value
    return Valuation(cells)


def _in_whole(values: dict[tuple[State[Any], tuple[Any, ...]], Any]) -> Valuation:
    cells: dict[CellKey, Any] = {(_armed(), (0,)): True}
    for (state, keys), value in values.items():
        cells[soft_on.get(state) or on_node.of[state], (0, *keys)] = value
        if state in HARD:
            cells[at_start.of[state], keys] = value
    return Valuation(cells)


def _armed() -> State[Any]:
    return armed.state


def _records(found: Execution) -> list[tuple[Any, ...]]:
    """What a row of `kraft` writes, as the slots of the whole say it."""
    names = {record.name: what for what, record in RECORDS.items()}
    said: list[tuple[Any, ...]] = []
    for one in (record for stage in found.records for record in stage):
        fields = dict(one.fields)
        assert set(fields) <= {"broker", "epoch", "partition", "isr", "leader"}
        what = names[one.record.name]
        said.append(
            (
                what,
                fields.get("broker", 0),
                "isr" in fields,
                fields.get("isr", ()),
                "leader" in fields,
                fields.get("leader"),
            )
        )
    return said


def _agenda(state: Valuation) -> list[tuple[Any, ...]]:
    """What a row of the whole leaves to be written."""
    slots = [tuple(state.read(cell, (0,)) for cell in slot.cells()) for slot in pending]
    return [slot for slot in slots if slot[0] is not What.NOTHING]


def _written(state: Valuation) -> Valuation:
    """The node after it has appended and applied what is left of its result, record by record."""
    current = state.but({(claim.state, (0,)): 1})
    for offset, (what, *_) in enumerate(_agenda(state)):
        row = KRAFT_WHOLE.row(f"QW12{LETTERS[what]}")
        current = run(row, {n: 0, to: offset + 1}, current, WHOLE).after
    assert not _agenda(current)
    return current


@pytest.mark.representative("SI1")
@pytest.mark.slow
@pytest.mark.parametrize("row", DOMAIN.rows, ids=lambda row: row.id)
def test_a_row_writes_what_the_row_of_kraft_writes(row: Row) -> None:
    """In every state both apply or neither; the records are the same, what they come to, and the soft state."""
    theirs = KRAFT.row(row.id)
    settled = {be: -1, off: -1, want_fence: False, want_down: False}
    ours = 0
    for values in clusters():
        before, here = _in_kraft(values), _in_whole(values)
        for who in BROKERS:
            binding = {var: settled.get(var, who if var.kind == k.BROKER else 0) for var in theirs.params}
            own = {var: who if var.kind == k.BROKER else 0 for var in row.params}
            applies = Evaluation(WORLD, before).value(KRAFT.guard(theirs), binding)
            assert applies == Evaluation(WHOLE, here).value(row.when, own)
            if not applies:
                continue
            ours += 1
            found, made = run(theirs, binding, before, WORLD), run(row, own, here, WHOLE)
            assert _agenda(made.after) == _records(found)
            written = _written(made.after)
            for state in HARD:
                for keys in itertools.product(*(WHOLE.values(kind) for kind in keys_of(state))):
                    there = keys if keys_of(state) == state.keys else (0, *keys)
                    assert written.read(on_node.of[state], (0, *keys)) == found.after.read(state, there)
            for state in SOFT:
                for broker in BROKERS:
                    assert made.after.read(soft_on[state], (0, broker)) == found.after.read(state, (broker,))
            changed = {key[0] for key in {*before, *found.after} if before.get(key) != found.after.get(key)}
            assert changed <= {*HARD, *SOFT} | UNREAD
    assert ours > 0


def test_the_cluster_is_one_of_kraft() -> None:
    """Every variable that rows of the whole take for standing is one of `kraft`, and none is one that they move."""
    assert set(STANDING) <= set(KRAFT.states)
    assert set(STANDING).isdisjoint({*HARD, *SOFT})
