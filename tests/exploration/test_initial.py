"""Initial states: every value that the start conditions allow, without a long list of states that they refuse."""

import numpy as np
import pytest

from fencepost.checkers.exploration import initial
from fencepost.checkers.exploration.initial import cells_of, initial_rows, stages_of_start
from fencepost.checkers.exploration.layout import Layout
from fencepost.model.language import ANY, BOOL, Bound, Protocol, cell, counter, event, protocol, table
from fencepost.model.registry import find
from tests.exploration.plain_exploration import initial_states

epoch = counter("epoch")
first, second = (cell(name, epoch, initial=ANY) for name in ("first", "second"))
third, fourth = (cell(name, BOOL, initial=ANY) for name in ("third", "fourth"))
step = event("Step", source="the test")
ROWS = table("rows", step("R1", third | fourth, first.becomes(second)))
BEGIN = fourth.is_(first.is_(0)) & (second >= 1) & (third | ~fourth)


def known(at: Protocol) -> list[int]:
    """Return the cells in the order in which they are given a value, with the fewest partial states."""
    [bound] = at.bounds.values()
    layout = Layout(at, bound.sizes)
    stages = stages_of_start(at, bound, layout.world, cells_of(at, layout.world), sparing=True)
    return [found for found, _ in stages if found is not None]


def test_initial_states_come_by_the_values_of_cells_in_their_order() -> None:
    """In whatever order cells are given values, the rows are the interpreter's initial states in the cells' order."""
    small = protocol("small", ROWS, bounds={"tiny": Bound({"epoch": 2}, start=BEGIN)})
    bound = small.bounds["tiny"]
    layout = Layout(small, bound.sizes)
    assert known(small) != sorted(known(small))
    told = [layout.row(state) for state in initial_states(small, bound, layout.world)]
    assert len(told) > 1
    assert np.array_equal(initial_rows(small, bound, layout), np.array(told))


@pytest.mark.parametrize("bound", ["cut-fence", "cut-both"])
def test_what_is_decided_by_another_cell_is_not_listed(bound: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of `kraft-whole`, where start conditions give each cell of half a result its value, some ten states are listed.

    Cell after cell it would be a million.
    """
    monkeypatch.setattr(initial, "MOST", 10)
    at = find("kraft-whole").bounds[bound]
    layout = Layout(at, at.bounds[bound].sizes)
    assert len(initial_rows(at, at.bounds[bound], layout)) == 1
