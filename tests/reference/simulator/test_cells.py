"""The cells of a design's state: a step has the changed cells, and no others."""

from __future__ import annotations

from enum import Enum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.reference.simulator.cells import Cells, told
from fencepost.traces.design_steps import Changed


class _State(Enum):
    ACTIVE = "Active"


WRITES = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2), st.booleans()), max_size=40)


@given(WRITES)
def test_the_changes_of_all_steps_together_are_the_state(writes: list[tuple[int, int, bool]]) -> None:
    """The first values with every step's changes give every cell; all are true."""
    cells = Cells()
    column = cells.column("epoch", 0, keys=range(4))
    kept = {(one.variable, one.keys): one.value for one in cells.all()}
    for number, (key, value, ends) in enumerate(writes):
        column[key] = value
        if ends or number == len(writes) - 1:
            for one in cells.step(number, "node", "Step").changed:
                assert kept[one.variable, one.keys] != one.value
                kept[one.variable, one.keys] = one.value
    assert kept == {(one.variable, one.keys): one.value for one in cells.all()}


def test_a_value_is_told_as_traces_have_it() -> None:
    """A state is its name, a set ascending, no broker null, a cell without keys has none."""
    cells = Cells()
    leader, isr = cells.cell("leader", None), cells.column("isr", frozenset[int]())
    state = cells.column("state", _State.ACTIVE, keys=(1,))
    assert cells.all() == (Changed("leader", (), None), Changed("state", (1,), "Active"))
    leader.value = None
    isr[0, 4] = frozenset({9, 2})
    assert (state[1], isr[7]) == (_State.ACTIVE, frozenset())
    assert cells.initial()[0] == ["isr", [0, 4], [2, 9]]
    step = cells.step(7, "broker-1", "IsrChange", {"isr": frozenset({9, 2}), "to": _State.ACTIVE}, "NONE")
    assert step.changed == (Changed("isr", (0, 4), [2, 9]),)
    assert step.parameters == {"isr": [2, 9], "to": "Active"}
    assert cells.step(8, "broker-1", "Nothing").changed == ()


def test_what_no_trace_can_have_is_refused() -> None:
    """A float or an object is no value of a cell, and a name is given once."""
    cells = Cells()
    cells.cell("now", 0)
    with pytest.raises(ValueError, match="a variable now already"):
        cells.column("now", 0)
    with pytest.raises(TypeError, match="nothing that a trace can have"):
        told(0.5)
